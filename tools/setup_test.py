"""The set-up that quickstart and check share: a build's progress, and its failures."""

import os
import re
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
    assert "  30 of 120 files, at least " in done.stdout and done.stdout.rstrip().endswith("built")


def test_a_build_that_fails_says_where(build):
    done = build('echo "[1/2] Building a.o"; echo "a.cpp:3: error: no"; exit 1')
    assert done.returncode == 1
    assert "a.cpp:3: error: no" in done.stderr and "building check failed" in done.stdout


def lists():
    """The packages that set-up installs, and of them those that a finished Bellmark calls, where there is no npm."""
    script = f'command() {{ [ "$2" != node ] && [ "$2" != npm ] && builtin command "$@"; }}; source {ROOT}/tools/setup.sh; '
    told = subprocess.run(["bash", "-c", script + 'echo "${packages[*]}"; echo "${run_packages[*]}"'],
                          capture_output=True, text=True, check=True).stdout
    return [set(line.split()) for line in told.splitlines()]


def test_the_table_of_packages_is_complete():
    packages, for_runs = lists()
    assert {"nodejs", "npm", "cmake"} < packages and for_runs < packages
    page = (ROOT / "docs/reference/built-with.md").read_text(encoding="utf-8")
    header, _, *rows = re.search(r"^\| Debian, Ubuntu.*?(?=\n\n)", page, re.M | re.S).group().splitlines()
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in (header, *rows)]
    assert {len(row) for row in cells} == {5} and all(all(row) for row in cells)
    named = [name for row in cells[1:] for name in row[0].split(", ")]
    assert sorted(named) == sorted(packages)


def test_images_have_pinned_bases_and_no_list_of_packages_of_their_own():
    dockerfile = (ROOT / "packaging/Dockerfile").read_text(encoding="utf-8")
    definition = (ROOT / "packaging/bellmark.def").read_text(encoding="utf-8")
    bases = set(re.findall(r"^FROM (\S+) AS (?:build|run)-", dockerfile, re.M))
    assert len(bases) == 3 and all(re.search(r":.*\d+\.\d+", base) for base in bases)
    assert bases == set(re.findall(r"(?:BUILD|RUN)=(\S+)", definition))
    for text in (dockerfile, definition):
        assert "apt-get" not in text and "packaging/stage packages" in text and "packaging/stage run" in text
    ours = {line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()}
    assert ours == {line.removeprefix("**/").strip("/") for line in
                    (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if not line.startswith("#")}
