"""Queries (SPARQL 1.1, 19.8, rules 1-17)."""

from __future__ import annotations

from collections.abc import Callable

from rdflib.term import URIRef

from rdfinc.plugins.sparql.syntax.cursor import Cursor
from rdfinc.plugins.sparql.syntax.group_reader import group
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.plugins.sparql.syntax.select_reader import read_modifiers, read_shown, read_where
from rdfinc.plugins.sparql.syntax.term_reader import iri, variable_or_iri
from rdfinc.plugins.sparql.syntax.tokens import Check, Tokens
from rdfinc.plugins.sparql.syntax.trees import GroupPattern, QueryTree, TriplesPart
from rdfinc.plugins.sparql.syntax.triple_reader import template


def query_tree(
    text: str,
    tokens: Tokens,
    prologue: Declared,
    check: Check,
    parameters: list[int] | None = None,
) -> QueryTree:
    """The tree of a query, whose escapes are characters already; what it declares is added to the
    prologue. Where there are `parameters`, the places of tokens that became such are added.

    Raises SparqlSyntaxError; what `check` raises, which is asked at every part.
    """
    cursor = Cursor(text, tokens, prologue, check, group, parameters)
    read_declarations(cursor)
    read = _FORMS.get(cursor.kind)
    if read is None:
        cursor.refuse("SELECT, CONSTRUCT, ASK or DESCRIBE")
    tree = QueryTree(cursor.kind)
    read(cursor, tree)
    read_modifiers(cursor, tree)
    cursor.end()
    return tree


def read_declarations(cursor: Cursor) -> None:
    """BASE and PREFIX, which change the cursor's prologue; names and labels are forgotten."""
    prologue = cursor.prologue
    cursor.forget()
    while cursor.kind in ("BASE", "PREFIX"):
        if cursor.accept("BASE"):
            prologue.base = prologue.absolutize(URIRef(cursor.expect("iri")[1:-1]))
            continue
        cursor.take()
        if cursor.kind != "name" or cursor.written.find(":") < len(cursor.written) - 1:
            cursor.refuse("a prefix with a colon")
        prefix = cursor.take()[:-1]
        prologue.bind(prefix, prologue.absolutize(URIRef(cursor.expect("iri")[1:-1])))


def _select(cursor: Cursor, tree: QueryTree) -> None:
    read_shown(cursor, tree)
    _read_datasets(cursor, tree)
    read_where(cursor, tree)


def _construct(cursor: Cursor, tree: QueryTree) -> None:
    """Without a template the pattern is the template too, and has neither paths nor filters."""
    cursor.take()
    if cursor.kind == "{":
        tree.template = template(cursor)
        _read_datasets(cursor, tree)
        read_where(cursor, tree)
        return
    _read_datasets(cursor, tree)
    cursor.expect("WHERE")
    tree.template = template(cursor)
    tree.where = GroupPattern([TriplesPart(tree.template)])


def _describe(cursor: Cursor, tree: QueryTree) -> None:
    cursor.take()
    if not cursor.accept("*"):
        if cursor.kind not in ("variable", "iri", "name"):
            cursor.refuse("'*', a variable or an IRI")
        tree.described = [variable_or_iri(cursor)]
        while cursor.kind in ("variable", "iri", "name"):
            tree.described.append(variable_or_iri(cursor))
    _read_datasets(cursor, tree)
    if cursor.kind in ("WHERE", "{"):
        read_where(cursor, tree)


def _ask(cursor: Cursor, tree: QueryTree) -> None:
    cursor.take()
    _read_datasets(cursor, tree)
    read_where(cursor, tree)


def _read_datasets(cursor: Cursor, tree: QueryTree) -> None:
    while cursor.accept("FROM"):
        kind = "named" if cursor.accept("NAMED") else "default"
        tree.datasets.append(Node("DatasetClause", **{kind: iri(cursor)}))


_FORMS: dict[str, Callable[[Cursor, QueryTree], None]] = {
    "SELECT": _select,
    "CONSTRUCT": _construct,
    "DESCRIBE": _describe,
    "ASK": _ask,
}
"""Readers of queries up to their modifiers, by the first word."""
