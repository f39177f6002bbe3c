"""Statements outside of RDF 1.1 that rdflib takes: stored, never reasoned over.

These are the statements quoted in Notation3 formulas, and asserted ones with a formula, a variable
or a literal where RDF wants something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdflib.graph import Graph
from rdflib.plugins.stores.memory import Memory
from rdflib.term import BNode, Literal, URIRef

Triple = tuple[Any, Any, Any]
Found = tuple[Triple, Iterator[Any]]
Saved = dict[Triple, dict[Graph, bool]]

_NODES = (URIRef, BNode)
_OBJECTS = (URIRef, BNode, Literal)
_USUAL_NODES = frozenset((*_NODES, type(None)))
_USUAL_OBJECTS = frozenset((*_OBJECTS, type(None)))


def is_rdf(triple: Triple) -> bool:
    """Whether each term is of a kind that RDF 1.1 allows in its place; None fits everywhere."""
    s, p, o = triple
    return (
        (type(s) in _USUAL_NODES or isinstance(s, _NODES))
        and (p is None or isinstance(p, URIRef))
        and (type(o) in _USUAL_OBJECTS or isinstance(o, _OBJECTS))
    )


class BeyondRdf(dict[Triple, dict[Graph, bool]]):
    """A set of (triple, context, quoted?): for each triple its contexts, and in which it is quoted.
    Indexed by one of rdflib's Memory stores."""

    def __init__(self) -> None:
        super().__init__()
        self._index = Memory()

    def add(self, triple: Triple, context: Graph, quoted: bool) -> None:
        self._index.add(triple, context, quoted)
        self.setdefault(triple, {})[context] = quoted

    def remove(self, pattern: Triple, context: Graph | None) -> None:
        for triple in [triple for triple, _ in self._index.triples(pattern, context)]:
            left = self[triple]
            for other in list(left) if context is None else [context]:
                del left[other]
            if not left:
                del self[triple]
        self._index.remove(pattern, context)

    def triples(self, pattern: Triple, context: Graph | None) -> list[Found]:
        """The matching statements, each with its contexts."""
        found = self._index.triples(pattern, context)
        return [(triple, iter(list(contexts))) for triple, contexts in found]

    def count(self, context: Graph | None) -> int:
        """Of all asserted statements, or of all in one context."""
        return len(self._index) if context is None else self._index.__len__(context)

    def contexts(self) -> list[Graph]:
        return list(dict.fromkeys(c for contexts in self.values() for c in contexts))

    def saved(self) -> Saved:
        """What `restored` makes an equal set of; it does not change any more."""
        return {triple: dict(contexts) for triple, contexts in self.items()}

    @classmethod
    def restored(cls, saved: Saved) -> BeyondRdf:
        statements = cls()
        for triple, contexts in saved.items():
            for context, quoted in contexts.items():
                statements.add(triple, context, quoted)
        return statements
