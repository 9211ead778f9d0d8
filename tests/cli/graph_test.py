"""`bellmark graph`."""

import json
import shutil

import pytest

from support import GRAPH, SOURCE, bellmark, fault


def test_graph_info():
    assert "900" in bellmark("graph", "info", GRAPH).stdout
    assert json.loads(bellmark("graph", "info", GRAPH, "--json").stdout)["vertex_count"] == 900


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_graph_get(tmp_path):
    name = "USA-road-d.NY.gr.gz"
    mirror, folder = tmp_path / "mirror/USA-road-d", tmp_path / "data"
    mirror.mkdir(parents=True)
    whole = (SOURCE / "data/dimacs" / name).read_bytes()
    (mirror / name).write_bytes(whole)

    def get(graph, code=0):
        return bellmark("graph", "get", graph, "--folder", folder, "--from",
                        f"file://{tmp_path}/mirror", code=code).stderr

    # It continues a broken download, even one that stopped right at the end.
    for size in (1000, len(whole)):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "dimacs").mkdir(parents=True)
        (folder / "dimacs" / (name + ".part")).write_bytes(whole[:size])
        assert "264346 vertices, 733846 arcs" in get("dimacs:USA-road-d.NY")
        assert [file.name for file in (folder / "dimacs").iterdir()] == [name]
        assert (folder / "dimacs" / name).read_bytes() == whole
    assert "is there already" in get("dimacs:USA-road-d.NY")

    # Another graph under its name, a damaged graph, an unreachable one.
    (mirror / "USA-road-d.COL.gr.gz").write_bytes(whole)
    assert "it has 264346 vertices" in get("dimacs:USA-road-d.COL", code=2)
    (mirror / "USA-road-d.COL.gr.gz").write_bytes(whole[:-9])
    assert "gzip data ends too early" in get("dimacs:USA-road-d.COL", code=2)
    said = get("dimacs:USA-road-d.W", code=7)
    assert f"as {folder}/dimacs/USA-road-d.W.gr.gz" in said and "15248146 arcs" in said
    assert [file.name for file in (folder / "dimacs").iterdir()] == [name]

    listed = bellmark("graph", "get", "--list").stdout.splitlines()
    assert len(listed) == 24 and listed[0].startswith("dimacs:USA-road-d.NY  264346 vertices")
    assert "did you mean 'dimacs:USA-road-d.NY'?" in get("dimacs:USA-road-d.NYC", code=2)
    assert "name one, or ask for --list" in fault("graph", "get")


def test_a_tile_is_made_and_refused_in_a_sentence(tmp_path):
    bellmark("graph", "make", "road:n=400", "-o", "road.bmg", cwd=tmp_path)
    made = bellmark("graph", "make", "tile:road.bmg,copies=4", "-o", "tile.bmg", cwd=tmp_path)
    info = json.loads(bellmark("graph", "info", "--json", "tile.bmg", cwd=tmp_path).stdout)
    assert info["content_digest"] == made.stdout.strip()
    assert info["vertex_count"] == 1600 and info["symmetric"]
    assert info["provenance"] == "tile:road.bmg,copies=4,lengths=own,seed=1"
    for keys, text in {
        "road.bmg,copies=0": "there is nothing to make; ask for at least 2 copies",
        "road.bmg,copies=1": "one copy is the graph itself",
        "road.bmg,copies=-3": "'-3' is not a whole number",
        "road.bmg,copies=99999999": "more than 4294967295 vertices",
        "topology:USA-road.NE,copies=16": "its graph has no lengths; add some",
    }.items():
        assert text in fault("graph", "info", f"tile:{keys}", cwd=tmp_path)
