"""Campaigns: faults that show only once in thousands of tries.

BELLMARK_FAULTS names the library of faults.cpp, by default the one beside the executable.
"""

import os
import random
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))
pytest.register_assert_rewrite("support")

from support import BELLMARK  # noqa: E402

FAULTS = os.path.abspath(
    os.environ.get("BELLMARK_FAULTS", Path(BELLMARK).parent / "tests/libbellmark_faults.so"))


@pytest.fixture(scope="session")
def faults():
    if not os.path.exists(FAULTS):
        pytest.skip(f"no library {FAULTS}; build target bellmark_faults")
    return FAULTS


@pytest.fixture
def chance(request):
    """Random choices: the same in each run, and different in each test."""
    return random.Random(request.node.name)
