"""The inputs of `compare`: the PTX within an executable, and the stored files that are results."""

import gzip
import json
import struct

import pytest

from asking import stored_results
from fatbin import MAGIC, ptx_modules
from words import BadInput


def entry(kind, text):
    padded = text + bytes(-len(text) % 8)
    stored = len(text) if kind == 1 else 0  # machine code is stored as it is
    return struct.pack("<HHIQI", kind, 257, 64, len(padded), stored) + bytes(44) + padded


def fat_binary(*entries):
    body = b"".join(entries)
    return MAGIC + struct.pack("<HHQ", 1, 16, len(body)) + body


def test_all_ptx_of_an_executable_is_found():
    code = entry(2, MAGIC + b"\x7fELF")  # machine code may hold anything
    data = (b"start" + fat_binary(entry(1, b".version 9.0\n\0"), code) + bytes(3)
            + fat_binary(code, entry(1, b".target sm_90\n")) + b"end")
    assert list(ptx_modules(data)) == [".version 9.0\n", ".target sm_90\n"]


def test_results_are_told_by_what_they_say_of_themselves(tmp_path):
    result = json.dumps({"schema": {"name": "bellmark-result"}})
    for name, text in {"b/T4.json": result, "c/run.json": '{"schema": {"name": "other"}}',
                       "c/list.json": "[]", "c/number.json": '{"schema": 1}'}.items():
        path = tmp_path / "kept" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "kept/a.json.gz").write_bytes(gzip.compress(result.encode()))
    assert stored_results(tmp_path, "kept") == ["kept/a.json.gz", "kept/b/T4.json"]
    with pytest.raises(BadInput, match="holds no result"):
        stored_results(tmp_path, "kept/c")
