"""Printed rules parse back to equal rules."""

from contextlib import suppress

from hypothesis import given, settings
from hypothesis import strategies as st
from rule_strategies import IRIS, LITERALS, atoms, items, names, rules, variables

import rdfinc
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    Expression,
    Literal,
    NotExists,
    Program,
    Rule,
    Skolem,
    Value,
    Var,
)
from rdfinc.datalog.printing import naming_text, program_text, rule_text
from rdfinc.datalog.syntax.rule_text import PREFIXES, parse_rules
from rdfinc.datalog.variables import body_variables

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


NUMBERS = st.sampled_from([Var("n"), Var("m")])
ONE = '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'
EXPRESSIONS = st.builds(
    lambda text, v: Expression(text.format(v, ONE), (v,)),
    st.sampled_from(["{0}", "{0} * {1}", "STRLEN({0}) - {1}", 'IF({0} = "?n) ,", <urn:c:D>, {1})']),
    variables,
)
some_variables = st.lists(variables, max_size=3, unique=True).map(tuple)
counts = st.builds(Value, st.just("COUNT"), st.none(), st.just(False), NUMBERS)
values = st.builds(
    Value, st.sampled_from(["SUM", "MIN", "MEDIAN"]), EXPRESSIONS, st.booleans(), NUMBERS
)
skolems = st.builds(
    Skolem,
    st.sampled_from(["part", 'a "b"\\n, ?x', ""]),
    st.lists(st.one_of(variables, st.sampled_from([*IRIS, *LITERALS])), max_size=3).map(tuple),
    st.just(Var("w")),
)


def _nesting(inner):
    bodies = st.lists(inner, min_size=1, max_size=2).map(tuple)
    groups = st.lists(st.one_of(counts, values), min_size=1, max_size=2).map(tuple)
    return st.one_of(
        st.builds(NotExists, some_variables, bodies),
        st.builds(Aggregate, bodies, some_variables, groups),
    )


everything = st.recursive(
    st.one_of(items, st.builds(Literal, atoms, st.just(False)), skolems), _nesting, max_leaves=4
)
whole_rules = st.builds(
    Rule,
    st.one_of(st.none(), atoms),
    st.lists(everything, min_size=1, max_size=4).map(tuple),
    names,
)
"""With all constructs, nested at will; few are safe."""


@given(st.lists(whole_rules, max_size=4).map(distinct))
def test_programs_with_all_constructs_parse_back(program):
    assert_parses_back(program, str(program))
    assert_parses_back(program, program_text(program, SHORT))


def assert_parses_back(program, text):
    """To the same rules; where one variable is an aggregate's value and local, up to its name."""
    again = parse_rules(text)
    assert list(map(canonical, again)) == list(map(canonical, program))
    assert [rule.name for rule in again] == [rule.name for rule in program]
    assert [
        rule
        for rule, other in zip(again, program, strict=True)
        if rule != other and not ambiguous(other.body)
    ] == []


def ambiguous(body):
    inner = [item for item in body if isinstance(item, NotExists | Aggregate)]
    clash = any(
        value.variable in body_variables(item.body)
        for item in inner
        if isinstance(item, Aggregate)
        for value in item.values
    )
    return clash or any(ambiguous(item.body) for item in inner)


PIECES = [
    "{0}[?x] :- {1}[?x], NOT {2}[?x] .",
    "{0}[?x] :- {1}[?x], NOT EXISTS ?y, ?z IN ([?x, {2}, ?y], [?y, {2}, ?z]) .",
    "{0}[?x] :- {1}[?x], NOT ([?x, {2}, ?x], {2}[?x]) .",
    "[?x, {0}, ?n] :- AGGREGATE([?x, {1}, ?y], NOT {2}[?y] ON ?x BIND COUNT(DISTINCT ?y) AS ?n) .",
    "[:all, {0}, ?m] :- AGGREGATE([?x, {1}, ?y] BIND SUM(?y * 2) AS ?n BIND MAX(?y) AS ?m) .",
    '[?x, {0}, ?z] :- [?x, {1}, ?y], BIND(SKOLEM("pair", ?x, ?y, {2}, 5) AS ?z) .',
    "[?x, {0}, ?z] :- [?x, {1}, ?y], FILTER(?y > 3 || !isIRI(?y)), BIND(STRLEN(STR(?y)) AS ?z) .",
    "false :- {0}[?x], [?x, {1}, ?y], NOT [?y, {2}, ?x] .",
    "[?x, ?p, ?y] :- [?p, {1}, ?q], [?x, ?q, ?y] .",
]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "@rule one .", '@rule "two words" .', "@rule ."]),
            st.sampled_from(PIECES),
            st.permutations([":a", ":b", ":c", ":d", "e:p"]),
        ),
        max_size=5,
    )
)
@settings(max_examples=60)
def test_the_program_of_a_knowledge_base_parses_back(pieces):
    kb = rdfinc.KnowledgeBase(profile="none")
    kb.bind("", "urn:c:")
    kb.bind("e", "http://e.org/")
    for name, text, relations in pieces:
        with suppress(rdfinc.UnstratifiableError):
            kb.add_rules(f"{name}\n{text.format(*relations)}")
    again = rdfinc.KnowledgeBase(profile="none")
    again.add_rules(str(kb.program))
    assert again.program == kb.program
    assert program_text(again.program, kb.namespaces) == program_text(kb.program, kb.namespaces)


def test_a_local_variable_with_the_name_of_a_value_is_renamed():
    x, y, n = map(Var, "xyn")
    group = Aggregate(
        (Literal(Atom(x, "<urn:p>", n)),),
        (x,),
        (Value("SUM", Expression("?n", (n,)), False, n), Value("COUNT", None, False, y)),
    )
    rule = Rule(Atom(x, "<urn:q>", n), (group,))
    (again,) = parse_rules(str(rule))
    assert again != rule
    assert canonical(again) == canonical(rule)


def test_how_names_look():
    assert naming_text("prp-trp", 'moves "on"') == '@rule prp-trp "moves \\"on\\"" .'
    assert naming_text("two words") == '@rule "two words" .'
    assert naming_text("") == "@rule ."


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
