"""Tests of speed.py."""

import pytest

import speed


@pytest.mark.parametrize("path", speed.pages(), ids=lambda path: path.name)
def test_a_page_has_what_the_results_say(path):
    page = path.read_text(encoding="utf-8")
    assert page == speed.with_table(page, speed.pages()[path]), "run analysis/speed.py"


def test_a_graph_that_is_not_in_the_result_is_said():
    with pytest.raises(LookupError, match="my.gr: 0 cells of auto"):
        speed.Measured(speed.Row("mine", f"{speed.NEWEST}/sequential", "my.gr")).time("auto")
