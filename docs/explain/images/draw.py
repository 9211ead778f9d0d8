#!/usr/bin/env python3
"""Draws the pictures of docs/explain.

    python3 docs/explain/images/draw.py

writes the SVG files beside this script. tests/docs_test.py compares them with what it draws.
"""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

BLUE, ORANGE, GREEN, GREY = "#2563eb", "#c2570c", "#15803d", "#64748b"
PALE_BLUE, PALE_ORANGE, PALE_GREEN, PALE_GREY = "#dbeafe", "#ffedd5", "#dcfce7", "#f1f5f9"
INK = "#0f172a"


class Picture:
    """Shapes on a white ground. Lengths are pixels."""

    def __init__(self, width: int, height: int, title: str):
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def text(self, x, y, words, size=14, colour=INK, anchor="middle", bold=False):
        weight = ' font-weight="600"' if bold else ""
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" text-anchor="{anchor}"{weight}>'
                          f"{escape(words)}</text>")

    def box(self, x, y, width, height, words=(), fill=PALE_BLUE, stroke=BLUE, size=14, dashed=False):
        """A box with lines of text in its middle, the first one bold."""
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{fill}" '
                          f'stroke="{stroke}" stroke-width="1.5"{dash}/>')
        step = size + 4
        top = y + height / 2 - (len(words) - 1) * step / 2 + size * 0.35
        for i, line in enumerate(words):
            self.text(x + width / 2, round(top + i * step, 1), line, size if i == 0 else size - 2, bold=i == 0)

    def line(self, x1, y1, x2, y2, colour=GREY, width=2.0, dashed=False, arrow=False):
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        head = f' marker-end="url(#head-{colour[1:]})"' if arrow else ""
        self.parts.append(f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{colour}" '
                          f'stroke-width="{width}"{dash}{head}/>')

    def arrow(self, x1, y1, x2, y2, colour=GREY, width=2.0, dashed=False):
        self.line(x1, y1, x2, y2, colour, width, dashed, arrow=True)

    def dot(self, x, y, colour=BLUE, radius=8, hollow=False, words=""):
        fill = "#ffffff" if hollow else colour
        self.parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{colour}" stroke-width="2"/>')
        if words:
            self.text(x, y + 4, words, 11, INK if hollow else "#ffffff")

    def svg(self) -> str:
        heads = "".join(
            f'<marker id="head-{c[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0 0 10 5 0 10z" fill="{c}"/></marker>' for c in (BLUE, ORANGE, GREEN, GREY))
        body = "\n".join(self.parts)
        return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
                f'font-family="system-ui, sans-serif" role="img">\n<title>{escape(self.title)}</title>\n'
                f'<defs>{heads}</defs>\n<rect width="100%" height="100%" fill="#ffffff"/>\n{body}\n</svg>\n')


