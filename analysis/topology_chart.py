"""A placement sweep, drawn on the machine: packages, caches and cores as nested boxes, each core in
the colour of its time."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Iterator, Optional
from xml.etree import ElementTree

import matplotlib
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from canvas import (GREY, INK, ON_DARK, ON_LIGHT, STYLE, WHITE, WIDTH_IN, Drawn, finish, new_axes)
from load import Json, as_number, axis_text, varying_axes
from naming import cell_label, graph_names, machine_name
from scene_json import optional, rounded, samples_of

SHOWN = {"Package": "package", "L3Cache": "L3", "L2Cache": "L2", "Die": "die"}
PAD, HEAD, CORE = 0.12, 0.42, (1.0, 0.6)  # in widths of a core
MOST_MACHINES = 6  # of one figure, a series each


@dataclass
class Box:
    """A part of the machine. A core has its number. `_arranged` sets places."""

    name: str
    core: Optional[int] = None
    parts: list[Box] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    width: float = CORE[0]
    height: float = CORE[1]

    def all(self) -> Iterator[Box]:
        yield self
        for part in self.parts:
            yield from part.all()


def draw_topology(result: Json) -> Optional[Drawn]:
    """The machine in the colours of a sweep over single cores; None without such a sweep."""
    series, machine = _by_series(result), machine_box(result)
    if machine is None or not series:
        return None
    points = [point for own in series.values() for point in own.values()]
    title = f"Time on each core: {result['experiment']['title']}"
    subtitle = ", ".join([machine_name(result), *graph_names(result)])
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        _draw(axes, machine, series)
        axes.set_title(subtitle, loc="left", fontsize=11, color=GREY)
        finish(axes.figure, title)
    least, most = (pick(points, key=lambda cell: cell["wall_ns"]["median"]) for pick in (min, max))
    alt = (f"The machine's packages, caches and cores as boxes: {title}, on {subtitle}: from "
           f"{_ms(least):.3g} ms ({cell_label(least, result)}) to {_ms(most):.3g} ms "
           f"({cell_label(most, result)}).")
    return Drawn(axes.figure, title, "Time of one query, by colour. Cores without a number were not "
                 "measured alone.", alt, [], _data(title, subtitle, machine, series, result))


def _ms(cell: Json) -> float:
    return cell["wall_ns"]["median"] * 1e-6


def _by_series(result: Json) -> dict[str, dict[int, Json]]:
    """Cells that ran on one core each, by core, with a series for each value of the other axes; none
    unless some series has two cells."""
    others = [axis for axis in varying_axes(result) if axis != "placement"]
    series: dict[str, dict[int, Json]] = {}
    for cell in result["cells"]:
        kind, _, number = cell["placement"]["resolved"].partition(":")
        core = as_number(number)
        if "placement" in cell["axes"] and cell["wall_ns"] and kind == "core" and core is not None:
            name = ", ".join(f"{axis} {axis_text(cell['axes'].get(axis, ''))}" for axis in others)
            series.setdefault(name, {})[int(core)] = cell
    wide = {name: cells for name, cells in series.items() if len(cells) > 1}
    return wide if len(wide) <= MOST_MACHINES else {}


def machine_box(result: Json) -> Optional[Box]:
    """The machine as arranged boxes; None if the result doesn't hold its topology."""
    try:
        root = ElementTree.fromstring(result["topology"].get("hwloc_xml") or "")
    except ElementTree.ParseError:
        return None
    machine = Box("machine", parts=_parts(root))
    cores = [box for box in machine.all() if box.name == "core"]
    for number, core in enumerate(cores):
        core.core = number
    _arranged(machine)
    return machine if cores else None


def _parts(element: ElementTree.Element) -> list[Box]:
    """Boxes of the element's parts. A cache of a single core has no box of its own."""
    boxes = []
    for child in element.findall("object"):
        kind, inner = child.get("type", ""), _parts(child)
        if kind == "Core":
            boxes.append(Box("core"))
        elif kind in SHOWN and (kind == "Package" or len(inner) > 1):
            size = int(child.get("cache_size", 0))
            boxes.append(Box(SHOWN[kind] + (f", {_size(size)}" if size else
                                            f" {child.get('os_index', '')}"), parts=inner))
        else:
            boxes += inner
    return boxes


