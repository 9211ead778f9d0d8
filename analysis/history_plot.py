"""The times of one cell from result to result, as a small drawing with its steps marked."""

from __future__ import annotations

import html
import math
from typing import Optional, Sequence

from load import Json
from units import milliseconds

WIDTH, HEIGHT, MARGIN = 168, 34, 7
LEAST_SPAN = 0.1  # of the logarithm: times that hardly differ lie on a line


def history_plot(points: Sequence[Json], title: str) -> str:
    """Inline SVG: time on a logarithmic axis, results at equal distances, 95 % intervals as lines. Hollow
    points are in doubt. A bar marks a step."""
    values = [end for point in points for end in _ends(point)]
    low, high = math.log(min(values)), math.log(max(values))
    if high - low < LEAST_SPAN:
        middle = (low + high) / 2
        low, high = middle - LEAST_SPAN / 2, middle + LEAST_SPAN / 2

    def y(value: float) -> float:
        return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (math.log(value) - low) / (high - low),
                     1)

    marks, before = [], None
    for index, point in enumerate(points):
        x = round(MARGIN + (WIDTH - 2 * MARGIN) * index / max(1, len(points) - 1), 1)
        middle = y(point["wall_ns"]["median"])
        if point["step"]:
            marks.append(f'<line class="step" x1="{x}" x2="{x}" y1="0" y2="{HEIGHT}"/>')
        if before is not None:
            marks.append(f'<line class="tick" x1="{before[0]}" y1="{before[1]}" x2="{x}" '
                         f'y2="{middle}"/>')
        ends = _ends(point)
        marks.append(f'<line class="ours" x1="{x}" x2="{x}" y1="{y(ends[0])}" y2="{y(ends[-1])}"/>')
        marks.append(f'<circle class="{"doubt" if point["reason"] else "ours"}" cx="{x}" '
                     f'cy="{middle}" r="3"><title>{html.escape(_said(point))}</title></circle>')
        before = (x, middle)
    said = html.escape(f"{title}: {'; '.join(map(_said, points))}")
    return (f'<svg class="forest history" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
            f'aria-label="{said}">{"".join(marks)}</svg>')


def _ends(point: Json) -> list[float]:
    wall = point["wall_ns"]
    ends: list[Optional[float]] = [wall["ci95_low"], wall["median"], wall["ci95_high"]]
    return [end for end in ends if end]


def _said(point: Json) -> str:
    doubt = f", {point['reason']}" if point["reason"] else ""
    step = f", step: {point['step']}" if point["step"] else ""
    sha = (point["git_sha"] or point["version"])[:8]
    return f"{point['started_utc'][:10]} {sha}: {milliseconds(point['wall_ns']['median'])} ms{step}{doubt}"
