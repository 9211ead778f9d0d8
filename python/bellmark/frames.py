"""Results as DataFrames: the rows of `bellmark table`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional, Union

from .executable import lines

if TYPE_CHECKING:  # pandas takes a second to import, and whole results don't need it
    import pandas

Path = Union[str, "os.PathLike[str]"]


def frame_of(rows: Iterable[dict[str, Any]]) -> pandas.DataFrame:
    """Rows as a DataFrame with the columns in the order of `bellmark table`: columns without a dot
    first, then columns with a dot by name."""
    import pandas

    frame = pandas.DataFrame.from_records(list(rows))
    dotted = sorted(name for name in frame.columns if "." in name)
    return frame[[name for name in frame.columns if "." not in name] + dotted]


class Frames:
    """The contents of results, as DataFrames. Each is read at its first use.

    A value that was not measured is NaN or None, never 0. Rows of one cell have the same `result`
    and `cell` in `cells` and `samples`.
    """

    def __init__(self, paths: Iterable[Path], executable: Optional[str] = None) -> None:
        self._paths = [os.fspath(path) for path in paths]
        self._executable = executable

    @cached_property
    def cells(self) -> pandas.DataFrame:
        """A row for each cell, measured or not."""
        return self._rows("cells")

    @cached_property
    def samples(self) -> pandas.DataFrame:
        """A row for each query of each sample, or for each sample if a result has no times of queries."""
        return self._rows("samples")

    @cached_property
    def comparisons(self) -> pandas.DataFrame:
        """A row for each paired ratio of two cells."""
        return self._rows("comparisons")

    @cached_property
    def claims(self) -> pandas.DataFrame:
        """A row for each verdict of each result."""
        return self._rows("claims")

    def _rows(self, of: str) -> pandas.DataFrame:
        words = ["table", "--rows", of, "--format", "jsonl", "--", *self._paths]
        return frame_of(map(json.loads, lines(*words, executable=self._executable)))


def load(paths: Union[Path, Iterable[Path]], executable: Optional[str] = None) -> Frames:
    """The results in files or folders, found by the rules of `bellmark report`. A path without a
    result is a Fault, and so is a damaged result."""
    named = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    frames = Frames(named, executable)
    _ = frames.cells  # faults of the results show here
    return frames
