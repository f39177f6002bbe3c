"""Links followed one by one, for long ways from few nodes: rounds over columns would have few links
each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import numpy as np

from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.kernels import KeyArray


class LinkLists:
    """Sorted pairs, as a list of the nodes behind each node. O(pairs · log pairs) to make."""

    def __init__(self, pairs: KeyArray, check: Callable[[], object]) -> None:
        starts, ends = kernels.high(pairs), kernels.low(pairs)
        self._nodes = kernels.unique_ids(np.concatenate((starts, ends)))
        first = np.searchsorted(starts, self._nodes)
        self._first: list[int] = [*first.tolist(), len(pairs)]
        self._ends: list[int] = np.searchsorted(self._nodes, ends).tolist()
        self._check = check

    def reached(self, start: int) -> Ids:
        """The nodes reached in a step or more, sorted. O(nodes), and the links of what is
        reached."""
        at = int(np.searchsorted(self._nodes, start))
        if at == len(self._nodes) or self._nodes[at] != start:
            return kernels.NO_IDS
        seen, first, ends = bytearray(len(self._nodes)), self._first, self._ends
        waiting = [at]
        for number, node in zip(count(), waiting):
            if not number % QUERIES.watched_rows:
                self._check()
            for end in ends[first[node] : first[node + 1]]:
                if not seen[end]:
                    seen[end] = 1
                    waiting.append(end)
        return self._nodes[np.frombuffer(seen, np.bool_)]
