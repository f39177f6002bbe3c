"""Home towns: people of the university data, in towns of many sizes."""

from __future__ import annotations

from collections import Counter

import home_towns

from rdfinc import KnowledgeBase, university


def test_people_are_those_of_the_university() -> None:
    people = home_towns.people(1, 1)
    assert len(set(people)) == len(people)
    kinds = (b"Graduate> .", b"Undergraduate> .", b"Professor> .", b"Lecturer> .")
    lines = university.lines(1, departments=1)
    typed = {line.split()[0].decode() for line in lines if line.endswith(kinds)}
    assert set(people) == typed


def test_people_have_towns_and_a_sixth_the_largest() -> None:
    people = home_towns.people(1, 1)
    kb = KnowledgeBase(profile="none")
    kb.update(insert=home_towns.triples(1, 1))
    relation = home_towns.RELATION
    kb.add_rules(f"[?y, {relation}, ?x] :- [?x, {relation}, ?y] .")
    kb.add_rules(f"[?x, {relation}, ?z] :- [?x, {relation}, ?y], [?y, {relation}, ?z] .")
    known = Counter(subject.n3() for subject, _, _ in kb)
    assert set(known) == set(people)
    assert max(known.values()) == len(people) // 6
    assert min(known.values()) >= 2


def test_facts_depend_on_the_seed_alone() -> None:
    facts = list(home_towns.triples(1, 1))
    assert len(set(facts)) == len(facts)
    assert facts == list(home_towns.triples(1, 1))
    assert facts != list(home_towns.triples(1, 1, 3))
