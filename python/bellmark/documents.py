"""Whole results with their merged claims, as `bellmark report -f json` hands them on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

from .executable import ask

Json = dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """One claim over all results, as `bellmark` merged it.

    `weakest` has the verdict, headline and stand-in of the weakest verdict. `judged` has every
    verdict with its result; of results that are only named, with that entry.
    """

    name: str
    text: str
    weakest: Json
    judged: list[tuple[Json, Json]]


def claims_of(document: Json) -> list[Claim]:
    """The claims of what `bellmark verdict --json` or `bellmark report -f json` gives."""
    results = [entry.get("result", entry) for entry in document["results"]]
    return [Claim(claim["claim"], claim["judged"][0]["text"], claim,
                  [(results[verdict["result"]], verdict) for verdict in claim["judged"]])
            for claim in document["claims"]]


def read_results(paths: Sequence[object], executable: Optional[str] = None) -> Json:
    """The document of results and claims that a report is drawn from; all of it is in memory."""
    document: Json = ask("report", "-f", "json", *paths, executable=executable)
    return document
