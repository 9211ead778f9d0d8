"""Tests of claims.py."""

import gzip
import json
from pathlib import Path

import claims
from load import Claim

DATA = Path(__file__).parent / "testdata"


def test_the_published_page_is_what_the_results_say():
    page = (claims.PUBLISHED / "README.md").read_text(encoding="utf-8")
    assert page == claims.page(), "analysis/claims.py > results/published/README.md"


def unspecified(path):
    """The result's text without the experiment's, so that its verdicts stay unchanged."""
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
    judged = {machine: claims.judgements(folders) for machine, folders in found.items()}
    words = {machine: {claim.name: claim.weakest["verdict"] for claim in each}
             for machine, each in judged.items()}
    assert words["host"]["fixture2011/Y3"] == "inconclusive", "of two"
    assert words["other"] == {"fixture2011/Y3": "direction only", "fixture2011/Y1": "reproduced",
                              "fixture2011/Y0": "shown"}
    by_name = {machine: {claim.name: claim for claim in each} for machine, each in judged.items()}
    assert claims.deciding(by_name["host"]["fixture2011/Y3"])["file"].name == "bars.json"
    row = claims.claim_row("Y1", "one", "other", by_name["other"]["fixture2011/Y1"])
    assert (row[0], row[2], row[7]) == ("Y1", "other", "reproduced")


def verdict(word="reproduced", **more):
    """The output of `bellmark verdict --json` for a claim in one result, with two rows."""
    row = {"text": "a / b", "numerator": "a", "denominator": "b", "value": 1.3, "ci95_low": 1.25,
           "ci95_high": 1.35, "paper": None, "paper_low": 1.2, "paper_high": 1.5, "unit": "",
           "outcome": "reproduced", "reason": "it fits", "range_low": 1.17, "range_high": 1.56}
    other = row | {"value": 1.05, "outcome": word, "reason": "  because\n it is "}
    return {"verdict": word, "headline": word, "stand_in": "small", "reason": "all", "text": "t",
            "decides": True, "file": claims.PUBLISHED / "topic/host/day/result.json",
            "parts": [{"verdict": word, "metric": "wall_ns", "measured": [row, other]}]} | more


def claim(*verdicts):
    return Claim("p/C1", "t", verdicts[0], [({}, each) for each in verdicts])


def test_the_row_that_decided_is_shown():
    coverage = {"row_count": 1, "planned_row_count": 2, "query_count": 32, "paper_query_count": 1000}
    said = claim(verdict("inconclusive", coverage=coverage, form="quick",
                         stand_in_class="same size, generated"))
    assert claims.claim_row("C1", "what", "host", said) == [
        "C1", "what", "host", "1.050 [1.250, 1.350]", "1.200 to 1.500", "same size, generated",
        "1 of 2 rows, 32 of 1000 queries", "inconclusive (quick form)", "because it is",
        "[day](topic/host/day/report.md)"]
    older = verdict()
    for row in older["parts"][0]["measured"]:
        for key in ("outcome", "reason", "range_low", "range_high"):
            del row[key]
    assert claims.claim_row("C1", "what", "host", claim(older))[3:9] == [
        "1.300 [1.250, 1.350]", "1.200 to 1.500", "small", "", "reproduced", "all"]


def test_a_rerun_does_not_decide():
    rerun = verdict("reproduced", decides=False)
    decides = verdict("not reproduced")
    said = Claim("p/C1", "t", {"verdict": "not reproduced"}, [({}, rerun), ({}, decides)])
    assert claims.deciding(said) is decides


def test_a_claim_without_a_measured_row():
    nothing = verdict("not testable here", headline="not testable here: needs cuda: no device",
                      stand_in=None)
    nothing["parts"][0]["measured"] = []
    assert claims.claim_row("C1", "what", "host", claim(nothing))[3:9] == [
        "", "", "", "", "not testable here", "all"]


def test_what_the_paper_says_in_figures():
    row = verdict()["parts"][0]["measured"][0]
    assert claims.papers_figure(None) == ""
    assert claims.papers_figure(row | {"paper_high": None}) == "at least 1.200"
    assert claims.papers_figure(row | {"paper_low": None}) == "at most 1.500"
    bare = row | {"paper_low": None, "paper_high": None}
    assert claims.papers_figure(bare | {"paper": 1.3}) == "1.300"
    assert claims.papers_figure(bare | {"range_low": 0}) == "below 1"
    assert claims.papers_figure(bare) == "above 1"


def test_counts_are_of_no_machine():
    def of(*metrics):
        parts = [{"verdict": "reproduced", "metric": metric,
                  "measured": verdict()["parts"][0]["measured"]} for metric in metrics]
        return claim(verdict(parts=parts))

    for metric in ("graph.vertex_count", "answer.objective", "memory.accounted_bytes.arcs",
                   "phase_log.phase_count", "phase_log.updated_count.sum"):
        assert claims.is_counted(of(metric)), metric
        assert not claims.is_counted(of(metric, "wall_ns"))
    for metric in ("wall_ns", "memory.resident_bytes", "phase_log.host_ns.sum"):
        assert not claims.is_counted(of(metric)), metric
    paper = {"key": "p", "citation": "A paper", "claims": {"C1": "one"}}
    text = claims.table(paper, {"host": [of("graph.vertex_count")], "other": [of("graph.vertex_count")]})
    assert text.count("| C1 |") == 1 and claims.ANY_MACHINE in text


def test_builds_are_named_where_several_decide():
    paper = {"key": "p", "citation": "A paper", "claims": {"C1": "one"}}
    builds = [claim(verdict(build=f"{commit}, GNU 12 -O3")) for commit in ("0123", "4567")]
    text = claims.table(paper, {"host": builds})
    assert "| host, build 0123 |" in text and "| host, build 4567 |" in text


def test_an_executable_that_is_not_there_is_a_fault(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["claims.py", "--bellmark", str(tmp_path / "none")])
    assert claims.main() == 2
    assert capsys.readouterr().err == (
        f"claims.py: {tmp_path}/none: No such file or directory; build bellmark, or name it by "
        "BELLMARK\n")


def test_what_was_not_run_says_so():
    paper = {"key": "p", "citation": "A paper", "claims": {"C1": "one | two", "C2": "two"}}
    text = claims.table(paper, {"host": [claim(verdict())], "idle": []})
    assert f"| {' | '.join(claims.COLUMNS)} |\n" in text
    assert "| C1 | one / two | host |" in text
    assert "| C2 | two |  |  |  |  |  | not run |  |  |\n" in text


def test_papers_come_by_year():
    keys = [paper["key"] for paper in claims.papers()]
    assert keys.index("yasui2011") < keys.index("ma2022") < keys.index("suzuki")
