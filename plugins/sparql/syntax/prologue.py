"""Prefixes and the base of a request."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from typing import Any

import pyoxigraph as ox
from rdflib.graph import Graph
from rdflib.namespace import NamespaceManager
from rdflib.term import URIRef

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:")


def is_absolute(iri: str) -> bool:
    """Whether it has a scheme."""
    return _ABSOLUTE.match(iri) is not None


class Declared:
    """The declarations of a request; beside them rdflib's usual prefixes have their meaning."""

    def __init__(self, prefixes: Mapping[str, Any], base: str | None = None) -> None:
        self.base = base
        self._namespaces = {prefix or "": str(iri) for prefix, iri in prefixes.items()}

    def copy(self) -> Declared:
        """The declarations so far, unaffected by later ones."""
        return Declared(self._namespaces, self.base)

    def namespaces(self) -> Iterator[tuple[str, str]]:
        """The prefixes with a meaning, those of rdflib included."""
        return iter({**_usual(), **self._namespaces}.items())

    def bind(self, prefix: str | None, uri: Any) -> None:
        self._namespaces[prefix or ""] = str(uri)
        self.__dict__.pop("namespace_manager", None)

    @cached_property
    def namespace_manager(self) -> NamespaceManager:
        """The prefixes as rdflib keeps them."""
        manager = NamespaceManager(Graph())
        for prefix, iri in self._namespaces.items():
            manager.bind(prefix, iri, replace=True)
        return manager

    def namespace(self, prefix: str) -> str | None:
        """What a prefix stands for."""
        found = self._namespaces.get(prefix)
        return _usual().get(prefix) if found is None else found

    def absolutize(self, iri: Any) -> Any:
        """A term; of an IRI what `resolved` gives."""
        return self.resolved(iri) if isinstance(iri, URIRef) else iri

    def resolved(self, iri: URIRef) -> URIRef:
        """An IRI, resolved against the base if it is relative."""
        return iri if is_absolute(iri) else _resolved(iri, self.base)


def _resolved(iri: URIRef, base: str | None) -> URIRef:
    """A relative IRI by its base, as RFC 3986 (5.2) has it; a base that is none changes nothing."""
    try:
        (quad,) = ox.parse(f"<{iri}> <x:p> <x:o> .", format=ox.RdfFormat.TURTLE, base_iri=base)
    except (SyntaxError, ValueError):
        return iri
    return URIRef(quad.subject.value)


@cache
def _usual() -> dict[str, str]:
    return {prefix: str(iri) for prefix, iri in NamespaceManager(Graph()).namespaces()}
