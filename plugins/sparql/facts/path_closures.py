"""Closures of paths (p+, and p* with the nodes of the graph): the distinct pairs of a relation and
of its transitive closure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, reduce

import numpy as np

from rdfinc.plugins.sparql.columns.query_terms import LOCAL
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.facts.link_lists import LinkLists
from rdfinc.plugins.sparql.facts.predicate_facts import Links, PredicateFacts, Relation
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.kernels import Indices, KeyArray
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import Table

Step = Callable[[Ids], Links]
"""A way from nodes to others: (index into the nodes, other) for every link."""


class DistinctPairs:
    """A relation that has every pair once."""

    def __init__(self, of: Relation) -> None:
        self._of = of

    def _forth(self, starts: Ids) -> KeyArray:
        """The nodes after some distinct ones, sorted: (number of the start, node)."""
        return _once(self._of.by_subjects(starts))

    def _back(self, starts: Ids) -> KeyArray:
        """The predecessors of nodes along a path."""
        return _once(self._of.by_objects(starts))

    def by_subjects(self, subjects: Ids) -> Links:
        starts, numbers = np.unique(subjects, return_inverse=True)
        return kernels.follow(self._forth(starts), numbers.astype(np.uint32))

    def by_objects(self, objects: Ids) -> Links:
        starts, numbers = np.unique(objects, return_inverse=True)
        return kernels.follow(self._back(starts), numbers.astype(np.uint32))

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        ends, others, reached = subjects, objects, self._forth
        if len(np.unique(objects)) < len(np.unique(subjects)):
            ends, others, reached = objects, subjects, self._back
        starts, numbers = np.unique(ends, return_inverse=True)
        return np.flatnonzero(kernels.contains(reached(starts), kernels.pack(numbers, others)))

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        subjects = [kernels.NO_IDS, *(s for s, _ in self._of.pairs())]
        starts = kernels.unique(np.concatenate(subjects))
        for at in range(0, len(starts), QUERIES.path_starts):
            some = starts[at : at + QUERIES.path_starts]
            found = self._forth(some)
            yield some[kernels.high(found)], kernels.low(found)

    def count(self, s: int | None, o: int | None) -> int:
        return self._of.count(s, o)


def _once(links: Links) -> KeyArray:
    return kernels.unique(kernels.pack(*links))


class PathClosure(DistinctPairs):
    """The transitive closure of a relation.

    From some nodes it is searched in rounds. Where that takes as long as to go through the
    relation's pairs, it is followed link by link from few nodes, and for more all of it is worked
    out in a compact table, each at a cost of the same order. That table knows the store's ids only:
    the query's own terms lead to none but themselves.
    """

    def __init__(self, of: Relation, check: Callable[[], object]) -> None:
        super().__init__(of)
        self._check, self._followed = check, 0

    @staticmethod
    def of(relation: Relation, check: Callable[[], object]) -> Relation:
        """The relation itself where it is known to be transitive."""
        known = isinstance(relation, PredicateFacts) and relation.is_transitive
        return relation if known else PathClosure(relation, check)

    def count(self, s: int | None, o: int | None) -> int:
        return self._of.count(None, None) if s is None or o is None else 1

    def _forth(self, starts: Ids) -> KeyArray:
        found = self._searched(starts, self._of.by_subjects, forth=True)
        if found is None:
            found = _looked_up(starts, self._table.by_subjects, self._of.by_subjects)
        return found

    def _back(self, starts: Ids) -> KeyArray:
        found = self._searched(starts, self._of.by_objects, forth=False)
        if found is None:
            found = _looked_up(starts, self._table.by_objects, self._of.by_objects)
        return found

    def _searched(self, starts: Ids, step: Step, *, forth: bool) -> KeyArray | None:
        """The nodes reached from each start; None if the table is there, or is worth its while."""
        if "_table" in self.__dict__:
            return None
        found = searched(starts, step, self._most)
        if found is None and self._followed + len(starts) <= QUERIES.followed_starts:
            self._followed += len(starts)
            links = self._links if forth else self._links_back
            reached = [links.reached(start) for start in starts.tolist()]
            numbers = np.repeat(np.arange(len(starts)), list(map(len, reached)))
            found = kernels.pack(numbers, np.concatenate([kernels.NO_IDS, *reached]))
        return found

    @cached_property
    def _links(self) -> LinkLists:
        return LinkLists(self._pairs, self._check)

    @cached_property
    def _links_back(self) -> LinkLists:
        return LinkLists(kernels.transposed(self._pairs), self._check)

    @cached_property
    def _pairs(self) -> KeyArray:
        return kernels.unique(
            np.concatenate([kernels.NO_KEYS, *(kernels.pack(*pair) for pair in self._of.pairs())])
        )

    @cached_property
    def _most(self) -> int:
        """The links after which a search costs more than the table."""
        return max(QUERIES.searched_links, self._of.count(None, None))

    @cached_property
    def _table(self) -> Table:
        pairs, table = self._pairs, Plain()
        known = (kernels.high(pairs) < LOCAL) & (kernels.low(pairs) < LOCAL)
        table.extend(pairs[known])
        return closed(table, symmetric=False, diagonal=True)


def _looked_up(starts: Ids, table: Step, step: Step) -> KeyArray:
    """The nodes that a table has for the starts that it may know, and those in one step for the
    others; sorted (number of the start, node)."""
    at = np.searchsorted(starts, LOCAL)
    found = kernels.sort(kernels.pack(*table(starts[:at])))
    return np.concatenate([found, _once(step(starts[at:])) + (np.uint64(at) << kernels.SHIFT)])


def searched(starts: Ids, step: Step, most: int) -> KeyArray | None:
    """The nodes reached from each start in one step or more, breadth first from all at once; sorted
    (number of the start, node). None if that takes more than `most` links, of which a round counts
    as some.

    It ends because every round keeps only new pairs. The pairs seen are kept in runs whose sizes
    fall by half or more, so that a path of n steps costs O(n log n) and not O(n²).
    """
    runs: list[KeyArray] = []
    frontier = kernels.pack(np.arange(len(starts)), starts)
    while frontier.size:
        index, found = step(kernels.low(frontier))
        most -= found.size + QUERIES.round_links
        if most < 0:
            return None
        fresh = kernels.unique(kernels.pack(kernels.high(frontier)[index], found))
        for run in runs:
            fresh = kernels.difference(fresh, run)
        frontier = fresh
        if fresh.size:
            _put(runs, fresh)
    return reduce(kernels.merge, reversed(runs), kernels.NO_KEYS)


def _put(runs: list[KeyArray], fresh: KeyArray) -> None:
    """Adds a run, merging runs no longer than twice the next one."""
    while runs and runs[-1].size <= 2 * fresh.size:
        fresh = kernels.merge(runs.pop(), fresh)
    runs.append(fresh)
