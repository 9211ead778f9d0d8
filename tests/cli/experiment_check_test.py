"""Faults of an experiment's file are refused with their line, before anything is measured. Its keys are
described."""

import itertools
import re
import tomllib

import jsonschema
import pytest

from support import GRAPH, SOURCE, bellmark, fault, schema

# Lines are counted from 1: the tests name them.
LINES = f"""\
id = "mine/arity"
variants = ["sssp/dijkstra:arity={{arity}},queue={{queue}},width=32,distance=64"]
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 2 }}
[axes]
graph = ["{GRAPH}"]
arity = [2, 4]
queue = ["heap"]
[run]
placement = "none"
baseline = {{ arity = 2 }}
[quick]
query_count = 1
axes = {{ arity = [2, 4] }}
[figure]
kind = "curve"
x = "arity"
series = "queue"
where = {{ queue = "heap" }}
paper = [{{ label = "L", x = 2, value = 1.5, unit = "s" }}]
[[claim]]
id = "C1"
kind = "ratio"
text = "a ratio"
where = {{ queue = "heap" }}
numerator = {{ arity = 2 }}
denominator = {{ arity = 4 }}
paper = {{ low = 1.1, high = 1.2 }}
[[claim]]
id = "C2"
kind = "argmin"
text = "the best"
along = "arity"
paper = {{ value = 2 }}
[[claim]]
id = "C3"
kind = "shape"
text = "a shape"
statements = [
  {{ text = "s", numerator = {{ arity = 2 }}, denominator = {{ arity = 4 }}, at_least = 0.5, paper = 1.5, reason = "r" }},
]
"""

