"""`bellmark diagnose`."""

import os

import jsonschema
import pytest

from support import GRAPH, SOURCE, bellmark, fault, load, results, schema


def test_diagnose(tmp_path):
    done = bellmark("diagnose", "-g", GRAPH, "--quick", "--queries", 2, "-q", cwd=tmp_path)
    bandwidth, search = [load(path) for path in results(tmp_path)]
    for result in (bandwidth, search):
        jsonschema.validate(result, schema("result"))
    assert bandwidth["diagnosis"] is None
    read = [c for c in bandwidth["cells"] if c["wall_ns"]]
    assert len(read) >= 4 and "doubles/cycle" in done.stdout
    assert all((c["doubles_per_cycle"] is None) == (c["core_clock"]["estimated_mhz"] is None)
               for c in read)
    (finding,) = search["diagnosis"]["findings"]
    table = search["diagnosis"]["table"]
    assert {row["level"] for row in table} >= set(finding["candidates"])
    assert all(len(row["changes"]) == len(finding["inputs"]) for row in table)
    assert [i["table"] for i in finding["inputs"]] == ["Table 7"] + 3 * ["Table 10"]
    for entry in finding["inputs"]:
        assert (entry["change"] == "not measured") == (entry["ratio"] is None)
        assert entry["ratio"] is not None or entry["reason"]
    assert finding["conclusion"] in done.stdout
    assert finding["stalls"] in done.stdout
    known = {"changed", "unchanged"}
    if not known & {i["change"] for i in finding["inputs"]}:
        assert len(finding["candidates"]) == 4 and finding["would_decide"]


def test_waits_are_said_in_words(tmp_path):
    recording = SOURCE / "harness/sinks/recordings/intel-ice-lake-server.toml"
    done = bellmark("diagnose", "-g", GRAPH, "--quick", "--queries", 2, "-q", cwd=tmp_path,
                    env=os.environ | {"BELLMARK_RECORDED_EVENTS": str(recording)})
    assert "cycles stalled: 40 % on misses of the L3 cache" in done.stdout


@pytest.mark.parametrize("words, said", [
    (["-v", "sssp/nothing"], "sssp/nothing"),
    (["-g", "no-such-graph"], "no-such-graph"),
    (["-g", "it's"], "character"),
    (["--budget", "soon"], "duration 'soon'"),
    (["--export-json", "x.json"], "one experiment"),
])
def test_diagnose_refuses(words, said, tmp_path):
    assert said in fault("diagnose", "-q", *words, cwd=tmp_path)
    assert results(tmp_path) == []
