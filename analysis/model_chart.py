"""A fitted scaling model as a figure."""

from __future__ import annotations

import math
from typing import Any, Iterable, NamedTuple

import matplotlib
from matplotlib.axes import Axes

import scaling
from canvas import (GREY, INK, STYLE, Drawn, Look, finish, legend, log2_x, log_y, look, name_categories,
                    new_axes)
from load import Json, axis_text, varying_axes
from naming import filled, machine_name
from scene_json import line_json, lines_json, rounded


def draw_model(model: scaling.Model, result: Json) -> Drawn:
    """A fitted scaling model: each step's time by ranks, measured and by the model, up to the
    largest predicted number of ranks."""
    base, ranks = model.base, _rank_counts(model)
    cells = [cell for cell in model.fitted if math.isclose(
        cell.search.vertex_count * base.rank_count, base.vertex_count * cell.search.rank_count)]
    own = _cells_of(model, result)
    machine = machine_name(result, own)
    title = f"Steps by ranks, {filled(model.name, own)}"
    steps = _steps(model, ranks, cells)
    said = [f"{step.name} {step.modelled[-1][1]:.3g}" for step in steps if step.modelled]
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        _draw_steps(axes, steps, machine)
        axes.axvline(base.rank_count, color=GREY, linewidth=0.8, linestyle=":")
        log2_x(axes)
        axes.set_xticks([count for count in ranks if not math.log2(count) % 1])
        log_y(axes)
        axes.set_xlabel("ranks")
        axes.set_ylabel("Time of a search (ms)")
        finish(axes.figure, title)
    return Drawn(
        axes.figure, title,
        "Points: measured, the median rank, all levels of a search, median over the sources. "
        "Lines: the model, with the same number of vertices a rank. Nothing was measured right of "
        "the dotted line.",
        f"Line chart: {title}. Time of a search in ms by ranks on {machine}, measured "
        f"up to {base.rank_count}; the model at {ranks[-1]}: {'; '.join(said)}.",
        _notes(model, len(model.fitted) - len(cells)), _data(steps, title, machine, model))


def _notes(model: scaling.Model, left_out: int) -> list[str]:
    notes = []
    if factor := model.largest_factor():
        notes.append("The largest error of a number of ranks predicted from the others is a factor "
                     f"of {factor:.3g}.")
    if left_out:
        notes.append(f"Cells with other numbers of vertices a rank are not shown: {left_out}.")
    if model.uncounted_steps():
        notes.append("Steps that are not in it, because the log has no counts of them: "
                     f"{', '.join(model.uncounted_steps())}.")
    return notes


def _cells_of(model: scaling.Model, result: Json) -> list[Json]:
    """The cells of the model's name, which has their variant, or values of axes, or both."""
    words = f", {model.name}, "

    def named(cell: Json) -> set[str]:
        parts = {"variant": cell["variant"],
                 **{axis: f"{axis} {axis_text(cell['axes'].get(axis))}"
                    for axis in varying_axes(result)}}
        return {key for key, part in parts.items() if f", {part}, " in words}

    keys = set().union(*map(named, result["cells"]))
    return [cell for cell in result["cells"] if named(cell) == keys]


def _rank_counts(model: scaling.Model) -> list[int]:
    """The measured numbers, the predicted numbers, and the steps between them."""
    last = max([*model.predicted_rank_counts(), model.base.rank_count])
    return sorted({cell.search.rank_count for cell in model.fitted}
                  | set(model.predicted_rank_counts())
                  | set(model.rank_counts_up_to(last)))


class Step(NamedTuple):
    """A step, or the sum of all, by ranks: (ranks, ms) of the model and of the measurement."""

    name: str
    style: Look
    modelled: list[tuple[int, float]]
    measured: list[tuple[int, float]]


