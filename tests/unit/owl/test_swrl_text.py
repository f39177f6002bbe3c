"""SWRL as text: what it means, that it is printed as it is read, and where it is wrong."""

from __future__ import annotations

import pytest

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.syntax.rule_text import PREFIXES, parse_rules
from rdfinc.errors import RuleSyntaxError, UnsafeRuleError, UnsupportedError
from rdfinc.owl.swrl_text import parse_swrl, swrl_text

NAMES = {**PREFIXES, "": "http://e.org/"}
IN, SOLVE = "<urn:rdfinc:inDatatype>", "<urn:rdfinc:solution>"
WANTED, UNKNOWN = "<urn:rdfinc:wanted>", "<urn:rdfinc:unknown>"

# SWRL, the rules it stands for
MEANING = [
    (
        "Person(?x) ^ hasParent(?x, ?y) -> hasChild(?y, ?x)",
        "[?y, :hasChild, ?x] :- :Person[?x], [?x, :hasParent, ?y] .",
    ),
    (
        "hasAge(?x, ?a) ^ swrlb:greaterThan(?a, 17) -> Adult(?x) ^ canVote(?x, true)",
        ":Adult[?x] :- [?x, :hasAge, ?a], FILTER(swrlb:greaterThan(?a, 17)) ."
        "[?x, :canVote, true] :- [?x, :hasAge, ?a], FILTER(swrlb:greaterThan(?a, 17)) .",
    ),
    (
        "p(?x, ?a) ^ swrlb:add(?b, ?a, 1) ^ swrlb:multiply(4, ?b, 2.5) -> q(?x, ?b)",
        "[?x, :q, ?b] :- [?x, :p, ?a], BIND(swrlb:add(?a, 1) AS ?b), "
        "FILTER(swrlb:equal(4, swrlb:multiply(?b, 2.5))) .",
    ),
    (
        "swrlb:add(?c, ?b, 1) ^ swrlb:add(?b, ?a, 1) ^ p(?x, ?a) -> q(?x, ?c)",
        "[?x, :q, ?c] :- [?x, :p, ?a], BIND(swrlb:add(?a, 1) AS ?b), "
        "BIND(swrlb:add(?b, 1) AS ?c) .",
    ),
    (
        "p(?x, ?a) ^ swrlb:add(?a, ?a, 0) -> q(?x, ?a)",
        "[?x, :q, ?a] :- [?x, :p, ?a], FILTER(swrlb:equal(?a, swrlb:add(?a, 0))) .",
    ),
    (
        "p(?x, ?a) ^ swrlb:equal(?b, -5) ^ swrlb:equal(?a, ?b) -> q(?x, ?b)",
        '[?x, :q, ?b] :- [?x, :p, ?a], BIND("-5"^^xsd:integer AS ?b), '
        "FILTER(swrlb:equal(?a, ?b)) .",
    ),
    (
        "p(?x, ?d) ^ swrlb:add(?d, ?n, 1) -> q(?x, ?n)",
        f"[?x, :q, ?n] :- [?x, :p, ?d], BIND({SOLVE}(swrlb:add, ?d, {WANTED}, 1) AS ?n), "
        "FILTER(swrlb:equal(?d, swrlb:add(?n, 1))) .",
    ),
    (
        "p(?x, ?d) ^ swrlb:date(?d, ?y, ?m, 1) -> q(?x, ?m)",
        f"[?x, :q, ?m] :- [?x, :p, ?d], "
        f"BIND({SOLVE}(swrlb:date, ?d, {WANTED}, {UNKNOWN}, 1) AS ?y), "
        f"BIND({SOLVE}(swrlb:date, ?d, ?y, {WANTED}, 1) AS ?m), "
        "FILTER(swrlb:equal(?d, swrlb:date(?y, ?m, 1))) .",
    ),
    (
        "p(?x, ?d) ^ swrlb:date(?d, ?y, ?m, ?n) ^ p(?x, ?m) ^ swrlb:equal(?m, ?w) -> q(?x, ?w)",
        f"[?x, :q, ?w] :- [?x, :p, ?d], [?x, :p, ?m], BIND(?m AS ?w), "
        f"BIND({SOLVE}(swrlb:date, ?d, {WANTED}, ?m, {UNKNOWN}) AS ?y), "
        f"BIND({SOLVE}(swrlb:date, ?d, ?y, ?m, {WANTED}) AS ?n), "
        "FILTER(swrlb:equal(?d, swrlb:date(?y, ?m, ?n))) .",
    ),
    (
        "p(?x, ?a) ^ swrlb:add(?a, ?b, 1) ^ swrlb:add(?b, ?c, 1) -> q(?x, ?c)",
        f"[?x, :q, ?c] :- [?x, :p, ?a], BIND({SOLVE}(swrlb:add, ?a, {WANTED}, 1) AS ?b), "
        "FILTER(swrlb:equal(?a, swrlb:add(?b, 1))), "
        f"BIND({SOLVE}(swrlb:add, ?b, {WANTED}, 1) AS ?c), "
        "FILTER(swrlb:equal(?b, swrlb:add(?c, 1))) .",
    ),
    (
        "p(?x, ?a) ^ xsd:int(?a) -> A(?x)",
        f":A[?x] :- [?x, :p, ?a], FILTER({IN}(?a, xsd:int)) .",
    ),
    (
        'p(?x, ?a) ^ {"a"@en, 1, "x"^^xsd:token}(?a) -> A(?x)',
        ':A[?x] :- [?x, :p, ?a], FILTER(?a IN ("a"@en, 1, "x"^^xsd:token)) .',
    ),
    (
        "p(?x, ?y) ^ p(?x, ?z) ^ q(?z, ?w) ^ sameAs(?y, ?z) -> r(?y, ?z)",
        "[?y, :r, ?z] :- [?x, :p, ?y], [?x, :p, ?z], [?z, :q, ?w], [?y, owl:sameAs, ?z] ."
        "[?y, :r, ?y] :- [?x, :p, ?y], [?y, :q, ?w] .",
    ),
    (
        "p(?x, ?y) ^ sameAs(?y, bob) -> A(?x)",
        ":A[?x] :- [?x, :p, ?y], [?y, owl:sameAs, :bob] . :A[?x] :- [?x, :p, :bob] .",
    ),
    (
        "p(?x, ?a) ^ sameAs(?y, ?z) ^ sameAs(?z, bob) ^ swrlb:notEqual(?y, ?a) -> q(?x, ?y)",
        "[?x, :q, ?y] :- [?x, :p, ?a], [?y, owl:sameAs, ?z], [?z, owl:sameAs, :bob], "
        "  FILTER(swrlb:notEqual(?y, ?a)) ."
        "[?x, :q, ?y] :- [?x, :p, ?a], [?y, owl:sameAs, :bob], FILTER(swrlb:notEqual(?y, ?a)) ."
        "[?x, :q, ?y] :- [?x, :p, ?a], [?y, owl:sameAs, :bob], FILTER(swrlb:notEqual(?y, ?a)) ."
        "[?x, :q, :bob] :- [?x, :p, ?a], FILTER(swrlb:notEqual(:bob, ?a)) .",
    ),
    (
        "sameAs(?x, ?y) -> linked(?x, ?y)",
        "[?x, :linked, ?y] :- [?x, owl:sameAs, ?y] .",
    ),
    (
        "sameAs(?x, bob) -> A(?x)",
        ":A[?x] :- [?x, owl:sameAs, :bob] . [:bob, a, :A] :- FILTER(swrlb:equal(true, true)) .",
    ),
    ("A(?x) ^ sameAs(bob, eve) -> B(?x)", ":B[?x] :- :A[?x], [:bob, owl:sameAs, :eve] ."),
    ("A(?x) ^ B(?y) -> sameAs(?x, ?y)", "[?x, owl:sameAs, ?y] :- :A[?x], :B[?y] ."),
    (
        "p(?x, ?y) ^ differentFrom(?x, ?y) -> differentFrom(?y, eve)",
        "[?y, owl:differentFrom, :eve] :- [?x, :p, ?y], [?x, owl:differentFrom, ?y] ."
        "[?y, owl:differentFrom, :eve] :- [?x, :p, ?y], [?y, owl:differentFrom, ?x] .",
    ),
    (
        "p(?x, ?l) ^ swrlb:first(?f, ?l) ^ swrlb:rest(?r, ?l) ^ swrlb:empty(?r) -> last(?x, ?f)",
        "[?x, :last, ?f] :- [?x, :p, ?l], [?l, swrlb:first, ?f], [?l, swrlb:rest, ?r], "
        "FILTER(sameTerm(?r, rdf:nil)) .",
    ),
    (
        "p(?x, ?l) ^ swrlb:member(3, ?l) ^ swrlb:length(?n, ?l) ^ swrlb:sublist(?l, :m) "
        "^ swrlb:listConcat(?c, ?l, :m, ?l) ^ swrlb:listIntersection(?l, ?c, :m) -> q(?x, ?c)",
        "[?x, :q, ?c] :- [?x, :p, ?l], [?l, swrlb:member, 3], BIND(swrlb:length(?l) AS ?n), "
        "FILTER(swrlb:sublist(?l, :m)), BIND(swrlb:listConcat(?l, :m, ?l) AS ?c), "
        "FILTER(swrlb:equal(?l, swrlb:listIntersection(?c, :m))) .",
    ),
    ("Adult(?x) ^ Child(?x) -> false", "false :- :Adult[?x], :Child[?x] ."),
    ("Adult(?x) ^ Child(?x) -> owl:Nothing(?x)", "false :- :Adult[?x], :Child[?x] ."),
    ("owl:Thing(?x) ^ p(?x, ?y) -> A(?y)", ":A[?y] :- [?x, :p, ?y] ."),
    ("A(?x), p(?x, eve) → B(?x)", ":B[?x] :- :A[?x], [?x, :p, :eve] ."),
    ("A(eve) ∧ p(eve, ?x) -> q(?x, 1e3)", "[?x, :q, 1e3] :- [:eve, a, :A], [:eve, :p, ?x] ."),
    (
        "@prefix ex: <urn:x:> . # a rule\n ex:A(?x) -> <urn:B>(?x) . ex:C(?x)->ex:D(?x)\n"
        "A(?x)->B(?x)",
        "[?x, a, <urn:B>] :- [?x, a, <urn:x:A>] . [?x, a, <urn:x:D>] :- [?x, a, <urn:x:C>] ."
        ":B[?x] :- :A[?x] .",
    ),
]


