"""Broken variants, each dropped in as one file."""

import re
import subprocess

import jsonschema
import pytest

from support import (
    BROKEN, GRAPH, NEEDS_MPI, bellmark, broken_run, entry_of, good_cell, needs_broken, only_result,
    schema,
)


@needs_broken
def test_broken_variants_are_listed():
    shown = bellmark("list", "-v", "sssp/*", exe=BROKEN).stdout
    for name in ("wrong-distance", "wrong-predecessor", "crash", "late-crash", "crash-once", "hang",
                 "needs-mpi", "no-memory", "tunable", "work-in-extract", "remembers", "runs-once", "leaks"):
        assert re.search(rf"^sssp/{name}\b", shown, re.M), name
    assert "wrong-distance" in bellmark("list", exe=BROKEN).stdout
    assert "wrong-distance" not in bellmark("list").stdout


@needs_broken
@pytest.mark.parametrize("fault_kind", ["distance", "predecessor"])
def test_wrong_answer(tmp_path, fault_kind):
    done, result = broken_run(tmp_path, 3, "-v", "sssp/dijkstra", "-v", f"sssp/wrong-{fault_kind}")
    entry = entry_of(result, f"sssp/wrong-{fault_kind}")
    assert entry["code"] == "wrong-answer"
    assert re.search(r"query 1: .*vertex 900\b", entry["reason"]), entry
    assert "wrong-answer: query 1: " in done.stdout
    (cell,) = [c for c in result["cells"] if c["id"] == entry["cell"]]
    assert cell["validation"]["status"] == "wrong" and cell["wall_ns"] is None
    assert result["comparisons"] == []
    good_cell(result)


@needs_broken
def test_crash(tmp_path):
    _, result = broken_run(tmp_path, 4, "-v", "sssp/crash", "-v", "sssp/dijkstra")
    entry = entry_of(result, "sssp/crash")
    assert entry["code"] == "crash" and "signal 11" in entry["reason"]
    at = re.search(r"^at source (\d+) of sssp/crash: .* debug it: gdb --args bellmark answer -v sssp/crash -g (\S+) "
                   r"--source (\d+)$", entry["reason"])
    assert at and at[1] == at[3] and at[2] == GRAPH
    good_cell(result)
    # The command that it prints for a debugger does crash.
    command = entry["reason"].split("--args bellmark ")[1].split()
    assert bellmark(*command, exe=BROKEN, code=-11).returncode == -11


@needs_broken
@pytest.mark.parametrize("when", ["early", "late"])
def test_no_memory_ends_its_cell_alone(tmp_path, when):
    _, result = broken_run(tmp_path, 4, "-v", f"sssp/no-memory:when={when}", "-v", "sssp/dijkstra")
    entry = entry_of(result, "sssp/no-memory")
    assert entry["code"] == "crash" and entry["reason"].startswith("no memory; "), entry
    good_cell(result)


@needs_broken
def test_crash_while_cells_are_sampled_together(tmp_path):
    done, result = broken_run(tmp_path, 4, "-v", "sssp/late-crash", "-v", "sssp/dijkstra")
    assert "one by one" in done.stderr
    entry = entry_of(result, "sssp/late-crash")
    assert entry["code"] == "crash" and entry["reason"].startswith("at source ")
    good_cell(result)


@needs_broken
def test_hang(tmp_path):
    _, result = broken_run(tmp_path, 4, "-v", "sssp/dijkstra", "-v", "sssp/hang", "--timeout", 2)
    entry = entry_of(result, "sssp/hang")
    assert entry["code"] == "timeout" and "2 s" in entry["reason"]
    good_cell(result)


@needs_broken
def test_unmet_need(tmp_path):
    _, result = broken_run(tmp_path, 77, "-v", "sssp/needs-mpi")
    entry = entry_of(result, "sssp/needs-mpi")
    assert entry["code"] == "unmet-need"
    assert re.fullmatch(NEEDS_MPI, entry["reason"]), entry


