"""Operations on many keys take other ways than on few; both must give the same."""

from __future__ import annotations

import numpy as np
import pytest

from rdfinc.tables import kernels
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.pair_bits import PairBits
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

LARGEST = [3, 40, 3000, 1 << 20, 0xFFFFFFFF]  # ids: dense, sparse, and so sparse that marks fail


@pytest.fixture(params=[0, 1 << 60], ids=["many", "few"])
def many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, many_ids=request.param)


def some(rng: np.random.Generator, largest: int, size: int) -> KeyArray:
    s, o = rng.integers(0, largest, (2, size), np.uint32, endpoint=True)
    return kernels.pack(s, o)


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("largest", LARGEST)
@pytest.mark.parametrize("size", [0, 1, 7, 500])
def test_kernels_say_what_sets_say(largest: int, size: int) -> None:
    rng = np.random.default_rng(size)
    drawn = some(rng, largest, size)
    for keys in (drawn, np.sort(drawn), np.concatenate((np.sort(drawn), np.sort(drawn)))):
        assert kernels.sort(keys).tolist() == sorted(keys.tolist())
        assert kernels.unique(keys).tolist() == sorted(set(keys.tolist()))
        ids = kernels.low(keys)
        assert kernels.unique_ids(ids).tolist() == sorted(set(ids.tolist()))
        in_place = keys.copy()
        kernels.sort_in_place(in_place)
        assert in_place.tolist() == sorted(keys.tolist())
        distinct, number = kernels.numbered(ids)
        assert distinct.tolist() == sorted(set(ids.tolist()))
        assert distinct[number].tolist() == ids.tolist()
    keys = kernels.unique(drawn)
    pairs = [(key >> 32, key & 0xFFFFFFFF) for key in keys.tolist()]
    assert kernels.transposed(keys).tolist() == sorted(o << 32 | s for s, o in pairs)
    for class_, group in kernels.by_low(keys) or ():
        assert group.tolist() == [s << 32 | o for s, o in pairs if o == class_]
    heads, sizes = kernels.row_sizes(keys)
    assert heads.tolist() == sorted({s for s, _ in pairs})
    assert sizes.tolist() == [sum(s == head for s, _ in pairs) for head in heads.tolist()]
    probe = rng.integers(0, largest, 600, np.uint32, endpoint=True)
    held = {s for s, _ in pairs}
    assert kernels.contains_ids(kernels.high(keys), probe).tolist() == [id in held for id in probe]
    for heads in (probe, probe[:1]):
        at, found = kernels.follow(keys, heads)
        expected = [(i, o) for i, id in enumerate(heads.tolist()) for s, o in pairs if s == id]
        assert list(zip(at.tolist(), found.tolist(), strict=True)) == expected


@pytest.mark.parametrize("few", [0, 1 << 60])
@pytest.mark.parametrize("size", [0, 1, 3, 8, 500])
def test_ids_one_by_one(few: int, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, plain_ids=3, few_compared_ids=few)
    ids = kernels.low(some(np.random.default_rng(size), 0xFFFFFFFF, size))
    assert list(kernels.integers(ids)) == ids.tolist()
    if size or few:
        expected = min(ids.tolist(), default=1), max(ids.tolist(), default=0)
        assert kernels.extent(ids) == expected


@pytest.mark.parametrize("step", [1, 2, -1])
def test_halves_of_keys(step: int) -> None:
    keys = some(np.random.default_rng(1), 0xFFFFFFFF, 20)[::step]
    assert kernels.high(keys).tolist() == [key >> 32 for key in keys.tolist()]
    assert kernels.low(keys).tolist() == [key & 0xFFFFFFFF for key in keys.tolist()]


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("parts", [1, 2, 100, 400])
def test_merging_is_sorting(parts: int) -> None:
    keys = kernels.unique(some(np.random.default_rng(parts), 0xFFFFFFFF, 400))
    fresh = np.arange(keys.size) % parts == 0
    assert kernels.merge(keys[~fresh], keys[fresh]).tolist() == keys.tolist()


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("shared", [0, 1, 10, 200])
@pytest.mark.parametrize("size", [0, 1, 60, 400])
def test_differences_are_those_of_sets(shared: int, size: int) -> None:
    keys = kernels.unique(some(np.random.default_rng(size), 0xFFFFFFFF, size + shared + 5))
    first, second = keys[: 5 + shared], keys[5:]
    assert [found.tolist() for found in kernels.differences(first, second)] == [
        sorted({*first.tolist()} - {*second.tolist()}),
        sorted({*second.tolist()} - {*first.tolist()}),
    ]


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize("parts", [1, 2, 7, 30, 400])
def test_what_is_left_is_what_is_not_taken_out(parts: int) -> None:
    keys = kernels.unique(some(np.random.default_rng(parts), 0xFFFFFFFF, 400))
    taken = np.arange(keys.size) % parts == 0
    for found in (
        kernels.differences(keys, keys[taken]),
        kernels.differences(keys[taken], keys)[::-1],
    ):
        assert [each.tolist() for each in found] == [keys[~taken].tolist(), []]