FAULTS = [
    # old, new, message
    ("variants =", "varaints =", "e.toml:2: unknown key 'varaints'; did you mean 'variants'?"),
    ('id = "mine/arity"', 'id = "e"\nblock_count = 6', "e.toml:2: unknown key 'block_count'; it belongs under [run]"),
    ('problem = "sssp"', 'problem = "ssp"', "e.toml:4: there is no problem 'ssp'; did you mean 'sssp'?"),
    ("count = 2 }", "count = 1_000_000_000_000 }", "e.toml:5: key 'workload.queries.count' must be at most 10000000"),
    (f'["{GRAPH}"]', '["grid:rows=3,colums=3"]', "e.toml:7: grid:rows=3,colums=3: unknown key 'colums'; did you mean"),
    (f'["{GRAPH}"]', '[\n  "no/such.gr"]', "e.toml:8: no/such.gr: no such file"),
    (f'["{GRAPH}"]', '["dimacs:USA-road-d.NX"]', "e.toml:7: dimacs:USA-road-d.NX: no such graph; did you mean"),
    (f'["{GRAPH}"]', f'["{GRAPH},order=degre"]', "e.toml:7: order=degre: no such order of vertices; did "
     "you mean 'degree'?"),
    ('["heap"]', '[\n  "heap",\n  "haep"]', "e.toml:11: sssp/dijkstra:arity=2,queue=haep,width=32,distance=64: 'haep' is "
     "not a value of key 'queue'; did you mean 'heap'?"),
    ("arity = [2, 4]\n", "arity = [2, 4, 99]\n", "e.toml:8: sssp/dijkstra:arity=99,"),
    ("arity = [2, 4]\n", "arity = [2, 4, 2]\n", "e.toml:8: 'axes.arity' has '2' twice"),
    ("arity = [2, 4]\n", "arity = [2, nan]\n", "e.toml:8: key 'axes.arity' must be a finite number"),
    ("sssp/dijkstra:", "sssp/dijkstr:", "e.toml:2: variant 'sssp/dijkstr:arity=2,queue=heap,width=32,distance=64': unknown; "
     "did you mean 'sssp/dijkstra'?"),
    ("width=32", "widht=32", "e.toml:2: sssp/dijkstra:"),
    ('"none"', '"core:0"\nblock_count = 1_000_000_000_000', "e.toml:12: key 'run.block_count' must be at most 10000"),
    ('"none"', '"core:0"\ntimeout_s = 1e300', "e.toml:12: key 'run.timeout_s' must be at most 10^9"),
    ('"none"', '"none"\nprocesses = 1_000_000_000', "e.toml:12: key 'run.processes' must be at most 10000"),
    ("baseline = { arity = 2 }", "baseline = { arity = 3 }", "e.toml:12: no cell has arity = 3; known: 2, 4"),
    ("axes = { arity = [2, 4] }", "axes = { arity = [4] }", "e.toml:15: the quick form has no cell of the baseline, "
     "arity = 2"),
    ("axes = { arity = [2, 4] }", "axes = { airty = [2] }", "e.toml:15: 'quick.axes.airty' is not an axis of this experiment; "
     "did you mean 'arity'?"),
    ("axes = { arity = [2, 4] }", "axes = { arity = [2, 2] }", "e.toml:15: 'quick.axes.arity' has '2' twice"),
    ('kind = "curve"', 'kind = "cruve"', "e.toml:17: 'figure.kind' can't be 'cruve'; did you mean 'curve'?"),
    ('kind = "curve"\n', "", "e.toml:16: key 'figure.kind' is missing"),
    ('kind = "curve"', 'kind = "phases"', "e.toml:16: key 'figure.column' is missing"),
    ('x = "arity"', 'x = "airty"', "e.toml:18: 'figure.x' is 'airty', which is not an axis of this experiment; did you mean "
     "'arity'?"),
    ('x = "arity"', 'x = "queue"', "e.toml:18: 'figure.x' is 'queue', whose value 'heap' is no number"),
    ('x = "arity"\n', "", "e.toml:16: key 'figure.x' is missing"),
    ('series = "queue"', 'series = "quue"', "e.toml:19: 'figure.series' is 'quue', which is not an axis"),
    ('series = "queue"', 'serie = "queue"', "e.toml:19: unknown key 'figure.serie'; did you mean 'series'?"),
    ('{ queue = "heap" }\npaper', '{ queue = "dial" }\npaper', "e.toml:20: no cell has queue = dial"),
    ("value = 1.5, unit", "value = nan, unit", "e.toml:21: 'figure.paper[0]' has a value that is not a number"),
    ('unit = "s"', 'unit = "h"', "e.toml:21: 'figure.paper[0].unit' is no unit"),
    ('where = { queue = "heap" }\nnum', 'where = { queue = "haep" }\nnum', "e.toml:26: no cell has queue = haep; did you "
     "mean 'heap'?"),
    ("numerator = { arity = 2 }\n", "numerator = { arity = 3 }\n", "e.toml:27: no cell has arity = 3; known: 2, 4"),
    ("denominator = { arity = 4 }\n", "denominator = { arity = [4, 5] }\n", "e.toml:28: no cell has arity = 5"),
    ("low = 1.1", "low = nan", "e.toml:29: key 'claim.paper.low' must be a finite number"),
    ("{ value = 2 }", "{ value = 3 }", "e.toml:35: no cell has arity = 3; known: 2, 4"),
    ("{ value = 2 }", "{ value = inf }", "e.toml:35: key 'claim.paper.value' must be a finite number"),
    ("at_least = 0.5", "at_least = nan", "e.toml:41: key 'claim.statements.at_least' must be a finite number"),
    (', reason = "r"', "", "e.toml:41: a statement's own bounds need a reason; add reason ="),
    ('at_least = 0.5, paper = 1.5, reason = "r"', "reason = 'r'", "e.toml:41: key 'claim.statements.paper' is missing"),
    ("paper = { low = 1.1, high = 1.2 }", "paper = { low = 1.1 }", "key 'claim.paper.value' or 'paper.low' is missing"),
    ('text = "a ratio"', 'text = "a ratio"\nrival = 0', "e.toml:26: a rival must be above 0"),
    ('text = "a ratio"', 'text = "a ratio"\nabout = "caches"', "e.toml:26: 'caches' is not a subject of claims; name "
     "memory, work or order"),
    ('text = "the best"', 'text = "the best"\nnumerator = { arity = 2 }', "e.toml:34: key 'claim.numerator' has no part in "
     "a claim of kind 'argmin'"),
    ('kind = "argmin"\n', 'kind = "slope"\nnumerator = { arity = 2 }\n', "key 'claim.numerator' has no part in a claim of "
     "kind 'slope'"),
    ('along = "arity"', 'along = "queue"', "no cell has queue = 2"),
    ('kind = "argmin"\ntext = "the best"\nalong = "arity"', 'kind = "slope"\ntext = "the best"\nalong = "queue"',
     "e.toml:34: a slope needs two values above 0 on axis queue; add values to the axis"),
    ('kind = "argmin"\ntext = "the best"\nalong = "arity"', 'kind = "crossing"\ntext = "the best"\nalong = "arity"\n'
     'numerator = { queue = "heap" }\ndenominator = { queue = "heap" }', "e.toml:35: no cells to compare"),
    ('kind = "argmin"', 'kind = "argmin"\norder = [{ arity = 2 }, { arity = 4 }]', "e.toml:33: key 'claim.order' has no "
     "part in a claim of kind 'argmin'"),
    ("[run]", '[[exclude]]\nwhere = { arity = 3 }\nwhy = "w"\n[run]', "e.toml:11: no cell has arity = 3"),
    ("[run]", '[[exclude]]\nwhere = { arity = 4 }\nwhy = "w"\n[run]', "no cell has arity = 4"),
]


