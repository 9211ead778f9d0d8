"""Standard output: written whole, or reported as not written."""

import subprocess

import jsonschema
import pytest

from support import BELLMARK, EXPERIMENT, GRAPH, bellmark, only_result, schema

RUN = ["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "none", "--smoke", "-q"]


@pytest.mark.parametrize("words", [
    ["--help"], ["--version"], ["list"], ["list", "-v", "sssp/*"], ["plan", "yasui2011"],
    ["verdict", "RESULT"], ["verdict", "--json", "RESULT"], *[["report", "-f", form, "RESULT"] for form in
    ("console", "markdown", "csv", "json", "gbench")], ["table", "RESULT"], ["table", "-f", "jsonl", "RESULT"],
    ["history", "RESULT"], ["graph", "info", GRAPH], ["graph", "verify", GRAPH], ["doctor"],
    ["topology"], ["compare", "RESULT", "RESULT"], RUN, ["run", "--dry-run", "-v", "sssp/dijkstra", "-g", GRAPH],
], ids=" ".join)
def test_a_full_disk_is_said(tmp_path, finished, words):
    words = [str(finished / "result.json") if word == "RESULT" else word for word in words]
    with open("/dev/full", "w") as full:
        done = subprocess.run([BELLMARK, *words], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True,
                              timeout=120)
    assert done.returncode == 7, done.stderr
    assert done.stderr.splitlines()[-1].startswith("bellmark: standard output: cannot be written")


def test_a_closed_standard_output_is_no_file_of_ours(tmp_path):
    closed = ["sh", "-c", 'exec "$0" "$@" >&-', BELLMARK]
    done = subprocess.run([*closed, *RUN], cwd=tmp_path, stderr=subprocess.PIPE, text=True, timeout=120)
    assert done.returncode == 7 and "standard output: cannot be written" in done.stderr
    jsonschema.validate(only_result(tmp_path), schema("result"))


def test_a_report_leaves_standard_output_whole(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    done = bellmark("run", "small.toml", "--quick", "-q", "--report", "report", cwd=tmp_path)
    assert (tmp_path / "report/report.html").exists()
    assert "report.html" not in done.stdout and "report/report.html" in done.stderr
    assert done.stdout.count("\nClaims of none\n") == 1
