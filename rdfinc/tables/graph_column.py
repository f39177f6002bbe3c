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
    """Pairs, each as often as graphs state it.

    Cost: O(n log n) and 12 bytes a pair for each order that is asked for, once: by subject and
    graph, by object and graph, by graph, by pair. Then a search for each look-up, which meets
    nothing but what it finds.
    """

    def __init__(self, keys: KeyArray, graphs: IdArray) -> None:
        order = np.argsort(keys, kind="stable")
        self._keys, self._graphs = keys[order], graphs[order]

    @classmethod
    def of(cls, graphs: Mapping[int, FactSet], predicate: int) -> InGraphs:
        """The statements of graphs, as such pairs. Cost besides: a look-up a graph."""
        tables = {graph: facts.get(predicate) for graph, facts in graphs.items()}
        parts = {graph: table.scan() for graph, table in tables.items() if len(table)}
        ids, sizes = np.array(list(parts), np.uint32), [keys.size for keys in parts.values()]
        keys = np.concatenate([kernels.NO_KEYS, *parts.values()])
        return cls(keys, np.repeat(ids, np.array(sizes, np.intp)))

    def __len__(self) -> int:
        return len(self._keys)

    @cached_property
    def _of_subjects(self) -> tuple[KeyArray, IdArray]:
        """(subject, graph) in order, and the object of each, in order where these are equal."""
        keys = kernels.pack(kernels.high(self._keys), self._graphs)
        order = np.argsort(keys, kind="stable")
        return keys[order], kernels.low(self._keys[order])

    @cached_property
    def _of_objects(self) -> tuple[KeyArray, IdArray]:
        """(object, graph) in order, and the subject of each."""
        keys = kernels.pack(kernels.low(self._keys), self._graphs)
        order = np.argsort(keys, kind="stable")
        return keys[order], kernels.high(self._keys[order])

    @cached_property
    def _of_graphs(self) -> tuple[KeyArray, KeyArray]:
        """(graph, place of the pair), and the pairs in that order."""
        order = np.argsort(self._graphs, kind="stable")
        return kernels.pack(self._graphs[order], order), self._keys[order]

    @cached_property
    def _of_statements(self) -> KeyArray:
        """(where the subject in the graph begins, object), in order."""
        keys, objects = self._of_subjects
        starts = np.arange(keys.size)
        starts[1:][keys[1:] == keys[:-1]] = 0
        return kernels.pack(np.maximum.accumulate(starts), objects)

    def all(self) -> tuple[IdArray, IdArray, IdArray]:
        return kernels.high(self._keys), kernels.low(self._keys), self._graphs

    def by_subjects(self, subjects: IdArray, graphs: IdArray | None) -> Found:
        """The pairs of each subject: in a graph, or in all of them (None)."""
        keys, objects = self._of_subjects
        index, at = kernels.expand(*_ranges(keys, subjects, graphs))
        return index, kernels.high(keys[at]), objects[at], kernels.low(keys[at])

    def by_objects(self, objects: IdArray, graphs: IdArray | None) -> Found:
        """The pairs of each object: in a graph, or in all of them (None)."""
        keys, subjects = self._of_objects
        index, at = kernels.expand(*_ranges(keys, objects, graphs))
        return index, subjects[at], kernels.high(keys[at]), kernels.low(keys[at])

    def by_pairs(self, subjects: IdArray, objects: IdArray, graphs: IdArray | None) -> Found:
        """The pairs of each subject and object: in a graph, or in all of them (None)."""
        if graphs is None:
            probe = kernels.pack(subjects, objects)
            start, stop = (np.searchsorted(self._keys, probe, side) for side in ("left", "right"))
            index, at = kernels.expand(start, stop)
            return index, subjects[index], objects[index], self._graphs[at]
        starts, stops = _ranges(self._of_subjects[0], subjects, graphs)
        there = kernels.contains(self._of_statements, kernels.pack(starts, objects))
        index = np.flatnonzero(there & (starts < stops))
        return index, subjects[index], objects[index], graphs[index]

    def by_graphs(self, graphs: IdArray) -> Found:
        places, keys = self._of_graphs
        index, at = kernels.expand(*kernels.ranges(places, graphs))
        return index, kernels.high(keys[at]), kernels.low(keys[at]), graphs[index]

    def count(self, subject: int | None, object_: int | None) -> int:
        """How many there are with a subject, or else an object."""
        known = subject if object_ is None else object_ if subject is None else subject
        if known is None:
            return len(self)
        keys = self._of_objects[0] if subject is None else self._keys
        start, stop = kernels.ranges(keys, np.array([known], np.uint32))
        return int(stop[0] - start[0])


def _ranges(keys: KeyArray, heads: IdArray, graphs: IdArray | None) -> tuple[Indices, Indices]:
    """The half-open range of the keys of each head, or of each head and graph."""
    if graphs is None:
        return kernels.ranges(keys, heads)
    probe = kernels.pack(heads, graphs)
    return np.searchsorted(keys, probe, "left"), np.searchsorted(keys, probe, "right")
