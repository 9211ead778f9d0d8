"""The report for a reader, and the program for a script."""

from __future__ import annotations

import base64
import html
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Iterator
from urllib.parse import unquote

import pytest

import report
from document import escape_markdown
from load import Json, ask, load, load_all
from load_test import failed
from report_cells import COUNTED_SIZES, work, work_counts

FOLDER = Path(__file__).parent
FILES = sorted((FOLDER / "testdata").glob("*.json"))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    assert report.main([*map(str, FILES), "-o", str(folder), "--title", "A <title> & more"]) == 0
    return folder


@pytest.fixture(scope="module")
def page(written: Path) -> str:
    return html.unescape((written / "report.html").read_text(encoding="utf-8"))


def said(result: Json) -> Iterator[str]:
    """The facts of a result that the report must repeat."""
    yield from (result["experiment"]["id"], result["experiment"]["title"])
    yield from result["experiment"]["cuts"]
    for verdict in result["verdicts"]:
        yield from (verdict["claim"], verdict["text"], verdict["reason"])
        for part in verdict["parts"]:
            yield from (part["text"], part["reason"], *(m["text"] for m in part["measured"]))
    for cell in result["cells"]:
        yield from (cell["label"], cell["variant"], cell["validation"]["status"])
        yield from filter(None, (cell["wall_ns"]["reason"], cell["memory"]["reason"],
                                 cell["validation"]["detail"]))
        yield from (counter["reason"] for counter in cell["counters"] if counter["reason"])
        yield from (phase["name"] for phase in cell["phases"] or [])
    for row in result["not_measured"]:
        yield from (row["variant"], row["code"], row["reason"])
    for row in result["warnings"]:
        yield from (row["text"], row["action"])
    for key in ("compiler", "flags", "spec_digest"):
        yield result["provenance"][key]
    yield result["provenance"]["git_sha"][:12]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_both_forms_say_everything(written: Path, page: str, path: Path) -> None:
    markdown = (written / "report.md").read_text(encoding="utf-8")
    for text in said(load(path)):
        assert text in page
        assert escape_markdown(text) in markdown
    assert load(path)["provenance"]["spec"] in page


def test_work_is_told_by_the_size_of_the_graph() -> None:
    result = load(FOLDER / "testdata" / "placement.json")
    facts = result["workloads"][0]["facts"]
    result["cells"][0]["work"] = {"relaxation_count": 2 * facts["vertex_count"], "level_count": 3.0,
                                  "examined_arc_count": facts["arc_count"] / 2}
    (details,) = work(result)
    (table,) = details.blocks
    assert table.header[-2:] == ["relaxations / n", "arcs looked at / m"]
    assert table.rows[0][-2:] == ["2", "0.5"]
    assert table.rows[1][-2:] == ["", ""]
    del facts["vertex_count"]  # as of a workload that is no graph
    assert work(result)[0].blocks[0].rows[0][-2:] == ["", "0.5"]


def test_counted_work_has_ratios_or_reasons() -> None:
    result = load(FOLDER / "testdata" / "placement.json")
    assert work_counts(result) == []  # an older result
    counts = {name: {"value": None, "reason": "one thread", "ratio": None}
              for name in (*COUNTED_SIZES, "round_count")}
    counts["looked_at_arc_count"] = {"value": 50.0, "reason": None, "ratio": 0.5}
    result["cells"][0]["work_counts"] = counts
    (details,) = work_counts(result)
    table, bullets = details.blocks
    assert table.rows[0][1:] == ["", "", "", "", "0.5", "", "", ""]
    assert "one thread (settled_count" in bullets.items[0]
    assert "looked_at_arc_count" not in bullets.items[0]