def architecture() -> Picture:
    p = Picture(820, 400, "How data flows from a graph to a report, and which layer may include which")
    steps = [("graph/", "a reference,", "opened or made"), ("algorithms/", "problem and", "variants"),
             ("harness/", "plan, workers,", "measure"), ("result", "one JSON file", "a run"),
             ("verdict, report", "functions of", "the JSON")]
    for i, words in enumerate(steps):
        x = 20 + i * 160
        kind = (PALE_GREEN, GREEN) if i == 3 else (PALE_BLUE, BLUE)
        p.box(x, 90, 130, 84, words, *kind)
        if i:
            p.arrow(x - 29, 132, x - 2, 132)
    p.box(340, 18, 130, 44, ("experiments/", "cells and claims"), PALE_ORANGE, ORANGE)
    p.arrow(405, 63, 405, 88)
    p.box(20, 18, 130, 44, ("data/", "files of graphs"), PALE_ORANGE, ORANGE)
    p.arrow(85, 63, 85, 88)
    p.box(660, 18, 130, 44, ("analysis/", "pictures (Python)"), PALE_ORANGE, ORANGE)
    p.arrow(725, 88, 725, 64)
    p.text(20, 226, "A layer includes itself and what stands to its left:", 14, INK, "start", True)
    layers = [("base", 110), ("graph", 110), ("algorithms", 350), ("harness", 150)]
    x = 20
    for name, width in layers:
        p.box(x, 244, width, 126 if name == "algorithms" else 44, (), PALE_GREY, GREY)
        p.text(x + width / 2, 271, name, 14, bold=True)
        x += width + 20
    floors = ["contract", "parallel", "gpu", "problems", "searches", "spots"]
    for i, floor in enumerate(floors):
        p.box(292 + (i % 3) * 112, 286 + (i // 3) * 40, 104, 30, (floor,), "#ffffff", GREY, 13)
    p.text(760, 330, "Tests may", 13, GREY)
    p.text(760, 348, "look anywhere.", 13, GREY)
    p.text(130, 330, "The floors of algorithms:", 13, GREY)
    p.text(130, 348, "row by row, from the left.", 13, GREY)
    return p


def label_correcting() -> Picture:
    p = Picture(820, 400, "A road graph without leaves and chains, and buckets of its core")
    p.text(205, 28, "Searched: the core. Labelled last: the rest.", 14, bold=True)
    core = [(120, 120), (260, 90), (320, 220), (170, 260)]
    for a, b in ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2)):
        p.line(*core[a], *core[b], BLUE, 2.5)
    chain = [(260, 90), (330, 70), (375, 120), (370, 180), (320, 220)]
    for a, b in zip(chain, chain[1:]):
        p.line(*a, *b, GREY, 2, True)
    tree = [((120, 120), (60, 80)), ((60, 80), (30, 40)), ((60, 80), (30, 120)), ((170, 260), (110, 300))]
    for a, b in tree:
        p.line(*a, *b, GREY, 2, True)
    for x, y in chain[1:-1]:
        p.dot(x, y, GREY, 6, True)
    for _, (x, y) in tree:
        p.dot(x, y, GREY, 6, True)
    for x, y in core:
        p.dot(x, y)
    p.text(345, 50, "chain", 13, GREY)
    p.text(100, 55, "tree", 13, GREY)
    p.text(215, 345, "chain: the lesser way of two ends", 13, GREY)
    p.text(215, 365, "tree: the parent's distance and one length", 13, GREY)
    p.text(615, 28, "Buckets by distance, first in first out", 14, bold=True)
    for i, (name, entries) in enumerate((("[0, Δ)", 3), ("[Δ, 2Δ)", 5), ("[2Δ, 3Δ)", 2), ("[3Δ, 4Δ)", 1))):
        y = 52 + i * 40
        p.text(500, y + 20, name, 13, GREY, "end")
        p.box(512, y, 280, 30, (), PALE_BLUE if i == 1 else PALE_GREY, BLUE if i == 1 else GREY)
        for k in range(entries):
            p.dot(530 + k * 24, y + 15, BLUE if i == 1 else GREY, 7)
    p.text(615, 240, "Rows", 14, bold=True)
    p.box(450, 256, 342, 44, ("four slots", "32 bytes a vertex, its place follows from its number"))
    p.box(450, 316, 342, 44, ("by length", "a search stops where arcs are too long to matter"))
    return p


def owned_regions() -> Picture:
    p = Picture(820, 300, "Two threads own regions of a graph and send messages")
    cells = [(0, 0), (1, 1), (2, 0), (3, 1), (0, 1), (1, 0), (2, 1), (3, 0)]
    for column, row in cells:
        first = (column + row) % 2 == 0
        p.box(20 + column * 82, 50 + row * 92, 78, 88, (), PALE_BLUE if first else PALE_ORANGE, BLUE if first else ORANGE)
    p.text(182, 32, "8 regions, dealt to 2 threads", 14, bold=True)
    nodes = {(60, 95): BLUE, (125, 80): ORANGE, (140, 185): BLUE, (60, 190): ORANGE, (225, 100): BLUE, (305, 180): BLUE,
             (230, 195): ORANGE, (305, 90): ORANGE}
    for a, b in (((60, 95), (125, 80)), ((125, 80), (225, 100)), ((225, 100), (305, 90)), ((60, 190), (140, 185)),
                 ((140, 185), (230, 195)), ((230, 195), (305, 180))):
        p.line(*a, *b, GREY, 2, True)
    for (x, y), colour in nodes.items():
        p.dot(x, y, colour, 7)
    p.text(182, 266, "Only the owner reads and writes a label.", 13, GREY)
    p.text(182, 286, "A dashed arc leads to the other owner: a message.", 13, GREY)
    for i, (name, colour, pale, at) in enumerate((("thread 0", BLUE, PALE_BLUE, 5), ("thread 1", ORANGE, PALE_ORANGE, 3))):
        y = 62 + i * 130
        p.text(430, y + 20, name, 14, colour, "end", True)
        for k in range(8):
            p.box(445 + k * 44, y, 38, 30, (), pale if k >= at else PALE_GREY, colour if k == at else GREY)
    p.arrow(676, 94, 640, 190, BLUE)
    p.arrow(600, 190, 636, 94, ORANGE)
    p.text(700, 148, "messages", 13, GREY, "start")
    p.text(620, 32, "Buckets of its own for each thread", 14, bold=True)
    p.text(620, 266, "A thread waits only where it is more than", 13, GREY)
    p.text(620, 286, "32 buckets ahead. No barrier, no lock.", 13, GREY)
    return p


