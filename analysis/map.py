"""`map.py MAP.json -o FILE`: spots over their roads, the chosen ones in order.

Draws the output of `bellmark spots map`. `--chosen` names a JSON file with a list `chosen` of spots
(from 0), in place of the map's own.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path
from typing import Optional, Sequence

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    from canvas import COLOURS, STYLE, WIDTH_IN
    from load import InputFault, Json, first_fault, read_json
except ModuleNotFoundError as error:
    print(f"map.py: {sys.executable} lacks the Python package '{error.name}'; run "
          f"'apt-get install python3-{error.name}' and use /usr/bin/python3", file=sys.stderr)
    sys.exit(7)

_DEGREES = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_CHOSEN: Json = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_MAP_SCHEMA: Json = {
    "type": "object",
    "required": ["reference", "credit", "roads", "spots", "chosen"],
    "properties": {
        "reference": {"type": "string"},
        "credit": {"type": "string"},
        "roads": {"type": "array", "items": {"type": "array", "items": _DEGREES}},
        "spots": {"type": "array", "minItems": 1, "items": {
            "type": "object",
            "required": ["name", "longitude_degrees", "latitude_degrees"],
            "properties": {"name": {"type": "string"}, "longitude_degrees": {"type": "number"},
                           "latitude_degrees": {"type": "number"}}}},
        "chosen": _CHOSEN,
    },
}


def load_map(path: Path, chosen: Optional[Path] = None) -> Json:
    """A map from `bellmark spots map`, with the chosen spots of another file if one is named."""
    document = read_json(path)
    checked = document
    if isinstance(document, dict) and isinstance(document.get("roads"), list):
        checked = {**document, "roads": document["roads"][:100]}  # all would take seconds
    fault = first_fault(checked, _MAP_SCHEMA)
    if fault:
        raise InputFault(f"{path}: {fault}; make it again with 'bellmark spots map'")
    if chosen is not None:
        named = read_json(chosen)
        fault = first_fault(named, {"type": "object", "required": ["chosen"],
                                    "properties": {"chosen": _CHOSEN}})
        if fault:
            raise InputFault(f"{chosen}: {fault}; give an object with a list 'chosen'")
        document["chosen"] = named["chosen"]
    missing = [spot for spot in document["chosen"] if spot >= len(document["spots"])]
    if missing:
        raise InputFault(f"{chosen or path}: spot {missing[0]} is chosen of "
                         f"{len(document['spots'])}, from 0; give the map of the same spots")
    return document


def draw(document: Json) -> Figure:
    """Roads in grey, spots as dots, chosen ones numbered from 1 in their order."""
    spots = [(spot["longitude_degrees"], spot["latitude_degrees"]) for spot in document["spots"]]
    chosen = [spots[index] for index in document["chosen"]]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(WIDTH_IN, WIDTH_IN), layout="constrained")
        axes = figure.add_subplot()
        axes.grid(False)
        axes.add_collection(LineCollection(document["roads"], colors="#BBBBBB", linewidths=0.4))
        axes.scatter(*zip(*spots), s=8, color=COLOURS[0], label=f"{len(spots)} spots", zorder=2)
        if chosen:
            axes.scatter(*zip(*chosen), s=90, color=COLOURS[1], label=f"{len(chosen)} chosen",
                         zorder=3)
        for rank, place in enumerate(chosen, start=1):
            axes.annotate(str(rank), place, color="white", fontsize=8, ha="center", va="center",
                          zorder=4)
        # A degree of longitude has its length at the middle of the map.
        middle = sum(latitude for _, latitude in spots) / len(spots)
        axes.set_aspect(1 / max(0.01, math.cos(math.radians(middle))))
        axes.autoscale_view()
        axes.set(xlabel="longitude [°]", ylabel="latitude [°]")
        axes.ticklabel_format(useOffset=False)
        axes.legend(loc="upper left", frameon=True)
        if document["credit"]:
            axes.annotate(document["credit"], (1, 0), (-4, 4), "axes fraction", "offset points",
                          ha="right", fontsize=8)
    return figure


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("map", type=Path, help="output of `bellmark spots map`")
    parser.add_argument("-o", "--output", type=Path, required=True, help="picture (.png, .svg)")
    parser.add_argument("--chosen", type=Path, help="JSON file with a list `chosen`")
    options = parser.parse_args(arguments)
    try:
        figure = draw(load_map(options.map, options.chosen))
        with matplotlib.rc_context(STYLE):
            figure.savefig(options.output, dpi=150, facecolor="white")
    except (InputFault, ValueError) as error:  # ValueError: a suffix that matplotlib can't write
        print(f"map.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"map.py: {options.output}: {error.strerror}", file=sys.stderr)
        return 7
    return 0


if __name__ == "__main__":
    sys.exit(main())
