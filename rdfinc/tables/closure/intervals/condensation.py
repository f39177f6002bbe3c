"""Strongly connected components of large graphs."""

from __future__ import annotations

import numpy as np

from rdfinc.tables.closure.intervals.adjacency import Adjacency, peeled
from rdfinc.tables.kernels import Indices


def components(tails: Indices, heads: Indices, size: int) -> tuple[Indices, int]:
    """For each node below `size` the number of its component, and how many there are. O(n + m).

    What has no predecessors left, or no successors left, is a component by itself and is peeled
    off by columns; only the core between the cycles is searched edge by edge.
    """
    alone = peeled(tails, heads, size)
    if not alone.all():
        inner = ~(alone[tails] | alone[heads])
        tails, heads = tails[inner], heads[inner]
        alone |= peeled(heads, tails, size)
    found = np.empty(size, np.intp)
    single = np.flatnonzero(alone)
    found[single] = np.arange(single.size)
    if single.size == size:
        return found, size
    core = np.flatnonzero(~alone)
    inner = ~(alone[tails] | alone[heads])
    rank = np.cumsum(~alone) - 1
    labels, count = _searched(Adjacency(rank[tails[inner]], rank[heads[inner]], core.size))
    found[core] = single.size + labels
    return found, single.size + count


def _searched(graph: Adjacency) -> tuple[Indices, int]:
    """Components by Tarjan's search (1972), without recursion."""
    offsets: list[int] = graph.offsets.tolist()
    targets: list[int] = graph.targets.tolist()
    size = len(offsets) - 1
    position = offsets[:-1]  # the next edge of each node to look at
    number, low, label = [0] * size, [0] * size, [-1] * size
    entered = count = 0
    open_: list[int] = []
    for root in range(size):
        if number[root]:
            continue
        path = [root]
        entered += 1
        number[root] = low[root] = entered
        open_.append(root)
        while path:
            node = path[-1]
            at, stop, least = position[node], offsets[node + 1], low[node]
            while at < stop:
                target = targets[at]
                at += 1
                if not number[target]:
                    entered += 1
                    number[target] = low[target] = entered
                    open_.append(target)
                    path.append(target)
                    break
                if label[target] < 0 and number[target] < least:
                    least = number[target]
            position[node], low[node] = at, least
            if path[-1] != node:
                continue
            path.pop()
            if path and least < low[path[-1]]:
                low[path[-1]] = least
            if least == number[node]:
                closed = -1
                while closed != node:
                    closed = open_.pop()
                    label[closed] = count
                count += 1
    return np.array(label, np.intp), count
