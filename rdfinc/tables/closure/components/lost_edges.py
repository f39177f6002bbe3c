"""Components after the loss of edges, which may split them."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.closure.components.connected import (
    SearchBudget,
    groups_in,
    peeled,
    rows,
    side_apart,
)
from rdfinc.tables.closure.components.disjoint_sets import NOWHERE, Partition, without
from rdfinc.tables.facts import swapped
from rdfinc.tables.kernels import NO_IDS, IdArray, Indices, KeyArray
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.table_thresholds import TABLES


def split(partition: Partition, external: Table, gone: Keys) -> Partition:
    """The components of the `external` edges, when those of `external` and `gone` are given; the
    same object if they are the same."""
    splits = _Splits(partition, external)
    if len(gone) > TABLES.many_lost_edges:
        gone = _recompute_most(splits, np.asarray(gone, np.uint64))
    lost = external.missing(swapped(gone))  # where only a direction goes, nothing does
    for edges in _by_part(splits.partition, np.asarray(lost, np.uint64)):
        splits.search(edges)
    return splits.partition


def _recompute_most(splits: _Splits, gone: KeyArray) -> KeyArray:
    """Computes components anew where searches would cost more, many small ones together; returns
    the edges in others."""
    partition = splits.partition
    at = partition.numbers(kernels.high(gone))
    counts = np.bincount(at)
    numbers = np.flatnonzero(counts).astype(np.uint32)
    sizes = partition.sizes(numbers)
    small = sizes < TABLES.large_component
    small &= np.count_nonzero(small) > TABLES.few_components
    many = ~small & (counts[numbers] * TABLES.members_a_search > sizes)
    members = [partition.members(number).item(0) for number in numbers[many].tolist()]
    counts[numbers[small | many]] = 0
    splits.recompute_together(numbers[small])
    for member in members:
        splits.recompute(member)
    return gone[counts[at] > 0]


def _by_part(partition: Partition, keys: KeyArray) -> list[list[int]]:
    """The edges, those of each part together."""
    if not keys.size:
        return []
    numbers = partition.numbers(kernels.high(keys))
    order = np.argsort(numbers, kind="stable")
    keys, numbers = keys[order], numbers[order]
    begins = np.flatnonzero(numbers[1:] != numbers[:-1]) + 1
    return [part.tolist() for part in np.split(keys, begins)]


def _without_edge(external: Table, ids: IdArray, marks: Indices) -> Indices:
    """The marks, negative where no other id has the same and it is no edge's either."""
    alone = np.flatnonzero(np.bincount(marks, minlength=ids.size)[marks] == 1)
    loops = external.contains(kernels.pack(ids[alone], ids[alone]))
    marks[alone[~loops]] = -1
    return marks


