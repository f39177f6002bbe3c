"""What SELECT shows, and the modifiers of solutions (SPARQL 1.1, 19.8, rules 9, 18-28 and
62-65)."""

from __future__ import annotations

from typing import Any

from rdflib import Variable

from rdfinc.plugins.sparql.syntax.cursor import Cursor
from rdfinc.plugins.sparql.syntax.expression_reader import (
    begins_constraint,
    constraint,
    expression,
)
from rdfinc.plugins.sparql.syntax.term_reader import GROUND_TERMS, ground_term, variable
from rdfinc.plugins.sparql.syntax.trees import GroupKey, OrderKey, QueryTree, ShownTerm, ValuesPart


def sub_select(cursor: Cursor) -> QueryTree:
    """A sub-select. Raises SparqlSyntaxError."""
    tree = QueryTree("SELECT")
    read_shown(cursor, tree)
    read_where(cursor, tree)
    read_modifiers(cursor, tree)
    return tree


def read_shown(cursor: Cursor, tree: QueryTree) -> None:
    """SELECT with the variables that are shown."""
    cursor.expect("SELECT")
    if cursor.kind in ("DISTINCT", "REDUCED"):
        tree.modifier = cursor.take().upper()
    tree.star = cursor.at
    if cursor.accept("*"):
        return
    cursor.takes_aggregates = True
    while cursor.kind in ("variable", "("):
        tree.shown.append(_shown(cursor))
    cursor.takes_aggregates = False
    if not tree.shown:
        cursor.refuse("'*', a variable or (expression AS ?name)")


def _shown(cursor: Cursor) -> ShownTerm:
    first = cursor.at
    if cursor.kind == "variable":
        return ShownTerm(variable(cursor), first, first)
    cursor.enter("(")
    value = expression(cursor)
    cursor.expect("AS")
    at = cursor.at
    shown = ShownTerm(variable(cursor), first, at, value)
    cursor.leave(")")
    return shown


def read_where(cursor: Cursor, tree: QueryTree) -> None:
    """The pattern, with or without the word WHERE."""
    if not cursor.accept("WHERE") and cursor.kind != "{":
        cursor.refuse("WHERE or '{'")
    tree.where = cursor.group()


def read_modifiers(cursor: Cursor, tree: QueryTree) -> None:
    """GROUP BY, HAVING, ORDER BY, LIMIT and OFFSET, and VALUES behind them."""
    if cursor.accept("GROUP"):
        cursor.expect("BY")
        tree.keys = [_group_key(cursor)]
        while cursor.kind == "variable" or begins_constraint(cursor):
            tree.keys.append(_group_key(cursor))
    cursor.takes_aggregates = True
    if cursor.accept("HAVING"):
        tree.having = [constraint(cursor)]
        while begins_constraint(cursor):
            tree.having.append(constraint(cursor))
    if cursor.accept("ORDER"):
        cursor.expect("BY")
        tree.order = [_order_key(cursor)]
        while cursor.kind in ("variable", "ASC", "DESC") or begins_constraint(cursor):
            tree.order.append(_order_key(cursor))
    cursor.takes_aggregates = False
    _read_slice(cursor, tree)
    if cursor.accept("VALUES"):
        tree.values = values(cursor)


_KEY = "a variable, '(' or a function"


def _group_key(cursor: Cursor) -> GroupKey:
    if cursor.kind == "variable":
        return GroupKey(variable(cursor))
    if cursor.kind != "(":
        return GroupKey(constraint(cursor, _KEY))
    cursor.enter("(")
    key = GroupKey(expression(cursor))
    if cursor.accept("AS"):
        key.variable = variable(cursor)
    cursor.leave(")")
    return key


def _order_key(cursor: Cursor) -> OrderKey:
    if cursor.kind == "variable":
        return OrderKey(variable(cursor))
    if cursor.kind not in ("ASC", "DESC"):
        return OrderKey(constraint(cursor, _KEY))
    direction = cursor.take().upper()
    return OrderKey(constraint(cursor), direction) if cursor.kind == "(" else cursor.refuse("'('")


def _read_slice(cursor: Cursor, tree: QueryTree) -> None:
    while True:
        if cursor.kind == "LIMIT" and tree.limit is None:
            cursor.take()
            tree.limit = cursor.expect("integer")
        elif cursor.kind == "OFFSET" and tree.offset is None:
            cursor.take()
            tree.offset = cursor.expect("integer")
        else:
            return


# -- VALUES


def values(cursor: Cursor) -> ValuesPart:
    """The variables and rows behind VALUES. Raises SparqlSyntaxError."""
    if cursor.kind == "variable":
        variables, row = [variable(cursor)], _cell
    else:
        variables, row = _variables(cursor), _row
    cursor.expect("{")
    rows: list[list[Any]] = []
    while cursor.kind != "}":
        cursor.check()
        first = cursor.at
        cells = row(cursor)
        if len(cells) != len(variables):
            cursor.fail(_unequal(len(variables), len(cells)), first)
        rows.append(cells)
    cursor.expect("}")
    return ValuesPart(variables, rows)


def _unequal(variables: int, terms: int) -> str:
    width = f"{variables} variable{'' if variables == 1 else 's'}"
    row = f"{terms} term{'' if terms == 1 else 's'}"
    return f"VALUES has {width} and a row of {row}: give each variable a term, or UNDEF"


def _variables(cursor: Cursor) -> list[Variable]:
    cursor.expect("(")
    found: dict[Variable, None] = {}
    while cursor.kind != ")":
        at = cursor.at
        named = variable(cursor)
        if named in found:
            cursor.fail(f"VALUES names {named.n3()} twice: name each variable once", at)
        found[named] = None
    cursor.take()
    return list(found)


def _row(cursor: Cursor) -> list[Any]:
    cursor.expect("(")
    cells = []
    while (kind := cursor.kind) != ")":
        cells.append(_CELLS.get(kind, ground_term)(cursor))
    cursor.take()
    return cells


def _cell(cursor: Cursor) -> list[Any]:
    return [_CELLS.get(cursor.kind, ground_term)(cursor)]


def _undefined(cursor: Cursor) -> None:
    cursor.take()


_CELLS = {**GROUND_TERMS, "UNDEF": _undefined}
