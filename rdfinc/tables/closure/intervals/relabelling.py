"""The labelling of a graph after edges were removed from it and added to it."""

from __future__ import annotations

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.labelling import Labelling
from rdfinc.tables.closure.intervals.oriented import Condensed, Oriented
from rdfinc.tables.closure.intervals.propagate_reachability import propagate
from rdfinc.tables.closure.intervals.reach_rows import NO_INDICES, ReachRows
from rdfinc.tables.closure.intervals.recondense import on_new_cycles, regrouped
from rdfinc.tables.kernels import Indices, KeyArray
from rdfinc.tables.table_thresholds import TABLES


def revise(was: Labelling, edges: Oriented, gone: KeyArray, new: KeyArray) -> Labelling | None:
    """The labelling of `edges`, which lack `gone` and have `new` since `was`; None if to begin
    from nothing is better.

    First the components: parts of old ones that lost an edge, and all that lies on cycles through
    new edges, are searched again. What merged or split takes fresh numbers. Then the rows of fresh
    components, of those with an edge to a fresh one and of those that an edge was taken from or
    given to, and upwards from there.
    """
    ends = kernels.unique(np.concatenate((kernels.high(new), kernels.low(new))))
    unknown = ends[was.nodes.numbers(ends) < 0]
    nodes = was.nodes.regrouped(unknown, np.ones(unknown.size, np.intp))
    rows = was.rows.extended(len(nodes))
    height = np.zeros(len(nodes), np.intp)
    height[: was.heights.size] = was.heights
    tails, heads = _numbers(nodes, new)
    uncovered = ~rows.contains(tails, heads)
    cut, cut_heads = _numbers(nodes, gone)
    torn = (cut == cut_heads) & (kernels.high(gone) != kernels.low(gone))
    joined = _cycles(rows, height, tails[uncovered], heads[uncovered])
    if joined is None:
        return None
    candidates = kernels.unique(np.concatenate((cut[torn], joined)))
    groups = regrouped(nodes, height, candidates, edges)
    first = len(nodes)
    nodes = nodes.regrouped(groups.nodes, groups.sizes)
    if len(nodes) > 2 * was.first + TABLES.fresh_numbers:
        return None
    if groups.sizes.size:
        rows = rows.extended(len(nodes))
        rows.drop(groups.dead)
    height = np.concatenate((height, groups.heights))
    graph = Condensed(edges, nodes)
    fresh = np.arange(first, len(nodes))
    lost, lost_heads = _numbers(nodes, gone)
    won = _numbers(nodes, new[uncovered])[0]
    dirty = (fresh, graph.predecessors(fresh)[1], lost[lost != lost_heads], won)
    differ = propagate(rows, height, graph, kernels.unique(np.concatenate(dirty)))
    differ = kernels.unique(np.concatenate((differ, np.arange(was.reach.size, len(nodes)))))
    reach = np.zeros(len(nodes), np.uint32)
    reach[: was.reach.size] = was.reach
    differ = differ[~kernels.contains(groups.dead, differ)]
    reach[differ] = rows.totals(differ, nodes.bounds)
    reach[groups.dead] = 0
    rows = rows.compacted() if rows.is_loose() else rows
    return Labelling(nodes, rows, height.astype(np.uint32), reach, was.first)


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
