"""Printed rules parse back to equal rules."""

from hypothesis import given
from hypothesis import strategies as st
from rule_strategies import rules

from rdfinc.datalog.canonical import canonical
from rdfinc.datalog.model import Program
from rdfinc.datalog.printing import program_text, rule_text
from rdfinc.datalog.syntax import PREFIXES, parse_rules

SHORT = {**PREFIXES, "e": "http://e.org/", "": "urn:c:", "x": "http://e.org/pp"}


def distinct(several):
    first = {}
    for rule in several:
        first.setdefault(canonical(rule), rule)
    return Program(tuple(first.values()))


@given(st.lists(rules, max_size=4).map(distinct))
def test_programs_parse_back(program):
    assert parse_rules(str(program)) == program


@given(st.lists(rules, max_size=4).map(distinct))
def test_programs_with_prefixes_parse_back_on_their_own(program):
    assert parse_rules(program_text(program, SHORT)) == program


@given(rules)
def test_rules_parse_back(rule):
    assert parse_rules(str(rule)).rules == (rule.unnamed(),)


def test_how_it_looks():
    text = """\
@prefix : <http://e.org/> .
@rule assistant .
[?x, a, :TA] :- [?x, a, :Person], [?x, :age, 42], FILTER(?x != :o && !(?x = "a:b"@en)) .
@rule .
false :- [?x, :p-1, 1.5], BIND(xsd:integer(?x) * -1 AS ?y) .
"""
    prefixes = {"": "http://e.org/"}
    expected = text.replace("xsd:integer", "<http://www.w3.org/2001/XMLSchema#integer>")
    assert program_text(parse_rules(text), prefixes) == expected


def test_only_prefixes_in_use_are_declared():
    (rule,) = parse_rules('[?x, a, owl:Thing] :- [?x, rdfs:label, "skos:x"] .')
    text = program_text(Program((rule,)), PREFIXES)
    assert [line.split()[1] for line in text.splitlines()[:-1]] == ["owl:", "rdfs:"]
    assert rule_text(rule, PREFIXES) == '[?x, a, owl:Thing] :- [?x, rdfs:label, "skos:x"] .'


def test_the_longest_namespace_wins():
    (rule,) = parse_rules("[?x, <http://e.org/ppq>, ?y] :- [?y, <http://e.org/ppq>, ?x] .")
    assert rule_text(rule, SHORT) == "[?x, x:q, ?y] :- [?y, x:q, ?x] ."
