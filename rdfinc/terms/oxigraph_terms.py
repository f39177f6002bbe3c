"""Keys -> pyoxigraph's terms and statements, for its serialisers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox

from rdfinc.errors import TermError
from rdfinc.terms.grammar import literal_parts

_Quad = tuple[bytes, bytes, bytes, bytes | None]


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

    def quads(self, quads: Iterable[_Quad]) -> Iterator[ox.Quad]:
        """The statements, by graph and subject, as serialisers need them to group them."""
        for s, p, o, g in sorted(quads, key=_by_graph_and_subject):
            yield ox.Quad(self[s], self[p], self[o], self[g])

    def triples(self, quads: Iterable[_Quad]) -> Iterator[ox.Triple]:
        """The statements of all graphs, each once, by subject."""
        for s, p, o in sorted({(s, p, o) for s, p, o, _ in quads}):
            yield ox.Triple(self[s], self[p], self[o])


def _by_graph_and_subject(quad: _Quad) -> tuple[bytes, ...]:
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
        raise TermError(
            f"{key.decode()} cannot be written in this syntax ({error}); "
            "write N-Triples or N-Quads (.nt, .nq), or replace the term"
        ) from error
