"""The pictures of the documentation come from their script. Its site has no dead link and loads nothing."""
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "explain" / "images"


def load(path, name):
    spec = importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, str(path)))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pictures_are_those_of_their_script():
    drawn = load(IMAGES / "draw.py", "draw").drawn()
    assert {path.name for path in IMAGES.glob("*.svg")} == set(drawn)
    for name, text in drawn.items():
        assert (IMAGES / name).read_text(encoding="utf-8") == text, f"run {IMAGES / 'draw.py'}: {name} is another picture"


def test_pages_are_in_the_navigation():
    """The pages of guides and explanations. tools/docs_site lists the others itself."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r"docs/(?:guide|explain)/[\w/-]+\.md", text))
    there = {str(path.relative_to(ROOT)) for part in ("guide", "explain") for path in (ROOT / "docs" / part).rglob("*.md")}
    assert listed == there


@pytest.fixture
def docs_site():
    return load(ROOT / "tools" / "docs_site", "docs_site")


def test_links_to_what_is_not_copied_become_words(docs_site):
    text = "[a](guide/gpu.md) [b `c`](../tools/) ![d](x.svg) [e](https://example.org) [f](#g)\n\n```\n[h](../tools/)\n```\n"
    assert docs_site.with_links("docs/README.md", text, {"docs/guide/gpu.md"}) == (
        "[a](guide/gpu.md) b `c` ![d](x.svg) [e](https://example.org) [f](#g)\n\n```\n[h](../tools/)\n```\n")


def test_headings_get_anchors(docs_site):
    text = "# A b, `c`\n## A [b](x.md): c\n```\n# no\n```\n## A b c\n"
    assert docs_site.with_anchors(text) == (
        "# A b, `c` {: #a-b-c }\n## A [b](x.md): c {: #a-b-c-1 }\n```\n# no\n```\n## A b c {: #a-b-c-2 }\n")


def test_lists_and_tables_begin_after_a_blank_line(docs_site):
    text = "Words:\n- a\n  b\n- c\n\nWords:\n| a |\n| - |\n"
    assert docs_site.with_blank_lines(text) == "Words:\n\n- a\n  b\n- c\n\nWords:\n\n| a |\n| - |\n"


class Page(HTMLParser):
    """The ids, links and resources of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.resources = set(), [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids |= {values[key] for key in ("id", "name") if values.get(key)}
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("script", "img", "iframe") and values.get("src"):
            self.resources.append(values["src"])
        if tag == "link" and values.get("href") and values.get("rel") != "canonical":
            self.resources.append(values["href"])


def faults(site):
    """Dead links, and external resources, of all pages except those of results, which have their own tests."""
    results = site.resolve() / "results" / "site"
    pages = {path: Page(path) for path in site.resolve().rglob("*.html")
             if not path.is_relative_to(results) and path.name != "404.html"}
    for path, page in pages.items():
        for link in page.links + page.resources:
            if re.match(r"[a-z][a-z0-9+.-]*:|//", link):
                if link in page.resources and not link.startswith("data:"):
                    yield f"{path}: loads {link}"
                continue
            target, _, anchor = link.partition("#")
            there = (path.parent / unquote(target)).resolve() if target else path
            if there.is_dir():
                there = there / "index.html"
            if not there.exists():
                yield f"{path}: {link}: no such file"
            elif anchor and there in pages and unquote(anchor) not in pages[there].ids:
                yield f"{path}: {link}: no such heading"


@pytest.mark.skipif("BELLMARK_FULL" not in os.environ, reason="not run: takes a minute, and is part of ./check --full")
def test_site():
    if shutil.which("mkdocs") is None:
        pytest.skip("not run: mkdocs is not here")
    bellmark = os.environ.get("BELLMARK")
    options = ["--bellmark", bellmark] if bellmark else ["--without-results"]
    subprocess.run([ROOT / "tools" / "docs_site", *options], check=True)
    site = ROOT / "build" / "docs" / "site"
    assert len(list(site.rglob("*.html"))) > 100
    assert list(faults(site)) == []
    assert not bellmark or (site / "results" / "site" / "index.html").exists()


def test_the_version_is_the_same_everywhere():
    version = re.search(r"project\(bellmark VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.search(r"^version: (.*)$", citation, re.M).group(1) == version
    assert f'version = "{version}"' in (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8")
