"""The order in which the patterns of a basic graph pattern are joined, one after the other by index
look-ups.

The next pattern is the one that leaves the fewest rows; of few rows, the first that adds none. The
number of rows is counted where nothing is bound yet, and estimated from a sample of the rows
elsewhere. A condition that leaves few values to a variable (`Among`) counts as long as the variable
has no value.

A pattern that shares no variable with the rows waits while another does share one. The exception is
a pattern with far fewer solutions, to which the best sharing pattern leads: of few vendors of one
country and few offers of one product, all pairs are fewer than all offers of these vendors.

The order is chosen anew for every block of rows. Of many patterns only those with the fewest facts
are compared, so that each costs the same however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import partial
from itertools import chain
from operator import attrgetter
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np
from msgspec import Struct

from rdfinc.plugins.sparql.columns.few_solutions import FewSolutions, Rows, as_fits, by_columns
from rdfinc.plugins.sparql.columns.solutions import Solutions, Variable, partitioned
from rdfinc.plugins.sparql.facts.patterns import Among, FactPattern, product
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.trace import PatternTrace
from rdfinc.tables.kernels import Mask


class Joined(Protocol):
    """The relation with which rows are joined."""

    match: PatternTrace

    def variables(self) -> list[Variable]: ...
    def count(self) -> int: ...
    def extended(self, rows: Solutions) -> Iterable[Solutions]: ...


class Test(Struct, frozen=True):
    """A condition that chooses rows, once they bind its variables."""

    variables: Set[Variable]
    holds: Callable[[Solutions], Mask]


def solve(
    patterns: Sequence[Joined], tests: Sequence[Test], seed: Solutions, first: int | None = None
) -> Iterator[Solutions]:
    """The rows of `seed` joined with those solutions of all patterns that pass the tests, in
    bounded blocks; those that come first are few where only the `first` ones are asked for."""
    if not patterns and not tests:
        yield seed
        return
    if len(patterns) == 1 and not seed.columns:
        joined = _joined_each(patterns[0], as_fits(seed))
        if joined is not None:
            patterns[0].match.note(joined.size, 0)
            patterns[0].match.rows += joined.size
            yield by_columns(_tested(joined, list(tests))[0])
            return
    wanted = QUERIES.first_solutions if first is None else max(first, QUERIES.fewest_solutions)
    waiting = [_Waiting(pattern) for pattern in patterns]
    variables = {v: None for each in waiting for v in each.variables} if seed.columns else ()
    for rows in partitioned(seed, variables):
        yield from _solve(_Remaining.of(waiting, rows), list(tests), rows, wanted)


def _solve(
    remaining: _Remaining, tests: list[Test], rows: Solutions, first: int
) -> Iterator[Solutions]:
    """Depth first; a test is made as soon as it can be."""
    start: Iterator[Rows] = iter((rows,))
    stack = [(remaining, tests, start)]
    while stack:
        remaining, tests, blocks = stack[-1]
        block: Rows | None = next(blocks, None)
        if block is None:
            stack.pop()
            continue
        while True:
            if tests:
                block, tests = _tested(block, tests)
            if not block.size or not (remaining.near or remaining.far):
                yield by_columns(block)
                break
            block = as_fits(block)
            choice = _best(remaining, block)
            remaining = remaining.without(choice.waiting)
            left = len(remaining.near) + len(remaining.far)
            if choice.is_made(first):
                block = choice.made(left)
                continue
            own = _own_tests(choice.waiting, block, tests)
            joined = _joined(choice, left, block, first, own)
            tests = [test for test in tests if test not in own]
            if first < QUERIES.first_solutions:
                joined = chain.from_iterable(_in_parts(b, b.size, first) for b in joined)
            stack.append((remaining, tests, joined))
            break


def _tested(block: Rows, tests: Sequence[Test]) -> tuple[Rows, list[Test]]:
    """The rows that pass those tests whose variables they bind, and the other tests."""
    left, bound = [], block.columns.keys()
    for test in tests:
        if bound >= test.variables:
            block = block.where(test.holds(block.only(test.variables)))
        else:
            left.append(test)
    return block, left


class _Waiting:
    """A pattern that is to be joined, with its variables, and about how many solutions it has."""

    def __init__(self, pattern: Joined) -> None:
        self.pattern, self.variables = pattern, pattern.variables()
        self._count: int | None = None

    @property
    def count(self) -> int:
        if self._count is None:
            self._count = self.pattern.count()
        return self._count


class _Remaining(NamedTuple):
    """The patterns that are not joined with some rows as yet, in the order in which they are looked
    at: those `near`, which have a variable of the rows, or none at all; and those `far`."""

    near: list[_Waiting]
    far: list[_Waiting]

    @classmethod
    def of(cls, waiting: Sequence[_Waiting], rows: Solutions) -> _Remaining:
        if len(waiting) > QUERIES.compared_patterns:
            waiting = sorted(waiting, key=attrgetter("count"))
        ground = [each for each in waiting if not each.variables]
        open_ = [each for each in waiting if each.variables]
        remaining = cls(ground, open_)
        return remaining._nearer(rows.columns.keys()) if rows.columns else remaining

    def _nearer(self, variables: Set[Variable]) -> _Remaining:
        """With what has one of the variables near; values of it that conditions leave are none
        that remain."""
        near, far = self.near.copy(), list[_Waiting]()
        for each in self.far:
            if variables.isdisjoint(each.variables):
                far.append(each)
            elif not isinstance(each.pattern, Among):
                near.append(each)
        return _Remaining(near, far)

    def without(self, chosen: _Waiting) -> _Remaining:
        """Those that remain once one is joined."""
        near = [each for each in self.near if each is not chosen]
        if len(self.far) == 1 and self.far[0] is chosen:
            return _Remaining(near, [])
        if not self.far:
            return _Remaining(near, self.far)
        far = [each for each in self.far if each is not chosen]
        return _Remaining(near, far)._nearer(frozenset(chosen.variables))


class _NextPattern(NamedTuple):
    """A pattern to join next: about how many rows there are then, and the rows if they are few and
    known by now."""

    waiting: _Waiting
    expected: float
    joined: list[Rows] | None = None

    def is_made(self, most: int) -> bool:
        """Whether the rows are known by now, and one block of so many at most."""
        return self.joined is not None and len(self.joined) == 1 and self.joined[0].size <= most

    def made(self, others: int) -> Rows:
        """The rows, others being left."""
        assert self.joined is not None
        (rows,), match = self.joined, self.waiting.pattern.match
        match.note(self.expected, others)
        match.rows += rows.size
        return rows


def _best(remaining: _Remaining, rows: Rows) -> _NextPattern:
    """The pattern near the rows that leaves the fewest, or the one with the fewest solutions if
    none is near; once there are rows and these are few, the first that adds none, so that a star
    takes about as many look-ups as it has patterns."""
    if not remaining.near:
        some = remaining.far[: QUERIES.compared_patterns]
        return _fewest(some, rows)
    best: _NextPattern | None = None
    is_few = bool(rows.columns) and rows.size <= QUERIES.sampled_solutions
    for choice in _choices(remaining.near, rows):
        if is_few and choice.expected <= rows.size:
            return choice
        if best is None or choice.expected < best.expected:
            best = choice
    assert best is not None
    return _led_to(best, remaining, rows) or best


def _led_to(best: _NextPattern, remaining: _Remaining, rows: Rows) -> _NextPattern | None:
    """A pattern that has a variable of the best one near the rows, where all pairs of its solutions
    and the rows are far fewer than the rows joined with that one."""
    most = best.expected / QUERIES.led_to_share
    if most <= QUERIES.sampled_solutions:
        return None
    some = [
        each
        for each in remaining.far[: QUERIES.compared_patterns]
        if set(best.waiting.variables) & set(each.variables) and each.count * rows.size <= most
    ]
    return _fewest(some, rows) if some else None


def _fewest(some: Sequence[_Waiting], rows: Rows) -> _NextPattern:
    """The pattern that leaves the fewest rows, or the first that adds none, where each of its
    solutions is joined with each row. They are counted, unless they are found as quickly."""
    best: _NextPattern | None = None
    for each in some:
        joined = _joined_each(each.pattern, rows)
        if joined is not None:
            choice = _NextPattern(each, joined.size, [joined])
            if joined.size <= rows.size:
                return choice
        else:
            choice = _NextPattern(each, each.count * rows.size)
        if best is None or choice.expected < best.expected:
            best = choice
    assert best is not None
    return best


def _joined_each(pattern: Joined, rows: Rows) -> FewSolutions | None:
    """Few rows joined with a pattern one by one, if that can be."""
    if isinstance(rows, FewSolutions) and isinstance(pattern, FactPattern):
        return pattern.extended_each(rows)
    return None


def _extended(pattern: Joined, rows: Rows) -> Iterable[Rows]:
    """Rows joined with a pattern."""
    few = _joined_each(pattern, rows)
    return pattern.extended(by_columns(rows)) if few is None else (few,)


def _choices(near: Sequence[_Waiting], rows: Rows) -> Iterator[_NextPattern]:
    sample = rows
    if rows.size > QUERIES.sampled_solutions:
        most = QUERIES.sampled_solutions
        sample = rows.take(np.arange(most) * (rows.size - 1) // (most - 1))
    for each in near[: QUERIES.compared_patterns]:
        if each.variables:
            found, joined = _sampled(each.pattern, sample)
            expected = found * rows.size / max(1, sample.size)
            yield _NextPattern(each, expected, joined if sample is rows else None)
        else:
            yield _NextPattern(each, float(each.count * rows.size))


def _sampled(pattern: Joined, sample: Rows) -> tuple[int, list[Rows] | None]:
    """How many rows there are when a sample is joined; and these, unless they are many."""
    found, joined = 0, list[Rows]()
    for block in _extended(pattern, sample):
        found += block.size
        if found <= QUERIES.first_solutions:
            joined.append(block)
    return found, joined if found <= QUERIES.first_solutions else None


def _joined(
    choice: _NextPattern, others: int, rows: Rows, first: int, own: Sequence[Test]
) -> Iterator[Rows]:
    """The rows joined with the pattern that is chosen, whose `own` tests it passes, others being
    left, in non-empty blocks."""
    pattern, expected = choice.waiting.pattern, choice.expected
    match, start = pattern.match, perf_counter()
    match.note(expected, others)
    joined: Iterable[Rows] | None = choice.joined
    if own:
        joined = _crossed(pattern, by_columns(rows), own)
    elif joined is None:
        parts = _in_parts(rows, expected, first)
        joined = chain.from_iterable(map(partial(_extended, pattern), parts))
    for block in joined:
        match.rows += block.size
        match.seconds += perf_counter() - start
        if block.size:
            yield block
        start = perf_counter()
    match.seconds += perf_counter() - start


def _own_tests(waiting: _Waiting, rows: Rows, tests: Sequence[Test]) -> list[Test]:
    """The tests of a pattern that shares no variable with the rows, and of nothing else."""
    if not tests or not rows.columns:
        return []
    variables = set(waiting.variables)
    if not variables.isdisjoint(rows.columns):
        return []
    return [test for test in tests if test.variables <= variables]


def _crossed(pattern: Joined, rows: Solutions, tests: Sequence[Test]) -> Iterator[Solutions]:
    """Every row with every solution of a pattern that passes some tests: a test reads nothing but
    what it is made on, so that it chooses the same pairs before they are made (18.5: Filter(F,
    Join(A, B)) is Join(A, Filter(F, B)) where B binds all variables of F in each solution)."""
    for block in pattern.extended(Solutions()):
        kept = by_columns(_tested(block, tests)[0])
        if kept.size:
            yield from product(rows, kept.columns)


def _in_parts(rows: Rows, expected: float, first: int) -> Iterator[Rows]:
    """The rows in parts of which each gives about a block, of fewer rows where these are wide; the
    first ones less, for LIMIT."""
    wide = max(1, len(rows.columns) / QUERIES.narrow_rows)
    step, most = (
        max(1, int(size * rows.size / max(expected, size)))
        for size in (max(1, first // wide), max(1, QUERIES.solutions_block // wide))
    )
    start = 0
    while start < rows.size:
        yield rows.slice(start, start + step)
        start, step = start + step, min(4 * step, most)
