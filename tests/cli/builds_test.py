"""`bellmark compare` of builds: `--build` and `--revision`.

Building a revision takes minutes. Here a tiny git tree and a `cmake` of our own replace it. The "built" program starts
the finished `bellmark`, and reports the commit that was checked out.
"""

import json
import os
import re
import shutil
import subprocess

import jsonschema
import pytest

from support import BELLMARK, GRAPH, bellmark, fault, journal, load, only_result, results, schema

VARIANT = "sssp/dijkstra:arity=4"
SHORT = ("-v", VARIANT, "-g", GRAPH, "-c", "none", "--quick", "--queries", 2, "-q")

CMAKE = """#!/bin/sh
echo "stub: $*"
[ "$1" = --build ] || exit 0
source=$(dirname "$2")/source
if grep -q broken "$source/file"; then echo "file:1: error: broken"; exit 1; fi
mkdir -p "$2"
cat > "$2/bellmark" << END
#!/bin/bash
exec "$REAL" "\\$@" 3> >(sed -u 's/"git_sha":[^,]*,"git_dirty":[^,]*,/"git_sha":"$(cat "$source/says" || \
git -C "$source" rev-parse HEAD)","git_dirty":false,/' >&3)
END
chmod +x "$2/bellmark"
"""


@pytest.fixture
def two(tmp_path):
    """Two folders with the same build."""
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bellmark").symlink_to(BELLMARK)
    return tmp_path


def program(folder, text):
    """A folder with a program that is not a build of Bellmark."""
    folder.mkdir()
    (folder / "bellmark").write_text("#!/bin/sh\n" + text)
    (folder / "bellmark").chmod(0o755)
    return folder


def test_a_build_against_itself_is_not_told_apart(two):
    shown = bellmark("compare", "--build", "old", "--build", "new", *SHORT, cwd=two).stdout
    result = only_result(two)
    jsonschema.validate(result, schema("result"))
    first, second = result["cells"]
    assert [cell["axes"]["build"] for cell in result["cells"]] == ["old", "new"]
    assert first["baseline"] == second["baseline"] == first["id"] != second["id"]
    (comparison,) = result["comparisons"]
    assert (comparison["a"], comparison["b"]) == (second["id"], first["id"])
    assert comparison["least_ratio"] == 1.03 and len(comparison["block_ratios"]) == 6
    assert comparison["outcome"] in ("SAME", "UNCLEAR"), comparison
    assert re.search("SAME|UNCLEAR", shown) and "A difference counts from 3 % on" in shown
    # It is read again, and compared with itself.
    (run,) = results(two)
    bellmark("compare", run, run)


def test_results_say_both_commits(two):
    bellmark("compare", "--build", "old", "--build", "new", *SHORT, cwd=two)
    result = only_result(two)
    builds = result["provenance"]["builds"]
    own = {key: result["provenance"][key] for key in ("git_sha", "git_dirty", "compiler", "flags", "build_type")}
    for build, cell in zip(builds, result["cells"], strict=True):
        assert {key: build[key] for key in own} == own
        assert cell["build"] == {key: build[key] for key in ("name", "git_sha", "git_dirty")}
    (path,) = results(two)
    result["cells"][0]["build"]["git_sha"] = "another"
    path.write_text(json.dumps(result))
    assert "provenance.builds has another commit" in fault("report", path)


def test_builds_are_measured_in_the_same_blocks_turn_by_turn(two):
    bellmark("compare", "--build", "old", "--build", "new", *SHORT, cwd=two)
    (path,) = results(two)
    names = {cell["id"]: cell["axes"]["build"] for cell in load(path)["cells"]}
    timed = [line for line in journal(path.parent)
             if line.get("kind") == "timed" and not line["task"].endswith("/again")]
    order = [(line["block"], names[cell["id"]]) for line in timed for cell in line["cells"]]
    assert order[:4] == [(0, "old"), (0, "new"), (1, "new"), (1, "old")] and len(order) == 12


def test_the_same_build_may_be_named_twice(two):
    bellmark("compare", "--build", "old", "--build", "old", *SHORT, cwd=two)
    assert only_result(two)["experiment"]["axes"]["build"] == ["old", "old (2)"]


