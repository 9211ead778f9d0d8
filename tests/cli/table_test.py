"""`bellmark table`: stored results as tidy rows."""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support import BELLMARK, SOURCE, bellmark, fault, load

DATA = SOURCE / "analysis/testdata"
BARS = DATA / "bars.json"
GUIDE = SOURCE / "docs/guide/tidy-data.md"


def csv_rows(*words):
    return list(csv.DictReader(io.StringIO(bellmark("table", *words).stdout)))


def json_rows(*words):
    return [json.loads(line) for line in bellmark("table", "-f", "jsonl", *words).stdout.splitlines()]


def test_a_row_a_cell_with_a_column_an_axis():
    result = load(BARS)
    rows = csv_rows(BARS)
    cells = {cell["id"]: cell for cell in result["cells"]}
    failures = {entry["cell"]: entry for entry in result["not_measured"]}
    assert {row["cell"] for row in rows} == cells.keys() | failures.keys() and len(rows) > len(cells)
    for row in rows:
        assert row["result"] == str(BARS) and row["machine.cpu_model"] == result["environment"]["cpu_model"]
        entry = failures.get(row["cell"])
        assert (row["not_measured_code"], row["not_measured_reason"]) == (
            (entry["code"], entry["reason"]) if entry else ("", ""))
        assert (row["wall_ns_median"] == "") == (entry is not None)
        cell = cells.get(row["cell"])
        if cell is None:
            assert row["axis.width"] == str(entry["axes"]["width"]) and row["graph"] == ""
            continue
        assert row["axis.queue"] == cell["axes"]["queue"]
        for part, size in cell["memory"]["accounted"].items():
            assert row[f"memory.{part}_bytes"] == str(size)
        if entry is None:
            assert float(row["wall_ns_median"]) == cell["wall_ns"]["median"]
            for phase in cell["phases"] or []:
                assert float(row[f"phase.{phase['name']}.wall_ns"]) == phase["wall_ns"]
            for counter in cell["counters"]:
                value = row[f"counter.{counter['group']}.{counter['name']}_{counter['unit']}"]
                assert value == ("" if counter["value"] is None else value) and (
                    counter["value"] is not None or counter["reason"] in row["counters_reason"])


@pytest.mark.parametrize("kind", ["cells", "samples", "comparisons", "claims"])
def test_all_forms_say_the_same(kind):
    texts = csv_rows(DATA, "--rows", kind)
    rows = json_rows(DATA, "--rows", kind)
    assert len(texts) == len(rows) > 4
    names = list(dict.fromkeys(name for row in rows for name in row))
    dotted = [name for name in names if "." in name]
    assert list(texts[0]) == [name for name in names if "." not in name] + sorted(dotted)
    for text, row in zip(texts, rows):
        for name, value in text.items():
            found = row.get(name)
            if isinstance(found, (bool, int, float)):
                assert value == json.dumps(found) or float(value) == found
            else:
                assert value.removeprefix("'") == (found or "").removeprefix("'")


def documented(kind):
    """The columns of the guide's table under the heading of this kind."""
    section = GUIDE.read_text(encoding="utf-8").split(f"\n### Rows of {kind}\n")[1].split("\n#")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]


@pytest.mark.parametrize("kind", ["cells", "samples", "comparisons", "claims"])
def test_every_column_is_in_the_guide(kind):
    names = dict.fromkeys(name for row in json_rows(DATA, "--rows", kind) for name in row)
    assert [name for name in names if "." not in name] == documented(kind)
    groups = re.findall(r"^\| `(\w+)\.", GUIDE.read_text(encoding="utf-8"), re.M)
    assert {name.split(".")[0] for name in names if "." in name} <= set(groups)


def test_long_has_each_query_of_each_sample(finished):
    result = load(finished / "result.json")
    rows = json_rows(finished, "--long")
    expected = [
        (cell["id"], block["index"], block["process"], sample, query, 1, time)
        for cell in result["cells"] for block in cell["blocks"]
        for sample, times in enumerate(block["query_ns"]) for query, time in enumerate(times)
    ]
    keys = ("cell", "block_index", "process", "sample_index", "query_index", "query_count", "wall_ns")
    assert [tuple(row[key] for key in keys) for row in rows] == expected
    assert rows[0]["axis.arity"] == 2


def test_long_of_a_result_without_times_of_queries():
    result = load(BARS)
    failed = {entry["cell"] for entry in result["not_measured"]}
    expected = [(cell["id"], block, sample, cell["query_count"], time)
                for cell in result["cells"] if cell["id"] not in failed
                for block, samples in enumerate(cell["samples_ns"]) for sample, time in enumerate(samples)]
    rows = json_rows(BARS, "--rows", "samples")
    assert [(row["cell"], row["block_index"], row["sample_index"], row["query_count"], row["wall_ns"])
            for row in rows] == expected
    assert all(row["query_index"] is None for row in rows)


