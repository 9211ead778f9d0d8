"""Common parts of all figures: style, colours, a figure to draw on, its legend and its labels."""

from __future__ import annotations

import io
import json
import math
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Optional

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, LogLocator, NullLocator

# Okabe and Ito's six colours, then six that keep the same distance from all others (CIE 1976 distance of 15) under
# every common colour blindness. The page's script reads them from the same file.
_COLOURS = json.loads((Path(__file__).parent / "colours.json").read_text())
COLOURS = tuple(_COLOURS["series"]["light"])
MOST_TICKS = 7  # of an axis of ratios
PALETTE = 6  # series of one marker, line and hatch
MARKERS = ("o", "^", "D", "v")
DASHES = ("-", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))
HATCHES = ("", "///", "...", "xxx", "\\\\\\", "++")
PAPER_MARKERS = ("s", "P", "X", "*")
WHITE, INK, GREY, LINE = (_COLOURS["page"]["light"][name]
                          for name in ("paper", "ink", "soft", "line"))
STYLE = {
    "font.family": "DejaVu Sans", "font.size": 12, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid.axis": "y", "axes.grid": True, "axes.axisbelow": True,
    "grid.color": LINE, "text.color": INK, "axes.edgecolor": INK, "axes.labelcolor": INK,
    "xtick.color": INK, "ytick.color": INK, "hatch.color": INK, "legend.frameon": False, "legend.fontsize": 11,
    "hatch.linewidth": 0.6, "axes.unicode_minus": False,
    "text.hinting": "none",  # text is as large as in an SVG, at every resolution
    "svg.hashsalt": "bellmark", "svg.fonttype": "path",
}
LABELS_IN = 1.3  # below the axes, of a figure that has not grown
ON_DARK, ON_LIGHT = "#fefefe", "#010101"  # letters on a colour, which is the same in every theme
WIDTH_IN = 7.2  # at 100 % of a phone's width, 12 pt are still legible


@dataclass
class Drawn:
    """A drawn figure, its caption, its words for readers who cannot see it, notes on its values, and the
    data for the page's script (None: none)."""

    figure: Figure
    title: str
    caption: str
    alt: str
    notes: list[str] = field(default_factory=list)
    data: Optional[dict[str, Any]] = None


class Look(NamedTuple):
    """The look that tells a series from others. No two of the first 24 share all of it, and series of the
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
    """Adds the title and fixes the places of all parts."""
    figure.suptitle(textwrap.fill(title, 62), x=0.01, ha="left", fontsize=13, fontweight="bold")
    for _ in range(2):  # the second pass sees the first one's tick labels
        figure.draw_without_rendering()
    figure.set_layout_engine("none")  # each rendering would move the layout a little


def render(drawn: Drawn) -> bytes:
    """The figure as SVG, on white and with its letters as paths. The same figure gives the same
    bytes."""
    return _svg(drawn, {})


def render_for_page(drawn: Drawn) -> bytes:
    """The figure as SVG that is dark where the reader's pages are, with letters as text."""
    svg = _svg(drawn, {"svg.fonttype": "none"}).replace(
        b"'DejaVu Sans'", b"'DejaVu Sans', Verdana, sans-serif")
    themes: dict[str, list[str]] = {"light": [], "dark": []}
    for number, (light, dark) in enumerate(zip(_theme("light"), _theme("dark"))):
        svg = svg.replace(light.encode(), b"var(--c%d)" % number)
        themes["light"].append(f"--c{number}:{light}")
        themes["dark"].append(f"--c{number}:{dark}")
    style = f"svg{{{';'.join(themes['light'])}}}@media(prefers-color-scheme:dark)" \
            f"{{svg{{{';'.join(themes['dark'])}}}}}"
    return svg.replace(b"</style>", style.encode() + b"</style>", 1)


def _theme(name: str) -> list[str]:
    return [*_COLOURS["series"][name], *_COLOURS["page"][name].values()]


