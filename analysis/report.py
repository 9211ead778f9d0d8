"""`report.py RESULT.json ... -o DIR`: the report of one or several results; `--check FILE ...`.

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
from typing import Any, Iterable, Iterator, Optional, Sequence

if __name__ == "__main__":  # what matplotlib tells programmers is nothing for who reads a report
    warnings.simplefilter("ignore")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)

try:
    import figures
    import scaling
    from document import (Badge, Block, Bullets, Code, Details, Heading, Inline, Paragraph,
                          Picture, Table, to_html, to_markdown)
    from load import (Claim, InputFault, Json, axis_text, cell_label, check, claims, failure_of,
                      figure_specs, load, ratio, reference_of, rows_without_cell)
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


SCALING = (
    "A step's time is a sum of counts that a formula gives (messages and bytes that a rank sends, "
    "what it reads and holds; analysis/scaling.py), each times a cost of at least 0 that is fitted "
    "to the phase logs: median rank, all levels of a search, median over the sources. A step holds "
    "what a rank waits for others in it. Each number of ranks is predicted from the others (held "
    "out), and more ranks than were measured from all, with as many levels and vertices a rank as "
    "the largest search had; beside the sum stands how far it gets by the largest factor that a "
    "held-out sum was missed by, which is no confidence interval. A prediction decides no verdict.")


# What a result says of cells that can have no kernels (harness/run/protocol/reasons.hpp).
NO_GPU_VARIANT = "the variant runs on no GPU"


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
        results = [load(path) for path in options.files]
        write(results, options.output, options.title)
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


def write(results: list[Json], folder: Path, title: Optional[str] = None) -> None:
    """Writes the report; each file appears whole or not at all, the two pages last."""
    title = title or (results[0]["experiment"]["title"] if len(results) == 1
                      else "Bellmark report")
    names = _figure_names(results)
    pictures: list[list[Picture]] = []
    (folder / "figures").mkdir(parents=True, exist_ok=True)
    for result, name in zip(results, names):
        pictures.append([])
        for letter, drawn in zip(string.ascii_lowercase, figures.draw(result)):
            # One figure has the experiment's name; of several, all but the first have a letter.
            file = name if letter == "a" else f"{name}{letter}"
            pictures[-1].append(_picture(drawn, folder, file))
    sections = [_scaling(result, folder, name) for result, name in zip(results, names)]
    blocks = compose(results, pictures, sections, title)
    write_atomically(folder / "report.md", to_markdown(blocks).encode("utf-8"))
    write_atomically(folder / "report.html", to_html(title, blocks).encode("utf-8"))


def _picture(drawn: figures.Drawn, folder: Path, file: str) -> Picture:
    """Writes the figure in both formats."""
    svg = figures.render(drawn, "svg")
    write_atomically(folder / "figures" / f"{file}.svg", svg)
    write_atomically(folder / "figures" / f"{file}.png", figures.render(drawn, "png"))
    caption = " ".join(filter(None, [drawn.caption, *drawn.notes]))
    return Picture(svg, f"figures/{file}.png", drawn.alt, caption)


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


def compose(results: list[Json], pictures: list[list[Picture]], sections: list[list[Block]],
            title: str) -> list[Block]:
    """The whole report in reading order; `sections` are the results' scaling models."""
    blocks: list[Block] = [Heading(1, title), *_overview(results), *_claims(results),
                           *_then_and_now(results)]
    for result, drawn, section in zip(results, pictures, sections):
        blocks += _experiment(result, drawn, section)
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
    def machine(result: Json) -> str:
        environment, summary = result["environment"], result["topology"]["summary"]
        cores = summary.get("core_count")
        kernel = environment.get("kernel_release")
        return ", ".join(filter(None, [
            str(environment.get("cpu_model") or "unknown processor"),
            f"{cores} cores" if cores else None, f"kernel {kernel}" if kernel else None]))

    def distinct(values: Iterable[str]) -> str:
        return "; ".join(dict.fromkeys(values))

    lines = [
        f"Machine: {distinct(map(machine, results))}",
        f"Date: {distinct(r['provenance']['started_utc'] for r in results)}",
        f"Source: {distinct(_sha(r['provenance']) for r in results)}",
        f"Form: {distinct(r['experiment']['form'] for r in results)}",
        f"Graph: {distinct(w['graph'] for r in results for w in r['workloads']) or 'none'}",
    ]
    return [Paragraph("\n".join(lines))]


