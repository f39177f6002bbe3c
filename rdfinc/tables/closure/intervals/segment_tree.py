"""Which ranges hold a number: a segment tree (Bentley 1977) in flat arrays."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices


class Stabbing:
    """Immutable: ranges of numbers below a power of two, each with an owner.

    A node of the tree stands for the numbers below it; node i has the children 2 i and 2 i + 1,
    and number x is the leaf `leaves + x`. A range is kept at the fewest nodes that make it up,
    O(log n), one for most. So the owners of the ranges that hold x are those at the nodes from
    its leaf to the root, each once if an owner's ranges are disjoint. 4 bytes for each place where
    a range is kept and 4 for each node.
    """

    __slots__ = ("_leaves", "_offsets", "_owners")

    def __init__(self, owner: Indices, first: Indices, behind: Indices, size: int) -> None:
        """The ranges [first, behind), none empty, of numbers below `size`."""
        self._leaves = 1 << max(size - 1, 0).bit_length()
        parts = []
        first, behind = first + self._leaves, behind + self._leaves
        while owner.size:
            odd = np.flatnonzero(first & 1)
            parts.append(kernels.pack(first[odd], owner[odd]))
            odd = np.flatnonzero(behind & 1)
            parts.append(kernels.pack(behind[odd] - 1, owner[odd]))
            first, behind = (first + 1) >> 1, behind >> 1
            left = np.flatnonzero(first < behind)
            owner, first, behind = owner[left], first[left], behind[left]
        keys = np.concatenate(parts) if parts else kernels.NO_KEYS
        keys.sort()
        counts = np.bincount((keys >> kernels.SHIFT).astype(np.intp), minlength=2 * self._leaves)
        self._offsets = np.zeros(counts.size + 1, np.uint32)
        np.cumsum(counts, out=self._offsets[1:])
        self._owners = kernels.low(keys)

    def owners(self, numbers: Indices) -> tuple[Indices, Indices]:
        """(index into `numbers`, owner of a range that holds it), in the order of `numbers`.
        O(log n) each and what is found."""
        levels = self._leaves.bit_length()
        inside = np.flatnonzero(numbers < self._leaves)
        nodes = ((numbers[inside] + self._leaves)[:, None] >> np.arange(levels)).ravel()
        start, stop = self._offsets[nodes], self._offsets[nodes + 1]
        index, at = kernels.expand(start.astype(np.intp), stop.astype(np.intp))
        return inside[index // levels], self._owners[at].astype(np.intp)

    def owners_of(self, number: int) -> list[int]:
        """The owners of the ranges that hold it."""
        found: list[int] = []
        for start, stop in self._places(number):
            found += self._owners[start:stop].tolist()
        return found

    def count(self, number: int) -> int:
        """How many ranges hold it. O(log n)."""
        return sum(stop - start for start, stop in self._places(number))

    def _places(self, number: int) -> list[tuple[int, int]]:
        """The places [start, stop) of the owners of ranges, for each node of the tree that holds
        the number."""
        found: list[tuple[int, int]] = []
        offsets = self._offsets.data  # twice as fast to look into
        node = number + self._leaves if number < self._leaves else 0
        while node:
            start, stop = offsets[node], offsets[node + 1]
            if start != stop:
                found.append((start, stop))
            node >>= 1
        return found

    def arrays(self) -> list[IdArray]:
        return [self._offsets, self._owners]
