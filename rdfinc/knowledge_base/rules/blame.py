"""Which of a user's rules stand in the way of strata."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from rdfinc.datalog.analysis.rule_hypergraph import EdgeKind, head_of, inputs
from rdfinc.datalog.model import Rule
from rdfinc.datalog.relations import relation_text


def to_blame(rules: Iterable[Rule], cycle: AbstractSet[str]) -> Iterator[Rule]:
    """User rules that contribute a negated or aggregated edge to the cycle. There are none if an
    axiom or a variable for a relation contributes it."""
    for rule in rules:
        awaited = [relation for relation, kind in inputs(rule) if kind is not EdgeKind.positive]
        names = {relation_text(relation, {}) for relation in awaited}
        if relation_text(head_of(rule), {}) in cycle and not names.isdisjoint(cycle):
            yield rule
