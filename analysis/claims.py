"""The verdicts on every paper's claims on each machine, as Markdown: results/published/README.md.

    /usr/bin/python3 analysis/claims.py > results/published/README.md

`bellmark` judges: the executable that --bellmark or BELLMARK names, else the one built last.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Optional

from load import ROOT, Claim, InputFault, Json, ask, claims_with_files
from verdicts import deciding, deciding_row, extent, here, papers, papers_figure, reason, shortened

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


def machines(folder: Path) -> dict[str, list[Path]]:
    """The folders of each machine below `folder`, which are TOPIC/MACHINE."""
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.glob("*/*/")):
        found.setdefault(path.name, []).append(path)
    return dict(sorted(found.items()))


def judgements(folders: list[Path], executable: Optional[str] = None) -> list[Claim]:
    """The claims of the results in these folders, with a row for each build."""
    document = ask("verdict", "--json", *folders, executable=executable)
    if any(claim["machine"] for claim in document["claims"]):
        raise InputFault(f"{folders[0].name}: its results are of several machines")
    return claims_with_files(document)


def place(machine: str, claim: Claim) -> str:
    """The machine, with the build's commit if several builds decide."""
    build = claim.weakest.get("build", "").split(",")[0]
    return f"{machine}, build {build}" if build else machine


def is_counted(claim: Claim) -> bool:
    """True if all judged values are counts or facts, which are the same on every machine."""
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
            headline + quick, shortened(reason(verdict, row), LONGEST_CAUSE), link]


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