def test_verdicts_are_coloured_words(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    for word in ("reproduced", "direction only", "not reproduced", "inconclusive",
                 "not testable here", "shown"):
        assert f'<span class="badge {word.replace(" ", "-")}">{word}</span>' in page
    assert "</span> on a stand-in: NY for USA" in page, "of a verdict among all rows"
    assert "stand-in: NY for USA; " in page or "stand-in: NY for USA." in page, "of a card"


def by_the_rules(result: Json) -> Json:
    """The result with every verdict, on claims of every kind."""
    row = {"text": "growth", "numerator": result["cells"][0]["id"],
           "denominator": result["cells"][1]["id"], "value": 4.1, "ci95_low": 4.0, "ci95_high": 4.2,
           "paper": 4.0, "paper_low": None, "paper_high": None, "range_low": 3.7, "range_high": None,
           "rival": 2.0, "outcome": "direction only", "size": "weaker", "reason": "it is weaker",
           "p": 0.002, "blocks_to_decide": 12.0}
    parts = [{"text": f"a {kind}", "kind": kind, "verdict": "check of the stand-in", "reason": "r",
              "metric": "wall_ns", "measured": [row], "about": "memory", "sentence": "It grows."}
             for kind in ("slope", "crossing")]
    result["verdicts"] = [{
        "claim": "fixture2011/Y9", "experiment": result["experiment"]["id"], "text": "it grows",
        "verdict": "check of the stand-in", "stand_in": None, "stand_in_class": "same size, generated",
        "coverage": {"row_count": 2, "planned_row_count": 3, "query_count": 4,
                     "paper_query_count": 1000},
        "form": "quick", "headline": "check of the stand-in", "reason": "why",
        "what_would_decide": "about 12 blocks would decide it", "parts": parts}]
    result["provenance"]["spec"] = ""  # judged as it is
    return result


def test_verdicts_with_all_that_they_may_say(tmp_path: Path) -> None:
    (file,) = [path for path in FILES if path.stem == "bars"]
    page = written_report(by_the_rules(json.loads(file.read_text(encoding="utf-8"))), tmp_path)
    assert "check of the stand-in" in page and "a slope" in page and "a crossing" in page
    assert "| growth | 4.100 \\[4.000, 4.200\\] | 4.000 | **direction only** | it is weaker |" in page


def test_of_two_runs_one_decides_and_machines_are_named(tmp_path: Path) -> None:
    (file,) = [path for path in FILES if path.stem == "bars"]
    files = []
    for name, started, machine in (("a", "2001-01-01T00:00:00Z", "X"),
                                   ("b", "2001-01-02T00:00:00Z", "X"),
                                   ("c", "2001-01-03T00:00:00Z", "Y")):
        result = by_the_rules(json.loads(file.read_text(encoding="utf-8")))
        result["provenance"]["started_utc"] = result["context"]["date"] = started
        result["environment"]["cpu_model"] = machine
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(result), encoding="utf-8")
    results, claims = load_all(files)
    report.write(results, tmp_path, claims=claims)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "1 claim, 2 verdicts (machines and builds apart): 2 check of the stand-in." in text
    first, second = text.split("### fixture2011/Y9 \\[")[1:]
    assert first.startswith("X\\] **check") and second.startswith("Y\\] **check")
    assert "](#claim-fixture2011-Y9-X)<br>X |" in text and "](#claim-fixture2011-Y9-Y)<br>Y |" in text
    assert first.count(" (quick), beside it: it grows |") == 1 and "beside it" not in second
    assert first.count(" (quick): it grows |") == 1, "the one that decides"


def test_numbers_carry_intervals_or_reasons(page: str) -> None:
    assert "7.940 [7.861, 8.019]" in page
    assert "1.046 [1.038, 1.054] SLOWER" in page
    assert "47.60 (no interval: 2 blocks finished; an interval needs 6)" in page
    assert "1.330 (ratio of medians: the file compares no such pair)" in page
    assert row_of(page, "dynamic") == ["1.085 [1.077, 1.094]", "1.192, 1.096 to 1.287"]
    assert row_of(page, "k = 2") == ["42.50 ms [41.65 ms, 43.35 ms]", "5550 ms"]
    assert "not available: no performance counters in this guest" in page
    assert "6 x 2" in page


def row_of(page: str, name: str) -> list[str]:
    """The measured values and the paper's figures, from the first row of claims with this name."""
    cells = page.split(f">{name}</td>")[1].split("</tr>")[0]
    return [text for text in re.findall(r">([^<]*)</td>", cells)][:2]


