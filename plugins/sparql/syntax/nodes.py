"""Nodes of SPARQL's algebra (SPARQL 1.1, 18.2), as rdflib's evaluator knows them.

rdflib's own look for the solution that is evaluated whenever a part of them is read: only
expressions have one, and looking costs more than reading.
"""

from __future__ import annotations

from typing import Any

from rdflib.plugins.sparql.parserutils import CompValue


class AlgebraNode(CompValue):
    """A node whose parts are read as they are; a part that it does not have is None."""

    ctx = None

    def __getitem__(self, name: str) -> Any:
        return dict.__getitem__(self, name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return dict.get(self, name)


def extended(part: CompValue, expression: Any, variable: Any) -> AlgebraNode:
    """The solutions of a part with the value of an expression for a variable."""
    return AlgebraNode("Extend", p=part, expr=expression, var=variable)
