"""Connected components of undirected graphs: of all edges at once, or by searches in a table of
edges.

A table of edges is read both ways: a pair (s, o) connects s with o.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import NO_IDS, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES


def linked(parent: Indices, one: Indices, other: Indices) -> Indices:
    """For each node the least node of its component, for edges one[i] – other[i] and edges to its
    `parent`, the least so far.

    Every root takes the least neighbouring root for its parent, if that is less. Then every node
    takes its root, and edges within a tree are dropped. Two rounds at least halve the roots with
    edges left (a root that stays has become the parent of another, or has a lesser neighbour then
    and goes in the second). So there are O(log n) rounds of O(n + m), and the jumps. After Shiloach
    and Vishkin, *An O(log n) parallel connectivity algorithm*, 1982.
    """
    one, other = parent[one], parent[other]
    while one.size:
        apart = np.flatnonzero(one != other)
        one, other = one[apart], other[apart]
        if not one.size:
            break
        parent = parent.copy()
        np.minimum.at(parent, np.maximum(one, other), np.minimum(one, other))
        parent = _shortened(parent)
        one, other = parent[one], parent[other]
    return parent


def _shortened(parent: Indices) -> Indices:
    """For each node its root, by pointer jumping: the length of all paths is halved each time."""
    while True:
        above = parent[parent]
        if (above == parent).all():
            return parent
        parent = above


def nodes_of(keys: KeyArray) -> IdArray:
    """The ends of all edges, sorted."""
    ends = [kernels.unique_ids(half(block)) for block in _blocks(keys) for half in _HALVES]
    return kernels.unique_ids(np.concatenate([NO_IDS, *ends]))


def groups(nodes: IdArray, keys: KeyArray) -> Indices:
    """For each of the sorted `nodes` the position of the least node in its component by the
    edges `keys`, which have no other ends. Blocks of edges bound the memory."""
    parent = np.arange(nodes.size)
    for block in _blocks(keys):
        one, other = (positions(nodes, half(block)) for half in _HALVES)
        parent = linked(parent, one, other)
    return parent


def groups_in(nodes: IdArray, edges: Table) -> Indices:
    """The same positions for a table's edges; no edge leads from `nodes` to others. O((n + m)
    log n)."""
    at, objects = edges.by_subjects(nodes)
    return linked(np.arange(nodes.size), at, positions(nodes, objects))


_HALVES = (kernels.high, kernels.low)


def _blocks(keys: KeyArray) -> Iterator[KeyArray]:
    return (
        keys[start : start + TABLES.edge_block] for start in range(0, keys.size, TABLES.edge_block)
    )


def positions(nodes: IdArray, ids: IdArray) -> Indices:
    """The position of each id in the sorted nodes, which hold all of them."""
    if ids.size < max(1, TABLES.many_ids) or not kernels.is_dense(int(nodes[-1]), ids.size):
        return np.searchsorted(nodes, ids)
    place = np.empty(int(nodes[-1]) + 1, np.intp)
    place[nodes] = np.arange(nodes.size)
    return place[ids]


def neighbours(edges: Table, nodes: list[int]) -> list[int]:
    """The nodes beside any of `nodes`; for few they may come repeatedly."""
    if len(nodes) <= TABLES.few_nodes_of_search:
        return [n for node in nodes for n in edges.objects(node) + edges.subjects(node)]
    found: list[int] = beside(edges, np.array(nodes, np.uint32)).tolist()
    return found


def beside(edges: Table, nodes: IdArray) -> IdArray:
    """The nodes beside any of `nodes`, sorted."""
    both = edges.by_subjects(nodes)[1], edges.by_objects(nodes)[1]
    return kernels.unique_ids(np.concatenate(both))


def rows(edges: Table, a: int, b: int) -> tuple[IdArray, IdArray]:
    """The nodes beside either, at the cost of columns; they may come twice."""
    ends = np.array([a, b], np.uint32)
    (at, objects), (under, subjects) = edges.by_subjects(ends), edges.by_objects(ends)
    second = np.concatenate((at, under)) != 0
    ids = np.concatenate((objects, subjects))
    return ids[~second], ids[second]


class SearchBudget:
    """The budget of searches in one component, in about microseconds: beyond, it costs less to
    compute the component anew."""

    __slots__ = ("left",)

    def __init__(self, size: int) -> None:
        self.left = TABLES.free_search_cost + size // 8

    def spend(self, cost: int) -> None:
        self.left -= cost

    def is_spent(self) -> bool:
        return self.left <= 0


class _Side:
    """A breadth-first search from one node: the nodes seen, of which `waiting[next:]` are to be
    expanded, and its cost."""

    __slots__ = ("cost", "next", "seen", "waiting")

    def __init__(self, start: int) -> None:
        self.seen = {start}
        self.waiting = [start]
        self.next = 0
        self.cost = 0

    def is_over(self) -> bool:
        return self.next == len(self.waiting)

    def meets(self, other: _Side, edges: Table, budget: SearchBudget) -> bool:
        """Goes a step on; whether it reaches a node seen by the other side."""
        nodes = self.waiting[self.next : self.next + TABLES.search_step]
        self.next += len(nodes)
        found = neighbours(edges, nodes)
        budget.spend(
            (20 + 4 * len(nodes) if len(nodes) <= TABLES.few_nodes_of_search else 50)
            + (len(found) >> 4)
        )
        self.cost += len(nodes) + len(found)
        fresh = [node for node in dict.fromkeys(found) if node not in self.seen]
        self.seen.update(fresh)
        self.waiting += fresh
        return not other.seen.isdisjoint(fresh)


def side_apart(edges: Table, a: int, b: int, budget: SearchBudget) -> IdArray | None:
    """The nodes connected with one of two ends, sorted, if that is not the other as well; None if
    the ends are connected or the budget is spent.

    Both ends are searched in turn, always the one that cost less so far, until they meet or one
    is exhausted: O(edges of the smaller side), far less where the two meet soon.
    """
    one, other = _Side(a), _Side(b)
    while not budget.is_spent():
        if one.meets(other, edges, budget):
            return None
        if one.is_over():
            return np.array(sorted(one.seen), np.uint32)
        if other.cost < one.cost:
            one, other = other, one
    return None


def peeled(edges: Table, nodes: IdArray, steps: int) -> tuple[Indices, Mask]:
    """For each of the sorted `nodes`, without edges to others, the position of one node for its
    whole component; and whether it was found. Searches start at the first remaining node, again and
    again, for a number of steps.

    A search is over once all nodes are reached, whatever edges are unread: in a dense graph a few
    rows are enough. If fewer nodes remain than wait, the remaining ones look for a reached
    neighbour; if none has one, the component is complete. After Beamer, Asanović, Patterson,
    *Direction-optimizing breadth-first search*, 2012.
    """
    mark = np.full(nodes.size, -1)
    waiting, taken, start = np.empty(0, np.intp), 1, 0
    for _ in range(steps):
        left = np.flatnonzero(mark < 0)
        if not left.size:
            break
        if not waiting.size:
            start = int(left[0])
            mark[start], waiting, taken = start, left[:1], 1
        elif left.size < waiting.size:
            fresh = left[_beside_marked(edges, nodes, left, mark == start)]
            mark[fresh], waiting = start, fresh
            continue
        chosen, waiting = waiting[:taken], waiting[taken:]
        at = positions(nodes, beside(edges, nodes[chosen]))
        fresh = at[mark[at] < 0]
        mark[fresh], waiting = start, np.concatenate((waiting, fresh))
        taken *= 2
    done = mark >= 0
    if waiting.size and not done.all():
        done &= mark != start
    return mark, done


def _beside_marked(edges: Table, nodes: IdArray, chosen: Indices, marked: Mask) -> Mask:
    """Which of the chosen positions are those of nodes beside a marked one."""
    found = np.zeros(chosen.size, np.bool_)
    for at, ids in edges.by_subjects(nodes[chosen]), edges.by_objects(nodes[chosen]):
        found[at[marked[positions(nodes, ids)]]] = True
    return found
