"""What came of every paper's claims on each machine, as Markdown: results/published/README.md.

    /usr/bin/python3 analysis/claims.py > results/published/README.md

`bellmark` judges: the executable that --bellmark or BELLMARK names, else the one built last. Of
several results on one machine the weakest verdict counts.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from pathlib import Path
from typing import Optional

from load import InputFault, Json, ask, claims_of

ROOT = Path(__file__).resolve().parent.parent
PUBLISHED = ROOT / "results" / "published"

INTRODUCTION = """# Published results

Each folder is `TOPIC/MACHINE/DATE-REVISION/`: result files, the report drawn from them (`report.md`) and its figures.
A README in each topic says what was run and what came of it. What follows is every claim of every paper with the
weakest verdict of a machine's results (runs that ended early yield to longer ones); a star says that a result used a
stand-in for the paper's graph or machine. `bellmark verdict results/published/TOPIC/MACHINE` names it and gives the reasons.

Made by `analysis/claims.py`; a test compares.
"""


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


def verdicts(folders: list[Path], executable: Optional[str] = None) -> dict[str, str]:
    """Claim -> the word of its weakest verdict, starred where one of its results was a stand-in."""
    words = {}
    for claim in claims_of(ask("verdict", "--json", *folders, executable=executable)):
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


def page(executable: Optional[str] = None) -> str:
    words = {machine: verdicts(folders, executable)
             for machine, folders in machines(PUBLISHED).items()}
    return "\n".join([INTRODUCTION, *(table(paper, words) for paper in papers())])


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
