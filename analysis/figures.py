"""The figure that an experiment asks for, drawn from one result with matplotlib.

The spec's `[figure]` (kind, x, series, relative_to, metric, x_scale, paper) decides what is drawn:
bars show the gain over `relative_to` in percent, 100 (t_first / t - 1); curves and heat maps show
time relative to it. Without `relative_to` all show the metric itself. Two kinds show phase logs:
`phases` a column against the number of the phase, one line a query (or a cell, where there are
several), `cumulative` the share of phases, or of the graph's arcs, up to a bound.
"""

from __future__ import annotations

import io
import math
import re
import textwrap
from dataclasses import dataclass, field
from typing import Callable, NamedTuple, Optional

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator

from load import (Json, as_number, axis_text, axis_value, cell_label, failure_of, figure_specs,
                  matches, metric_value, paper_points, ratio, reference_of, rows_without_cell,
                  varying_axes)
from scaling import Model

# Okabe and Ito's colours: told apart under every common colour blindness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "++")
GREY = "#595959"
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 12, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid.axis": "y", "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#DDDDDD", "legend.frameon": False, "legend.fontsize": 11,
    "hatch.linewidth": 0.6, "axes.unicode_minus": False,
    "svg.hashsalt": "bellmark", "svg.fonttype": "path",
}
LABELS_IN = 1.3  # below the axes, of a figure that has not grown
WIDTH_IN = 7.2  # at 100 % of a phone's width, 12 pt are still legible
NOT_MEASURED, NO_REFERENCE = "not measured", "no reference"
HOLLOW = "Hollow points have no interval."
UNITS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3,  # of time, in ms
         "bytes": 2.0**-20, "KiB": 2.0**-10, "MiB": 1.0, "GiB": 2.0**10}  # of memory, in MiB


@dataclass(frozen=True)
class Point:
    """One value in the figure's unit with its 95 % interval (None: none), by place and line.

    `x` names the category or axis value, `series` the line or bar colour ("" when there is one);
    `source` is "" for the measured machine, else the paper's label.
    """

    x: str
    series: str
    value: float
    low: Optional[float] = None
    high: Optional[float] = None
    source: str = ""
    is_reference: bool = False


@dataclass
class Drawn:
    """A drawn figure, its caption, its words for who cannot see it, and notes on its values."""

    figure: Figure
    title: str
    caption: str
    alt: str
    notes: list[str] = field(default_factory=list)


@dataclass
class Scene:
    """What a figure shows, before any drawing: points in order, the axes' titles and scale."""

    title: str
    x_title: str
    y_title: str
    machine: str
    points: list[Point]
    missing: dict[tuple[str, str], str]  # what stands at (x, series) instead of a value
    notes: list[str]
    is_gain: bool
    is_relative: bool
    is_numeric: bool

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


def draw(result: Json) -> list[Drawn]:
    """The experiment's figures, without those of which nothing was measured."""
    return list(filter(None, (_draw(spec, result) for spec in figure_specs(result))))


def _draw(spec: Json, result: Json) -> Optional[Drawn]:
    if not result["cells"]:
        return None
    if "where" in spec:
        cells = [cell for cell in result["cells"] if matches(cell, spec["where"])]
        shown = {cell["id"] for cell in cells} | {row["cell"] for row in rows_without_cell(result)
                                                  if matches(row, spec["where"])}
        result = {**result, "cells": cells,
                  "not_measured": [row for row in result["not_measured"] if row["cell"] in shown]}
    if spec["kind"] in ("phases", "cumulative"):
        return _draw_log(spec, result)
    kind, notes = _possible_kind(spec, result)
    scene = _scene(spec, kind, result, notes)
    if all(point.source for point in scene.points):  # the paper's alone say nothing of this machine
        return None
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_IN, 4.4), constrained_layout=True)
        axes = figure.add_subplot()
        {"bars": _bars, "curve": _curve, "heatmap": _heatmap}[kind](axes, scene, spec)
        _finish(figure, scene.title)
    return Drawn(figure, scene.title, spec.get("caption", ""), _alt(kind, scene), scene.notes)


def _finish(figure: Figure, title: str) -> None:
    figure.suptitle(textwrap.fill(title, 62), x=0.01, ha="left", fontsize=13, fontweight="bold")
    for _ in range(2):  # the second pass sees the first one's tick labels
        figure.draw_without_rendering()
    figure.set_layout_engine("none")  # each rendering would move the layout a little


