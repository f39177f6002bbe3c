"""Rows as lists of ranges (Agrawal, Borgida and Jagadish 1989)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.arena import Arena
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.reach_rows import NO_INDICES, ReachRows, Spans, renewed, slices
from rdfinc.tables.closure.intervals.segment_tree import Stabbing
from rdfinc.tables.kernels import LOW, SHIFT, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table_thresholds import TABLES


class Index(Struct, frozen=True):
    """The ranges of all rows as they were at `start` and `length`, to be asked for holders."""

    ranges: Stabbing
    start: IdArray
    length: IdArray


class Stale:
    """Numbers with other rows than an index knows, and their ranges now."""

    def __init__(self, numbers: Indices) -> None:
        self.numbers = numbers
        self._ranges: Spans | None = None

    @cached_property
    def _gone(self) -> frozenset[int]:
        return frozenset(self.numbers.tolist())

    def are(self, numbers: list[int]) -> bool:
        """Whether all of some numbers are stale."""
        return self._gone.issuperset(numbers)

    def renewed(self, found: list[int], reached: int, rows: ReachRows) -> list[int]:
        """The numbers whose rows hold one, of which an index has `found` some."""
        if not self.numbers.size:
            return found
        if self._ranges is None:
            self._ranges = rows.spans(self.numbers)
        index, first, behind = self._ranges
        holding = self.numbers[index[(first <= reached) & (reached < behind)]]
        more: list[int] = holding.tolist()
        return [number for number in found if number not in self._gone] + more


class RangeRows(ReachRows):
    """A row is a sorted sequence of disjoint ranges [first, behind) that do not touch, each
    written as a key `first << 32 | behind`, at `keys[start:start + length]` of the arena.

    Where numbers are the post-order numbers of a tree cover, all that a node reaches by the tree
    is one range. 8 bytes a range and 8 bytes a number; a lookup is O(log ranges of the row).
    """

    __slots__ = ("_arena", "_index", "_length", "_start", "_suited")

    def __init__(
        self, arena: Arena, start: IdArray, length: IdArray, index: Index | None = None
    ) -> None:
        self._arena = arena
        self._start, self._length = start, length
        self._index = index
        self._suited: tuple[Index, Stale] | None = None

    @classmethod
    def of(cls, first: Indices, behind: Indices) -> RangeRows:
        """One range for each number."""
        start = np.arange(first.size, dtype=np.uint32)
        return cls(Arena(kernels.pack(first, behind)), start, np.ones(first.size, np.uint32))

    def has(self, number: int, reached: int) -> bool:
        start = self._start.item(number)
        row = self._arena.data[start : start + self._length.item(number)]
        at = int(row.searchsorted(np.uint64(reached << 32 | 0xFFFFFFFF)))
        return at > 0 and reached < row.item(at - 1) & 0xFFFFFFFF

    def contains(self, numbers: Indices, reached: Indices) -> Mask:
        found = np.zeros(numbers.size, np.bool_)
        for start in range(0, numbers.size, TABLES.range_questions_block):
            some = slice(start, start + TABLES.range_questions_block)
            found[some] = self._contains(numbers[some], reached[some])
        return found

    def _contains(self, numbers: Indices, reached: Indices) -> Mask:
        keys, start = self._arena.data, self._start[numbers].astype(np.intp)
        stop, probe = start + self._length[numbers], reached.astype(np.uint64) << SHIFT | LOW
        at = start - 1  # moves on to the last range that begins at or before `reached`
        for bit in reversed(range(int((stop - start).max(initial=0)).bit_length())):
            further = at + (1 << bit)
            before = further < stop
            before &= keys[np.minimum(further, keys.size - 1)] <= probe
            at = np.where(before, further, at)
        found = at >= start
        found[found] = reached[found] < (keys[at[found]] & LOW).astype(np.intp)
        return found

    def _gather(self, numbers: Indices) -> tuple[Indices, KeyArray]:
        """(index into `numbers`, range), row by row."""
        start = self._start[numbers].astype(np.intp)
        index, at = kernels.expand(start, start + self._length[numbers])
        return index, self._arena.data[at]

    def row(self, number: int, nodes: ComponentPartition) -> IdArray:
        start = self._start.item(number)
        keys = self._arena.data[start : start + self._length.item(number)]
        if keys.size > TABLES.few_ranges:
            return nodes.expand(*_ends(keys))[1]
        return nodes.between([(key >> 32, key & 0xFFFFFFFF) for key in keys.tolist()])

    def rows(self, numbers: Indices, nodes: ComponentPartition) -> tuple[Indices, IdArray]:
        index, keys = self._gather(numbers)
        at, found = nodes.expand(*_ends(keys))
        return index[at], found

    def spans(self, numbers: Indices) -> Spans:
        index, keys = self._gather(numbers)
        return index, *_ends(keys)

    def above(self, reached: int, nodes: ComponentPartition) -> IdArray:
        return nodes.of_few(self._holders_of(reached))

    def count_above(self, reached: int, nodes: ComponentPartition) -> int:
        return nodes.total(self._holders_of(reached))

    def _holders_of(self, reached: int) -> list[int]:
        index, stale = self._indexed()
        return stale.renewed(index.ranges.owners_of(reached), reached, self)

    def holders(self, reached: Indices) -> tuple[Indices, Indices]:
        index, stale = self._indexed()
        at, found = index.ranges.owners(reached)
        if not stale.numbers.size:
            return at, found
        return renewed((at, found), stale.numbers, self._scanned(stale.numbers, reached))

    def _scanned(self, numbers: Indices, reached: Indices) -> tuple[Indices, Indices]:
        """(index into `reached`, number) for those of the numbers whose rows hold it."""
        order = np.argsort(reached)
        index, first, behind = self.spans(numbers)
        start, stop = np.searchsorted(reached[order], (first, behind))
        entry, at = kernels.expand(start, stop)
        return order[at], numbers[index[entry]]

    def _indexed(self) -> tuple[Index, Stale]:
        """The index of holders, and the numbers with other rows since.

        The index is made when it is first asked for. Later versions take it over until changed rows
        hold too many of its ranges.
        """
        found = self._suited
        if found is None:
            index, stale = self._index, NO_INDICES
            if index is not None:
                stale = self._changed_since(index)
                outdated = int(self._length[stale].sum(dtype=np.intp))
                if TABLES.outdated_share * outdated > int(self._length.sum(dtype=np.intp)):
                    index, stale = None, NO_INDICES
            if index is None:
                owner, first, behind = self.spans(np.arange(self._start.size))
                ranges = Stabbing(owner, first, behind, self._start.size)
                self._index = index = Index(ranges, self._start.copy(), self._length.copy())
            self._suited = found = index, Stale(stale)
        return found

    def _changed_since(self, index: Index) -> Indices:
        size = index.start.size
        changed = (self._start[:size] != index.start) | (self._length[:size] != index.length)
        return np.concatenate((np.flatnonzero(changed), np.arange(size, self._start.size)))

    def totals(self, numbers: Indices, bounds: IdArray) -> Indices:
        found = np.zeros(numbers.size, np.intp)
        for piece in slices(self._length[numbers].astype(np.intp), TABLES.range_block):
            index, keys = self._gather(numbers[piece])
            weights = bounds[(keys & LOW).astype(np.intp)] - bounds[(keys >> SHIFT).astype(np.intp)]
            np.add.at(found[piece], index, weights.astype(np.intp))
        return found

    def extended(self, size: int) -> RangeRows:
        fresh = np.arange(self._start.size, size)
        start, length = _padded(self._start, size), _padded(self._length, size)
        twin = RangeRows(self._arena, start, length, self._index)
        twin.unite(fresh, NO_INDICES, NO_INDICES)
        return twin

    def unite(self, numbers: Indices, index: Indices, successors: Indices) -> Mask:
        width = self._start.size.bit_length()
        weights = np.bincount(index, self._length[successors], numbers.size).astype(np.intp) + 1
        bounds = np.searchsorted(index, np.arange(numbers.size + 1))
        changed = np.zeros(numbers.size, np.bool_)
        for piece in slices(
            np.maximum(weights, TABLES.range_block >> min(20, 64 - 2 * width)),
            TABLES.range_block,
        ):
            some = slice(bounds[piece.start], bounds[piece.stop])
            owner, keys = self._gather(successors[some])
            owner = index[some][owner] - piece.start
            changed[piece] = self._replace(
                numbers[piece], *_united(numbers[piece], owner, keys, width)
            )
        return changed

    def _replace(self, numbers: Indices, owner: Indices, keys: KeyArray) -> Mask:
        """For each number whether the new row is another one, which is then taken."""
        length = np.bincount(owner, minlength=numbers.size)
        self._suited = None
        changed: Mask = length != self._length[numbers]
        alike = ~changed[owner]
        place = np.arange(owner.size) - (np.cumsum(length) - length)[owner]
        place += self._start[numbers].astype(np.intp)[owner]
        other = np.flatnonzero(alike)[self._arena.data[place[alike]] != keys[alike]]
        changed[owner[other]] = True
        fresh, length = keys[changed[owner]], length[changed]
        at = self._arena.append(fresh)
        self._start[numbers[changed]] = at + np.cumsum(length) - length
        self._length[numbers[changed]] = length
        return changed

    def drop(self, numbers: Indices) -> None:
        self._length[numbers] = 0
        self._suited = None

    def is_loose(self) -> bool:
        return self._arena.used > 2 * int(self._length.sum(dtype=np.intp)) + TABLES.spare_ranges

    def compacted(self) -> RangeRows:
        keys = self._gather(np.arange(self._start.size))[1]
        start = (np.cumsum(self._length, dtype=np.intp) - self._length).astype(np.uint32)
        return RangeRows(Arena(keys), start, self._length)

    def differing(self, other: ReachRows, numbers: Indices) -> Mask | None:
        if not isinstance(other, RangeRows):
            return None
        if self._arena is other._arena:
            elsewhere: Mask = self._start[numbers] != other._start[numbers]
            return elsewhere
        differ: Mask = self._length[numbers] != other._length[numbers]
        alike = np.flatnonzero(~differ)
        for piece in slices(self._length[numbers[alike]].astype(np.intp), TABLES.range_block):
            index, mine = self._gather(numbers[alike[piece]])
            theirs = other._gather(numbers[alike[piece]])[1]
            differ[alike[piece][index[mine != theirs]]] = True
        return differ

    def beyond(self, numbers: Indices, other: ReachRows, others: Indices, known: int) -> Spans:
        assert isinstance(other, RangeRows)
        index, keys = self._gather(numbers)
        there = np.flatnonzero(others >= 0)
        other_index, other_keys = other._gather(others[there])
        other_index = there[other_index]
        first, behind = kernels.high(other_keys), np.minimum(kernels.low(other_keys), known)
        kept = first < behind
        other_keys = kernels.pack(first[kept], behind[kept])
        return _subtracted(index, keys, other_index[kept], other_keys)

    def is_reached(self, reached: int) -> bool:
        index, stale = self._indexed()
        if index.ranges.count(reached) > stale.numbers.size + 1:
            return True
        found = index.ranges.owners_of(reached)
        others = [number for number in found if number != reached]
        return not stale.are(others) or len(stale.renewed(found, reached, self)) > 1

    def reached(self, numbers: Indices) -> Mask:
        _, ranges = self._gather(numbers)
        size = self._start.size + 1
        begun = np.bincount((ranges >> SHIFT).astype(np.intp), minlength=size)
        ended = np.bincount((ranges & LOW).astype(np.intp), minlength=size)
        found: Mask = np.cumsum(begun - ended)[numbers] > 1
        return found

    def arrays(self) -> list[NDArray[Any]]:
        kept: list[NDArray[Any]] = [self._arena.data, self._start, self._length]
        if self._index is not None:
            kept += [*self._index.ranges.arrays(), self._index.start, self._index.length]
        return kept


def _padded(values: IdArray, size: int) -> IdArray:
    more = np.zeros(size, np.uint32)
    more[: values.size] = values
    return more


def _ends(keys: KeyArray) -> tuple[Indices, Indices]:
    return (keys >> SHIFT).astype(np.intp), (keys & LOW).astype(np.intp)


def _united(
    numbers: Indices, owner: Indices, keys: KeyArray, width: int
) -> tuple[Indices, KeyArray]:
    """(index into `numbers`, range) of the union of each number and its owner's ranges.

    Owner, first number and number behind the last are packed into one key, `width` bits for each
    of the latter; in their order a range begins a new one if it begins behind all before it.
    """
    bits, mask = np.uint64(width), np.uint64((1 << width) - 1)
    packed = np.empty(owner.size + numbers.size, np.uint64)
    packed[: owner.size] = owner.astype(np.uint64) << bits | keys >> SHIFT
    packed[owner.size :] = np.arange(numbers.size, dtype=np.uint64) << bits
    packed[owner.size :] |= numbers.astype(np.uint64)
    packed <<= bits
    packed[: owner.size] |= keys & LOW
    packed[owner.size :] |= numbers.astype(np.uint64) + np.uint64(1)
    packed.sort()
    first = packed >> bits
    reach = np.maximum.accumulate(first & ~mask | packed & mask)
    begins = np.ones(packed.size, np.bool_)
    np.greater(first[1:], reach[:-1], out=begins[1:])
    begin = np.flatnonzero(begins)
    first, behind = first[begin], reach[np.append(begin[1:], packed.size) - 1]
    return (first >> bits).astype(np.intp), (first & mask) << SHIFT | behind & mask


def _subtracted(index: Indices, keys: KeyArray, other: Indices, gone: KeyArray) -> Spans:
    """The ranges of each index without those of the other of the same index.

    Each end of a range is an event: behind it, so many ranges of the one and of the other are
    open. What lies between two events belongs to the difference if the first alone are open.
    """
    places, steps = [], []
    for owner, ranges, weight in ((index, keys, 1), (other, gone, -2)):
        for ends, step in ((ranges >> SHIFT, weight), (ranges & LOW, -weight)):
            places.append(owner.astype(np.uint64) << SHIFT | ends)
            steps.append(np.full(owner.size, step))
    place = np.concatenate(places)
    order = np.argsort(place, kind="stable")
    place = place[order]
    open_ = np.cumsum(np.concatenate(steps)[order])
    at = np.flatnonzero((open_[:-1] == 1) & (place[1:] > place[:-1]))
    owner = (place[at] >> SHIFT).astype(np.intp)
    return owner, (place[at] & LOW).astype(np.intp), (place[at + 1] & LOW).astype(np.intp)
