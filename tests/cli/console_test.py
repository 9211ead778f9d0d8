"""The text for people: on a terminal of any width, and in a log."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios

import pytest

from support import BELLMARK, EXPERIMENT, SOURCE, bellmark, fault, load, long

LONG = EXPERIMENT.replace('arity = [2, 4]', 'arity = [2, 4]\nwidth = [32]\ndistance = [64]').replace(
    "width=32,distance=64", "width={width},distance={distance}")
CLEAR = "\r\x1b[K"
NO_COLUMNS = {name: value for name, value in os.environ.items() if name != "COLUMNS"}


def on_terminal(columns, *words, cwd):
    """The text on a terminal of this number of columns, from standard output and standard error."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([BELLMARK, *map(str, words)], cwd=cwd, stdin=subprocess.DEVNULL, stdout=its, stderr=its,
                               env=NO_COLUMNS)
    os.close(its)
    read = b""
    try:
        while more := os.read(ours, 4096):
            read += more
    except OSError:  # its other end is closed
        pass
    os.close(ours)
    assert process.wait(timeout=60) == 0, read
    return read.decode()


def lines_of(text):
    """The terminal's lines one after another, with those that were drawn over."""
    return [line for whole in text.split("\r\n") for line in whole.split(CLEAR)]


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_a_run_fits_the_terminal(tmp_path, columns):
    (tmp_path / "small.toml").write_text(LONG)
    text = on_terminal(columns, "run", "small.toml", "--smoke", "--runs", "r", cwd=tmp_path)
    assert CLEAR in text, "progress is drawn in place"
    for line in lines_of(text):
        # Folders have unique names, and a path is not cut: people copy it.
        assert len(line) <= columns or "result: " in line, line
    assert "Claims of none" in text and "\n2 claims: 1 " in text


def test_a_log_has_a_line_a_block_and_nothing_to_steer_a_terminal(tmp_path):
    (tmp_path / "small.toml").write_text(EXPERIMENT)
    done = bellmark("run", "small.toml", "--quick", cwd=tmp_path, env=NO_COLUMNS)
    progress = done.stderr.splitlines()
    blocks = [block[0] for line in progress if (block := re.search(r"timed block \d/6", line))]
    assert len(set(blocks)) == 6 and len(blocks) <= 12, "disturbed ones are measured once more"
    assert len(progress) - len(blocks) == len({"visits", "phases", "counters", "memory"})
    for stream in (done.stdout, done.stderr):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", stream)
    claims = done.stdout.split("Claims of none\n")[1].splitlines()
    assert all(len(line) <= 80 for line in claims)
    assert claims[0].startswith("  N1  ") and claims[1] == "      two takes a thousand times as long as four"
    assert re.fullmatch(r"2 claims: 1 [a-z ]+, 1 shown", claims[4])
    assert claims[5] == "more of a claim: bellmark verdict --explain N1 RESULT..."


def test_the_variable_says_how_wide_a_log_is():
    # A published result: a cell that is measured here may be disturbed, and then says so in place of its value.
    published = SOURCE / "results/published/suzuki/nvidia-h200-16-cores-virtual/20261124-59617ca4/F8-units.json.gz"
    wide = bellmark("verdict", published, env={**NO_COLUMNS, "COLUMNS": "200"}).stdout
    narrow = bellmark("verdict", published, env={**NO_COLUMNS, "COLUMNS": "40"}).stdout
    assert "adaptive takes 1.114 [1.096, 1.124] of the time of thread-creation=all-vertices; the paper below 1" in wide
    assert all(len(line) <= 40 for line in narrow.splitlines())


@pytest.mark.parametrize("topic, columns", [pytest.param("yasui2011", 80, marks=long), ("suzuki", 60), ("oishi2015", 120), ("ma2022", 200)])
def test_published_claims_take_two_lines_each(topic, columns):
    folder = SOURCE / "results/published" / topic
    environment = {**NO_COLUMNS, "COLUMNS": str(columns)}
    said = bellmark("verdict", folder, env=environment).stdout.splitlines()
    claims = json.loads(bellmark("verdict", "--json", folder).stdout)["claims"]
    assert all(len(line) <= columns for line in said)
    of_claims = [line for line in said if line.startswith("  ")]
    assert len(of_claims) == 2 * len(claims)
    summary = " ".join(said[said.index(of_claims[-1]) + 1:])
    counts = [int(count) for count in re.findall(r"(\d+) (?:reproduced|direction|not rep|inconc|not test|check|shown)",
                                                 summary)]
    assert sum(counts) == len(claims)


@pytest.mark.parametrize("columns", [80, 120, 200])
def test_published_tables_fit(columns):
    files = sorted((SOURCE / "results/published").glob("*/*/*/*.json.gz"))[::12]
    text = bellmark("report", "-f", "console", *files, env={**NO_COLUMNS, "COLUMNS": str(columns)}).stdout
    for line in text.splitlines():
        # A single word is not cut.
        assert len(line) <= columns or " " not in line.strip(), line


def test_a_claim_is_explained(finished):
    short = bellmark("verdict", finished).stdout
    explained = bellmark("verdict", "--explain", "N1", finished).stdout
    everything = bellmark("verdict", "--explain", "all", finished).stdout
    assert everything.startswith(explained) and "\nnone/N2: shown" in everything
    assert explained.startswith("none/N1: ")
    assert "  claim:  two takes a thousand times as long as four\n" in explained
    assert "  why:    " in explained and "  why:    " not in short
    assert "arity=2 / arity=4" in explained
    for name in ("n1", "none/N1", "NONE/n1"):
        assert bellmark("verdict", "--explain", name, finished).stdout == explained
    assert bellmark("verdict", "--explain", "n1", "--explain", "N1", finished).stdout == explained


def test_a_claim_that_is_not_there_is_named_with_the_nearest(finished):
    assert "claim 'N7': is not judged in these results; did you mean 'none/N1' or 'none/N2'?" in fault(
        "verdict", "--explain", "N7", finished)
    assert "--explain" in fault("verdict", "--explain", "N1", "--json", finished)
    assert "is empty" in fault("verdict", "--explain", "", finished)


def test_a_result_steers_no_terminal(finished, tmp_path):
    result = load(finished / "result.json")
    result["cells"][0]["label"] = "\x1b[31mred\r\n"
    result["verdicts"][0]["text"] = "\x1b]0;title\x07"
    result["experiment"]["title"] = "\x1b[2J"
    (tmp_path / "result.json").write_text(json.dumps(result))
    text = bellmark("report", "-f", "console", tmp_path / "result.json").stdout
    assert "\x1b" not in text and "\r" not in text and "\\x1b[31mred" in text


def test_equal_notes_are_said_once(finished, tmp_path):
    for name in ("a", "b", "c", "d", "e"):
        result = load(finished / "result.json")
        result["experiment"]["id"] = name
        for verdict in result["verdicts"]:
            verdict["experiment"] = name
        result["rules"] = {"version": 3, "date": "2030-01-31", "digest": "f00d" * 16}
        (tmp_path / f"{name}.json").write_text(json.dumps(result))
    (note,) = bellmark("verdict", tmp_path).stderr.splitlines()
    assert note.startswith("bellmark: a, b, c and 2 more were judged by version 3 of 2030-01-31 ")