def _sha(provenance: Json) -> str:
    sha = provenance["git_sha"]
    if sha is None:
        return f"version {provenance['version']}, no git revision known"
    return f"git {sha[:12]}" + (" with uncommitted changes" if provenance["git_dirty"] else "")


def _claims(results: list[Json]) -> list[Block]:
    blocks: list[Block] = [Heading(2, "Claims")]
    found = claims(results)
    if not found:
        return blocks + [Paragraph("These experiments judge no claims.")]
    rows: list[list[Inline]] = []
    totals: set[int] = set()
    for claim in found:
        totals.add(len(rows))
        rows += _claim_rows(claim)
    return blocks + [Table(["Claim", "What the paper says", "Verdict",
                            "Measured (95 % interval), paper", "Why"], rows, totals)]


def _claim_rows(claim: Claim) -> list[list[Inline]]:
    """The claim's total, then each result's verdict (where there are several) and its parts."""
    if len(claim.judged) == 1:
        return _verdict_rows(claim.name, claim.text, claim.judged[0][1])
    rows: list[list[Inline]] = [[claim.name, claim.text, _headline(claim.weakest), "",
                                 f"the weakest of {len(claim.judged)} results"]]
    for result, verdict in claim.judged:
        rows += _verdict_rows(f"{verdict['experiment']} ({result['experiment']['form']})", "",
                              verdict)
    return rows


def _verdict_rows(name: str, text: str, verdict: Json) -> list[list[Inline]]:
    """One row for the verdict, and one a part unless there is a single part to merge with it."""
    parts = verdict["parts"]
    if len(parts) == 1:
        part = parts[0]
        texts = dict.fromkeys(filter(None, (text, part["text"])))
        reasons = dict.fromkeys(filter(None, (verdict["reason"], part["reason"])))
        return [[name, "\n".join(texts), _headline(verdict), _measured(part), "\n".join(reasons)]]
    return [[name, text, _headline(verdict), "", verdict["reason"]]] + [
        ["", part["text"], Badge(part["verdict"]), _measured(part), part["reason"]]
        for part in parts]


def _headline(verdict: Json) -> Inline:
    """The verdict's word as a badge, then what the headline adds to it (the stand-in)."""
    word, headline = verdict["verdict"], verdict["headline"]
    rest = headline[len(word):] if headline.startswith(word) else f" {headline}"
    if verdict["stand_in"] and verdict["stand_in"] not in rest:
        rest += f" (stand-in: {verdict['stand_in']})"
    return [Badge(word), rest]


def _measured(part: Json) -> str:
    """One line a measured figure: value, interval, and the paper's value or range."""
    lines = []
    for item in part["measured"]:
        def show(value: float) -> str:
            return _metric_text(value, item, part)

        text = f"{item['text']}: " if item["text"] else ""
        text += "not measured" if item["value"] is None else show(item["value"])
        text += interval(item["ci95_low"], item["ci95_high"], show)
        bounds = [item["paper_low"], item["paper_high"]]
        paper = [] if item["paper"] is None else [show(item["paper"])]
        if bounds != [None, None]:
            low, high = (show(b) if b is not None else None for b in bounds)
            paper.append(f"{low} to {high}" if low and high else
                         f"at least {low}" if low else f"at most {high}")
        lines.append(text + (f"; paper {', '.join(paper)}" if paper else ""))
    return "\n".join(lines)


def _metric_text(value: float, item: Json, part: Json) -> str:
    """A value of a claim's metric in that metric's unit: a ratio where two cells are compared."""
    metric = item.get("metric", part["metric"])
    if item["denominator"] is not None:
        return f"{value:.3f}"
    if metric.startswith("memory."):
        return size(value)
    _, _, aggregate = metric.rpartition(".")
    is_quotient = aggregate.startswith("share_") or aggregate == "late_over_largest"
    if metric == "wall_ns" or (re.search(r"_ns\.", metric) and not is_quotient):
        return f"{milliseconds(value)} ms"
    return number(value)


