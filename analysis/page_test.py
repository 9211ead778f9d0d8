"""A report's page in a browser: node runs `page/*.test.mjs` against pages drawn here."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from browser import browser, packages_folder as fetched_packages
import report
from load import Json, load, load_all
from page_script import page_script
from topology_test import machine_xml

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PUBLISHED = ROOT / "results" / "published"
RESULTS = {
    "bars": ["gap/intel-xeon-2-cores-virtual/20261124-27dc66e8/replicated-sequential-p2p.json.gz",
             "yasui2011/amd-epyc-zen4-2-cores-virtual/20261121-073de8e2/T17.json.gz"],
    "ranks": ["hiragushi2013/nvidia-h200-2-gpus-32-cores-virtual/20261123-6642c741/"
              "gpu-ranks-24-25.json.gz"],
    "curves": ["yasui2011/amd-epyc-zen4-2-cores-virtual/20261121-073de8e2/T4.json.gz",
               "suzuki/nvidia-h200-16-cores-virtual/20261121-400b7b28/F6.json.gz",
               "suzuki/nvidia-h200-16-cores-virtual/20261121-400b7b28/F5.json.gz"],
}
HOSTILE = "</script><img src=x onerror=\"document.title='run'\">"


@pytest.fixture(name="packages", scope="module")
def _packages() -> Path:
    return packages_folder()


def packages_folder() -> Path:
    """The folder with the packages that the tests need."""
    if not page_script():
        pytest.skip("not run: no page.js (build the target page)")
    return fetched_packages(HERE / "page", "page-tests")


def hostile_placement() -> Json:
    """A heat map, and a machine with its cores, whose names are HTML."""
    result = load(HERE / "testdata" / "placement.json")
    result["topology"]["hwloc_xml"] = machine_xml(packages=2, cores=2)
    text = json.dumps(result)
    return json.loads(text.replace("SSSP time on every core", json.dumps(HOSTILE)[1:-1])
                      .replace('"dial"', json.dumps(HOSTILE)))


def test_pages_in_a_browser(packages: Path, tmp_path: Path) -> None:
    pages = []
    for name, files in RESULTS.items():
        results, claims = load_all([PUBLISHED / file for file in files])
        report.write(results, tmp_path / name, claims=claims)
        pages.append(tmp_path / name / "report.html")
    report.write([hostile_placement()], tmp_path / "hostile")
    pages.append(tmp_path / "hostile" / "report.html")
    done = subprocess.run(
        ["node", "--test", str(HERE / "page" / "figures.test.mjs")], cwd=packages,
        env={**os.environ, "BELLMARK_PAGES": "\n".join(map(str, pages)),
             "BELLMARK_BROWSER": browser()}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
