"""`bellmark verdict` of stored results."""

import hashlib
import json

from support import EXPERIMENT, SOURCE, bellmark, fault, load


def test_verdict_of_results_without_claims(finished, tmp_path):
    result = load(finished / "result.json")
    result["provenance"]["spec"] = EXPERIMENT.split("[[claim]]")[0]
    (tmp_path / "result.json").write_text(json.dumps(result))
    said = bellmark("verdict", tmp_path).stdout
    assert said == "no claims: nothing in these results is judged\n"


def test_verdict_again_from_the_stored_result(finished):
    stored = load(finished / "result.json")["verdicts"][0]["headline"]
    assert f"none/N1: {stored}" in bellmark("verdict", "--explain", "all", finished).stdout
    assert f"  N1  {stored}" in bellmark("verdict", finished).stdout


def test_verdict_by_another_experiment_and_strict_codes(finished, tmp_path):
    medians = {c["label"]: c["wall_ns"]["median"] for c in load(finished / "result.json")["cells"]}
    assert set(medians) == {"arity=2", "arity=4"}

    def doctored(low, value, high):
        result = load(finished / "result.json")
        for comparison in result["comparisons"]:
            flip = comparison["b"] == result["cells"][0]["id"]
            interval = (1 / high, 1 / value, 1 / low) if flip else (low, value, high)
            comparison.update(zip(("ci95_low", "ratio", "ci95_high"), interval))
            low_end, middle, high_end = interval
            comparison["block_ratios"] = [low_end, *[middle] * 4, high_end]
            comparison["outcome"] = "UNCLEAR"
            del comparison["blocks"]
        result["resolution"] = []
        for cell in result["cells"]:
            del cell["blocks"]  # they would say otherwise
            cell["doubts"] = []  # others may have disturbed it
        path = tmp_path / "doctored.json"
        path.write_text(json.dumps(result))
        return path

    assert "  N1  reproduced" in bellmark("verdict", doctored(1100, 1200, 1300), "--strict").stdout
    bellmark("verdict", doctored(0.8, 0.85, 0.9), "--strict", code=5)
    bellmark("verdict", doctored(0.8, 1, 1.2), "--strict", code=6)
    bellmark("verdict", doctored(0.8, 0.85, 0.9))
    (tmp_path / "other.toml").write_text(EXPERIMENT.replace("low = 1000, high = 2000",
                                                           "low = 0.7, high = 0.95"))
    other = ["-e", tmp_path / "other.toml"]
    shown = bellmark("verdict", doctored(0.8, 0.85, 0.9), *other, "--strict").stdout
    assert "  N1  reproduced" in shown


def test_what_is_no_result_is_skipped_with_a_note(finished, tmp_path):
    folder = tmp_path / "runs/one"
    folder.mkdir(parents=True)
    (folder / "any.json").write_text((finished / "result.json").read_text())
    bare = bellmark("verdict", tmp_path / "runs")
    assert "skipped" not in bare.stderr
    for name in ("run.json", "begun.json"):
        (folder / name).write_text("{}")
    assert bellmark("verdict", tmp_path / "runs").stderr == bare.stderr, "a run's own files are no surprise"
    for name in ("a.json.gz", "result.json", "b.json", "c.json", "d.json"):
        (folder / name).write_text("no JSON")
    for words in (["verdict"], ["report", "-f", "csv"], ["report", "-f", "console"]):
        said = bellmark(*words, tmp_path / "runs").stderr.replace(f"{folder}/", "")
        assert "skipped, because they are not results: a.json.gz, b.json, c.json, 2 more\n" in said
    (folder / "any.json").unlink()
    assert "there is no result in it" in fault("verdict", tmp_path / "runs")


def test_other_rules_are_named(finished, tmp_path):
    result = load(finished / "result.json")
    own = result["rules"]
    page = (SOURCE / "docs/explain/how-claims-are-judged.md").read_bytes()
    assert own["digest"] == hashlib.sha256(page).hexdigest()
    assert "judges by" not in bellmark("verdict", finished).stderr
    result["rules"] = {"version": 3, "date": "2030-01-31", "digest": "f00d" * 16}
    (tmp_path / "result.json").write_text(json.dumps(result))
    assert (f"was judged by version 3 of 2030-01-31 (sha256 f00df00df00d) of the rules, this build judges by version "
            f"{own['version']} of {own['date']} (sha256 {own['digest'][:12]})") in bellmark("verdict", tmp_path).stderr
    named = json.loads(bellmark("verdict", "--json", tmp_path).stdout)
    assert named["results"][0]["rules"] == result["rules"]


def test_files_that_are_no_results(tmp_path, finished):
    for name, text in {
        "empty": "", "array": "[]", "number": "3", "other": '{"schema": {"name": "x"}}',
        "words": '{"schema": {"name": 5}}', "bare": '{"schema": 5}', "half": None,
        "version": '{"schema": {"name": "bellmark-result", "version": "2.0.0"}}',
        "odd": '{"schema": {"name": "bellmark-result", "version": 1}}',
        "hollow": '{"schema": {"name": "bellmark-result", "version": "1.0.0"}}',
    }.items():
        whole = (finished / "result.json").read_text()
        path = tmp_path / f"{name}.json"
        path.write_text(whole[: len(whole) // 2] if text is None else text)
        for words in (["verdict"], ["report", "-f", "csv"], ["compare", path]):
            fault(*words, path)
    fault("verdict", tmp_path / "missing.json")
    fault("verdict", tmp_path)
