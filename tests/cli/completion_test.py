"""Completions of shells at the end of an unfinished command line."""

import os
import shutil
import subprocess

import pytest

from support import BELLMARK, bellmark


def offered(*words):
    return [line.split("\t")[0] for line in bellmark("complete", "--", *words).stdout.splitlines()]


@pytest.mark.parametrize("words, expected", [
    (["ru"], ["run"]), (["graph", "ver"], ["verify"]), (["run", "--qui"], ["--quick", "--quiet"]),
    (["run", "-v", "sssp/boost"], ["sssp/boost-dijkstra"]), (["list", "sss"], None),
    (["list", "sssp/dijkstra:ar"], ["sssp/dijkstra:arity=", "sssp/dijkstra:arcs="]),
    (["run", "--variant=sssp/dijkstra:extract="], ["--variant=sssp/dijkstra:extract=top-down",
                                                   "--variant=sssp/dijkstra:extract=bottom-up"]),
    (["run", "-v", "sssp/dijkstra:arity=4,stor"], ["sssp/dijkstra:arity=4,storage="]),
    (["report", "-f", "c"], ["console", "csv"]), (["completion", ""], ["bash", "fish", "zsh"]),
    (["run", "yasui2011/table4"], ["yasui2011/table4"]), (["graph", "info", "kron"], ["kronecker:"]),
    (["run", "-a", "arit"], ["arity="]), (["run", "--no-such-option", "--smo"], ["--smoke"]),
    (["verdict", "x"], []), (["no-such-command", ""], None),
])
def test_words(words, expected):
    found = offered(*words)
    if expected is None:
        assert all(word.startswith(words[-1]) for word in found)
    else:
        assert sorted(found) == sorted(expected)


def test_every_command_is_offered_and_none_that_is_hidden():
    found = offered("")
    assert "serve" in found and "completion" in found
    assert not {"worker", "complete", "reference"} & set(found)


def test_a_candidate_is_a_line():
    """The help of some options has several."""
    for command in ("run", "compare", "tune"):
        assert [word for word in offered(command, "--") if not word.startswith("--")] == []
    assert offered("tune", "--objective", "") == ["time", "energy", "memory"]


def test_meanings_stand_behind_the_words():
    assert "run\tMeasure experiments" in bellmark("complete", "--", "ru").stdout


def in_bash(line):
    """The words that bash would put in place of its last word."""
    script = f"""source <("$1" completion bash)
COMP_LINE=$2 COMP_POINT=${{#2}}
# As bash parts words: at blanks, and at : and =, which are words of their own.
mapfile -t COMP_WORDS < <(printf '%s' "$2" | sed 's/[:=]/\\n&\\n/g; s/ /\\n/g' | sed '/^$/d')
[[ $2 == *" " ]] && COMP_WORDS+=("")
COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
compopt() {{ :; }}
_bellmark_complete
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run(["bash", "-c", script, "bash", BELLMARK, f"{BELLMARK} {line}"], capture_output=True, text=True,
                          timeout=60, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("line, expected", [
    ("ru", ["run"]), ("graph in", ["info"]), ("run -v sssp/lemon", None), ("run -v sssp/dijkstra:ari", ["arity="]),
    ("run -v sssp/dijkstra:extract=", ["top-down", "bottom-up"]), ("run -v sssp/dijkstra:extract=bot", ["bottom-up"]),
    ("completion ", ["bash", "fish", "zsh"]), ("report --format=c", ["console", "csv"]),
])
def test_bash(line, expected):
    found = in_bash(line)
    if expected is None:
        assert all(word.startswith("sssp/lemon") for word in found)
    else:
        assert sorted(found) == sorted(expected)


def test_bash_in_a_terminal(tmp_path):
    """A real interactive bash: a tab completes the command, and its option."""
    import pty
    import select
    import time

    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tmp_path)
        os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
    read = b""

    def until(text):
        nonlocal read
        end = time.monotonic() + 30
        while text not in read and time.monotonic() < end:
            if select.select([terminal], [], [], 0.2)[0]:
                read += os.read(terminal, 65536)
        assert text in read, read

    try:
        os.write(terminal, f"PS1='rea''dy '; source <({BELLMARK} completion bash); PATH={os.path.dirname(BELLMARK)}:$PATH\n".encode())
        until(b"ready ")
        os.write(terminal, b"bellmark topo\t--js\t\n")
        until(b"bellmark topology --json")
        os.write(terminal, b"exit\n")
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="not available: zsh is not installed")
def test_zsh():
    script = f"""autoload -U compinit; compinit -u -D
source <({BELLMARK} completion zsh)
_files() {{ print FILES }}
compadd() {{ print -l -- "${{(@)argv[(r)--,-1]}}" }}
words=({BELLMARK} run --qui); CURRENT=3; _bellmark
words=({BELLMARK} verdict x); CURRENT=3; _bellmark
"""
    done = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["--", "--quick", "--quiet", "FILES"], done.stderr


@pytest.mark.skipif(shutil.which("fish") is None, reason="not available: fish is not installed")
def test_fish(tmp_path):
    script = f"""{BELLMARK} completion fish | source
set -x PATH {os.path.dirname(BELLMARK)} $PATH
complete -C 'bellmark run --qui'
complete -C 'bellmark graph inf'"""
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "HOME": str(tmp_path)})
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == ["--quick", "--quiet", "info"], done.stderr
