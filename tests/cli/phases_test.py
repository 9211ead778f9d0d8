"""Phase logs, and claims on them."""

import os
import re
import tomllib

import jsonschema

from support import (
    BROKEN, GRAPH, NEEDS_MPI, bellmark, load, needs_broken, only_result, results, schema,
)

PHASES = f"""
id = "small/phases"
paper = {{ key = "none", item = "Figure 4" }}
variants = ["sssp/test-bellman-ford:vertices={{vertices}}"]
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 7, seed = 1 }}
[axes]
graph = ["{GRAPH}"]
vertices = ["all", "updated"]
[run]
placement = "none"
block_count = 1
sample_count = 1
[figure]
kind = "phases"
column = "updated_count"
[[claim]]
id = "P1"
kind = "shape"
text = "more than ten phases, none of which updates all 900 vertices; most update at most 1000"
metric = "phase_log.phase_count"
statements = [
  {{ text = "phases", numerator = {{ vertices = ["all", "updated"] }}, at_least = 11, reason = "r" }},
  {{ text = "peak", metric = "phase_log.updated_count.largest", numerator = {{ vertices = "all" }}, at_least = 2, at_most = 899, reason = "r" }},
  {{ text = "share", metric = "phase_log.updated_count.share_at_most_1000", numerator = {{ vertices = "all" }}, at_least = 1, reason = "r" }},
  {{ text = "visits", metric = "phase_log.visited_count.sum", numerator = {{ vertices = "updated" }}, denominator = {{ vertices = "all" }}, at_most = 0.9, reason = "r" }},
]
[[claim]]
id = "P2"
kind = "absolute"
text = "times of the phases"
metric = "phase_log.host_ns.sum"
cells = [{{ where = {{ vertices = "all" }}, paper = 1e6 }}]
[[claim]]
id = "P3"
kind = "shape"
text = "the graph"
statements = [{{ text = "vertices", metric = "graph.vertex_count", numerator = {{ vertices = "all" }}, at_least = 900, at_most = 900, reason = "r" }}]
"""


@needs_broken
def test_phase_logs_and_claims_on_them(tmp_path):
    (tmp_path / "phases.toml").write_text(PHASES)
    jsonschema.validate(tomllib.loads(PHASES), schema("experiment"))
    shown = bellmark("run", "phases.toml", "-q", exe=BROKEN, cwd=tmp_path).stdout
    assert "  P1  reproduced" in shown and "  P3  reproduced" in shown
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    logs = [cell["phase_log"] for cell in result["cells"]]
    for log in logs:
        assert log["plain_columns"] == ["host_ns"]
        assert [query["query"] for query in log["queries"]] == list(range(7))
        assert len(log["first_queries"]) == 5
        for entry, query in zip(log["first_queries"], log["queries"]):
            assert len(entry["rows"]) == query["phase_count"]
            assert sum(row[0] for row in entry["rows"]) == query["columns"]["updated_count"]["sum"]
    assert logs[0]["shares"]["updated_count"] == logs[1]["shares"]["updated_count"]
    (times,) = result["verdicts"][1]["parts"][0]["measured"]
    assert 0 < times["ci95_low"] <= times["value"] <= times["ci95_high"]
    # A stored result can be judged again.
    (path,) = results(tmp_path)
    assert "  P1  reproduced" in bellmark("verdict", path).stdout


def test_what_keeps_no_phase_log_has_none(finished):
    assert [cell["phase_log"] for cell in load(finished / "result.json")["cells"]] == [None, None]


@needs_broken
def test_claim_whose_cells_need_what_is_not_here(tmp_path):
    text = PHASES.split("[[claim]]")[0].replace("test-bellman-ford:vertices={vertices}", "needs-mpi")
    text = text.replace('vertices = ["all", "updated"]\n', "") + """
[[claim]]
id = "P1"
kind = "shape"
text = "phases"
statements = [{ text = "phases", metric = "phase_log.phase_count", numerator = { graph = "GRAPH" }, at_least = 11, reason = "r" }]
""".replace("GRAPH", GRAPH)
    (tmp_path / "unmet.toml").write_text(text)
    wide = {**os.environ, "COLUMNS": "1000"}
    shown = bellmark("run", "unmet.toml", "-q", exe=BROKEN, cwd=tmp_path, code=77, env=wide).stdout
    assert re.search(f"  P1  not testable here: {NEEDS_MPI}", shown)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    assert result["verdicts"][0]["verdict"] == "not testable here"
