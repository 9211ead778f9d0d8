"""Refusals before anything is measured, and failures of the machine."""

import os
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest

from support import BELLMARK, EXPERIMENT, GRAPH, bellmark, fault, journal, load, results, schema, tuned


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
        (["run", "-v", "sssp/dijkstra:arity=04", "-g", GRAPH], "2..32"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--command-format", "gr"], "--command-format requires --command"),
        (["tuned", "remove", "-1"], "tuned remove -1: "),
        (["serve", "--roads", "osm:helsinki", "--page", "no-such-folder"], "--page no-such-folder: is no folder"),
        (["serve", "--roads", "osm:helsinki", "--port", "abc"], "--port: 'abc' is not a whole number from 0 to 65535"),
        (["run", "-v", "sssp/dijkstra", "-g", "dimacs:USA-road-d.NX"], "USA-road-d.NX"),
        (["run", "-v", "sssp/dijkstra", "-g", "no/such.gr"], "no/such.gr"),
        (["run", "-v", "sssp/dijkstra", "-g", "grid:rows=3,colums=3"], "colums"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "cpre:0"], "cpre"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "core:9999"], "9999"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-a", "arity=[8:2]"], "arity=[8:2]"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-a", "arty=2,4"], "did you mean 'arity'?"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--budget", "soon"], "soon"),
        (["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--queries", "0"],
         "--queries: '0' is not a whole number from 1 to 10000000"),
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
           f"--shard {shard}: is not a part of a whole; write which of how many, counted from 1")
          for shard in ("0/4", "5/4", "x", "2", "1/0")],
        (["run", ""], "experiment: is empty; give it a value, or leave it out"),
        (["plan", ""], "experiment: is empty"),
        (["run", "-v", ""], "--variant: is empty"),
        *[(["run", "-v", "sssp/dijkstra", "-g", GRAPH, *words], "is empty; give it a value, or leave it out")
          for words in (["--budget", ""], ["--runs", ""], ["--launcher", ""], ["--export-json", ""],
                        ["-c", ""], ["-g", ""], ["-a", ""], ["--shard", ""])],
        (["run", "yasui2011/tabel4"], "did you mean 'yasui2011/table4'?"),
        (["run", "misspelt.toml"], "misspelt.toml:13: unknown key 'run.block_cuont'; did you mean"),
        (["run", "syntax.toml"], "syntax.toml:2: not valid TOML"),
        (["plan", "misspelt.toml"], "misspelt.toml:13"),
        (["compare", "-v", "sssp/dijkstra", "-v", "sssp/dijkstr", "-g", GRAPH], "did you mean"),
        (["compare", "-v", "sssp/dijkstra", "-v", "sssp/bellman-ford", "-g", "no/such.gr"], "no/such.gr"),
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


def test_a_program_that_is_not_here_is_not_tuned(tmp_path):
    words = ["tune", "-v", "external/gap-sssp", "-g", GRAPH, "-c", "none", "--program", "gap-sssp=no-such-folder"]
    assert "gap-sssp is not here" in fault(*words, code=77, cwd=tmp_path, env=os.environ | {"GAP_HOME": ""})


def test_a_negative_seed_is_refused(tmp_path):
    (tmp_path / "e.toml").write_text(EXPERIMENT.replace("seed = ", "seed = -"))
    assert "key 'workload.queries.seed' must be 0 or more" in fault("plan", "e.toml", cwd=tmp_path)


def test_exports_are_refused_before_anything_is_measured(tmp_path):
    words = ["run", "-v", "sssp/dijkstra", "-g", GRAPH, "--runs", tmp_path / "runs"]
    for flag in ("--export-json", "--export-csv", "--export-markdown"):
        assert "folder" in fault(*words, flag, tmp_path / "none" / "file")
        assert "folder" in fault(*words, flag, tmp_path)
    (tmp_path / "file").write_text("")
    assert "folder" in fault(*words, "--report", tmp_path / "file")
    assert "folder" in fault(*words, "--report", tmp_path / "file" / "below")
    rivals = ["compare", "-v", "sssp/dijkstra", "-v", "sssp/boost-dijkstra", *words[3:]]
    assert "folder" in fault(*rivals, "--report", tmp_path / "file")
    assert not (tmp_path / "runs").exists(), "a run was begun"


