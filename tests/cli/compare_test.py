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
