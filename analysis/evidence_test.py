"""The sentence beside a claim's reason."""

from __future__ import annotations

from evidence import evidence
from load import Json

ROW = {"numerator": "a", "denominator": "b", "value": 2.0}


def result_of(**more: object) -> Json:
    """Two cells, the first of which has more."""
    return {"cells": [{"id": name, "counters": []} | (more if name == "a" else {})
                      for name in "ba"]}


def counters(**values: float) -> list[Json]:
    return [{"name": name, "group": "g", "value": value} for name, value in values.items()]


def test_the_counter_that_is_nearest_to_the_ratio() -> None:
    result = result_of(counters=counters(cycles=19.0, branches=40.0, misses=None, zero=0))
    assert evidence(ROW, result) == [], "the other cell has none"
    result["cells"][0]["counters"] = counters(cycles=10.0, branches=10.0, misses=3.0, zero=0)
    assert evidence(ROW, result) == ["Of 2 counters, cycles comes the nearest: 1.9 of the other's."]


def test_a_disturbance_comes_first_and_caches_last() -> None:
    cache = {"ratio": 0.4, "last_level_cache_bytes": 2 << 20}
    result = result_of(working_set=cache, disturbance={"disturbed": False, "reason": None})
    assert evidence(ROW, result) == ["Accounted memory is 0.4 of the last-level cache of 2 MiB."]
    result["cells"][1]["disturbance"] = {"disturbed": True, "reason": "others had its cores"}
    assert evidence(ROW, result) == ["The measurement was disturbed: others had its cores."]


def test_nothing_is_said_of_nothing() -> None:
    assert evidence(None, result_of()) == [] and evidence(ROW, result_of()) == []
