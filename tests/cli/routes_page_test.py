"""The page of `bellmark serve` in a browser: harness/serve/page/page.test.mjs, against a server of its own."""

import json
import os
import subprocess

import pytest

from browser import browser, packages_folder
from support import BELLMARK, SOURCE

PAGE = SOURCE / "harness/serve/page"
OSM = SOURCE / "data/osm"


@pytest.fixture(name="server")
def _server():
    """The address of a server of Helsinki's roads."""
    process = subprocess.Popen([BELLMARK, "serve", "--roads", "osm:helsinki", "--port", "0"],
                               stdout=subprocess.PIPE, text=True)
    address = process.stdout.readline().strip()
    assert address.startswith("http://"), "the server did not start"
    yield address
    process.terminate()
    assert process.wait(30) == 0


def test_page_in_a_browser(request):
    packages = packages_folder(PAGE, "routes-page-tests")
    if not os.path.exists(os.path.join(os.path.dirname(BELLMARK), "map", "page.js")):
        pytest.skip("not run: no page.js (build the target routes_page)")
    roads = {"name": "helsinki", "distances": str(OSM / "helsinki-d.gr.gz"),
             "times": str(OSM / "helsinki-t.gr.gz"), "coordinates": str(OSM / "helsinki.co.gz")}
    done = subprocess.run(
        ["node", "--test", str(PAGE / "page.test.mjs")], cwd=packages, capture_output=True, text=True, check=False,
        env={**os.environ, "BELLMARK_SERVER": request.getfixturevalue("server"),
             "BELLMARK_ROADS": json.dumps(roads), "BELLMARK_BROWSER": browser()})
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
