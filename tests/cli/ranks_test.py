"""Ranks of rank-sum/all-reduce, whose last rank has a fault.

These tests need no launcher: a script replaces mpirun and starts one rank.
"""

import os
import re
import shutil
import signal
import subprocess
import tomllib
from pathlib import Path

import jsonschema
import pytest

from support import (
    BROKEN, GRAPH, NO_RANK_WORKER, RANKS, RANK_FAULTS, bellmark, fault, launched_run, needs_broken, only_result,
    ranks_of, schema, wait_for,
)


@pytest.fixture
def one_rank(tmp_path):
    """A `bellmark` whose ranks are plain workers, and `launch -n N`, which starts one of them."""
    exe = tmp_path / "bin/bellmark"
    exe.parent.mkdir()
    shutil.copy(BROKEN, exe)
    scripts = {
        exe.parent / "bellmark-worker-mpi": f"exec '{exe}' worker 3>&1 1>&2",
        exe.parent / "launch": f"echo launched >> '{exe.parent}/launches'; shift 2; \"$@\"",
    }
    for path, script in scripts.items():
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return str(exe), f"{exe.parent}/launch -n {{ranks}}"


@needs_broken
def test_one_rank(tmp_path, one_rank):
    exe, launcher = one_rank
    done, result = launched_run(exe, launcher, tmp_path, 0, "--counters", "software",
                                form="--quick")
    (cell,) = result["cells"]
    assert cell["rank_count"] == 1 and cell["launcher"] == launcher.replace("{ranks}", "1")
    assert cell["validation"]["status"] == "certified" and cell["block_count"] == 6
    (place,) = cell["ranks"]["places"]
    assert place["rank"] == 0 and place["resolved"] == "none (not pinned)"
    assert 0 < cell["ranks"]["largest_ns"] <= cell["wall_ns"]["median"]
    assert cell["placement"]["observed"][0].startswith("rank 0: pu P#")
    assert "\n  1 rank: " in done.stdout
    assert {counter["group"] for counter in cell["counters"]} == {"software"}
    assert result["workloads"][0]["queries"]["first"] == ["1", "2", "3"]
    assert result["experiment"]["launcher"] == launcher
    (run,) = (tmp_path / "runs/adhoc").iterdir()
    assert not (run / "ranks.status").exists()
    # One launch opens the workload beforehand, and each replicate is one.
    launches = (Path(exe).parent / "launches").read_text()
    assert launches.count("launched") == 1 + len((run / "replicates.jsonl").read_text().splitlines())


@needs_broken
def test_the_same_of_an_experiment_file(tmp_path, one_rank):
    exe, launcher = one_rank
    text = f"""id = "ranks"
variants = ["{RANKS}"]
[workload]
problem = "rank-sum"
queries = {{ kind = "factors" }}
[axes]
graph = ["2"]
ranks = [1]
[run]
placement = "none"
memory = true
launcher = "{launcher}"
"""
    jsonschema.validate(tomllib.loads(text), schema("experiment"))
    (tmp_path / "ranks.toml").write_text(text)
    shown = bellmark("plan", "ranks.toml", exe=exe, cwd=tmp_path).stdout
    assert re.search(r"placement +ranks\n", shown)
    bellmark("run", "ranks.toml", "-q", exe=exe, cwd=tmp_path)
    (cell,) = only_result(tmp_path)["cells"]
    assert cell["memory"]["accounted"] == {"held": 8}
    assert cell["memory"]["resident_bytes"] is not None


@needs_broken
def test_fewer_ranks_than_asked_for_give_nothing(tmp_path, one_rank):
    exe, launcher = one_rank
    said = fault("run", "-v", RANKS, "-g", 3, "-c", "none", "-a", "ranks=2", "--launcher", launcher,
                 exe=exe, cwd=tmp_path)
    assert "this is one of 1, and 2 were asked for; use the launcher" in said
    assert not (tmp_path / "runs").exists()


