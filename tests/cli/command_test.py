"""Other people's programs as variants: their time, their answers, and their faults."""

import json
import os
import shutil
import signal
import subprocess
import time

import jsonschema
import pytest

from support import BELLMARK, bellmark, fault, journal, long, only_result, results, schema, wait_for

GRAPH = "grid:rows=8,columns=8,lengths=uniform:1..9,seed=1"

# Bellman and Ford's search over a .gr file, in plain Python: a program that knows nothing of Bellmark.
SEARCH = """#!/usr/bin/python3
import sys
graph, source, answer = sys.argv[1], int(sys.argv[2]), sys.argv[3]
arcs = []
for line in open(graph):
    word = line.split()
    if word and word[0] == "p":
        n = int(word[2])
    if word and word[0] == "a":
        arcs.append(tuple(map(int, word[1:])))
infinite = float("inf")
distance = [infinite] * (n + 1)
before = [0] * (n + 1)
distance[source] = 0
changed = True
while changed:
    changed = False
    for tail, head, length in arcs:
        if distance[tail] + length < distance[head]:
            distance[head] = distance[tail] + length
            before[head] = tail
            changed = True
"""
DISTANCES = SEARCH + """
print(*("inf" if d == infinite else d for d in distance[1:]), sep="\\n", file=open(answer, "w"))
"""
PREDECESSORS = SEARCH + """
print(*before[1:], sep="\\n", file=open(answer, "w"))
"""
LIES = SEARCH + """
distance[5] += 1
print(*("inf" if d == infinite else d for d in distance[1:]), sep="\\n", file=open(answer, "w"))
"""
HALF = SEARCH + """
print(*distance[1:n // 2], sep="\\n", file=open(answer, "w"))
"""
WRONG_IDS = SEARCH + """
print(*(b + 1000 for b in before[1:]), sep="\\n", file=open(answer, "w"))
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with a home and a cache of its own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_STATE_HOME", "XDG_CACHE_HOME", "BELLMARK_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def script(folder, name, text):
    path = folder / name
    path.write_text(text if text.startswith("#!") else "#!/bin/sh\n" + text)
    path.chmod(0o755)
    return f"./{name}"


def run(folder, *words, code=0, **options):
    done = bellmark("run", "--smoke", "-q", "-g", GRAPH, "-c", "none", "--queries", 2, *words,
                    code=code, cwd=folder, **options)
    result = only_result(folder)
    jsonschema.validate(result, schema("result"))
    return result, done


def reason_of(result, name):
    (entry,) = [x for x in result["not_measured"] if f"external-{name}" in x["variant"]]
    return entry["code"], entry["reason"]


def test_honest_program_is_certified_beside_a_variant_of_ours(place):
    search = script(place, "search", DISTANCES)
    result, done = run(place, "-v", "sssp/dijkstra", "--command", f"{search} {{graph}} {{source}} {{answer}}")
    ours, theirs = result["cells"]
    assert theirs["variant"] == "sssp/external-search"
    assert [c["validation"]["status"] for c in (ours, theirs)] == ["certified", "certified"]
    assert [c["timed_by"] for c in (ours, theirs)] == ["Bellmark", "Bellmark"]
    assert theirs["wall_ns"]["median"] > 1e6
    assert "starts external/search: ./search" in done.stderr
    (program,) = result["programs"]
    assert program["command"] == ["./search", "{graph}", "{source}", "{answer}"]
    assert len(program["executable_digest"]) == 32
    assert not list(place.glob("bellmark-answers-*"))


def test_predecessors_are_certified_too(place):
    search = script(place, "search", PREDECESSORS)
    result, _ = run(place, "--command", f"{search} {{graph}} {{source}} {{answer}}",
                    "--command-check", "predecessors")
    assert result["cells"][0]["validation"]["status"] == "certified"


@pytest.mark.parametrize("text, check, said", [
    (LIES, "distances", "vertex 5"),
    (HALF, "distances", "has 31 numbers, and the graph has 64 vertices"),
    (WRONG_IDS, "predecessors", "which is not a vertex of the graph"),
    ("true", "distances", "was not written"),
    ("echo fast > $3", "distances", "'fast' in line 1, which is not a number"),
])
def test_wrong_answers_are_found_and_the_rest_goes_on(place, text, check, said):
    bad = script(place, "bad", text)
    result, _ = run(place, "-v", "sssp/dijkstra", "--command", f"{bad} {{graph}} {{source}} {{answer}}",
                    "--command-check", check, code=3)
    assert result["cells"][0]["validation"]["status"] == "certified"
    code, reason = reason_of(result, "bad")
    assert code == "wrong-answer" and said in reason


FAULTS = {
    "silent": ("true", "it prints no time"),
    "twice": ("echo time: 1e-9; echo time: 2e-9", "it prints 2 times, 1e-9 and 2e-9"),
    "late": ("echo time: 9999", "is the unit right?"),
    "empty": ("echo time: ", "is not a number above 0"),
    "failed": ("echo no such file >&2; exit 3", "exit code 3, and said: no such file"),
    "asserted": ("echo assertion 3 failed >&2; echo >&2; echo Aborted >&2; exit 134",
                 "exit code 134, and said: assertion 3 failed; Aborted"),
    "killed": ("kill -9 $$", "killed by signal 9"),
    "parent": ("setsid sleep 300 & sleep 301 & echo time: 1e-9", "left 2 processes behind"),
    "flood": ("head -c 100000000 /dev/zero | tr '\\0' x", "nothing in the first MiB of its output"),
}


def test_a_file_that_is_no_program_yet_says_what_to_do(place):
    (place / "unset").write_text("#!/bin/sh\n")
    result, _ = run(place, "--command", "./unset", "-v", "sssp/dijkstra")
    code, reason = reason_of(result, "unset")
    assert code == "unmet-need" and "'./unset' is not executable; chmod +x ./unset" in reason


def test_a_comparison_without_a_rival_says_so(place):
    done = subprocess.run([BELLMARK, "compare", "-v", "sssp/dijkstra", "--command", "./nowhere", "-g", GRAPH,
                           "-c", "none", "--smoke", "-q"], cwd=place, capture_output=True, text=True, check=False)
    assert done.returncode == 77 and "nothing was compared: no two cells were measured" in done.stderr
    assert "there is no program './nowhere'" in done.stdout


def test_each_fault_is_a_cells_own_end(place):
    words = []
    for name, (text, _) in FAULTS.items():
        words += ["--command", f"{script(place, name, text)} {{source}}"]
    words += ["--command", "./nowhere", "--command", script(place, "good", "echo time: 1e-9")]
    result, _ = run(place, *words, "--command-time", "s:time: *([0-9.e+-]*)", code=4)
    for name, (_, said) in FAULTS.items():
        code, reason = reason_of(result, name)
        assert code == "crash" and said in reason, (name, reason)
    code, reason = reason_of(result, "nowhere")
    assert code == "unmet-need" and "there is no program './nowhere'" in reason
    good = [c for c in result["cells"] if c["variant"] == "sssp/external-good"][0]
    assert good["wall_ns"]["median"] == 1 and good["timed_by"] == "program"
    assert good["validation"]["status"] == "exit code only"
    time.sleep(0.2)
    assert "sleep 30" not in subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True).stdout


def test_one_that_hangs_is_ended_with_all_that_it_started(place):
    hangs = script(place, "hangs", "setsid sleep 3021 &\nsleep 3022")
    result, _ = run(place, "-v", "sssp/dijkstra", "--command", hangs, "--timeout", "2", code=4)
    assert reason_of(result, "hangs")[0] == "timeout"
    assert result["cells"][0]["wall_ns"]
    assert " 302" not in subprocess.run(["ps", "ax", "-o", "args"], capture_output=True, text=True).stdout
    assert not list(place.glob("bellmark-answers-*"))


def test_axes_and_environment(place):
    program = script(place, "show", 'echo "$1 $OMP_NUM_THREADS ${SECRET-none}" >> shown\n')
    result, _ = run(place, "--command", f"OMP_NUM_THREADS={{n}} {program} {{n}}", "-a", "n=1,2,4",
                    env={**os.environ, "SECRET": "told"})
    assert [c["parameters"] for c in result["cells"]] == [{"n": "1"}, {"n": "2"}, {"n": "4"}]
    assert set((place / "shown").read_text().splitlines()) == {"1 1 none", "2 2 none", "4 4 none"}


def test_rival_of_ours_needs_no_key_of_the_programs(place):
    program = script(place, "good", "true")
    result, _ = run(place, "-v", "sssp/dijkstra", "--command", f"{program} {{n}}", "-a", "n=1,2")
    assert [c["variant"].split(":")[0] for c in result["cells"]].count("sssp/dijkstra") == 1
    results(place)[0].unlink()
    result, _ = run(place, "-v", "sssp/yasui2011:2-heap", "--command", f"{program} {{n}}", "-a", "n=1,2")
    assert len(result["cells"]) == 3


def test_words_never_reach_a_shell(place):
    (place / "a; touch broken; $(touch broken).gr").write_text("p sp 2 1\na 1 2 3\n")
    program = script(place, "good", 'test "$2" = "\\$HOME;*" && touch "$1.seen"')
    bellmark("run", "--smoke", "-q", "-g", "a; touch broken; $(touch broken).gr", "-c", "none",
             "--command", f"{program} {{source}} '$HOME;*'", cwd=place)
    assert not (place / "broken").exists() and (place / "1.seen").exists()


def test_threads_are_the_placements_pus(place):
    if os.cpu_count() < 2:
        pytest.skip("needs two PUs")
    program = script(place, "show", 'echo "$1 $(nproc)" > shown\n')
    bellmark("run", "--smoke", "-q", "-g", GRAPH, "-c", "pu:0-1", "--command", f"{program} {{threads}}", cwd=place)
    assert (place / "shown").read_text() == "2 2\n"


def test_peak_memory_is_the_programs(place):
    (place / "e.toml").write_text(toml(script(place, "large", LARGE)) + "memory = true\n")
    bellmark("run", "e.toml", "--quick", "-q", "--allow-commands", cwd=place)
    memory = only_result(place)["cells"][0]["memory"]
    assert 400e6 < memory["resident_bytes"] < 500e6


def test_counters_are_those_of_a_program_that_ended(place):
    busy = script(place, "busy", "i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done")
    (place / "e.toml").write_text(toml(busy) + 'counters = ["software", "cycles"]\n')
    bellmark("run", "e.toml", "--quick", "-q", "--allow-commands", cwd=place)
    counters = {c["name"]: c for c in only_result(place)["cells"][0]["counters"]}
    assert counters["perf::TASK-CLOCK"]["value"] > 1e6 and counters["perf::PAGE-FAULTS"]["value"] > 10
    missing = counters["perf::CPU-MIGRATIONS"]
    assert missing["value"] is None and "does not count this event for a program" in missing["reason"]
    hardware = [c for c in counters.values() if c["group"] == "cycles"]
    assert hardware and all(c["value"] is None and "one of its own" in c["reason"] for c in hardware)


LARGE = "#!/usr/bin/python3\nheld = bytearray(400_000_000)\n"


def toml(command, **keys):
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
    return f"""id = "small/external"