@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_by_low_takes_apart_what_has_few_classes(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = kernels.unique(some(np.random.default_rng(1), 5, 100))
    assert kernels.by_low(keys) is None
    put(monkeypatch, TABLES, many_ids=0, grouped_keys_block=block)
    assert [(class_, group.tolist()) for class_, group in kernels.by_low(keys) or ()] == [
        (class_, [key for key in keys.tolist() if key & 0xFFFFFFFF == class_])
        for class_ in sorted({key & 0xFFFFFFFF for key in keys.tolist()})
    ]


@pytest.mark.parametrize("size", [1, 4, 30, 1000])
def test_parts_have_whole_rows(size: int) -> None:
    keys = kernels.unique(some(np.random.default_rng(2), 20, 300))
    parts = [part.tolist() for part in kernels.whole_rows(keys, size)]
    assert [key for part in parts for key in part] == keys.tolist()
    assert all(len(part) >= size for part in parts[:-1])
    rows = [{key >> 32 for key in part} for part in parts]
    assert all(rows[i].isdisjoint(rows[i + 1]) for i in range(len(rows) - 1))
    assert size > 300 or len(parts) > 1


@pytest.mark.parametrize("block", [1, 7, 1 << 16])
def test_probes_are_asked_block_by_block(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, probes_block=block)
    ordered = np.arange(0, 60, 3, np.uint64)
    probe = np.random.default_rng(3).integers(0, 70, 50).astype(np.uint64)
    held = {*ordered.tolist()}
    assert kernels.contains(ordered, probe).tolist() == [one in held for one in probe.tolist()]
    assert kernels.members(probe, held).tolist() == [one in held for one in probe.tolist()]
    assert not kernels.contains(ordered[:0], probe).any()


@pytest.mark.parametrize("groups", [0, 1, 3, 40])
def test_grouped_keeps_the_order_within_groups(groups: int) -> None:
    chance = np.random.default_rng(groups)
    ids = chance.integers(1, groups + 1, 40 if groups else 0).astype(np.uint32)
    keys = chance.integers(0, 2**63, ids.size).astype(np.uint64)
    found = dict(kernels.grouped(ids, keys))
    assert [*found] == sorted({*ids.tolist()})
    for group, some in found.items():
        assert some.tolist() == keys[ids == group].tolist()


@pytest.mark.parametrize("few", [1, 1 << 6])
@pytest.mark.parametrize("held", [[], [5], [0, 7, 8, 50], [51, 60], range(0, 60, 4)])
@pytest.mark.parametrize("sorted_", [True, False], ids=["sorted", "unsorted"])
def test_few_keys_are_searched_for_among_the_probes(
    sorted_: bool, held: list[int], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, few_beside_probes=few)
    for probe in ([*range(2, 51)], [1, 5, 8, 8, 50, 50], [8], []):
        asked = np.array(probe if sorted_ else [*probe[::-1], 8], np.uint64)
        found = kernels.contains(np.array(held, np.uint64), asked)
        assert found.tolist() == [one in held for one in asked.tolist()]


BEGINS = [(0, 0), (7, 1 << 20), (0xFFFFFFFF - 90, 0xFFFFFFFF - 90)]


def dense(size: int, begin: tuple[int, int], width: int = 90) -> KeyArray:
    """Some of the pairs of a square, which begins anywhere."""
    s, o = np.random.default_rng(size).integers(0, width, (2, size), np.uint32, endpoint=True)
    return kernels.unique(kernels.pack(s + np.uint32(begin[0]), o + np.uint32(begin[1])))


@pytest.mark.parametrize("block", [1, 7, 1 << 16])
@pytest.mark.parametrize("size", [1, 30, 4000])
@pytest.mark.parametrize("begin", BEGINS)
def test_bits_of_pairs_say_what_sets_say(
    begin: tuple[int, int], size: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, bits_a_pair=1 << 20, probes_block=block)
    keys = dense(size, begin)
    bits = PairBits.of(keys)
    assert bits is not None
    far = some(np.random.default_rng(9), 0xFFFFFFFF, 50)
    near = dense(300, (max(0, begin[0] - 3), max(0, begin[1] - 3)), 90)
    probe = np.concatenate((keys[::-1], near, kernels.swap(keys), far, near[::2]))
    held = {*keys.tolist()}
    before = probe.copy()
    assert bits.contains(probe).tolist() == [key in held for key in probe.tolist()]
    assert (probe == before).all()


def test_pairs_that_lie_far_apart_are_no_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = dense(4000, (0, 0))
    assert PairBits.of(keys[:0]) is None
    assert PairBits.of(keys) is not None
    wide = np.append(keys, np.uint64(90 << 32 | 10_000))
    assert PairBits.of(wide) is None  # its last pair is in no sample
    assert PairBits.of(some(np.random.default_rng(1), 0xFFFFFFFF, 100)) is None
    put(monkeypatch, TABLES, bits_a_pair=1)
    assert PairBits.of(keys) is None


def test_a_table_that_is_asked_much_is_searched_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, many_ids=10)
    keys = dense(4000, (3, 5))
    table, held = SortedPairs(keys), {*keys.tolist()}
    searched = 0
    search = kernels.contains

    def counted(ordered: KeyArray, probe: KeyArray) -> kernels.Mask:
        nonlocal searched
        searched += probe.size
        return search(ordered, probe)

    monkeypatch.setattr(kernels, "contains", counted)
    probe = some(np.random.default_rng(2), 120, 100)
    for _ in range(20):
        assert table.contains(probe).tolist() == [key in held for key in probe.tolist()]
    most = keys.size // TABLES.bits_made_a_search
    assert most - probe.size <= searched <= most + probe.size
    assert table.contains(probe[:5]).tolist() == [key in held for key in probe[:5].tolist()]
