"""Every closed table is a function of its external facts, whatever was revised before.

A new table is added to TESTED, with the function that says what it denotes, and inherits
everything here.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

from contracts.denotation import Pair, assert_denotes, keys_of, pairs_of
from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.closure.components.component_table import Components
from rdfinc.tables.closure.intervals.interval_table import Interval
from rdfinc.tables.hashed_table import HashedClosure
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.views import DifferenceView, With
from thresholds import put

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


def together(external: Pairs) -> Pairs:
    """The closure if the relation is symmetric as well."""
    return transitive(external | {(o, s) for s, o in external})


def together_if_different(external: Pairs) -> Pairs:
    return transitive_of_different(external | {(o, s) for s, o in external})


@dataclass(frozen=True)
class Scheme:
    name: str
    of: Callable[[Table], ClosedTable]
    denotes: Callable[[Pairs], Pairs]


INTERVALS = [
    Scheme("interval", lambda x: Interval.of(x, diagonal=True), transitive),
    Scheme(
        "interval-different",
        lambda x: Interval.of(x, diagonal=False),
        transitive_of_different,
    ),
]
OTHERS = [
    Scheme("components", lambda x: Components.of(x, diagonal=True), together),
    Scheme(
        "components-different", lambda x: Components.of(x, diagonal=False), together_if_different
    ),
    *(
        Scheme(name, partial(HashedClosure, symmetric=symmetric, diagonal=diagonal), denotes)
        for name, symmetric, diagonal, denotes in (
            ("hashed-transitive", False, True, transitive),
            ("hashed-transitive-different", False, False, transitive_of_different),
            ("hashed-symmetric", True, True, together),
            ("hashed-symmetric-different", True, False, together_if_different),
        )
    ),
]
TESTED = [*INTERVALS, *OTHERS]


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
            view = With(DifferenceView(plain(self.external), plain(gone)), plain(new))
        self.external = self.external - gone | new
        forms = [keys_of(change, self.rnd.random() < 0.5) for change in (gone, new)]
        table = self.versions[-1][0].after_edges(view, *forms)
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


@pytest.mark.parametrize("scheme", TESTED, ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(6))
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


@pytest.mark.parametrize("scheme", TESTED, ids=lambda scheme: scheme.name)
def test_nothing_and_all_of_it(scheme: Scheme) -> None:
    history = History(scheme, set(), random.Random(1))
    history.revise(set(), {(3, 3)})
    history.revise({(3, 3)}, {(1, 2), (2, 3)})
    history.revise({(1, 2), (2, 3)}, set())
    history.revise(set(), {(1, 2)})
    history.check_all([1, 2, 3])


# -- what revising an interval gets wrong most easily


def sources(table: Table, ids: Sequence[int]) -> list[list[int]]:
    return [sorted(table.subjects(id)) for id in ids]


@pytest.fixture(params=["bits", "ranges", "ranges-always-relabelled"])
def encoding(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both encodings, in pieces, and revised as far as may be or made anew now and then."""
    put(
        monkeypatch,
        TABLES,
        rebuild_share=0,
        interval_pairs_block=7,
        components_an_id=1,
        bit_words_block=7,
        spare_bit_rows=1,
        bit_bytes_read=7,
        few_ranges=1,
        range_questions_block=7,
        range_block=7,
        spare_ranges=0,
    )
    if request.param != "bits":
        put(monkeypatch, TABLES, small_labelling=0, wide_labelling=0)
    if request.param == "ranges-always-relabelled":
        put(monkeypatch, TABLES, fresh_numbers=0, closing_edges=2)


