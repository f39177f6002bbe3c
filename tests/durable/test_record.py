"""A record that is read is the one that was written: random changes, terms and texts."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from rdfinc.durable.damage import Damage
from rdfinc.durable.record import Record, rules_in
from rdfinc.knowledge_base.versions.change import Change, Statements
from rdfinc.tables.facts import shaped

RULE = "[?x, <http://example.org/p>, ?z] :- [?x, <http://example.org/p{}>, ?z] ."


def statements(chance: random.Random) -> Statements:
    """Few or many keys of some relations of some graphs."""
    return {
        graph: {
            predicate: shaped(sorted(chance.sample(range(1 << 60), chance.choice((1, 2, 99)))))
            for predicate in chance.sample(range(1, 50), chance.randrange(1, 4))
        }
        for graph in chance.sample(range(9), chance.randrange(3))
    }


def change(chance: random.Random) -> Change:
    rules = [rules_in(RULE.format(chance.randrange(9))) for _ in range(2)]
    told = rules if chance.random() < 0.2 else [{}, {}]
    return Change(statements(chance), statements(chance), *told)


def record(chance: random.Random) -> Record:
    terms = [b'"%d"' % chance.randrange(10**9) * chance.randrange(3) for _ in range(9)]
    some = terms[: chance.randrange(10)]
    ids = np.array(chance.sample(range(1 << 32), len(some)), np.uint32)
    changes = [change(chance) for _ in range(chance.choice((0, 1, 1, 2, 3)))]
    found = Record(changes, ids, some, chance.randrange(99), chance.randrange(99))
    if chance.random() < 0.2:
        found.prefixes, found.notes = {"é": "http://example.org/"}, {"position": [chance.random()]}
    return found


def plain(of: Record) -> Any:
    """What a record says, in values that can be compared."""
    changes = [
        ([*map(listed, (each.delete, each.insert))], each.rules_removed, each.rules_added)
        for each in of.changes
    ]
    return changes, of.ids.tolist(), of.terms, of.scopes, of.blanks, of.prefixes, of.notes


def listed(side: Statements) -> dict[int, dict[int, list[int]]]:
    return {g: {p: [*map(int, keys)] for p, keys in of.items()} for g, of in side.items()}


def test_it_is_read_as_it_was_written() -> None:
    for seed in range(200):
        written = record(random.Random(seed))
        content = memoryview(b"x" + written.to_bytes())[1:]  # it begins at any byte
        assert plain(Record.from_bytes(content)) == plain(written), seed


def test_one_that_is_cut_short_or_too_long_is_damage() -> None:
    content = record(random.Random(3)).to_bytes()
    for wrong in (content[:20], content[:-1], content + b"x"):
        with pytest.raises(Damage):
            Record.from_bytes(memoryview(wrong))


def test_rules_that_cannot_be_read_are_damage() -> None:
    content = Record(
        [Change(rules_added=rules_in(RULE.format(1)))], np.zeros(0, np.uint32), [], 0, 0
    )
    wrong = content.to_bytes().replace(b":-", b"??")
    with pytest.raises(Damage):
        Record.from_bytes(memoryview(wrong))
