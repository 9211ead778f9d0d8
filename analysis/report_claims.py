"""A card for each claim, and the paper's figures beside this machine's."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Mapping, Optional, Sequence, Union

from board import ALL_VERDICTS, anchors, effect_words, tag
from document import (Badge, Block, Code, Details, Heading, Inline, Link, Paragraph, Section,
                      Table, identifier)
from evidence import evidence
from load import Claim, Json
from naming import cell_label, graph_name, input_word, machine_name
from report_experiment import Figure, figure_with
from units import metric_text, number
from verdicts import (deciding, deciding_row, extent, here, papers_figures, reason, result_of,
                      row_of, sentence, shortened)

RULES = "numbers"  # the id of the report's section on statistics and rules
LONGEST_REASON, LONGEST_WHY = 160, 260
MOST_PARTS = 12  # on a card, unfolded


@dataclass(frozen=True)
class Place:
    """The place of a result in a report."""

    experiment: Link
    figures: Sequence[Figure]
    file: Optional[Link] = None  # unless the result lies elsewhere

    def figure_of(self, row: Optional[Json], result: Json) -> Optional[Figure]:
        """The figure that shows the row's cells best."""
        labels = [cell_label(cell, result) for cell in result["cells"]
                  if row and cell["id"] in (row["numerator"], row["denominator"])]
        return figure_with(self.figures, labels)


Places = Union[Sequence[Place], Mapping[int, Place]]  # by the index of a result


def claims_section(claims: Sequence[Claim], places: Places) -> list[Block]:
    """A card for each claim. `places` are the results'."""
    if not claims:
        return []
    cards = [card(claim, anchor, places) for claim, anchor in zip(claims, anchors(claims))]
    return [Section("claims", [Heading(2, "Claim by claim"), *cards])]


def card(claim: Claim, anchor: str, places: Places,
         rules: Link = Link("how claims are judged", RULES)) -> Section:
    """All facts about a claim. `rules` links to the page's rules for claims."""
    verdict = deciding(claim)
    result, place = result_of(verdict, claim), places[verdict["result"]]
    row = deciding_row(verdict)
    name = f"{claim.name} [{tag(claim)}]" if tag(claim) else claim.name
    because = reason(verdict, row)
    beside = [] if "disturbed" in because else evidence(row, result)
    links: list = ["Result: ", place.file or verdict["file"].name, ". Experiment: ",
                   place.experiment, ". "]
    figure = place.figure_of(row, result)
    links += ["Figure: ", figure.link, ". "] if figure else []
    links += ["Rule: ", rules, ". Run it again:"]
    return Section(anchor, [
        Heading(3, [f"{name} ", Badge(verdict["verdict"])]),
        *_said(claim, result),
        Paragraph(f"Run here: {_what_was_run(verdict, result)}."),
        Paragraph(f"Measured: {effect_words(verdict, result)}"),
        Paragraph(" ".join([f"Why: {_ended(shortened(because, LONGEST_WHY))}", *beside])),
        *_parts(claim, places),
        Paragraph(links), Code(run_again(result))], kind="claim")


def _ended(text: str) -> str:
    """The text with the full stop of a sentence. A cut text has three."""
    return text if text.endswith("...") else f"{text.rstrip('.')}."


def _headline(verdict: Json) -> list:
    """The verdict's word as a badge, then the headline's additions (the stand-in)."""
    word, headline = verdict["verdict"], verdict["headline"]
    rest = headline[len(word):] if headline.startswith(word) else f" {headline}"
    return [Badge(word), rest]


def _said(claim: Claim, result: Json) -> list[Block]:
    """The paper's own sentence if the experiment quotes it, else our words for it."""
    quoted = dict.fromkeys(part["sentence"] for _, verdict in claim.judged
                           for part in verdict["parts"] if part.get("sentence"))
    texts = [f"\u201c{text}\u201d" for text in quoted] or [sentence(claim)]
    paper = result["experiment"]["paper"]
    if paper:
        texts.append(f"{paper['item']} of {paper['citation']}.")
    return [Paragraph("\n".join(texts))]