def _steps(model: scaling.Model, ranks: list[int], cells: list[scaling.Measured]) -> list[Step]:
    curves = {count: model.times_ns(count) for count in ranks}

    def shown(times: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
        return [(count, time * 1e-6) for count, time in times if time > 0]

    steps = [Step(name.replace("_", " "), look(index),
                  shown((count, curves[count][name]) for count in ranks),
                  shown((cell.search.rank_count, cell.steps[name].median_ns) for cell in cells))
             for index, name in enumerate(model.fits)]
    return [*steps, Step("all steps", Look(INK, "s", "-", ""),
                         shown((count, sum(curves[count].values())) for count in ranks),
                         shown((cell.search.rank_count, model.total_ns(cell)) for cell in cells))]


def _draw_steps(axes: Axes, steps: list[Step], subtitle: str) -> None:
    """A line and points for each step and for their sum."""
    handles = []
    for step in steps:
        axes.plot([x for x, _ in step.modelled], [y for _, y in step.modelled],
                  linewidth=2.2 if step is steps[-1] else 1.6, color=step.style.colour,
                  linestyle=step.style.dash, zorder=3)
        handles += axes.plot([x for x, _ in step.measured], [y for _, y in step.measured],
                             step.style.marker, markersize=6, color=step.style.colour, zorder=4)
    legend(axes, handles, [step.name for step in steps], subtitle)


def _data(steps: list[Step], title: str, subtitle: str, model: scaling.Model) -> Json:
    series = []
    for index, step in enumerate(steps):
        order = -1 if step is steps[-1] else index  # the sum has the ink's colour
        for shape, points in (("line", step.modelled), ("points", step.measured)):
            series.append({**line_json(step.name, order, [x for x, _ in points],
                                       [y for _, y in points], shape),
                           "source": "model" if shape == "line" else "measured"})
    data = lines_json(title, subtitle, {"title": "ranks", "scale": "log2"},
                      {"title": "Time of a search (ms)", "scale": "log"}, series)
    return {**data, "mark": {"x": model.base.rank_count, "name": "most ranks measured"}}


BARS = ("measured", "model")


def draw_stacks(model: scaling.Model, result: Json) -> Drawn:
    """The fitted steps on top of each other at each number of ranks, measured beside modelled."""
    cells = sorted(model.fitted, key=lambda cell: (cell.search.rank_count, cell.search.vertex_count))
    own = _cells_of(model, result)
    machine, title = machine_name(result, own), f"What a search is made of, {filled(model.name, own)}"
    places = [f"{cell.search.rank_count}, {cell.search.vertex_count} vertices" for cell in cells]
    stacks = {name: [(cell.steps[name].median_ns * 1e-6, model.fits[name].time_ns(cell.search) * 1e-6)
                     for cell in cells] for name in model.fits}
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        handles = _draw_stacks(axes, stacks, len(places))
        name_categories(axes, places)
        axes.set_xlabel("ranks; each time measured left, model right")
        axes.set_ylabel("Time of a search (ms)")
        legend(axes, handles, [name.replace("_", " ") for name in stacks], machine)
        finish(axes.figure, title)
    sums = [tuple(sum(times[index][bar] for times in stacks.values()) for bar in (0, 1))
            for index in range(len(places))]
    said = "; ".join(f"{place}: {measured:.3g} measured, {modelled:.3g} by the model"
                     for place, (measured, modelled) in zip(places, sums))
    return Drawn(axes.figure, title, "Median rank, all levels of a search, median over the sources: "
                 "measured left, by the model right.",
                 f"Stacked bars: {title}. Time of a search in ms by ranks on {machine}: {said}.", [],
                 _stacks_data(stacks, places, title, machine))


def _draw_stacks(axes: Axes, stacks: dict[str, list[tuple[float, float]]], count: int) -> list[Any]:
    handles = []
    for bar in (0, 1):
        bottoms = [0.0] * count
        for index, times in enumerate(stacks.values()):
            heights = [pair[bar] for pair in times]
            style = look(index)
            drawn = axes.bar([at + 0.4 * bar - 0.2 for at in range(count)], heights, 0.37,
                             bottom=bottoms, color=style.colour, hatch=style.hatch,
                             alpha=0.6 if bar else 1)
            bottoms = [low + height for low, height in zip(bottoms, heights)]
            handles += [drawn] if not bar else []
    return handles


def _stacks_data(stacks: dict[str, list[tuple[float, float]]], places: list[str], title: str,
                 subtitle: str) -> Json:
    series = [{"name": name.replace("_", " "), "look": index, "paper": False, "points": [
        {"x": place, "bar": bar, "y": rounded(time),
         "cell": f"{name.replace('_', ' ')}, {bar}, {place}"}
        for place, pair in zip(places, times) for bar, time in zip(BARS, pair)]}
              for index, (name, times) in enumerate(stacks.items())]
    return {"kind": "stacks", "title": title, "subtitle": subtitle, "bars": list(BARS),
            "x": {"title": "ranks", "scale": "names", "names": places},
            "y": {"title": "Time of a search (ms); measured left, model right", "scale": "linear"},
            "reference": None, "series": series, "missing": [], "samples": {}}
