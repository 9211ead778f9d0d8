"""The number of queries after which preparing pays, when lengths change every s seconds: one figure.

    bellmark run sweeps/preprocessing -o cold
    bellmark run sweeps/preprocessing --prepared kept && bellmark run sweeps/preprocessing --prepared kept -o warm
    /usr/bin/python3 analysis/break_even.py cold/result.json --kept warm/result.json -o break-even.svg

A variant that prepares for P seconds and answers in q beats one of P0 and q0 after (P - P0) / (q0 - q) queries. Where
lengths change every s seconds it prepares again each time: that many queries in s seconds are the least rate at which
it pays. Below s = P it never pays, because it is not ready in time. With --kept, the customisable hierarchy has the
preparation of the second result, which found its elimination in a file.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence

import matplotlib

from canvas import STYLE, finish, legend, look, new_axes
from load import Json, read_json

BASELINE = "label-correcting"
CUSTOMISABLE = "customisable-hierarchy"
PERIODS_S = [10.0 ** (exponent / 8) for exponent in range(-8, 41)]  # 0.1 s to a day


@dataclass(frozen=True)
class Prepared:
    """The costs of a variant on one graph, in seconds."""

    variant: str
    prepare_s: float
    query_s: float


@dataclass(frozen=True)
class BreakEven:
    """The number of queries after which it pays, against the baseline; None: never."""

    variant: str
    prepare_s: float
    queries: Optional[float]

    def rate(self, period_s: float) -> Optional[float]:
        """The least rate of queries at which it pays, when lengths change every `period` seconds."""
        if self.queries is None or period_s < self.prepare_s:
            return None
        return self.queries / period_s


def costs(result: Json, graph: str) -> dict[str, Prepared]:
    """The measured cells of that graph, by variant."""
    found = {}
    for cell in result["cells"]:
        if cell["axes"]["graph"] != graph or not cell["wall_ns"] or not cell.get("construction"):
            continue
        variant = cell["axes"]["variant"]
        found[variant] = Prepared(variant, cell["construction"]["prepare_ns"] * 1e-9,
                                  cell["wall_ns"]["median"] * 1e-9)
    return found


def break_even(result: Json, graph: str, kept: Optional[Json] = None) -> list[BreakEven]:
    """The costs of each variant except the baseline, by the time of preparing."""
    measured = costs(result, graph)
    if BASELINE not in measured:
        raise LookupError(f"{graph}: no cell of {BASELINE}")
    base = measured.pop(BASELINE)
    if kept is not None:
        for variant, cost in costs(kept, graph).items():
            if variant.startswith(CUSTOMISABLE):
                name = f"{variant}, new lengths"
                measured[name] = Prepared(name, cost.prepare_s, cost.query_s)
    lines = []
    for cost in measured.values():
        gain_s = base.query_s - cost.query_s
        queries = max(0.0, cost.prepare_s - base.prepare_s) / gain_s if gain_s > 0 else None
        lines.append(BreakEven(cost.variant, cost.prepare_s, queries))
    return sorted(lines, key=lambda line: line.prepare_s)


def table(lines: Sequence[BreakEven]) -> str:
    """As Markdown."""
    rows = ["| variant | prepares | pays after |", "| --- | --- | --- |"]
    for line in lines:
        pays = "never" if line.queries is None else f"{line.queries:,.0f} queries"
        rows.append(f"| `{line.variant}` | {line.prepare_s:.3g} s | {pays} |")
    return "\n".join(rows)


def draw(lines: Sequence[BreakEven], graph: str) -> matplotlib.figure.Figure:
    with matplotlib.rc_context(STYLE):
        axes = new_axes()
        for index, line in enumerate(lines):
            points = [(period, rate) for period in PERIODS_S
                      if (rate := line.rate(period)) is not None and rate > 0]
            if points:
                style = look(index)
                axes.plot(*zip(*points), label=line.variant, color=style.colour,
                          linestyle=style.dash)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("lengths change every so many seconds")
        axes.set_ylabel("least queries a second for which preparing pays")
        legend(axes, *axes.get_legend_handles_labels(), graph)
        finish(axes.figure, f"When preparing pays, beside p2p/{BASELINE}")
    return axes.figure


def main(arguments: Optional[Sequence[str]] = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("result", type=Path, help="a result of sweeps/preprocessing")
    parser.add_argument("--kept", type=Path, help="a second result, which read the files that the first one kept")
    parser.add_argument("--graph", default="dimacs:USA-road-d.NY")
    parser.add_argument("-o", "--output", type=Path, default=Path("break-even.svg"))
    flags = parser.parse_args(arguments)
    lines = break_even(read_json(flags.result), flags.graph,
                       read_json(flags.kept) if flags.kept else None)
    draw(lines, flags.graph).savefig(flags.output)
    print(table(lines))


if __name__ == "__main__":
    main()
