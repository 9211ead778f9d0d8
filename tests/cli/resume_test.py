"""Kills and signals, and `bellmark resume` on the runs that they leave."""

import json
import os
import re
import shutil
import signal

import jsonschema
import pytest

from support import (
    BELLMARK, BROKEN, GRAPH, bellmark, children, fault, is_running, journal, load, needs_broken,
    only_result, planned, schema, tuned, wait_for,
)


def test_run_folder_that_is_damaged(finished, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    text = (finished / "run.json").read_text()
    for damaged in ("", text[: len(text) // 2], "{}", "[]"):
        (run / "run.json").write_text(damaged)
        fault("resume", run)


def test_kill_of_the_supervisor(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 3)
    (worker,) = wait_for(lambda: children(process.pid))
    process.kill()
    process.wait()
    wait_for(lambda: not is_running(worker))
    before = journal(run)
    assert not (run / "result.json").exists()

    said = bellmark("resume", cwd=run.parents[3]).stderr
    assert f"going on with {run.relative_to(run.parents[3])}, begun 2" in said
    after = journal(run)
    assert after[: len(before)] == before
    tasks = planned(after)
    assert len(tasks) == len(set(tasks)) == 30 + 3
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    assert [c["block_count"] for c in result["cells"]] == [30, 30]
    assert result["not_measured"] == []
    # After the end, nothing is measured again.
    assert "finished already" in bellmark("resume", run).stderr
    assert journal(run) == after


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_and_resume(long_run, number):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 2)
    (worker,) = wait_for(lambda: children(process.pid))
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said == f"bellmark: interrupted; go on with: bellmark resume {run.relative_to(run.parents[3])}\n"
    assert not is_running(worker)
    assert not (run / "result.json").exists()
    bellmark("resume", run, "-q")
    tasks = planned(journal(run))
    assert len(tasks) == len(set(tasks)) == 33


def test_resume_with_a_budget_ends_the_run_with_what_was_measured(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 7)
    process.send_signal(signal.SIGINT)
    process.wait()
    before = journal(run)
    bellmark("resume", run, "-q", "--budget", "0.001s")
    assert journal(run) == before
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    cuts = result["experiment"]["cuts"]
    assert f"stopped after {len(before)} of 33 replicates" in cuts
    assert [c["block_count"] for c in result["cells"]] == [len(before)] * 2
    assert "finished already" in bellmark("resume", run).stderr


def test_a_run_is_ended_without_its_graph(long_run, tmp_path):
    graph = tmp_path / "mine.gr"
    bellmark("graph", "convert", GRAPH, graph)
    text = tuned(block_count=30, memory="false")
    process, run = long_run(text=text.replace(GRAPH, str(graph)))
    wait_for(lambda: len(journal(run)) >= 7)
    process.send_signal(signal.SIGINT)
    process.wait()
    graph.unlink()
    assert "mine.gr" in bellmark("resume", run, "-q", code=2).stderr
    before = journal(run)
    bellmark("resume", run, "-q", "--end")
    assert journal(run) == before
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    assert f"stopped after {len(before)} of 33 replicates" in result["experiment"]["cuts"]
    assert [c["block_count"] for c in result["cells"]] == [len(before)] * 2
    assert result["workloads"][0]["facts"]["vertex_count"] == 900


def test_a_run_that_ends_elsewhere_keeps_its_machine_and_build(long_run):
    process, run = long_run(text=tuned(block_count=30, memory="false"))
    wait_for(lambda: len(journal(run)) >= 2)
    process.send_signal(signal.SIGINT)
    process.wait()
    begun = load(run / "begun.json")
    begun.update(hosts=["elsewhere"], boots=["another"], builds=["another"])
    origin = begun["probe"]["origin"]
    origin["environment"].update(host_name="elsewhere", cpu_model="Another CPU")
    origin["build"]["git_sha"] = "0" * 40
    (run / "begun.json").write_text(json.dumps(begun), encoding="utf-8")
    # This machine has no cores, so that the run's place is of the machine that measured.
    bellmark("resume", run, "-q", "--end",
            env={**os.environ, "HWLOC_SYNTHETIC": "pu:2"})
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    assert result["environment"]["cpu_model"] == "Another CPU"
    assert result["context"]["host_name"] == "elsewhere"
    assert result["provenance"]["git_sha"] == "0" * 40
    assert not any("had a part" in warning["text"] for warning in result["warnings"])
    is_short = any("of the 6 blocks" in warning["text"] for warning in result["warnings"])
    assert is_short == (min(c["block_count"] for c in result["cells"]) < 6)


def test_a_run_is_run_by_one_process(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 1)
    process.send_signal(signal.SIGSTOP)  # it must not be finished before the others have asked
    for _ in range(2):
        assert f"is being run by another process (pid {process.pid} on " in fault("resume", run)
    assert "holds no unfinished run, except those that other" in fault("resume", cwd=run.parents[3])
    # `resume` goes on with an older run that no process runs.
    older = run.parent / "20010101T000000Z-00000000"
    older.mkdir()
    shutil.copy(run / "run.json", older)
    bellmark("resume", "-q", cwd=run.parents[3])
    assert (older / "result.json").exists()
    process.kill()
    process.wait()
    bellmark("resume", run, "-q")


def test_resume_when_the_graph_is_another(long_run, tmp_path):
    """The graph's name stays the same: blocks of two graphs must not get into one result."""
    def make(seed):
        bellmark("graph", "convert", GRAPH.replace("seed=1", f"seed={seed}"), tmp_path / "my.gr")
    make(1)
    process, run = long_run(BELLMARK, tuned(block_count=30, memory="false").replace(GRAPH, "my.gr"))
    wait_for(lambda: len(journal(run)) >= 2)
    process.kill()
    process.wait()
    before = (run / "replicates.jsonl").read_text()
    make(2)
    said = fault("resume", run, "-q", cwd=tmp_path)
    assert re.search(r"my\.gr: is not the input that this run began with \(digest \w+, now \w+\); "
                     "start a new run", said)
    assert (run / "replicates.jsonl").read_text().startswith(before.rpartition("\n")[0])
    make(1)
    bellmark("resume", run, "-q", cwd=tmp_path)
    assert only_result(tmp_path)["not_measured"] == []


@needs_broken
def test_resume_of_damage_and_by_another_build(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 4)
    process.kill()
    process.wait()
    lines = (run / "replicates.jsonl").read_text().splitlines(keepends=True)
    (run / "replicates.jsonl").write_text("".join([lines[0], "x" + lines[1], *lines[2:]]))
    # `resume` goes on with a folder from before digests were kept.
    begun = load(run / "begun.json")
    (run / "begun.json").write_text(json.dumps({"builds": begun["builds"]}))
    said = bellmark("resume", run, "-q", exe=BROKEN).stderr
    assert re.search(r"^bellmark: .*replicates\.jsonl:2: is damaged; .*measured again$", said, re.M)
    assert "bellmark: 2 builds of Bellmark had a part in this run" in said
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    assert "2 builds of Bellmark had a part in this run" in [w["text"] for w in result["warnings"]]
    assert [c["block_count"] for c in result["cells"]] == [30, 30]


def test_kill_of_a_worker(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 2)
    (worker,) = wait_for(lambda: children(process.pid))
    os.kill(worker, signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    lines = journal(run)
    tasks = [line["task"] for line in lines]
    assert len(tasks) == len(set(tasks))
    failed = [line["failed"] for line in lines if "failed" in line]
    if failed:  # the worker was on one cell alone
        (entry,) = result["not_measured"]
        assert entry["code"] == "crash" and "signal 9" in entry["reason"]
        assert process.returncode == 4
    else:  # it was sampling both: each goes on alone
        assert [line for line in lines if "isolated_group" in line]
        assert "one by one" in said
        assert process.returncode == 0
    others = [c for c in result["cells"] if c["id"] not in [f["cell"] for f in failed]]
    assert others and all(c["block_count"] == 30 for c in others)


@needs_broken
def test_resume_after_cells_were_isolated_measures_nothing_twice(long_run):
    text = tuned(block_count=12, memory="false", sample_count=4).replace(
        'variants = ["sssp/dijkstra:arity={arity},width=32,distance=64"]',
        'variants = ["sssp/dijkstra", "sssp/late-crash"]',
    ).replace("arity = [2, 4]\n", "").split("[[claim]]")[0]
    process, run = long_run(BROKEN, text)
    wait_for(lambda: [line for line in journal(run) if "failed" in line])
    process.kill()
    process.wait()
    bellmark("resume", run, "-q", exe=BROKEN, code=4)
    tasks = [line["task"] for line in journal(run)]
    assert len(tasks) == len(set(tasks))
    result = load(run / "result.json")
    assert [c["block_count"] for c in result["cells"]] == [12, 0]
