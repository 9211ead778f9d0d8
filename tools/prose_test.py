"""The definition of a sentence, and its limit."""
import importlib.machinery
import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).with_name("prose")


@pytest.fixture
def prose():
    loader = importlib.machinery.SourceFileLoader("prose", str(TOOL))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("prose", loader))
    loader.exec_module(module)
    return module


def words(count):
    return " ".join(["word"] * count)


def found(prose, name, text, limit=35):
    path = Path(name)
    return [(line, len(prose.words_of(sentence))) for block in prose.blocks(path, text)
            for line, sentence in prose.sentences(block)
            if len(prose.words_of(sentence)) > limit]


def test_the_limit_itself_passes(prose):
    assert found(prose, "a.md", words(35) + ".") == []
    assert found(prose, "a.md", words(36) + ".") == [(1, 36)]


def test_a_sentence_is_found_where_it_begins(prose):
    assert found(prose, "a.md", f"Short.\nOne two. {words(20)}\n{words(20)}.\n") == [(2, 40)]


@pytest.mark.parametrize("end", [".", "!", "?", ";", ":", ".)", ".**"])
def test_ends_of_sentences(prose, end):
    assert found(prose, "a.md", f"{words(20)}{end} {words(20)}.") == []


def test_what_ends_no_sentence(prose):
    assert found(prose, "a.md", f"{words(20)} 1.5 file.md, {words(20)}.", 39) == [(1, 42)]
    assert found(prose, "a.md", f"{words(20)} `a. b: c; d` {words(20)}.") == [(1, 41)]


@pytest.mark.parametrize("between", ["\n\n", "\n- ", "\n1. ", "\n\n# Heading\n\n", " | ", "\n\n```\ncode\n```\n"])
def test_blocks_of_markdown_are_apart(prose, between):
    start = "| " if between == " | " else ""
    assert found(prose, "a.md", start + words(20) + between + words(20)) == []


def test_markdown_code_is_no_prose(prose):
    assert found(prose, "a.md", f"```\n{words(40)}\n```\n") == []
    assert found(prose, "a.md", f"~~~~\n```\n{words(40)}\n~~~~\n") == []
    assert found(prose, "a.md", f"Text\n\n    {words(40)}\n\n    {words(40)}\n") == []
    assert found(prose, "a.md", f"```\ncode\n```\n{words(40)}\n") == [(4, 40)]
    assert found(prose, "a.md", f"- item\n\n    {words(40)}\n") == [(3, 40)]


def test_a_list_item_goes_on(prose):
    assert found(prose, "a.md", f"- {words(20)}\n  {words(20)}\n- next\n") == [(1, 40)]


def test_links_count_as_their_text(prose):
    assert found(prose, "a.md", f"{words(34)} [here](a/very/long_path-to/it.md).") == []
    assert found(prose, "a.md", f"{words(34)} [here and there](x.md).") == [(1, 37)]


def test_doc_comments_and_heads_are_read(prose):
    half = words(20)
    assert found(prose, "a.hpp", f"// {half}\n// {half}\n#pragma once\n") == [(1, 40)]
    assert found(prose, "a.hpp", f"#pragma once\n// {half}\n// {half}\n") == [(2, 40)]
    assert found(prose, "a.cu", f"int a;\n/// {half}\n/// {half}\nint b;\n") == [(2, 40)]
    assert found(prose, "a.cpp", f"int a;\nint b;  ///< {words(40)}\n") == [(2, 40)]
    assert found(prose, "a.cpp", f"int a;  ///< {half}\nint b;  ///< {half}\n") == []
    assert found(prose, "a.cpp", f"int a;\n// {words(40)}\n") == []
    assert found(prose, "a.hpp", f"int a;\n/// - {half}\n///   {half}\nint b;\n") == [(2, 40)]


def test_rows_of_a_comment_are_apart(prose):
    half = words(20)
    assert found(prose, "a.hpp", f"int a;\n/// {half}\n///   key  {half}\n/// {half}\n") == []
    assert found(prose, "a.hpp", f"int a;\n/// | {half} |\n/// | {half} |\n") == []
    assert found(prose, "a.hpp", f"int a;\n/// {half}\n///\n/// {half}\n") == []


def test_messages_are_read(prose):
    half = words(20)
    assert found(prose, "a.cpp", f'int a;\nthrow Error("{half} "\n            "{half}");\n') == [(2, 40)]
    assert found(prose, "a.cpp", f'f("{half}", "{half}");\n') == []
    assert found(prose, "a.cpp", f'f("{half}\\n"\n  "{half}");\n') == []
    assert found(prose, "a.cpp", f"char q = '\"'; int m = 1'000; f(\"{words(40)}\");\n") == [(1, 40)]
    assert found(prose, "a.cpp", f'auto t = R"({words(40)})"; // "{words(40)}"\n') == []


def run(prose, capsys, *arguments):
    code = prose.main([str(a) for a in arguments])
    return code, capsys.readouterr().out


def test_a_long_sentence_fails_and_is_named(prose, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(f"Fine.\n\nLong {words(40)}.\n")
    code, out = run(prose, capsys, page)
    assert code == 1
    assert f"{page}:3: 41 words: Long word" in out
    assert run(prose, capsys, "--limit", 41, page)[0] == 0


def test_the_limit_of_the_repository(prose, tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(f"{words(25)}.\n")
    assert run(prose, capsys, page) == (0, "")
    page.write_text(f"{words(26)}.\n")
    assert run(prose, capsys, page)[0] == 1


def test_the_rules_have_a_limit_of_their_own(prose, tmp_path, capsys, monkeypatch):
    page = tmp_path / "rules.md"
    monkeypatch.setattr(prose, "RULES", page)
    page.write_text(f"{words(35)}.\n")
    assert run(prose, capsys, page) == (0, "")
    page.write_text(f"{words(36)}.\n")
    assert run(prose, capsys, page)[0] == 1


@pytest.mark.parametrize("arguments", [["--update"], ["--limit", "few"], ["missing.md"]])
def test_bad_usage(prose, arguments):
    with pytest.raises(SystemExit) as stopped:
        prose.main(arguments)
    assert stopped.value.code == 2


def test_the_repository_has_what_is_read(prose):
    names = {str(path.relative_to(prose.ROOT)) for path in prose.repository_files()}
    assert {"README.md", "CONTRIBUTING.md", "docs/README.md", "base/error.hpp"} <= names
    assert not any(name.startswith("results/") for name in names)
