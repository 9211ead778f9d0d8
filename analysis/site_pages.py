"""The pages of a site: claims, papers, machines, experiments, variants, graphs, history."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Callable, Iterable, Iterator, Optional, Sequence

from board import anchors, board
from document import (Block, Bullets, Heading, Inline, Link, Paragraph, Picture, Section, Table,
                      Value, identifier, plain, walk)
from load import Claim, Json
from naming import graph_name, natural, short_machine
from report import STATISTICS
from report_claims import Place, card
from report_experiment import Figure, figures_of
from site_data import (Site, Stored, claim_page, decided_on, family_of, input_page, machines_of,
                       page_of)
from site_tables import (best_first, fastest, history_table, leaderboard, on_graphs,
                         result_file, results_table, sources, time_of)
from verdicts import counted, deciding, deciding_row, papers, result_of, sentence

NUMBERS = "numbers.html"
MOST_GRAPHS_NAMED = 6


def lists(site: Site) -> list[tuple[str, str]]:
    """The pages that list others: their names and files."""
    inputs = f"{site.input_word()}s"
    return [("Claims", "index.html"), ("Papers", "papers.html"), ("Machines", "machines.html"),
            ("Experiments", "experiments.html"), (inputs.capitalize(), f"{inputs}.html"),
            ("Variants", "variants.html"), ("History", "history.html"), ("Numbers", NUMBERS)]


@dataclass(frozen=True)
class Page:
    """One file of the site."""

    file: str
    title: str
    blocks: list[Block]


def pages(site: Site, sections: Sequence[Section]) -> Iterator[Page]:
    """Every page; `sections` are the results' own, in the site's order."""
    places = {stored.file: Place(stored.link(), _figures(stored, section),
                                 Link(stored.file.name, "", result_file(stored)))
              for stored, section in zip(site.stored, sections)}
    yield _index(site)
    yield from _claim_pages(site, places)
    yield from _paper_pages(site)
    yield from _machine_pages(site)
    yield from _experiment_pages(site, sections)
    yield from _graph_pages(site)
    yield from _variant_pages(site)
    yield _history(site)
    yield Page(NUMBERS, "How the numbers are made",
               [Heading(1, "How the numbers are made"), Bullets(list(STATISTICS))])


def _index(site: Site) -> Page:
    stored = site.stored
    machines = {one.machine for one in stored}
    cells = sum(len(one.result["cells"]) for one in stored)
    said = (f"{_count(len(stored), 'result')} of {_count(len(machines), 'machine')}, "
            f"{stored[0].day} to {stored[-1].day}: {_count(cells, 'cell')} on "
            f"{_count(len({cell['graph'] for _, cell in site.cells()}), site.input_word())}.")
    left = [Section("left-out", [Heading(2, "Left out"), Bullets(list(site.left_out))])] \
        if site.left_out else []
    return Page("index.html", "Bellmark results", [
        Section("top", [Heading(1, "Bellmark results"), Paragraph(said)]),
        board(site.claims, claim_page), *left])


def _claim_pages(site: Site, places: dict[Path, Place]) -> Iterator[Page]:
    for name, claims in _grouped(site.claims, lambda claim: claim.name):
        cards: list[Block] = []
        for claim, anchor in zip(claims, anchors(claims)):
            # Verdicts name a result by its index in the whole document.
            indexed = {verdict["result"]: places[verdict["file"]] for _, verdict in claim.judged}
            cards.append(card(claim, anchor, indexed,
                              Link("how claims are judged", "", NUMBERS)))
            verdict = deciding(claim)
            figure = places[verdict["file"]].figure_of(deciding_row(verdict),
                                                       result_of(verdict, claim))
            cards += [Section(f"figure-of-{anchor}", [figure.picture])] if figure else []
        used = [stored for stored in site.stored
                if any(verdict["file"] == stored.file for claim in claims
                       for _, verdict in claim.judged)]
        yield Page(claim_page(claims[0]), f"{name}: {sentence(claims[0])}", [
            Section("top", [Heading(1, name), Paragraph(sentence(claims[0]))]),
            board(claims, claim_page), *cards, sources(used)])


def _figures(stored: Stored, section: Section) -> list[Figure]:
    """The section's figures, on the page of its experiment."""
    page = page_of("experiment", stored.experiment)
    return [replace(figure, link=replace(figure.link, page=page)) for figure in figures_of(section)]


