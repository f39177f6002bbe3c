"""Which components merge and split when edges change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.adjacency import heights
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.condensation import components
from rdfinc.tables.closure.intervals.oriented import Oriented
from rdfinc.tables.closure.intervals.reach_rows import ReachRows
from rdfinc.tables.kernels import IdArray, Indices, Mask


@dataclass(frozen=True)
class MergedComponents:
    """Sets of nodes that become components, one after the other, and their former numbers."""

    nodes: IdArray
    sizes: Indices
    heights: Indices
    dead: Indices


def regrouped(
    was: ComponentPartition, height: Indices, candidates: Indices, edges: Oriented
) -> MergedComponents:
    """The components of the `candidates`' nodes, unchanged ones left out. All that might join
    them are among these. Heights are as before, plus those of parts above each other."""
    nodes = was.expand(candidates, candidates + 1)[1]
    nodes = kernels.sort(nodes)
    tails, found = edges.below(nodes)
    inner = kernels.contains(nodes, found)
    tails, heads = tails[inner], np.searchsorted(nodes, found[inner])
    label, count = components(tails, heads, nodes.size)
    old = was.numbers(nodes).astype(np.intp)
    changed = _changed(label, count, old, was)
    between = label[tails] != label[heads]
    local = heights(*_distinct(label[tails[between]], label[heads[between]]), count)
    top = np.zeros(count, np.intp)
    np.maximum.at(top, label, height[old])
    order = np.argsort(label, kind="stable")
    order = order[changed[label[order]]]
    return MergedComponents(
        nodes[order],
        np.bincount(label, minlength=count)[changed],
        (top + local)[changed],
        kernels.unique(old[order]),
    )


def _changed(label: Indices, count: int, old: Indices, was: ComponentPartition) -> Mask:
    """For each label whether its nodes are not just those of one number."""
    some = np.empty(count, np.intp)
    some[label] = old
    mixed: Mask = np.bincount(label, some[label] != old, count) > 0
    mixed |= np.bincount(label, minlength=count) != was.sizes(some)
    return mixed


def _distinct(tails: Indices, heads: Indices) -> tuple[Indices, Indices]:
    keys = kernels.unique(kernels.pack(tails, heads))
    return kernels.high(keys).astype(np.intp), kernels.low(keys).astype(np.intp)


def on_new_cycles(rows: ReachRows, tails: Indices, heads: Indices) -> Indices:
    """Numbers that include all on cycles through new edges.

    A new edge is on a cycle only if edges and new edges in turn lead back to it: its head reaches
    the tail of one, whose head reaches the tail of one, and so on. All other numbers on the cycle
    lie between such heads and tails. O(k * k) lookups for k edges that lead up.
    """
    reaches = _reach(rows, heads, tails)
    index, to = np.nonzero(reaches)
    label, count = components(index, to, tails.size)
    closing = (np.bincount(label, minlength=count) > 1)[label] | reaches.diagonal()
    if not closing.any():
        return np.empty(0, np.intp)
    tails, heads = kernels.unique(tails[closing]), kernels.unique(heads[closing])
    above = rows.holders(tails)[1]
    index, first, behind = rows.spans(heads)
    steps = np.zeros(int(max(behind.max(initial=0), above.max(initial=0))) + 1, np.intp)
    np.add.at(steps, first, 1)
    np.add.at(steps, behind, -1)
    between = above[np.cumsum(steps)[above] > 0]
    return kernels.unique(np.concatenate((between, tails, heads)))


def _reach(rows: ReachRows, numbers: Indices, reached: Indices) -> Mask:
    """For each pair whether the first reaches the second."""
    above, first = np.unique(numbers, return_inverse=True)
    below, second = np.unique(reached, return_inverse=True)
    pairs = rows.contains(np.repeat(above, below.size), np.tile(below, above.size))
    found: Mask = pairs.reshape(above.size, below.size)[first][:, second]
    return found