def _then_and_now(results: list[Json]) -> list[Block]:
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
        machines = dict.fromkeys(figures.machine_name(result) for result in judged)
        blocks += [Heading(3, f"Then and now: {key}"),
                   Paragraph(f"Then: {paper['machine']}. Now: {'; '.join(machines)}."),
                   Table(["Claim", "What", "Graph now", "Then", "Now (95 % interval)",
                          "Now / then"], rows)]
    return blocks


def _then_and_now_rows(result: Json, verdict: Json, part: Json) -> list[list[Inline]]:
    graphs = {cell["id"]: cell["graph"] for cell in result["cells"]}
    rows: list[list[Inline]] = []
    for item in part["measured"]:
        if item["paper"] is None:
            continue

        def show(value: float) -> str:
            return _metric_text(value, item, part)

        now = "not measured" if item["value"] is None else \
            show(item["value"]) + interval(item["ci95_low"], item["ci95_high"], show)
        share = number(item["value"] / item["paper"]) if item["value"] and item["paper"] else ""
        rows.append([verdict["claim"], item["text"] or part["text"],
                     figures.graph_name(graphs.get(item["numerator"], "")), show(item["paper"]),
                     now, share])
    return rows


def number(value: float) -> str:
    """Four significant digits, never an exponent for what a person reads as a plain number."""
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def milliseconds(value_ns: float) -> str:
    """Four significant digits, trailing zeros kept so that a column lines up."""
    value = value_ns * 1e-6
    return f"{value:#.4g}".rstrip(".") if value < 999.95 else f"{value:.0f}"


def size(value_bytes: float) -> str:
    """Bytes in the largest binary unit that leaves at least 1."""
    for unit, scale in (("GiB", 2.0**30), ("MiB", 2.0**20), ("KiB", 2.0**10)):
        if value_bytes >= scale:
            return f"{number(value_bytes / scale)} {unit}"
    return f"{number(value_bytes)} bytes"


def interval(low: Optional[float], high: Optional[float], show: Any) -> str:
    """` [low, high]`, or nothing when the file has no interval."""
    return "" if low is None or high is None else f" [{show(low)}, {show(high)}]"


def absent(reason: Optional[str]) -> str:
    return f"not available: {reason or 'no reason given'}"


def _experiment(result: Json, pictures: list[Picture], section: list[Block]) -> list[Block]:
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
    blocks.append(Paragraph("; ".join(facts) + "."))
    blocks += pictures
    blocks += _times(result)
    blocks += _counters(result)
    blocks += _kernels(result)
    blocks += _phases(result)
    blocks += _work(result)
    blocks += section
    blocks += _other_comparisons(result)
    for title, items in (
            ("What was cut", experiment["cuts"]),
            ("Not measured", [f"{cell_label(row, result)} ({row['variant']}): {row['code']}: "
                              f"{row['reason']}" for row in rows_without_cell(result)]),
            ("Warnings", [f"{row['text']} What to do: {row['action']}"
                          for row in result["warnings"]])):
        if items:
            blocks += [Heading(3, title), Bullets(list(items))]
    return blocks


def _placements(result: Json) -> str:
    """Where the cells that were measured ran, as the experiment says it; of many, how many."""
    cells = [cell for cell in result["cells"] if cell["wall_ns"]] or result["cells"]
    places = list(dict.fromkeys(cell["placement"]["requested"] for cell in cells))
    if len(places) > 8:
        return f"{', '.join(places[:4])} and {len(places) - 4} others"
    return ", ".join(places) or result["experiment"]["placement"]


def _reference(cell: Json, result: Json) -> Optional[Json]:
    """The cell that this one is compared with: its baseline, else the figure's.

    Results from before every cell had its own know one for all.
    """
    baseline = cell.get("baseline", result["experiment"]["baseline"])
    if baseline is not None:
        return next((other for other in result["cells"] if other["id"] == baseline), None)
    where = next((spec["relative_to"] for spec in figure_specs(result) if "relative_to" in spec),
                 None)
    return reference_of(cell, result, where) if where else None


