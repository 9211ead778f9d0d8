"""The same memory pages for our variants and their rivals."""

import json

import pytest

from support import bellmark, fault, load, only_result, results, tuned

# Large arrays: at each of their ends, up to a huge page is missing.
LARGE = "grid:rows=1200,columns=1200,lengths=uniform:1..100,seed=1"
VARIANTS = ["sssp/dijkstra", "sssp/dijkstra-rounds", "sssp/boost-dijkstra"]


def shares(folder, *words):
    """For each variant, alone in its process: the share of its memory on huge pages."""
    found = {}
    for variant in VARIANTS:
        own = folder / variant.replace("/", "-")
        own.mkdir(parents=True)
        bellmark("run", "-v", variant, "-g", LARGE, "-c", "none", "--smoke", "--queries", 1, "-q", *words, cwd=own)
        result = only_result(own)
        if "-fsanitize" in result["provenance"]["flags"]:
            pytest.skip("memory is the sanitizer's")
        if result["environment"]["transparent_huge_pages"] != "madvise":
            pytest.skip("the kernel decides on pages")
        (cell,) = result["cells"]
        assert cell["pages"]["anonymous_bytes"] > 100 << 20, "too small a graph for this test"
        found[variant] = cell["pages"]["huge_bytes"] / cell["pages"]["anonymous_bytes"]
    return result["experiment"]["pages"], found


def test_all_have_huge_pages_by_default(tmp_path):
    rule, found = shares(tmp_path)
    assert rule == "huge" and min(found.values()) > 0.8, found


def test_all_have_small_pages_where_that_is_asked_for(tmp_path):
    rule, found = shares(tmp_path, "--pages", "small")
    assert rule == "small" and max(found.values()) == 0, found


def test_nobody_asks_for_pages_where_the_system_decides(tmp_path):
    rule, found = shares(tmp_path, "--pages", "system")
    assert rule == "system" and max(found.values()) == 0, found


def test_an_experiment_says_its_pages(tmp_path):
    (tmp_path / "small.toml").write_text(tuned(pages='"small"'))
    bellmark("run", "small.toml", "--smoke", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    assert result["experiment"]["pages"] == "small"
    assert {cell["pages"]["huge_bytes"] for cell in result["cells"]} == {0}
    # The command line has priority.
    bellmark("run", "small.toml", "--smoke", "-q", "--pages", "system", "--runs", "again", cwd=tmp_path)
    assert only_result(tmp_path / "again")["experiment"]["pages"] == "system"
    assert "'hugh' is none of huge, reserved, small, system" in fault("run", "small.toml", "--pages", "hugh", cwd=tmp_path)
    (tmp_path / "small.toml").write_text(tuned(pages='"hugh"'))
    assert "'hugh' is none of huge, reserved, small, system" in fault("plan", "small.toml", cwd=tmp_path)


def test_pages_and_memory_are_axes(tmp_path):
    words = ["--pages", "small,huge,reserved", "--memory", "first-touch,interleave,numa:63"]
    bellmark("run", "-v", "sssp/dijkstra", "-g", "grid:rows=64,columns=64,seed=1", *words, "--smoke", "-q", cwd=tmp_path)
    result = only_result(tmp_path)
    for cell in result["cells"]:
        pages = cell["pages"]
        if cell["wall_ns"] is None:
            continue
        assert pages["requested"] == cell["axes"]["pages"] and pages["memory_requested"] == cell["axes"]["memory"]
        assert (pages["nodes"] == []) == (pages["nodes_reason"] is not None)
        if pages["nodes"]:
            assert sum(node["bytes"] for node in pages["nodes"]) > 0
    # A page size that this machine lacks gives a reason, and the rest goes on.
    lacking = {(cell["axes"]["memory"], cell["axes"]["pages"]): cell["reason"] for cell in result["not_measured"]}
    assert "there is no NUMA node 63" in lacking["numa:63", "small"]
    for (memory, pages), reason in lacking.items():
        assert memory == "numa:63" or "bind memory" in reason or "huge page" in reason, (memory, pages, reason)
    measured = {(cell["axes"]["memory"], cell["axes"]["pages"]) for cell in result["cells"] if cell["wall_ns"]}
    assert ("numa:63", "small") not in measured
    if ("first-touch", "small") not in measured:
        assert "bind memory" in lacking["first-touch", "small"]


def test_memory_words_are_checked_before_anything_runs(tmp_path):
    words = ["run", "-v", "sssp/dijkstra", "--smoke", "-q"]
    assert "did you mean 'interleave'?" in fault(*words, "--memory", "interleved", cwd=tmp_path)
    assert "values already, from -a" in fault(*words, "--memory", "local", "-a", "memory=interleave", cwd=tmp_path)
    assert "did you mean 'huge'?" in fault(*words, "--pages", "small,hugh", cwd=tmp_path)


def test_a_run_starts_hot_cold_idle_or_as_it_is_left(tmp_path):
    words = ["-v", "sssp/dijkstra", "-g", "grid:rows=64,columns=64,seed=1", "-a", "start=as-left,hot,cold,idle"]
    bellmark("run", *words, "--smoke", "-q", cwd=tmp_path)
    cells = only_result(tmp_path)["cells"]
    assert [cell["axes"]["start"] for cell in cells] == ["as-left", "hot", "cold", "idle"]
    assert len({cell["id"] for cell in cells}) == 4
    assert all(cell["validation"]["status"] == "certified" for cell in cells)
    words[-1] = "start=hot,cool"
    assert "'cool' is none of as-left, hot, cold, idle" in fault("run", *words, "--smoke", "-q", cwd=tmp_path)
    words[-1] = "start=cold"
    assert "one would empty the others' caches" in fault("run", *words, "-a", "processes=2", "--smoke", "-q", cwd=tmp_path)


def test_two_results_with_other_pages_say_so(finished, tmp_path):
    path = next(iter(results(finished)))
    result = load(path)
    assert "memory pages" not in bellmark("compare", path, path).stdout
    result["experiment"]["pages"] = "small"
    (tmp_path / "small.json").write_text(json.dumps(result))
    del result["experiment"]["pages"]  # as before there was a rule
    for cell in result["cells"]:
        del cell["pages"]
    (tmp_path / "old.json").write_text(json.dumps(result))
    assert "\nmemory pages: small before, huge after; " in bellmark("compare", tmp_path / "small.json", path).stdout
    assert "\nmemory pages: unknown before, huge after; " in bellmark("compare", tmp_path / "old.json", path).stdout
