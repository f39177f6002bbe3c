"""Symmetric-transitive relations: the connected components of their external facts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.closure.components import lost_edges, new_edges
from rdfinc.tables.closure.components.connected import groups, nodes_of
from rdfinc.tables.closure.components.disjoint_sets import NOWHERE, Partition, plus, without
from rdfinc.tables.kernels import LOW, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Keys, Table


class Components(ClosedTable):
    """All (a, b) of nodes that the external facts connect, whatever their direction; a = b as well
    or, without the diagonal, only where (a, a) is an external fact itself.

    These are the pairs that `R(x,y) ← R(x,z), R(z,y)` (x ≠ y, without the diagonal) and `R(y,x) ←
    R(x,y)` derive from the external facts. The table keeps a partition of their nodes and, without
    the diagonal, `loops`: the nodes with a fact (a, a). One lookup is O(1) or O(log n), a row or a
    column costs its matches. From scratch O((n + m) log n). A new fact between components costs the
    smaller one, a lost fact a search from both its ends. After Hu, Motik, Horrocks, *Modular
    materialisation of datalog programs* (2019), §6, which searches the whole component.
    """

    __slots__ = ("_loops", "_partition")

    def __init__(self, partition: Partition, loops: IdArray | None) -> None:
        self._partition = partition
        self._loops = loops

    @property
    def partition(self) -> Partition:
        """The nodes by what they are connected with."""
        return self._partition

    @classmethod
    def of(cls, external: Table, *, diagonal: bool) -> Components:
        """From scratch."""
        keys = external.scan()
        nodes = nodes_of(keys)
        partition = Partition(nodes, groups(nodes, keys))
        return cls(partition, None if diagonal else _loops(keys))

    def after_edges(self, external: Table, gone: Keys, new: Keys) -> Components:
        partition = reconnected(self._partition, external, gone, new)
        loops = self._loops
        if loops is not None:
            loops = plus(without(loops, _loops(gone)), _loops(new))
        if partition is self._partition and loops is self._loops:
            return self
        return Components(partition, loops)

    # -- a fact at a time

    def __len__(self) -> int:
        partition = self._partition
        if self._loops is None:
            return partition.squares
        return partition.squares - partition.size + self._loops.size

    def has(self, key: int) -> bool:
        subject, object_ = key >> 32, key & 0xFFFFFFFF
        number = self._partition.number(subject)
        if subject == object_:
            return number != NOWHERE and self._is_reflexive(subject)
        return number != NOWHERE and number == self._partition.number(object_)

    def _is_reflexive(self, node: int) -> bool:
        """Whether a node is in relation with itself."""
        loops = self._loops
        if loops is None:
            return True
        at = loops.searchsorted(np.uint32(node))
        return bool(at < loops.size and loops[at] == node)

    def objects(self, subject: int) -> list[int]:
        number = self._partition.number(subject)
        if number == NOWHERE:
            return []
        found: list[int] = self._partition.members(number).tolist()
        if not self._is_reflexive(subject):
            found.remove(subject)
        return found

    def subjects(self, object_: int) -> list[int]:
        return self.objects(object_)

    # -- a column at a time

    def contains(self, keys: KeyArray) -> Mask:
        one, other = kernels.high(keys), kernels.low(keys)
        number = self._partition.numbers(one)
        found: Mask = (number != NOWHERE) & (number == self._partition.numbers(other))
        if self._loops is not None:
            found &= self._allowed(one, other)
        return found

    def _allowed(self, one: IdArray, other: IdArray) -> Mask:
        """A mask of the pairs in the table: those off the diagonal, and loops on it."""
        allowed: Mask = one != other
        if self._loops is not None and self._loops.size:
            same = np.flatnonzero(~allowed)
            allowed[same] = kernels.contains(self._loops, one[same])
        return allowed

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        at, found = self._partition.beside(subjects)
        if self._loops is None:
            return at, found
        kept = self._allowed(subjects[at], found)
        return at[kept], found[kept]

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return self.by_subjects(objects)

    def scan(self) -> KeyArray:
        ids = self._partition.ids()
        at, found = self.by_subjects(ids)
        return kernels.pack(ids[at], found)

    def all_subjects(self) -> IdArray:
        ids = self._partition.ids()
        if self._loops is None:
            return ids
        together = self._partition.sizes(self._partition.numbers(ids)) > 1
        return ids[together | kernels.contains(self._loops, ids)]

    def all_objects(self) -> IdArray:
        return self.all_subjects()

    def is_subject(self, id: int) -> bool:
        number = self._partition.number(id)
        if number == NOWHERE:
            return False
        return self._is_reflexive(id) or self._partition.members(number).size > 1

    def is_object(self, id: int) -> bool:
        return self.is_subject(id)

    def mutual(self) -> int:
        return len(self)

    def count(self, subject: int | None, object_: int | None) -> int:
        if subject is not None and object_ is not None:
            return int(self.has(subject << 32 | object_))
        node = object_ if subject is None else subject
        if node is None:
            return len(self)
        number = self._partition.number(node)
        if number == NOWHERE:
            return 0
        return self._partition.members(number).size - (not self._is_reflexive(node))

    # -- versions

    def beyond(self, other: Table) -> KeyArray:
        """Reads the components that differ, and enumerates of their pairs only those with ends
        that the other table keeps apart."""
        if not isinstance(other, Components) or (self._loops is None) != (other._loops is None):
            return super().beyond(other)
        nodes = self._partition.differing(other._partition)
        there = other._partition.numbers(nodes)
        apart = _separated(nodes, self._partition.numbers(nodes), there)
        fresh = nodes[there == NOWHERE]
        if self._loops is not None and other._loops is not None:
            fresh = self._loops[~kernels.contains(other._loops, self._loops)]
        return kernels.sort(np.concatenate((apart, kernels.pack(fresh, fresh))))

    def arrays(self) -> list[NDArray[Any]]:
        return self._partition.arrays() + ([] if self._loops is None else [self._loops])

    def overlay_bytes(self) -> int:
        return self._partition.overlay_bytes()

    def _check(self) -> None:
        self._partition._check()
        if self._loops is not None:
            assert self._loops.dtype == np.uint32
            assert (self._loops[1:] > self._loops[:-1]).all()
            assert (self._partition.numbers(self._loops) != NOWHERE).all()


def reconnected(partition: Partition, external: Table, gone: Keys, new: Keys) -> Partition:
    """The components of the edges `external`, which lack `gone` and have `new`, made from the
    components before; the same object if they are the same. Insertions come first, so that each
    component is within a part: a lost edge can only split one."""
    joined = new_edges.joined(partition, new)
    return lost_edges.split(joined, external, gone).folded()


def _loops(keys: Keys) -> IdArray:
    """The nodes with an edge to themselves."""
    if isinstance(keys, list):
        return np.array(
            sorted(key >> 32 for key in keys if key >> 32 == key & 0xFFFFFFFF), np.uint32
        )
    return kernels.low(keys[keys >> kernels.SHIFT == keys & LOW])


def _separated(nodes: IdArray, here: IdArray, there: IdArray) -> KeyArray:
    """The pairs of different nodes with one number `here`, but not one `there` (NOWHERE is the
    number of no two nodes). Each node's partners stand, in the order of both numbers, in the
    group of its number here, before and after those that share the number there as well."""
    there = np.where(there == NOWHERE, nodes.astype(np.int64) + (1 << 32), there)
    order = np.lexsort((there, here))
    nodes, here, there = nodes[order], here[order], there[order]
    first = np.ones(nodes.size, np.bool_)
    np.not_equal(here[1:], here[:-1], out=first[1:])
    start, stop = _spans(first)
    first[1:] |= there[1:] != there[:-1]
    same_start, same_stop = _spans(first)
    before, left = kernels.expand(start, same_start)
    after, right = kernels.expand(same_stop, stop)
    return np.concatenate(
        (kernels.pack(nodes[before], nodes[left]), kernels.pack(nodes[after], nodes[right]))
    )


def _spans(first: Mask) -> tuple[Indices, Indices]:
    """For each position where the run it is in begins and ends; `first` marks where runs begin."""
    begins = np.flatnonzero(first)
    run = np.cumsum(first) - 1
    return begins[run], np.append(begins[1:], first.size)[run]