def test_kernels_are_listed_or_say_why_not(tmp_path: Path) -> None:
    result = load(FILES[0])
    for cell in result["cells"]:
        cell.update(gpu_kernels=None, gpu_copies=None,
                    gpu_kernels_reason="the variant runs on no GPU")
    assert result["cells"][0]["query_count"] == 4
    wall = result["cells"][0]["wall_ns"]["median"]
    result["cells"][0].update(
        gpu_kernels=[{"name": "relax(unsigned int*)", "launch_count": 12, "gpu_ns": 3_000_000,
                      "reason": None, "registers_per_thread_count": 40,
                      "static_shared_bytes": 1024,
                      "dynamic_shared_bytes": {"least": 0, "largest": 0},
                      "grid_block_count": {"least": 1, "largest": 132},
                      "block_thread_count": {"least": 256, "largest": 256}}],
        gpu_copies=[{"kind": "device-to-host", "count": 12, "bytes": 48, "gpu_ns": None,
                     "reason": "CUPTI could not time 1 of them"}],
        gpu_split={"launch_ns": 9, "kernel_ns": round(2 * wall), "copy_ns": round(wall), "gap_ns": 9, "synchronise_ns": 9},
        gpu_kernels_reason=None)
    result["cells"][1]["gpu_kernels_reason"] = "libcupti can't be opened"
    text = written_report(result, tmp_path)
    section = text[text.index("Kernels and copies"):]
    row = next(line for line in section.splitlines() if "relax" in line)
    assert "| 12 | 3.000 | 1 to 132 | 256 | 40 | 1024 + 0 |" in row
    assert "not available: CUPTI could not time 1 of them" in section
    split = next(line for line in section.splitlines() if line.count("%") == 3)
    assert "(50 %) |" in split and split.count("(25 %) |") == 2, split
    assert section.count("not available: libcupti can't be opened") == 1
    assert "runs on no GPU" not in text


def test_what_came_before_the_first_query(tmp_path: Path) -> None:
    result = load(FILES[0])
    result["cells"][0]["construction"] = {"open_ns": 2_500_000, "prepare_ns": 12_000_000,
                                          "prepare_block_ns": [12_000_000] * 6}
    result["cells"][1]["construction"] = None
    text = written_report(result, tmp_path)
    header = next(line for line in text.splitlines() if "Opened, prepared in" in line)
    rows = text[text.index(header):].splitlines()
    assert "| 2.500, 12.00 |" in rows[2] and "| not measured |" in rows[3]


def written_report(result: Json, folder: Path) -> str:
    path = folder / "result.json"
    path.write_text(json.dumps(result), encoding="utf-8")
    results, claims = load_all([path])
    report.write(results, folder / "report", claims=claims)
    return (folder / "report" / "report.md").read_text(encoding="utf-8")


def test_a_failed_cell_is_not_measured(tmp_path: Path) -> None:
    text = written_report(failed(FOLDER / "testdata" / "bars.json", 2, tmp_path), tmp_path)
    timed, counted = [line for line in text.splitlines()
                      if line.startswith("| queue=heap-dynamic, width=64 |")][:2]
    assert timed.endswith(
        "| not measured: crash after 6 blocks: rank 1 was killed by signal 9 | not measured |")
    assert "| 6 x 2 |" in counted
    assert text.count("rank 1 was killed") == 1 and "1.135" not in text.split("## Claims")[0]
    bullets = text.split("<summary>Not measured (2)")[1].split("</details>")[0]
    assert bullets.count("\n- ") == 2, "what has a row is not said again"


def test_a_disturbed_cell_says_so_beside_its_time(tmp_path: Path) -> None:
    result = load(FOLDER / "testdata" / "bars.json")
    quiet = {"queued_ratio": 0.0, "steal_ratio": 0.0, "clock_ratio": 1.0, "repeated_block_count": 0,
             "disturbed": False, "reason": None}
    result["cells"][0]["disturbance"] = {**quiet, "disturbed": True, "reason": "others had its cores"}
    result["cells"][1]["disturbance"] = quiet
    assert written_report(result, tmp_path).count(", disturbed: others had its cores |") == 1


def test_the_head_says_the_class_of_the_data(tmp_path: Path) -> None:
    result = load(FOLDER / "testdata" / "bars.json")
    assert "; data: " not in written_report(result, tmp_path), "an older result"
    for cell, name in zip(result["cells"], ("same data", "smaller, effect can show", None, "same data")):
        cell["stand_in_class"] = name
    assert "; data: same data, and smaller, effect can show." in written_report(result, tmp_path)


def test_memory_is_shown_beside_the_last_level_cache(tmp_path: Path) -> None:
    result = load(FOLDER / "testdata" / "bars.json")
    result["cells"][1]["working_set"] = {"bytes": 6500000, "last_level_cache_bytes": None,
                                         "ratio": None, "reason": "not pinned"}
    del result["cells"][2]["working_set"]
    text = written_report(result, tmp_path)
    assert "| Accounted / last-level cache |" in text
    assert "| 2.9 of 2 MiB |" in text
    assert "| not available: not pinned |" in text
    older = load(FOLDER / "testdata" / "phases.json")
    assert "last-level" not in written_report(older, tmp_path)


