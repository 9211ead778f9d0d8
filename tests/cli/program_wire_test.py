"""The wire for programs of others: its page, its header as it is installed, and the examples."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import BELLMARK, SOURCE, bellmark

PAGE = SOURCE / "docs/reference/program-wire.md"
BUILD = Path(BELLMARK).parent


def conversation():
    """What the page's example says: requests, and the answers to them."""
    block = re.search(r"## One conversation\n.*?```\n(.*?)```", PAGE.read_text(), re.S).group(1)
    lines = block.splitlines()
    return [line[2:] for line in lines if line.startswith("> ")], [line[2:] for line in lines if line.startswith("< ")]


def without_times(message):
    """A message with figures and names that differ from program to program blanked."""
    blanked = json.loads(message)
    for body in blanked.values():
        body.pop("time_ns", None)
        body.pop("name", None)
    return blanked


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The header alone, as `cmake --install` puts it."""
    if not shutil.which("cmake") or not shutil.which("c++"):
        pytest.skip("no cmake or no C++ compiler")
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run(["cmake", "--install", BUILD, "--component", "headers", "--prefix", folder],
                   check=True, stdout=subprocess.DEVNULL)
    assert [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()] == [
        Path("include/bellmark/worker.hpp")]
    return folder


@pytest.fixture(scope="module", params=["cpp", "py"])
def example(request):
    """An example's words; the C++ one is compiled with nothing but the installed header."""
    if request.param == "py":
        return [sys.executable, SOURCE / "examples/program.py"]
    folder = request.getfixturevalue("installed")
    subprocess.run(["c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I", folder / "include",
                    SOURCE / "examples/program.cpp", "-o", folder / "program"], check=True)
    return [folder / "program"]


def test_the_page_says_what_the_examples_say(example, tmp_path):
    graph = tmp_path / "grid.gr"
    bellmark("graph", "make", "grid:rows=3,columns=3", "-o", graph)
    requests, answers = conversation()
    text = "".join(line + "\n" for line in requests)
    text = text.replace("/tmp/grid.gr", str(graph)).replace("/tmp/answer", str(tmp_path / "answer"))
    done = subprocess.run(example, input=text, capture_output=True, text=True, timeout=60, check=True)
    said = done.stdout.splitlines()
    assert len(requests) == len(answers) > 4
    assert [without_times(line) for line in said] == [without_times(line) for line in answers]
    assert len((tmp_path / "answer").read_text().splitlines()) == 9


def test_the_header_is_short_and_stands_alone():
    header = (SOURCE / "include/bellmark/worker.hpp").read_text()
    assert len(header.splitlines()) < 400
    assert re.findall(r'#include "', header) == []


@pytest.mark.parametrize("request_line, fault", [
    ('{"hello":{"version":2,"problem":"sssp"}}', "it speaks no version of the wire but 1"),
    ('{"hello":{"version":1,"problem":"chess"}}', "does not answer the problem 'chess'"),
    ("nonsense", ""),
])
def test_examples_say_what_they_do_not_understand(example, request_line, fault):
    done = subprocess.run(example, input=request_line + "\n", capture_output=True, text=True, timeout=60)
    (line,) = done.stdout.splitlines()
    assert fault in json.loads(line)["error"]["message"]
    assert done.returncode == 1 and done.stderr == ""
