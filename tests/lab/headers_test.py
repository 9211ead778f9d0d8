"""The installed headers: each compiles alone, and includes none that isn't installed."""

import re
from concurrent.futures import ThreadPoolExecutor

from support import SOURCE, run


def installed(prefix):
    return sorted((prefix / "include/bellmark").rglob("*.hpp"))


def test_each_compiles_alone(prefix):
    def compile_alone(header):
        name = header.relative_to(prefix / "include")
        run("c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", prefix / "include",
            "-x", "c++", "-", input=f"#include <{name}>\n")

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(compile_alone, installed(prefix)))


def test_none_includes_what_is_not_installed(prefix):
    headers = installed(prefix)
    assert len(headers) > 15
    for header in headers:
        for included in re.findall(r'^#include "([^"]+)"', header.read_text(), re.M):
            assert included.startswith("bellmark/"), f"{header}: {included}"
            assert (prefix / "include" / included).exists(), f"{header} includes {included}"


def test_the_harness_stays_inside(prefix):
    names = {str(header.relative_to(prefix / "include/bellmark")) for header in installed(prefix)}
    assert {name for name in names if name.startswith("harness/")} == {"harness/cli/lab.hpp"}
    assert "worker.hpp" in {path.name for path in (SOURCE / "include/bellmark").iterdir()}
