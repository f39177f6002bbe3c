"""Directed graphs over the numbers below n as flat arrays."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, Mask
from rdfinc.tables.table_thresholds import TABLES


class Adjacency:
    """For each node its targets: `targets[offsets[node]:offsets[node + 1]]`, 4 bytes an edge."""

    __slots__ = ("offsets", "targets")

    def __init__(self, tails: Indices, heads: Indices | IdArray, size: int) -> None:
        """From edges in any order. O(n + m log m), O(n + m) if the tails ascend."""
        if (tails[1:] < tails[:-1]).any():
            keys = kernels.sort(kernels.pack(tails, heads))
            tails, heads = (keys >> kernels.SHIFT).astype(np.intp), kernels.low(keys)
        self.offsets = np.zeros(size + 1, np.intp)
        np.cumsum(np.bincount(tails, minlength=size), out=self.offsets[1:])
        self.targets: IdArray = heads.astype(np.uint32, copy=False)

    def follow(self, nodes: Indices) -> tuple[Indices, Indices]:
        """(index into `nodes`, target) for every edge, in the order of `nodes`."""
        index, at = kernels.expand(self.offsets[nodes], self.offsets[nodes + 1])
        return index, self.targets[at].astype(np.intp)

    def layers(self, waiting: Indices) -> Iterator[Indices]:
        """Peels nodes that wait for nothing, layer by layer, until all that are left wait.

        A node waits for so many edges that lead to it (`waiting` is used up). Layers come with
        their nodes in ascending order. O(n + m), however many layers there are.
        """
        layer = np.flatnonzero(waiting == 0)
        while layer.size:
            yield layer
            if layer.size < TABLES.few_nodes_of_layer:
                layer = self._next_of_few(layer, waiting)
            else:
                targets = self.follow(layer)[1]
                np.subtract.at(waiting, targets, 1)
                layer = kernels.unique(targets[waiting[targets] == 0])

    def _next_of_few(self, layer: Indices, waiting: Indices) -> Indices:
        offsets, targets = self.offsets, self.targets
        free = []
        for node in layer.tolist():
            for target in targets[offsets[node] : offsets[node + 1]].tolist():
                waiting[target] -= 1
                if not waiting[target]:
                    free.append(target)
        free.sort()
        return np.array(free, np.intp)


class Edged:
    """A graph kept in both directions."""

    __slots__ = ("_down", "_up")

    def __init__(self, tails: Indices, heads: Indices, size: int) -> None:
        self._down, self._up = Adjacency(tails, heads, size), Adjacency(heads, tails, size)

    def successors(self, numbers: Indices) -> tuple[Indices, Indices]:
        return self._down.follow(numbers)

    def predecessors(self, numbers: Indices) -> tuple[Indices, Indices]:
        return self._up.follow(numbers)


def degrees(ends: Indices, size: int) -> Indices:
    """How often each number below `size` is one of the ends."""
    return np.bincount(ends, minlength=size)


def heights(tails: Indices, heads: Indices, size: int) -> Indices:
    """The longest way down from each node of an acyclic graph."""
    found = np.zeros(size, np.intp)
    up = Adjacency(heads, tails, size)
    for height, layer in enumerate(up.layers(degrees(tails, size))):
        found[layer] = height
    return found


def peeled(tails: Indices, heads: Indices, size: int) -> Mask:
    """The nodes that can be left out one by one because nothing leads to them any more."""
    out = np.zeros(size, np.bool_)
    for layer in Adjacency(tails, heads, size).layers(degrees(heads, size)):
        out[layer] = True
    return out
