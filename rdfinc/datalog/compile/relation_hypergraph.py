"""The hypergraph over relations and its strata (Xu and Curé §4.2, refined).

A node is a relation: a predicate, or under `rdf:type` a class. A clause has edges from the
relations of its body to that of its head, for every row of its parameter table. A *barrier* is an
edge from a relation that must be complete before the clause runs: from a parameter literal, from a
negated literal, or from a relation whose facts are values of groups. Only relations on the way to a
barrier need an order among themselves. All others form the top stratum. So the work is proportional
to the schema and the negated relations, and not to the number of classes.

A negated or aggregated relation *must* be complete: a cycle through it is refused. A parameter
table may depend on its own clause: then both are of one stratum.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from rdfinc.datalog.analysis.modules import Module, Modules, Rows
from rdfinc.datalog.analysis.strong_components import components
from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.rule_thresholds import RULES
from rdfinc.datalog.transform.representatives import Equality

CLASS = 1 << 32
"""Added to a class to make its node."""


ANY = 0
"""The node that stands for every relation."""

Nodes = int | NDArray[np.int64] | None
"""One relation, one for each row of the parameter table, or None: any relation. A row may have
`ANY`."""

_NONE = np.empty(0, np.int64)

Edge = tuple[int, int]
"""(head, body): the first depends on the second."""


class Cycle(Exception):  # noqa: N818  a signal between two layers, never seen by users
    """Relations that depend on their own negation or aggregate: `nodes`, the first again last."""

    def __init__(self, nodes: Sequence[int]) -> None:
        super().__init__()
        self.nodes = nodes


class Dependency(Struct, frozen=True):
    """The edges of one clause; `parameters` and `negative` are positions in `bodies`. If it
    `folds`, the head's facts are values of groups of the body's solutions."""

    head: Nodes
    bodies: tuple[Nodes, ...]
    parameters: frozenset[int] = frozenset()
    negative: frozenset[int] = frozenset()
    folds: bool = False

    def derives(self, nodes: Set[int]) -> bool:
        """Whether the head may be one of some relations."""
        return self.derives_any or not nodes.isdisjoint(_all(self.head))

    @property
    def derives_any(self) -> bool:
        """Whether the head may be any relation, for some row at least. Such a row draws no edges:
        they are learned from its instances."""
        return _has_any(self.head)

    @property
    def reads_any(self) -> bool:
        """Whether a body may be any relation."""
        return any(map(_has_any, self.bodies))

    @property
    def completes(self) -> bool:
        """Whether a relation must be complete because of the clause."""
        return self.folds or bool(self.negative)

    def deriving(self, modules: Modules) -> Dependency:
        """The same edges, with external facts for derived facts of modules' members."""
        if isinstance(self.head, int):
            head = modules.derived(self.head)
            return self if head == self.head else replace(self, head=head)
        if self.head is None or not modules:
            return self
        external = np.array([module.external for module in modules.all], np.int64)
        numbers = modules.numbers(self.head)
        return replace(self, head=np.where(numbers >= 0, external[numbers], self.head))


def dependency(clause: Clause, rows: Rows, type_: int) -> Dependency:
    """The edges of a clause for the rows of its parameter table, given as a column for each
    variable. While the table is empty, the only edges are those from the table."""
    head = _nodes(clause.head, rows, type_)
    literals = (*clause.body, *clause.negative)
    bodies = tuple(_nodes(literal, rows, type_) for literal in literals)
    if any(not column.size for column in rows.values()):
        bodies = tuple(_NONE if nodes is None else nodes for nodes in bodies)
    negative = frozenset(range(len(clause.body), len(literals)))
    return Dependency(head, bodies, clause.parameters, negative, clause.fold is not None)


def _nodes(atom: Pattern, rows: Rows, type_: int) -> Nodes:
    if atom.p > 0:
        if atom.p != type_:
            return atom.p
        return atom.o + CLASS if atom.o > 0 else _class_nodes(rows.get(~atom.o))
    predicates = rows.get(~atom.p)
    return None if predicates is None else np.where(predicates == type_, ANY, predicates)


def _has_any(nodes: Nodes, mask: NDArray[np.bool_] | bool = True) -> bool:
    """Whether some nodes, those of a mask, are any relation."""
    if nodes is None or isinstance(nodes, int):
        return nodes is None
    return ANY in (nodes if mask is True else nodes[mask])


def _class_nodes(classes: NDArray[np.uint32] | None) -> Nodes:
    return None if classes is None else classes.astype(np.int64) + CLASS


