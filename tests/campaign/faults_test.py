"""Every system call of a run fails once."""

import os
import shutil
import struct
import subprocess
from pathlib import Path

import jsonschema
import pytest
from campaign import chosen

from support import BELLMARK, journal, load, schema

FUNCTIONS = ("open", "read", "write", "fsync", "rename", "ftruncate", "mkdir", "mmap", "pipe")
ERRORS = {"open": ("EACCES", "EMFILE", "EINTR"), "read": ("EIO", "EINTR", "SHORT"),
          "write": ("ENOSPC", "EIO", "EINTR", "SHORT"), "fsync": ("EIO",), "rename": ("ENOSPC", "EIO"),
          "ftruncate": ("EIO",), "mkdir": ("ENOSPC", "EACCES"), "mmap": ("ENOMEM",), "pipe": ("EMFILE",)}
# A right result, a failed cell, a failed machine. A graph that can't be read is wrong input.
CODES = {0, 4, 7}
CODES_OF_READING = {*CODES, 2}
RUN = ("run", "-v", "sssp/dijkstra", "-v", "sssp/boost-dijkstra", "-g", "mine.gr", "-c", "none",
       "--quick", "--queries", "1", "-q")


def faulty(faults, folder, *words, **settings):
    """One command under faults, and the counts of its calls."""
    counts = folder / "counts"
    counts.write_bytes(bytes(8 * (len(FUNCTIONS) + 1)))
    environment = {**os.environ, "LD_PRELOAD": faults, "BELLMARK_FAULT_COUNTS": str(counts), **settings}
    done = subprocess.run([BELLMARK, *words], cwd=folder, capture_output=True, text=True, timeout=120,
                          env=environment)
    return done, struct.unpack(f"{len(FUNCTIONS) + 1}Q", counts.read_bytes())


def said_well(done, what):
    """A documented exit code, with one line that is not an internal error."""
    codes = CODES_OF_READING if what.startswith(("open", "read")) else CODES
    assert done.returncode in codes, f"{what}: {done.returncode}\n{done.stderr}"
    assert "internal error" not in done.stderr, f"{what}\n{done.stderr}"
    if done.returncode in (2, 7):
        assert done.stderr.splitlines()[-1].startswith("bellmark: "), f"{what}\n{done.stderr}"


def sound(folder, what):
    """Nothing is half-written: a result is whole, and a run that has begun can be ended."""
    assert not [path for path in folder.rglob("*.tmp-*")], what
    for run in [path.parent for path in folder.rglob("run.json")]:
        if not (run / "result.json").exists():
            done = subprocess.run([BELLMARK, "resume", str(run), "-q"], cwd=folder, capture_output=True,
                                  text=True, timeout=120)
            assert done.returncode in (0, 4, 77), f"{what}: {done.returncode}\n{done.stderr}"
        result = load(run / "result.json")
        jsonschema.validate(result, schema("result"))
        tasks = [line["task"] for line in journal(run)]
        assert len(tasks) == len(set(tasks)), what
        for cell in result["cells"]:
            assert cell["wall_ns"] is None or cell["validation"]["status"] == "certified", what


@pytest.fixture
def fresh(tmp_path):
    """A new folder with the run's graph, each time that it is called."""
    def make():
        folder = tmp_path / "run"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / "mine.gr").write_text("p sp 3 4\na 1 2 5\na 2 3 1\na 1 3 9\na 3 1 2\n")
        return folder
    return make


def test_every_call_fails_once(faults, fresh, chance):
    done, counts = faulty(faults, fresh(), *RUN)
    assert done.returncode == 0, done.stderr
    cases = [f"{function}:{call}:{error}" for function, count in zip(FUNCTIONS, counts)
             for call in range(1, count + 1) for error in ERRORS[function]]
    assert len(cases) > 100
    for case in chosen(chance, cases, 150):
        folder = fresh()
        done, _ = faulty(faults, folder, *RUN, BELLMARK_FAULT=case)
        said_well(done, case)
        sound(folder, case)


def test_a_disk_fills_at_every_write(faults, fresh, chance, tmp_path):
    # Sizes within one write differ only in the written part: both its ends, and steps between.
    log = tmp_path / "writes"
    faulty(faults, fresh(), *RUN, BELLMARK_DISK_LOG=str(log))
    ends = [0, *(end for (end,) in struct.iter_unpack("Q", log.read_bytes()))]
    assert len(ends) > 10 and ends == sorted(ends)
    sizes = sorted({size for begin, end in zip(ends, ends[1:])
                    for size in (begin + 1, end - 1, *range(begin, end, 64))})
    for size in chosen(chance, sizes, 60):
        folder = fresh()
        done, _ = faulty(faults, folder, *RUN, BELLMARK_DISK_BYTES=str(size))
        said_well(done, f"a disk of {size} bytes")
        sound(folder, f"a disk of {size} bytes")


@pytest.mark.parametrize("seconds", [-10**9, -3600, 3600, 10**9])
def test_a_clock_jumps_between_a_kill_and_its_resume(faults, fresh, seconds):
    _, counts = faulty(faults, fresh(), *RUN)
    folder = fresh()
    # A full disk ends it half-way, without a line in the journal.
    faulty(faults, folder, *RUN, BELLMARK_DISK_BYTES=str(counts[-1] // 2))
    (run,) = [path.parent for path in folder.rglob("run.json")]
    before = journal(run)
    assert before and not (run / "result.json").exists()
    done, _ = faulty(faults, folder, "resume", str(run), "-q", BELLMARK_CLOCK_SHIFT=str(seconds))
    assert done.returncode == 0, done.stderr
    assert journal(run)[:len(before)] == before
    sound(folder, f"a clock that jumps by {seconds} s")
    for cell in load(Path(run) / "result.json")["cells"]:
        assert cell["wall_ns"]["median"] > 0
