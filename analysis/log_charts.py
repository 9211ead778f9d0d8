"""Figures of phase logs and of a graph's distributions: `phases` and `cumulative`."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple, Optional

import matplotlib
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, NullLocator

from canvas import (COLOURS, GREY, PAPER_MARKERS, STYLE, Drawn, finish, legend, log_y, look,
                    new_axes)
from load import Json
from naming import cell_label, graph_name, graph_names, machine_name
from scene_json import line_json, lines_json


PHASE_DASHES = ("-", "--", "-.", ":")  # lines without markers differ in dashes from the first one on


@dataclass
class Line:
    """One line of a figure of phase logs, and its values on the second axis (None: none)."""

    label: str
    xs: list[float]
    ys: list[float]
    second: Optional[list[float]] = None


def draw_log(spec: Json, result: Json) -> Optional[Drawn]:
    cells = result["cells"]
    title = spec.get("title") or result["experiment"]["title"]
    notes: list[str] = []
    is_phases = spec["kind"] == "phases"
    lines = (_phase_lines if is_phases else _cumulative_lines)(spec, cells, result, notes)
    if not lines:
        return None
    where = ", ".join([machine_name(result), *graph_names(result)])
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        (_phases if is_phases else _cumulative)(axes, lines, spec, where)
        finish(axes.figure, title)
    notes.append(f"Measured on {where}.")
    return Drawn(axes.figure, title, spec.get("caption", ""), _alt_log(title, where, lines, spec),
                 notes, _data(spec, title, where, lines))


def _data(spec: Json, title: str, where: str, lines: list[Line]) -> Json:
    series = [line_json(line.label, index, line.xs, line.ys) for index, line in enumerate(lines)]
    if spec["kind"] == "cumulative":
        series += [line_json(f"{label} (paper)", len(lines) + order,
                             [float(p["x"]) for p in points],
                             [100 * float(p["value"]) for p in points], "points")
                   for order, (label, points) in enumerate(_paper_points(spec).items())]
        return lines_json(title, where, {"title": _bound_title(spec), "scale": "log"},
                          {"title": _share_title(spec),
                           "scale": "log" if _is_log(spec) else "linear"}, series)
    counted = next((line for line in lines if line.second is not None), None)
    second = counted and line_json(_column_title(spec["second_column"]), 0, counted.xs,
                                   counted.second or [])
    return lines_json(title, where, {"title": "Phase", "scale": "linear"},
                      {"title": _column_title(spec["column"]),
                       "scale": spec.get("y_scale", "linear")}, series, second)


def _column_scale(column: str) -> float:
    return 1e-3 if column.endswith("_ns") else 1.0


def _column_title(column: str) -> str:
    """`updated_count`: updated vertices; `host_ns`: host time (us)."""
    if column.endswith("_ns"):
        return f"{column.removesuffix('_ns').replace('_', ' ').capitalize()} time (us)"
    known = {"updated_count": "Updated vertices", "thread_count": "Threads"}
    return known.get(column, column.removesuffix("_count").replace("_", " ").capitalize())


def _phase_lines(spec: Json, cells: list[Json], result: Json, notes: list[str]) -> list[Line]:
    """For one cell: a line for each query whose log is whole. For several: each cell's first query."""
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


def _phases(axes: Axes, lines: list[Line], spec: Json, subtitle: str) -> None:
    handles, labels = [], []
    for index, line in enumerate(lines):
        handles += axes.plot(line.xs, line.ys, linewidth=1.6, zorder=3,
                             color=look(index).colour,
                             linestyle=PHASE_DASHES[(index + index // len(COLOURS)) % 4])
        labels.append(line.label)
    if spec.get("y_scale") == "log":
        log_y(axes)
    else:
        axes.set_ylim(bottom=0)
    counted = next((line for line in lines if line.second is not None), None)
    if counted is not None and counted.second is not None:  # the same on every system
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
    legend(axes, handles, labels, subtitle)


class OfGraph(NamedTuple):
    """A column that is a distribution over the graph, by bounds, and not over phases."""

    fact: str  # before `_<bound>_ratio`
    relation: str  # of the counted value to the bound
    x_title: str
    counted: str
    is_log: bool  # the shares: such a figure is about the small ones


OF_GRAPHS = {"lengths": OfGraph("lengths_at_most", "at most", "Length", "arcs", False),
             "degrees": OfGraph("degrees_above", "above", "Arcs, more than", "vertices", True)}


def _cumulative_lines(spec: Json, cells: list[Json], result: Json,
                      notes: list[str]) -> list[Line]:
    """Shares by bound: a line for each cell of a phase log's column, or for each graph of lengths and
    degrees."""
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
                lines.append(_share_line(label, shares))
            else:
                notes.append(f"No phase log with {spec['column']}: {cell_label(cell, result)}.")
    return lines


def _share_line(label: str, shares: Json) -> Line:
    points = sorted((float(bound), 100 * share) for bound, share in shares.items())
    return Line(label, [x for x, _ in points], [y for _, y in points])


def _cumulative(axes: Axes, lines: list[Line], spec: Json, subtitle: str) -> None:
    handles, labels = [], []
    for index, line in enumerate(lines):
        style = look(index)
        handles += axes.plot(line.xs, line.ys, marker=style.marker, linestyle=style.dash,
                             markersize=5, linewidth=2, zorder=3, color=style.colour)
        labels.append(line.label)
    for order, (label, points) in enumerate(_paper_points(spec).items()):
        handles += axes.plot([float(p["x"]) for p in points],
                             [100 * float(p["value"]) for p in points],
                             PAPER_MARKERS[order % len(PAPER_MARKERS)], markersize=7,
                             color=look(len(lines) + order).colour, zorder=4)
        labels.append(f"{label} (paper)")
    axes.set_xscale("log")
    axes.xaxis.set_minor_locator(NullLocator())
    if _is_log(spec):
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 104)
    axes.set_xlabel(_bound_title(spec))
    axes.set_ylabel(_share_title(spec))
    legend(axes, handles, labels if len(labels) > 1 else [], subtitle)


def _paper_points(spec: Json) -> dict[str, list[Json]]:
    by_label: dict[str, list[Json]] = {}
    for point in spec.get("paper", []):
        by_label.setdefault(point["label"], []).append(point)
    return by_label


def _is_log(spec: Json) -> bool:
    of_graph = OF_GRAPHS.get(spec["column"])
    return of_graph is not None and of_graph.is_log


def _bound_title(spec: Json) -> str:
    of_graph = OF_GRAPHS.get(spec["column"])
    return of_graph.x_title if of_graph else f"{_column_title(spec['column'])} in a phase"


def _share_title(spec: Json) -> str:
    of_graph = OF_GRAPHS.get(spec["column"])
    return f"Share of the {of_graph.counted if of_graph else 'phases'} (%)"


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
