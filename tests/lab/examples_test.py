"""The example labs, as projects of their own against an installed Bellmark."""

import json
import re
import shutil

import pytest

from support import SOURCE, build_lab, run


def measured(lab, experiment, tmp_path):
    """The output of a quick run, and its result."""
    said = run(lab, "run", SOURCE / "examples" / experiment, "--quick", cwd=tmp_path)
    (file,) = tmp_path.glob("runs/*/*/*/result.json")
    return said, json.loads(file.read_text())


@pytest.fixture(scope="module")
def matmul(prefix, tmp_path_factory):
    build = tmp_path_factory.mktemp("matmul")
    build_lab(SOURCE / "examples/matmul", build, prefix)
    return build / "matmul"


def test_matrices_are_multiplied(matmul, tmp_path):
    said, result = measured(matmul, "matmul/blocking.toml", tmp_path)
    assert re.search(r"M1 +(reproduced|direction only|not reproduced|inconclusive)", said), said
    assert len(result["cells"]) == 4
    for cell in result["cells"]:
        assert cell["validation"]["status"] == "certified"
        assert cell["rates"]["operations_per_second"]["median"] > 1e6
    assert "not built: gpu" in run(matmul, "list")
    listed = run(matmul, "list", "matmul/gpu")
    assert "matmul/gpu  (not built)" in listed and "needs cuda: this lab was built without CUDA" in listed


@pytest.mark.parametrize("n, tile", [(1, 4), (7, 4), (64, 16), (65, 64), (100, 4096)])
def test_every_tile_is_right(matmul, tmp_path, n, tile):
    run(matmul, "compare", "-v", "matmul/naive", "-v", f"matmul/blocked:tile={tile}",
        "-v", f"matmul/blocked:layout=tiles,tile={tile}", "-i", f"n={n}", "--smoke", cwd=tmp_path)


def test_a_tile_is_tuned(matmul, tmp_path):
    said = run(matmul, "tune", "-v", "matmul/blocked", "-p", "tile", "-i", "n=64", "--budget", "60s", cwd=tmp_path)
    assert "matmul/blocked" in said and "tile=" in said


def test_keys_are_looked_up(prefix, tmp_path):
    if not shutil.which("dpkg-query") or "no packages found" in run("dpkg-query", "-W", "robin-map-dev", code=None):
        pytest.skip("not available: robin-map-dev")
    build_lab(SOURCE / "examples/hash-tables", tmp_path / "build", prefix)
    said, result = measured(tmp_path / "build/hash-tables", "hash-tables/lookups.toml", tmp_path)
    assert re.search(r"H1 +(reproduced|direction only|not reproduced|inconclusive)", said), said
    assert " items/s" in said
    assert {cell["validation"]["status"] for cell in result["cells"]} == {"certified"}
    # One lookup takes nanoseconds.
    run(tmp_path / "build/hash-tables", "run", "-v", "lookup/robin-map", "-i", "entries=100,lookups=1", "--quick",
        "--export-json", "one.json", cwd=tmp_path)
    (cell,) = json.loads((tmp_path / "one.json").read_text())["cells"]
    assert cell["iteration_count"] >= 1024 and 0 < cell["wall_ns"]["median"] < 5000
