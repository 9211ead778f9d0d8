"""Bars, curves and heat maps of a scene, drawn on axes."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle
from matplotlib.ticker import MaxNLocator

from canvas import (GREY, HATCHES, INK, ON_DARK, ON_LIGHT, PAPER_MARKERS, WHITE, WIDTH_IN, Look,
                    legend, lighter, log2_x, log_y, look, make_room, name_categories, ratio_y,
                    wrapped)
from load import Json
from scene import NOT_MEASURED, Point, Scene, label_of, number_text

HOLLOW = "Hollow points have no interval."


def _whisker(axes: Axes, at: float, point: Point, colour: str, cap: float) -> None:
    """The point's interval. `max` absorbs the last digit's rounding."""
    axes.errorbar(at, point.value, [[max(0, point.value - point.low)],
                                    [max(0, point.high - point.value)]],
                  fmt="none", ecolor=colour, elinewidth=1.2, capsize=cap, zorder=3)


def _slots(scene: Scene) -> dict[str, list[tuple[str, str]]]:
    """The bars side by side at each x: (series, source). The paper's values of each series are
    beside its own bar."""
    series, sources = scene.series(), scene.sources()
    places = {name: place for place, name in enumerate(series)}
    slots: dict[str, list[tuple[str, str]]] = {x: [] for x in scene.xs()}
    for x, key in [*((p.x, (p.series, p.source)) for p in scene.points),
                   *((x, (name, "")) for x, name in scene.missing)]:
        if key not in slots[x]:
            slots[x].append(key)
    for keys in slots.values():
        keys.sort(key=lambda key: (places[key[0]], sources.index(key[1])))
    return slots


def _bar_style(scene: Scene, name: str, source: str) -> Json:
    order = scene.sources().index(source)
    several = len(list(filter(None, scene.series()))) > 1
    own = look(scene.series().index(name) if several else order)
    if source:
        return {"facecolor": lighter(own.colour, 0.62), "edgecolor": lighter(own.colour, 0.1),
                "linewidth": 0.6, "hatch": HATCHES[order % len(HATCHES)] if several else ""}
    if own.hatch:
        return {"facecolor": own.colour, "edgecolor": WHITE, "linewidth": 0, "hatch": own.hatch}
    return {"color": own.colour}


def _write(axes: Axes, text: str, place: tuple[float, float], down: bool, room_in: float,
           colour: str = INK) -> None:
    """A text above its place, or below it; upright if the room is too narrow."""
    upright = 0.09 * len(text) > 1.1 * room_in  # 10 pt digits are 0.09 inches wide
    if upright:
        axes.margins(y=0.2)
    axes.annotate(text, place, (0, -3 if down else 3), textcoords="offset points",
                  ha="center", va="top" if down else "bottom", fontsize=10, color=colour,
                  rotation=90 if upright else 0)


def draw_bars(axes: Axes, scene: Scene, spec: Json) -> None:
    xs, slots = scene.xs(), _slots(scene)
    points = {(p.x, p.series, p.source): p for p in reversed(scene.points)}
    width = 0.84 / max(len(keys) for keys in slots.values())
    category_in = 0.85 * WIDTH_IN / len(xs)
    crowded = sum(len(keys) for keys in slots.values()) > 26
    foot = 1 if scene.is_relative else 0
    handles: dict[str, Patch] = {}
    if scene.is_relative:
        ratio_y(axes, [end for p in scene.points for end in (p.low, p.value, p.high)
                       if end is not None])
    else:
        axes.margins(y=0.12)
    for index, x in enumerate(xs):
        room_in = category_in * (width if len(slots[x]) > 1 else 1)
        for slot, (name, source) in enumerate(slots[x]):
            at = index + (slot - (len(slots[x]) - 1) / 2) * width
            point = points.get((x, name, source))
            if point is None:
                _write(axes, scene.missing.get((x, name), NOT_MEASURED), (at, foot), False, room_in,
                       GREY)
                continue
            style = _bar_style(scene, name, source)
            axes.bar(at, point.value - foot, width * 0.92, bottom=foot, **style)
            handles.setdefault(label_of(name, source, scene), Patch(**style))
            if point.low is not None and point.high is not None:
                _whisker(axes, at, point, INK, max(1.5, min(4, 18 * width)))
            if not source and not crowded:
                down = point.value < foot
                end = point.low if down else point.high
                _write(axes, "reference" if point.is_reference else
                       number_text(point.value, scene),
                       (at, point.value if end is None else end), down, room_in)
    if not scene.is_relative:
        axes.set_ylim(bottom=0)
    axes.set_xlim(-0.55, len(xs) - 0.45)
    axes.set_xlabel(scene.x_title)
    axes.set_ylabel(scene.y_title)
    axes.tick_params(axis="x", length=0)
    _legend(axes, list(handles.values()), list(handles), scene)
    name_categories(axes, xs)
    make_room(axes)


def _legend(axes: Axes, handles: list, labels: list[str], scene: Scene) -> None:
    """A single series needs no name. The line at 1 has the reference's name."""
    if labels == [label_of("", "", scene)]:
        handles, labels = [], []
    if scene.is_relative:
        handles = [*handles, Line2D([], [], color=INK, linewidth=1)]
        labels = [*labels, f"1x: {scene.reference}"]
    legend(axes, handles, labels, scene.machine)


