"""Rules that join literals by value, made of those that join them as terms."""

from __future__ import annotations

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.profiles.by_value import of_objects, of_terms
from thresholds import put

PREFIXES = """
@prefix : <http://e/> .
@prefix aux: <urn:rdfinc:aux:> .
@prefix test: <urn:rdfinc:> .
"""


def rules(text: str) -> list:
    return list(parse_rules(PREFIXES + text))


def same(found, text: str) -> bool:
    return sorted(map(str, map(canonical, found))) == sorted(map(str, map(canonical, rules(text))))


def test_a_shared_object_may_be_written_otherwise():
    (rule,) = rules("[?x, :r, ?z] :- [?x, :p, ?z], [?y, :q, ?z] .")
    assert same(
        of_objects(rule),
        """[?x, :r, ?z] :- [?w, aux:literal.value, ?v], [?z, aux:literal.value, ?v],
           [?x, :p, ?z], [?y, :q, ?w], FILTER(!sameTerm(?z, ?w)) .""",
    )


def test_there_is_a_rule_for_each_occurrence_that_may_be_the_first_to_differ():
    (rule,) = rules("false :- [?x, :p, ?z], [?x, :q, ?z], [?x, :r, ?z] .")
    assert same(
        of_objects(rule),
        """
        false :- [?w, aux:literal.value, ?v], [?z, aux:literal.value, ?v],
            [?u, aux:literal.value, ?v], [?x, :p, ?z], [?x, :q, ?w], [?x, :r, ?u],
            FILTER(!sameTerm(?z, ?w)) .
        false :- [?w, aux:literal.value, ?v], [?z, aux:literal.value, ?v], [?x, :p, ?z],
            [?x, :q, ?z], [?x, :r, ?w], FILTER(!sameTerm(?z, ?w)) .
        """,
    )


TWO = "false :- [?x, :p, ?y], [?x, :q, ?y], [?x, :r, ?z], [?x, :s, ?z] ."
FIRST = """false :- [?w, aux:literal.value, ?v], [?y, aux:literal.value, ?v], [?x, :p, ?y],
    [?x, :q, ?w], [?x, :r, ?z], [?x, :s, {other}], FILTER(!sameTerm(?y, ?w)){more} ."""
SECOND = """false :- [?w, aux:literal.value, ?v], [?z, aux:literal.value, ?v], [?x, :p, ?y],
    [?x, :q, ?y], [?x, :r, ?z], [?x, :s, ?w], FILTER(!sameTerm(?z, ?w)) ."""


def test_there_is_a_rule_for_each_way_in_which_later_variables_may_differ():
    both = (
        """, FILTER(!sameTerm(?z, ?u)), [?u, aux:literal.value, ?t], [?z, aux:literal.value, ?t]"""
    )
    ways = FIRST.format(other="?z", more=""), FIRST.format(other="?u", more=both), SECOND
    (rule,) = rules(TWO)
    assert same(of_objects(rule), "\n".join(ways))


def test_where_many_ways_would_be_many_rules_values_are_compared(monkeypatch):
    put(monkeypatch, LISTS, differing_ways=1)
    either = FIRST.format(other="?u", more=", FILTER(test:alike(?z, ?u))")
    (rule,) = rules(TWO)
    assert same(of_objects(rule), f"{either}\n{SECOND}")


def test_of_two_terms_with_a_name_among_them_one_differs():
    (rule,) = rules(TWO.replace(" .", ", FILTER(test:nameAmong(?y, ?z)) ."))
    assert len(of_objects(rule)) == 2


def test_individuals_are_not_compared_by_value():
    (rule,) = rules("[?x, :r, ?z] :- [?x, :p, ?y], [?y, :q, ?z], [?x, owl:sameAs, ?z] .")
    assert of_objects(rule) == ()


def test_terms_of_any_relation_are_compared_as_subjects_too():
    (rule,) = rules("[?x, ?p, ?z] :- [?p, a, :T], [?x, ?p, ?y], [?y, ?p, ?z] .")
    assert same(
        of_terms(rule),
        """[?x, ?p, ?z] :- [?w, aux:literal.value, ?v], [?y, aux:literal.value, ?v], [?p, a, :T],
           [?x, ?p, ?y], [?w, ?p, ?z], FILTER(!sameTerm(?y, ?w)) .""",
    )


def test_variables_that_name_relations_are_not_compared():
    (rule,) = rules("[?x, a, ?c] :- [?r, :some, ?c], [?s, :all, ?c], [?x, a, ?c] .")
    assert of_terms(rule) == ()
