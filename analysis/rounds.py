"""A roofline of rounds: a search's time over what an empty round takes, and over what memory takes."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Optional

from load import Json

COUNTS = ("frontier_count", "updated_count", "closed_count")  # entries of a round
TIMES = ("gpu_ns", "host_ns")
FEWEST_ROUNDS = 4  # below it no round is typical
BINDS = 0.5  # a bound that is at least this share of the time binds


@dataclass(frozen=True)
class Roof:
    """All times in nanoseconds.

    `floor_ns`: median time of the rounds with the fewest entries, a tenth of all and those that are as small: the chain
    of one round, with its barriers. A row without an entry is no round: it ends a bucket, and its time counts beyond the
    floor. `floor_share`: part of the time that rounds of that length explain. `entry_ns`: time beyond the floor, an
    entry. `dram_share`: part of the time that the memory needs for the bytes that it moved, by counters.
    """

    round_count: float
    floor_ns: float
    floor_share: float
    entry_ns: float
    dram_share: Optional[float]
    dram_bytes: Optional[float]  # an entry
    sectors: Optional[float]  # of the L2 cache, an entry

    @property
    def bound(self) -> str:
        if self.floor_share >= BINDS:
            return "latency of rounds"
        if self.dram_share is not None and self.dram_share >= BINDS:
            return "DRAM"
        return "neither: work of entries" if self.dram_share is not None else "not rounds"


def roof_of(cell: Json) -> Optional[Roof]:
    """Nothing where the cell has no log of rounds with a count and a time. O(rounds log(rounds))."""
    log = cell.get("phase_log")
    if not log:
        return None
    count = next((name for name in COUNTS if name in log["columns"]), None)
    time = next((name for name in TIMES if name in log["columns"]), None)
    if count is None or time is None:
        return None
    at_count, at_time = log["columns"].index(count), log["columns"].index(time)
    queries = [[(row[at_count], row[at_time]) for row in query["rows"]]
               for query in log["first_queries"] if query["rows"]]
    rounds = [entry for query in queries for entry in query if entry[0] > 0]
    total_ns = sum(ns for query in queries for _, ns in query)
    entries = sum(count for count, _ in rounds)
    if len(rounds) < FEWEST_ROUNDS or total_ns == 0 or entries == 0:
        return None
    few = sorted(count for count, _ in rounds)[max(1, len(rounds) // 10) - 1]
    floor_ns = statistics.median(ns for count, ns in rounds if count <= few)
    at_floor_ns = sum(min(ns, floor_ns) for _, ns in rounds)
    all_entries = _entries_of_pass(cell, count)
    dram, sectors = _counter(cell, "dram__bytes.sum"), _counter(cell, "lts__t_sectors.sum")
    peak = _counter(cell, "dram__bytes.sum.peak_sustained_elapsed")
    return Roof(len(rounds) / len(queries), floor_ns, at_floor_ns / total_ns,
                (total_ns - at_floor_ns) / entries,
                dram / peak if dram is not None and peak else None,
                dram / all_entries if dram is not None and all_entries else None,
                sectors / all_entries if sectors is not None and all_entries else None)


def _entries_of_pass(cell: Json, count: str) -> float:
    """Of all queries: counters are of a pass over all of them."""
    return sum(query["columns"][count]["sum"] for query in cell["phase_log"]["queries"])


def _counter(cell: Json, name: str) -> Optional[float]:
    for counter in cell["counters"]:
        if counter["name"] == name and counter["value"] is not None:
            return float(counter["value"])
    return None
