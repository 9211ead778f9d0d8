"""Tests of claims.py."""

import gzip
import json
from pathlib import Path

import claims

DATA = Path(__file__).parent / "testdata"


def test_the_published_page_is_what_the_results_say():
    page = (claims.PUBLISHED / "README.md").read_text(encoding="utf-8")
    assert page == claims.page(), "analysis/claims.py > results/published/README.md"


def unspecified(path):
    """The result's text without the experiment's, so that its verdicts are left as they are."""
    result = json.loads(path.read_text(encoding="utf-8"))
    result["provenance"]["spec"] = ""
    return json.dumps(result).encode()


def test_a_machine_has_its_weakest_verdict(tmp_path):
    for file in ("a/host/1/bars.json", "b/host/2/curve.json", "b/other/1/curve.json.gz"):
        path = tmp_path / file
        path.parent.mkdir(parents=True, exist_ok=True)
        data = unspecified(DATA / path.name.removesuffix(".gz"))
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    (tmp_path / "b/other/1/micro.json").write_text('{"benchmarks": []}')
    (tmp_path / "README.md").write_text("no folder")
    found = claims.machines(tmp_path)
    assert found == {"host": [tmp_path / "a/host", tmp_path / "b/host"],
                     "other": [tmp_path / "b/other"]}
    words = {machine: claims.verdicts(folders) for machine, folders in found.items()}
    assert words["host"]["fixture2011/Y3"] == "inconclusive*", "of two, each on a stand-in"
    assert words["other"] == {"fixture2011/Y3": "direction only*", "fixture2011/Y1": "reproduced*",
                              "fixture2011/Y0": "shown"}


def test_an_executable_that_is_not_there_is_a_fault(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["claims.py", "--bellmark", str(tmp_path / "none")])
    assert claims.main() == 2
    assert capsys.readouterr().err == (
        f"claims.py: {tmp_path}/none: No such file or directory; build bellmark, or name it by "
        "BELLMARK\n")


def test_what_was_not_run_says_so():
    paper = {"key": "p", "citation": "A paper", "claims": {"C1": "one", "C2": "two"}}
    text = claims.table(paper, {"host": {"p/C1": "reproduced"}, "idle": {}})
    assert "| claim | what it says (experiments) | host |\n" in text
    assert "| C2 | two | not run |\n" in text


def test_papers_come_by_year():
    keys = [paper["key"] for paper in claims.papers()]
    assert keys.index("yasui2011") < keys.index("ma2022") < keys.index("suzuki")