def _times(result: Json) -> list[Block]:
    cells = result["cells"]
    if not cells:
        return [Paragraph("No cell was measured.")]
    references = {cell["id"]: _reference(cell, result) for cell in cells}
    columns: list[tuple[str, Any]] = [("Cell", lambda cell: cell_label(cell, result)),
                                      ("Time per query, ms (95 % interval)",
                                      lambda cell: _time(cell, result))]
    if any(references.values()):
        columns.append(("Time / baseline (95 % interval)",
                        lambda cell: _ratio(cell, references[cell["id"]], result)))
    columns += [("Blocks x samples", _samples), ("Validation", _validation)]
    if any(cell.get("construction") for cell in cells):
        columns.append(("Opened, prepared in, ms (not in the time)", _construction))
    notes = []
    for key, title in (("accounted_bytes", "Accounted memory"),
                       ("resident_bytes", "Resident memory")):
        if any(cell["memory"][key] is not None for cell in cells):
            columns.append((title, lambda cell, key=key: _memory(cell["memory"], key)))
        else:
            reasons = dict.fromkeys(filter(None, (cell["memory"]["reason"] for cell in cells)))
            notes += [f"{title}: {absent(reason)}." for reason in reasons]
    names = {cell["id"]: cell_label(cell, result) for cell in cells}
    covers: dict[str, list[str]] = {}
    for cell in cells:
        covers.setdefault(", ".join(cell["covers"]) or "nothing", []).append(names[cell["id"]])
    notes += [f"The timer covers {what}" + (f" ({'; '.join(which)})." if len(covers) > 1 else ".")
              for what, which in covers.items()]
    flagged = [f"{names[cell['id']]}: {cell['outlier_count']}" for cell in cells
               if cell["outlier_count"]]
    if flagged:
        notes.append(f"Outliers flagged and kept: {'; '.join(flagged)}.")
    stops: dict[str, int] = {}
    for cell in cells:
        for reason, count in cell["stop_reasons"].items():
            stops[reason] = stops.get(reason, 0) + count
    if stops:
        notes.append("Sampling stopped by (blocks): "
                     + "; ".join(f"{reason}: {count}" for reason, count in stops.items()) + ".")
    variants = [[names[cell["id"]], cell["variant"],
                 cell["requested_variant"] if cell["requested_variant"] != cell["variant"] else "",
                 cell["graph"], str(cell["query_count"]), _place(cell),
                 ", ".join(dict.fromkeys(cell["placement"]["observed"]))] for cell in cells]
    return [Table([title for title, _ in columns],
                  [[show(cell) for _, show in columns] for cell in cells]),
            Paragraph("\n".join(notes)),
            Details("Variants, queries and placement",
                    [Table(["Cell", "Variant", "Requested as", "Graph", "Queries", "Placement",
                            "Observed at"], variants)])]


def _place(cell: Json) -> str:
    place = cell["placement"]["resolved"]
    return f"{place}, {cell['rank_count']} ranks" if cell.get("launcher") else place


def _time(cell: Json, result: Json) -> str:
    wall, failure = cell["wall_ns"], failure_of(cell, result)
    if failure is not None:
        count = cell["block_count"]
        after = f" after {count} {'block' if count == 1 else 'blocks'}" if count else ""
        return f"not measured: {failure['code']}{after}: {failure['reason']}"
    if wall is None:
        return "not measured"
    text = milliseconds(wall["median"]) + interval(wall["ci95_low"], wall["ci95_high"],
                                                   milliseconds)
    return text if wall["ci95_low"] is not None and wall["ci95_high"] is not None \
        else f"{text} (no interval: {wall['reason'] or 'no reason given'})"


def _ratio(cell: Json, reference: Optional[Json], result: Json) -> str:
    if cell is reference:
        return "baseline"
    if reference is None or not reference["wall_ns"]:
        return "the baseline was not measured"
    found = ratio(cell, reference, result)
    if found is None:
        return "not measured"
    text = f"{found.value:.3f}" + interval(found.low, found.high, lambda bound: f"{bound:.3f}")
    text += f" {found.outcome}" if found.outcome else ""
    return text + (f" ({found.reason})" if found.reason else "")


def _construction(cell: Json) -> str:
    construction = cell.get("construction")
    if not construction:
        return "not measured"
    return (f"{milliseconds(construction['open_ns'])}, "
            f"{milliseconds(construction['prepare_ns'])}")


def _samples(cell: Json) -> str:
    counts = sorted({len(block) for block in cell["samples_ns"]}) or [cell["sample_count"]]
    samples = str(counts[0]) if len(counts) == 1 else f"{counts[0]}..{counts[-1]}"
    return f"{cell['block_count']} x {samples}"


