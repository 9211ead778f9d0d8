"""Common parts of the tests of labs: Bellmark installed under a clean prefix, and projects built against it.

BELLMARK names the executable. Its folder is the build that is installed.
"""

import os
import re
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BELLMARK = Path(os.path.abspath(os.environ.get("BELLMARK", SOURCE / "build/release/bellmark")))
BUILD = BELLMARK.parent


def run(*words, cwd=None, code=0, **extra):
    """Standard output and error of a command, which must end with that exit code."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, text=True, capture_output=True, **extra)
    text = done.stdout + done.stderr
    assert code is None or done.returncode == code, f"{words}: {done.returncode}\n{text[-4000:]}"
    return text


def linked_of(executable: Path, words: str):
    """Shared libraries that an executable needs, and C functions that it defines or imports, if their names
    begin with one of `words` (`cuda|mpi`)."""
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", run("readelf", "-d", "-W", executable))
    symbols = [line.split()[-1].split("@")[0] for line in run("nm", executable).splitlines()]
    assert needed and symbols
    return [name for name in needed + symbols if re.match(f"(lib)?_*({words})", name, re.I)]


def configure(source: Path, build: Path, *options, code=0):
    return run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DBELLMARK_CUDA=OFF", *options, code=code)


def build_lab(source: Path, build: Path, prefix: Path, *options, targets=(), code=0):
    """Configures a project against the installed Bellmark, and builds it. Gives the output."""
    said = configure(source, build, f"-DCMAKE_PREFIX_PATH={prefix}", *options, code=None)
    if "Generating done" not in said:
        assert code != 0, said
        return said
    return said + run("cmake", "--build", build, *(["--target", *targets] if targets else []), code=code)