@pytest.mark.parametrize("old, new, said", FAULTS, ids=lambda text: text.strip()[:40])
def test_faults_are_found_with_their_line(old, new, said, tmp_path):
    assert LINES.count(old) == 1, old
    (tmp_path / "e.toml").write_text(LINES.replace(old, new))
    assert said in fault("plan", "e.toml", cwd=tmp_path)
    assert said in fault("run", "e.toml", "--dry-run", cwd=tmp_path)
    assert not (tmp_path / "runs").exists()


def test_what_the_file_says_is_right_passes(tmp_path):
    (tmp_path / "e.toml").write_text(LINES)
    for form in ([], ["--quick"], ["--smoke"], ["-a", "arity=4"]):
        bellmark("plan", "e.toml", *form, cwd=tmp_path)
    assert "nothing wrong found" in bellmark("run", "e.toml", "--dry-run", cwd=tmp_path).stdout


# Query rules for which a problem has no queries, whatever its graph: problem, rule, message.
QUERIES = [
    ("sssp", 'kind = "uniform-pairs", count = 2', "queries: kind 'uniform-pairs' is unknown for sssp"),
    ("p2p", 'kind = "uniform-sources", count = 2', "queries: kind 'uniform-sources' is unknown for p2p"),
    ("p2p", 'kind = "list", list = [1, 2, 3]', "queries: a list of 3 ids; list pairs"),
    ("sssp", 'kind = "list"', "queries: a list without ids"),
    ("sssp", 'kind = "file", file = "none.ss"', "none.ss: no such file"),
]


@pytest.mark.parametrize("problem, rule, said", QUERIES)
def test_queries_that_a_problem_lacks_have_a_line(problem, rule, said, tmp_path):
    text = LINES.replace('kind = "uniform-sources", count = 2', rule).replace("sssp", problem)
    (tmp_path / "e.toml").write_text(text)
    for command in (["plan", "e.toml"], ["run", "e.toml", "--dry-run"]):
        assert f"e.toml:5: {said}" in fault(*command, cwd=tmp_path)


