"""Keys -> pyoxigraph's terms and statements, for its serialisers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import pyoxigraph as ox

from rdfinc.errors import TermError
from rdfinc.terms.grammar import literal_parts

Quad = tuple[bytes, bytes, bytes, bytes | None]


class OxigraphTerms(dict[bytes | None, Any]):
    """key -> pyoxigraph term, each made once; None is the default graph.

    Raises TermError for an IRI or label that only rdflib tolerates.
    """

    def __init__(self) -> None:
        super().__init__({None: ox.DefaultGraph()})

    def __missing__(self, key: bytes | None) -> Any:
        assert key is not None
        term = self[key] = to_oxigraph(key)
        return term

    def quads(self, quads: Iterable[Quad]) -> Iterator[ox.Quad]:
        """The statements, by graph and subject, as serialisers need them to group them. All terms
        are made before the first one is given."""
        found = sorted(quads, key=_by_graph_and_subject)
        self._make(found)
        return (ox.Quad(self[s], self[p], self[o], self[g]) for s, p, o, g in found)

    def triples(self, quads: Iterable[Quad]) -> Iterator[ox.Triple]:
        """The statements of all graphs, each once, by subject; otherwise as `quads`."""
        found = self._chosen(quads)
        self._make(found)
        return (ox.Triple(self[s], self[p], self[o]) for s, p, o in found)

    def _chosen(self, quads: Iterable[Quad]) -> list[tuple[bytes, bytes, bytes]]:
        """The statements to be written, by subject."""
        return sorted({(s, p, o) for s, p, o, _ in quads})

    def _make(self, statements: Iterable[tuple[bytes | None, ...]]) -> None:
        for key in set(chain.from_iterable(statements)):
            self[key]


def _by_graph_and_subject(quad: Quad) -> tuple[bytes, ...]:
    s, p, o, g = quad
    return g or b"", s, p, o


def to_oxigraph(key: bytes) -> ox.NamedNode | ox.BlankNode | ox.Literal:
    """The pyoxigraph term of a key."""
    try:
        if key.startswith(b"<"):
            return ox.NamedNode(key[1:-1].decode())
        if key.startswith(b"_"):
            return ox.BlankNode(key[2:].decode())
        lexical, language, datatype = literal_parts(key)
        type_ = None if datatype is None else ox.NamedNode(datatype)
        return ox.Literal(lexical, language=language, datatype=type_)
    except ValueError as error:
        loaded = "" if key.startswith(b"_") else " and load that with strict=False"
        raise unwritable(key, str(error), loaded) from error


def unwritable(key: bytes, why: str, loaded: str = "") -> TermError:
    """The error for a term that a syntax has no place for; `loaded` says how N-Triples with it are
    to be loaded."""
    return TermError(
        f"{key.decode()} cannot be written in this syntax ({why}); write N-Triples or N-Quads (.nt,"
        f" .nq){loaded}, or replace the term"
    )
