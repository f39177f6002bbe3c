"""A union table is a set of pairs of which equal rows are kept once.

That it is the set it ought to be: see `test_mutable_tables`.
"""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from contracts.denotation import LARGEST, Pair, assert_denotes, keys_of, pairs_of
from rdfinc.tables import kernels
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.union import shared_rows
from rdfinc.tables.union.id_groups import Groups
from rdfinc.tables.union.shared_rows import grouped
from rdfinc.tables.union.union_table import UnionTable
from thresholds import put

CLASSES = [1, 2, 3, 4, 5, 1 << 31, LARGEST]
KINDS = [(1,), (2, 1), (3, 2, 1), (4, 1), (3, 4, 2, 1), (LARGEST, 1 << 31)]


def typed(individuals: list[int], random: Random) -> set[Pair]:
    return {(x, c) for x in individuals for c in random.choice(KINDS)}


def ids(random: Random) -> list[int]:
    """Dense ones, or some that are not."""
    few = random.sample(range(1, 1 << 32), random.choice([0, 3]))
    return [*random.sample(range(1, 60), 40), *few]


@pytest.mark.parametrize("seed", range(20))
def test_many_individuals_change_at_once_or_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that become equal, empty, or as they were, in both ways of changing them."""
    random = Random(seed)
    known = ids(random)
    put(
        monkeypatch,
        TABLES,
        remembered_rows=random.choice([1, 4096]),
        short_row=random.choice([1, 256]),
    )
    held = typed(known, random)
    table = UnionTable.of(np.asarray(keys_of(held, by_column=True)))
    versions = [(table, set(held))]
    for _ in range(12):
        put(
            monkeypatch,
            TABLES,
            many_individuals=random.choice([0, 20, 1000]),
            groups_overlay=random.choice([5, 4096]),
            regrouped_pairs=random.choice([1, 7, 4096]),
            counted_numbers_block=random.choice([3, 4096]),
        )
        table = table.copy()
        some = random.sample(known, random.choice([1, 5, len(known)]))
        gone = {pair for pair in held if pair[0] in some and random.random() < 0.7}
        assert pairs_of(table.discard(keys_of(gone, random.random() < 0.5))) == gone
        more = typed(some, random)
        assert pairs_of(table.add(keys_of(more, random.random() < 0.5))) == more - (held - gone)
        held = held - gone | more
        table._check()
        versions.append((table, set(held)))
    for one, pairs in versions:
        one._check()
        assert_denotes(one, pairs, [*CLASSES, *random.sample(known, 4)])
        twin = UnionTable.of(one)
        rows = {frozenset(c for y, c in pairs if y == x) for x in known} - {frozenset()}
        assert len(twin._kinds.rows()) == len(rows)
        assert_denotes(twin, pairs, CLASSES)


@pytest.mark.parametrize("block", [1, 2, 5, 100])
def test_blocks_are_a_scan_in_parts(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, union_individuals_block=block)
    assert list(UnionTable().blocks()) == []
    table = UnionTable.of(np.asarray(keys_of(typed(list(range(1, 12)), Random(1)), by_column=True)))
    joined = [key for keys in table.blocks() for key in keys.tolist()]
    assert joined == table.scan().tolist()


def test_individuals_of_the_same_classes_take_little() -> None:
    individuals = 100_000
    pairs = [kernels.pack(np.arange(1, individuals + 1), c) for c in (7, 8, 9)]
    table = UnionTable.of(np.sort(np.concatenate(pairs)))
    assert len(table) == 3 * individuals
    assert table.nbytes() < 6 * individuals
    for x in range(1, 1001):
        table.discard([x << 32 | 7])
    assert table._kinds.fresh() == 1
    assert table.count(None, 7) == individuals - 1000


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("seed", range(20))
def test_equal_rows_have_one_number(
    seed: int, dense: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "is_dense", lambda *_: dense)
    random = Random(seed)
    pool = range(1, random.choice([3, 6, 40]))
    rows = [
        sorted(random.sample(pool, random.randrange(min(len(pool), 5) + 1)))
        for _ in range(random.randrange(40))
    ]
    ids = np.array([id for row in rows for id in row], np.uint32)
    numbers, different = grouped(np.array([len(row) for row in rows], np.intp), ids)
    assert [different.row(number).tolist() for number in numbers.tolist()] == rows
    found = {tuple(different.row(number).tolist()) for number in range(1, len(different) + 1)}
    assert found == {tuple(row) for row in rows if row}
    assert len(found) == len(different)


def test_one_long_row_is_no_burden_for_short_ones() -> None:
    long, short = 3000, 20_000
    ids = np.concatenate((np.arange(1, long + 1), np.full(short, 5))).astype(np.uint32)
    numbers, different = shared_rows.grouped(np.array([long] + [1] * short), ids)
    assert len(different) == 2
    assert (numbers[1:] == numbers[1]).all()


def test_groups_of_few_among_many_ids() -> None:
    some = Groups(np.array([5, LARGEST], np.uint32), np.array([2, 2]))
    some.put(5, 0)
    some.put(6, 3)
    assert some.ids().tolist() == [6, LARGEST]
    assert [some.one(id) for id in (5, 6, 7, LARGEST)] == [0, 3, 0, 2]
    assert some.total(np.array([2, 3, 9], np.uint32)) == 2


@pytest.mark.parametrize("few", [0, 256])
def test_neighbouring_groups_are_read_as_one(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, few_slices=few)
    ids = np.arange(10, 20, dtype=np.uint32)
    some = Groups(ids, np.array([1, 2, 2, 3, 5, 5, 6, 8, 9, 9]))
    for numbers in ([], [1], [9], [4], [7, 12], [1, 2, 3], [2, 5, 6, 8, 9], [3, 4, 5, 9, 10]):
        asked = np.array(numbers, np.uint32)
        assert some.together(asked).tolist() == some.follow(asked)[1].tolist()
        assert some.total(asked) == some.together(asked).size