def draw_model(model: Model, result: Json) -> Drawn:
    """A fitted scaling model: each step's time by ranks, measured and by the model, up to the
    largest number of ranks that is predicted."""
    base, last = model.base, max([*model.predicted_rank_counts(), model.base.rank_count])
    first = min(cell.search.rank_count for cell in model.fitted)
    step = 4 if base.form == "pairs" else 2  # from one number of ranks to the next
    ranks = sorted({cell.search.rank_count for cell in model.fitted}
                   | set(model.predicted_rank_counts())
                   | {first * step**i for i in range(12) if first * step**i <= last})
    cells = [cell for cell in model.fitted if math.isclose(
        cell.search.vertex_count * base.rank_count, base.vertex_count * cell.search.rank_count)]
    curves = {count: model.times_ns(count) for count in ranks}
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_IN, 4.4), constrained_layout=True)
        axes = figure.add_subplot()
        handles, labels, said = [], [], []
        for index, name in enumerate([*model.steps, ""]):
            colour = COLOURS[index % len(COLOURS)] if name else "black"
            line = [curves[count][name] if name else sum(curves[count].values())
                    for count in ranks]
            points = [(cell.search.rank_count,
                       cell.steps[name].median_ns if name else cell.total_ns) for cell in cells]
            points = [(count, time) for count, time in points if time > 0]
            shown = [(count, time * 1e-6) for count, time in zip(ranks, line) if time > 0]
            is_again = bool(name) and index >= len(COLOURS)  # a colour that another step has
            axes.plot([x for x, _ in shown], [y for _, y in shown], linewidth=1.6 if name else 2.2,
                      color=colour, linestyle="--" if is_again else "-", zorder=3)
            handles += axes.plot([x for x, _ in points], [time * 1e-6 for _, time in points],
                                 "^" if is_again else "o" if name else "s", markersize=6,
                                 color=colour, zorder=4)
            labels.append(name.replace("_", " ") or "all steps")
            said.append(f"{labels[-1]} {line[-1] * 1e-6:.3g}")
        axes.axvline(base.rank_count, color=GREY, linewidth=0.8, linestyle=":")
        axes.set_xscale("log", base=2)
        axes.set_xticks([count for count in ranks if not math.log2(count) % 1])
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_locator(NullLocator())
        _log_y(axes)
        axes.set_xlabel("ranks")
        axes.set_ylabel("Time of a search (ms)")
        _legend(axes, handles, labels)
        title = f"Steps by ranks, {model.name}"
        _finish(figure, title)
    left_out = len(model.fitted) - len(cells)
    return Drawn(
        figure, title,
        "Points: measured, the median rank, all levels of a search, median over the sources. "
        "Lines: the model, as many vertices a rank everywhere; right of the dotted line nothing "
        "was measured.",
        f"Line chart: {title}. Time of a search in ms by ranks on {machine_name(result)}, measured "
        f"up to {base.rank_count}; the model at {ranks[-1]}: {'; '.join(said)}.",
        [f"Cells with other numbers of vertices a rank are not shown: {left_out}."]
        if left_out else [])


def render(drawn: Drawn, file_format: str) -> bytes:
    """The figure as `png` (150 dpi) or `svg`; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    metadata = {"Date": None, "Creator": None} if file_format == "svg" else {"Software": None}
    with matplotlib.rc_context(STYLE):
        drawn.figure.savefig(buffer, format=file_format, dpi=150, facecolor="white",
                             metadata=metadata)
    data = buffer.getvalue()
    if file_format == "svg":  # no DTD on the network, no metadata block
        data = re.sub(rb"<!DOCTYPE.*?>\s*|<metadata>.*?</metadata>\s*", b"", data, flags=re.DOTALL)
    return data


def machine_name(result: Json) -> str:
    """What the cells ran on: the processor's model without its trade marks and clock, the GPU's
    where all ran on one, both where some did."""
    environment = result["environment"]
    model = str(environment.get("cpu_model") or "this machine")
    model = re.sub(r"\((R|TM|r|tm)\)|\bCPU\b|\bProcessor\b|@.*$|\b\d+-Core\b", " ", model)
    model = " ".join(model.split())
    on_gpu = [cell["wall_ns"] is not None for cell in result["cells"]
              if cell["parameters"].get("device") == "gpu"]
    gpus = [gpu.get("name") for gpu in environment.get("gpus") or []]
    if not any(on_gpu) or not gpus or not gpus[0]:
        return model
    return gpus[0] if len(on_gpu) == len(result["cells"]) else f"{model} and {gpus[0]}"


def graph_name(graph: str) -> str:
    """The graph's id without its source or folders, and without the lengths that it was given; a
    formula stays whole."""
    name = graph.split(",")[0]
    return graph if "=" in name else re.split(r"[:/]", name)[-1] or name.rstrip(":")


def _graph_names(result: Json, shown_axes: list[Optional[str]]) -> list[str]:
    """The graphs' names as their axis has them, one for a family: an axis named in it stands for
    its value, or for the least and the largest of several numbers, unless the figure shows it."""
    vary = varying_axes(result)

    def extent(axis: str) -> Optional[str]:
        values = {as_number(cell["axes"].get(axis)) for cell in result["cells"]}
        numbers = sorted(value for value in values if value is not None)
        return None if None in values else "..".join(
            f"{number:g}" for number in dict.fromkeys((numbers[0], numbers[-1])))

    def name(cell: Json) -> str:
        text = axis_text(cell["axes"].get("graph", cell["graph"]))
        for axis, value in cell["axes"].items():
            shown = extent(axis) if axis in vary else axis_text(value)
            if shown is not None and (axis not in vary or axis not in shown_axes):
                text = text.replace(f"{{{axis}}}", shown)
        return graph_name(text)

    return list(dict.fromkeys(map(name, result["cells"])))


def _possible_kind(spec: Json, result: Json) -> tuple[str, list[str]]:
    """The kind asked for, or bars with a note where the cells can't make that kind."""
    kind = spec["kind"]
    if kind == "curve":
        axis = spec.get("x", "")
        if any(as_number(axis_value(cell, axis)) is None for cell in result["cells"]):
            return "bars", [f"Drawn as bars: '{axis}' is not a numeric axis of every cell."]
    if kind == "heatmap" and len(_plane(spec, result)) < 2:
        return "bars", ["Drawn as bars: only one axis varies."]
    return kind, []