def test_a_pair_that_an_exclude_leaves_out(tmp_path):
    text = LINES.replace('queue = ["heap"]', 'queue = ["heap", "dial"]').replace(
        "[run]", '[[exclude]]\nwhere = { arity = 4, queue = "heap" }\nwhy = "w"\n[run]')
    (tmp_path / "e.toml").write_text(text)
    assert "no cell has arity = 4 where queue = heap" in fault("plan", "e.toml", cwd=tmp_path)


def test_plan_counts_what_can_not_be_measured_here(tmp_path):
    (tmp_path / "one-way.el").write_text("0 1\n1 2\n2 0\n")
    words = ["-v", "bfs/hybrid", "-v", "bfs/hybrid:direction=top-down", "-g", "one-way.el", "-c", "none"]
    said = "of 2 cells can't be measured here:"
    known = "1: needs symmetric: the graph is not symmetric; add ',arcs=both' after its name"
    for shown in (bellmark("plan", *words, cwd=tmp_path).stdout,
                  bellmark("run", *words, "--dry-run", cwd=tmp_path).stdout):
        assert said in shown and known in shown
    words[5] = "one-way.el,arcs=both"
    assert "can't be measured" not in bellmark("plan", *words, cwd=tmp_path).stdout


def test_plan_sees_lengths_that_a_variant_does_not_take(tmp_path):
    (tmp_path / "below.wel").write_text("0 1 5\n1 2 -3\n")
    words = ["-v", "sssp/dijkstra", "-v", "sssp/bellman-ford", "-g", "below.wel", "-c", "none"]
    known = "1: needs non-negative: the graph has negative lengths, the least is -3"
    for shown in (bellmark("plan", *words, cwd=tmp_path).stdout,
                  bellmark("run", *words, "--dry-run", cwd=tmp_path).stdout):
        assert "1 of 2 cells can't be measured here:" in shown and known in shown


def test_plan_says_what_it_did_not_open():
    shown = bellmark("plan", "-v", "bfs/hybrid", "-g", "random:n=1000000,m=4000000").stdout
    assert "not opened: random:n=1000000,m=4000000; `bellmark run --dry-run` finds what it lacks" in shown


def test_plan_names_what_was_not_built():
    shown = bellmark("plan", "-v", "distributed-bfs/hybrid", "-g", "kronecker:scale=10", "-a", "ranks=2",
                     "--launcher", "no-such-launcher {ranks}").stdout
    assert "1 of 1 cells can't be measured here:\n    1: needs mpi: " in shown


@pytest.mark.parametrize("words, said", [
    (["plan", "-v", "dijkstra"], "'sssp/dijkstra'"),
    (["plan", "-v", "SSSP/Dijkstra"], "did you mean 'sssp/dijkstra'?"),
    (["plan", "-v", "zzzzzzzzzz"], "known: bfs/customisable-hierarchy, bfs/direction-optimizing, "),
    (["plan", "yasu2011"], "did you mean 'yasui2011'?"),
    (["plan", "YASUI2011/Table4"], "did you mean 'yasui2011/table4'?"),
    (["plan", "yasui2011/t4"], "did you mean 'yasui2011/T4'?"),
    (["plan", "table4"], "did you mean 'yasui2011/table4'?"),
    (["plan", "yasui2011/Y4"], "is a claim; run what tests it: yasui2011/T5"),
    (["plan", "-v", "sssp/dijkstra", "-c", "0"], "did you mean 'core:0'?"),
    (["plan", "-v", "sssp/dijkstra", "-c", "CORE:0"], "did you mean 'core'?"),
    (["plan", "-v", "sssp/dijkstra:arity=2..8"], "make a range an axis: -a arity=2..8"),
    (["plan", "-v", "sssp/dijkstra", "-a", "arity=8..2"], "the range would never end or is empty"),
    (["plan", "-v", "sssp/dijkstra", "-a", "arity=2,4,2"], "'2' stands twice"),
    (["plan", "-v", "sssp/dijkstra", "-g", GRAPH, "-g", GRAPH], "-g: names"),
    (["plan", "-v", "sssp/dijkstra", "-a", "processes=1000000000"], "processes = 1000000000 is above 10000"),
    (["plan", "-v", "sssp/dijkstra", "--queries", "1000000000000"], "is not a whole number from 1 to 10000000"),
    (["plan", "-v", "sssp/dijkstra", "--timeout", "1e300"], "is above 10^9"),
    (["plan", "zzzzzzzzzz"], "known: hiragushi2013, ma2022, "),
    (["plan", "-v", "sssp/dijkstra", "-g", "usa-road-d.bay"], "did you mean 'dimacs:USA-road-d.BAY'?"),
    (["run", "--quik"], "unknown option '--quik'; did you mean '--quick'?"),
    (["run", "--quik=1"], "unknown option '--quik'; did you mean '--quick'?"),
    (["tune", "--Variant", "sssp/dijkstra"], "unknown option '--Variant'; did you mean '--variant'?"),
    (["RUN"], "unknown command 'RUN'; did you mean 'run'?"),
    (["graph", "mkae"], "unknown command 'graph mkae'; did you mean 'make'?"),
    (["graph", "make", "gird"], "did you mean 'grid'?"),
    (["graph", "make", "gird:rows=3,columns=3", "-o", "g.bmg"], "did you mean 'grid'?"),
], ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "")
def test_near_misses_are_answered_by_name(words, said, tmp_path):
    done = bellmark(*words, code=2, cwd=tmp_path)
    assert said in done.stderr
    assert not done.stdout


