"""The pairs of one predicate with the graphs that state them, as columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.facts import FactSet
from rdfinc.tables.kernels import IdArray, Indices, KeyArray

Found = tuple[Indices, IdArray, IdArray, IdArray]
"""(index of what was looked up, subject, object, graph) for every match."""


class InGraphs:
    """Pairs, each as often as graphs state it; sorted, and by object and graph once that is asked.

    Cost: O(n log n) once, 12 bytes a pair for each order; then a search for each look-up.
    """

    def __init__(self, keys: KeyArray, graphs: IdArray) -> None:
        order = np.argsort(keys, kind="stable")
        self._keys, self._graphs = keys[order], graphs[order]

    @classmethod
    def of(cls, graphs: Mapping[int, FactSet], predicate: int) -> InGraphs:
        """What graphs state. Cost besides: a look-up a graph."""
        tables = {graph: facts.get(predicate) for graph, facts in graphs.items()}
        parts = {graph: table.scan() for graph, table in tables.items() if len(table)}
        ids, sizes = np.array(list(parts), np.uint32), [keys.size for keys in parts.values()]
        keys = np.concatenate([kernels.NO_KEYS, *parts.values()])
        return cls(keys, np.repeat(ids, np.array(sizes, np.intp)))

    def __len__(self) -> int:
        return len(self._keys)

    @cached_property
    def _turned(self) -> tuple[KeyArray, IdArray]:
        turned = kernels.swap(self._keys)
        order = np.argsort(turned, kind="stable")
        return turned[order], self._graphs[order]

    @cached_property
    def _of_graphs(self) -> tuple[KeyArray, KeyArray]:
        """(graph, place of the pair), and the pairs in that order."""
        order = np.argsort(self._graphs, kind="stable")
        return kernels.pack(self._graphs[order], order), self._keys[order]

    def all(self) -> tuple[IdArray, IdArray, IdArray]:
        return kernels.high(self._keys), kernels.low(self._keys), self._graphs

    def by_subjects(self, subjects: IdArray) -> Found:
        index, at = kernels.expand(*kernels.ranges(self._keys, subjects))
        keys = self._keys[at]
        return index, kernels.high(keys), kernels.low(keys), self._graphs[at]

    def by_objects(self, objects: IdArray) -> Found:
        turned, graphs = self._turned
        index, at = kernels.expand(*kernels.ranges(turned, objects))
        return index, kernels.low(turned[at]), kernels.high(turned[at]), graphs[at]

    def by_graphs(self, graphs: IdArray) -> Found:
        places, keys = self._of_graphs
        index, at = kernels.expand(*kernels.ranges(places, graphs))
        return index, kernels.high(keys[at]), kernels.low(keys[at]), graphs[index]

    def count(self, subject: int | None, object_: int | None) -> int:
        """How many there are with a subject, or else an object."""
        known = subject if object_ is None else object_ if subject is None else subject
        if known is None:
            return len(self)
        keys = self._keys if subject is not None else self._turned[0]
        start, stop = kernels.ranges(keys, np.array([known], np.uint32))
        return int(stop[0] - start[0])
