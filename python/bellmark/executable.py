"""The `bellmark` executable: finds it, asks it, and reports its errors."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Iterator, Optional

HOME = Path(__file__).resolve().parents[2]  # of a source tree or a bundle; unused if installed


class Fault(Exception):
    """A file that can't be used: one line with its place, its fault and the remedy."""


def find(executable: Optional[str] = None) -> str:
    """The named executable, else BELLMARK's, else the bundle's or the one that was built last in the
    source tree around this package, else the one on PATH."""
    named = executable or os.environ.get("BELLMARK")
    if named:
        return named
    here = [path for pattern in ("bin/bellmark", "build/*/bellmark") for path in HOME.glob(pattern)
            if path.is_file()]
    if here:
        return str(max(here, key=lambda path: path.stat().st_mtime))
    return shutil.which("bellmark") or "bellmark"


def lines(*words: object, executable: Optional[str] = None) -> Iterator[bytes]:
    """The lines that `bellmark WORDS` prints, one by one. Its notes on standard error about files
    that are not results are dropped. A failure is a Fault with its message."""
    name = find(executable)
    with tempfile.TemporaryFile() as errors:  # a pipe that nobody reads yet could fill
        try:
            process = subprocess.Popen([name, *map(str, words)], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=errors)
        except OSError as error:
            raise Fault(f"{name}: {error.strerror}; build bellmark, or name it by BELLMARK") from None
        with process:
            assert process.stdout is not None
            yield from process.stdout
        if process.returncode != 0:
            errors.seek(0)
            said = errors.read().decode("utf-8", "replace").strip() or \
                f"{name} ended with {process.returncode}"
            raise Fault(said.splitlines()[-1].removeprefix("bellmark: "))


def ask(*words: object, executable: Optional[str] = None) -> Any:
    """The JSON answer of `bellmark WORDS`."""
    return json.loads(b"".join(lines(*words, executable=executable)))
