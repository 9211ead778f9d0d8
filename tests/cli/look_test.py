"""Commands that show help, variants, the machine and graphs."""

import json
import re

import pytest

from support import bellmark, fault

COMMANDS = ["list", "graph", "spots", "plan", "run", "resume", "compare", "replicate", "tune", "diagnose", "verdict",
            "report", "site", "table", "history", "trace", "answer", "certify", "serve", "doctor", "topology", "new",
            "completion"]


def test_help_of_every_command():
    shown = bellmark("--help").stdout
    assert shown.startswith("Bellmark: ") and "\nUsage: bellmark [OPTIONS] COMMAND\n" in shown
    headings = ["Examples:", "See what there is:", "Measure:", "Judge:", "Answer:", "Know the machine:",
                "Begin something:", "Options:", "Exit codes:"]
    assert re.findall(r"^[A-Z][^:]*:$", shown, re.M) == headings
    for command in COMMANDS:
        assert re.search(rf"^  {command} +[A-Z][a-z]+ [^.]*$", shown, re.M), command
        for flag in ("-h", "--help"):
            said = bellmark(command, flag).stdout
            lines = said.splitlines()
            # A sentence, the usage, two examples at most, and only then the options.
            assert re.match(r"[A-Z][a-z]+ ", lines[0]) and lines[1] == ""
            assert lines[2].startswith(f"Usage: bellmark {command} ")
            assert lines[4] == "Examples:" and lines[5].startswith(f"  bellmark {command}")
            options = said[said.index("\nOptions:"):]
            assert 1 <= len(re.findall(r"^  bellmark ", said[:said.index("\nOptions:")], re.M)) <= 2
            assert "Exit codes: 0 ok, 2 bad input" in options
    for command in ("info", "convert", "verify", "make", "get"):
        assert f"  bellmark graph {command}" in bellmark("graph", command, "-h").stdout
    for command in ("snap", "distances", "map"):
        assert "  bellmark spots" in bellmark("spots", command, "-h").stdout


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", bellmark("--version").stdout)


def test_list():
    shown = bellmark("list").stdout
    assert re.search(r"^sssp +Distances and predecessors [^;]+; \d+ variants$", shown, re.M)
    assert "dijkstra" in shown and max(map(len, shown.splitlines())) <= 100 and shown.count("\n") < 60
    names = bellmark("list", "-v", "sssp/dijkstra:arity=4").stdout.split()
    assert len(names) == 1 and "arity=4" in names[0]
    assert bellmark("list", "sssp/dijkstra:arity=4").stdout.split() == names
    assert "yasui2011/T4" in bellmark("list", "--experiments").stdout
    bellmark("list", "--graphs")


def test_list_of_a_problem_and_of_a_family():
    shown = bellmark("list", "sssp").stdout
    assert re.search(r"^  dijkstra +Dijkstra's algorithm ", shown, re.M) and "bidirectional" not in shown
    shown = bellmark("list", "sssp/dijkstra").stdout
    assert re.search(r"^  \d+ variants built$", shown, re.M)
    assert re.search(r"^  arity=4 +2\.\.32$\n^      Number of children", shown, re.M)
    assert "  yasui2011:2-heap = queue=heap," in shown
    assert max(len(x) for x in shown.splitlines() if " = " not in x) <= 100


def test_list_for_programs():
    said = json.loads(bellmark("list", "--json").stdout)
    assert "sssp" in [problem["name"] for problem in said["problems"]]
    dijkstra = next(family for family in said["families"] if family["name"] == "sssp/dijkstra")
    assert dijkstra["built_count"] > 1 and dijkstra["keys"][0]["name"] == "queue"
    for family in said["families"]:
        if family["program"]:
            continue  # words of other people
        # One sentence each: a capital letter or a name, and no stop at the end.
        for text in [family["summary"], *[key["summary"] for key in family["keys"]]]:
            assert not text.endswith(".") and all(len(x.split()) <= 25 for x in re.split(r"[.;] ", text)), text


@pytest.mark.parametrize("words, near", [
    (["lst"], "list"), (["graph", "inof"], "info"), (["run", "--quik"], "--quick"),
    (["list", "sspp"], "sssp"), (["list", "dijkstra"], "sssp/dijkstra"), (["list", "sssp/dijkstr"], "sssp/dijkstra"),
    (["run", "-v", "sssp/dijkstra:arty=4"], "arity"), (["run", "-v", "sssp/dijkstra:queue=haep"], "heap"),
    (["run", "yasui2011/tabel4"], "yasui2011/table4"), (["graph", "info", "gird:rows=2,columns=2"], "grid:"),
    (["graph", "info", "grid:row=2,columns=2"], "rows"), (["run", "-v", "sssp/dijkstra", "--pages", "hug"], "huge"),
    (["report", "-f", "htlm", "x"], "html"), (["completion", "bsh"], "bash"), (["topology", "-c", "cor:0"], "core"),
    (["run", "-v", "sssp/dijkstra", "--counters", "softwar"], "software"),
    (["run", "-v", "sssp/dijkstra", "-a", "grph=x"], "graph"), (["graph", "info", "kron:scale=3"], "kronecker"),
    (["run", "-v", "sssp/dijkstra", "--memory", "interleav"], "interleave"),
    (["table", "--rows", "claim", "x"], "claims"), (["run", "-v", "sssp/dijkstra", "--profile", "pref"], "perf"),
])
def test_typos_are_answered_with_the_nearest_word(words, near):
    assert re.search(rf"did you mean '(?:\S+' or ')*{re.escape(near)}", fault(*words)), words


def test_topology_and_doctor():
    assert bellmark("topology").stdout
    assert json.loads(bellmark("topology", "--json").stdout)
    assert bellmark("doctor").stdout
    assert json.loads(bellmark("doctor", "--json").stdout)


def test_every_location_word_that_topology_lists_works():
    machines = ["pack:1 core:1 pu:1", "core:2 pu:2", "pack:2 core:4 pu:2", "pack:2 l3:2 l2:2 core:1 pu:1", "numa:2 pack:1 l2:2 core:2 pu:1"]
    for options in ([], *(["--synthetic", machine] for machine in machines)):
        listed = bellmark("topology", *options).stdout.split("that exist here:\n")[1].splitlines()
        words = {line.split()[0]: " ".join(line.split()[1:]) for line in listed}
        for kind in ("core", "pu"):
            assert f"{kind}:all" in words and f"each:{kind}" in words
        for pair in ("shared-l2", "shared-l3", "same-package", "other-package"):
            assert f"pair:{pair}" in words
        for word, meaning in words.items():
            # A class of pairs that the machine lacks is a reason.
            code = 77 if meaning.startswith("none: ") else 0
            bellmark("topology", *options, "-c", word, code=code)
