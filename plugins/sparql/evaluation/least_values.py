"""The first rows of an order by the value of an object, as for ORDER BY ?v LIMIT 10. They are found
from the least, or greatest, values on, instead of among all rows."""

from __future__ import annotations

from msgspec.structs import replace
from rdflib.term import URIRef, Variable

from rdfinc.plugins.sparql.columns.solutions import Solutions
from rdfinc.plugins.sparql.evaluation import joins
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.facts.predicate_facts import PredicateFacts
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.terms.builtins.value_order import ValueOrder

_INNER = {"Filter": "p", "Extend": "p", "LeftJoin": "p1"}
"""The part of a part that binds what it does, in all its solutions."""


def of_least_values(scope: Scope, part: Node, wanted: int) -> list[Solutions] | None:
    """Solutions of what an ORDER BY puts in order, the first ones among them; None where these are
    to be looked for among all. What is tried in vain are some look-ups for each row wanted."""
    condition, count = part.expr[0], wanted * QUERIES.tried_values
    if not isinstance(condition.expr, Variable) or scope.unit.columns or scope.outer or scope.own:
        return None
    order = _order(scope, part.p, condition.expr, count)
    if order is None:
        return None
    ids = order.greatest(count) if condition.order == "DESC" else order.least(count)
    if ids is None:
        return None
    tried = replace(scope, trace=scope.trace.apart())
    blocks = list(tried.solve(part.p, Solutions(len(ids), {condition.expr: ids})))
    if sum(block.size for block in blocks) < wanted:
        return None
    scope.trace.adopt(tried.trace)
    return blocks


def _order(scope: Scope, part: Node, variable: Variable, count: int) -> ValueOrder | None:
    """The order of the values of a variable, if they are the objects of a predicate with far more
    facts than so many, and no pattern beside has as few solutions as that."""
    while part.name in _INNER:
        part = part[_INNER[part.name]]
    triples = part.triples if part.name == "BGP" and count else ()
    patterns = [joins.pattern(scope, triple) for triple in triples]
    if any(pattern.count() <= count for pattern in patterns):
        return None
    least = max(QUERIES.ordered_facts, count * QUERIES.chosen_share)
    for triple, pattern in zip(triples, patterns, strict=True):
        is_object = triple[2] == variable and isinstance(triple[1], URIRef)
        if is_object and pattern.count() >= least:
            relation = getattr(pattern, "predicate", None)
            assert isinstance(relation, PredicateFacts), "one IRI, in one graph"
            return relation.in_order(scope.terms.stored_values)
    return None
