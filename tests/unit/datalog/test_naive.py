"""The oracle itself, on cases small enough to check by hand."""

from naive import contradictions, instances, naive

from rdfinc.datalog.model import Var
from rdfinc.datalog.syntax.rule_text import parse_rules

PREFIX = "@prefix : <x:> . "


def facts(text):
    """`a p b, …` as facts about `<x:a>` …; a term in quotes or with a colon stays."""
    return {
        tuple(t if t[0] in '"<' else f"<x:{t}>" for t in fact.split()) for fact in text.split(",")
    }


def test_transitive_closure_through_a_cycle():
    rules = parse_rules(PREFIX + "[?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z] .")
    assert naive(rules, facts("a r b, b r a, b r c")) == facts(
        "a r a, a r b, a r c, b r a, b r b, b r c"
    )


def test_a_rule_may_use_one_fact_twice():
    rules = parse_rules(PREFIX + "[?y, :q, ?z] :- [?x, :p, ?y], [?x, :p, ?z] .")
    assert naive(rules, facts("a p b")) == facts("a p b, b q b")


def test_filters_and_binds():
    rules = parse_rules(
        PREFIX + "[?x, :n, ?m] :- FILTER(?m != 'ab'), BIND(CONCAT(?l, ?l) AS ?m), "
        "BIND(CONCAT(?y, '') AS ?l), [?x, :p, ?y] ."
    )
    given = facts('a p "b", b p "a", c p d, d p ""')
    assert naive(rules, given) - given == facts('a n "bb", b n "aa", d n ""')


def test_contradictions_are_told_apart_by_rule_and_bindings():
    rules = parse_rules(
        PREFIX + "@rule self . false :- [?x, :p, ?x] . [?y, :p, ?y] :- [?x, :p, ?y] ."
    )
    closure = naive(rules, facts("a p b"))
    assert closure == facts("a p b, b p b")
    assert contradictions(rules, closure) == {("self", frozenset({("x", "<x:b>")}))}


def test_instances_are_bindings():
    (rule,) = parse_rules(PREFIX + "[?x, a, :C] :- [?x, :p, ?y], [?y, :p, ?x] .")
    found = list(instances(rule, facts("a p b, b p a, b p c")))
    assert sorted(i[Var("x")] for i in found) == ["<x:a>", "<x:b>"]
