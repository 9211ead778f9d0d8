"""`bellmark history`, and medians for programs that track times."""

import json

import jsonschema
import pytest

from support import EXPERIMENT, GRAPH, SOURCE, bellmark, fault, load, schema

BARS = SOURCE / "analysis/testdata/bars.json"
MACHINE = "Intel(R) Xeon(R)"


def stored(folder, day, scale, change=None):
    """A result of that day, with the fixture's times multiplied by `scale`."""
    result = load(BARS)
    began = f"2026-01-{day:02}T00:00:00Z"
    result["context"]["date"] = began
    result["provenance"].update(started_utc=began, finished_utc=began.replace("T00", "T01"),
                                git_sha=f"{day:040x}")
    for cell in result["cells"]:
        cell["samples_ns"] = [[scale * time for time in block] for block in cell["samples_ns"]]
        cell["block_medians_ns"] = [scale * time for time in cell["block_medians_ns"]]
        wall = cell["wall_ns"]
        for key in ("median", "ci95_low", "ci95_high"):
            if wall and wall[key] is not None:
                wall[key] *= scale
    if change:
        change(result)
    (folder / f"{99 - day}.json").write_text(json.dumps(result))  # no order of names


def series(folder, *words):
    document = json.loads(bellmark("history", folder, "--json", *words).stdout)
    jsonschema.validate(document, schema("history"))
    return {row["cell"]: row for row in document["series"]}


def steps(row):
    return [point["step"] for point in row["points"]]


def test_steps_are_where_intervals_part_and_medians_differ(tmp_path):
    for day, scale in enumerate((1, 1.01, 1.025, 1.2, 1.21, 0.9), 1):
        stored(tmp_path, day, scale)
    rows = series(tmp_path)
    cell = load(BARS)["cells"][0]["id"]
    assert [point["started_utc"][8:10] for point in rows[cell]["points"]] == ["01", "02", "03", "04", "05", "06"]
    # 1.025 has an interval apart from that of 1, but lies within 3 % of it.
    assert steps(rows[cell]) == [None, None, None, "SLOWER", None, "FASTER"]
    assert [round(point["ratio"], 3) for point in rows[cell]["points"][1:]] == [1.01, 1.025, 1.2, 1.008, 0.75]
    assert steps(series(tmp_path, "--at-least", "0.02")[cell])[2] == "SLOWER"
    assert steps(series(tmp_path, "--at-least", "0.4")[cell]) == [None] * 6
    console = bellmark("history", tmp_path, "--strict").stdout
    assert "SLOWER, step" in console and f"{4:040x}"[:12] in console
    stored(tmp_path, 7, 1.5)
    assert "step" in bellmark("history", tmp_path, "--strict", code=5).stdout


def test_a_slow_drift_is_a_step_once_it_adds_up(tmp_path):
    for day in range(1, 9):
        stored(tmp_path, day, 1.01 ** day)
    (row,) = [row for row in series(tmp_path).values() if row["label"] == "queue=heap, width=32"]
    assert steps(row).count("SLOWER") >= 1 and "FASTER" not in steps(row)


def test_times_in_doubt_are_shown_and_make_no_step(tmp_path):
    def disturbed(result):
        for cell in result["cells"]:
            cell["doubts"] = ["its answers were made outside the time"]

    def without_interval(result):
        for cell in result["cells"]:
            if cell["wall_ns"]:
                cell["wall_ns"].update(ci95_low=None, ci95_high=None, reason="fewer than 6 blocks")

    stored(tmp_path, 1, 1)
    stored(tmp_path, 2, 2, disturbed)
    stored(tmp_path, 3, 2, without_interval)
    stored(tmp_path, 4, 1)
    rows = series(tmp_path)
    assert all(step is None for row in rows.values() for step in steps(row))
    console = bellmark("history", tmp_path).stdout
    assert "not judged: its answers were made outside the time" in console
    assert "not judged: fewer than 6 blocks" in console


def test_other_pages_are_another_series(tmp_path):
    stored(tmp_path, 1, 1)
    stored(tmp_path, 2, 2, lambda result: result["experiment"].update(pages="small"))
    document = json.loads(bellmark("history", tmp_path, "--json").stdout)
    assert {len(row["points"]) for row in document["series"]} == {1}
    assert {row["pages"] for row in document["series"]} == {None, "small"}


def test_machines_are_not_mixed(tmp_path):
    stored(tmp_path, 1, 1)
    stored(tmp_path, 2, 2, lambda result: result["environment"].update(cpu_model="Another"))
    stored(tmp_path, 3, 2, lambda result: result["topology"]["summary"].update(core_count=3))
    said = fault("history", tmp_path)
    assert "several machines" in said and "'Another, " in said and "--machine" in said
    document = json.loads(bellmark("history", tmp_path, "--json", "--machine", "Another").stdout)
    assert document["machine"].startswith("Another, ") and {
        len(row["points"]) for row in document["series"]} == {1}
    assert "no result is of this machine" in fault("history", tmp_path, "--machine", "a third")
    own = load(BARS)["environment"]["cpu_model"]
    assert "several machines" in fault("history", tmp_path, "--machine", own)
    assert bellmark("history", tmp_path, "--machine", f"{own}, 3 cores").stdout


def medians_of(result):
    failed = {entry["cell"] for entry in result["not_measured"]}
    return [cell["wall_ns"]["median"] for cell in result["cells"]
            if cell["wall_ns"] and cell["id"] not in failed]


def test_trackers_get_one_median_a_cell(finished):
    document = json.loads(bellmark("report", "-f", "gbench", finished, BARS).stdout)
    rows = document["benchmarks"]
    own = load(finished / "result.json")
    assert [row["real_time"] for row in rows] == medians_of(own) + medians_of(load(BARS))
    assert len({row["name"] for row in rows}) == len(rows)
    for row in rows:
        assert row["run_type"] == "iteration" and row["time_unit"] == "ns" and "aggregate_name" not in row
        assert row["cpu_time"] > 0
    assert rows[0]["ci95_low_ns"] == own["cells"][0]["wall_ns"]["ci95_low"]
    assert rows[0]["accounted_bytes"] == own["cells"][0]["memory"]["accounted_bytes"]
    counted = {counter["name"]: counter["value"] for counter in own["cells"][0]["counters"]}
    assert counted and all(rows[0].get(name) == value for name, value in counted.items())
    assert document["context"]["num_cpus"] == own["context"]["num_cpus"]


@pytest.mark.parametrize("words", [
    ["run", "small.toml", "--quick"],
    ["compare", "-v", "sssp/dijkstra:arity=2,width=32,distance=64", "-v",
     "sssp/dijkstra:arity=4,width=32,distance=64", "-g", GRAPH, "-c", "none", "--smoke"],
], ids=lambda words: words[0])
def test_export_gbench(tmp_path, words):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    (tmp_path / "other.json").write_text("{}")
    assert "not an earlier export of this kind" in fault(
        *words, "-q", "--export-gbench", "other.json", cwd=tmp_path)
    assert not (tmp_path / "runs").exists()
    for _ in range(2):  # the second replaces the first
        bellmark(*words, "-q", "--export-gbench", "g.json", cwd=tmp_path)
        assert len(load(tmp_path / "g.json")["benchmarks"]) == 2
