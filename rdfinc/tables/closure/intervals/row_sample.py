"""How many ranges the rows of a graph have, before there are any."""

from __future__ import annotations

import itertools

import numpy as np

from rdfinc.tables.kernels import Indices
from rdfinc.tables.table_thresholds import TABLES


def ranges_a_row(tails: Indices, heads: Indices, height: Indices) -> float:
    """Estimated from the rows of some nodes of an acyclic graph, evenly from all numbers.

    From the top downwards each node hands on which of them reach it. O(n + m log m), and a pass
    for each height.
    """
    size = height.size
    reached_by = np.zeros(size, np.uint64)
    chosen = np.arange(min(size, TABLES.sampled_rows))
    reached_by[chosen * size // chosen.size] = np.uint64(1) << chosen.astype(np.uint64)
    order = np.argsort(-height[tails], kind="stable")
    tails, heads = tails[order], heads[order]
    level = height[tails]
    bounds = np.flatnonzero(np.concatenate(([True], level[1:] != level[:-1], [True]))).tolist()
    for start, stop in itertools.pairwise(bounds):
        np.bitwise_or.at(reached_by, heads[start:stop], reached_by[tails[start:stop]])
    begins = reached_by.copy()
    begins[1:] &= ~reached_by[:-1]
    return int(np.unpackbits(begins.view(np.uint8)).sum(dtype=np.intp)) / chosen.size