def test_an_export_replaces_an_export_alone(tmp_path):
    graph = tmp_path / "g.gr"
    graph.write_text("p sp 2 1\na 1 2 3\n")
    words = ["run", "-v", "sssp/dijkstra", "-g", graph, "-c", "none", "--smoke", "-q", "--runs", tmp_path / "runs"]
    exports = {"--export-json": "r.json", "--export-csv": "r.csv", "--export-markdown": "r.md"}
    for flag in exports:
        said = fault(*words, flag, graph)
        assert f"{graph}: exists, and is not an earlier export of this kind; name another file" in said
        assert "is named for two exports" in fault(*words, "--export-json", tmp_path / "x", "--export-csv",
                                                   f"{tmp_path}/./x")
    assert graph.read_text() == "p sp 2 1\na 1 2 3\n"
    assert not (tmp_path / "runs").exists(), "a run was begun"
    for _ in range(2):
        bellmark(*words, *[word for flag, name in exports.items() for word in (flag, tmp_path / name)])
    (tmp_path / "r.csv").write_text("mine\n")
    fault(*words, "--export-csv", tmp_path / "r.csv")


def test_other_outputs_replace_their_own_kind_alone(tmp_path, finished):
    graph = tmp_path / "g.gr"
    text = "p sp 2 1\na 1 2 3\n"
    graph.write_text(text)
    for words in (["trace", finished], ["answer", "-v", "sssp/auto", "-g", graph, "--source", 1],
                  ["spots", "map", "points:n=5"],
                  ["tune", "-v", "sssp/label-correcting", "-p", "delta", "-g", GRAPH, "-c", "none"]):
        assert "is not an earlier export of this kind" in fault(*words, "-o", graph)
    assert graph.read_text() == text
    for words in (["trace", finished, "-o", "t.json"],
                  ["answer", "-v", "sssp/auto", "-g", graph, "--source", 1, "-o", "a.txt"]):
        for _ in range(2):
            bellmark(*words, cwd=tmp_path)
    assert "would not be compressed" in fault("trace", finished, "-o", "t.json.gz", cwd=tmp_path)
    assert "csv goes to standard output" in fault("report", "-f", "csv", "-o", "c.csv", finished, cwd=tmp_path)


def test_results_without_an_answer_or_with_a_negative_one_are_read(tmp_path):
    """Bellmark reads what it writes: the length of a negative cycle, and a graph that no rank opened."""
    bellmark("run", "-v", "sssp/bellman-ford", "-g", "grid:rows=20,columns=20,lengths=hash:-5..1000", "-c", "none",
             "--smoke", "-q", "--runs", tmp_path / "a", cwd=tmp_path)
    (cycle,) = results(tmp_path / "a")
    assert load(cycle)["cells"][0]["answers"][0]["negative_cycle_length"] < 0
    bellmark("run", "-v", "distributed-bfs/hybrid", "-g", "kronecker:scale=8,lengths=unit", "-c", "none", "-a",
             "ranks=2", "--launcher", "no-such-launcher -n {ranks}", "--smoke", "-q", "--runs", tmp_path / "b",
             code=77, cwd=tmp_path)
    for command in ("verdict", "table"):
        bellmark(command, tmp_path, cwd=tmp_path)


def test_results_below_a_result_are_found(finished, tmp_path):
    text = (finished / "result.json").read_text()
    (tmp_path / "below").mkdir()
    (tmp_path / "above.json").write_text(text)
    (tmp_path / "below/result.json").write_text(text)
    assert "below/result.json" in bellmark("table", tmp_path).stdout


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_may_not_be_read_is_no_empty_one(finished, tmp_path):
    (tmp_path / "above.json").write_text((finished / "result.json").read_text())
    (tmp_path / "locked").mkdir(mode=0)
    assert "locked: can't be read: Permission denied" in fault("table", tmp_path, code=7)


