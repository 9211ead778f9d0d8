"""The set-up that quickstart and check share: a build's progress, and its failures."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(name="build")
def _build(tmp_path):
    """Runs `build check all` with a scripted ninja, in a copy that has only the tools."""
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "setup.sh").write_text((ROOT / "tools/setup.sh").read_text())
    programs = tmp_path / "bin"
    programs.mkdir()

    def build(ninja):
        for name, text in (("cmake", ""), ("ninja", ninja)):
            program = programs / name
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        script = f"source {tools}/setup.sh; progress_every_s=1; build check all; say built"
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"})

    return build


def test_a_build_says_how_far_it_is(build):
    # Goes on after its progress was read, which takes no fixed time.
    done = build('echo "[30/120] Building a.o"; sleep 4; echo "[120/120] Linking"')
    assert done.returncode == 0, done.stderr
    assert "  30 of 120 files, about " in done.stdout and done.stdout.rstrip().endswith("built")


def test_a_build_that_fails_says_where(build):
    done = build('echo "[1/2] Building a.o"; echo "a.cpp:3: error: no"; exit 1')
    assert done.returncode == 1
    assert "a.cpp:3: error: no" in done.stderr and "building check failed" in done.stdout
