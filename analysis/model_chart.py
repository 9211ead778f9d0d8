"""A fitted scaling model as a figure."""

from __future__ import annotations

import math

import matplotlib
from matplotlib.axes import Axes

import scaling
from canvas import (GREY, STYLE, Drawn, Look, finish, legend, log2_x, log_y, look, new_axes)
from load import Json, axis_text, varying_axes
from naming import filled, machine_name


def draw_model(model: scaling.Model, result: Json) -> Drawn:
    """A fitted scaling model: each step's time by ranks, measured and by the model, up to the
    largest number of ranks that is predicted."""
    base, ranks = model.base, _rank_counts(model)
    cells = [cell for cell in model.fitted if math.isclose(
        cell.search.vertex_count * base.rank_count, base.vertex_count * cell.search.rank_count)]
    own = _cells_of(model, result)
    title = f"Steps by ranks, {filled(model.name, own)}"
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        said = _draw_steps(axes, model, ranks, cells)
        axes.axvline(base.rank_count, color=GREY, linewidth=0.8, linestyle=":")
        log2_x(axes)
        axes.set_xticks([count for count in ranks if not math.log2(count) % 1])
        log_y(axes)
        axes.set_xlabel("ranks")
        axes.set_ylabel("Time of a search (ms)")
        finish(axes.figure, title)
    machine = machine_name(result, own)
    return Drawn(
        axes.figure, title,
        "Points: measured, the median rank, all levels of a search, median over the sources. "
        "Lines: the model, as many vertices a rank everywhere; right of the dotted line nothing "
        "was measured.",
        f"Line chart: {title}. Time of a search in ms by ranks on {machine}, measured "
        f"up to {base.rank_count}; the model at {ranks[-1]}: {'; '.join(said)}.",
        _notes(model, len(model.fitted) - len(cells)))


def _notes(model: scaling.Model, left_out: int) -> list[str]:
    notes = []
    if left_out:
        notes.append(f"Cells with other numbers of vertices a rank are not shown: {left_out}.")
    if model.uncounted_steps():
        notes.append("Not in it, as the log counts nothing of them: "
                     f"{', '.join(model.uncounted_steps())}.")
    return notes


def _cells_of(model: scaling.Model, result: Json) -> list[Json]:
    """The cells that the model's name is of: it has their variant, or values of axes, or both."""
    words = f", {model.name}, "

    def named(cell: Json) -> set[str]:
        parts = {"variant": cell["variant"],
                 **{axis: f"{axis} {axis_text(cell['axes'].get(axis))}"
                    for axis in varying_axes(result)}}
        return {key for key, part in parts.items() if f", {part}, " in words}

    keys = set().union(*map(named, result["cells"]))
    return [cell for cell in result["cells"] if named(cell) == keys]


def _rank_counts(model: scaling.Model) -> list[int]:
    """Those that were measured, those predicted, and the steps between them."""
    last = max([*model.predicted_rank_counts(), model.base.rank_count])
    return sorted({cell.search.rank_count for cell in model.fitted}
                  | set(model.predicted_rank_counts())
                  | set(model.rank_counts_up_to(last)))


def _draw_steps(axes: Axes, model: scaling.Model, ranks: list[int],
                cells: list[scaling.Measured]) -> list[str]:
    """A line and points for each step and for their sum; what they say of the last rank count."""
    curves = {count: model.times_ns(count) for count in ranks}
    handles, labels, said = [], [], []
    for index, name in enumerate([*model.fits, ""]):
        style = look(index) if name else Look("black", "s", "-", "")
        line = [curves[count][name] if name else sum(curves[count].values()) for count in ranks]
        points = [(cell.search.rank_count,
                   cell.steps[name].median_ns if name else model.total_ns(cell)) for cell in cells]
        points = [(count, time) for count, time in points if time > 0]
        shown = [(count, time * 1e-6) for count, time in zip(ranks, line) if time > 0]
        axes.plot([x for x, _ in shown], [y for _, y in shown], linewidth=1.6 if name else 2.2,
                  color=style.colour, linestyle=style.dash, zorder=3)
        handles += axes.plot([x for x, _ in points], [time * 1e-6 for _, time in points],
                             style.marker, markersize=6, color=style.colour, zorder=4)
        labels.append(name.replace("_", " ") or "all steps")
        said.append(f"{labels[-1]} {line[-1] * 1e-6:.3g}")
    legend(axes, handles, labels)
    return said
