"""Append-only storage that versions share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables.table_thresholds import TABLES


class Arena:
    """`data[:used]` is never written to again, so that whoever knows a place keeps reading there
    what it read before; what is appended comes behind. O(1) amortised a value."""

    __slots__ = ("data", "used")

    def __init__(self, data: NDArray[Any]) -> None:
        self.data = data
        self.used = len(data)

    def append(self, block: NDArray[Any]) -> int:
        """The place where the block begins."""
        at, needed = self.used, self.used + len(block)
        if needed > len(self.data):
            grown = np.empty(
                (needed + needed // TABLES.arena_growth, *self.data.shape[1:]),
                self.data.dtype,
            )
            grown[:at] = self.data[:at]
            self.data = grown
        self.data[at:needed] = block
        self.used = needed
        return at
