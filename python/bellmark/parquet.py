"""`python3 -m bellmark.parquet FILE`: JSON Lines from standard input to a Parquet file.

`bellmark table --format parquet` calls it. Exit codes: 0 done, 7 the file can't be written.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import pandas

from .frames import frame_of


def one_type_a_column(frame: pandas.DataFrame) -> pandas.DataFrame:
    """Parquet has one type for each column: a column of texts and numbers becomes text."""
    frame = frame.copy()
    for name in frame.columns:
        types = {type(value) for value in frame[name].dropna()}
        if frame[name].dtype == object and len(types) > 1:
            frame[name] = [value if value is None or value != value
                           else value if isinstance(value, str) else json.dumps(value)
                           for value in frame[name]]
    return frame


def main(target: Path) -> int:
    """The file appears whole or not at all."""
    frame = one_type_a_column(frame_of(map(json.loads, sys.stdin.buffer)))
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        frame.to_parquet(temporary, engine="pyarrow", index=False)
        os.chmod(temporary, 0o644)
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        print(f"{target}: {error.strerror}; give a file that can be written", file=sys.stderr)
        return 7
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
