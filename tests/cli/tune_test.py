"""`bellmark tune`.

sssp/tunable answers each query `times` times over, so that the best setting is known.
"""

import os
import re
import signal
import subprocess
import tomllib

import jsonschema
import pytest

from support import (
    BELLMARK, BROKEN, GRAPH, NEEDS_MPI, bellmark, fault, journal, load, long, needs_broken,
    results, schema, wait_for,
)


def own_cache(tmp_path):
    return {**os.environ, "BELLMARK_CACHE": str(tmp_path / "cache")}


def tune(tmp_path, *words, code=0, exe=BROKEN, budget="2m"):
    done = bellmark("tune", "-g", GRAPH, "-c", "none", "--queries", 4, "--seed", 7,
                    "--budget", budget, *words, exe=exe, cwd=tmp_path, code=code,
                    env=own_cache(tmp_path))
    steps = {"calibration": [], "screening": [], "training": [], "held-out": []}
    # Names of folders differ by seconds, and a step may take less.
    for path in sorted(results(tmp_path / "runs/tune"), key=lambda path: path.stat().st_mtime_ns):
        result = load(path)
        jsonschema.validate(result, schema("result"))
        steps[path.parents[1].name].append(result)
    return done, steps


def needs_quiet(done):
    """The known best setting is not found if other programs take the time."""
    if "not judged: disturbed: " in done.stdout:
        pytest.skip("this machine is disturbed by other programs, or other guests of its host")


def queries_of(runs):
    """At most four in a run, so that `first` holds all of them."""
    for result in runs:
        (workload,) = result["workloads"]
        assert workload["queries"]["count"] == len(workload["queries"]["first"])
        yield from workload["queries"]["first"]


