"""A dictionary over a checkpoint is the dictionary that was written: random operations on both."""

from __future__ import annotations

import random
from collections.abc import Callable
from zlib import crc32

import numpy as np
import pytest

from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.term_blocks import PinnedTerms, dictionary_of, put_dictionary
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.streams.input_facts import new_statements, statements
from rdfinc.terms import frozen_terms
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put


def frozen(dictionary: Dictionary) -> Dictionary:
    """The dictionary, written and mapped again."""
    return written(PinnedTerms.of(dictionary))


def written(pinned: PinnedTerms) -> Dictionary:
    blocks: list[bytes] = []

    def put_block(content: bytes | memoryview) -> int:
        blocks.append(bytes(content))
        return len(blocks) - 1

    told = put_dictionary(pinned, put_block)
    return dictionary_of(told, lambda index: memoryview(bytearray(blocks[index])), "here")


def term(chance: random.Random) -> bytes:
    return chance.choice((b"<http://e.org/%d>", b'"%d"', b"_:b%d")) % chance.randrange(40)


def compare(one: Dictionary, other: Dictionary) -> None:
    one._check()
    other._check()
    assert list(one) == list(other)
    assert len(one) == len(other)
    assert one.bound == other.bound
    assert one.given == other.given
    assert list(one.kinds) == list(other.kinds)


@pytest.mark.parametrize(("in_block", "hashed"), [(1, crc32), (3, len), (64, crc32)])
def test_it_is_the_dictionary_that_was_written(
    in_block: int,
    hashed: Callable[[bytes], int],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    """By `len`, many terms have the same hash. Few terms are read whole in every third case."""
    monkeypatch.setattr(frozen_terms, "crc32", hashed)
    put(monkeypatch, DURABLE, terms_in_block=in_block)
    put(monkeypatch, TERMS, kept_frozen_terms=2)
    start, count = request.config.getoption("--long") or (0, 60)
    for seed in range(start, start + count):
        put(monkeypatch, DURABLE, terms_read_whole=(0, 0, 20)[seed % 3])
        chance = random.Random(seed)
        plain, thawed = Dictionary(), Dictionary()
        for _ in range(40):
            step(plain, thawed, chance)
            if chance.random() < 0.15:
                plain, thawed = plain.copy(), thawed.copy()
            if chance.random() < 0.15:
                plain, thawed = plain.copy(), frozen(thawed)
            compare(plain, thawed)


def step(plain: Dictionary, thawed: Dictionary, chance: random.Random) -> None:
    """Does the same to both, with the same results."""
    pair, kind = (plain, thawed), chance.randrange(7)
    positions = [one.position for one in pair]
    some = [term(chance) for _ in range(chance.randrange(1, 6))]
    if kind < 2:
        found = [one.encode_many(some).tolist() for one in pair]
    elif kind == 2:
        found = [one.find_many(some).tolist() for one in pair]
        assert [plain.find(t) for t in some] == [thawed.find(t) for t in some]
        assert [t in plain for t in some] == [t in thawed for t in some]
    elif kind == 3:
        for one in pair:
            one.add_many(list(dict.fromkeys(some)))
        found = [one.encode_many(some).tolist() for one in pair]
    elif kind == 4:
        mentioned = np.array([chance.random() < 0.6 for _ in range(plain.bound)])
        found = [one.sweep(mentioned.copy()).tolist() for one in pair]
    elif kind == 5:
        found = [[one.fresh_blank(), one.fresh_scope(), one.row((1, 2))] for one in pair]
    else:
        ids = [id for id in range(1, plain.bound) if plain.kinds[id]]
        chosen = chance.sample(ids, min(4, len(ids)))
        found = [one.decode_many(chosen) for one in pair]
        assert [plain.kind(id) for id in chosen] == [thawed.kind(id) for id in chosen]
    assert found[0] == found[1]
    if kind != 4:  # which forgets positions
        for one, position in zip(pair, positions, strict=True):
            ids, terms, after = one.news(position)
            assert ids.tolist() == one.since(position).tolist()
            assert terms == one.decode_many(ids)
            assert after == one.position
    beginning = 1, plain.position[1]
    assert plain.news(beginning)[1] == thawed.news(beginning)[1]


def test_terms_of_a_journal_get_their_ids_again(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, DURABLE, terms_in_block=4, terms_read_whole=0)
    for seed in range(60):
        chance = random.Random(seed)
        first = Dictionary()
        first.encode_many([term(chance) for _ in range(20)])
        kept = [frozen(first), first.copy()]
        for _ in range(2):
            first.sweep(np.array([chance.random() < 0.7 for _ in range(first.bound)]))
        position = first.position
        first.encode_many([b"<x:new%d>" % n for n in range(10)] + [term(chance) for _ in range(9)])
        ids = first.since(position).tolist()
        terms = first.decode_many(ids)
        for one in kept:
            one.restore(ids, terms, *first.given)
            one._check()
            assert one.encode_many(terms).tolist() == ids
            assert one.position[0] == first.position[0]


def test_terms_of_many_facts_get_the_ids_that_they_would_get_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(monkeypatch, DURABLE, terms_in_block=4, terms_read_whole=0)
    put(monkeypatch, KNOWLEDGE, few_facts=2, fact_block=3)
    for seed in range(60):
        chance = random.Random(seed)
        plain = Dictionary()
        plain.encode_many([term(chance) for _ in range(30)])
        thawed = frozen(plain)
        for _ in range(chance.randrange(3)):
            mentioned = np.array([chance.random() < 0.7 for _ in range(plain.bound)])
            plain.sweep(mentioned.copy())
            thawed.sweep(mentioned)
        facts = [fact(chance) for _ in range(chance.randrange(1, 12))]
        together = new_statements(facts, thawed, {})
        for each in facts:
            new_statements([each], plain, {})
        compare(plain, thawed)
        assert together == statements(facts, plain.find, {})[0]


def fact(chance: random.Random) -> tuple[str, ...]:
    numbers = iter(lambda: chance.randrange(40), -1)
    s, p, o, g = (f"<http://e.org/{n}>" for n, _ in zip(numbers, range(4), strict=False))
    return (s, p, o, g) if chance.random() < 0.4 else (s, p, f'"{next(numbers)}"')


def test_terms_that_come_after_a_pin_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, DURABLE, terms_in_block=4, terms_read_whole=0)
    for seed in range(60):
        chance = random.Random(seed)
        one = Dictionary()
        for _ in range(3):
            one.encode_many([term(chance) for _ in range(20)])
            for _ in range(2):
                one.sweep(np.array([chance.random() < 0.7 for _ in range(one.bound)]))
            pinned, before = PinnedTerms.of(one), frozen(one)
            one.encode_many([b"<x:new%d>" % chance.randrange(99) for _ in range(10)])
            one.find_many([term(chance) for _ in range(9)])
            compare(written(pinned), before)
            one = before if chance.random() < 0.5 else one
