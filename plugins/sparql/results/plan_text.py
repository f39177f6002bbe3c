"""The plan of a query that was evaluated: a line for each part, and warnings.

A part has the number of its solutions and the time that they took, which includes that of the
parts in it; parts that rdflib's evaluator had to find are marked. Below a basic graph pattern (BGP)
stand its triple patterns in the order in which they were joined, with the rows there were then, and
the rows that were expected. Warnings tell what is valid and can find nothing: conditions on
variables that nothing binds, terms that no fact has.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib.paths import NegatedPath, Path
from rdflib.term import BNode, URIRef, Variable

from rdfinc.knowledge_base.explanations.notebook import indented
from rdfinc.plugins.sparql.algebra.part_variables import Variables
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.syntax.nodes import Node


class PlanText(str):
    """The text of a plan, which notebooks show line by line."""

    def _repr_html_(self) -> str:
        return indented(self)


def plan(scope: Scope, query: Node) -> PlanText:
    known = frozenset(scope.unit.columns)
    unknown = _unknown(scope, query, scope.graphs.default)
    warnings = dict.fromkeys([*_unbound(scope, query, known), *unknown])
    return PlanText(
        "\n".join([*scope.trace.lines(query), *(f"warning: {each}" for each in warnings)])
    )


def _inner(part: Node) -> Iterator[Node]:
    """The parts of a part and of its expressions."""
    waiting = [*part.values()]
    for each in waiting:
        if isinstance(each, Node):
            yield each
        elif isinstance(each, list):
            waiting += each


def _unbound(scope: Scope, part: Node, outer: Variables) -> Iterator[str]:
    """Of variables that a FILTER reads and nothing that it is about binds; those of its EXISTS may
    be `outer` ones."""
    inner = [p for p in (part.p, part.p1, part.p2) if isinstance(p, Node)]
    if part.name in ("Filter", "LeftJoin"):
        seen = outer.union(*map(scope.variables.possible, inner))
        condition = scope.expression(part.expr)
        for variable in sorted(condition.reads - condition.existences.keys() - seen):
            yield f"FILTER reads {variable.n3()}, which nothing in its group binds"
        for existence in condition.existences.values():
            yield from _unbound(scope, existence.pattern, seen)
    for each in inner:
        yield from _unbound(scope, each, outer)


def _unknown(scope: Scope, part: Node, facts: GraphFacts) -> Iterator[str]:
    """Of terms that stand in a pattern, and in no fact."""
    if part.name == "ServiceGraphPattern":
        return
    if part.name == "Graph" and isinstance(part.term, Variable):
        facts = GraphFacts.explicit(scope.graphs.default.reader)
    elif part.name == "Graph" and scope.trace.is_reached(part):
        named = scope.graphs.named(part.term)
        if named is None:
            yield f"no graph is named {part.term.n3()}"
            return
        facts = named
    for s, p, o in scope.trace.triples(part) if part.name == "BGP" else ():
        for place, terms in (("subject", [s]), ("predicate", _steps(p)), ("object", [o])):
            for term in terms:
                if not _is_found(scope, place, term, facts):
                    yield f"no fact has {term.n3()} as its {place}{_meant(scope, term)}"
    for each in _inner(part):
        yield from _unknown(scope, each, facts)


def _meant(scope: Scope, term: Any) -> str:
    """What may be meant by a term that no fact has: one with other capitals."""
    known = scope.terms.alike(term, scope.graphs.default.reader.closure)
    return "".join(f"; did you mean {each}?" for each in known)


def _steps(predicate: Any) -> Iterator[Any]:
    """The predicates that a path takes."""
    if not isinstance(predicate, Path):
        yield predicate
    elif not isinstance(predicate, NegatedPath):
        for part in vars(predicate).values():
            for each in part if isinstance(part, list) else [part]:
                if isinstance(each, URIRef | Path):
                    yield from _steps(each)


def _is_found(scope: Scope, place: str, term: Any, facts: GraphFacts) -> bool:
    """Whether some facts may have a term there; a variable may be any."""
    if isinstance(term, Variable | BNode):
        return True
    id = scope.terms.number(term)
    if place == "predicate":
        return facts.relation(id).count(None, None) > 0
    return (facts.count(id, None) if place == "subject" else facts.count(None, id)) > 0
