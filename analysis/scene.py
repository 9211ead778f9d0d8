"""The contents of a figure before any drawing: points in order, series, titles and the machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, Optional, Sequence

from load import (Json, as_number, axis_text, axis_value, failure_of, matches, metric_value,
                  paper_points, ratio, reference_of, rows_without_cell, varying_axes)
from naming import (axis_title, cell_label, filled, graph_name, graph_names,
                    machine_name)

NOT_MEASURED, NO_REFERENCE = "not measured", "no reference"
UNITS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3,  # of time, in ms
         "bytes": 2.0**-20, "KiB": 2.0**-10, "MiB": 1.0, "GiB": 2.0**10}  # of memory, in MiB


@dataclass(frozen=True)
class Point:
    """One value in the figure's unit with its 95 % interval (None: none), by place and line.

    `x` names the category or axis value, `series` the line or bar colour ("" when there is one).
    `source` is "" for the measured machine, else the paper's label. `cell` is the measured cell.
    """

    x: str
    series: str
    value: float
    low: Optional[float] = None
    high: Optional[float] = None
    source: str = ""
    is_reference: bool = False
    cell: Optional[Json] = None


@dataclass
class Scene:
    """The contents of a figure before any drawing: points in order, the axes' titles and scale."""

    title: str
    x_title: str
    y_title: str
    machine: str  # of all series, and the graphs
    names: dict[str, str]  # of the series, as legends have them
    reference: str  # the cell that values are relative to; "" for absolute values
    points: list[Point]
    missing: dict[tuple[str, str], str]  # the text at (x, series) instead of a value
    notes: list[str]
    is_numeric: bool

    @property
    def is_relative(self) -> bool:
        return bool(self.reference)

    def xs(self) -> list[str]:
        """Categories in order of first appearance; numbers ascending on a numeric axis."""
        names = list(dict.fromkeys([*(p.x for p in self.points), *(x for x, _ in self.missing)]))
        return sorted(names, key=float) if self.is_numeric else names

    def series(self) -> list[str]:
        """Lines, bar colours or rows in order of first appearance."""
        return list(dict.fromkeys([*(p.series for p in self.points),
                                   *(name for _, name in self.missing)]))

    def sources(self) -> list[str]:
        """"" (this machine) first, then the paper's labels."""
        return list(dict.fromkeys(["", *(p.source for p in self.points)]))


def selected(spec: Json, result: Json) -> Json:
    """The result with only the cells of the figure."""
    if "where" not in spec:
        return result
    return _part(result, lambda row: matches(row, spec["where"]))


def _part(result: Json, is_in: Callable[[Json], bool]) -> Json:
    """The result with only the cells and the rows of `not_measured` that are in the part."""
    cells = [cell for cell in result["cells"] if is_in(cell)]
    shown = {cell["id"] for cell in cells} | {row["cell"] for row in rows_without_cell(result)
                                              if is_in(row)}
    return {**result, "cells": cells,
            "not_measured": [row for row in result["not_measured"] if row["cell"] in shown]}


def _grouped(result: Json, names_of: Callable[[Json], list[str]]) -> list[tuple[str, Json]]:
    """The result's parts by the names of their cells, from `_part`."""
    rows = [*result["cells"], *({**row, "id": row["cell"]} for row in rows_without_cell(result))]
    names = {row["id"]: ", ".join(names_of(row)) for row in rows}
    parts: dict[str, Json] = {names[cell["id"]]: {**result, "cells": [], "not_measured": []}
                              for cell in result["cells"]}
    for cell in result["cells"]:
        parts[names[cell["id"]]]["cells"].append(cell)
    for row in result["not_measured"]:
        if names[row["cell"]] in parts:
            parts[names[row["cell"]]]["not_measured"].append(row)
    return list(parts.items())


