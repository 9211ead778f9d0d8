"""The wire for programs of others: its page, its installed header, and the examples."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent

import jsonschema
import pytest

from support import (BELLMARK, GRAPH, SOURCE, bellmark, fault, is_running, only_result, schema,
                     wait_for)

PAGE = SOURCE / "docs/reference/program-wire.md"
BUILD = Path(BELLMARK).parent


def conversation():
    """The requests of the page's example, and their answers."""
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
    """The header alone, installed by `cmake --install`."""
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
    """An example's words. The C++ example is compiled with only the installed header."""
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
    text = text.replace("/graphs/grid.gr", str(graph)).replace("/answers/1", str(tmp_path / "answer"))
    done = subprocess.run(example, input=text, capture_output=True, text=True, timeout=60, check=True)
    said = done.stdout.splitlines()
    assert len(requests) == len(answers) > 4
    assert [without_times(line) for line in said] == [without_times(line) for line in answers]
    assert len((tmp_path / "answer").read_text().splitlines()) == 9


def test_the_header_is_short_and_stands_alone():
    header = (SOURCE / "include/bellmark/worker.hpp").read_text()
    assert len(header.splitlines()) < 400
    assert re.findall(r'#include "', header) == []


@pytest.mark.parametrize("request_line, said", [
    ('{"hello":{"version":2,"problem":"sssp"}}', "it speaks no version of the wire but 1"),
    ('{"hello":{"version":1,"problem":"chess"}}', "does not answer the problem 'chess'"),
    ("nonsense", ""),
])
def test_examples_say_what_they_do_not_understand(example, request_line, said):
    done = subprocess.run(example, input=request_line + "\n", capture_output=True, text=True, timeout=60)
    (line,) = done.stdout.splitlines()
    assert said in json.loads(line)["error"]["message"]
    assert done.returncode == 1 and done.stderr == ""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A home and a cache of its own for each test."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "BELLMARK_CACHE"):
        monkeypatch.delenv(name, raising=False)


def program(folder, name, body):
    """A program like the example in Python, with other methods, `body`, in its class. Gives its command."""
    file = folder / f"{name}.py"
    file.write_text(
        f"import os, sys, time\nsys.dont_write_bytecode = True\nsys.path.insert(0, {str(SOURCE / 'examples')!r})\n"
        f"from program import Dijkstra, serve\nclass Mine(Dijkstra):\n{indent(body, '    ')}\nsys.exit(serve(Mine()))\n")
    return f"{sys.executable} {file}"


def wire_run(folder, code, command, *words, rival="sssp/dijkstra"):
    """Measures a program beside a variant of ours, and gives the result."""
    bellmark("run", "-v", rival, "--command", command, "--command-speaks", "wire", "-g", GRAPH, "-c", "none",
             "--smoke", "--queries", 2, "-q", *words, cwd=folder, code=code)
    result = only_result(folder)
    jsonschema.validate(result, schema("result"))
    return result


def cell_of_program(result):
    (cell,) = [cell for cell in result["cells"] if "/external-" in cell["variant"]]
    return cell


def test_a_program_on_the_wire_is_measured_and_certified(example, tmp_path):
    result = wire_run(tmp_path, 0, " ".join(map(str, example)))
    assert len(result["cells"]) == 2
    cell = cell_of_program(result)
    assert cell["validation"]["status"] == "certified"
    says_its_time = str(example[-1]).endswith("program")
    assert cell["timed_by"] == ("program" if says_its_time else "Bellmark")
    assert ("bound_ns" in cell) == says_its_time
    if says_its_time:
        assert cell["bound_ns"] > 0 and cell["wall_ns"]["median"] > 0
    (definition,) = result["programs"]
    assert definition["speaks"] == "wire"
    assert re.fullmatch(r"(plain|python)-dijkstra 1\.0", definition["version"])


def test_all_blocks_of_a_quick_run_are_certified(tmp_path):
    done = bellmark("run", "-v", "sssp/dijkstra", "--command", f"{sys.executable} {SOURCE / 'examples/program.py'}",
                    "--command-speaks", "wire", "-g", GRAPH, "-c", "core:0", "--quick", "--queries", 2, cwd=tmp_path)
    assert "certified" in done.stdout
    assert cell_of_program(only_result(tmp_path))["block_count"] == 6


LEVELS = """
def hello(self, body):
    assert body["problem"] == "bfs"
    return super().hello({**body, "problem": "sssp"})
def prepare(self, body):
    assert (body["format"], body["first_vertex"]) == ("gr", 1)
    said = super().prepare(body)
    self.arcs = [[(head, 1) for head, length in arcs] for arcs in self.arcs]
    return said
"""
ROUTE = """
def hello(self, body):
    assert body["problem"] == "p2p"
    return {"hello": {**super().hello({**body, "problem": "sssp"})["hello"], "forms": ["text"]}}
def prepare(self, body):
    assert (body["format"], body["first_vertex"]) == ("wel", 0)
    self.first = 0
    self.arcs = [[] for vertex in range(900)]
    for line in open(body["graph"]):
        tail, head, length = map(int, line.split())
        self.arcs[tail].append((head, length))
    return {"prepared": {}}
def query(self, body):
    self.target = body["target"]
    return super().query(body)
def extract(self, body):
    assert body["form"] == "text"
    route = [self.target]
    while self.predecessors[route[-1]] >= 0:
        route.append(self.predecessors[route[-1]])
    with open(body["file"], "w") as file:
        print(self.distances[self.target], *reversed(route), sep="\\n", file=file)
    return {"extracted": {}}
"""


