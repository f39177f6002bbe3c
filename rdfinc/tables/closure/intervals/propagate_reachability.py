"""Brings the rows of an acyclic graph up to date where something changed."""

from __future__ import annotations

import heapq
import itertools
from typing import Protocol

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.reach_rows import ReachRows
from rdfinc.tables.kernels import Indices

Edges = tuple[Indices, Indices]


class NumberGraph(Protocol):
    """Edges between numbers, each once, in the order of the numbers asked for."""

    def successors(self, numbers: Indices) -> Edges:
        """(index into `numbers`, successor)."""

    def predecessors(self, numbers: Indices) -> Edges:
        """(index into `numbers`, predecessor)."""


class HeightQueue:
    """Numbers that wait, each once; the lowest come first, all of one height together."""

    def __init__(self, heights: Indices) -> None:
        self._heights = heights
        self._waits = np.zeros(heights.size, np.bool_)
        self._by_height: dict[int, list[Indices]] = {}
        self._order: list[int] = []

    def put(self, numbers: Indices) -> None:
        fresh = kernels.unique(numbers[~self._waits[numbers]])
        if not fresh.size:
            return
        self._waits[fresh] = True
        height = self._heights[fresh]
        order = np.argsort(height, kind="stable")
        fresh, height = fresh[order], height[order]
        starts = np.flatnonzero(height[1:] != height[:-1]) + 1
        bounds = [0, *starts.tolist(), fresh.size]
        for start, stop in itertools.pairwise(bounds):
            at = int(height[start])
            if at not in self._by_height:
                heapq.heappush(self._order, at)
                self._by_height[at] = []
            self._by_height[at].append(fresh[start:stop])

    def __bool__(self) -> bool:
        return bool(self._order)

    def take(self) -> Indices:
        numbers = kernels.sort(np.concatenate(self._by_height.pop(heapq.heappop(self._order))))
        self._waits[numbers] = False
        return numbers


def propagate(rows: ReachRows, heights: Indices, graph: NumberGraph, dirty: Indices) -> Indices:
    """Recomputes the rows of `dirty` and of whatever depends on one that turned out different.
    Returns which did, sorted.

    `heights` grow until each is above those of the successors again, so that a row is computed
    after the rows it is made of; where a height grows too late, the row is computed once more.
    Ends because the graph has no cycles.
    """
    queue = HeightQueue(heights)
    queue.put(dirty)
    differ = np.zeros(heights.size, np.bool_)
    while queue:
        numbers = queue.take()
        index, successors = graph.successors(numbers)
        if (heights[successors] >= heights[numbers[index]]).any():
            least = np.zeros(numbers.size, np.intp)
            np.maximum.at(least, index, heights[successors] + 1)
            low = least > heights[numbers]
            _raise(numbers[low], least[low], heights, graph, queue)
            kept = ~low[index]
            index, successors = (np.cumsum(~low) - 1)[index[kept]], successors[kept]
            numbers = numbers[~low]
        changed = numbers[rows.unite(numbers, index, successors)]
        if changed.size:
            differ[changed] = True
            queue.put(graph.predecessors(changed)[1])
    return np.flatnonzero(differ)


def _raise(
    numbers: Indices, least: Indices, heights: Indices, graph: NumberGraph, queue: HeightQueue
) -> None:
    """Lifts the numbers; they come again, and so do predecessors that are not above them now."""
    heights[numbers] = least
    queue.put(numbers)
    index, above = graph.predecessors(numbers)
    queue.put(above[heights[above] <= least[index]])
