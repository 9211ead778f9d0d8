"""The matrix lab with its kernels for GPUs, and a lab that is copied to another machine."""

import shutil

import pytest

from support import SOURCE, build_lab, linked_of, run


@pytest.fixture(scope="module")
def bundle(prefix, tmp_path_factory):
    """A copy that runs on another machine: nothing of its build is left."""
    if not (prefix / "lib/libbellmark_gpu.a").exists():
        pytest.skip("not available: Bellmark was built without CUDA")
    folder = tmp_path_factory.mktemp("cuda")
    shutil.copytree(prefix, folder / "prefix")
    build_lab(SOURCE / "examples/matmul", folder / "build", folder / "prefix",
              "-DBELLMARK_CUDA=ON", "-DMATMUL_PROCESSOR=x86-64-v3")
    run("cmake", "--install", folder / "build", "--component", "bundle", "--prefix", folder / "bundle")
    shutil.rmtree(folder / "prefix")
    shutil.rmtree(folder / "build")
    return folder / "bundle"


def test_kernels_are_linked_with_the_runtime_of_cuda(bundle):
    listed = run(bundle / "bin/matmul", "list", "matmul/gpu")
    assert "matmul/gpu" in listed and "tile" in listed and "built without CUDA" not in listed
    assert "cudaMalloc" in linked_of(bundle / "bin/matmul", "cuda")
    # The runtime is linked statically, and the lab opens NVIDIA's other libraries while it runs.
    assert not linked_of(bundle / "bin/matmul", "cudart.so|cupti|nccl|mpi")


def test_a_gpu_is_asked_or_said_to_be_missing(bundle, tmp_path):
    words = [bundle / "bin/matmul", "run", "-v", "matmul/gpu:tile=8", "-v", "matmul/gpu:tile=32", "-i", "n=65", "--smoke"]
    if "GPU 0" in (run("nvidia-smi", "-L", code=None) if shutil.which("nvidia-smi") else ""):
        assert "certified" in run(*words, cwd=tmp_path)
        return
    said = run(*words, cwd=tmp_path, code=77)
    assert "needs cuda" in said and "certified" not in said


def test_what_is_carried_is_whole(bundle, tmp_path):
    libraries = run("ldd", bundle / "bin/matmul")
    assert "not found" not in libraries
    assert all(str(bundle) in line for line in libraries.splitlines() if "hwloc" in line or "tomlplusplus" in line)
    run(bundle / "bin/matmul", "run", SOURCE / "examples/matmul/blocking.toml", "--smoke", "--counters", "software", cwd=tmp_path)
    run(bundle / "bin/matmul", "report", "runs", "-o", "report", cwd=tmp_path)
    assert "matmul/blocked" in (tmp_path / "report/report.md").read_text()