class _Splits:
    """A partition that splits where edges were lost; it becomes a copy at the first split.

    While a component is searched, the parts found are complete, and the *rest*, the part with the
    number `_rest`, may still be in pieces. The parts found may have connected these; one node of
    the rest, the anchor, stands for all of them. Each piece is connected with the anchor by lost
    edges yet to be looked at. An edge that leads out of the rest counts as one to the anchor, or
    gives the anchor if there is none.
    """

    def __init__(self, partition: Partition, external: Table) -> None:
        self._original = self.partition = partition
        self._external = external
        self._rest = NOWHERE
        self._anchor: int | None = None
        self._budget = SearchBudget(0)
        self._unsure = False

    def search(self, lost: list[int]) -> None:
        """Searches a connection between the ends of each lost edge of a component, as long as
        that costs less than to compute the component anew."""
        self._rest, self._anchor = self.partition.number(lost[0] >> 32), None
        self._budget = SearchBudget(self.partition.members(self._rest).size)
        self._unsure = False
        for key in lost:
            self._unsure |= self._budget.is_spent()
            if self._unsure or self._rest == NOWHERE:
                break
            self._check(key >> 32, key & 0xFFFFFFFF)
        if self._unsure and self._rest != NOWHERE:
            self._recompute()

    def _check(self, a: int, b: int) -> None:
        """Takes apart what a lost edge connected; ends since a part taken leaves less."""
        while self._in_rest(a) or self._in_rest(b):
            if not self._in_rest(b):
                a, b = b, a
            if not self._in_rest(a):
                if self._anchor is None or not self._in_rest(self._anchor):
                    self._anchor = b
                if self._anchor == b:
                    return
                a = self._anchor
            part = self._part_apart(a, b)
            if part is None:
                return
            self._split_off(part, b if _holds(part, a) else a)

    def _in_rest(self, id: int) -> bool:
        return self._rest != NOWHERE and self.partition.number(id) == self._rest

    def _part_apart(self, a: int, b: int) -> IdArray | None:
        """As `side_apart`; in a larger component the first step is by columns, from both ends at
        once: in a clique that is the end of it."""
        size = self.partition.members(self._rest).size
        if a == b:
            return self.partition.members(self._rest) if size == 1 else None
        if size >= TABLES.wide_component:
            mine, yours = rows(self._external, a, b)
            self._budget.spend(60 + (mine.size + yours.size >> 7))
            if mine.size > yours.size:
                a, b, mine, yours = b, a, yours, mine
            if mine.size and kernels.contains_ids(yours, mine).any():
                return None
        part = side_apart(self._external, a, b, self._budget)
        self._unsure = part is None and self._budget.is_spent()
        return part

    def _split_off(self, part: IdArray, left: int) -> None:
        """Takes the part out of the rest; `left` is a node that is not in it."""
        parts = part, without(self.partition.members(self._rest), part)
        kept = [ids for ids in parts if self._has_edge(ids)]
        gone = [ids for ids in parts if not self._has_edge(ids)]
        self._divide(kept, np.concatenate(gone) if gone else NO_IDS)
        self._rest = self.partition.number(left)

    def _has_edge(self, ids: IdArray) -> bool:
        """Whether what is connected is so by an edge, be it one node's to itself."""
        return ids.size > 1 or (ids.size == 1 and self._external.has(ids.item(0) * (1 << 32 | 1)))

    def recompute_together(self, numbers: IdArray) -> None:
        """Divides many parts into what is connected."""
        if numbers.size:
            ids = kernels.sort(self.partition.follow(numbers)[1])
            marks = _without_edge(self._external, ids, groups_in(ids, self._external))
            self.partition = self.partition.regrouped(ids, marks)

    def recompute(self, member: int) -> None:
        """Divides the part of a node into its components."""
        self._rest = self.partition.number(member)
        self._recompute()

    def _recompute(self) -> None:
        """Divides the rest into what is connected."""
        ids = self.partition.members(self._rest)
        marks, done = peeled(self._external, ids, TABLES.component_search_steps)
        left = np.flatnonzero(~done)
        marks[left] = left[groups_in(ids[left], self._external)]
        marks = _without_edge(self._external, ids, marks)
        order = np.argsort(marks, kind="stable")
        ordered = marks[order]
        parts = np.split(ids[order], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1)
        gone = parts.pop(0) if ordered[0] < 0 else NO_IDS
        if len(parts) > TABLES.parts_of_component:
            self.partition = self.partition.regrouped(ids, marks)
        elif len(parts) != 1 or gone.size:
            self._divide(parts, gone)

    def _divide(self, parts: list[IdArray], gone: IdArray) -> None:
        """Makes components of parts of the rest; the largest keeps its number."""
        if self.partition is self._original:
            self.partition = self.partition.copy()
        largest = max(range(len(parts)), key=lambda at: parts[at].size, default=-1)
        stay = parts.pop(largest) if parts else NO_IDS
        self.partition.divide(self._rest, stay, parts, gone)


def _holds(ids: IdArray, id: int) -> bool:
    at = ids.searchsorted(np.uint32(id))
    return bool(at < ids.size and ids[at] == id)
