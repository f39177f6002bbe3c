"""External facts as directed edges: between nodes, and between the components of these."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.adjacency import Edged
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition, Numbers
from rdfinc.tables.closure.intervals.propagate_reachability import Edges
from rdfinc.tables.kernels import IdArray, Indices, KeyArray
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.table_thresholds import TABLES


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

    def keys(self) -> KeyArray:
        """All edges, in any order."""
        return oriented(self._facts.scan(), self._flipped)


def oriented(keys: Keys, flipped: bool) -> KeyArray:
    """The edges of some facts, in the same order."""
    array = np.asarray(keys, np.uint64)
    return kernels.swap(array) if flipped else array


class Condensed:
    """The edges between different components: O(edges of their nodes) each time, until so many
    have been asked for that it pays to bring together all of them."""

    __slots__ = ("_asked", "_edges", "_nodes", "_whole")

    def __init__(self, edges: Oriented, nodes: ComponentPartition) -> None:
        self._edges, self._nodes = edges, nodes
        self._asked = 0
        self._whole: Edged | None = None

    def successors(self, numbers: Indices) -> Edges:
        if self._pays():
            return self._all().successors(numbers)
        index, members = self._nodes.expand(numbers, numbers + 1)
        at, found = self._edges.below(members)
        return self._between(numbers, index[at], self._nodes.numbers(found))

    def predecessors(self, numbers: Indices) -> Edges:
        if self._pays():
            return self._all().predecessors(numbers)
        index, members = self._nodes.expand(numbers, numbers + 1)
        at, found = self._edges.above(members)
        return self._between(numbers, index[at], self._nodes.numbers(found))

    def _pays(self) -> bool:
        """Whether as much was asked as it costs to bring all together, about."""
        self._asked += 1
        return self._asked * TABLES.components_an_edge_question > len(self._nodes)

    def _all(self) -> Edged:
        if self._whole is None:
            keys = self._edges.keys()
            tails = self._nodes.numbers(kernels.high(keys)).astype(np.intp)
            heads = self._nodes.numbers(kernels.low(keys))
            size = len(self._nodes)
            self._whole = Edged(*self._between(np.arange(size), tails, heads), size)
        return self._whole

    def _between(self, numbers: Indices, index: Indices, others: Numbers) -> Edges:
        kept = others != numbers[index]
        keys = kernels.unique(kernels.pack(index[kept], others[kept]))
        return (keys >> kernels.SHIFT).astype(np.intp), (keys & kernels.LOW).astype(np.intp)