@pytest.mark.parametrize(("text", "rules"), MEANING)
def test_meaning(text, rules):
    found = [canonical(rule) for rule in parse_swrl(text, NAMES)]
    expected = [canonical(rule) for rule in parse_rules(rules, NAMES)]
    assert list(dict.fromkeys(found)) == expected


@pytest.mark.parametrize("text", [text for text, _ in MEANING])
def test_printed_as_it_is_read(text):
    for rule in parse_swrl(text, NAMES):
        assert parse_swrl(swrl_text(rule, NAMES), NAMES).rules == (rule,)
        assert parse_swrl(swrl_text(rule)).rules == (rule,), "without the empty prefix"
        (again,) = parse_rules(str(rule))
        assert again == rule, "as Datalog"


PRINTED = [
    "Person(?x) ^ hasParent(?x, ?y) -> hasChild(?y, ?x)",
    'p(?x, ?a) ^ swrlb:add(?b, ?a, 1.5) ^ swrlb:lessThan(?b, "2"^^xsd:byte) -> q(?x, ?b)',
    'p(?x, ?a) ^ swrlb:equal(?b, "a, (b)") ^ {"x"@en, 1}(?a) ^ xsd:int(?a) -> q(?x, ?b)',
    "p(?x, ?l) ^ rdf:first(?l, ?f) ^ swrlb:empty(?l) -> q(?x, ?f)",
    "p(?x, ?a) ^ swrlb:add(3, ?a, 1) -> false",
    "owl:sameAs(?x, eve) -> owl:differentFrom(?x, <urn:x:y>)",
    ":sameAs(?x, :true) ^ :false(?x) -> :differentFrom(?x, a-b)",
]


