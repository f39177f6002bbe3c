"""The hypergraph over relations and its strata (paper 004 §4.2, refined).

A node is a relation: a predicate, or under `rdf:type` a class. A clause draws edges from its
body's relations to its head's, for every row of its parameter table. A *barrier* edge comes from
a relation that must be complete before the clause runs: a parameter literal's. Only relations
from which a barrier can be reached need an order among themselves; all others form the top
stratum, so the work is proportional to the schema and not to the number of classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.components import components

CLASS = 1 << 32
"""Added to a class to make its node."""

Nodes = int | NDArray[np.int64] | None
"""One relation, one for each row of the parameter table, or None: any relation."""


@dataclass(frozen=True)
class Dependency:
    """What one clause draws; `barriers` are positions in `bodies`."""

    head: Nodes
    bodies: tuple[Nodes, ...]
    barriers: frozenset[int]


def dependency(clause: Clause, rows: dict[int, NDArray[np.uint32]], type_: int) -> Dependency:
    """The edges of a clause whose parameter table binds variables to the columns in `rows`."""
    head = _nodes(clause.head, rows, type_)
    bodies = tuple(_nodes(literal, rows, type_) for literal in clause.body)
    return Dependency(head, bodies, clause.parameters)


def _nodes(atom: Pattern, rows: dict[int, NDArray[np.uint32]], type_: int) -> Nodes:
    if atom.p > 0:
        if atom.p != type_:
            return atom.p
        return atom.o + CLASS if atom.o > 0 else _class_nodes(rows.get(~atom.o))
    predicates = rows.get(~atom.p)
    if predicates is None or (predicates == type_).any():
        return None
    return predicates.astype(np.int64)


def _class_nodes(classes: NDArray[np.uint32] | None) -> Nodes:
    return None if classes is None else classes.astype(np.int64) + CLASS


@dataclass(frozen=True)
class Levels:
    """Which stratum each relation belongs to: `of_node` where it is said, else `top`."""

    top: int
    of_node: dict[int, int] = field(default_factory=dict)

    def of(self, predicate: int, class_: int | None) -> int:
        node = predicate if class_ is None else class_ + CLASS
        return self.of_node.get(node, self.top)

    def reached(self, head: Nodes) -> set[int]:
        """The levels in which a clause with this head derives something."""
        if head is None:
            return {self.top}
        if isinstance(head, int):
            return {self.of_node.get(head, self.top)}
        below = {level for node, level in self.of_node.items() if (head == node).any()}
        return below | {self.top}

    @property
    def classes(self) -> dict[int, int]:
        """The levels of the classes below the top."""
        return {node - CLASS: level for node, level in self.of_node.items() if node >= CLASS}


def stratify(dependencies: Sequence[Dependency]) -> Levels:
    """Levels in which every clause reads its barriers from below, unless they depend on its head.

    A clause whose head may be any relation is taken to derive nothing below the top; whoever
    evaluates the strata sees it when that is wrong and falls back to a single one.
    """
    relevant = _relevant(dependencies)
    if relevant is None:
        return Levels(0)
    edges, barriers = _edges(dependencies, relevant)
    levels: dict[int, int] = {}
    for component in components(edges):
        members = set(component)
        below = [
            levels[body] + ((node, body) in barriers)
            for node in component
            for body in edges[node]
            if body not in members
        ]
        levels.update(dict.fromkeys(component, max(below, default=0)))
    top = max(levels.values(), default=-1) + 1
    return Levels(top, levels)


def _relevant(dependencies: Sequence[Dependency]) -> set[int] | None:
    """The relations from which a barrier can be reached; None if that may be any."""
    relevant = {_single(d.bodies[i]) for d in dependencies for i in d.barriers}
    while True:
        size = len(relevant)
        for d in dependencies:
            mask = _hits(d.head, relevant)
            if mask is None:
                continue
            for body in d.bodies:
                if body is None:
                    return None
                relevant.update(_chosen(body, mask))
        if len(relevant) == size:
            return relevant


def _single(nodes: Nodes) -> int:
    assert isinstance(nodes, int), "a parameter literal has one relation"
    return nodes


def _hits(head: Nodes, relevant: set[int]) -> NDArray[np.bool_] | bool | None:
    """The rows whose head is relevant; True for a single relation, None for no row."""
    if head is None:
        return None
    if isinstance(head, int):
        return True if head in relevant else None
    mask = np.fromiter(map(relevant.__contains__, head.tolist()), np.bool_, head.size)
    return mask if mask.any() else None


def _chosen(nodes: int | NDArray[np.int64], mask: NDArray[np.bool_] | bool) -> Iterable[int]:
    if isinstance(nodes, int):
        return (nodes,)
    chosen: list[int] = (nodes if mask is True else nodes[mask]).tolist()
    return set(chosen)


def _edges(
    dependencies: Sequence[Dependency], relevant: set[int]
) -> tuple[dict[int, set[int]], set[tuple[int, int]]]:
    """Relevant head → bodies, and which of these edges are barriers."""
    edges: dict[int, set[int]] = {node: set() for node in relevant}
    barriers: set[tuple[int, int]] = set()
    for d in dependencies:
        mask = _hits(d.head, relevant)
        if mask is None:
            continue
        assert d.head is not None
        for i, body in enumerate(d.bodies):
            assert body is not None
            for head, node in _pairs(d.head, body, mask):
                edges[head].add(node)
                if i in d.barriers:
                    barriers.add((head, node))
    return edges, barriers


def _pairs(
    head: int | NDArray[np.int64],
    body: int | NDArray[np.int64],
    mask: NDArray[np.bool_] | bool,
) -> set[tuple[int, int]]:
    if isinstance(head, int):
        return {(head, node) for node in _chosen(body, mask)}
    if isinstance(body, int):
        return {(node, body) for node in _chosen(head, mask)}
    return set(zip(head[mask].tolist(), body[mask].tolist(), strict=True))