def _plane(spec: Json, result: Json) -> list[str]:
    """A heat map's axes, [columns, rows]: those named, else the axes that vary, placement last."""
    named = [spec[key] for key in ("x", "series") if key in spec]
    vary = sorted((axis for axis in varying_axes(result) if axis not in named),
                  key=lambda axis: axis == "placement")
    return [axis for axis in named + vary if axis in varying_axes(result)][:2]


def _scene(spec: Json, kind: str, result: Json, notes: list[str]) -> Scene:
    metric = spec.get("metric", "wall_ns")
    first = spec.get("relative_to")
    references = {cell["id"]: reference_of(cell, result, first) if first else None
                  for cell in result["cells"]}
    is_relative = bool(first) and any(references.values())
    if first and not is_relative:
        notes.append(f"The reference cell ({_where_text(first)}) was not measured: "
                     "values are shown as they are.")
    is_gain = is_relative and kind == "bars"
    plane = _plane(spec, result) if kind == "heatmap" else [spec.get("x")]
    rest = [axis for axis in varying_axes(result) if axis != plane[0]]
    series_axes = plane[1:] or ([spec["series"]] if "series" in spec else rest)

    graphs = {cell["graph"] for cell in result["cells"]}
    has_short_names = len(set(map(graph_name, graphs))) == len(graphs)

    def text_of(cell: Json, axis: str) -> str:
        text = axis_text(axis_value(cell, axis))
        return graph_name(text) if axis == "graph" and has_short_names else text

    def place(cell: Json) -> tuple[str, str]:
        if plane[0] is None:
            label, graph = cell_label(cell, result), cell["axes"].get("graph")
            if graph is not None and has_short_names:
                label = label.replace(graph, graph_name(graph))
            return label, ""
        return (text_of(cell, plane[0]),
                ", ".join(f"{axis} {text_of(cell, axis)}" for axis in series_axes))

    scene = Scene(
        title=spec.get("title") or result["experiment"]["title"],
        x_title=plane[0] or "",
        y_title=_y_title(metric, first if is_relative else None, is_gain),
        machine=", ".join([machine_name(result), *_graph_names(result, [plane[0], *series_axes])]),
        points=[], missing={}, notes=notes, is_gain=is_gain, is_relative=is_relative,
        is_numeric=kind == "curve")
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
        notes.append("Ratio of medians, no interval (the file compares no such pair): "
                     + "; ".join(unpaired) + ".")
    for row in rows_without_cell(result):
        if plane[0] is None or axis_value(row, plane[0]) is not None:
            scene.missing[place(row)] = NOT_MEASURED
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


def _measured(cell: Json, reference: Optional[Json], result: Json, metric: str, scene: Scene,
              place: tuple[str, str]) -> Optional[tuple[Point, bool]]:
    """The cell's point and whether it is free of the remark 'ratio of medians'."""
    value = metric_value(cell, metric)
    if value is None or value <= 0:
        return None
    if not scene.is_relative:
        wall = cell["wall_ns"] if metric == "wall_ns" else {}
        scale = _scale(metric)[0]
        low, high = wall.get("ci95_low"), wall.get("ci95_high")
        return Point(*place, value * scale, None if low is None else low * scale,
                     None if high is None else high * scale), True
    if reference is None:
        return None
    if reference is cell:
        return Point(*place, 0.0 if scene.is_gain else 1.0, is_reference=True), True
    if metric != "wall_ns":
        base = metric_value(reference, metric)
        return (Point(*place, _gain(value / base) if scene.is_gain else value / base),
                True) if base else None
    found = ratio(cell, reference, result)
    if found is None:
        return None
    low, high = found.low, found.high
    if scene.is_gain:  # a gain falls as the time rises: the ends change places
        return Point(*place, _gain(found.value), _gain(high) if high else None,
                     _gain(low) if low else None), found.paired
    return Point(*place, found.value, low, high), found.paired


