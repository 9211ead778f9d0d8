"""`bellmark plan`, and the replacements in a run for its file's settings."""

import json
import math
import statistics
import tomllib

import jsonschema
import pytest

from support import EXPERIMENT, GRAPH, SOURCE, bellmark, load, long, schema, tuned


def test_plan_runs_nothing(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    shown = bellmark("plan", "small.toml", "--quick", cwd=tmp_path).stdout
    assert "2 cells in 1 group, 6 blocks, 2 queries" in shown
    assert "quick: 2 of 3 queries" in shown
    assert "claim N1 (ratio)" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


def test_plan_adds_up_experiments(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    (tmp_path / "other.toml").write_text(EXPERIMENT)
    shown = bellmark("plan", "small.toml", "other.toml", "--quick", cwd=tmp_path).stdout
    assert shown.splitlines()[-1].startswith("all 2 experiments: 4 cells, about ")
    assert "all 1" not in bellmark("plan", "small.toml", "--quick", cwd=tmp_path).stdout


def test_plan_gives_the_ids_that_run_measures(finished, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    shown = bellmark("plan", "small.toml", "--quick", cwd=tmp_path).stdout
    for cell in load(finished / "result.json")["cells"]:
        assert f"  {cell['id']}  " in shown


def test_the_real_map_is_measured_where_it_is_here(tmp_path):
    table = SOURCE / "experiments/yasui2011/table3.toml"
    folder = {"BELLMARK_DATA": str(tmp_path)}
    without = bellmark("plan", table, env=folder).stdout
    assert "  stand-in: 16 copies of the Northeast" in without
    assert "  data: same size, generated\n" in without and "  tile:topology:USA-road.NE," in without
    (tmp_path / "dimacs").mkdir()
    (tmp_path / "dimacs/USA-road-d.USA.gr").write_text("p sp 2 1\na 1 2 5\n")
    here = bellmark("plan", table, env=folder).stdout
    assert "stand-in:" not in here and "  data: same data\n" in here
    assert "  dimacs:USA-road-d.USA " in here and "tile:" not in here
    quick = bellmark("plan", table, "--quick", env=folder).stdout
    assert "  data: smaller, effect can show\n" in quick and "  square:scale=22," in quick


@pytest.mark.parametrize(
    "path",
    [p for p in sorted((SOURCE / "experiments").rglob("*.toml")) if p.name != "paper.toml" and p.parent.name != "peers"],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_shipped_experiments_are_valid(path):
    jsonschema.validate(tomllib.loads(path.read_text(encoding="utf-8")), schema("experiment"))
    bellmark("plan", path)
    bellmark("plan", path, "--quick")


def test_own_experiment_is_valid_and_a_misspelt_one_is_not():
    jsonschema.validate(tomllib.loads(EXPERIMENT), schema("experiment"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(tuned(block_cuont=6)), schema("experiment"))


def test_another_graph_for_a_whole_paper(tmp_path):
    shown = bellmark("plan", "yasui2011/table25", "yasui2011/figure7", "--quick", "-g", GRAPH).stdout
    assert "-g: without axis i, which only the experiment's own graphs mention" in shown
    assert "-g: without axes i, scale, which" in shown
    assert shown.count(f"stand-in: {GRAPH} instead of the experiment's graph") == 2


def test_cuts_of_the_ranks_of_figure_12():
    shown = bellmark("plan", "hiragushi2013/figure12-ranks", "--smoke").stdout
    assert "smoke: scale 14..17 instead of 19..24" in shown
    assert "smoke: 4 of 6 values of axis ranks" in shown
    assert "stand-in: ranks of 2^14 vertices" in shown
    shown = bellmark("plan", "hiragushi2013/figure12-ranks", "--smoke", "-a", "scale=14,15",
                     "-a", "ranks=1,2", "-c", "none").stdout
    assert "-a: scale 14, 15 instead of 19..24" in shown
    assert "-a: 2 of 6 values of axis ranks" in shown
    assert "-c: placement none instead of core:all" in shown
    assert "smoke: " not in shown.replace("smoke: 8 of 64 queries", "").replace("smoke: 1 block", "")


@long
def test_the_blocks_for_an_effect_follow_from_a_run_on_this_machine(tmp_path):
    bellmark("new", "paper", "smith2024", cwd=tmp_path)

    def effect():
        shown = bellmark("plan", "smith2024", "--quick", cwd=tmp_path).stdout
        return [line for line in shown.splitlines() if "would show the paper's effect" in line]

    assert effect() == [], "no run has shown how much blocks spread"
    bellmark("run", "smith2024", "--quick", "-q", cwd=tmp_path)
    (path,) = tmp_path.rglob("result.json")
    result = json.loads(path.read_text())
    (twice,) = result["resolution"]
    deviation = statistics.stdev(math.log(ratio) for ratio in twice["block_ratios"])
    # The figure of 0.9 lies 3 % from the nearest edge of its range.
    blocks = max(6, math.ceil((1.96 * 1.2533 * deviation / math.log(1.03)) ** 2))
    twice["disturbed"] = "the baseline differs from itself"
    path.write_text(json.dumps(result))
    assert effect() == [], "of a disturbed run"
    twice["disturbed"] = None
    path.write_text(json.dumps(result))
    (line,) = effect()
    assert line.startswith(f"  C1: about {blocks} blocks (" if blocks <= 1000 else "  C1: more than 1000 blocks")
    assert line.endswith(f"at the spread of {path.relative_to(tmp_path)}")
    result["environment"]["cpu_model"] = "another"
    path.write_text(json.dumps(result))
    assert effect() == [], "of another machine"
