"""Marked facts are the set of what was added, in whichever form it came."""

from __future__ import annotations

import random

import numpy as np
import pytest

from contracts.denotation import Pair, key, keys_of, pairs_of
from rdfinc.tables import facts
from rdfinc.tables.marks import Marked, Marks
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put


@pytest.mark.parametrize("forms", [(False,), (True,), (False, True)])
def test_marked_facts_are_what_was_added(forms: tuple[bool, ...]) -> None:
    for seed in range(30):
        rnd = random.Random(seed)
        first = some(rnd)
        marked, held = Marked(keys_of(first, rnd.choice(forms))), set(first)
        for _ in range(8):
            new = some(rnd)
            assert pairs_of(marked.add(keys_of(new, rnd.choice(forms)))) == new - held
            held |= new
            assert len(marked) == len(held)
            assert pairs_of(marked.keys()) == held
            asked, form = some(rnd) | some(rnd), rnd.choice(forms)
            there, not_there = marked.split(keys_of(asked, form))
            assert pairs_of(there) == asked & held
            assert pairs_of(not_there) == asked - held
            assert marked.holds(keys_of(asked, form)) == (asked <= held)
            assert {pair for pair in asked if marked.has(key(pair))} == asked & held
            column = np.array(list(map(key, asked)), np.uint64)
            assert pairs_of(column[marked.contains(column)]) == asked & held


@pytest.mark.parametrize("narrow", [0, 3, 1000])
def test_marks_are_kept_by_predicate(narrow: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, narrow_batch=narrow)
    rnd = random.Random(narrow)
    marks, held = Marks(), set()
    for _ in range(30):
        new = {(s, rnd.randint(1, 2), o) for s, o in some(rnd)}
        assert set(facts.triples(marks.add(facts.batch_of(new)))) == new - held
        held |= new
        assert set(facts.triples(marks.batch())) == held
    assert not marks[7].has(1)
    assert bool(marks) and not Marks()


def some(rnd: random.Random) -> set[Pair]:
    return {(rnd.randint(1, 4), rnd.randint(1, 4)) for _ in range(rnd.randint(1, 6))}