def test_no_ratio_against_a_failed_baseline(tmp_path: Path) -> None:
    text = written_report(failed(FOLDER / "testdata" / "bars.json", 1, tmp_path), tmp_path)
    times = text.split("Time / baseline")[1].split("\n\n")[0]
    assert times.count("| the baseline was not measured |") == 3 and times.count("| baseline |") == 1
    assert "SLOWER" not in times


def test_placements_are_those_that_cells_had(tmp_path: Path) -> None:
    result = load(FOLDER / "testdata" / "bars.json")
    assert "; placement: core:0" in written_report(result, tmp_path)
    for cell, place in zip(result["cells"], ("none", "numa:0", "none", "numa:0")):
        cell["placement"]["requested"] = place
    assert "; placement: none, numa:0; " in written_report(result, tmp_path)
    placement = load(FOLDER / "testdata" / "placement.json")
    assert "core:0, core:1, core:2, core:3" in written_report(placement, tmp_path)


def test_the_head_names_what_the_cells_ran_on(tmp_path: Path) -> None:
    result = load(FOLDER / "testdata" / "bars.json")

    def machine() -> str:
        report.write([result], tmp_path)  # as it is: these cells have no more than names
        text = (tmp_path / "report.md").read_text(encoding="utf-8")
        return next(line for line in text.splitlines() if line.startswith("Machine: "))

    assert machine().startswith("Machine: Fixture(R) Xenon(TM) CPU 9000")
    result["environment"]["gpus"] = [{"name": "Fixture G100"}]
    for cell in result["cells"]:
        cell["gpu"] = {"index": 0, "name": "Fixture G100", "pci_bus_id": "0"}
    assert machine().startswith("Machine: Fixture G100 with Fixture(R) Xenon(TM) CPU 9000")
    result["cells"][0]["gpu"] = None
    assert machine().startswith("Machine: Fixture G100 with Fixture(R) Xenon(TM) CPU 9000")
    for cell in result["cells"]:
        cell["ranks"] = {"places": [{"host": "a", "gpus": [{**cell["gpu"], "pci_bus_id": rank}]}
                                    for rank in "01"] if cell["gpu"] else []}
    assert machine().startswith("Machine: 2 x Fixture G100 with Fixture(R) Xenon(TM) CPU 9000")


