"""GROUP BY and aggregates over columns of ids.

What an aggregate gives is `rdfinc.terms.aggregates`' where that has it: over something that is no
number, or over an error, SUM and AVG have no value; COUNT passes over errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Literal, Variable

from rdfinc.plugins.sparql.scope import Scope, apart
from rdfinc.plugins.sparql.solutions import (
    Ids,
    Solutions,
    first_of_each,
    numbers_of,
)
from rdfinc.plugins.sparql.values import literal, rank
from rdfinc.terms.aggregates import aggregate
from rdfinc.terms.convert import key_of
from rdfinc.terms.rdflib_terms import to_rdflib

Numbers = npt.NDArray[np.int64]


@apart
def grouped(scope: Scope, part: CompValue) -> Iterator[Solutions]:
    """One row a group, in the order in which groups come first.

    Without GROUP BY there is one group, even of nothing. An error is a key like others.
    """
    yield in_groups(scope, part, scope.all(part.p.p))


def in_groups(scope: Scope, part: CompValue, rows: Solutions) -> Solutions:
    """One row for each group of some rows."""
    keys = _keys(part.p)
    groups = _groups(scope, keys, rows)
    columns: dict[Any, Ids] = {}
    for key in keys:
        if isinstance(key, Variable):
            columns[key] = rows.column(key)[groups.first]
    for function in part.A:
        columns[function.res] = scope.terms.numbers(_aggregated(scope, function, rows, groups))
    return Solutions(groups.count, columns)


def _keys(group: CompValue) -> list[Any]:
    """The keys of GROUP BY. `(expression)` without a name is None there, and the expression stands
    in a BIND without a variable below, the first one innermost."""
    unnamed, below = [], group.p
    while below.name == "Extend":
        unnamed += [below.expr] if below.var is None else []
        below = below.p
    return [unnamed.pop() if key is None else key for key in group.expr or ()]


class Groups:
    """The group of each row, and where each group begins."""

    def __init__(self, numbers: Numbers, first: npt.NDArray[np.intp], count: int) -> None:
        self.of, self.first, self.count = numbers, first, count

    def sizes(self) -> Numbers:
        return np.bincount(self.of, minlength=self.count)

    def split(self, ids: Ids) -> list[list[int]]:
        """The ids of each group, in the order of the rows."""
        order = np.argsort(self.of, kind="stable")
        stops = np.cumsum(self.sizes())[:-1]
        return [part.tolist() for part in np.split(ids[order], stops)] if self.count else []


def _groups(scope: Scope, keys: Any, rows: Solutions) -> Groups:
    if not keys:
        return Groups(np.zeros(rows.size, np.int64), np.zeros(0, np.intp), 1)
    columns = [scope.values(scope.expression(key), rows) for key in keys]
    numbers, count = numbers_of([[column] for column in columns])
    first = first_of_each(numbers, count)
    place = np.empty(count, np.int64)
    place[numbers[first]] = np.arange(count)
    return Groups(place[numbers], first, count)


def _aggregated(scope: Scope, function: CompValue, rows: Solutions, groups: Groups) -> list[Any]:
    """The value of an aggregate for each group, None for an error."""
    name = function.name.removeprefix("Aggregate_")
    distinct = bool(function.distinct)
    if function.vars == "*":
        return list(map(literal, _sizes(rows, groups, distinct).tolist()))
    ids = scope.values(scope.expression(function.vars), rows)
    if name == "Count":
        known = _where(groups, np.flatnonzero(ids))
        one = Solutions(len(known.of), {"value": ids[ids > 0]})
        return list(map(literal, _sizes(one, known, distinct).tolist()))
    evaluate = _FUNCTIONS[name]
    parts = groups.split(ids)
    if distinct:
        parts = [list(dict.fromkeys(part)) for part in parts]
    term, checked = scope.terms.term, scope.budget.checked(parts)
    return [evaluate(list(map(term, part)), function) for part in checked]


def _where(groups: Groups, rows: npt.NDArray[np.intp]) -> Groups:
    return Groups(groups.of[rows], groups.first, groups.count)


def _sizes(rows: Solutions, groups: Groups, distinct: bool) -> Numbers:
    """How many rows, or distinct rows, each group has."""
    if not distinct or not rows.size:
        return groups.sizes()
    columns = [[groups.of.astype(np.uint32)], *([column] for column in rows.columns.values())]
    numbers, count = numbers_of(columns)
    return _where(groups, first_of_each(numbers, count)).sizes()


def _numeric(name: str) -> Callable[[list[Any], CompValue], Any]:
    def evaluate(terms: list[Any], function: CompValue) -> Any:
        if not terms:
            return literal(0)
        keys = [None if term is None else key_of(term) for term in terms]
        found = aggregate(name, keys, distinct=False)
        return None if found is None else to_rdflib(found)

    return evaluate


def _least(terms: list[Any], function: CompValue) -> Any:
    return None if not terms or None in terms else min(terms, key=_order)


def _greatest(terms: list[Any], function: CompValue) -> Any:
    return None if not terms or None in terms else max(terms, key=_order)


def _order(term: Any) -> Any:
    return rank(term), key_of(term)


def _any(terms: list[Any], function: CompValue) -> Any:
    return next((term for term in terms if term is not None), None)


def _text(terms: list[Any], function: CompValue) -> Any:
    separator = " " if function.separator is None else function.separator
    return Literal(separator.join(str(term) for term in terms if term is not None))


_FUNCTIONS: dict[str, Callable[[list[Any], CompValue], Any]] = {
    "Sum": _numeric("SUM"),
    "Avg": _numeric("AVG"),
    "Min": _least,
    "Max": _greatest,
    "Sample": _any,
    "GroupConcat": _text,
}

OPERATORS = {"AggregateJoin": grouped}
