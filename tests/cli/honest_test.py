"""The measured work was done in the time: variants that cheat, or nearly."""

import pytest

from support import (
    EXPERIMENT, GRAPH, bellmark, broken_run, entry_of, good_cell, needs_broken, only_result,
)

pytestmark = needs_broken


def cell_of(result, family):
    (cell,) = [c for c in result["cells"] if c["variant"].startswith(family)]
    return cell


def doubts_of(cell):
    """Except for disturbances by other programs of this machine."""
    return [doubt for doubt in cell["doubts"] if not doubt.startswith("disturbed: ")]


def doubts_but_slow(cell, result):
    """A sanitizer slows extract() down more than the search."""
    is_slowed = "-fsanitize" in result["provenance"]["flags"]
    return [doubt for doubt in doubts_of(cell)
            if not (is_slowed and doubt.startswith("extract() takes "))]


def warned(result, text):
    return [w["text"] for w in result["warnings"] if text in w["text"]]


def test_work_in_extract(tmp_path):
    done, result = broken_run(tmp_path, 0, "-v", "sssp/dijkstra", "-v", "sssp/work-in-extract")
    cell = cell_of(result, "sssp/work-in-extract")
    (doubt,) = doubts_of(cell)
    assert doubt.startswith("extract() takes ")
    assert cell["extraction"]["extract_ns"] > cell["extraction"]["allowed_ns"]
    assert cell["validation"]["status"] == "certified"
    (against,) = [c for c in result["comparisons"] if c["a"] == cell["id"]]
    assert against["outcome"] == "UNCLEAR" and against["reason"] in cell["doubts"]
    assert warned(result, doubt) and doubt in done.stdout
    assert doubts_but_slow(good_cell(result), result) == []


@pytest.mark.parametrize("order", [["dijkstra", "remembers"], ["remembers", "dijkstra"]])
def test_answers_remembered_by_source(tmp_path, order):
    words = [word for name in order for word in ("-v", f"sssp/{name}")]
    done, result = broken_run(tmp_path, 0, *words)
    cell = cell_of(result, "sssp/remembers")
    (doubt,) = doubts_but_slow(cell, result)
    assert "the variant may remember answers" in doubt and doubt in done.stdout
    assert cell["visits"]["between_count"] == 8
    assert len(cell["visits"]["first_ns"]) == len(cell["visits"]["later_ns"]) == 9
    assert cell["visits"]["gain_against_baseline"]["ci95_low"] > 2
    assert {c["outcome"] for c in result["comparisons"]} == {"UNCLEAR"}
    assert doubts_but_slow(good_cell(result), result) == []


def test_run_that_does_nothing_with_one_query(tmp_path):
    _, result = broken_run(tmp_path, 3, "-v", "sssp/dijkstra", "-v", "sssp/runs-once",
                           queries=1)
    entry = entry_of(result, "sssp/runs-once")
    assert entry["code"] == "wrong-answer"
    assert entry["reason"].startswith("in the pass of visits, query 2: ")
    assert cell_of(result, "sssp/runs-once")["wall_ns"] is None


def test_one_query_is_not_judged(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    done = bellmark("run", "small.toml", "--quick", "--queries", 1, "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    for cell in result["cells"]:
        assert cell["query_count"] == 1 and cell["wall_ns"]["median"] > 0
        assert doubts_of(cell) == [
            "one query is asked: a variant that kept its answer would look as fast"]
    assert {c["outcome"] for c in result["comparisons"]} == {"UNCLEAR"}
    (judged, shown) = result["verdicts"]
    assert judged["verdict"] == "inconclusive"
    # An interval that contains 1 decides nothing by itself, so no doubt is needed.
    doubt = "not judged: " + result["cells"][0]["doubts"][0]
    assert judged["reason"].startswith(doubt) or "contains 1" in judged["reason"]
    assert judged["parts"][0]["measured"][0]["value"] > 0
    assert shown["verdict"] == "shown"
    assert len(warned(result, "one query is asked")) == 1
    assert "--queries 2" in done.stdout


def test_leak(tmp_path):
    done, result = broken_run(tmp_path, 0, "-v", "sssp/dijkstra", "-v", "sssp/leaks")
    (text,) = warned(result, "resident memory grows by")
    assert "sssp/leaks" in text and text in done.stdout
    # A sanitizer keeps memory of its own.
    assert "8 MiB a query" in text or "-fsanitize" in result["provenance"]["flags"]
    assert doubts_of(cell_of(result, "sssp/leaks")) == []
    good_cell(result)


def test_crash_that_does_not_recur_is_kept(tmp_path):
    done, result = broken_run(tmp_path, 0, "-v", "sssp/crash-once", "-v", "sssp/dijkstra")
    assert "one by one" in done.stderr
    assert result["not_measured"] == []
    (group,) = result["isolated"]
    assert set(group["cells"]) == {cell["id"] for cell in result["cells"]}
    assert "signal 11" in group["reason"] and group["recurred"] is False
    (text,) = warned(result, "cells crashed while they were sampled together")
    assert "signal 11" in text and text in done.stdout


def test_crash_that_recurs_is_no_riddle(tmp_path):
    _, result = broken_run(tmp_path, 4, "-v", "sssp/late-crash", "-v", "sssp/dijkstra")
    assert [group["recurred"] for group in result["isolated"]] == [True]
    assert not warned(result, "cells crashed while they were sampled together")


def test_honest_variants_are_not_doubted(tmp_path):
    bellmark("run", "-v", "sssp/*", "-g", GRAPH, "-c", "none", "--quick", "--queries", 2, "-q",
             cwd=tmp_path)
    result = only_result(tmp_path)
    if "-fsanitize" in result["provenance"]["flags"]:
        pytest.skip("a sanitizer slows extract() down more than it does the search")
    for cell in result["cells"]:
        assert doubts_of(cell) == [], cell["variant"]
