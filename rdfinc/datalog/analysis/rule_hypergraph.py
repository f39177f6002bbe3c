"""The hypergraph of a program over its relations, as its author sees it (Xu and Curé §4.2).

A node is a relation, a rule an edge from its body's relations to its head's. A hyper-node is a
strongly connected component with all rules whose head lies in it. A stratum begins where something
is negated or aggregated. Nothing is known about data: a variable in predicate or class position
stands for every relation, so these strata may be coarser than those of `relation_hypergraph`,
in which the reasoning runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum

from msgspec import Struct

from rdfinc.datalog.analysis.strong_components import components
from rdfinc.datalog.functions import LIST_ATOMS
from rdfinc.datalog.list_builtins import FIRST, LENGTH, REST, call_in
from rdfinc.datalog.model import Aggregate, Atom, BodyItem, Literal, NotExists, Program, Rule
from rdfinc.datalog.relations import (
    ANY,
    ANY_CLASS,
    FALSE,
    Relation,
    atoms_within,
    meeting,
    relation_of,
)

Vertex = Relation | int


class EdgeKind(str, Enum):
    """How a rule reads a relation; what is not positive must be complete before."""

    positive, negative, aggregate = "positive", "negative", "aggregate"


Inputs = tuple[tuple[Relation, EdgeKind], ...]


class Edge(Struct, frozen=True):
    """Some rules with `head` read `body`; `rules` are their places in the program."""

    body: Relation
    head: Relation
    kind: EdgeKind
    rules: tuple[int, ...]


class HyperNode(Struct, frozen=True):
    """Relations that depend on each other, or a single one; its rules are places in the program."""

    relations: tuple[Relation, ...]
    rules: tuple[int, ...]
    stratum: int


class Hypergraph(Struct, frozen=True):
    """`nodes`, each after those that it depends on; `refused` are the edges that are not positive
    though their body depends on them: with them the program has no strata, unless data says more.
    """

    nodes: tuple[HyperNode, ...]
    edges: tuple[Edge, ...]
    refused: tuple[Edge, ...]

    def node_of(self) -> dict[Relation, int]:
        """The place in `nodes` for each relation."""
        return {relation: i for i, node in enumerate(self.nodes) for relation in node.relations}


def head_of(rule: Rule) -> Relation:
    return FALSE if rule.head is None else relation_of(rule.head)


def inputs(rule: Rule) -> Inputs:
    """The relations that a rule reads, each once for every kind."""
    return tuple(dict.fromkeys(_inputs(rule.body)))


def _inputs(body: Iterable[BodyItem]) -> Iterator[tuple[Relation, EdgeKind]]:
    for item in body:
        call = call_in(item)
        if isinstance(item, Literal):
            kind = EdgeKind.positive if item.positive else EdgeKind.negative
            yield from ((relation, kind) for relation in _read(item.atom))
        elif isinstance(item, NotExists | Aggregate):
            kind = EdgeKind.negative if isinstance(item, NotExists) else EdgeKind.aggregate
            atoms = atoms_within(item.body)
            yield from ((relation, kind) for atom in atoms for relation in _read(atom))
        elif call is not None:
            kind = EdgeKind.aggregate if call.function == LENGTH else EdgeKind.positive
            yield from ((relation, kind) for relation in _LISTS)


_LISTS: tuple[Relation, ...] = ((FIRST, None), (REST, None))


def _read(atom: Atom) -> tuple[Relation, ...]:
    """The relations that an atom reads; one about lists reads what these are made of."""
    return _LISTS if atom.predicate in LIST_ATOMS else (relation_of(atom),)


def hypergraph(program: Program) -> Hypergraph:
    """The program's hypergraph. O(size of the program), and for each variable in predicate or
    class position O(relations)."""
    heads = [head_of(rule) for rule in program]
    reads = [inputs(rule) for rule in program]
    graph = _RuleGraph(heads, reads)
    nodes: list[HyperNode] = []
    strata: dict[Vertex, int] = {}
    refused: set[tuple[Relation, int]] = set()
    for component in components(graph.successors):
        stratum = graph.stratum(component, strata)
        strata.update(dict.fromkeys(component, stratum))
        refused |= graph.incomplete(component)
        relations = graph.relations(component)
        if relations:
            rules = tuple(i for relation in relations for i in graph.rules.get(relation, ()))
            nodes.append(HyperNode(relations, tuple(sorted(rules)), stratum))
    edges = _edges(heads, reads)
    return Hypergraph(tuple(nodes), edges, tuple(e for e in edges if _is_refused(e, refused)))


def _is_refused(edge: Edge, refused: Set[tuple[Relation, int]]) -> bool:
    return edge.kind is not EdgeKind.positive and any((edge.body, i) in refused for i in edge.rules)


def _edges(heads: Sequence[Relation], reads: Sequence[Inputs]) -> tuple[Edge, ...]:
    rules: dict[tuple[Relation, Relation, EdgeKind], list[int]] = {}
    for i, (head, inputs) in enumerate(zip(heads, reads, strict=True)):
        for body, kind in inputs:
            rules.setdefault((body, head, kind), []).append(i)
    return tuple(Edge(*edge, tuple(places)) for edge, places in rules.items())


class _RuleGraph:
    """Relations and rules (by their places) as vertices. Edges go from a relation to the rules
    that may derive it, and from a rule to the relations it may read."""

    def __init__(self, heads: Sequence[Relation], reads: Sequence[Inputs]) -> None:
        self.rules: dict[Relation, list[int]] = {}
        for i, head in enumerate(heads):
            self.rules.setdefault(head, []).append(i)
        known = dict.fromkeys(heads)
        known |= dict.fromkeys(relation for inputs in reads for relation, _ in inputs)
        self._known = {relation: i for i, relation in enumerate(known)}
        self._complete = [
            [(relation, each) for relation, kind in inputs if kind is not EdgeKind.positive
             for each in self._read(relation)]
            for inputs in reads
        ]  # fmt: skip
        self.successors: dict[Vertex, list[Vertex]] = {
            relation: [i for met in self._met(relation) for i in self.rules.get(met, ())]
            for relation in known
        }
        for i, inputs in enumerate(reads):
            self.successors[i] = [each for relation, _ in inputs for each in self._read(relation)]

    def _met(self, relation: Relation) -> list[Relation]:
        """The known relations that share facts with one."""
        if relation == FALSE:
            return [FALSE]
        found = meeting(relation, self._known)
        return [other for other in found if other in self._known and other != FALSE]

    def _read(self, relation: Relation) -> list[Relation]:
        """The known relations that an atom about one may read."""
        return self._met(relation) if relation in (ANY, ANY_CLASS) else [relation]

    def relations(self, component: Iterable[Vertex]) -> tuple[Relation, ...]:
        """The component's relations in the order of the program."""
        found = [vertex for vertex in component if not isinstance(vertex, int)]
        return tuple(sorted(found, key=self._known.__getitem__))

    def stratum(self, component: Sequence[Vertex], strata: Mapping[Vertex, int]) -> int:
        """The least stratum above all that must be complete before, given those below."""
        found = 0
        for vertex in component:
            for lower in self.successors[vertex]:
                found = max(found, strata.get(lower, 0))
            for _, lower in self._complete[vertex] if isinstance(vertex, int) else ():
                found = max(found, strata.get(lower, -1) + 1)
        return found

    def incomplete(self, component: Iterable[Vertex]) -> set[tuple[Relation, int]]:
        """The relations of a component that its own rules need complete."""
        members = set(component)
        return {
            (relation, i)
            for i in members
            if isinstance(i, int)
            for relation, each in self._complete[i]
            if each in members
        }
