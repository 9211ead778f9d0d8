"""Common parts of the tests of the finished `bellmark`.

BELLMARK names the executable; BELLMARK_BROKEN one with the variants of tests/variants, by default
the one beside it in tests/.
"""

import json
import os
import re
import subprocess
import time
from pathlib import Path

import jsonschema
import pytest

SOURCE = Path(__file__).resolve().parents[2]
BELLMARK = os.path.abspath(os.environ.get("BELLMARK", SOURCE / "build/release/bellmark"))
BROKEN = os.path.abspath(
    os.environ.get("BELLMARK_BROKEN", Path(BELLMARK).parent / "tests/bellmark_broken")
)
RANK_WORKER = Path(BROKEN).parent / "bellmark-worker-mpi"
NO_RANK_WORKER = r"this build has no MPI: .+|there is no /.*/bellmark-worker-mpi; build it: cmake --build /.*"
NEEDS_MPI = "needs mpi: " + (
    re.escape("nothing launches it as ranks: --launcher 'mpirun -n {ranks}'") if RANK_WORKER.exists()
    else f"({NO_RANK_WORKER})"
)
GRAPH = "grid:rows=30,columns=30,lengths=uniform:1..100,seed=1"
# ./check sets BELLMARK_QUICK, and ./check --full runs these.
long = pytest.mark.skipif(bool(os.environ.get("BELLMARK_QUICK")), reason="in ./check --full")
needs_broken = pytest.mark.skipif(
    not os.path.exists(BROKEN), reason=f"no executable {BROKEN}; build target bellmark_broken"
)

# These widths exist with both arities in every build.
EXPERIMENT = f"""
id = "small/arity"
title = "Arities on a small grid"
paper = {{ key = "none", item = "Table 0" }}
variants = ["sssp/dijkstra:arity={{arity}},width=32,distance=64"]
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 3, seed = 1 }}
[axes]
graph = ["{GRAPH}"]
arity = [2, 4]
[run]
placement = "none"
sample_count = 2
memory = true
counters = ["software"]
[quick]
query_count = 2
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


def bellmark(*words, code=0, exe=BELLMARK, cwd=None, timeout=120, **options):
    """Runs one command and checks its exit code; a failure must say why in one line."""
    done = subprocess.run(
        [exe, *map(str, words)], cwd=cwd, capture_output=True, text=True, timeout=timeout, **options
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
    """The finished lines. The line in flight has no newline yet."""
    path = Path(run) / "replicates.jsonl"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def planned(lines):
    """The planned tasks of a journal: disturbed blocks are measured again."""
    return [line["task"] for line in lines if not line["task"].endswith("/again")]


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


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.005)
    raise AssertionError("waited in vain")


def broken_run(tmp_path, code, *words, queries=2):
    tmp_path.mkdir(exist_ok=True)
    done = bellmark("run", "-g", GRAPH, "-c", "none", "--quick", "--queries", queries, "-q",
                    *words, exe=BROKEN, cwd=tmp_path, code=code)
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


RANKS = "rank-sum/all-reduce"


def launched_run(exe, launcher, tmp_path, code, *words, ranks=1, form="--smoke", **options):
    done = bellmark("run", "-v", RANKS, "-g", 3, "-c", "none", form, "-q", "-a",
                    f"ranks={ranks}", "--launcher", launcher, *words, exe=exe, cwd=tmp_path,
                    code=code, **options)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    return done, result


def ranks_of(folder):
    """The ranks that run in this folder: copies of Bellmark in it, and the real worker."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            exe, place = os.readlink(process / "exe"), os.readlink(process / "cwd")
        except OSError:
            continue
        if exe.startswith(f"{folder}/") or exe == str(RANK_WORKER) and place == str(folder):
            found.append(int(process.name))
    return found


RANK_FAULTS = {
    "wrong": (3, "wrong-answer", r"query 2: .*10101 is no sum"),
    "throws": (4, "crash", r"lost its share"),
    "crashes": (4, "crash", r"rank {last} was killed by signal 11 .*\(validate, query 2: 2\)"),
    "killed": (4, "crash", r"rank {last}( was killed by signal 9|: Killed)"),
    "hangs": (4, "timeout", r"nothing heard for \d+ s: rank {last} .*in code of its own \(validate, "
                            r"query 2: 2\)"),
    "refuses": (0, "bad-setting", r"^fault: no rank wants to; take another$"),
}