def breadth_first() -> Picture:
    p = Picture(820, 315, "A level top-down, bottom-up, and by regions on a road map")
    for x, title in ((130, "Top-down: narrow levels"), (400, "Bottom-up: wide levels"), (680, "Regions: thousands of levels")):
        p.text(x, 30, title, 14, bold=True)
    for y in (90, 150, 210):
        p.dot(50, y, BLUE)
        for target in (80, 140, 200, 240):
            if abs(target - y) < 70:
                p.arrow(60, y, 196, target, BLUE, 1.5)
    for y in (80, 140, 200, 240):
        p.dot(206, y, GREY, 8, True)
    p.text(130, 285, "each vertex of the frontier", 13, GREY)
    p.text(130, 304, "offers itself to its neighbours", 13, GREY)
    for y in (80, 140, 200, 240):
        p.dot(480, y, GREY, 8, True)
    for y in (80, 140, 200):
        p.dot(330, y, BLUE)
    for a, b in ((80, 80), (140, 80), (200, 140), (240, 200)):
        p.arrow(471, a, 340, b, ORANGE, 1.5)
    p.text(400, 285, "each unvisited vertex stops", 13, GREY)
    p.text(400, 304, "at its first visited neighbour", 13, GREY)
    for i in range(6):
        p.box(560 + i * 42, 70, 38, 36, (), PALE_BLUE if i < 4 else PALE_GREY, BLUE if i < 4 else GREY)
        p.box(560 + i * 42, 150, 38, 36, (), PALE_ORANGE if i < 3 else PALE_GREY, ORANGE if i < 3 else GREY)
    p.text(560, 62, "levels of thread 0", 12, BLUE, "start")
    p.text(560, 204, "levels of thread 1", 12, ORANGE, "start")
    p.arrow(706, 106, 664, 150, BLUE)
    p.arrow(650, 150, 700, 106, ORANGE)
    p.text(680, 230, "a level is a bucket,", 13, GREY)
    p.text(680, 249, "and nobody waits at its end", 13, GREY)
    return p


def near_far() -> Picture:
    p = Picture(820, 340, "Two piles and a threshold; pushing up to a horizon, and pulling beyond it")
    p.text(20, 30, "Near and far: road maps, one thread-block cluster", 14, anchor="start", bold=True)
    p.arrow(30, 130, 790, 130)
    p.text(790, 152, "distance", 13, GREY, "end")
    p.box(40, 60, 150, 60, ("settled",), PALE_GREY, GREY)
    p.box(200, 60, 180, 60, ("near pile", "relaxed round by round"))
    p.box(400, 60, 370, 60, ("far pile", "waits until the threshold has passed it"), PALE_ORANGE, ORANGE)
    p.line(390, 46, 390, 142, ORANGE, 2.5)
    p.text(390, 162, "threshold, moves by delta", 13, ORANGE)
    p.text(20, 206, "Push, then pull: graphs with a core, the whole device", 14, anchor="start", bold=True)
    p.arrow(30, 300, 790, 300)
    p.text(790, 322, "distance", 13, GREY, "end")
    p.box(40, 230, 320, 60, ("push", "arcs that end below the horizon"))
    p.box(380, 230, 390, 60, ("pull", "each vertex beyond takes the least over its own row"), PALE_GREEN, GREEN)
    p.line(370, 216, 370, 312, GREEN, 2.5)
    p.text(370, 330, "horizon", 13, GREEN)
    return p


def phast() -> Picture:
    p = Picture(820, 315, "Two sweeps over the levels of a hierarchy, for many sources at once")
    p.text(200, 30, "Levels of a contraction hierarchy", 14, bold=True)
    widths = [70, 110, 160, 240, 330]
    for i, width in enumerate(widths):
        p.box(200 - width / 2, 50 + i * 50, width, 36, (f"level {len(widths) - 1 - i}",), size=13)
    p.arrow(20, 280, 150, 60, ORANGE, 2.5)
    p.text(50, 130, "1. up", 14, ORANGE, "middle", True)
    p.arrow(250, 60, 382, 280, GREEN, 2.5)
    p.text(372, 130, "2. down", 14, GREEN, "middle", True)
    p.text(610, 30, "A vertex has a row of distances", 14, bold=True)
    for i in range(3):
        y = 62 + i * 52
        p.text(452, y + 20, ("tail", "head", "least")[i], 13, GREY, "end")
        for k in range(8):
            p.box(464 + k * 40, y, 36, 30, (f"s{k}",) if k < 7 else ("…",), PALE_BLUE if i < 2 else PALE_GREEN,
                  BLUE if i < 2 else GREEN, 12)
    p.text(620, 238, "One arc serves 128 sources with one access of 512 bytes.", 13, GREY)
    p.text(620, 260, "3. Predecessors come from the graph's own arcs.", 13, GREY)
    return p


