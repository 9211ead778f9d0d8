"""Cells that are several processes at once."""

import os
import signal
import tomllib

import jsonschema
import pytest

from support import (
    BELLMARK, GRAPH, bellmark, children, is_running, load, only_result, schema, tuned, wait_for,
)


def together(placement="none", **run):
    """EXPERIMENT as one and as two processes."""
    text = tuned(memory="false", placement=f'"{placement}"', **run)
    return text.replace("[axes]\n", "[axes]\nprocesses = [1, 2]\n")


def test_processes_at_once(tmp_path):
    (tmp_path / "small.toml").write_text(together())
    jsonschema.validate(tomllib.loads(together()), schema("experiment"))
    bellmark("run", "small.toml", "--quick", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    for cell in result["cells"]:
        count = cell["axes"]["processes"]
        assert cell["process_count"] == count and cell["wall_ns"]["median"] > 0
        assert cell["validation"]["status"] == "certified"
        if count == 1:
            assert cell["processes"] is None
            continue
        times = cell["processes"]
        assert [len(block) for block in times["block_ns"]] == [2] * 8  # the claim has two rows
        assert 0 < times["least_ns"] <= times["median_ns"] <= times["largest_ns"]
        assert times["largest_ns"] == pytest.approx(cell["wall_ns"]["median"])
        assert {text.split(":")[0] for text in cell["placement"]["observed"]} == {
            "process 0", "process 1"}


def test_a_pair_that_the_machine_lacks_is_a_reason(tmp_path):
    words = [f"pair:{name}" for name in ("shared-l2", "same-package", "other-package")]
    lacking = [w for w in words if "none" in bellmark("topology").stdout.split(w)[1].split("\n")[0]]
    if not lacking:
        pytest.skip("this machine has pairs of every class")
    done = bellmark("run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", lacking[0], "-q",
                    cwd=tmp_path, code=77)
    (entry,) = only_result(tmp_path)["not_measured"]
    assert entry["code"] == "unmet-need" and "here" in entry["reason"]
    assert entry["reason"] in done.stdout


def test_kill_of_one_ends_its_group_and_not_the_run(long_run):
    process, run = long_run(BELLMARK, together(block_count=30, seconds_per_process=0.05,
                                               sample_count=1000000))
    pair = wait_for(lambda: len(children(process.pid)) == 2 and children(process.pid))
    os.kill(pair[1], signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == 4
    assert not any(map(is_running, pair))
    result = load(run / "result.json")
    (entry,) = result["not_measured"]
    assert entry["code"] == "crash" and "signal 9" in entry["reason"]
    assert all(c["block_count"] == 30 for c in result["cells"] if c["id"] != entry["cell"])
