"""`bellmark compare`."""

import gzip
import json
import re

from support import GRAPH, bellmark, fault, results


def test_compare_takes_results_or_flags_of_a_run(finished):
    assert "--variant with two results" in fault("compare", finished, finished, "-v", "sssp/dijkstra")
    assert "--graph with two results" in fault("compare", finished, finished, "-g", GRAPH)
    assert "try: bellmark compare -v" in fault("compare")
    bellmark("compare", finished, finished, "-q", "--strict")


def test_a_comparison_is_exported(tmp_path):
    pair = ("-v", "sssp/dijkstra", "-v", "sssp/boost-dijkstra")
    bellmark("compare", *pair, "-g", GRAPH, "-c", "none", "--queries", "1", "-q", "--export-json", "one.json.gz",
             "--export-csv", "one.csv", "--export-markdown", "one.md", "--export-gbench", "one.gbench.json", cwd=tmp_path)
    assert gzip.decompress((tmp_path / "one.json.gz").read_bytes()) == next((tmp_path / "runs").rglob("result.json")).read_bytes()
    for name in ("one.csv", "one.md", "one.gbench.json"):
        assert "sssp/boost-dijkstra" in (tmp_path / name).read_text(), name


def test_a_comparison_draws_its_report(tmp_path):
    pair = ["-v", "sssp/dijkstra", "-v", "sssp/boost-dijkstra"]
    done = bellmark("compare", *pair, "-g", GRAPH, "-c", "none", "--queries", "1", "-q", "--report", "report",
                    cwd=tmp_path)
    assert "sssp/boost-dijkstra" in (tmp_path / "report/report.html").read_text()
    assert "report/report.html" in done.stderr


def test_compare_with_itself(finished, tmp_path):
    shown = bellmark("compare", finished, finished).stdout
    assert "arity=2" in shown and "1.000 [" in shown
    fault("compare", finished)
    variant = "sssp/dijkstra:arity=4"
    for again in (variant, "sssp/dijkstra"):
        said = fault("compare", "-v", variant, "-v", again, "-g", GRAPH, "-c", "none", cwd=tmp_path)
        assert "only one variant, sssp/dijkstra:" in said
    assert not (tmp_path / "runs").exists(), "a run was begun"


def test_folders_are_compared_experiment_by_experiment(finished, tmp_path):
    result = json.loads((finished / "result.json").read_text())

    def store(name, experiment, started):
        result["experiment"]["id"] = experiment
        for verdict in result["verdicts"]:
            verdict["experiment"] = experiment
        result["provenance"]["started_utc"] = result["context"]["date"] = started
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(json.dumps(result))

    early, late = "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"
    for name, experiment, started in (
        ("old/a.json", "small/a", early), ("old/b.json", "small/b", early), ("old/gone.json", "small/gone", early),
        ("new/b.json", "small/b", early), ("new/a.json", "small/a", early), ("new/fresh.json", "small/fresh", early),
    ):
        store(name, experiment, started)
    for cell in result["cells"]:
        cell["untimed"] = "levels-and-ids"
    store("new/a-again.json", "small/a", late)
    (tmp_path / "new/other.json").write_text("{}")
    done = bellmark("compare", tmp_path / "old", tmp_path / "new")
    assert re.findall(r"small/.*", done.stdout) == ["small/a (quick)", "small/b (quick)"]
    assert done.stdout.index("untimed") < done.stdout.index("small/b"), "the last one counts"
    assert re.findall(r"skipped, because they are not results: .*/new/other\.json\n", done.stderr)
    store("others/c.json", "small/c", early)
    store("others/d.json", "small/d", early)
    assert "shares no measured cell" in fault("compare", tmp_path / "old", tmp_path / "others")


def test_times_of_other_parts_of_an_answer_are_not_compared(finished, tmp_path):
    after = json.loads((finished / "result.json").read_text())
    for cell in after["cells"]:
        cell["untimed"] = "levels-and-ids"
    (tmp_path / "after.json").write_text(json.dumps(after))
    shown = bellmark("compare", finished, tmp_path / "after.json").stdout
    assert "nothing untimed before, levels and ids after" in shown
    assert "UNCLEAR" in shown and "SAME" not in shown


