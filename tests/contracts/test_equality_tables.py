"""Relations over representatives: what stands for what, what pairs say of representatives, and all
that pairs of representatives stand for, whatever was revised before."""

from __future__ import annotations

import random

import numpy as np
import pytest

from contracts.denotation import LARGEST, Pair, assert_denotes, key, keys_of, pairs_of
from contracts.test_views import BASES, Build
from rdfinc.reasoning.maintenance.equality_update import AliasShift
from rdfinc.tables import kernels
from rdfinc.tables.closure.components.component_table import Components
from rdfinc.tables.equality.aliases import NONE, Aliases
from rdfinc.tables.equality.expanded import Expanded
from rdfinc.tables.equality.representative_pairs import Image
from rdfinc.tables.hashed_table import Hashed
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

IDS = [1, 2, 3, 5, 8, 900, 1 << 31, LARGEST]
Pairs = set[Pair]


def classes(links: Pairs) -> dict[int, list[int]]:
    """For each id all that are equal to it, sorted."""
    found = {id: {id} for id in IDS}
    for one, other in links:
        together = found[one] | found[other]
        found.update(dict.fromkeys(together, together))
    return {id: sorted(equal) for id, equal in found.items()}


def sequences(seed: int) -> list[tuple[Aliases, Pairs]]:
    """What is equal after each of some random changes, each revised from the one before."""
    rnd = random.Random(seed)
    links: Pairs = set()
    table = Components.of(Hashed(), diagonal=False)
    found = []
    for _ in range(5):
        new = {(rnd.choice(IDS), rnd.choice(IDS)) for _ in range(rnd.randint(0, 3))} - links
        gone = {link for link in sorted(links) if rnd.random() < 0.3}
        links = (links - gone) | new
        external = Hashed()
        external.add(keys_of(links, by_column=False))
        by_column = rnd.random() < 0.5
        table = table.after_edges(external, keys_of(gone, by_column), keys_of(new, by_column))
        found.append((Aliases(table.partition), set(links)))
    return found


@pytest.fixture(autouse=True, params=[1, 1 << 20], ids=["small", "large"])
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything in blocks, or nothing; what changed beside the base, or folded at once."""
    put(
        monkeypatch,
        TABLES,
        expanded_pairs_block=request.param,
        few_pairs_an_alias=request.param - 1,
        image_pairs_block=request.param,
        partition_overlay=request.param - 1,
    )


@pytest.fixture(autouse=True, params=[(8, 16), (0, 0), (0, 1 << 20)], ids=repr)
def singles(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """An id at a time; a column of which changed ids are looked up one by one, or together."""
    few, fewer = request.param
    put(
        monkeypatch,
        TABLES,
        few_ids_of_partition=few,
        few_changes_a_value=fewer,
        single_expanded_ids=few,
        expanded_ids_block=few or 3,
        few_image_pairs=few,
    )


@pytest.mark.parametrize("seed", range(12))
def test_aliases(seed: int) -> None:
    before, old = NONE, classes(set())
    for aliases, links in sequences(seed):
        aliases._check()
        now = classes(links)
        least = {id: now[id][0] for id in IDS}
        ids = np.array(IDS, np.uint32)
        assert [aliases.representative(id) for id in IDS] == [least[id] for id in IDS]
        assert aliases.representatives(ids).tolist() == [least[id] for id in IDS]
        assert [aliases.members(id) for id in IDS] == [now[id] for id in IDS]
        assert aliases.trivial is all(len(equal) == 1 for equal in now.values())
        assert aliases.with_equals().tolist() == [id for id in IDS if len(now[id]) > 1]
        shown = {(r, id) for id, r in least.items()}
        pairs = [(r, id) for r in IDS for id in IDS]
        keys = np.array(list(map(key, pairs)), np.uint64)
        assert aliases.contains(keys).tolist() == [pair in shown for pair in pairs]
        assert [aliases.has(key(pair)) for pair in pairs] == [pair in shown for pair in pairs]
        for join, rows, mine, theirs in (
            (aliases.by_subjects, aliases.objects, 0, 1),
            (aliases.by_objects, aliases.subjects, 1, 0),
        ):
            at, found = join(ids)
            joined = set(zip(ids[at].tolist(), found.tolist(), strict=True))
            assert joined == {(pair[mine], pair[theirs]) for pair in shown}
            assert len(joined) == at.size
            assert all(set(rows(id)) == {other for i, other in joined if i == id} for id in IDS)
        sizes = [len(now[id]) if least[id] == id else 0 for id in IDS]
        assert aliases.sizes(ids).tolist() == sizes
        assert [aliases.count(id, None) for id in IDS] == sizes
        assert aliases.have_equals(ids).tolist() == [len(now[id]) > 1 for id in IDS]
        assert aliases.number == sum(len(now[id]) > 1 for id in IDS)
        assert_shifts(AliasShift(before, aliases), old, now)
        before, old = aliases, now


def assert_shifts(shift: AliasShift, old: dict[int, list[int]], now: dict[int, list[int]]) -> None:
    """That it tells what is equal to others than before."""
    differing = shift.differing.tolist()
    assert {id for id in IDS if now[id] != old[id]} <= set(differing)
    assert differing == sorted(set(differing)) and set(differing) <= set(IDS)
    for found, equal in zip(shift.representatives, (old, now), strict=True):
        assert found.tolist() == sorted({equal[id][0] for id in differing})
    assert shift.moved.tolist() == [id for id in IDS if now[id][0] != old[id][0]]
    assert shift.fresh.tolist() == [id for id in IDS if len(now[id]) > 1 == len(old[id])]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("build", BASES)
def test_expanded_and_image(build: Build, seed: int) -> None:
    rnd = random.Random(seed)
    for aliases, links in sequences(seed):
        now = classes(links)
        pairs = {(rnd.choice(IDS), rnd.choice(IDS)) for _ in range(rnd.randint(0, 9))}
        normal = {(now[s][0], now[o][0]) for s, o in pairs}
        assert_denotes(Image(build(pairs), aliases), normal, IDS)
        stood_for = {(x, y) for s, o in normal for x in now[s] for y in now[o]}
        assert_denotes(Expanded(build(normal), aliases), stood_for, IDS)
        parts = list(Expanded(build(normal), aliases).blocks())
        assert pairs_of(kernels.sort(np.concatenate([kernels.NO_KEYS, *parts]))) == stood_for
