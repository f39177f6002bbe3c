"""Comparisons of a pattern's object with a constant, as in FILTER(?v > 5): the terms for which they
may hold, looked up in the order of values instead of tested one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from rdflib.term import Literal, Variable

from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.facts.patterns import Among, FactPattern
from rdfinc.plugins.sparql.facts.predicate_facts import PredicateFacts
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.nodes import ExpressionNode, Node
from rdfinc.plugins.sparql.trace import Trace
from rdfinc.terms.builtins.value_arrays import TypedValues, typed
from rdfinc.terms.builtins.values import value_of
from rdfinc.terms.io.convert import key_of

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "=": "="}
"""The signs of comparisons with the operands changed over."""


class RangeComparison(NamedTuple):
    """variable sign value"""

    variable: Variable
    sign: str
    value: TypedValues


def comparison(condition: Any) -> RangeComparison | None:
    """A condition that is a comparison of a variable with a literal."""
    if not isinstance(condition, ExpressionNode) or condition.name != "RelationalExpression":
        return None
    left, sign, right = (condition.get(name) for name in ("expr", "op", "other"))
    if isinstance(left, Literal):
        left, sign, right = right, _TURNED.get(sign, sign), left
    if sign not in _TURNED or not isinstance(left, Variable) or not isinstance(right, Literal):
        return None
    return RangeComparison(left, sign, typed([value_of(key_of(right))]))


def chosen(
    part: Node,
    patterns: Sequence[Any],
    comparisons: Iterable[RangeComparison],
    terms: Terms,
    trace: Trace,
) -> Iterator[Among]:
    """The values of objects of patterns for which comparisons may hold, where these are few and
    their order is known; none where a pattern has few solutions, which are tested as quickly."""
    compared = list(comparisons)
    found: dict[Any, Ids] = {}
    if not compared or any(pattern.count() <= QUERIES.few_found for pattern in patterns):
        return
    for pattern in patterns:
        own = [each for each in compared if each.variable == getattr(pattern, "object", None)]
        if (
            own
            and isinstance(pattern, FactPattern)
            and isinstance(pattern.predicate, PredicateFacts)
        ):
            ids = _few(pattern, pattern.predicate, own, terms)
            if ids is not None:
                found.setdefault(pattern.object, ids)
    for variable, ids in found.items():
        yield Among(variable, ids, trace.range(part, variable))


def _few(
    pattern: FactPattern,
    predicate: PredicateFacts,
    compared: Sequence[RangeComparison],
    terms: Terms,
) -> Ids | None:
    size = pattern.count()
    if size < QUERIES.ordered_facts:
        return None
    order = predicate.in_order(terms.stored_values)
    ids = None if order is None else order.within([each[1:] for each in compared])
    return ids if ids is not None and len(ids) * QUERIES.chosen_share <= size else None
