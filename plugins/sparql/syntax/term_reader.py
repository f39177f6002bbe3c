"""Terms: variables, names, literals, labels of blank nodes (SPARQL 1.1, 19.8, rules 106-109 and
129-138)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from rdflib.namespace import XSD
from rdflib.term import BNode, Literal, URIRef, Variable

from rdfinc.plugins.sparql.syntax.cursor import Cursor
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.terms.rdflib_terms import text_literal, typed_literal

_LOCAL_ESCAPE = re.compile(r"\\(.)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}
_NUMBERS = {kind: str(XSD[kind]) for kind in ("integer", "decimal", "double")}
_TRUE, _FALSE = Literal(True), Literal(False)


def is_term(cursor: Cursor) -> bool:
    """Whether a term begins here that needs no triples; brackets aside."""
    return cursor.kind in _TERMS


def term(cursor: Cursor, expected: str = "a term") -> Any:
    """A variable, an IRI, a literal or a blank node with a label. Raises SparqlSyntaxError."""
    read = _TERMS.get(cursor.kind)
    return cursor.refuse(expected) if read is None else read(cursor)


def variable(cursor: Cursor) -> Variable:
    """Raises SparqlSyntaxError."""
    if cursor.kind != "variable":
        cursor.refuse("a variable")
    found: Variable = _variable(cursor)
    return found


def iri(cursor: Cursor) -> URIRef:
    """An IRI, or a name for one. Raises SparqlSyntaxError."""
    if cursor.kind not in ("name", "iri"):
        cursor.refuse("an IRI")
    found: URIRef = _TERMS[cursor.kind](cursor)
    return found


def variable_or_iri(cursor: Cursor) -> Any:
    """Raises SparqlSyntaxError."""
    if cursor.kind == "variable":
        return _variable(cursor)
    return iri(cursor) if cursor.kind in ("name", "iri") else cursor.refuse("a variable or an IRI")


def ground_term(cursor: Cursor) -> Any:
    """An IRI or a literal. Raises SparqlSyntaxError."""
    read = GROUND_TERMS.get(cursor.kind)
    return cursor.refuse("an IRI or a literal") if read is None else read(cursor)


def text(cursor: Cursor) -> str:
    """What a text in quotes says. Raises SparqlSyntaxError."""
    if cursor.kind not in ("text", "long"):
        cursor.refuse("a text in quotes")
    kind = cursor.kind
    return _said(kind, cursor.take())


def _said(kind: str, written: str) -> str:
    quotes = 3 if kind == "long" else 1
    said = written[quotes:-quotes]
    return _ESCAPE.sub(lambda found: _ESCAPED[found[1]], said) if "\\" in said else said


def _known(make: Callable[[Cursor, str], Any]) -> Callable[[Cursor], Any]:
    """A reader of tokens that stand for the same term wherever they are in a text."""

    def read(cursor: Cursor) -> Any:
        written = cursor.take()
        found = cursor.known.get(written)
        if found is None:
            found = cursor.known[written] = make(cursor, written)
        return found

    return read


def _named(cursor: Cursor, written: str) -> URIRef:
    found = _of_name(cursor.prologue, written)
    if found is None:
        prefix = written.partition(":")[0]
        cursor.fail(f"Unknown namespace prefix : {prefix}", cursor.at - 1)
    return found


def _of_name(prologue: Declared, written: str) -> URIRef | None:
    """None where the prefix is not known."""
    prefix, _, local = written.partition(":")
    namespace = prologue.namespace(prefix)
    if namespace is None:
        return None
    if "\\" in local:
        local = _LOCAL_ESCAPE.sub(r"\1", local)
    return prologue.resolved(_new(URIRef, namespace + local))


def _of_iri(prologue: Declared, written: str) -> URIRef:
    return prologue.resolved(_new(URIRef, written[1:-1]))


_new = str.__new__  # what a token may hold needs no check


_variable = _known(lambda cursor, written: Variable(written[1:]))


def _literal(cursor: Cursor) -> Literal:
    """A text with its language or datatype; it stays as it is written."""
    lexical = text(cursor)
    if cursor.kind == "language":
        return Literal(lexical, lang=cursor.take()[1:], normalize=False)
    if cursor.kind != "^^":
        return text_literal(lexical, None)
    cursor.take()
    return typed_literal(lexical, str(iri(cursor)))


def _number(cursor: Cursor) -> Literal:
    kind = cursor.kind
    return _number_of(cursor.take(), kind)


def _signed(cursor: Cursor) -> Literal:
    sign, kind = cursor.take(), cursor.kind
    return _number_of(sign + cursor.take(), kind)


@lru_cache(maxsize=1 << 10)
def _number_of(written: str, kind: str) -> Literal:
    return typed_literal(written, _NUMBERS[kind])


def _boolean(cursor: Cursor) -> Literal:
    return _TRUE if cursor.take().upper() == "TRUE" else _FALSE


_labelled = _known(lambda cursor, written: BNode(written[2:]))


def _label(cursor: Cursor) -> BNode:
    cursor.meet_label()
    found: BNode = _labelled(cursor)
    return found


_TERMS: dict[str, Callable[[Cursor], Any]] = {
    "variable": _variable,
    "name": _known(_named),
    "iri": _known(lambda cursor, written: _of_iri(cursor.prologue, written)),
    "text": _literal,
    "long": _literal,
    "integer": _number,
    "decimal": _number,
    "double": _number,
    "signed": _signed,
    "TRUE": _boolean,
    "FALSE": _boolean,
    "label": _label,
}
"""Readers of terms, by the kind of their first token."""

GROUND_TERMS = {kind: read for kind, read in _TERMS.items() if kind not in ("variable", "label")}
"""Readers of IRIs and literals, likewise."""

CONSTANTS: dict[str, Callable[[Declared, str], Any]] = {
    "name": _of_name,
    "iri": _of_iri,
    "text": lambda prologue, written: text_literal(_said("text", written), None),
    "long": lambda prologue, written: text_literal(_said("long", written), None),
    "integer": lambda prologue, written: _number_of(written, "integer"),
    "decimal": lambda prologue, written: _number_of(written, "decimal"),
    "double": lambda prologue, written: _number_of(written, "double"),
}
"""What constants of one token denote, by its kind; None for a name with an unknown prefix."""
