"""`--prepared`: hierarchies and landmarks are kept in a folder, taken from there, and refused when damaged."""

import re

import pytest

from support import bellmark

GRAPH = "road:n=2000,seed=3"
HIERARCHY = "p2p/customisable-hierarchy"


def answer(folder, variant=HIERARCHY, graph=GRAPH, code=0):
    return bellmark("answer", "-v", variant, "-g", graph, "--source", 3, "--target", 900,
                    "--prepared", folder, code=code)


@pytest.mark.parametrize("variant", [HIERARCHY, "p2p/contraction-hierarchy", "p2p/alt"])
def test_a_file_is_kept_and_taken(variant, tmp_path):
    folder = tmp_path / "kept"
    first = answer(folder, variant).stdout
    (file,) = folder.iterdir()
    before = file.stat().st_mtime_ns
    assert answer(folder, variant).stdout == first
    assert file.stat().st_mtime_ns == before


def test_auto_says_that_it_takes_what_is_prepared(tmp_path):
    assert "reason=prepared" not in answer(tmp_path, "p2p/auto").stdout
    answer(tmp_path)
    assert "reason=prepared-for-any-lengths" in answer(tmp_path, "p2p/auto").stdout
    answer(tmp_path, "p2p/contraction-hierarchy")
    assert "reason=prepared," in answer(tmp_path, "p2p/auto").stdout


def test_one_source_takes_the_file_that_routes_left(tmp_path):
    def from_source(variant):
        return bellmark("answer", "-v", variant, "-g", GRAPH, "--source", 3, "--prepared", tmp_path).stdout

    assert "reason=prepared" not in from_source("sssp/auto")
    answer(tmp_path)
    (file,) = tmp_path.iterdir()
    before = file.stat().st_mtime_ns
    assert "reason=prepared-for-any-lengths" in from_source("sssp/auto")
    from_source("sssp/customisable-hierarchy")
    assert [path.stat().st_mtime_ns for path in tmp_path.iterdir()] == [before]


def test_a_damaged_or_foreign_file_is_refused(tmp_path):
    answer(tmp_path)
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    for bad in (good[:-1], good[:300] + bytes([good[300] ^ 1]) + good[301:], b"p sp 1 0\n"):
        file.write_bytes(bad)
        said = answer(tmp_path, code=2).stderr
        assert file.name in said and "delete the file" in said
    answer(tmp_path, graph="road:n=2000,seed=4")
    (other,) = set(tmp_path.iterdir()) - {file}
    file.write_bytes(other.read_bytes())
    assert "was prepared for another graph" in answer(tmp_path, code=2).stderr


@pytest.mark.parametrize("variant, said", [("p2p/contraction-hierarchy", "explodes"), (HIERARCHY, "separators")])
def test_a_graph_without_a_hierarchy_is_refused_with_a_figure(variant, said, tmp_path):
    refusal = answer(tmp_path, variant, "kronecker:scale=14,lengths=uniform:1..255", code=77).stderr
    assert said in refusal and re.search(r"\d{4} ", refusal) and "use p2p/auto" in refusal
    assert list(tmp_path.iterdir()) == []


def test_workers_take_the_folder(tmp_path):
    kept = []
    for _ in range(2):
        bellmark("run", "-v", HIERARCHY, "-g", GRAPH, "-c", "none", "--queries", 5, "--smoke", "-q",
                 "--prepared", "kept", cwd=tmp_path)
        kept.append([(file.name, file.stat().st_mtime_ns)
                     for file in (tmp_path / "kept").iterdir()])
    assert len(kept[0]) == 1 and kept[0] == kept[1]
