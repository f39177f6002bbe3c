"""Nodes of SPARQL's algebra (SPARQL 1.1, 18.2) and of its expressions, by the names that rdflib
gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Node(dict[str, Any]):
    """A part of a request: its parts by name. A part that it does not have is None."""

    def __init__(self, name: str, **parts: Any) -> None:
        super().__init__(parts)
        self.name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.get(name)

    def __repr__(self) -> str:
        return f"{self.name}({super().__repr__()})"


class ExpressionNode(Node):
    """A node that has a value for each solution."""


TAUTOLOGY = ExpressionNode("TrueFilter")
"""The condition of an OPTIONAL that has none."""


def extended(part: Node, expression: Any, variable: Any) -> Node:
    """The solutions of a part with the value of an expression for a variable."""
    return Node("Extend", p=part, expr=expression, var=variable)


def filtered(part: Node, conditions: Iterable[Any]) -> Node:
    """The solutions of a part for which all of one condition or more hold."""
    return Node("Filter", expr=conjunction(conditions), p=part)


def conjunction(conditions: Iterable[Any]) -> Any:
    """What holds where all of one condition or more do."""
    first, *others = conditions
    return ExpressionNode("ConditionalAndExpression", expr=first, other=others) if others else first