@pytest.mark.parametrize("rival, body, words", [
    ("bfs/hybrid", LEVELS, ["--command-problem", "bfs"]),
    ("p2p/dijkstra", ROUTE, ["--command-problem", "p2p", "--command-format", "wel"]),
])
def test_other_problems_and_formats_are_certified(tmp_path, rival, body, words):
    result = wire_run(tmp_path, 0, program(tmp_path, "other", body.strip("\n")), *words, rival=rival)
    assert cell_of_program(result)["validation"]["status"] == "certified"


def test_settings_are_told(tmp_path):
    command = program(tmp_path, "told", "def prepare(self, body):\n    raise ValueError(sorted(body['settings'].items()))")
    result = wire_run(tmp_path, 4, command, "-a", "delta=7")
    (entry,) = result["not_measured"]
    assert "('delta', '7'), ('threads', '" in entry["reason"]


@pytest.mark.parametrize("name, code, reason, body", [
    ("version", 4, "it speaks version 2 of the wire, and this Bellmark speaks version 1",
     "def hello(self, body):\n    return {'hello': {'version': 2}}"),
    ("nonsense", 4, "its answer to 'query' is no message", "def query(self, body):\n    return 'done'"),
    ("unexpected", 4, "it answers 'query' with 'extracted'", "def query(self, body):\n    return {'extracted': {}}"),
    ("lie", 4, "it says that the query took 1000000000000000 ns",
     "def query(self, body):\n    super().query(body)\n    return {'answered': {'time_ns': 10**15}}"),
    ("sometimes", 4, "it reports 'time_ns' for some queries only",
     "asked = 0\ndef query(self, body):\n    self.asked += 1\n    super().query(body)\n"
     "    return {'answered': {'time_ns': 1} if self.asked > 1 else {}}"),
    ("dies", 4, "it ended (killed by signal 9 (Killed)) before it answered 'query'",
     "def query(self, body):\n    os.kill(os.getpid(), 9)"),
    ("raises", 4, "it says: KeyError: 'nothing'", "def query(self, body):\n    return {}['nothing']"),
    ("flood", 4, "has more than 65536 bytes in a line",
     "def query(self, body):\n    return {'answered': {'note': 'x' * 100_000_000}}"),
    ("half", 3, "it has 1 distances, not 900",
     "def extract(self, body):\n    with open(body['file'], 'wb') as file:\n        file.write(bytes(8))\n"
     "    return {'extracted': {}}"),
    ("nothing", 3, "the answer was not written", "def extract(self, body):\n    return {'extracted': {}}"),
    ("wrong", 3, "vertex", "def query(self, body):\n    said = super().query(body)\n    self.distances[7] += 1\n"
     "    return said"),
])
def test_a_program_that_fails_ends_its_cell_alone(tmp_path, name, code, reason, body):
    result = wire_run(tmp_path, code, program(tmp_path, name, body))
    (entry,) = result["not_measured"]
    assert "/external-" in entry["variant"] and reason in entry["reason"]
    (cell,) = [cell for cell in result["cells"] if cell["variant"].startswith("sssp/dijkstra")]
    assert cell["validation"]["status"] == "certified" and cell["wall_ns"]["median"] > 0


def test_a_program_that_hangs_ends_with_its_children(tmp_path):
    body = (f"def query(self, body):\n    import subprocess\n    children = [os.getpid()]\n"
            f"    children += [subprocess.Popen(['sleep', '1000'], start_new_session=new).pid for new in (False, True)]\n"
            f"    open({str(tmp_path / 'ids')!r}, 'w').write(' '.join(map(str, children)))\n    time.sleep(1000)")
    result = wire_run(tmp_path, 4, program(tmp_path, "hangs", body), "--timeout", 3)
    (entry,) = result["not_measured"]
    assert "nothing heard for 3 s" in entry["reason"]
    for child in map(int, (tmp_path / "ids").read_text().split()):
        wait_for(lambda: not is_running(child), 30)


DEFINITION = f"""
id = "mine"
variants = ["external/mine", "sssp/dijkstra"]
[[program]]
name = "mine"
problem = "sssp"
command = ["{sys.executable}", "{SOURCE / 'examples/program.py'}"]
speaks = "wire"
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 2 }}
[axes]
graph = ["{GRAPH}"]
[run]
placement = "none"
sample_count = 2
memory = true
"""


def test_a_definition_says_speaks(tmp_path):
    (tmp_path / "mine.toml").write_text(DEFINITION)
    bellmark("run", "mine.toml", "--quick", "-q", "--allow-commands", cwd=tmp_path)
    cell = cell_of_program(only_result(tmp_path))
    assert cell["variant"] == "sssp/external-mine" and cell["validation"]["status"] == "certified"
    assert cell["memory"]["resident_bytes"] > 1 << 20


@pytest.mark.parametrize("line", ['check = "distances"', "first_vertex = 0", 'form = "int32"',
                                  'time = { pattern = "(.*)", unit = "s" }'])
def test_messages_say_what_a_definition_must_not(tmp_path, line):
    (tmp_path / "mine.toml").write_text(DEFINITION.replace('speaks = "wire"', f'speaks = "wire"\n{line}'))
    assert "a program that speaks wire has no key about its time or its answer" in fault("plan", "mine.toml",
                                                                                      cwd=tmp_path)


@pytest.mark.parametrize("command, speaks, message", [
    ("true", "http", "speaks 'http'"),
    ("true {graph}", "wire", "{graph} in a command that speaks wire"),
])
def test_what_cannot_be_asked_is_refused(tmp_path, command, speaks, message):
    assert message in fault("run", "--command", command, "--command-speaks", speaks, "-g", GRAPH, cwd=tmp_path)
