"""Cells whose cores other programs had."""

import contextlib
import json
import os
import re
import subprocess
import sys
import time

import jsonschema
import pytest

from support import GRAPH as SMALL_GRAPH
from support import BROKEN, SOURCE, bellmark, long, needs_broken, only_result, schema, tuned

pytestmark = pytest.mark.skipif(
    not os.path.exists("/proc/self/schedstat"), reason="the kernel does not tell how long threads wait")

PUS = sorted(os.sched_getaffinity(0))
# Long enough that a turn of the scheduler is a small part of a sample.
GRAPH = "grid:rows=300,columns=300,lengths=uniform:1..100,seed=1"


def experiment(block_count=6):
    text = tuned(memory="false", placement=f'"pu:{PUS[0]}"', block_count=block_count, sample_count=8,
                 seconds_per_process=0.2)
    return text.replace('counters = ["software"]\n', "").replace(SMALL_GRAPH, GRAPH)


@contextlib.contextmanager
def busy_on(pu):
    """A program that never waits, on one PU."""
    loop = f"import os\nos.sched_setaffinity(0, [{pu}])\nwhile True: pass"
    with subprocess.Popen([sys.executable, "-c", loop]) as process:
        try:
            yield
        finally:
            process.kill()


def measured(folder):
    (folder / "small.toml").write_text(experiment())
    shown = bellmark("run", "small.toml", "-q", cwd=folder).stdout
    result = only_result(folder)
    jsonschema.validate(result, schema("result"))
    return shown, result


def test_a_busy_program_on_the_same_core_disturbs(tmp_path):
    with busy_on(PUS[0]):
        shown, result = measured(tmp_path)
    for cell in result["cells"]:
        disturbance = cell["disturbance"]
        assert disturbance["disturbed"] and disturbance["queued_ratio"] > 0.05, disturbance
        assert disturbance["repeated_block_count"] > 0
        assert "other programs had its cores" in disturbance["reason"]
        assert cell["block_count"] == 6
    assert shown.count(", disturbed") >= 2
    assert "disturbed: other programs had its cores" in shown
    for comparison in result["comparisons"]:
        assert comparison["outcome"] == "UNCLEAR" and comparison["reason"].startswith("disturbed: ")
    for verdict in result["verdicts"]:
        (part,) = verdict["parts"]
        assert verdict["verdict"] in ("inconclusive", "shown")
        assert all("other programs" in row["doubt"] for row in part["measured"])
    assert "disturbed" in bellmark("report", "-f", "markdown", tmp_path / "runs").stdout
    assert "other programs" in bellmark("report", "-f", "csv", tmp_path / "runs").stdout


# In Python: some 40 ms for each query.
PROGRAM_GRAPH = "grid:rows=100,columns=100,lengths=uniform:1..100,seed=1"
PROGRAMS = """id = "small/programs"
variants = ["external/spin", "external/wire"]
[[program]]
name = "spin"
problem = "sssp"
command = "./spin {{source}}"
[[program]]
name = "wire"
problem = "sssp"
command = ["{python}", "{wire}"]
speaks = "wire"
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 2, seed = 1 }}
[axes]
graph = ["{graph}"]
[run]
placement = "pu:{pu}"
sample_count = 2
block_count = 2
"""


def disturbances_of_programs(folder):
    """The lost time of a program that starts for each query, and of one that goes on."""
    (folder / "spin").write_text("#!/bin/sh\ni=0; while [ $i -lt 40000 ]; do i=$((i + 1)); done\n")
    (folder / "spin").chmod(0o755)
    (folder / "programs.toml").write_text(PROGRAMS.format(
        python=sys.executable, wire=SOURCE / "examples/program.py", graph=PROGRAM_GRAPH, pu=PUS[0]))
    bellmark("run", "programs.toml", "-q", "--allow-commands", cwd=folder)
    return [cell["disturbance"] for cell in only_result(folder)["cells"]]


@long
def test_a_busy_program_on_their_core_disturbs_programs(tmp_path):
    with busy_on(PUS[0]):
        for disturbance in disturbances_of_programs(tmp_path):
            assert disturbance["disturbed"] and disturbance["queued_ratio"] > 0.05, disturbance