def facets(spec: Json, result: Json) -> list[tuple[str, Json]]:
    """The parts of a figure, each with its name: all of the result (""). If cells would be in one place,
    they are the parts by the axes (and the variant) that the figure doesn't show."""
    place = _Places(spec, possible_kind(spec, result)[0], result)
    if not _collide(result["cells"], place):
        return [("", result)]
    hidden = [axis for axis in varying_axes(result) if axis not in place.axes]

    def by_axes(row: Json) -> list[str]:
        return [f"{axis} {place.text(row, axis)}" for axis in hidden]

    def by_family(row: Json) -> list[str]:
        return [*by_axes(row), row["variant"].split(":")[0]]

    def by_variant(row: Json) -> list[str]:
        keys = {key: value for key, value in row.get("parameters", {}).items()
                if key not in row["axes"] and key not in place.axes}
        return [*by_family(row), *(f"{key}={axis_text(value)}" for key, value in keys.items())]

    parts: list[tuple[str, Json]] = []
    for names_of in (by_axes, by_family, by_variant):
        parts = _grouped(result, names_of)
        if not any(_collide(part["cells"], place) for _, part in parts):
            break
    return parts


def _collide(cells: Sequence[Json], place: Callable[[Json], tuple[str, str]]) -> bool:
    return len({place(cell) for cell in cells}) < len(cells)


def possible_kind(spec: Json, result: Json) -> tuple[str, list[str]]:
    """The requested kind, or bars with a note if the cells can't make that kind."""
    kind = spec["kind"]
    if kind == "curve":
        axis = spec.get("x", "")
        if any(as_number(axis_value(cell, axis)) is None for cell in result["cells"]):
            return "bars", [f"Drawn as bars: '{axis}' is not a numeric axis of every cell."]
    if kind == "heatmap" and len(_plane(spec, result)) < 2:
        return "bars", ["Drawn as bars: only one axis varies."]
    return kind, []


def _plane(spec: Json, result: Json) -> list[str]:
    """A heat map's axes, [columns, rows]: the named axes, else the axes that vary, placement last."""
    named = [spec[key] for key in ("x", "series") if key in spec]
    vary = sorted((axis for axis in varying_axes(result) if axis not in named),
                  key=lambda axis: axis == "placement")
    return [axis for axis in named + vary if axis in varying_axes(result)][:2]


class _Places:
    """The place of a cell, or of a row of `not_measured`, in a figure: its (x, series)."""

    def __init__(self, spec: Json, kind: str, result: Json) -> None:
        plane = _plane(spec, result) if kind == "heatmap" else [spec.get("x")]
        rest = [axis for axis in varying_axes(result) if axis != plane[0]]
        self.x_axis: Optional[str] = plane[0]
        self._series_axes = plane[1:] or ([spec["series"]] if "series" in spec else rest)
        self._result = result
        graphs = {cell["graph"] for cell in result["cells"]}
        self._has_short_names = len(set(map(graph_name, graphs))) == len(graphs)

    def __call__(self, cell: Json) -> tuple[str, str]:
        if self.x_axis is None:
            label = cell_label(cell, self._result)
            if "graph" in cell["axes"] and self._has_short_names:
                graph = filled(axis_text(cell["axes"]["graph"]), [cell])
                label = label.replace(graph, graph_name(graph))
            return label, ""
        return (self.text(cell, self.x_axis),
                ", ".join(f"{axis} {self.text(cell, axis)}" for axis in self._series_axes))

    @property
    def axes(self) -> list[str]:
        """The axes that the figure shows."""
        return [axis for axis in [self.x_axis, *self._series_axes] if axis is not None]

    def has(self, row: Json) -> bool:
        return self.x_axis is None or axis_value(row, self.x_axis) is not None

    def text(self, cell: Json, axis: str) -> str:
        text = filled(axis_text(axis_value(cell, axis)), [cell])
        return graph_name(text) if axis == "graph" and self._has_short_names else text


