"""The names of machines, graphs and cells in figures and reports.

An axis's text may hold other axes in braces (`kron{scale}.bmg`). Readers see the values instead.
"""

from __future__ import annotations

import re
from typing import Iterable, Optional, Sequence

import load
from load import Json, as_number, axis_text


def processor_name(result: Json) -> str:
    """The processor's model without its trade marks and clock."""
    return _without_marks(str(result["environment"].get("cpu_model") or "this machine"))


def _without_marks(model: str) -> str:
    model = re.sub(r"\((R|TM|r|tm)\)|\bCPU\b|\bProcessor\b|@.*$|\b\d+-Core\b", " ", model)
    return " ".join(model.split())


def short_machine(name: str) -> str:
    """The machine's name from `bellmark`, without trade marks. Equal GPUs are counted."""
    parts = [_without_marks(part) for part in name.split(" and ")]
    return " and ".join(f"{parts.count(part)} x {part}" if parts.count(part) > 1 else part
                        for part in dict.fromkeys(parts)).replace(" ,", ",")


def gpu_names(cell: Json, result: Json) -> list[str]:
    """The models of the GPUs that a cell's search ran on; none for a search on the CPU.

    A cell names them in `gpu`, and a cell of ranks in their places. If the name is missing, or the
    key in an older result, the models are those of the machine.
    """
    uses = [use for place in (cell.get("ranks") or {}).get("places", []) for use in place["gpus"]]
    uses += [cell["gpu"]] if cell.get("gpu") else []
    if not uses and not cell.get("gpu_kernels") and cell["parameters"].get("device") != "gpu":
        return []
    machine = result["environment"].get("gpus") or []
    for known in (uses, machine):
        names = list(dict.fromkeys(filter(None, (gpu.get("name") for gpu in known))))
        if names:
            return names
    return ["unknown GPU"]


def gpu_count(cell: Json) -> int:
    """The different GPUs of a cell's search, as far as the result tells them apart."""
    places = (cell.get("ranks") or {}).get("places", [])
    return len({(place["host"], gpu.get("pci_bus_id"), gpu.get("index"))
                for place in places for gpu in place["gpus"]})


def _uses_processor(cell: Json, gpus: Sequence[str]) -> bool:
    """True if the CPU takes part in the search itself: it does all of it, or a GPU leaves it a `cpu_share`."""
    return not gpus or (as_number(cell["parameters"].get("cpu_share")) or 0) > 0


def hardware(result: Json, cells: Optional[Iterable[Json]] = None) -> tuple[bool, list[str]]:
    """True if the measured ones of these cells (all, unless given) ran on the CPU, and the models of
    their GPUs. If nothing was measured, the CPU stands for the machine."""
    is_processor_used, names = False, dict.fromkeys(())
    for cell in result["cells"] if cells is None else cells:
        if cell["wall_ns"]:
            gpus = gpu_names(cell, result)
            is_processor_used |= _uses_processor(cell, gpus)
            names.update(dict.fromkeys(gpus))
    return is_processor_used or not names, list(names)


def machine_name(result: Json, cells: Optional[Iterable[Json]] = None) -> str:
    """The hardware of the cells (all, unless given): the processor, the GPU, or both."""
    is_processor_used, gpus = hardware(result, cells)
    return " and ".join([processor_name(result)] * is_processor_used + gpus)


def natural(text: str) -> list[tuple[int, str]]:
    """A key for sorting that puts Y2 before Y10."""
    return [(int(piece), "") if piece.isdigit() else (-1, piece)
            for piece in re.findall(r"[0-9]+|[^0-9]+", text)]


def input_word(*results: Json) -> str:
    """The word for the results' inputs: `graph`, or `input` if none is a graph."""
    cells = [cell for result in results for cell in result["cells"]]
    return "input" if cells and all("input" in cell["axes"] for cell in cells) else "graph"


def graph_name(graph: str) -> str:
    """The graph's id without its source or folders, and without given lengths. A formula stays
    whole."""
    name = graph.split(",")[0]
    return graph if "=" in name else re.split(r"[:/]", name)[-1] or name.rstrip(":")


