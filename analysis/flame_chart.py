"""A profile as a flame graph. The width of a function is the cost of it and of the functions that it
called, which are above it (Gregg, The Flame Graph, CACM 59(6), 2016)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Iterator

import matplotlib
from matplotlib.patches import Rectangle

from canvas import COLOURS, GREY, INK, STYLE, WHITE, WIDTH_IN, Drawn, finish, lighter, new_axes
from load import Json
from naming import cell_label, machine_name

LEAST = 0.002  # of the whole: narrower ones are left out
MOST_LEVELS = 24
SIGN = re.compile(r"operator(?:[<>]=|<<|>>|->|<=>|[<>]|\(\))|\(anonymous namespace\)")
CHARACTERS = 96  # of a label as wide as the figure


@dataclass
class Frame:
    """A function with its callees, and the cost of all of them."""

    name: str
    count: int = 0
    callees: dict[str, Frame] = field(default_factory=dict)


@dataclass(frozen=True)
class Bar:
    """A frame's place: from 0 to 1 across, levels from 0 up."""

    name: str
    left: float
    width: float
    level: int


def tree(stacks: list[Json]) -> Frame:
    """All stacks as one tree. Its root is not a function."""
    root = Frame("all")
    for row in stacks:
        frame = root
        frame.count += row["count"]
        for name in row["stack"].split(";"):
            frame = frame.callees.setdefault(name, Frame(name))
            frame.count += row["count"]
    return root


def bars(root: Frame) -> list[Bar]:
    """The place of each frame. Callees of a frame are ordered by name, so that the same profile always
    looks the same. A chain of single callees from the root on is left out."""
    while len(root.callees) == 1 and (only := next(iter(root.callees.values()))).callees:
        root = only
    return list(_bars(root, 0.0, 0, root.count)) if root.count else []


def _bars(frame: Frame, left: float, level: int, total: int) -> Iterator[Bar]:
    for name in sorted(frame.callees):
        callee = frame.callees[name]
        width = callee.count / total
        if width >= LEAST and level < MOST_LEVELS:
            yield Bar(name, left, width, level)
            yield from _bars(callee, left, level + 1, total)
        left += width


def short(name: str) -> str:
    """A function's name without arguments: `Search<Options{4, true}>::run(int)` is `Search::run`."""
    kept, depth, place = [], 0, 0
    while place < len(name):
        sign = SIGN.match(name, place)
        if sign:  # `operator<<`, `(anonymous namespace)`
            kept.append("" if depth else sign.group())
            place = sign.end()
            continue
        letter = name[place]
        depth += letter in "<("
        if depth == 0:
            kept.append(letter)
        depth -= letter in ">)" and depth > 0
        place += 1
    return "".join(kept).strip() if depth == 0 else name


def draw_flame(result: Json, cell: Json, profile: Json) -> Drawn | None:
    """None if the profile has no stacks."""
    shown = bars(tree(profile["stacks"]))
    if not shown:
        return None
    label = cell_label(cell, result)
    title = f"Where {label} spends its time" if profile["profiler"] == "perf" else (
        f"Where {label} spends its instructions")
    levels = 1 + max(bar.level for bar in shown)
    names = sorted({bar.name for bar in shown})
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        axes.figure.set_size_inches(WIDTH_IN, min(9.0, 1.2 + 0.28 * levels))
        for bar in shown:
            colour = lighter(COLOURS[names.index(bar.name) % len(COLOURS)], 0.6)
            axes.add_patch(Rectangle((bar.left, bar.level), bar.width, 1, facecolor=colour,
                                     edgecolor=WHITE, linewidth=0.5))
            room = int(bar.width * CHARACTERS)
            if room >= 4:
                name = short(bar.name)
                if len(name) > room:
                    name = name.rsplit("::", 1)[-1]
                text = name if len(name) <= room else name[:room - 1] + "…"
                axes.text(bar.left + 0.003, bar.level + 0.5, text, fontsize=7, color=INK,
                          va="center", clip_on=True)
        axes.set_xlim(0, 1)
        axes.set_ylim(0, levels)
        axes.set_axis_off()
        axes.set_title(f"{machine_name(result)}, {profile['unit']}", loc="left", fontsize=10,
                       color=GREY)
        finish(axes.figure, title)
    widest = sorted(leaves(profile["stacks"]).items(), key=lambda item: -item[1])[:3]
    total = sum(row["count"] for row in profile["stacks"])
    alt = f"Flame graph: {title}. The most is in " + ", ".join(
        f"{short(name)} ({100 * count / total:.0f} %)" for name, count in widest) + "."
    passes = f"{profile['pass_count']} pass" + ("" if profile["pass_count"] == 1 else "es")
    caption = (f"{total:,} {profile['unit']}, of preparing once and {passes} over the "
               "queries, in a process of its own. Callers are below those that they call.")
    return Drawn(axes.figure, title, caption, alt)


def leaves(stacks: list[Json]) -> dict[str, int]:
    """The cost of each function itself."""
    own: dict[str, int] = {}
    for row in stacks:
        name = row["stack"].rsplit(";", 1)[-1]
        own[name] = own.get(name, 0) + row["count"]
    return own
