"""Group graph patterns (SPARQL 1.1, 19.8, rules 53-61 and 66-68)."""

from __future__ import annotations

from collections.abc import Callable

from rdfinc.plugins.sparql.syntax.cursor import Cursor
from rdfinc.plugins.sparql.syntax.expression_reader import constraint, expression
from rdfinc.plugins.sparql.syntax.select_reader import sub_select, values
from rdfinc.plugins.sparql.syntax.term_reader import variable, variable_or_iri
from rdfinc.plugins.sparql.syntax.trees import (
    BindPart,
    FilterPart,
    GraphPart,
    GroupPattern,
    MinusPart,
    OptionalPart,
    Part,
    Pattern,
    ServicePart,
    TriplesPart,
    UnionPart,
)
from rdfinc.plugins.sparql.syntax.triple_reader import begins_triples, path_or_variable, triples


def group(cursor: Cursor) -> Pattern:
    """The group graph pattern that begins here. Raises SparqlSyntaxError."""
    outside = cursor.takes_aggregates, cursor.block
    cursor.takes_aggregates = False
    cursor.begin_block()
    cursor.enter("{")
    found = sub_select(cursor) if cursor.kind == "SELECT" else GroupPattern(_parts(cursor))
    cursor.leave("}")
    cursor.takes_aggregates, cursor.block = outside
    return found


def _parts(cursor: Cursor) -> list[Part]:
    parts: list[Part] = []
    while cursor.kind != "}":
        cursor.check()
        read = _PARTS.get(cursor.kind)
        if read is not None:
            is_filter = cursor.kind == "FILTER"  # triples before and behind it are one block
            parts.append(read(cursor))
            if not is_filter:
                cursor.begin_block()
            cursor.accept(".")
        elif begins_triples(cursor):
            parts.append(TriplesPart(triples(cursor, path_or_variable)))
            if begins_triples(cursor):
                cursor.refuse("'.', ';', ',' or '}'")
        else:
            cursor.refuse("a pattern or '}'")
    return parts


def _optional(cursor: Cursor) -> OptionalPart:
    cursor.take()
    return OptionalPart(group(cursor))


def _minus(cursor: Cursor) -> MinusPart:
    cursor.take()
    return MinusPart(group(cursor))


def _alternatives(cursor: Cursor) -> UnionPart:
    patterns = [group(cursor)]
    while cursor.accept("UNION"):
        patterns.append(group(cursor))
    return UnionPart(patterns)


def _in_graph(cursor: Cursor) -> GraphPart:
    cursor.take()
    name = variable_or_iri(cursor)
    return GraphPart(name, group(cursor))


def _service(cursor: Cursor) -> ServicePart:
    cursor.take()
    is_silent = cursor.accept("SILENT")
    name = variable_or_iri(cursor)
    first = cursor.at
    pattern = group(cursor)
    return ServicePart(name, pattern, is_silent, cursor.written_from(first))


def _filter(cursor: Cursor) -> FilterPart:
    cursor.take()
    return FilterPart(constraint(cursor))


def _bind(cursor: Cursor) -> BindPart:
    cursor.take()
    cursor.enter("(")
    value = expression(cursor)
    cursor.expect("AS")
    at = cursor.at
    found = BindPart(value, variable(cursor), at)
    cursor.leave(")")
    return found


def _values(cursor: Cursor) -> Part:
    cursor.take()
    return values(cursor)


_PARTS: dict[str, Callable[[Cursor], Part]] = {
    "OPTIONAL": _optional,
    "MINUS": _minus,
    "{": _alternatives,
    "GRAPH": _in_graph,
    "SERVICE": _service,
    "FILTER": _filter,
    "BIND": _bind,
    "VALUES": _values,
}
"""Readers of parts, by their first word."""