@needs_broken
def test_tune_finds_the_best_and_judges_it_on_held_out_queries(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable", "-p", "times", "-o", "tuned.toml")
    needs_quiet(done)
    assert re.search(r"^  times=4 +the default$", done.stdout, re.M)
    assert re.search(r"^  times=1 +4 +0\.\d+ \[\S+ \S+ FASTER +kept$", done.stdout, re.M)
    assert re.search(r"^  times=6 +2 .* SLOWER +worse than the best$", done.stdout, re.M)
    assert re.search(r"^the tuned settings are better: 0\.\d+ \[.*\] FASTER$", done.stdout, re.M)
    assert "tune/sssp/tunable/training: 6 cells, 2 queries, " in done.stderr

    (held_out,) = steps["held-out"]
    assert [c["variant"].split(",")[0] for c in held_out["cells"]] == [
        "sssp/tunable:times=4", "sssp/tunable:times=1"]
    assert [c["block_count"] for c in held_out["cells"]] == [6, 6]
    (comparison,) = held_out["comparisons"]
    assert comparison["ci95_high"] < 1
    counts = [result["workloads"][0]["queries"]["count"] for result in steps["calibration"]]
    assert counts in ([1, 4], [1, 4, 16], [1, 4, 16, 64], [1, 4, 16, 64, 256])
    assert len(steps["training"]) >= 2
    assert {r["provenance"]["seed"] for r in steps["training"]} == {7}
    assert held_out["provenance"]["seed"] > 7
    training = set(queries_of(steps["training"]))
    assert training and not training & set(queries_of([held_out]))

    (kept,) = load(tmp_path / "cache/tunings.json")["tunings"]
    assert kept["variant"].startswith("sssp/tunable:times=4")
    assert kept["better"].startswith("sssp/tunable:times=1")
    assert kept["graph_digest"] == held_out["workloads"][0]["facts"]["digest"]
    assert kept["ratio_high"] == comparison["ci95_high"]
    environment = own_cache(tmp_path)
    listed = bellmark("tuned", "list", exe=BROKEN, cwd=tmp_path, env=environment).stdout
    assert "sssp/tunable:times=1" in listed and "FASTER" in listed
    assert "the list has numbers from 1 to 1" in fault("tuned", "remove", 2, cwd=tmp_path, env=environment)
    bellmark("tuned", "remove", 1, cwd=tmp_path, env=environment)
    assert "no tuned settings" in bellmark("tuned", "list", cwd=tmp_path, env=environment).stdout
    (tmp_path / "cache/tunings.json").write_text("{")
    assert "tunings.json: is no JSON" in fault("tuned", "list", cwd=tmp_path, env=environment)

    text = (tmp_path / "tuned.toml").read_text()
    spec = tomllib.loads(text)
    jsonschema.validate(spec, schema("experiment"))
    assert spec["variants"] == [c["requested_variant"] for c in held_out["cells"]]
    assert spec["workload"]["queries"]["seed"] == held_out["provenance"]["seed"]
    head = text.split("\n\n")[0]
    assert held_out["workloads"][0]["facts"]["digest"] in head
    assert f"# Date: {held_out['provenance']['started_utc']}\n" in head
    assert "seed 7, at most 4 queries" in head and held_out["environment"]["cpu_model"] in head
    bellmark("run", "tuned.toml", "--smoke", "-q", exe=BROKEN, cwd=tmp_path)
    (again,) = [load(path) for path in results(tmp_path / "runs/tuned")]
    assert [c["id"] for c in again["cells"]] == [c["id"] for c in held_out["cells"]]
    assert again["workloads"][0]["queries"] == held_out["workloads"][0]["queries"]


@needs_broken
def test_tune_tries_values_that_bring_keys_of_their_own(tmp_path):
    # Time enough for every queue, even on a busy machine.
    _, steps = tune(tmp_path, "-v", "sssp/dijkstra", "-p", "queue", "-q", budget="1h")
    names = [cell["requested_variant"] for cell in steps["training"][0]["cells"]]
    assert any("queue=dial,vertices" in name for name in names), names
    assert any("queue=multi-level,levels=auto" in name for name in names), names


@needs_broken
def test_tune_lets_the_default_stand(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable:times=1", "-p", "times", "-q", "-o", "t.toml")
    needs_quiet(done)
    assert "the default stands: nothing was better in training" in done.stdout
    assert done.stderr == "" and not (tmp_path / "t.toml").exists()
    assert steps["training"] and steps["held-out"] == []


@needs_broken
def test_tune_drops_and_names_a_wrong_candidate(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable", "-q", code=3)
    needs_quiet(done)
    assert re.search(r"^  times=1,answer=wrong  dropped: wrong-answer: query 1: .*vertex 900\b",
                     done.stdout, re.M)
    assert "times=1,answer=wrong" in done.stderr and "wrong-answer" in done.stderr
    assert "times=1,answer=right instead of times=4,answer=right" in done.stdout
    (held_out,) = steps["held-out"]
    assert held_out["not_measured"] == []
    (spec,) = tmp_path.glob("runs/tune/sssp/tunable/held-out/*/tuned.toml")
    assert f"tuned experiment: {spec.relative_to(tmp_path)}" in done.stdout


@needs_broken
def test_tune_cuts_a_slow_candidate_and_goes_on(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/paced", "-q")
    assert re.search(r"^  pace=slow  dropped: cut: one query took \d+ times the default's time(, disturbed)?$", done.stdout, re.M)
    assert re.search(r"^  pace=stuck  dropped: cut: one query took over \d+ s$", done.stdout, re.M)
    assert re.search(r"^  pace=double +\d+ ", done.stdout, re.M)
    measured = {cell["requested_variant"] for result in steps["training"] for cell in result["cells"]}
    assert measured == {"sssp/paced:pace=own", "sssp/paced:pace=double"}


@needs_broken
def test_tune_ends_when_the_default_fails(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable:answer=wrong", "-p", "times", "-q", code=3)
    assert "the default failed: wrong-answer" in done.stderr.splitlines()[-1]
    assert steps["training"] == []


@needs_broken
def test_tune_says_what_can_not_be_tuned(tmp_path):
    words = ["tune", "-g", GRAPH, "-c", "none", "-v"]
    said = fault(*words, "sssp/tunable", "-p", "label", exe=BROKEN, cwd=tmp_path)
    assert "key 'label' is not tunable; tunable are times, answer" in said
    done = bellmark(*words, "sssp/needs-mpi", exe=BROKEN, cwd=tmp_path, code=77)
    assert re.search(NEEDS_MPI, done.stderr)
    assert not (tmp_path / "runs").exists(), "a run was begun"


@needs_broken
def test_tune_with_too_small_a_budget_says_what_is_needed(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable", "-q", budget="0.01s", code=2)
    assert re.search(r"--budget 0\.01s: is too small: .* takes about \d+ s", done.stderr)
    assert steps["training"] == [] and steps["held-out"] == []


@needs_broken
def test_tune_refuses_queries_that_can_not_be_kept_apart(tmp_path):
    said = fault("tune", "-g", "grid:rows=2,columns=2,lengths=uniform:1..100,seed=1", "-c", "none",
                 "-v", "sssp/tunable", "--queries", 3, "-q", exe=BROKEN, cwd=tmp_path)
    assert "no 3 held-out queries that are not among the training queries" in said


def test_tune_compile_time_keys(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/dijkstra", "-p", "extract", exe=BELLMARK)
    assert "extract=top-down" in done.stdout
    assert steps["training"]


@long
@needs_broken
def test_interrupted_tune_says_what_is_lost(tmp_path):
    process = subprocess.Popen(
        [BROKEN, "tune", "-v", "sssp/tunable", "-g", "grid:rows=60,columns=60", "-c", "none", "-q"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    try:
        training = tmp_path / "runs/tune/sssp/tunable/training"
        wait_for(lambda: [run for run in training.glob("*") if journal(run)])
        process.send_signal(signal.SIGINT)
        shown, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130 and shown == ""
    (lost,) = said.splitlines()
    assert re.search("the search is lost; its .* finished runs are kept under .*runs/tune", lost)
    name = max(run for run in training.glob("*"))
    assert not (tmp_path / name / "result.json").exists()
    bellmark("resume", name, "-q", exe=BROKEN, cwd=tmp_path, timeout=600)
    jsonschema.validate(load(tmp_path / name / "result.json"), schema("result"))


def test_tune_makes_memory_small(tmp_path):
    done = bellmark("tune", "-v", "sssp/dijkstra:queue=heap,width=64", "-p", "width", "-g",
                    "grid:rows=150,columns=150", "-c", "none", "--queries", 4, "--budget", "4m",
                    "--objective", "memory", "-o", "tuned.toml", cwd=tmp_path,
                    env=own_cache(tmp_path))
    assert re.search(r"^the tuned settings are better: memory 0\.\d+ \[.*\] LESS$", done.stdout,
                     re.M), done.stdout
    assert "not kept for `auto`: it goes by time" in done.stdout
    assert tomllib.loads((tmp_path / "tuned.toml").read_text())["run"]["memory"] is True


def test_tune_says_which_objective_it_lacks(tmp_path):
    assert "is none of time, energy, memory" in fault(
        "tune", "-v", "sssp/dijkstra", "--objective", "money", cwd=tmp_path)
