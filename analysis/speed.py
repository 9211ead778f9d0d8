"""The tables of speed in README.md and docs/guide/fast-sequential-search.md, from published results.

    /usr/bin/python3 analysis/speed.py

writes both. Each table is between two comments, which stay.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Optional

from load import ROOT, Json, read_json

FOLDER = ROOT / "results" / "published" / "sequential" / "amd-epyc-zen4-2-cores-virtual"
NEWEST = "20261125-8e103706"
POINT_TO_POINT = "20261129-f44fc039"
BEGIN = "<!-- made by analysis/speed.py; a test compares -->"
END = "<!-- end of the table -->"
BOOST = "boost-dijkstra:color-map=no"


@dataclass(frozen=True)
class Row:
    """One graph of one result."""

    text: str
    file: str
    graph: str
    on_front_page: bool = True


ROWS = [
    Row("New York", f"{NEWEST}/sequential", "dimacs:USA-road-d.NY"),
    Row("Bay Area", f"{NEWEST}/sequential", "dimacs:USA-road-d.BAY"),
    Row("north-east, lengths drawn from the Bay Area's", f"{NEWEST}/sequential",
        "topology:USA-road.NE,lengths=sample:dimacs:USA-road-d.BAY", on_front_page=False),
    Row("grid of 1024 x 1024, lengths to 10^6", f"{NEWEST}/sequential",
        "grid:rows=1024,columns=1024,lengths=uniform:1..1000000"),
    Row("Kronecker, scale 20, lengths 1 to 255", "20261121-687a08fb/sequential", "kron20.bmg"),
    Row("New York, point to point", f"{POINT_TO_POINT}/sequential-p2p", "dimacs:USA-road-d.NY"),
    Row("Bay Area, point to point", f"{POINT_TO_POINT}/sequential-p2p", "dimacs:USA-road-d.BAY",
        on_front_page=False),
]


class Measured:
    """The cells of one row."""

    def __init__(self, row: Row):
        self.result = read_json(FOLDER / f"{row.file}.json.gz")
        self.graph = row.graph

    def cell(self, variant: str) -> Json:
        found = [cell for cell in self.result["cells"]
                 if cell["axes"]["graph"] == self.graph and cell["axes"]["variant"] == variant]
        if len(found) != 1:
            raise LookupError(f"{self.graph}: {len(found)} cells of {variant}")
        return found[0]

    def time(self, variant: str) -> str:
        return f"{milliseconds(self.cell(variant)['wall_ns']['median'])} ms"

    def ratio(self, variant: str, with_interval: bool = False) -> str:
        """The ratio of the variant's time to Boost's."""
        pair = (self.cell(variant)["id"], self.cell(BOOST)["id"])
        found = next(one for one in self.result["comparisons"] if (one["a"], one["b"]) == pair)
        text = f"{found['ratio']:.3f}"
        if not with_interval:
            return text
        return f"{text} [{found['ci95_low']:.3f}, {found['ci95_high']:.3f}]"

    def preparation(self) -> str:
        construction = self.cell("auto").get("construction")  # older results lack it
        return f"{milliseconds(construction['prepare_ns'])} ms" if construction else ""


def milliseconds(value_ns: Optional[float]) -> str:
    """Three significant digits."""
    value = (value_ns or 0) * 1e-6
    return f"{value:#.3g}".rstrip(".")


def table(columns: dict[str, Callable[[Measured], str]], rows: list[Row]) -> str:
    lines = ["| graph | " + " | ".join(columns) + " |", "| --- |" + " --- |" * len(columns)]
    for row in rows:
        measured = Measured(row)
        cells = [row.text] + [text(measured) for text in columns.values()]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


SHORT: dict[str, Callable[[Measured], str]] = {
    "`auto`": lambda measured: measured.time("auto"),
    "Boost": lambda measured: measured.time(BOOST),
    "`auto` / Boost": lambda measured: measured.ratio("auto", with_interval=True),
}
LONG = SHORT | {
    "`dijkstra` / Boost": lambda measured: measured.ratio("dijkstra"),
    "LEMON / Boost": lambda measured: measured.ratio("lemon-dijkstra"),
    "prepared in": lambda measured: measured.preparation(),
}


def pages() -> dict[Path, str]:
    """The table of each page."""
    return {
        ROOT / "README.md": table(SHORT, [row for row in ROWS if row.on_front_page]),
        ROOT / "docs" / "guide" / "fast-sequential-search.md": table(LONG, ROWS),
    }


def with_table(page: str, made: str) -> str:
    before, rest = page.split(BEGIN + "\n")
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{made}\n\n{END}{after}"


if __name__ == "__main__":
    for path, made in pages().items():
        path.write_text(with_table(path.read_text(encoding="utf-8"), made), encoding="utf-8")
