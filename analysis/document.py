"""A report's content as blocks, and the two ways to write it: HTML and Markdown."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterable, Iterator, Optional, Sequence, Union
from urllib.parse import quote

from page_svg import data_address

CSS = (Path(__file__).parent / "document.css").read_text(encoding="utf-8")
NAVIGATION = "navigation"  # the kind of a section with links to other pages
MOST_ROWS = 200  # the most rows of a table or a list on a page


@dataclass(frozen=True)
class Badge:
    """A verdict's word, coloured."""

    word: str


@dataclass(frozen=True)
class Link:
    """Words that link to the section with this id, on this page or another. `page` is that page's
    address relative to this one. A page without a section is the whole page."""

    text: str
    target: str
    page: str = ""

    @property
    def address(self) -> str:
        page = quote(self.page, safe="/.:+@")
        return f"{page}#{self.target}" if self.target else page


@dataclass(frozen=True)
class Value:
    """Words, and the number by which a column is sorted."""

    text: str
    number: float


@dataclass(frozen=True)
class Drawing:
    """Inline SVG that the page holds unchanged: its maker escapes the texts in it. Markdown leaves
    it out."""

    svg: str


Part = Union[str, Badge, Link, Value, Drawing]
Inline = Union[Part, Sequence[Part]]  # "\n" breaks the line


@dataclass
class Heading:
    level: int
    text: Inline


@dataclass
class Paragraph:
    text: Inline


@dataclass
class Bullets:
    items: list[Inline]


@dataclass
class Table:
    """Rows of the header's length. `totals` are the indices of rows that sum up others.

    `kind` "cards" is a table that fits its page, and whose rows are cards on a small screen.
    `all_rows` says where all rows are when there are too many for a page. Where `filters` is given,
    the page's script sorts and filters the rows. Each has a name, a column and the choices: a row is
    chosen by a line in that column which is the choice, or begins with it and a "/" or ",".
    """

    header: list[Inline]
    rows: list[list[Inline]]
    totals: set[int] = field(default_factory=set)
    kind: str = ""
    all_rows: str = "`bellmark table RESULT.json` writes every cell as CSV."
    filters: Optional[list[tuple[str, str, list[str]]]] = None
    most_rows: int = MOST_ROWS


@dataclass
class Picture:
    """A figure: its SVG, that file's path relative to the Markdown, the SVG for the HTML, and the data
    for the page's script."""

    svg: bytes
    path: str
    alt: str
    caption: str
    page_svg: bytes = b""
    data: Optional[dict[str, Any]] = None


@dataclass
class Code:
    text: str


@dataclass
class Details:
    summary: str
    blocks: list[Block]


@dataclass
class Section:
    """A part of the page with a permanent id. If it begins with a heading, the contents list it."""

    id: str
    blocks: list[Block]
    kind: str = ""


@dataclass
class Contents:
    """Levels, texts and ids, from `outline`."""

    entries: list[tuple[int, str, str]]


Block = Union[Heading, Paragraph, Bullets, Table, Picture, Code, Details, Section, Contents]


def identifier(*texts: str) -> str:
    """The texts as an id of HTML that people can type."""
    return "-".join(re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip(".-") or "x" for text in texts)


def distinct(names: Iterable[str]) -> list[str]:
    """The names. Equal names are numbered from the second on."""
    taken: list[str] = []
    known: set[str] = set()
    for name in names:
        free, count = name, 1
        while free in known:
            count += 1
            free = f"{name}-{count}"
        known.add(free)
        taken.append(free)
    return taken


def walk(blocks: Iterable[Block]) -> Iterator[Block]:
    """Every block, followed by the blocks within it."""
    for block in blocks:
        yield block
        if isinstance(block, (Section, Details)):
            yield from walk(block.blocks)


def outline(blocks: Iterable[Block]) -> list[tuple[int, str, str]]:
    """The sections that begin with a heading, outside of details, with their headings."""
    entries = []
    for block in blocks:
        if not isinstance(block, Section):
            continue
        if block.blocks and isinstance(block.blocks[0], Heading):
            heading = block.blocks[0]
            entries.append((heading.level, plain(_parts(heading.text)[0]), block.id))
        entries += outline(block.blocks)
    return entries


def plain(text: Inline) -> str:
    """The words alone, without badges and drawings."""
    return "".join(part if isinstance(part, str) else
                   part.text if isinstance(part, (Link, Value)) else ""
                   for part in _parts(text)).strip()


