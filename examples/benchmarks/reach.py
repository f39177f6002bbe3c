"""How large a closure would be, and how much work one rule at a time, without computing it.

Both are sums over the nodes: of how many nodes each reaches, and of how many pairs of nodes have
it between them. They are estimated from a sample of nodes by search in the graph, each search
linear in the graph.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from graphs import SEED, Draw, Edges, Numbers

SAMPLE = 100


class Neighbours:
    """The heads of the edges of each tail; O(edges log edges) once, then O(1) a node."""

    def __init__(self, edges: Edges, nodes: int) -> None:
        order = np.argsort(edges[:, 0], kind="stable")
        self._heads = edges[order, 1]
        self._starts = np.searchsorted(edges[order, 0], np.arange(nodes + 1))
        self._nodes = nodes

    def of(self, nodes: Numbers) -> Numbers:
        """Of all of these nodes, with repetitions."""
        starts, counts = self._starts[nodes], self._starts[nodes + 1] - self._starts[nodes]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return self._heads[np.repeat(starts, counts) + within]

    def reached(self, node: int) -> Numbers:
        """The nodes at the end of paths of one edge or more."""
        seen = np.zeros(self._nodes, bool)
        frontier = self.of(np.array([node]))
        while frontier.size:
            seen[frontier] = True
            frontier = np.unique(self.of(frontier))
            frontier = frontier[~seen[frontier]]
        return np.flatnonzero(seen)


@dataclass(frozen=True)
class Estimate:
    """Of a transitive closure: its pairs, and the pairs of pairs with an end in common."""

    pairs: int
    instances: int


def estimate(edges: Edges, sample: int = SAMPLE) -> Estimate:
    """From a sample of nodes, exact if there are no more nodes than that."""
    nodes = int(edges.max()) + 1
    drawn = Draw(SEED).order(nodes)[:sample].tolist()
    forwards, backwards = Neighbours(edges, nodes), Neighbours(edges[:, ::-1], nodes)
    after = np.array([forwards.reached(node).size for node in drawn])
    before = np.array([backwards.reached(node).size for node in drawn])
    share = nodes / len(drawn)
    return Estimate(round(after.sum() * share), round((after * before).sum() * share))


def both_ways(edges: Edges) -> Edges:
    """What a symmetric relation holds."""
    return np.concatenate([edges, edges[:, ::-1]])