def _measured_line(axes: Axes, line: list[Point], style: Look, scene: Scene) -> list[Line2D]:
    """A series of this machine, with its intervals. Points without one are hollow."""
    xs, ys = [float(p.x) for p in line], [p.value for p in line]
    handles = axes.plot(xs, ys, linestyle=style.dash, marker=style.marker, markersize=5,
                        linewidth=2, color=style.colour, zorder=3)
    hollow = [p for p in line if not p.is_reference and None in (p.low, p.high)]
    axes.plot([float(p.x) for p in hollow], [p.value for p in hollow], style.marker, markersize=5,
              color=style.colour, markerfacecolor=WHITE, zorder=3.5)
    if hollow and HOLLOW not in scene.notes:
        scene.notes.append(HOLLOW)
    for p in line:
        if p not in hollow and not p.is_reference:
            _whisker(axes, float(p.x), p, style.colour, 3)
    axes.fill_between(xs, [p.value if p.low is None else p.low for p in line],
                      [p.value if p.high is None else p.high for p in line],
                      where=[p not in hollow for p in line], color=style.colour, alpha=0.18,
                      linewidth=0)
    return handles


def _paper_line(axes: Axes, line: list[Point], style: Look, order: int) -> list[Line2D]:
    """A series of the paper. `order` is its label's index, from 0."""
    return axes.plot([float(p.x) for p in line], [p.value for p in line], "--",
                     marker=PAPER_MARKERS[order % len(PAPER_MARKERS)], markersize=3.5,
                     linewidth=1.3, color=lighter(style.colour, 0.35))


def _ring_best(axes: Axes, scene: Scene, spec: Json) -> tuple[list[Line2D], list[str]]:
    """Rings the best measured point, and names it: never the paper's, and never the reference, which
    is 1 by definition."""
    is_rate = spec.get("metric", "").startswith(("teps.", "rates."))
    pick = max if is_rate else min
    own = [p for p in scene.points if not p.source]
    measured = [p for p in own if not p.is_reference]
    if not measured:
        return [], []
    best = pick(measured, key=lambda p: p.value)
    ring = axes.plot(float(best.x), best.value, "o", markersize=13, markerfacecolor="none",
                     markeredgecolor=INK, markeredgewidth=1.3, zorder=4)
    name = f"{'highest' if is_rate else 'lowest'} measured"
    if pick(p.value for p in own) != best.value:
        name += " beside the reference"
    return ring, [f"{name}, at {best.x}"
                  + (f", {best.series}" if len(scene.series()) > 1 else "")]


def draw_curve(axes: Axes, scene: Scene, spec: Json) -> None:
    handles: list[Line2D] = []
    labels: list[str] = []
    several = len(scene.series()) > 1
    for source_index, source in enumerate(scene.sources()):
        for series_index, name in enumerate(scene.series()):
            line = sorted((p for p in scene.points if (p.series, p.source) == (name, source)),
                          key=lambda p: float(p.x))
            if line:
                style = look(series_index if several else source_index)
                handles += _paper_line(axes, line, style, source_index - 1) if source else \
                    _measured_line(axes, line, style, scene)
                labels.append(label_of(name, source, scene))
    ring, ring_label = _ring_best(axes, scene, spec)
    if scene.is_relative:
        ratio_y(axes, [end for p in scene.points for end in (p.low, p.value, p.high)
                       if end is not None])
    elif spec.get("y_scale") == "log":
        log_y(axes)
    else:
        axes.set_ylim(bottom=0)
    if spec.get("x_scale") == "log2" and min(float(x) for x in scene.xs()) > 0:
        log2_x(axes)
    elif all(float(x).is_integer() for x in scene.xs()):
        axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True))
    axes.set_xlabel(scene.x_title)
    axes.set_ylabel(scene.y_title)
    _legend(axes, handles + ring, labels + ring_label, scene)


def draw_heatmap(axes: Axes, scene: Scene, spec: Json) -> None:
    xs, rows = scene.xs(), scene.series()
    values = {(p.x, p.series): p.value for p in scene.points}
    grid = [[values.get((x, row), float("nan")) for x in xs] for row in rows]
    image = axes.imshow(grid, cmap="cividis", aspect="auto")
    axes.grid(False)
    for row, name in enumerate(rows):
        for column, x in enumerate(xs):
            if (x, name) not in values:
                axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=WHITE,
                                         edgecolor=GREY, hatch="///", linewidth=0))
                text = scene.missing.get((x, name), NOT_MEASURED).replace(" ", "\n")
                colour = INK
            else:
                text = number_text(values[x, name], scene)
                colour = ON_DARK if image.norm(values[x, name]) < 0.5 else ON_LIGHT
            if len(xs) <= 12:
                axes.text(column, row, text, ha="center", va="center", color=colour,
                          fontsize=11 if len(xs) <= 8 else 9,
                          bbox={"facecolor": WHITE, "edgecolor": "none", "pad": 1}
                          if (x, name) not in values else None)
    names = [wrapped(row, 30) for row in rows]
    axes.set_yticks(range(len(rows)), ["\n".join(lines) for lines in names],
                    fontsize=12 if len(rows) <= 12 else 9)
    axes.tick_params(length=0)
    axes.set_xlabel(scene.x_title)
    axes.figure.colorbar(image, ax=axes, label=scene.y_title)
    axes.set_title(scene.machine, loc="left", fontsize=11, color=GREY)
    row_in = max(0.45, 0.22 * max(map(len, names)))
    axes.figure.set_size_inches(WIDTH_IN, max(3.2, min(11, 1.8 + row_in * len(rows))))
    # The rows' names and, at the right, the colours are beside the cells.
    names_in = 0.11 * max(len(line) for lines in names for line in lines)
    name_categories(axes, xs, max(1.5, WIDTH_IN - 1.4 - names_in))
