"""Triples with their short forms, and property paths (SPARQL 1.1, 19.8, rules 52 and 75-105).

A triple stands before those of the brackets in it, so that variables come in the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rdflib.namespace import RDF
from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, SequencePath
from rdflib.term import BNode

from rdfinc.plugins.sparql.syntax.cursor import Cursor
from rdfinc.plugins.sparql.syntax.term_reader import (
    CONSTANTS,
    iri,
    is_term,
    term,
    variable,
    variable_or_iri,
)
from rdfinc.plugins.sparql.syntax.trees import Parameter, Triple

Verb = Callable[[Cursor], Any]
"""A reader of what stands between subject and object."""


def begins_triples(cursor: Cursor) -> bool:
    """Whether a subject begins here."""
    return cursor.kind in ("(", "[") or is_term(cursor)


def triples(cursor: Cursor, verb: Verb) -> list[Triple]:
    """The triples that stand here with dots between them, one at least. Raises
    SparqlSyntaxError."""
    found: list[Triple] = []
    _of_subject(cursor, found, verb)
    while cursor.accept(".") and begins_triples(cursor):
        _of_subject(cursor, found, verb)
    return found


def template(cursor: Cursor) -> list[Triple]:
    """`{ triples }` without paths, or of none. Raises SparqlSyntaxError."""
    parameters, cursor.parameters = cursor.parameters, None
    cursor.enter("{")
    found = triples(cursor, simple_verb) if begins_triples(cursor) else []
    cursor.leave("}")
    cursor.parameters = parameters
    return found


def _of_subject(cursor: Cursor, found: list[Triple], verb: Verb) -> None:
    cursor.check()
    before = len(found)
    subject = _node(cursor, found, verb) if cursor.kind in ("(", "[") else _end(cursor, "a subject")
    if len(found) == before or _begins_verb(cursor):
        _properties(cursor, found, verb, subject)


def _begins_verb(cursor: Cursor) -> bool:
    return cursor.kind in ("variable", "iri", "name", "A", "^", "!", "(")


def _properties(cursor: Cursor, found: list[Triple], verb: Verb, subject: Any) -> None:
    """The verbs and objects of a subject."""
    while True:
        predicate = verb(cursor)
        _object(cursor, found, verb, subject, predicate)
        while cursor.accept(","):
            cursor.check()
            _object(cursor, found, verb, subject, predicate)
        if cursor.kind != ";":
            return
        while cursor.accept(";"):
            pass
        if not _begins_verb(cursor):
            return


def _object(cursor: Cursor, found: list[Triple], verb: Verb, subject: Any, predicate: Any) -> None:
    if cursor.kind not in ("(", "["):
        found.append((subject, predicate, _end(cursor, "an object")))
        return
    at = len(found)
    found.append((subject, predicate, None))
    found[at] = (subject, predicate, _node(cursor, found, verb))


def _end(cursor: Cursor, expected: str) -> Any:
    """A subject or object; a constant of one token may be a parameter."""
    kind, at = cursor.kind, cursor.at
    found = term(cursor, expected)
    if cursor.parameters is None or kind not in CONSTANTS or cursor.at > at + 1:
        return found
    cursor.parameters.append(at)
    return Parameter(len(cursor.parameters) - 1)


def _node(cursor: Cursor, found: list[Triple], verb: Verb) -> Any:
    """The node of brackets, whose triples are added."""
    if cursor.kind == "(":
        return _collection(cursor, found, verb)
    cursor.enter("[")
    node = BNode()
    if cursor.kind != "]":
        _properties(cursor, found, verb, node)
    cursor.leave("]")
    return node


def _collection(cursor: Cursor, found: list[Triple], verb: Verb) -> Any:
    """The first node of a list; that of an empty one is rdf:nil."""
    cursor.enter("(")
    first = node = RDF.nil if cursor.kind == ")" else BNode()
    while cursor.kind != ")":
        cursor.check()
        _object(cursor, found, verb, node, RDF.first)
        rest = RDF.nil if cursor.kind == ")" else BNode()
        found.append((node, RDF.rest, rest))
        node = rest
    cursor.leave(")")
    return first


# -- verbs


def simple_verb(cursor: Cursor) -> Any:
    """A variable, an IRI or `a`. Raises SparqlSyntaxError."""
    return RDF.type if _is_type(cursor) else variable_or_iri(cursor)


def path_or_variable(cursor: Cursor) -> Any:
    """Raises SparqlSyntaxError."""
    if not _begins_verb(cursor):
        cursor.refuse("a property, a path or a variable")
    return variable(cursor) if cursor.kind == "variable" else _path(cursor)


def _is_type(cursor: Cursor) -> bool:
    """Whether `a` stands here, which is passed then; keywords are no matter of case but this."""
    return cursor.kind == "A" and cursor.written == "a" and cursor.accept("A")


def _path(cursor: Cursor) -> Any:
    return _path_of(cursor, "|", _sequence, AlternativePath)


def _sequence(cursor: Cursor) -> Any:
    return _path_of(cursor, "/", _step, SequencePath)


def _path_of(
    cursor: Cursor, sign: str, read: Callable[[Cursor], Any], path: Callable[..., Any]
) -> Any:
    """A path of all parts between the signs, or the only part."""
    parts = _parts(cursor, sign, read)
    return parts[0] if len(parts) == 1 else path(*parts)


def _parts(cursor: Cursor, sign: str, read: Callable[[Cursor], Any]) -> list[Any]:
    """The parts between signs, one at least."""
    parts = [read(cursor)]
    while cursor.accept(sign):
        cursor.check()
        parts.append(read(cursor))
    return parts


def _step(cursor: Cursor) -> Any:
    return _forth_or_back(cursor, _repeated)


def _forth_or_back(cursor: Cursor, read: Callable[[Cursor], Any]) -> Any:
    return InvPath(read(cursor)) if cursor.accept("^") else read(cursor)


def _repeated(cursor: Cursor) -> Any:
    part = _primary(cursor)
    if cursor.kind not in ("?", "*", "+"):
        return part
    return MulPath(part, cursor.take())  # type: ignore[arg-type]


def _primary(cursor: Cursor) -> Any:
    if cursor.accept("!"):
        return NegatedPath(AlternativePath(*_excluded(cursor)))
    if cursor.kind != "(":
        return _property(cursor)
    cursor.enter("(")
    part = _path(cursor)
    cursor.leave(")")
    return part


def _excluded(cursor: Cursor) -> list[Any]:
    """The properties of a negated property set."""
    if not cursor.accept("("):
        return [_one_excluded(cursor)]
    parts = [] if cursor.kind == ")" else _parts(cursor, "|", _one_excluded)
    cursor.expect(")")
    return parts


def _one_excluded(cursor: Cursor) -> Any:
    return _forth_or_back(cursor, _property)


def _property(cursor: Cursor) -> Any:
    return RDF.type if _is_type(cursor) else iri(cursor)
