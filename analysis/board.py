"""The board of claims: a line for each, with a forest plot, and the number of claims with each verdict."""

from __future__ import annotations

import re
import tomllib
from typing import Callable, Optional, Sequence

from document import (Badge, Drawing, Heading, Inline, Link, Paragraph, Section, Table,
                      distinct, identifier)
from forest import Axis, Effect, axis_of, effect_of, row_plot, ruler
from load import Claim, Json
from naming import apart, cell_label, natural, short_machine
from units import metric_text
from verdicts import (WORDS, counted, deciding, deciding_part, deciding_row, extent, here, papers_figure,
                      reason, result_of, sentence, shortened)

LONGEST_SENTENCE, LONGEST_EFFECT = 90, 160
NOT_JUDGED = "not judged: "
ALL_VERDICTS = "`bellmark verdict --json RESULT.json` prints all of them."
KEY = ("Point and line: measured here, with the 95 % interval. Band: the paper's figure or range. "
       "Triangle: the value lies beyond the axis, which is logarithmic.")


def in_order(claims: Sequence[Claim]) -> list[Claim]:
    """By paper in the given order, then by number: Y2 before Y10. Machines and builds of a claim follow
    each other."""
    keys = list(dict.fromkeys(claim.name.split("/")[0] for claim in claims))

    def place(claim: Claim) -> tuple:
        key, _, short = claim.name.partition("/")
        return keys.index(key), natural(short)

    return sorted(claims, key=place)


def anchors(claims: Sequence[Claim]) -> list[str]:
    """Each claim's permanent id: its name and, if several machines or builds have a verdict, the machine
    or build."""
    names = [claim.name for claim in claims]
    return distinct(identifier("claim", claim.name, *([tag(claim)] if names.count(claim.name) > 1
                                                      else [])) for claim in claims)


def tag(claim: Claim) -> str:
    """The machine and the build's commit, if several have a verdict on the claim."""
    machine = short_machine(claim.weakest.get("machine") or "")
    build = claim.weakest.get("build", "").split(",")[0]
    return ", ".join(filter(None, [machine, f"build {build}" if build else ""]))


def board(claims: Sequence[Claim], page: Callable[[Claim], str] = lambda claim: "") -> Section:
    """The first part of a report, with the claims in the order of their cards. `page` is the page of
    a claim's card, if it is another one: then the rows can be sorted and chosen."""
    if not claims:
        return Section("board", [Paragraph("These experiments judge no claims.")])
    effects = [effect_of(deciding_row(deciding(claim))) for claim in claims]
    axis = axis_of(effects)
    rows = [_row(claim, Link(claim.name, anchor, page(claim)), effect, axis)
            for claim, anchor, effect in zip(claims, anchors(claims), effects)]
    header: list[Inline] = ["Claim", "The paper says", Drawing(ruler(axis)), "Here", "Verdict",
                            "Data and coverage"]
    kept = [index for index in range(len(header)) if any(row[index] for row in rows)]
    table = Table([header[index] for index in kept],
                  [[row[index] for index in kept] for row in rows],
                  kind="cards board", all_rows=ALL_VERDICTS,
                  filters=_filters(claims) if any(map(page, claims)) else None)
    return Section("board", [Heading(2, "Claims"), Paragraph(f"{counted(claims)}. {disturbed_sentence(claims)}".rstrip()), table,
                             Paragraph(KEY)])


def _filters(claims: Sequence[Claim]) -> list[tuple[str, str, list[str]]]:
    papers = list(dict.fromkeys(claim.name.split("/")[0] for claim in claims))
    machines = sorted({tag(claim).split(", build ")[0] for claim in claims if tag(claim)})
    words = [word for word in WORDS if any(claim.weakest["verdict"] == word for claim in claims)]
    choices = [("Paper", "Claim", papers), ("Machine", "Claim", machines),
               ("Verdict", "Verdict", words)]
    return [choice for choice in choices if len(choice[2]) > 1]


