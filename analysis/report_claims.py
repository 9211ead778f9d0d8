"""A report's claims, and the paper's figures beside this machine's."""

from __future__ import annotations

from typing import Sequence

from document import Badge, Block, Heading, Inline, Paragraph, Table
from load import Claim, Json
from naming import graph_name, machine_name
from units import interval, metric_text, number


def claims_section(claims: Sequence[Claim]) -> list[Block]:
    blocks: list[Block] = [Heading(2, "Claims")]
    if not claims:
        return blocks + [Paragraph("These experiments judge no claims.")]
    rows: list[list[Inline]] = []
    totals: set[int] = set()
    for claim in claims:
        totals.add(len(rows))
        rows += _claim_rows(claim)
    return blocks + [Table(["Claim", "What the paper says", "Verdict",
                            "Measured (95 % interval), paper", "Why"], rows, totals)]


def _claim_rows(claim: Claim) -> list[list[Inline]]:
    """The claim's total, then each result's verdict (where there are several) and its parts."""
    machine = claim.weakest["machine"]
    name = f"{claim.name} [{machine}]" if machine else claim.name
    if len(claim.judged) == 1:
        return _verdict_rows(name, claim.text, claim.judged[0][1])
    deciding = sum(verdict["decides"] for _, verdict in claim.judged)
    weakest = f"the weakest of {deciding} results" if deciding > 1 else "the one that decides"
    rows: list[list[Inline]] = [[name, claim.text, _headline(claim.weakest), "", weakest]]
    for result, verdict in claim.judged:
        beside = "" if verdict["decides"] else ", beside it"
        rows += _verdict_rows(
            f"{verdict['experiment']} ({result['experiment']['form']}){beside}", "", verdict)
    return rows


def _verdict_rows(name: str, text: str, verdict: Json) -> list[list[Inline]]:
    """One row for the verdict, and one a part unless there is a single part to merge with it."""
    parts = verdict["parts"]
    if len(parts) == 1:
        part = parts[0]
        texts = dict.fromkeys(filter(None, (text, part["text"])))
        reasons = dict.fromkeys(filter(None, (verdict["reason"], part["reason"])))
        return [[name, "\n".join(texts), _headline(verdict), _measured(part), "\n".join(reasons)]]
    return [[name, text, _headline(verdict), "", verdict["reason"]]] + [
        ["", part["text"], Badge(part["verdict"]), _measured(part), part["reason"]]
        for part in parts]


def _headline(verdict: Json) -> Inline:
    """The verdict's word as a badge, then what the headline adds to it (the stand-in)."""
    word, headline = verdict["verdict"], verdict["headline"]
    rest = headline[len(word):] if headline.startswith(word) else f" {headline}"
    if verdict["stand_in"] and verdict["stand_in"] not in rest:
        rest += f" (stand-in: {verdict['stand_in']})"
    return [Badge(word), rest]


def _measured(part: Json) -> str:
    """One line a measured figure: value, interval, and the paper's value or range."""
    lines = []
    for item in part["measured"]:
        def show(value: float) -> str:
            return metric_text(value, item)

        text = f"{item['text']}: " if item["text"] else ""
        text += "not measured" if item["value"] is None else show(item["value"])
        text += interval(item["ci95_low"], item["ci95_high"], show)
        bounds = [item["paper_low"], item["paper_high"]]
        paper = [] if item["paper"] is None else [show(item["paper"])]
        if bounds != [None, None]:
            low, high = (show(b) if b is not None else None for b in bounds)
            paper.append(f"{low} to {high}" if low and high else
                         f"at least {low}" if low else f"at most {high}")
        lines.append(text + (f"; paper {', '.join(paper)}" if paper else ""))
    return "\n".join(lines)


def then_and_now(results: list[Json]) -> list[Block]:
    """The paper's machine and figures beside this machine's, of every claim that quotes one."""
    blocks: list[Block] = []
    by_paper: dict[str, list[Json]] = {}
    for result in results:
        if result["experiment"]["paper"]:
            by_paper.setdefault(result["experiment"]["paper"]["key"], []).append(result)
    for key, judged in by_paper.items():
        rows: list[list[Inline]] = []
        for result in judged:
            for verdict in result["verdicts"]:
                for part in verdict["parts"]:
                    rows += _then_and_now_rows(result, verdict, part)
        if not rows:
            continue
        paper = judged[0]["experiment"]["paper"]
        machines = dict.fromkeys(machine_name(result) for result in judged)
        blocks += [Heading(3, f"Then and now: {key}"),
                   Paragraph(f"Then: {paper['machine']}. Now: {'; '.join(machines)}."),
                   Table(["Claim", "What", "Graph now", "Then", "Now (95 % interval)",
                          "Now / then"], rows)]
    return blocks


def _then_and_now_rows(result: Json, verdict: Json, part: Json) -> list[list[Inline]]:
    graphs = {cell["id"]: cell["graph"] for cell in result["cells"]}
    rows: list[list[Inline]] = []
    for item in part["measured"]:
        if item["paper"] is None:
            continue

        def show(value: float) -> str:
            return metric_text(value, item)

        now = "not measured" if item["value"] is None else \
            show(item["value"]) + interval(item["ci95_low"], item["ci95_high"], show)
        share = number(item["value"] / item["paper"]) if item["value"] and item["paper"] else ""
        rows.append([verdict["claim"], item["text"] or part["text"],
                     graph_name(graphs.get(item["numerator"], "")), show(item["paper"]),
                     now, share])
    return rows
