"""Rows in columns are found by any of these, and nothing else is met."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfinc.tables import kernels
from rdfinc.tables.indexed_rows import IndexedRows, RowsBut, labelled
from thresholds import put

IDS = st.integers(0, 3) | st.sampled_from([7, 0xC0000000, 0xFFFFFFFF])
ROWS = st.integers(3, 4).flatmap(
    lambda width: st.tuples(
        st.just(width),
        st.lists(st.tuples(*[IDS] * width), max_size=30),
        st.lists(
            st.tuples(
                st.sets(st.integers(0, width - 1), min_size=1), st.lists(st.tuples(*[IDS] * 4))
            ),
            max_size=6,
        ),
    )
)


def columns(rows, width: int) -> list[np.ndarray]:
    return [np.array([row[at] for row in rows], np.uint32) for at in range(width)]


@given(ROWS, st.sets(IDS), st.booleans())
def test_what_has_the_ids_is_found(asked, but, are_many):
    width, rows, look_ups = asked
    with pytest.MonkeyPatch.context() as patch:
        if are_many:
            put(patch, kernels.TABLES, many_ids=0)
        indexed = IndexedRows(*columns(rows, width))
        others = RowsBut(indexed, but)
        assert len(indexed) == len(rows)
        for known, ids in look_ups:
            given = dict(enumerate(columns(ids, width)))
            for facts in (indexed, others):
                index, at = facts.find({column: given[column] for column in known})
                found = list(zip(index.tolist(), at.tolist(), strict=True))
                kept = [i for i, row in enumerate(rows) if facts is indexed or row[-1] not in but]
                expected = [
                    (i, j)
                    for i, one in enumerate(ids)
                    for j in kept
                    if all(rows[j][column] == one[column] for column in known)
                ]
                assert sorted(found) == expected
            for one in ids:
                times = sum(all(row[c] == one[c] for c in known) for row in rows)
                assert indexed.count({c: one[c] for c in known}) == times
    kept = [row for row in rows if row[-1] not in but]
    assert list(zip(*(column.tolist() for column in others.all()), strict=True)) == kept


def test_only_what_is_found_is_looked_at(monkeypatch):
    graphs = np.repeat(np.arange(1, 41, dtype=np.uint32), 3)
    objects = np.tile(np.arange(3, dtype=np.uint32), 40)
    stated = IndexedRows(np.full(120, 7, np.uint32), objects, graphs)
    subjects, few = np.full(40, 7, np.uint32), np.arange(1, 41, dtype=np.uint32)
    looked_at: list[int] = []
    original = kernels.expand

    def counting(start, stop):
        looked_at.append(int((stop - start).sum()))
        return original(start, stop)

    monkeypatch.setattr(kernels, "expand", counting)
    assert stated.find({0: subjects, 2: few})[1].tolist() == list(range(120))
    stated.find({1: np.ones(40, np.uint32), 2: few})
    exact = stated.find({0: subjects, 1: np.arange(40, dtype=np.uint32), 2: few})
    assert exact[0].tolist() == [0, 1, 2]
    assert looked_at == [120, 40, 3]


def test_pairs_are_labelled():
    pairs = kernels.pack(np.array([1, 2]), np.array([3, 4]))
    found = labelled({9: pairs, 8: pairs[:0], 7: pairs[1:]})
    assert [column.tolist() for column in found] == [[1, 2, 2], [3, 4, 4], [9, 9, 7]]
    assert [column.tolist() for column in labelled({})] == [[], [], []]