def test_what_is_printed_can_be_typed():
    for line in bellmark("list", "--experiments").stdout.splitlines():
        identity, file = line.split("  ")[0], line.rpartition("(")[2].rstrip(")")
        if identity in ("yasui2011/T4", "sweeps/bfs", "hiragushi2013/F12-ranks"):
            assert bellmark("plan", identity).stdout == bellmark("plan", file).stdout


def test_a_range_is_an_axis(tmp_path):
    shown = bellmark("plan", "-v", "sssp/dijkstra", "-g", GRAPH, "-a", "arity=2..4,8").stdout
    for arity in (2, 3, 4, 8):
        assert f"arity={arity}," in shown
    assert "  4 cells in " in shown


README = (SOURCE / "experiments/README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", README, flags=re.S | re.M)


def paths(node, known, before=""):
    """Every key of a schema, with the keys above it. A definition's keys come at its first use."""
    while "anyOf" in node or "$ref" in node:
        node = next((each for each in node.get("anyOf", []) if "$ref" in each), node)
        if "$ref" not in node:
            return
        name = node["$ref"].split("/")[-1]
        node = known.pop(name, {})
    node = node.get("items", node)
    for name, below in node.get("properties", {}).items():
        yield before + name
        yield from paths(below, known, f"{before}{name}.")


def test_every_key_is_described():
    described = re.findall(r"^\| `([a-z_.]+)` \|", README, flags=re.M)
    assert sorted(described) == sorted(paths(schema("experiment"), schema("experiment")["definitions"]))


@pytest.mark.parametrize("added", ["", *EXAMPLES[1:]], ids=itertools.count())
def test_examples_of_the_readme_are_right(added, tmp_path):
    text = EXAMPLES[0] + added
    jsonschema.validate(tomllib.loads(text), schema("experiment"))
    (tmp_path / "e.toml").write_text(text)
    bellmark("plan", "e.toml", cwd=tmp_path)
    bellmark("plan", "e.toml", "--quick", cwd=tmp_path)


def test_each_kind_has_an_example():
    kinds = schema("experiment")["properties"]["claim"]["items"]["properties"]["kind"]["enum"]
    kinds += schema("experiment")["definitions"]["figure"]["properties"]["kind"]["enum"]
    shown = re.findall(r'^kind = "(\w+)"$', "\n".join(EXAMPLES), flags=re.M)
    assert sorted(set(shown)) == sorted(kinds)
