"""Every relative link of every Markdown page leads to a file of the repository, and to an existing heading."""
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def repository_files():
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [ROOT / name for name in set(listed.split("\0")) if name and (ROOT / name).exists()]


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", lambda m: "c" * len(m.group()), text)


def links(text):
    text = without_code(text)
    yield from re.findall(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)", text)
    yield from re.findall(r"^\[[^\]]+\]:\s*(\S+)", text, flags=re.M)
    yield from re.findall(r"(?:src|href)=\"([^\"]+)\"", text)


def anchors(text):
    """The names that a page's headings get from GitHub."""
    found = set(re.findall(r"(?:id|name)=\"([^\"]+)\"", text))
    for heading in re.findall(r"^#+\s+(.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), flags=re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip()).lower()
        base = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        name, n = base, 0
        while name in found:
            n += 1
            name = f"{base}-{n}"
        found.add(name)
    return found


def broken_paths(page, files):
    """Code spans that name a file of the source tree, except a user's own files."""
    known = {str(file.relative_to(ROOT)) for file in files}
    tops = {name.split("/")[0] for name in known if "/" in name}
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    for path in re.findall(r"`(\w+/[\w./-]+\.(?:[chm]pp|cuh?|py|toml|json|md|txt|cmake))`", text):
        if path.split("/")[0] in tops and "/yours/" not in path and path not in known:
            yield f"{page}: {path}: no such file"


def broken_links(page, files):
    known = set(files) | {parent for file in files for parent in file.parents}
    for link in links(page.read_text(encoding="utf-8")):
        if re.match(r"[a-z][a-z0-9+.-]*:", link):
            continue
        target, _, anchor = link.partition("#")
        path = (page.parent / target).resolve() if target else page
        if path not in known:
            yield f"{page}: {link}: no such file"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
            yield f"{page}: {link}: no such heading"


def test_every_link_leads_somewhere():
    files = repository_files()
    pages = [file for file in files if file.suffix == ".md"]
    assert len(pages) > 40
    assert sum(1 for page in pages for _ in links(page.read_text(encoding="utf-8"))) > 200
    assert [broken for page in sorted(pages) for broken in broken_links(page, files)] == []


def test_every_path_named_is_there():
    files = repository_files()
    pages = [file for file in files if file.suffix == ".md" and not file.is_relative_to(ROOT / "results")]
    assert [broken for page in sorted(pages) for broken in broken_paths(page, files)] == []


def test_paths_are_judged(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("`base/there.hpp` `base/gone.hpp` `elsewhere/x.hpp` `base/yours/x.cpp` `base/<any>/x.hpp`\n")
    assert [broken.split(": ")[1] for broken in broken_paths(page, [ROOT / "base" / "there.hpp"])] == ["base/gone.hpp"]


def test_every_page_of_the_documentation_can_be_reached():
    """From docs/README.md, by links from page to page."""
    seen, ahead = set(), [ROOT / "docs" / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in seen:
            continue
        seen.add(page)
        targets = [(page.parent / link.partition("#")[0]).resolve()
                   for link in links(page.read_text(encoding="utf-8")) if not re.match(r"[a-z]+:", link)]
        ahead += [target for target in targets if target.suffix == ".md" and (ROOT / "docs") in target.parents]
    assert {page for page in repository_files() if (ROOT / "docs") in page.parents and page.suffix == ".md"} == seen


@pytest.mark.parametrize("link, broken", [
    ("there.md", False), ("there.md#a-heading-of-code", False), ("#here", False), ("sub/", False),
    ("https://example.org/x", False), ("gone.md", True), ("there.md#gone", True), ("#gone", True),
])
def test_links_are_judged(tmp_path, link, broken):
    page, there, below = tmp_path / "page.md", tmp_path / "there.md", tmp_path / "sub" / "x.md"
    below.parent.mkdir()
    page.write_text(f"# Here\n\nA [link\nover lines]({link}), `[none](gone.md)`.\n\n```\n[none](gone.md)\n```\n")
    there.write_text("# A heading, of `code`\n")
    below.write_text("x\n")
    assert bool(list(broken_links(page, [page, there, below]))) == broken
