"""The change of a query's solutions for a change of the facts, found from the change alone.

Solutions are multisets, and so are differences: signed rows, of which equal ones with opposite
signs cancel. Parts that treat each row by itself, and joins, are linear: their difference is made
of the differences of their operands (for joins Δ(A ⋈ B) = ΔA ⋈ B_old + A_new ⋈ ΔB). A part that
looks at other facts for each row (OPTIONAL, MINUS, EXISTS, DISTINCT, groups) is evaluated before
and after for the rows that may be concerned.

Reference: Gupta, Mumick, Subrahmanian, Maintaining views incrementally, SIGMOD 1993 (counting).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from rdfinc.plugins.sparql.columns.solutions import (
    NONE,
    Solutions,
    concatenated,
    distinct,
    numbers_of,
    tallied,
)
from rdfinc.plugins.sparql.evaluation import grouping, joins, modifiers
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.join_order import solve
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.watches.watchable import key_of, left_of, patterns_beside

Signed = Iterator[tuple[int, Solutions]]
"""Rows with 1 (they are more now) or -1 (less); some may cancel."""


class AnswerDifference(Struct, frozen=True):
    """Evaluates the difference of parts between two versions: `old`, and `new` with `added` and
    without `removed`, whose facts no one else has."""

    old: Scope
    new: Scope
    added: GraphFacts
    removed: GraphFacts

    def of(self, part: Node) -> Signed:
        return _RULES[part.name](self, part)

    def _pattern(self, part: Node) -> Signed:
        """Each triple pattern in turn is matched with what has changed only; those before it with
        the facts as they are now, those after it as they were."""
        now = [joins.pattern(self.new, triple) for triple in part.triples]
        before = [joins.pattern(self.old, triple) for triple in part.triples]
        for sign, facts in ((1, self.added), (-1, self.removed)):
            for at, triple in enumerate(part.triples):
                changed = joins.pattern(self.new.inside(facts), triple)
                if changed.count():
                    patterns = [*now[:at], changed, *before[at + 1 :]]
                    for rows in solve(patterns, (), self.new.unit):
                        yield sign, rows

    def _join(self, part: Node) -> Signed:
        for sign, rows in self.of(part.p1):
            for found in self.old.solve(part.p2, rows):
                yield sign, found
        for sign, rows in self.of(part.p2):
            for found in self.new.solve(part.p1, rows):
                yield sign, found

    def _union(self, part: Node) -> Signed:
        yield from self.of(part.p1)
        yield from self.of(part.p2)

    def _given(self, part: Node) -> Signed:
        """VALUES."""
        return iter(())

    def _inner(self, part: Node) -> Signed:
        """The part below one that only orders rows, or may keep all."""
        return self.of(part.p)

    def _bound(self, part: Node) -> Signed:
        for sign, rows in self.of(part.p):
            yield sign, modifiers.with_value(self.new, part, rows)

    def _projected(self, part: Node) -> Signed:
        for sign, rows in self.of(part.p):
            yield sign, rows.only(part.PV)

    # -- parts that look at something else for each of their left rows

    def _beside(self, part: Node) -> Signed:
        """With L(rows, facts) for the part over left rows: L(new rows, new) - L(old rows, old) =
        L(Δ rows, new) + (L(concerned, new) - L(concerned, old)). The concerned rows are old ones
        with a change of the facts that they look at."""
        make = _MADE[part.name]
        for sign, rows in self.of(left_of(part)):
            for found in make(self.new, part, rows):
                yield sign, found
        concerned = self._concerned(left_of(part), patterns_beside(part))
        if concerned.size:
            for sign, scope in ((1, self.new), (-1, self.old)):
                for found in make(scope, part, concerned):
                    yield sign, found

    def _concerned(self, left: Node, patterns: Sequence[Node]) -> Solutions:
        """The old rows that agree with a change of one of the patterns, each as often as it is."""
        found = NONE
        for pattern in patterns:
            key = key_of(left, pattern)
            changed = [rows.only(key) for _, rows in self._pattern(pattern)]
            if changed:
                rows = [found, *self.old.solve(left, distinct(concatenated(changed)))]
                found = _first_source(concatenated(rows), found.size)
        return found

    # -- parts that look at other rows

    def _distinct(self, part: Node) -> Signed:
        """A row counts if it is there at all, before and now."""
        variables, body = part.p.PV, _unordered(part.p.p)
        rows, change = net(self.of(part.p), variables)
        now = self._times(body, rows, variables)
        before = now - change
        yield 1, rows.take(np.flatnonzero((now > 0) & (before == 0)))
        yield -1, rows.take(np.flatnonzero((now == 0) & (before > 0)))

    def _times(self, body: Node, rows: Solutions, variables: Sequence[Any]) -> Any:
        """How often each of some distinct rows is shown now."""
        times = np.zeros(rows.size, np.int64)
        key = [v for v in rows.columns if v in self.new.variables.certain(body)]
        if rows.size:
            for found in self.new.solve(body, distinct(rows.only(key))):
                shown = found.only(variables)
                sides = [[rows.column(v), shown.column(v)] for v in variables]
                numbers, count = numbers_of(sides)
                places = np.full(count, -1)
                places[numbers[: rows.size]] = np.arange(rows.size)
                at = places[numbers[rows.size :]]
                times += np.bincount(at[at >= 0], minlength=rows.size)
        return times

    def _grouped(self, part: Node) -> Signed:
        """Groups of which a row has changed, before and now."""
        body, keys = part.p.p, part.p.expr
        changed = [rows.only(keys) for _, rows in self.of(body)]
        if not changed:
            return
        seed = distinct(concatenated(changed))
        for sign, scope in ((1, self.new), (-1, self.old)):
            found = list(scope.solve(body, seed))
            if found:
                yield sign, grouping.in_groups(scope, part, found)


def _first_source(rows: Solutions, size: int) -> Solutions:
    """Without those rows behind the first `size` ones that equal one of them."""
    if not size:
        return rows
    numbers, count = numbers_of([[column] for column in rows.columns.values()])
    known = np.zeros(count, np.bool_)
    known[numbers[:size]] = True
    return rows.where((np.arange(rows.size) < size) | ~known[numbers])


def _unordered(part: Node) -> Node:
    return _unordered(part.p) if part.name == "OrderBy" else part


def net(changes: Signed, variables: Sequence[Any]) -> tuple[Solutions, Any]:
    """Distinct rows over the variables, and how many more of each there are, never 0."""
    signs, blocks = [np.empty(0, np.int64)], [NONE]
    for sign, rows in changes:
        signs.append(np.full(rows.size, sign))
        blocks.append(rows.only(variables))
    together, weights = concatenated(blocks), np.concatenate(signs)
    rows, sums = tallied(together, weights)
    changed = np.flatnonzero(sums)
    return rows.take(changed), sums[changed]


def changed_answers(difference: AnswerDifference, part: Node, variables: Sequence[Any]) -> Any:
    """The answers that have come and those that have gone, as multisets."""
    rows, change = net(difference.of(part), variables)
    order = np.arange(rows.size)
    return tuple(rows.take(np.repeat(order, np.maximum(times, 0))) for times in (change, -change))


# -- what parts make of given left rows


def _filtered(scope: Scope, part: Node, rows: Solutions) -> Iterator[Solutions]:
    yield rows.where(scope.holds(scope.expression(part.expr), rows))


def _less(scope: Scope, part: Node, rows: Solutions) -> Iterator[Solutions]:
    variables = scope.variables
    shared = variables.possible(part.p1) & variables.possible(part.p2)
    key = shared & variables.certain(part.p1) & variables.certain(part.p2)
    seed = distinct(rows.only(sorted(key)))
    right = [NONE, *(scope.solve(part.p2, seed) if key else scope.alone(part.p2))]
    yield rows.where(~joins.meets(rows, concatenated(right).only(shared)))


_MADE: dict[str, Callable[[Scope, Node, Solutions], Iterator[Solutions]]] = {
    "LeftJoin": joins.perhaps,
    "Minus": _less,
    "Filter": _filtered,
}

_RULES: dict[str, Callable[[AnswerDifference, Node], Signed]] = {
    "BGP": AnswerDifference._pattern,
    "Join": AnswerDifference._join,
    "LeftJoin": AnswerDifference._beside,
    "Union": AnswerDifference._union,
    "Minus": AnswerDifference._beside,
    "Filter": AnswerDifference._beside,
    "Extend": AnswerDifference._bound,
    "ToMultiSet": AnswerDifference._given,
    "AggregateJoin": AnswerDifference._grouped,
    "OrderBy": AnswerDifference._inner,
    "Reduced": AnswerDifference._inner,
    "Project": AnswerDifference._projected,
    "Distinct": AnswerDifference._distinct,
}
