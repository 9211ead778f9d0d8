"""Further measurements of a claim's two cells, in a sentence: other programs, the caches, a counter.
It is beside the reason and judges nothing."""

from __future__ import annotations

import math
from typing import Optional

from load import Json
from units import number, size


def evidence(row: Optional[Json], result: Json) -> list[str]:
    """At most one sentence: a disturbance comes before the counter, and the counter before the caches."""
    if row is None:
        return []
    ids = [row["numerator"], row["denominator"]]
    cells = [cell for cell in result["cells"] if cell["id"] in ids]
    cells.sort(key=lambda cell: ids.index(cell["id"]))
    found = _disturbance(cells) or _counter(cells, row["value"]) or _working_set(cells)
    return [found] if found else []


def _disturbance(cells: list[Json]) -> str:
    reasons = [cell["disturbance"]["reason"] for cell in cells
               if (cell.get("disturbance") or {}).get("disturbed")]
    return f"The measurement was disturbed: {reasons[0]}." if reasons else ""


def _counter(cells: list[Json], ratio: float) -> str:
    """The counter of both cells whose ratio is the nearest to that of the claim."""
    if len(cells) < 2 or ratio <= 0:
        return ""
    values = [{(counter["name"], counter["group"]): counter["value"] for counter in cell["counters"]
               if counter["value"]} for cell in cells]
    ratios = {key: value / values[1][key] for key, value in values[0].items()
              if key in values[1] and min(value, values[1][key]) > 0}
    if not ratios:
        return ""
    name = min(ratios, key=lambda key: abs(math.log(ratios[key] / ratio)))
    return (f"Of {len(ratios)} counters, {name[0]} comes the nearest: {number(ratios[name])} of the "
            "other's.")


def _working_set(cells: list[Json]) -> str:
    found = [cell["working_set"] for cell in cells
             if (cell.get("working_set") or {}).get("ratio") is not None]
    if not found:
        return ""
    shares = " and ".join(dict.fromkeys(f"{each['ratio']:.2g}" for each in found))
    cache = size(found[0]["last_level_cache_bytes"])
    return f"Accounted memory is {shares} of the last-level cache of {cache}."