def _add_paper(scene: Scene, spec: Json, result: Json,
               place: Callable[[Json], tuple[str, str]]) -> None:
    """The paper's points, on the scale of ours.

    Gains are given as gains. On a curve relative to a cell each label's values are divided by its
    own value at that cell. On an absolute scale a point must name its `unit`.
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
            # A value of the axis that this run left out: the paper's line still goes through it.
            others = {axis: wanted for axis, wanted in where.items() if axis != x_axis}
            cells = [cell for cell in result["cells"] if matches(cell, others)]
            xs = [axis_text(where[x_axis])]
        if scene.is_relative and not scene.is_gain:
            at_first = {**where, **{axis: first[axis] for axis in first if axis in where}}
            base = next((float(other["value"]) for other in paper
                         if other["label"] == label
                         and matches({"axes": place_of(other)}, at_first)), None)
            if not base:
                dropped.add(f"'{label}' has no value at {_where_text(first)}")
                continue
            value /= base
        elif not scene.is_relative:
            if point.get("unit") not in UNITS:
                dropped.add(f"'{label}' names no unit")
                continue
            value *= UNITS[point["unit"]]
        series = {place(cell)[1] for cell in cells}
        name = series.pop() if len(series) == 1 else ""
        scene.points.extend(Point(x, name, value, source=label) for x in xs)
    scene.notes.extend(f"The paper's values are left out: {why}." for why in sorted(dropped))


def _gain(time_ratio: float) -> float:
    return 100 * (1 / time_ratio - 1)


def _where_text(where: Json) -> str:
    return ", ".join(f"{axis} = {axis_text(value)}" for axis, value in where.items())


def _scale(metric: str) -> tuple[float, str]:
    """What a value is multiplied by to be shown, and in which unit."""
    if metric == "wall_ns":
        return 1e-6, "ms"
    if metric.startswith("teps."):
        return 1e-9, "GTEPS"
    column = metric.split(".")[1] if metric.startswith("phase_log.") else ""
    if column.endswith("_ns"):
        return 1e-6, "ms"
    if metric.startswith("memory.") or column.endswith("_bytes"):
        return 2.0**-20, "MiB"
    return 1.0, ""


def _metric_text(metric: str) -> str:
    """`accounted memory of arcs`, `closed count, mean over phases`, `fold time, median rank, sum
    over phases`."""
    source, *parts = metric.split(".")
    if source == "phase_log":
        what = parts[0].removesuffix("_bytes").replace("_", " ")
        for suffix, meaning in {" least ns": " time, fastest rank", " median ns":
                                " time, median rank", " largest ns": " time, slowest rank",
                                " ns": " time"}.items():
            what = re.sub(f"{suffix}$", meaning, what)
        return what if len(parts) == 1 else f"{what}, {parts[1]} over phases"
    if source == "memory":
        what = parts[0].removesuffix("_bytes") + " memory"
        return what if len(parts) == 1 else f"{what} of {parts[1]}"
    if source == "teps":
        return f"{parts[0].replace('_', ' ')} over queries"
    return "time"


def _y_title(metric: str, first: Optional[Json], is_gain: bool) -> str:
    what = _metric_text(metric)
    if first and is_gain:
        return f"Gain over\n{_where_text(first)} (%)"
    if first:
        return f"{what.capitalize()} relative to\n{_where_text(first)}"
    if metric == "wall_ns":
        return "Time per query (ms)"
    unit = _scale(metric)[1]
    return what.capitalize().replace(" rank, ", " rank,\n") + (f" ({unit})" if unit else "")


def _lighter(colour: str, share: float) -> tuple[float, float, float]:
    """The colour mixed with `share` of white."""
    red, green, blue = matplotlib.colors.to_rgb(colour)
    return tuple(channel + (1 - channel) * share for channel in (red, green, blue))


def _legend(axes: Axes, handles: list, labels: list[str]) -> None:
    """Above the axes, left-aligned, in as many columns as the longest label allows; the figure
    grows with the rows, so that the axes keep their height."""
    columns = max(1, min(3, 72 // (max(map(len, labels)) + 5)))
    wrapped = [textwrap.fill(label, 68) for label in labels]
    axes.legend(handles, wrapped, loc="lower left", bbox_to_anchor=(0, 1.01), ncol=columns,
                borderaxespad=0, handlelength=1.8, columnspacing=1.4)
    line_count = -(-sum(1 + label.count("\n") for label in wrapped) // columns)
    axes.figure.set_size_inches(WIDTH_IN, 3.7 + 0.24 * line_count)


def _label(series: str, source: str, scene: Scene) -> str:
    machine = f"{source} (paper)" if source else f"{scene.machine} (measured)"
    return f"{series}: {machine}" if series else machine


def _number(value: float, scene: Scene) -> str:
    if scene.is_gain:
        return f"{value:+.1f}"
    if scene.is_relative:
        return f"{value:.2f}"
    return f"{value:#.3g}".rstrip(".") if abs(value) < 999.5 else f"{value:.0f}"


def _whisker(axes: Axes, at: float, point: Point, colour: str, cap: float) -> None:
    """The point's interval; `max` absorbs the last digit's rounding."""
    axes.errorbar(at, point.value, [[max(0, point.value - point.low)],
                                    [max(0, point.high - point.value)]],
                  fmt="none", ecolor=colour, elinewidth=1.2, capsize=cap, zorder=3)


def _bars(axes: Axes, scene: Scene, spec: Json) -> None:
    xs, series, sources = scene.xs(), scene.series(), scene.sources()
    several = len([name for name in series if name]) > 1
    slots = {x: list(dict.fromkeys(
        [(p.series, p.source) for p in scene.points if p.x == x]
        + [(name, "") for at, name in scene.missing if at == x])) for x in xs}
    for keys in slots.values():  # each series' paper values stand beside its own bar
        keys.sort(key=lambda key: (series.index(key[0]), sources.index(key[1])))
    width = 0.84 / max(len(keys) for keys in slots.values())
    category_in = 0.85 * WIDTH_IN / len(xs)
    crowded = sum(len(keys) for keys in slots.values()) > 26
    is_downward = all(p.value <= 0 for p in scene.points)
    handles: dict[str, Patch] = {}

    def write(text: str, at: float, height: float, down: bool, room_in: float,
              colour: str = "black") -> None:
        upright = 0.09 * len(text) > 1.1 * room_in  # 10 pt digits are 0.09 inches wide
        if upright:
            axes.margins(y=0.2)
        axes.annotate(text, (at, height), (0, -3 if down else 3), textcoords="offset points",
                      ha="center", va="top" if down else "bottom", fontsize=10, color=colour,
                      rotation=90 if upright else 0)

    axes.margins(y=0.12)
    for index, x in enumerate(xs):
        room_in = category_in * (width if len(slots[x]) > 1 else 1)
        for slot, (name, source) in enumerate(slots[x]):
            at = index + (slot - (len(slots[x]) - 1) / 2) * width
            point = next((p for p in scene.points
                          if (p.x, p.series, p.source) == (x, name, source)), None)
            if point is None:
                write(scene.missing.get((x, name), NOT_MEASURED), at, 0, is_downward, room_in, GREY)
                continue
            order = sources.index(source)
            colour = COLOURS[(series.index(name) if several else order) % len(COLOURS)]
            style = {"color": colour} if not source else {
                "facecolor": _lighter(colour, 0.62), "edgecolor": _lighter(colour, 0.1),
                "linewidth": 0.6, "hatch": HATCHES[order % len(HATCHES)] if several else ""}
            axes.bar(at, point.value, width * 0.92, **style)
            handles.setdefault(_label(name, source, scene), Patch(**style))
            if point.low is not None and point.high is not None:
                _whisker(axes, at, point, "black", max(1.5, min(4, 18 * width)))
            if not source and not crowded:
                down = is_downward if point.is_reference else point.value < 0
                end = point.low if down else point.high
                write("reference" if point.is_reference else _number(point.value, scene), at,
                      point.value if end is None else end, down, room_in)
    if scene.is_gain:
        axes.axhline(0, color="black", linewidth=0.8)
    if not scene.is_gain:
        axes.set_ylim(bottom=0)
    axes.set_xlim(-0.55, len(xs) - 0.45)
    axes.set_xlabel(scene.x_title)
    axes.set_ylabel(scene.y_title)
    axes.tick_params(axis="x", length=0)
    _legend(axes, list(handles.values()), list(handles))
    _name_categories(axes, xs)


def _wrapped(text: str, room: int) -> list[str]:
    """Lines of at most `room` characters where the text has blanks, commas, colons or slashes to
    break behind; a longer word stays whole."""
    lines = [""]
    for word in filter(None, re.split(r"(?<=[ ,:/])", text)):
        if lines[-1] and len(lines[-1]) + len(word.rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines]


def _name_categories(axes: Axes, xs: list[str], width_in: float = 0.85 * WIDTH_IN) -> None:
    """Tick labels that don't run into each other: wrapped, then upright, then only some. The figure
    grows with them, so that the axes keep their height."""
    room = int(10.8 * width_in / len(xs))
    step = -(-len(xs) // 36)
    size = 12 if len(xs) <= 12 else 10
    upright = max(len(word) for x in xs for word in re.split(r"(?<=[ ,:/])", x)) > room
    line_in, letter_in = 1.25 * size / 72, 0.65 * size / 72
    if upright:
        line_count = max(1, int(width_in / len(xs) * step / line_in))
        room = min(width for width in range(8, 1 + max(8, max(map(len, xs))))
                   if max(len(_wrapped(x, width)) for x in xs) <= line_count)
    labels = [_wrapped(x, room) for x in xs]
    axes.set_xticks(range(0, len(xs), step), ["\n".join(lines) for lines in labels[::step]],
                    rotation=90 if upright else 0, fontsize=size,
                    multialignment="right" if upright else "center")
    taken_in = max(letter_in * max(map(len, lines)) if upright else line_in * len(lines)
                   for lines in labels)
    _grow(axes.figure, taken_in - LABELS_IN)


def _grow(figure: Figure, height_in: float) -> None:
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + max(0.0, height_in))


def _curve(axes: Axes, scene: Scene, spec: Json) -> None:
    handles, labels = [], []
    several = len(scene.series()) > 1
    for source_index, source in enumerate(scene.sources()):
        for series_index, name in enumerate(scene.series()):
            line = sorted((p for p in scene.points if (p.series, p.source) == (name, source)),
                          key=lambda p: float(p.x))
            if not line:
                continue
            xs, ys = [float(p.x) for p in line], [p.value for p in line]
            colour = COLOURS[(series_index if several else source_index) % len(COLOURS)]
            if source:
                handles += axes.plot(xs, ys, "--", marker="s", markersize=3.5, linewidth=1.3,
                                     color=_lighter(colour, 0.35))
            else:
                handles += axes.plot(xs, ys, "-", marker="o", markersize=5, linewidth=2,
                                     color=colour, zorder=3)
                hollow = [p for p in line if not p.is_reference and None in (p.low, p.high)]
                axes.plot([float(p.x) for p in hollow], [p.value for p in hollow], "o",
                          markersize=5, color=colour, markerfacecolor="white", zorder=3.5)
                if hollow and HOLLOW not in scene.notes:
                    scene.notes.append(HOLLOW)
                for p in line:
                    if p not in hollow and not p.is_reference:
                        _whisker(axes, float(p.x), p, colour, 3)
                axes.fill_between(xs, [p.value if p.low is None else p.low for p in line],
                                  [p.value if p.high is None else p.high for p in line],
                                  where=[p not in hollow for p in line], color=colour, alpha=0.18,
                                  linewidth=0)
            labels.append(_label(name, source, scene))
    is_rate = spec.get("metric", "").startswith("teps.")
    best = (max if is_rate else min)((p for p in scene.points if not p.source),
                                     key=lambda p: p.value)
    mark = axes.plot(float(best.x), best.value, "o", markersize=13, markerfacecolor="none",
                     markeredgecolor="black", markeredgewidth=1.3, zorder=4)
    handles += mark
    labels.append(f"{'highest' if is_rate else 'lowest'} measured: {scene.x_title} = {best.x}"
                  + (f", {best.series}" if several else ""))
    if scene.is_relative:
        axes.axhline(1, color=GREY, linewidth=0.8)
    elif spec.get("y_scale") == "log":
        _log_y(axes)
    else:
        axes.set_ylim(bottom=0)
    if spec.get("x_scale") == "log2" and min(float(x) for x in scene.xs()) > 0:
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_locator(NullLocator())
    elif all(float(x).is_integer() for x in scene.xs()):
        axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    axes.set_xlabel(scene.x_title)
    axes.set_ylabel(scene.y_title)
    _legend(axes, handles, labels)


def _log_y(axes: Axes) -> None:
    """Labels at 1, 2 and 5 of each decade, or at 1 where there are many."""
    low, high = axes.get_ylim()
    axes.set_yscale("log")
    is_wide = low <= 0 or high / low > 1e3
    axes.yaxis.set_major_locator(LogLocator(subs=(1,) if is_wide else (1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_locator(NullLocator())


def _heatmap(axes: Axes, scene: Scene, spec: Json) -> None:
    xs, rows = scene.xs(), scene.series()
    values = {(p.x, p.series): p.value for p in scene.points}
    grid = [[values.get((x, row), float("nan")) for x in xs] for row in rows]
    image = axes.imshow(grid, cmap="cividis", aspect="auto")
    axes.grid(False)
    for row, name in enumerate(rows):
        for column, x in enumerate(xs):
            if (x, name) not in values:
                axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor="white",
                                         edgecolor=GREY, hatch="///", linewidth=0))
                text = scene.missing.get((x, name), NOT_MEASURED).replace(" ", "\n")
                colour = "black"
            else:
                text = _number(values[x, name], scene)
                colour = "white" if image.norm(values[x, name]) < 0.5 else "black"
            if len(xs) <= 12:
                axes.text(column, row, text, ha="center", va="center", color=colour,
                          fontsize=11 if len(xs) <= 8 else 9,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 1}
                          if (x, name) not in values else None)
    names = [_wrapped(row, 30) for row in rows]
    axes.set_yticks(range(len(rows)), ["\n".join(lines) for lines in names],
                    fontsize=12 if len(rows) <= 12 else 9)
    axes.tick_params(length=0)
    axes.set_xlabel(scene.x_title)
    axes.figure.colorbar(image, ax=axes, label=scene.y_title)
    axes.set_title(scene.machine + " (measured)", loc="left", fontsize=11)
    row_in = max(0.45, 0.22 * max(map(len, names)))
    axes.figure.set_size_inches(WIDTH_IN, max(3.2, min(11, 1.8 + row_in * len(rows))))
    # Beside the cells stand the rows' names and, right, the colours.
    names_in = 0.11 * max(len(line) for lines in names for line in lines)
    _name_categories(axes, xs, max(1.5, WIDTH_IN - 1.4 - names_in))


@dataclass
class Line:
    """One line of a figure of phase logs, and its values on the second axis (None: none)."""

    label: str
    xs: list[float]
    ys: list[float]
    second: Optional[list[float]] = None


def _draw_log(spec: Json, result: Json) -> Optional[Drawn]:
    cells = result["cells"]
    title = spec.get("title") or result["experiment"]["title"]
    notes: list[str] = []
    is_phases = spec["kind"] == "phases"
    lines = (_phase_lines if is_phases else _cumulative_lines)(spec, cells, result, notes)
    if not lines:
        return None
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_IN, 4.4), constrained_layout=True)
        axes = figure.add_subplot()
        (_phases if is_phases else _cumulative)(axes, lines, spec)
        _finish(figure, title)
    where = f"{machine_name(result)}, " \
            f"{', '.join(dict.fromkeys(graph_name(cell['graph']) for cell in cells))}"
    notes.append(f"Measured on {where}.")
    return Drawn(figure, title, spec.get("caption", ""), _alt_log(title, where, lines, spec), notes)


def _column_scale(column: str) -> float:
    return 1e-3 if column.endswith("_ns") else 1.0


def _column_title(column: str) -> str:
    """`updated_count`: updated vertices; `host_ns`: host time (us)."""
    if column.endswith("_ns"):
        return f"{column.removesuffix('_ns').replace('_', ' ').capitalize()} time (us)"
    known = {"updated_count": "Updated vertices", "thread_count": "Threads"}
    return known.get(column, column.removesuffix("_count").replace("_", " ").capitalize())


def _phase_lines(spec: Json, cells: list[Json], result: Json, notes: list[str]) -> list[Line]:
    """One cell: a line for each query whose log is whole; several: each one's first query."""
    column, second = spec["column"], spec.get("second_column")
    lines = []
    for cell in cells:
        log = cell.get("phase_log")
        if not log or column not in log["columns"]:
            notes.append(f"No phase log with {column}: {cell_label(cell, result)}.")
            continue
        if second and second not in log["columns"]:
            notes.append(f"No {second}: {cell_label(cell, result)}.")
        texts = result["workloads"][cell["workload"]]["queries"]["first"]
        for entry in log["first_queries"] if len(cells) == 1 else log["first_queries"][:1]:
            if not entry["rows"]:
                continue

            def values(name: str) -> list[float]:
                at = log["columns"].index(name)
                return [row[at] * _column_scale(name) for row in entry["rows"]]

            query = texts[entry["query"]] if entry["query"] < len(texts) \
                else f"query {entry['query'] + 1}"
            lines.append(Line(query if len(cells) == 1 else cell_label(cell, result),
                              list(map(float, range(1, len(entry["rows"]) + 1))), values(column),
                              values(second) if second in log["columns"] else None))
            if len(cells) > 1:
                notes[:] = [*(n for n in notes if not n.startswith("Query: ")), f"Query: {query}."]
    return lines


