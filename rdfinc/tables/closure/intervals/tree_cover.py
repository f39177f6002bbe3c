"""Post-order numbers of a tree cover (Agrawal, Borgida and Jagadish 1989)."""

from __future__ import annotations

import numpy as np

from rdfinc.tables.closure.intervals.adjacency import heights
from rdfinc.tables.kernels import Indices


def tree_cover(tails: Indices, heads: Indices, height: Indices) -> tuple[Indices, Indices]:
    """(number, first) of each node of an acyclic graph with the given heights.

    Every node with predecessors hangs below the one that is farthest from where nothing leads to,
    because as many rows as possible shall share the node's range. Nodes are numbered so that the
    tree below a node is `first` to `number`. O(n + m).
    """
    size = height.size
    depth = heights(heads, tails, size)
    deepest = np.full(size, -1, np.intp)
    np.maximum.at(deepest, heads, depth[tails] * size + tails)
    parents = np.where(deepest < 0, size, deepest % max(size, 1))
    return _numbered(parents, np.argsort(height, kind="stable"))


def _numbered(parents: Indices, upwards: Indices) -> tuple[Indices, Indices]:
    """Post-order numbers of a forest whose roots have its size for a parent; `upwards` are all
    nodes, children before parents."""
    size = parents.size
    parent: list[int] = parents.tolist()
    order: list[int] = upwards.tolist()
    weight = [1] * (size + 1)
    for node in order:
        weight[parent[node]] += weight[node]
    free = [0] * (size + 1)
    for node in reversed(order):
        above = parent[node]
        free[node] = free[above]
        free[above] += weight[node]
    weights = np.array(weight[:size], np.intp)
    behind = np.array(free[:size], np.intp)  # all children have taken their share by now
    number = behind
    return number, number - weights + 1
