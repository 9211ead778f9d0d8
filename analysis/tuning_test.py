"""The figure of a search by `bellmark tune`: all candidates, and the chosen one held out."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest

from load import Json, load
from tuning_chart import draw_tunings

DATA = Path(__file__).parent / "testdata"


@pytest.fixture(name="training")
def _training() -> Json:
    """The curve's cells as a round of a search over `arity`, from 2."""
    result = load(DATA / "curve.json")
    result["cells"] = [cell for cell in result["cells"] if cell["wall_ns"]]
    for cell in result["cells"]:
        cell["parameters"]["arity"] = str(cell["axes"]["arity"])
    result["experiment"] |= {"id": "tune/sssp/fixture/training",
                             "baseline": result["cells"][0]["id"]}
    return result


def held_out_of(training: Json) -> Json:
    result = copy.deepcopy(training)
    result["experiment"]["id"] = "tune/sssp/fixture/held-out"
    result["provenance"]["started_utc"] = "2099-01-01T00:00:00Z"
    result["cells"] = [cell for cell in result["cells"] if cell["axes"]["arity"] in (2, 4)]
    return result


def test_a_curve_of_all_candidates_with_the_chosen_one(training: Json) -> None:
    [drawn] = draw_tunings([held_out_of(training), training])
    assert drawn.data is not None and drawn.data["kind"] == "curve"
    tried, chosen = drawn.data["series"]
    assert [point["x"] for point in tried["points"]] == [2, 3, 4, 6, 8, 14, 32]
    assert [(point["x"], point["low"]) for point in chosen["points"]] == [(4, 0.9367)]
    assert drawn.data["reference"] == "the default, arity=2"
    assert "7 settings" in drawn.alt


def test_of_several_keys_there_are_bars(training: Json) -> None:
    for index, cell in enumerate(training["cells"]):
        cell["parameters"]["other"] = str(index % 2)
    [drawn] = draw_tunings([training])
    assert drawn.data is not None and drawn.data["kind"] == "bars"
    assert drawn.data["x"]["names"][0] == "arity=2, other=0"


def test_no_figure_without_a_search(training: Json) -> None:
    assert draw_tunings([]) == draw_tunings([held_out_of(training)]) == []
    assert draw_tunings([load(DATA / "curve.json")]) == []
