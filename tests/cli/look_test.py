"""What shows what there is: help, variants, the machine, graphs."""

import json
import re

from support import bellmark

COMMANDS = ["list", "topology", "doctor", "graph", "spots", "plan", "run", "resume", "compare", "tune", "diagnose",
            "verdict", "report"]


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