@long
def test_programs_are_not_disturbed_by_us(quiet):
    """Searches that wait on their core until they answer."""
    for attempt in range(5):
        (quiet / f"programs-{attempt}").mkdir()
        found = disturbances_of_programs(quiet / f"programs-{attempt}")
        # The clock and other guests are outside this test.
        if all(disturbance["queued_ratio"] <= 0.05 for disturbance in found):
            return
    assert False, found


@long
def test_two_results_of_which_one_is_disturbed_are_not_judged(tmp_path):
    """In the other direction too, and with times far apart."""
    _, result = measured(tmp_path)
    paths = []
    for name, factor, doubts in [("before", 1, []), ("after", 1000, []), ("doubted", 1000, ["disturbed: other programs"])]:
        for cell in result["cells"]:
            cell["doubts"] = doubts
            cell["wall_ns"].update({key: cell["wall_ns"][key] * factor for key in ("median", "ci95_low", "ci95_high")})
            cell["block_medians_ns"] = [value * factor for value in cell["block_medians_ns"]]
            cell["samples_ns"] = [[value * factor for value in block] for block in cell["samples_ns"]]
            for block in cell["blocks"]:
                block["query_ns"] = [[time * factor for time in times] for times in block["query_ns"]]
        for twice in result["resolution"]:
            for block in twice["blocks"]:
                block["query_ns"] = [[time * factor for time in times] for times in block["query_ns"]]
        for sample in result["benchmarks"]:
            sample["real_time"] *= factor
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(result))
        result = json.loads((tmp_path / "before.json").read_text())
    before, after, doubted = paths
    assert bellmark("compare", before, after, "--strict", code=5).stdout.count("SLOWER") == 2
    assert bellmark("compare", after, before).stdout.count("FASTER") == 2
    for pair, side in [((before, doubted), "after"), ((doubted, before), "before")]:
        shown = bellmark("compare", *pair, "--strict").stdout
        assert shown.count("UNCLEAR") == 2 and "ER\n" not in shown, shown
        assert f"\n{side}: arity=2; arity=4: disturbed: other programs; not judged; stop other" in shown


@long
@needs_broken
def test_a_disturbed_tuning_is_inconclusive(tmp_path):
    with busy_on(PUS[0]):
        shown = bellmark("tune", "-g", SMALL_GRAPH, "-c", f"pu:{PUS[0]}", "--queries", 2, "-v", "sssp/tunable",
                         "-p", "times", "--budget", "2m", "-q", exe=BROKEN, cwd=tmp_path).stdout
    assert "  not judged: disturbed: other programs had its cores" in shown
    assert re.search(r"^inconclusive, the default stays: disturbed: other programs had its cores", shown, re.M), shown
    assert "the tuned settings are better" not in shown and not re.search("FASTER|SLOWER", shown)


def undisturbed(folder, attempts=5):
    """True if a run is not disturbed: other programs of this machine may disturb some runs."""
    for attempt in range(attempts):
        (folder / str(attempt)).mkdir()
        _, result = measured(folder / str(attempt))
        cells = result["cells"]
        assert all(cell["disturbance"]["queued_ratio"] is not None for cell in cells)
        if not any(cell["disturbance"]["disturbed"] for cell in cells):
            return True
    return False


@pytest.fixture
def quiet(tmp_path):
    """A folder on a machine whose first PU is free."""
    (tmp_path / "quiet").mkdir()
    if not undisturbed(tmp_path / "quiet"):
        pytest.skip("this machine is disturbed by other programs, or other guests of its host")
    return tmp_path


@pytest.mark.skipif(len(PUS) < 2, reason="one PU")
def test_a_busy_program_on_another_core_does_not(quiet):
    with busy_on(PUS[1]):
        assert undisturbed(quiet)


@long
def test_a_program_that_has_ended_does_not(quiet):
    """The state after a build just before a run: the load average is high, and the cores are free."""
    with busy_on(PUS[0]), busy_on(PUS[0]), busy_on(PUS[-1]):
        time.sleep(3)
    assert undisturbed(quiet)
