"""Results of Bellmark as pandas DataFrames: `bellmark.load(paths).cells`.

The columns are those of `bellmark table`, which reads the results: docs/guide/tidy-data.md.
"""

from __future__ import annotations

from .documents import Claim, claims_of, read_results
from .executable import Fault, ask
from .frames import Frames, frame_of, load

__all__ = ["Claim", "Fault", "Frames", "ask", "claims_of", "frame_of", "load", "read_results"]
