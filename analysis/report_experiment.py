"""A report's section on one experiment: figures and times first, all other parts folded."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import Iterable, Optional, Sequence

import figures
from document import (Block, Bullets, Code, Details, Heading, Inline, Link, Paragraph, Picture,
                      Section, Table, walk)
from load import Json, axis_text, rows_without_cell
from naming import cell_label, input_word
from report_cells import (cells_in_full, counters, kernels, other_comparisons, phases, rounds, times,
                          work, work_counts)
from report_diagnosis import diagnosis_section
from report_profiles import profiles
from report_scaling import scaling_section


def experiment_section(result: Json, name: str, said: set[str], first: Json) -> Section:
    """The whole section of one experiment. Its figures' files begin with the name. Warnings in `said` are
    left out, and so are environment keys that equal those of the page's first result."""
    experiment = result["experiment"]
    pictures, refused = _pictures(result, name)
    blocks: list[Block] = [Heading(2, f"{experiment['id']}: {experiment['title']}"),
                           Paragraph(_facts(result))]
    if pictures:
        blocks.append(Section(f"figures-{name}", pictures, kind="figures"))
    blocks += [*refused, *diagnosis_section(result, name), *times(result),
               *_warnings(_fresh_warnings(result, said)), *cells_in_full(result)]
    for section in (counters, kernels, phases, rounds, work, work_counts):
        blocks += section(result)
    blocks += profiles(result, name)
    blocks += [*scaling_section(result, name), *other_comparisons(result)]
    for title, items in (
            ("What was cut", experiment["cuts"]),
            ("Not measured", [f"{cell_label(row, result)} ({row['variant']}): {row['code']}: "
                              f"{row['reason']}" for row in rows_without_cell(result)])):
        if items:
            blocks.append(Details(f"{title} ({len(items)})", [Bullets(list(items))]))
    return Section(f"experiment-{name}", [*blocks, *_provenance(result, first)])


@dataclass(frozen=True)
class Figure:
    """A figure of an experiment: its section, and the labels of the cells that it shows."""

    link: Link
    picture: Picture
    cells: frozenset[str]


def figures_of(section: Section) -> list[Figure]:
    """The figures of an experiment's section."""
    return [Figure(Link(block.blocks[0].path.split("/")[-1], block.id), block.blocks[0],
                   _cells_of(block.blocks[0]))
            for block in walk(section.blocks) if isinstance(block, Section) and block.blocks
            and isinstance(block.blocks[0], Picture)]


def figure_with(figures: Sequence[Figure], labels: Iterable[str]) -> Optional[Figure]:
    """The figure that shows the most of these cells; of equals the first."""
    wanted = set(labels)
    return max(figures, key=lambda figure: len(wanted & figure.cells), default=None)


def _cells_of(picture: Picture) -> frozenset[str]:
    series = (picture.data or {}).get("series", [])
    return frozenset(point["cell"] for one in series for point in one.get("points", [])
                     if isinstance(point, dict) and point.get("cell"))


def _pictures(result: Json, name: str) -> tuple[list[Block], list[Block]]:
    """The figures, each in a section of its own, and why some are not drawn. The first has the
    experiment's name. Others have a letter after it."""
    files = [name if letter == "a" else f"{name}{letter}" for letter in string.ascii_lowercase]
    pictures: list[Block] = [
        Section(f"figure-{file}", [figures.picture(drawn, file)])
        for file, drawn in zip(files, figures.draw(result))]
    return pictures, [Paragraph(why) for why in figures.refused(result)]


def _facts(result: Json) -> str:
    experiment = result["experiment"]
    facts = [f"Form: {experiment['form']}", f"placement: {_placements(result)}"]
    if experiment.get("launcher"):
        facts.append(f"ranks started by: {experiment['launcher']}")
    if experiment["stand_in"]:
        facts.append(f"stand-in: {experiment['stand_in']}")
    classes = dict.fromkeys(cell.get("stand_in_class") for cell in result["cells"])
    if named := [name for name in classes if name]:
        facts.append(f"data: {', and '.join(named)}")
    text = "; ".join(facts) + "."
    if experiment["paper"]:
        paper = experiment["paper"]
        text = (f"{paper['item']} of {paper['citation']}. The paper's machine: "
                f"{paper['machine']}.\n{text}")
    return text


