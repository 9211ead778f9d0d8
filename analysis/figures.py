"""The figures that an experiment asks for, drawn from one result with matplotlib.

The spec's `[figure]` (kind, x, series, relative_to, metric, x_scale, paper) decides what is drawn:
bars show the gain over `relative_to` in percent, 100 (t_first / t - 1); curves and heat maps show
time relative to it. Without `relative_to` all show the metric itself. Cells that
would stand at one place, because more varies than the figure shows, become figures of their own. Two
kinds show phase logs: `phases` a column against the number of the phase, one line a query (or a cell,
where there are several), `cumulative` the share of phases, or of the graph's arcs, up to a bound.
"""

from __future__ import annotations

from typing import Optional

import matplotlib

from canvas import STYLE, Drawn, finish, new_axes, render
from charts import draw_bars, draw_curve, draw_heatmap
from document import Picture
from load import Json, figure_specs
from log_charts import draw_log
from model_chart import draw_model
from naming import untimed_notes
from scene import Scene, facets, number_text, possible_kind, scene_of, selected

__all__ = ["Drawn", "draw", "draw_model", "picture", "refused", "render"]

MOST_PARTS = 8  # figures that one of the experiment's may become
MOST_CELLS = 1000  # that one figure shows: more take minutes, and nobody tells them apart


def draw(result: Json) -> list[Drawn]:
    """The experiment's figures, without those of which nothing was measured and those refused."""
    return [drawn for spec in figure_specs(result) for drawn in _draw_parts(spec, result)]


def refused(result: Json) -> list[str]:
    """Why figures that the experiment asks for are not drawn."""
    reasons = [(spec, _too_much(_parts(spec, result))) for spec in figure_specs(result)]
    return [f"Not drawn: {_title(spec, result)}: it would {why}" for spec, why in reasons if why]


def _too_much(parts: list[tuple[str, Json]]) -> str:
    """What is too much of a figure, and what to do; empty where it can be drawn."""
    most = max((len(part["cells"]) for _, part in parts), default=0)
    if len(parts) > MOST_PARTS:
        return (f"take {len(parts)} figures, one each for {parts[0][0]} and so on. Name an axis as "
                "`series` of the figure, or narrow it by `where`.")
    return f"show {most} cells. Narrow it by `where`." if most > MOST_CELLS else ""


def _title(spec: Json, result: Json) -> str:
    return spec.get("title") or result["experiment"]["title"]


def _parts(spec: Json, result: Json) -> list[tuple[str, Json]]:
    """What is drawn of a figure, a part each."""
    if not result["cells"]:
        return []
    result = selected(spec, result)
    return [("", result)] if spec["kind"] in ("phases", "cumulative") else facets(spec, result)


def _draw_parts(spec: Json, result: Json) -> list[Drawn]:
    parts = _parts(spec, result)
    if _too_much(parts):
        return []
    named = [({**spec, "title": f"{_title(spec, result)}: {name}"} if name else spec, part)
             for name, part in parts]
    return list(filter(None, (_draw(own, part) for own, part in named)))


def _draw(spec: Json, result: Json) -> Optional[Drawn]:
    if spec["kind"] in ("phases", "cumulative"):
        return draw_log(spec, result)
    kind, notes = possible_kind(spec, result)
    scene = scene_of(spec, kind, result, notes)
    scene.notes.extend(untimed_notes(result))
    if all(point.source for point in scene.points):  # the paper's alone say nothing of this machine
        return None
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        {"bars": draw_bars, "curve": draw_curve, "heatmap": draw_heatmap}[kind](axes, scene, spec)
        finish(axes.figure, scene.title)
    return Drawn(axes.figure, scene.title, spec.get("caption", ""), _alt(kind, scene), scene.notes)


def picture(drawn: Drawn, file: str) -> Picture:
    """A drawn figure as the file of this name in the report's folder of figures."""
    caption = " ".join(filter(None, [drawn.caption, *drawn.notes]))
    return Picture(render(drawn), f"figures/{file}.svg", drawn.alt, caption)


def _alt(kind: str, scene: Scene) -> str:
    """The figure in words: what it shows and, for up to 12 points, each measured value."""
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