def test_a_formula_is_text_to_a_spreadsheet(tmp_path):
    result = load(BARS)
    result["cells"][0]["label"] = '=HYPERLINK("x")'
    (tmp_path / "r.json").write_text(json.dumps(result))
    assert csv_rows(tmp_path)[0]["label"] == "'=HYPERLINK(\"x\")"
    assert json_rows(tmp_path)[0]["label"] == '=HYPERLINK("x")'


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    out = tmp_path / "cells.csv"
    bellmark("table", BARS, "-o", out)
    whole = out.read_text()
    assert whole == bellmark("table", BARS).stdout
    bellmark("table", BARS, "-o", out)  # an earlier table is replaced
    damaged = tmp_path / "damaged.json"
    damaged.write_text(BARS.read_text().replace('"label"', '"lable"'))
    for form in ("csv", "jsonl"):
        assert "is damaged" in fault("table", BARS, damaged, "-f", form, "-o", tmp_path / f"new.{form}")
    assert out.read_text() == whole and sorted(path.name for path in tmp_path.iterdir()) == [
        "cells.csv", "damaged.json"]
    copy = tmp_path / "result.json"
    shutil.copy(BARS, copy)
    assert "exists, and is not an earlier export" in fault("table", copy, "-o", copy)
    assert copy.read_text() == BARS.read_text()


def test_what_is_no_result_is_said(tmp_path):
    assert "there is no result in it" in fault("table", tmp_path)
    assert "--rows" in bellmark("table", BARS, "--long", "--rows", "cells", code=2).stderr
    assert "Parquet is not for standard output" in fault("table", BARS, "-f", "parquet")


def has_pyarrow():
    return subprocess.run(["/usr/bin/python3", "-c", "import pandas, pyarrow"], capture_output=True,
                          check=False).returncode == 0


def test_parquet_where_pyarrow_is_there_else_how_to_get_it(tmp_path):
    out = tmp_path / "cells.parquet"
    words = ["table", DATA, "-f", "parquet", "-o", out]
    if has_pyarrow():
        bellmark(*words, env={"BELLMARK_PYTHON": "/usr/bin/python3"})
        import pandas
        assert list(pandas.read_parquet(out)["cell"]) == [row["cell"] for row in json_rows(DATA)]
    else:
        assert "pip install pandas pyarrow" in fault(*words, env={"PATH": "/usr/bin"})
        assert not out.exists()


# Writes its input as JSON after Parquet's first bytes.
FAKE_PARQUET = """
import pandas
def to_parquet(self, path, engine, index):
    assert engine == "pyarrow" and not index
    open(path, "w").write("PAR1" + self.to_json(orient="records"))
pandas.DataFrame.to_parquet = to_parquet
"""


def test_rows_reach_the_library_that_writes_parquet(tmp_path):
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules/pyarrow.py").write_text("__version__ = '0.1'")
    (tmp_path / "modules/sitecustomize.py").write_text(FAKE_PARQUET)
    out = tmp_path / "cells.parquet"
    words = ["table", DATA, "-f", "parquet", "-o"]
    env = {"PATH": "/usr/bin", "PYTHONPATH": str(tmp_path / "modules"), "BELLMARK_PYTHON": "/usr/bin/python3"}
    for _ in range(2):  # the second replaces the first
        bellmark(*words, out, env=env)
        rows = json.loads(out.read_text().removeprefix("PAR1"))
        assert [row["cell"] for row in rows] == [row["cell"] for row in json_rows(DATA)]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cells.parquet", "modules"]
    assert "exists, and is not an earlier export" in fault(*words, BARS, env=env)


def test_thousands_of_results_are_not_held_at_once(tmp_path):
    if any(library in Path(BELLMARK).read_bytes() for library in (b"libasan.so", b"libtsan.so")):
        pytest.skip("a sanitizer keeps what was freed")

    def peak(folder):
        script = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
                  "check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        done = subprocess.run([sys.executable, "-c", script, BELLMARK, "table", str(folder)],
                              capture_output=True, text=True, check=True)
        return int(done.stdout)

    few, many = tmp_path / "few", tmp_path / "many"
    for folder, count in ((few, 2), (many, 400)):
        folder.mkdir()
        for index in range(count):
            (folder / f"{index}.json").symlink_to(BARS)
    assert peak(many) < peak(few) + 16 * 1024  # KiB; all of them together take some 60 MiB