def _fresh_warnings(result: Json, said: set[str]) -> list[str]:
    """The warnings that are not in `said`, which are then added to it: most are about the machine. The
    load has another figure in each run."""
    fresh = []
    for row in result["warnings"]:
        text = f"{row['text']}; {row['action']}"
        key = re.sub(r"(?<=^the load average is).*", "", row["text"])
        if key not in said:
            fresh.append(text)
        said.add(key)
    return fresh


def _warnings(texts: list[str]) -> list[Block]:
    """A few stand open below the times, since they say what to trust. Many are folded."""
    if not texts:
        return []
    if len(texts) <= 4:
        return [Paragraph("Warnings:"), Bullets(list(texts))]
    return [Details(f"Warnings ({len(texts)})", [Bullets(list(texts))])]


def _placements(result: Json) -> str:
    """The places of the measured cells, in the experiment's words; of many, their number."""
    cells = [cell for cell in result["cells"] if cell["wall_ns"]] or result["cells"]
    places = list(dict.fromkeys(cell["placement"]["requested"] for cell in cells))
    if len(places) > 8:
        return f"{', '.join(places[:4])} and {len(places) - 4} others"
    return ", ".join(places) or result["experiment"]["placement"]


def _provenance(result: Json, first: Json) -> list[Block]:
    provenance, experiment = result["provenance"], result["experiment"]
    rows: list[list[Inline]] = [
        ["Command", " ".join(provenance["argv"])],
        ["Bellmark", f"{provenance['version']}, {source_text(provenance)}"],
        ["Compiler", f"{provenance['compiler']}, {provenance['build_type']}"],
        ["Flags", provenance["flags"]],
        ["Libraries", ", ".join(f"{name} {version}"
                                for name, version in provenance["libraries"].items())],
        ["Run", f"{provenance['started_utc']} to {provenance['finished_utc']}, "
                f"seed {provenance['seed']}, {experiment['block_count']} blocks"],
        ["Specification's digest", provenance["spec_digest"]],
    ]
    if lab := provenance.get("lab"):
        commit = lab["bellmark_git_sha"] or "no git revision known"
        rows.append(["Lab", f"{lab['name']}, on Bellmark {provenance['version']}, {commit}"])
    for workload in result["workloads"]:
        queries = workload["queries"]
        rows.append([f"{input_word(result).capitalize()} {workload['graph']}",
                     f"digest {workload['facts']['digest']}; {queries['count']} queries, "
                     f"{queries['kind']}, seed {queries['seed']}, digest {queries['digest']}"])
    blocks: list[Block] = [Details("Provenance", [Table(["What", "Value"], rows)]),
                           _environment(result, first)]
    if provenance["spec"].strip():  # a run of named variants has none
        blocks.append(Details("Specification", [Code(provenance["spec"])]))
    return blocks


def _environment(result: Json, first: Json) -> Block:
    """The whole environment, or its differences from the first result's. Experiments on one machine
    share most of the keys."""
    own, base = result["environment"], first["environment"]
    name = first["experiment"]["id"]
    summary, keys = "Environment", list(own)
    if result is not first:
        summary = f"Environment, where it differs from that of {name}"
        keys = [key for key in dict.fromkeys([*own, *base]) if own.get(key) != base.get(key)]
    if not keys:
        return Paragraph(f"The environment is that of {name}.")
    rows: list[list[Inline]] = [[key, axis_text(own[key]) if key in own else "not recorded"]
                                for key in keys]
    return Details(summary, [Table(["Key", "Value"], rows)])


def source_text(provenance: Json) -> str:
    sha = provenance["git_sha"]
    if sha is None:
        return f"version {provenance['version']}, no git revision known"
    return f"git {sha[:12]}" + (" with uncommitted changes" if provenance["git_dirty"] else "")
