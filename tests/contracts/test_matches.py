"""What a column of ids meets, said at once, is what each of its ids meets."""

from __future__ import annotations

import numpy as np
import pytest

from rdfinc.tables import kernels
from rdfinc.tables.matches import Matches
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.views import With
from thresholds import put

LARGEST = [3, 40, 300, 1 << 20, 0xFFFFFFFE]


@pytest.mark.parametrize("chunk", [1, 1 << 16])
@pytest.mark.parametrize("largest", LARGEST)
@pytest.mark.parametrize("size", [1, 7, 500])
def test_matches_say_what_pairs_say(
    chunk: int, largest: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, bit_matrix_block=chunk)
    rng = np.random.default_rng(size)
    heads, column, s, o = rng.integers(0, largest, (4, size), np.uint32, endpoint=True)
    for tails in (o, o % 80, (o % 80) * 1000):
        keys = kernels.unique(kernels.pack(s, tails))
        even = kernels.low(keys) % 2 == 0
        expected = [
            (row, key & 0xFFFFFFFF)
            for row, id in enumerate(column.tolist())
            for key in keys.tolist()
            if key >> 32 == id
        ]
        for table in (
            SortedPairs(keys),
            With(SortedPairs(keys[even]), SortedPairs(keys[~even])),
        ):
            found = Matches(column, table.by_subjects)
            assert found.number == len(expected)
            for most in (1, 7, 1 << 20):
                told = []
                for rows, ids in found.parts(most):
                    assert rows.size <= most or (rows == rows[0]).all()
                    told += zip(rows.tolist(), ids.tolist(), strict=True)
                assert sorted(told) == expected
            for ordered in (heads, np.sort(heads)):
                pairs = found.pairs(ordered)
                if pairs is not None:
                    together = list(zip(*(part.tolist() for part in pairs), strict=True))
                    assert together == sorted({(int(ordered[row]), id) for row, id in expected})


def test_many_ways_from_few_ids_are_united() -> None:
    rng = np.random.default_rng(1)
    heads, column = rng.integers(0, 100, (2, 5000), np.uint32)
    keys = kernels.unique(kernels.pack(*rng.integers(0, 100, (2, 5000), np.uint32)))
    found = Matches(column, SortedPairs(keys).by_subjects)
    pairs = found.pairs(heads)
    ((rows, ids),) = found.parts(found.number)
    assert pairs is not None and ids.size > 10 * pairs[0].size
    assert kernels.pack(*pairs).tolist() == kernels.unique(kernels.pack(heads[rows], ids)).tolist()