def test_what_is_no_build_is_said_and_the_others_are_measured(two):
    program(two / "silent", "echo hello\n")
    program(two / "nonsense", """echo '{"event":"done","x":1}' >&3\n""")
    program(two / "killed", "kill -9 $$\n")
    program(two / "later", """echo '{"event":"error","code":2,"message":"has version 1 of the wire, and this program """
            """speaks version 7"}' >&3; exit 2\n""")
    for name, reason in (("silent", "ended without an answer"), ("nonsense", "sent an event that can't be read"),
                         ("killed", "killed by signal 9"), ("later", "speaks version 7")):
        said = fault("compare", "--build", name, "--build", "new", *SHORT, cwd=two)
        assert f"build {name}: its worker can't be asked: " in said and reason in said
        assert "fewer than two builds are left" in said
    assert not results(two)
    done = bellmark("compare", "--build", "nonsense", "--build", "old", "--build", "new", *SHORT, cwd=two, code=4)
    assert "the baseline is old" in done.stderr
    assert [cell["axes"]["build"] for cell in only_result(two)["cells"]] == ["old", "new"]


def test_a_build_that_fails_later_loses_its_cells_alone(two):
    shutil.rmtree(two / "new")
    # It answers probes, and crashes at every measurement.
    program(two / "new", f"""read -r line
case "$line" in *'"kind":"probe"'*) echo "$line" | "{BELLMARK}" "$@"; exit $?;; esac
kill -9 $$\n""")
    bellmark("compare", "--build", "old", "--build", "new", *SHORT, cwd=two, code=4)
    result = only_result(two)
    (entry,) = result["not_measured"]
    assert entry["axes"]["build"] == "new" and entry["code"] == "crash" and "signal 9" in entry["reason"]
    assert result["cells"][0]["block_count"] == 6 and not result["comparisons"]


def test_a_variant_that_a_build_lacks_is_named(two):
    # A build without the second variant: it refuses every request that names it.
    shutil.rmtree(two / "old")
    program(two / "old", f"""read -r line
case "$line" in *boost*) echo '{{"event":"error","code":2,"message":"unknown variant"}}' >&3; exit 2;; esac
echo "$line" | "{BELLMARK}" "$@"\n""")
    bellmark("compare", "--build", "old", "--build", "new", "-v", "sssp/boost-dijkstra:color-map=yes", *SHORT, cwd=two)
    result = only_result(two)
    (entry,) = result["not_measured"]
    assert entry["code"] == "not-built" and entry["reason"] == "build old: unknown variant"
    assert entry["variant"].startswith("sssp/boost-dijkstra")
    assert sum(cell["wall_ns"] is not None for cell in result["cells"]) == 3 and len(result["comparisons"]) == 1


def test_what_builds_refuse(two):
    builds = ("--build", "old", "--build", "new")
    assert "the first build is the baseline" in fault("compare", *builds, "--baseline", VARIANT, *SHORT, cwd=two)
    assert "no program gone" in fault("compare", "--build", "old", "--build", "gone", *SHORT, cwd=two)
    assert "is not a percentage" in fault("compare", *builds, "--at-least", "much", *SHORT, cwd=two)
    assert "only one build" in fault("compare", "--build", "old", *SHORT, cwd=two)
    assert "is that of builds" in fault("run", "-a", "build=old", *SHORT, cwd=two)
    assert "--build with two results" in fault("compare", "a", "b", "--build", "old", cwd=two)


