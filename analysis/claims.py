"""What came of every paper's claims on each machine, as Markdown: results/published/README.md.

    /usr/bin/python3 analysis/claims.py > results/published/README.md

`bellmark` judges: the executable that --bellmark or BELLMARK names, else the one built last.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Optional

from load import Claim, InputFault, Json, ask, claims_of
from units import interval, metric_text

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / "results" / "published"

INTRODUCTION = """# Published results

Each folder is `TOPIC/MACHINE/DATE-REVISION/`: result files, the report drawn from them (`report.md`) and its figures.
A README in each topic says what was run and what came of it. What follows is every claim of every paper, by the rules of
[How claims are judged](../../docs/explain/how-claims-are-judged.md). Of several results of an experiment the most faithful
decides, of equals the first. A claim of several experiments or rows shows the one that decided; experiments that
different builds decided have a row each.
`bellmark verdict results/published/TOPIC/MACHINE` gives every row with its reason.

Made by `analysis/claims.py`; a test compares.
"""

COLUMNS = ["claim", "what it says (experiments)", "machine", "here", "the paper", "data", "judged",
           "verdict", "cause", "result"]
ANY_MACHINE = "any: it is counted"
LONGEST_CAUSE = 160


def papers() -> list[Json]:
    """Every paper's `paper.toml`, by year, which its key ends in; those without come last."""
    found = [tomllib.loads(path.read_text(encoding="utf-8"))
             for path in ROOT.glob("experiments/*/paper.toml")]
    return sorted(found, key=lambda paper: (paper["key"][-4:] if paper["key"][-1].isdigit() else "~",
                                            paper["key"]))


def machines(folder: Path) -> dict[str, list[Path]]:
    """The folders of each machine below `folder`, which are TOPIC/MACHINE."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*/*/")):
        found.setdefault(path.name, []).append(path)
    return dict(sorted(found.items()))


def judgements(folders: list[Path], executable: Optional[str] = None) -> list[Claim]:
    """What the results in these folders say of each claim, of each build apart."""
    document = ask("verdict", "--json", *folders, executable=executable)
    files = [Path(entry["file"]) for entry in document["results"]]
    for claim in document["claims"]:
        for verdict in claim["judged"]:
            verdict["file"] = files[verdict["result"]]
    if any(claim["machine"] for claim in document["claims"]):
        raise InputFault(f"{folders[0].name}: its results are of several machines")
    return claims_of(document)


def place(machine: str, claim: Claim) -> str:
    """The machine, with the build's commit where several builds decide."""
    build = claim.weakest.get("build", "").split(",")[0]
    return f"{machine}, build {build}" if build else machine


def deciding(claim: Claim) -> Json:
    """The first verdict that has the claim's word, of those that decide."""
    verdicts = [verdict for _, verdict in claim.judged if verdict["decides"]]
    word = claim.weakest["verdict"]
    return next(verdict for verdict in verdicts if verdict["verdict"] == word)


def deciding_row(verdict: Json) -> Optional[Json]:
    """The row that decided: the first with the verdict's outcome; None where no row was measured."""
    for part in verdict["parts"]:
        if part["verdict"] != verdict["verdict"]:
            continue
        rows = [row for row in part["measured"] if row["value"] is not None]
        same = [row for row in rows if row.get("outcome") == verdict["verdict"]]
        if same or rows:
            return (same or rows)[0]
    return None


def here(row: Optional[Json]) -> str:
    if row is None:
        return ""
    value = metric_text(row["value"], row)
    return value + interval(row["ci95_low"], row["ci95_high"], lambda end: metric_text(end, row))


def papers_figure(row: Optional[Json]) -> str:
    """The paper's figure or range; a direction alone is "below 1" or "above 1"."""
    if row is None:
        return ""
    low, high = row["paper_low"], row["paper_high"]
    if low is not None and high is not None:
        return f"{metric_text(low, row)} to {metric_text(high, row)}"
    if low is not None or high is not None:
        word, end = ("at least", low) if low is not None else ("at most", high)
        return f"{word} {metric_text(end, row)}"
    if row["paper"] is not None:
        return metric_text(row["paper"], row)
    return "below 1" if row.get("range_low") == 0 else "above 1"


def extent(verdict: Json) -> str:
    """Rows judged of those planned, and queries asked of the paper's."""
    coverage = verdict.get("coverage") or {}
    if not coverage:
        return ""
    text = f"{coverage['row_count']} of {coverage['planned_row_count']} rows"
    if coverage["query_count"] is not None and coverage["paper_query_count"] is not None:
        text += f", {coverage['query_count']} of {coverage['paper_query_count']} queries"
    return text


def cause(verdict: Json, row: Optional[Json]) -> str:
    """Why, in one line."""
    text = " ".join((row or {}).get("reason", verdict["reason"]).split())
    return text if len(text) <= LONGEST_CAUSE else text[:LONGEST_CAUSE].rsplit(" ", 1)[0] + " ..."


def is_counted(claim: Claim) -> bool:
    """Whether all that is judged is a count or a fact, which is the same on every machine."""
    metrics = [row.get("metric", part["metric"]) for _, verdict in claim.judged
               for part in verdict["parts"] for row in part["measured"] if part["verdict"] != "shown"]
    counted = ("graph.", "answer.", "memory.accounted_bytes")
    return bool(metrics) and all(
        metric.startswith(counted) or
        metric.startswith("phase_log.") and ("_count" in metric) for metric in metrics)


def claim_row(name: str, text: str, machine: str, claim: Claim) -> list[str]:
    verdict = deciding(claim)
    row = deciding_row(verdict)
    headline = verdict["headline"].split(" on a stand-in")[0].split(": needs")[0]
    quick = " (quick form)" if verdict.get("form") == "quick" else ""
    folder = verdict["file"].parent
    link = f"[{folder.name}]({folder.relative_to(PUBLISHED).as_posix()}/report.md)" \
        if folder.is_relative_to(PUBLISHED) else folder.name
    data = verdict.get("stand_in_class") or verdict["stand_in"] or ""
    return [name, text, machine, here(row), papers_figure(row), data, extent(verdict),
            headline + quick, cause(verdict, row), link]


def table(paper: Json, machines: dict[str, list[Claim]]) -> str:
    rows = [COLUMNS, ["---"] * len(COLUMNS)]
    for short, text in paper["claims"].items():
        name = f"{paper['key']}/{short}"
        measured = [(place(machine, claim), claim) for machine, claims in machines.items()
                    for claim in claims if claim.name == name]
        if measured and all(is_counted(claim) for _, claim in measured):
            measured = [(ANY_MACHINE, measured[0][1])]
        rows += [claim_row(short, text, machine, claim) for machine, claim in measured] or \
            [[short, text, *[""] * 5, "not run", "", ""]]
    lines = "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in row)} |" for row in rows)
    return f"## {paper['key']}\n\n{paper['citation']}.\n\n{lines}\n"


def page(executable: Optional[str] = None) -> str:
    found = {machine: judgements(folders, executable)
             for machine, folders in machines(PUBLISHED).items()}
    return "\n".join([INTRODUCTION, *(table(paper, found) for paper in papers())])


def main() -> int:
    parser = argparse.ArgumentParser(prog="claims.py", description=__doc__.splitlines()[0])
    parser.add_argument("--bellmark", metavar="FILE", help="the executable that judges")
    try:
        sys.stdout.write(page(parser.parse_args().bellmark))
    except InputFault as fault:
        print(f"claims.py: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