def _phases(axes: Axes, lines: list[Line], spec: Json) -> None:
    handles, labels = [], []
    for index, line in enumerate(lines):
        handles += axes.plot(line.xs, line.ys, linewidth=1.6, zorder=3,
                             color=COLOURS[index % len(COLOURS)],
                             linestyle=("-", "--", "-.", ":")[index % 4])
        labels.append(line.label)
    if spec.get("y_scale") == "log":
        _log_y(axes)
    else:
        axes.set_ylim(bottom=0)
    counted = next((line for line in lines if line.second is not None), None)
    if counted is not None and counted.second is not None:  # the same whatever the system
        other = axes.twinx()
        handles.append(other.fill_between(counted.xs, counted.second, color=GREY, alpha=0.18,
                                          linewidth=0))
        labels.append(f"{_column_title(spec['second_column'])} (right)")
        other.set_ylim(bottom=0)
        other.set_ylabel(_column_title(spec["second_column"]))
        other.grid(False)
        other.spines["right"].set_visible(True)
        axes.set_zorder(other.get_zorder() + 1)
        axes.patch.set_visible(False)
    axes.set_xlabel("Phase")
    axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    axes.set_ylabel(_column_title(spec["column"]))
    _legend(axes, handles, labels)


class OfGraph(NamedTuple):
    """A column that is a distribution over the graph, by bounds, and not over phases."""

    fact: str  # before `_<bound>_ratio`
    relation: str  # of what is counted to the bound
    x_title: str
    counted: str
    is_log: bool  # the shares, whose small ones are what such a figure is about


