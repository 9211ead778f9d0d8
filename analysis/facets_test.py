"""Cells that a figure would draw in one place become figures of their own, or are refused."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

import figures
from load import Json, load

DATA = Path(__file__).parent / "testdata"


@pytest.fixture
def curve() -> Json:
    return load(DATA / "curve.json")


def with_hidden(curve: Json, count: int) -> Json:
    """The curve's cells `count` times over, by an axis that is neither x nor the series."""
    result = copy.deepcopy(curve)
    result["experiment"]["figure"].update(series="graph")
    result["experiment"]["axes"]["hidden"] = list(range(count))
    result["comparisons"] = []
    result["cells"] = []
    for hidden in range(count):
        for cell in copy.deepcopy(curve["cells"]):
            cell["id"] += str(hidden)
            cell["axes"]["hidden"] = hidden
            cell["wall_ns"]["median"] *= 1 + hidden
            result["cells"].append(cell)
    return result


@pytest.mark.parametrize("kind", ["curve", "bars"])
def test_an_axis_that_a_figure_does_not_show_makes_figures_of_its_own(curve: Json, kind: str) -> None:
    result = with_hidden(curve, 2)
    result["experiment"]["figure"]["kind"] = kind
    found = figures.draw(result)
    assert [drawn.title.rsplit(": ")[-1] for drawn in found] == ["hidden 0", "hidden 1"]
    assert figures.refused(result) == []
    if kind == "curve":
        for drawn in found:
            line = drawn.figure.axes[0].lines[0].get_xdata()
            assert list(line) == sorted(set(line)), "a line that turns back"


def test_too_many_hidden_values_are_refused(curve: Json) -> None:
    result = with_hidden(curve, 9)
    assert figures.draw(result) == []
    (why,) = figures.refused(result)
    assert "it would take 9 figures, one each for hidden 0 and so on" in why


def test_too_many_cells_are_refused(curve: Json) -> None:
    result = with_hidden(curve, 100)
    result["experiment"]["figure"] = {"kind": "bars", "x": "hidden", "series": "arity"}
    assert figures.draw(result) == []
    (why,) = figures.refused(result)
    assert f"{len(result['cells'])} cells are too many for a figure" in why


def test_variants_that_share_all_axes_are_drawn_apart(curve: Json) -> None:
    result = copy.deepcopy(curve)
    result["comparisons"] = []
    for cell in copy.deepcopy(curve["cells"]):
        result["cells"].append({**cell, "id": cell["id"] + "b", "variant": "sssp/other"})
    names = [drawn.title.rsplit(": ")[-1] for drawn in figures.draw(result)]
    assert names == [curve["cells"][0]["variant"].split(":")[0], "sssp/other"]