def scene_of(spec: Json, kind: str, result: Json, notes: list[str]) -> Scene:
    """The contents of a figure of this kind. Parts that it leaves out are added to the notes."""
    metric = spec.get("metric", "wall_ns")
    first = spec.get("relative_to")
    references = {cell["id"]: reference_of(cell, result, first) if first else None
                  for cell in result["cells"]}
    is_relative = bool(first) and any(references.values())
    first_text = _where_text(first, [other for other in references.values() if other]
                             or result["cells"]) if first else ""
    if first and not is_relative:
        notes.append(f"The reference cell ({first_text}) was not measured: "
                     "values are shown as they are.")
    place = _Places(spec, kind, result)
    by_series: dict[str, list[Json]] = {}
    for cell in result["cells"]:
        by_series.setdefault(place(cell)[1], []).append(cell)
    scene = Scene(
        title=spec.get("title") or result["experiment"]["title"],
        x_title=axis_title(place.x_axis, result) if place.x_axis else "",
        y_title=_y_title(metric, first_text if is_relative else "", result),
        machine=", ".join([machine_name(result), *graph_names(result)]),
        names=_series_names(by_series, result),
        reference=first_text if is_relative else "", points=[], missing={}, notes=notes,
        is_numeric=kind == "curve")
    _add_cells(scene, result, metric, references, place)
    if kind != "heatmap":
        _add_paper(scene, spec, result, place)
    if scene.is_numeric:
        scene.missing = {pair: why for pair, why in scene.missing.items()
                         if as_number(pair[0]) is not None}
    for why in (NOT_MEASURED, NO_REFERENCE):
        places = [" ".join(filter(None, (scene.x_title, *pair)))
                  for pair, other in scene.missing.items() if other == why]
        if places:
            notes.append(f"{why.capitalize()}: {'; '.join(places)}.")
    return scene


def _series_names(by_series: dict[str, list[Json]], result: Json) -> dict[str, str]:
    """The series' names, with their hardware if it differs."""
    machines = {name: machine_name(result, cells) for name, cells in by_series.items()}
    if len(set(machines.values())) < 2:
        return {name: name for name in by_series}
    return {name: f"{name} ({machine})" if name else machine for name, machine in machines.items()}


def _add_cells(scene: Scene, result: Json, metric: str, references: dict[str, Optional[Json]],
               place: _Places) -> None:
    """The cells' points, and the texts in place of missing values."""
    unpaired = []
    for cell in result["cells"]:
        point = None
        if failure_of(cell, result) is None:
            point = _measured(cell, references[cell["id"]], result, metric, scene, place(cell))
        if point is None:
            has_value = failure_of(cell, result) is None and metric_value(cell, metric)
            scene.missing[place(cell)] = NO_REFERENCE if has_value else NOT_MEASURED
            continue
        scene.points.append(point[0])
        if not point[1]:
            unpaired.append(cell_label(cell, result))
    if unpaired:
        scene.notes.append("Ratio of medians, no interval (the file compares no such pair): "
                           + "; ".join(unpaired) + ".")
    for row in rows_without_cell(result):
        if place.has(row):
            scene.missing[place(row)] = NOT_MEASURED


def _measured(cell: Json, reference: Optional[Json], result: Json, metric: str, scene: Scene,
              place: tuple[str, str]) -> Optional[tuple[Point, bool]]:
    """The cell's point, and True if it needs no remark 'ratio of medians'."""
    value = metric_value(cell, metric)
    if value is None or value <= 0:
        return None
    if not scene.is_relative:
        wall = cell["wall_ns"] if metric == "wall_ns" else {}
        scale = _scale(metric, result)[0]
        low, high = wall.get("ci95_low"), wall.get("ci95_high")
        return Point(*place, value * scale, None if low is None else low * scale,
                     None if high is None else high * scale, cell=cell), True
    if reference is None:
        return None
    if reference is cell:
        return Point(*place, 1.0, is_reference=True, cell=cell), True
    if metric != "wall_ns":
        base = metric_value(reference, metric)
        return (Point(*place, value / base, cell=cell), True) if base else None
    found = ratio(cell, reference, result)
    if found is None:
        return None
    return Point(*place, found.value, found.low, found.high, cell=cell), found.paired


