"""Every table that can change is a set of pairs, whatever happens to it in whatever order.

A new table is added to TESTED and inherits everything here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)

from contracts.denotation import LARGEST, Pair, assert_denotes, keys_of, pairs_of
from rdfinc.tables.hashed_table import Hashed
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import MutableTable
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.union.union_table import UnionTable
from thresholds import put

TESTED = [Plain, Hashed, UnionTable]
OVERLAYS = [  # changes that wait, and those that a fork copies
    (0, 0),
    (3, 1),  # so few that tables fold all the time
    (4096, 2),  # all wait, and forks share them
    (4096, 64),
]
IDS = [1, 2, 3, 4, 1 << 31, LARGEST]
GRID = [(s, o) for s in range(1, 20) for o in range(1, 20)]  # a base beside which changes are few


def pairs(least: int = 0) -> st.SearchStrategy[set[Pair]]:
    return st.sets(
        st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)), min_size=least, max_size=5
    )


class Sets(RuleBasedStateMachine):
    """Tables and the sets they ought to denote, changed side by side."""

    make: Callable[[], MutableTable]
    tables = Bundle("tables")

    def __init__(self) -> None:
        super().__init__()
        self.all: list[tuple[MutableTable, set[Pair]]] = []
        self.forked: list[tuple[MutableTable, set[Pair]]] = []

    def keep(self, table: MutableTable, model: set[Pair]) -> int:
        self.all.append((table, model))
        return len(self.all) - 1

    @initialize(target=tables, large=st.booleans())
    def begin(self, large: bool) -> object:
        table, model = self.make(), set(GRID) if large else set()
        table.add(keys_of(model, by_column=True))
        return multiple(self.keep(table, model))

    @rule(which=tables, changed=pairs(), by_column=st.booleans())
    def add(self, which: int, changed: set[Pair], by_column: bool) -> None:
        table, model = self.all[which]
        fresh = table.add(keys_of(changed, by_column))
        assert isinstance(fresh, np.ndarray if by_column else list)
        assert pairs_of(fresh) == changed - model
        model |= changed

    @rule(which=tables, changed=pairs(), by_column=st.booleans())
    def extend(self, which: int, changed: set[Pair], by_column: bool) -> None:
        table, model = self.all[which]
        table.extend(keys_of(changed - model, by_column))
        model |= changed

    @rule(which=tables, other=tables)
    def absorb(self, which: int, other: int) -> None:
        table, model = self.all[which]
        rest, more = self.make(), self.all[other][1] - model
        rest.add(keys_of(more, by_column=True))
        table.absorb(rest)
        model |= more

    @rule(which=tables, changed=pairs(), by_column=st.booleans())
    def discard(self, which: int, changed: set[Pair], by_column: bool) -> None:
        table, model = self.all[which]
        gone = table.discard(keys_of(changed, by_column))
        assert isinstance(gone, np.ndarray if by_column else list)
        assert pairs_of(gone) == changed & model
        model -= changed

    @rule(which=tables, changed=pairs(), by_column=st.booleans())
    def remove(self, which: int, changed: set[Pair], by_column: bool) -> None:
        table, model = self.all[which]
        table.remove(keys_of(changed & model, by_column))
        model -= changed

    @rule(which=tables, changed=pairs(least=1), by_column=st.booleans())
    def go_and_come_back(self, which: int, changed: set[Pair], by_column: bool) -> None:
        table, model = self.all[which]
        table.add(keys_of(changed, by_column))
        table.discard(keys_of(changed, not by_column))
        table._check()
        table.add(keys_of(changed, by_column))
        model |= changed

    @rule(target=tables, which=tables)
    def copy(self, which: int) -> object:
        if len(self.all) == 4:
            return multiple()
        table, model = self.all[which]
        return multiple(self.keep(table.copy(), set(model)))

    @rule(which=tables)
    def fork(self, which: int) -> None:
        table, model = self.all[which]
        self.forked = [*self.forked[-5:], (table, set(model))]
        self.all[which] = table.fork(), model

    @rule(which=tables)
    def read(self, which: int) -> None:
        """Reading builds indexes, which later changes must keep right."""
        table, _ = self.all[which]
        table.objects(IDS[0])
        table.subjects(IDS[0])
        table.by_objects(np.array(IDS, np.uint32))

    @invariant()
    def tables_are_sound(self) -> None:
        for table, _ in (*self.all, *self.forked):
            table._check()
            assert table.nbytes() >= 0

    @invariant()
    def one_table_denotes_its_set(self) -> None:
        """All of them in the end; one at each step, so that indexes are built at various times."""
        if self.all:
            table, model = self.all[len(self.all) // 2]
            assert_denotes(table, model, IDS)

    def teardown(self) -> None:
        for table, model in (*self.all, *self.forked):
            assert_denotes(table, model, IDS)


@pytest.mark.parametrize(("overlay", "recent"), OVERLAYS)
@pytest.mark.parametrize("make", TESTED)
def test_a_table_is_a_set(
    make: type[MutableTable],
    overlay: int,
    recent: int,
    monkeypatch: pytest.MonkeyPatch,
    pytestconfig: pytest.Config,
) -> None:
    put(
        monkeypatch,
        TABLES,
        plain_overlay=overlay,
        groups_overlay=overlay,
        plain_recent=recent,
        groups_recent=recent,
        many_individuals=overlay,
    )
    machine = type("Machine", (Sets,), {"make": staticmethod(make)})
    most = 100 if pytestconfig.getoption("--long") else 8
    run_state_machine_as_test(machine, settings=settings(max_examples=most, stateful_step_count=25))


@pytest.mark.parametrize("make", TESTED)
def test_a_deleted_pair_stays_deleted_when_the_overlay_folds(
    make: type[MutableTable], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, plain_overlay=8, groups_overlay=8)
    table = make()
    table.add(keys_of(GRID, by_column=True))
    table.discard(keys_of([(1, 1), (19, 19)], by_column=False))
    for o in range(20, 60):  # folds several times
        table.add(keys_of([(1, o)], by_column=False))
        table._check()
    expected = set(GRID) - {(1, 1), (19, 19)} | {(1, o) for o in range(20, 60)}
    assert_denotes(table, expected, [*range(1, 20), 40])


@pytest.mark.parametrize("make", TESTED)
@pytest.mark.parametrize(
    "ask", [lambda t: t.scan().size, lambda t: t.objects(2499), lambda t: sorted(t.subjects(3))]
)
def test_threads_that_read_see_all(
    make: type[MutableTable], ask: Callable[[MutableTable], object]
) -> None:
    """What one of them builds on its first question, others use; when it is whole."""
    keys = keys_of(((s, s % 7) for s in range(1, 2500)), by_column=False)
    interval, whole = sys.getswitchinterval(), make()
    whole.extend(keys)
    expected = ask(whole)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as threads:
            for _ in range(5):
                table = make()
                table.extend(keys)
                assert list(threads.map(ask, [table.fork()] * 3)) == [expected] * 3
    finally:
        sys.setswitchinterval(interval)
