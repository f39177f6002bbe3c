"""Components after the gain of edges, which join or make them."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.closure.components.connected import linked
from rdfinc.tables.closure.components.disjoint_sets import NOWHERE, Partition
from rdfinc.tables.kernels import LOW, IdArray, KeyArray
from rdfinc.tables.table import Keys
from rdfinc.tables.table_thresholds import TABLES

FRESH = np.uint64(1 << 32)


def joined(partition: Partition, new: Keys) -> Partition:
    """The components once there are `new` edges as well; O(edges + smaller parts) for few."""
    if len(new) <= TABLES.few_new_edges:
        return _one_by_one(partition, new if isinstance(new, list) else new.tolist())
    return _together(partition, np.asarray(new, np.uint64))


def _one_by_one(partition: Partition, new: list[int]) -> Partition:
    after = partition
    for key in new:
        a, b = key >> 32, key & 0xFFFFFFFF
        number, other = after.number(a), after.number(b)
        if number == other != NOWHERE:
            continue
        if after is partition:
            after = partition.copy()
        _join(after, (number, _ids(after, a, number)), (other, _ids(after, b, other)))
    return after


def _ids(partition: Partition, id: int, number: int) -> IdArray:
    return np.array([id], np.uint32) if number == NOWHERE else partition.members(number)


def _join(partition: Partition, one: tuple[int, IdArray], other: tuple[int, IdArray]) -> None:
    """The smaller into the larger; two new nodes, which may be the same, into a new part."""
    (small, ids), (large, _) = sorted((one, other), key=lambda part: (part[0] > 0, part[1].size))
    if large == NOWHERE:
        large = partition.begin()
        ids = kernels.unique(np.concatenate((one[1], other[1])))
    partition.join(ids, small, large)


def _together(partition: Partition, new: KeyArray) -> Partition:
    """Vertices are the parts and the new nodes; what they are joined to is computed at once."""
    one, other = (_vertices(partition, ids) for ids in (kernels.high(new), kernels.low(new)))
    apart = (one != other) | (one >= FRESH)
    one, other = one[apart], other[apart]
    if not one.size:
        return partition
    vertices = kernels.unique(np.concatenate((one, other)))
    ends = np.searchsorted(vertices, one), np.searchsorted(vertices, other)
    root = linked(np.arange(vertices.size), *ends)
    fresh = vertices >= FRESH
    numbers = np.where(fresh, NOWHERE, vertices & LOW).astype(np.uint32)
    at, members = partition.follow(numbers)
    ids = np.concatenate((members, kernels.low(vertices[fresh])))
    marks = np.concatenate((root[at], root[fresh]))
    order = np.argsort(ids)
    return partition.regrouped(ids[order], marks[order])


def _vertices(partition: Partition, ids: IdArray) -> KeyArray:
    numbers = partition.numbers(ids).astype(np.uint64)
    return np.where(numbers == NOWHERE, ids | FRESH, numbers)