@pytest.mark.parametrize("text", PRINTED)
def test_printed_text_is_short(text):
    (rule,) = parse_swrl(text, NAMES)
    assert swrl_text(rule, NAMES) == text


def test_names_come_from_rule_declarations():
    text = '@rule old "of age" . A(?x) -> B(?x)\n@rule . C(?x) -> D(?x) ^ E(?x)'
    assert [rule.name for rule in parse_swrl(text, NAMES)] == ["old", "", ""]


NOT_SWRL = [
    ("[?x, ?p, ?x] :- :A[?x], [?x, ?p, ?y] .", "the variable predicate ?p"),
    (":A[?x] :- [?x, a, ?c] .", "the variable class ?c"),
    (":A[?x] :- [?x, :p, ?y], FILTER(?y > 3) .", "FILTER(?y > "),
    (":A[?x] :- [?x, :p, ?y], FILTER(!swrlb:lessThan(?y, 3)) .", "FILTER(!"),
    (":A[?x] :- [?x, :p, ?y], FILTER(swrlb:add(?y, 3)) .", "FILTER(<"),
    (":A[?x] :- :B[?x], NOT :C[?x] .", "NOT ["),
    ("[?x, :q, ?z] :- [?x, :p, ?y], BIND(?y + 3 AS ?z) .", "BIND(?y + "),
    (
        f"[?x, :q, ?z] :- [?x, :p, ?y], BIND({SOLVE}(swrlb:add, ?y, {WANTED}, 1) AS ?z), "
        "FILTER(swrlb:equal(?y, swrlb:add(?z, 2))) .",
        "BIND(<urn:rdfinc:solution>",
    ),
    ("[?x, :q, ?z] :- [?x, :p, ?y], BIND(swrlb:lessThan(?y, 3) AS ?z) .", "BIND(<"),
]