def _add_paper(scene: Scene, spec: Json, result: Json,
               place: Callable[[Json], tuple[str, str]]) -> None:
    """The paper's points, on our scale.

    Papers print gains in percent beside bars: a gain of g is a time of 1 / (1 + g / 100). On a curve
    relative to a cell each label's values are divided by its own value at that cell. On an absolute
    scale a point must name its `unit`.
    """
    x_axis, first = spec.get("x"), spec.get("relative_to") or {}
    dropped = set()

    def place_of(point: Json) -> Json:
        return point.get("where") or {x_axis: point["x"]}

    paper = paper_points(spec)
    for point in paper:
        where, label, value = place_of(point), point["label"], float(point["value"])
        cells = [cell for cell in result["cells"] if matches(cell, where)]
        xs = list(dict.fromkeys(place(cell)[0] for cell in cells))
        if not cells and scene.is_numeric and as_number(where.get(x_axis)) is not None:
            # A value of the axis that this run left out. The paper's line still goes through it.
            others = {axis: wanted for axis, wanted in where.items() if axis != x_axis}
            cells = [cell for cell in result["cells"] if matches(cell, others)]
            xs = [axis_text(where[x_axis])]
        if scene.is_relative and not scene.is_numeric:
            if value <= -100:
                dropped.add(f"'{label}' has a gain of {value:g} %, which no time has")
                continue
            value = 1 / (1 + value / 100)
        elif scene.is_relative:
            at_first = {**where, **{axis: first[axis] for axis in first if axis in where}}
            base = next((float(other["value"]) for other in paper
                         if other["label"] == label
                         and matches({"axes": place_of(other)}, at_first)), None)
            if not base:
                dropped.add(f"'{label}' has no value at {_where_text(first, result['cells'])}")
                continue
            value /= base
        else:
            if point.get("unit") not in UNITS:
                dropped.add(f"'{label}' names no unit")
                continue
            value *= UNITS[point["unit"]]
        series = {place(cell)[1] for cell in cells}
        name = series.pop() if len(series) == 1 else ""
        scene.points.extend(Point(x, name, value, source=label) for x in xs)
    scene.notes.extend(f"The paper's values are left out: {why}." for why in sorted(dropped))


def _where_text(where: Json, cells: Sequence[Json]) -> str:
    return filled(", ".join(f"{axis} = {axis_text(value)}" for axis, value in where.items()), cells)


SCALES = {"ns": (1e-6, "ms"), "TEPS": (1e-9, "GTEPS"), "bytes": (2.0**-20, "MiB"), "": (1.0, ""),
          "bytes/s": (1e-9, "GB/s"), "operations/s": (1e-9, "10^9 operations/s"),
          "items/s": (1e-6, "10^6 items/s")}


def _scale(metric: str, result: Json) -> tuple[float, str]:
    """The factor of a value for the figure, and its unit."""
    return SCALES[result["metrics"][metric]["unit"]]


def _y_title(metric: str, first: str, result: Json) -> str:
    what = result["metrics"][metric]["title"]
    if first:
        return f"{what.capitalize()} relative to\n{first}"
    if metric == "wall_ns":
        return "Time per query (ms)"
    unit = _scale(metric, result)[1]
    return what.capitalize().replace(" rank, ", " rank,\n") + (f" ({unit})" if unit else "")


def label_of(series: str, source: str, scene: Scene) -> str:
    """The name in a legend of a series of this machine, or of the paper."""
    if not source:
        return scene.names.get(series, series) or "measured here"
    return f"{series}: {source} (paper)" if series else f"{source} (paper)"


def number_text(value: float, scene: Scene) -> str:
    if scene.is_relative:
        return f"{value:.2f}x"
    return f"{value:#.3g}".rstrip(".") if abs(value) < 999.5 else f"{value:.0f}"
