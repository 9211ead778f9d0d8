"""Every command of README.md and the guides is run as it is written, or tests/commands.txt says why it is not.

Commands stand in blocks marked `sh`, what programs print in blocks marked `text`. Short commands are run by ./check in a
folder of links to this tree and to the build of BELLMARK. ./check --full (BELLMARK_FULL) runs the long ones too, in a
clone, whose first command is ./quickstart.
"""
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tests" / "commands.txt"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "guide").glob("*.md"))]
BELLMARK = Path(os.path.abspath(os.environ.get("BELLMARK", ROOT / "build/release/bellmark")))
FULL = "BELLMARK_FULL" in os.environ
LANGUAGES = {"sh", "text", "toml", "yaml", "cpp", "cmake", "python"}
PROGRAMS = r"(\./|build/|bellmark |cmake |ctest |git |python3 |pip |docker |apptainer |curl |tar )"
LONGEST_S = 1800
# What a reader brings along: roads with coordinates and spots on them, and a graph in the binary form.
READERS_OWN = ["cp data/osm/monaco-d.gr.gz my.gr.gz", "cp data/osm/monaco.co.gz my.co.gz", "cp data/osm/monaco-spots.csv my.csv",
               "bellmark graph make grid:rows=64,columns=64,lengths=unit -o my.bmg"]


def blocks(text):
    """Language and content of each fenced block."""
    return re.findall(r"^ *```(\w*)\n(.*?)^ *```$", text, re.S | re.M)


def commands(text):
    """Commands of the blocks marked `sh`, in order: a continued one as one line, and without remarks."""
    found = []
    for language, block in blocks(text):
        if language == "sh":
            lines = re.sub(r"\s*\\\n\s*", " ", block).splitlines()
            found += filter(None, (re.sub(r"(^|\s+)# .*$", "", line).strip() for line in lines))
    return found


@dataclass
class Entry:
    where: str
    before: list = field(default_factory=list)
    beside: str = ""
    codes: set = field(default_factory=lambda: {0})


def read_list(text):
    """Entries by command; a fault of the list is an error."""
    entries, where, last = {}, None, None
    for line in text.splitlines():
        if line.startswith("== "):
            where = line[3:]
        elif line.startswith("    "):
            key, _, value = line.strip().partition(": ")
            if key == "before":
                last.before.append(value)
            elif key == "beside":
                last.beside = value
            elif key == "codes":
                last.codes |= {int(word) for word in value.split() if word.isdigit()}
            else:
                raise ValueError(f"{LIST}: unknown word: {line}")
        elif line and not line.startswith("#"):
            if line in entries or where is None:
                raise ValueError(f"{LIST}: twice, or below no heading: {line}")
            last = entries[line] = Entry(where)
    return entries


ENTRIES = read_list(LIST.read_text(encoding="utf-8"))
NOT_RUN = {command: entry for command, entry in ENTRIES.items() if entry.where.startswith("not run: ")}
WHERES = {"./check", "./check --full", "./check --full, where there is a GPU"}


def name(page):
    return str(page.relative_to(ROOT))


def test_every_command_is_in_the_list():
    written = {command for page in PAGES for command in commands(page.read_text(encoding="utf-8"))}
    assert len(written) > 80
    assert sorted(written - ENTRIES.keys()) == [], f"add these to {LIST}"
    assert sorted(ENTRIES.keys() - written) == [], f"these are on no page: drop them from {LIST}"
    assert {entry.where for entry in ENTRIES.values()} - WHERES == {entry.where for entry in NOT_RUN.values()}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_says_what_it_is(page):
    for language, block in blocks(page.read_text(encoding="utf-8")):
        assert language in LANGUAGES, f"{page}: a block is marked as `{language}`:\n{block}"
        if language == "text":
            assert not re.search(f"^{PROGRAMS}", block, re.M), f"{page}: a block of text has a command:\n{block}"


def test_remarks_and_continued_lines_are_read():
    text = "```sh\n# a remark\na -b 'c'   # why\nd \\\n    -e '{\"f\": 1}'\n\n```\n```text\ng\n```\n"
    assert commands(text) == ["a -b 'c'", "d -e '{\"f\": 1}'"]


@pytest.mark.parametrize("text", ["a\n", "== ./check\na\na\n", "== ./check\na\n    after: b\n"])
def test_faults_of_the_list_are_refused(text):
    with pytest.raises(ValueError):
        read_list(text)