def _validation(cell: Json) -> str:
    validation = cell["validation"]
    on_gpu = validation.get("gpu_certificate_count", 0)
    text = (f"{validation['status']} ({validation['certificate_count']} certificates, "
            + (f"{on_gpu} of them on a GPU, " if on_gpu else "") +
            f"{validation['digest_count']} digests)")
    return text + (f": {validation['detail']}" if validation["detail"] else "")


def _memory(memory: Json, key: str) -> str:
    return absent(memory["reason"]) if memory[key] is None else size(memory[key])


def _counters(result: Json) -> list[Block]:
    """One column a counter; a counter that no cell could read is named below, with its reasons."""
    columns: dict[tuple[str, str, str], dict[str, Json]] = {}
    for cell in result["cells"]:
        for counter in cell["counters"]:
            key = (counter["group"], counter["name"], counter["unit"])
            columns.setdefault(key, {})[cell["id"]] = counter
    if not columns:
        return []
    read = {key: by_cell for key, by_cell in columns.items()
            if any(counter["value"] is not None for counter in by_cell.values())}
    blocks: list[Block] = [Heading(3, "Counters, per pass over the queries")]

    def show(counter: Optional[Json]) -> str:
        if counter is None:
            return ""
        return absent(counter["reason"]) if counter["value"] is None else number(counter["value"])

    if read:
        blocks.append(Table(
            ["Cell", *(f"{name} ({unit}), {group}" for group, name, unit in read)],
            [[cell_label(cell, result), *(show(by_cell.get(cell["id"]))
                                          for by_cell in read.values())]
             for cell in result["cells"]]))
    unread = [f"{key[1]} ({key[0]}): " + "; ".join(dict.fromkeys(map(show, by_cell.values())))
              for key, by_cell in columns.items() if key not in read]
    return blocks + ([Bullets(list(unread))] if unread else [])


def _extent(extent: Json) -> str:
    least, largest = extent["least"], extent["largest"]
    return number(least) if least == largest else f"{number(least)} to {number(largest)}"


def _kernels(result: Json) -> list[Block]:
    """Kernels and copies on the GPU. Results from before there were any lack the keys."""
    def time(row: Json) -> str:
        return absent(row["reason"]) if row["gpu_ns"] is None else milliseconds(row["gpu_ns"])

    rows: list[list[Inline]] = []
    for cell in result["cells"]:
        label = cell_label(cell, result)
        for kernel in cell.get("gpu_kernels") or []:
            shared = (f"{number(kernel['static_shared_bytes'])} + "
                      f"{_extent(kernel['dynamic_shared_bytes'])}")
            rows.append([label, kernel["name"], number(kernel["launch_count"]), time(kernel),
                         _extent(kernel["grid_block_count"]), _extent(kernel["block_thread_count"]),
                         number(kernel["registers_per_thread_count"]), shared, ""])
        for copy in cell.get("gpu_copies") or []:
            rows.append([label, copy["kind"], number(copy["count"]), time(copy), "", "", "", "",
                         size(copy["bytes"])])
    missing = [f"{cell_label(cell, result)}: {absent(cell['gpu_kernels_reason'])}"
               for cell in result["cells"]
               if cell.get("gpu_kernels_reason") not in (None, NO_GPU_VARIANT)]
    if not rows and not missing:
        return []
    blocks: list[Block] = [Heading(3, "Kernels and copies, per pass over the queries")]
    if rows:
        blocks.append(Table(["Cell", "Kernel or copy", "Count", "GPU time, ms", "Blocks", "Threads",
                             "Registers", "Shared bytes, static + dynamic", "Copied"], rows))
    return blocks + ([Bullets(list(missing))] if missing else [])


def _phases(result: Json) -> list[Block]:
    def flat(phases: list[Json], depth: int = 0) -> Iterator[tuple[int, Json]]:
        for phase in phases:
            yield depth, phase
            yield from flat(phase["children"], depth + 1)

    rows: list[list[Inline]] = []
    for cell in result["cells"]:
        slowdown = cell["instrumented_ratio"]
        overhead = "not measured" if slowdown is None else f"{slowdown:.3f}"
        for index, (depth, phase) in enumerate(flat(cell["phases"] or [])):
            notes = ", ".join(f"{name} {number(value)}" for name, value in phase["notes"].items())
            rows.append(["" if index else cell_label(cell, result), "- " * depth + phase["name"],
                         str(phase["count"]), milliseconds(phase["wall_ns"]),
                         f"{100 * phase['share_ratio']:.1f} %", notes, "" if index else overhead])
    if not rows:
        return []
    return [Heading(3, "Phases, from a pass of their own"),
            Table(["Cell", "Phase", "Count", "Time per query, ms", "Share", "Notes",
                   "Instrumented / timed"], rows)]


