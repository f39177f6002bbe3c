"""Update requests (SPARQL 1.1, 19.8, rules 29-51), as operations of the algebra; the pattern of
a WHERE is a tree in the operation."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from rdfinc.plugins.sparql.syntax.cursor import Cursor
from rdfinc.plugins.sparql.syntax.group_reader import group
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.plugins.sparql.syntax.query_reader import read_declarations
from rdfinc.plugins.sparql.syntax.term_reader import iri, variable_or_iri
from rdfinc.plugins.sparql.syntax.tokens import END, Check, tokens_of
from rdfinc.plugins.sparql.syntax.triple_reader import (
    begins_triples,
    simple_verb,
    template,
    triples,
)


def operations(text: str, prologue: Declared, check: Check) -> Iterator[Node]:
    """The operations of a request, whose escapes are characters already, each with its prologue.
    Raises as `query_tree`, at once or later."""
    cursor = Cursor(text, tokens_of(text, check), prologue, check, group)
    inserted: set[str] = set()
    while True:
        if cursor.kind in ("BASE", "PREFIX"):
            cursor.prologue = cursor.prologue.copy()
        read_declarations(cursor)
        if cursor.kind == END:
            return
        first = cursor.at
        operation = _operation(cursor)
        if operation.name == "InsertData":
            inserted |= _labels(cursor, inserted, first)
        operation["prologue"] = cursor.prologue
        yield operation
        if not cursor.accept(";"):
            return None if cursor.kind == END else cursor.refuse("';' or the end")


def _labels(cursor: Cursor, before: set[str], first: int) -> set[str]:
    """The labels of the operation that begins at a token. Raises SparqlSyntaxError if other data of
    the request have one of them too (19.6)."""
    labels = {written for written in cursor.known if written.startswith("_:")}
    if again := labels & before:
        label = min(again)
        why = f"{label} stands in another INSERT DATA too; name one otherwise"
        cursor.fail(why, cursor.first_written(label, first))
    return labels


def _operation(cursor: Cursor) -> Node:
    read = _OPERATIONS.get(cursor.kind)
    return cursor.refuse("an operation, as INSERT DATA") if read is None else read(cursor)


# -- data and templates


def _insert(cursor: Cursor) -> Node:
    if cursor.next_kind != "DATA":
        return _modify(cursor)
    return _data(cursor, "InsertData")


def _delete(cursor: Cursor) -> Node:
    if cursor.next_kind == "DATA":
        return _data(cursor, "DeleteData")
    return _data(cursor, "DeleteWhere") if cursor.next_kind == "WHERE" else _modify(cursor)


def _data(cursor: Cursor, name: str) -> Node:
    cursor.take()
    cursor.take()
    return _quads(cursor, name)


def _modify(cursor: Cursor) -> Node:
    operation = Node("Modify")
    if cursor.accept("WITH"):
        operation["withClause"] = iri(cursor)
    if cursor.kind not in ("DELETE", "INSERT"):
        cursor.refuse("DELETE or INSERT")
    if cursor.accept("DELETE"):
        operation["delete"] = _quads(cursor, "DeleteClause")
    if cursor.accept("INSERT"):
        operation["insert"] = _quads(cursor, "InsertClause")
    while cursor.accept("USING"):
        kind = "named" if cursor.accept("NAMED") else "default"
        clauses = operation.setdefault("using", [])
        clauses.append(Node("UsingClause", **{kind: iri(cursor)}))
    cursor.expect("WHERE")
    operation["where"] = cursor.group()
    return operation


def _quads(cursor: Cursor, name: str) -> Node:
    """The triples of no named graph, and those of each. Raises ForbiddenError for what may not
    stand among them (19.8, notes 7 and 8)."""
    first = cursor.at
    cursor.enter("{")
    unnamed: list[Any] = []
    of_graphs: defaultdict[Any, list[Any]] = defaultdict(list)
    while cursor.kind != "}":
        if cursor.accept("GRAPH"):
            graph = variable_or_iri(cursor)
            of_graphs[graph] += template(cursor)
            cursor.accept(".")
            continue
        if not begins_triples(cursor):
            cursor.refuse("a subject, GRAPH or '}'")
        unnamed += triples(cursor, simple_verb)
        if begins_triples(cursor):
            cursor.refuse("'.', ';', ',', GRAPH or '}'")
    cursor.leave("}")
    if name in _GROUND:
        _refuse_variables(cursor, first, _GROUND[name])
    if name in _WITHDRAWN:
        _refuse_blanks(cursor, first, _WITHDRAWN[name])
    return Node(name, triples=unnamed, quads=of_graphs)


def _refuse_variables(cursor: Cursor, first: int, where: str) -> None:
    at = cursor.first_variable(first)
    if at is not None:
        other = f"{where[:6]} {{…}} WHERE {{…}}"
        name = cursor.written_at(at)
        cursor.forbid(f"{name} in {where}, which takes no variables: use {other}", at)


def _refuse_blanks(cursor: Cursor, first: int, where: str) -> None:
    at = cursor.first_blank(first)
    if at is not None:
        cursor.forbid(f"a blank node in {where} names nothing: use a variable of WHERE", at)


_GROUND = {"InsertData": "INSERT DATA", "DeleteData": "DELETE DATA"}
_WITHDRAWN = {
    "DeleteData": "DELETE DATA",
    "DeleteWhere": "DELETE WHERE",
    "DeleteClause": "DELETE",
}
"""The blocks in which there may be no variables, or no blank nodes."""


# -- whole graphs


def _begun(cursor: Cursor) -> Node:
    """The operation of the word here, which may be silent."""
    operation = Node(cursor.take().capitalize())
    if cursor.kind == "SILENT":
        operation["silent"] = cursor.take()
    return operation


def _load(cursor: Cursor) -> Node:
    operation = _begun(cursor)
    operation["iri"] = iri(cursor)
    if cursor.accept("INTO"):
        cursor.expect("GRAPH")
        operation["graphiri"] = iri(cursor)
    return operation


def _create(cursor: Cursor) -> Node:
    operation = _begun(cursor)
    cursor.expect("GRAPH")
    operation["graphiri"] = iri(cursor)
    return operation


def _emptied(cursor: Cursor) -> Node:
    """CLEAR or DROP."""
    operation = _begun(cursor)
    which = cursor.one_of("GRAPH", "DEFAULT", "NAMED", "ALL")
    operation["graphiri"] = iri(cursor) if which == "GRAPH" else which
    return operation


def _between(cursor: Cursor) -> Node:
    """ADD, MOVE or COPY."""
    operation = _begun(cursor)
    source = _graph_or_default(cursor)
    cursor.expect("TO")
    operation["graph"] = [source, _graph_or_default(cursor)]
    return operation


def _graph_or_default(cursor: Cursor) -> Any:
    if cursor.accept("DEFAULT"):
        return "DEFAULT"
    cursor.accept("GRAPH")
    return iri(cursor)


_OPERATIONS: dict[str, Callable[[Cursor], Node]] = {
    "INSERT": _insert,
    "DELETE": _delete,
    "WITH": _modify,
    "LOAD": _load,
    "CREATE": _create,
    "CLEAR": _emptied,
    "DROP": _emptied,
    "ADD": _between,
    "MOVE": _between,
    "COPY": _between,
}
"""Readers of operations, by the first word."""
