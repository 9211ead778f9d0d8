"""Names of machines and graphs, and values in place of axes in braces."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Iterator

import pytest

import naming
from claims import PUBLISHED
from load import Json, ask, figure_specs, load
from scene import label_of, possible_kind, scene_of, selected

DATA = Path(__file__).parent / "testdata"
G100 = {"index": 0, "name": "Fixture G100", "pci_bus_id": "0000:01:00.0"}


@pytest.fixture
def phases() -> Json:
    return load(DATA / "phases.json")


def test_the_gpu_names_the_machine_where_it_ran(phases: Json) -> None:
    assert naming.machine_name(phases) == "Fixture Xenon 9000"
    phases["environment"]["gpus"] = [{"name": "Fixture G100"}]
    assert naming.machine_name(phases) == "Fixture Xenon 9000"
    phases["cells"][0]["parameters"]["device"] = "gpu"
    assert naming.machine_name(phases) == "Fixture Xenon 9000 and Fixture G100"
    phases["cells"][1]["parameters"]["device"] = "gpu"
    assert naming.machine_name(phases) == "Fixture G100"
    for cell in phases["cells"]:
        cell["wall_ns"] = None
    assert naming.machine_name(phases) == "Fixture Xenon 9000", "nothing was measured on it"


@pytest.mark.parametrize("graph, name", [
    ("dimacs:USA-road-d.NY", "USA-road-d.NY"), ("folder/my.gr", "my.gr"), ("road:", "road"),
    ("topology:USA-road.NW,lengths=log-spread:10..1000000", "USA-road.NW"),
    ("grid:rows=3,columns=4,lengths=uniform:1..9", "grid:rows=3,columns=4,lengths=uniform:1..9")])
def test_graph_names(graph: str, name: str) -> None:
    assert naming.graph_name(graph) == name


def test_a_cell_knows_its_gpu(phases: Json) -> None:
    first, second = phases["cells"]
    first["gpu"] = second["gpu"] = G100
    assert naming.machine_name(phases) == "Fixture G100"
    assert naming.gpu_count(first) == 0, "the places of ranks alone count GPUs"
    second["gpu"] = None
    assert naming.machine_name(phases) == "Fixture Xenon 9000 and Fixture G100"
    assert naming.machine_name(phases, [first]) == "Fixture G100"
    assert naming.machine_name(phases, [second]) == "Fixture Xenon 9000"


def test_ranks_know_their_gpus(phases: Json) -> None:
    for cell in phases["cells"]:
        cell["ranks"] = {"places": [{"host": "a", "gpus": [{**G100, "pci_bus_id": str(rank)}]}
                                    for rank in range(2)]}
    assert naming.machine_name(phases) == "Fixture G100"
    assert naming.gpu_count(phases["cells"][0]) == 2
    for place in phases["cells"][0]["ranks"]["places"]:
        place["gpus"] = []
    assert naming.machine_name(phases) == "Fixture Xenon 9000 and Fixture G100"


def test_a_gpu_without_a_name_is_the_machines(phases: Json) -> None:
    for cell in phases["cells"]:
        cell["gpu"] = {"index": None, "name": None, "pci_bus_id": None}
    assert naming.machine_name(phases) == "unknown GPU"
    phases["environment"]["gpus"] = [{"name": "Fixture G100"}, {"name": "Fixture G100"}]
    assert naming.machine_name(phases) == "Fixture G100"


def test_a_search_on_both_names_both(phases: Json) -> None:
    for cell, share in zip(phases["cells"], ("0", "25")):
        cell["gpu"] = G100
        cell["parameters"]["cpu_share"] = share
    first, second = phases["cells"]
    assert naming.machine_name(phases, [first]) == "Fixture G100"
    assert naming.machine_name(phases, [second]) == "Fixture Xenon 9000 and Fixture G100"


def cells(**axes: list) -> list[Json]:
    return [{"graph": "g", "axes": dict(zip(axes, values))} for values in zip(*axes.values())]


@pytest.mark.parametrize("text, filled", [
    ("kron{scale}.bmg", "kron14..17.bmg"), ("uniform:0..4^{scale}", "uniform:0..4^(14..17)"),
    ("{system}", "a:threads=2|b"), ("{cores} cores", "2 cores"), ("{ranks}", "{ranks}"),
    ("no axis", "no axis")])
def test_axes_in_braces_have_values(text: str, filled: str) -> None:
    assert naming.filled(text, cells(scale=[14, 17, 15], cores=[2, 2, 2],
                                     system=["a:threads={cores}", "b", "b"])) == filled


def test_untimed_parts_are_named_with_their_cells() -> None:
    def result(*untimed: str) -> Json:
        return {"experiment": {}, "cells": [
            {"label": f"cell {i}", "graph": "g", "axes": {}, **({"untimed": part} if part else {})}
            for i, part in enumerate(untimed)]}

    assert naming.untimed_notes(result("", "nothing")) == []
    assert naming.untimed_notes(result("levels", "levels")) == ["Levels untimed."]
    assert naming.untimed_notes(result("", "levels-and-ids")) == ["Levels and ids untimed: cell 1."]


def test_one_cells_values_are_exact(phases: Json) -> None:
    cell = {**phases["cells"][0], "label": "system=hybrid:threads={cores}", "axes": {"cores": 16}}
    assert naming.cell_label(cell, phases) == "system=hybrid:threads=16"
    assert naming.filled("4^{k}", cells(k=[3])) == "4^3"


@pytest.mark.parametrize("axes, names", [
    ({"graph": ["kron{scale}.bmg"] * 2, "scale": [24, 25]}, ["kron24..25.bmg"]),
    ({"graph": ["spots:{place},k={k}"] * 2, "place": ["helsinki", "kyoto"], "k": [3, 5]},
     ["helsinki", "kyoto"]),
    ({"graph": ["random:{size},lengths=uniform:1..1000"] * 2,
      "size": ["n=10,m=34", "n=1000,m=18555"]}, ["2 graphs"]),
    ({"graph": ["dimacs:NY", "dimacs:BAY"]}, ["NY", "BAY"]),
    ({"graph": [f"region:bytes={2**i}" for i in range(13)]}, ["13 graphs"])])
def test_graphs_of_a_family_have_one_name(axes: dict, names: list[str]) -> None:
    assert naming.graph_names({"cells": cells(**axes)}) == names


def figure_texts(result: Json) -> Iterator[str]:
    """The texts of a result's figures, without drawing them."""
    for cell in [*result["cells"], *result["not_measured"]]:
        yield naming.cell_label(cell, result)
    for spec in figure_specs(result):
        shown = selected(spec, result)
        if spec["kind"] in ("phases", "cumulative") or not shown["cells"]:
            continue
        kind, notes = possible_kind(spec, shown)
        scene = scene_of(spec, kind, shown, notes)
        yield from (scene.title, scene.x_title, scene.y_title, scene.machine, *notes)
        for point in scene.points:
            yield from (point.x, point.series, label_of(point.series, point.source, scene))
        for x, series in scene.missing:
            yield from (x, series)


def test_no_published_figure_has_an_axis_in_braces() -> None:
    found = [text for entry in ask("report", "-f", "json", PUBLISHED)["results"]
             for text in figure_texts(entry["result"])]
    assert len(found) > 1000
    assert [text for text in found if re.search(r"\{[\w-]+\}", text)] == []
