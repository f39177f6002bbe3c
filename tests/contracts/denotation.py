"""Compares a table with the set of pairs that it ought to denote, through both of its faces."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.table_thresholds import TABLES

Pair = tuple[int, int]
LARGEST = 0xFFFFFFFF


def key(pair: Pair) -> int:
    return pair[0] << 32 | pair[1]


def keys_of(pairs: Iterable[Pair], by_column: bool) -> Keys:
    """Keys in one of the two forms they travel in."""
    listed = list(dict.fromkeys(map(key, pairs)))
    return np.array(sorted(listed), np.uint64) if by_column else listed


def pairs_of(keys: Keys) -> set[Pair]:
    listed = [int(one) for one in keys]
    assert len(set(listed)) == len(listed), "a key twice"
    return {(one >> 32, one & LARGEST) for one in listed}


def assert_denotes(table: Table, pairs: set[Pair], ids: list[int]) -> None:
    """Every method says what the set says, for the given ids (and one that is nowhere)."""
    ids = [*ids, max(ids) // 2 + 77]
    assert len(table) == len(pairs) <= table.at_most()
    scanned = table.scan()
    assert scanned.dtype == np.uint64
    assert (scanned[1:] > scanned[:-1]).all()
    assert pairs_of(scanned) == pairs
    for ends, wanted in (
        (table.all_subjects(), {s for s, _ in pairs}),
        (table.all_objects(), {o for _, o in pairs}),
    ):
        assert ends.dtype == np.uint32 and ends.tolist() == sorted(wanted)
    assert table.mutual() == sum((o, s) in pairs for s, o in pairs)
    assert_rows(table, pairs, ids)
    assert_columns(table, pairs, ids)
    assert_membership(table, pairs, ids)
    assert_counts(table, pairs, ids)
    assert_ends(table, pairs, ids)


def by_first(pairs: Iterable[Pair]) -> dict[int, list[int]]:
    """The second members of pairs by the first."""
    found: dict[int, list[int]] = {}
    for one, other in pairs:
        found.setdefault(one, []).append(other)
    return found


def swapped(pairs: Iterable[Pair]) -> set[Pair]:
    return {(o, s) for s, o in pairs}


def assert_rows(table: Table, pairs: set[Pair], ids: list[int]) -> None:
    by_subject, by_object = by_first(pairs), by_first(swapped(pairs))
    for id in ids:
        for found, wanted in (
            (table.objects(id), by_subject.get(id, [])),
            (table.subjects(id), by_object.get(id, [])),
        ):
            assert sorted(found) == sorted(wanted)
            assert all(type(one) is int for one in found)
        objects = table.objects(id)
        in_order = sorted(objects) if len(objects) > TABLES.narrow_batch else objects
        assert table.first_object(id) == (in_order[0] if objects else None)
        for most in (len(objects) - 1, len(objects), 20):
            few = table.few_objects(id, most) if most >= 0 else None
            assert few == (objects if most >= len(objects) else None)
        subjects = table.subjects(id)
        for most in (0, len(subjects), table.subjects_at_most(id)):
            few = table.few_subjects(id, most)
            assert few == (subjects if most >= table.subjects_at_most(id) else None)


def assert_columns(table: Table, pairs: set[Pair], ids: list[int]) -> None:
    """Joins keep track of the asking row, also when an id asks twice or in any order."""
    asking = np.array([*ids[::-1], ids[0]], np.uint32)
    for join, relation in ((table.by_subjects, pairs), (table.by_objects, swapped(pairs))):
        at, found = join(asking)
        row_of = by_first(relation)
        assert found.dtype == np.uint32
        got = sorted(zip(at.tolist(), found.tolist(), strict=True))
        assert got == sorted(
            (row, b) for row, id in enumerate(asking.tolist()) for b in row_of.get(id, [])
        )
        none, nothing = join(kernels.NO_IDS)
        assert none.size == nothing.size == 0


def assert_membership(table: Table, pairs: set[Pair], ids: list[int]) -> None:
    """Keys are kept in the form and the order they are given in."""
    grid = [key(pair) for pair in itertools.product(ids[-4:], ids)][::-1]
    inside = [one for one in grid if (one >> 32, one & LARGEST) in pairs]
    outside = [one for one in grid if (one >> 32, one & LARGEST) not in pairs]
    assert [one for one in grid if table.has(one)] == inside
    assert table.present(grid) == inside
    assert table.missing(grid) == outside
    column = np.array(grid, np.uint64)
    assert column[table.contains(column)].tolist() == inside
    assert np.asarray(table.present(column)).tolist() == inside
    assert np.asarray(table.missing(column)).tolist() == outside
    assert table.contains(kernels.NO_KEYS).size == 0


def assert_ends(table: Table, pairs: set[Pair], ids: list[int]) -> None:
    """The ends of all pairs; whether something is one, one by one and some at once."""
    many = np.array(ids[::-1] * 2, np.uint32)
    for is_end, are_ends, ends, wanted in (
        (table.is_subject, table.are_subjects, table.all_subjects, {s for s, _ in pairs}),
        (table.is_object, table.are_objects, table.all_objects, {o for _, o in pairs}),
    ):
        assert ends().tolist() == sorted(wanted)
        assert [is_end(id) for id in ids] == [id in wanted for id in ids]
        for asking in (many[:0], many[:1], many):
            assert are_ends(asking).tolist() == [id in wanted for id in asking.tolist()]


def assert_counts(table: Table, pairs: set[Pair], ids: list[int]) -> None:
    wanted = Counter((s, o) for pair in pairs for s in (None, pair[0]) for o in (None, pair[1]))
    for s, o in itertools.product([None, *ids[-3:]], [None, *ids[-3:]]):
        assert table.count(s, o) == wanted[s, o], (s, o)
    for id in ids:
        assert table.subjects_at_most(id) >= len(table.subjects(id)), id
