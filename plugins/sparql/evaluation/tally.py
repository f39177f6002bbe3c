"""Multisets of rows: each different row once, with how often it occurs."""

from __future__ import annotations

import numpy as np

from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.solutions import NONE, Numbers, Solutions, concatenated, tallied
from rdfinc.plugins.sparql.query_thresholds import QUERIES


class Tally:
    """Counts rows as they come.

    They wait until they are as many as those told apart, and a block at least, so that all
    comparisons together cost O(n log n) and memory is bounded by different rows. `_number` rows
    wait.
    """

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows, self._times = NONE, np.zeros(0, np.int64)
        self._waiting: list[Solutions] = []
        self._number = 0

    def add(self, block: Solutions) -> None:
        self._waiting.append(block)
        self._number += block.size
        if self._number >= max(self._rows.size, QUERIES.solutions_block):
            self._settle()

    def _settle(self) -> None:
        known = self._rows.size
        rows = concatenated([self._rows, *self._waiting])
        times = np.concatenate([self._times, np.ones(rows.size - known, np.int64)])
        self._rows, self._times = tallied(rows, times)
        self._waiting.clear()
        self._number = 0
        self._budget.keep(self._rows.slice(known, self._rows.size))

    def counted(self) -> tuple[Solutions, Numbers]:
        """The rows in the order in which they came first, and how often each came. A few that are
        equal may still stand apart."""
        if self._rows.size:
            self._settle()
            return self._rows, self._times
        rows = concatenated(self._waiting or [NONE])
        return self._budget.keep(rows), np.ones(rows.size, np.int64)
