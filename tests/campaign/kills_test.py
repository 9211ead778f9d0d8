"""Runs that are killed at any time, even while they are resumed."""

import os
import signal
import subprocess
import time

import jsonschema
from campaign import tries

from support import BELLMARK, children, journal, load, planned, schema, tuned


def killed(chance, words, folder, most_seconds):
    """Starts a command and kills it, its worker, or both after a while. True if it ended before."""
    with subprocess.Popen([BELLMARK, *words], cwd=folder, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as process:
        try:
            process.wait(timeout=chance.uniform(0, most_seconds))
        except subprocess.TimeoutExpired:
            victims = {"supervisor": [process.pid], "worker": children(process.pid),
                       "both": [process.pid, *children(process.pid)]}
            for victim in victims[chance.choice(list(victims))]:
                try:
                    os.kill(victim, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        process.communicate(timeout=300)
        return process.returncode


def test_kills_lose_nothing(tmp_path, chance):
    block_count = 8
    text = tuned(block_count=block_count, memory="false", seconds_per_process=0.01)
    kill_count = 0
    while kill_count < tries(60):
        folder = tmp_path / str(kill_count)
        folder.mkdir()
        (folder / "small.toml").write_text(text)
        begin = time.monotonic()
        killed(chance, ["run", "small.toml", "-q"], folder, 0.5)
        kill_count += 1
        runs = [path.parent for path in folder.glob("runs/small/arity/*/run.json")]
        if not runs:
            continue
        (run,) = runs
        before = []
        while not (run / "result.json").exists():
            assert time.monotonic() - begin < 600, f"never ends: {run}"
            # Sometimes it may end.
            killed(chance, ["resume", str(run), "-q"], folder, chance.choice([0.2, 0.5, 30]))
            kill_count += 1
            lines = journal(run)
            assert lines[:len(before)] == before, "what was measured stays"
            before = lines
        result = load(run / "result.json")
        jsonschema.validate(result, schema("result"))
        tasks = planned(journal(run))
        assert len(tasks) == len(set(tasks))
        for cell in result["cells"]:
            # A killed worker is a crash of its cell.
            failed = [entry for entry in result["not_measured"] if entry["cell"] == cell["id"]]
            assert failed or cell["block_count"] == block_count
        assert not list(folder.rglob("*.tmp-*"))
