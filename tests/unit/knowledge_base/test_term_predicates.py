"""Patterns with a variable predicate find the same facts, in the same order, before and after it is
noted which predicates a term has, and which facts a subject."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.versions.fact_views import View
from rdfinc.knowledge_base.versions.subject_rows import SubjectRows
from thresholds import put

pytestmark = pytest.mark.filterwarnings("ignore::rdfinc.RdfincWarning")

TERMS = [f"<http://e/{i}>" for i in range(12)]
PREDICATES = [f"<http://e/p{i}>" for i in range(6)]
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"


def rows(facts: list[tuple[int, int, int]]) -> list[tuple[int, list[int]]]:
    return [(p, [o for *_, o in row]) for p, row in groupby(facts, lambda fact: fact[1])]


def check(view: View, ids: list[int]) -> None:
    facts = [*view.match()]
    for id in ids:
        for ends, side in (({"s": id}, 0), ({"o": id}, 2)):
            found, expected = [*view.match(**ends)], [fact for fact in facts if fact[side] == id]
            assert sorted(found) == sorted(expected)
            told = [(id, p, o) for p, row in view.rows(id) for o in sorted(row)]
            assert side or rows(told) == rows(expected)
            assert [p for _, p, _ in found] == [p for _, p, _ in expected]
        assert view.count(s=id) == sum(fact[0] == id for fact in facts)
        assert view.count(o=id) == sum(fact[2] == id for fact in facts)


@pytest.mark.parametrize("seed", range(8))
def test_look_ups_find_what_a_scan_finds_after_every_update(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    r = random.Random(seed)
    kb = KnowledgeBase(axiomatic=seed % 4 == 3)
    kb.add_rules("[?y, <http://e/p1>, ?x] :- [?x, <http://e/p0>, ?y] .")

    def some(number: int) -> list[tuple[str, str, str]]:
        predicates = [*PREDICATES, SAME] if seed % 2 else PREDICATES
        return [(r.choice(TERMS), r.choice(predicates), r.choice(TERMS)) for _ in range(number)]

    put(
        monkeypatch,
        KNOWLEDGE,
        look_up_pairs=10**6 if seed % 3 else 1,
        look_up_facts=10**6 if seed % 4 > 1 else 1,
    )
    for _ in range(12):
        kept = kb.reader() if r.random() < 0.3 else None
        kb.update(insert=some(5), delete=some(3))
        ids = [kb.dictionary.find(term.encode()) for term in TERMS]
        for reader in filter(None, (kb.reader(), kept)):
            for view in (reader.closure, reader.derived, reader.explicit, reader.default_graph):
                check(view, [id for id in ids if id])


def test_what_is_noted_is_told_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, KNOWLEDGE, look_up_facts=10**6)
    kb = KnowledgeBase("none")
    kb.update(insert=[(TERMS[0], PREDICATES[0], f"<http://e/o{i}>") for i in range(5000)])
    rows = [*kb.reader().closure.rows(kb.dictionary.find(TERMS[0].encode()))]
    assert len(rows) == 5 and sum(len(row) for _, row in rows) == 5000
    assert len({o for _, row in rows for o in row}) == 5000


def test_few_facts_of_a_large_closure_are_not_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[object] = []
    monkeypatch.setattr(SubjectRows, "_note", lambda _, facts: noted.append(facts))
    kb = KnowledgeBase("owl2rl")
    kb.update(insert=[(TERMS[0], PREDICATES[0], f"<http://e/o{i}>") for i in range(5000)])
    id = kb.dictionary.find(TERMS[0].encode())
    for _ in range(3):
        assert not [*kb.reader().derived.rows(id)]
    assert not noted
