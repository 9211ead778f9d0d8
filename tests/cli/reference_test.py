"""The reference pages agree with the program."""

import subprocess
import sys

from support import BELLMARK, SOURCE


def test_the_pages_are_what_would_be_generated():
    done = subprocess.run([sys.executable, SOURCE / "tools/reference", "--check", "--bellmark", BELLMARK],
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_command_has_its_section():
    page = (SOURCE / "docs/reference/commands.md").read_text()
    for command in ("list", "serve", "completion", "graph make"):
        assert f"\n#### bellmark {command}\n" in page
    assert "#### bellmark worker" not in page