def hierarchy() -> Picture:
    p = Picture(820, 335, "Separators of a map, the tree that they make, and a query in it")
    p.text(190, 30, "Nested dissection", 14, bold=True)
    p.box(30, 50, 320, 240, (), PALE_GREY, GREY)
    p.line(190, 50, 190, 290, ORANGE, 5)
    p.line(30, 170, 187, 170, BLUE, 4)
    p.line(193, 150, 350, 150, BLUE, 4)
    p.line(110, 173, 110, 290, GREEN, 3)
    p.line(270, 50, 270, 147, GREEN, 3)
    p.text(205, 270, "A", 15, ORANGE, "start", True)
    p.text(60, 162, "B", 15, BLUE, bold=True)
    p.text(330, 142, "C", 15, BLUE, bold=True)
    p.dot(70, 240, INK, 6)
    p.text(70, 264, "s", 14)
    p.dot(310, 90, INK, 6)
    p.text(310, 80, "t", 14)
    p.text(190, 320, "Separators are eliminated last.", 13, GREY)
    p.text(610, 30, "Elimination tree", 14, bold=True)
    tree = {"A": (610, 70, ORANGE), "B": (520, 140, BLUE), "C": (700, 140, BLUE), "b1": (460, 210, GREEN), "b2": (560, 210, GREY),
            "c1": (760, 210, GREEN), "c2": (660, 210, GREY), "s": (440, 280, INK), "t": (780, 280, INK)}
    for a, b in (("A", "B"), ("A", "C"), ("B", "b1"), ("B", "b2"), ("C", "c1"), ("C", "c2"), ("b1", "s"), ("c1", "t")):
        on_way = (a, b) in {("A", "B"), ("A", "C"), ("B", "b1"), ("C", "c1"), ("b1", "s"), ("c1", "t")}
        p.line(*tree[a][:2], *tree[b][:2], INK if on_way else GREY, 3 if on_way else 1.5)
    for name, (x, y, colour) in tree.items():
        p.dot(x, y, colour, 14, words=name)
    p.text(610, 320, "A query walks up from s and from t, without a queue.", 13, GREY)
    return p


def set_choice() -> Picture:
    p = Picture(820, 320, "Lazy greedy choice: bounds from earlier rounds spare evaluations")
    p.text(410, 28, "Round 2: candidates by the gain that they had in round 1", 14, bold=True)
    bounds = [190, 172, 150, 96, 84, 70, 58, 40]
    gains = [120, 140, 90]
    for i, bound in enumerate(bounds):
        x = 60 + i * 90
        p.box(x, 240 - bound, 50, bound, (), PALE_GREY, GREY, dashed=True)
        if i < len(gains):
            best = gains[i] == max(gains)
            p.box(x, 240 - gains[i], 50, gains[i], (), PALE_GREEN if best else PALE_BLUE, GREEN if best else BLUE)
    p.line(40, 100, 790, 100, GREEN, 2, True)
    p.text(790, 92, "best gain of this round", 13, GREEN, "end")
    p.text(165, 266, "evaluated anew", 13, BLUE)
    p.text(555, 266, "spared: no bound is above the best", 13, GREY)
    p.text(410, 300, "dashed: the bound, what the candidate gained once; filled: what it gains in this round", 13, GREY)
    return p


PICTURES = {"architecture": architecture, "label-correcting": label_correcting, "owned-regions": owned_regions,
            "breadth-first-search": breadth_first, "near-far": near_far, "phast-batch": phast,
            "customisable-hierarchy": hierarchy, "set-choice": set_choice}


def drawn() -> dict[str, str]:
    """The SVG text of each picture, by its file's name."""
    return {f"{name}.svg": draw().svg() for name, draw in PICTURES.items()}


if __name__ == "__main__":
    for name, text in drawn().items():
        (Path(__file__).parent / name).write_text(text, encoding="utf-8")
