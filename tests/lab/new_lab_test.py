"""From `bellmark new lab` to a verdict, and what a lab without graphs says."""

import json
import re

from support import BELLMARK, run

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
        # A thousand additions take less than a clock can tell.
        assert cell["iteration_count"] > 1
        ns = cell["wall_ns"]["median"]
        rates = {name: rate["median"] for name, rate in cell["rates"].items()}
        assert set(rates) == {"bytes_per_second", "operations_per_second"}
        assert abs(rates["operations_per_second"] * ns / 1e9 / 1000 - 1) < 0.2
        assert abs(rates["bytes_per_second"] / rates["operations_per_second"] - 8) < 1e-6
    markdown = (tmp_path / "sums.md").read_text()
    assert "| rate |" in markdown and " GB/s" in markdown
    assert (tmp_path / "sums.csv").read_text().splitlines()[0].endswith(",bytes_per_second,operations_per_second,items_per_second")
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


def test_a_new_variant_and_experiment_run(sums, tmp_path):
    (tmp_path / "sums.hpp").touch()
    run(sums, "new", "variant", "sums/mine", cwd=tmp_path)
    assert "class Mine" in (tmp_path / "sums_mine.cpp").read_text()
    assert "is not here" in run(sums, "new", "variant", "dots/mine", cwd=tmp_path, code=2)
    run(sums, "new", "experiment", "mine", cwd=tmp_path)
    assert "2 cells" in run(sums, "plan", "mine.toml", cwd=tmp_path)
    run(sums, "new", "paper", "smith2024", cwd=tmp_path)
    assert "C1" in run(sums, "run", "smith2024", "--quick", cwd=tmp_path)
    assert "is there already" in run(BELLMARK, "new", "variant", "sums/mine", cwd=tmp_path, code=2)


def test_neither_cuda_nor_mpi_is_linked(sums):
    libraries = run("ldd", sums)
    symbols = run("nm", "-C", sums)
    assert not re.search("cuda|mpi|nccl", libraries, re.I), libraries
    # A type of the driver's stands in the names of functions that open CUPTI while the program runs.
    symbols = symbols.replace("cudaError_enum", "")
    assert not re.search(r"\b(cuda[A-Z]\w+|MPI_\w+)\b", symbols)
