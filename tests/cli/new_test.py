"""`bellmark new`: its files run unchanged."""

import pytest

from support import bellmark, only_result


def test_a_new_experiment_runs(tmp_path):
    assert bellmark("new", "experiment", "arity", cwd=tmp_path).stdout == (
        "arity.toml\nnext: bellmark plan arity.toml; bellmark run arity.toml --quick\n")
    bellmark("plan", "arity.toml", cwd=tmp_path)
    bellmark("run", "arity.toml", "--smoke", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    assert result["experiment"]["id"] == "arity" and not result["verdicts"]
    assert [cell["axes"]["arity"] for cell in result["cells"]] == [2, 4]


def test_a_new_paper_has_a_verdict(tmp_path):
    shown = bellmark("new", "paper", "smith2024", cwd=tmp_path).stdout
    assert shown.splitlines()[:2] == ["smith2024/paper.toml", "smith2024/figure1.toml"]
    assert "C1 (ratio)" in bellmark("plan", "smith2024", cwd=tmp_path).stdout
    bellmark("run", "smith2024", "--smoke", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    assert result["experiment"]["id"] == "smith2024/F1"
    (verdict,) = result["verdicts"]
    assert verdict["claim"] == "smith2024/C1"
    assert verdict["stand_in_class"] == "smaller, effect can show"


@pytest.mark.parametrize("kind, there", [("experiment", "mine.toml"), ("paper", "mine/figure1.toml")])
def test_what_is_there_is_kept(tmp_path, kind, there):
    path = tmp_path / there
    path.parent.mkdir(exist_ok=True)
    path.write_text("mine")
    done = bellmark("new", kind, "mine", cwd=tmp_path, code=2)
    assert done.stderr == f"bellmark: {there}: is there already; name another, or move it away\n"
    assert path.read_text() == "mine"
    assert not (tmp_path / "mine/paper.toml").exists()


@pytest.mark.parametrize("name", ["", "a b", "../up", 'quo"te', "a/b", "é"])
def test_names_are_plain(tmp_path, name):
    done = bellmark("new", "experiment", name, cwd=tmp_path, code=2)
    assert done.stderr.startswith("bellmark: ") and list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_fault_of_the_name(tmp_path):
    (tmp_path / "mine").write_text("a file")
    done = bellmark("new", "paper", "mine", cwd=tmp_path, code=7)
    assert "mine" in done.stderr and len(done.stderr.splitlines()) == 1
