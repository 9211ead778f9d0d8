"""The figures that an experiment asks for, drawn from one result with matplotlib.

The spec's `[figure]` (kind, x, series, relative_to, metric, x_scale, paper) decides the contents. With
`relative_to` all show time relative to that cell, without it the metric itself. If more axes vary than
the figure shows, cells in one place become figures of their own. Two kinds show phase logs: `phases` a
column against the number of the phase, with one line for each query (or each cell, if there are
several), `cumulative` the share of phases, or of the graph's arcs, up to a bound.
"""

from __future__ import annotations

from typing import Optional

import matplotlib

from canvas import STYLE, Drawn, finish, new_axes, render, render_for_page
from charts import draw_bars, draw_curve, draw_heatmap
from document import Picture
from load import Json, figure_specs
from log_charts import draw_log
from model_chart import draw_model, draw_stacks
from naming import untimed_notes
from scene import Scene, facets, number_text, possible_kind, scene_of, selected
from scene_json import scene_json
from topology_chart import draw_topology

__all__ = ["Drawn", "draw", "draw_model", "draw_stacks", "picture", "refused", "render"]

LOG_KINDS = ("phases", "cumulative")
MOST_PARTS = 8  # figures that one of the experiment's may become
MOST_CELLS = 500  # of one figure: more are no picture, and take minutes to draw


def draw(result: Json) -> list[Drawn]:
    """The experiment's figures, without refused ones and ones without measurements, and the machine with
    the times of a sweep over its cores."""
    drawn = [part for spec in figure_specs(result) for part in _draw_parts(spec, result)]
    machine = draw_topology(result)
    return drawn + [machine] if machine else drawn


def refused(result: Json) -> list[str]:
    """Why figures of the experiment are not drawn; for a figure with one value, the value."""
    said = []
    for spec in figure_specs(result):
        parts = _parts(spec, result)
        if len(parts) > MOST_PARTS:
            said.append(f"Not drawn: {_title(spec, result)}: it would take {len(parts)} figures, "
                        f"one each for {parts[0][0]} and so on. Name an axis as `series` of the "
                        "figure, or narrow it by `where`.")
        elif spec["kind"] not in LOG_KINDS:
            said += filter(None, (_in_words(own, part) for own, part in _named(spec, result)))
    return said


def _in_words(spec: Json, result: Json) -> str:
    """The text in place of a figure with one value, or with too many; "" for others."""
    if len(result["cells"]) > MOST_CELLS:
        return (f"Not drawn: {_title(spec, result)}: {len(result['cells'])} cells are too many for "
                "a figure. Narrow it by `where`.")
    scene = _scene(spec, result)[1]
    if len(scene.points) != 1 or scene.points[0].source:
        return ""
    value = f"{' '.join(scene.y_title.split())}: {number_text(scene.points[0].value, scene)}"
    return " ".join([f"{scene.title}: {value}, on {scene.machine}.", *scene.notes])


def _title(spec: Json, result: Json) -> str:
    return spec.get("title") or result["experiment"]["title"]


def _parts(spec: Json, result: Json) -> list[tuple[str, Json]]:
    """The parts of a figure, each drawn separately."""
    if not result["cells"]:
        return []
    result = selected(spec, result)
    return [("", result)] if spec["kind"] in LOG_KINDS else facets(spec, result)


def _draw_parts(spec: Json, result: Json) -> list[Drawn]:
    named = _named(spec, result)
    if len(named) > MOST_PARTS:
        return []
    return list(filter(None, (_draw(own, part) for own, part in named)))


def _named(spec: Json, result: Json) -> list[tuple[Json, Json]]:
    """The parts, each with a figure that has its name in the title."""
    return [({**spec, "title": f"{_title(spec, result)}: {name}"} if name else spec, part)
            for name, part in _parts(spec, result)]


def _scene(spec: Json, result: Json) -> tuple[str, Scene]:
    """The possible kind of figure, and its contents."""
    kind, notes = possible_kind(spec, result)
    scene = scene_of(spec, kind, result, notes)
    scene.notes.extend(untimed_notes(result))
    return kind, scene


def _draw(spec: Json, result: Json) -> Optional[Drawn]:
    if len(result["cells"]) > MOST_CELLS:
        return None
    if spec["kind"] in LOG_KINDS:
        return draw_log(spec, result)
    kind, scene = _scene(spec, result)
    # The paper's values alone say nothing of this machine, and one value is a sentence (`refused`).
    if all(point.source for point in scene.points) or len(scene.points) == 1:
        return None
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        {"bars": draw_bars, "curve": draw_curve, "heatmap": draw_heatmap}[kind](axes, scene, spec)
        finish(axes.figure, scene.title)
    return Drawn(axes.figure, scene.title, spec.get("caption", ""), _alt(kind, scene), scene.notes,
                 scene_json(kind, scene, spec, result))


def picture(drawn: Drawn, file: str) -> Picture:
    """A drawn figure as the file of this name in the report's folder of figures."""
    caption = " ".join(filter(None, [drawn.caption, *drawn.notes]))
    return Picture(render(drawn), f"figures/{file}.svg", drawn.alt, caption,
                   render_for_page(drawn), drawn.data)


def _alt(kind: str, scene: Scene) -> str:
    """The figure in words: its contents and, for up to 12 points, each measured value."""
    unit = " ".join(scene.y_title.split())
    measured = [p for p in scene.points if not p.source]
    name = {"bars": "Bar chart", "curve": "Line chart", "heatmap": "Heat map"}[kind]
    sentence = f"{name}: {scene.title}. {unit} on {scene.machine}"
    if len(measured) <= 12:
        sentence += ": " + "; ".join(
            f"{' '.join(filter(None, (p.x, p.series)))}: {number_text(p.value, scene)}"
            for p in measured)
    else:
        lowest, highest = (pick(measured, key=lambda p: p.value) for pick in (min, max))
        said = [f"{number_text(p.value, scene)} at {p.x} {p.series}" for p in (lowest, highest)]
        sentence += f": from {' to '.join(said)}".rstrip()
    papers = scene.sources()[1:]
    return sentence + (f". Beside it the paper's values for {', '.join(papers)}." if papers
                       else ".")
