"""`report.py RESULT.json ... -o DIR`: the report of one or several results; `--check FILE ...`.

`-` in place of files reads what `bellmark report -f json` gives from standard input. Files are read
by the `bellmark` that BELLMARK names, else the one built last.

Writes DIR/report.html (self-contained), DIR/report.md and DIR/figures/. Every number, interval
and verdict is the result file's, but for what the section on the scaling model says it has fitted.
"""

from __future__ import annotations

import argparse
import logging
import os
import re
import string
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Iterable, Optional, Sequence

if __name__ == "__main__":  # what matplotlib tells programmers is nothing for who reads a report
    warnings.simplefilter("ignore")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)

try:
    import figures
    from document import (Block, Bullets, Code, Details, Heading, Inline, Paragraph, Picture,
                          Table, to_html, to_markdown)
    from load import (Claim, InputFault, Json, axis_text, check, load_all, read_data,
                      rows_without_cell)
    from naming import cell_label, gpu_count, hardware
    from page_script import page_script
    from report_cells import counters, kernels, other_comparisons, phases, times, work
    from report_claims import claims_section, then_and_now
    from report_scaling import scaling_section
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
]


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit code: 0 done, 2 bad input, 7 the machine failed us (permission, space)."""
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
    """Prints whether the file is valid, or its first fault; 0 or 2."""
    try:
        check(path)
    except InputFault as fault:
        print(fault)
        return 2
    print(f"{path}: valid")
    return 0


def write(results: list[Json], folder: Path, title: Optional[str] = None,
          claims: Sequence[Claim] = ()) -> None:
    """Writes the report; each file appears whole or not at all, the two pages last."""
    title = title or (results[0]["experiment"]["title"] if len(results) == 1
                      else "Bellmark report")
    blocks = compose(results, claims, title)
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    for block in blocks:
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
    blocks: list[Block] = [Heading(1, title), *_overview(results), *claims_section(claims),
                           *then_and_now(results)]
    if tunings := draw_tunings(results):
        blocks += [Heading(2, "Tuning"), *(figures.picture(drawn, f"tuning-{number}")
                                           for number, drawn in enumerate(tunings, 1))]
    said: set[str] = set()
    for result, name in zip(results, _figure_names(results)):
        blocks += _experiment(result, name, said)
    blocks += [Heading(2, "How the numbers are made"), Bullets(list(STATISTICS))]
    blocks.append(Heading(2, "Provenance"))
    for result in results:
        blocks += _provenance(result)
    return blocks


def _figure_names(results: list[Json]) -> list[str]:
    """File names from the experiments' ids, numbered where several share one."""
    names: list[str] = []
    for result in results:
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", result["experiment"]["id"]).strip(".-") or "figure"
        taken, count = name, 1
        while taken in names:
            count += 1
            taken = f"{name}-{count}"
        names.append(taken)
    return names


def _overview(results: list[Json]) -> list[Block]:
    def distinct(values: Iterable[str]) -> str:
        return "; ".join(dict.fromkeys(values))

    lines = [
        f"Machine: {distinct(map(_machine, results))}",
        f"Date: {distinct(r['provenance']['started_utc'] for r in results)}",
        f"Source: {distinct(_sha(r['provenance']) for r in results)}",
        f"Form: {distinct(r['experiment']['form'] for r in results)}",
        f"Graph: {distinct(w['graph'] for r in results for w in r['workloads']) or 'none'}",
    ]
    return [Paragraph("\n".join(lines))]


def _machine(result: Json) -> str:
    """The GPUs that the cells ran on, where they did, and the processor, which is their host."""
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


def _sha(provenance: Json) -> str:
    sha = provenance["git_sha"]
    if sha is None:
        return f"version {provenance['version']}, no git revision known"
    return f"git {sha[:12]}" + (" with uncommitted changes" if provenance["git_dirty"] else "")


def _pictures(result: Json, name: str) -> list[Block]:
    """The first figure has the experiment's name; others have a letter behind it."""
    blocks: list[Block] = [
        figures.picture(drawn, name if letter == "a" else f"{name}{letter}")
        for letter, drawn in zip(string.ascii_lowercase, figures.draw(result))]
    return blocks + [Paragraph(why) for why in figures.refused(result)]


