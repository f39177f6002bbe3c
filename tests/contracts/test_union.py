"""A union table is a closed set of pairs, whatever happens to it, and keeps little of it.

Oracle tests: beside each table a set of pairs, closed under the hierarchy by a plain loop.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from random import Random

import numpy as np
import pytest

from contracts.denotation import LARGEST, Pair, assert_denotes, keys_of, pairs_of
from rdfinc.tables import hierarchy as hierarchies
from rdfinc.tables import plain, union
from rdfinc.tables.hashed import Hashed
from rdfinc.tables.hierarchy import Hierarchy
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.plain import Plain
from rdfinc.tables.union import Union

SEEDS = range(40)
STEPS = 20
CLASSES = [*range(1, 12), 1 << 31, LARGEST - 1]
STRANGERS = [20, LARGEST]  # classes that no hierarchy mentions
INDIVIDUALS = [1, 2, 3, 30, 31, LARGEST]  # some are classes as well


def closure(pairs: Iterable[Pair]) -> set[Pair]:
    """Reflexive and transitive."""
    found = {(c, c) for c in [*CLASSES, *STRANGERS]} | set(pairs)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found


def random_pairs(random: Random) -> set[Pair]:
    """A forest, a graph with diamonds, one with cycles, or a chain; closed or not."""
    shape, size = random.randrange(4), random.randrange(2, len(CLASSES))
    some = random.sample(CLASSES, size)
    if shape == 0:
        pairs = {(c, random.choice(some[:i])) for i, c in enumerate(some) if i}
    elif shape == 1:
        chosen = (random.sample(range(size), 2) for _ in range(random.randrange(2 * size)))
        pairs = {(some[max(two)], some[min(two)]) for two in chosen}
    elif shape == 2:
        pairs = {(random.choice(some), random.choice(some)) for _ in range(size)}
    else:
        pairs = set(itertools.pairwise(some))
    if random.random() < 0.5:
        pairs = {(a, b) for a, b in closure(pairs) if a in CLASSES and b in CLASSES}
    return pairs


def shuffled_keys(pairs: Iterable[Pair], random: Random) -> KeyArray:
    keys = [a << 32 | b for a, b in pairs]
    random.shuffle(keys)
    return np.array(keys, np.uint64)


class Model:
    """A table and the set that it ought to denote, changed side by side."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.below = random_pairs(random)
        self.order = closure(self.below)
        self.members: set[Pair] = set()
        self.table = Union(Hierarchy(shuffled_keys(self.below, random)))

    def copy(self) -> Model:
        twin = Model.__new__(Model)
        twin.random, twin.below, twin.order = self.random, self.below, self.order
        twin.members, twin.table = set(self.members), self.table.copy()
        return twin

    def some_pairs(self) -> set[Pair]:
        many = range(self.random.choice([1, 1, 2, 4, 12]))
        pick = self.random.choice
        return {(pick(INDIVIDUALS), pick([*CLASSES, *STRANGERS])) for _ in many}

    def upwards(self, pairs: set[Pair]) -> set[Pair]:
        return {(x, c) for x, d in pairs for low, c in self.order if low == d}

    def downwards(self, pairs: set[Pair]) -> set[Pair]:
        return {(x, d) for x, c in pairs for d, high in self.order if high == c}

    def by_column(self) -> bool:
        return self.random.random() < 0.5

    def add(self) -> None:
        changed, by_column = self.upwards(self.some_pairs()), self.by_column()
        fresh = self.table.add(keys_of(changed, by_column))
        assert isinstance(fresh, np.ndarray if by_column else list)
        assert pairs_of(fresh) == changed - self.members
        self.members |= changed

    def extend(self) -> None:
        changed = self.upwards(self.some_pairs()) - self.members
        self.table.extend(keys_of(changed, self.by_column()))
        self.members |= changed

    def absorb(self) -> None:
        more = {(x, c) for x, c in self.upwards(self.some_pairs()) if x not in self.subjects()}
        table = self.random.choice([Union(self.table.hierarchy), Plain(), Hashed()])
        table.add(keys_of(more, by_column=True))
        self.table.absorb(table)
        self.members |= more

    def subjects(self) -> set[int]:
        return {x for x, _ in self.members}

    def discard(self) -> None:
        changed, by_column = self.downwards(self.some_pairs()), self.by_column()
        gone = self.table.discard(keys_of(changed, by_column))
        assert isinstance(gone, np.ndarray if by_column else list)
        assert pairs_of(gone) == changed & self.members
        self.members -= changed

    def count(self) -> None:
        """What is remembered must be kept right by later changes."""
        for class_ in self.random.sample(CLASSES, 3):
            self.table.count(None, class_)

    def fold(self) -> None:
        self.table.fold()

    def rearrange(self) -> None:
        """Under some other order, after the pairs that make the set closed under it."""
        self.below = random_pairs(self.random)
        order = closure(self.below)
        both, more = self.order | order, set(self.members)
        while further := {(x, c) for x, d in more for low, c in both if low == d} - more:
            more |= further
        self.table.add(keys_of(more, self.by_column()))
        self.members |= more
        before = self.table
        self.table = before.rearranged(Hierarchy(shuffled_keys(self.below, self.random)))
        assert pairs_of(before.scan()) == self.members, "the old one stays"
        self.order = order

    def check(self) -> None:
        self.table._check()
        least = {
            (x, c)
            for x, c in self.members
            if not any((d, c) in self.order and (c, d) not in self.order for d in self.of(x))
        }
        kept = pairs_of(self.table._kept.scan())
        assert kept <= least
        assert len(kept) == len({(x, frozenset(self.equivalent(c))) for x, c in least})
        ids = self.random.sample(sorted({*CLASSES, *STRANGERS, *INDIVIDUALS}), 6)
        assert_denotes(self.table, self.members, ids)

    def of(self, x: int) -> list[int]:
        return [c for one, c in self.members if one == x]

    def equivalent(self, c: int) -> set[int]:
        return {d for d in CLASSES if (c, d) in self.order and (d, c) in self.order} | {c}


