"""Answers as text: written by `answer`, or by another program, and checked by `certify`."""

import pytest
from support import BROKEN, bellmark, fault, needs_broken

# 1 -> 2 -> 3 -> 4 with a detour, and vertex 5 that no path reaches.
ARCS = "p sp 5 5\na 1 2 4\na 2 3 3\na 1 3 9\na 3 4 2\na 5 1 1\n"
RIGHT = {1: 0, 2: 4, 3: 7, 4: 9, 5: "unreached"}


@pytest.fixture(name="graph")
def _graph(tmp_path):
    path = tmp_path / "small.gr"
    path.write_text(ARCS)
    return path


def written(tmp_path, distances, head=""):
    path = tmp_path / "theirs.txt"
    path.write_text(head + "".join(f"{v} {d}\n" for v, d in distances.items()))
    return path


def test_distances_are_written_and_certified(graph, tmp_path):
    file = tmp_path / "distances.txt"
    bellmark("answer", "-v", "sssp/dijkstra", "-g", graph, "--source", 1, "-o", file)
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    assert lines == ["problem sssp", "source 1", "1 0 -", "2 4 1", "3 7 2", "4 9 3", "5 unreached -"]
    assert "certified" in bellmark("certify", "-g", graph, "--answer", file).stdout


def test_levels(graph, tmp_path):
    shown = bellmark("answer", "-v", "bfs/direction-optimizing", "-g", f"{graph},arcs=both", "--source", 1).stdout
    file = tmp_path / "levels.txt"
    file.write_text(shown)
    assert "problem bfs" in shown and "\n4 2 3\n" in shown
    bellmark("certify", "-g", f"{graph},arcs=both", "--source", 1, "--answer", file)
    file.write_text(shown.replace("\n4 2 3\n", "\n4 3 2\n"))
    assert "vertex 4 has level 3, and 2 is right" in bellmark(
        "certify", "-g", f"{graph},arcs=both", "--answer", file, code=3).stderr


def test_route_of_a_pair(graph, tmp_path):
    shown = bellmark("answer", "-v", "p2p/dijkstra", "-g", graph, "--source", 1, "--target", 4).stdout
    assert shown.endswith("distance 9\nroute 1\nroute 2\nroute 3\nroute 4\n")
    file = tmp_path / "route.txt"
    file.write_text(shown)
    bellmark("certify", "-g", graph, "--answer", file)
    file.write_text("distance 11\nroute 1\nroute 3\nroute 4\n")
    wrong = bellmark("certify", "-g", graph, "--source", 1, "--target", 4, "--answer", file, code=3).stderr
    assert "the path of length 11 is not shortest: the distance is 9" in wrong


def test_distances_of_another_program_need_no_predecessors(graph, tmp_path):
    file = written(tmp_path, RIGHT)
    assert "certified" in bellmark("certify", "-g", graph, "--source", 1, "--answer", file).stdout


def test_any_wrong_distance_is_found_at_its_vertex(graph, tmp_path):
    for vertex, right in RIGHT.items():
        for distance in (0, 3, 8, 10**18, -5, "unreached"):
            if distance == right:
                continue
            file = written(tmp_path, {**RIGHT, vertex: distance})
            said = bellmark("certify", "-g", graph, "--source", 1, "--answer", file, code=3).stderr
            assert f"vertex {vertex} has distance {distance}, and {right} is right" in said


def test_a_wrong_predecessor_is_found(graph, tmp_path):
    file = tmp_path / "theirs.txt"
    file.write_text("source 1\n1 0 -\n2 4 1\n3 7 1\n4 9 3\n5 inf -\n")
    said = bellmark("certify", "-g", graph, "--answer", file, code=3).stderr
    assert "vertex 3 at distance 7 has predecessor 1" in said


@pytest.mark.parametrize(("text", "said"), [
    ("1 0\n2 4\n", "vertex 3 has no line"),
    ("1 0\n1 0\n", "theirs.txt:2: vertex 1 has a second line"),
    ("1 0\n6 1\n", "theirs.txt:2: vertex 6 is out of range"),
    ("1 0\n2 4.5\n", "theirs.txt:2: distance '4.5' is not a whole number"),
    ("1 0 -\n2 4\n", "theirs.txt:2: the predecessor is missing"),
    ("1 0\n2 4 1\n", "theirs.txt:2: a predecessor"),
    ("vertex 1\n", "theirs.txt:1: unknown line 'vertex'"),
    ("", "it has no distances"),
    ("source 2\n1 0\n", "it answers another source, 2 and not 1"),
    ("problem colour\n", "problem 'colour' has no text form"),
])
def test_what_is_no_answer_is_refused(graph, tmp_path, text, said):
    file = tmp_path / "theirs.txt"
    file.write_text(text)
    assert said in fault("certify", "-g", graph, "--source", 1, "--answer", file)


def test_questions_that_cannot_be_asked(graph, tmp_path):
    file = written(tmp_path, RIGHT)
    assert "no vertex named" in fault("certify", "-g", graph, "--answer", file)
    assert "ids run from 1 to 5" in fault("answer", "-v", "sssp/dijkstra", "-g", graph, "--source", 6)
    assert "p2p needs a target" in fault("answer", "-v", "p2p/dijkstra", "-g", graph, "--source", 1)
    assert "has none" in fault("answer", "-v", "sssp/dijkstra", "-g", graph, "--source", 1, "--target", 2)
    assert "one answers" in fault("answer", "-v", "sssp/dijkstra:arity=*", "-g", graph, "--source", 1)
    assert "no text form" in fault("answer", "-v", "read-bandwidth/sum", "-g", graph, "--source", 1)


def test_a_negative_cycle_is_written_and_certified(tmp_path):
    graph = tmp_path / "negative.gr"
    graph.write_text("p sp 3 3\na 1 2 1\na 2 3 -4\na 3 2 1\n")
    shown = bellmark("answer", "-v", "sssp/bellman-ford", "-g", graph, "--source", 1).stdout
    assert "\ncycle 2\n" in shown and "\ncycle 3\n" in shown
    file = tmp_path / "cycle.txt"
    file.write_text(shown)
    bellmark("certify", "-g", graph, "--answer", file)


@needs_broken
def test_a_wrong_answer_is_not_written(graph, tmp_path):
    file = tmp_path / "distances.txt"
    said = bellmark("answer", "-v", "sssp/wrong-predecessor", "-g", graph, "--source", 1, "-o", file, code=3,
                    exe=BROKEN).stderr
    assert "a wrong answer" in said
    assert not file.exists()
