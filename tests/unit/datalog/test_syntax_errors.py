"""Malformed rule text: the place, and a sentence that says what to do."""

import pickle
import re

import pytest

from rdfinc import KnowledgeBase
from rdfinc.datalog.model import RDF_TYPE
from rdfinc.datalog.syntax.rule_statements import safe_rules
from rdfinc.datalog.syntax.rule_text import parse_expression, parse_rules
from rdfinc.errors import (
    RuleError,
    RuleSyntaxError,
    UnsafeRuleError,
    UnstratifiableError,
    UnsupportedError,
)

PREFIX = "@prefix : <http://e.org/> .\n"
TERMINALS = re.compile(r"[LR](SQB|PAR)|PNAME|IRIREF|LANGTAG|COMPARISON|RULE_NAME|BANG|\$END|_[A-Z]")

# text (its line 2 begins after PREFIX), column of that line, part of the message
MALFORMED = [
    ("[?x, :p ?y] :- :A[?x] .", 9, "`?y` cannot stand here; expected a comma or a closing bracket"),
    ("[?x, :p, ?y :- :A[?x] .", 13, "expected a comma or a closing bracket"),
    ("[?x, :p, ] :- :A[?x] .", 10, "expected a term: a variable, an IRI or a literal"),
    ("[] :- :A[?x] .", 2, "expected a term"),
    ("[?x, :p] :- :A[?x] .", 1, "[subject, predicate, object], not 2 terms"),
    ("[?x, :p, ?y, ?z] :- :A[?x] .", 1, "[subject, predicate, object], not 4 terms"),
    (":R[?x, ?y, 1] :- :A[?x] .", 1, "[?n, <http://e.org/R-1>, ?x], [?n, <http://e.org/R-2>, ?y]"),
    (":A[?x] :- :B[?x]", 17, "the text ends too early; expected a comma or a full stop"),
    (":A[?x] :-", 10, "the text ends too early; expected an atom such as"),
    (":A[?x] :- .", 11, "`.` cannot stand here; expected an atom such as"),
    (":A[?x] :- :B[?x], .", 19, "a FILTER or a BIND"),
    (":A[?x] <- :B[?x] .", 8, "expected `:-` and the body, a comma or a full stop"),
    (":A[?x] :B[?x] .", 8, "`:B` cannot stand here; expected `:-` and the body"),
    (":A[?x] :- :B[?x] :C[?x] .", 18, "expected a comma or a full stop"),
    (":A[?x] :- not_a_prefix:B[?x] .", 11, "the prefix `not_a_prefix:` is not known; declare it"),
    (":A[?x] :- <B>[?x] .", 11, "no absolute IRI; write it in full, or give a base"),
    (":A[?x] :- <http://e.org/a b>[?x] .", 11, "this is no IRI"),
    (":A[?x] :- [?x, :p, <http://e.org] .", 20, "this is no IRI: it has no `>`"),
    (":A[?x] :- [_:b, :p, ?x] .", 12, "a rule cannot name the blank node _:b"),
    (':A[?x] :- ["a", :p, ?x] .', 11, "a subject is an IRI or a variable"),
    (":A[?x] :- [?x, 5, ?y] .", 11, "a predicate is an IRI or a variable, not"),
    (':A[?x] :- [?x, :p, "abc] .', 20, "no closing quote on its line"),
    (r':A[?x] :- [?x, :p, "a\qb"] .', 20, r"\q is no escape"),
    (r':A[?x] :- [?x, :p, "\uD800"] .', 20, r"\uD800 is no character"),
    (r':A[?x] :- [?x, :p, "\u12"] .', 20, r"\u is followed by 4 hexadecimal digits"),
    (':A[?x] :- [?x, :p, "a"@] .', 23, "no language tag follows the @"),
    (':A[?x] :- [?x, :p, "a"^^] .', 25, "expected an IRI"),
    (":A[?] :- :B[?x] .", 4, "this is no variable"),
    (":A[?x] :- :B[?x], FILTER ?x .", 26, "expected an opening parenthesis"),
    (":A[?x] :- :B[?x], FILTER() .", 26, "expected an expression"),
    (":A[?x] :- :B[?x], FILTER(?x <) .", 30, "expected an expression"),
    (":A[?x] :- :B[?x], FILTER(?x 3) .", 29, "expected an operator or a closing parenthesis"),
    (":A[?x] :- :B[?x], FILTER(?x & ?y) .", 29, "`and` is written &&"),
    (":A[?x] :- :B[?x], FILTER(?x < 1 < 2) .", 33, "`<` cannot stand here"),
    (":A[?x] :- :B[?x], FILTER(STRL(?x)) .", 26, "there is no SPARQL function STRL"),
    (":A[?x] :- :B[?x], FILTER(STRLEN(?x, 1)) .", 26, "STRLEN takes 1 argument, not 2"),
    (":A[?x] :- :B[?x], FILTER(SUBSTR(?x)) .", 26, "SUBSTR takes 2 or 3 arguments, not 1"),
    (":A[?x] :- :B[?x], FILTER(BOUND(:a)) .", 26, "BOUND takes a variable"),
    (":A[?x] :- :B[?x], FILTER(xsd:date(?x, 1)) .", 26, "a cast takes 1 argument, not 2"),
    (":A[?x] :- :B[?x], BIND(?x + 1 AS 3) .", 34, "expected a variable such as ?x"),
    (":A[?x] :- :B[?x], BIND(?x + 1, ?z) .", 30, "expected AS and a variable"),
    ("false :- false .", 10, "expected an atom such as"),
    (":- :A[?x] .", 1, "there is no head before `:-`; what must not hold has the head `false`"),
    (":A[?x] :- :B[?x] . :- [?x, :p, ?y] .", 20, "there is no head before `:-`"),
    ("false .", 1, "`false` cannot stand here; expected a rule"),
    ("hello", 1, "expected a rule such as [?y, :q, ?x] :- [?x, :p, ?y] . or a declaration"),
    ("@prefix ex <http://e.org/> .", 9, "`ex` cannot stand here; expected a prefix such as ex:"),
    ("@prefix ex:a <http://e.org/> .", 9, "a prefix ends with its colon, as in `ex:`"),
    ("@prefix ex: .", 13, "expected an IRI in angle brackets"),
    ("@prefix ex: <http://e.org/>", 28, "the text ends too early; expected a full stop"),
    ("@base <e> .", 7, "<e> is no absolute IRI"),
    ("@rule a b .", 9, "expected a text in quotes or a full stop"),
    ("@include <x> .", 1, "expected a rule such as [?y, :q, ?x] :- "),
    ("⊥ :- :A[?x] .", 1, "`⊥` cannot stand here"),
    (":A[?x] :- :B[?x], NOT .", 23, "expected an atom such as [?x, :p, ?y] or :C[?x]"),
    (":A[?x] :- :B[?x], NOT NOT :C[?x] .", 23, "`NOT` cannot stand here"),
    (":A[?x] :- :B[?x], NOT FILTER(?x = 1) .", 23, "`FILTER` cannot stand here"),
    (":A[?x] :- :B[?x], NOT () .", 24, "`)` cannot stand here; expected an atom"),
    ("NOT :A[?x] :- :B[?x] .", 1, "`NOT` cannot stand here; expected a rule"),
    (":A[?x] :- :B[?x], NOT EXISTS IN (:C[?x]) .", 30, "expected a variable such as ?x"),
    (":A[?x] :- :B[?x], NOT EXISTS ([?x, :p, ?y]) .", 30, "expected a variable such as ?x"),
    (":A[?x] :- :B[?x], NOT EXISTS ?y ([?x, :p, ?y]) .", 33, "expected IN or a comma"),
    (":A[?x] :- :B[?x], NOT EXISTS ?y, IN [?x, :p, ?y] .", 34, "expected a variable"),
    (":A[?x] :- :B[?x], NOT EXISTS ?y IN () .", 37, "`)` cannot stand here; expected an atom"),
    (":A[?x] :- :B[?x], NOT EXISTS ?y IN ([?x, :p, ?y] .", 50, "expected a closing parenthesis"),
    (":A[?x] :- :B[?x], NOT EXIST ?y IN [?x, :p, ?y] .", 23, "`EXIST` cannot stand here"),
    ("[?x, :n, ?n] :- AGGREGATE([?x, :p, ?y] ON ?x) .", 45, "expected a comma or BIND"),
    ("[?x, :n, ?n] :- AGGREGATE(ON ?x BIND SUM(?y) AS ?n) .", 27, "expected an atom"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] ON BIND SUM(?x) AS ?n) .", 37, "expected a variable"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] ON :x BIND SUM(?x) AS ?n) .", 37, "expected a variable"),
    ("[?x, :n, ?n] :- AGGREGATE :A[?x] .", 27, "expected an opening parenthesis"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND SUM(?x)) .", 46, "expected AS and a variable"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND SUM(?x) ?n) .", 47, "expected AS and a variable"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND SUM() AS ?n) .", 43, "expected an expression"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND SUM ?x AS ?n) .", 39, "a function and its argument"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND SUM(*) AS ?n) .", 39, "SUM needs an expression"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND TOTAL(?x) AS ?n) .", 39, "there are AVG, COUNT,"),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND COUNT(DISTINCT *) AS ?n) .", 39, "only COUNT(*)"),
    (
        "[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND COUNT(DISTINCT DISTINCT ?x) AS ?n) .",
        54,
        "`DISTINCT` cannot stand here; expected an expression",
    ),
    (
        "[?x, :n, ?n] :- AGGREGATE(:A[?x] BIND COUNT(?x, ?y) AS ?n) .",
        47,
        "expected a closing parenthesis",
    ),
    (
        "[?x, :n, ?n] :- AGGREGATE([?x, :p, ?n] ON ?x BIND SUM(?n) AS ?n) .",
        17,
        "?n is the aggregate's value, so the body within it cannot use it: choose another name",
    ),
    ("[?x, :n, ?n] :- :A[?x], BIND(COUNT(?x) AS ?n) .", 30, "there is no SPARQL function COUNT"),
    ("[?x, :n, ?n] :- :A[?x], BIND(SKOLEM() AS ?n) .", 30, "SKOLEM takes a name in quotes first"),
    ("[?x, :n, ?n] :- :A[?x], BIND(SKOLEM(?x) AS ?n) .", 30, 'as in SKOLEM("part", ?x)'),
    (
        '[?x, :n, ?n] :- :A[?x], BIND(SKOLEM("a", ?x + ?y) AS ?n) .',
        30,
        "SKOLEM takes variables and constants, not ?x + ?y",
    ),
    ('[?x, :n, SKOLEM("a", ?x)] :- :A[?x] .', 10, "`SKOLEM` cannot stand here; expected a term"),
]


