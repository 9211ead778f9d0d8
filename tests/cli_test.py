"""The finished `bellmark` executable as people and scripts use it.

BELLMARK names the executable; BELLMARK_BROKEN one with the variants of tests/variants, by default
the one beside it in tests/.
"""

import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import time
import tomllib
from pathlib import Path

import jsonschema
import pytest

SOURCE = Path(__file__).resolve().parents[1]
BELLMARK = os.path.abspath(os.environ.get("BELLMARK", SOURCE / "build/release/bellmark"))
BROKEN = os.path.abspath(
    os.environ.get("BELLMARK_BROKEN", Path(BELLMARK).parent / "tests/bellmark_broken")
)
RANK_WORKER = Path(BROKEN).parent / "bellmark-worker-mpi"
NEEDS_MPI = "needs mpi: " + (
    "nothing launches it as ranks: --launcher 'mpirun -n {ranks}'" if RANK_WORKER.exists()
    else "this build has no MPI"
)
GRAPH = "grid:rows=30,columns=30,lengths=uniform:1..100,seed=1"
COMMANDS = ["list", "topology", "doctor", "graph", "spots", "plan", "run", "resume", "compare", "tune", "diagnose",
            "verdict", "report"]

pytestmark = pytest.mark.skipif(
    not os.path.exists(BELLMARK), reason=f"no executable {BELLMARK}; set BELLMARK"
)
needs_broken = pytest.mark.skipif(
    not os.path.exists(BROKEN), reason=f"no executable {BROKEN}; build target bellmark_broken"
)

# The widths are those in which every build has both arities.
EXPERIMENT = f"""
id = "small/arity"
title = "Arities on a small grid"
paper = {{ key = "none", item = "Table 0" }}
variants = ["sssp/dijkstra:arity={{arity}},width=32,distance=64"]
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 2, seed = 1 }}
[axes]
graph = ["{GRAPH}"]
arity = [2, 4]
[run]
placement = "none"
sample_count = 2
memory = true
counters = ["software"]
[quick]
query_count = 1
[[claim]]
id = "N1"
kind = "ratio"
text = "two takes a thousand times as long as four"
numerator = {{ arity = 2 }}
denominator = {{ arity = 4 }}
paper = {{ low = 1000, high = 2000 }}
[[claim]]
id = "N2"
kind = "absolute"
text = "shown"
cells = [{{ where = {{ arity = 2 }}, paper = 1.5 }}]
"""


def bellmark(*words, code=0, exe=BELLMARK, cwd=None, **options):
    """Runs one command and checks its exit code; a failure must say why in one line."""
    done = subprocess.run(
        [exe, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=120, **options
    )
    assert done.returncode == code, f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    if code in (1, 2, 7):
        last = done.stderr.splitlines()[-1]
        assert last.startswith("bellmark: "), done.stderr
        assert "internal error" not in last
        assert len([x for x in done.stderr.splitlines() if x.startswith("bellmark: ")]) == 1
    return done


def fault(*words, code=2, **options):
    return bellmark(*words, code=code, **options).stderr


def load(path):
    with open(path, encoding="utf-8") as stream:
        return json.load(stream)


def results(folder):
    return sorted(Path(folder).rglob("result.json"))


def only_result(folder):
    (path,) = results(folder)
    return load(path)


def journal(run):
    """The finished lines; the one in flight has no newline yet."""
    path = Path(run) / "replicates.jsonl"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def schema(name):
    return load(SOURCE / "harness/schema" / f"{name}.schema.json")


def tuned(**run):
    """EXPERIMENT with keys of [run] set."""
    text = EXPERIMENT
    for key, value in run.items():
        text = re.sub(rf"^{key} = .*\n", "", text, flags=re.M)
        text = text.replace("[run]\n", f"[run]\n{key} = {value}\n")
    return text


def children(pid):
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(word) for word in text.split()]


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError("waited in vain")


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished quick run of EXPERIMENT: its folder."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "small.toml").write_text(EXPERIMENT)
    bellmark("run", "small.toml", "--quick", "-q", cwd=folder)
    (result,) = results(folder)
    return result.parent


@pytest.fixture
def long_run(tmp_path):
    """Starts a run of many short blocks; gives its process and its folder."""
    started = []

    def start(exe=BELLMARK, text=None, *words):
        (tmp_path / "small.toml").write_text(text or tuned(block_count=30, memory="false"))
        process = subprocess.Popen(
            [exe, "run", "small.toml", "-q", *words], cwd=tmp_path,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        started.append(process)
        run = wait_for(lambda: list(tmp_path.glob("runs/small/arity/*/run.json")))[0].parent
        return process, run

    yield start
    for process in started:
        process.kill()
        process.communicate()


# Looking around


def test_help_of_every_command():
    shown = bellmark("--help").stdout
    for command in COMMANDS:
        assert re.search(rf"^  {command}\b", shown, re.M), command
        for flag in ("-h", "--help"):
            assert len(bellmark(command, flag).stdout) > 100
    for command in ("info", "convert", "verify", "make", "get"):
        assert bellmark("graph", command, "-h").stdout
    for command in ("snap", "distances", "map"):
        assert "  bellmark spots" in bellmark("spots", command, "-h").stdout


def test_version():
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", bellmark("--version").stdout)


def test_list():
    shown = bellmark("list").stdout
    assert re.search(r"^sssp/dijkstra  \(\d+ built\)$", shown, re.M)
    assert "  arity=" in shown
    names = bellmark("list", "-v", "sssp/dijkstra:arity=4").stdout.split()
    assert len(names) == 1 and "arity=4" in names[0]
    assert "yasui2011/T4" in bellmark("list", "--experiments").stdout
    bellmark("list", "--graphs")


def test_topology_and_doctor():
    assert bellmark("topology").stdout
    assert json.loads(bellmark("topology", "--json").stdout)
    assert bellmark("doctor").stdout
    assert json.loads(bellmark("doctor", "--json").stdout)


def test_graph_info():
    assert "900" in bellmark("graph", "info", GRAPH).stdout
    assert json.loads(bellmark("graph", "info", GRAPH, "--json").stdout)["vertex_count"] == 900


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_graph_get(tmp_path):
    name = "USA-road-d.NY.gr.gz"
    mirror, folder = tmp_path / "mirror/USA-road-d", tmp_path / "data"
    mirror.mkdir(parents=True)
    whole = (SOURCE / "data/dimacs" / name).read_bytes()
    (mirror / name).write_bytes(whole)

    def get(graph, code=0):
        return bellmark("graph", "get", graph, "--folder", folder, "--from",
                        f"file://{tmp_path}/mirror", code=code).stderr

    # Goes on where it stopped, and when it stopped right at the end.
    for size in (1000, len(whole)):
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "dimacs").mkdir(parents=True)
        (folder / "dimacs" / (name + ".part")).write_bytes(whole[:size])
        assert "264346 vertices, 733846 arcs" in get("dimacs:USA-road-d.NY")
        assert [file.name for file in (folder / "dimacs").iterdir()] == [name]
        assert (folder / "dimacs" / name).read_bytes() == whole
    assert "is there already" in get("dimacs:USA-road-d.NY")

    # Another graph by its name, a damaged one, one that can't be reached.
    (mirror / "USA-road-d.COL.gr.gz").write_bytes(whole)
    assert "it has 264346 vertices" in get("dimacs:USA-road-d.COL", code=2)
    (mirror / "USA-road-d.COL.gr.gz").write_bytes(whole[:-9])
    assert "gzip data ends too early" in get("dimacs:USA-road-d.COL", code=2)
    said = get("dimacs:USA-road-d.W", code=7)
    assert f"as {folder}/dimacs/USA-road-d.W.gr.gz" in said and "15248146 arcs" in said
    assert [file.name for file in (folder / "dimacs").iterdir()] == [name]

    listed = bellmark("graph", "get", "--list").stdout.splitlines()
    assert len(listed) == 24 and listed[0].startswith("dimacs:USA-road-d.NY  264346 vertices")
    assert "did you mean 'dimacs:USA-road-d.NY'?" in get("dimacs:USA-road-d.NYC", code=2)
    assert "name one, or ask for --list" in fault("graph", "get")


def test_spots_snap(tmp_path):
    lines = bellmark("spots", "snap", "--spots", "helsinki", "--roads", "osm:helsinki-d").stdout.splitlines()
    assert lines[0].split() == ["spot", "vertex", "metres", "name"]
    assert lines[1].split(maxsplit=3) == ["0", "2890", "16.0", "Hilton Helsinki Strand"]
    assert [line.split()[0] for line in lines[-4:]] == ["spots", "least", "median", "largest"]
    assert lines[-4].split()[1] == "185"
    said = fault("spots", "snap", "--spots", "andorra", "--roads", "osm:andorra-t")
    assert "'Punta de Romaset'" in said and "snap=3099" in said
    assert "did you mean 'helsinki'?" in fault("spots", "snap", "--spots", "helsinky", "--roads",
                                               "osm:helsinki-d")
    assert "no coordinates" in fault("spots", "snap", "--spots", "helsinki", "--roads", GRAPH)
    (tmp_path / "bad.csv").write_text("name,lon,lat\na,24.9,x\n")
    assert "bad.csv:2: lat 'x' is no number" in fault("spots", "snap", "--spots", tmp_path / "bad.csv",
                                                      "--roads", "osm:helsinki-d")


def test_spots_distances(tmp_path):
    file = tmp_path / "h.bmd"
    done = bellmark("spots", "distances", "spots:helsinki,roads=osm:helsinki-d", "-o", file)
    assert "185 spots: 0.3 MiB" in done.stderr and f"wrote {file}" in done.stderr
    values = dict(re.split(r"  +", line, maxsplit=1) for line in done.stdout.splitlines())
    assert values["spots"] == "185" and values["symmetric"] == "no"
    assert values["unreachable pairs"] == "0"
    assert re.fullmatch(r"\d+\.\d{3} s", values["time"])
    assert re.match(r"\d+ \(spot \d+ to \d+: \d+, back \d+\)", values["largest asymmetry"])

    # The file opens as what it was made from.
    copy = tmp_path / "copy.bmd"
    bellmark("spots", "distances", f"matrix:{file}", "-o", copy)
    assert copy.read_bytes() == file.read_bytes()
    file.write_bytes(file.read_bytes()[:-1])
    assert "its header says" in fault("spots", "distances", f"matrix:{file}", "-o", copy)

    (tmp_path / "one_way.gr").write_text("p sp 3 3\na 1 2 5\na 2 1 6\na 2 3 7\n")
    three = f"spots:random,n=3,roads={tmp_path}/one_way.gr"
    assert "2 pairs of spots are not joined" in fault("spots", "distances", three, "-o", copy)
    shown = bellmark("spots", "distances", three + ",unreachable=largest", "-o", copy).stdout
    assert "2 of 3\n" in shown and "unreachable pairs  2, their spots left out" in shown
    assert "end its name in .bmd" in fault("spots", "distances", three, "-o", tmp_path / "x.txt")
    bellmark("spots", "distances", three, "-o", "/proc/no/x.bmd", code=2)


