"""The components of a graph, and the reach of each as rows of the encoding that is smaller."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.adjacency import Edged, heights
from rdfinc.tables.closure.intervals.bit_rows import BitRows
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.condensation import components
from rdfinc.tables.closure.intervals.propagate_reachability import propagate
from rdfinc.tables.closure.intervals.range_rows import RangeRows
from rdfinc.tables.closure.intervals.reach_rows import ReachRows
from rdfinc.tables.closure.intervals.tree_cover import tree_cover
from rdfinc.tables.kernels import IdArray, Indices, KeyArray
from rdfinc.tables.table_thresholds import TABLES


class Labelling(Struct, frozen=True):
    """Immutable: the reflexive closure of a graph.

    A node reaches another if its component's row holds the other's. Numbers are in no order, but
    along every edge between components the `heights` fall. `reach` is how many nodes a row holds
    (0 for dead numbers). `first` numbers were given when all were; later ones came one by one.
    """

    nodes: ComponentPartition
    rows: ReachRows
    heights: IdArray
    reach: IdArray
    first: int

    def pairs(self) -> int:
        sizes = np.diff(self.nodes.bounds).astype(np.int64)
        return int(sizes @ self.reach.astype(np.int64))

    def arrays(self) -> list[NDArray[Any]]:
        return [*self.nodes.arrays(), *self.rows.arrays(), self.heights, self.reach]

    def _check(self) -> None:
        self.nodes._check()
        live = np.flatnonzero(self.nodes.live())
        index, first, behind = self.rows.spans(live)
        at, reached = kernels.expand(first, behind)
        upper = live[index[at]]
        rows: dict[int, set[int]] = {number: set() for number in live.tolist()}
        for number, other in zip(upper.tolist(), reached.tolist(), strict=True):
            assert other in rows, "a dead number"
            rows[number].add(other)
        for number, row in rows.items():
            assert number in row
            assert int(self.reach[number]) == sum(map(self.nodes.size, row))
            for other in row - {number}:
                assert rows[other] < row
                assert self.heights[other] < self.heights[number]
        dead = np.flatnonzero(~self.nodes.live())
        assert not self.reach[dead].any()


def label(keys: KeyArray) -> tuple[Labelling, bool]:
    """From the edges, and whether they are taken the other way round."""
    nodes = kernels.unique_ids(np.concatenate((kernels.high(keys), kernels.low(keys))))
    tails = np.searchsorted(nodes, kernels.high(keys))
    heads = np.searchsorted(nodes, kernels.low(keys))
    component, count = components(tails, heads, nodes.size)
    between = kernels.pack(component[tails], component[heads])
    between = kernels.unique(between[component[tails] != component[heads]])
    tails, heads = kernels.high(between).astype(np.intp), kernels.low(between).astype(np.intp)
    flipped = kernels.unique(tails).size > kernels.unique(heads).size
    if flipped:
        tails, heads = heads, tails
    return _labelled(nodes, component, tails, heads, count), flipped


def _labelled(
    nodes: IdArray, component: Indices, tails: Indices, heads: Indices, count: int
) -> Labelling:
    height = heights(tails, heads, count)
    number, first = tree_cover(tails, heads, height)
    tails, heads = number[tails], number[heads]
    first[number] = first.copy()
    height[number] = height.copy()
    escaping = kernels.unique(tails[(heads < first[tails]) | (heads > tails)])
    rows: ReachRows
    if count <= TABLES.small_labelling or (
        count <= TABLES.wide_labelling
        and escaping.size
        and ranges_a_row(tails, heads, height) * TABLES.dense_bits_a_range > count
    ):
        rows, dirty = BitRows.of(count), kernels.unique(tails)
    else:
        rows, dirty = RangeRows.of(first, np.arange(1, count + 1)), escaping
    propagate(rows, height, Edged(tails, heads, count), dirty)
    partition = ComponentPartition.of(nodes, number[component], count)
    reach = rows.totals(np.arange(count), partition.bounds).astype(np.uint32)
    return Labelling(partition, rows.compacted(), height.astype(np.uint32), reach, count)


def ranges_a_row(tails: Indices, heads: Indices, height: Indices) -> float:
    """Estimated from the rows of some nodes of an acyclic graph, evenly from all numbers.

    From the top downwards each node hands on which of them reach it. O(n + m log m), and a pass
    for each height.
    """
    size = height.size
    reached_by = np.zeros(size, np.uint64)
    chosen = np.arange(min(size, TABLES.sampled_rows))
    reached_by[chosen * size // chosen.size] = np.uint64(1) << chosen.astype(np.uint64)
    order = np.argsort(-height[tails], kind="stable")
    tails, heads = tails[order], heads[order]
    level = height[tails]
    bounds = np.flatnonzero(np.concatenate(([True], level[1:] != level[:-1], [True]))).tolist()
    for start, stop in itertools.pairwise(bounds):
        np.bitwise_or.at(reached_by, heads[start:stop], reached_by[tails[start:stop]])
    begins = reached_by.copy()
    begins[1:] &= ~reached_by[:-1]
    return int(np.unpackbits(begins.view(np.uint8)).sum(dtype=np.intp)) / chosen.size