class Tree:
    """A folder in which a reader types commands."""

    def __init__(self, folder, program_folder):
        self.folder = folder
        home = folder.parent / "home"
        home.mkdir(exist_ok=True)
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("BELLMARK", "XDG_", "PYTEST"))}
        self.environment = {**kept, "HOME": str(home), "npm_config_userconfig": os.path.expanduser("~/.npmrc"), "PATH": f"{program_folder}:{os.environ['PATH']}",
                            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def run(self, command, codes=(0,)):
        begin = time.monotonic()
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST_S, check=False)
        print(f"{time.monotonic() - begin:7.1f} s  exit code {done.returncode}  {command}")
        assert done.returncode in codes, f"{command}: exit code {done.returncode}\n{done.stdout[-4000:]}"

    def serving(self, command):
        """Starts a server, and returns when it has told its address."""
        process = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=self.folder, env=self.environment, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        address = process.stdout.readline()
        if not address.startswith("http://"):
            process.kill()
            fault = process.communicate()[1]
            if "8080" in fault and "in use" in fault:
                pytest.skip(f"not run: another program has port 8080: {command}")
            raise AssertionError(f"{command}: {address}{fault}")
        print(f"           it serves  {command}")
        return process

    def follow(self, command, entry):
        """A command of a page, with what its entry in the list says."""
        for earlier in entry.before:
            self.run(earlier)
        if re.search(r"bellmark serve\b", command):
            self.end(self.serving(command))
        elif entry.beside:
            server = self.serving(entry.beside)
            try:
                self.run(command, entry.codes)
            finally:
                self.end(server)
        else:
            self.run(command, entry.codes)

    @staticmethod
    def end(server):
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) == 0


@pytest.fixture(scope="module", name="links")
def links_fixture(tmp_path_factory):
    if not BELLMARK.exists():
        pytest.skip(f"not run: no executable {BELLMARK}; set BELLMARK")
    folder = tmp_path_factory.mktemp("links") / "tree"
    (folder / "build").mkdir(parents=True)
    (folder / "build/release").symlink_to(BELLMARK.parent)
    for entry in ROOT.iterdir():
        if entry.name not in ("build", "runs", "report"):
            (folder / entry.name).symlink_to(entry)
    tree = Tree(folder, BELLMARK.parent)
    for command in READERS_OWN:
        tree.run(command)
    return tree


@pytest.fixture(scope="module", name="clone")
def clone_fixture(tmp_path_factory):
    """This tree as it is, with local changes, on which ./quickstart was run."""
    folder = tmp_path_factory.mktemp("clone") / "tree"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", ROOT, folder], check=True)
    changes = subprocess.run(["git", "diff", "--binary", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    if changes:
        subprocess.run(["git", "apply"], cwd=folder, input=changes, check=True)
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", "commit", "-qam", "local"], cwd=folder, check=True)
    tree = Tree(folder, folder / "build/release")
    for command in ["./quickstart", *READERS_OWN]:
        tree.run(command)
    yield tree
    shutil.rmtree(folder, ignore_errors=True)
    shutil.rmtree("/tmp/matmul", ignore_errors=True)


def of_page(page, wheres):
    return [(command, ENTRIES[command]) for command in commands(page.read_text(encoding="utf-8"))
            if ENTRIES.get(command, Entry("")).where in wheres]


@pytest.mark.skipif(FULL, reason="in a clone, by ./check --full")
@pytest.mark.parametrize("page", [page for page in PAGES if of_page(page, {"./check"})], ids=name)
def test_short_commands(page, links):
    for command, entry in of_page(page, {"./check"}):
        links.follow(command, entry)


def planned(command):
    """The words of `bellmark plan` for a run, without those that only a run knows, and places that not all machines have."""
    words = shlex.split(command)[2:]
    for option in ("--report", "--export-json", "-c"):
        if option in words:
            del words[words.index(option):words.index(option) + 2]
    return words


@pytest.mark.parametrize("command", [command for command in ENTRIES if command.startswith("build/release/bellmark run ")
                                     and ENTRIES[command].where not in ("./check", "./check --full")])
def test_runs_that_are_left_out_can_be_planned(command, links):
    links.run(shlex.join(["build/release/bellmark", "plan", *planned(command)]), {0, 77})


@pytest.mark.skipif(not FULL, reason="not run: takes an hour, and is part of ./check --full")
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_all_commands(page, clone):
    wheres = WHERES if shutil.which("nvidia-smi") and shutil.which("nvcc") else WHERES - {"./check --full, where there is a GPU"}
    for command, entry in of_page(page, wheres):
        if command != "./quickstart":
            clone.follow(command, entry)
