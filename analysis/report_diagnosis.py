"""The bottleneck of a variant: the paper's decision table with the measured values, and the row that fits."""

from __future__ import annotations

from document import Badge, Block, Heading, Inline, Paragraph, Section, Table, identifier
from load import Json
from naming import graph_name
from units import interval, number

FITS, FITS_NOT = "\u2713", "\u2717"


def diagnosis_section(result: Json, name: str) -> list[Block]:
    """A table for each variant and graph; none for results without a diagnosis, or for older ones without
    the table."""
    diagnosis = result.get("diagnosis") or {}
    if "table" not in diagnosis:
        return []
    margin = number(100 * diagnosis["margin_ratio"])
    tables: list[Block] = []
    for finding in diagnosis["findings"]:
        tables += [Heading(4, f"{finding['variant']} on {graph_name(finding['graph'])}"),
                   Paragraph(f"{_capital(finding['conclusion'])}."),
                   *([Paragraph(f"{_capital(finding['stalls'])}.")] if finding.get("stalls") else []),
                   _decision_table(diagnosis["table"], finding)]
    return [Section(identifier("diagnosis", name), [
        Heading(3, "What binds it"), *tables,
        Paragraph(f"Each line of the paper's table says which times grow when that level binds. A time "
                  f"that grows by less than {margin} % has not changed. {FITS}: as measured; "
                  f"{FITS_NOT}: measured otherwise; without a sign: not decided here.")])]


def _decision_table(levels: list[Json], finding: Json) -> Table:
    inputs = finding["inputs"]
    measured: list[Inline] = ["Measured here", *map(_measured, inputs), ""]
    rows: list[list[Inline]] = [
        [level["level"], *map(_expected, level["changes"], inputs),
         _found(level["level"], finding["candidates"])] for level in levels]
    header: list[Inline] = ["If this binds", *(each["input"] for each in inputs), "Found"]
    return Table(header, [measured, *rows], {0}, "cards")


def _measured(each: Json) -> str:
    if each["ratio"] is None:
        return f"not measured: {each['reason']}" if each["reason"] else "not measured"
    ratio = f"{each['ratio']:.3f}" + interval(each["ci95_low"], each["ci95_high"], "{:.3f}".format)
    return f"{each['change']}: {ratio}" + (f"; {each['reason']}" if each["reason"] else "")


def _expected(change: str, each: Json) -> str:
    if each["change"] not in ("changed", "unchanged"):
        return change
    return f"{change} {FITS if change == each['change'] else FITS_NOT}"


def _found(level: str, candidates: list[str]) -> Inline:
    if level not in candidates:
        return ""
    return Badge("found") if candidates == [level] else Badge("possible")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
