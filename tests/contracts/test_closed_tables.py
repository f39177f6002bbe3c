"""Every closed table is a function of its external facts, whatever was revised before.

A new table is added to TABLES, with the function that says what it denotes, and inherits
everything here.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from contracts.denotation import Pair, assert_denotes, keys_of, pairs_of
from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.intervals.interval import Interval
from rdfinc.tables.plain import Plain
from rdfinc.tables.table import Table
from rdfinc.tables.views import With, Without

Pairs = set[Pair]


def transitive(external: Pairs) -> Pairs:
    """The transitive closure, by searching from every node."""
    after: dict[int, list[int]] = {}
    for s, o in external:
        after.setdefault(s, []).append(o)
    found = set[Pair]()
    for s, following in after.items():
        waiting = list(following)
        while waiting:
            o = waiting.pop()
            if (s, o) not in found:
                found.add((s, o))
                waiting += after.get(o, ())
    return found


def transitive_of_different(external: Pairs) -> Pairs:
    """The same if the rule demands that its ends are different."""
    return {(s, o) for s, o in transitive(external) if s != o or (s, o) in external}


@dataclass(frozen=True)
class Scheme:
    name: str
    of: Callable[[Table], ClosedTable]
    denotes: Callable[[Pairs], Pairs]


TABLES = [
    Scheme("interval", lambda x: Interval.of(x, diagonal=True), transitive),
    Scheme(
        "interval-different",
        lambda x: Interval.of(x, diagonal=False),
        transitive_of_different,
    ),
]


def plain(pairs: Pairs) -> Plain:
    table = Plain()
    table.add(keys_of(pairs, by_column=True))
    return table


class History:
    """Tables and what they ought to denote, each revised from the one before."""

    def __init__(self, scheme: Scheme, external: Pairs, rnd: random.Random) -> None:
        self.scheme, self.external, self.rnd = scheme, set(external), rnd
        self.versions = [(scheme.of(plain(external)), scheme.denotes(external))]

    def revise(self, gone: Pairs, new: Pairs) -> None:
        """Compares everything with the definition, also from and to some version before."""
        gone, new = gone & self.external - new, new - self.external
        view: Table = plain(self.external - gone | new)
        if self.rnd.random() < 0.5:
            view = With(Without(plain(self.external), plain(gone)), plain(new))
        self.external = self.external - gone | new
        forms = [keys_of(change, self.rnd.random() < 0.5) for change in (gone, new)]
        table = self.versions[-1][0].revised(view, *forms)
        denoted = self.scheme.denotes(self.external)
        table._check()
        assert pairs_of(table.scan()) == denoted
        assert len(table) == len(denoted)
        for other, held in [self.versions[-1], self.rnd.choice(self.versions)]:
            for first, second, more in (
                (table, other, denoted - held),
                (other, table, held - denoted),
            ):
                found = first.beyond(second)
                assert found.dtype == np.uint64
                assert (found[1:] > found[:-1]).all()
                assert pairs_of(found) == more
        self.versions.append((table, denoted))

    def check_all(self, ids: list[int]) -> None:
        for table, denoted in self.versions:
            table._check()
            assert_denotes(table, denoted, ids)


SHAPES = ["any", "acyclic", "chain", "cycle", "cycles"]


def start(shape: str, ids: list[int], rnd: random.Random) -> Pairs:
    """External facts of a shape in which changes go deep."""
    chain = set(itertools.pairwise(ids))
    if shape == "chain":
        return chain
    if shape == "cycle":  # with nodes that lead to it and nodes that it leads to
        return chain | {(ids[2 * len(ids) // 3], ids[len(ids) // 3])}
    if shape == "cycles":
        return chain | {(o, s) for s, o in chain if rnd.random() < 0.5}
    return {edge(shape, ids, rnd) for _ in range(rnd.randint(0, 3 * len(ids)))}


def edge(shape: str, ids: list[int], rnd: random.Random) -> Pair:
    s, o = rnd.choice(ids), rnd.choice(ids)
    if s == o and rnd.random() < 0.8:
        return edge(shape, ids, rnd)
    return (min(s, o), max(s, o)) if shape == "acyclic" else (s, o)


def changes(shape: str, ids: list[int], history: History) -> Iterator[tuple[Pairs, Pairs]]:
    rnd = history.rnd
    for _ in range(10):
        most = rnd.choice([1, 1, 2, len(ids)])
        present = sorted(history.external)
        gone = set(rnd.sample(present, min(len(present), rnd.randint(0, most))))
        yield gone, {edge(shape, ids, rnd) for _ in range(rnd.randint(0, most))}


@pytest.mark.parametrize("scheme", TABLES, ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(12))
def test_revisions_agree_with_the_definition(scheme: Scheme, shape: str, seed: int) -> None:
    rnd = random.Random(seed)
    ids = rnd.sample(range(1, 100), rnd.choice([4, 9, 20]))
    if rnd.random() < 0.3:
        ids = [*ids, 1 << 31, 0xFFFFFFFF]
    known = ids[: len(ids) - rnd.randint(0, 3)]  # the others come later
    history = History(scheme, start(shape, known, rnd), rnd)
    for gone, new in changes(shape, ids, history):
        history.revise(gone, new)
    history.check_all(ids)


@pytest.mark.parametrize("scheme", TABLES, ids=lambda scheme: scheme.name)
def test_nothing_and_all_of_it(scheme: Scheme) -> None:
    history = History(scheme, set(), random.Random(1))
    history.revise(set(), {(3, 3)})
    history.revise({(3, 3)}, {(1, 2), (2, 3)})
    history.revise({(1, 2), (2, 3)}, set())
    history.revise(set(), {(1, 2)})
    history.check_all([1, 2, 3])