OF_GRAPHS = {"lengths": OfGraph("lengths_at_most", "at most", "Length", "arcs", False),
             "degrees": OfGraph("degrees_above", "above", "Arcs, more than", "vertices", True)}


def _cumulative_lines(spec: Json, cells: list[Json], result: Json,
                      notes: list[str]) -> list[Line]:
    """Shares by bound: of a phase log's column, a line a cell; of lengths and degrees, a line a
    graph."""
    lines = []
    if spec["column"] in OF_GRAPHS:
        fact = OF_GRAPHS[spec["column"]].fact
        for workload in dict.fromkeys(cell["workload"] for cell in cells):
            facts = result["workloads"][workload]["facts"]
            shares = {match[1]: value for name, value in facts.items()
                      if (match := re.fullmatch(fact + r"_(\d+)_ratio", name))}
            if shares:
                lines.append(_share_line(graph_name(result["workloads"][workload]["graph"]),
                                         shares))
    else:
        for cell in cells:
            shares = (cell.get("phase_log") or {}).get("shares", {}).get(spec["column"])
            if shares:
                label = cell_label(cell, result) if len(cells) > 1 else graph_name(cell["graph"])
                lines.append(_share_line(f"{label}: {machine_name(result)} (measured)", shares))
            else:
                notes.append(f"No phase log with {spec['column']}: {cell_label(cell, result)}.")
    return lines


