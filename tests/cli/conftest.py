"""The common beginnings of these tests."""

import os
import subprocess

import pytest

pytest.register_assert_rewrite("support")

from support import BELLMARK, EXPERIMENT, bellmark, results, tuned, wait_for  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def executable():
    if not os.path.exists(BELLMARK):
        pytest.skip(f"no executable {BELLMARK}; set BELLMARK")


@pytest.fixture(scope="session", autouse=True)
def temporary_files(tmp_path_factory):
    """Logs that stay after a fault lie among the files of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(tmp_path_factory.mktemp("tmp")))
        yield


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished quick run of EXPERIMENT: its folder."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "small.toml").write_text(EXPERIMENT)
    bellmark("run", "small.toml", "--quick", "-q", cwd=folder)
    (result,) = results(folder)
    return result.parent


@pytest.fixture
def long_run(tmp_path):
    """Starts a run of many short blocks; gives its process and its folder."""
    started = []

    def start(exe=BELLMARK, text=None, *words):
        (tmp_path / "small.toml").write_text(text or tuned(block_count=30, memory="false"))
        process = subprocess.Popen(
            [exe, "run", "small.toml", "-q", *words], cwd=tmp_path,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        started.append(process)
        run = wait_for(lambda: list(tmp_path.glob("runs/small/arity/*/run.json")))[0].parent
        return process, run

    yield start
    for process in started:
        process.kill()
        process.communicate()
