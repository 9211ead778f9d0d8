"""A site of results: every link leads somewhere, every claim is there, names are text."""

from __future__ import annotations

import json
import os
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Optional
from urllib.parse import unquote

import pytest

from load import Json, ask, read_json  # finds the package that the next line is of
from bellmark.executable import find
from browser import browser
from page_test import HERE, HOSTILE, PUBLISHED, packages_folder

DATA = HERE / "testdata"
RESULTS = ["suzuki/nvidia-h200-16-cores-virtual/20261124-59617ca4",
           "gap/intel-xeon-2-cores-virtual/20261124-27dc66e8",
           "yasui2011/amd-epyc-zen4-2-cores-virtual/20261121-073de8e2"]


class Links(HTMLParser):
    """Ids and addresses of a page, and its elements."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.addresses: list[str] = []
        self.elements: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, Optional[str]]]) -> None:
        self.elements.append(tag)
        for name, value in attrs:
            if name == "id" and value:
                assert value not in self.ids, value
                self.ids.add(value)
            elif name in ("href", "src") and value and not value.startswith("data:"):
                self.addresses.append(value)


def site(folder: Path, *results: Path, code: int = 0) -> str:
    """Draws the site, and gives the text on standard error."""
    done = subprocess.run([find(), "site", *map(str, results), "-o", str(folder)], check=False,
                          capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stderr


def pages_of(folder: Path) -> dict[str, Links]:
    return {page.name: Links(page) for page in sorted(folder.glob("*.html"))}


def dead_links(folder: Path) -> list[str]:
    pages = pages_of(folder)
    dead = []
    for name, page in pages.items():
        for address in page.addresses:
            file, _, target = unquote(address).partition("#")
            other = pages.get(file or name)
            if not (folder / (file or name)).is_file() or \
                    target and (other is None or target not in other.ids):
                dead.append(f"{name}: {address}")
    return dead


def stored(folder: Path, name: str, result: Json) -> Path:
    file = folder / name
    file.write_text(json.dumps(result), encoding="utf-8")
    return file


@pytest.fixture(name="published", scope="module")
def _published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    site(folder, *(PUBLISHED / name for name in RESULTS))
    return folder


def test_every_link_leads_somewhere(published: Path) -> None:
    assert dead_links(published) == []
    assert all(not address.startswith(("http:", "https:", "//", "/"))
               for page in pages_of(published).values() for address in page.addresses)


def test_every_claim_is_there_with_its_verdict(published: Path) -> None:
    index = (published / "index.html").read_text(encoding="utf-8")
    claims = ask("verdict", "--json", *(PUBLISHED / name for name in RESULTS))["claims"]
    assert claims
    for claim in claims:
        rows = [row for row in index.split("<tr") if f">{claim['claim']}</a>" in row]
        assert any(f">{claim['verdict']}</span>" in row for row in rows), claim["claim"]


def test_every_result_is_there_with_its_file(published: Path) -> None:
    files = [file for name in RESULTS for file in (PUBLISHED / name).rglob("*.json.gz")]
    copies = {copy.read_bytes() for copy in (published / "results").iterdir()}
    assert copies == {file.read_bytes() for file in files}


def test_addresses_stay_when_results_come(tmp_path: Path) -> None:
    one, both = tmp_path / "one", tmp_path / "both"
    site(one, DATA / "placement.json")
    site(both, DATA / "placement.json", PUBLISHED / RESULTS[2])
    later = pages_of(both)
    for name, page in pages_of(one).items():
        assert page.ids <= later[name].ids, name
    assert dead_links(one) == dead_links(both) == []


def test_a_step_is_marked(tmp_path: Path) -> None:
    folder = PUBLISHED / "delta-stepping" / "nvidia-h200-16-cores-virtual"
    site(tmp_path, *folder.glob("20261121-a5c0041e/NY-threads*.json.gz"))
    history = (tmp_path / "history.html").read_text(encoding="utf-8")
    assert 'class="step"' in history
    assert "SLOWER on 2026-11-21, 1." in history


def test_names_are_text(tmp_path: Path) -> None:
    text = (DATA / "placement.json").read_text(encoding="utf-8")
    escaped = json.dumps(HOSTILE)[1:-1]
    graph = json.loads(text)["cells"][0]["graph"]
    for name in ("SSSP time on every core", json.dumps(graph)[1:-1], "dial"):
        text = text.replace(name, escaped)
    result = json.loads(text)
    result["environment"]["cpu_model"] = result["environment"]["host"] = HOSTILE
    result["experiment"]["id"] = f"../{HOSTILE}"
    site(tmp_path / "site", stored(tmp_path, "hostile.json", result))
    pages = pages_of(tmp_path / "site")
    assert any(name.startswith("graph-script-") for name in pages)
    for name, page in pages.items():
        assert "<img src=x" not in (tmp_path / "site" / name).read_text(encoding="utf-8")
        assert "img" not in page.elements or name.startswith("experiment-"), name
    assert dead_links(tmp_path / "site") == []
    assert {path.parent for path in tmp_path.rglob("*.html")} == {tmp_path / "site"}


def test_what_is_damaged_is_named_and_left_out(tmp_path: Path) -> None:
    whole = (DATA / "placement.json").read_text(encoding="utf-8")
    torn = tmp_path / "torn.json"
    torn.write_text(whole[:len(whole) // 2], encoding="utf-8")
    contradicted = json.loads(whole)
    contradicted["cells"][0]["wall_ns"]["ci95_low"] = 1e15
    other = stored(tmp_path, "contradicted.json", contradicted)
    said = site(tmp_path / "site", DATA / "placement.json", torn, other)
    assert "torn.json" in said and "contradicted.json" in said
    index = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "1 result of" in index
    assert "contradicted.json" in index and "torn.json" in index
    assert "torn.json" in site(tmp_path / "none", torn, code=2)
    assert not (tmp_path / "none").exists()


def test_in_a_browser(published: Path) -> None:
    packages = packages_folder()
    pages = ["index.html", "history.html", "graphs.html", "claim-suzuki-S5.html",
             "experiment-yasui2011-T17.html", "graph-dimacs-USA-road-d.NY.html"]
    done = subprocess.run(
        ["node", "--test", str(HERE / "page" / "site.test.mjs")], cwd=packages, check=False,
        env={**os.environ, "BELLMARK_SITE": str(published), "BELLMARK_BROWSER": browser(),
             "BELLMARK_SITE_PAGES": "\n".join(pages)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