def _share_line(label: str, shares: Json) -> Line:
    points = sorted((float(bound), 100 * share) for bound, share in shares.items())
    return Line(label, [x for x, _ in points], [y for _, y in points])


def _cumulative(axes: Axes, lines: list[Line], spec: Json) -> None:
    handles, labels = [], []
    for index, line in enumerate(lines):
        handles += axes.plot(line.xs, line.ys, marker="o", markersize=5, linewidth=2, zorder=3,
                             color=COLOURS[index % len(COLOURS)])
        labels.append(line.label)
    by_label: dict[str, list[Json]] = {}
    for point in spec.get("paper", []):
        by_label.setdefault(point["label"], []).append(point)
    for index, (label, points) in enumerate(by_label.items(), len(lines)):
        handles += axes.plot([float(p["x"]) for p in points],
                             [100 * float(p["value"]) for p in points], "s", markersize=7,
                             color=COLOURS[index % len(COLOURS)], zorder=4)
        labels.append(f"{label} (paper)")
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    of_graph = OF_GRAPHS.get(spec["column"])
    if of_graph and of_graph.is_log:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 104)
    axes.set_xlabel(of_graph.x_title if of_graph else f"{_column_title(spec['column'])} in a phase")
    axes.set_ylabel(f"Share of the {of_graph.counted if of_graph else 'phases'} (%)")
    _legend(axes, handles, labels)


