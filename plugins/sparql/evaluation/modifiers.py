"""Parts that change single solutions or their sequence: FILTER, BIND, projection, order, slices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import (
    NONE,
    Ids,
    Solutions,
    concatenated,
    first_rows,
    in_heaps,
)
from rdfinc.plugins.sparql.columns.term_columns import IdColumn, sort_values
from rdfinc.plugins.sparql.evaluation.least_values import of_least_values
from rdfinc.plugins.sparql.evaluation.scope import Scope, standalone
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.expressions.row_blocks import blocks as row_blocks
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.tables.kernels import ranks


def filtered(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """Whatever can be is tested as soon as a basic graph pattern or a BIND has bound its variables,
    or enough parts are joined."""
    tests = scope.conjuncts(part.expr)
    waiting = [test for test in tests if not pushed(scope, test, part.p)]
    left = [test for test in waiting if not _pushed_to_bind(scope, test, part.p)]
    asked = frozenset().union(*(test.outer for test in left))
    late = [test for test in left if not _pushed_to_join(scope, test, part.p)]
    if not scope.is_seen(asked, seed, scope.variables.certain(part.p)):
        yield from scope.uncorrelated(part, seed)
        return
    blocks = scope.solve(part.p, seed)
    for block in blocks if all(test.is_plain for test in late) else scope.placed(blocks):
        rows = block
        for test in late:
            rows = rows.where(scope.holds(test, rows))
        yield rows


def pushed(scope: Scope, test: QueryExpression, part: Node) -> bool:
    """Hands a test down to a basic graph pattern that binds all its variables, if there is one in
    every solution of the part."""
    if part.name == "BGP":
        fits = test.is_plain and test.reads <= scope.variables.certain(part)
        if fits:
            _hand_down(scope, test, part)
        return fits
    return any(pushed(scope, test, part[name]) for name in _INNER.get(part.name, ()))


def _hand_down(scope: Scope, test: QueryExpression, part: Node) -> None:
    scope.memory.tests.setdefault(id(part), {})[id(test)] = test


def _pushed_to_bind(scope: Scope, test: QueryExpression, part: Node) -> bool:
    """Hands a test down to a BIND below, if that has all it reads: then no term is made for a value
    that does not pass."""
    while part.name == "Filter" or (part.name == "Extend" and part.var not in test.reads):
        part = part.p
    if part.name != "Extend" or not test.is_plain or not scope.expression(part.expr).is_plain:
        return False
    is_given = part.var in scope.outer or part.var in scope.unit.columns
    fits = not is_given and test.reads - {part.var} <= scope.variables.certain(part.p)
    if fits:
        _hand_down(scope, test, part)
    return fits


def _pushed_to_join(scope: Scope, test: QueryExpression, part: Node) -> bool:
    """Hands a test down to a join below, if what stands between binds none of its variables: each
    solution there extends one of the join by others (18.5)."""
    possible = scope.variables.possible
    while (
        part.name in ("Filter", "Minus")
        or (part.name == "Extend" and part.var not in test.reads)
        or (part.name == "LeftJoin" and test.reads.isdisjoint(possible(part.p2)))
    ):
        part = part.p1 if part.p is None else part.p
    fits = part.name == "Join" and test.is_plain
    if fits:
        _hand_down(scope, test, part)
    return fits


_INNER = {
    "Join": ("p1", "p2"),
    "Filter": ("p",),
    "Extend": ("p",),
    "Graph": ("p",),
    "LeftJoin": ("p1",),
    "Minus": ("p1",),
}
"""The parts of a part whose solutions each of its solutions extends."""


def bound(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
    """The rows with the value of an expression; those for which it is an error as they are. What is
    bound to no variable is a key of GROUP BY."""
    if part.var is None:
        yield from scope.solve(part.p, seed)
        return
    expression = scope.expression(part.expr)
    is_new = seed is scope.unit or part.var not in seed.columns
    if not is_new or not scope.is_seen(expression.outer, seed, scope.variables.certain(part.p)):
        yield from scope.uncorrelated(part, seed, part.var)
        return
    blocks = scope.solve(part.p, seed)
    tests = scope.memory.tests.get(id(part), {}).values()
    for rows in blocks if expression.is_plain else scope.placed(blocks):
        yield _tested(scope, part, tests, rows) if tests else with_value(scope, part, rows)


def _tested(
    scope: Scope, part: Node, tests: Iterable[QueryExpression], rows: Solutions
) -> Solutions:
    """Those rows with the value of a BIND that pass some tests."""
    found, expression = [], scope.expression(part.expr)
    for block in row_blocks(rows, scope):
        column = expression.column(block)
        block.give(part.var, column)
        passed = np.logical_and.reduce([test.is_true(block) for test in tests])
        kept = np.flatnonzero(passed)
        values = {part.var: block.ids_at(column, kept)}
        found.append(rows.take(block.numbers[kept]).with_columns(values))
    return concatenated(found)


def with_value(scope: Scope, part: Node, rows: Solutions) -> Solutions:
    """Some rows with the value that a BIND gives to its variable."""
    values = scope.values(scope.expression(part.expr), rows)
    wider = rows.with_columns({part.var: np.where(values, values, rows.column(part.var))})
    return scope.labels.hand_on(rows, wider)


@standalone
def projected(scope: Scope, part: Node) -> Iterator[Solutions]:
    """The named variables, and those with initial bindings, which hold everywhere."""
    kept = list(dict.fromkeys([*part.PV, *scope.unit.columns, *scope.own]))
    for rows in scope.alone(part.p):
        yield rows.only(kept)


@standalone
def reduced(scope: Scope, part: Node) -> Iterator[Solutions]:
    """All rows: REDUCED allows it, and it is quickest."""
    return scope.alone(part.p)


@standalone
def distinct(scope: Scope, part: Node) -> Iterator[Solutions]:
    """The first of equal rows each.

    Rows wait until they are as many as those that went out, so that all comparisons together cost
    O(n log n); the first block does not wait.
    """
    seen, waiting = Solutions(0), []
    for block in scope.placed(scope.alone(part.p)):
        waiting.append(block)
        if sum(some.size for some in waiting) >= seen.size:
            seen, fresh = _told_apart(seen, waiting)
            waiting = []
            yield scope.budget.keep(fresh)
    if waiting:
        yield _told_apart(seen, waiting)[1]


def _told_apart(seen: Solutions, blocks: list[Solutions]) -> tuple[Solutions, Solutions]:
    """All rows seen once the blocks are, and those of them that are new."""
    together = concatenated([seen, *blocks])
    first = first_rows(together)
    return together.take(first), together.take(first[first >= seen.size])


@standalone
def sliced(scope: Scope, part: Node) -> Iterator[Solutions]:
    """The rows of each graph from some place on, up to a number."""
    return _sliced_at_once(scope, part) if scope.own else _sliced(scope, part)


def _sliced_at_once(scope: Scope, part: Node) -> Iterator[Solutions]:
    blocks = [scope.budget.keep(block) for block in scope.placed(scope.alone(part.p))]
    rows = concatenated([NONE, *blocks])
    places = ranks(rows.column(scope.own[0]))
    kept = places >= part.start
    yield rows.where(kept if part.length is None else kept & (places < part.start + part.length))


def _sliced(scope: Scope, part: Node) -> Iterator[Solutions]:
    """Reads no more than it needs."""
    if part.length is not None:
        ask_for_first(scope, part.p, part.start + part.length)
    skip, left = part.start, part.length
    for block in scope.alone(part.p) if left != 0 else ():
        stop = block.size if left is None else min(block.size, skip + left)
        rows = block.slice(min(skip, block.size), stop)
        skip = max(0, skip - block.size)
        yield rows
        if left is not None:
            left -= rows.size
            if left == 0:
                return


def ask_for_first(scope: Scope, part: Node, wanted: int) -> None:
    """Lets no more than some first solutions of a part be looked for at once."""
    scope.memory.wanted.update(dict.fromkeys(_streamed(part), wanted))


def _streamed(part: Node) -> Iterator[int]:
    """The identities of the part that a slice is of, and of the parts in it whose solutions go
    through one by one: of none are more looked for than the slice asks for."""
    parts = [part]
    while parts:
        part = parts.pop()
        while part.name == "Project":
            part = part.p
        yield id(part)
        parts += [part[name] for name in _INNER.get(part.name, ())]


@standalone
def ordered(scope: Scope, part: Node) -> Iterator[Solutions]:
    """Stable. A condition is evaluated for the rows that are alike by those before it: O(n log n),
    and a comparison of terms for distinct ones only. Where only the first rows are asked for, the
    others are not looked for, or dropped on the way."""
    wanted = None if scope.own else scope.memory.wanted.get(id(part))
    if wanted is None:
        blocks = [scope.budget.keep(block) for block in scope.placed(scope.alone(part.p))]
        rows = concatenated([NONE, *blocks])
        yield _in_order(scope, part, rows, rows.size)
        return
    rows = NONE
    found = of_least_values(scope, part, wanted) or scope.alone(part.p)
    for blocks in in_heaps(found, max(QUERIES.solutions_block, wanted)):
        rows = _in_order(scope, part, concatenated([rows, *blocks]), wanted).slice(0, wanted)
    yield scope.budget.keep(rows)


def _in_order(scope: Scope, part: Node, rows: Solutions, wanted: int) -> Solutions:
    """The rows, of which so many at the front are in order."""
    if rows.size < 2:
        return rows
    order = np.arange(rows.size)
    tied, groups = order.copy(), np.zeros(rows.size, np.int64)
    for condition in part.expr:
        if not tied.size:
            break
        values = scope.values(scope.expression(condition.expr), rows.take(order[tied]))
        places = _places(values, scope.terms)
        keys = -places if condition.order == "DESC" else places
        by = np.lexsort((keys, groups[tied]))
        order[tied] = order[tied][by]
        begins = _changes(groups[tied]) | _changes(keys[by])
        groups[tied] = tied[np.flatnonzero(begins)[np.cumsum(begins) - 1]]
        alone = begins & np.append(begins[1:], True)
        tied = tied[~alone & (groups[tied] < wanted)]
    return rows.take(order)


def _changes(column: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    """Where a value is another than the one before it, and the first."""
    return np.append(True, column[1:] != column[:-1])


def _places(ids: Ids, terms: Terms) -> np.ndarray:  # type: ignore[type-arg]
    """A number for each id, in the order of what the terms denote."""
    column = IdColumn(*np.unique(ids, return_inverse=True), terms)
    values = sort_values(column)
    if isinstance(values, np.ndarray) and values.dtype == np.int64:
        return values[column.places]
    places = {found: place for place, found in enumerate(sorted(set(values)))}
    return np.array([places[found] for found in values], np.int64)[column.places]


OPERATORS = {
    "Filter": filtered,
    "Extend": bound,
    "Project": projected,
    "Distinct": distinct,
    "Reduced": reduced,
    "Slice": sliced,
    "OrderBy": ordered,
}
