"""The decision table of a diagnosis in a report."""

from __future__ import annotations

from document import to_markdown
from load import Json
from report_diagnosis import diagnosis_section


def an_input(name: str, change: str, ratio: float | None = None, reason: str | None = None) -> Json:
    return {"input": name, "change": change, "ratio": ratio, "reason": reason,
            "ci95_low": ratio and ratio - 0.01, "ci95_high": ratio and ratio + 0.01}


def diagnosed(*candidates: str, conclusion: str) -> Json:
    return {"diagnosis": {
        "margin_ratio": 0.05,
        "table": [{"level": "memory bandwidth", "changes": ["unchanged", "changed"]},
                  {"level": "computation", "changes": ["changed", "unchanged"]}],
        "findings": [{"variant": "sssp/dijkstra", "graph": "dimacs:USA-road-d.NY",
                      "inputs": [an_input("clock lowered", "changed", 1.4),
                                 an_input("two processes", "not measured", reason="one core")],
                      "candidates": list(candidates), "conclusion": conclusion}]}}


def test_the_row_that_was_found_is_marked() -> None:
    text = to_markdown(diagnosis_section(
        diagnosed("computation", conclusion="bound by computation"), "x"))
    assert "| computation | changed \u2713 | unchanged | **found** |" in text
    assert "| memory bandwidth | unchanged \u2717 | changed |  |" in text
    assert "changed: 1.400 \\[1.390, 1.410\\]" in text
    assert "not measured: one core" in text
    assert "Bound by computation." in text


def test_stalls_stand_below_the_conclusion() -> None:
    result = diagnosed("computation", conclusion="bound by computation")
    assert "stalled" not in to_markdown(diagnosis_section(result, "x"))
    result["diagnosis"]["findings"][0]["stalls"] = "cycles stalled: 40 % on misses of the L3 cache"
    assert "Cycles stalled: 40 % on misses of the L3 cache." in to_markdown(diagnosis_section(result, "x"))


def test_several_rows_are_possible() -> None:
    text = to_markdown(diagnosis_section(
        diagnosed("memory bandwidth", "computation", conclusion="can't tell"), "x"))
    assert text.count("**possible**") == 2


def test_results_without_a_table_have_no_section() -> None:
    assert diagnosis_section({"diagnosis": None}, "x") == []
    assert diagnosis_section({"diagnosis": {"margin_ratio": 0.05, "findings": []}}, "x") == []
