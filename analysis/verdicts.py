"""The deciding parts of a claim, in words: the verdict, its row, the paper's figure, the coverage."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from typing import Callable, Optional, Sequence

from load import ROOT, Claim, Json
from units import interval, metric_text

WORDS = ["reproduced", "direction only", "not reproduced", "inconclusive", "not testable here",
         "shown", "check of the stand-in"]


@cache
def papers() -> list[Json]:
    """Every paper's `paper.toml`, by the year at the end of its key; keys without a year come last."""
    found = [tomllib.loads(path.read_text(encoding="utf-8"))
             for path in ROOT.glob("experiments/*/paper.toml")]
    return sorted(found, key=lambda paper: (paper["key"][-4:] if paper["key"][-1].isdigit() else "~",
                                            paper["key"]))


def sentence(claim: Claim) -> str:
    """The claim in the paper's page of claims, without the names of experiments in parentheses; for a
    claim that is missing there, its own text."""
    key, _, short = claim.name.partition("/")
    texts = [paper["claims"][short] for paper in papers()
             if paper["key"] == key and short in paper.get("claims", {})]
    if not texts:
        return claim.text
    stems = "|".join(re.escape(path.stem) for path in ROOT.glob(f"experiments/{key}/*.toml"))
    return re.sub(rf"\s*\((?:{stems})\b[^()]*\)", "", texts[0])


def shortened(text: str, length: int) -> str:
    """The text on one line, cut at a word."""
    text = " ".join(text.split())
    if len(text) <= length:
        return text
    return text[:length - 3].rsplit(" ", 1)[0].rstrip(" ,;:") + " ..."


def deciding(claim: Claim) -> Json:
    """The first deciding verdict that has the claim's word."""
    verdicts = [verdict for _, verdict in claim.judged if verdict["decides"]]
    word = claim.weakest["verdict"]
    return next(verdict for verdict in verdicts if verdict["verdict"] == word)


def result_of(verdict: Json, claim: Claim) -> Json:
    return next(result for result, other in claim.judged if other is verdict)


def deciding_part(verdict: Json) -> Optional[Json]:
    """The first part that has the verdict's word and a measured row."""
    return next((part for part in verdict["parts"]
                 if part["verdict"] == verdict["verdict"] and row_of(part) is not None), None)


def deciding_row(verdict: Json) -> Optional[Json]:
    """The row that decided: the first with the verdict's outcome; None if no row was measured."""
    part = deciding_part(verdict)
    return None if part is None else row_of(part)


def row_of(part: Json) -> Optional[Json]:
    """The first measured row with the part's outcome. Older results have no outcomes. There it is the
    first row that the reason names, else the first."""
    rows = [row for row in part["measured"] if row["value"] is not None]
    same = [row for row in rows if row.get("outcome") == part["verdict"]] or \
        [row for row in rows if row["text"] and f"{row['text']} = " in part.get("reason", "")]
    return next(iter(same or rows), None)


def here(row: Optional[Json]) -> str:
    if row is None:
        return ""
    if row["value"] is None:
        return "not measured"
    value = metric_text(row["value"], row)
    return value + interval(row["ci95_low"], row["ci95_high"], lambda end: metric_text(end, row))


def papers_figure(row: Optional[Json], show: Callable[[float, Json], str] = metric_text) -> str:
    """The paper's figure or range; a direction alone is "below 1" or "above 1"."""
    if row is None:
        return ""
    low, high = row["paper_low"], row["paper_high"]
    if low is not None and high is not None:
        return " to ".join(dict.fromkeys([show(low, row), show(high, row)]))
    if low is not None or high is not None:
        word, end = ("at least", low) if low is not None else ("at most", high)
        return f"{word} {show(end, row)}"
    if row["paper"] is not None:
        return show(row["paper"], row)
    if row.get("range_low") is None and row.get("range_high") is None:
        return ""  # an older result, or one that is only shown
    return "below 1" if row.get("range_low") == 0 else "above 1"


def papers_figures(row: Json) -> str:
    """The paper's figure, and its range if there is one beside it."""
    figure = papers_figure(row)
    both = row["paper"] is not None and (row["paper_low"], row["paper_high"]) != (None, None)
    return f"{metric_text(row['paper'], row)}, {figure}" if both else figure


def extent(verdict: Json) -> str:
    """The numbers of judged and of planned rows, and of our and the paper's queries."""
    coverage = verdict.get("coverage") or {}
    if not coverage:
        return ""
    text = f"{coverage['row_count']} of {coverage['planned_row_count']} rows"
    if coverage["query_count"] is not None and coverage["paper_query_count"] is not None:
        text += f", {coverage['query_count']} of {coverage['paper_query_count']} queries"
    return text


def reason(verdict: Json, row: Optional[Json]) -> str:
    """The reason of the row that decided, else of the whole verdict."""
    return (row or {}).get("reason") or verdict["reason"]


def counted(claims: Sequence[Claim]) -> str:
    """The number of claims with each verdict: "3 claims: 1 reproduced, 2 inconclusive"."""
    names = {claim.name for claim in claims}
    words = [claim.weakest["verdict"] for claim in claims]
    what = f"{len(names)} claim{'s' * (len(names) != 1)}"
    if len(claims) > len(names):
        what += f", {len(claims)} verdicts (machines and builds apart)"
    return f"{what}: " + ", ".join(f"{words.count(word)} {word}" for word in WORDS if word in words)
