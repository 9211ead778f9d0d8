"""`bellmark run` and the result that it writes."""

import csv
import os
import shutil

import jsonschema
import pytest

from support import EXPERIMENT, GRAPH, SOURCE, bellmark, entry_of, load, long, only_result, schema


def test_quick_result_is_valid(finished):
    result = load(finished / "result.json")
    jsonschema.validate(result, schema("result"))
    assert result["experiment"]["form"] == "quick"
    assert result["experiment"]["block_count"] == 6
    assert len(result["cells"]) == 2
    for cell in result["cells"]:
        wall = cell["wall_ns"]
        assert 0 < wall["ci95_low"] <= wall["median"] <= wall["ci95_high"]
        assert cell["block_count"] == 6 and len(cell["block_medians_ns"]) == 6
        assert cell["validation"]["status"] == "certified"
        assert cell["phases"] and cell["counters"]
        assert cell["gpu_kernels"] is None and cell["gpu_copies"] is None
        assert cell["gpu_kernels_reason"] == "the variant runs on no GPU"
        assert len(cell["memory"]["resident_block_bytes"]) == 6
        construction = cell["construction"]
        assert construction["open_ns"] > 0 and construction["prepare_ns"] > 0
        assert len(construction["prepare_block_ns"]) == 6
        assert [block["index"] for block in cell["blocks"]] == [*range(6)]
        for block, sums in zip(cell["blocks"], cell["samples_ns"]):
            assert [sum(times) for times in block["query_ns"]] == sums
            assert {len(times) for times in block["query_ns"]} == {2}
    processes = {tuple(block["process"] for block in cell["blocks"]) for cell in result["cells"]}
    assert len(processes) == 1 and len(set(*processes)) == 6
    (comparison,) = result["comparisons"][:1]
    assert comparison["blocks"] == [*range(6)]
    assert comparison["ci95_low"] <= comparison["ratio"] <= comparison["ci95_high"]
    assert [v["claim"] for v in result["verdicts"]] == ["none/N1", "none/N2"]
    assert result["verdicts"][0]["verdict"] in ("not reproduced", "direction only", "inconclusive")
    assert result["verdicts"][1]["verdict"] == "shown"
    assert result["provenance"]["spec"] == EXPERIMENT
    assert result["not_measured"] == []


def test_google_benchmarks_compare_can_read_it(finished):
    result = load(finished / "result.json")
    assert result["context"]["json_schema_version"] == 1
    kinds = set()
    for entry in result["benchmarks"]:
        kinds.add(entry["run_type"])
        assert entry["time_unit"] == "ns"
        assert entry["real_time"] >= 0 and entry["cpu_time"] >= 0
        assert entry["name"].startswith(entry["run_name"])
        if entry["run_type"] == "aggregate":
            assert entry["aggregate_name"] in ("mean", "median", "stddev")
    assert kinds == {"iteration", "aggregate"}
    for cell in result["cells"]:
        rows = [e for e in result["benchmarks"]
                if e["run_type"] == "iteration" and e["name"].startswith(cell["variant"] + "/")]
        assert len(rows) == cell["sample_count"] == rows[0]["repetitions"]


