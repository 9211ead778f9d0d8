"""Whole results with their merged claims, from `bellmark report -f json`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

from .executable import ask

Json = dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """One claim over all results, as `bellmark` merged it.

    `weakest` has the verdict, headline and stand-in of the weakest verdict. `judged` has every
    verdict with its result, or with the result's entry if results are only named.
    """

    name: str
    text: str
    weakest: Json
    judged: list[tuple[Json, Json]]


def claims_of(document: Json) -> list[Claim]:
    """The claims in the output of `bellmark verdict --json` or `bellmark report -f json`."""
    results = [entry.get("result", entry) for entry in document["results"]]
    return [Claim(claim["claim"], claim["judged"][0]["text"], claim,
                  [(results[verdict["result"]], verdict) for verdict in claim["judged"]])
            for claim in document["claims"]]


def read_results(paths: Sequence[object], executable: Optional[str] = None) -> Json:
    """The document of results and claims for a report. All of it is in memory."""
    document: Json = ask("report", "-f", "json", *paths, executable=executable)
    return document