def test_compare_variants(tmp_path):
    shown = bellmark("compare", "-v", "sssp/yasui2011:2-heap", "-v", "sssp/dijkstra", "-g", GRAPH,
                     "-c", "none", "--quick", "--queries", 1, "-q", cwd=tmp_path).stdout
    assert "baseline" in shown and re.search("SAME|FASTER|SLOWER|UNCLEAR", shown)
    assert len(results(tmp_path)) == 1


def test_compare_with_one_variant_asks_for_a_second(tmp_path):
    said = fault("compare", "-v", "sssp/dijkstra", "-g", GRAPH, cwd=tmp_path)
    assert "only one variant, sssp/dijkstra:" in said and "name a second with -v" in said
    assert not (tmp_path / "runs").exists()


def test_the_baseline_is_named_on_the_command_line(tmp_path):
    shown = bellmark("compare", "-v", "sssp/dijkstra:arity=4", "-v", "sssp/dijkstra:arity=2", "-g", GRAPH, "-c", "none",
                     "--baseline", "sssp/dijkstra:arity=2", "--quick", "--queries", 1, "-q", cwd=tmp_path).stdout
    assert re.search(r"^  sssp/dijkstra:\S*arity=2\S* .* baseline$", shown, re.M), shown
    assert f"\n  on {GRAPH} at none\n" in shown


def test_results_of_other_machines_are_refused_unless_that_is_allowed(finished, tmp_path):
    def store(name, change):
        result = json.loads((finished / "result.json").read_text())
        change(result)
        (tmp_path / name).write_text(json.dumps(result))
        return tmp_path / name

    def digest(result):
        result["workloads"][0]["facts"]["digest"] = "0" * 32

    for name, said, change in (
        ("cpu", "CPU: .* before, Another CPU after", lambda r: r["environment"].update(cpu_model="Another CPU")),
        ("compiler", "compiler: .* before, Clang 99 after", lambda r: r["provenance"].update(compiler="Clang 99")),
        ("flags", "compiler's flags: .* before, -O0 after", lambda r: r["provenance"].update(flags="-O0")),
        ("graph", "graph grid:.*, by its digest: .* before, 0{32} after", digest),
    ):
        after = store(f"{name}.json", change)
        refused = fault("compare", finished, after)
        assert re.search(said, refused) and "--across-machines" in refused
        shown = bellmark("compare", finished, after, "--across-machines").stdout
        assert "compared across machines" in shown and re.search(said, shown)
        assert ("UNCLEAR" in shown and "SAME" not in shown) if name == "graph" else "arity=2" in shown
    assert "all is measured on this machine" in fault("compare", "--across-machines", "-v", "sssp/dijkstra")


def test_stored_results_differ_from_a_percentage_on(finished, tmp_path):
    result = json.loads((finished / "result.json").read_text())
    for cell in result["cells"]:
        cell["doubts"] = []
        middle = cell["wall_ns"]["median"]
        cell["wall_ns"].update(ci95_low=middle, ci95_high=middle, reason=None)
        cell["block_medians_ns"] = [middle] * 6
        cell["samples_ns"] = [[middle * cell["query_count"]]] * 6
        cell.update(sample_count=6, outlier_count=0, stop_reasons={"samples": 6})
        del cell["blocks"]
    result.update(benchmarks=[], comparisons=[], verdicts=[], resolution=[])
    (tmp_path / "before.json").write_text(json.dumps(result))
    for cell in result["cells"]:
        slower = 1.02 * cell["wall_ns"]["median"]
        cell["wall_ns"].update(median=slower, ci95_low=slower, ci95_high=slower)
        cell["block_medians_ns"] = [slower] * 6
        cell["samples_ns"] = [[slower * cell["query_count"]]] * 6
    (tmp_path / "after.json").write_text(json.dumps(result))
    words = ("compare", tmp_path / "before.json", tmp_path / "after.json", "--strict")
    assert bellmark(*words, code=5).stdout.count("SLOWER") == 2
    assert bellmark(*words, "--at-least", "3%").stdout.count("SAME") == 2
