"""`bellmark replicate`."""

import copy
import json
import re

import jsonschema
import pytest

from support import GRAPH, bellmark, fault, load, only_result, results, schema


@pytest.fixture
def theirs(finished, tmp_path):
    """A changed copy of the finished result: `theirs(change)` stores it and gives its path."""
    result = load(finished / "result.json")

    def store(change=lambda result: None, name="theirs.json"):
        changed = copy.deepcopy(result)
        change(changed)
        (tmp_path / name).write_text(json.dumps(changed))
        return tmp_path / name

    return store


def replicated(there, here, *words, code=0):
    """The comparison of a result with one that was already measured."""
    return json.loads(bellmark("replicate", there, "--here", here, "--json", *words, code=code).stdout)


def ratio(result, low, high):
    """Gives the comparison with the baseline another ratio. Contradicting parts are removed, as in older results."""
    baseline = result["experiment"]["baseline"]
    (comparison,) = [pair for pair in result["comparisons"] if pair["b"] == baseline]
    middle = (low * high) ** 0.5
    comparison["block_ratios"] = [low, middle, middle, middle, middle, high]
    comparison.update(ratio=middle, ci95_low=low, ci95_high=high, reason=None)
    comparison["outcome"] = "SLOWER" if low > 1 else "FASTER" if high < 1 else "UNCLEAR"
    del comparison["blocks"], result["resolution"]
    result.update(comparisons=[comparison], verdicts=[])
    for cell in result["cells"]:
        cell["doubts"] = []
        cell.pop("blocks")


def verdict_of(replication):
    """The verdict of the cell that is not the baseline."""
    (cell,) = [cell for cell in replication["cells"] if cell["there"]["ratio"] is not None]
    return cell["verdict"], cell["reason"]


def test_a_result_is_measured_again(finished, tmp_path):
    there = load(finished / "result.json")
    shown = bellmark("replicate", finished, "-q", cwd=tmp_path).stdout
    here = only_result(tmp_path)
    jsonschema.validate(here, schema("result"))
    assert [cell["id"] for cell in here["cells"]] == [cell["id"] for cell in there["cells"]]
    for key in ("spec", "seed"):
        assert here["provenance"][key] == there["provenance"][key]
    assert here["experiment"]["form"] == "quick"
    assert here["workloads"] == there["workloads"], "the same graph and queries"
    assert "small/arity  Arities on a small grid" in shown and re.search("agrees|differs|can't", shown)
    assert re.search(r"\d agree, \d differ, \d can't be told, \d shown alone", shown)
    (path,) = results(tmp_path)
    assert f"result: {path.relative_to(tmp_path)}" in shown
    again = replicated(finished, path)
    assert len(again["cells"]) == 2 and all(cell["here"]["wall_ns"] for cell in again["cells"])


def test_a_result_without_options_is_planned_by_what_it_says(finished, theirs, tmp_path):
    """Older results hold the experiment and its axes, but not the command line."""
    there = theirs(lambda result: result["provenance"].pop("options"))
    bellmark("replicate", there, "-q", cwd=tmp_path)
    ids = [cell["id"] for cell in load(finished / "result.json")["cells"]]
    assert [cell["id"] for cell in only_result(tmp_path)["cells"]] == ids


