"""What came of every paper's claims on each machine, as Markdown: results/published/README.md.

    /usr/bin/python3 analysis/claims.py > results/published/README.md

Verdicts are those of the published results; of several results on one machine the weakest.
"""

from __future__ import annotations

import sys
import tomllib
from collections import defaultdict
from pathlib import Path

from load import Json, claims, read_json

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / "results" / "published"

INTRODUCTION = """# Published results

Each folder is `TOPIC/MACHINE/DATE-REVISION/`: result files, the report drawn from them (`report.md`) and its figures.
A README in each topic says what was run and what came of it. What follows is every claim of every paper with the
weakest verdict of a machine's results (runs that ended early yield to longer ones); a star says that a result used a
stand-in for the paper's graph or machine. `bellmark verdict results/published/TOPIC/MACHINE/*/*.json` names it and gives the
reasons.

Made by `analysis/claims.py`; a test compares.
"""


def papers() -> list[Json]:
    """Every paper's `paper.toml`, by year, which its key ends in; those without come last."""
    found = [tomllib.loads(path.read_text(encoding="utf-8"))
             for path in ROOT.glob("experiments/*/paper.toml")]
    return sorted(found, key=lambda paper: (paper["key"][-4:] if paper["key"][-1].isdigit() else "~",
                                            paper["key"]))


def published(folder: Path) -> dict[str, list[Json]]:
    """The results below `folder` of each machine."""
    found: dict[str, list[Json]] = defaultdict(list)
    for path in sorted(folder.glob("*/*/*/*.json")):
        document = read_json(path)
        if "verdicts" in document:
            found[path.parts[-3]].append(document)
    return dict(sorted(found.items()))


def verdicts(results: list[Json]) -> dict[str, str]:
    """Claim -> the word of its weakest verdict, starred where one of its results was a stand-in."""
    words = {}
    for claim in claims(results):
        star = any(verdict["stand_in"] for _, verdict in claim.judged)
        words[claim.name] = claim.weakest["verdict"] + ("*" if star else "")
    return words


def table(paper: Json, machines: dict[str, dict[str, str]]) -> str:
    names = [f"{paper['key']}/{claim}" for claim in paper["claims"]]
    columns = [machine for machine, words in machines.items() if any(n in words for n in names)]
    rows = [["claim", "what it says (experiments)", *columns], ["---"] * (2 + len(columns))]
    for claim, name in zip(paper["claims"], names):
        rows.append([claim, paper["claims"][claim],
                     *(machines[machine].get(name, "not run") for machine in columns)])
    lines = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"## {paper['key']}\n\n{paper['citation']}.\n\n{lines}\n"


def page() -> str:
    machines = {machine: verdicts(results) for machine, results in published(PUBLISHED).items()}
    return "\n".join([INTRODUCTION, *(table(paper, machines) for paper in papers())])


if __name__ == "__main__":
    sys.stdout.write(page())