@pytest.mark.parametrize(("text", "construct"), NOT_SWRL)
def test_constructs_that_swrl_has_not_are_named(text, construct):
    (rule,) = parse_rules(text, NAMES)
    with pytest.raises(UnsupportedError) as raised:
        swrl_text(rule, NAMES)
    assert raised.value.construct.startswith(construct)
    assert raised.value.construct.endswith(" in SWRL")


# text, column, part of the message
MALFORMED = [
    ("A(?x) ->", 9, "the text ends too early; expected an atom such as"),
    ("A(?x ^ B(?x) -> C(?x)", 6, "expected a comma or a closing parenthesis"),
    ("A(?x) B(?x) -> C(?x)", 7, "expected `->` and the head (atoms are joined by `^`)"),
    ("-> C(?x)", 1, "`->` cannot stand here; expected a rule (body -> head)"),
    ("A(?x) => C(?x)", 7, "`=` cannot stand here"),
    ("A(?x) ->> C(?x)", 9, "`>` cannot stand here; expected an atom"),
    ("A(?x) ^ -> C(?x)", 9, "`->` cannot stand here; expected an atom"),
    ("A(?x)", 6, "the text ends too early; expected `->`"),
    ("A -> C(?x)", 3, "expected an opening parenthesis"),
    ("A() -> C(?x)", 1, "a class atom has one argument, a property atom two"),
    ("p(?x, ?y, ?z) -> C(?x)", 1, "no built-in and has 3"),
    ("A(?x) -> C(x:y)", 12, "the prefix `x:` is not known; declare it"),
    ("A(?x) ^ swrlb:add(?z, ?x) -> C(?x)", 9, "swrlb:add takes at least 2 argument(s)"),
    ("A(?x) ^ swrlb:add() -> C(?x)", 9, "swrlb:add takes at least 2 argument(s)"),
    ("A(?x) ^ swrlb:add(?z, ?x, ?w) -> C(?x)", 9, "?w, argument 3 of swrlb:add, is unbound"),
    ("A(?x) ^ swrlb:add(?x, ?z, ?z) -> C(?x)", 9, "?z, argument 2 of swrlb:add, is unbound; only"),
    ("p(?x, ?y) ^ swrlb:lessThan(y, 3) -> C(?x)", 13, "argument 1 of swrlb:lessThan is a variable"),
    ("A(?x) ^ swrlb:mod(?x, ?z, 2) -> C(?x)", 9, "only the first argument may be: add"),
    ("A(?x) ^ swrlb:date(?y, ?z, 2, 3) -> C(?x)", 9, "the first argument or any of the others"),
    (
        "A(?x) ^ swrlb:addDayTimeDurationToDate(?x, ?x, ?z) -> C(?x)", 9,
        "addDayTimeDurationToDate, is unbound; only the first argument or argument 2 may be: add",
    ),
    ("A(?x) ^ swrlb:lessThan(?z, ?x) -> C(?x)", 9, "?z, argument 1 of swrlb:lessThan"),
    ("A(?x) ^ swrlb:lessThan(?x) -> C(?x)", 9, "swrlb:lessThan takes 2 arguments, not 1"),
    ("A(?x) ^ swrlb:equal(?z, ?y) -> C(?x)", 9, "?y, argument 2 of swrlb:equal, is unbound; only"
     " one argument may be: add"),
    ("A(?x) ^ swrlb:empty(?l) -> C(?x)", 9, "?l, argument 1 of swrlb:empty, is unbound"),
    ("A(?x) ^ swrlb:empty(?x, 1) -> C(?x)", 9, "swrlb:empty takes 1 argument, not 2"),
    ("p(?x, ?y) ^ swrlb:first(?y) -> C(?x)", 13, "swrlb:first takes 2 arguments, not 1"),
    ('p(?x, ?y) ^ swrlb:first(?y, "a") -> C(?x)', 13, "not the literal"),
    ("A(?x) ^ swrlb:member(?x) -> C(?x)", 9, "swrlb:member takes 2 arguments, not 1"),
    ("A(?x) ^ swrlb:length(?n, ?l) -> C(?x)", 9, "?l, argument 2 of swrlb:length, is unbound"),
    ("A(?x) ^ swrlb:length(?n, 3) -> C(?x)", 9, "an individual stands here, not the literal"),
    ("A(?x) ^ swrlb:sublist(?x, ?l) -> C(?x)", 9, "?l, argument 2 of swrlb:sublist, is unbound"),
    ("A(?x) ^ swrlb:listConcat(?c, ?x) -> C(?c)", 9, "at least 2 argument(s) (all but the res"),
    ("A(?x) ^ swrlb:listSubtraction(?c, ?x, ?x, ?x) -> C(?c)", 9, "takes 2 arguments (all but"),
    (
        "A(?x) ^ rdf:rest(?l, ?r) ^ swrlb:listConcat(?c, ?r, ?x) -> C(?x)", 1,
        "only atoms about lists say which list ?r is",
    ),
    (
        "A(?x) ^ swrlb:add(?a, ?b, 1) ^ swrlb:subtract(?b, ?a, 1) -> C(?a)", 9,
        "?b, argument 2 of swrlb:add, is unbound; only one argument may be",
    ),
    ("A(?x) ^ xsd:int(?y) -> C(?x)", 9, "nothing binds ?y; add an atom with ?y"),
    ("A(?x) ^ xsd:int(?x, ?x) -> C(?x)", 9, "a datatype has one argument"),
    ('A("a") -> C(?x)', 1, 'an individual stands here, not the literal "a"'),
    ('p("a", ?x) -> C(?x)', 1, 'an individual stands here, not the literal "a"'),
    ("p(?x, ?y) -> q(3, ?y)", 14, "an individual stands here, not the literal"),
    ("p(?x, _:b) -> C(?x)", 7, "a rule cannot name the blank node _:b"),
    ('p(?x, "abc) -> C(?x)', 7, "no closing quote on its line"),
    ('p(?x, "a"^^) -> C(?x)', 12, "expected an IRI"),
    ('p(?x, "a"@) -> C(?x)', 10, "no language tag follows the @"),
    ("p(?x, ?) -> C(?x)", 7, "this is no variable"),
    ("A(?x) ^ sameAs(?x) -> C(?x)", 18, "expected a comma"),
    ('A(?x) ^ sameAs(?x, "a") -> C(?x)', 9, "an individual stands here"),
    ("A(?x) ^ differentFrom(?x, 1) -> C(?x)", 9, "an individual stands here"),
    ("p(?x, ?y) ^ {}(?y) -> C(?x)", 14, "expected a literal"),
    ("p(?x, ?y) ^ {?x}(?y) -> C(?x)", 14, "`?x` cannot stand here; expected a literal"),
    ("p(?x, ?y) ^ {1, 2 (?y) -> C(?x)", 19, "a closing brace"),
    ("A(?x) -> C(?x) ^ false", 23, "the text ends too early"),
    ("@prefix ex <http://e.org/> .", 9, "expected a prefix such as ex:"),
    ("<http://e.org/a b>(?x) -> C(?x)", 1, "this is no IRI"),
    ("<rel>(?x) -> C(?x)", 1, "<rel> is no absolute IRI"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column", "part"), MALFORMED)
def test_malformed(text, column, part):
    with pytest.raises(RuleSyntaxError) as raised:
        parse_swrl("# a text of two lines\n" + text, NAMES)
    error = raised.value
    assert (error.line, error.column) == (2, column)
    assert part in error.reason
    assert str(error).endswith(f"    {text}\n    {' ' * (column - 1)}^")


def test_a_name_without_prefix_needs_the_empty_prefix():
    with pytest.raises(RuleSyntaxError, match="`A` has no prefix; declare the empty one"):
        parse_swrl("A(?x) -> B(?x)")


UNSUPPORTED = [
    ("A(?x) ^ swrlb:nope(?x) -> C(?x)", "the built-in swrlb:nope", 9),
    ("A(?x) ^ xsd:ENTITY(?x) -> C(?x)", "the datatype <http://www.w3.org/2001/XMLS", 9),
    ("A(?x) -> swrlb:add(?x, ?x, 1)", "a built-in in the head of a SWRL rule", 10),
    ("A(?x) -> xsd:int(?x)", "a data range in the head of a SWRL rule", 10),
    ("C(?x) -> owl:topObjectProperty(?x, ?x)", "the property owl:topObjectProperty", 10),
]


@pytest.mark.parametrize(("text", "construct", "column"), UNSUPPORTED)
def test_unsupported_constructs_are_named(text, construct, column):
    with pytest.raises(UnsupportedError) as raised:
        parse_swrl(text, NAMES)
    assert raised.value.construct.startswith(construct)
    assert raised.value.node == f"line 1, column {column}"


@pytest.mark.parametrize(
    ("text", "variable"),
    [
        ("A(?x) -> C(?y)", "y"),
        ("owl:Thing(?x) -> C(?x)", "x"),
        ("owl:topObjectProperty(?x, ?y) -> C(?x)", "x"),
        ("A(?x) ^ sameAs(?y, ?z) -> p(?x, ?w)", "w"),
        ("A(?x) ^ swrlb:member(?x, ?l) -> C(?x)", "l"),
        ("A(?x) ^ swrlb:first(?l, ?l) -> C(?x)", "l"),
    ],
)
def test_unsafe_rules_name_the_variable(text, variable):
    with pytest.raises(UnsafeRuleError, match="the SWRL rule at line 1, column 1") as raised:
        parse_swrl(text, NAMES)
    assert raised.value.variable == variable
