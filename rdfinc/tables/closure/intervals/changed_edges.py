"""The labelling of a graph after edges were removed from it and added to it."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.adjacency import heights
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.condensation import components
from rdfinc.tables.closure.intervals.labelling import Labelling
from rdfinc.tables.closure.intervals.oriented import Condensed, Oriented
from rdfinc.tables.closure.intervals.propagate_reachability import propagate
from rdfinc.tables.closure.intervals.reach_rows import NO_INDICES, ReachRows
from rdfinc.tables.kernels import IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table_thresholds import TABLES


def relabelled(was: Labelling, edges: Oriented, gone: KeyArray, new: KeyArray) -> Labelling | None:
    """The labelling of `edges`, which lack `gone` and have `new` since `was`; None if to begin
    from nothing is better.

    First the components: parts of old ones that lost an edge, and all that lies on cycles through
    new edges, are searched again. What merged or split takes fresh numbers. Then the rows of fresh
    components, of those with an edge to a fresh one and of those that an edge was taken from or
    given to, and upwards from there.
    """
    ends = kernels.unique(np.concatenate((kernels.high(new), kernels.low(new))))
    unknown = ends[was.nodes.numbers(ends) < 0]
    nodes = was.nodes.with_components(unknown, np.ones(unknown.size, np.intp))
    rows = was.rows.extended(len(nodes))
    height = _lengthened(was.heights, len(nodes)).astype(np.intp)
    uncovered = new[~rows.contains(*_numbers(nodes, new))]
    joined = _cycles(rows, height, *_numbers(nodes, uncovered))
    if joined is None:
        return None
    candidates = kernels.unique(np.concatenate((_torn(nodes, gone), joined)))
    found = fresh_components(nodes, height, candidates, edges)
    first = len(nodes)
    nodes = nodes.with_components(found.nodes, found.sizes)
    if len(nodes) > 2 * was.first + TABLES.fresh_numbers:
        return None
    if found.sizes.size:
        rows = rows.extended(len(nodes))
        rows.drop(found.dead)
    height = np.concatenate((height, found.heights))
    graph = Condensed(edges, nodes)
    fresh = np.arange(first, len(nodes))
    dirty = (fresh, graph.predecessors(fresh)[1], *_changed_tails(nodes, gone, uncovered))
    differ = propagate(rows, height, graph, kernels.unique(np.concatenate(dirty)))
    differ = kernels.unique(np.concatenate((differ, np.arange(was.reach.size, len(nodes)))))
    differ = differ[~kernels.contains(found.dead, differ)]
    reach = _lengthened(was.reach, len(nodes))
    reach[differ] = rows.totals(differ, nodes.bounds)
    reach[found.dead] = 0
    rows = rows.compacted() if rows.is_loose() else rows
    return Labelling(nodes, rows, height.astype(np.uint32), reach, was.first)


def _lengthened(values: IdArray, size: int) -> IdArray:
    """A copy with zeros behind."""
    return np.concatenate((values, np.zeros(size - values.size, values.dtype)))


def _torn(nodes: ComponentPartition, gone: KeyArray) -> Indices:
    """The components that lost an edge between two of their nodes."""
    tails, heads = _numbers(nodes, gone)
    inside: Mask = (tails == heads) & (kernels.high(gone) != kernels.low(gone))
    return tails[inside]


def _changed_tails(
    nodes: ComponentPartition, gone: KeyArray, new: KeyArray
) -> tuple[Indices, Indices]:
    """The components that lost an edge to another, and those that were given one."""
    tails, heads = _numbers(nodes, gone)
    return tails[tails != heads], _numbers(nodes, new)[0]


def _numbers(nodes: ComponentPartition, keys: KeyArray) -> tuple[Indices, Indices]:
    """The components at both ends of edges."""
    tails, heads = nodes.numbers(kernels.high(keys)), nodes.numbers(kernels.low(keys))
    return tails.astype(np.intp), heads.astype(np.intp)


def _cycles(rows: ReachRows, height: Indices, tails: Indices, heads: Indices) -> Indices | None:
    """Numbers among which are all on new cycles; None if there are too many edges to tell."""
    if (height[tails] > height[heads]).all():
        return NO_INDICES
    if tails.size > TABLES.closing_edges:
        return None
    return on_new_cycles(rows, tails, heads)


class FreshComponents(Struct, frozen=True):
    """Sets of nodes that become components, one after the other, and their former numbers."""

    nodes: IdArray
    sizes: Indices
    heights: Indices
    dead: Indices


def fresh_components(
    was: ComponentPartition, height: Indices, candidates: Indices, edges: Oriented
) -> FreshComponents:
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
    return FreshComponents(
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
