"""The page of `bellmark serve` in a browser: harness/serve/page/page.test.mjs, against a server of its own."""

import json
import os
import subprocess
from contextlib import contextmanager

import pytest

from browser import browser, packages_folder
from support import BELLMARK, SOURCE

PAGE = SOURCE / "harness/serve/page"
DATA = SOURCE / "data"
HELSINKI = {"roads": ["osm:helsinki"], "name": "helsinki", "files": {
    "distances": DATA / "osm/helsinki-d.gr.gz", "times": DATA / "osm/helsinki-t.gr.gz",
    "coordinates": DATA / "osm/helsinki.co.gz"}}
NEW_YORK = {"roads": ["dimacs:USA-road-d.NY", "--time", "dimacs:USA-road-t.NY"], "name": "USA-road-d.NY", "view": "-73.94,40.65,13", "files": {
    "distances": DATA / "dimacs/USA-road-d.NY.gr.gz", "times": DATA / "dimacs/USA-road-t.NY.gr.gz",
    "coordinates": DATA / "dimacs/USA-road-d.NY.co.gz"}}
full = pytest.mark.skipif(not os.environ.get("BELLMARK_FULL"), reason="in ./check --full")


@contextmanager
def serving(roads):
    """The address of a server of these roads."""
    process = subprocess.Popen([BELLMARK, "serve", "--port", "0", "--roads", *roads], stdout=subprocess.PIPE, text=True)
    try:
        address = process.stdout.readline().strip().rstrip("/")
        assert address.startswith("http://"), "the server did not start"
        yield address
    finally:
        process.terminate()
        assert process.wait(30) == 0


@pytest.mark.parametrize("city", [HELSINKI, pytest.param(NEW_YORK, marks=full)], ids=["helsinki", "new-york"])
def test_page_in_a_browser(city):
    packages = packages_folder(PAGE, "routes-page-tests")
    if not os.path.exists(os.path.join(os.path.dirname(BELLMARK), "map", "page.js")):
        pytest.skip("not run: no page.js (build the target routes_page)")
    roads = {"name": city["name"], "view": city.get("view"), **{key: str(file) for key, file in city["files"].items()}}
    with serving(city["roads"]) as server:
        done = subprocess.run(
            ["node", "--test", str(PAGE / "page.test.mjs")], cwd=packages, capture_output=True, text=True, check=False,
            env={**os.environ, "BELLMARK_SERVER": server, "BELLMARK_ROADS": json.dumps(roads),
                 "BELLMARK_BROWSER": browser()})
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