def _work(result: Json) -> list[Block]:
    names = list(dict.fromkeys(name for cell in result["cells"] for name in cell["work"]))
    if not names:
        return []
    rows = [[cell_label(cell, result), *(number(cell["work"][name]) if name in cell["work"] else ""
                                         for name in names)] for cell in result["cells"]]
    return [Heading(3, "Work, mean of a query"), Table(["Cell", *names], rows)]


def _scaling(result: Json, folder: Path, name: str) -> list[Block]:
    """What steps of ranks took and sent beside the scaling model, and what that predicts."""
    blocks: list[Block] = []
    for letter, model in zip(string.ascii_lowercase, scaling.models(result)):
        file = f"{name}-scaling" if letter == "a" else f"{name}-scaling-{letter}"
        blocks += _model(model, result, folder, file)
    if not blocks:
        return []
    return [Heading(3, "Scaling model"), Paragraph(SCALING), *blocks]


def _model(model: scaling.Model, result: Json, folder: Path, file: str) -> list[Block]:
    blocks: list[Block] = [Heading(4, model.name)]
    if model.reason:
        blocks.append(Paragraph(f"No model: {model.reason}."))
    else:
        blocks += [_costs(model), Paragraph(_fit_notes(model))]
        if model.predicted_rank_counts():
            blocks.append(_predictions(model))
        blocks += [_picture(figures.draw_model(model, result), folder, file),
                   Paragraph(_binding(model))]
    return blocks + [Details("Steps by ranks: times, and bytes sent beside the formulas'",
                             [_steps_by_ranks(model)])]


def _error(error: float) -> str:
    return f"{round(100 * error) or 0:+d} %"  # never -0


def _errors(model: scaling.Model, step: Optional[str]) -> str:
    return ", ".join(f"{ranks}: {_error(error)}" for ranks, error in model.errors(step))


def _costs(model: scaling.Model) -> Table:
    rows: list[list[Inline]] = []
    for step in model.steps:
        fit = model.fits[step]
        costs = [f"{number(cost)} ns {scaling.UNITS[term]}"
                 for term, cost in fit.costs.items() if cost]
        merged = [term for term in fit.formula.terms if term not in fit.costs]
        if merged and costs:
            costs.append(f"(not told apart from these here: {', '.join(merged)})")
        rows.append([step, "\n".join(costs) or "nothing", _errors(model, step)])
    rows.append(["all steps", "", _errors(model, None)])
    return Table(["Step", "Cost, fitted", "Predicted / measured - 1, by ranks held out"], rows,
                 {len(rows) - 1})


def _fit_notes(model: scaling.Model) -> str:
    counts = dict.fromkeys(str(cell.search.rank_count) for cell in model.fitted)
    text = f"Fitted to {', '.join(counts)} ranks"
    hosts = dict.fromkeys(host for cell in model.fitted for host in cell.hosts)
    if len(hosts) == 1:
        text += f", all on one host ({', '.join(hosts)}): what a network takes is not in it"
    left_out = dict.fromkeys(str(cell.search.rank_count) for cell in model.measured
                             if cell not in model.fitted)
    if left_out:
        text += f". Left out, as ranks shared places: {', '.join(left_out)} ranks"
    factor = model.largest_factor()
    return text + (f". Held-out sums of all steps were missed by a factor of at most {factor:.3g}."
                   if factor else ".")


def _predictions(model: scaling.Model) -> Table:
    factor = model.largest_factor()
    rows: list[list[Inline]] = []
    for count in model.predicted_rank_counts():
        times = model.times_ns(count)
        total = sum(times.values())
        rows.append([f"{count}", number(model.base.with_ranks(count).vertex_count),
                     *(milliseconds(times[step]) for step in model.steps),
                     milliseconds(total) + (f" [{milliseconds(total / factor)}, "
                                            f"{milliseconds(total * factor)}]" if factor else ""),
                     max(times, key=times.__getitem__)])
    return Table(["Ranks", "Vertices", *(f"{step}, ms" for step in model.steps),
                  "All steps, ms [by the largest held-out factor]", "Takes most"], rows)