def test_spots_map(tmp_path):
    file = tmp_path / "map.json"
    words = ["spots", "map", "spots:helsinki,roads=osm:helsinki-d", "-o", file]
    bellmark(*words, "--chosen", "17,3")
    drawn = json.loads(file.read_text())
    assert drawn["chosen"] == [17, 3] and drawn["credit"] == "© OpenStreetMap contributors"
    assert len(drawn["spots"]) == 185 and len(drawn["roads"]) > 5000
    assert drawn["spots"][0] == {"name": "Hilton Helsinki Strand", "longitude_degrees": 24.951581,
                                 "latitude_degrees": 60.177157}
    assert "spot 185 of 185" in fault(*words, "--chosen", "185")
    assert "named twice" in fault(*words, "--chosen", "3,3")
    assert "no places on a map" in fault("spots", "map", "points:n=5", "-o", file)
    assert json.loads(file.read_text()) == drawn, "a refusal leaves the file as it was"
    bellmark("spots", "map", "spots:random,n=50,roads=dimacs:USA-road-d.NY", "-o", file)
    thinned = json.loads(file.read_text())
    assert 50_000 < len(thinned["roads"]) <= 200_000 and len(thinned["spots"]) == 50


def test_spot_distances_are_measured_and_certified(tmp_path):
    bellmark("run", "-v", "distance-matrix/sssp-per-spot:threads=2", "-v",
             "distance-matrix/p2p-per-pair:threads=2", "-g",
             "spots:random,n=20,roads=" + GRAPH, "-c", "none", "--smoke", "--export-json", "r.json",
             cwd=tmp_path)
    result = json.loads((tmp_path / "r.json").read_text())
    assert len(result["cells"]) == 2 and not result["not_measured"]
    for cell in result["cells"]:
        assert cell["validation"]["status"] == "certified", cell["validation"]
        assert cell["batch"] is False