def _extent(axis: str, cells: Sequence[Json]) -> str:
    """The axis's value on these cells: the least and the largest of several numbers, all of several
    words. Without any, its name in braces."""
    values = [cell["axes"][axis] for cell in cells if axis in cell["axes"]]
    numbers = sorted(number for number in map(as_number, values) if number is not None)
    texts = list(dict.fromkeys(map(axis_text, values)))
    if len(texts) > 1 and len(numbers) == len(values):
        return f"{numbers[0]:g}..{numbers[-1]:g}"
    return "|".join(texts) or f"{{{axis}}}"


def filled(text: str, cells: Sequence[Json]) -> str:
    """The text with the cells' values in place of axes in braces: `scale=14..17`, `4^(0..15)`."""

    def value(match: re.Match) -> str:
        shown = _extent(match[2], cells)
        return f"{match[1]}({shown})" if match[1] and ".." in shown else match[1] + shown

    for _ in range(4):  # an axis's value may name another axis
        text = re.sub(r"(\^?)\{([A-Za-z][\w-]*)\}", value, text)
    return text


def cell_label(cell: Json, result: Json) -> str:
    """The label of a cell, or of a row of `not_measured`."""
    return filled(load.cell_label(cell, result), [cell])


def axis_title(axis: str, result: Json) -> str:
    """The axis in words. If graphs' names have it in braces, the part of the graph that it varies:
    `largest length 4^i`."""
    for cell in result["cells"]:
        text = axis_text(cell["axes"].get("graph", cell["axes"].get("input", "")))
        varied = re.search(r"([\w-]+)=([^,]*\{" + re.escape(axis) + r"\}[^,]*)", text)
        if varied:
            key, formula = varied[1], re.sub(r"[{}]", "", varied[2])
            if key == "lengths":
                return f"largest length {formula.split('..')[-1]}"
            return _words(key if formula == axis else f"{key} {formula}")
    return _words(axis)


def _words(name: str) -> str:
    return re.sub(r"[_-]", " ", name)


def untimed_notes(result: Json) -> list[str]:
    """The parts of answers that cells make outside the time, with labels unless all cells do."""
    parts: dict[str, list[str]] = {}
    for cell in result["cells"]:
        parts.setdefault(cell.get("untimed", "nothing"), []).append(cell_label(cell, result))
    return [f"{part.replace('-', ' ').capitalize()} untimed"
            + (f": {'; '.join(labels)}." if len(parts) > 1 else ".")
            for part, labels in parts.items() if part != "nothing"]


def graph_names(result: Json) -> list[str]:
    """The graphs' names from their axis, one for each family. An axis of numbers in braces becomes its
    least and its largest value. Several names that take much room are counted instead."""
    cells = result["cells"]
    words = {axis for cell in cells for axis, value in cell["axes"].items()
             if as_number(value) is None}

    def family(cell: Json) -> str:
        text = axis_text(cell["axes"].get("graph", cell["axes"].get("input", cell["graph"])))
        own = {"axes": {axis: cell["axes"][axis] for axis in words & set(cell["axes"])}}
        return graph_name(filled(filled(text, [own]), cells))

    names = list(dict.fromkeys(map(family, cells)))
    if len(names) > 1 and len(", ".join(names)) > 60:
        return [f"{len(names)} {input_word(result)}s"]
    return names


def axis_words(axis: str, cell: Json) -> str:
    """A cell's value on an axis in words: "k = 4", "core:0", "road"."""
    value = cell["axes"].get(axis)
    if axis in ("graph", "input"):
        return graph_name(cell["graph"])
    text = filled(axis_text(value), [cell])
    return text if isinstance(value, str) and as_number(value) is None else f"{axis} = {text}"


def apart(first: Json, second: Json, result: Json) -> tuple[str, str, str]:
    """The words that tell two cells apart, for each of them, and the words that both share, of axes that
    vary elsewhere."""
    def differs(axis: str) -> bool:
        return axis_text(first["axes"].get(axis)) != axis_text(second["axes"].get(axis))

    axes = [axis for axis in dict.fromkeys([*first["axes"], *second["axes"]]) if differs(axis)]
    if not axes and first["graph"] != second["graph"]:
        axes = ["input" if "input" in first["axes"] else "graph"]
    names = [", ".join(axis_words(axis, cell) for axis in axes if axis in cell["axes"])
             or cell["variant"] for cell in (first, second)]
    shared = [axis for axis in load.varying_axes(result)
              if axis not in axes and axis in first["axes"]]
    where = [axis_words(axis, first).split(",")[0] for axis in shared]  # a formula's first term
    return names[0], names[1], ", ".join(where)