class Levels(Struct, frozen=True):
    """The stratum of each relation: that in `of_node`, by default `top`.

    Levels stay right while no fact of a relation in `watched` changes. If `settled`, parameter
    tables are complete before the stratum that reads them. If `known`, no clause has a variable for
    a relation, and each hyper-node is a stratum. The facts of `folded` relations are values of
    groups.
    """

    top: int
    of_node: dict[int, int] = field(default_factory=dict)
    watched: Set[int] = frozenset()
    settled: bool = True
    known: bool = False
    folded: Set[int] = frozenset()

    def of(self, predicate: int, class_: int | None) -> int:
        node = predicate if class_ is None else class_ + CLASS
        return self.of_node.get(node, self.top)

    def reached(self, drawn: Dependency) -> Set[int]:
        """The levels in which a clause derives facts. A head that depends on a parameter table is
        also derived at the top: new rows show there that the levels were wrong."""
        head = drawn.head
        if isinstance(head, int):
            return {self.of_node.get(head, self.top)}
        found = {self.of_node[node] for node in self.of_node.keys() & _all(head)}
        if not drawn.derives_any:
            return found | {self.top}
        tables = [node for i in drawn.parameters for node in _all(drawn.bodies[i])]
        below = [self.of_node.get(node, self.top - 1) for node in tables if self.settled]
        return found.union(range(max(below, default=-1) + 1, self.top + 1))

    def rises(self, drawn: Dependency) -> bool:
        """Whether a clause derives a relation below the top from a relation of a higher level, or
        from any. No clause does with the rows that the levels were made from."""
        mask = _Known(set(self.of_node)).hits(drawn.head)
        if mask is None or drawn.head is None:
            return False
        return any(
            body is None
            or any(
                self.of_node[head] < self.of_node.get(node, self.top)
                for head, node in _pairs(drawn.head, body, mask)
            )
            for body in drawn.bodies
        )

    def only(self, nodes: Iterable[int], level: int) -> set[int]:
        """The nodes of a level."""
        return {node for node in nodes if self.of_node.get(node, self.top) == level}

    @property
    def classes(self) -> dict[int, int]:
        """The levels of the classes below the top."""
        return {node - CLASS: level for node, level in self.of_node.items() if node >= CLASS}


def stratify(dependencies: Sequence[Dependency], *, settled: bool = True) -> Levels:
    """Levels in which the negated and aggregated relations of every clause lie below it. If
    `settled`, so do its parameter tables, unless they depend on the clause's head.

    If all relations are known and few are derived, each hyper-node is a stratum of its own. A
    clause with a variable head is taken to derive nothing below the strata of its body; evaluation
    notices when that is wrong. Raises Cycle.
    """
    graph = _DependencyGraph(dependencies)
    must = graph.relevant(graph.complete())
    if must is None:
        raise Cycle(graph.through_any())
    tables = graph.tables()
    nodes = graph.nodes() if settled and len(graph.heads) <= RULES.hyper_nodes else None
    if nodes is not None:
        return graph.hyper_nodes(nodes, graph.relevant(tables) or set())
    before = graph.relevant(tables) if settled else None
    if before is None:  # some parameter table may depend on anything
        return graph.levels(must, tables, settled=False)
    return graph.levels(must | before, before, settled=True)


def closing(module: Module, tables: Iterable[tuple[int, int | None]]) -> Iterator[Dependency]:
    """The edges of a module. Its members are functions of their external facts, of its parts, and
    of the parameter tables that make it a module. Linear rules only derive members from these."""
    nodes = [p if class_ is None else class_ + CLASS for p, class_ in dict.fromkeys(tables)]
    facts = (module.external, *dict.fromkeys(part for part, _ in module.parts))
    bodies = (*facts, *nodes)
    for relation, _ in module.members:
        parameters = frozenset(range(len(facts), len(bodies)))
        yield Dependency(relation, bodies, parameters, folds=module.linear is None)


def below(dependencies: Sequence[Dependency], *relations: int) -> set[int] | None:
    """The relations that some depend on, these among them; None if any may be."""
    return _DependencyGraph(dependencies).relevant(relations)


def feeding(dependencies: Sequence[Dependency]) -> set[int] | None:
    """The relations that parameter tables depend on; None if any may be."""
    graph = _DependencyGraph(dependencies)
    return graph.relevant(graph.tables())


def edges_of_equality(
    dependencies: Sequence[Dependency], low: Set[int], equality: Equality
) -> list[Dependency]:
    """The edges of an equality: every relation outside `low` depends on its aliases, because the
    facts are stored over representatives."""
    nodes = _united(each for d in dependencies for each in (d.head, *d.bodies))
    others = [ANY, *low, equality.relation, equality.aliases]
    above = np.setdiff1d(nodes, np.array(others, np.int64))
    known = Dependency(equality.aliases, (equality.external,), folds=True)
    return [known, Dependency(above, (equality.aliases,)), Dependency(None, (None,))]


