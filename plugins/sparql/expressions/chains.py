"""Long chains of comparisons -> one comparison with a list.

    ?x = 1 || ?x = 2 || …      ->  ?x IN (1, 2, …)
    ?x != 1 && ?x != 2 && …    ->  ?x NOT IN (1, 2, …)

This is how SPARQL 1.1 defines IN and NOT IN (17.4.1.9, 17.4.1.10), errors included.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib.namespace import RDF
from rdflib.term import BNode, Identifier, Variable

from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.nodes import ExpressionNode

LOGICAL = {"ConditionalOrExpression": ("=", "IN"), "ConditionalAndExpression": ("!=", "NOT IN")}
"""For `||` and `&&` which comparisons are gathered, and the name of their list."""


def conjuncts(expression: Any) -> list[Any]:
    """The conditions that must hold together for an expression to hold, with lists for chains."""
    return chained(expression) if _name(expression) == "ConditionalAndExpression" else [expression]


def chained(node: ExpressionNode) -> list[Any]:
    """The operands of `||` or `&&`, and of those in it that are the same operator; chains of
    comparisons among them as lists. O(operands)."""
    comparison, membership = LOGICAL[node.name]
    chains: dict[Any, list[tuple[Any, Any]]] = {}
    for part in _flat(node):
        variable, term = _compared(part, comparison)
        chains.setdefault(variable or id(part), []).append((part, term))
    return [
        each
        for variable, parts in chains.items()
        for each in _shortened(variable, parts, membership)
    ]


def _shortened(variable: Any, parts: list[tuple[Any, Any]], operator: str) -> list[Any]:
    if len(parts) < QUERIES.few_comparisons:
        return [part for part, _ in parts]
    terms = [term for _, term in parts]
    return [ExpressionNode("RelationalExpression", expr=variable, op=operator, other=terms)]


def operands(node: ExpressionNode, *names: str) -> Iterator[Any]:
    """The unevaluated operands of a node, lists of them taken apart; RDF.nil is rdflib's empty
    list."""
    for name in names:
        found = node.get(name)
        if isinstance(found, list):
            yield from found
        elif found is not None and found != RDF.nil:
            yield found


def _flat(node: ExpressionNode) -> list[Any]:
    """The operands, those of operands with the same operator in place of these."""
    found, open_ = [], [node]
    while open_:
        part = open_.pop()
        if _name(part) == node.name:
            others = part.get("other") or []
            open_ += reversed([part.get("expr"), *others])
        else:
            found.append(part)
    return found


def _name(part: Any) -> str | None:
    return part.name if isinstance(part, ExpressionNode) else None


_NEGATED = {"=": "!=", "!=": "="}


def _compared(part: Any, operator: str) -> tuple[Variable | None, Any]:
    """The variable and the term of a comparison; None for other parts."""
    if _name(part) == "UnaryNot":
        part, operator = part.get("expr"), _NEGATED[operator]
    if _name(part) != "RelationalExpression" or part.get("op") != operator:
        return None, None
    one, other = (part.get(name) for name in ("expr", "other"))
    if is_constant(one):
        one, other = other, one
    return (one, other) if isinstance(one, Variable) and is_constant(other) else (None, None)


def is_constant(operand: Any) -> bool:
    return isinstance(operand, Identifier) and not isinstance(operand, Variable | BNode)
