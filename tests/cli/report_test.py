"""`bellmark report` of stored results."""

import csv
import io
import json

from support import bellmark, fault, load


def test_report_formats(finished):
    result = load(finished / "result.json")
    rows = list(csv.DictReader(io.StringIO(bellmark("report", "-f", "csv", finished).stdout)))
    assert [row["cell"] for row in rows] == [cell["id"] for cell in result["cells"]]
    assert float(rows[0]["wall_ns_median"]) == result["cells"][0]["wall_ns"]["median"]
    markdown = bellmark("report", "-f", "markdown", finished / "result.json").stdout
    assert "| none/N1 |" in markdown and "## small/arity: " in markdown
    console = bellmark("report", "-f", "console", finished).stdout
    assert "arity=2" in console and "Claims of none\n  N1  " in console
    assert fault("report", "-f", "xml", finished)


def test_a_result_is_judged_by_the_rules_of_this_build(finished, tmp_path):
    result = load(finished / "result.json")
    judged = {verdict["claim"]: verdict["headline"] for verdict in result["verdicts"]}
    for verdict in result["verdicts"]:
        verdict["verdict"] = verdict["headline"] = "shown"
    result["rules"]["digest"] = "0" * 64
    path = tmp_path / "older.json"
    path.write_text(json.dumps(result))
    done = bellmark("report", "-f", "json", path)
    claims = json.loads(done.stdout)["claims"]
    assert {claim["claim"]: claim["headline"] for claim in claims} == judged
    assert judged["none/N1"] != "shown"
    assert "small/arity was judged by version" in done.stderr


def test_a_cell_that_failed_half_way_is_not_measured(finished, tmp_path):
    result = load(finished / "result.json")
    for cell in result["cells"]:
        failed = json.loads(json.dumps(result))
        failed["not_measured"].append({"cell": cell["id"], "variant": cell["variant"],
                                       "axes": cell["axes"], "code": "crash",
                                       "reason": "rank 1 was killed by signal 9"})
        for comparison in failed["comparisons"]:
            comparison["outcome"] = "SLOWER"
        path = tmp_path / f"{cell['label']}.json"
        path.write_text(json.dumps(failed))
        why = "crash after 6 blocks: rank 1 was killed by signal 9"
        console = bellmark("report", "-f", "console", path).stdout.split("Legend")[0]
        assert f"  {cell['label']}  {why}\n" in console and "SLOWER" not in console
        markdown = bellmark("report", "-f", "markdown", path).stdout
        assert f"| {cell['label']} | {why} | " in markdown and "SLOWER" not in markdown
        cells = markdown.split("| cell |", 1)[1].split("\n\n")[0]
        assert cells.count("killed by signal 9") == 1
        rows = csv.DictReader(io.StringIO(bellmark("report", "-f", "csv", path).stdout))
        for row in rows:
            is_failed = row["cell"] == cell["id"]
            assert (row["wall_ns_median"] == "") == is_failed and row["baseline_ratio"] == ""
            assert row["not_measured_code"] == ("crash" if is_failed else "")
        done = bellmark("compare", finished, path)
        assert f"{cell['label']}: after: {why}\n" in done.stdout
        assert done.stdout.count("1.000 [") == len(result["cells"]) - 1


def test_all_results_below_a_folder(finished, tmp_path):
    for name in ("b/later", "a/first"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        result = load(finished / "result.json")
        result["experiment"]["id"] = name
        for verdict in result["verdicts"]:
            verdict["experiment"] = name
        (tmp_path / "runs" / name / "result.json").write_text(json.dumps(result))
    (tmp_path / "runs/unfinished").mkdir()
    console = bellmark("report", "-f", "console", tmp_path / "runs").stdout
    assert 0 <= console.find("a/first") < console.find("b/later")
    assert "Claims of none\n  N1  " in bellmark("verdict", tmp_path / "runs").stdout
    for command in ("report", "verdict"):
        assert "there is no result in it or in the folders below" in fault(
            command, tmp_path / "runs/unfinished")


def test_result_that_is_damaged_deep_inside(finished, tmp_path):
    result = load(finished / "result.json")
    damaged = tmp_path / "result.json"
    for spoil in (
        lambda r: r["cells"][0].pop("label"),
        lambda r: r["cells"][0].update(wall_ns=7),
        lambda r: r["comparisons"][0].update(ratio="fast"),
        lambda r: r["verdicts"][0].pop("verdict"),
    ):
        spoilt = json.loads(json.dumps(result))
        spoil(spoilt)
        damaged.write_text(json.dumps(spoilt))
        assert "damaged" in fault("report", "-f", "console", damaged)
