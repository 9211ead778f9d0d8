"""From `bellmark new lab` to a verdict, and the messages of a lab without graphs."""

import json
import re
import shutil

import pytest

from support import BELLMARK, SOURCE, build_lab, linked_of, run

WHOLE_COMMAND_LINE = ["list", "plan", "run", "compare", "tune", "diagnose", "doctor", "resume", "verdict", "report"]


def test_a_new_lab_has_a_verdict(sums, tmp_path):
    said = run(sums, "run", sums.parents[1] / "first.toml", "--quick", "--export-markdown", "sums.md",
               "--export-csv", "sums.csv", cwd=tmp_path)
    assert re.search(r"C1 +(reproduced|direction only|not reproduced|inconclusive)", said), said
    assert " GB/s, " in said and " operations/s" in said
    (file,) = tmp_path.glob("runs/sums/first/*/result.json")
    result = json.loads(file.read_text())
    assert result["provenance"]["lab"]["name"] == "sums"
    assert [cell["axes"]["input"] for cell in result["cells"]] == ["n=1000"] * 2
    for cell in result["cells"]:
        assert cell["validation"]["status"] == "certified"
        # A thousand additions take less time than a clock can measure.
        assert cell["iteration_count"] > 1
        ns = cell["wall_ns"]["median"]
        rates = {name: rate["median"] for name, rate in cell["rates"].items()}
        assert set(rates) == {"bytes_per_second", "operations_per_second"}
        assert abs(rates["operations_per_second"] * ns / 1e9 / 1000 - 1) < 0.2
        assert abs(rates["bytes_per_second"] / rates["operations_per_second"] - 8) < 1e-6
    markdown = (tmp_path / "sums.md").read_text()
    assert "| rate |" in markdown and " GB/s" in markdown
    columns = (tmp_path / "sums.csv").read_text().splitlines()[0].split(",")
    assert columns[-3:] == ["bytes_per_second", "operations_per_second", "items_per_second"]
    assert "input" in columns and "graph" not in columns
    assert "C1" in run(sums, "verdict", file, cwd=tmp_path)
    rows = run(sums, "table", file, cwd=tmp_path)
    assert ",bytes_per_second,operations_per_second,items_per_second,iteration_count," in rows


def test_a_report_is_drawn(sums, tmp_path):
    run(sums, "run", sums.parents[1] / "first.toml", "--quick", "--counters", "software", cwd=tmp_path)
    run(sums, "report", "runs", "-o", "report", cwd=tmp_path)
    text = (tmp_path / "report/report.md").read_text()
    assert "| Rate |" in text and " GB/s" in text
    assert "1 input, " in text and "graph" not in text


def test_the_whole_command_line_is_there(sums):
    said = run(sums, "--help")
    for command in WHOLE_COMMAND_LINE:
        assert re.search(rf"^  {command}\b", said, re.M), command
        run(sums, command, "--help")


def test_nothing_says_graph(sums, tmp_path):
    texts = [run(sums, "--help"), run(sums, "list"), run(sums, "compare", "-v", "sums/plain", "-v", "sums/four", "--smoke", cwd=tmp_path)]
    texts += [run(sums, command, "--help") for command in WHOLE_COMMAND_LINE]
    texts += [run(sums, "plan", "-v", "sums/*", cwd=tmp_path), run(sums, "run", cwd=tmp_path, code=2),
              run(sums, "graph", cwd=tmp_path, code=2),
              run(sums, "run", "-v", "sums/plain", "-i", "rows=3", cwd=tmp_path, code=2)]
    for text in texts[2:]:
        assert "New York" not in text and "USA-road" not in text
    for text in texts[:3] + [texts[-4], texts[-1]]:
        assert not re.search(r"\bgraphs?\b", text.replace("unknown command 'graph'", "")), text


def test_inputs_are_made_from_keys(sums, tmp_path):
    assert "it has no key 'm'" in run(sums, "run", "-v", "sums/plain", "-i", "m=3", "--smoke", cwd=tmp_path, code=2)
    said = run(sums, "run", "-v", "sums/plain", "-i", "n=0", "--smoke", cwd=tmp_path, code=2)
    assert "'0' is not a value of key 'n'; it takes integers 1..100000000" in said
    said = run(sums, "plan", "-v", "sums/plain", "-i", "n=10", "-i", "n=20", cwd=tmp_path)
    assert "n=10" in said and "n=20" in said


@pytest.fixture(scope="module")
def grown(prefix, tmp_path_factory):
    """A lab with a second problem and a variant for each, all written by `bellmark new`. One problem has the
    name of a member of problems."""
    folder = tmp_path_factory.mktemp("grown") / "answer"
    run(BELLMARK, "new", "lab", "answer", cwd=folder.parent)
    run(BELLMARK, "new", "problem", "hash-tables", cwd=folder)
    run(BELLMARK, "new", "variant", "answer/mine", cwd=folder)
    run(BELLMARK, "new", "variant", "hash-tables/four-lanes", cwd=folder)
    build_lab(folder, folder / "build", prefix)
    return folder / "build/answer"


STARTED = ["answer/four", "answer/mine", "answer/plain", "hash-tables/four-lanes", "hash-tables/plain"]


def test_every_start_builds_and_runs(grown, tmp_path):
    for problem in ("answer", "hash-tables"):
        listed = run(grown, "list", problem).split()
        assert all(name.split("/")[1] in listed for name in STARTED if name.startswith(problem + "/")), listed
        run(grown, "run", "-v", f"{problem}/*", "-i", "n=10", "--smoke", "--export-json", f"{problem}.json", cwd=tmp_path)
        cells = json.loads((tmp_path / f"{problem}.json").read_text())["cells"]
        assert sorted(cell["variant"] for cell in cells) == [name for name in STARTED if name.startswith(problem + "/")]
        assert {cell["validation"]["status"] for cell in cells} == {"certified"}


