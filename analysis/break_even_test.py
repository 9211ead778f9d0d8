"""Tests of break_even.py."""

import json

import pytest

import break_even


def cell(variant, prepare_s, query_s, graph="g"):
    return {"axes": {"graph": graph, "variant": variant}, "wall_ns": {"median": query_s * 1e9},
            "construction": {"prepare_ns": prepare_s * 1e9}}


RESULT = {"cells": [cell("label-correcting", 1, 0.010), cell("hierarchy", 21, 0.002),
                    cell("customisable-hierarchy", 9, 0.006), cell("slower", 2, 0.020),
                    cell("hierarchy", 5, 0.001, "other")]}
KEPT = {"cells": [cell("hierarchy", 1, 0.002), cell("customisable-hierarchy", 1.4, 0.006)]}


def test_preparing_pays_after_its_time_over_what_a_query_gains():
    lines = {line.variant: line for line in break_even.break_even(RESULT, "g", KEPT)}
    assert lines["hierarchy"].queries == pytest.approx(20 / 0.008)
    assert lines["customisable-hierarchy"].queries == pytest.approx(2000)
    assert lines["customisable-hierarchy, new lengths"].queries == pytest.approx(100)
    assert lines["slower"].queries is None
    assert set(lines) == {"hierarchy", "customisable-hierarchy", "slower",
                          "customisable-hierarchy, new lengths"}


def test_a_rate_needs_a_period_that_leaves_time_to_prepare():
    line = break_even.BreakEven("v", prepare_s=10, queries=500)
    assert line.rate(9) is None
    assert line.rate(100) == pytest.approx(5)
    assert break_even.BreakEven("v", 10, None).rate(100) is None


def test_a_result_without_the_baseline_is_said():
    with pytest.raises(LookupError, match="h: no cell of label-correcting"):
        break_even.break_even(RESULT, "h")


def test_it_draws_a_figure_and_prints_a_table(tmp_path, capsys):
    files = [tmp_path / "result.json", tmp_path / "kept.json"]
    for file, result in zip(files, (RESULT, KEPT)):
        file.write_text(json.dumps(result))
    figure = tmp_path / "figure.svg"
    break_even.main([str(files[0]), "--kept", str(files[1]), "--graph", "g", "-o", str(figure)])
    assert "<svg" in figure.read_text()
    printed = capsys.readouterr().out
    assert "| `hierarchy` | 21 s | 2,500 queries |" in printed
    assert "| `slower` | 2 s | never |" in printed
