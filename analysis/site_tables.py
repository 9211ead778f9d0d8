"""Tables of a site: leaderboards of graphs, variants on all graphs, results, and steps of times."""

from __future__ import annotations

from typing import Iterable, Optional, Sequence

from document import Details, Drawing, Inline, Link, Table, Value
from history_plot import history_plot
from load import Json
from naming import graph_name, input_word, machine_name, natural
from site_data import Stored, command, family_of, input_page, page_of
from units import interval, milliseconds, size

MOST_ROWS = 1000  # of a table that can be filtered
MOST_CHOICES = 40  # of a list of choices; the text filter finds all
ALL_CELLS = "`bellmark table RESULT.json` writes every cell as CSV."


def time_of(cell: Json) -> Value:
    """Time of a query, with its interval, and notes on it."""
    wall = cell["wall_ns"]
    text = f"{milliseconds(wall['median'])}" \
        + interval(wall["ci95_low"], wall["ci95_high"], milliseconds) + " ms"
    notes = ["disturbed"] * is_disturbed(cell) + list(filter(None, [untimed(cell)]))
    return Value(", ".join([text, *notes]), wall["median"])


def is_disturbed(cell: Json) -> bool:
    return bool((cell.get("disturbance") or {}).get("disturbed"))


def memory_of(cell: Json) -> Inline:
    """The memory that the variant accounts for, else the resident memory."""
    memory = cell["memory"]
    for key, word in (("accounted_bytes", ""), ("resident_bytes", " resident")):
        if memory[key] is not None:
            return Value(size(memory[key]) + word, memory[key])
    return ""


def best_first(cells: Iterable[tuple[Stored, Json]]) -> list[tuple[Stored, Json]]:
    """The newest time of each variant, place and set of queries on a machine, the fastest first.
    Undisturbed times are preferred to newer disturbed ones."""
    newest: dict[tuple, tuple[Stored, Json]] = {}
    for stored, cell in cells:  # the older come first
        queries = stored.result["workloads"][cell["workload"]]["queries"]
        key = (cell["variant"], cell["graph"], stored.machine, cell["placement"]["resolved"],
               queries["digest"], cell.get("untimed"), stored.result["experiment"].get("pages"))
        known = newest.get(key)
        if known is None or is_disturbed(known[1]) or not is_disturbed(cell):
            newest[key] = (stored, cell)
    return sorted(newest.values(), key=lambda entry: entry[1]["wall_ns"]["median"])


def fastest(cells: Sequence[tuple[Stored, Json]]) -> tuple[Stored, Json]:
    """The least undisturbed time of a whole answer, if there is one."""
    return min(best_first(cells), key=lambda entry: (
        untimed(entry[1]) != "", is_disturbed(entry[1]), entry[1]["wall_ns"]["median"]))


def untimed(cell: Json) -> str:
    """The part of the answer that the time leaves out."""
    part = cell.get("untimed", "nothing")
    return "" if part == "nothing" else f"{part.replace('-', ' ')} untimed"


def leaderboard(cells: Sequence[tuple[Stored, Json]]) -> Table:
    """Variants on one graph, or other input."""
    rows = [[_variant_link(cell), time_of(cell), memory_of(cell), stored.machine,
             cell["placement"]["resolved"] or "", _measured(stored), command(cell, stored.result)]
            for stored, cell in best_first(cells)]
    return _filtered(["Variant", "Time of a query", "Memory", "Machine", "Place", "Measured",
                      "Run it"], rows, ["Machine"])


def on_graphs(cells: Sequence[tuple[Stored, Json]]) -> Table:
    """One family of variants on all graphs, or other inputs."""
    word = input_word(*(stored.result for stored, _ in cells)).capitalize()
    rows = [[_settings(cell), _graph_link(cell), time_of(cell), memory_of(cell), stored.machine,
             cell["placement"]["resolved"] or "", _measured(stored), command(cell, stored.result)]
            for stored, cell in best_first(cells)]
    return _filtered(["Settings", word, "Time of a query", "Memory", "Machine", "Place",
                      "Measured", "Run it"], rows, [word, "Machine"])