def _row(claim: Claim, link: Link, effect: Optional[Effect], axis: Axis) -> list[Inline]:
    verdict = deciding(claim)
    row = deciding_row(verdict)
    words = f"{effect_words(verdict, result_of(verdict, claim))} {not_judged(row)}".rstrip()
    name: list = [link]
    if tag(claim):
        name.append(f"\n{tag(claim)}")
    plot: Inline = Drawing(row_plot(effect, axis, _plot_words(row, words))) if effect else ""
    form = "\nquick form" if verdict.get("form") == "quick" else ""
    data = verdict.get("stand_in_class") or ("a stand-in" if verdict["stand_in"] else "")
    return [name, shortened(sentence(claim), LONGEST_SENTENCE), plot, words,
            [Badge(verdict["verdict"]), form],
            "\n".join(filter(None, [data, *extent(verdict).split(", ")]))]


def _plot_words(row: Json, words: str) -> str:
    against = "" if row["denominator"] is not None else ", drawn against the paper's figure"
    paper = papers_figure(row)
    return f"{words} Ours: {here(row)}{against}. The paper: {paper or 'no figure'}."


def effect_words(verdict: Json, result: Json) -> str:
    """The measured values in a sentence; for a claim without a measured row, why there is none."""
    row, part = deciding_row(verdict), deciding_part(verdict)
    if row is None or part is None:
        return shortened(reason(verdict, None), LONGEST_EFFECT)
    paper = papers_figure(row, _short)
    said = f"; the paper {paper}" if paper else ""
    return f"{shortened(_measured(row, part, result), LONGEST_EFFECT)}{said}."


def not_judged(row: Optional[Json]) -> str:
    """The cause why a measured row decides nothing: "Not judged: disturbed: ..."; "" if it was judged."""
    why = (row or {}).get("reason") or ""
    return f"{why[0].upper()}{why[1:].rstrip('.')}." if why.startswith(NOT_JUDGED) else ""


def disturbed_sentence(claims: Sequence[Claim]) -> str:
    """The number of claims that other programs have left undecided, and advice; "" if none."""
    count = sum(claim.weakest["verdict"] == "inconclusive" and "disturbed" in
                not_judged(deciding_row(deciding(claim))) for claim in claims)
    if count == 0:
        return ""
    whose = "1 claim is" if count == 1 else f"{count} claims are"
    return f"{whose} inconclusive because the machine was disturbed: run again while it is idle."


def _short(value: float, row: Json) -> str:
    return f"{value:.3g}" if row["denominator"] is not None and value < 1000 else \
        metric_text(value, row)


def _measured(row: Json, part: Json, result: Json) -> str:
    cells = {cell["id"]: cell for cell in result.get("cells", [])}
    ours = _short(row["value"], row)
    first, second = (cells.get(row[side]) for side in ("numerator", "denominator"))
    if first is None or second is None:
        name = row["text"] or part["text"] or (cell_label(first, result) if first else "")
        return f"{name}: {ours}"
    if is_compound(row, result):
        return f"{row['text'].split(': (')[0]}: {ours}"
    one, other, where = apart(first, second, result)
    metric = row.get("metric", part["metric"])
    times = f"{ours} of" if row["value"] < 1 else f"{ours} times"
    what = {"wall_ns": "takes {} the time of", "teps": "reaches {} the edges a second of",
            "rates": "reaches {} the rate of",
            "memory": "takes {} the memory of"}.get(metric.split(".")[0])
    text = f"{one} {what.format(times)} {other}" if what else \
        f"{one} against {other}: {ours} ({metric_words(metric)})"
    return f"{where}: {text}" if where else text


def metric_words(metric: str) -> str:
    """`phase_log.host_ns.sum_at_most_100` as "host ns sum at most 100"."""
    return re.sub(r"[._]", " ", metric.removeprefix("phase_log."))


def is_compound(row: Json, result: Json) -> bool:
    """True if the value is not a plain ratio of the two cells: a mean of ratios, a growth, or a ratio
    over another. Only the experiment's text tells it."""
    text = row["text"]
    if ": the mean over " in text or text.startswith("growth from "):
        return True
    try:
        specified = tomllib.loads(result["provenance"]["spec"])
    except tomllib.TOMLDecodeError:
        return False
    claims = specified.get("claim", [])
    return any(text.startswith(f"{statement.get('text')}: ")
               for claim in claims if isinstance(claim, dict)
               for statement in claim.get("statements", [])
               if isinstance(statement, dict) and "over" in statement)
