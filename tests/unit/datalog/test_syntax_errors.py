"""Malformed rule text: the place, and a sentence that says what to do."""

import re

import pytest

from rdfinc.datalog.syntax import parse_expression, parse_rules
from rdfinc.errors import RuleSyntaxError, UnsupportedError

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
    (":A[:b] .", 1, "this is a fact, not a rule"),
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
    ("false .", 1, "`false` cannot stand here; expected a rule"),
    ("hello", 1, "expected a rule (head :- body .) or a declaration such as @prefix"),
    ("@prefix ex <http://e.org/> .", 9, "`ex` cannot stand here; expected a prefix such as ex:"),
    ("@prefix ex:a <http://e.org/> .", 9, "a prefix ends with its colon, as in `ex:`"),
    ("@prefix ex: .", 13, "expected an IRI in angle brackets"),
    ("@prefix ex: <http://e.org/>", 28, "the text ends too early; expected a full stop"),
    ("@base <e> .", 7, "<e> is no absolute IRI"),
    ("@rule a b .", 9, "expected a text in quotes or a full stop"),
    ("@include <x> .", 1, "expected a rule (head :- body .) or a declaration"),
    ("⊥ :- :A[?x] .", 1, "`⊥` cannot stand here"),
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
    (":A[?x] :- :B[?x], NOT :C[?x] .", "NOT before an atom", 19),
    (":A[?x] :- :B[?x], NOT EXISTS ?y IN ([?x, :p, ?y], :C[?y]) .", "NOT EXISTS", 19),
    (
        "[?x, :n, ?n] :- AGGREGATE([?x, :p, ?y] ON ?x BIND COUNT(?y) AS ?n) .",
        "AGGREGATE",
        17,
    ),
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
    with pytest.raises(RuleSyntaxError, match="nested too deeply"):
        parse_expression("!(" * 5000 + "?x" + ")" * 5000)
