"""`report.py RESULT.json ... -o DIR`: the report of one or several results; `--check FILE ...`.

`-` in place of files reads the output of `bellmark report -f json` from standard input. The
`bellmark` that BELLMARK names, else the one built last, reads files.

Writes DIR/report.html (self-contained), DIR/report.md and DIR/figures/. Every number, interval
and verdict is the result file's, except the fitted values in the section on the scaling model.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Iterable, Optional, Sequence

if __name__ == "__main__":  # matplotlib's warnings to programmers don't help readers of a report
    warnings.simplefilter("ignore")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)

try:
    import figures
    from board import board, in_order
    from document import (Block, Bullets, Contents, Heading, Link, Paragraph, Picture, Section,
                          distinct, identifier, outline, to_html, to_markdown, walk)
    from load import Claim, InputFault, Json, check, load_all, read_data
    from naming import gpu_count, hardware, input_word
    from page_script import page_script
    from report_claims import RULES, Place, claims_section, then_and_now
    from report_experiment import experiment_section, figures_of, source_text
    from tuning_chart import draw_tunings
except ModuleNotFoundError as error:
    print(f"report.py: {sys.executable} lacks the Python package '{error.name}'; run "
          f"'apt-get install python3-{error.name}' and use /usr/bin/python3", file=sys.stderr)
    sys.exit(7)

STATISTICS = [
    "An experiment runs in blocks, 6 unless stated; each block is a fresh process that runs the "
    "cells alternately.",
    "A time is the median over the blocks of each block's median sample, with the exact 95 % "
    "order-statistic interval.",
    "A ratio is paired: log ratios of the same query in the same block, over the blocks, with the "
    "95 % sign-test interval.",
    "SAME means that the interval contains 1 and lies within 3 % of it; FASTER and SLOWER, that "
    "it excludes 1; UNCLEAR, neither.",
    "How claims are judged: docs/explain/how-claims-are-judged.md has the rules for every kind of "
    "claim, for stand-ins and for what is too small to be told from noise.",
]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit code: 0 done, 2 bad input, 7 the machine failed (permission, space)."""
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="RESULT.json")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder for the report")
    parser.add_argument("--title", help="the report's title")
    parser.add_argument("--check", action="store_true",
                        help="only validate the files against the schema")
    options = parser.parse_args(arguments)
    try:
        if options.check:
            return max([_check(path) for path in options.files])
        if options.output is None:
            raise InputFault("no folder to write to; add -o DIR")
        is_data = options.files == [Path("-")]
        results, claims = read_data(sys.stdin.buffer) if is_data else load_all(options.files)
        write(results, options.output, options.title, claims)
        print(options.output / "report.html")
        return 0
    except InputFault as fault:
        print(f"report.py: {fault}", file=sys.stderr)
        return 2
    except OSError as fault:
        print(f"report.py: {fault.filename or options.output}: {fault.strerror}; "
              "give a folder that can be written to", file=sys.stderr)
        return 7


def _check(path: Path) -> int:
    """Prints that the file is valid, or its first fault. Gives 0 or 2."""
    try:
        check(path)
    except InputFault as fault:
        print(fault)
        return 2
    print(f"{path}: valid")
    return 0


def write(results: list[Json], folder: Path, title: Optional[str] = None,
          claims: Sequence[Claim] = ()) -> None:
    """Writes the report. Each file appears whole or not at all, the two pages last."""
    title = title or (results[0]["experiment"]["title"] if len(results) == 1
                      else "Bellmark report")
    blocks = compose(results, claims, title)
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    for block in walk(blocks):
        if isinstance(block, Picture):
            write_atomically(folder / block.path, block.svg)
    write_atomically(folder / "report.md", to_markdown(blocks).encode("utf-8"))
    write_atomically(folder / "report.html", to_html(title, blocks, page_script()).encode("utf-8"))


def write_atomically(path: Path, data: bytes) -> None:
    """Writes beside the target, syncs, then renames."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def compose(results: list[Json], claims: Sequence[Claim], title: str) -> list[Block]:
    """The whole report in reading order."""
    claims = in_order(claims)
    said: set[str] = set()
    names = distinct(identifier(result["experiment"]["id"]) for result in results)
    experiments = [experiment_section(result, name, said, results[0])
                   for result, name in zip(results, names)]
    places = [Place(Link(result["experiment"]["id"], section.id), figures_of(section))
              for result, section in zip(results, experiments)]
    content: list[Block] = [
        board(claims), *claims_section(claims, places), *then_and_now(results),
        *_tunings(results), *experiments,
        Section(RULES, [Heading(2, "How the numbers are made"), Bullets(list(STATISTICS))])]
    head = Section("top", [Heading(1, title), _head(results)])
    return [head, Contents(outline(content)), *content]


def _tunings(results: list[Json]) -> list[Block]:
    """The candidates of each search for settings, over its rounds."""
    pictures = [figures.picture(drawn, f"tuning-{number}")
                for number, drawn in enumerate(draw_tunings(results), 1)]
    return [Section("tuning", [Heading(2, "Tuning"), *pictures])] if pictures else []


def _head(results: list[Json]) -> Paragraph:
    """Two lines: the machine, and the runs with their dates."""
    days = distinct_texts(r["provenance"]["started_utc"][:10] for r in results)
    graphs = {w["graph"] for r in results for w in r["workloads"]}
    word = input_word(*results)
    cells = sum(len(r["cells"]) for r in results)
    return Paragraph(
        f"Machine: {distinct_texts(map(_machine, results))}\n"
        f"Measured: {days}; {distinct_texts(source_text(r['provenance']) for r in results)}; "
        f"form: {distinct_texts(r['experiment']['form'] for r in results)}; "
        f"{_count(len(results), 'experiment')}, {_count(len(graphs), word)}, "
        f"{_count(cells, 'cell')}")


def distinct_texts(values: Iterable[str]) -> str:
    """Each once; of many the first three and the number of others."""
    texts = list(dict.fromkeys(values))
    more = [f"{len(texts) - 3} others"] if len(texts) > 4 else texts[3:]
    return "; ".join([*texts[:3], *more])


def _count(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _machine(result: Json) -> str:
    """The cells' GPUs, if they have any, and the processor, which is their host."""
    environment, summary = result["environment"], result["topology"]["summary"]
    cores = summary.get("core_count")
    kernel = environment.get("kernel_release")
    _, gpus = hardware(result)
    count = max(map(gpu_count, result["cells"]), default=0)
    processor = str(environment.get("cpu_model") or "unknown processor")
    if gpus:
        cards = f"{count} x {gpus[0]}" if count > 1 and len(gpus) == 1 else " and ".join(gpus)
        processor = f"{cards} with {processor}"
    return ", ".join(filter(None, [processor, f"{cores} cores" if cores else None,
                                   f"kernel {kernel}" if kernel else None]))


if __name__ == "__main__":
    sys.exit(main())
