"""Browsers for the tests of pages, and the packages with which node drives them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

BUILD = Path(__file__).resolve().parents[2] / "build"


def browser() -> str:
    """The browser to test with: BELLMARK_BROWSER, or Chromium; "" if there is none."""
    return os.environ.get("BELLMARK_BROWSER") or shutil.which("chromium") or ""


def packages_folder(source: Path, name: str) -> Path:
    """build/NAME with the packages for the tests of `source`, as its lock file pins them. Skips the test if
    something is missing."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            pytest.skip(f"not run: no {program}")
    if not browser():
        pytest.skip("not run: no browser (apt-get install chromium)")
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    lock = (source / "package-lock.json").read_bytes()
    done = folder / "done"
    if not done.exists() or done.read_bytes() != lock:
        for file in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(source / file, folder)
        fetched = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund",
                                  "--prefer-offline", "--fetch-retries=1"], cwd=folder, check=False,
                                 capture_output=True, text=True)
        if fetched.returncode:
            pytest.skip(f"not run: npm fetched no packages: {fetched.stderr.strip()[-200:]}")
        done.write_bytes(lock)
    return folder