def test_variants_of_a_command_line_are_measured_again(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    bellmark("run", "-v", "sssp/dijkstra:arity=4", "-v", "sssp/boost-dijkstra:color-map=yes", "-g", GRAPH, "-c", "none",
             "--quick", "--queries", 3, "--seed", 5, "-q", cwd=tmp_path / "there")
    (path,) = results(tmp_path / "there")
    for options in (True, False):
        there = load(path)
        if not options:
            del there["provenance"]["options"]
        (tmp_path / "there.json").write_text(json.dumps(there))
        folder = tmp_path / "here" / str(options)
        folder.mkdir()
        said = json.loads(bellmark("replicate", tmp_path / "there.json", "--json", "-q", cwd=folder).stdout)
        here = only_result(folder)
        assert [cell["id"] for cell in here["cells"]] == [cell["id"] for cell in there["cells"]]
        assert here["workloads"] == there["workloads"]
        assert all(cell["here_id"] == cell["cell"] for cell in said["cells"])


def test_axes_of_a_command_line_are_measured_again(tmp_path):
    """An axis may also decide which other keys there are."""
    bellmark("run", "-v", "sssp/dijkstra:extract=top-down", "-a", "arity=2,4", "-g", GRAPH, "-c", "none", "--quick",
             "-q", cwd=tmp_path)
    bellmark("run", "-v", "sssp/dijkstra", "-a", "queue=heap,radix", "-g", GRAPH, "-c", "none", "--quick", "-q",
             cwd=tmp_path)
    for index, path in enumerate(results(tmp_path / "runs")):
        folder = tmp_path / str(index)
        folder.mkdir()
        bellmark("replicate", path, "--json", "-q", cwd=folder)
        assert [c["id"] for c in only_result(folder)["cells"]] == [c["id"] for c in load(path)["cells"]]


def test_the_quick_form_asks_fewer_queries_and_says_so(tmp_path):
    bellmark("run", "-v", "sssp/dijkstra:arity=4", "-g", GRAPH, "-c", "none", "-q", "--queries", 9, cwd=tmp_path)
    (path,) = results(tmp_path)
    (tmp_path / "here").mkdir()
    said = json.loads(bellmark("replicate", path, "--quick", "--json", "-q", cwd=tmp_path / "here").stdout)
    (cell,) = said["cells"]
    assert cell["queries"] == "4 queries here, 9 there" and cell["here"]["wall_ns"]
    assert only_result(tmp_path / "here")["experiment"]["form"] == "quick"


def test_ratios_agree_differ_or_cannot_be_told(theirs):
    here = theirs(lambda result: ratio(result, 1.18, 1.22), "here.json")
    for low, high, verdict, reason in (
        (1.19, 1.23, "agrees", r"here / there lies in \[0.959, 1.025\]"),
        (1.50, 1.52, "differs", r"lies in \[0.776, 0.813\]"),
        (1.05, 1.30, "can't", r"measure longer"),
        (0.97, 0.99, "differs", r"the other one is faster here"),
    ):
        said = replicated(theirs(lambda result, ends=(low, high): ratio(result, *ends)), here)
        assert verdict_of(said)[0] == verdict and re.search(reason, verdict_of(said)[1]), (low, high, said)
    wide = theirs(lambda result: ratio(result, 1.50, 1.52))
    assert verdict_of(replicated(wide, here, "--within", "60%"))[0] == "agrees"
    replicated(wide, here, "--strict", code=5)


def test_a_doubted_cell_cannot_be_told(theirs):
    def doubt(result):
        ratio(result, 1.18, 1.22)
        result["cells"][1]["doubts"] = ["somebody had its cores"]

    said = replicated(theirs(doubt), theirs(lambda result: ratio(result, 1.18, 1.22), "here.json"))
    assert verdict_of(said) == ("can't", "somebody had its cores")


def test_times_of_other_machines_are_shown_and_not_judged(theirs):
    here = theirs(lambda result: ratio(result, 1.18, 1.22), "here.json")

    def other_cpu(result):
        ratio(result, 1.19, 1.23)
        result["environment"]["cpu_model"] = "Another CPU"

    there = theirs(other_cpu)
    said = replicated(there, here)
    (machine,) = said["machines"]
    assert machine.startswith("CPU: Another CPU there, ")
    (baseline,) = [cell for cell in said["cells"] if cell["there"]["ratio"] is None]
    assert baseline["verdict"] == "shown" and verdict_of(said)[0] == "agrees"
    shown = bellmark("replicate", there, "--here", here).stdout
    assert "another machine: CPU: Another CPU there" in shown and "1 agree, 0 differ, 0 can't be told, 1 shown" in shown
    same = replicated(here, here)
    (baseline,) = [cell for cell in same["cells"] if cell["there"]["ratio"] is None]
    assert baseline["verdict"] != "shown", "on one machine times are judged, too"


def test_a_graph_that_is_another_one_here_is_not_compared(theirs, tmp_path):
    def other_graph(result):
        result["workloads"][0]["facts"]["digest"] = "0" * 32

    there = theirs(other_graph)
    said = json.loads(bellmark("replicate", there, "--json", "-q", cwd=tmp_path, code=77).stdout)
    assert said["counts"]["can't"] == 2 and said["here"] is None
    assert all("missing here: the input is another one here" in cell["reason"] for cell in said["cells"])
    assert not results(tmp_path)


def test_a_graph_that_is_missing_is_named_and_the_others_are_measured(tmp_path):
    bellmark("graph", "make", "grid:rows=9,columns=9,lengths=uniform:1..9,seed=1", "-o", "mine.bmg", cwd=tmp_path)
    bellmark("run", "-v", "sssp/dijkstra:arity=4", "-g", GRAPH, "-g", "mine.bmg", "-c", "none", "--quick", "-q",
             cwd=tmp_path)
    (path,) = results(tmp_path)
    (tmp_path / "here").mkdir()
    said = json.loads(bellmark("replicate", path, "--json", "-q", cwd=tmp_path / "here").stdout)
    first, second = said["cells"]
    assert first["here"]["wall_ns"]
    assert second["verdict"] == "can't" and re.search("missing here: .*mine.bmg", second["reason"])
    assert len(only_result(tmp_path / "here")["cells"]) == 1


def test_a_cell_that_has_no_time_there(theirs):
    def forget(result):
        cell = result["cells"][1]
        result["not_measured"].append({"cell": cell["id"], "variant": cell["variant"], "axes": cell["axes"],
                                       "code": "crash", "reason": "killed"})

    said = replicated(theirs(forget), theirs(name="here.json"))
    assert said["cells"][1]["reason"].startswith("the result has no time of it: crash")


def test_no_program_that_a_result_names_is_started(theirs, tmp_path):
    def launch(result):
        result["experiment"]["launcher"] = "touch started {ranks}"

    said = fault("replicate", theirs(launch), "-q", cwd=tmp_path)
    assert "no program that a result names is started" in said and "--launcher 'mpirun -n {ranks}'" in said

    def spec(result):
        text = result["provenance"]["spec"]
        result["provenance"]["spec"] = text.replace("[run]\n", '[run]\nlauncher = "touch started {ranks}"\n')

    bellmark("replicate", theirs(spec), "-q", cwd=tmp_path)
    assert not (tmp_path / "started").exists()


def test_what_replicate_refuses(finished, tmp_path):
    (tmp_path / "none.json").write_text("{}")
    assert "is not a Bellmark result" in fault("replicate", tmp_path / "none.json")
    assert "result is required" in fault("replicate")
    assert "not a percentage" in fault("replicate", finished, "--within", "much")
