"""Tables that are only read, built to denote a given set."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.denotation import LARGEST, Pair, assert_denotes, keys_of
from rdfinc.tables import kernels
from rdfinc.tables.hashed_table import Hashed
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.transposed import Transposed
from rdfinc.tables.union.relation_union import RelationUnion
from rdfinc.tables.views import (
    EMPTY,
    DifferenceView,
    IntersectionView,
    OnlyObjects,
    UnionView,
    With,
)

IDS = [1, 2, 3, 1 << 31, LARGEST]
Pairs = set[Pair]


def sets() -> st.SearchStrategy[Pairs]:
    return st.sets(st.tuples(st.sampled_from(IDS), st.sampled_from(IDS)), max_size=12)


def by_sorting(pairs: Pairs) -> SortedPairs:
    return SortedPairs(np.asarray(keys_of(pairs, by_column=True), np.uint64))


def by_changing(pairs: Pairs) -> Plain:
    """Half of it in the base, half in the overlay, with tombstones."""
    ordered = sorted(pairs)
    half, rest = ordered[: len(ordered) // 2], ordered[len(ordered) // 2 :]
    other = {(s, o) for s in IDS for o in IDS} - pairs
    table = Plain(by_sorting({*half, *list(other)[:3]}))
    table.discard(keys_of(list(other)[:3], by_column=False))
    table.add(keys_of(rest, by_column=False))
    return table


def by_hashing(pairs: Pairs) -> Hashed:
    table = Hashed()
    table.add(keys_of(pairs, by_column=False))
    return table


BASES = [by_sorting, by_changing, by_hashing]
Build = Callable[[Pairs], Table]


@pytest.mark.parametrize("build", BASES)
@given(pairs=sets())
def test_base(build: Build, pairs: Pairs) -> None:
    assert_denotes(build(pairs), pairs, IDS)


@pytest.mark.parametrize("build", BASES)
@given(base=sets(), gone=sets())
def test_without(build: Build, base: Pairs, gone: Pairs) -> None:
    assert_denotes(DifferenceView(build(base), build(gone)), base - gone, IDS)


@pytest.mark.parametrize("build", BASES)
@given(base=sets(), more=sets())
def test_with(build: Build, base: Pairs, more: Pairs) -> None:
    more -= base
    assert_denotes(With(build(base), build(more)), base | more, IDS)


@pytest.mark.parametrize("build", BASES)
@given(unions=st.lists(sets(), min_size=1, max_size=3))
def test_either(build: Build, unions: list[Pairs]) -> None:
    assert_denotes(UnionView([build(one) for one in unions]), set().union(*unions), IDS)


@pytest.mark.parametrize("build", BASES)
@given(unions=st.lists(sets(), min_size=1, max_size=3))
def test_a_union_of_relations(build: Build, unions: list[Pairs]) -> None:
    table = RelationUnion([build(one) for one in unions])
    assert_denotes(table, set().union(*unions), IDS)
    joined = [key for keys in table.blocks() for key in keys.tolist()]
    assert len(joined) == len(table) and sorted(joined) == table.scan().tolist()
    assert not table.nbytes()


@pytest.mark.parametrize("build", BASES)
@given(one=sets(), other=sets())
def test_a_union_of_tables_read_both_ways(build: Build, one: Pairs, other: Pairs) -> None:
    table, more = build(one), build(other)
    turned = {(o, s) for s, o in one}
    assert_denotes(RelationUnion([Transposed(table), more, table]), one | other | turned, IDS)
    both = [Transposed(table), Transposed(table), more, table, table]
    assert_denotes(RelationUnion(both), one | other | turned, IDS)
    assert_denotes(RelationUnion([Transposed(table), Transposed(table)]), turned, IDS)
    assert sorted(k for keys in Transposed(table).blocks() for k in keys.tolist()) == [
        o << 32 | s for o, s in sorted(turned)
    ]


@pytest.mark.parametrize("build", BASES)
@given(one=sets(), other=sets())
def test_both(build: Build, one: Pairs, other: Pairs) -> None:
    assert_denotes(IntersectionView(build(one), build(other)), one & other, IDS)


@pytest.mark.parametrize("build", BASES)
@given(base=sets())
def test_transposed(build: Build, base: Pairs) -> None:
    assert_denotes(Transposed(build(base)), {(o, s) for s, o in base}, IDS)


@pytest.mark.parametrize("build", BASES)
@given(base=sets(), allowed=st.sets(st.sampled_from(IDS)))
def test_only_objects(build: Build, base: Pairs, allowed: set[int]) -> None:
    expected = {(s, o) for s, o in base if o in allowed}
    assert_denotes(OnlyObjects(build(base), allowed), expected, IDS)


@given(base=sets(), gone=sets(), more=sets(), allowed=st.sets(st.sampled_from(IDS)))
def test_views_of_views(base: Pairs, gone: Pairs, more: Pairs, allowed: set[int]) -> None:
    more -= base - gone
    less = DifferenceView(by_sorting(base), by_changing(gone))
    both = With(less, DifferenceView(by_hashing(more), EMPTY))
    expected = {(s, o) for s, o in base - gone | more if o in allowed}
    assert_denotes(OnlyObjects(both, allowed), expected, IDS)
    swapped = Transposed(UnionView([both, less, by_changing(base)]))
    assert_denotes(swapped, {(o, s) for s, o in base | more}, IDS)


def test_empty() -> None:
    assert_denotes(EMPTY, set(), IDS)


@given(pairs=sets(), change=sets())
def test_sorted_pairs_change_into_new_ones(pairs: Pairs, change: Pairs) -> None:
    """`plus` and `minus` leave the original alone, before and after the other order is built."""
    old = by_sorting(pairs)
    for _ in range(2):
        fresh = np.asarray(keys_of(change - pairs, by_column=True), np.uint64)
        gone = np.asarray(keys_of(change, by_column=True), np.uint64)
        assert_denotes(old.plus(fresh), pairs | change, IDS)
        assert_denotes(old.without(gone), pairs - change, IDS)
        assert_denotes(old, pairs, IDS)  # which builds the other order


@given(pairs=sets())
def test_keys_pack_and_unpack(pairs: Pairs) -> None:
    keys = np.asarray(keys_of(pairs, by_column=True), np.uint64)
    assert (kernels.pack(kernels.high(keys), kernels.low(keys)) == keys).all()
    assert (kernels.swap(kernels.swap(keys)) == keys).all()


@pytest.mark.parametrize("length", range(TABLES.row_pair_by_pair + 3))
def test_a_row_of_any_length(length: int) -> None:
    row = [*range(10, 10 + length)]
    pairs = {*((2, o) for o in row), (1, 5), (3, 6), (3, 7)}
    for rest in (pairs, {pair for pair in pairs if pair[0] <= 2}):
        table = by_sorting(rest)
        assert table.objects(2) == row
        assert all(table.subjects(o) == [2] for o in row)