CHANGES = [Model.add, Model.extend, Model.discard] * 3 + [
    Model.absorb,
    Model.count,
    Model.fold,
    Model.rearrange,
]


@pytest.mark.parametrize("overlay", [0, 3, 4096])
@pytest.mark.parametrize("large", [False, True])
def test_a_table_is_a_closed_set(
    overlay: int, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain, "OVERLAY", overlay)
    if large:  # as large hierarchies are kept
        monkeypatch.setattr(hierarchies, "DENSE", 0)
        monkeypatch.setattr(hierarchies, "SMALL", 0)
        monkeypatch.setattr(hierarchies, "SHORT", 0)
    for seed in SEEDS:
        random = Random(seed)
        models = [Model(random)]
        for _ in range(STEPS):
            model = random.choice(models)
            random.choice(CHANGES)(model)
            model.check()
            if len(models) < 3 and random.random() < 0.1:
                models.append(model.copy())
        for model in models:
            model.check()


@pytest.mark.parametrize("block", [1, 2, 5, 100])
def test_blocks_are_a_scan_in_parts(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(union, "BLOCK", block)
    for seed in range(20):
        model = Model(Random(seed))
        assert list(model.table.blocks()) == []
        for _ in range(8):
            model.add()
        joined = [key for keys in model.table.blocks() for key in keys.tolist()]
        assert joined == model.table.scan().tolist()


@pytest.mark.parametrize("seed", range(20))
def test_what_is_made_at_once_is_what_is_made_by_and_by(seed: int) -> None:
    random = Random(seed)
    model = Model(random)
    for _ in range(8):
        model.add()
    for facts in (model.table, model.table.plain(), model.table.scan()):
        twin = Union.of(facts, model.table.hierarchy)
        assert twin._kept.scan().tolist() == model.table._kept.scan().tolist()
        assert_denotes(twin, model.members, INDIVIDUALS)


def test_a_class_may_fall_with_a_member_of_its_own_below_it() -> None:
    """TA ⊑ Person; Ann is a TA, then only a Person, then nothing."""
    ann, person, assistant = 9, 1, 2
    table = Union(Hierarchy(keys_of([(assistant, person)], by_column=True)))
    table.add([ann << 32 | assistant, ann << 32 | person])
    assert table.discard([ann << 32 | assistant]) == [ann << 32 | assistant]
    assert table.objects(ann) == [person]
    assert table.discard([ann << 32 | person]) == [ann << 32 | person]
    assert not len(table)


def test_what_falls_is_replaced_by_the_least_of_what_remains() -> None:
    """4 ⊑ 3 ⊑ 2 ⊑ 1 and 4 ⊑ 1 by the way; when 4 and 3 go, 2 is kept and 1 is not."""
    table = Union(Hierarchy(keys_of([(4, 3), (3, 2), (2, 1), (4, 1)], by_column=True)))
    for by_column in (False, True):
        table.add(keys_of([(9, c) for c in (1, 2, 3, 4)], by_column))
        table.discard(keys_of([(9, 4), (9, 3)], by_column))
        table._check()
        assert sorted(table.objects(9)) == [1, 2]


class TestHierarchy:
    @pytest.mark.parametrize("seed", range(150))
    def test_all_answers(self, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
        random = Random(seed)
        monkeypatch.setattr(hierarchies, "DENSE", random.choice([0, 1 << 18]))
        monkeypatch.setattr(hierarchies, "SMALL", random.choice([0, 1 << 10]))
        pairs = random_pairs(random)
        order = closure(pairs)
        made = Hierarchy(shuffled_keys(pairs, random))
        ids = [*CLASSES, *STRANGERS]
        least = {c: min(d for d in ids if {(c, d), (d, c)} <= order) for c in ids}
        above = {c: {d for a, d in order if a == c} for c in ids}
        over = {c: {least[d] for d in above[c]} - {least[c]} for c in ids}
        direct = {c: {d for d in over[c] if not any(d in over[e] for e in over[c])} for c in ids}
        column = np.array([*ids, ids[3]], np.uint32)
        assert made.representatives(column).tolist() == [least[c] for c in column.tolist()]
        for c in ids:
            assert made.representative(c) == least[c]
            assert sorted(made.above(c)) == sorted(above[c])
            assert made.below(c).tolist() == sorted({least[d] for d in ids if c in above[d]})
            assert sorted(made.parents(c)) == sorted(direct[c])
        for asked, wanted in (
            (made.all_above, above),
            (made.all_below, {c: {least[d] for d in ids if c in above[d]} for c in ids}),
            (made.all_parents, direct),
        ):
            at, found = asked(column)
            got = sorted(zip(at.tolist(), found.tolist(), strict=True))
            assert got == sorted((i, d) for i, c in enumerate(column.tolist()) for d in wanted[c])
        grid = [(c, d) for c in ids for d in ids]
        lower, upper = np.array(grid, np.uint32).T
        assert made.are_below(lower, upper).tolist() == [pair in order for pair in grid]
        assert [made.is_below(c, d) for c, d in grid] == [pair in order for pair in grid]

    @pytest.mark.parametrize("seed", range(60))
    def test_equal_is_what_says_the_same(self, seed: int) -> None:
        random = Random(seed)
        pairs, other = random_pairs(random), random_pairs(random)
        made = Hierarchy(shuffled_keys(pairs, random))
        assert made == Hierarchy(shuffled_keys(closure(pairs), random))
        same = closure(pairs) == closure(other)
        assert (made == Hierarchy(shuffled_keys(other, random))) == same
        fewer = set(random.sample(sorted(pairs), len(pairs) - 1))
        same = closure(pairs) == closure(fewer)
        assert (made == Hierarchy(shuffled_keys(fewer, random))) == same

    def test_large_ones_take_what_their_answers_take(self) -> None:
        many, deep = 50_000, 1_000
        wide = Hierarchy(keys_of([(c, 1) for c in range(2, many)], by_column=True))
        assert wide.below(1).size == many - 1
        assert wide.above(many - 1) == [1, many - 1]
        chain = Hierarchy(keys_of([(c + 1, c) for c in range(1, deep)], by_column=True))
        assert len(chain.above(deep)) == deep
        assert chain == Hierarchy(chain.pairs())
        assert Hierarchy(chain.pairs()).parents(deep) == [deep - 1]
        cycle = Hierarchy(keys_of([(c, c % many + 1) for c in range(1, many + 1)], by_column=True))
        assert cycle.representative(many // 2) == 1
