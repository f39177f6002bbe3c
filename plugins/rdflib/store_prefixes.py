"""rdflib's way of binding prefixes, kept in a knowledge base's namespaces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from rdflib.term import URIRef

from rdfinc.knowledge_base.namespaces import Namespaces


class Prefixes:
    """A one-to-one relation between prefixes and namespaces, held in `table`, which others change
    as well. Of several prefixes with one namespace the first is told.
    """

    def __init__(self, table: Namespaces) -> None:
        self._table = table

    def bind(self, prefix: str, namespace: str, override: bool) -> None:
        """Binds; where either is taken already, what held it is replaced, or kept."""
        held = self._table.prefix_of(namespace)
        if not override and (prefix in self._table or held is not None):
            return
        if held is not None:
            self._table.pop(held, None)
        self._table[str(prefix)] = str(namespace)

    def namespace(self, prefix: str) -> URIRef | None:
        namespace = self._table.get(prefix)
        return None if namespace is None else URIRef(namespace)

    def __iter__(self) -> Iterator[tuple[str, URIRef]]:
        return iter([(prefix, URIRef(iri)) for prefix, iri in self._bindings()])

    def _bindings(self) -> list[tuple[str, str]]:
        """The bindings of the moment, whatever other threads bind meanwhile."""
        return list(self._table.copy().items())


_DECLARATION = re.compile(
    rb"""\b(?:prefix\s+([^\s:=]*)\s*:\s*<|xmlns:([^\s:=]*)\s*=\s*["'])""", re.IGNORECASE
)


def in_order(prefixes: Mapping[str, str], document: bytes) -> Iterable[tuple[str, str]]:
    """The prefixes in the order of a document's declarations, if several stand for one namespace:
    the last of these stays bound. Of RDF/XML the order is turned, since rdflib keeps the first."""
    if len(set(prefixes.values())) == len(prefixes):
        return prefixes.items()
    places = {prefix.encode(): 0 for prefix in prefixes}
    for found in _DECLARATION.finditer(document):
        in_turtle, in_xml = found.groups()
        if in_xml is None:
            places[in_turtle] = found.start()
        else:
            places[in_xml] = -found.start()
    return sorted(prefixes.items(), key=lambda bound: places[bound[0].encode()])