def test_a_difference_counts_from_the_percentage_on(two):
    words = ("-v", VARIANT, "-v", "sssp/boost-dijkstra:color-map=yes", "-g", GRAPH, "-c", "none", "--quick",
             "--queries", 2, "-q", "--strict")
    for percent, least in (("0.5%", 1.005), ("100%", 2.0)):
        folder = two / percent
        folder.mkdir()
        done = subprocess.run([BELLMARK, "compare", *map(str, words), "--at-least", percent], cwd=folder,
                              capture_output=True, text=True, check=False)
        (comparison,) = only_result(folder)["comparisons"]
        assert comparison["least_ratio"] == pytest.approx(least)
        low, high = comparison["ci95_low"], comparison["ci95_high"]
        expected = ("UNCLEAR" if comparison["reason"] else "FASTER" if high * least < 1 else "SLOWER" if low > least
                    else "SAME" if low * least >= 1 and high <= least else "UNCLEAR")
        assert comparison["outcome"] == expected
        assert done.returncode == (5 if expected == "SLOWER" else 0)


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A git tree with two revisions, and a fast cmake."""
    def git(*words):
        return subprocess.run(["git", "-C", tmp_path / "tree", *words], check=True, capture_output=True,
                              text=True).stdout.strip()

    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/cmake").write_text(CMAKE)
    (tmp_path / "bin/cmake").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("REAL", BELLMARK)
    for name in ("GIT_AUTHOR", "GIT_COMMITTER"):
        monkeypatch.setenv(f"{name}_NAME", "nobody")
        monkeypatch.setenv(f"{name}_EMAIL", "nobody@example.org")
    (tmp_path / "tree").mkdir()
    git("init", "-q")
    for text in ("one", "two"):
        (tmp_path / "tree/file").write_text(text)
        git("add", "file")
        git("commit", "-q", "-m", text)
        git("tag", text)
    return tmp_path / "tree", git


REVISIONS = ("compare", "--revision", "one", "--revision", "HEAD")


def test_revisions_are_built_once(tree):
    folder, git = tree
    (folder / "file").write_text("changed")
    said = bellmark(*REVISIONS, *SHORT, cwd=folder).stderr
    assert "has local changes, which no revision holds" in said
    assert said.count("cmake --build") == 2 and "worktree add" in said, "what is started is printed"
    result = only_result(folder)
    assert [build["git_sha"] for build in result["provenance"]["builds"]] == [git("rev-parse", "one"),
                                                                              git("rev-parse", "two")]
    assert [cell["build"]["git_sha"] for cell in result["cells"]] == [git("rev-parse", "one"), git("rev-parse", "two")]
    cache = folder.parent / "cache/bellmark/revisions"
    assert sorted((path / "source/file").read_text() for path in cache.iterdir()) == ["one", "two"]
    assert "building" not in bellmark(*REVISIONS, *SHORT, cwd=folder).stderr, "both are there"
    said = bellmark(*REVISIONS, *SHORT, "--cmake=-DA=B", cwd=folder).stderr
    assert said.count("-DA=B") == 2 and len(list(cache.iterdir())) == 4, "other flags make other builds"


def test_a_revision_beside_a_finished_build(tree):
    folder, _ = tree
    bellmark("compare", "--build", BELLMARK, "--revision", "one", *SHORT, cwd=folder)
    assert only_result(folder)["experiment"]["axes"]["build"] == [BELLMARK, "one"], "in the order of the command line"


def test_a_revision_that_does_not_build_is_said_with_its_log(tree):
    folder, git = tree
    (folder / "file").write_text("broken")
    git("commit", "-q", "-a", "-m", "broken")
    said = fault(*REVISIONS, *SHORT, cwd=folder)
    log = re.search(r"revision HEAD .*: does not build: cmake ended: exit code 1; its log is (\S+/build\.log);", said)
    assert "error: broken" in open(log.group(1), encoding="utf-8").read()
    assert not results(folder)
    bellmark("compare", "--revision", "HEAD", "--revision", "one", "--revision", "two", *SHORT, cwd=folder, code=4)
    assert only_result(folder)["experiment"]["axes"]["build"] == ["one", "two"]


def test_a_revision_that_is_not_there(tree):
    folder, _ = tree
    said = fault("compare", "--revision", "gone", "--revision", "HEAD", *SHORT, cwd=folder)
    assert "--revision gone: git says" in said
    assert "git says" in fault("compare", "--revision=--all", "--revision", "HEAD", *SHORT, cwd=folder)
    assert not (folder.parent / "cache").exists(), "nothing was built"
    assert "go into a git tree" in fault(*REVISIONS, *SHORT, cwd=folder.parent)


def test_a_build_of_another_commit_than_was_asked_for(tree):
    folder, git = tree
    (folder / "says").write_text("0123456789abcdef")
    git("add", "says")
    git("commit", "-q", "-m", "says")
    said = fault(*REVISIONS, *SHORT, cwd=folder)
    assert 'its build says that it is of another commit, "0123456789abcdef"' in said


def test_a_resumed_run_has_the_builds_that_it_began_with(two):
    bellmark("compare", "--build", "old", "--build", "new", *SHORT, cwd=two)
    (path,) = results(two)
    path.unlink()
    bellmark("resume", path.parent, "-q", cwd=two)
    assert len(load(path)["comparisons"]) == 1
    path.unlink()
    (two / "new/bellmark").unlink()
    shutil.copy(BELLMARK, two / "new/bellmark")
    with open(two / "new/bellmark", "ab") as stream:
        stream.write(b"another one")
    assert "is not the build that this run began with" in fault("resume", path.parent, "-q", cwd=two)
