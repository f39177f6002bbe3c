"""Terms in the forms in which people hand them in -> keys (DESIGN, *Terms*).

A term may be an rdflib URIRef, BNode or Literal, a pyoxigraph NamedNode, BlankNode or Literal, or
a plain `str`, which is one term in N-Triples. rdflib terms are tested for first, because they are
`str`s too; they are recognised by the module of their class, so that rdflib need not be loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyoxigraph as ox

from rdfinc.errors import TermError
from rdfinc.terms.canonical_terms import canonical
from rdfinc.terms.io.quads import oxigraph_key

Statement = tuple[bytes, bytes, bytes, bytes | None]
"""Keys of subject, predicate, object and graph; None is the default graph."""

DEFAULT_GRAPH = b"<urn:x-rdflib:default>"
"""What rdflib calls the default graph of a Dataset; some of its releases write it to files."""

KeyFunction = Callable[[Any], bytes]
_TERM_FUNCTIONS: dict[type, KeyFunction] = {str: canonical}
_GRAPH_FUNCTIONS: dict[type, KeyFunction] = {str: canonical}


def key_of(term: object) -> bytes:
    """The key of a term in any of the forms above.

    Raises TermError for anything else, UnsupportedError for terms that only RDF 1.2 has. The way
    to convert a class is looked up once; about 0.4 µs for an rdflib IRI, 0.6 µs for an N-Triples
    text of the common kinds, 4 µs for one that pyoxigraph has to judge.
    """
    function = _TERM_FUNCTIONS.get(type(term))
    if function is None:
        function = _TERM_FUNCTIONS[type(term)] = _term_function(type(term), term)
    return function(term)


def pattern_key(term: object | None) -> bytes | None:
    """The key of a term in a pattern, where None is a wildcard."""
    return None if term is None else key_of(term)


def graph_key(graph: object | None) -> bytes | None:
    """The key of a graph: a term, or an rdflib Graph for its identifier.

    None, pyoxigraph's DefaultGraph and rdflib's name of a Dataset's default graph give None.
    """
    if graph is None or isinstance(graph, ox.DefaultGraph):
        return None
    function = _GRAPH_FUNCTIONS.get(type(graph))
    if function is None:
        function = _GRAPH_FUNCTIONS[type(graph)] = _graph_function(type(graph), graph)
    key = function(graph)
    if key.startswith(b'"'):
        raise TermError(f"a graph's name is an IRI or a blank node, not {_shown(key)}")
    return None if key == DEFAULT_GRAPH else key


def statement_keys(statement: Iterable[object]) -> Statement:
    """The keys of (s, p, o) or (s, p, o, graph). TermError for a term where RDF allows none."""
    terms = statement if type(statement) is tuple else _parts(statement)
    if len(terms) not in (3, 4):
        raise TermError(f"a fact is (s, p, o) or (s, p, o, graph), not {statement!r}")
    s, p, o = key_of(terms[0]), key_of(terms[1]), key_of(terms[2])
    if s.startswith(b'"'):
        raise TermError(f"a subject is an IRI or a blank node, not {_shown(s)}")
    if not p.startswith(b"<"):
        raise TermError(f"a predicate is an IRI, not {_shown(p)}")
    return s, p, o, graph_key(terms[3]) if len(terms) == 4 else None


def _parts(statement: Iterable[object]) -> Sequence[object]:
    if isinstance(statement, str) or not isinstance(statement, Iterable):
        raise TermError(
            f"a fact is (s, p, o) or (s, p, o, graph), not {statement!r}; a single fact comes in a "
            "list: [(s, p, o)]"
        )
    return tuple(statement)


def _shown(key: bytes) -> str:
    return key.decode()


def _is_from(type_: type, package: str) -> bool:
    """Whether `type_` is a class of `package` or derived from one."""
    return any(base.__module__.split(".")[0] == package for base in type_.__mro__)


def _term_function(type_: type, example: object) -> KeyFunction:
    if _is_from(type_, "rdflib"):
        from rdfinc.terms import rdflib_terms  # the lazy door to rdflib

        return rdflib_terms.key_function(type_)
    if issubclass(type_, ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple):
        return oxigraph_key
    if issubclass(type_, str):
        return canonical
    shown = _in_python(example)
    raise TermError(
        f"{shown} ({type_.__name__}) is no RDF term; give an rdflib term (a value: "
        f"rdflib.Literal({shown})), a pyoxigraph term or an N-Triples text such as '<http://…>'"
    )


def _in_python(example: object) -> str:
    """As Python writes it, if it does: it writes no number of thousands of digits."""
    try:
        return repr(example)
    except ValueError:
        return "…"


def _graph_function(type_: type, example: object) -> KeyFunction:
    if _is_from(type_, "rdflib"):
        from rdfinc.terms import rdflib_terms  # the lazy door to rdflib

        return rdflib_terms.graph_key_function(type_)
    return _term_function(type_, example)