@needs_broken
def test_need_of_cuda_is_met_or_said(tmp_path):
    """The variant computes on the CPU, so it can only lack a GPU."""
    done = subprocess.run([BROKEN, "run", "-v", "sssp/needs-cuda", "-g", GRAPH, "-c", "none",
                           "--quick", "--queries", "2", "-q"], cwd=tmp_path, timeout=120)
    assert done.returncode in (0, 77)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    (cell,) = result["cells"]
    energy = cell["energy"]
    assert (energy["gpu_energy_j"] is None) == (energy["reason"] is not None)
    if done.returncode == 77:
        assert re.match("needs cuda: .*CUDA", entry_of(result, "sssp/needs-cuda")["reason"])
        assert cell["gpu"] is None and energy["reason"]
    else:
        assert cell["block_count"] == 6
        assert cell["gpu"]["clock_sm_mhz_low"] or cell["gpu"]["reason"]
        assert result["environment"]["gpus"] or cell["gpu"]["reason"]


@needs_broken
def test_fault_of_a_kernel_fails_its_cell_alone(tmp_path):
    if "gpu-fault" not in bellmark("list", exe=BROKEN).stdout:
        pytest.skip("this build has no CUDA")
    done = subprocess.run([BROKEN, "run", "-v", "sssp/gpu-fault", "-v", "sssp/dijkstra", "-g", GRAPH,
                           "-c", "none", "--quick", "--queries", "2", "-q"], cwd=tmp_path,
                          timeout=120)
    result = only_result(tmp_path)
    entry = entry_of(result, "sssp/gpu-fault")
    if done.returncode == 0:
        assert entry["code"] == "unmet-need"
    else:
        assert (done.returncode, entry["code"]) == (4, "crash")
        assert "cudaDeviceSynchronize" in entry["reason"], entry
    good_cell(result)


@needs_broken
@pytest.mark.parametrize("name", ["sssp/absent-gpu", "sssp/absent-gpu:threads=256,flags=all"])
def test_family_that_was_not_built_says_why(tmp_path, name):
    reason = "needs cuda: this build has no CUDA: a test"
    assert f"sssp/absent-gpu  (not built)\n  {reason}\n" in bellmark("list", "sssp/absent-gpu", exe=BROKEN).stdout
    assert re.search(r"not built:[^:]*\babsent-gpu\b", bellmark("list", exe=BROKEN).stdout)
    done, result = broken_run(tmp_path, 77, "-v", name)
    entry = entry_of(result, "sssp/absent-gpu")
    assert (entry["variant"], entry["code"], entry["reason"]) == (name, "unmet-need", reason)
    assert reason in done.stdout
    assert result["cells"][0]["wall_ns"] is None
    _, result = broken_run(tmp_path / "beside", 0, "-v", "sssp/dijkstra", "-v", name)
    good_cell(result)


@needs_broken
def test_unmet_need_beside_others_is_no_failure(tmp_path):
    _, result = broken_run(tmp_path, 0, "-v", "sssp/dijkstra", "-v", "sssp/needs-mpi")
    assert entry_of(result, "sssp/needs-mpi")["code"] == "unmet-need"
    good_cell(result)


@needs_broken
@pytest.mark.parametrize("command", ["run", "compare"])
def test_strict_does_not_hide_an_unmet_need(tmp_path, command):
    bellmark(command, "-v", "sssp/needs-mpi", "-g", GRAPH, "-g", "grid:rows=3,columns=3", "-c", "none",
             "--smoke", "-q", "--strict", exe=BROKEN, cwd=tmp_path, code=77)


@needs_broken
def test_wrong_answer_is_more_urgent_than_a_crash(tmp_path):
    _, result = broken_run(tmp_path, 3, "-v", "sssp/crash", "-v", "sssp/wrong-distance",
                           "-v", "sssp/dijkstra")
    assert {e["code"] for e in result["not_measured"]} == {"crash", "wrong-answer"}
    good_cell(result)