def test_libraries_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "noisy").mkdir()
    (tmp_path / "noisy" / "scaling.py").write_text(
        "import logging, warnings\n"
        "def models(result):\n"
        "    warnings.warn('constrained_layout not applied')\n"
        "    logging.getLogger('matplotlib.font_manager').warning('findfont')\n"
        "    return []\n"
        "class Model: pass\n")
    done = subprocess.run(
        [sys.executable, "-c", "import runpy, sys; sys.path.insert(0, sys.argv.pop(1));"
         "import scaling; sys.path.insert(0, sys.argv.pop(1));"
         "sys.argv[0] = 'report.py'; runpy.run_path(sys.path[0] + '/report.py', "
         "run_name='__main__')", tmp_path / "noisy", FOLDER, FILES[0], "-o",
         tmp_path / "out"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_metrics_have_their_units(page: str) -> None:
    assert row_of(page, "about 12 phases: (vertices=updated)") == ["12 [12, 12]", "11, 10 to 14"]
    assert row_of(page, "the second half: (vertices=updated)") == [
        "0.775 [0.775, 0.775]", "0.8, at most 0.9"]
    ours, paper = row_of(page, "conventional")
    assert re.fullmatch(r"0\.11\d+ ms \[0\.1\d+ ms, 0\.1\d+ ms\]", ours) and paper == "107.0 ms"


def test_then_and_now(written: Path) -> None:
    markdown = (written / "report.md").read_text(encoding="utf-8")
    section = markdown.split("### Then and now: fixture2013")[1].split("\n#")[0]
    assert "Then: Oldcard: 13 x 192 cores. Now: Fixture Xenon 9000." in section
    assert "| fixture2013/S2 | about 12 phases: (vertices=updated) | road | 11 | 12 \\[12, 12\\] " \
           "| 1.091 |" in section
    assert "| 107.0 ms | 0.11" in section
    assert "| 0.820 | not measured |  |" in section, "what was not measured has no share"
    assert "fixture2011" not in section
    assert "### Then and now: fixture2011" in markdown


def test_why_a_claim_is_not_testable(page: str) -> None:
    assert "</span>: needs cuda: this build has no CUDA" in page


def test_page_needs_nothing_else(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    images = re.findall(r'<img src="data:image/svg\+xml,([^"]+)" alt="([^"]+)">', page)
    assert len(images) == len(FILES) == page.count("<img")
    for data, alt in images:
        svg = unquote(data)
        links = set(re.findall(r"https?://[^\"'\s<]+", svg))
        assert links <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
        assert len(alt) > 60
    page = re.sub(r'<img src="[^"]+"|(?s:<script>.*?</script>)', "", page)  # the script has licences
    assert "http://" not in page and "https://" not in page
    assert not re.search(r"<(script src|link|iframe)|@import|url\(", page)


def test_figures_data_ends_no_script(tmp_path: Path) -> None:
    result = load(FILES[0])
    hostile = "</script><!--<script>\u2028&"
    result["experiment"]["figure"]["title"] = hostile
    report.write([result], tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "</script><!--" not in page
    [data] = re.findall(r'<script type="application/json">(.*?)</script>', page)
    scene = json.loads(data)
    assert scene["title"] == hostile and len(scene["series"]) == 4
    measured = [point for series in scene["series"] if not series["paper"]
                for point in series["points"]]
    assert len(measured) == 4 and all(point["cell"] for point in measured)


def test_a_page_without_its_script_has_pictures(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "page_script", lambda: "")
    report.write([load(FILES[0])], tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script>" not in page and page.count("<img") == 1


class Balance(HTMLParser):
    """Fails at a closing tag that does not close the innermost open one."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_page_is_well_formed_and_escaped(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    parser = Balance()
    parser.feed(page)
    parser.close()
    assert not parser.open
    assert "<h1>A &lt;title&gt; &amp; more</h1>" in page
    assert "a &lt; b &amp; c" in page


def test_markdown_tables_are_even_and_figures_exist(written: Path) -> None:
    markdown = (written / "report.md").read_text(encoding="utf-8")
    for table in re.findall(r"(?:^\|.*\|\n)+", markdown, flags=re.MULTILINE):
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(counts) == 1
    links = re.findall(r"\]\((figures/[^)]+)\)", markdown)
    assert len(links) == len(FILES)
    for link in links:
        assert (written / link).stat().st_size > 10_000
    assert sorted(links) == sorted(f"figures/{path.name}" for path in
                                   (written / "figures").iterdir()), "no page shows it"


def test_running_twice_changes_nothing(written: Path, tmp_path: Path) -> None:
    def content(folder: Path) -> dict[str, bytes]:
        return {str(path.relative_to(folder)): path.read_bytes()
                for path in folder.rglob("*") if path.is_file()}

    arguments = [*map(str, FILES), "-o", str(tmp_path), "--title", "A <title> & more"]
    assert report.main(arguments) == 0 and report.main(arguments) == 0
    assert content(tmp_path) == content(written)
    assert len(content(tmp_path)) == 2 + len(FILES)  # nothing temporary is left


def test_same_experiment_twice_keeps_both_figures(tmp_path: Path) -> None:
    assert report.main([str(FILES[0]), str(FILES[0]), "-o", str(tmp_path)]) == 0
    assert {path.name for path in (tmp_path / "figures").iterdir()} == {
        "fixture-bars.svg", "fixture-bars-2.svg"}


def test_a_result_without_cells_is_reported(tmp_path: Path) -> None:
    result = load(FILES[0])
    result["cells"], result["comparisons"], result["verdicts"] = [], [], []
    result["experiment"]["baseline"] = None
    path = tmp_path / "empty.json"
    path.write_text(json.dumps(result))
    assert report.main([str(path), "-o", str(tmp_path / "out")]) == 0
    assert "No cell was measured." in (tmp_path / "out" / "report.html").read_text()


def run(*arguments: object, input: str = "", **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(FOLDER / "report.py"), *map(str, arguments)],
                          capture_output=True, text=True, env={**os.environ, **environment},
                          input=input, check=False)


def test_data_comes_over_standard_input(written: Path, tmp_path: Path) -> None:
    data = json.dumps(ask("report", "-f", "json", *FILES))
    done = run("-", "-o", tmp_path, "--title", "A <title> & more", input=data)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "report.md").read_bytes() == (written / "report.md").read_bytes()
    spoilt = json.loads(data)
    spoilt["results"][1]["result"]["cells"][0]["block_count"] = "six"
    done = run("-", "-o", tmp_path / "none", input=json.dumps(spoilt))
    assert (done.returncode, done.stderr) == (
        2, f"report.py: {FILES[1]}: $.cells[0].block_count: 'six' is not of type 'integer'\n")
    del spoilt["results"][1]["result"]
    for other, why in (("", "not JSON"), ("[]", "$: []"),
                       (json.dumps(spoilt), "$.results[1]: 'result' is a required property")):
        done = run("-", "-o", tmp_path / "none", input=other)
        assert done.returncode == 2 and done.stderr.startswith(f"report.py: standard input: {why}")
        assert done.stderr.endswith("; give what 'bellmark report -f json' prints\n")
    assert not (tmp_path / "none").exists()


def test_check_says_valid_or_where_not(tmp_path: Path) -> None:
    spoilt = load(FILES[0])
    spoilt["cells"][0]["block_count"] = "six"
    path = tmp_path / "spoilt.json"
    path.write_text(json.dumps(spoilt))
    done = run("--check", FILES[0])
    assert (done.returncode, done.stdout) == (0, f"{FILES[0]}: valid\n")
    done = run("--check", path, FILES[1])
    assert done.returncode == 2 and done.stderr == ""
    assert done.stdout == (f"{path}: $.cells[0].block_count: 'six' is not of type 'integer'\n"
                           f"{FILES[1]}: valid\n")


def test_bad_input_is_one_line_and_writes_nothing(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"schema": ')
    for arguments in ([broken], [tmp_path / "none.json"], [FILES[0], broken]):
        done = run(*arguments, "-o", tmp_path / "out")
        assert done.returncode == 2 and done.stdout == ""
        assert done.stderr.count("\n") == 1 and done.stderr.startswith("report.py: ")
    assert not (tmp_path / "out").exists()
    done = run(FILES[0])
    assert (done.returncode, done.stderr) == (
        2, "report.py: no folder to write to; add -o DIR\n")


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    target = tmp_path / "file"
    target.write_text("mine")
    done = run(FILES[0], "-o", target)
    assert done.returncode == 7 and done.stderr.count("\n") == 1 and str(target) in done.stderr
    assert target.read_text() == "mine"


def test_missing_package_names_what_to_install(tmp_path: Path) -> None:
    (tmp_path / "jsonschema.py").write_text(
        "raise ModuleNotFoundError('gone', name='jsonschema')\n")
    done = run("--check", FILES[0], PYTHONPATH=str(tmp_path))
    assert done.returncode == 7 and done.stderr.count("\n") == 1
    assert "apt-get install python3-jsonschema" in done.stderr


HOSTILE = "<img src=x onerror=alert(1)>"


def test_hostile_names_are_text(tmp_path: Path) -> None:
    result = by_the_rules(load(FOLDER / "testdata" / "bars.json"))
    result["experiment"].update(id=f"fixture/{HOSTILE}", title=HOSTILE)
    result["environment"].update(cpu_model=HOSTILE, host_name=HOSTILE)
    result["context"]["host_name"] = HOSTILE
    for workload in result["workloads"]:
        workload["graph"] = HOSTILE
    for cell in result["cells"]:
        cell.update(label=HOSTILE + cell["id"], graph=HOSTILE)
    (verdict,) = result["verdicts"]
    for each in (verdict, *verdict["parts"], *(r for p in verdict["parts"] for r in p["measured"])):
        each.update(text=HOSTILE, reason=HOSTILE)
    verdict.update(claim=f"fixture2011/{HOSTILE}", headline=HOSTILE, stand_in=HOSTILE,
                   experiment=result["experiment"]["id"])
    path = tmp_path / f"{HOSTILE}.json"
    path.write_text(json.dumps(result), encoding="utf-8")
    results, claims = load_all([path])
    report.write(results, tmp_path, claims=claims)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<img src=x" not in page and page.count("&lt;img src=x onerror=alert(1)&gt;") > 20
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    outside = re.sub(r"```.*?```", "", markdown, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)<img", outside) and outside.count("\\<img src=x") > 20
    parser = Balance()
    parser.feed(page)
    assert not parser.open


def test_every_link_on_the_page_leads_somewhere(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    ids = re.findall(r' id="([^"]*)"', page)
    links = set(re.findall(r'href="#([^"]*)"', page))
    assert len(ids) == len(set(ids)) and links <= set(ids)
    assert {"board", "claims", "claim-fixture2011-Y3", "experiment-fixture-bars",
            "figure-fixture-bars", "numbers"} <= set(ids)
    assert "claim-fixture2011-Y3" in links and "figure-fixture-bars" in links
    markdown = (written / "report.md").read_text(encoding="utf-8")
    targets = set(re.findall(r"\]\(#([^)]*)\)", markdown))
    assert targets and targets <= set(re.findall(r'<a id="([^"]*)"></a>', markdown))


def test_figures_and_times_are_open_and_all_else_unfolds(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    section = page.split('<section id="experiment-fixture-bars">')[1]
    section = section.split('<section id="experiment-')[0]
    open_part = re.sub(r"<details.*?</details>", "", section, flags=re.DOTALL)
    assert "<figure class=" in open_part and "Time per query, ms" in open_part
    folded = re.findall(r"<details><summary>([^<]*)<", section)
    assert {"Samples, validation and memory", "Variants, queries and placement", "Provenance",
            "Environment", "Specification"} <= set(folded)
    assert not any(name in open_part for name in ("Compiler", "Environment", "certificates"))


@pytest.mark.parametrize("count, is_open", [(0, False), (1, True), (4, True), (5, False)])
def test_a_few_warnings_stand_below_the_times(count: int, is_open: bool, tmp_path: Path) -> None:
    result = load(FOLDER / "testdata" / "bars.json")
    result["warnings"] = [{"text": f"doubt {i}", "action": "look"} for i in range(count)]
    report.write([result], tmp_path)
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert ("\nWarnings:\n" in text) == is_open
    assert (f"<summary>Warnings ({count})</summary>" in text) == (count == 5)
    assert text.count("; look") == count
    if count:
        assert text.index("Time / baseline") < text.index("doubt 0") < text.index("Samples, validation")


def test_a_run_of_named_variants_has_no_specification(tmp_path: Path) -> None:
    result = load(FOLDER / "testdata" / "bars.json")
    result["provenance"]["spec"] = ""
    report.write([result], tmp_path)
    assert "Specification<" not in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_many_times_are_folded(tmp_path: Path) -> None:
    report.write([many(25)], tmp_path)
    assert "<summary>Times of 25 cells</summary>" in (tmp_path / "report.html").read_text("utf-8")
    report.write([many(24)], tmp_path)
    assert "<summary>Times of" not in (tmp_path / "report.html").read_text("utf-8")


def many(count: int) -> Json:
    """A result with this number of cells on an axis, without a figure unless one is set."""
    result = load(FOLDER / "testdata" / "bars.json")
    first = result["cells"][0]
    result["cells"] = [{**first, "id": f"{index:016x}", "label": f"n={index}", "baseline": "0" * 16,
                        "axes": {**first["axes"], "n": index}} for index in range(count)]
    pair = result["comparisons"][0]
    result["comparisons"] = [{**pair, "a": cell["id"], "b": "0" * 16}
                             for cell in result["cells"][1:]]
    result["experiment"].update(figure=None, baseline="0" * 16)
    result.update(verdicts=[], not_measured=[])
    return result


def test_ten_thousand_cells_are_a_page(tmp_path: Path) -> None:
    result = many(10_000)
    result["experiment"]["figure"] = {"kind": "curve", "x": "n"}
    report.write([result], tmp_path)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert ("The first 200 of 10000 are shown. `bellmark table RESULT.json` writes every cell as CSV."
            in page)
    assert "10000 cells are too many for a figure. Narrow it by `where`." in page
    assert ">n=199<" in page and ">n=200<" not in page and "1 graph, 10000 cells" in page


def test_a_claims_card_says_how_to_run_it_again(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    card = page.split('<section id="claim-fixture2011-Y3" class="claim">')[1].split("</section>")[0]
    assert "Result: bars.json." in card and "<pre>bellmark run " in card
    assert 'href="#experiment-fixture-bars"' in card and 'href="#numbers"' in card
    assert "docs/explain/how-claims-are-judged.md" in page.split('<section id="numbers">')[1]
