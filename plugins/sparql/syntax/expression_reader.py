"""Expressions (SPARQL 1.1, 19.8, rules 68-72 and 110-128), as nodes.

Operators of one rank are one node with a list of operands, however many they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rdfinc.plugins.sparql.syntax.cursor import Cursor
from rdfinc.plugins.sparql.syntax.nodes import ExpressionNode, Node
from rdfinc.plugins.sparql.syntax.term_reader import iri, is_term, term, text, variable

_RANKS = {
    **dict.fromkeys(["||"], 1),
    **dict.fromkeys(["&&"], 2),
    **dict.fromkeys(["=", "!=", "<", ">", "<=", ">=", "IN", "NOT"], 3),
    **dict.fromkeys(["+", "-", "signed"], 4),
    **dict.fromkeys(["*", "/"], 5),
}
"""How tightly operators bind."""


def expression(cursor: Cursor, least: int = 1) -> Any:
    """The expression that begins here, of operators of that rank and above. Raises
    SparqlSyntaxError."""
    cursor.check()
    left = _operand(cursor)
    most = 6
    while least <= (rank := _RANKS.get(cursor.kind, 0)) < most:
        left, most = _OPERATORS[rank](cursor, left), rank
    return left


def constraint(cursor: Cursor, expected: str = "'(' or a function") -> Any:
    """An expression in brackets or a call. Raises SparqlSyntaxError."""
    if cursor.kind == "(":
        return _bracketed(cursor)
    if cursor.kind in ("iri", "name"):
        name = iri(cursor)
        return _call(cursor, name) if cursor.kind == "(" else cursor.refuse("'('")
    return _built_in(cursor) if begins_constraint(cursor) else cursor.refuse(expected)


def begins_constraint(cursor: Cursor) -> bool:
    """Whether an expression in brackets or a call begins here."""
    return cursor.kind in ("(", "iri", "name") or cursor.kind in _BUILT_IN


def expressions(cursor: Cursor) -> list[Any]:
    """`(expression, …)`, or of none. Raises SparqlSyntaxError."""
    cursor.enter("(")
    found = [] if cursor.kind == ")" else [expression(cursor)]
    while found and cursor.accept(","):
        found.append(expression(cursor))
    _close(cursor, "',', an operator or ')'")
    return found


def _bracketed(cursor: Cursor) -> Any:
    cursor.enter("(")
    found = expression(cursor)
    _close(cursor, "an operator or ')'")
    return found


def _close(cursor: Cursor, expected: str) -> None:
    """Passes the bracket behind an expression. Raises SparqlSyntaxError."""
    if cursor.kind != ")":
        cursor.refuse(expected)
    cursor.leave(")")


# -- operators


def _logical(name: str, sign: str, rank: int) -> Callable[[Cursor, Any], ExpressionNode]:
    def read(cursor: Cursor, left: Any) -> ExpressionNode:
        others = []
        while cursor.accept(sign):
            others.append(expression(cursor, rank + 1))
        return ExpressionNode(name, expr=left, other=others)

    return read


def _arithmetic(
    name: str, signs: tuple[str, ...], rank: int
) -> Callable[[Cursor, Any], ExpressionNode]:
    def read(cursor: Cursor, left: Any) -> ExpressionNode:
        """A sign right before a number is an operator behind an operand (rule 116)."""
        chosen, others = [], []
        while cursor.kind in signs:
            chosen.append(cursor.take())
            others.append(expression(cursor, rank + 1))
        return ExpressionNode(name, expr=left, op=chosen, other=others)

    return read


def _relational(cursor: Cursor, left: Any) -> ExpressionNode:
    operator = cursor.kind
    cursor.take()
    if operator == "NOT":
        cursor.expect("IN")
        operator = "NOT IN"
    other = expressions(cursor) if operator.endswith("IN") else expression(cursor, 4)
    return ExpressionNode("RelationalExpression", expr=left, op=operator, other=other)


_OPERATORS: dict[int, Callable[[Cursor, Any], ExpressionNode]] = {
    1: _logical("ConditionalOrExpression", "||", 1),
    2: _logical("ConditionalAndExpression", "&&", 2),
    3: _relational,
    4: _arithmetic("AdditiveExpression", ("+", "-", "signed"), 4),
    5: _arithmetic("MultiplicativeExpression", ("*", "/"), 5),
}
"""Readers of all operators of a rank behind an operand."""

_UNARY = {"!": "UnaryNot", "+": "UnaryPlus", "-": "UnaryMinus"}


def _operand(cursor: Cursor) -> Any:
    name = _UNARY.get(cursor.kind)
    if name is None:
        return _primary(cursor)
    cursor.take()
    return ExpressionNode(name, expr=_primary(cursor))


def _primary(cursor: Cursor) -> Any:
    kind = cursor.kind
    if kind == "(":
        return _bracketed(cursor)
    if kind in ("iri", "name"):
        name = iri(cursor)
        return _call(cursor, name) if cursor.kind == "(" else name
    if kind == "label" or not is_term(cursor):
        return _built_in(cursor)
    return term(cursor)


# -- calls


def _call(cursor: Cursor, name: Any) -> ExpressionNode:
    """A function that is named by an IRI, with its arguments."""
    cursor.enter("(")
    distinct = cursor.accept("DISTINCT")
    arguments = [] if cursor.kind == ")" and not distinct else [expression(cursor)]
    while arguments and cursor.accept(","):
        arguments.append(expression(cursor))
    _close(cursor, "',', an operator or ')'")
    return ExpressionNode("Function", iri=name, distinct=distinct, expr=arguments)


def _built_in(cursor: Cursor) -> Any:
    read = _BUILT_IN.get(cursor.kind)
    return cursor.refuse("an expression") if read is None else read(cursor)


def _function(
    name: str, operands: str, least: int | None = None
) -> Callable[[Cursor], ExpressionNode]:
    """The reader of a function of some operands, of which so many cannot be left out."""
    names = operands.split()
    least = len(names) if least is None else least

    def read(cursor: Cursor) -> ExpressionNode:
        at = cursor.at
        cursor.take()
        given = expressions(cursor)
        if not least <= len(given) <= len(names):
            cursor.fail(f"{name} takes {_number(least, len(names))}, not {len(given)}", at)
        return ExpressionNode(f"Builtin_{name}", **dict(zip(names, given, strict=False)))

    return read


def _number(least: int, most: int) -> str:
    numbers = f"{least}" if least == most else f"{least} or {most}"
    return f"{numbers} argument{'' if most == 1 else 's'}"


def _bound(cursor: Cursor) -> ExpressionNode:
    cursor.take()
    cursor.enter("(")
    found = variable(cursor)
    cursor.leave(")")
    return ExpressionNode("Builtin_BOUND", arg=found)


def _of_list(name: str) -> Callable[[Cursor], ExpressionNode]:
    def read(cursor: Cursor) -> ExpressionNode:
        cursor.take()
        return ExpressionNode(f"Builtin_{name}", arg=expressions(cursor))

    return read


def _exists(cursor: Cursor) -> ExpressionNode:
    name = "Builtin_NOTEXISTS" if cursor.accept("NOT") else "Builtin_EXISTS"
    cursor.expect("EXISTS")
    return ExpressionNode(name, graph=cursor.group())


def _aggregate(name: str) -> Callable[[Cursor], Node]:
    def read(cursor: Cursor) -> Node:
        if not cursor.takes_aggregates:
            cursor.fail(
                f"{cursor.kind} is an aggregate, which stands in SELECT, HAVING and ORDER BY only,"
                f" and in no other aggregate"
            )
        cursor.takes_aggregates = False
        cursor.take()
        cursor.enter("(")
        distinct = "DISTINCT" if cursor.accept("DISTINCT") else ""
        is_whole = name == "Count" and cursor.accept("*")
        found = Node(
            f"Aggregate_{name}", distinct=distinct, vars="*" if is_whole else expression(cursor)
        )
        if name == "GroupConcat" and cursor.accept(";"):
            cursor.expect("SEPARATOR")
            cursor.expect("=")
            found["separator"] = text(cursor)
        cursor.leave(")")
        cursor.takes_aggregates = True
        return found

    return read


_OF_NONE = "RAND NOW UUID STRUUID"
_OF_ONE = """STR LANG DATATYPE IRI URI ABS CEIL FLOOR ROUND STRLEN UCASE LCASE ENCODE_FOR_URI YEAR
    MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 SHA512 isIRI isURI isBLANK
    isLITERAL isNUMERIC"""
_OF_TWO = "LANGMATCHES CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT sameTerm"
_AGGREGATES = {
    **{name.upper(): name for name in ("Count", "Sum", "Min", "Max", "Avg", "Sample")},
    "GROUP_CONCAT": "GroupConcat",
}

_BUILT_IN: dict[str, Callable[[Cursor], Any]] = {
    **{name.upper(): _function(name, "") for name in _OF_NONE.split()},
    **{name.upper(): _function(name, "arg") for name in _OF_ONE.split()},
    **{name.upper(): _function(name, "arg1 arg2") for name in _OF_TWO.split()},
    "IF": _function("IF", "arg1 arg2 arg3"),
    "BNODE": _function("BNODE", "arg", least=0),
    "REGEX": _function("REGEX", "text pattern flags", least=2),
    "SUBSTR": _function("SUBSTR", "arg start length", least=2),
    "REPLACE": _function("REPLACE", "arg pattern replacement flags", least=3),
    "BOUND": _bound,
    "CONCAT": _of_list("CONCAT"),
    "COALESCE": _of_list("COALESCE"),
    "EXISTS": _exists,
    "NOT": _exists,
    **{word: _aggregate(name) for word, name in _AGGREGATES.items()},
}
"""Readers of calls, by the word that they begin with."""
