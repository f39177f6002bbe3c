"""Aggregates in the clauses of a query, taken out of their expressions (SPARQL 1.1, 18.2.4.1)."""

from __future__ import annotations

from typing import Any

from rdflib.term import Variable

from rdfinc.plugins.sparql.algebra.part_variables import EXISTS
from rdfinc.plugins.sparql.syntax.nodes import Node, extended
from rdfinc.plugins.sparql.syntax.trees import QueryTree


def has_aggregate(tree: Any) -> bool:
    """Whether an aggregate stands in some clauses, not in the pattern of an EXISTS."""
    if isinstance(tree, list):
        return any(map(has_aggregate, tree))
    if not isinstance(tree, Node) or tree.name in EXISTS:
        return False
    return _is_aggregate(tree) or any(map(has_aggregate, tree.values()))


def aggregated(tree: QueryTree, group: Node) -> Node:
    """The groups of a query or sub-select with the values of all its aggregates; its clauses name
    these by variables from then on.

    A variable that is no key has one of its values in each group, as with SAMPLE; `unkeyed` are
    such variables in the projection, alone or in an expression.
    """
    taken = _Taken({key for key in group.expr or () if isinstance(key, Variable)})
    plain = [each for each in tree.shown if each.expression is None]
    samples = [(taken.sample(each.variable, each.first), each.variable) for each in plain]
    taken.known.update(each.variable for each in plain)
    for each in tree.shown:
        if each.expression is not None:
            each.expression = taken.out_of(each.expression, each.first)
            taken.known.add(each.variable)
    unkeyed = list(taken.unkeyed)
    tree.having = taken.out_of(tree.having)
    for key in tree.order:
        key.expression = taken.out_of(key.expression)
    part = Node("AggregateJoin", A=taken.functions, p=group, unkeyed=unkeyed)
    for sample, variable in samples:
        part = extended(part, sample, variable) if sample != variable else part
    return part


class _Taken:
    """The aggregates of a query: `functions`, each with the variable for its value. `known` are
    the variables bound by a group, `unkeyed` other variables that are read, each with the token at
    which what reads it begins, if that is told."""

    def __init__(self, known: set[Variable]) -> None:
        self.known = known
        self.functions: list[Node] = []
        self.unkeyed: list[tuple[Variable, int]] = []

    def sample(self, variable: Variable, first: int) -> Variable:
        """The variable that stands for another's value in a group."""
        if variable in self.known:
            return variable
        self.unkeyed.append((variable, first))
        return self._value(Node("Aggregate_Sample", vars=variable))

    def out_of(self, tree: Any, first: int = 0) -> Any:
        """An expression, or several, with variables for aggregates."""
        if isinstance(tree, Variable):
            return self.sample(tree, first)
        if isinstance(tree, list):
            return [self.out_of(part, first) for part in tree]
        if not isinstance(tree, Node) or tree.name in EXISTS:
            return tree
        if _is_aggregate(tree):
            return self._value(tree)
        for name, part in tree.items():
            tree[name] = self.out_of(part, first)
        return tree

    def _value(self, function: Node) -> Variable:
        self.functions.append(function)
        function["res"] = Variable(f"__agg_{len(self.functions)}__")
        return function["res"]


def _is_aggregate(tree: Node) -> bool:
    return str(tree.name).startswith("Aggregate_")
