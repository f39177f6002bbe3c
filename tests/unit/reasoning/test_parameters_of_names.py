"""Parameter tables of rules about representatives have the rows that they have about all terms."""

from __future__ import annotations

import pytest
from small_bases import derived, loaded

from rdfinc.reasoning.program import compiled_program

MANY = 60


@pytest.fixture
def rows(monkeypatch) -> list[int]:
    """How many rows each parameter table that is read has."""
    counts: list[int] = []
    rows_of = compiled_program.rows_of

    def counted(plans, facts):
        found = rows_of(plans, facts)
        counts.append(max((column.size for column in found.values()), default=0))
        return found

    monkeypatch.setattr(compiled_program, "rows_of", counted)
    return counts


def test_lists_are_joined_with_their_axioms_where_something_is_equal(rows):
    axioms = "".join(f":K{i} owl:intersectionOf (:A{i} :B{i} :C{i}) ." for i in range(MANY))
    kb = loaded(f"{axioms} :a owl:sameAs :b . :a a :K1 .")
    assert not kb._engine.version.aliases.trivial
    assert {":b rdf:type :C1", ":b rdf:type :K1"} <= derived(kb)
    assert max(rows) <= 4 * MANY


def test_facts_about_an_equal_list_hold():
    """A name of a list is no list of its own: facts about it are held for each term."""
    kb = loaded(
        ":K owl:intersectionOf :l . :l owl:sameAs :m . :l rdf:first :A; rdf:rest () . :x a :A ."
    )
    assert ":x rdf:type :K" in derived(kb)
    kb.update(insert=[("<http://e/y>", "<http://www.w3.org/2002/07/owl#sameAs>", "<http://e/x>")])
    assert ":y rdf:type :K" in derived(kb)
    kb._check()
