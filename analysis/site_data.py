"""The data of a site: the results with their machines, the claims, and the histories of times."""

from __future__ import annotations

import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Iterator

from board import in_order
from document import Link, distinct, identifier
from load import Claim, InputFault, Json, claims_with_files, content_fault
from naming import input_word, short_machine
from report_claims import run_again
from verdicts import deciding


@dataclass(frozen=True)
class Stored:
    """One result: its file, its machine, and the name of its section."""

    result: Json
    file: Path
    machine: str
    name: str

    @property
    def experiment(self) -> str:
        return self.result["experiment"]["id"]

    @property
    def day(self) -> str:
        return self.result["provenance"]["started_utc"][:10]

    @property
    def commit(self) -> str:
        provenance = self.result["provenance"]
        sha = provenance["git_sha"]
        if sha is None:
            return f"version {provenance['version']}"
        return sha[:8] + (" with changes" if provenance["git_dirty"] else "")

    def link(self, text: str = "") -> Link:
        """A link to the result's section on the page of its experiment."""
        return Link(text or self.experiment, f"experiment-{self.name}",
                    page_of("experiment", self.experiment))


@dataclass
class Site:
    """All results in the order in which they began. `left_out` names the other results, and why they
    are not shown."""

    stored: list[Stored]
    claims: list[Claim]
    histories: list[Json]
    left_out: list[str] = field(default_factory=list)

    def cells(self) -> Iterator[tuple[Stored, Json]]:
        """Every cell that has a time."""
        for stored in self.stored:
            for cell in stored.result["cells"]:
                if cell["wall_ns"]:
                    yield stored, cell

    def input_word(self) -> str:
        return input_word(*(stored.result for stored in self.stored))

    def of_file(self, file: Path) -> Stored:
        return next(stored for stored in self.stored if stored.file == file)


def page_of(kind: str, *names: str) -> str:
    """The address of a page: permanent, and made from its subject."""
    return f"{identifier(kind, *names)}.html"


def read_site(stream: IO[bytes]) -> Site:
    """The output of `bellmark site` in the stream."""
    try:
        document = json.load(stream)
        entries = [(entry["result"], Path(entry["file"]), short_machine(entry["machine"]))
                   for entry in document["results"]]
        histories, left_out = document["histories"], document["left_out"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputFault(f"standard input: not what 'bellmark site' writes: {error}") from None
    faults = {file: fault for result, file, _ in entries if (fault := content_fault(result))}
    # A claim that depends on such a result has no verdict without it.
    claims = [claim for claim in claims_with_files(document)
              if faults.keys().isdisjoint(verdict["file"] for _, verdict in claim.judged)]
    kept = sorted((entry for entry in entries if entry[1] not in faults),
                  key=lambda entry: entry[0]["provenance"]["started_utc"])
    names = distinct(identifier(result["experiment"]["id"],
                                re.sub("[-:]", "", result["provenance"]["started_utc"]))
                     for result, _, _ in kept)
    for history in histories:
        for series in history["series"]:
            series["points"] = [point for point in series["points"]
                                if Path(point["result"]) not in faults]
    return Site([Stored(*entry, name) for entry, name in zip(kept, names)], in_order(claims),
                histories, [*left_out, *(f"{file}: {fault}" for file, fault in faults.items())])


def input_page(cell: Json) -> str:
    return page_of("input" if "input" in cell["axes"] else "graph", cell["graph"])


def claim_page(claim: Claim) -> str:
    return page_of("claim", claim.name)


def machines_of(claim: Claim, site: Site) -> list[str]:
    """The machines whose results decide the claim."""
    return list(dict.fromkeys(site.of_file(verdict["file"]).machine
                              for _, verdict in claim.judged if verdict["decides"]))


def decided_on(claim: Claim, site: Site) -> str:
    return site.of_file(deciding(claim)["file"]).machine


def family_of(variant: str) -> str:
    """`sssp/dijkstra:queue=dial` is one of `sssp/dijkstra`."""
    return variant.split(":")[0]


def command(cell: Json, result: Json) -> str:
    """The command that measures only this cell; for a program that is not ours, its whole experiment."""
    if "/external" in cell["variant"]:
        return run_again(result)
    place = cell["placement"]["resolved"] or cell["placement"]["requested"]
    program = (result["provenance"].get("lab") or {}).get("name", "bellmark")
    flag = "-i" if "input" in cell["axes"] else "-g"
    return shlex.join([program, "run", "-v", cell["requested_variant"], flag, cell["graph"],
                       "-c", place])