variants = ["external/mine"]
[[program]]
name = "mine"
problem = "sssp"
command = {json.dumps(command)}
{lines}
[workload]
problem = "sssp"
queries = {{ kind = "uniform-sources", count = 2, seed = 1 }}
[axes]
graph = ["{GRAPH}"]
[run]
placement = "none"
sample_count = 2
block_count = 2
"""


def test_a_file_of_another_needs_leave(place):
    (place / "e.toml").write_text(toml(script(place, "mine", "touch started")))
    said = fault("run", "e.toml", cwd=place)
    assert "it starts programs: ./mine" in said and "--allow-commands" in said
    bellmark("plan", "e.toml", cwd=place)
    bellmark("list", "--experiments", cwd=place)
    bellmark("run", "e.toml", "--dry-run", "--allow-commands", cwd=place)
    assert not (place / "started").exists()
    bellmark("run", "e.toml", "--smoke", "-q", "--allow-commands", cwd=place)
    assert (place / "started").exists()
    (result,) = results(place)
    (place / "started").unlink()
    bellmark("verdict", result, cwd=place)
    bellmark("report", "-f", "console", result, cwd=place)
    assert not (place / "started").exists()


def test_definitions_in_toml(place):
    (place / "e.toml").write_text(toml("{home}/mine {graph} {source} {answer}", home="MINE_HOME",
                                       version="{home}/version", check="distances"))
    bin_folder = place / "bin"
    bin_folder.mkdir()
    script(bin_folder, "mine", DISTANCES)
    script(bin_folder, "version", "echo mine 1.2")
    done = bellmark("run", "e.toml", "--smoke", "-q", "--allow-commands", code=77, cwd=place)
    assert "mine is not here: set MINE_HOME, or say --program mine=FOLDER" in done.stdout + done.stderr
    (unmet,) = results(place)
    unmet.unlink()
    bellmark("run", "e.toml", "--smoke", "-q", "--allow-commands", "--program", "mine=bin", cwd=place)
    result = only_result(place)
    assert result["cells"][0]["validation"]["status"] == "certified"
    assert result["programs"][0]["version"] == "mine 1.2"


FROM_INPUT = DISTANCES.replace("graph, source, answer = sys.argv[1], int(sys.argv[2]), sys.argv[3]",
                               "answer = sys.argv[1]").replace(
    "for line in open(graph):", "for line in sys.stdin:").replace(
    "    if word and word[0] == \"a\":", "    if word and word[0] == \"n\":\n        source = int(word[1])\n"
    "    if word and word[0] == \"a\":")


def test_a_graph_and_its_source_at_standard_input(place):
    script(place, "mine", FROM_INPUT)
    (place / "e.toml").write_text(toml("./mine {answer}", format="sp", input="{graph}", check="distances"))
    bellmark("run", "e.toml", "--smoke", "-q", "--allow-commands", cwd=place)
    cell = only_result(place)["cells"][0]
    assert (cell["validation"]["status"], cell["query_count"]) == ("certified", 2)
    assert not list(place.glob("bellmark-answers-*"))


def test_a_program_that_needs_a_symmetric_graph(place):
    script(place, "mine", "touch started")
    (place / "one-way.gr").write_text("p sp 2 1\na 1 2 3\n")
    (place / "e.toml").write_text(toml("./mine", needs=["symmetric"]).replace(GRAPH, "one-way.gr"))
    bellmark("run", "e.toml", "--smoke", "-q", "--allow-commands", cwd=place, code=77)
    code, reason = reason_of(only_result(place), "mine")
    assert code == "unmet-need" and "symmetric" in reason and not (place / "started").exists()
    (place / "e.toml").write_text(toml("./mine", needs=["symmetry"]))
    assert "'symmetry' is not a need of a program" in fault("run", "e.toml", cwd=place)


def test_input_that_is_not_there(place):
    script(place, "mine", "true")
    (place / "e.toml").write_text(toml("./mine", input="nowhere"))
    bellmark("run", "e.toml", "--smoke", "-q", "--allow-commands", cwd=place, code=4)
    code, reason = reason_of(only_result(place), "mine")
    assert code == "crash" and "nowhere: can't be read: No such file" in reason


@pytest.mark.parametrize("says, code", [("PASS", 0), ("FAIL", 3)])
def test_what_a_check_prints_counts(place, says, code):
    script(place, "mine", f"echo 'Verification:    {says}'")
    (place / "e.toml").write_text(toml("./mine {source}", check="command", check_command="./mine {source} -v",
                                       check_pattern="Verification: *PASS"))
    bellmark("run", "e.toml", "--smoke", "-q", "--allow-commands", cwd=place, code=code)
    result = only_result(place)
    if code == 0:
        assert result["cells"][0]["validation"]["status"] == "checked by a command"
    else:
        found, reason = reason_of(result, "mine")
        assert found == "wrong-answer" and "no line that matches 'Verification: *PASS'" in reason


@pytest.mark.parametrize("keys, said", [
    ({"check": "levels"}, "check 'levels' does not go with sssp"),
    ({"check_pattern": "PASS"}, 'check_pattern without check = "command"'),
    ({"check": "command", "check_command": "true", "check_pattern": "("}, "'(' is not a regular expression"),
    ({"speaks": "wire", "command": "./mine", "input": "x"}, "has its messages at standard input"),
    ({"speaks": "wire", "command": "./mine", "format": "sp"}, "has a file for each query"),
    ({"check": "distances"}, "no word mentions {answer}"),
    ({"format": "grr"}, "did you mean 'gr'?"),
    ({"time": {"pattern": "x", "unit": "s"}}, ""),
    ({"time": "sometimes"}, "time 'sometimes' is none"),
    ({"speaks": "French"}, "speaks 'French'"),
])
def test_faulty_definitions_are_named(place, keys, said):
    keys = dict(keys)
    command = keys.pop("command", "./mine {source}")
    text = toml(command, **{k: v for k, v in keys.items() if k != "time" or isinstance(v, str)})
    if isinstance(keys.get("time"), dict):
        text = text.replace('name = "mine"', 'name = "mine"\ntime = { pattern = "x", unit = "s" }')
        said = "has 0 groups"
    (place / "e.toml").write_text(text)
    assert said in fault("run", "e.toml", cwd=place)


def test_command_lines_that_are_none(place):
    assert "'{delta}' names no key" in fault("run", "--command", "./mine {delta}", cwd=place)
    assert "has no end" in fault("run", "--command", "./mine 'x", cwd=place)
    assert "{target} in a command of sssp" in fault("run", "--command", "./mine {target}", cwd=place)


def begun(place, command):
    """A run that was killed in its first block."""
    (place / "e.toml").write_text(toml(command).replace("block_count = 2", "block_count = 40"))
    process = subprocess.Popen([BELLMARK, "run", "e.toml", "-q", "--allow-commands"], cwd=place,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    folder = wait_for(lambda: list(place.glob("runs/small/external/*/run.json")))[0].parent
    wait_for(lambda: len(journal(folder)) >= 1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return folder


def test_resume_asks_again_for_what_this_user_did_not_start(place):
    script(place, "mine", "true")
    folder = begun(place, "./mine {source}")
    started = place / "home/.local/state/bellmark/programs"
    kept = started.read_text()
    started.write_text("")
    assert "a program that you did not start before: ./mine" in fault("resume", folder, cwd=place)
    started.write_text(kept)
    script(place, "mine", "false")
    assert "is not the program that the run began with" in fault("resume", folder, cwd=place)
    script(place, "mine", "true")
    bellmark("resume", folder, "-q", cwd=place)
    assert (folder / "result.json").exists()


GAP = """#!/usr/bin/python3
import sys, time
assert sys.argv[1::2][:4] == ["-f", "-r", "-n", "-d"] and sys.argv[2].endswith(".wsg")
print("Read Time:           0.00001")
print("Trial Time:          0.00002")
print("Average Time:        0.00002")
if sys.argv[9:] == ["-v"]:
    print("Verification:           PASS")
