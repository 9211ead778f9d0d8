"""Asks one build of Bellmark about the stored results of its tree."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

from words import BadInput, one_name

HOOK = Path(__file__).resolve().parent / "hook"


def say(executable: Path, tree: Path, *words: str, **environment: str) -> list[str]:
    """The exit code and the command's output, without the tree's own path."""
    done = subprocess.run([executable, *words], cwd=tree, capture_output=True, text=True,
                          env=os.environ | environment, timeout=1800)
    text = f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    return one_name(text.replace(str(tree), "TREE")).splitlines()


def listed(executable: Path, tree: Path) -> dict[str, list[str]]:
    said = {"list": say(executable, tree, "list")}
    for flag in ("--experiments", "--graphs"):
        said[f"list {flag}"] = say(executable, tree, "list", flag)
    for command in ("list", "verdict", "report"):
        said[f"list help of {command}"] = say(executable, tree, command, "--help")
    names = say(executable, tree, "list", "-v", "*/*")
    families = sorted({name.split(":")[0] for name in names if re.match(r"[\w-]+/[\w-]+", name)})
    if not families:
        raise BadInput(f"{executable}: lists no family")
    for family in families:
        said[f"list instances of {family}"] = say(executable, tree, "list", "-v", f"{family}:*")
    return said


def is_result(path: Path) -> bool:
    """True if the file declares itself a result. Not every JSON file is one."""
    open_text = gzip.open if path.suffix == ".gz" else open
    with open_text(path, "rt", encoding="utf-8") as stream:
        document = json.load(stream)
    head = document.get("schema") if isinstance(document, dict) else None
    return isinstance(head, dict) and head.get("name") == "bellmark-result"


def stored_results(tree: Path, below: str) -> list[str]:
    """Paths below the tree, ordered by their names without `.gz`."""
    files = [path for pattern in ("*.json", "*.json.gz")
             for path in (tree / below).rglob(pattern) if is_result(path)]
    if not files:
        raise BadInput(f"{tree / below}: holds no result")
    return sorted((str(path.relative_to(tree)) for path in files), key=one_name)


def results(executable: Path, tree: Path, below: str, kinds: set[str]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    folders: dict[str, list[str]] = {}
    for path in stored_results(tree, below):
        folders.setdefault(str(Path(path).parent), []).append(path)
        if "verdict" in kinds:
            said[f"verdict {one_name(path)}"] = say(executable, tree, "verdict", path)
        if "report" in kinds:
            for form in ("console", "markdown", "csv"):
                said[f"report -f {form} {one_name(path)}"] = say(
                    executable, tree, "report", "-f", form, path)
    for folder, paths in folders.items():
        if "verdict" in kinds:
            said[f"verdict {folder}"] = say(executable, tree, "verdict", *paths)
        if kinds & {"page", "figure"}:
            said |= page(executable, tree, folder, paths, kinds)
    return said


def page(executable: Path, tree: Path, folder: str, paths: list[str],
         kinds: set[str]) -> dict[str, list[str]]:
    """report.md, and the contents of its figures."""
    said: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as scratch:
        drawn = Path(scratch) / "drawn.jsonl"
        lines = say(executable, tree, "report", "-o", f"{scratch}/report", *paths,
                    PYTHONPATH=str(HOOK), BELLMARK_DRAWN=str(drawn), PYTHONDONTWRITEBYTECODE="1")
        written = Path(scratch) / "report/report.md"
        if written.exists():
            lines += one_name(written.read_text(encoding="utf-8")).splitlines()
        if "page" in kinds:
            said[f"page {folder}"] = [line.replace(scratch, "SCRATCH") for line in lines]
        if "figure" in kinds and drawn.exists():
            for line in drawn.read_text(encoding="utf-8").splitlines():
                name, shown = json.loads(line)
                said[f"figure {folder} {name}"] = shown
    return said
