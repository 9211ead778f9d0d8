"""What shows what there is: help, variants, the machine, graphs."""

import json
import re

from support import bellmark

COMMANDS = ["list", "topology", "doctor", "graph", "spots", "plan", "run", "resume", "compare", "tune", "diagnose",
            "answer", "certify", "verdict", "report"]


def test_help_of_every_command():
    shown = bellmark("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^  {command}\b", shown, re.M), command
        for flag in ("-h", "--help"):
            assert len(bellmark(command, flag).stdout) > 100
    for command in ("info", "convert", "verify", "make", "get"):
        assert bellmark("graph", command, "-h").stdout
    for command in ("snap", "distances", "map"):
        assert "  bellmark spots" in bellmark("spots", command, "-h").stdout


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", bellmark("--version").stdout)


def test_list():
    shown = bellmark("list").stdout
    assert re.search(r"^sssp/dijkstra  \(\d+ built\)$", shown, re.M)
    assert "  arity=" in shown
    names = bellmark("list", "-v", "sssp/dijkstra:arity=4").stdout.split()
    assert len(names) == 1 and "arity=4" in names[0]
    assert "yasui2011/T4" in bellmark("list", "--experiments").stdout
    bellmark("list", "--graphs")


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