def _binding(model: scaling.Model) -> str:
    """Which step binds, and how communication grows; or why nothing is predicted."""
    counts = model.predicted_rank_counts()
    refusal = _refusal(model)
    if not counts:
        return f"Nothing is predicted beyond what was measured.{refusal}"
    times = model.times_ns(counts[-1])
    binding = max(times, key=times.__getitem__)
    text = (f"With {counts[-1]} ranks {binding} binds: {milliseconds(times[binding])} of "
            f"{milliseconds(sum(times.values()))} ms.")
    growth = model.growth(*counts[-2:]) if len(counts) > 1 else None
    if growth is not None:
        text += (f" From {counts[-2]} to {counts[-1]} ranks the steps that send grow with the "
                 f"ranks to the power of {growth:.2f} (1 is linear, 0.5 the square root).")
    if model.base.persistent and counts[-1] > scaling.PERSISTENT_RANKS:
        text += (f" The search takes up to {scaling.PERSISTENT_RANKS} ranks, whose GPUs reach each "
                 "other's memory: more are of one that would, and of links between all of them as "
                 "those of this host.")
    return text + refusal


def _refusal(model: scaling.Model) -> str:
    """Why some of the wanted numbers of ranks are not predicted; empty where all are."""
    wanted, exact = model.wanted_rank_counts(), model.exact_steps()
    refused = [count for count in wanted if model.undetermined(count)]
    measured = ", ".join(dict.fromkeys(str(cell.search.rank_count) for cell in model.fitted))
    text = ""
    if refused:
        steps = "; ".join(f"{step}: {', '.join(terms)}"
                          for step, terms in model.undetermined(refused[-1]).items())
        text = (f" No prediction for {', '.join(map(str, refused))} ranks: on {measured} ranks "
                "some of a step's counts grew alike, with more they don't, and none of these has "
                f"a cost of its own ({steps}). Other numbers of ranks, or of vertices a rank, "
                "would tell them apart.")
    if wanted and exact:
        text += (f" No prediction for {', '.join(map(str, wanted))} ranks: on {measured} ranks a "
                 f"step has as many costs as there are numbers of ranks ({', '.join(exact)}), which "
                 "give each its time whatever that was, so that nothing speaks for them elsewhere. Another "
                 "number of ranks would be a test of them.")
    return text


def _steps_by_ranks(model: scaling.Model) -> Table:
    rows: list[list[Inline]] = []
    for cell in model.measured:
        for step in model.steps:
            times, formula = cell.steps[step], model.formula(step)
            expected = formula.sent_bytes(cell.search) if formula.sent_bytes else None
            counted = times.sent_bytes
            fit = model.fits.get(step)
            rows.append([
                f"{cell.search.rank_count}", number(cell.search.vertex_count), step,
                *(milliseconds(time) for time in times[:3]),
                milliseconds(fit.time_ns(cell.search)) if fit else "no model",
                "" if counted is None else f"{counted:.0f}",
                "" if counted is None else "no formula" if expected is None else f"{expected:.0f}",
                f"{counted / expected:.3f}" if counted is not None and expected else ""])
    return Table(["Ranks", "Vertices", "Step", "Fastest rank, ms", "Median, ms", "Slowest, ms",
                  "Fitted, ms", "Bytes sent", "By formula", "Sent / formula"], rows)


def _other_comparisons(result: Json) -> list[Block]:
    """The comparisons that the table of times has no room for."""
    cells = {cell["id"]: cell for cell in result["cells"]}
    rows: list[list[Inline]] = []
    for pair in result["comparisons"]:
        if pair["a"] not in cells or pair["b"] not in cells:
            continue
        first, second = cells[pair["a"]], cells[pair["b"]]
        if _reference(first, result) is second or _reference(second, result) is first:
            continue
        rows.append([cell_label(first, result), cell_label(second, result),
                     _ratio(first, second, result)])
    if not rows:
        return []
    return [Details(f"Other comparisons ({len(rows)})",
                    [Table(["Cell", "Against", "Ratio of times (95 % interval)"], rows)])]


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