def test_names_that_are_no_utf8(tmp_path):
    name = "\udcff\n.gr"  # the byte 0xff
    (tmp_path / name).write_text("p sp 2 1\na 1 2 3\n")
    said = fault("run", "-v", "sssp/dijkstra", "-g", name, "--smoke", cwd=tmp_path)
    assert r"'\xff\x0a.gr': is not UTF-8 text; give the file another name" in said
    assert r"provenance      \xff\x0a.gr" in bellmark("graph", "info", name, cwd=tmp_path).stdout
    bellmark("graph", "convert", name, "g.bmg", cwd=tmp_path)
    bellmark("run", "-v", "sssp/dijkstra", "-g", "g.bmg", "-c", "none", "--smoke", "-q", cwd=tmp_path)
    (result,) = results(tmp_path)
    assert load(result)["workloads"][0]["facts"]["provenance"] == r"\xff\x0a.gr"


def test_messages_are_one_short_line_of_text(tmp_path):
    said = fault("plan", "\x1b[31mred\r\x07")
    assert r"'\x1b[31mred\x0d\x07'" in said and not set(said) & {"\x1b", "\r", "\x07"}
    (tmp_path / "long.toml").write_text("x" * 1_000_000 + " = 1\n")
    (tmp_path / "long.mtx").write_text("%%MatrixMarket matrix coordinate " + "y" * 60_000 + " general\n1 1 0\n")
    for words in (["plan", "z" * 100_000], ["plan", "long.toml"], ["graph", "info", "long.mtx"],
                  ["run", "-v", "z" * 100_000], ["run", "-v", "sssp/dijkstra:" + "z" * 100_000 + "=1", "-g", GRAPH]):
        said = fault(*words, cwd=tmp_path)
        assert len(said) < 3_000 and said.count("\n") == 1, said[:200]


def test_what_is_no_file(tmp_path):
    for ending in ("gr", "toml", "json"):
        os.mkfifo(tmp_path / f"pipe.{ending}")
        os.symlink(f"circle.{ending}", tmp_path / f"circle.{ending}")
    for words in (["graph", "info"], ["plan"], ["report", "-f", "csv"]):
        ending = {"graph": "gr", "plan": "toml", "report": "json"}[words[0]]
        said = fault(*words, f"pipe.{ending}", cwd=tmp_path)
        assert f"pipe.{ending}: is a pipe, and nothing was written into it" in said
        why = "cannot be read" if ending == "json" else "its links lead round in a circle"
        assert f"circle.{ending}: {why}" in fault(*words, f"circle.{ending}", cwd=tmp_path)


def test_more_cells_than_can_be_held():
    axes = [word for i in range(12) for word in ("-a", f"key{i}=0,1,2,3,4,5,6,7,8,9")]
    said = fault("plan", "-v", "sssp/dijkstra", "-g", GRAPH, *axes)
    assert "makes more than 100000 combinations of axis values" in said


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


def test_too_little_memory_to_start(tmp_path):
    """Whatever the limit: the loader finds no room (127), the program has too little (7), or all goes
    well. The CUDA runtime, which starts before the program, may fall over a null pointer of its own (-11)."""
    if re.search(rb"__[at]san_init", Path(BELLMARK).read_bytes()):
        pytest.skip("a sanitizer takes more memory than that before the program starts")
    ends = {}
    for kibibytes in range(16_000, 200_000, 200):
        limited = ["bash", "-c", f'ulimit -c 0 -v {kibibytes}; exec "$0" list', BELLMARK]
        done = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode in (0, 7, 127, -11), (kibibytes, done)
        if done.returncode == 7:
            assert done.stderr.startswith("bellmark: no memory"), (kibibytes, done)
        ends[done.returncode] = kibibytes
        if done.returncode == 0:
            break
    assert {0, 7} <= ends.keys(), ends