@needs_broken
def test_ranks_that_nothing_launches(tmp_path, one_rank):
    exe, launcher = one_rank
    words = ["run", "-v", RANKS, "-g", 3, "-c", "none", "-q", "-a", "ranks=2"]
    assert "ranks = 2, but nothing launches them; add --launcher" in fault(*words, exe=exe)
    assert "write {ranks} where" in fault(*words, "--launcher", launcher.replace("{ranks}", "2"),
                                          exe=exe)
    assert not (tmp_path / "runs").exists()
    done, _ = launched_run(exe, "no-such-mpirun -n {ranks}", tmp_path, 77, ranks=2)
    assert "needs mpi: there is no program 'no-such-mpirun' to launch ranks" in \
        " ".join(done.stdout.split())
    shutil.rmtree(tmp_path / "runs")
    os.remove(Path(exe).parent / "bellmark-worker-mpi")
    done, result = launched_run(exe, launcher, tmp_path, 77, ranks=2)
    (entry,) = result["not_measured"]
    assert entry["code"] == "unmet-need"
    assert re.fullmatch(f"needs mpi: ({NO_RANK_WORKER})", entry["reason"]), entry
    (workload,) = result["workloads"]
    assert workload["facts"]["digest"] is None and workload["queries"]["count"] is None