"""


def test_peers_are_here_where_the_user_says(place):
    assert "sssp/external-gap-sssp  (not here)" in bellmark("list", "sssp/external-gap-sssp", cwd=place).stdout
    assert "external-gap-sssp" in bellmark("list", "sssp", cwd=place).stdout
    result, _ = run(place, "-v", "sssp/dijkstra", "-v", "external/gap-sssp:delta=4")
    assert reason_of(result, "gap-sssp")[0] == "unmet-need"
    results(place)[0].unlink()
    script(place, "sssp", GAP)
    result, _ = run(place, "-v", "external/gap-sssp", "--program", f"gap={place}", "-a", "delta=4,8")
    assert [c["timed_by"] for c in result["cells"]] == ["program", "program"]
    assert [c["wall_ns"]["median"] for c in result["cells"]] == [20000, 20000]
    assert [c["validation"]["status"] for c in result["cells"]] == ["checked by a command"] * 2


def starts(place, *words):
    """The number of other programs that a command executes."""
    # A traced process can't look for its leaks.
    quiet = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}
    bellmark(*words, exe="strace", cwd=place, env={**os.environ, **quiet})
    return sum("execve(" in line for line in (place / "calls").read_text().splitlines()) - 1


@pytest.mark.skipif(not shutil.which("strace"), reason="needs strace")
def test_what_only_reads_starts_nothing(place):
    (place / "e.toml").write_text(toml(script(place, "mine", "true")))
    bellmark("run", "e.toml", "--quick", "-q", "--allow-commands", cwd=place)
    (result,) = results(place)
    for words in (["plan", "e.toml"], ["list"], ["verdict", result], ["report", "-f", "console", result],
                  ["report", "-f", "csv", result], ["table", result], ["history", result]):
        assert starts(place, "-f", "-o", "calls", "-e", "trace=execve", BELLMARK, *words) == 0, words
    assert starts(place, "-f", "-o", "calls", "-e", "trace=execve", BELLMARK, "run", "e.toml", "--smoke", "-q",
                  "--allow-commands") > 0


DELTA = """#!/usr/bin/python3
import sys
print("t:", 900 if sys.argv[1] == "3" else 1000, "ns")
"""


@long
def test_settings_of_a_program_are_tuned(place):
    (place / "p.toml").write_text(f"""[[program]]