def _experiment(result: Json, name: str, said: set[str]) -> list[Block]:
    """All that is said of one experiment; its figures' files begin with the name. Warnings that were
    `said` are left out."""
    experiment = result["experiment"]
    blocks: list[Block] = [Heading(2, f"{experiment['id']}: {experiment['title']}")]
    if experiment["paper"]:
        paper = experiment["paper"]
        blocks.append(Paragraph(f"{paper['item']} of {paper['citation']}. "
                                f"The paper's machine: {paper['machine']}."))
    facts = [f"Form: {experiment['form']}", f"placement: {_placements(result)}"]
    if experiment.get("launcher"):
        facts.append(f"ranks started by: {experiment['launcher']}")
    if experiment["stand_in"]:
        facts.append(f"stand-in: {experiment['stand_in']}")
    classes = dict.fromkeys(cell.get("stand_in_class") for cell in result["cells"])
    if named := [name for name in classes if name]:
        facts.append(f"data: {', and '.join(named)}")
    blocks.append(Paragraph("; ".join(facts) + "."))
    blocks += _pictures(result, name)
    for section in (times, counters, kernels, phases, work):
        blocks += section(result)
    blocks += scaling_section(result, name)
    blocks += other_comparisons(result)
    for title, items in (
            ("What was cut", experiment["cuts"]),
            ("Not measured", [f"{cell_label(row, result)} ({row['variant']}): {row['code']}: "
                              f"{row['reason']}" for row in rows_without_cell(result)]),
            ("Warnings", _fresh_warnings(result, said))):
        if items:
            blocks += [Heading(3, title), Bullets(list(items))]
    return blocks


def _fresh_warnings(result: Json, said: set[str]) -> list[str]:
    """Those not said before, which they are then: most are about the machine. The load has another
    figure from run to run."""
    fresh = []
    for row in result["warnings"]:
        text = f"{row['text']} What to do: {row['action']}"
        key = re.sub(r"(?<=^the load average is).*", "", row["text"])
        if key not in said:
            fresh.append(text)
        said.add(key)
    return fresh


def _placements(result: Json) -> str:
    """Where the cells that were measured ran, as the experiment says it; of many, how many."""
    cells = [cell for cell in result["cells"] if cell["wall_ns"]] or result["cells"]
    places = list(dict.fromkeys(cell["placement"]["requested"] for cell in cells))
    if len(places) > 8:
        return f"{', '.join(places[:4])} and {len(places) - 4} others"
    return ", ".join(places) or result["experiment"]["placement"]


def _provenance(result: Json) -> list[Block]:
    provenance, experiment = result["provenance"], result["experiment"]
    rows: list[list[Inline]] = [
        ["Command", " ".join(provenance["argv"])],
        ["Bellmark", f"{provenance['version']}, {_sha(provenance)}"],
        ["Compiler", f"{provenance['compiler']}, {provenance['build_type']}"],
        ["Flags", provenance["flags"]],
        ["Libraries", ", ".join(f"{name} {version}"
                                for name, version in provenance["libraries"].items())],
        ["Run", f"{provenance['started_utc']} to {provenance['finished_utc']}, "
                f"seed {provenance['seed']}, {experiment['block_count']} blocks"],
        ["Specification's digest", provenance["spec_digest"]],
    ]
    for workload in result["workloads"]:
        queries = workload["queries"]
        rows.append([f"Graph {workload['graph']}",
                     f"digest {workload['facts']['digest']}; {queries['count']} queries, "
                     f"{queries['kind']}, seed {queries['seed']}, digest {queries['digest']}"])
    environment: list[list[Inline]] = [[key, axis_text(value)] for key, value in
                                       result["environment"].items()]
    return [Heading(3, f"{experiment['id']} ({experiment['form']})"),
            Table(["What", "Value"], rows),
            Details("Environment", [Table(["Key", "Value"], environment)]),
            Details("Specification", [Code(provenance["spec"])])]


if __name__ == "__main__":
    sys.exit(main())
