"""Reading, checking and looking up results."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any, Callable

import pytest

from load import (SCHEMA_FOLDER, InputFault, Json, as_number, ask, cell_label, check, claims_of,
                  failure_of, first_fault, load, load_all, matches, metric_value, ratio, reference_of, rows_without_cell,
                  varying_axes)

DATA = Path(__file__).parent / "testdata"
FIXTURES = sorted(DATA.glob("*.json"))
RESULT = json.loads((SCHEMA_FOLDER / "result.schema.json").read_text(encoding="utf-8"))
VERDICTS = json.loads((SCHEMA_FOLDER / "verdicts.schema.json").read_text(encoding="utf-8"))


@pytest.fixture
def bars() -> Json:
    return load(DATA / "bars.json")


def by_id(result: Json, number: int) -> Json:
    return next(cell for cell in result["cells"] if int(cell["id"], 16) == number)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_fixtures_are_valid(path: Path) -> None:
    handed_on = load(path)
    metrics = handed_on.pop("metrics")
    assert metrics["wall_ns"] == {"unit": "ns", "title": "time"}
    for verdict in handed_on["verdicts"]:
        for part in verdict["parts"]:
            for item in part["measured"]:
                assert (item.pop("unit") == "") == (
                    item["denominator"] is not None or "_ns" not in item.get("metric", part["metric"]))
    assert handed_on == check(path)


def test_fixtures_show_every_verdict_and_missing_values() -> None:
    results = [load(path) for path in FIXTURES]
    found = {part["verdict"] for r in results for v in r["verdicts"] for part in [v, *v["parts"]]}
    assert found == {"reproduced", "direction only", "not reproduced", "inconclusive",
                     "not testable here", "shown"}
    cells = [cell for r in results for cell in r["cells"]]
    assert any(cell["wall_ns"]["ci95_low"] is None for cell in cells)
    assert any(counter["value"] is None for cell in cells for counter in cell["counters"])
    assert all(r["not_measured"] for r in results)


def failed(path: Path, index: int, folder: Path) -> Json:
    """The result at `path` in which this cell crashed after its blocks."""
    result = json.loads(path.read_text(encoding="utf-8"))
    cell = result["cells"][index]
    result["not_measured"].append({"cell": cell["id"], "variant": cell["variant"],
                                   "axes": cell["axes"], "code": "crash",
                                   "reason": "rank 1 was killed by signal 9"})
    written = folder / "failed.json"
    written.write_text(json.dumps(result), encoding="utf-8")
    return load(written)


def test_what_failed_cells_had_measured_is_no_measurement(tmp_path: Path) -> None:
    result = failed(DATA / "bars.json", 1, tmp_path)
    cell, other = result["cells"][1], result["cells"][0]
    assert failure_of(cell, result)["code"] == "crash" and failure_of(other, result) is None
    assert cell["wall_ns"] is None and cell["block_count"] == 6 and not cell["phases"]
    assert [(pair["a"], pair["b"]) for pair in result["comparisons"]] == [
        ("0000000000000003", "0000000000000001")]
    assert ratio(other, cell, result) is None
    assert reference_of(other, result, {"queue": "heap", "width": 32}) is None
    assert other["wall_ns"] is not None
    phases = failed(DATA / "phases.json", 0, tmp_path)
    assert phases["cells"][0]["phase_log"] is None and phases["cells"][1]["phase_log"]


def test_a_failed_reference_is_no_reason_to_take_another(bars: Json) -> None:
    bars["cells"][3]["wall_ns"] = None
    assert reference_of(bars["cells"][2], bars, {"queue": "heap"}) is None


def test_labels_of_what_was_not_measured(tmp_path: Path) -> None:
    result = failed(DATA / "bars.json", 1, tmp_path)
    assert [row["cell"][-1] for row in rows_without_cell(result)] == ["5", "6"]
    assert cell_label(result["not_measured"][-1], result) == result["cells"][1]["label"]
    assert cell_label(result["not_measured"][0], result) == "queue=radix, width=32"
    twin = {**result["not_measured"][0], "cell": "7" * 16, "variant": "p2p/other"}
    result["not_measured"].append(twin)
    assert cell_label(twin, result) == "p2p/other, queue=radix, width=32"
    del twin["axes"]["width"]
    assert "null" not in cell_label(twin, result)


def set_median_to_text(result: Json) -> None:
    result["cells"][1]["wall_ns"]["median"] = "fast"


def drop_experiment(result: Json) -> None:
    del result["experiment"]


def point_past_workloads(result: Json) -> None:
    result["cells"][0]["workload"] = 5


def compare_unknown(result: Json) -> None:
    result["comparisons"][0]["b"] = "ffffffffffffffff"


def repeat_id(result: Json) -> None:
    result["cells"][1]["id"] = result["cells"][0]["id"]


def unknown_kind(result: Json) -> None:
    result["experiment"]["figure"]["kind"] = "pie"


def valueless_paper(result: Json) -> None:
    del result["experiment"]["figure"]["paper"][1]["value"]


def uneven_paper(result: Json) -> None:
    result["experiment"]["figure"] = [{"kind": "curve", "x": "arity", "paper": [
        {"label": "L", "x": [2, 3], "value": [1.5]}]}]


def phases_of_nothing(result: Json) -> None:
    result["experiment"]["figure"]["kind"] = "phases"


def interval_beside_its_median(result: Json) -> None:
    result["cells"][2]["wall_ns"]["ci95_low"] = 2 * result["cells"][2]["wall_ns"]["median"]


def interval_beside_its_ratio(result: Json) -> None:
    result["comparisons"][0]["ci95_high"] = 1.0


def unknown_baseline(result: Json) -> None:
    result["experiment"]["baseline"] = "ffffffffffffffff"


@pytest.mark.parametrize("spoil, where", [
    (set_median_to_text, "$.cells[1].wall_ns.median: 'fast' is not of type 'number'"),
    (drop_experiment, "$: 'experiment' is a required property"),
    (point_past_workloads, "cells[0].workload: there is none"),
    (compare_unknown, "comparisons[0].b: there is no such cell"),
    (repeat_id, "cells[1].id: another cell has it too"),
    (interval_beside_its_median, "cells[2].wall_ns.median: lies outside its interval"),
    (interval_beside_its_ratio, "comparisons[0].ratio: lies outside its interval"),
    (unknown_kind, "$.experiment.figure.kind: 'pie' is not one of"),
    (phases_of_nothing, "$.experiment.figure: 'column' is a required property"),
    (uneven_paper, "$.experiment.figure.paper[0]: as many values as x"),
    (valueless_paper, "$.experiment.figure.paper[1]: 'value' is a required property"),
    (unknown_baseline, "experiment.baseline: there is no such cell"),
], ids=lambda value: getattr(value, "__name__", ""))
def test_faults_name_their_place(bars: Json, tmp_path: Path, spoil: Callable[[Json], None],
                                 where: str) -> None:
    spoil(bars)
    path = tmp_path / "spoilt.json"
    path.write_text(json.dumps(bars))
    with pytest.raises(InputFault) as fault:
        load(path)
    assert where in str(fault.value) and str(fault.value).startswith(str(path))
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("content, what", [
    (b"", "not JSON"), (b'{"schema": ', "not JSON"), (b'{"a": NaN}', "NaN is not a finite"),
    (b'{"a": 1e999}', "1e999 is not a finite"), (b"\xff\xfe", "not UTF-8"), (b"[]", "$: []"),
    (b"[" * 100_000, "not a result"), (b'{"a": ' + b"9" * 5000 + b"}", "not a result"),
], ids=["empty", "cut", "nan", "huge", "binary", "array", "deep", "long"])
def test_broken_files_are_faults(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(InputFault, match=".") as fault:
        load(path)
    assert what in str(fault.value) and "\n" not in str(fault.value)


def test_missing_file_and_folder_are_faults(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputFault, match="give the path of a result"):
            load(path)


@pytest.mark.parametrize("value, number", [
    ("32", 32.0), (4, 4.0), ("core:0", None), (True, None), (None, None), ("nan", None),
    ([2], None)])
def test_as_number(value: Any, number: Any) -> None:
    assert as_number(value) == number


def test_matches_values_lists_and_parameters(bars: Json) -> None:
    cell = by_id(bars, 4)
    assert matches(cell, {"queue": "heap", "width": "64"})
    assert matches(cell, {"width": [32, 64]}) and matches(cell, {"arity": 2})
    assert not matches(cell, {"width": 32}) and not matches(cell, {"colour": "red"})


def test_ratio_is_the_files(bars: Json) -> None:
    found = ratio(by_id(bars, 1), by_id(bars, 2), bars)
    assert found is not None and found.paired
    pair = bars["comparisons"][0]
    assert (found.value, found.low, found.high, found.outcome) == (
        pair["ratio"], pair["ci95_low"], pair["ci95_high"], pair["outcome"])


def test_ratio_stored_the_other_way_is_turned(bars: Json) -> None:
    found = ratio(by_id(bars, 4), by_id(bars, 2), bars)
    pair = bars["comparisons"][2]
    assert found is not None and found.paired and found.outcome == "SLOWER"
    assert pair["outcome"] == "FASTER"
    assert found.value == pytest.approx(1 / pair["ratio"])
    assert found.low == pytest.approx(1 / pair["ci95_high"])
    assert found.high == pytest.approx(1 / pair["ci95_low"])
    assert found.low < found.value < found.high


def test_ratio_of_medians_has_no_interval(bars: Json) -> None:
    found = ratio(by_id(bars, 3), by_id(bars, 4), bars)
    assert found is not None and not found.paired
    assert (found.low, found.high, found.outcome) == (None, None, None)
    assert found.value == pytest.approx(9.02 / 9.11)
    by_id(bars, 3)["wall_ns"] = None
    assert ratio(by_id(bars, 3), by_id(bars, 4), bars) is None


def test_reference_agrees_on_the_other_axes(bars: Json) -> None:
    assert reference_of(by_id(bars, 3), bars, {"width": 32}) is by_id(bars, 1)
    assert reference_of(by_id(bars, 4), bars, {"width": 32}) is by_id(bars, 2)
    assert reference_of(by_id(bars, 4), bars, {"queue": "radix"}) is None


def test_varying_axes(bars: Json) -> None:
    assert varying_axes(bars) == ["queue", "width"]


def test_claim_total_is_the_weakest(tmp_path: Path) -> None:
    paths = [DATA / "bars.json", DATA / "curve.json"]
    results, claims = load_all(paths)
    (shared,) = [claim for claim in claims if claim.name == "fixture2011/Y3"]
    assert [verdict["verdict"] for _, verdict in shared.judged] == ["inconclusive",
                                                                    "direction only"]
    assert [result for result, _ in shared.judged] == results
    assert shared.weakest["verdict"] == "inconclusive"
    files = [tmp_path / path.name for path in paths]
    for file, result in zip(files, results):
        result["provenance"]["spec"] = ""  # judged as they are
        file.write_text(json.dumps(result), encoding="utf-8")
    document = ask("verdict", "--json", *files)
    assert first_fault(document, VERDICTS) is None and "result" not in document["results"][0]
    named = {claim.name: claim for claim in claims_of(document)}
    assert [result["file"] for result, _ in named["fixture2011/Y3"].judged] == list(map(str, files))
    assert {name: claim.weakest for name, claim in named.items()} == {
        claim.name: claim.weakest for claim in claims}


def test_verdicts_follow_their_schema() -> None:
    drawn = ask("report", "-f", "json", *FIXTURES)
    assert first_fault(drawn, VERDICTS) is None
    assert [entry["file"] for entry in drawn["results"]] == list(map(str, FIXTURES))
    del drawn["claims"][0]["verdict"]
    assert "'verdict' is a required property" in first_fault(drawn, VERDICTS)


def test_both_schemas_describe_a_verdict_alike() -> None:
    stored = RESULT["properties"]["verdicts"]["items"]["properties"]
    given = VERDICTS["properties"]["claims"]["items"]["properties"]["judged"]["items"]["properties"]
    assert set(given) - set(stored) == {"result", "decides"}
    for key in set(stored) - {"parts"}:  # which only the first describes
        assert given[key] == stored[key], key
    words = VERDICTS["properties"]["claims"]["items"]["properties"]["verdict"]["enum"]
    assert words == stored["verdict"]["enum"]


def test_compressed_results_are_read(tmp_path: Path) -> None:
    file = tmp_path / "bars.json.gz"
    file.write_bytes(gzip.compress((DATA / "bars.json").read_bytes()))
    assert load(file) == load(DATA / "bars.json")
    whole = file.read_bytes()
    for content, what in ((whole[:-20], "damaged gzip data: "), (whole[:9], "damaged gzip data: "),
                          (whole + b"more", "damaged gzip data: "),
                          (gzip.compress(b"spots"), "not JSON")):
        file.write_bytes(content)
        with pytest.raises(InputFault) as fault:
            load(file)
        assert str(fault.value).startswith(f"{file}:") and what in str(fault.value)


def test_what_bellmark_refuses_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="^.*: there is no result in it"):
        ask("verdict", "--json", tmp_path)
    with pytest.raises(InputFault, match="build bellmark, or name it by BELLMARK"):
        ask("verdict", executable=str(tmp_path / "none"))


def test_metrics_of_memory_and_phase_logs() -> None:
    cell = {"wall_ns": {"median": 5}, "memory": {"accounted_bytes": 30, "resident_bytes": None,
                                                 "accounted": {"arcs": 20, "queue": 10}},
            "phase_log": {"queries": [
                {"phase_count": 4, "columns": {"closed_count": {"sum": 8, "largest": 5}}},
                {"phase_count": 2, "columns": {"closed_count": {"sum": 12, "largest": 9}}},
                {"phase_count": 0, "columns": {"closed_count": {"sum": 0, "largest": None}}}]}}
    assert metric_value(cell, "wall_ns") == 5
    assert metric_value(cell, "teps.median") is None  # of a problem without edges to traverse
    assert metric_value({**cell, "teps": {"median": {"median": 7}}}, "teps.median") == 7
    assert metric_value(cell, "rates.items_per_second") is None  # of a problem that declares no work
    assert metric_value({**cell, "rates": {"items_per_second": {"median": 8}}}, "rates.items_per_second") == 8
    assert metric_value(cell, "memory.accounted_bytes") == 30
    assert metric_value(cell, "memory.accounted_bytes.arcs") == 20
    assert metric_value(cell, "memory.accounted_bytes.rows") is None
    assert metric_value(cell, "phase_log.phase_count") == 2
    assert metric_value(cell, "phase_log.closed_count.sum") == 8
    assert metric_value(cell, "phase_log.closed_count.mean") == 4
    assert metric_value(cell, "phase_log.closed_count.largest") == 7
    assert metric_value(cell, "phase_log.open_count.sum") is None
    assert metric_value({**cell, "phase_log": None}, "phase_log.phase_count") is None
    for nonsense in ("graph.arc_count", "phase_log.closed_count.late_largest", "phase_log"):
        with pytest.raises(ValueError):
            metric_value(cell, nonsense)
