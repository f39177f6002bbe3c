"""Basic graph patterns over ids: triple patterns, their order, and their evaluation.

A triple pattern has three slots, each an id or a variable (anything but an int). The patterns are
joined one after the other, the most selective first; a pattern is looked up row by row where few
rows are bound so far, and read as columns and joined where many are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from rdfinc.plugins.sparql.solutions import Ids, Solutions, Variable, join

Fact = tuple[int, int, int]
TriplePattern = tuple[Variable, Variable, Variable]

FACTS_READ_PER_LOOKUP = 150
"""As many facts are read and joined as columns in the time of one lookup."""


class View(Protocol):
    """The facts that patterns are matched against; None matches every id."""

    def match(self, s: int | None, p: int | None, o: int | None) -> Iterator[Fact]: ...

    def columns(self, s: int | None, p: int | None, o: int | None) -> tuple[Ids, Ids, Ids]: ...


Estimate = Callable[["int | None", "int | None", "int | None"], int]
"""About how many facts match; it decides the order of work only."""


def solve(view: View, patterns: Sequence[TriplePattern], estimate: Estimate) -> Iterator[Solutions]:
    """The solutions of a basic graph pattern, in blocks of a bounded number of rows."""
    counts = {pattern: estimate(*constants(pattern)) for pattern in patterns}
    return _solve(view, counts, Solutions())


def _solve(
    view: View, counts: dict[TriplePattern, int], solutions: Solutions
) -> Iterator[Solutions]:
    """`solutions` joined with all patterns of `counts`, depth first."""
    if not counts:
        yield solutions
        return
    pattern = min(counts, key=lambda p: _rank(p, counts[p], solutions))
    others = {p: n for p, n in counts.items() if p != pattern}
    for block in extend(view, solutions, pattern, counts[pattern]):
        yield from _solve(view, others, block)


def constants(pattern: TriplePattern) -> tuple[int | None, int | None, int | None]:
    s, p, o = (slot if isinstance(slot, int) else None for slot in pattern)
    return s, p, o


def variables(pattern: TriplePattern) -> list[Variable]:
    return list(dict.fromkeys(slot for slot in pattern if not isinstance(slot, int)))


def _rank(pattern: TriplePattern, count: int, solutions: Solutions) -> tuple[int, int]:
    """Patterns that bind nothing new come first, those that share no variable last."""
    own = variables(pattern)
    unbound = sum(v not in solutions.columns for v in own)
    if unbound == 0:
        return 0, count
    return (2 if solutions.columns and unbound == len(own) else 1), count


def extend(
    view: View, solutions: Solutions, pattern: TriplePattern, count: int
) -> Iterator[Solutions]:
    """`solutions` joined with those of one pattern, of which there are about `count`."""
    bound = any(v in solutions.columns for v in variables(pattern))
    if bound and solutions.size * FACTS_READ_PER_LOOKUP < count:
        return _look_up(view, solutions, pattern)
    return join(solutions, scan(view, pattern))


def scan(view: View, pattern: TriplePattern) -> Solutions:
    """The solutions of one pattern, read as columns."""
    arrays = view.columns(*constants(pattern))
    columns: dict[Variable, Ids] = {}
    agree = np.ones(len(arrays[0]), np.bool_)
    for slot, array in zip(pattern, arrays, strict=True):
        if slot in columns:
            agree &= columns[slot] == array
        elif not isinstance(slot, int):
            columns[slot] = array
    found = Solutions(len(agree), columns)
    return found if agree.all() else found.where(agree)


def _look_up(view: View, solutions: Solutions, pattern: TriplePattern) -> Iterator[Solutions]:
    """The same join by one index lookup for each distinct binding; at most one block."""
    bound = [v for v in variables(pattern) if v in solutions.columns]
    found: dict[tuple[int, ...], list[Fact]] = {}
    rows: list[int] = []
    facts: list[Fact] = []
    bindings = zip(*(solutions.columns[v].tolist() for v in bound), strict=True)
    for row, binding in enumerate(bindings):
        if binding not in found:
            found[binding] = _matches(view, pattern, dict(zip(bound, binding, strict=True)))
        facts += found[binding]
        rows += [row] * len(found[binding])
    if facts:
        yield _widened(solutions.take(np.array(rows, np.intp)), pattern, facts)


def _matches(view: View, pattern: TriplePattern, values: dict[Variable, int]) -> list[Fact]:
    """The facts that match under `values` and give a repeated variable one value."""
    s, p, o = (values.get(slot, slot) for slot in pattern)
    facts = view.match(*constants((s, p, o)))
    return [
        f
        for f in facts
        if (s != p or f[0] == f[1]) and (s != o or f[0] == f[2]) and (p != o or f[1] == f[2])
    ]


def _widened(solutions: Solutions, pattern: TriplePattern, facts: list[Fact]) -> Solutions:
    """`solutions` with a column for each new variable; fact i matched row i."""
    columns = dict(solutions.columns)
    values = np.array(facts, np.uint32)
    for position, slot in enumerate(pattern):
        if not isinstance(slot, int) and slot not in columns:
            columns[slot] = values[:, position]
    return Solutions(len(facts), columns)
