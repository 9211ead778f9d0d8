"""The PTX that nvcc left in an executable. It is in "fat binaries". Not every CUDA installation has
cuobjdump, which knows their form, and so this module reads them itself."""

from __future__ import annotations

import ctypes
import ctypes.util
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Iterator

from words import BadInput, kernels_of, names_in

MAGIC = struct.pack("<I", 0xBA55ED50)
PTX = 1  # the other kinds of entries are machine code
ZSTD_FRAME = b"\x28\xb5\x2f\xfd"


def decompressed(data: bytes) -> bytes:
    """zstd's frame, through its C library: Python has it from version 3.14 on."""
    name = ctypes.util.find_library("zstd")
    if name is None:
        raise BadInput("no libzstd to read PTX with; apt-get install libzstd1")
    zstd = ctypes.CDLL(name)
    zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    size = zstd.ZSTD_getFrameContentSize(data, ctypes.c_size_t(len(data)))
    text = ctypes.create_string_buffer(size)
    done = zstd.ZSTD_decompress(text, ctypes.c_size_t(size), data, ctypes.c_size_t(len(data)))
    if done != size:
        raise BadInput("damaged PTX in an executable: build it again")
    return text.raw


def ptx_modules(data: bytes) -> Iterator[str]:
    """A module for each source file with kernels."""
    at = data.find(MAGIC)
    while at >= 0:
        header_size, size = struct.unpack_from("<6xHQ", data, at)
        entry, end = at + header_size, at + header_size + size
        while entry < end:
            kind, entry_header, padded, stored = struct.unpack_from("<HxxIQI", data, entry)
            text = data[entry + entry_header:entry + entry_header + (stored or padded)]
            if kind == PTX:
                if text[:4] == ZSTD_FRAME:
                    text = decompressed(text)
                yield text.rstrip(b"\0").decode()
            entry += entry_header + padded
        at = data.find(MAGIC, end)


def demangled(names: list[str]) -> dict[str, str]:
    tool = shutil.which("c++filt")
    if tool is None:
        raise BadInput("no c++filt to read kernels' names with; apt-get install binutils")
    done = subprocess.run([tool], input="\n".join(names), capture_output=True, text=True,
                          check=True)
    return dict(zip(names, done.stdout.splitlines(), strict=True))


def kernels(build: Path) -> dict[str, list[str]]:
    """PTX by kernel of the executables of a build; nothing for a build without CUDA."""
    said: dict[str, list[str]] = {}
    for executable in ("bellmark", "bellmark-worker-mpi"):
        path = build / executable
        modules = list(ptx_modules(path.read_bytes())) if path.exists() else []
        names = demangled(sorted(set().union(*map(names_in, modules))))
        found: dict[str, list[str]] = {}
        for module in modules:
            for name, text in kernels_of(module, names):
                found.setdefault(name, []).append(text)
        for name, texts in found.items():
            said[f"kernel {executable} {name}"] = sorted(texts)
    return said
