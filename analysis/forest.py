"""A forest plot's row: our value as a point with its interval, the paper's as a band. All rows share
an axis of ratios. The style sheet colours it."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Iterable, Optional

from load import Json

WIDTH, HEIGHT, MARGIN, TICKS = 208, 18, 16, 12  # of the plot; TICKS: room for the axis's numbers
FARTHEST = 3  # doublings on each side of 1 that an axis has at most


@dataclass(frozen=True)
class Effect:
    """A value, its interval and the paper's range as ratios. None for an end that does not exist."""

    value: float
    low: Optional[float]
    high: Optional[float]
    paper_low: Optional[float]
    paper_high: Optional[float]

    @property
    def has_paper(self) -> bool:
        return (self.paper_low, self.paper_high) != (None, None)


@dataclass(frozen=True)
class Axis:
    """Logarithmic, from 2^low to 2^high."""

    low: int
    high: int

    def at(self, value: float) -> float:
        """The place of a ratio, in the plot's units; beyond an end, that end."""
        share = (math.log2(value) - self.low) / (self.high - self.low)
        return round(MARGIN + (WIDTH - 2 * MARGIN) * min(max(share, 0), 1), 1)

    def holds(self, value: float) -> bool:
        return self.low <= math.log2(value) <= self.high


def effect_of(row: Optional[Json]) -> Optional[Effect]:
    """The row as ratios. A single cell's value is divided by the paper's figure. None: there is
    nothing to draw."""
    if row is None or not _positive(row["value"]):
        return None
    paper = [_positive(row["paper_low"]), _positive(row["paper_high"])]
    if paper == [None, None]:
        paper = [_positive(row["paper"])] * 2
    scale: Optional[float] = 1.0
    if row["denominator"] is None:
        ends = [end for end in paper if end]
        scale = _positive(row["paper"]) or (math.sqrt(ends[0] * ends[-1]) if ends else None)
    elif paper == [None, None]:  # the sentence names a direction alone
        paper = [None, 1.0] if row.get("range_low") == 0 else \
            [1.0, None] if row.get("range_low") else paper
    if scale is None:
        return None
    value, low, high, *paper = [
        _positive(end) and end / scale
        for end in (row["value"], row["ci95_low"], row["ci95_high"], *paper)]
    return Effect(value, low, high, *paper)


def _positive(value: Optional[float]) -> Optional[float]:
    return value if value is not None and value > 0 else None


def axis_of(effects: Iterable[Optional[Effect]]) -> Axis:
    """The axis for these rows, within its limits."""
    ends = [math.log2(end) for effect in effects if effect
            for end in (effect.value, effect.low, effect.high, effect.paper_low, effect.paper_high)
            if end]
    return Axis(max(-FARTHEST, math.floor(min([-1.0, *ends]))),
                min(FARTHEST, math.ceil(max([1.0, *ends]))))


def _svg(marks: str, height: int, words: str) -> str:
    said = html.escape(words)
    return (f'<svg class="forest" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{said}">'
            f"<title>{said}</title>{marks}</svg>")


def _line(kind: str, x: float, end: float, top: float, bottom: float) -> str:
    return f'<line class="{kind}" x1="{x}" x2="{end}" y1="{top}" y2="{bottom}"/>'


def _numbers(axis: Axis, y: float) -> str:
    step = 1 if axis.high - axis.low < 5 else 2  # numbers have room
    return "".join(f'<text x="{axis.at(2.0**power)}" y="{y}">{2.0**power:g}x</text>'
                   for power in range(axis.low, axis.high + 1) if power % step == 0)


def ruler(axis: Axis) -> str:
    """Only the axis's numbers, for the head of a table."""
    return _svg(_numbers(axis, 10), TICKS, "axis of ratios, logarithmic: 1x is as much as the other")


def row_plot(effect: Effect, axis: Axis, words: str) -> str:
    """One row, with the axis's numbers below if the table has no head."""
    middle = HEIGHT / 2
    marks = ""
    if effect.has_paper:
        left = axis.at(effect.paper_low) if effect.paper_low else MARGIN
        right = axis.at(effect.paper_high) if effect.paper_high else WIDTH - MARGIN
        thin = max(0.0, 4 - (right - left))  # a single figure has a width that people see
        marks += (f'<rect class="band" x="{left - thin / 2:g}" y="1" '
                  f'width="{right - left + thin:g}" height="{HEIGHT - 2}"/>')
    for power in range(axis.low, axis.high + 1):
        x = axis.at(2.0**power)
        marks += _line("tick" if power else "one", x, x, 0, HEIGHT)
    ends = (effect.low or effect.value, effect.high or effect.value)
    marks += "".join(_arrow(end, axis, middle) for end in dict.fromkeys(ends)
                     if not axis.holds(end))
    left, right = map(axis.at, ends)
    marks += _line("ours", left, right, middle, middle)
    if axis.holds(effect.value):
        marks += f'<circle class="ours" cx="{axis.at(effect.value)}" cy="{middle:g}" r="3.5"/>'
    return _svg(marks + f'<g class="numbers">{_numbers(axis, HEIGHT + 10)}</g>', HEIGHT + TICKS,
                words)


def _arrow(end: float, axis: Axis, middle: float) -> str:
    """At the axis's edge: the value lies beyond it."""
    x, way = axis.at(end), 1 if math.log2(end) > axis.high else -1
    return (f'<path class="ours" d="M{x + 9 * way:g} {middle:g}l{-8 * way} -5v10z"/>')
