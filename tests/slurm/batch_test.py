"""The batch scripts of experiments/clusters: tests/slurm/on_two_hosts python3 -m pytest THIS_FILE

BELLMARK names the executable.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
SCRIPTS = SOURCE / "experiments/clusters"
BELLMARK = os.path.abspath(os.environ.get("BELLMARK", SOURCE / "build/release/bellmark"))

pytestmark = pytest.mark.skipif(
    "SLURM_CONF" not in os.environ or not shutil.which("sbatch"),
    reason="no Slurm: start it with tests/slurm/on_two_hosts",
)


def sbatch(folder, *words):
    """The output of a job's tasks, in order, and the results that they left in `folder`."""
    done = subprocess.run(
        ["sbatch", "--wait", f"--output={folder}/%a.out", *map(str, words)], cwd=folder,
        capture_output=True, text=True, timeout=300,
        env={**os.environ, "BELLMARK": BELLMARK, "BELLMARK_SRUN": "--mpi=pmix"},
    )
    outputs = [path.read_text() for path in sorted(folder.glob("*.out"))]
    assert done.returncode == 0, f"{done.stderr}{outputs}"
    results = sorted(folder.glob("runs/**/result.json"))
    return outputs, [json.loads(path.read_text()) for path in results]


def test_ranks_of_two_hosts_are_one_search(tmp_path):
    outputs, (result,) = sbatch(
        tmp_path, "--nodes=2", "--cpus-per-task=1", SCRIPTS / "ranks.sbatch",
        "hiragushi2013/figure12-ranks", "--smoke", "-a", "scale=14,15,16",
        "-a", "ranks=1,2,4", "-a", "system=partition=grid")
    assert not result["not_measured"], outputs
    hosts = {}
    for cell in result["cells"]:
        assert cell["validation"]["status"] == "certified"
        hosts[cell["rank_count"]] = [place["host"] for place in cell["ranks"]["places"]]
    assert hosts == {1: ["host1"], 2: ["host1"] * 2, 4: ["host1"] * 2 + ["host2"] * 2}
    assert list(tmp_path.glob("report-*/report.html"))


def test_tasks_of_an_array_job_share_a_sweep(tmp_path):
    outputs, results = sbatch(
        tmp_path, "--array=1-3", SCRIPTS / "sweep.sbatch", "sweeps/bfs", "--smoke",
        "-a", "cores=1,2", "-g", "kronecker:scale=10,lengths=unit")
    assert len(outputs) == 3 and "leaves nothing for this one" in outputs[2]
    measured = [{cell["id"] for cell in result["cells"]} for result in results]
    assert len(measured) == 2 and not measured[0] & measured[1], measured
    report = subprocess.run(
        [BELLMARK, "report", *tmp_path.glob("runs/**/result.json"), "-o", "report"], cwd=tmp_path,
        capture_output=True, text=True, timeout=120)
    assert report.returncode == 0, report.stderr