@pytest.mark.parametrize(("text", "column", "part"), MALFORMED)
def test_malformed(text, column, part):
    with pytest.raises(RuleSyntaxError) as raised:
        parse_rules(PREFIX + text)
    error = raised.value
    assert (error.line, error.column) == (2, column)
    assert part in str(error)
    assert (
        str(error).endswith(f"    {text.rstrip()}\n    {' ' * (column - 1)}^") or not text.strip()
    )
    assert not TERMINALS.search(error.reason)


UNSUPPORTED = [
    (
        '[?x, :n, ?n] :- :A[?x], BIND(SKOLEM("a", SKOLEM("b", ?x)) AS ?n) .',
        "SKOLEM within an expression; give it a BIND of its own",
        42,
    ),
    (':A[?x] :- :B[?x], FILTER(SKOLEM("a", ?x) = ?x) .', "SKOLEM within an expression", 26),
    (":A[?x] :- :B[?x], FILTER(EXISTS { ?x ?p ?y }) .", "EXISTS in an expression", 26),
    (":A[?x] :- :B[?x], FILTER(NOT EXISTS { ?x ?p ?y }) .", "EXISTS in an expression", 26),
    (":A[?x] :- :B[?x], FILTER(<urn:f>(?x)) .", "the function <urn:f>", 26),
] + [
    (f":A[?x] :- :B[?x], BIND({name}() AS ?y) .", f"{name}() in a rule", 24)
    for name in ("NOW", "RAND", "UUID", "STRUUID", "BNODE")
]


