"""A graph of components, read from the external facts between their nodes."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.intervals.partition import Partition
from rdfinc.tables.intervals.settling import Edges
from rdfinc.tables.kernels import IdArray, Indices, KeyArray
from rdfinc.tables.table import Keys, Table


class Oriented:
    """Facts as edges from subject to object, or the other way round if they are `flipped`."""

    __slots__ = ("_facts", "_flipped")

    def __init__(self, facts: Table, flipped: bool) -> None:
        self._facts, self._flipped = facts, flipped

    def below(self, nodes: IdArray) -> tuple[Indices, IdArray]:
        """(index into `nodes`, node that an edge leads to)."""
        return self._facts.by_objects(nodes) if self._flipped else self._facts.by_subjects(nodes)

    def above(self, nodes: IdArray) -> tuple[Indices, IdArray]:
        """(index into `nodes`, node that an edge comes from)."""
        return self._facts.by_subjects(nodes) if self._flipped else self._facts.by_objects(nodes)


def oriented(keys: Keys, flipped: bool) -> KeyArray:
    """The edges of some facts, in the same order."""
    array = np.asarray(keys, np.uint64)
    return kernels.swap(array) if flipped else array


class Condensed:
    """The edges between different components, O(edges of their nodes) each time."""

    __slots__ = ("_edges", "_nodes")

    def __init__(self, edges: Oriented, nodes: Partition) -> None:
        self._edges, self._nodes = edges, nodes

    def successors(self, numbers: Indices) -> Edges:
        index, members = self._nodes.expand(numbers, numbers + 1)
        at, found = self._edges.below(members)
        return self._between(numbers, index[at], found)

    def predecessors(self, numbers: Indices) -> Edges:
        index, members = self._nodes.expand(numbers, numbers + 1)
        at, found = self._edges.above(members)
        return self._between(numbers, index[at], found)

    def _between(self, numbers: Indices, index: Indices, found: IdArray) -> Edges:
        others = self._nodes.numbers(found)
        kept = others != numbers[index]
        keys = kernels.unique(kernels.pack(index[kept], others[kept]))
        return kernels.high(keys).astype(np.intp), kernels.low(keys).astype(np.intp)