def _paper_pages(site: Site) -> Iterator[Page]:
    rows: list[list[Inline]] = []
    for paper in papers():
        key = paper["key"]
        claims = [claim for claim in site.claims if claim.name.startswith(f"{key}/")]
        stored = [one for one in site.stored if one.experiment.startswith(f"{key}/")]
        if not claims and not stored:
            continue
        file = page_of("paper", key)
        rows.append([Link(key, "", file), paper["citation"], counted(claims) if claims else ""])
        known = {claim.name.partition("/")[2] for claim in claims}
        missing = [f"{short}: {text}" for short, text in paper.get("claims", {}).items()
                   if short not in known]
        absent = [Section("not-run", [Heading(2, "Claims without a result"), Bullets(missing)])] \
            if missing else []
        yield Page(file, key, [
            Section("top", [Heading(1, key), Paragraph(
                f"{paper['citation']}.\nThe paper's machine: {paper['machine']}.")]),
            board(claims, claim_page), *absent,
            Section("results", [Heading(2, "Results"), results_table(stored)])])
    yield Page("papers.html", "Papers", [Heading(1, "Papers"),
                                         Table(["Paper", "Citation", "Claims"], rows, kind="cards")])


def _machine_pages(site: Site) -> Iterator[Page]:
    rows: list[list[Inline]] = []
    for machine, stored in _grouped(site.stored, lambda one: one.machine):
        file = page_of("machine", machine)
        claims = [claim for claim in site.claims if machine in machines_of(claim, site)]
        rows.append([Link(machine, "", file), _count(len(stored), "result"),
                     f"{stored[0].day} to {stored[-1].day}", counted(claims) if claims else ""])
        yield Page(file, machine, [
            Section("top", [Heading(1, machine), Paragraph(_facts(stored[-1].result))]),
            board([claim for claim in claims if decided_on(claim, site) == machine], claim_page),
            Section("results", [Heading(2, "Results"), results_table(stored)])])
    yield Page("machines.html", "Machines", [
        Heading(1, "Machines"), Table(["Machine", "Results", "Dates", "Claims"], rows, kind="cards")])


def _facts(result: Json) -> str:
    """The newest result's machine."""
    environment = result["environment"]
    facts = [f"Processor: {environment.get('cpu_model') or 'unknown'}"]
    summary = result["topology"]["summary"]
    facts += [f"{what}: {summary[name]}" for name, what in
              (("package_count", "packages"), ("core_count", "cores"),
               ("pu_count", "hardware threads")) if summary.get(name)]
    gpus = list(dict.fromkeys(gpu["name"] for gpu in environment.get("gpus") or [] if gpu["name"]))
    facts.append(f"GPUs: {len(environment['gpus'])} x {', '.join(gpus)}" if gpus else "no GPU")
    kernel = environment.get("kernel_release")
    return "; ".join([*facts, *([f"kernel {kernel}"] if kernel else [])]) + "."


def _experiment_pages(site: Site, sections: Sequence[Section]) -> Iterator[Page]:
    rows: list[list[Inline]] = []
    both = list(zip(site.stored, sections))
    for name, own in _grouped(both, lambda pair: pair[0].experiment):
        file = page_of("experiment", name)
        stored = [one for one, _ in own]
        title = stored[-1].result["experiment"]["title"]
        rows.append([Link(name, "", file), title, Value(str(len(own)), len(own)), stored[-1].day])
        newest_first = list(reversed(own))
        yield Page(file, f"{name}: {title}", [
            Section("top", [Heading(1, f"{name}: {title}")]),
            Section("results", [results_table(stored)]),
            *(_named(one, section) for one, section in newest_first)])
    rows.sort(key=_first_name)
    yield Page("experiments.html", "Experiments", [
        Heading(1, "Experiments"),
        Table(["Experiment", "Title", "Results", "Last"], rows, kind="cards", filters=[],
              most_rows=len(rows))])


def _named(stored: Stored, section: Section) -> Section:
    """The result's section, which begins with its machine and date."""
    others = section.blocks[1:]
    heading = Heading(2, f"{stored.machine}, {stored.day}, {stored.commit}")
    file = Paragraph(["Result: ", Link(stored.file.name, "", result_file(stored)), "."])
    return Section(section.id, [heading, file, *others])


