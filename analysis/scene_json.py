"""The data for the page's script: scenes and lines as JSON, and samples of cells.

    kind       bars, curve, heatmap, lines, stacks, topology
    title      and `subtitle`, the machine and the graphs
    x, y       `title`, `scale` (names, linear, log2, log, ratio) and, of names, `names`
    reference  what ratios are relative to, null where values stand for themselves
    series     `name`, `look` (its place among the looks), `paper` and `points`: `x`, `y`, the
               interval's `low` and `high`, the `cell`, and the key of its `samples`
    missing    `x`, the place of the series and `why`
    samples    by key: `median` and interval in ms, `blocks` of samples in ms a query
"""

from __future__ import annotations

import hashlib
import json
from typing import Optional

from load import Json
from naming import cell_label
from scene import Point, Scene, label_of

SAMPLES = 30  # of a block, at equal distances in their order: enough for a distribution


def rounded(value: float, digits: int = 6) -> float:
    return float(f"{value:.{digits}g}")


def optional(value: Optional[float]) -> Optional[float]:
    return None if value is None else rounded(value)


def scene_json(kind: str, scene: Scene, spec: Json, result: Json) -> Json:
    """A scene of bars, a curve or a heat map."""
    samples: Json = {}
    lines: dict[tuple[str, str], list[Point]] = {}
    sources = scene.sources()
    for point in sorted(scene.points, key=lambda point: sources.index(point.source)):
        lines.setdefault((point.series, point.source), []).append(point)
    places = {name: place for place, name in enumerate(scene.series())}
    several = len(list(filter(None, scene.series()))) > 1 or kind == "heatmap"
    series = []
    for (name, source), points in lines.items():
        order = sources.index(source)
        series.append({
            "name": label_of(name, source, scene), "paper": bool(source),
            "look": places[name] if several else order, "order": order,
            "points": [_point(p, scene, result, samples) for p in points]})
    y_scale = "ratio" if scene.is_relative else "log" if spec.get("y_scale") == "log" else "linear"
    measured = {name: index for index, (name, source) in enumerate(lines) if not source}
    return {
        "kind": kind, "title": scene.title, "subtitle": scene.machine,
        "x": {"title": scene.x_title, "scale": spec.get("x_scale", "linear")
              if scene.is_numeric else "names", "names": scene.xs()},
        "y": {"title": " ".join(scene.y_title.split()), "scale": y_scale},
        "reference": scene.reference or None, "series": series,
        "missing": [{"x": x, "series": measured.get(name), "row": name, "why": why}
                    for (x, name), why in scene.missing.items()],
        "rows": scene.series() if kind == "heatmap" else [],
        "samples": samples}


def _point(point: Point, scene: Scene, result: Json, samples: Json) -> Json:
    cell = point.cell
    return {
        "x": float(point.x) if scene.is_numeric else point.x, "row": point.series,
        "y": rounded(point.value), "low": optional(point.low), "high": optional(point.high),
        "reference": point.is_reference, "cell": cell_label(cell, result) if cell else "",
        "samples": samples_of(cell, samples) if cell else None}


def samples_of(cell: Json, samples: Json) -> Optional[str]:
    """The key of the cell's samples, which are added; None if it has none. The key follows from the
    samples, so that a page holds a cell once."""
    wall, blocks = cell["wall_ns"], cell.get("samples_ns") or []
    if not wall or not any(blocks):
        return None
    scale = 1e-6 / cell["query_count"]
    entry = {"unit": "ms", "median": rounded(wall["median"] * 1e-6),
             "low": _ms(wall["ci95_low"]), "high": _ms(wall["ci95_high"]),
             "count": sum(map(len, blocks)),
             "blocks": [[rounded(value * scale, 4) for value in _thinned(block)]
                        for block in blocks]}
    key = hashlib.sha256(json.dumps(entry).encode()).hexdigest()[:12]
    samples[key] = entry
    return key


def _ms(time_ns: Optional[float]) -> Optional[float]:
    return None if time_ns is None else rounded(time_ns * 1e-6)


def _thinned(block: list[float]) -> list[float]:
    if len(block) <= SAMPLES:
        return block
    ordered = sorted(block)
    return [ordered[round(index * (len(block) - 1) / (SAMPLES - 1))] for index in range(SAMPLES)]


def lines_json(title: str, subtitle: str, x: Json, y: Json, series: list[Json],
               second: Optional[Json] = None) -> Json:
    """Lines of a phase log, of shares, or of a model. `second` is on an axis of its own."""
    return {"kind": "lines", "title": title, "subtitle": subtitle, "x": x, "y": y,
            "reference": None, "series": series, "missing": [], "second": second, "samples": {}}


def line_json(name: str, look: int, xs: list[float], ys: list[float], shape: str = "line") -> Json:
    """A series of `lines_json`: a `line`, `points`, or both."""
    return {"name": name, "look": look, "paper": False, "shape": shape,
            "points": [{"x": rounded(x), "y": rounded(y), "cell": name} for x, y in zip(xs, ys)]}
