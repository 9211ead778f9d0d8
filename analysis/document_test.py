"""Blocks as HTML and as Markdown: contents, tables, and texts with any characters."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from document import (MOST_ROWS, Badge, Block, Bullets, Code, Contents, Details, Drawing, Heading,
                      Link, Paragraph, Picture, Section, Table, distinct, escape_markdown,
                      identifier, outline, to_html, to_markdown, walk)

HOSTILE = "<img src=x onerror=alert(1)> [x](y) `|` *b* _i_ & &lt; \"'\n\n# no <!-- heading"


def hostile_blocks() -> list[Block]:
    """The text in every place of a block."""
    text = HOSTILE
    return [Heading(1, text), Paragraph([text, Badge(text), Link(text, identifier(text))]),
            Bullets([text]), Table([text, text], [[text, [Badge(text)]]], kind="cards"),
            Picture(b"<svg/>", "figures/a.svg", text, text), Code(text),
            Section(identifier(text), [Heading(2, text), Details(text, [Paragraph(text)])]),
            Contents([(2, text, identifier(text))])]


class Elements(HTMLParser):
    """The elements, their attributes, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")


def test_hostile_text_is_text_on_the_page() -> None:
    elements = Elements(to_html(HOSTILE, hostile_blocks()))
    assert [tag for tag, _ in elements.found].count("img") == 1, "the picture alone"
    assert not any(name.startswith("on") for _, attributes in elements.found for name in attributes)
    assert elements.text.count("<img src=x onerror=alert(1)>") >= 13
    ids = [attributes["id"] for _, attributes in elements.found if "id" in attributes]
    assert ids and all(re.fullmatch(r"[A-Za-z0-9._-]+", each) for each in ids)


def test_hostile_text_is_text_in_markdown() -> None:
    markdown = to_markdown(hostile_blocks())
    code = re.search(r"```\n.*?\n```", markdown, re.S)[0]
    outside = markdown.replace(code, "")
    assert not re.search(r"(?<!\\)<(?!br>|/?details|/?summary|a id=|/a>)", outside)
    assert not re.search(r"^# no", outside, re.MULTILINE), "no line of its own"
    read = re.sub(r"<summary>.*</summary>", "", outside)  # HTML, which Markdown leaves alone
    links = re.findall(r"(?<!\\)\]\(([^)]*)\)", read)
    assert set(links) == {f"#{identifier(HOSTILE)}", "figures/a.svg"}
    rows = [line for line in outside.splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in rows} == {3}


@pytest.mark.parametrize("text, escaped", [
    ("a_b_c", "a_b_c"), ("_a_", "\\_a\\_"), ("&lt;", "\\&lt;"), ("a\n \nb", "a<br>b"),
    ("x|y", "x\\|y"), ("~~a~~", "\\~\\~a\\~\\~")])
def test_what_markdown_escapes(text: str, escaped: str) -> None:
    assert escape_markdown(text) == escaped


def test_contents_lead_to_every_section_with_a_heading() -> None:
    blocks: list[Block] = [
        Section("a", [Heading(2, ["First ", Badge("shown"), " more"]),
                      Section("b", [Heading(3, "Second")]), Section("c", [Paragraph("none")])]),
        Details("unfold", [Section("d", [Heading(2, "Hidden")])])]
    assert outline(blocks) == [(2, "First", "a"), (3, "Second", "b")]
    page = to_html("t", [Contents(outline(blocks)), *blocks])
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))
    assert "- [First](#a)\n  - [Second](#b)\n" in to_markdown([Contents(outline(blocks)), *blocks])
    assert [block.id for block in walk(blocks) if isinstance(block, Section)] == list("abcd")


def test_long_tables_and_lists_are_cut_and_say_so() -> None:
    count = MOST_ROWS + 1
    table = Table(["a", "b"], [[f"row {index}", ""] for index in range(count)], all_rows="Ask X.")
    whole = Table(["a", "b"], table.rows[:MOST_ROWS])
    note = f"The first {MOST_ROWS} of {count} are shown. Ask X."
    for write in (lambda block: to_html("t", [block]), lambda block: to_markdown([block])):
        assert note in write(table) and f"row {MOST_ROWS}" not in write(table)
        assert "are shown" not in write(whole) and f"row {MOST_ROWS - 1}" in write(whole)
        items = write(Bullets([f"item {index}" for index in range(count)]))
        assert f"item {MOST_ROWS}" not in items and f"of {count} are shown" in items


def test_cards_know_their_columns() -> None:
    page = to_html("t", [Table(["A <b>", Drawing("<svg></svg>")], [["x", Drawing("<svg/>")]],
                               kind="cards")])
    assert '<td data-label="A &lt;b&gt;" role="cell">x</td><td role="cell"><svg/></td>' in page
    assert to_markdown([Table(["A", Drawing("<svg/>")], [["x", Drawing("<svg/>")]])]) == \
        "| A |\n| --- |\n| x |\n"


def test_ids_are_distinct() -> None:
    assert distinct(["a", "a", "b", "a"]) == ["a", "a-2", "b", "a-3"]
    assert distinct(["a-2", "a", "a"]) == ["a-2", "a", "a-3"]
    assert identifier("claim", "p/<Y>3", "..") == "claim-p-Y-3-x"
