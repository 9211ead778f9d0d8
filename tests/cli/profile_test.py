"""Profiles as a pass, traces, and the system calls of a timed pass."""

import json
import os
import re
import shutil

import jsonschema
import pytest

from support import BELLMARK, GRAPH, bellmark, fault, only_result, results, schema

RUN = ["run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "none", "--quick", "--queries", 2, "-q"]


def profile_of(folder, profiler, **environment):
    bellmark(*RUN, "--profile", profiler, cwd=folder, env={**os.environ, **environment})
    result = only_result(folder)
    jsonschema.validate(result, schema("result"))
    (cell,) = result["cells"]
    assert cell["wall_ns"]["median"] > 0 and cell["validation"]["status"] == "certified"
    (profile,) = cell["profiles"]
    assert profile["profiler"] == profiler
    return result, profile


@pytest.mark.parametrize("profiler", ["perf", "callgrind"])
def test_a_profile_has_its_artefact_or_a_reason(tmp_path, profiler):
    result, profile = profile_of(tmp_path, profiler)
    if profile["reason"]:
        assert not profile["stacks"] and not list(tmp_path.rglob("profiles/*"))
        may = profiler == "callgrind" and shutil.which("valgrind")
        assert not may or "-fsanitize" in result["provenance"]["flags"], profile["reason"]
        return
    (run,) = (path.parent for path in results(tmp_path))
    assert (run / profile["file"]).stat().st_size > 0
    assert profile["pass_count"] >= 1 and sum(row["count"] for row in profile["stacks"]) > 0
    counts = [row["count"] for row in profile["stacks"] if row["stack"] != "(others)"]
    assert counts == sorted(counts, reverse=True)


def program(folder, name, text):
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    (folder / name).chmod(0o755)


PERF = """#!/bin/sh
case "$1" in
record)
  while [ "$1" != -- ]; do
    if [ "$1" = --output ]; then echo artefact > "$2"; fi
    shift
  done
  shift
  exec "$@" ;;
script) printf 'bellmark \\n\\t 1f run\\n\\t 1 main\\n\\nbellmark \\n\\t 1f run\\n\\t 1 main\\n\\n' ;;
esac
"""


def test_perf_is_started_around_a_process_and_read(tmp_path):
    program(tmp_path / "bin", "perf", PERF)
    _, profile = profile_of(tmp_path, "perf", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert profile["reason"] is None and profile["stacks"] == [{"stack": "bellmark;main;run", "count": 2}]
    (run,) = (path.parent for path in results(tmp_path))
    assert (run / profile["file"]).read_text() == "artefact\n"


def test_a_profiler_that_fails_leaves_a_reason_and_the_times(tmp_path):
    program(tmp_path / "bin", "nsys", "#!/bin/sh\nexit 3\n")
    _, profile = profile_of(tmp_path, "nsys", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert profile["reason"].startswith("failed under the profiler: ")


def test_a_profiler_that_may_not_run_says_so(tmp_path):
    program(tmp_path / "bin", "perf", "#!/bin/sh\necho not permitted >&2\nexit 1\n")
    _, profile = profile_of(tmp_path, "perf", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert "perf may not record here" in profile["reason"] and "not permitted" in profile["reason"]


def test_other_profilers_are_refused(tmp_path):
    assert "profiler 'prof': is none of perf, callgrind, nsys, ncu" in fault(*RUN, "--profile", "prof", cwd=tmp_path)


def test_energy_of_cpus_is_a_figure_or_a_reason(tmp_path):
    bellmark(*RUN, "--energy", cwd=tmp_path)
    result = only_result(tmp_path)
    jsonschema.validate(result, schema("result"))
    energy = result["cells"][0]["energy"]
    assert (energy["cpu_energy_j"] is None) == (energy["cpu_reason"] is not None)
    if energy["cpu_energy_j"] is None:
        assert energy["cpu_power_w"] is None and "RAPL" in energy["cpu_reason"]
    else:
        assert energy["cpu_energy_j"] > 0 and energy["span_s"] >= 1


def test_a_trace_has_a_process_a_cell(finished, tmp_path):
    out = bellmark("trace", finished, "-o", "t.json", cwd=tmp_path).stdout
    assert out.startswith("t.json: ")
    trace = json.loads((tmp_path / "t.json").read_text())
    (result,) = results(finished)
    cells = json.loads(result.read_text())["cells"]
    names = [event["args"]["name"] for event in trace["traceEvents"] if event["name"] == "process_name"]
    assert len(names) == len(cells)
    slices = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert {event["pid"] for event in slices} == set(range(1, len(cells) + 1))
    assert all(event["ts"] >= 0 and event["dur"] >= 0 for event in slices)
    assert bellmark("trace", finished, "-o", "-").stdout == (tmp_path / "t.json").read_text()
    fault("trace", tmp_path / "t.json")
    assert [path.name for path in tmp_path.iterdir()] == ["t.json"]


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_a_timed_run_makes_no_system_call_of_ours(tmp_path):
    """A sample lies between two readings of the process's CPU clock, which are system calls."""
    quiet = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    bellmark("-f", "-o", "calls", BELLMARK, "run", "-v", "sssp/dijkstra", "-g", GRAPH, "-c", "none", "--smoke",
             "--queries", 4, "-q", exe="strace", cwd=tmp_path, env={**os.environ, **quiet})
    if "-fsanitize" in only_result(tmp_path)["provenance"]["flags"]:
        pytest.skip("a sanitizer makes calls of its own")
    by_thread = {}
    for line in (tmp_path / "calls").read_text(errors="replace").splitlines():
        thread, call = line.split(maxsplit=1)
        by_thread.setdefault(thread, []).append(call)
    samples = 0
    for calls in by_thread.values():
        clock = [i for i, call in enumerate(calls) if "CLOCK_PROCESS_CPUTIME_ID" in call]
        assert len(clock) % 2 == 0
        for begin, end in zip(clock[::2], clock[1::2]):
            # If reading the wall clock does not use a page of the kernel's, it is a call, too.
            others = [call for call in calls[begin + 1:end] if not re.match(r"clock_gettime\(", call)]
            assert others == []
            samples += 1
    assert samples >= 4  # the clock is read so in other places, too
