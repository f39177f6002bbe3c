"""Rules that join literals by value, made of those that join them as terms."""

from __future__ import annotations

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.owl.profiles.by_value import of_objects, of_terms

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


def test_there_is_a_rule_for_each_occurrence_after_the_first():
    (rule,) = rules("false :- [?x, :p, ?z], [?x, :q, ?z], [?x, :r, ?z] .")
    assert same(
        of_objects(rule),
        """
        false :- [?w, aux:literal.value, ?v], [?z, aux:literal.value, ?v], [?x, :p, ?z],
            [?x, :q, ?w], [?x, :r, ?u], FILTER(!sameTerm(?z, ?w)), FILTER(test:alike(?z, ?u)) .
        false :- [?w, aux:literal.value, ?v], [?z, aux:literal.value, ?v], [?x, :p, ?z],
            [?x, :q, ?u], [?x, :r, ?w], FILTER(test:alike(?z, ?u)), FILTER(!sameTerm(?z, ?w)) .
        """,
    )


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
