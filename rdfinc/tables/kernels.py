"""Operations on sorted arrays of packed pairs: the only place that knows how they are done.

A pair (s, o) of uint32 ids is the uint64 key `s << 32 | o`. "Sorted" means strictly increasing.
Replacing this module (by compiled code, say) changes nothing elsewhere.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables.table_thresholds import TABLES

KeyArray = NDArray[np.uint64]
IdArray = NDArray[np.uint32]
Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]
Column = TypeVar("Column", KeyArray, IdArray)

SHIFT = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
_HIGH = int(sys.byteorder == "little")
"""Which half of a key in memory is the high one."""
NO_KEYS: KeyArray = np.empty(0, np.uint64)
NO_IDS: IdArray = np.empty(0, np.uint32)
NO_PLACES: Indices = np.empty(0, np.intp)


def pack(high: Any, low: Any) -> KeyArray:
    """Keys from two id columns (either may be one id for all rows)."""
    return np.asarray(high, np.uint64) << SHIFT | np.asarray(low, np.uint64)


def high(keys: KeyArray) -> IdArray:
    return np.ascontiguousarray(keys).view(np.uint32)[_HIGH::2].copy()


def low(keys: KeyArray) -> IdArray:
    return keys.astype(np.uint32)


def swap(keys: KeyArray) -> KeyArray:
    """The pairs packed the other way round, in the same order."""
    return keys << SHIFT | keys >> SHIFT


def sort(values: NDArray[Any]) -> NDArray[Any]:
    """The values in order, repetitions kept. O(n) where they already are or consist of few
    ascending runs (timsort merges those), otherwise O(n log n)."""
    falls = _falls(values)
    return np.sort(values, kind=_sort_kind(values, falls)) if falls else values


def sort_in_place(values: NDArray[Any]) -> None:
    """Brings the values in order, as `sort`."""
    falls = _falls(values)
    if falls:
        values.sort(kind=_sort_kind(values, falls))


def _falls(values: NDArray[Any]) -> int:
    """How often a value is less than the one before it."""
    return int(np.count_nonzero(values[1:] < values[:-1]))


def _sort_kind(values: NDArray[Any], falls: int) -> Literal["stable"] | None:
    return "stable" if falls * 5 < values.size * 2 else None


def unique(values: NDArray[Any]) -> NDArray[Any]:
    """Sorted, each value once. Far faster than `np.unique` here."""
    return each_once(sort(values))


def each_once(ordered: NDArray[Any]) -> NDArray[Any]:
    """Sorted values without repetitions."""
    if ordered.size < 2:
        return ordered
    fresh = np.empty(ordered.size, np.bool_)
    fresh[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    return ordered if fresh.all() else ordered[np.flatnonzero(fresh)]


def unique_ids(ids: IdArray) -> IdArray:
    """Sorted, each id once. O(n + largest id) for many, by marking; as `unique` for few."""
    largest = int(ids.max(initial=0))
    if not is_dense(largest, ids.size) or not (ids[1:] < ids[:-1]).any():
        return unique(ids)
    return np.flatnonzero(marked(ids, largest + 1)).astype(np.uint32)


def numbered(ids: IdArray) -> tuple[IdArray, Indices]:
    """The distinct ids, sorted, and for each position the number of its id among them."""
    if ids.size == 1:
        return ids, np.zeros(1, np.intp)
    distinct = unique_ids(ids)
    largest = int(distinct[-1]) if distinct.size else 0
    if not is_dense(largest, ids.size):
        return distinct, np.searchsorted(distinct, ids)
    numbers = np.empty(largest + 1, np.intp)
    numbers[distinct] = np.arange(distinct.size)
    return distinct, numbers[ids]


def is_dense(largest: int, size: int) -> bool:
    """Whether to touch every id up to the largest costs no more than to handle `size` of them."""
    return largest < 16 * size


def marked(ids: IdArray, size: int) -> Mask:
    """For each number below `size`, which all `ids` are, whether it is one of them."""
    marks = np.zeros(size, np.bool_)
    marks[ids] = True
    return marks


def transposed(keys: KeyArray) -> KeyArray:
    """The swapped pairs of sorted keys, sorted. O(n) for many: a radix sort of the low halves,
    two digits of 16 bits, since the stable sort of such numbers is one."""
    if keys.size < TABLES.many_ids:
        return np.sort(swap(keys))
    ids = low(keys)
    order = np.argsort(ids.astype(np.uint16), kind="stable")
    ids >>= np.uint32(16)
    if ids.any():
        order = order[np.argsort(ids.astype(np.uint16)[order], kind="stable")]
    turned = keys[order]
    del order
    heads = turned >> SHIFT
    turned <<= SHIFT
    turned |= heads
    return turned


def contains(ordered: NDArray[Any], probe: NDArray[Any]) -> Mask:
    """For each probe, whether `ordered` holds it. O(m log n); for few keys and many sorted probes
    O(m + n log m)."""
    found = np.zeros(probe.size, np.bool_)
    if not ordered.size:
        return found
    if _are_few_beside(ordered, probe):
        at = np.searchsorted(probe, ordered)
        at = at[at < probe.size]
        found[at[probe[at] == ordered[: at.size]]] = True
        return found
    for block in blocks(probe.size):
        at = np.searchsorted(ordered, probe[block])
        np.minimum(at, ordered.size - 1, out=at)
        np.equal(ordered[at], probe[block], out=found[block])
    return found


def blocks(size: int) -> Iterator[slice]:
    """The places of an array some at a time, in the cache."""
    step = TABLES.probes_block
    return (slice(start, start + step) for start in range(0, size, step))


def _are_few_beside(ordered: NDArray[Any], probe: NDArray[Any]) -> bool:
    """Whether it costs less to search for the keys among the probes, which are sorted."""
    is_few = ordered.size * TABLES.few_beside_probes <= probe.size
    return is_few and bool((probe[1:] > probe[:-1]).all())


def contains_ids(ids: IdArray, probe: IdArray) -> Mask:
    """For each probe, whether it is one of `ids`. O(n + m + largest id), by marking."""
    largest = max(int(ids.max(initial=0)), int(probe.max(initial=0)))
    if not is_dense(largest, ids.size + probe.size):
        return contains(sort(ids), probe)
    found: Mask = marked(ids, largest + 1)[probe]
    return found


def members(values: NDArray[Any], chosen: Collection[int]) -> Mask:
    """For each value whether it is one of `chosen`. O(m log n)."""
    ordered = np.fromiter(chosen, values.dtype, len(chosen))
    ordered.sort()
    return contains(ordered, values)


def difference(keys: KeyArray, ordered: KeyArray) -> KeyArray:
    """The keys that `ordered` does not hold, in their order."""
    if not ordered.size:
        return keys
    there = contains(ordered, keys)
    return keys[~there] if there.any() else keys


def differences(first: KeyArray, second: KeyArray) -> tuple[KeyArray, KeyArray]:
    """The elements of each of two sorted arrays that the other has not. O(n + m log n) for the
    larger and the smaller one."""
    if first.size < second.size:
        less, more = differences(second, first)
        return more, less
    if not second.size:
        return first, second
    if second.size * TABLES.merged_share >= first.size and second.size > TABLES.many_ids:
        rest = _rest_beside(first, second)
        if rest is not None:
            return rest, NO_KEYS
    at = np.searchsorted(first, second)
    there = first[np.minimum(at, first.size - 1)] == second
    alone = np.ones(first.size, np.bool_)
    alone[at[there]] = False
    return first[alone], second[~there]


def _rest_beside(keys: KeyArray, some: KeyArray) -> KeyArray | None:
    """The keys beside some of them, by merging; None if some are no keys."""
    both = np.concatenate((keys, some))
    both.sort(kind="stable")
    twice = both[1:] == both[:-1]
    if np.count_nonzero(twice) < some.size:
        return None
    alone = np.ones(both.size, np.bool_)
    alone[1:] ^= twice
    alone[:-1] ^= twice
    return both[alone]


def merge(ordered: KeyArray, fresh: KeyArray) -> KeyArray:
    """The union of two disjoint sorted arrays."""
    if not ordered.size:
        return fresh
    if fresh.size * 64 > ordered.size:
        both = np.concatenate((ordered, fresh))
        both.sort(kind="stable")
        return both
    return np.insert(ordered, np.searchsorted(ordered, fresh), fresh)


def integers(ids: IdArray) -> Iterator[int]:
    """The ids one by one. Some thousand at a time are made, so that their memory is used again."""
    step = TABLES.plain_ids
    parts = (ids[start : start + step] for start in range(0, ids.size, step))
    return chain.from_iterable(part.tolist() for part in parts)


def extent(ids: IdArray) -> tuple[int, int]:
    """The least and the largest of some ids; 1 and 0 of none."""
    if ids.size > TABLES.few_compared_ids:
        return int(ids.min()), int(ids.max())
    some = ids.tolist()
    return min(some, default=1), max(some, default=0)


def span(ordered: KeyArray, head: int) -> tuple[int, int]:
    """The half-open range of keys whose high half an id is, as `ranges` for many. O(log n)."""
    view = ordered.data
    start = bisect_left(view, head << 32)
    return start, bisect_left(view, head + 1 << 32, start)


def ranges(ordered: KeyArray, heads: IdArray) -> tuple[Indices, Indices]:
    """For each id the half-open range of keys whose high half it is. O(m log n), or O(n + m +
    largest id) for many ids."""
    if heads.size > TABLES.many_ids:
        largest = max(int(heads.max()), int(ordered[-1] >> SHIFT))
        if is_dense(largest, ordered.size + heads.size):
            return _counted_ranges(ordered, heads)
    first = heads.astype(np.uint64) << SHIFT
    return ordered.searchsorted(first), ordered.searchsorted(first | LOW, side="right")


def _counted_ranges(ordered: KeyArray, heads: IdArray) -> tuple[Indices, Indices]:
    """As `ranges`, by counting the keys of every id: no search, whatever order the ids have."""
    counts = np.bincount((ordered >> SHIFT).astype(np.int64), minlength=int(heads.max()) + 1)
    stop = np.cumsum(counts)
    stops = stop[heads]
    return stops - counts[heads], stops


def expand(start: Indices, stop: Indices) -> tuple[Indices, Indices]:
    """All positions of many ranges: (index of the range, position), range by range."""
    counts = stop - start
    if counts.max(initial=0) <= 1:
        (owner,) = counts.nonzero()
        return owner, start[owner]
    owner = np.repeat(np.arange(counts.size), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(owner.size) + (start - before)[owner]


def row_sizes(ordered: KeyArray) -> tuple[IdArray, Indices]:
    """The heads of sorted pairs, each once, and how many pairs each has."""
    heads = high(ordered)
    begins = np.flatnonzero(np.append(True, heads[1:] != heads[:-1])[: heads.size])
    return heads[begins], np.diff(begins, append=heads.size)


def whole_rows(ordered: KeyArray, size: int) -> Iterator[KeyArray]:
    """Sorted pairs in parts of at least so many, but for the last, and of whole rows."""
    start = 0
    while start < ordered.size:
        last = min(start + size, ordered.size) - 1
        stop = span(ordered, int(ordered[last]) >> 32)[1]
        yield ordered[start:stop]
        start = stop


def follow(ordered: KeyArray, heads: IdArray) -> tuple[Indices, IdArray]:
    """Join ids with the high halves: (index into `heads`, low half) for every match."""
    if not ordered.size or not heads.size:
        return np.empty(0, np.intp), NO_IDS
    if heads.size == 1:
        start, stop = span(ordered, int(heads[0]))
        return np.zeros(stop - start, np.intp), low(ordered[start:stop])
    owner, at = expand(*ranges(ordered, heads))
    return owner, low(ordered[at])


def by_low(keys: KeyArray) -> list[tuple[int, KeyArray]] | None:
    """Sorted keys by their low half, if there are many for each; O(n), some keys at a time."""
    parts: dict[int, list[KeyArray]] = {}
    for start in range(0, keys.size, TABLES.grouped_keys_block):
        swapped = transposed(keys[start : start + TABLES.grouped_keys_block])
        ids = high(swapped)
        starts = np.flatnonzero(ids[1:] != ids[:-1]) + 1
        if starts.size * TABLES.many_ids >= keys.size:
            return None
        for group in np.split(swap(swapped), starts):
            parts.setdefault(int(group[0] & LOW), []).append(group)
    if (len(parts) - 1) * TABLES.many_ids >= keys.size:
        return None
    return [(id, np.concatenate(parts.pop(id))) for id in sorted(parts)]


def grouped(groups: IdArray, keys: KeyArray) -> Iterator[tuple[int, KeyArray]]:
    """Each group and its keys, in their order. One sort, and a view for each group."""
    order = np.argsort(groups, kind="stable")
    ordered, keys = groups[order], keys[order]
    ends = [*(np.flatnonzero(ordered[1:] != ordered[:-1]) + 1).tolist(), ordered.size]
    start = 0
    for end in ends if ordered.size else ():
        yield int(ordered[start]), keys[start:end]
        start = end


def in_growing_parts(
    blocks: Iterable[Column], size: int, growth: int, most: int
) -> Iterator[Column]:
    """Keys, or ids, of some blocks in parts of which the first ones are small, so that who reads
    few pays for few: of so many keys, each part so many times larger than the one before it, up to
    a size."""
    for keys in blocks:
        start = 0
        while start < keys.size:
            yield keys[start : start + size]
            start, size = start + size, min(size * growth, most)


def ranks(keys: KeyArray) -> Indices:
    """For each position how often its key stands before it. O(n log n)."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    start = np.zeros(keys.size, np.intp)
    new = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    start[new] = new
    found = np.empty(keys.size, np.intp)
    found[order] = np.arange(keys.size) - np.maximum.accumulate(start)
    return found