def test_plan_runs_nothing(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    shown = bellmark("plan", "small.toml", "--quick", cwd=tmp_path).stdout
    assert "2 cells in 1 groups, 6 blocks, 1 queries" in shown
    assert "quick: 1 of 2 queries" in shown
    assert "claim N1 (ratio)" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["small.toml"]


def test_plan_adds_up_experiments(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    (tmp_path / "other.toml").write_text(EXPERIMENT)
    shown = bellmark("plan", "small.toml", "other.toml", "--quick", cwd=tmp_path).stdout
    assert shown.splitlines()[-1].startswith("all 2 experiments: 4 cells, about ")
    assert "all 1" not in bellmark("plan", "small.toml", "--quick", cwd=tmp_path).stdout


def test_plan_gives_the_ids_that_run_measures(finished, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    shown = bellmark("plan", "small.toml", "--quick", cwd=tmp_path).stdout
    for cell in load(finished / "result.json")["cells"]:
        assert f"  {cell['id']}  " in shown


# Shards


def shard_file(tmp_path):
    """Two graphs: as many parts of two cells that are compared."""
    other = GRAPH.replace("seed=1", "seed=2")
    (tmp_path / "small.toml").write_text(
        EXPERIMENT.replace(f'graph = ["{GRAPH}"]', f'graph = ["{GRAPH}", "{other}"]')
        .replace('id = "N1"', f'id = "N1"\nwhere = {{ graph = "{GRAPH}" }}'))


def test_shards_are_the_whole(tmp_path):
    shard_file(tmp_path)
    shown = bellmark("plan", "small.toml", "--smoke", cwd=tmp_path).stdout
    found = []
    for index in (1, 2):
        done = bellmark("run", "small.toml", "--smoke", "-q", "--shard", f"{index}/2", "--runs",
                        f"runs{index}", cwd=tmp_path)
        assert f"shard {index}/2: 2 of 4 cells" in done.stdout
        result = only_result(tmp_path / f"runs{index}")
        jsonschema.validate(result, schema("result"))
        assert result["experiment"]["shard"] == {"index": index, "count": 2}
        assert len({cell["graph"] for cell in result["cells"]}) == 1
        assert len(result["workloads"]) == 1
        assert {cell["baseline"] for cell in result["cells"]} <= {
            cell["id"] for cell in result["cells"]}
        found += [cell["id"] for cell in result["cells"]]
        (claim, _) = result["verdicts"]
        absent = "not measured in shard 2/2" in claim["reason"]
        assert absent == (index == 2)
    assert len(set(found)) == 4 and all(f"  {cell}  " in shown for cell in found)
    done = bellmark("report", "-f", "csv", *map(str, tmp_path.glob("runs*/*/*/*/result.json")))
    assert all(cell in done.stdout for cell in found)


def test_a_shard_of_nothing_is_no_failure(tmp_path):
    shard_file(tmp_path)
    for command in ("plan", "run"):
        done = bellmark(command, "small.toml", "--smoke", "--shard", "3/3", cwd=tmp_path)
        assert "shard 3/3: 0 of 4 cells; those that are compared stay together" in done.stdout
    assert not (tmp_path / "runs").exists()
    bellmark("run", "small.toml", "--dry-run", "--shard", "3/3", cwd=tmp_path)


def test_shards_of_several_experiments(tmp_path):
    shard_file(tmp_path)
    (tmp_path / "one.toml").write_text(EXPERIMENT.replace("small/arity", "small/one"))
    done = bellmark("run", "small.toml", "one.toml", "--smoke", "-q", "--shard", "2/2", cwd=tmp_path)
    assert "small/one  " in done.stdout and "shard 2/2: 0 of 2 cells" in done.stdout
    assert only_result(tmp_path)["experiment"]["id"] == "small/arity"


# Experiments and results against their schemas


@pytest.mark.parametrize(
    "path",
    [p for p in sorted((SOURCE / "experiments").rglob("*.toml")) if p.name != "paper.toml"],
    ids=lambda path: f"{path.parent.name}-{path.stem}",
)
def test_shipped_experiments_are_valid(path):
    jsonschema.validate(tomllib.loads(path.read_text(encoding="utf-8")), schema("experiment"))
    bellmark("plan", path)
    bellmark("plan", path, "--quick")


def test_own_experiment_is_valid_and_a_misspelt_one_is_not():
    jsonschema.validate(tomllib.loads(EXPERIMENT), schema("experiment"))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(tuned(block_cuont=6)), schema("experiment"))


def test_quick_result_is_valid(finished):
    result = load(finished / "result.json")
    jsonschema.validate(result, schema("result"))
    assert result["experiment"]["form"] == "quick"
    assert result["experiment"]["block_count"] == 6
    assert len(result["cells"]) == 2
    for cell in result["cells"]:
        wall = cell["wall_ns"]
        assert 0 < wall["ci95_low"] <= wall["median"] <= wall["ci95_high"]
        assert cell["block_count"] == 6 and len(cell["block_medians_ns"]) == 6
        assert cell["validation"]["status"] == "certified"
        assert cell["phases"] and cell["counters"]
        assert cell["gpu_kernels"] is None and cell["gpu_copies"] is None
        assert cell["gpu_kernels_reason"] == "the variant runs on no GPU"
        assert len(cell["memory"]["resident_block_bytes"]) == 6
        construction = cell["construction"]
        assert construction["open_ns"] > 0 and construction["prepare_ns"] > 0
        assert len(construction["prepare_block_ns"]) == 6
    (comparison,) = result["comparisons"][:1]
    assert comparison["ci95_low"] <= comparison["ratio"] <= comparison["ci95_high"]
    assert [v["claim"] for v in result["verdicts"]] == ["none/N1", "none/N2"]
    assert result["verdicts"][0]["verdict"] in ("not reproduced", "direction only", "inconclusive")
    assert result["verdicts"][1]["verdict"] == "shown"
    assert result["provenance"]["spec"] == EXPERIMENT
    assert result["not_measured"] == []


def test_google_benchmarks_compare_can_read_it(finished):
    result = load(finished / "result.json")
    assert result["context"]["json_schema_version"] == 1
    kinds = set()
    for entry in result["benchmarks"]:
        kinds.add(entry["run_type"])
        assert entry["time_unit"] == "ns"
        assert entry["real_time"] >= 0 and entry["cpu_time"] >= 0
        assert entry["name"].startswith(entry["run_name"])
        if entry["run_type"] == "aggregate":
            assert entry["aggregate_name"] in ("mean", "median", "stddev")
    assert kinds == {"iteration", "aggregate"}
    for cell in result["cells"]:
        rows = [e for e in result["benchmarks"]
                if e["run_type"] == "iteration" and e["name"].startswith(cell["variant"] + "/")]
        assert len(rows) == cell["sample_count"] == rows[0]["repetitions"]


def test_same_experiment_same_cells(finished, tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    bellmark("run", "small.toml", "--smoke", "-q", cwd=tmp_path)
    again = only_result(tmp_path)
    before = load(finished / "result.json")
    assert [c["id"] for c in again["cells"]] == [c["id"] for c in before["cells"]]
    assert again["workloads"][0]["queries"] == before["workloads"][0]["queries"]
    assert again["workloads"][0]["facts"] == before["workloads"][0]["facts"]


def test_smoke_has_no_verdict_but_the_same_structure(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    shapes = []
    for _ in range(2):
        shutil.rmtree(tmp_path / "runs", ignore_errors=True)
        shown = bellmark("run", "small.toml", "--smoke", "-q", cwd=tmp_path).stdout
        assert "none/N1  inconclusive" in shown
        result = only_result(tmp_path)
        jsonschema.validate(result, schema("result"))
        assert all(c["wall_ns"]["ci95_low"] is None for c in result["cells"])
        assert {c["outcome"] for c in result["comparisons"]} == {"UNCLEAR"}
        shapes.append([
            [(c["id"], c["label"], c["block_count"], c["sample_count"]) for c in result["cells"]],
            [(c["a"], c["b"]) for c in result["comparisons"]],
            [(v["claim"], v["verdict"]) for v in result["verdicts"]],
            [b["name"] for b in result["benchmarks"]],
        ])
    assert shapes[0] == shapes[1]


def test_ad_hoc_variants_and_exports(tmp_path):
    shown = bellmark(
        "run", "-v", "sssp/dijkstra", "-v", "sssp/boost-dijkstra", "-g", GRAPH, "-c", "none",
        "--smoke", "-q", "--export-json", "r.json", "--export-csv", "r.csv",
        "--export-markdown", "r.md", cwd=tmp_path,
    ).stdout
    assert "result: runs/adhoc/" in shown
    result = load(tmp_path / "r.json")
    jsonschema.validate(result, schema("result"))
    assert result == only_result(tmp_path / "runs")
    assert len(list(csv.DictReader(open(tmp_path / "r.csv", encoding="utf-8")))) == 2
    assert (tmp_path / "r.md").read_text().startswith("## adhoc")


def test_what_was_measured_in_place_of_what_the_file_says(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    other = GRAPH.replace("seed=1", "seed=2")
    bellmark("run", "small.toml", "--smoke", "-q", "-g", other, "-a", "arity=2,4", cwd=tmp_path)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    assert result["experiment"]["stand_in"] == f"{other} instead of the experiment's graph"
    assert f"-g: graph {other} instead of {GRAPH}" in result["experiment"]["cuts"]
    shown = bellmark("plan", "small.toml", "-v", "sssp/dijkstra:arity={arity},extract=top-down",
                     cwd=tmp_path).stdout
    assert ("\n  stand-in: sssp/dijkstra:arity={arity},extract=top-down instead of the experiment's "
            "variants\n") in shown
    assert "stand-in" not in bellmark("plan", "small.toml", "-a", "arity=2", cwd=tmp_path).stdout


def test_another_graph_for_a_whole_paper(tmp_path):
    shown = bellmark("plan", "yasui2011/table25", "yasui2011/figure7", "--quick", "-g", GRAPH).stdout
    assert "-g: without axis i, which only the experiment's own graphs mention" in shown
    assert "-g: without axes i, scale, which" in shown
    assert shown.count(f"stand-in: {GRAPH} instead of the experiment's graph") == 2


def test_cuts_of_the_ranks_of_figure_12():
    shown = bellmark("plan", "hiragushi2013/figure12-ranks", "--smoke").stdout
    assert "smoke: scale 14..17 instead of 19..24" in shown
    assert "smoke: 4 of 6 values of axis ranks" in shown
    assert "stand-in: ranks of 2^14 vertices" in shown
    shown = bellmark("plan", "hiragushi2013/figure12-ranks", "--smoke", "-a", "scale=14,15",
                     "-a", "ranks=1,2", "-c", "none").stdout
    assert "-a: scale 14, 15 instead of 19..24" in shown
    assert "-a: 2 of 6 values of axis ranks" in shown
    assert "-c: placement none instead of core:all" in shown
    assert "smoke: " not in shown.replace("smoke: 8 of 64 queries", "").replace("smoke: 1 block", "")


def test_dry_run_writes_nothing(tmp_path):
    bellmark("run", "-v", "sssp/dijkstra", "-g", GRAPH, "--dry-run", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []


# Stored results


def test_report_formats(finished):
    result = load(finished / "result.json")
    rows = list(csv.DictReader(io.StringIO(bellmark("report", "-f", "csv", finished).stdout)))
    assert [row["cell"] for row in rows] == [cell["id"] for cell in result["cells"]]
    assert float(rows[0]["wall_ns_median"]) == result["cells"][0]["wall_ns"]["median"]
    markdown = bellmark("report", "-f", "markdown", finished / "result.json").stdout
    assert "| none/N1 |" in markdown and "## small/arity: " in markdown
    console = bellmark("report", "-f", "console", finished).stdout
    assert "arity=2" in console and "none/N1" in console
    assert fault("report", "-f", "xml", finished)


def test_a_cell_that_failed_half_way_is_not_measured(finished, tmp_path):
    result = load(finished / "result.json")
    for cell in result["cells"]:
        failed = json.loads(json.dumps(result))
        failed["not_measured"].append({"cell": cell["id"], "variant": cell["variant"],
                                       "axes": cell["axes"], "code": "crash",
                                       "reason": "rank 1 was killed by signal 9"})
        for comparison in failed["comparisons"]:
            comparison["outcome"] = "SLOWER"
        path = tmp_path / f"{cell['label']}.json"
        path.write_text(json.dumps(failed))
        why = "crash after 6 blocks: rank 1 was killed by signal 9"
        console = bellmark("report", "-f", "console", path).stdout.split("Claims")[0]
        assert f"  {cell['label']}  {why}\n" in console and "SLOWER" not in console
        markdown = bellmark("report", "-f", "markdown", path).stdout
        assert f"| {cell['label']} | {why} | " in markdown and "SLOWER" not in markdown
        assert markdown.count("killed by signal 9") == 1
        rows = csv.DictReader(io.StringIO(bellmark("report", "-f", "csv", path).stdout))
        for row in rows:
            is_failed = row["cell"] == cell["id"]
            assert (row["wall_ns_median"] == "") == is_failed and row["baseline_ratio"] == ""
            assert row["not_measured_code"] == ("crash" if is_failed else "")
        done = bellmark("compare", finished, path)
        assert f"{cell['label']}: after: {why}\n" in done.stdout
        assert done.stdout.count("1.000 [") == len(result["cells"]) - 1


def test_all_results_below_a_folder(finished, tmp_path):
    for name in ("b/later", "a/first"):
        (tmp_path / "runs" / name).mkdir(parents=True)
        result = load(finished / "result.json")
        result["experiment"]["id"] = name
        (tmp_path / "runs" / name / "result.json").write_text(json.dumps(result))
    (tmp_path / "runs/unfinished").mkdir()
    console = bellmark("report", "-f", "console", tmp_path / "runs").stdout
    assert 0 <= console.find("a/first") < console.find("b/later")
    assert "none/N1" in bellmark("verdict", tmp_path / "runs").stdout
    for command in ("report", "verdict"):
        assert "there is no result.json in it or in the folders below" in fault(
            command, tmp_path / "runs/unfinished")


def test_verdict_of_results_without_claims(finished, tmp_path):
    result = load(finished / "result.json")
    result["provenance"]["spec"] = EXPERIMENT.split("[[claim]]")[0]
    (tmp_path / "result.json").write_text(json.dumps(result))
    said = bellmark("verdict", tmp_path).stdout
    assert said == "no claims: nothing in these results is judged\n"


def test_compare_takes_results_or_flags_of_a_run(finished):
    assert "--variant with two results" in fault("compare", finished, finished, "-v", "sssp/dijkstra")
    assert "--graph with two results" in fault("compare", finished, finished, "-g", GRAPH)
    assert "try: bellmark compare -v" in fault("compare")
    bellmark("compare", finished, finished, "-q", "--strict")


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


def test_compare_with_itself(finished, tmp_path):
    shown = bellmark("compare", finished, finished).stdout
    assert "arity=2" in shown and "1.000 [" in shown
    fault("compare", finished)
    variant = "sssp/dijkstra:arity=4"
    shown = bellmark("compare", "-v", variant, "-v", variant, "-g", GRAPH, "-c", "none", "--quick",
                     "--queries", 1, "-q", cwd=tmp_path).stdout
    assert "baseline" in shown


def test_compare_variants(tmp_path):
    shown = bellmark("compare", "-v", "sssp/yasui2011:2-heap", "-v", "sssp/dijkstra", "-g", GRAPH,
                     "-c", "none", "--quick", "--queries", 1, "-q", cwd=tmp_path).stdout
    assert "baseline" in shown and re.search("SAME|FASTER|SLOWER|UNCLEAR", shown)
    assert len(results(tmp_path)) == 1


# Bad input


@pytest.mark.parametrize(
    "words, said",
    [
        (["runn"], "did you mean 'run'?"),
        (["run"], "nothing to do"),
        (["run", "--no-such-flag"], "no-such-flag"),
        (["run", "-v", "sssp/dijkstr", "-g", GRAPH], "did you mean 'sssp/dijkstra'?"),
        (["run", "-v", "sssp/dijkstra:arty=4", "-g", GRAPH], "did you mean 'arity'?"),
        (["run", "-v", "sssp/dijkstra:queue=haep", "-g", GRAPH], "heap"),
        (["run", "-v", "sssp/dijkstra:arity=99", "-g", GRAPH], "2..32"),
        (["run", "-v", "sssp/dijkstra", "-g", "dimacs:USA-road-d.NX"], "USA-road-d.NX"),
        (["run", "-v", "sssp/dijkstra", "-g", "no/such.gr"], "no/such.gr"),
        (["run", "-v", "sssp/dijkstra", "-g", "grid:rows=3,colums=3"], "colums"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "cpre:0"], "cpre"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "core:9999"], "9999"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-a", "arity=[8:2]"], "arity=[8:2]"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-a", "arty=2,4"], "did you mean 'arity'?"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--budget", "soon"], "soon"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--queries", "0"],
         "--queries: '0' is not a whole number from 1 on"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--seed", "-1"], "'-1' is not a whole number from 0 on"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--timeout", "0"], "'0' is not a number above 0"),
        (["tune", "-v", "sssp/dijkstra", "-g", GRAPH, "--timeout", "0"], "'0' is not a number above 0"),
        *[(["run", "-v", "sssp/dijkstra", "-g", GRAPH, form, "--counters", "foo"],
           "counter group 'foo': not known; known: branches, cache, cachegrind, ")
          for form in ("--smoke", "--dry-run")],
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-a", "arity=2,4", "-a", "arity=8"],
         "-a arity=8: axis 'arity' has values already, from -a arity=2,4; write all its values in one"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-a", "graph=B"],
         f"-a graph=B: axis 'graph' has values already, from -g {GRAPH}"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "core:0", "-a", "placement=core:1"],
         "-a placement=core:1: axis 'placement' has values already, from -c core:0"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--quick", "--smoke"], "--quick"),
        *[(["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--shard", shard],
           f"--shard {shard}: is no part of a whole; write which of how many, counted from 1")
          for shard in ("0/4", "5/4", "x", "2", "1/0")],
        (["run", "yasui2011/tabel4"], "did you mean 'yasui2011/table4'?"),
        (["run", "misspelt.toml"], "misspelt.toml:13: unknown key 'run.block_cuont'; did you mean"),
        (["run", "syntax.toml"], "syntax.toml:2: not valid TOML"),
        (["plan", "misspelt.toml"], "misspelt.toml:13"),
        (["compare", "-v", "sssp/dijkstra", "-v", "sssp/dijkstr", "-g", GRAPH], "did you mean"),
        (["compare", "-v", "sssp/dijkstra", "-g", "no/such.gr"], "no/such.gr"),
        (["tune", "-g", GRAPH], "--variant"),
        (["tune", "-v", "sssp/dijkstr", "-g", GRAPH], "did you mean 'sssp/dijkstra'?"),
        (["tune", "-v", "sssp/*", "-g", GRAPH], "tune searches one"),
        (["tune", "-v", "sssp/dijkstra", "-g", GRAPH], "declares no key tunable"),
        (["tune", "-v", "sssp/dijkstra", "-p", "arty", "-g", GRAPH], "did you mean 'arity'?"),
        (["tune", "-v", "sssp/dijkstra", "-p", "arity,arity", "-g", GRAPH], "named twice"),
        (["tune", "-v", "sssp/dijkstra:queue=dial", "-p", "arity", "-g", GRAPH], "does not apply"),
        (["tune", "-v", "sssp/dijkstra", "-p", "arity", "-g", "no/such.gr"], "no/such.gr"),
        (["tune", "-v", "sssp/dijkstra", "-p", "arity", "-g", GRAPH, "--budget", "soon"], "soon"),
        (["tune", "-v", "sssp/dijkstra", "-p", "arity", "-g", GRAPH, "--queries", "0"], "--queries"),
        (["tune", "-v", "sssp/dijkstra", "-p", "arity", "-g", GRAPH, "-c", "core:9999"], "9999"),
        (["tune", "-v", "sssp/dijkstra", "-p", "arity", "-g", GRAPH, "-o", "none/t.toml"], "none"),
        (["resume", "no/such/run"], "no/such/run"),
        (["resume"], "holds no unfinished run"),
        (["resume", "--budget", "soon"], "soon"),
        (["resume", "--budget", "1e300h"], "1e300h"),
        (["graph", "info", "no/such.gr"], "no/such.gr"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input(words, said, tmp_path):
    (tmp_path / "misspelt.toml").write_text(tuned(block_cuont=6))
    (tmp_path / "syntax.toml").write_text("id = 'x'\nthis is no TOML\n")
    assert said in fault(*words, cwd=tmp_path)
    assert not (tmp_path / "runs").exists(), "a run was begun"


def test_run_folder_that_is_damaged(finished, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    text = (finished / "run.json").read_text()
    for damaged in ("", text[: len(text) // 2], "{}", "[]"):
        (run / "run.json").write_text(damaged)
        fault("resume", run)


def test_result_that_is_damaged_deep_inside(finished, tmp_path):
    result = load(finished / "result.json")
    damaged = tmp_path / "result.json"
    for spoil in (
        lambda r: r["cells"][0].pop("label"),
        lambda r: r["cells"][0].update(wall_ns=7),
        lambda r: r["comparisons"][0].update(ratio="fast"),
        lambda r: r["verdicts"][0].pop("verdict"),
    ):
        spoilt = json.loads(json.dumps(result))
        spoil(spoilt)
        damaged.write_text(json.dumps(spoilt))
        assert "damaged" in fault("report", "-f", "console", damaged)


def test_exports_are_refused_before_anything_is_measured(tmp_path):
    words = ["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--runs", tmp_path / "runs"]
    for flag in ("--export-json", "--export-csv", "--export-markdown"):
        assert "folder" in fault(*words, flag, tmp_path / "none" / "file")
        assert "folder" in fault(*words, flag, tmp_path)
    (tmp_path / "file").write_text("")
    assert "folder" in fault(*words, "--report", tmp_path / "file")
    assert not (tmp_path / "runs").exists(), "a run was begun"


# The machine fails


def test_runs_folder_that_can_not_be_made(tmp_path):
    words = ["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "none", "--smoke", "--runs"]
    # Nobody can make a folder there, not even root.
    assert "--runs" in fault(*words, "/proc/bellmark", code=7)
    (tmp_path / "file").write_text("")
    fault(*words, tmp_path / "file", code=7)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_runs_folder_without_permission(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o555)
    fault("run", "-v", "sssp/dijkstra", "-g", GRAPH, "--smoke", "--runs", tmp_path / "closed",
          code=7)


@pytest.mark.parametrize("blocks", [1, 4, 16, 32])
def test_full_disk(tmp_path, blocks):
    """A file size limit of a few KiB stands for a full disk: run.json, the journal or the result
    doesn't fit."""
    (tmp_path / "small.toml").write_text(tuned(sample_count=30, block_count=6))
    words = ["run", "small.toml", "-q", "--queries", 2]
    limited = ["bash", "-c", f'ulimit -f {blocks}; exec "$0" "$@"', BELLMARK]
    done = subprocess.run([*limited, *map(str, words)], cwd=tmp_path, capture_output=True,
                          text=True, timeout=60)
    assert done.returncode == 7, done
    (line,) = done.stderr.splitlines()
    assert line.startswith("bellmark: ") and "File too large" in line
    assert results(tmp_path) == []
    assert [p.name for p in tmp_path.rglob("*.tmp-*")] == []
    for run in tmp_path.glob("runs/small/arity/*"):
        if not (run / "run.json").exists():
            continue
        text = (run / "replicates.jsonl").read_text()
        assert text == "" or text.endswith("\n")
        before = len(journal(run))
        bellmark("resume", run, "-q")
        tasks = [line["task"] for line in journal(run)]
        assert len(tasks) == len(set(tasks)) >= before
        jsonschema.validate(load(run / "result.json"), schema("result"))


# Kills and signals


def test_kill_of_the_supervisor(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 3)
    (worker,) = wait_for(lambda: children(process.pid))
    process.kill()
    process.wait()
    wait_for(lambda: not is_running(worker))
    before = journal(run)
    assert not (run / "result.json").exists()

    bellmark("resume", "-q", cwd=run.parents[3])
    after = journal(run)
    assert after[: len(before)] == before
    tasks = [line["task"] for line in after]
    assert len(tasks) == len(set(tasks)) == 30 + 2
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    assert [c["block_count"] for c in result["cells"]] == [30, 30]
    assert result["not_measured"] == []
    # Once finished, nothing is measured again.
    assert "finished already" in bellmark("resume", run).stderr
    assert journal(run) == after


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_and_resume(long_run, number):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 2)
    (worker,) = wait_for(lambda: children(process.pid))
    process.send_signal(number)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert said == f"bellmark: interrupted; go on with: bellmark resume {run.relative_to(run.parents[3])}\n"
    assert not is_running(worker)
    assert not (run / "result.json").exists()
    bellmark("resume", run, "-q")
    tasks = [line["task"] for line in journal(run)]
    assert len(tasks) == len(set(tasks)) == 32


def test_resume_with_a_budget_ends_the_run_with_what_was_measured(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 7)
    process.send_signal(signal.SIGINT)
    process.wait()
    before = journal(run)
    bellmark("resume", run, "-q", "--budget", "0.001s")
    assert journal(run) == before
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    cuts = result["experiment"]["cuts"]
    assert f"stopped after {len(before)} of 32 replicates" in cuts
    assert [c["block_count"] for c in result["cells"]] == [len(before)] * 2
    assert "finished already" in bellmark("resume", run).stderr


def test_a_run_is_ended_without_its_graph(long_run, tmp_path):
    graph = tmp_path / "mine.gr"
    bellmark("graph", "convert", GRAPH, graph)
    text = tuned(block_count=30, memory="false")
    process, run = long_run(text=text.replace(GRAPH, str(graph)))
    wait_for(lambda: len(journal(run)) >= 7)
    process.send_signal(signal.SIGINT)
    process.wait()
    graph.unlink()
    assert "mine.gr" in bellmark("resume", run, "-q", code=2).stderr
    before = journal(run)
    bellmark("resume", run, "-q", "--end")
    assert journal(run) == before
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    assert f"stopped after {len(before)} of 32 replicates" in result["experiment"]["cuts"]
    assert [c["block_count"] for c in result["cells"]] == [len(before)] * 2
    assert result["workloads"][0]["facts"]["vertex_count"] == 900


def test_a_run_is_run_by_one_process(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 1)
    process.send_signal(signal.SIGSTOP)  # it must not be finished before the others have asked
    for _ in range(2):
        assert f"is being run by another process (pid {process.pid} on " in fault("resume", run)
    assert "holds no unfinished run but what other" in fault("resume", cwd=run.parents[3])
    # An older one that nobody runs is gone on with.
    older = run.parent / "20010101T000000Z-00000000"
    older.mkdir()
    shutil.copy(run / "run.json", older)
    bellmark("resume", "-q", cwd=run.parents[3])
    assert (older / "result.json").exists()
    process.kill()
    process.wait()
    bellmark("resume", run, "-q")


def test_resume_when_the_graph_is_another(long_run, tmp_path):
    """The graph's name stays: blocks of two graphs must not get into one result."""
    def make(seed):
        bellmark("graph", "convert", GRAPH.replace("seed=1", f"seed={seed}"), tmp_path / "my.gr")
    make(1)
    process, run = long_run(BELLMARK, tuned(block_count=30, memory="false").replace(GRAPH, "my.gr"))
    wait_for(lambda: len(journal(run)) >= 2)
    process.kill()
    process.wait()
    before = (run / "replicates.jsonl").read_text()
    make(2)
    said = fault("resume", run, "-q", cwd=tmp_path)
    assert re.search(r"my\.gr: is not the graph that this run began with \(digest \w+, now \w+\); "
                     "start a new run", said)
    assert (run / "replicates.jsonl").read_text().startswith(before.rpartition("\n")[0])
    make(1)
    bellmark("resume", run, "-q", cwd=tmp_path)
    assert only_result(tmp_path)["not_measured"] == []


@needs_broken
def test_resume_of_damage_and_by_another_build(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 4)
    process.kill()
    process.wait()
    lines = (run / "replicates.jsonl").read_text().splitlines(keepends=True)
    (run / "replicates.jsonl").write_text("".join([lines[0], "x" + lines[1], *lines[2:]]))
    # A folder from before digests were kept is gone on with.
    begun = load(run / "begun.json")
    (run / "begun.json").write_text(json.dumps({"builds": begun["builds"]}))
    said = bellmark("resume", run, "-q", exe=BROKEN).stderr
    assert re.search(r"^bellmark: .*replicates\.jsonl:2: is damaged; .*measured again$", said, re.M)
    assert "bellmark: 2 builds of Bellmark had a part in this run" in said
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    assert "2 builds of Bellmark had a part in this run" in [w["text"] for w in result["warnings"]]
    assert [c["block_count"] for c in result["cells"]] == [30, 30]


def test_kill_of_a_worker(long_run):
    process, run = long_run()
    wait_for(lambda: len(journal(run)) >= 2)
    (worker,) = wait_for(lambda: children(process.pid))
    os.kill(worker, signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    result = load(run / "result.json")
    jsonschema.validate(result, schema("result"))
    lines = journal(run)
    tasks = [line["task"] for line in lines]
    assert len(tasks) == len(set(tasks))
    failed = [line["failed"] for line in lines if "failed" in line]
    if failed:  # the worker was on one cell alone
        (entry,) = result["not_measured"]
        assert entry["code"] == "crash" and "signal 9" in entry["reason"]
        assert process.returncode == 4
    else:  # it was sampling both: each goes on alone
        assert [line for line in lines if "isolated_group" in line]
        assert "one by one" in said
        assert process.returncode == 0
    others = [c for c in result["cells"] if c["id"] not in [f["cell"] for f in failed]]
    assert others and all(c["block_count"] == 30 for c in others)


# Processes at once


def together(placement="none", **run):
    """EXPERIMENT as one and as two processes."""
    text = tuned(memory="false", placement=f'"{placement}"', **run)
    return text.replace("[axes]\n", "[axes]\nprocesses = [1, 2]\n")


def test_processes_at_once(tmp_path):
    (tmp_path / "small.toml").write_text(together())
    jsonschema.validate(tomllib.loads(together()), schema("experiment"))
    bellmark("run", "small.toml", "--quick", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    for cell in result["cells"]:
        count = cell["axes"]["processes"]
        assert cell["process_count"] == count and cell["wall_ns"]["median"] > 0
        assert cell["validation"]["status"] == "certified"
        if count == 1:
            assert cell["processes"] is None
            continue
        times = cell["processes"]
        assert [len(block) for block in times["block_ns"]] == [2] * 6
        assert 0 < times["least_ns"] <= times["median_ns"] <= times["largest_ns"]
        assert times["largest_ns"] == pytest.approx(cell["wall_ns"]["median"])
        assert {text.split(":")[0] for text in cell["placement"]["observed"]} == {
            "process 0", "process 1"}


def test_a_pair_that_the_machine_lacks_is_a_reason(tmp_path):
    words = [f"pair:{name}" for name in ("shared-l2", "same-package", "other-package")]
    lacking = [w for w in words if "none" in bellmark("topology").stdout.split(w)[1].split("\n")[0]]
    if not lacking:
        pytest.skip("this machine has pairs of every class")
    done = bellmark("run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", lacking[0], "-q",
                    cwd=tmp_path, code=77)
    (entry,) = only_result(tmp_path)["not_measured"]
    assert entry["code"] == "unmet-need" and "here" in entry["reason"]
    assert entry["reason"] in done.stdout


def test_kill_of_one_ends_its_group_and_not_the_run(long_run):
    process, run = long_run(BELLMARK, together(block_count=30, seconds_per_process=0.05,
                                               sample_count=1000000))
    pair = wait_for(lambda: len(children(process.pid)) == 2 and children(process.pid))
    os.kill(pair[1], signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == 4
    assert not any(map(is_running, pair))
    result = load(run / "result.json")
    (entry,) = result["not_measured"]
    assert entry["code"] == "crash" and "signal 9" in entry["reason"]
    assert all(c["block_count"] == 30 for c in result["cells"] if c["id"] != entry["cell"])


def test_diagnose(tmp_path):
    done = bellmark("diagnose", "-g", GRAPH, "--quick", "--queries", 2, "-q", cwd=tmp_path)
    bandwidth, search = [load(path) for path in results(tmp_path)]
    for result in (bandwidth, search):
        jsonschema.validate(result, schema("result"))
    assert bandwidth["diagnosis"] is None
    read = [c for c in bandwidth["cells"] if c["wall_ns"]]
    assert len(read) >= 4 and "doubles/cycle" in done.stdout
    assert all((c["doubles_per_cycle"] is None) == (c["core_clock"]["estimated_mhz"] is None)
               for c in read)
    (finding,) = search["diagnosis"]["findings"]
    assert [i["table"] for i in finding["inputs"]] == ["Table 7"] + 3 * ["Table 10"]
    for entry in finding["inputs"]:
        assert (entry["change"] == "not measured") == (entry["ratio"] is None)
        assert entry["ratio"] is not None or entry["reason"]
    assert finding["conclusion"] in done.stdout
    known = {"changed", "unchanged"}
    if not known & {i["change"] for i in finding["inputs"]}:
        assert len(finding["candidates"]) == 4 and finding["would_decide"]


def test_cachegrind_is_a_source_of_its_own(tmp_path):
    bellmark("run", "-v", "sssp/dijkstra", "-g", "grid:rows=20,columns=20,seed=1", "-c", "none",
             "--quick", "--queries", 1, "--counters", "cachegrind", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    counters = {c["name"]: c for c in result["cells"][0]["counters"]}
    assert {c["group"] for c in counters.values()} == {"cachegrind (simulated)"}
    if not shutil.which("valgrind") or "-fsanitize" in result["provenance"]["flags"]:
        assert all(c["value"] is None and "valgrind" in c["reason"] for c in counters.values())
        return
    assert counters["instructions"]["value"] > 400 * 4
    assert counters["data-accesses"]["value"] > counters["d1-misses"]["value"] >= 0
    assert not list(tmp_path.rglob("cachegrind.out"))


@pytest.mark.parametrize("words, said", [
    (["-v", "sssp/nothing"], "sssp/nothing"),
    (["-g", "no-such-graph"], "no-such-graph"),
    (["-g", "it's"], "character"),
    (["--budget", "soon"], "duration 'soon'"),
    (["--export-json", "x.json"], "one experiment"),
])
def test_diagnose_refuses(words, said, tmp_path):
    assert said in fault("diagnose", "-q", *words, cwd=tmp_path)
    assert results(tmp_path) == []


# Broken variants, each dropped in as one file


def broken_run(tmp_path, code, *words):
    tmp_path.mkdir(exist_ok=True)
    done = bellmark("run", "-g", GRAPH, "-c", "none", "--quick", "--queries", 2, "-q", *words,
                    exe=BROKEN, cwd=tmp_path, code=code)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    return done, result


def entry_of(result, family):
    (entry,) = [e for e in result["not_measured"] if e["variant"].startswith(family)]
    return entry


def good_cell(result):
    (cell,) = [c for c in result["cells"] if c["variant"].startswith("sssp/dijkstra")]
    assert cell["block_count"] == 6 and cell["wall_ns"]["median"] > 0
    assert cell["validation"]["status"] == "certified"
    return cell


@needs_broken
def test_broken_variants_are_listed():
    shown = bellmark("list", exe=BROKEN).stdout
    for name in ("wrong-distance", "wrong-predecessor", "crash", "late-crash", "hang", "needs-mpi",
                 "tunable"):
        assert f"sssp/{name}  (1 built)" in shown
    assert "wrong-distance" not in bellmark("list").stdout


@needs_broken
@pytest.mark.parametrize("fault_kind", ["distance", "predecessor"])
def test_wrong_answer(tmp_path, fault_kind):
    done, result = broken_run(tmp_path, 3, "-v", "sssp/dijkstra", "-v", f"sssp/wrong-{fault_kind}")
    entry = entry_of(result, f"sssp/wrong-{fault_kind}")
    assert entry["code"] == "wrong-answer"
    assert re.search(r"query 1: .*vertex 900\b", entry["reason"]), entry
    assert "wrong-answer: query 1: " in done.stdout
    (cell,) = [c for c in result["cells"] if c["id"] == entry["cell"]]
    assert cell["validation"]["status"] == "wrong" and cell["wall_ns"] is None
    assert result["comparisons"] == []
    good_cell(result)


@needs_broken
def test_crash(tmp_path):
    _, result = broken_run(tmp_path, 4, "-v", "sssp/crash", "-v", "sssp/dijkstra")
    entry = entry_of(result, "sssp/crash")
    assert entry["code"] == "crash" and "signal 11" in entry["reason"]
    good_cell(result)


@needs_broken
def test_crash_while_cells_are_sampled_together(tmp_path):
    done, result = broken_run(tmp_path, 4, "-v", "sssp/late-crash", "-v", "sssp/dijkstra")
    assert "one by one" in done.stderr
    assert entry_of(result, "sssp/late-crash")["code"] == "crash"
    good_cell(result)


@needs_broken
def test_resume_after_cells_were_isolated_measures_nothing_twice(long_run):
    text = tuned(block_count=12, memory="false", sample_count=4).replace(
        'variants = ["sssp/dijkstra:arity={arity},width=32,distance=64"]',
        'variants = ["sssp/dijkstra", "sssp/late-crash"]',
    ).replace("arity = [2, 4]\n", "").split("[[claim]]")[0]
    process, run = long_run(BROKEN, text)
    wait_for(lambda: [line for line in journal(run) if "failed" in line])
    process.kill()
    process.wait()
    bellmark("resume", run, "-q", exe=BROKEN, code=4)
    tasks = [line["task"] for line in journal(run)]
    assert len(tasks) == len(set(tasks))
    result = load(run / "result.json")
    assert [c["block_count"] for c in result["cells"]] == [12, 0]


@needs_broken
def test_hang(tmp_path):
    _, result = broken_run(tmp_path, 4, "-v", "sssp/dijkstra", "-v", "sssp/hang", "--timeout", 2)
    entry = entry_of(result, "sssp/hang")
    assert entry["code"] == "timeout" and "2 s" in entry["reason"]
    good_cell(result)


def negative_run(folder, lengths):
    graph = f"random:n=60,m=400,seed=3,lengths={lengths}"
    bellmark("run", "-v", "sssp/bellman-ford", "-v", "sssp/bellman-ford-queue", "-v", "sssp/dijkstra",
             "-v", "sssp/auto", "-g", graph, "-c", "none", "--quick", "--queries", 2, "-q",
             cwd=folder)
    result = only_result(folder)
    jsonschema.validate(result, schema("result"))
    assert {e["variant"].split(":")[0]: e["code"] for e in result["not_measured"]} == {
        "sssp/dijkstra": "unmet-need", "sssp/auto": "unmet-need"}
    measured = [c for c in result["cells"] if c["wall_ns"]]
    assert len(measured) == 2
    assert all(c["validation"]["status"] == "certified" for c in measured)
    return result, measured


def test_negative_lengths(tmp_path):
    result, measured = negative_run(tmp_path, "potential:-300..1000")
    reason = entry_of(result, "sssp/dijkstra")["reason"]
    least = result["workloads"][0]["facts"]["least_length"]
    assert least < 0
    assert reason == f"needs non-negative: the graph has negative lengths, the least is {least}"
    assert result["workloads"][0]["facts"]["negative_cycle"] == "none"
    assert all(c["answers"] == [] for c in measured)


def test_negative_cycle_is_an_answer(tmp_path):
    result, measured = negative_run(tmp_path, "uniform:-50..50")
    assert result["workloads"][0]["facts"]["negative_cycle"] == "present"
    for cell in measured:
        assert len(cell["answers"]) == 2
        for answer in cell["answers"]:
            assert answer["negative_cycle_length"] < 0 < answer["negative_cycle_arc_count"]


def test_traversed_edges_per_second(tmp_path):
    out = bellmark("run", "-v", "bfs/hybrid", "-g", "kronecker:scale=8", "--queries", 3, "--smoke",
                   "--export-json", "b.json", cwd=tmp_path)
    assert "GTEPS" in out.stdout
    (cell,) = load(tmp_path / "b.json")["cells"]
    edges = [answer["traversed_edge_count"] for answer in cell["answers"]]
    assert len(edges) == 3 and min(edges) > 0
    assert len(set(edges)) == 1, "all sources are of one component"
    # One pass: its sample is the sum of the three times.
    (sample,) = cell["samples_ns"][0]
    teps = cell["teps"]
    assert teps["harmonic_mean"]["median"] == pytest.approx(3 * edges[0] / (sample * 1e-9))
    assert teps["median"]["ci95_low"] is None and "fewer than 6" in teps["median"]["reason"]


@needs_broken
def test_unmet_need(tmp_path):
    _, result = broken_run(tmp_path, 77, "-v", "sssp/needs-mpi")
    entry = entry_of(result, "sssp/needs-mpi")
    assert entry["code"] == "unmet-need"
    assert entry["reason"] == NEEDS_MPI


@needs_broken
def test_need_of_cuda_is_met_or_said(tmp_path):
    """The variant computes on the CPU, so that a GPU is all that it can lack."""
    done = subprocess.run([BROKEN, "run", "-v", "sssp/needs-cuda", "-g", GRAPH, "-c", "none",
                           "--quick", "--queries", "2", "-q"], cwd=tmp_path, timeout=120)
    assert done.returncode in (0, 77)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    (cell,) = result["cells"]
    energy = cell["energy"]
    assert (energy["gpu_energy_j"] is None) == (energy["reason"] is not None)
    if done.returncode == 77:
        assert re.match("needs cuda: .*CUDA", entry_of(result, "sssp/needs-cuda")["reason"])
        assert cell["gpu"] is None and energy["reason"]
    else:
        assert cell["block_count"] == 6
        assert cell["gpu"]["clock_sm_mhz_low"] or cell["gpu"]["reason"]
        assert result["environment"]["gpus"] or cell["gpu"]["reason"]


@needs_broken
def test_fault_of_a_kernel_fails_its_cell_alone(tmp_path):
    if "sssp/gpu-fault" not in bellmark("list", exe=BROKEN).stdout:
        pytest.skip("this build has no CUDA")
    done = subprocess.run([BROKEN, "run", "-v", "sssp/gpu-fault", "-v", "sssp/dijkstra", "-g", GRAPH,
                           "-c", "none", "--quick", "--queries", "2", "-q"], cwd=tmp_path,
                          timeout=120)
    result = only_result(tmp_path)
    entry = entry_of(result, "sssp/gpu-fault")
    if done.returncode == 0:
        assert entry["code"] == "unmet-need"
    else:
        assert (done.returncode, entry["code"]) == (4, "crash")
        assert "cudaDeviceSynchronize" in entry["reason"], entry
    good_cell(result)


@needs_broken
@pytest.mark.parametrize("name", ["sssp/absent-gpu", "sssp/absent-gpu:threads=256,flags=all"])
def test_family_that_was_not_built_says_why(tmp_path, name):
    reason = "needs cuda: this build has no CUDA: a test"
    assert f"sssp/absent-gpu  (not built)\n  {reason}\n" in bellmark("list", exe=BROKEN).stdout
    done, result = broken_run(tmp_path, 77, "-v", name)
    entry = entry_of(result, "sssp/absent-gpu")
    assert (entry["variant"], entry["code"], entry["reason"]) == (name, "unmet-need", reason)
    assert reason in done.stdout
    assert result["cells"][0]["wall_ns"] is None
    _, result = broken_run(tmp_path / "beside", 0, "-v", "sssp/dijkstra", "-v", name)
    good_cell(result)


@needs_broken
def test_unmet_need_beside_others_is_no_failure(tmp_path):
    _, result = broken_run(tmp_path, 0, "-v", "sssp/dijkstra", "-v", "sssp/needs-mpi")
    assert entry_of(result, "sssp/needs-mpi")["code"] == "unmet-need"
    good_cell(result)


@needs_broken
@pytest.mark.parametrize("command", ["run", "compare"])
def test_strict_does_not_hide_an_unmet_need(tmp_path, command):
    bellmark(command, "-v", "sssp/needs-mpi", "-g", GRAPH, "-c", "none", "--smoke", "-q",
             "--strict", exe=BROKEN, cwd=tmp_path, code=77)


@needs_broken
def test_wrong_answer_is_more_urgent_than_a_crash(tmp_path):
    _, result = broken_run(tmp_path, 3, "-v", "sssp/crash", "-v", "sssp/wrong-distance",
                           "-v", "sssp/dijkstra")
    assert {e["code"] for e in result["not_measured"]} == {"crash", "wrong-answer"}
    good_cell(result)


# Ranks: rank-sum/all-reduce, whose last rank has a fault. What it answers needs no launcher, and so
# the tests of launchers stand a script in for mpirun, which starts one rank.

RANKS = "rank-sum/all-reduce"


@pytest.fixture
def one_rank(tmp_path):
    """A `bellmark` whose ranks are plain workers, and `launch -n N`, which starts one of them."""
    exe = tmp_path / "bin/bellmark"
    exe.parent.mkdir()
    shutil.copy(BROKEN, exe)
    scripts = {
        exe.parent / "bellmark-worker-mpi": f"exec '{exe}' worker 3>&1 1>&2",
        exe.parent / "launch": f"echo launched >> '{exe.parent}/launches'; shift 2; \"$@\"",
    }
    for path, script in scripts.items():
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return str(exe), f"{exe.parent}/launch -n {{ranks}}"


def launched_run(exe, launcher, tmp_path, code, *words, ranks=1, form="--smoke", **options):
    done = bellmark("run", "-v", RANKS, "-g", 3, "-c", "none", form, "-q", "-a",
                    f"ranks={ranks}", "--launcher", launcher, *words, exe=exe, cwd=tmp_path,
                    code=code, **options)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    return done, result


def ranks_of(tmp_path):
    """The ranks that run for a launch below this folder, or of the real worker."""
    found = []
    for path in Path("/proc").glob("[0-9]*/exe"):
        try:
            exe = os.readlink(path)
        except OSError:
            continue
        if exe == str(RANK_WORKER) or exe.startswith(str(tmp_path)):
            found.append(int(path.parent.name))
    return found


@needs_broken
def test_one_rank(tmp_path, one_rank):
    exe, launcher = one_rank
    done, result = launched_run(exe, launcher, tmp_path, 0, "--counters", "software",
                                form="--quick")
    (cell,) = result["cells"]
    assert cell["rank_count"] == 1 and cell["launcher"] == launcher.replace("{ranks}", "1")
    assert cell["validation"]["status"] == "certified" and cell["block_count"] == 6
    (place,) = cell["ranks"]["places"]
    assert place["rank"] == 0 and place["resolved"] == "none (not pinned)"
    assert 0 < cell["ranks"]["largest_ns"] <= cell["wall_ns"]["median"]
    assert cell["placement"]["observed"][0].startswith("rank 0: pu P#")
    assert "\n  1 rank: " in done.stdout
    assert cell["counters"] == [] and "ranks: no counters" in done.stdout
    assert result["workloads"][0]["queries"]["first"] == ["1", "2", "3"]
    assert result["experiment"]["launcher"] == launcher
    (run,) = (tmp_path / "runs/adhoc").iterdir()
    assert not (run / "ranks.status").exists()
    # One launch opens the workload beforehand, one is each replicate.
    launches = (Path(exe).parent / "launches").read_text()
    assert launches.count("launched") == 1 + len((run / "replicates.jsonl").read_text().splitlines())


@needs_broken
def test_the_same_of_an_experiment_file(tmp_path, one_rank):
    exe, launcher = one_rank
    text = f"""id = "ranks"
variants = ["{RANKS}"]
[workload]
problem = "rank-sum"
queries = {{ kind = "factors" }}
[axes]
graph = ["2"]
ranks = [1]
[run]
placement = "none"
memory = true
launcher = "{launcher}"
"""
    jsonschema.validate(tomllib.loads(text), schema("experiment"))
    (tmp_path / "ranks.toml").write_text(text)
    shown = bellmark("plan", "ranks.toml", exe=exe, cwd=tmp_path).stdout
    assert re.search(r"placement +ranks\n", shown)
    bellmark("run", "ranks.toml", "-q", exe=exe, cwd=tmp_path)
    (cell,) = only_result(tmp_path)["cells"]
    assert cell["memory"]["accounted"] == {"held": 8}
    assert cell["memory"]["resident_bytes"] is not None


@needs_broken
def test_fewer_ranks_than_asked_for_give_nothing(tmp_path, one_rank):
    exe, launcher = one_rank
    said = fault("run", "-v", RANKS, "-g", 3, "-c", "none", "-a", "ranks=2", "--launcher", launcher,
                 exe=exe, cwd=tmp_path)
    assert "this is one of 1, and 2 were asked for; use the launcher" in said
    assert not (tmp_path / "runs").exists()


@needs_broken
def test_ranks_that_nothing_launches(tmp_path, one_rank):
    exe, launcher = one_rank
    words = ["run", "-v", RANKS, "-g", 3, "-c", "none", "-q", "-a", "ranks=2"]
    assert "ranks = 2, but nothing launches them; add --launcher" in fault(*words, exe=exe)
    assert "write {ranks} where" in fault(*words, "--launcher", launcher.replace("{ranks}", "2"),
                                          exe=exe)
    assert not (tmp_path / "runs").exists()
    done, _ = launched_run(exe, "no-such-mpirun -n {ranks}", tmp_path, 77, ranks=2)
    assert "needs mpi: there is no program 'no-such-mpirun' to launch ranks" in \
        " ".join(done.stdout.split())
    shutil.rmtree(tmp_path / "runs")
    os.remove(Path(exe).parent / "bellmark-worker-mpi")
    done, result = launched_run(exe, launcher, tmp_path, 77, ranks=2)
    assert "unmet-need: needs mpi: this build has no MPI" in done.stdout
    (workload,) = result["workloads"]
    assert workload["facts"]["digest"] is None and workload["queries"]["count"] is None


@needs_broken
def test_ranks_do_not_all_do_the_same_search(tmp_path, one_rank):
    exe, launcher = one_rank
    words = ["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "none", "--smoke", "-q"]
    done = bellmark(*words, "-a", "ranks=1", "--launcher", launcher, exe=exe, cwd=tmp_path, code=77)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    (entry,) = result["not_measured"]
    assert entry["code"] == "unmet-need" and entry["reason"] in done.stdout.replace("\n", " ")
    assert entry["reason"].startswith("sssp knows nothing of ranks")
    assert "name a variant of a problem that does, e.g. distributed-bfs/hybrid" in entry["reason"]
    shutil.rmtree(tmp_path / "runs")
    bellmark(*words, exe=exe, cwd=tmp_path)
    assert not only_result(tmp_path)["not_measured"]


def test_ranks_that_no_form_can_have_are_not_started(tmp_path):
    launcher = tmp_path / "launch"
    launcher.write_text(f"#!/bin/sh\ntouch '{tmp_path}/started'\nexit 1\n")
    launcher.chmod(0o755)
    bellmark("run", "-v", "distributed-bfs/hybrid:form=pairs", "-g", "kronecker:scale=8",
             "-c", "none", "--smoke", "-a", "ranks=4,300", "--launcher", f"{launcher} {{ranks}}",
             cwd=tmp_path, code=77)
    entries = only_result(tmp_path)["not_measured"]
    for entry, count in zip(entries, (4, 300), strict=True):
        assert entry["code"] == "unmet-need"
        assert f"two blocks a rank can't be dealt to {count} ranks; use 2, 8, 32" in entry["reason"]
    assert not (tmp_path / "started").exists()


@needs_broken
def test_a_launcher_that_starts_nothing_says_why(tmp_path, one_rank):
    exe, _ = one_rank
    launcher = Path(exe).parent / "full"
    launcher.write_text("#!/bin/sh\necho >&2\necho 'no slots left' >&2\nexit 1\n")
    launcher.chmod(0o755)
    _, result = launched_run(exe, f"{launcher} {{ranks}}", tmp_path, 4)
    (entry,) = result["not_measured"]
    assert entry["code"] == "crash" and "exit code 1: no slots left; " in entry["reason"]


@needs_broken
def test_what_a_probe_leaves(tmp_path, one_rank):
    """Only logs that a reason names, each its own."""
    exe, _ = one_rank
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    environment = os.environ | {"TMPDIR": str(temporary)}
    launcher = Path(exe).parent / "root"
    launcher.write_text("#!/bin/sh\necho 'an attempt to run as root' >&2\nexit 1\n")
    launcher.chmod(0o755)
    _, result = launched_run(exe, f"{launcher} {{ranks}}", tmp_path, 4, ranks="1,2",
                             env=environment)
    logs = [entry["reason"].split("output is in ")[1] for entry in result["not_measured"]]
    assert len(set(logs)) == 2 and sorted(map(str, temporary.iterdir())) == sorted(logs)
    assert "add --allow-run-as-root" in result["not_measured"][0]["reason"]
    # Interrupted while ranks start, it leaves nothing.
    shutil.rmtree(temporary)
    temporary.mkdir()
    launcher.write_text("#!/bin/sh\nexec sleep 600\n")
    process = subprocess.Popen(
        [exe, "run", "-v", RANKS, "-g", "3", "-c", "none", "-a", "ranks=1", "--launcher",
         f"{launcher} {{ranks}}"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
    wait_for(lambda: list(temporary.glob("*.status")) and list(temporary.glob("*.log")))
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130 and "interrupted while ranks opened it" in said
    assert not list(temporary.iterdir())


RANK_FAULTS = {
    "wrong": (3, "wrong-answer", r"query 2: .*10101 is no sum"),
    "throws": (4, "crash", r"lost its share"),
    "crashes": (4, "crash", r"rank {last} was killed by signal 11 .*\(validate, query 2\)"),
    "killed": (4, "crash", r"rank {last}( was killed by signal 9|: Killed)"),
    "hangs": (4, "timeout", r"nothing heard for 2 s: rank {last} .*in code of its own \(validate, "
                            r"query 2\)"),
    "refuses": (0, "bad-setting", r"^fault: no rank wants to; take another$"),
}


@needs_broken
@pytest.mark.parametrize("fault_kind", ["wrong", "throws", "refuses"])
def test_a_rank_that_fails(tmp_path, one_rank, fault_kind):
    code, kind, reason = RANK_FAULTS[fault_kind]
    _, result = launched_run(*one_rank, tmp_path, code, "-v", f"{RANKS}:fault={fault_kind}")
    (entry,) = result["not_measured"]
    assert entry["code"] == kind and re.search(reason, entry["reason"]), entry
    assert [cell["block_count"] for cell in result["cells"]] == [1, 0]


@needs_broken
def test_no_rank_outlives_its_launcher_or_supervisor(tmp_path, one_rank):
    exe, launcher = one_rank
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        process = subprocess.Popen(
            [exe, "run", "-v", f"{RANKS}:fault=hangs", "-g", "3", "-c", "none", "--smoke", "-q",
             "-a", "ranks=1", "--launcher", launcher], cwd=tmp_path, stderr=subprocess.DEVNULL)
        wait_for(lambda: list(tmp_path.rglob("ranks.status"))
                 and len(ranks_of(tmp_path / "bin")) > 1)
        process.send_signal(signal_number)
        process.wait()
        wait_for(lambda: not ranks_of(tmp_path / "bin"))
        shutil.rmtree(tmp_path / "runs")


# What starts the ranks of test_*launched_rank*, e.g. 'srun --mpi=pmix -n {ranks}'.
GIVEN_LAUNCHER = os.environ.get("BELLMARK_TEST_LAUNCHER", "")

needs_mpi = pytest.mark.skipif(
    not RANK_WORKER.exists() or not (GIVEN_LAUNCHER or shutil.which("mpirun")),
    reason=f"no {RANK_WORKER}, or no mpirun",
)


@pytest.fixture(scope="module")
def launcher():
    """More ranks than cores, as whoever this is."""
    if GIVEN_LAUNCHER:
        return GIVEN_LAUNCHER
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True).stdout
    flags = "--oversubscribe " if "Open MPI" in version else ""
    if flags and os.getuid() == 0:
        flags += "--allow-run-as-root "
    return f"mpirun {flags}-n {{ranks}}"


@needs_mpi
def test_launched_ranks(tmp_path, launcher):
    _, result = launched_run(BROKEN, launcher, tmp_path, 0, ranks="1,2,3", form="--quick")
    assert [cell["rank_count"] for cell in result["cells"]] == [1, 2, 3]
    for cell in result["cells"]:
        assert cell["validation"]["status"] == "certified"
        ranks = cell["ranks"]
        assert [place["rank"] for place in ranks["places"]] == list(range(cell["rank_count"]))
        assert [len(block) for block in ranks["block_ns"]] == [cell["rank_count"]] * 6
        assert ranks["least_ns"] <= ranks["median_ns"] <= ranks["largest_ns"]
        assert ranks["largest_ns"] <= cell["wall_ns"]["median"]
        assert cell["memory"]["accounted"] == {"held": 8 * cell["rank_count"]}


@needs_mpi
@pytest.mark.parametrize("fault_kind", RANK_FAULTS)
def test_the_launched_rank_that_fails_is_named(tmp_path, launcher, fault_kind):
    code, kind, reason = RANK_FAULTS[fault_kind]
    # Of SIGKILL only the launcher can tell, and mpirun takes seconds to.
    timeout_s = 60 if fault_kind == "killed" else 2
    _, result = launched_run(BROKEN, launcher, tmp_path, code, "-v", f"{RANKS}:fault={fault_kind}",
                             "--timeout", timeout_s, ranks=3)
    (entry,) = result["not_measured"]
    assert entry["code"] == kind and re.search(reason.format(last=2), entry["reason"]), entry
    if fault_kind in ("wrong", "throws"):
        assert "rank 2: " in entry["reason"]
    assert [cell["block_count"] for cell in result["cells"]] == [1, 0]
    assert not ranks_of(tmp_path)


@needs_mpi
def test_a_damaged_graph_is_no_variants_fault(tmp_path, launcher):
    file = tmp_path / "k.bmg"
    bellmark("graph", "convert", "kronecker:scale=8,lengths=unit", file)
    whole = bytearray(file.read_bytes())
    whole[len(whole) // 2] ^= 1  # a head
    file.write_bytes(whole)
    ranks = ["-v", "distributed-bfs/hybrid", "-a", "ranks=2", "--launcher", launcher]
    for words in (["-v", "bfs/hybrid"], ranks):
        said = fault("run", *words, "-g", file, "-c", "none", "--smoke", "-q", exe=BROKEN,
                     cwd=tmp_path)
        assert f"{file}: " in said and "the file is damaged" in said, said
    assert not (tmp_path / "runs").exists()


@needs_mpi
@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGKILL])
def test_no_launched_rank_outlives_the_supervisor(tmp_path, launcher, signal_number):
    process = subprocess.Popen(
        [BROKEN, "run", "-v", f"{RANKS}:fault=hangs", "-g", "3", "-c", "none", "--smoke", "-q", "-a",
         "ranks=3", "--launcher", launcher], cwd=tmp_path, stderr=subprocess.DEVNULL)
    wait_for(lambda: list(tmp_path.rglob("ranks.status")) and len(ranks_of(tmp_path)) == 3)
    process.send_signal(signal_number)
    process.wait()
    wait_for(lambda: not ranks_of(tmp_path))


# Phase logs


PHASES = f"""
id = "small/phases"
paper = {{ key = "none", item = "Figure 4" }}
variants = ["sssp/test-bellman-ford:vertices={{vertices}}"]
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 7, seed = 1 }}
[axes]
graph = ["{GRAPH}"]
vertices = ["all", "updated"]
[run]
placement = "none"
block_count = 1
sample_count = 1
[figure]
kind = "phases"
column = "updated_count"
[[claim]]
id = "P1"
kind = "shape"
text = "more than ten phases, none of which updates all 900 vertices; most update at most 1000"
metric = "phase_log.phase_count"
statements = [
  {{ text = "phases", numerator = {{ vertices = ["all", "updated"] }}, at_least = 11 }},
  {{ text = "peak", metric = "phase_log.updated_count.largest", numerator = {{ vertices = "all" }}, at_least = 2, at_most = 899 }},
  {{ text = "share", metric = "phase_log.updated_count.share_at_most_1000", numerator = {{ vertices = "all" }}, at_least = 1 }},
  {{ text = "visits", metric = "phase_log.visited_count.sum", numerator = {{ vertices = "updated" }}, denominator = {{ vertices = "all" }}, at_most = 0.9 }},
]
[[claim]]
id = "P2"
kind = "absolute"
text = "times of the phases"
metric = "phase_log.host_ns.sum"
cells = [{{ where = {{ vertices = "all" }}, paper = 1e6 }}]
[[claim]]
id = "P3"
kind = "shape"
text = "the graph"
statements = [{{ text = "vertices", metric = "graph.vertex_count", numerator = {{ vertices = "all" }}, at_least = 900, at_most = 900 }}]
"""


@needs_broken
def test_phase_logs_and_claims_on_them(tmp_path):
    (tmp_path / "phases.toml").write_text(PHASES)
    jsonschema.validate(tomllib.loads(PHASES), schema("experiment"))
    shown = bellmark("run", "phases.toml", "-q", exe=BROKEN, cwd=tmp_path).stdout
    assert "none/P1  reproduced" in shown and "none/P3  reproduced" in shown
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    logs = [cell["phase_log"] for cell in result["cells"]]
    for log in logs:
        assert log["plain_columns"] == ["host_ns"]
        assert [query["query"] for query in log["queries"]] == list(range(7))
        assert len(log["first_queries"]) == 5
        for entry, query in zip(log["first_queries"], log["queries"]):
            assert len(entry["rows"]) == query["phase_count"]
            assert sum(row[0] for row in entry["rows"]) == query["columns"]["updated_count"]["sum"]
    assert logs[0]["shares"]["updated_count"] == logs[1]["shares"]["updated_count"]
    (times,) = result["verdicts"][1]["parts"][0]["measured"]
    assert 0 < times["ci95_low"] <= times["value"] <= times["ci95_high"]
    # What was stored can be judged again.
    (path,) = results(tmp_path)
    assert "none/P1  reproduced" in bellmark("verdict", path).stdout


def test_what_keeps_no_phase_log_has_none(finished):
    assert [cell["phase_log"] for cell in load(finished / "result.json")["cells"]] == [None, None]


@needs_broken
def test_claim_whose_cells_need_what_is_not_here(tmp_path):
    text = PHASES.split("[[claim]]")[0].replace("test-bellman-ford:vertices={vertices}", "needs-mpi")
    text = text.replace('vertices = ["all", "updated"]\n', "") + """
[[claim]]
id = "P1"
kind = "shape"
text = "phases"
statements = [{ text = "phases", metric = "phase_log.phase_count", numerator = { graph = "GRAPH" }, at_least = 11 }]
""".replace("GRAPH", GRAPH)
    (tmp_path / "unmet.toml").write_text(text)
    shown = bellmark("run", "unmet.toml", "-q", exe=BROKEN, cwd=tmp_path, code=77).stdout
    assert f"none/P1  not testable here: {NEEDS_MPI}" in shown
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    assert result["verdicts"][0]["verdict"] == "not testable here"


# Tuning: sssp/tunable answers each query `times` times over, so that the best setting is known


def tune(tmp_path, *words, code=0, exe=BROKEN, budget="2m"):
    done = bellmark("tune", "-g", GRAPH, "-c", "none", "--queries", 4, "--seed", 7,
                    "--budget", budget, *words, exe=exe, cwd=tmp_path, code=code)
    steps = {"calibration": [], "training": [], "held-out": []}
    # Names of folders tell seconds apart, and a step may take less.
    for path in sorted(results(tmp_path / "runs/tune"), key=lambda path: path.stat().st_mtime_ns):
        result = load(path)
        jsonschema.validate(result, schema("result"))
        steps[path.parents[1].name].append(result)
    return done, steps


def queries_of(runs):
    """At most four a run, so that `first` holds all of them."""
    for result in runs:
        (workload,) = result["workloads"]
        assert workload["queries"]["count"] == len(workload["queries"]["first"])
        yield from workload["queries"]["first"]


@needs_broken
def test_tune_finds_the_best_and_judges_it_on_held_out_queries(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable", "-p", "times", "-o", "tuned.toml")
    assert re.search(r"^  times=4 +the default$", done.stdout, re.M)
    assert re.search(r"^  times=1 +4 +0\.\d+ \[\S+ \S+ FASTER +kept$", done.stdout, re.M)
    assert re.search(r"^  times=6 +2 .* SLOWER +slower than the best$", done.stdout, re.M)
    assert re.search(r"^the tuned settings are better: 0\.\d+ \[.*\] FASTER$", done.stdout, re.M)
    assert "tune/sssp/tunable/training: 6 cells, 2 queries, " in done.stderr

    (held_out,) = steps["held-out"]
    assert [c["variant"].split(",")[0] for c in held_out["cells"]] == [
        "sssp/tunable:times=4", "sssp/tunable:times=1"]
    assert [c["block_count"] for c in held_out["cells"]] == [6, 6]
    (comparison,) = held_out["comparisons"]
    assert comparison["ci95_high"] < 1
    assert len(steps["calibration"]) == 2 and len(steps["training"]) >= 2
    assert {r["provenance"]["seed"] for r in steps["training"]} == {7}
    assert held_out["provenance"]["seed"] > 7
    training = set(queries_of(steps["training"]))
    assert training and not training & set(queries_of([held_out]))

    text = (tmp_path / "tuned.toml").read_text()
    spec = tomllib.loads(text)
    jsonschema.validate(spec, schema("experiment"))
    assert spec["variants"] == [c["requested_variant"] for c in held_out["cells"]]
    assert spec["workload"]["queries"]["seed"] == held_out["provenance"]["seed"]
    head = text.split("\n\n")[0]
    assert held_out["workloads"][0]["facts"]["digest"] in head
    assert f"# Date: {held_out['provenance']['started_utc']}\n" in head
    assert "seed 7, at most 4 queries" in head and held_out["environment"]["cpu_model"] in head
    bellmark("run", "tuned.toml", "--smoke", "-q", exe=BROKEN, cwd=tmp_path)
    (again,) = [load(path) for path in results(tmp_path / "runs/tuned")]
    assert [c["id"] for c in again["cells"]] == [c["id"] for c in held_out["cells"]]
    assert again["workloads"][0]["queries"] == held_out["workloads"][0]["queries"]


@needs_broken
def test_tune_tries_values_that_bring_keys_of_their_own(tmp_path):
    # Time enough for every queue, also on a machine that is busy with other things.
    _, steps = tune(tmp_path, "-v", "sssp/dijkstra", "-p", "queue", "-q", budget="1h")
    names = [cell["requested_variant"] for cell in steps["training"][0]["cells"]]
    assert any("queue=dial,vertices" in name for name in names), names
    assert any("queue=multi-level,levels=auto" in name for name in names), names


@needs_broken
def test_tune_lets_the_default_stand(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable:times=1", "-p", "times", "-q", "-o", "t.toml")
    assert "the default stands: nothing was faster in training" in done.stdout
    assert done.stderr == "" and not (tmp_path / "t.toml").exists()
    assert steps["training"] and steps["held-out"] == []


@needs_broken
def test_tune_drops_and_names_a_wrong_candidate(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable", "-q", code=3)
    assert re.search(r"^  times=1,answer=wrong  dropped: wrong-answer: query 1: .*vertex 900\b",
                     done.stdout, re.M)
    assert "times=1,answer=wrong" in done.stderr and "wrong-answer" in done.stderr
    assert "times=1,answer=right instead of times=4,answer=right" in done.stdout
    (held_out,) = steps["held-out"]
    assert held_out["not_measured"] == []
    (spec,) = tmp_path.glob("runs/tune/sssp/tunable/held-out/*/tuned.toml")
    assert f"tuned spec: {spec.relative_to(tmp_path)}" in done.stdout


@needs_broken
def test_tune_ends_when_the_default_fails(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable:answer=wrong", "-p", "times", "-q", code=3)
    assert "the default failed: wrong-answer" in done.stderr.splitlines()[-1]
    assert steps["training"] == []


@needs_broken
def test_tune_says_what_can_not_be_tuned(tmp_path):
    words = ["tune", "-g", GRAPH, "-c", "none", "-v"]
    said = fault(*words, "sssp/tunable", "-p", "label", exe=BROKEN, cwd=tmp_path)
    assert "key 'label' is not tunable; tunable are times, answer" in said
    done = bellmark(*words, "sssp/needs-mpi", exe=BROKEN, cwd=tmp_path, code=77)
    assert NEEDS_MPI in done.stderr
    assert not (tmp_path / "runs").exists(), "a run was begun"


@needs_broken
def test_tune_with_too_small_a_budget_says_what_is_needed(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/tunable", "-q", budget="0.01s", code=2)
    assert re.search(r"--budget 0\.01s: is too small: .* takes about \d+ s", done.stderr)
    assert steps["training"] == [] and steps["held-out"] == []


@needs_broken
def test_tune_refuses_queries_that_can_not_be_kept_apart(tmp_path):
    said = fault("tune", "-g", "grid:rows=2,columns=2,lengths=uniform:1..100,seed=1", "-c", "none",
                 "-v", "sssp/tunable", "--queries", 3, "-q", exe=BROKEN, cwd=tmp_path)
    assert "no 3 held-out queries that are not among the training queries" in said


def test_tune_compile_time_keys(tmp_path):
    done, steps = tune(tmp_path, "-v", "sssp/dijkstra", "-p", "extract", exe=BELLMARK)
    assert "extract=top-down" in done.stdout
    assert steps["training"]


@needs_broken
def test_interrupted_tune_says_what_is_lost(tmp_path):
    process = subprocess.Popen(
        [BROKEN, "tune", "-v", "sssp/tunable", "-g", "grid:rows=200,columns=200", "-c", "none",
         "-q"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    try:
        training = tmp_path / "runs/tune/sssp/tunable/training"
        wait_for(lambda: [run for run in training.glob("*") if journal(run)])
        process.send_signal(signal.SIGINT)
        shown, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130 and shown == ""
    resume, lost = said.splitlines()
    (name,) = re.findall("go on with: bellmark resume (.*)", resume)
    assert re.search("the search is lost; its .* finished runs are kept under .*runs/tune", lost)
    assert not (tmp_path / name / "result.json").exists()
    bellmark("resume", name, "-q", exe=BROKEN, cwd=tmp_path)
    jsonschema.validate(load(tmp_path / name / "result.json"), schema("result"))
