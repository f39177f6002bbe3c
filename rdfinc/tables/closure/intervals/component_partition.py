"""The component of each node, and the nodes of each component."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.kernels import NO_IDS, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table_thresholds import TABLES

Numbers = NDArray[np.int32]


class ComponentPartition:
    """Immutable: disjoint sets of nodes by number, `members[bounds[c]:bounds[c + 1]]`.

    A number's members never change: when sets merge or split, what results takes fresh numbers,
    and the old ones are *dead*: no node has them any more. Nodes never leave. A lookup is O(1)
    while ids are dense, otherwise O(log n); 8 to 24 bytes a node.
    """

    __slots__ = ("_ids", "_numbers", "bounds", "members")

    def __init__(
        self, ids: IdArray | None, numbers: Numbers, bounds: IdArray, members: IdArray
    ) -> None:
        """`numbers` are by place in the sorted `ids`, or by id (-1 for none) without `ids`."""
        self._ids = ids
        self._numbers = numbers
        self.bounds, self.members = bounds, members

    @classmethod
    def of(cls, nodes: IdArray, numbers: Indices, count: int) -> ComponentPartition:
        """From sorted nodes and the number of each, `count` numbers in all."""
        order = np.argsort(numbers, kind="stable")
        bounds = np.zeros(count + 1, np.uint32)
        np.cumsum(np.bincount(numbers, minlength=count), out=bounds[1:])
        return cls._indexed(nodes, numbers.astype(np.int32), bounds, nodes[order])

    @classmethod
    def _indexed(
        cls, ids: IdArray, numbers: Numbers, bounds: IdArray, members: IdArray
    ) -> ComponentPartition:
        largest = int(ids[-1]) if ids.size else 0
        if largest >= TABLES.sparse_ids_a_node * max(ids.size, 1):
            return cls(ids, numbers, bounds, members)
        table = np.full(largest + 1 + ids.size // 16, -1, np.int32)
        table[ids] = numbers
        return cls(None, table, bounds, members)

    def __len__(self) -> int:
        """How many numbers there are, the dead ones among them."""
        return self.bounds.size - 1

    def is_flat(self) -> bool:
        """Whether each number has one member, which then stands at its place."""
        return self.bounds.item(-1) == len(self)

    def nodes(self) -> IdArray:
        """All nodes, sorted."""
        if self._ids is not None:
            return self._ids
        return np.flatnonzero(self._numbers >= 0).astype(np.uint32)

    def number(self, node: int) -> int:
        """The node's component; -1 if it is no node."""
        if self._ids is None:
            return self._numbers.item(node) if node < self._numbers.size else -1
        at = int(self._ids.searchsorted(np.uint32(node)))
        if at == self._ids.size or self._ids.item(at) != node:
            return -1
        return self._numbers.item(at)

    def numbers(self, nodes: IdArray) -> Numbers:
        """For each id its component; -1 where it is no node."""
        size = self._numbers.size
        if not size:
            return np.full(nodes.size, -1, np.int32)
        if self._ids is None:
            if int(nodes.max(initial=0)) < size:
                return self._numbers[nodes]
            found = self._numbers[np.minimum(nodes, np.uint32(size - 1))]
            found[nodes >= size] = -1
            return found
        at = np.minimum(np.searchsorted(self._ids, nodes), size - 1)
        found = self._numbers[at]
        found[self._ids[at] != nodes] = -1
        return found

    def size(self, number: int) -> int:
        return self.bounds.item(number + 1) - self.bounds.item(number)

    def sizes(self, numbers: Indices) -> Indices:
        """How many members each component has."""
        return self.bounds[numbers + 1].astype(np.intp) - self.bounds[numbers]

    def expand(self, first: Indices, stop: Indices) -> tuple[Indices, IdArray]:
        """The members of ranges of numbers: (index of the range, node), range by range."""
        bounds = self.bounds
        index, at = kernels.expand(bounds[first].astype(np.intp), bounds[stop].astype(np.intp))
        return index, self.members[at]

    def between(self, ranges: list[tuple[int, int]]) -> IdArray:
        """The members of few ranges of numbers."""
        place = self.bounds.data  # twice as fast to look into
        return _joined([self.members[place[first] : place[stop]] for first, stop in ranges])

    def of_few(self, numbers: list[int]) -> IdArray:
        """The members of few components."""
        if self.is_flat():
            return self.members[np.array(numbers, np.intp)]
        place = self.bounds.data
        return _joined([self.members[place[n] : place[n + 1]] for n in numbers])

    def total(self, numbers: list[int]) -> int:
        """How many members few components have together."""
        if self.is_flat():
            return len(numbers)
        place = self.bounds.data
        return sum([place[n + 1] - place[n] for n in numbers])

    def members_of(self, numbers: Indices) -> IdArray:
        """The members of components, one component after the other."""
        return self.each(numbers, numbers)[1]

    def each(self, owners: Indices, numbers: Indices) -> tuple[Indices, IdArray]:
        """(owner, member) for the members of components, each of which has an owner."""
        if self.is_flat():
            return owners, self.members[numbers]
        index, found = self.expand(numbers, numbers + 1)
        return owners[index], found

    def live(self) -> Mask:
        """For each number whether nodes have it."""
        here = np.zeros(len(self), np.bool_)
        here[self._numbers[self._numbers >= 0]] = True
        return here

    def with_components(self, nodes: IdArray, sizes: Indices) -> ComponentPartition:
        """With fresh numbers, one for each of `sizes`, for so many of the `nodes` in turn. Nodes
        that were in components leave these. O(n)."""
        if not sizes.size:
            return self
        first = len(self)
        fresh = np.repeat(np.arange(first, first + sizes.size, dtype=np.int32), sizes)
        more = (int(self.bounds[-1]) + np.cumsum(sizes)).astype(np.uint32)
        bounds = np.concatenate((self.bounds, more))
        members = np.concatenate((self.members, nodes))
        if self._ids is None:
            largest = int(nodes.max(initial=0))
            if largest < self._numbers.size:
                table = self._numbers.copy()
                table[nodes] = fresh
                return ComponentPartition(None, table, bounds, members)
        ids, numbers = self.nodes(), self.numbers(self.nodes())
        order = np.argsort(nodes, kind="stable")
        nodes, fresh = nodes[order], fresh[order]
        known = kernels.contains(ids, nodes)
        numbers[np.searchsorted(ids, nodes[known])] = fresh[known]
        at = np.searchsorted(ids, nodes[~known])
        ids = np.insert(ids, at, nodes[~known])
        numbers = np.insert(numbers, at, fresh[~known])
        return self._indexed(ids, numbers, bounds, members)

    def agreement(self, other: ComponentPartition) -> int:
        """How many numbers from the first one on have the same members in both. O(n)."""
        count = min(len(self), len(other))
        same = _agreeing(self.bounds[: count + 1], other.bounds[: count + 1]) - 1
        stop = int(self.bounds[same])
        nodes = _agreeing(self.members[:stop], other.members[:stop])
        return int(np.searchsorted(self.bounds[: same + 1], nodes, side="right")) - 1

    def arrays(self) -> list[NDArray[Any]]:
        kept = [self._numbers, self.bounds, self.members]
        return kept if self._ids is None else [self._ids, *kept]

    def _check(self) -> None:
        assert self.bounds[0] == 0
        assert self.bounds[-1] == self.members.size
        nodes = self.nodes()
        assert (nodes[1:] > nodes[:-1]).all()
        numbers = self.numbers(nodes)
        assert (numbers >= 0).all()
        live = np.unique(numbers).astype(np.intp)
        index, members = self.expand(live, live + 1)
        assert (self.numbers(members) == live[index]).all()
        assert members.size == nodes.size
        assert (self.sizes(live) > 0).all()


def _joined(parts: list[IdArray]) -> IdArray:
    return parts[0] if len(parts) == 1 else np.concatenate([NO_IDS, *parts])


def _agreeing(first: IdArray | KeyArray, second: IdArray | KeyArray) -> int:
    """How many values from the beginning on are the same."""
    differ = first != second
    return int(differ.argmax()) if differ.any() else differ.size
