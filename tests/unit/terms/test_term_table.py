"""The table of frozen terms is a dict: entries, gaps and ends, and terms with the same hash."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rdfinc.terms import frozen_terms
from rdfinc.terms.frozen_terms import FrozenTerms, block_of, entries_of
from rdfinc.terms.term_table import TermTable, ids_of
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

LAST = 2**32 - 1

hashes = st.lists(
    st.integers(0, LAST)
    | st.integers(0, 9)
    | st.integers(LAST - 9, LAST)
    | st.sampled_from([0, 2**31, LAST]),
    max_size=60,
)


def table_of(given: list[int]) -> TermTable:
    """The table of the ids 1, 2, … with the given hashes."""
    entries = [hash << 32 | id for id, hash in enumerate(given, 1)]
    return TermTable.of(np.array(sorted(entries), np.uint64))


@given(hashes, hashes)
def test_it_is_the_mapping_from_hashes_to_first_ids(there: list[int], others: list[int]) -> None:
    table, first = table_of(there), dict[int, int]()
    for id, hash in enumerate(there, 1):
        first.setdefault(hash, id)
    near = {min(max(hash + by, 0), LAST) for hash in there for by in (-1, 0, 1)}
    asked = [*near, *others, 0, LAST]
    found = table.first_ids(np.array(asked, np.uint64))
    assert found.dtype == np.uint32
    assert found.tolist() == [first.get(hash, 0) for hash in asked]
    assert table.first_ids(np.zeros(0, np.uint64)).tolist() == []


@given(hashes, st.integers(1, 9))
def test_slots_do_not_depend_on_how_many_are_placed_at_a_time(there: list[int], few: int) -> None:
    at_once = table_of(there)
    with pytest.MonkeyPatch.context() as patch:
        put(patch, TERMS, placed_entries=few)
        some = table_of(there)
    assert (some.slots.tolist(), some.capacity) == (at_once.slots.tolist(), at_once.capacity)


@given(hashes)
def test_entries_are_in_order_from_their_slots_on(there: list[int]) -> None:
    table = table_of(there)
    entries = sorted(hash << 32 | id for id, hash in enumerate(there, 1))
    assert table.entries.tolist() == entries
    assert ids_of(table.entries).tolist() == [entry & LAST for entry in entries]
    assert table.count == len(there)
    assert table.is_whole
    assert table.slots[-1] == 0
    for place in np.flatnonzero(table.slots).tolist():
        slot = (int(table.slots[place]) >> 32) * table.capacity >> 32
        assert slot <= place
        assert table.slots[slot:place].all()


@pytest.mark.parametrize("hash", [0, LAST])
def test_all_at_one_end(hash: int) -> None:
    table = table_of([hash] * 200)
    asked = np.array([0, 1, LAST - 1, LAST], np.uint64)
    assert table.first_ids(asked).tolist() == [int(each == hash) for each in asked.tolist()]


def test_a_table_that_is_cut_is_not_whole() -> None:
    table = table_of([crc32(b"%d" % number) for number in range(100)] + [LAST])
    for slots, capacity in (
        (table.slots[:-1], table.capacity),
        (table.slots[:0], table.capacity),
        (table.slots, len(table.slots)),
        (table.slots, 0),
        (table.slots[:0], 0),
    ):
        assert not TermTable(slots, capacity).is_whole


def test_a_table_takes_less_than_14_bytes_an_entry() -> None:
    table = table_of([crc32(b"%d" % number) for number in range(10_000)])
    assert table.slots.nbytes < 14 * 10_000


terms = st.lists(st.binary(min_size=1, max_size=3), max_size=40, unique=True)
HASHED = {
    "crc32": crc32,
    "alike": lambda term: sum(term) % 3 * (LAST // 2),
    "one": lambda term: 0,
    "low": lambda term: sum(term) % 3,
    "last": lambda term: LAST - len(term),
}


@pytest.mark.parametrize("hashed", HASHED)
@pytest.mark.parametrize("read_only", [False, True])
@given(terms, terms, st.integers(1, 9), st.sets(st.integers(1, 40)))
def test_frozen_terms_are_a_dict(
    hashed: str,
    read_only: bool,
    there: list[bytes],
    others: list[bytes],
    in_block: int,
    absent: set[int],
) -> None:
    """In memory, and in memory that cannot be written to, as a mapped file may be."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frozen_terms, "crc32", HASHED[hashed])
        frozen = frozen_of(there, in_block, read_only=read_only)
        ids = {term: id for id, term in enumerate(there, 1)}
        asked = [*there, *others, b""]
        find, find_present = frozen.finder(()), frozen.finder(absent)
        assert [find(term) for term in asked] == [ids.get(term) for term in asked]
        assert [find_present(term) for term in asked] == [
            None if ids.get(term) in absent else ids.get(term) for term in asked
        ]
        assert frozen.find_many(asked).tolist() == [ids.get(term, 0) for term in asked]
        assert frozen.texts(np.arange(1, 1 + len(there), dtype=np.uint32)) == there


def frozen_of(terms: list[bytes], in_block: int, *, read_only: bool) -> FrozenTerms:
    """Terms of the ids 1, 2, …, frozen."""
    every = [b"", *terms]
    blocks = [block_of(every[at : at + in_block]) for at in range(0, len(every), in_block)]
    entries = entries_of(terms, 1)
    entries.sort()
    table = TermTable.of(entries)
    if read_only:
        slots = np.frombuffer(memoryview(table.slots.tobytes()), np.uint64)
        table = TermTable(slots, table.capacity)
    views = [memoryview(block) if read_only else block for block in blocks]
    return FrozenTerms([lambda block=block: block for block in views], in_block, len(every), table)