def test_a_new_experiment_and_paper_run(grown, tmp_path):
    run(grown, "new", "experiment", "mine", cwd=tmp_path)
    assert "3 cells" in run(grown, "plan", "mine.toml", cwd=tmp_path)
    assert re.search(r"^  C1 ", run(grown, "run", "mine.toml", "--smoke", cwd=tmp_path), re.M)
    run(grown, "new", "paper", "smith2024", cwd=tmp_path)
    assert "heap" not in (tmp_path / "smith2024/paper.toml").read_text()
    assert "C1" in run(grown, "plan", "smith2024", cwd=tmp_path)
    assert re.search(r"^  C1 ", run(grown, "run", "smith2024", "--smoke", cwd=tmp_path), re.M)


def test_starts_are_as_people_write(grown):
    if not shutil.which("clang-format"):
        pytest.skip("not available: clang-format")
    files = [file for ending in ("*.hpp", "*.cpp") for file in grown.parents[1].glob(ending)]
    assert len(files) == 7
    style = f"--style=file:{SOURCE / '.clang-format'}"
    run("clang-format", "--dry-run", "-Werror", style, *files)


@pytest.mark.parametrize("words, said", [
    (["variant", "dots/mine"], "dots.hpp: is not here; go to the folder with the problem's header"),
    (["variant", "mine"], "'mine' names no problem; write PROBLEM/NAME: sums/mine"),
    (["variant", "sums/4"], "'4' can't be a name in C++; begin it with a letter"),
    (["problem", "2d"], "'2d' can't be a name in C++; begin it with a letter"),
    (["lab", "test"], "'test' is a target of CMake's own; take another name"),
])
def test_a_start_that_cannot_be_written(tmp_path, words, said):
    (tmp_path / "sums.hpp").touch()
    assert said in run(BELLMARK, "new", *words, cwd=tmp_path, code=2)
    assert [path.name for path in tmp_path.iterdir()] == ["sums.hpp"]


def test_what_is_there_is_kept(tmp_path):
    run(BELLMARK, "new", "problem", "sums", cwd=tmp_path)
    (tmp_path / "sums_mine.cpp").write_text("mine")
    assert "is there already" in run(BELLMARK, "new", "variant", "sums/mine", cwd=tmp_path, code=2)
    assert "is there already" in run(BELLMARK, "new", "problem", "sums", cwd=tmp_path, code=2)
    assert (tmp_path / "sums_mine.cpp").read_text() == "mine"


RATE_CLAIM = """
[[claim]]
id = "C2"
kind = "shape"
text = "Both add ten numbers a second at least, and none a million million"
metric = "rates.operations_per_second"
statements = [
  { text = "each", numerator = { algorithm = ["sums/plain", "sums/four"] }, at_least = 10, at_most = 1e12, reason = "a processor" },
]

[[claim]]
id = "C3"
kind = "shape"
text = "Nobody says how many items these are"
metric = "rates.items_per_second"
statements = [{ text = "one", numerator = { algorithm = "sums/plain" }, at_least = 1, reason = "none" }]
"""


def test_a_claim_and_a_figure_are_about_rates(sums, tmp_path):
    text = (sums.parents[1] / "first.toml").read_text()
    figure = '[figure]\nkind = "bars"\n'
    assert figure in text
    text = text.replace(figure, figure + 'metric = "rates.bytes_per_second"\n') + RATE_CLAIM
    (tmp_path / "rates.toml").write_text(text)
    run(sums, "run", "rates.toml", "--quick", "--export-json", "rates.json", cwd=tmp_path)
    result = json.loads((tmp_path / "rates.json").read_text())
    verdicts = {verdict["claim"]: verdict for verdict in result["verdicts"]}
    rows = verdicts["C2"]["parts"][0]["measured"]
    assert {row["unit"] for row in rows} == {"operations/s"}
    assert sorted(row["value"] for row in rows) == sorted(
        cell["rates"]["operations_per_second"]["median"] for cell in result["cells"])
    # Only other programs on the machine may leave it undecided.
    assert verdicts["C2"]["verdict"] == "reproduced" or any(cell["doubts"] for cell in result["cells"])
    assert verdicts["C3"]["verdict"] == "not testable here"
    assert "says how much a query does" in json.dumps(verdicts["C3"])
    run(sums, "report", "rates.json", "-o", "report", cwd=tmp_path)
    drawn = (tmp_path / "report/report.html").read_text()
    assert "Bytes per second (GB/s)" in drawn
    assert "can't be drawn" not in drawn


def test_no_page_says_graph(sums, tmp_path):
    run(sums, "run", sums.parents[1] / "first.toml", "--quick", cwd=tmp_path)
    run(sums, "site", "runs", "-o", "site", cwd=tmp_path)
    pages = {page.name: page.read_text() for page in tmp_path.glob("site/*.html")}
    assert "inputs.html" in pages and "input-n-1000.html" in pages
    for name, text in pages.items():
        text = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.S)
        assert "graph" not in name
        assert not re.search(r"\bgraphs?\b", re.sub(r"<[^>]*>", " ", text), re.I), name


def test_neither_cuda_nor_mpi_is_linked(sums):
    assert not linked_of(sums, "cuda|cupti|nccl|mpi")
    # The same words find another library.
    assert linked_of(sums, "hwloc")