name = "mine"
problem = "sssp"
command = {json.dumps(script(place, "mine", DELTA) + " {delta} {source}")}
time = {{ pattern = "t: ([0-9]+) ns", unit = "ns" }}
[[program.setting]]
name = "delta"
values = [1, 3]
tunable = true
""")
    words = ["tune", "-v", "external/mine", "-g", GRAPH, "-c", "none", "--queries", 2, "--budget", "3m", "-q",
             "--programs", "p.toml"]
    assert "it starts programs" in fault(*words, cwd=place)
    done = bellmark(*words, "--allow-commands", "-o", "tuned.toml", cwd=place, timeout=300)
    assert "\n  delta=3  " in done.stdout
    # On a machine with other users, no candidate may be found better.
    if (place / "tuned.toml").exists():
        bellmark("run", "tuned.toml", "--smoke", "-q", "--allow-commands", cwd=place)


def test_replicate_starts_what_a_result_defines_only_with_leave(place):
    search = script(place, "search", DISTANCES + 'open("started", "w")\n')
    run(place, "-v", "sssp/dijkstra", "--command", f"{search} {{graph}} {{source}} {{answer}}")
    (path,) = results(place)
    before = len(list(place.rglob("started")))
    said = fault("replicate", path, "-q", cwd=place)
    assert "it starts programs: ./search" in said and "--allow-commands" in said
    assert len(results(place)) == 1 and len(list(place.rglob("started"))) == before
    again = json.loads(bellmark("replicate", path, "-q", "--json", "--allow-commands", cwd=place).stdout)
    assert [cell["here"]["wall_ns"] is not None for cell in again["cells"]] == [True, True]
