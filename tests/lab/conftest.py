"""Bellmark under a clean prefix, and the lab that `bellmark new lab` writes, built against it."""

import pytest

pytest.register_assert_rewrite("support")

from support import BELLMARK, BUILD, build_lab, run  # noqa: E402


@pytest.fixture(scope="session")
def prefix(tmp_path_factory):
    if not BELLMARK.exists():
        pytest.skip(f"no executable {BELLMARK}; set BELLMARK")
    folder = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", BUILD, "--component", "lab", "--prefix", folder)
    return folder


@pytest.fixture(scope="session")
def sums(prefix, tmp_path_factory):
    """The executable of a new lab; its project is the folder above its build."""
    folder = tmp_path_factory.mktemp("new")
    run(BELLMARK, "new", "lab", "sums", cwd=folder)
    build_lab(folder / "sums", folder / "sums/build", prefix)
    return folder / "sums/build/sums"