def results_table(stored: Sequence[Stored]) -> Table:
    """The machine, date and commit of each, and its file."""
    rows: list[list[Inline]] = [
        [one.link(), machine_name(one.result), one.machine, one.day, one.commit,
         one.result["experiment"]["form"], Link("JSON", "", result_file(one))]
        for one in reversed(stored)]
    return _filtered(["Experiment", "Ran on", "Machine", "Date", "Commit", "Form", "Result"], rows,
                     ["Machine", "Form"])


def result_file(stored: Stored) -> str:
    """The copy of the result in the site."""
    ending = ".json.gz" if stored.file.name.endswith(".gz") else ".json"
    return f"results/{stored.name}{ending}"


def sources(stored: Sequence[Stored]) -> Details:
    """The results that a page shows."""
    return Details(f"Results on this page ({len(stored)})", [results_table(stored)])


def history_table(history: Json) -> Optional[Table]:
    """Every cell of a machine with several results, cells with steps first; None if no cell has several."""
    found = [(series, [point for point in series["points"] if point["wall_ns"]])
             for series in history["series"]]
    found = [(series, points) for series, points in found if len(points) > 1]
    if not found:
        return None
    found.sort(key=lambda pair: (not any(point["step"] for point in pair[1]),
                                 natural(pair[0]["experiment"]), natural(pair[0]["label"] or "")))
    return _filtered(["Experiment", "Cell", "Times", "From first to last", "Last", "Steps"],
                     [_history_row(*pair) for pair in found], ["Experiment"])


def _history_row(series: Json, points: list[Json]) -> list[Inline]:
    steps = [f"{point['step']} on {point['started_utc'][:10]}, {_ratio(point)}"
             for point in points if point["step"]]
    sure = [point for point in points if not point["reason"]]
    none = "no step" if len(sure) > 1 else "not judged: no two times are free of doubt"
    last = points[-1]
    label = series["label"] or series["variant"]
    return [Link(series["experiment"], "", page_of("experiment", series["experiment"])),
            label, Value(str(len(points)), len(points)),
            Drawing(history_plot(points, f"{series['experiment']}: {label}")),
            Value(f"{milliseconds(last['wall_ns']['median'])} ms, {last['started_utc'][:10]}",
                  last["wall_ns"]["median"]),
            "\n".join(steps) or none]


def _ratio(point: Json) -> str:
    return f"{point['ratio']:.3f} [{point['ratio_low']:.3f}, {point['ratio_high']:.3f}]"


def _filtered(header: Sequence[str], rows: list[list[Inline]], columns: Sequence[str]) -> Table:
    """A table whose rows readers sort, and choose by the columns' values."""
    choices = [(name, name, sorted({_first_line(row[header.index(name)]) for row in rows}))
               for name in columns]
    return Table(list(header), rows, kind="cards", all_rows=ALL_CELLS, most_rows=MOST_ROWS,
                 filters=[choice for choice in choices if 1 < len(choice[2]) <= MOST_CHOICES])


def _first_line(cell: Inline) -> str:
    part = cell if isinstance(cell, (str, Link, Value)) else cell[0]
    text = part if isinstance(part, str) else part.text if isinstance(part, (Link, Value)) else ""
    return text.split("\n")[0]


def _variant_link(cell: Json) -> Link:
    return Link(cell["variant"], "", page_of("variant", family_of(cell["variant"])))


def _settings(cell: Json) -> str:
    return cell["variant"].partition(":")[2] or "none"


def _graph_link(cell: Json) -> Link:
    return Link(graph_name(cell["graph"]), "", input_page(cell))


def _measured(stored: Stored) -> Inline:
    return [stored.link(), f"\n{stored.day}, {stored.commit}"]