def to_html(title: str, blocks: list[Block], script: str = "", *, style: str = "",
            script_file: str = "") -> str:
    """A page that needs nothing from a network. Without the script its figures are pictures. It holds
    the style sheet and the script, unless files beside it are named."""
    samples = {key: entry for block in walk(blocks) if isinstance(block, Picture) and block.data
               for key, entry in block.data["samples"].items()}
    code = (f'<script src="{html.escape(script_file)}"></script>' if script_file else
            f"<script>{script}</script>" if script else "")
    scripts = (f'<script type="application/json" id="samples">{_json(samples)}</script>\n'
               f"{code}\n" if code else "")
    look = (f'<link rel="stylesheet" href="{html.escape(style)}">' if style else
            f"<style>{CSS}</style>")
    above = [block for block in blocks if _is_navigation(block)]
    body = "\n".join([*map(_html, above), "<main>",
                      *(_html(block) for block in blocks if block not in above), "</main>"])
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="color-scheme" content="light dark">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{_policy(script, script_file)}">\n'
            f"<title>{html.escape(title)}</title>\n{look}\n</head>\n"
            f"<body>\n{body}\n{scripts}</body>\n</html>\n")


def _is_navigation(block: Block) -> bool:
    return isinstance(block, Section) and block.kind == NAVIGATION


def _policy(script: str, script_file: str) -> str:
    """The policy of the page: it may load and run its own script and style, and its own pictures. Charts
    set their own styles."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    own = "'self'" if script_file else f"'sha256-{digest}'" if script else "'none'"
    return (f"default-src 'none'; script-src {own}; style-src 'self' 'unsafe-inline'; "
            f"img-src 'self' data:; base-uri 'none'; form-action 'none'")


def _json(data: Any) -> str:
    """JSON that no browser takes for HTML, whatever its texts hold."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", text)


def _scene(data: dict[str, Any]) -> str:
    """A figure's data. Samples are on the page only once."""
    scene = {key: value for key, value in data.items() if key != "samples"}
    return f'<script type="application/json">{_json(scene)}</script>\n'


def to_markdown(blocks: list[Block]) -> str:
    """GitHub's Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def escape_markdown(text: str) -> str:
    """The text with Markdown's own signs escaped, on one line."""
    text = re.sub(r"([\\`*|<>\[\]~$&])", r"\\\1", text)
    text = re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", text)  # none within a word
    return re.sub(r"\s*\n\s*", "<br>", text)


def _parts(text: Inline) -> Sequence[Part]:
    return [text] if isinstance(text, (str, Badge, Link, Value, Drawing)) else text


def _html_part(part: Part) -> str:
    if isinstance(part, Badge):
        return f'<span class="badge {identifier(part.word)}">{html.escape(part.word)}</span>'
    if isinstance(part, Link):
        return f'<a href="{html.escape(part.address)}">{html.escape(part.text)}</a>'
    if isinstance(part, Value):
        return f'<data value="{part.number:.9g}">{html.escape(part.text)}</data>'
    if isinstance(part, Drawing):
        return part.svg
    return html.escape(part).replace("\n", "<br>")


def _html_inline(text: Inline) -> str:
    return "".join(map(_html_part, _parts(text)))


def _html_cell(cell: Inline, label: str) -> str:
    is_long = max(map(len, plain(cell).split("\n"))) > 40
    names = ' class="wide"' if is_long else ""
    return f"<td{names}{label}>{_html_inline(cell)}</td>"


def _shown(items: Sequence, all_items: str,
           most: int = MOST_ROWS) -> tuple[Sequence, list[Paragraph]]:
    """The first of too many items, and a sentence with the place of the others."""
    if len(items) <= most:
        return items, []
    return items[:most], [Paragraph(f"The first {most} of {len(items)} are shown. {all_items}")]


def _html_table(table: Table) -> str:
    rows, note = _shown(table.rows, table.all_rows, table.most_rows)
    is_cards = table.kind != ""
    labels = [f' data-label="{html.escape(plain(name))}"' if is_cards and plain(name) else ""
              for name in table.header]

    def role(name: str) -> str:
        """Rows that are drawn as cards are still rows for a screen reader."""
        return f' role="{name}"' if is_cards else ""

    head = "".join(f'<th scope="col"{role("columnheader")}>{_html_inline(name)}</th>'
                   for name in table.header)
    body = "\n".join(
        (f'<tr class="total"{role("row")}>' if index in table.totals else f"<tr{role('row')}>")
        + "".join(_html_cell(cell, label + role("cell")) for cell, label in zip(row, labels))
        + "</tr>" for index, row in enumerate(rows))
    kinds = f"table {table.kind}".strip()
    names = list(map(plain, table.header))
    filters = "" if table.filters is None else ' data-filters="' + html.escape(_json(
        [[name, names.index(column), options] for name, column, options in table.filters])) + '"'
    return (f'<div class="{kinds}"{filters}><table{role("table")}>\n'
            f'<thead{role("rowgroup")}><tr{role("row")}>{head}</tr></thead>\n'
            f'<tbody{role("rowgroup")}>\n{body}\n</tbody></table></div>' + "".join(map(_html, note)))


