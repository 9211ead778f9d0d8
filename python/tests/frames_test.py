"""The package against the executable, and against the files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
import typing
from pathlib import Path

import pandas
import pytest

import bellmark
from bellmark import executable
from bellmark.parquet import one_type_a_column

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "analysis" / "testdata"
PUBLISHED = ROOT / "results" / "published" / "sequential"
KINDS = ["cells", "samples", "comparisons", "claims"]


@pytest.fixture(scope="module")
def frames() -> bellmark.Frames:
    return bellmark.load(DATA)


@pytest.mark.parametrize("kind", KINDS)
def test_a_frame_is_what_the_table_says(frames: bellmark.Frames, kind: str) -> None:
    text = b"".join(executable.lines("table", DATA, "--rows", kind)).decode()
    rows = list(csv.reader(io.StringIO(text)))
    frame = getattr(frames, kind)
    assert list(frame.columns) == rows[0] and len(frame) == len(rows) - 1
    for name, texts in zip(rows[0], zip(*rows[1:])):
        for value, shown in zip(frame[name], texts):
            if pandas.isna(value):
                assert shown == "", (name, shown)
            elif isinstance(value, str):
                assert shown.removeprefix("'") == value.removeprefix("'")
            else:
                assert str(value).lower() == shown.lower() or float(value) == float(shown), name


def test_frames_hold_what_files_say(frames: bellmark.Frames) -> None:
    for path in DATA.glob("*.json"):
        result = json.loads(path.read_text(encoding="utf-8"))
        cells = frames.cells[frames.cells["result"] == str(path)].set_index("cell")
        failed = {entry["cell"] for entry in result["not_measured"]}
        assert set(cells.index) == failed | {cell["id"] for cell in result["cells"]}
        for cell in result["cells"]:
            row = cells.loc[cell["id"]]
            assert (row["variant"], row["graph"]) == (cell["variant"], cell["graph"])
            if cell["id"] in failed or cell["wall_ns"] is None:
                assert pandas.isna(row["wall_ns_median"]) and row["not_measured_reason"]
            else:
                assert row["wall_ns_median"] == cell["wall_ns"]["median"]
        claims = frames.claims[frames.claims["result"] == str(path)]
        assert list(claims["verdict"]) == [verdict["verdict"] for verdict in result["verdicts"]]


def test_samples_join_their_cells(frames: bellmark.Frames) -> None:
    joined = frames.samples.merge(frames.cells, on=["result", "cell"], suffixes=("", "_cell"))
    assert len(joined) == len(frames.samples) > 0
    per_query = joined["wall_ns"] / joined["query_count"]
    medians = per_query.groupby([joined["result"], joined["cell"], joined["block_index"]]).median()
    blocks = medians.groupby(level=[0, 1]).median()
    cells = frames.cells.set_index(["result", "cell"]).loc[blocks.index]
    assert ((blocks / cells["wall_ns_median"] - 1).abs() < 0.01).all()


def test_published_results_are_read() -> None:
    cells = bellmark.load(PUBLISHED).cells
    file = cells["result"][0]
    result = json.loads(gzip.decompress(Path(file).read_bytes()))
    own = cells[cells["result"] == file]
    assert list(own["cell"][:len(result["cells"])]) == [cell["id"] for cell in result["cells"]]
    assert own["machine"].nunique() == 1 and own["started_utc"].notna().all()


def test_what_can_not_be_read_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(bellmark.Fault, match="there is no result in it"):
        bellmark.load(tmp_path)
    damaged = tmp_path / "result.json"
    damaged.write_text((DATA / "bars.json").read_text().replace('"label"', '"lable"'))
    with pytest.raises(bellmark.Fault, match="is damaged"):
        bellmark.load([DATA, damaged])
    monkeypatch.setenv("BELLMARK", str(tmp_path / "absent"))
    with pytest.raises(bellmark.Fault, match="build bellmark, or name it by BELLMARK"):
        bellmark.load(DATA)


def test_a_path_that_looks_like_an_option(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("--long").write_text((DATA / "bars.json").read_text())
    assert "wall_ns_median" in bellmark.load("--long").cells


def test_one_type_a_column_for_parquet() -> None:
    frame = one_type_a_column(pandas.DataFrame({"axis.a": [2, "auto", None], "b": [1, 2, 3]}))
    assert list(frame["axis.a"][:2]) == ["2", "auto"] and pandas.isna(frame["axis.a"][2])
    assert frame["b"].dtype == int


def test_everything_is_annotated() -> None:
    for name in bellmark.__all__:
        found = getattr(bellmark, name)
        functions = [found] if callable(found) and not isinstance(found, type) else []
        for function in functions:
            assert typing.cast(dict, function.__annotations__).get("return") is not None, name
    assert (Path(bellmark.__file__).parent / "py.typed").exists()


def test_pandas_is_not_needed_for_whole_results() -> None:
    code = "import sys, bellmark; bellmark.read_results; print('pandas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "python", capture_output=True,
                          text=True, check=True)
    assert done.stdout.strip() == "False"


def test_it_is_installed_from_the_checkout_without_a_network(tmp_path: Path) -> None:
    copy = tmp_path / "python"
    subprocess.run(["cp", "-r", ROOT / "python", copy], check=True)
    target = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index",
                    "--no-build-isolation", "--target", target, copy], check=True, timeout=120)
    code = "import bellmark, pathlib; print(pathlib.Path(bellmark.__file__).parent)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True,
                          check=True, env={"PYTHONPATH": str(target), "PATH": "/usr/bin:/bin"})
    assert Path(done.stdout.strip()) == target / "bellmark" and (target / "bellmark/py.typed").exists()


def test_the_guides_example_gives_what_the_guide_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = (ROOT / "docs" / "guide" / "tidy-data.md").read_text(encoding="utf-8")
    example, shown = guide.split("```python\n")[1].split("\n```\n\n```text\n")[:2]
    monkeypatch.chdir(ROOT)
    *lines, last = example.splitlines()
    names: dict = {}
    exec("\n".join(lines), names)  # noqa: S102
    found = eval(last, names).to_string(index=False)  # noqa: S307
    assert found.split() == shown.split("\n```")[0].split()
