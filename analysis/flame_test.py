"""Profiles in reports: bars of a flame graph, tables of functions, reasons."""

from __future__ import annotations

from pathlib import Path

import pytest

from document import walk, Picture, Table
from flame_chart import bars, draw_flame, leaves, short, tree
from load import Json, load
from report_profiles import profiles

DATA = Path(__file__).parent / "testdata"
STACKS = [{"stack": "bellmark;main;run;relax", "count": 60}, {"stack": "bellmark;main;run", "count": 10},
          {"stack": "bellmark;main;prepare;sort", "count": 29}, {"stack": "bellmark;main;prepare;x", "count": 1}]


def profile(**changes: object) -> Json:
    return {"profiler": "perf", "file": "profiles/a.perf.data", "unit": "samples of the clock",
            "pass_count": 3, "stacks": STACKS, "reason": None, **changes}


@pytest.fixture(name="result")
def _result() -> Json:
    result = load(DATA / "placement.json")
    result["cells"][0]["profiles"] = [profile()]
    result["cells"][1]["profiles"] = [
        profile(stacks=[], file=None, unit=None, reason="perf is not on the PATH")]
    return result


def test_a_function_is_as_wide_as_itself_and_what_it_calls() -> None:
    found = {bar.name: bar for bar in bars(tree(STACKS))}
    assert set(found) == {"run", "relax", "prepare", "sort", "x"}  # main and above have no choice
    assert (found["prepare"].left, found["prepare"].width) == (0, 0.30)
    assert (found["run"].left, found["run"].width, found["run"].level) == (0.30, 0.70, 0)
    assert (found["relax"].left, found["relax"].width, found["relax"].level) == (0.30, 0.60, 1)
    assert bars(tree([])) == []
    assert [bar.name for bar in bars(tree([{"stack": "a", "count": 5}]))] == ["a"]


def test_what_is_too_narrow_is_left_out() -> None:
    names = [bar.name for bar in bars(tree([{"stack": "a", "count": 9999}, {"stack": "b", "count": 1}]))]
    assert names == ["a"]


def test_functions_themselves() -> None:
    assert leaves(STACKS) == {"relax": 60, "run": 10, "sort": 29, "x": 1}


@pytest.mark.parametrize("name, plain", [
    ("run", "run"), ("Search<Options{4, true}>::run<false>", "Search::run"), ("a<b<c>, d>::e", "a::e"),
    ("operator<<", "operator<<"), ("f<a>::operator->", "f::operator->"), ("broken<a", "broken<a"),
    ("a::(anonymous namespace)::run(unsigned int, b<c>) const", "a::(anonymous namespace)::run const"),
])
def test_names_are_shown_without_template_arguments(name: str, plain: str) -> None:
    assert short(name) == plain


def test_the_figure_says_where_the_most_is(result: Json) -> None:
    cell = result["cells"][0]
    drawn = draw_flame(result, cell, profile())
    assert drawn is not None and "relax (60 %), sort (29 %), run (10 %)" in drawn.alt
    assert draw_flame(result, cell, profile(stacks=[])) is None


def test_a_report_has_graphs_functions_and_reasons(result: Json) -> None:
    blocks = list(walk(profiles(result, "name")))
    assert [block.path for block in blocks if isinstance(block, Picture)] == ["figures/name-profile-1.svg"]
    (table,) = [block for block in blocks if isinstance(block, Table)]
    assert any("relax" in row for row in table.rows)
    assert any("perf is not on the PATH" in str(block) for block in blocks)
    for cell in result["cells"]:
        cell.pop("profiles", None)  # as in older results
    assert not profiles(result, "name")
