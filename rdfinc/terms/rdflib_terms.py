"""The one door to rdflib: its terms -> keys, keys -> its terms.

Nothing imports this module before the first conversion, so `import rdfinc` does not load rdflib.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rdflib.graph import Graph
from rdflib.term import BNode, Literal, Node, URIRef, _castLexicalToPython, _toPythonMapping

from rdfinc.errors import TermError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.grammar import escape, literal_parts
from rdfinc.terms.term_thresholds import TERMS

_XSD = "http://www.w3.org/2001/XMLSchema#"
_STRING = f"{_XSD}string"
_NODES = URIRef, BNode

_KNOWN_BY_VALUE = {
    f"{_XSD}{name}"
    for name in ("integer", "long", "decimal", "float", "double", "date", "dateTime", "time")
}
"""Datatypes of which rdflib takes a literal for ill-typed just if it finds no value."""


def from_rdflib(term: Any) -> bytes:
    """The key of an rdflib URIRef, BNode or Literal, whatever characters an IRI or label has."""
    return key_function(type(term))(term)


def key_function(type_: type) -> Callable[[Any], bytes]:
    """The function that gives the keys of terms of an rdflib class (or a subclass of one)."""
    for known, function in _KEY_FUNCTIONS:
        if issubclass(type_, known):
            return function
    raise TermError(
        f"an rdflib {type_.__name__} cannot stand in a fact; give a URIRef, BNode or Literal"
    )


def _iri_key(term: URIRef) -> bytes:
    try:
        return b"<%b>" % term.encode()
    except UnicodeEncodeError:
        return _utf8(term)


def _blank_key(term: BNode) -> bytes:
    return b"_:" + _utf8(term)


def _literal_key(term: Literal) -> bytes:
    quoted, datatype = b'"%b"' % _utf8(escape(term)), term._datatype
    if datatype is None:
        language = term._language
        return b"%b@%b" % (quoted, _utf8(language.lower())) if language else quoted
    if str.__eq__(datatype, _STRING):
        return quoted
    return b"%b^^<%b>" % (quoted, _utf8(datatype))


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise TermError(f"{text!r} holds a surrogate, which no RDF term may") from error


def _graph_key(graph: Graph) -> bytes:
    """The key of a graph's name, which our own store is asked for: its default graph has two."""
    written = getattr(graph.store, "written", None)
    return from_rdflib(graph.identifier if written is None else written(graph))


_KEY_FUNCTIONS: tuple[tuple[type, Callable[[Any], bytes]], ...] = (
    (URIRef, _iri_key),
    (BNode, _blank_key),
    (Literal, _literal_key),
)


def graph_key_function(type_: type) -> Callable[[Any], bytes]:
    """Like `key_function`, for the fourth place of a quad: a Graph stands for its identifier."""
    return _graph_key if issubclass(type_, Graph) else key_function(type_)


def to_rdflib(key: bytes) -> Node:
    """The rdflib term of a key: lexical forms as they are, and no warning for an odd IRI."""
    first = key[0]
    if first == 0x3C:
        return _new(URIRef, key[1:-1], "utf-8")
    if first == 0x5F:
        return _new(BNode, key[2:], "utf-8")
    return _to_literal(key)


_new = str.__new__


def _to_literal(key: bytes) -> Literal:
    assert key.startswith(b'"'), f"{key!r} stands for nothing in RDF"
    lexical, language, datatype = literal_parts(key)
    if datatype is None:
        return text_literal(lexical, language)
    return typed_literal(lexical, datatype)


def typed_literal(lexical: str, datatype: str) -> Literal:
    """The literal of a datatype's IRI that rdflib makes, with the lexical form as it is."""
    if datatype in _KNOWN_BY_VALUE:
        return _judged_by_value(lexical, _datatype(datatype))
    literal = Literal(lexical, datatype=_datatype(datatype), normalize=False)
    return literal if str.__eq__(literal, lexical) else _unchanged(literal, lexical)


def text_literal(lexical: str, language: str | None) -> Literal:
    """The literal that `Literal(lexical, language)` makes; its value is the text."""
    literal = _new(Literal, lexical)
    literal._language = language
    literal._datatype = literal._ill_typed = None
    literal._value = lexical
    return literal


def _judged_by_value(lexical: str, datatype: URIRef) -> Literal:
    """What `Literal(lexical, datatype=datatype, normalize=False)` makes."""
    literal = text_literal(lexical, None)
    literal._datatype = datatype
    literal._value = _castLexicalToPython(lexical, datatype)
    literal._ill_typed = literal._value is None
    return literal


def _unchanged(literal: Literal, lexical: str) -> Literal:
    """`literal` with the lexical form that rdflib's constructor collapsed (xsd:token, say)."""
    kept = text_literal(lexical, None)
    kept._datatype, kept._value = literal._datatype, literal._value
    kept._ill_typed = literal._ill_typed
    return kept


_DATATYPES: dict[str, Any] = {str(iri): iri for iri in _toPythonMapping}


def _datatype(iri: str) -> Any:
    return _DATATYPES.get(iri) or _DATATYPES.setdefault(iri, _new(URIRef, iri))


class NodeIds(dict[Node, int]):
    """rdflib IRI or blank node -> id, 0 for one that is unknown and all else: `ids[node]`.

    Holds nodes that were asked for, until there are `TERMS.remembered_nodes` of them. A node that
    it holds costs 40 ns if it is asked for by the same object, another one 0.5 µs. All are to be
    taken out when ids are freed.
    """

    __slots__ = ("_find",)

    def __init__(self, dictionary: Dictionary) -> None:
        super().__init__()
        self._find = dictionary.find

    def __missing__(self, node: Node) -> int:
        id = self._find(from_rdflib(node)) if isinstance(node, _NODES) else None
        if id is None:
            return 0
        if len(self) >= TERMS.remembered_nodes:
            self.clear()
        self[node] = id
        return id


class Decoder(dict[int, Node]):
    """id -> rdflib term, the same object each time: `decoder[id]`.

    Holds every term it was asked for. A known id costs 30 ns, a new IRI about 0.6 µs, a new typed
    literal a few µs. Ids that are freed are to be taken out.
    """

    __slots__ = ("_decode",)

    def __init__(self, dictionary: Dictionary) -> None:
        super().__init__()
        self._decode = dictionary.decode

    def __missing__(self, id: int) -> Node:
        term = self[id] = to_rdflib(self._decode(id))
        return term

    def terms(self, ids: Iterable[int]) -> Iterator[Node]:
        """The terms of plain ints (`array.tolist()`), lazily, in their order."""
        return map(self.__getitem__, ids)