def _what_was_run(verdict: Json, result: Json) -> str:
    """The form, the stand-in and the share of the paper's queries."""
    facts = [f"{result['experiment']['form']} form on {machine_name(result)}"]
    stand_in, kind = verdict["stand_in"], verdict.get("stand_in_class")
    facts.append(f"stand-in: {stand_in}" if stand_in else "" if kind else "no stand-in")
    facts.append(f"data: {kind}" if kind else "")
    return "; ".join(filter(None, [*facts, extent(verdict)]))


def run_again(result: Json) -> str:
    """The command for the experiment: by its name if it belongs to a paper, else the command that ran."""
    experiment = result["experiment"]
    if experiment["paper"] and experiment["id"].startswith(f"{experiment['paper']['key']}/"):
        quick = ["--quick"] if experiment["form"] == "quick" else []
        return shlex.join(["bellmark", "run", experiment["id"], *quick])
    return shlex.join(["bellmark", *result["provenance"]["argv"][1:]])


def _parts(claim: Claim, places: Places) -> list[Block]:
    """The parts as a table, and after it every row with its whole reason."""
    rows: list[list[Inline]] = []
    every: list[list[Inline]] = []
    totals: tuple[set[int], set[int]] = set(), set()
    for result, verdict in claim.judged:
        beside = "" if verdict["decides"] else ", beside it"
        name: list = [places[verdict["result"]].experiment,
                      f" ({result['experiment']['form']}){beside}"]
        if len(claim.judged) > 1 and verdict["decides"]:
            totals[0].add(len(rows))
            rows.append([name, "", "", Badge(verdict["verdict"]), ""])
        totals[1].add(len(every))
        every.append([[*name, f": {verdict['text']}"], "", "", _headline(verdict),
                      verdict["reason"]])
        for part in verdict["parts"]:
            line = _part(part)
            if verdict["decides"]:
                rows.append([*line[:-1], shortened(line[-1], LONGEST_REASON)])
            every += [line, *map(_row, part["measured"])]
    columns: list[Inline] = ["Part", "Measured (95 % interval)", "Paper", "Verdict", "Reason"]
    table = Table(columns, rows, totals[0], "cards", ALL_VERDICTS)
    whole = Table(columns, every, totals[1], "cards", ALL_VERDICTS)
    return [table if len(rows) <= MOST_PARTS else Details(f"Parts ({len(rows)})", [table]),
            Details(f"Every row with its reason ({len(every)})", [whole])]


def _part(part: Json) -> list:
    """A part, with the row that decides it."""
    row = row_of(part) or next(iter(part["measured"]), None)
    count = len(part["measured"])
    more = f" (of {count} rows)" if count > 1 else ""
    return [part["text"], here(row) + more, papers_figures(row) if row else "",
            Badge(part["verdict"]), part["reason"]]


def _row(row: Json) -> list:
    return [row["text"], here(row), papers_figures(row),
            Badge(row["outcome"]) if row.get("outcome") else "",
            "; ".join(filter(None, [row.get("reason"), row.get("doubt")]))]


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
        word = input_word(*judged).capitalize()
        table = Table(["Claim", "What", f"{word} now", "Then", "Now (95 % interval)", "Now / then"],
                      rows, all_rows=ALL_VERDICTS)
        blocks.append(Section(identifier("then-and-now", key), [
            Heading(3, f"Then and now: {key}"),
            Paragraph(f"Then: {paper['machine']}. Now: {'; '.join(machines)}."),
            Details(f"{len(rows)} of the paper's figures beside ours", [table])]))
    return blocks


def _then_and_now_rows(result: Json, verdict: Json, part: Json) -> list[list[Inline]]:
    graphs = {cell["id"]: cell["graph"] for cell in result["cells"]}
    rows: list[list[Inline]] = []
    for item in part["measured"]:
        if item["paper"] is None:
            continue

        share = number(item["value"] / item["paper"]) if item["value"] and item["paper"] else ""
        rows.append([verdict["claim"], item["text"] or part["text"],
                     graph_name(graphs.get(item["numerator"], "")),
                     metric_text(item["paper"], item), here(item), share])
    return rows
