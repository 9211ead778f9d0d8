"""Compressed results, and the output of `bellmark verdict --json`."""

import gzip
import json
import shutil
import subprocess

import jsonschema

from support import bellmark, fault, load, schema


def test_compressed_results_are_read_as_plain_ones(finished, tmp_path):
    run = tmp_path / "run"
    shutil.copytree(finished, run)
    subprocess.run(["gzip", "-9n", run / "result.json"], check=True)
    for words in (["verdict"], ["report", "-f", "console"], ["report", "-f", "csv"]):
        assert bellmark(*words, run).stdout == bellmark(*words, finished).stdout
    assert "is finished already" in bellmark(
        "resume", run, "-q", "--export-json", tmp_path / "again.json.gz").stderr
    again = gzip.decompress((tmp_path / "again.json.gz").read_bytes())
    assert json.loads(again) == load(finished / "result.json")
    bellmark("compare", finished, tmp_path / "again.json.gz")
    data = (run / "result.json.gz").read_bytes()
    (run / "result.json.gz").write_bytes(data[:-9])
    assert "result.json.gz: gzip data ends too early" in fault("verdict", run)
    (run / "result.json.gz").unlink()
    (run / "result.json.gz").mkdir()
    assert "there is no result in it" in fault("verdict", run / "result.json.gz")


def test_verdict_as_json(finished):
    named = json.loads(bellmark("verdict", "--json", finished).stdout)
    jsonschema.validate(named, schema("verdicts"))
    (claim, shown) = named["claims"]
    assert claim["verdict"] == load(finished / "result.json")["verdicts"][0]["verdict"]
    assert (claim["claim"], shown["verdict"]) == ("none/N1", "shown")
