"""`bellmark verdict` of stored results."""

import json

from support import EXPERIMENT, bellmark, fault, load


def test_verdict_of_results_without_claims(finished, tmp_path):
    result = load(finished / "result.json")
    result["provenance"]["spec"] = EXPERIMENT.split("[[claim]]")[0]
    (tmp_path / "result.json").write_text(json.dumps(result))
    said = bellmark("verdict", tmp_path).stdout
    assert said == "no claims: nothing in these results is judged\n"


def test_verdict_again_from_the_stored_result(finished):
    stored = load(finished / "result.json")["verdicts"][0]["headline"]
    assert f"none/N1  {stored}" in bellmark("verdict", finished).stdout


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
        for cell in result["cells"]:
            del cell["blocks"]  # they would say otherwise
            cell["doubts"] = []  # others may have disturbed it
        path = tmp_path / "doctored.json"
        path.write_text(json.dumps(result))
        return path

    assert "none/N1  reproduced" in bellmark("verdict", doctored(1100, 1200, 1300), "--strict").stdout
    bellmark("verdict", doctored(0.8, 0.85, 0.9), "--strict", code=5)
    bellmark("verdict", doctored(0.8, 1, 1.2), "--strict", code=6)
    bellmark("verdict", doctored(0.8, 0.85, 0.9))
    (tmp_path / "other.toml").write_text(EXPERIMENT.replace("low = 1000, high = 2000",
                                                           "low = 0.7, high = 0.95"))
    other = ["-e", tmp_path / "other.toml"]
    shown = bellmark("verdict", doctored(0.8, 0.85, 0.9), *other, "--strict").stdout
    assert "none/N1  reproduced" in shown


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
