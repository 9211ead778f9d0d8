"""The board of claims: order, words, forest plots, what decides."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import board
import forest
import verdicts
from document import Drawing, Section, Table, to_html, to_markdown
from load import Claim, Json, load_all

DATA = Path(__file__).parent / "testdata"


def row(**more: object) -> Json:
    return {"text": "(k=4) / (k=2)", "numerator": "a", "denominator": "b", "value": 0.9,
            "ci95_low": 0.8, "ci95_high": 0.95, "paper": 1.13, "paper_low": None, "paper_high": None,
            "unit": "", "outcome": "not reproduced", "reason": "0.9 contradicts 1.13",
            "range_low": 1.1, "range_high": 1.16} | more


def claim(name: str = "p2011/Y3", word: str = "not reproduced", *rows: Json, metric: str = "wall_ns",
          axes: tuple[Json, Json] = ({"k": 4, "graph": "g"}, {"k": 2, "graph": "g"}),
          **weakest: object) -> Claim:
    part = {"text": "k = 2 is fastest", "verdict": word, "metric": metric, "reason": "r",
            "measured": list(rows)}
    verdict = {"verdict": word, "headline": word, "stand_in": None, "reason": "all", "text": "t",
               "decides": True, "parts": [part]}
    cells = [{"id": name, "axes": values, "graph": "road:NY", "variant": "v", "label": name}
             for name, values in zip("ab", axes)]
    result = {"cells": cells, "not_measured": [], "experiment": {"axes": {}},
              "provenance": {"spec": ""}, "environment": {"cpu_model": weakest.get("machine")}}
    return Claim(name, "t", {"verdict": word, **weakest}, [(result, verdict)])


def said(each: Claim) -> str:
    ((result, verdict),) = each.judged
    return board.effect_words(verdict, result)


def test_an_effect_is_a_sentence() -> None:
    def of(**more: object) -> str:
        return said(claim("p/1", "not reproduced", row(**more)))

    assert of() == "k = 4 takes 0.9 of the time of k = 2; the paper 1.13."
    assert of(value=14.83, paper=None, paper_low=2.0) == \
        "k = 4 takes 14.8 times the time of k = 2; the paper at least 2."
    assert of(paper=None, range_low=0, range_high=0.97).endswith("; the paper below 1.")
    assert of(paper=None, range_low=None, range_high=None).endswith("the time of k = 2.")


def test_a_value_that_was_not_judged_says_why() -> None:
    busy = "not judged: disturbed: other programs had its cores for 19 % of the time"
    claims = [claim("p/1", "inconclusive", row(reason=busy)), claim("p/2", "inconclusive", row(reason="a tie")),
              claim("p/3", "reproduced", row(reason="1.300 fits the paper's 1.200..1.500"))]
    text = to_markdown([board.board(claims)])
    assert text.count("Not judged: ") == 1
    assert "; the paper 1.13. Not judged: disturbed: other programs had its cores for 19 % of the time. |" in text
    assert "1 claim is inconclusive because the machine was disturbed: run again while it is idle." in text
    assert "disturbed" not in to_markdown([board.board(claims[1:])])


def test_an_effect_names_the_metric_and_the_axes_that_differ() -> None:
    axes = ({"system": "mbp", "i": 1}, {"system": "2-heap", "i": 1})
    memory = claim("p/1", "not reproduced", row(), metric="memory.accounted_bytes", axes=axes)
    memory.judged[0][0]["cells"].append(
        {"id": "c", "axes": {"system": "mbp", "i": 2}, "variant": "v", "graph": "g"})
    assert said(memory).startswith("i = 1: mbp takes 0.9 of the memory of 2-heap")
    count = claim("p/1", "not reproduced", row(metric="phase_log.host_ns.sum_at_most_9"), axes=axes)
    assert said(count).startswith("mbp against 2-heap: 0.9 (host ns sum at most 9)")
    single = claim("p/1", "not reproduced", row(denominator=None, text="phases", value=12, paper=11))
    assert said(single) == "phases: 12; the paper 11."


def test_what_is_no_ratio_of_two_cells_is_told_by_its_text() -> None:
    mean = row(text="gain: the mean over graph of 3 ratios such as (k=4) / (k=2)")
    assert said(claim("p/1", "not reproduced", mean)).startswith("gain: the mean over graph of 3")
    over = claim("p/1", "not reproduced", row(text="at 8 over at 1: (k=4) / (k=2)"))
    assert said(over).startswith("k = 4 takes")
    over.judged[0][0]["provenance"]["spec"] = (
        "[[claim]]\n[[claim.statements]]\ntext = 'at 8 over at 1'\nover = {numerator = {k = 1}}\n")
    assert said(over) == "at 8 over at 1: 0.9; the paper 1.13."


def test_without_a_measured_row_the_reason_stands() -> None:
    assert said(claim("p/1", "not testable here", row(value=None))) == "all"


def test_older_rows_are_chosen_by_the_reason() -> None:
    rows = [row(text=text) for text in ("first", "second")]
    for each in rows:
        del each["outcome"]
    part = {"verdict": "not reproduced", "measured": rows, "reason": "contradicted: second = 0.900"}
    assert verdicts.row_of(part)["text"] == "second"
    assert verdicts.row_of(part | {"reason": "all"})["text"] == "first"


def test_claims_come_by_number_and_are_counted() -> None:
    claims = [claim(name, word) for name, word in (
        ("b/Y10", "reproduced"), ("b/Y2", "inconclusive"), ("a/N1", "reproduced"))]
    assert [each.name for each in board.in_order(claims)] == ["b/Y2", "b/Y10", "a/N1"]
    assert verdicts.counted(claims) == "3 claims: 2 reproduced, 1 inconclusive"
    assert verdicts.counted(claims[:1]) == "1 claim: 1 reproduced"
    again = claim("b/Y2", "shown", build="0123456789ab, gcc")
    assert verdicts.counted([*claims, again]) == \
        "3 claims, 4 verdicts (machines and builds apart): 2 reproduced, 1 inconclusive, 1 shown"
    assert board.anchors([*claims, again])[1:] == ["claim-b-Y2-x", "claim-a-N1",
                                                   "claim-b-Y2-build-0123456789ab"]


def test_a_papers_claim_has_the_papers_short_text() -> None:
    assert verdicts.sentence(claim("yasui2011/Y3")) == "Of the k-ary heaps, k = 2 is fastest"
    assert verdicts.sentence(claim("yasui2011/Y10")) == \
        "All systems on one search of the whole graph, and how long it takes to read"
    assert verdicts.sentence(claim("own/Y3")) == "t"
    for paper in verdicts.papers():
        for short in paper["claims"]:
            text = verdicts.sentence(claim(f"{paper['key']}/{short}"))
            assert not re.search(r"\((figure|table|[a-z]+\))", text), "no experiment is named"
            assert len(verdicts.shortened(text, board.LONGEST_SENTENCE)) <= 90
    assert verdicts.shortened("one two three", 12) == "one two ..."


@pytest.mark.parametrize("more, ends", [
    ({}, (1.13, 1.13)), ({"paper_low": 1.0, "paper_high": 2.0}, (1.0, 2.0)),
    ({"paper": None, "paper_low": 2.0}, (2.0, None)),
    ({"paper": None, "range_low": 0}, (None, 1.0)), ({"paper": None}, (1.0, None)),
    ({"paper": None, "range_low": None, "range_high": None}, (None, None))])
def test_the_papers_band(more: Json, ends: tuple) -> None:
    effect = forest.effect_of(row(**more))
    assert (effect.paper_low, effect.paper_high) == ends
    assert (effect.value, effect.low, effect.high) == (0.9, 0.8, 0.95)


def test_a_single_cells_value_is_held_against_the_papers() -> None:
    alone = row(denominator=None, value=22.0, ci95_low=11.0, ci95_high=44.0, paper=11.0)
    assert forest.effect_of(alone) == forest.Effect(2.0, 1.0, 4.0, 1.0, 1.0)
    between = row(denominator=None, value=20.0, paper=None, paper_low=10.0, paper_high=40.0,
                  ci95_low=None, ci95_high=None)
    assert forest.effect_of(between) == forest.Effect(1.0, None, None, 0.5, 2.0)
    for nothing in (None, row(value=None), row(value=0), row(value=-1.0),
                    row(denominator=None, paper=None)):
        assert forest.effect_of(nothing) is None


def test_all_rows_share_an_axis_that_ends_somewhere() -> None:
    small, large = (forest.effect_of(row(value=value, ci95_low=None, ci95_high=None))
                    for value in (0.9, 200.0))
    assert forest.axis_of([small, None]) == forest.Axis(-1, 1)
    axis = forest.axis_of([small, large])
    assert axis == forest.Axis(-1, 3)
    assert axis.at(1.0) == axis.at(0.5) + (axis.at(8.0) - axis.at(0.5)) / 4, "logarithmic"
    assert "<path" in forest.row_plot(large, axis, "w") and "<circle" not in \
        forest.row_plot(large, axis, "w"), "an arrow at the edge"
    inside = forest.row_plot(small, axis, "w")
    assert "<path" not in inside and f'cx="{axis.at(0.9)}"' in inside
    numbers = re.findall(r">([0-9.]+x)<", inside)
    assert numbers == ["0.5x", "1x", "2x", "4x", "8x"]


def test_an_interval_that_leaves_the_axis_has_an_arrow_and_a_point() -> None:
    effect = forest.effect_of(row(value=4.0, ci95_low=2.0, ci95_high=100.0))
    plot = forest.row_plot(effect, forest.axis_of([effect]), "w")
    assert plot.count("<path") == 1 and "<circle" in plot


def test_a_plot_says_its_numbers() -> None:
    (section,) = [board.board([claim("p/<b>1", "not reproduced", row())])]
    page = to_html("t", [section])
    (words,) = re.findall(r'<title>(k = [^<]*)</title>', page)
    assert words == ("k = 4 takes 0.9 of the time of k = 2; the paper 1.13. Ours: 0.900 "
                     "[0.800, 0.950]. The paper: 1.130.")
    assert page.count(f'aria-label="{words}"') == 1
    assert "#" not in "".join(re.findall(r"<svg.*?</svg>", page)), "the style sheet colours it"
    assert "p/&lt;b&gt;1" in page


def test_the_board_is_whole_in_both_forms() -> None:
    _, claims = load_all(sorted(DATA.glob("*.json")))
    section = board.board(board.in_order(claims))
    (table,) = [block for block in section.blocks if isinstance(block, Table)]
    assert len(table.rows) == len(claims) and any(
        isinstance(cell, Drawing) and cell.svg for row in table.rows for cell in row)
    page, markdown = to_html("t", [section]), to_markdown([section])
    for each in claims:
        assert f">{each.name}</a>" in page and f"[{each.name}](#claim-" in markdown
        assert f">{each.weakest['verdict']}</span>" in page
    assert "<svg" not in markdown
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in lines}) == 1 and len(lines) == len(claims) + 2


def test_no_claims_say_so() -> None:
    assert isinstance(board.board([]), Section)
    assert "judge no claims" in to_markdown([board.board([])])
