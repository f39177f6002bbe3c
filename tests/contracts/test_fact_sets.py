"""`FactSet`: sets of facts of many relations, and forks that never disturb each other."""

from __future__ import annotations

import random

import pytest

from rdfinc.tables import facts
from rdfinc.tables.facts import FactSet, Queue, batch_of, gather, shaped, size, triples
from rdfinc.tables.hashed_table import Hashed
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import MutableTable
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

Fact = tuple[int, int, int]


def some(rnd: random.Random, most: int) -> set[Fact]:
    return {
        (rnd.randint(1, 5), rnd.randint(1, 3), rnd.randint(1, 5))
        for _ in range(rnd.randint(0, most))
    }


def denoted(batch: facts.Batch) -> set[Fact]:
    listed = list(triples(batch))
    assert len(listed) == len(set(listed)) == size(batch)
    assert all(len(keys) for keys in batch.values()), "an empty group"
    return set(listed)


@pytest.fixture(params=[0, 4, 96])
def narrow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups as columns always, sometimes, never; and tables that fold all the time."""
    put(monkeypatch, TABLES, narrow_batch=request.param, plain_overlay=3, plain_recent=1)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("make", [Plain, Hashed])
@pytest.mark.parametrize("seed", range(15))
def test_a_fact_set_is_a_set_and_forks_are_isolated(make: type[MutableTable], seed: int) -> None:
    rnd = random.Random(seed)
    current, model = FactSet(make), set[Fact]()
    frozen: list[tuple[FactSet, set[Fact]]] = []
    for _ in range(40):
        if rnd.random() < 0.2:
            frozen.append((current, set(model)))
            current = current.fork()
        change = some(rnd, 8)
        if rnd.random() < 0.4:
            assert denoted(current.add(batch_of(change))) == change - model
            model |= change
        elif rnd.random() < 0.3:
            current.remove(batch_of(change & model))
            model -= change
        else:
            assert denoted(current.discard(batch_of(change))) == change & model
            model -= change
        probe = some(rnd, 12)
        assert denoted(current.missing(batch_of(probe))) == probe - model
        assert denoted(current.present(batch_of(probe))) == probe & model
        for kept, expected in [*frozen, (current, model)]:
            assert denoted(kept.batch()) == expected
            assert len(kept) == len(expected)
            assert bool(kept) == bool(expected)
            assert all(kept.has(*fact) == (fact in expected) for fact in probe)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("make", [Plain, Hashed])
def test_adopting_takes_tables_over_or_adds_to_them(make: type[MutableTable]) -> None:
    for seed in range(50):
        rnd = random.Random(seed)
        here = some(rnd, 20)
        there = some(rnd, 20) - here
        original = FactSet.of(batch_of(here), make)
        fork = original.fork()
        fork.adopt(FactSet.of(batch_of(there), make), batch_of(there))
        assert denoted(fork.batch()) == here | there
        fork.add(batch_of([(9, p, 9) for p in (1, 2, 3)]))
        assert denoted(original.batch()) == here


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("make", [Plain, Hashed])
@pytest.mark.parametrize("seed", range(10))
def test_the_relations_of_a_term_are_noted_until_there_are_too_many(
    make: type[MutableTable], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, look_up_pairs=10**6)
    rnd = random.Random(seed)
    current, model = FactSet(make), set[Fact]()
    told = 0
    for _ in range(40):
        change = some(rnd, 8)
        match rnd.randrange(6):
            case 0:
                current.discard(batch_of(change))
                model -= change
            case 1:
                current = current.fork()
            case 2:
                table = make()
                table.extend(shaped([s << 32 | o for s, p, o in change if p == 2]))
                current.replace(2, table)
                model = {fact for fact in model if fact[1] != 2} | {f for f in change if f[1] == 2}
            case 3:
                new = batch_of(change - model)
                current.adopt(FactSet.of(new, make), new)
                model |= change
            case 4:
                assert current.relations.ask(1, current.tables)
            case _:
                current.add(batch_of(change))
                model |= change
        noted = current.relations
        for s, p, o in model if noted.are_noted else ():
            assert p in noted.other or p in noted.subjects.objects(s)
            assert p in noted.other or p in noted.objects.objects(o)
            told += 1
        assert not noted.are_noted or len(noted.subjects) <= 2 * TABLES.noted_growth * 15
    assert told


def test_fork_of_fork_copies_again() -> None:
    first = FactSet.of(batch_of([(1, 1, 1)]))
    second = first.fork()
    second.add(batch_of([(2, 1, 2)]))
    third = second.fork()
    third.discard(batch_of([(1, 1, 1)]))
    assert denoted(first.batch()) == {(1, 1, 1)}
    assert denoted(second.batch()) == {(1, 1, 1), (2, 1, 2)}
    assert denoted(third.batch()) == {(2, 1, 2)}


@pytest.mark.usefixtures("narrow")
def test_gathering_makes_one_batch_of_parts_in_either_form() -> None:
    for seed in range(50):
        rnd = random.Random(seed)
        parts = [some(rnd, 10) for _ in range(4)]
        by_predicate: dict[int, list[facts.Keys]] = {}
        for part in parts:
            for predicate, keys in batch_of(part).items():
                by_predicate.setdefault(predicate, []).append(shaped(keys))
        assert denoted(gather(by_predicate)) == set().union(*parts)


@pytest.mark.usefixtures("narrow")
def test_a_queue_hands_out_each_fact_once_and_leaves_its_input_alone() -> None:
    for seed in range(50):
        rnd = random.Random(seed)
        queue, put, taken = Queue(), [], []
        for _ in range(10):
            new = some(rnd, 8)
            batch = batch_of(new)
            queue.put(batch)
            put += new
            if rnd.random() < 0.5 and queue:
                taken += triples(dict([queue.take()]))
            assert denoted(batch) == new
        while queue:
            taken += triples(dict([queue.take()]))
        assert sorted(taken) == sorted(put)


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("make", [Plain, Hashed])
def test_a_table_that_is_asked_for_shows_what_comes(make: type[MutableTable]) -> None:
    for fill in (FactSet.add, FactSet.extend):
        current = FactSet(make)
        awaited = current.table(1)
        assert not len(awaited) and not current and not current.tables
        fill(current, batch_of([(5, 1, 6)]))
        assert current.table(1) is awaited and awaited.has(5 << 32 | 6)
        assert denoted(current.batch()) == {(5, 1, 6)}