@pytest.mark.parametrize(("text", "construct", "column"), UNSUPPORTED)
def test_unsupported_constructs_are_named(text, construct, column):
    with pytest.raises(UnsupportedError) as raised:
        parse_rules(PREFIX + text)
    assert raised.value.construct.startswith(construct)
    assert raised.value.node == f"line 2, column {column}"
    assert str(raised.value).startswith(f"line 2, column {column}: not supported: {construct}")
    assert str(raised.value).endswith(f"    {text}\n    {' ' * (column - 1)}^")


# text, column of the variable in its statement (the first place it stands), part of the message
UNSAFE = [
    (":A[?x] :- :B[?x], NOT [?x, :p, ?y] .", 32, "write NOT EXISTS ?y IN …, or add an atom"),
    (":A[?x] :- NOT :B[?x] .", 4, "write NOT EXISTS ?x IN …"),
    ("[?x, :p, ?y] :- :B[?x] .", 10, "add an atom with ?y to its body"),
    (":A[?x] :- :B[?x], FILTER(?y > 3) .", 26, "add an atom with ?y to its body"),
    (":A[?x] :- :B[?x], BIND($y + 1 AS ?z) .", 24, "?y is used but no positive body atom"),
    (
        ":A[?x] :- :B[?x], NOT EXISTS ?y IN :C[?x] .",
        30,
        "add an atom with ?y to the body within NOT",
    ),
    (":A[?x] :- :B[?x], NOT EXISTS ?y IN ([?y, :p, ?z]) .", 46, "?z is used"),
    (
        "[?x, :n, ?n] :- AGGREGATE([?x, :p, ?y] ON ?x, ?z BIND SUM(?y) AS ?n) .",
        47,
        "add an atom with ?z to the body within AGGREGATE",
    ),
    ("[?x, :n, ?n] :- AGGREGATE(:A[?x] ON ?x BIND SUM(?y) AS ?n) .", 49, "within AGGREGATE"),
    ("[?x, :n, ?y] :- AGGREGATE([?x, :p, ?y] ON ?x BIND SUM(?y) AS ?n) .", 10, "?y is used"),
    (
        ":A[?x] :- :B[?x], AGGREGATE([?z, :p, ?y], FILTER(?y > ?x) ON ?z BIND SUM(?y) AS ?n) .",
        4,
        "add an atom with ?x to the body within AGGREGATE",
    ),
    ('[?x, :p, ?z] :- :B[?x], BIND(SKOLEM("a", ?y) AS ?z) .', 42, "?y is used"),
]


