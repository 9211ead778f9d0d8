"""A report's tables on an experiment's cells: times, counters, kernels, phases, work."""

from __future__ import annotations

from typing import Any, Iterator, Optional

from document import MOST_ROWS, Block, Bullets, Details, Inline, Paragraph, Table
from load import Json, failure_of, figure_specs, ratio, reference_of
from naming import cell_label, input_word, untimed_notes
from rounds import roof_of
from units import absent, interval, milliseconds, number, rates, size

# A result's text for cells that can have no kernels (harness/run/protocol/reasons.hpp).
NO_GPU_VARIANT = "the variant runs on no GPU"

MOST_OPEN = 24  # cells whose times a page shows at once


def _references(result: Json) -> dict[str, Optional[Json]]:
    """The cell that each is compared with: its baseline, else the figure's.

    Older results have one such cell for all.
    """
    cells = {cell["id"]: cell for cell in result["cells"]}
    where = next((spec["relative_to"] for spec in figure_specs(result) if "relative_to" in spec),
                 None)

    def of(cell: Json) -> Optional[Json]:
        baseline = cell.get("baseline", result["experiment"]["baseline"])
        if baseline is not None:
            return cells.get(baseline)
        return reference_of(cell, result, where) if where else None

    return {name: of(cell) for name, cell in cells.items()}


def times(result: Json) -> list[Block]:
    """Time and ratio of each cell, unfolded if they are few."""
    cells = result["cells"]
    if not cells:
        return [Paragraph("No cell was measured.")]
    references = _references(result)
    columns: list[tuple[str, Any]] = [("Cell", lambda cell: cell_label(cell, result)),
                                      ("Time per query, ms (95 % interval)",
                                      lambda cell: _time(cell, result))]
    if any(references.values()):
        columns.append(("Time / baseline (95 % interval)",
                        lambda cell: _ratio(cell, references[cell["id"]], result)))
    if any(cell.get("rates") for cell in cells):
        columns.append(("Rate", lambda cell: rates(cell.get("rates") or {})))
    table = _table(columns, cells)
    return [table] if len(cells) <= MOST_OPEN else [
        Details(f"Times of {len(cells)} cells", [table])]


def _table(columns: list[tuple[str, Any]], cells: list[Json]) -> Table:
    """A row for each cell. Rows that a page won't show aren't made."""
    rows = [[show(cell) for _, show in columns] if index < MOST_ROWS else []
            for index, cell in enumerate(cells)]
    return Table([title for title, _ in columns], rows)


def cells_in_full(result: Json) -> list[Block]:
    """Samples, validation, memory, variants and placement of each cell."""
    cells = result["cells"]
    if not cells:
        return []
    columns: list[tuple[str, Any]] = [("Cell", lambda cell: cell_label(cell, result)),
                                      ("Blocks x samples", _samples), ("Validation", _validation)]
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
    if any(cell.get("working_set") for cell in cells):
        columns.append(("Accounted / last-level cache", _working_set))
    variants: list[tuple[str, Any]] = [
        ("Cell", lambda cell: cell_label(cell, result)), ("Variant", lambda cell: cell["variant"]),
        ("Requested as", lambda cell: cell["requested_variant"]
         if cell["requested_variant"] != cell["variant"] else ""),
        (input_word(result).capitalize(), lambda cell: cell["graph"]), ("Queries", lambda cell: str(cell["query_count"])),
        ("Placement", _place),
        ("Observed at", lambda cell: ", ".join(dict.fromkeys(cell["placement"]["observed"])))]
    return [Details("Samples, validation and memory",
                    [_table(columns, cells), Paragraph("\n".join([*notes, *_notes(result)]))]),
            Details("Variants, queries and placement", [_table(variants, cells)])]


def _notes(result: Json) -> list[str]:
    """The coverage of the timer, outliers, and the reasons why sampling stopped."""
    cells = result["cells"]
    covers: dict[str, list[str]] = {}
    for cell in cells:
        covers.setdefault(", ".join(cell["covers"]) or "nothing", []).append(
            cell_label(cell, result))
    notes = [f"The timer covers {what}" + (f" ({_several(which)})." if len(covers) > 1 else ".")
             for what, which in covers.items()]
    notes += untimed_notes(result)
    flagged = [f"{cell_label(cell, result)}: {cell['outlier_count']}" for cell in cells
               if cell["outlier_count"]]
    if flagged:
        notes.append(f"Outliers flagged and kept: {_several(flagged)}.")
    stops: dict[str, int] = {}
    for cell in cells:
        for reason, count in cell["stop_reasons"].items():
            stops[reason] = stops.get(reason, 0) + count
    if stops:
        notes.append("Sampling stopped by (blocks): "
                     + "; ".join(f"{reason}: {count}" for reason, count in stops.items()) + ".")
    return notes


