"""The candidates of `bellmark tune`: every candidate's time beside the default's, and the chosen one
on queries that the search had not seen."""

from __future__ import annotations

import re
from typing import Optional, Sequence

import matplotlib

from canvas import STYLE, Drawn, finish, new_axes
from charts import draw_bars, draw_curve
from load import Json, as_number, axis_text, ratio
from naming import graph_names, machine_name
from scene import Point, Scene
from scene_json import scene_json

TRAINING, HELD_OUT = "training", "held out"


def draw_tunings(results: Sequence[Json]) -> list[Drawn]:
    """A figure for each search whose rounds are among the results."""
    searches: dict[tuple, list[Json]] = {}
    for result in results:
        step = re.fullmatch(r"tune/(.+)/(training|held-out)", result["experiment"]["id"])
        if step and result["cells"]:
            place = (step[1], result["cells"][0]["graph"], result["experiment"]["placement"],
                     result["environment"].get("host_name"))
            searches.setdefault(place, []).append(result)
    drawn = (_draw(search) for search in searches.values()
             if any(_step(result) == TRAINING for result in search))
    return [figure for figure in drawn if figure]


def _step(result: Json) -> str:
    return TRAINING if result["experiment"]["id"].endswith("/training") else HELD_OUT


def _draw(search: list[Json]) -> Optional[Drawn]:
    search = sorted(search, key=lambda result: result["provenance"]["started_utc"])
    cells = [cell for result in search for cell in result["cells"]]
    keys = [key for key in cells[0]["parameters"]
            if len({axis_text(cell["parameters"].get(key, "")) for cell in cells}) > 1]
    if not keys:
        return None
    is_curve = len(keys) == 1 and all(
        as_number(cell["parameters"].get(keys[0])) is not None for cell in cells)
    points: dict[tuple[str, str], Point] = {}  # a later round asked more queries
    default = ""
    for result in search:
        base = next((cell for cell in result["cells"]
                     if cell["id"] == result["experiment"]["baseline"]), None)
        if base is None:
            continue
        default = _settings(base, keys)
        for cell in result["cells"]:
            found = _point(cell, base, result, keys, is_curve)
            if found and (_step(result) == TRAINING or cell is not base):
                points[found.x, found.series] = found
    if len(points) < 2:
        return None
    family = search[0]["experiment"]["id"].split("/", 1)[1].rsplit("/", 1)[0]
    scene = Scene(
        title=f"What tuning {family} tried", x_title=keys[0] if is_curve else "",
        y_title="Time relative to\nthe default",
        machine=", ".join([machine_name(search[0]), *graph_names(search[0])]),
        names={TRAINING: "training queries", HELD_OUT: "chosen, on held-out queries"},
        reference=f"the default, {default}", points=list(points.values()), missing={}, notes=[],
        is_numeric=is_curve)
    kind, spec = "curve" if is_curve else "bars", {"x_scale": _x_scale(scene)}
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        (draw_curve if is_curve else draw_bars)(axes, scene, spec)
        finish(axes.figure, scene.title)
    tried = len({point.x for point in scene.points})
    return Drawn(axes.figure, scene.title, "Each candidate as the last round that held it measured "
                 "it.", f"{scene.title}: {tried} settings on {scene.machine}, as times relative to "
                 f"{scene.reference}.", scene.notes, scene_json(kind, scene, spec, search[0]))


def _x_scale(scene: Scene) -> str:
    numbers = [float(x) for x in scene.xs()] if scene.is_numeric else []
    return "log2" if numbers and min(numbers) > 0 and max(numbers) >= 8 * min(numbers) else "linear"


def _settings(cell: Json, keys: list[str]) -> str:
    return ", ".join(f"{key}={axis_text(cell['parameters'].get(key, ''))}" for key in keys)


def _point(cell: Json, base: Json, result: Json, keys: list[str],
           is_curve: bool) -> Optional[Point]:
    """The candidate beside the default of its round; None if nothing was measured."""
    x = axis_text(cell["parameters"][keys[0]]) if is_curve else _settings(cell, keys)
    if cell is base:
        return Point(x, _step(result), 1.0, is_reference=True, cell=cell)
    found = ratio(cell, base, result)
    if found is None:
        return None
    return Point(x, _step(result), found.value, found.low, found.high, cell=cell)
