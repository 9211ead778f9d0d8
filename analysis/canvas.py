"""What all figures share: style, colours, a figure to draw on, its legend and its labels."""

from __future__ import annotations

import io
import re
import textwrap
from dataclasses import dataclass, field
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

# Okabe and Ito's six colours, then six that keep as far from all others (CIE 1976 distance of 15)
# under every common colour blindness.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9",
           "#A00000", "#8A2BE2", "#556B2F", "#D4B483", "#004D40", "#5E2CA5")
PALETTE = 6  # series of one marker, line and hatch
MARKERS = ("o", "^", "D", "v")
DASHES = ("-", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "++")
PAPER_MARKERS = ("s", "P", "X", "*")
GREY = "#595959"
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 12, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid.axis": "y", "axes.grid": True, "axes.axisbelow": True,
    "grid.color": "#DDDDDD", "legend.frameon": False, "legend.fontsize": 11,
    "hatch.linewidth": 0.6, "axes.unicode_minus": False,
    "text.hinting": "none",  # text is as large as in an SVG, at every resolution
    "svg.hashsalt": "bellmark", "svg.fonttype": "path",
}
LABELS_IN = 1.3  # below the axes, of a figure that has not grown
WIDTH_IN = 7.2  # at 100 % of a phone's width, 12 pt are still legible


@dataclass
class Drawn:
    """A drawn figure, its caption, its words for who cannot see it, and notes on its values."""

    figure: Figure
    title: str
    caption: str
    alt: str
    notes: list[str] = field(default_factory=list)


class Look(NamedTuple):
    """How a series is told from others: no two of the first 24 share all of it, and series of the
    same group (six at a time) differ by colour."""

    colour: str
    marker: str
    dash: object
    hatch: str


def look(index: int) -> Look:
    """The series' look by its place in the legend."""
    group = index // PALETTE
    return Look(COLOURS[index % len(COLOURS)], MARKERS[group % len(MARKERS)],
                DASHES[group % len(DASHES)], HATCHES[group % 4])


def lighter(colour: str, share: float) -> tuple[float, float, float]:
    """The colour mixed with `share` of white."""
    red, green, blue = matplotlib.colors.to_rgb(colour)
    return tuple(channel + (1 - channel) * share for channel in (red, green, blue))


def new_axes() -> Axes:
    """The axes of a new figure; call it, draw and finish within `rc_context(STYLE)`."""
    return Figure(figsize=(WIDTH_IN, 4.4), constrained_layout=True).add_subplot()


def finish(figure: Figure, title: str) -> None:
    """Adds the title and settles where everything stands."""
    figure.suptitle(textwrap.fill(title, 62), x=0.01, ha="left", fontsize=13, fontweight="bold")
    for _ in range(2):  # the second pass sees the first one's tick labels
        figure.draw_without_rendering()
    figure.set_layout_engine("none")  # each rendering would move the layout a little


def render(drawn: Drawn) -> bytes:
    """The figure as SVG; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        drawn.figure.savefig(buffer, format="svg", facecolor="white",
                             metadata={"Date": None, "Creator": None})
    return compact(buffer.getvalue())


def compact(svg: bytes) -> bytes:
    """Without a DTD on the network and a metadata block; coordinates to a hundredth of a point."""
    svg = re.sub(rb"<!DOCTYPE.*?>\s*|<metadata>.*?</metadata>\s*", b"", svg, flags=re.DOTALL)
    # Factors of scale() are small numbers, and need all their digits; comments hold the texts.
    return re.sub(rb"<!--.*?-->|scale\([^)]*\)|\d+\.\d{3,}", _shorter, svg)


def _shorter(match: re.Match[bytes]) -> bytes:
    text = match.group()
    if not text[:1].isdigit():
        return text
    return (b"%.2f" % float(text)).rstrip(b"0").rstrip(b".")


def legend(axes: Axes, handles: list, labels: list[str]) -> None:
    """Above the axes, left-aligned, in as many columns as the longest label allows; the figure
    grows with the rows, so that the axes keep their height."""
    columns = max(1, min(3, 72 // (max(map(len, labels)) + 5)))
    texts = [textwrap.fill(label, 68) for label in labels]
    axes.legend(handles, texts, loc="lower left", bbox_to_anchor=(0, 1.01), ncol=columns,
                borderaxespad=0, handlelength=1.8, columnspacing=1.4)
    line_count = -(-sum(1 + label.count("\n") for label in texts) // columns)
    axes.figure.set_size_inches(WIDTH_IN, 3.7 + 0.24 * line_count)


def log_y(axes: Axes) -> None:
    """Labels at 1, 2 and 5 of each decade, or at 1 where there are many."""
    low, high = axes.get_ylim()
    axes.set_yscale("log")
    is_wide = low <= 0 or high / low > 1e3
    axes.yaxis.set_major_locator(LogLocator(subs=(1,) if is_wide else (1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_locator(NullLocator())


def log2_x(axes: Axes) -> None:
    """A label at each power of two, as a plain number."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_locator(NullLocator())


def wrapped(text: str, room: int) -> list[str]:
    """Lines of at most `room` characters where the text has blanks, commas, colons or slashes to
    break behind; a longer word stays whole."""
    lines = [""]
    for word in filter(None, re.split(r"(?<=[ ,:/])", text)):
        if lines[-1] and len(lines[-1]) + len(word.rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines]


def name_categories(axes: Axes, xs: list[str], width_in: float = 0.85 * WIDTH_IN) -> None:
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
                   if max(len(wrapped(x, width)) for x in xs) <= line_count)
    labels = [wrapped(x, room) for x in xs]
    axes.set_xticks(range(0, len(xs), step), ["\n".join(lines) for lines in labels[::step]],
                    rotation=90 if upright else 0, fontsize=size,
                    multialignment="right" if upright else "center")
    taken_in = max(letter_in * max(map(len, lines)) if upright else line_in * len(lines)
                   for lines in labels)
    width, height = axes.figure.get_size_inches()
    axes.figure.set_size_inches(width, height + max(0.0, taken_in - LABELS_IN))