@needs_broken
def test_ranks_do_not_all_do_the_same_search(tmp_path, one_rank):
    exe, launcher = one_rank
    words = ["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "none", "--smoke", "-q"]
    done = bellmark(*words, "-a", "ranks=1", "--launcher", launcher, exe=exe, cwd=tmp_path, code=77)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    (entry,) = result["not_measured"]
    assert entry["code"] == "unmet-need" and entry["reason"] in done.stdout.replace("\n", " ")
    assert entry["reason"].startswith("sssp knows nothing of ranks")
    assert "name a variant of a problem that does, e.g. distributed-bfs/hybrid" in entry["reason"]
    shutil.rmtree(tmp_path / "runs")
    bellmark(*words, exe=exe, cwd=tmp_path)
    assert not only_result(tmp_path)["not_measured"]


def test_ranks_that_no_partition_can_have_are_not_started(tmp_path):
    launcher = tmp_path / "launch"
    launcher.write_text(f"#!/bin/sh\ntouch '{tmp_path}/started'\nexit 1\n")
    launcher.chmod(0o755)
    bellmark("run", "-v", "distributed-bfs/hybrid:partition=pairs", "-g", "kronecker:scale=8",
             "-c", "none", "--smoke", "-a", "ranks=4,300", "--launcher", f"{launcher} {{ranks}}",
             cwd=tmp_path, code=77)
    entries = only_result(tmp_path)["not_measured"]
    for entry, count in zip(entries, (4, 300), strict=True):
        assert entry["code"] == "unmet-need"
        assert f"two blocks a rank can't be dealt to {count} ranks; use 2, 8, 32" in entry["reason"]
    assert not (tmp_path / "started").exists()


@needs_broken
def test_a_launcher_that_starts_nothing_says_why(tmp_path, one_rank):
    exe, _ = one_rank
    launcher = Path(exe).parent / "full"
    launcher.write_text("#!/bin/sh\necho >&2\necho 'no slots left' >&2\nexit 1\n")
    launcher.chmod(0o755)
    _, result = launched_run(exe, f"{launcher} {{ranks}}", tmp_path, 4)
    (entry,) = result["not_measured"]
    assert entry["code"] == "crash" and "exit code 1: no slots left; " in entry["reason"]


@needs_broken
def test_each_build_has_ranks_of_its_own(tmp_path, one_rank):
    exe, launcher = one_rank
    rank = Path(exe).parent / "bellmark-worker-mpi"
    for name, script in {"old": f"echo old >> '{tmp_path}/started'\nexec '{rank}'\n",
                         "new": f"echo new >> '{tmp_path}/started'\nexec '{rank}'\n",
                         "bad": "echo 'no library' >&2\nexit 3\n", "none": None}.items():
        (tmp_path / name).mkdir()
        shutil.copy(exe, tmp_path / name / "bellmark")
        if script:
            own = tmp_path / name / rank.name
            own.write_text("#!/bin/sh\n" + script)
            own.chmod(0o755)
    bellmark("compare", *[word for name in ("old", "new", "bad", "none") for word in ("--build", name)], "-v", RANKS,
             "-g", 3, "-c", "none", "-a", "ranks=1", "--launcher", launcher, "-q", exe=exe, cwd=tmp_path, code=4)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    blocks = {cell["axes"]["build"]: cell["block_count"] for cell in result["cells"]}
    assert blocks == {"old": 6, "new": 6, "bad": 0, "none": 0} and len(result["comparisons"]) == 1
    lines = (tmp_path / "started").read_text().split()
    (run,) = (tmp_path / "runs/adhoc").iterdir()
    tasks = (run / "replicates.jsonl").read_text().splitlines()
    # One launch of each asks it for its cells.
    assert lines.count("old") >= 7 and lines.count("new") >= 7 and len(lines) == 2 + len(tasks)
    bad, none = result["not_measured"]
    assert bad["code"] == "crash" and "exit code 3: no library; " in bad["reason"]
    assert none["code"] == "unmet-need" and "build none: needs mpi: there is no " in none["reason"]
    assert f"--target {rank.name}" in none["reason"]


@needs_broken
def test_what_a_probe_leaves(tmp_path, one_rank):
    """Only logs that a reason names remain, each with its own name."""
    exe, _ = one_rank
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = os.environ | {"TMPDIR": str(temporary)}
    launcher = Path(exe).parent / "root"
    launcher.write_text("#!/bin/sh\necho 'an attempt to run as root' >&2\nexit 1\n")
    launcher.chmod(0o755)
    _, result = launched_run(exe, f"{launcher} {{ranks}}", tmp_path, 4, ranks="1,2",
                             env=environment)
    logs = [entry["reason"].split("output is in ")[1] for entry in result["not_measured"]]
    left = [str(path) for path in temporary.rglob("*") if path.is_file()]
    assert len(set(logs)) == 2 and sorted(left) == sorted(logs)
    assert all(path.stat().st_mode & 0o077 == 0 for path in temporary.iterdir())
    assert "add --allow-run-as-root" in result["not_measured"][0]["reason"]
    # Interrupted while ranks start, it leaves nothing behind.
    shutil.rmtree(temporary)
    temporary.mkdir()
    launcher.write_text("#!/bin/sh\nexec sleep 600\n")
    process = subprocess.Popen(
        [exe, "run", "-v", RANKS, "-g", "3", "-c", "none", "-a", "ranks=1", "--launcher",
         f"{launcher} {{ranks}}"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: list(temporary.rglob("status")) and list(temporary.rglob("log")))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130 and "interrupted while ranks opened it" in said
    assert not list(temporary.iterdir())


@needs_broken
def test_without_a_folder_for_temporary_files(tmp_path, one_rank):
    exe, launcher = one_rank
    said = fault("run", "-v", RANKS, "-g", 3, "-c", "none", "-a", "ranks=1", "--launcher", launcher,
                 exe=exe, cwd=tmp_path, code=7, env=os.environ | {"TMPDIR": str(tmp_path / "none")})
    assert f"{tmp_path}/none: no folder can be made in it: No such file or directory" in said


@needs_broken
@pytest.mark.parametrize("fault_kind", ["wrong", "throws", "refuses"])
def test_a_rank_that_fails(tmp_path, one_rank, fault_kind):
    code, kind, reason = RANK_FAULTS[fault_kind]
    _, result = launched_run(*one_rank, tmp_path, code, "-v", f"{RANKS}:fault={fault_kind}")
    (entry,) = result["not_measured"]
    assert entry["code"] == kind and re.search(reason, entry["reason"]), entry
    assert [cell["block_count"] for cell in result["cells"]] == [1, 0]


@needs_broken
def test_no_rank_outlives_its_launcher_or_supervisor(tmp_path, one_rank):
    exe, launcher = one_rank
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen(
            [exe, "run", "-v", f"{RANKS}:fault=hangs", "-g", "3", "-c", "none", "--smoke", "-q",
             "-a", "ranks=1", "--launcher", launcher], cwd=tmp_path, stderr=subprocess.DEVNULL)
        wait_for(lambda: list(tmp_path.rglob("ranks.status"))
                 and len(ranks_of(tmp_path / "bin")) > 1)
        process.send_signal(signal_number)
        process.wait()
        wait_for(lambda: not ranks_of(tmp_path / "bin"))
        shutil.rmtree(tmp_path / "runs")
