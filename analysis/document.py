"""A report's content as blocks, and the two ways to write it: HTML and Markdown."""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence, Union
from urllib.parse import quote

CSS = """
:root { --page: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de; --band: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14181d; --ink: #e6e9ed; --soft: #a3adb8; --line: #3a424c; --band: #1d232a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 72rem; background: var(--page);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; }
p { margin: .5rem 0; }
.table { overflow-x: auto; margin: .7rem 0; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; border: 1px solid var(--line); text-align: left;
  vertical-align: top; min-width: 3.5rem; overflow-wrap: normal; }
th { background: var(--band); }
td.wide { min-width: 13rem; }
tr.total > td { background: var(--band); font-weight: 600; }
figure { margin: 1rem 0; max-width: 52rem; }
figure img { width: 100%; height: auto; display: block; border-radius: 4px; }
figcaption { color: var(--soft); font-size: .9rem; margin-top: .3rem; }
.badge { display: inline-block; padding: 0 .45rem; border-radius: .6rem; color: #fff;
  font-weight: 600; background: #57606a; white-space: nowrap; }
.reproduced { background: #1a7f37; } .direction-only { background: #0969a8; }
.not-reproduced { background: #b3261e; } .inconclusive { background: #8a5a00; }
details { margin: .6rem 0; }
summary { cursor: pointer; font-weight: 600; }
pre { overflow-x: auto; background: var(--band); padding: .7rem; font-size: .82rem; }
@media print { body { max-width: none; padding: 0; font-size: 11px; }
  .table { overflow: visible; } table { font-size: .8rem; } pre { white-space: pre-wrap; }
  figure, tr { break-inside: avoid; } .badge { -webkit-print-color-adjust: exact;
    print-color-adjust: exact; } }
"""


@dataclass(frozen=True)
class Badge:
    """A verdict's word, coloured."""

    word: str


Inline = Union[str, Badge, Sequence[Union[str, Badge]]]  # "\n" breaks the line


@dataclass
class Heading:
    level: int
    text: str


@dataclass
class Paragraph:
    text: Inline


@dataclass
class Bullets:
    items: list[Inline]


@dataclass
class Table:
    """Rows as long as the header; `totals` are the indices of rows that sum up others."""

    header: list[str]
    rows: list[list[Inline]]
    totals: set[int] = field(default_factory=set)


@dataclass
class Picture:
    """A figure: its SVG, that file's path relative to the Markdown, the SVG that the HTML holds in
    its stead, and what the page's script draws it from."""

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


Block = Union[Heading, Paragraph, Bullets, Table, Picture, Code, Details]


def to_html(title: str, blocks: list[Block], script: str = "") -> str:
    """A page that needs nothing beside itself: no style sheet, no network; without the script its
    figures are pictures."""
    samples = {key: entry for picture in _pictures(blocks) if picture.data
               for key, entry in picture.data["samples"].items()}
    scripts = (f'<script type="application/json" id="samples">{_json(samples)}</script>\n'
               f"<script>{script}</script>\n" if script else "")
    body = "\n".join(_html(block) for block in blocks)
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f'<meta name="color-scheme" content="light dark">\n'
            f"<title>{html.escape(title)}</title>\n<style>{CSS}</style>\n</head>\n"
            f"<body>\n{body}\n{scripts}</body>\n</html>\n")


def _json(data: Any) -> str:
    """JSON that no browser takes for HTML, whatever its texts hold."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub("[<>&\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", text)


def _pictures(blocks: Sequence[Block]) -> Iterator[Picture]:
    """All pictures, also those within other blocks."""
    for block in blocks:
        if isinstance(block, Picture):
            yield block
        yield from _pictures(getattr(block, "blocks", []))


def _scene(data: dict[str, Any]) -> str:
    """A figure's data; samples stand once on the page."""
    scene = {key: value for key, value in data.items() if key != "samples"}
    return f'<script type="application/json">{_json(scene)}</script>\n'


def to_markdown(blocks: list[Block]) -> str:
    """GitHub's Markdown."""
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def escape_markdown(text: str) -> str:
    """The text with Markdown's own signs escaped, on one line."""
    return re.sub(r"([\\`*|<>\[\]~$])", r"\\\1", text).replace("\n", "<br>")


def _parts(text: Inline) -> Sequence[Union[str, Badge]]:
    return [text] if isinstance(text, (str, Badge)) else text


def _html_inline(text: Inline) -> str:
    return "".join(
        f'<span class="badge {part.word.replace(" ", "-")}">{html.escape(part.word)}</span>'
        if isinstance(part, Badge) else html.escape(part).replace("\n", "<br>")
        for part in _parts(text))


def _html_cell(cell: Inline) -> str:
    text = _html_inline(cell)
    is_long = max(map(len, re.sub(r"<br>|<[^>]*>", "\n", text).split("\n"))) > 40
    return f'<td class="wide">{text}</td>' if is_long else f"<td>{text}</td>"


def _html(block: Block) -> str:
    if isinstance(block, Heading):
        return f"<h{block.level}>{_html_inline(block.text)}</h{block.level}>"
    if isinstance(block, Paragraph):
        return f"<p>{_html_inline(block.text)}</p>"
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_html_inline(item)}</li>" for item in block.items) + "</ul>"
    if isinstance(block, Table):
        head = "".join(f'<th scope="col">{_html_inline(name)}</th>' for name in block.header)
        rows = "\n".join(
            ('<tr class="total">' if index in block.totals else "<tr>")
            + "".join(map(_html_cell, row)) + "</tr>" for index, row in enumerate(block.rows))
        return (f'<div class="table"><table>\n<thead><tr>{head}</tr></thead>\n'
                f"<tbody>\n{rows}\n</tbody></table></div>")
    if isinstance(block, Picture):
        source = quote(block.page_svg or block.svg, safe=" !$()*+,-./:;=?@[]^_{|}~\n")
        data = _scene(block.data) if block.data else ""
        return (f'<figure class="chart" id="{Path(block.path).stem}">'
                f'<img src="data:image/svg+xml,{source}" alt="{html.escape(block.alt)}">\n{data}'
                f"<figcaption>{_html_inline(block.caption)}</figcaption></figure>")
    if isinstance(block, Code):
        return f"<pre>{html.escape(block.text)}</pre>"
    inner = "\n".join(map(_html, block.blocks))
    return f"<details><summary>{_html_inline(block.summary)}</summary>\n{inner}\n</details>"


def _markdown_inline(text: Inline) -> str:
    return "".join(f"**{part.word}**" if isinstance(part, Badge) else escape_markdown(part)
                   for part in _parts(text))


def _markdown(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {_markdown_inline(block.text)}"
    if isinstance(block, Paragraph):
        return _markdown_inline(block.text)
    if isinstance(block, Bullets):
        return "\n".join(f"- {_markdown_inline(item)}" for item in block.items)
    if isinstance(block, Table):
        lines = [block.header, ["---"] * len(block.header)]
        rows = [[_markdown_inline(cell) for cell in row] for row in block.rows]
        return "\n".join("| " + " | ".join(row) + " |" for row in lines + rows)
    if isinstance(block, Picture):
        return f"![{escape_markdown(block.alt)}]({block.path})\n\n" \
               f"{_markdown_inline(block.caption)}"
    if isinstance(block, Code):  # a fence longer than any run of backticks inside
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", block.text)), default=0))
        return f"{fence}\n{block.text.rstrip()}\n{fence}"
    inner = "\n\n".join(map(_markdown, block.blocks))
    summary = html.escape(block.summary)
    return f"<details><summary>{summary}</summary>\n\n{inner}\n\n</details>"
