"""Tests of claims.py."""

import json

import claims


def test_the_published_page_is_what_the_results_say():
    page = (claims.PUBLISHED / "README.md").read_text(encoding="utf-8")
    assert page == claims.page(), "analysis/claims.py > results/published/README.md"


def judged(word, stand_in=None):
    return {"claim": "p/C1", "text": "t", "verdict": word, "stand_in": stand_in}


def result(*verdicts, experiment="p/F1", low=1):
    return {"experiment": {"id": experiment}, "verdicts": list(verdicts),
            "cells": [{"wall_ns": {"median": 2, "ci95_low": low}}, {"wall_ns": None}]}


def test_a_machine_has_its_weakest_verdict(tmp_path):
    files = {
        "a/host/1/x.json": result(judged("reproduced", "a grid")),
        "b/host/1/x.json": result(judged("inconclusive"), judged("shown")),
        "b/other/1/x.json": result(judged("reproduced")),
        "b/other/1/micro.json": {"benchmarks": []},
    }
    for name, document in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(document))
    found = claims.published(tmp_path)
    assert {machine: claims.verdicts(results) for machine, results in found.items()} == {
        "host": {"p/C1": "inconclusive*"}, "other": {"p/C1": "reproduced"}}


def test_a_run_that_ended_early_yields_to_a_longer_one_of_its_experiment():
    early = result(judged("inconclusive"), low=None)
    assert claims.verdicts([early]) == {"p/C1": "inconclusive"}
    assert claims.verdicts([early, result(judged("reproduced"))]) == {"p/C1": "reproduced"}
    assert claims.verdicts([result(judged("reproduced")), early]) == {"p/C1": "reproduced"}
    other = result(judged("reproduced"), experiment="p/F2")
    assert claims.verdicts([early, other]) == {"p/C1": "inconclusive"}
    assert claims.verdicts([early, result(judged("shown"))]) == {"p/C1": "inconclusive"}


def test_what_was_not_run_says_so():
    paper = {"key": "p", "citation": "A paper", "claims": {"C1": "one", "C2": "two"}}
    text = claims.table(paper, {"host": {"p/C1": "reproduced"}, "idle": {}})
    assert "| claim | what it says (experiments) | host |\n" in text
    assert "| C2 | two | not run |\n" in text


def test_papers_come_by_year():
    keys = [paper["key"] for paper in claims.papers()]
    assert keys.index("yasui2011") < keys.index("ma2022") < keys.index("suzuki")
