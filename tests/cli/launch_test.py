"""Ranks that a real launcher starts."""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest

from support import (
    BROKEN, RANKS, RANK_FAULTS, RANK_WORKER, bellmark, fault, launched_run, ranks_of, wait_for,
)

# The words that start the ranks of test_*launched_rank*, e.g. 'srun --mpi=pmix -n {ranks}'.
GIVEN_LAUNCHER = os.environ.get("BELLMARK_TEST_LAUNCHER", "")
needs_mpi = pytest.mark.skipif(
    not RANK_WORKER.exists() or not (GIVEN_LAUNCHER or shutil.which("mpirun")),
    reason=f"no {RANK_WORKER}, or no mpirun",
)


@pytest.fixture(scope="module")
def launcher():
    """More ranks than cores, as any user."""
    if GIVEN_LAUNCHER:
        return GIVEN_LAUNCHER
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    flags = "--oversubscribe " if "Open MPI" in version else ""
    if flags and os.getuid() == 0:
        flags += "--allow-run-as-root "
    return f"mpirun {flags}-n {{ranks}}"


@pytest.fixture(scope="module")
def launch_s(tmp_path_factory, launcher):
    """Seconds for a launch: MPI may look up the host's name, which may be in no file."""
    begin = time.monotonic()
    launched_run(BROKEN, launcher, tmp_path_factory.mktemp("first"), 0, ranks=3)
    return time.monotonic() - begin


@needs_mpi
def test_launched_ranks(tmp_path, launcher, launch_s):
    _, result = launched_run(BROKEN, launcher, tmp_path, 0, ranks="1,2,3", form="--quick",
                             timeout=120 + 30 * launch_s)
    assert [cell["rank_count"] for cell in result["cells"]] == [1, 2, 3]
    for cell in result["cells"]:
        assert cell["validation"]["status"] == "certified"
        ranks = cell["ranks"]
        assert [place["rank"] for place in ranks["places"]] == list(range(cell["rank_count"]))
        assert [len(block) for block in ranks["block_ns"]] == [cell["rank_count"]] * 6
        assert ranks["least_ns"] <= ranks["median_ns"] <= ranks["largest_ns"]
        assert ranks["largest_ns"] <= cell["wall_ns"]["median"]
        assert cell["memory"]["accounted"] == {"held": 8 * cell["rank_count"]}


@needs_mpi
@pytest.mark.parametrize("fault_kind", RANK_FAULTS)
def test_the_launched_rank_that_fails_is_named(tmp_path, launcher, launch_s, fault_kind):
    code, kind, reason = RANK_FAULTS[fault_kind]
    # Only the launcher can report a SIGKILL, and mpirun takes seconds for it.
    timeout_s = (60 if fault_kind == "killed" else 2) + round(launch_s)
    _, result = launched_run(BROKEN, launcher, tmp_path, code, "-v", f"{RANKS}:fault={fault_kind}",
                             "--timeout", timeout_s, ranks=3, timeout=120 + 10 * launch_s)
    (entry,) = result["not_measured"]
    assert entry["code"] == kind and re.search(reason.format(last=2), entry["reason"]), entry
    if fault_kind in ("wrong", "throws"):
        assert "rank 2: " in entry["reason"]
    assert [cell["block_count"] for cell in result["cells"]] == [1, 0]
    assert not ranks_of(tmp_path)


@needs_mpi
def test_memory_of_one_rank_that_grows(tmp_path, launcher, launch_s):
    """The last rank: the first rank's report about itself is not enough."""
    done, result = launched_run(BROKEN, launcher, tmp_path, 0, "-v", f"{RANKS}:fault=leaks", ranks=3, form="--quick",
                                timeout=120 + 30 * launch_s)
    texts = [w["text"] for w in result["warnings"] if "grows by" in w["text"]]
    (text,) = texts
    assert "fault=leaks: resident memory of a rank grows by" in text and text in done.stdout
    assert re.search(r" grows by [5-8](\.\d+)? MiB a query", text), text


@needs_mpi
@pytest.mark.parametrize("pages", ["huge", "small"])
def test_ranks_have_the_pages_that_are_asked_for(tmp_path, launcher, launch_s, pages):
    _, result = launched_run(BROKEN, launcher, tmp_path, 0, "-v", f"{RANKS}:fault=leaks", "--pages", pages, ranks=2,
                             timeout=120 + 10 * launch_s)
    if "-fsanitize" in result["provenance"]["flags"] or result["environment"]["transparent_huge_pages"] != "madvise":
        pytest.skip("memory is not malloc()'s, or the kernel decides")
    own = result["cells"][-1]["pages"]
    assert own["anonymous_bytes"] > 20 << 20  # 8 MiB a query, and two of three leak
    assert own["huge_bytes"] > 20 << 20 if pages == "huge" else own["huge_bytes"] == 0


@needs_mpi
def test_a_damaged_graph_is_no_variants_fault(tmp_path, launcher):
    file = tmp_path / "k.bmg"
    bellmark("graph", "convert", "kronecker:scale=8,lengths=unit", file)
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1  # a head
    file.write_bytes(whole)
    ranks = ["-v", "distributed-bfs/hybrid", "-a", "ranks=2", "--launcher", launcher]
    for words in (["-v", "bfs/hybrid"], ranks):
        said = fault("run", *words, "-g", file, "-c", "none", "--smoke", "-q", exe=BROKEN,
                     cwd=tmp_path)
        assert f"{file}: " in said and "the file is damaged" in said, said
    assert not (tmp_path / "runs").exists()


@needs_mpi
@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGKILL])
def test_no_launched_rank_outlives_the_supervisor(tmp_path, launcher, launch_s, signal_number):
    process = subprocess.Popen(
        [BROKEN, "run", "-v", f"{RANKS}:fault=hangs", "-g", "3", "-c", "none", "--smoke", "-q", "-a",
         "ranks=3", "--launcher", launcher], cwd=tmp_path, stderr=subprocess.DEVNULL)
    wait_for(lambda: list(tmp_path.rglob("ranks.status")) and len(ranks_of(tmp_path)) == 3,
             30 + 2 * launch_s)
    process.send_signal(signal_number)
    process.wait()
    wait_for(lambda: not ranks_of(tmp_path))