@pytest.mark.parametrize(("text", "column", "part"), UNSAFE)
def test_unsafe_rules_show_the_variable(text, column, part):
    with pytest.raises(UnsafeRuleError) as raised:
        safe_rules(f"{PREFIX}{text} :C[?x] :- :D[?x] .")
    error = raised.value
    assert (error.line, error.column) == (2, column)
    assert part in error.reason
    assert str(error).endswith(f"\n    {' ' * (column - 1)}^")


def test_two_sources_of_a_value():
    with pytest.raises(RuleError, match=r"line 2, column 1: \?y gets its value from BIND and from"):
        safe_rules(PREFIX + ":A[?x] :- [?x, :p, ?y], BIND(1 AS ?y) .")


UNSTRATIFIABLE = [
    (":A[?x] :- :B[?x], NOT :A[?x] .", "what is negated or aggregated"),
    (":A[?x] :- :B[?x], NOT EXISTS ?y IN [?x, :p, ?y] . [?x, :p, ?x] :- :A[?x] .", "aggregated"),
    ("[?y, :p, ?n] :- AGGREGATE([?x, :p, ?y] ON ?y BIND COUNT(?x) AS ?n) .", "aggregated"),
    ("[?x, :p, ?z] :- [?x, :p, ?y], BIND(?y + 1 AS ?z) .", "what a BIND computes"),
]


@pytest.mark.parametrize(("text", "barrier"), UNSTRATIFIABLE)
def test_rules_without_order_name_the_cycle(text, barrier):
    with pytest.raises(UnstratifiableError, match=f"{barrier} depends on itself, through <.*→ <"):
        KnowledgeBase(profile="none").add_rules(PREFIX + text)


EVERY_FAULT = [row[0] for row in (*MALFORMED, *UNSUPPORTED, *UNSAFE, *UNSTRATIFIABLE)]


@pytest.mark.parametrize("text", EVERY_FAULT)
def test_nothing_changes(text):
    kb = KnowledgeBase(profile="none")
    kb.add_rules(PREFIX + ":C[?x] :- :B[?x] .")
    kb.update(insert=[("<urn:a>", RDF_TYPE, "<http://e.org/B>")])
    with pytest.raises(RuleError):
        kb.add_rules(f"{PREFIX}[?x, a, :D] :- :B[?x] . {text}")
    assert len(kb.program) == 1
    assert len(kb) == 2
    kb._check()