def _several(texts: list[str]) -> str:
    """The texts in a row; of too many, the first ones."""
    more = [f"and {len(texts) - MOST_ROWS} others"] if len(texts) > MOST_ROWS else []
    return "; ".join([*texts[:MOST_ROWS], *more])


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
    if wall["ci95_low"] is None or wall["ci95_high"] is None:
        text += f" (no interval: {wall['reason'] or 'no reason given'})"
    disturbance = cell.get("disturbance") or {}
    return text + (f", disturbed: {disturbance['reason']}" if disturbance.get("disturbed") else "")


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


def _working_set(cell: Json) -> str:
    """Below 1 the search fits the cache of its cores, and memory has no part in its time."""
    found = cell.get("working_set")
    if not found:
        return "not measured"
    if found["ratio"] is None:
        return absent(found["reason"])
    return f"{found['ratio']:.2g} of {size(found['last_level_cache_bytes'])}"


def counters(result: Json) -> list[Block]:
    """One column for each counter. Counters that no cell could read are below, with their reasons."""
    columns: dict[tuple[str, str, str], dict[str, Json]] = {}
    for cell in result["cells"]:
        for counter in cell["counters"]:
            key = (counter["group"], counter["name"], counter["unit"])
            columns.setdefault(key, {})[cell["id"]] = counter
    if not columns:
        return []
    read = {key: by_cell for key, by_cell in columns.items()
            if any(counter["value"] is not None for counter in by_cell.values())}
    blocks: list[Block] = []

    def show(counter: Optional[Json]) -> str:
        if counter is None:
            return ""
        if counter["value"] is None:
            return absent(counter["reason"])
        parts = counter.get("by_rank") or counter.get("by_thread") or []
        each = "rank" if counter.get("by_rank") else "thread"
        spread = f" ({number(min(parts))} to {number(max(parts))} a {each})" if parts else ""
        return number(counter["value"]) + spread

    if read:
        blocks.append(Table(
            ["Cell", *(f"{name} ({unit}), {group}" for group, name, unit in read)],
            [[cell_label(cell, result), *(show(by_cell.get(cell["id"]))
                                          for by_cell in read.values())]
             for cell in result["cells"]]))
    unread = [f"{key[1]} ({key[0]}): " + "; ".join(dict.fromkeys(map(show, by_cell.values())))
              for key, by_cell in columns.items() if key not in read]
    blocks += [Bullets(list(unread))] if unread else []
    return [Details("Counters, per pass over the queries", blocks)]


def _extent(extent: Json) -> str:
    least, largest = extent["least"], extent["largest"]
    return number(least) if least == largest else f"{number(least)} to {number(largest)}"


def kernels(result: Json) -> list[Block]:
    """Kernels and copies on the GPU. Older results lack the keys."""
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
    splits: list[list[Inline]] = []
    for cell in result["cells"]:
        split, wall = cell.get("gpu_split"), cell["wall_ns"]
        if not split or not wall:
            continue
        # Recording makes launches and gaps longer, but hardly kernels and copies: the rest is the timed runs'.
        worked = [split[part] / cell["query_count"] for part in ("kernel_ns", "copy_ns")]
        rest = max(0, wall["median"] - sum(worked))
        splits.append([cell_label(cell, result), milliseconds(wall["median"]),
                       *(f"{milliseconds(part)} ({100 * part / wall['median']:.0f} %)" for part in (*worked, rest))])
    missing = [f"{cell_label(cell, result)}: {absent(cell['gpu_kernels_reason'])}"
               for cell in result["cells"]
               if cell.get("gpu_kernels_reason") not in (None, NO_GPU_VARIANT)]
    if not rows and not missing:
        return []
    blocks: list[Block] = []
    if rows:
        blocks.append(Table(["Cell", "Kernel or copy", "Count", "GPU time, ms", "Blocks", "Threads",
                             "Registers", "Shared bytes, static + dynamic", "Copied"], rows))
    if splits:
        blocks.append(Table(["Cell", "Time of a query, ms", "Kernels run", "Copies alone",
                             "Launch, gaps, synchronise"], splits))
    blocks += [Bullets(list(missing))] if missing else []
    return [Details("Kernels and copies, per pass over the queries", blocks)]


def phases(result: Json) -> list[Block]:
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
    return [Details("Phases, from a pass of their own",
                    [Table(["Cell", "Phase", "Count", "Time per query, ms", "Share", "Notes",
                            "Instrumented / timed"], rows)])]