def _svg(drawn: Drawn, style: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with matplotlib.rc_context({**STYLE, **style}):
        drawn.figure.savefig(buffer, format="svg", facecolor=WHITE,
                             metadata={"Date": None, "Creator": None})
    return compact(buffer.getvalue())


def compact(svg: bytes) -> bytes:
    """Without a DTD on the network and a metadata block; coordinates to a hundredth of a point."""
    svg = re.sub(rb"<!DOCTYPE.*?>\s*|<metadata>.*?</metadata>\s*", b"", svg, flags=re.DOTALL)
    # Factors of scale() are small numbers, and need all their digits. So do texts, and comments, which repeat them.
    return re.sub(rb"<!--.*?-->|>[^<]+|scale\([^)]*\)|\d+\.\d{3,}", _shorter, svg, flags=re.DOTALL)


def _shorter(match: re.Match[bytes]) -> bytes:
    text = match.group()
    if not text[:1].isdigit():
        return text
    return (b"%.2f" % float(text)).rstrip(b"0").rstrip(b".")


def legend(axes: Axes, handles: list, labels: list[str], subtitle: str) -> None:
    """The subtitle, and below it the series, left-aligned above the axes. The longest label decides the
    number of columns. The figure grows with the rows, so that the axes keep their height."""
    columns = max(1, min(3, 72 // (max(map(len, labels), default=0) + 5)))
    texts = [textwrap.fill(label, 68) for label in labels]
    title = textwrap.fill(subtitle, 76)
    axes.legend(handles, texts, loc="lower left", bbox_to_anchor=(0, 1.01), ncol=columns,
                borderaxespad=0, handlelength=1.8, columnspacing=1.4, title=title,
                title_fontproperties={"size": 11}, alignment="left")
    axes.get_legend().get_title().set_color(GREY)
    line_count = -(-sum(1 + label.count("\n") for label in texts) // columns)
    axes.figure.set_size_inches(WIDTH_IN, 3.7 + 0.24 * (line_count + 1 + title.count("\n")))


def log_y(axes: Axes) -> None:
    """Labels at 1, 2 and 5 of each decade, or at 1 where there are many."""
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    is_wide = high / low > 1e3
    axes.yaxis.set_major_locator(LogLocator(subs=(1,) if is_wide else (1, 2, 5)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_locator(NullLocator())


def ratio_y(axes: Axes, values: list[float]) -> None:
    """A logarithmic axis of ratios (0.5x, 1x, 2x) with a line at 1."""
    low, high = min([1 / 1.1, *values]), max([1.1, *values])
    room = (high / low) ** 0.08
    axes.set_yscale("log")
    axes.set_ylim(low / room, high * room)
    axes.yaxis.set_major_locator(FixedLocator(ratio_ticks(low, high)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    axes.yaxis.set_minor_locator(NullLocator())
    axes.axhline(1, color=INK, linewidth=1, zorder=2)


def make_room(axes: Axes) -> None:
    """Widens the y axis until all texts on it lie within. Margins only consider bars and whiskers."""
    scale = axes.yaxis.get_transform()
    gap = 0.06 * axes.figure.dpi  # other programs' fonts may be a little wider
    for _ in range(3):  # wider limits move the texts
        axes.figure.draw_without_rendering()
        frame = axes.get_window_extent()
        boxes = [text.get_window_extent() for text in axes.texts]
        above = max([0.0, *(box.y1 + gap - frame.y1 for box in boxes)])
        below = max([0.0, *(frame.y0 + gap - box.y0 for box in boxes)])
        if axes.get_ylim()[0] == 0:
            below = 0.0  # bars stand on the axis
        if above < 1 and below < 1:
            return
        low, high = scale.transform(axes.get_ylim())
        a_pixel = 1.1 * (high - low) / frame.height
        axes.set_ylim(*scale.inverted().transform([low - below * a_pixel, high + above * a_pixel]))


def ratio_ticks(low: float, high: float) -> list[float]:
    """Ticks of a logarithmic axis of ratios, 1 among them: at equal steps if it is narrow, else
    powers of 2, 10 or 100."""
    ticks: list[float] = []
    for step in (0.02, 0.05, 0.1, 0.2):
        ticks = [round(1 + step * count, 2) for count in range(
            math.ceil((low - 1) / step), math.floor((high - 1) / step) + 1)]
        if len(ticks) <= MOST_TICKS:
            return ticks
    for base in (2.0, 10.0, 100.0):
        ticks = [base**power for power in range(
            math.ceil(math.log(low, base)), math.floor(math.log(high, base)) + 1)]
        if len(ticks) <= MOST_TICKS:
            break
    return ticks


def log2_x(axes: Axes) -> None:
    """A label at each power of two, as a plain number."""
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_locator(NullLocator())


def wrapped(text: str, room: int) -> list[str]:
    """Lines of at most `room` characters. They break after blanks, commas, colons or slashes, and a
    longer word stays whole."""
    lines = [""]
    for word in filter(None, re.split(r"(?<=[ ,:/])", text)):
        if lines[-1] and len(lines[-1]) + len(word.rstrip()) > room:
            lines.append("")
        lines[-1] += word
    return [line.strip() for line in lines]


def name_categories(axes: Axes, xs: list[str], width_in: float = 0.85 * WIDTH_IN) -> None:
    """Tick labels that don't overlap: wrapped, then upright, then only some. The figure grows with
    them, so that the axes keep their height."""
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