def test_errors_can_be_sent_elsewhere():
    for text in EVERY_FAULT:
        with pytest.raises(RuleError) as raised:
            KnowledgeBase(profile="none").add_rules(PREFIX + text)
        again = pickle.loads(pickle.dumps(raised.value.within("a.dlog")))
        assert str(again) == str(raised.value)
        assert str(again).startswith("a.dlog")


def test_carets_stand_under_their_place_after_tabs():
    with pytest.raises(RuleSyntaxError) as raised:
        parse_rules(":A[?x]\t:-\t:B(?x) .", {"": "urn:"})
    assert str(raised.value).splitlines()[1:] == ["    :A[?x]\t:-\t:B(?x) .", "          \t  \t  ^"]


def test_errors_in_the_middle_of_a_text():
    text = ":A[?x] :-\n  :B[?x] .\n\n:A[?x] :- :B[?x), :C[?x] .\n:D[?x] :- :E[?x] .\n"
    with pytest.raises(RuleSyntaxError) as raised:
        parse_rules(PREFIX + text)
    assert (raised.value.line, raised.value.column) == (5, 16)


def test_a_text_that_ends_too_early_is_reported_at_its_end():
    with pytest.raises(RuleSyntaxError) as raised:
        parse_rules(PREFIX + ":A[?x] :-\n   :B[?x]\n\n\n")
    assert (raised.value.line, raised.value.column) == (3, 10)


def test_expressions_on_their_own():
    with pytest.raises(RuleSyntaxError, match="expected an expression") as raised:
        parse_expression("?x + ")
    assert (raised.value.line, raised.value.column) == (1, 5)


def test_nesting_without_end():
    with pytest.raises(RuleSyntaxError, match="nested more than 100 deep"):
        parse_expression("!(" * 5000 + "?x" + ")" * 5000)


def nested(depth: int, before: str, inside: str, after: str) -> str:
    return before * depth + inside + after * depth


NESTED_BODIES = {
    "NOT EXISTS": lambda n: nested(n, "NOT EXISTS ?z IN (:p[?z, ?x], ", ":q[?x, ?x]", ")"),
    "NOT": lambda n: nested(n, "NOT (:p[?x, ?x], ", ":q[?x, ?x]", ")"),
    "!": lambda n: f"FILTER({nested(n, '!(', '?x = 1', ')')})",
    "IF": lambda n: f"FILTER({nested(n, 'IF(?x = 1, ', 'true', ', false)')})",
    "+": lambda n: f"FILTER({nested(n - 1, '(1 + ', '?x', ')')} > 1)",
}


@pytest.mark.parametrize("body", NESTED_BODIES.values(), ids=NESTED_BODIES)
def test_rules_nested_too_deeply_are_refused_at_their_place(body):
    text = ":A[?x] :- :B[?x, ?x],\n  {} ."
    with pytest.raises(RuleSyntaxError, match="more than 100 deep") as caught:
        parse_rules(PREFIX + text.format(body(2000)), {})
    assert caught.value.line > 1
    parse_rules(PREFIX + text.format(body(90)), {})


def test_rules_as_deep_as_allowed_are_evaluated():
    kb = KnowledgeBase("none")
    for n, body in enumerate(NESTED_BODIES.values()):
        kb.add_rules(f"{PREFIX} :A{n}[?x] :- :B[?x, ?y], {body(20 if n < 2 else 95)} .")
    kb.update(insert=[("<urn:a>", "<urn:b>", "<urn:c>")])
    assert len(kb) == 1


@pytest.mark.parametrize("operator", [" + ", " * ", " || ", " && "])
def test_too_many_operands_are_refused_where_they_are(operator):
    text = f":A[?x] :- :B[?x, ?y],\n FILTER({operator.join(['?y'] * 20_000)}) ."
    with pytest.raises(RuleSyntaxError, match="operands") as caught:
        parse_rules(PREFIX + text, {})
    assert caught.value.line > 1


def test_long_texts_of_rules_are_read_once() -> None:
    """A text without an end, blank lines, and a number that is printed."""
    with pytest.raises(RuleSyntaxError, match="no closing quote"):
        parse_rules('[?x, :p, "' + '\\"' * 200_000)
    kb = KnowledgeBase()
    kb.add_rules(
        "\n" * 300_000 + f"[?x, <u:q>, ?z] :- [?x, <u:p>, ?y], BIND({'9' * 200_000} AS ?z) ."
    )
    assert "9" * 200_000 in str(kb.program)