# Counts of work, and the size of the graph for comparison: a search that looks at each arc once has 1 arc looked at per
# arc.
PER_SIZE = {
    "examined_arc_count": ("arc_count", "arcs looked at / m"),
    "relaxation_count": ("vertex_count", "relaxations / n"),
    "scanned_count": ("vertex_count", "scans / n"),
    "settled_count": ("vertex_count", "settled / n"),
    "queued_count": ("vertex_count", "queued / n"),
}


def work(result: Json) -> list[Block]:
    names = list(dict.fromkeys(name for cell in result["cells"] for name in cell["work"]))
    if not names:
        return []
    sizes = [(name, *PER_SIZE[name]) for name in names if name in PER_SIZE]
    rows: list[list[Inline]] = []
    for cell in result["cells"]:
        facts = result["workloads"][cell["workload"]]["facts"]
        counts = [number(cell["work"][name]) if name in cell["work"] else "" for name in names]
        ratios = [number(cell["work"][name] / facts[size]) if name in cell["work"] and facts.get(size)
                  else "" for name, size, _ in sizes]
        rows.append([cell_label(cell, result), *counts, *ratios])
    return [Details("Work, mean of a query",
                    [Table(["Cell", *names, *(heading for _, _, heading in sizes)], rows)])]


COUNTED_SIZES = {
    "settled_count": "settled / n", "scanned_count": "scans / n", "relaxation_count": "relaxations / n",
    "lowered_count": "labels lowered / n", "looked_at_arc_count": "arcs looked at / m",
    "atomic_count": "atomic operations / m", "failed_atomic_count": "failed of these"}


def work_counts(result: Json) -> list[Block]:
    """Work by the names that all searches share; the reason where a search has no such count."""
    rows: list[list[Inline]] = []
    missing: dict[str, list[str]] = {}
    for cell in result["cells"]:
        counts = cell.get("work_counts")
        if not counts:
            continue
        label = cell_label(cell, result)
        for name, count in counts.items():
            if count["value"] is None:
                missing.setdefault(f"{label}: {count['reason']}", []).append(name)
        if all(count["value"] is None for count in counts.values()):
            continue
        ratios = ["" if counts[name]["ratio"] is None else number(counts[name]["ratio"])
                  for name in COUNTED_SIZES]
        rounds = counts["round_count"]["value"]
        rows.append([label, *ratios, "" if rounds is None else number(rounds)])
    if not rows and not missing:
        return []
    blocks: list[Block] = []
    if rows:
        blocks.append(Table(["Cell", *COUNTED_SIZES.values(), "rounds"], rows))
    if missing:
        blocks.append(Bullets([f"{why} ({', '.join(names)})" for why, names in missing.items()]))
    return [Details("Work by the size of the input, from runs that only count or from phase logs", blocks)]


def rounds(result: Json) -> list[Block]:
    """What binds a search by rounds: the length of an empty round, memory, or neither."""
    rows: list[list[Inline]] = []
    for cell in result["cells"]:
        roof = roof_of(cell)
        if roof is None:
            continue
        counted = ["not counted" if value is None else text for value, text in (
            (roof.sectors, f"{roof.sectors or 0:.3g}"), (roof.dram_bytes, f"{roof.dram_bytes or 0:.3g}"),
            (roof.dram_share, f"{100 * (roof.dram_share or 0):.2g} %"))]
        rows.append([cell_label(cell, result), number(roof.round_count), f"{roof.floor_ns / 1000:.3g}",
                     f"{100 * roof.floor_share:.0f} %", f"{roof.entry_ns:.3g}", *counted, roof.bound])
    if not rows:
        return []
    return [Details("Roofline of rounds, from the phase logs of the first queries",
                    [Table(["Cell", "Rounds", "A round with few entries, us", "Share of the time at that length",
                            "Beyond it, ns an entry", "L2 sectors an entry", "DRAM bytes an entry",
                            "DRAM's share of the time", "Bound by"], rows)])]


def other_comparisons(result: Json) -> list[Block]:
    """The comparisons that the table of times has no room for."""
    cells = {cell["id"]: cell for cell in result["cells"]}
    references = _references(result)
    rows: list[list[Inline]] = []
    for pair in result["comparisons"]:
        if pair["a"] not in cells or pair["b"] not in cells:
            continue
        first, second = cells[pair["a"]], cells[pair["b"]]
        if references[first["id"]] is second or references[second["id"]] is first:
            continue
        rows.append([cell_label(first, result), cell_label(second, result),
                     _ratio(first, second, {**result, "comparisons": [pair]})])
    if not rows:
        return []
    return [Details(f"Other comparisons ({len(rows)})",
                    [Table(["Cell", "Against", "Ratio of times (95 % interval)"], rows)])]