def _html_contents(contents: Contents) -> str:
    """A side bar on a wide screen, else details. The style sheet shows one of the two."""
    items = "".join(f'<li class="level-{level}">{_html_part(Link(text, target))}</li>'
                    for level, text, target in contents.entries)
    items = f"<ul>{items}</ul>"
    return (f'<nav class="contents" aria-label="Contents">{items}</nav>\n'
            f'<details class="contents"><summary>Contents</summary>{items}</details>')


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{_html_inline(block.text)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{_html_inline(block.text)}</p>"
    if isinstance(block, Bullets):
        items, note = _shown(block.items, "The result file has all of them.")
        return ("<ul>" + "".join(f"<li>{_html_inline(item)}</li>" for item in items) + "</ul>"
                + "".join(map(_html, note)))
    if isinstance(block, Table):
        return _html_table(block)
    if isinstance(block, Picture):
        data = _scene(block.data) if block.data else ""
        return (f'<figure class="chart" id="{Path(block.path).stem}">'
                f'<img src="{data_address(block.page_svg or block.svg)}" alt="{html.escape(block.alt)}">\n{data}'
                f"<figcaption>{_html_inline(block.caption)}</figcaption></figure>")
    if isinstance(block, Code):
        return f"<pre>{html.escape(block.text)}</pre>"
    if isinstance(block, Contents):
        return _html_contents(block)
    inner = "\n".join(map(_html, block.blocks))
    if isinstance(block, Section):
        if _is_navigation(block):
            return f'<nav id="{html.escape(block.id)}" aria-label="Site">\n{inner}\n</nav>'
        kind = f' class="{block.kind}"' if block.kind else ""
        return f'<section id="{html.escape(block.id)}"{kind}>\n{inner}\n</section>'
    return f"<details><summary>{_html_inline(block.summary)}</summary>\n{inner}\n</details>"


def _markdown_part(part: Part) -> str:
    if isinstance(part, Badge):
        return f"**{escape_markdown(part.word)}**"
    if isinstance(part, Link):
        return f"[{escape_markdown(part.text)}]({part.address})"
    if isinstance(part, Value):
        return escape_markdown(part.text)
    return "" if isinstance(part, Drawing) else escape_markdown(part)


def _markdown_inline(text: Inline) -> str:
    return "".join(map(_markdown_part, _parts(text)))


def _markdown_table(table: Table) -> str:
    """A column whose head is a drawing is left out."""
    shown, note = _shown(table.rows, table.all_rows, table.most_rows)
    kept = [index for index, name in enumerate(table.header) if not isinstance(name, Drawing)]
    rows = [[_markdown_inline(cells[index]) for index in kept]
            for cells in [table.header, *shown]]
    lines = [rows[0], ["---"] * len(kept), *rows[1:]]
    text = "\n".join("| " + " | ".join(row) + " |" for row in lines)
    return "\n\n".join([text, *map(_markdown, note)])


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {_markdown_inline(block.text)}"
    if isinstance(block, Paragraph):
        return _markdown_inline(block.text)
    if isinstance(block, Bullets):
        items, note = _shown(block.items, "The result file has all of them.")
        text = "\n".join(f"- {_markdown_inline(item)}" for item in items)
        return "\n\n".join([text, *map(_markdown, note)])
    if isinstance(block, Table):
        return _markdown_table(block)
    if isinstance(block, Picture):
        return f"![{escape_markdown(block.alt)}]({block.path})\n\n" \
               f"{_markdown_inline(block.caption)}"
    if isinstance(block, Code):  # a fence longer than any run of backticks inside
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
        return f"{fence}\n{block.text.rstrip()}\n{fence}"
    if isinstance(block, Contents):
        return "\n".join(f"{'  ' * (level - 2)}- {_markdown_part(Link(text, target))}"
                         for level, text, target in block.entries)
    inner = "\n\n".join(map(_markdown, block.blocks))
    if isinstance(block, Section):
        return f'<a id="{html.escape(block.id)}"></a>\n\n{inner}'
    summary = html.escape(" ".join(block.summary.split()))
    return f"<details><summary>{summary}</summary>\n\n{inner}\n\n</details>"
