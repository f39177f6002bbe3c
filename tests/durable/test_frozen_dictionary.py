"""A dictionary over a checkpoint, or frozen in memory, is the dictionary that it was made from:
random operations on both."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.term_blocks import Put, dictionary_of, put_dictionary
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.streams.input_facts import new_statements, statements
from rdfinc.terms import frozen_terms
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.freezing import PinnedTerms, frozen
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put


def rewritten(dictionary: Dictionary) -> Dictionary:
    """The dictionary, written and mapped again."""
    return mapped(written(PinnedTerms.of(dictionary)))


def written(pinned: PinnedTerms) -> tuple[dict[str, Any], list[bytes]]:
    """What is written of a dictionary, and the blocks that this tells of."""
    blocks: list[bytes] = []

    def put_block(content: bytes | memoryview) -> int:
        blocks.append(bytes(content))
        return len(blocks) - 1

    return put_dictionary(pinned, put_block), blocks


def mapped(written: tuple[dict[str, Any], list[bytes]]) -> Dictionary:
    told, blocks = written
    return dictionary_of(told, lambda index: memoryview(bytearray(blocks[index])), "here")


def put_dictionary_in_format_2(pinned: PinnedTerms, put_block: Put) -> dict[str, Any]:
    """Puts terms as they were up to format 2: in place of the table there were its entries, the
    hashes beside the ids."""
    told, blocks = written(pinned)
    slots = np.frombuffer(blocks[told.pop("table")], np.uint64)
    entries = slots[slots > 0]
    del told["capacity"]
    told |= {name: put_block(blocks[told[name]]) for name in ("kinds", "free")}
    told["blocks"] = [put_block(blocks[index]) for index in told["blocks"]]
    told["hashes"] = put_block((entries >> np.uint64(32)).astype(np.uint32).tobytes())
    told["ids"] = put_block(entries.astype(np.uint32).tobytes())
    return told


def freeze(dictionary: Dictionary) -> None:
    """Freezes the terms of a dictionary in memory; it is the same to those who read it."""
    ids = [id for id in range(1, dictionary.bound) if dictionary.kinds[id]]
    terms, position, given = dictionary.decode_many(ids), dictionary.position, dictionary.given
    dictionary.go_on_with(frozen(dictionary))
    assert dictionary.decode_many(ids) == terms
    assert dictionary.find_many(terms).tolist() == ids
    assert dictionary.position == position
    assert dictionary.given == given
    assert dictionary.is_frozen
    assert dictionary.thawed == 0


def term(chance: random.Random) -> bytes:
    return chance.choice((b"<http://e.org/%d>", b'"%d"', b"_:b%d")) % chance.randrange(15)


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
    put(monkeypatch, TERMS, terms_in_block=in_block)
    put(monkeypatch, TERMS, kept_frozen_terms=2, kept_if_often=1)
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
                plain, thawed = plain.copy(), rewritten(thawed)
            if chance.random() < 0.15:
                freeze(thawed)
                plain = plain.copy()  # in which no term waits either
            compare(plain, thawed)
        freeze(thawed)
        assert written(PinnedTerms.of(thawed)) == written(PinnedTerms.of(plain.copy()))


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
        assert [one.look_up_many(some).tolist() for one in pair] == found
    elif kind == 3:
        for one in pair:
            one.add_many([t for t in dict.fromkeys(some) if one.find(t) is None])
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
    put(monkeypatch, DURABLE, terms_read_whole=0)
    put(monkeypatch, TERMS, terms_in_block=4)
    for seed in range(60):
        chance = random.Random(seed)
        first = Dictionary()
        first.encode_many([term(chance) for _ in range(20)])
        kept = [rewritten(first), first.copy()]
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
    put(monkeypatch, DURABLE, terms_read_whole=0)
    put(monkeypatch, TERMS, terms_in_block=4)
    put(monkeypatch, KNOWLEDGE, few_facts=2, fact_block=3)
    for seed in range(60):
        chance = random.Random(seed)
        plain = Dictionary()
        plain.encode_many([term(chance) for _ in range(30)])
        thawed = rewritten(plain)
        for _ in range(chance.randrange(3)):
            mentioned = np.array([chance.random() < 0.7 for _ in range(plain.bound)])
            plain.sweep(mentioned.copy())
            thawed.sweep(mentioned)
        facts = [fact(chance) for _ in range(chance.randrange(1, 12))]
        together = new_statements(facts, thawed, {})
        for each in facts:
            new_statements([each], plain, {})
        compare(plain, thawed)
        asked = [*facts, *(fact(chance) for _ in range(6))]
        assert together == statements(facts, plain, {})[0]
        assert statements(asked, thawed, {}) == statements(asked, plain, {})
        compare(plain, thawed)


def fact(chance: random.Random) -> tuple[str, ...]:
    numbers = iter(lambda: chance.randrange(40), -1)
    s, p, o, g = (f"<http://e.org/{n}>" for n, _ in zip(numbers, range(4), strict=False))
    return (s, p, o, g) if chance.random() < 0.4 else (s, p, f'"{next(numbers)}"')


def test_terms_that_come_after_a_pin_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, DURABLE, terms_read_whole=0)
    put(monkeypatch, TERMS, terms_in_block=4)
    for seed in range(60):
        chance = random.Random(seed)
        one = Dictionary()
        for _ in range(3):
            one.encode_many([term(chance) for _ in range(20)])
            for _ in range(2):
                one.sweep(np.array([chance.random() < 0.7 for _ in range(one.bound)]))
            pinned, before = PinnedTerms.of(one), rewritten(one)
            if chance.random() < 0.5:
                freeze(one)
            one.encode_many([b"<x:new%d>" % chance.randrange(99) for _ in range(10)])
            one.find_many([term(chance) for _ in range(9)])
            compare(mapped(written(pinned)), before)
            one = before if chance.random() < 0.5 else one


def test_a_term_that_waits_can_be_looked_up_while_terms_are_frozen() -> None:
    """A reader still has the numbering from before; its lease keeps the id from other terms."""
    dictionary = Dictionary()
    dictionary.encode_many([b"<a:a>", b"<a:b>"])
    kept = np.array([True, True, False])
    dictionary.sweep(kept)
    old = dictionary._ids

    def look_up() -> int | None:
        freeze(dictionary)
        return old.recall(b"<a:b>")

    found, lease = dictionary.leased(look_up)
    assert found == 2
    for number in range(4):
        dictionary.sweep(kept.copy())
        dictionary.encode(b"<a:c%d>" % number)
        kept = np.append(kept, True)
    assert dictionary.decode(2) == b"<a:b>"
    del lease
    dictionary.sweep(kept.copy())
    assert dictionary.encode(b"<a:d>") == 2
    dictionary._check()


def test_a_frozen_term_that_was_forgotten_gets_its_own_id_again() -> None:
    dictionary = Dictionary()
    dictionary.encode_many([b"<a:a>", b"<a:b>", b"<a:c>"])
    freeze(dictionary)
    for _ in range(2):
        dictionary.sweep(np.array([True, True, False, True]))
    assert dictionary.free == [2]
    assert dictionary.encode_many([b"<a:c>", b"<a:b>", b"<a:b>"]).tolist() == [3, 2, 2]
    dictionary._check()


def test_a_look_up_meets_one_numbering() -> None:
    """Terms are frozen between its two steps, the second of which is for terms that wait."""
    dictionary = Dictionary()
    dictionary.encode_many([b"<a:a>", b"<a:b>"])
    dictionary.sweep(np.array([True, True, False]))
    old = dictionary._ids

    class Term(bytes):
        def __hash__(self) -> int:
            if dictionary._ids is old:
                freeze(dictionary)
            return bytes.__hash__(self)

    assert dictionary.find(Term(b"<a:b>")) == 2
    assert dictionary.is_frozen


def test_hashes_that_are_not_spread_evenly_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """All in one place, in two, and in order of the numbers."""
    terms = [b"<x:%d>" % number for number in range(3000)]
    for hashed in (
        lambda term: 7,
        lambda term: len(term) % 2 * (2**32 - 1),
        lambda term: int(term[3:-1] or 0),
        lambda term: 2**32 - 1 - int(term[3:-1] or 0) ** 2,
    ):
        monkeypatch.setattr(frozen_terms, "crc32", hashed)
        dictionary = Dictionary()
        dictionary.encode_many(terms[::2])
        freeze(dictionary)
        expected = [place // 2 + 1 if place % 2 == 0 else None for place in range(100)]
        assert [dictionary.find(term) for term in terms[:100]] == expected
        assert dictionary.find_many(terms[:100]).tolist() == [id or 0 for id in expected]


def test_a_table_that_does_not_have_its_capacity_is_damage(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, DURABLE, terms_read_whole=0)
    dictionary = Dictionary()
    dictionary.encode_many([b"<a:%d>" % number for number in range(50)])
    told, blocks = written(PinnedTerms.of(dictionary))
    compare(mapped((told, blocks)), dictionary)
    slots = blocks[told["table"]]
    for cut, capacity in (
        (slots, len(slots) // 8),
        (slots, 0),
        (slots, -1),
        (slots, None),
        (slots[:-8], told["capacity"]),
        (slots[:-3], told["capacity"]),
        (b"", told["capacity"]),
    ):
        blocks[told["table"]] = cut
        with pytest.raises(Damage):
            mapped(({**told, "capacity": capacity}, blocks))