def _graph_pages(site: Site) -> Iterator[Page]:
    rows: list[list[Inline]] = []
    word = site.input_word()
    # Inputs that are not graphs have no common size.
    has_sizes = word == "graph"
    # Names that differ only in punctuation share a page.
    for file, cells in _grouped(site.cells(), lambda entry: input_page(entry[1])):
        graph = ", ".join(dict.fromkeys(cell["graph"] for _, cell in cells))
        stored, cell = cells[-1]
        facts = stored.result["workloads"][cell["workload"]]["facts"]
        counts = [(facts.get(f"{what}_count"), what) for what in ("vertex", "arc", "spot")]
        size = ", ".join(f"{number:,} {'vertices' if what == 'vertex' else f'{what}s'}"
                         for number, what in counts if number is not None)
        blocks: list[Block] = [Section("top", [Heading(1, graph), Paragraph(
            f"{size}.\n" * bool(size) +
            "Times are of one query; queries may differ from experiment to experiment.")])]
        for problem, own in _grouped(cells, lambda entry: entry[1]["problem"]):
            blocks.append(Section(identifier("problem", problem),
                                  [Heading(2, problem), leaderboard(own)]))
            best_stored, best = fastest(own)
            rows.append([Link(graph, "", file), problem,
                         *([Value(size, facts.get("arc_count", 0))] if has_sizes else []),
                         Value(str(len(best_first(own))), len(best_first(own))),
                         best["variant"], time_of(best), best_stored.machine])
        yield Page(file, graph, [*blocks, sources(_once(one for one, _ in cells))])
    rows.sort(key=_first_name)
    problems = sorted({str(row[1]) for row in rows})
    title = f"{word.capitalize()}s"
    heads = [word.capitalize(), "Problem", *(["Size"] if has_sizes else []), "Times", "Fastest",
             "Time of a query", "Machine"]
    yield Page(f"{word}s.html", title, [
        Heading(1, title),
        Table(heads, rows, kind="cards", filters=[("Problem", "Problem", problems)],
              most_rows=len(rows))])


def _variant_pages(site: Site) -> Iterator[Page]:
    rows: list[list[Inline]] = []
    for family, cells in _grouped(site.cells(), lambda entry: family_of(entry[1]["variant"])):
        file = page_of("variant", family)
        graphs = list(dict.fromkeys(graph_name(cell["graph"]) for _, cell in cells))
        named = ", ".join(graphs[:MOST_GRAPHS_NAMED])
        more = len(graphs) - MOST_GRAPHS_NAMED
        rows.append([Link(family, "", file), Value(str(len(cells)), len(cells)),
                     named + (f" and {more} more" if more > 0 else "")])
        yield Page(file, family, [
            Section("top", [Heading(1, family)]), on_graphs(cells),
            sources(_once(one for one, _ in cells))])
    rows.sort(key=_first_name)
    yield Page("variants.html", "Variants", [
        Heading(1, "Variants"),
        Table(["Variant", "Cells", f"{site.input_word().capitalize()}s"], rows, kind="cards",
              filters=[], most_rows=len(rows))])


def _history(site: Site) -> Page:
    blocks: list[Block] = [
        Heading(1, "History"),
        Paragraph("Each line is a cell that was measured more than once on a machine: the same "
                  f"experiment, {site.input_word()}, variant, place and queries. A bar marks a step. "
                  "At a step the 95 % interval of a time does not meet that of the first time of its "
                  "level, and the medians are over 3 % apart. Hollow points are in doubt and make no "
                  "step.")]
    for history in site.histories:
        table = history_table(history)
        if table is not None:
            machine = short_machine(history["machine"])
            blocks.append(Section(identifier("machine", machine), [Heading(2, machine), table]))
    if len(blocks) == 2:
        blocks.append(Paragraph("No cell was measured twice on one machine."))
    return Page("history.html", "History", blocks)


def _grouped(entries: Iterable, key: Callable) -> list[tuple[str, list]]:
    """The entries by their key, in the order of the keys."""
    found = defaultdict(list)
    for entry in entries:
        found[key(entry)].append(entry)
    return list(found.items())


def _once(stored: Iterable[Stored]) -> list[Stored]:
    return list({one.name: one for one in stored}.values())


def _first_name(row: list[Inline]) -> list[tuple[int, str]]:
    return natural(plain(row[0]))


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