@pytest.mark.usefixtures("encoding")
@pytest.mark.parametrize("scheme", INTERVALS, ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("seed", range(100, 103))
def test_intervals_however_they_are_encoded(scheme: Scheme, shape: str, seed: int) -> None:
    rnd = random.Random(seed)
    ids = rnd.sample(range(1, 100), rnd.choice([5, 12, 25]))
    history = History(scheme, start(shape, ids[:-3], rnd), rnd)
    for gone, new in changes(shape, ids, history):
        history.revise(gone, new)
    history.check_all(ids)


@pytest.mark.usefixtures("encoding")
@pytest.mark.parametrize("scheme", TESTED, ids=lambda scheme: scheme.name)
def test_threads_that_read_see_all(scheme: Scheme) -> None:
    """What a version builds on the first question, with what the one before it had, is whole when
    others use it."""
    chains = {(i, i + 1) for i in range(1, 90) if i % 9}
    more = {(9 * i, 90 + i) for i in range(1, 9)}
    asked = range(1, 90)
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            for number in range(1, 9):
                table = scheme.of(plain(chains))
                table.subjects(7)
                fresh = set(sorted(more)[:number])
                grown = plain(chains | fresh)
                revised = table.after_edges(grown, [], keys_of(fresh, by_column=False))
                denoted = scheme.denotes(chains | fresh)
                expected = [sorted(s for s, o in denoted if o == id) for id in asked]
                assert list(threads.map(sources, [revised] * 3, [asked] * 3)) == [expected] * 3
    finally:
        sys.setswitchinterval(switch)


@pytest.mark.usefixtures("encoding")
@pytest.mark.parametrize("scheme", INTERVALS, ids=lambda scheme: scheme.name)
@pytest.mark.parametrize("left", [(2, 3), (3, 4), (4, 2)])
def test_a_cycle_splits_with_nodes_above_and_below_it(scheme: Scheme, left: Pair) -> None:
    """Each part must lose what it reached only round the cycle, and so must what is above, also
    what has no edge to the part that lost; the difference must show it."""
    cycle = {(2, 3), (3, 4), (4, 2)}
    outside = {(1, 2), (7, 1), (8, 4), (3, 5), (5, 6), (4, 9)}
    history = History(scheme, cycle | outside, random.Random(1))
    history.revise({left}, set())
    history.revise(set(), {left})
    history.revise({left, (1, 2)}, {(1, 9)})
    history.check_all(list(range(1, 10)))


@pytest.mark.usefixtures("encoding")
@pytest.mark.parametrize("scheme", INTERVALS, ids=lambda scheme: scheme.name)
def test_numbers_are_no_ranks_once_edges_were_inserted(scheme: Scheme) -> None:
    """Two chains, the lower-numbered put above the other and above it again once it is cut."""
    first, second = set(itertools.pairwise(range(1, 6))), set(itertools.pairwise(range(11, 16)))
    history = History(scheme, first | second, random.Random(1))
    history.revise(set(), {(5, 11)})
    history.revise({(12, 13)}, set())
    history.revise({(5, 11)}, {(15, 1)})
    history.revise({(3, 4)}, {(2, 4), (13, 5)})
    history.check_all([*range(1, 6), *range(11, 16)])


@pytest.mark.usefixtures("encoding")
@pytest.mark.parametrize("scheme", INTERVALS, ids=lambda scheme: scheme.name)
def test_several_new_edges_close_a_cycle_together(scheme: Scheme) -> None:
    """None of them does alone; one leads through a node that is new."""
    history = History(scheme, {(1, 2), (3, 4), (5, 6), (2, 7), (8, 3)}, random.Random(1))
    history.revise(set(), {(2, 3), (4, 9), (9, 5), (6, 1)})
    history.revise({(9, 5)}, set())
    history.revise({(1, 2)}, {(9, 5)})
    history.check_all(list(range(1, 10)))


@pytest.mark.usefixtures("encoding")
@pytest.mark.parametrize("scheme", INTERVALS, ids=lambda scheme: scheme.name)
def test_a_node_with_itself(scheme: Scheme) -> None:
    history = History(scheme, {(1, 2), (2, 3)}, random.Random(1))
    history.revise(set(), {(2, 2), (9, 9)})
    history.revise(set(), {(3, 2)})
    history.revise({(2, 2)}, set())
    history.revise({(3, 2)}, {(3, 3)})
    history.revise({(9, 9)}, set())
    history.check_all([1, 2, 3, 9])


@pytest.mark.usefixtures("encoding")
def test_equal_rows_of_strangers_may_mean_different_things() -> None:
    """Node 1 has the same number in both, and so have the nodes 2 and 3 that it reaches."""
    tables = {}
    for pair in [(1, 2), (1, 3)]:
        nothing = TESTED[0].of(plain(set()))
        tables[pair] = nothing.after_edges(plain({pair}), [], keys_of({pair}, by_column=False))
    assert pairs_of(tables[1, 2].beyond(tables[1, 3])) == {(1, 2)}
    assert pairs_of(tables[1, 3].beyond(tables[1, 2])) == {(1, 3)}


def test_siblings_of_one_version_have_nothing_fresh_in_common() -> None:
    """An update that was given up leaves nothing behind."""
    scheme, external = TESTED[0], {(1, 2), (2, 3), (4, 5)}
    root = scheme.of(plain(external))
    grown = [external | {more} for more in [(3, 1), (5, 4), (3, 6), (3, 7)]]
    tables = [
        root.after_edges(plain(x), keys_of((), False), keys_of(x - external, False)) for x in grown
    ]
    for table, x in zip(tables, grown, strict=True):
        for other, y in zip(tables, grown, strict=True):
            assert pairs_of(table.beyond(other)) == transitive(x) - transitive(y)


def test_a_long_chain_is_not_searched_by_recursion() -> None:
    length = 20_000
    ids = np.arange(length, dtype=np.uint64)
    keys = ids[:-1] << np.uint64(32) | ids[1:]
    chain = Interval.of(SortedPairs(keys), diagonal=True)
    assert len(chain) == length * (length - 1) // 2
    assert chain.nbytes() < 60 * length
    back = (length - 1) << 32
    closed = SortedPairs(np.append(keys, np.uint64(back)))
    ring = chain.after_edges(closed, [], [back])
    assert len(ring) == length * length
    assert chain.count(0, None) == len(chain.subjects(length - 1)) == length - 1
