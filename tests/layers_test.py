"""The layers of the source tree: the includes that are allowed.

The layers are base, graph, algorithms and harness, and within algorithms its floors. A file includes its own layer and
those to its left. No two folders, at any depth, include each other, directly or over others. Tests may include all.
"""
import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = ["base", "graph", "algorithms", "harness"]
FLOORS = ["contract", "parallel", "gpu", "problems", "searches", "spots", "testing"]
TEST_CODE = re.compile(r"_test\.|_fuzz\.|/(gpu_)?test_\w+\.|/fuzz_support\.|/fake_\w+\.|/communicator_properties\.|"
                       r"^algorithms/testing/")
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def includes(root: Path = ROOT) -> dict[str, list[str]]:
    """The project's own includes of every file that is not test code, by file. Paths are relative to the root."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", *LAYERS],
                            check=True, capture_output=True, text=True).stdout.split()
    found = {}
    for file in listed:
        path = root / file
        if path.suffix not in (".cpp", ".hpp", ".cu", ".cuh") or TEST_CODE.search(file) or not path.exists():
            continue
        found[file] = INCLUDE.findall(path.read_text())
    return found


def climbs(files: dict[str, list[str]]) -> list[str]:
    """Includes of a later layer, or of a later floor of algorithms."""
    faults = []
    for file, included in files.items():
        for other in included:
            here, there = file.split("/"), other.split("/")
            if there[0] not in LAYERS:
                continue
            rightwards = LAYERS.index(there[0]) > LAYERS.index(here[0])
            if here[0] == there[0] == "algorithms":
                rightwards = FLOORS.index(there[1]) > FLOORS.index(here[1])
            if rightwards:
                faults.append(f"{file} includes {other}, which stands to its right")
    return faults


def circles(files: dict[str, list[str]]) -> list[str]:
    """Circles of folders, at any depth: each as the folders that reach each other, with one include for each step."""
    faults = []
    for depth in range(1, 1 + max(file.count("/") for file in files)):
        steps: dict[str, dict[str, str]] = defaultdict(dict)
        for file, included in files.items():
            for other in included:
                here, there = (_folder(path, depth) for path in (file, other))
                # A folder and the folder around it are one room.
                if here != there and not here.startswith(there + "/") and not there.startswith(here + "/"):
                    steps[here].setdefault(there, f"{file} includes {other}")
        faults += [circle for circle in _circles_of(steps) if circle not in faults]
    return faults


def _folder(path: str, depth: int) -> str:
    return "/".join(path.split("/")[:-1][:depth])


def _circles_of(steps: dict[str, dict[str, str]]) -> list[str]:
    """The shortest circle through each folder that lies on one, every circle once."""
    found = {}
    for start in sorted(steps):
        ways = {start: [start]}
        queue = [start]
        for here in queue:
            for there in sorted(steps.get(here, {})):
                if there == start:
                    way = ways[here]
                    found.setdefault(frozenset(way), way)
                elif there not in ways:
                    ways[there] = ways[here] + [there]
                    queue.append(there)
    return ["; ".join(steps[a][b] for a, b in zip(way, way[1:] + way[:1])) for way in found.values()]


def test_files_include_leftwards_only():
    assert climbs(includes()) == []


def test_no_circle_of_folders():
    assert circles(includes()) == []


def test_every_floor_is_known():
    files = includes()
    assert {file.split("/")[1] for file in files if file.startswith("algorithms/")} <= set(FLOORS)
    assert len(files) > 300


@pytest.mark.parametrize("file, included", [
    ("graph/graph.hpp", "harness/plan/plan.hpp"),
    ("base/text.hpp", "graph/graph.hpp"),
    ("algorithms/problems/sssp/problem.cpp", "algorithms/searches/bellman_ford/search.hpp"),
])
def test_a_climb_is_found(file, included):
    assert climbs({file: [included]}) == [f"{file} includes {included}, which stands to its right"]


def test_a_circle_is_found_over_several_folders():
    files = {"harness/a/x.cpp": ["harness/b/y.hpp"], "harness/b/y.hpp": ["harness/c/d/z.hpp"],
             "harness/c/d/z.hpp": ["harness/a/x.hpp", "harness/c/w.hpp"]}
    found = circles(files)
    assert len(found) == 1 and "harness/c/d/z.hpp includes harness/a/x.hpp" in found[0]
    del files["harness/c/d/z.hpp"]
    assert circles(files) == []
