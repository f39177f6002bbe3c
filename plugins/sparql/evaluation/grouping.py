"""GROUP BY and aggregates over columns of ids.

Of each row only the columns read by keys and aggregates are kept, and each different row once with
its number of occurrences: memory is bounded by these, not by the rows. Values of aggregates are
those of `terms.expressions.aggregates`, except over errors and terms that are no numbers: SUM and
AVG have no value then, and COUNT passes over errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from rdflib.term import Variable

from rdfinc.plugins.sparql.columns.solutions import (
    NONE,
    Ids,
    Numbers,
    Solutions,
    concatenated,
    distinct,
    first_of_each,
    join,
    numbers_of,
)
from rdfinc.plugins.sparql.columns.term_columns import IdColumn
from rdfinc.plugins.sparql.evaluation.column_aggregates import (
    GroupedColumn,
    averages,
    greatest,
    joined,
    least,
    sample,
    sums,
)
from rdfinc.plugins.sparql.evaluation.scope import Scope, standalone
from rdfinc.plugins.sparql.evaluation.tally import Tally
from rdfinc.plugins.sparql.facts.named_facts import NamedFacts
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.tables import kernels
from rdfinc.tables.kernels import Indices
from rdfinc.terms.builtins.values import key_of


@standalone
def grouped(scope: Scope, part: Node) -> Iterator[Solutions]:
    """One row a group, in the order in which groups come first.

    Without GROUP BY there is one group, even of nothing: in each graph, where there are several. An
    error is a key like others.
    """
    found = in_groups(scope, part, scope.placed(scope.alone(part.p.p)))
    yield found
    if isinstance(scope.facts, NamedFacts) and not _keys(part.p):
        graphs, graph = scope.facts.everywhere(scope.terms), scope.facts.graph
        others = graphs.where(~np.isin(graphs.column(graph), found.column(graph)))
        yield from join(others, _by_keys(scope, part, [], ()))


def in_groups(scope: Scope, part: Node, blocks: Iterable[Solutions]) -> Solutions:
    """One row for each group of the rows in some blocks."""
    return _by_keys(scope, part, [*_keys(part.p), *scope.own], blocks)


def _by_keys(
    scope: Scope, part: Node, keys: Sequence[Any], blocks: Iterable[Solutions]
) -> Solutions:
    given = scope.unit.columns.items()
    if not keys and all(_counts_rows(scope, part, function) for function in part.A):
        size = _numbered(scope, np.array([sum(block.size for block in blocks)]))
        return Solutions(1, {**dict(given), **{function.res: size for function in part.A}})
    rows, times = _counted(scope, part, keys, blocks)
    groups = _groups(scope, keys, rows)
    columns: dict[Any, Ids] = {v: np.repeat(column, groups.count) for v, column in given}
    for key in keys:
        if isinstance(key, Variable):
            columns[key] = rows.column(key)[groups.first]
    for function in part.A:
        columns[function.res] = (
            _numbered(scope, groups.sizes(times))
            if _counts_rows(scope, part, function)
            else _aggregated(scope, function, rows, times, groups)
        )
    return Solutions(groups.count, columns)


def _counts_rows(scope: Scope, part: Node, function: Node) -> bool:
    """Whether an aggregate is the number of rows, as COUNT is of what every solution binds."""
    counted = function.vars
    if function.name != "Aggregate_Count" or function.distinct:
        return False
    if not isinstance(counted, Variable):
        return bool(counted == "*")
    return counted in scope.variables.certain(part.p.p)


def _counted(
    scope: Scope, part: Node, keys: Iterable[Any], blocks: Iterable[Solutions]
) -> tuple[Solutions, Numbers]:
    """The columns of some rows that keys and aggregates read, and how often each such row
    occurs."""
    read = [f.vars for f in part.A if not _counts_rows(scope, part, f)]
    expressions = [scope.expression(each) for each in (*keys, *read)]
    if any(map(_is_text, part.A)) or any(each.is_volatile for each in expressions):
        rows = concatenated([NONE, *(scope.budget.keep(block) for block in blocks)])
        return rows, np.ones(rows.size, np.int64)
    reads = frozenset().union(*(each.outer for each in expressions))
    whole = any(f.vars == "*" and f.distinct for f in part.A)
    tally = Tally(scope.budget)
    for block in blocks:
        tally.add(block if whole else block.only([v for v in block.columns if v in reads]))
    return tally.counted()


def _is_text(function: Node) -> bool:
    """Whether the order of the rows counts."""
    return function.name == "Aggregate_GroupConcat"


def _keys(group: Node) -> list[Any]:
    """The keys of GROUP BY. `(expression)` without a name is None there, and the expression stands
    in a BIND without a variable below, the first one innermost."""
    unnamed, below = [], group.p
    while below.name == "Extend":
        unnamed += [below.expr] if below.var is None else []
        below = below.p
    return [unnamed.pop() if key is None else key for key in group.expr or ()]


class RowGroups:
    """The group of each row, and where each group begins."""

    def __init__(self, numbers: Numbers, first: Indices, count: int) -> None:
        self.of, self.first, self.count = numbers, first, count

    def sizes(self, times: Numbers) -> Numbers:
        return np.bincount(self.of, times, minlength=self.count).astype(np.int64)


def _groups(scope: Scope, keys: Any, rows: Solutions) -> RowGroups:
    if not keys:
        return RowGroups(np.zeros(rows.size, np.int64), np.zeros(0, np.intp), 1)
    columns = [scope.values(scope.expression(key), rows) for key in keys]
    numbers, count = numbers_of([[column] for column in columns])
    first = first_of_each(numbers, count)
    place = np.empty(count, np.int64)
    place[numbers[first]] = np.arange(count)
    return RowGroups(place[numbers], first, count)


def _aggregated(
    scope: Scope, function: Node, rows: Solutions, times: Numbers, groups: RowGroups
) -> Ids:
    """The value of an aggregate for each group, 0 for an error."""
    if function.vars == "*":
        groups, times, _ = _told_apart(groups, rows)
        return _numbered(scope, groups.sizes(times))
    values = Solutions(rows.size, {"value": scope.values(scope.expression(function.vars), rows)})
    if function.distinct:
        groups, times, values = _told_apart(groups, values)
    ids = values.column("value")
    if function.name == "Aggregate_Count":
        return _numbered(scope, groups.sizes(np.where(ids > 0, times, 0)))
    if not ids.size:
        return scope.terms.numbers_of_keys([_OF_NOTHING.get(function.name)] * groups.count)
    column = IdColumn(*kernels.numbered(ids), scope.terms)
    grouped = GroupedColumn(column, groups.of, times, groups.count)
    return scope.terms.numbers_of_keys(_FUNCTIONS[function.name](grouped, function))


_OF_NOTHING = {
    "Aggregate_Sum": key_of(0), "Aggregate_Avg": key_of(0), "Aggregate_GroupConcat": key_of("")
}  # fmt: skip


def _numbered(scope: Scope, counts: Numbers) -> Ids:
    """The literals of some counts, each different one made once."""
    if counts.size == 1:
        return scope.terms.numbers_of_keys([key_of(counts.item())])
    distinct, places = np.unique(counts, return_inverse=True)
    return scope.terms.numbers_of_keys(list(map(key_of, distinct.tolist())))[places]


def _told_apart(groups: RowGroups, rows: Solutions) -> tuple[RowGroups, Numbers, Solutions]:
    """The different rows of each group, each of which counts once."""
    group = object()
    found = distinct(rows.with_columns({group: groups.of.astype(np.uint32)}))
    numbers = found.column(group).astype(np.int64)
    apart = RowGroups(numbers, groups.first, groups.count)
    return apart, np.ones(found.size, np.int64), found.without(group)


_FUNCTIONS: dict[str, Callable[[GroupedColumn, Node], Sequence[bytes | None]]] = {
    "Aggregate_Sum": lambda grouped, _: sums(grouped),
    "Aggregate_Avg": lambda grouped, _: averages(grouped),
    "Aggregate_Min": lambda grouped, _: least(grouped),
    "Aggregate_Max": lambda grouped, _: greatest(grouped),
    "Aggregate_Sample": lambda grouped, _: sample(grouped),
    "Aggregate_GroupConcat": lambda grouped, function: joined(grouped, function.separator),
}

OPERATORS = {"AggregateJoin": grouped}