def _size(size: int) -> str:
    return f"{size / 2**20:g} MiB" if size >= 2**20 else f"{size / 2**10:g} KiB"


def _arranged(box: Box) -> None:
    """Sets the sizes and, from the box's own corner, the places of its parts."""
    if not box.parts:
        return
    for part in box.parts:
        _arranged(part)
    width, height = (max(getattr(part, side) for part in box.parts) for side in ("width", "height"))
    columns = max(1, min(len(box.parts), round(math.sqrt(2.4 * len(box.parts) * height / width))))
    head = 0.0 if box.name == "machine" else HEAD
    for index, part in enumerate(box.parts):
        _move(part, PAD + index % columns * (width + PAD), head + PAD + index // columns * (height + PAD))
    rows = -(-len(box.parts) // columns)
    box.width, box.height = PAD + columns * (width + PAD), head + PAD + rows * (height + PAD)


def _move(box: Box, x: float, y: float) -> None:
    for part in box.all():
        part.x, part.y = part.x + x, part.y + y


def _draw(axes: Axes, machine: Box, series: dict[str, dict[int, Json]]) -> None:
    """A machine for each series, one below the other."""
    times = [_ms(cell) for own in series.values() for cell in own.values()]
    colours = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(min(times), max(times)),
                                           "cividis")
    step = machine.height + (HEAD if any(series) else 0)
    for row, (name, cells) in enumerate(series.items()):
        top = row * step + (step - machine.height)
        axes.text(PAD, top, name, fontsize=10, color=INK, va="bottom")
        for box in list(machine.all())[1:]:
            cell = cells.get(box.core) if box.core is not None else None
            fill = colours.to_rgba(_ms(cell)) if cell else WHITE
            axes.add_patch(Rectangle((box.x, top + box.y), box.width, box.height, facecolor=fill,
                                     edgecolor=GREY, linewidth=0.6))
            _name(axes, box, top, cell, colours, machine.width)
    axes.set_xlim(0, machine.width)
    axes.set_ylim(step * len(series), 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.figure.colorbar(colours, ax=axes, label="Time per query (ms)", shrink=0.8)
    axes.figure.set_size_inches(WIDTH_IN, max(2.4, min(
        11, 1.0 + 5.4 * step * len(series) / machine.width)))


def _name(axes: Axes, box: Box, top: float, cell: Optional[Json],
          colours: matplotlib.cm.ScalarMappable, columns: float) -> None:
    """The box's name, a core's with its time, as large as `columns` of cores allow."""
    if box.core is None:
        axes.text(box.x + PAD, top + box.y + HEAD / 2, box.name,
                  fontsize=min(9, max(3, 95 / columns)), color=GREY, va="center",
                  clip_on=True)
        return
    if cell:
        ink = ON_DARK if colours.norm(_ms(cell)) < 0.5 else ON_LIGHT
        axes.text(box.x + box.width / 2, top + box.y + box.height / 2,
                  f"core {box.core}\n{_ms(cell):.3g}", fontsize=min(9, max(3, 95 / columns)), color=ink,
                  ha="center", va="center")


def _data(title: str, subtitle: str, machine: Box, series: dict[str, dict[int, Json]],
          result: Json) -> Json:
    samples: Json = {}
    return {
        "kind": "topology", "title": title, "subtitle": subtitle,
        "x": {"title": "", "scale": "names", "names": []},
        "y": {"title": "Time per query (ms)", "scale": "linear"}, "reference": None, "missing": [],
        "width": machine.width, "height": machine.height,
        "boxes": [{"name": box.name, "core": box.core, **{
            side: rounded(getattr(box, side)) for side in ("x", "y", "width", "height")}}
                  for box in list(machine.all())[1:]],
        "series": [{"name": name or "measured here", "look": index, "paper": False, "points": [
            {"x": f"core:{core}", "core": core, "y": rounded(_ms(cell)),
             "low": optional(_scaled(cell, "ci95_low")), "high": optional(_scaled(cell, "ci95_high")),
             "cell": cell_label(cell, result), "samples": samples_of(cell, samples)}
            for core, cell in cells.items()]} for index, (name, cells) in enumerate(series.items())],
        "samples": samples}


def _scaled(cell: Json, end: str) -> Optional[float]:
    value = cell["wall_ns"][end]
    return None if value is None else value * 1e-6
