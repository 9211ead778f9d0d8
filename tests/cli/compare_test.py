"""`bellmark compare`."""

import json
import re

from support import GRAPH, bellmark, fault, results


def test_compare_takes_results_or_flags_of_a_run(finished):
    assert "--variant with two results" in fault("compare", finished, finished, "-v", "sssp/dijkstra")
    assert "--graph with two results" in fault("compare", finished, finished, "-g", GRAPH)
    assert "try: bellmark compare -v" in fault("compare")
    bellmark("compare", finished, finished, "-q", "--strict")


def test_compare_with_itself(finished, tmp_path):
    shown = bellmark("compare", finished, finished).stdout
    assert "arity=2" in shown and "1.000 [" in shown
    fault("compare", finished)
    variant = "sssp/dijkstra:arity=4"
    shown = bellmark("compare", "-v", variant, "-v", variant, "-g", GRAPH, "-c", "none", "--quick",
                     "--queries", 1, "-q", cwd=tmp_path).stdout
    assert "baseline" in shown


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
    assert re.findall(r"skipped, because no results: .*/new/other\.json\n", done.stderr)
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
    assert re.search(r"^  sssp/dijkstra:\S*arity=2\S* .* baseline ", shown, re.M), shown
    assert f"\n  on {GRAPH} at none\n" in shown
