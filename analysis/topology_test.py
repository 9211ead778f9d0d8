"""The machine's figure: a box for each core, coloured by its cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from load import Json, load
from topology_chart import draw_topology, machine_box

DATA = Path(__file__).parent / "testdata"


def machine_xml(packages: int, cores: int) -> str:
    """hwloc's XML: each package with a cache that its cores share, and each core with its own."""
    def element(kind: str, parts: str = "", size: int = 0) -> str:
        return f'<object type="{kind}" os_index="0" cache_size="{size}">{parts}</object>'

    core = element("L2Cache", element("Core", element("PU")), 2**20)
    package = element("Package", element("NUMANode") + element("L3Cache", core * cores, 2**25))
    return f'<topology version="2.0">{element("Machine", package * packages)}</topology>'


@pytest.fixture(name="placement")
def _placement() -> Json:
    result = load(DATA / "placement.json")
    result["topology"]["hwloc_xml"] = machine_xml(packages=2, cores=2)
    return result


def test_boxes_lie_within_each_other_and_apart(placement: Json) -> None:
    machine = machine_box(placement)
    assert machine is not None
    boxes = list(machine.all())
    assert [box.name for box in boxes].count("L3, 32 MiB") == 2
    assert [box.core for box in boxes if box.core is not None] == [0, 1, 2, 3]
    for box in boxes:
        for index, part in enumerate(box.parts):
            assert box.x < part.x and part.x + part.width < box.x + box.width
            assert box.y < part.y and part.y + part.height < box.y + box.height
            for other in box.parts[:index]:
                assert (other.x + other.width < part.x or other.y + other.height < part.y)


def test_each_series_has_a_machine(placement: Json) -> None:
    drawn = draw_topology(placement)
    assert drawn is not None and drawn.data is not None
    assert [series["name"] for series in drawn.data["series"]] == [
        "queue heap", "queue dial", "queue radix"]
    heap, _, radix = drawn.data["series"]
    assert [(point["core"], point["y"]) for point in heap["points"]] == [
        (0, 40), (1, 42.8), (2, 45.6), (3, 48.4)]
    assert [point["core"] for point in radix["points"]] == [0, 1, 2]
    assert "from 31 ms (placement=core:0, queue=dial)" in drawn.alt


STORED = Path(__file__).parents[1] / "harness/machine/topologies"


@pytest.mark.parametrize("name, cores, shown", [
    ("two-sockets", 8, ["package 0", "package 1", "L3, 32 MiB"]),
    ("sub-numa-clusters", 8, ["package 1", "L3, 16 MiB"]),
    ("hybrid-cores", 6, ["L2, 2 MiB", "L3, 24 MiB"]),  # the fast cores' own caches are no boxes
    ("arm-clusters", 16, ["package 0", "L2, 2 MiB"]),
    ("dgx", 8, ["package 1", "L3, 105 MiB"]),
])
def test_machines_that_are_not_here_have_a_figure(placement: Json, name: str, cores: int,
                                                  shown: list[str]) -> None:
    placement["topology"]["hwloc_xml"] = (STORED / f"{name}.xml").read_text(encoding="utf-8")
    machine = machine_box(placement)
    assert machine is not None
    boxes = list(machine.all())
    assert [box.core for box in boxes if box.core is not None] == list(range(cores))
    for text in shown:
        assert text in [box.name for box in boxes]
    drawn = draw_topology(placement)
    assert drawn is not None and drawn.data is not None


@pytest.mark.parametrize("text", ["", "<topology", "<topology/>", None])
def test_no_figure_without_a_machine(placement: Json, text: str) -> None:
    placement["topology"]["hwloc_xml"] = text
    assert draw_topology(placement) is None


def test_no_figure_of_one_core(placement: Json) -> None:
    placement["cells"] = placement["cells"][:3]
    assert draw_topology(placement) is None
