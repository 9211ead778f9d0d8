"""A report's profiles: flame graphs, the most expensive functions, and why there are none."""

from __future__ import annotations

import figures
from document import Block, Bullets, Details, Inline, Table
from flame_chart import draw_flame, leaves, short
from load import Json
from naming import cell_label
from units import number

MOST_FUNCTIONS = 12


def profiles(result: Json, name: str) -> list[Block]:
    """Older results lack the key."""
    pictures: list[Block] = []
    rows: list[list[Inline]] = []
    missing: list[Inline] = []
    for cell in result["cells"]:
        for profile in cell.get("profiles") or []:
            label = cell_label(cell, result)
            if profile["reason"]:
                missing.append(f"{label}, {profile['profiler']}: not available: {profile['reason']}")
                continue
            if not profile["stacks"]:
                missing.append(f"{label}, {profile['profiler']}: open {profile['file']} in the run's folder")
                continue
            if drawn := draw_flame(result, cell, profile):
                pictures.append(figures.picture(drawn, f"{name}-profile-{1 + len(pictures)}"))
            total = sum(row["count"] for row in profile["stacks"])
            own = sorted(leaves(profile["stacks"]).items(), key=lambda item: (-item[1], item[0]))
            for function, count in own[:MOST_FUNCTIONS]:
                rows.append([label, profile["profiler"], short(function), number(count),
                             f"{100 * count / total:.1f} %"])
    blocks: list[Block] = [*pictures]
    if rows:
        blocks.append(Table(["Cell", "Profiler", "Function", "Itself", "Share"], rows))
    if missing:
        blocks.append(Bullets(missing))
    return [Details("Profiles, of preparing and passes in a process of their own", blocks)] if blocks else []