def acyclic(dependencies: Sequence[Dependency], nodes: Iterable[int]) -> set[int]:
    """The relations that do not depend on themselves, as far as the edges tell."""
    graph, chosen = _DependencyGraph(dependencies), set(nodes)
    if graph.relevant(chosen) is None:
        chosen = {node for node in chosen if graph.relevant({node}) is not None}
    edges, _, _ = graph.edges(graph.relevant(chosen) or set(), settled=False)
    cyclic = {
        node
        for component in components(edges)
        if len(component) > 1 or component[0] in edges[component[0]]
        for node in component
    }
    return chosen - cyclic


def heads_of(dependencies: Iterable[Dependency]) -> set[int]:
    """The relations that are known to be derived."""
    return set(_united(d.head for d in dependencies).tolist()) - {ANY}


def _united(nodes: Iterable[Nodes]) -> NDArray[np.int64]:
    """The relations among some nodes, sorted, each once."""
    known = (np.atleast_1d(np.asarray(each, np.int64)) for each in nodes if each is not None)
    found = np.sort(np.concatenate([_NONE, *map(_distinct, known)]))
    return found[np.flatnonzero(np.diff(found, prepend=-1))]


def _distinct(nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Some nodes, each at least once: those that are many and dense once, else all. To sort them
    costs five times as much."""
    if not _are_dense(nodes):
        return nodes
    least = nodes.min()
    marks = np.zeros(nodes.max() - least + 1, np.bool_)
    marks[nodes - least] = True
    found: NDArray[np.int64] = np.flatnonzero(marks) + least
    return found


def _are_dense(nodes: NDArray[np.int64]) -> bool:
    """Whether nodes are many, and what lies between them is not much more."""
    return nodes.size > RULES.few_rows and int(np.ptp(nodes)) <= 16 * nodes.size


class _DependencyGraph:
    def __init__(self, dependencies: Sequence[Dependency]) -> None:
        self.dependencies = dependencies

    @cached_property
    def heads(self) -> set[int]:
        """The relations that are known to be derived."""
        return heads_of(self.dependencies)

    @cached_property
    def folded(self) -> set[int]:
        """The relations whose facts are values of groups."""
        return {node for d in self.dependencies if d.folds for node in _all(d.head)}

    def complete(self) -> set[int]:
        """The relations that must be complete before a clause reads them. Raises Cycle if that is
        any relation."""
        nodes = set(self.folded)
        for d in self.dependencies:
            for i in d.negative:
                if _has_any(d.bodies[i]):
                    head = next(iter(_all(d.head)), ANY)
                    raise Cycle([head, ANY, head])
                nodes.update(_all(d.bodies[i]))
        return nodes

    def tables(self) -> set[int]:
        """The relations that parameter tables are made of."""
        return {node for d in self.dependencies for i in d.parameters for node in _all(d.bodies[i])}

    def relevant(self, start: Iterable[int]) -> set[int] | None:
        """The relations with a way to one of `start`; None if any may have one."""
        relevant = fresh = set(start)
        while fresh:
            known, found = _Known(fresh), set[int]()
            for d in self._deriving(fresh):
                mask = known.hits(d.head)
                if mask is None:
                    continue
                for body in d.bodies:
                    if body is None:
                        return None
                    found.update(_chosen(body, mask))
            if ANY in found:
                return None
            fresh = found - relevant
            relevant = relevant | fresh
        return relevant

    def _deriving(self, nodes: Iterable[int]) -> Iterator[Dependency]:
        """The clauses that may derive one of some relations."""
        of_one, of_several = self._by_head
        for node in nodes:
            yield from of_one.get(node, ())
        yield from of_several

    @cached_property
    def _by_head(self) -> tuple[dict[int, list[Dependency]], list[Dependency]]:
        """The clauses that derive one relation, by that, and those that derive several."""
        of_one: dict[int, list[Dependency]] = {}
        for d in self.dependencies:
            if isinstance(d.head, int):
                of_one.setdefault(d.head, []).append(d)
        several = [d for d in self.dependencies if isinstance(d.head, np.ndarray)]
        return of_one, several

    def through_any(self) -> list[int]:
        """A cycle from a relation that must be complete, through any relation that may feed it."""
        nodes = self.complete()
        while True:
            known = _Known(nodes)
            for d in self.dependencies:
                mask = known.hits(d.head)
                if mask is not None and any(_has_any(body, mask) for body in d.bodies):
                    found = min(nodes.intersection(_all(d.head)))
                    return [found, ANY, found]
            nodes |= {
                node
                for d in self.dependencies
                if (mask := known.hits(d.head)) is not None
                for body in d.bodies
                if body is not None
                for node in _chosen(body, mask)
            }

    def nodes(self) -> set[int] | None:
        """All relations; None if a clause speaks of any relation."""
        found: set[int] = set()
        for d in self.dependencies:
            if d.derives_any or d.reads_any:
                return None
            found.update(_all(d.head), *map(_all, d.bodies))
        return found

    def hyper_nodes(self, nodes: set[int], watched: Set[int]) -> Levels:
        """A level for each strongly connected component of derived relations, and one below."""
        edges, _, strict = self.edges(nodes, settled=True)
        levels: dict[int, int] = {}
        top = 1
        for component in components(edges):
            self.refuse(component, edges, strict)
            if any(edges[node] for node in component):
                levels.update(dict.fromkeys(component, top))
                top += 1
            else:
                levels.update(dict.fromkeys(component, 0))
        return Levels(top, levels, watched, known=True, folded=self.folded)

    def levels(self, relevant: set[int], watched: Set[int], *, settled: bool) -> Levels:
        edges, barriers, strict = self.edges(relevant, settled=settled)
        levels: dict[int, int] = {}
        for component in components(edges):
            self.refuse(component, edges, strict)
            members = set(component)
            below = [0]
            for head in component:
                for body in edges[head] - members:
                    below.append(levels[body] + ((head, body) in barriers))
            levels.update(dict.fromkeys(component, max(below)))
        top = max(levels.values(), default=-1) + 1
        return Levels(top, levels, watched, settled, folded=self.folded)

    @staticmethod
    def refuse(component: list[int], edges: Mapping[int, set[int]], strict: Set[Edge]) -> None:
        """Raises Cycle if one relation of a component must be complete before another."""
        members = set(component)
        for head in component:
            for body in edges[head] & members:
                if (head, body) in strict:
                    raise Cycle([head, *_way(edges, body, head)])

    def edges(
        self, relevant: set[int], *, settled: bool
    ) -> tuple[dict[int, set[int]], set[Edge], set[Edge]]:
        """The bodies of each relevant head, the edges that are barriers, and the barriers that must
        hold."""
        edges: dict[int, set[int]] = {node: set() for node in relevant}
        barriers: set[Edge] = set()
        strict: set[Edge] = set()
        known = _Known(relevant)
        for d in self.dependencies:
            mask = known.hits(d.head)
            if mask is None:
                continue
            assert d.head is not None
            for i, body in enumerate(d.bodies):
                assert body is not None
                for head, node in _pairs(d.head, body, mask):
                    edges[head].add(node)
                    if i in d.negative or node in self.folded:
                        strict.add((head, node))
                    elif settled and i in d.parameters:
                        barriers.add((head, node))
        return edges, barriers | strict, strict


def _way(edges: Mapping[int, set[int]], start: int, end: int) -> list[int]:
    """The relations on a shortest way along the edges."""
    came_from = {start: start}
    queue = deque([start])
    while end not in came_from:
        current = queue.popleft()
        for following in sorted(edges[current]):
            if following not in came_from:
                came_from[following] = current
                queue.append(following)
    way = [end]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def _all(nodes: Nodes) -> Iterable[int]:
    if nodes is None:
        return ()
    if isinstance(nodes, int):
        return (nodes,)
    few = nodes.size <= RULES.few_rows
    return set(nodes.tolist()) if few else _united([nodes]).tolist()


class _Known:
    """Some relations, to be looked up."""

    def __init__(self, nodes: set[int]) -> None:
        self.nodes = frozenset(nodes)
        self.ordered = np.array(sorted(nodes), np.int64)

    def hits(self, head: Nodes) -> NDArray[np.bool_] | bool | None:
        """The rows whose head is known; True for a single relation, None for no row."""
        if head is None or not self.nodes:
            return None
        if isinstance(head, int):
            return True if head in self.nodes else None
        mask = self._marked(head) if _are_dense(head) else self._found(head)
        return mask if mask.any() else None

    def _found(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        at = np.minimum(np.searchsorted(self.ordered, nodes), self.ordered.size - 1)
        found: NDArray[np.bool_] = self.ordered[at] == nodes
        return found

    def _marked(self, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        least, largest = nodes.min(), nodes.max()
        start, stop = np.searchsorted(self.ordered, (least, largest + 1))
        marks = np.zeros(largest - least + 1, np.bool_)
        marks[self.ordered[start:stop] - least] = True
        found: NDArray[np.bool_] = marks[nodes - least]
        return found


def _chosen(nodes: int | NDArray[np.int64], mask: NDArray[np.bool_] | bool) -> Iterable[int]:
    if isinstance(nodes, int):
        return (nodes,)
    chosen: list[int] = (nodes if mask is True else nodes[mask]).tolist()
    return set(chosen)


def _pairs(
    head: int | NDArray[np.int64],
    body: int | NDArray[np.int64],
    mask: NDArray[np.bool_] | bool,
) -> set[Edge]:
    if isinstance(head, int):
        return {(head, node) for node in _chosen(body, mask)}
    if isinstance(body, int):
        return {(node, body) for node in _chosen(head, mask)}
    return set(zip(head[mask].tolist(), body[mask].tolist(), strict=True))