def test_same_experiment_same_cells(finished, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    bellmark("run", "small.toml", "--smoke", "-q", cwd=tmp_path)
    again = only_result(tmp_path)
    before = load(finished / "result.json")
    assert [c["id"] for c in again["cells"]] == [c["id"] for c in before["cells"]]
    assert again["workloads"][0]["queries"] == before["workloads"][0]["queries"]
    assert again["workloads"][0]["facts"] == before["workloads"][0]["facts"]


def test_smoke_has_no_verdict_but_the_same_structure(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    shapes = []
    for _ in range(2):
        shutil.rmtree(tmp_path / "runs", ignore_errors=True)
        shown = bellmark("run", "small.toml", "--smoke", "-q", cwd=tmp_path).stdout
        assert "  N1  inconclusive" in shown
        result = only_result(tmp_path)
        jsonschema.validate(result, schema("result"))
        assert all(c["wall_ns"]["ci95_low"] is None for c in result["cells"])
        assert {c["outcome"] for c in result["comparisons"]} == {"UNCLEAR"}
        shapes.append([
            [(c["id"], c["label"], c["block_count"], c["sample_count"]) for c in result["cells"]],
            [(c["a"], c["b"]) for c in result["comparisons"]],
            [(v["claim"], v["verdict"]) for v in result["verdicts"]],
            [b["name"] for b in result["benchmarks"]],
        ])
    assert shapes[0] == shapes[1]


def test_ad_hoc_variants_and_exports(tmp_path):
    shown = bellmark(
        "run", "-v", "sssp/dijkstra", "-v", "sssp/boost-dijkstra", "-g", GRAPH, "-c", "none",
        "--smoke", "-q", "--export-json", "r.json", "--export-csv", "r.csv",
        "--export-markdown", "r.md", cwd=tmp_path,
    ).stdout
    assert "result: runs/adhoc/" in shown
    result = load(tmp_path / "r.json")
    jsonschema.validate(result, schema("result"))
    assert result == only_result(tmp_path / "runs")
    assert len(list(csv.DictReader(open(tmp_path / "r.csv", encoding="utf-8")))) == 2
    assert (tmp_path / "r.md").read_text().startswith("## adhoc")


def test_what_was_measured_in_place_of_what_the_file_says(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    other = GRAPH.replace("seed=1", "seed=2")
    bellmark("run", "small.toml", "--smoke", "-q", "-g", other, "-a", "arity=2,4", cwd=tmp_path)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    assert result["experiment"]["stand_in"] == f"{other} instead of the experiment's graph"
    assert f"-g: graph {other} instead of {GRAPH}" in result["experiment"]["cuts"]
    shown = bellmark("plan", "small.toml", "-v", "sssp/dijkstra:arity={arity},extract=top-down",
                     cwd=tmp_path).stdout
    assert ("\n  stand-in: sssp/dijkstra:arity={arity},extract=top-down instead of the experiment's "
            "variants\n") in shown
    assert "stand-in" not in bellmark("plan", "small.toml", "-a", "arity=2", cwd=tmp_path).stdout


@pytest.mark.parametrize("variant", [
    pytest.param("set-migration/greedy", marks=long), "set-convenience/greedy", "distance-matrix/sssp-per-spot",
    "read-bandwidth/sum", "read-graph/binary"])
def test_every_problem_has_an_input_where_none_is_named(tmp_path, variant):
    bellmark("run", "-v", variant, "--smoke", "-q", cwd=tmp_path)
    assert not only_result(tmp_path / "runs")["not_measured"]


def test_dry_run_writes_nothing(tmp_path):
    bellmark("run", "-v", "sssp/dijkstra", "-g", GRAPH, "--dry-run", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_recorded_events_are_never_taken_for_measured_ones(tmp_path):
    recording = SOURCE / "harness/sinks/recordings/amd-zen3.toml"
    bellmark("run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "none", "--quick", "--queries", 2,
             "--counters", "cache", "-q", cwd=tmp_path, env=os.environ | {"BELLMARK_RECORDED_EVENTS": str(recording)})
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    counters = {c["name"]: c for c in result["cells"][0]["counters"]}
    assert {c["group"] for c in counters.values()} == {"cache (recorded: AMD EPYC, Zen 3)"}
    assert counters["PAPI_L1_DCM"]["value"] > counters["PAPI_L2_DCM"]["value"] > 0
    assert counters["l2_per_l1_miss_ratio"]["value"] == pytest.approx(2 / 3)
    assert counters["PAPI_L3_TCM"]["value"] is None
    assert counters["l3_per_l2_miss_ratio"]["reason"] == "AMD EPYC, Zen 3 has no event PAPI_L3_TCM"


def test_cachegrind_is_a_source_of_its_own(tmp_path):
    bellmark("run", "-v", "sssp/dijkstra", "-g", "grid:rows=20,columns=20,seed=1", "-c", "none",
             "--quick", "--queries", 1, "--counters", "cachegrind", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    counters = {c["name"]: c for c in result["cells"][0]["counters"]}
    assert {c["group"] for c in counters.values()} == {"cachegrind (simulated)"}
    if not shutil.which("valgrind") or "-fsanitize" in result["provenance"]["flags"]:
        assert all(c["value"] is None and "valgrind" in c["reason"] for c in counters.values())
        return
    assert counters["instructions"]["value"] > 400 * 4
    assert counters["data-accesses"]["value"] > counters["d1-misses"]["value"] >= 0
    assert not list(tmp_path.rglob("cachegrind.out"))


def negative_run(folder, lengths):
    graph = f"random:n=60,m=400,seed=3,lengths={lengths}"
    bellmark("run", "-v", "sssp/bellman-ford", "-v", "sssp/bellman-ford-queue", "-v", "sssp/dijkstra",
             "-v", "sssp/auto", "-g", graph, "-c", "none", "--quick", "--queries", 2, "-q",
             cwd=folder)
    result = only_result(folder)
    jsonschema.validate(result, schema("result"))
    assert {e["variant"].split(":")[0]: e["code"] for e in result["not_measured"]} == {
        "sssp/dijkstra": "unmet-need", "sssp/auto": "unmet-need"}
    measured = [c for c in result["cells"] if c["wall_ns"]]
    assert len(measured) == 2
    assert all(c["validation"]["status"] == "certified" for c in measured)
    return result, measured


def test_negative_lengths(tmp_path):
    result, measured = negative_run(tmp_path, "potential:-300..1000")
    reason = entry_of(result, "sssp/dijkstra")["reason"]
    least = result["workloads"][0]["facts"]["least_length"]
    assert least < 0
    assert reason == f"needs non-negative: the graph has negative lengths, the least is {least}"
    assert result["workloads"][0]["facts"]["negative_cycle"] == "none"
    assert all(c["answers"] == [] for c in measured)


def test_negative_cycle_is_an_answer(tmp_path):
    result, measured = negative_run(tmp_path, "uniform:-50..50")
    assert result["workloads"][0]["facts"]["negative_cycle"] == "present"
    for cell in measured:
        assert len(cell["answers"]) == 2
        for answer in cell["answers"]:
            assert answer["negative_cycle_length"] < 0 < answer["negative_cycle_arc_count"]


def test_traversed_edges_per_second(tmp_path):
    out = bellmark("run", "-v", "bfs/hybrid", "-g", "kronecker:scale=8", "--queries", 3, "--smoke",
                   "--export-json", "b.json", cwd=tmp_path)
    assert "GTEPS" in out.stdout
    (cell,) = load(tmp_path / "b.json")["cells"]
    edges = [answer["traversed_edge_count"] for answer in cell["answers"]]
    assert len(edges) == 3 and min(edges) > 0
    assert len(set(edges)) == 1, "all sources are of one component"
    # One pass: its sample is the sum of the three times.
    (sample,) = cell["samples_ns"][0]
    (block,) = cell["blocks"]
    (times,) = block["query_ns"]
    assert len(times) == 3 and sum(times) == sample
    teps = cell["teps"]
    assert teps["harmonic_mean"]["median"] == pytest.approx(3 * edges[0] / (sample * 1e-9))
    assert teps["median"]["ci95_low"] is None and "fewer than 6" in teps["median"]["reason"]