def _alt_log(title: str, where: str, lines: list[Line], spec: Json) -> str:
    """The figure in words: each line's length and extremes."""
    said = []
    for line in lines[:6]:
        if spec["kind"] == "phases":
            peak = max(range(len(line.ys)), key=lambda i: line.ys[i])
            said.append(f"{line.label}: {len(line.xs)} phases, largest {line.ys[peak]:.4g} in "
                        f"phase {peak + 1}")
        else:
            of_graph = OF_GRAPHS.get(spec["column"])
            relation = of_graph.relation if of_graph else "at most"
            said.append(f"{line.label}: " + ", ".join(
                f"{y:.{0 if y >= 1 else 3}f} % {relation} {x:.0f}" for x, y in zip(line.xs, line.ys)
                if not math.isclose(y, 0)))
    what = _column_title(spec["column"]) if spec["kind"] == "phases" else "Shares"
    return f"Line chart: {title}. {what} on {where}: {'; '.join(said)}."


def _alt(kind: str, scene: Scene) -> str:
    """The figure in words: what it shows and, for up to 12 points, each measured value."""
    unit = " ".join(scene.y_title.split())
    measured = [p for p in scene.points if not p.source]
    name = {"bars": "Bar chart", "curve": "Line chart", "heatmap": "Heat map"}[kind]
    sentence = f"{name}: {scene.title}. {unit} on {scene.machine}"
    if len(measured) <= 12:
        sentence += ": " + "; ".join(
            f"{' '.join(filter(None, (p.x, p.series)))}: {_number(p.value, scene)}"
            for p in measured)
    else:
        lowest, highest = (pick(measured, key=lambda p: p.value) for pick in (min, max))
        sentence += (f": from {_number(lowest.value, scene)} at {lowest.x} {lowest.series} to "
                     f"{_number(highest.value, scene)} at {highest.x} {highest.series}").rstrip()
    papers = scene.sources()[1:]
    return sentence + (f". Beside it the paper's values for {', '.join(papers)}." if papers
                       else ".")
