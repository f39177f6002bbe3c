"""Operations on many keys take other ways than on few; both must give the same."""

from __future__ import annotations

import numpy as np
import pytest

from rdfinc.tables import kernels
from rdfinc.tables.kernels import KeyArray
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


@pytest.mark.parametrize("shared", [0, 1, 10, 200])
@pytest.mark.parametrize("size", [0, 1, 60, 400])
def test_differences_are_those_of_sets(shared: int, size: int) -> None:
    keys = kernels.unique(some(np.random.default_rng(size), 0xFFFFFFFF, size + shared + 5))
    first, second = keys[: 5 + shared], keys[5:]
    assert [found.tolist() for found in kernels.differences(first, second)] == [
        sorted({*first.tolist()} - {*second.tolist()}),
        sorted({*second.tolist()} - {*first.tolist()}),
    ]


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
