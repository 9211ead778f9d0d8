"""Shards of an experiment."""

import jsonschema

from support import EXPERIMENT, GRAPH, bellmark, only_result, schema


def shard_file(tmp_path):
    """Two graphs: two parts, each of two compared cells."""
    other = GRAPH.replace("seed=1", "seed=2")
    (tmp_path / "small.toml").write_text(
        EXPERIMENT.replace(f'graph = ["{GRAPH}"]', f'graph = ["{GRAPH}", "{other}"]')
        .replace('id = "N1"', f'id = "N1"\nwhere = {{ graph = "{GRAPH}" }}'))


def test_shards_are_the_whole(tmp_path):
    shard_file(tmp_path)
    shown = bellmark("plan", "small.toml", "--smoke", cwd=tmp_path).stdout
    found = []
    for index in (1, 2):
        done = bellmark("run", "small.toml", "--smoke", "-q", "--shard", f"{index}/2", "--runs",
                        f"runs{index}", cwd=tmp_path)
        assert f"shard {index}/2: 2 of 4 cells" in done.stdout
        result = only_result(tmp_path / f"runs{index}")
        jsonschema.validate(result, schema("result"))
        assert result["experiment"]["shard"] == {"index": index, "count": 2}
        assert len({cell["graph"] for cell in result["cells"]}) == 1
        assert len(result["workloads"]) == 1
        assert {cell["baseline"] for cell in result["cells"]} <= {
            cell["id"] for cell in result["cells"]}
        found += [cell["id"] for cell in result["cells"]]
        (claim, _) = result["verdicts"]
        absent = "not measured in shard 2/2" in claim["reason"]
        assert absent == (index == 2)
    assert len(set(found)) == 4 and all(f"  {cell}  " in shown for cell in found)
    done = bellmark("report", "-f", "csv", *map(str, tmp_path.glob("runs*/*/*/*/result.json")))
    assert all(cell in done.stdout for cell in found)


def test_a_shard_of_nothing_is_no_failure(tmp_path):
    shard_file(tmp_path)
    for command in ("plan", "run"):
        done = bellmark(command, "small.toml", "--smoke", "--shard", "3/3", cwd=tmp_path)
        assert "shard 3/3: 0 of 4 cells; those that are compared stay together" in done.stdout
    assert not (tmp_path / "runs").exists()
    bellmark("run", "small.toml", "--dry-run", "--shard", "3/3", cwd=tmp_path)


def test_shards_of_several_experiments(tmp_path):
    shard_file(tmp_path)
    (tmp_path / "one.toml").write_text(EXPERIMENT.replace("small/arity", "small/one"))
    done = bellmark("run", "small.toml", "one.toml", "--smoke", "-q", "--shard", "2/2", cwd=tmp_path)
    assert "small/one  " in done.stdout and "shard 2/2: 0 of 2 cells" in done.stdout
    assert only_result(tmp_path)["experiment"]["id"] == "small/arity"
