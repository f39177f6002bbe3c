"""rdflib's way of binding prefixes, kept in a knowledge base's namespaces."""

from __future__ import annotations

from collections.abc import Iterator

from rdflib.term import URIRef


class Prefixes:
    """A one-to-one relation between prefixes and namespaces, held in `table` (prefix -> IRI), which
    others change as well. `_seen` is the table for which `_prefix_of` is the inverse. Of several
    prefixes with one namespace any may be told.
    """

    def __init__(self, table: dict[str, str]) -> None:
        self._table = table
        self._seen: dict[str, str] = {}
        self._prefix_of: dict[str, str] = {}

    def bind(self, prefix: str, namespace: str, override: bool) -> None:
        """Binds; where either is taken already, what held it is replaced, or kept."""
        held = self.prefix(namespace)
        if not override and (prefix in self._table or held is not None):
            return
        if held is not None:
            self._table.pop(held, None)
        self._table[str(prefix)] = str(namespace)

    def namespace(self, prefix: str) -> URIRef | None:
        namespace = self._table.get(prefix)
        return None if namespace is None else URIRef(namespace)

    def prefix(self, namespace: str) -> str | None:
        """O(1) for what was found before; O(number of prefixes) otherwise. Writing Turtle asks for
        each IRI."""
        namespace = str(namespace)
        found = self._prefix_of.get(namespace)
        if found is not None and self._table.get(found) == namespace:
            return found
        if self._seen != self._table:
            seen = self._table.copy()
            self._prefix_of = {iri: prefix for prefix, iri in reversed(seen.items())}
            self._seen = seen
        return self._prefix_of.get(namespace)

    def __iter__(self) -> Iterator[tuple[str, URIRef]]:
        return iter([(prefix, URIRef(iri)) for prefix, iri in self._bindings()])

    def _bindings(self) -> list[tuple[str, str]]:
        """The bindings of the moment, whatever other threads bind meanwhile."""
        return list(self._table.copy().items())
