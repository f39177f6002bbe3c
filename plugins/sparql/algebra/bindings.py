"""Initial bindings: values of variables given by callers before a query or an update is
evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rdflib.term import Identifier, Literal, Variable


def initial(bindings: Mapping[Any, Any]) -> dict[Variable, Identifier]:
    """Variables, by name or as such, with terms; Python's values, texts too, stand for literals.

    Raises TypeError for None and bytes.
    """
    return {Variable(name): _term(name, value) for name, value in bindings.items()}


def _term(name: Any, value: Any) -> Identifier:
    if isinstance(value, Identifier):
        return value
    if value is None or isinstance(value, bytes):
        raise TypeError(
            f"initBindings: ?{Variable(name)} is bound to {value!r}, which is no term; "
            f"write URIRef(…), Literal(…) or BNode(…)"
        )
    return Literal(value)
