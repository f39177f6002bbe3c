"""Rule texts statement by statement."""

from __future__ import annotations

import pytest

from rdfinc.datalog.syntax.rule_statements import safe_rules, spans, statements
from rdfinc.errors import RuleError, RuleSyntaxError, UnsafeRuleError, UnsupportedError

TEXT = """\
@prefix : <http://e.org/a.b#> . # a. b.
PREFIX q: <urn:q.x:>
  @rule prp.x "a. b" .
:A[?x], q:B.c[?x] :- [?x, :p.q, 1.5], # it is. so
    FILTER(?x < 3.0e1 && ?x != "x.\\". y" || ?x = '''.\\n.'. ''') . :C[?x] :- [?x, <urn:a.b>, 5].
@rule .
:A[?x] :- :B[?x] .
"""


def test_statements_end_where_the_grammar_ends_them():
    written = [TEXT[span.start : span.end].split() for span in spans(TEXT)]
    assert [words[0] for words in written] == [
        "@prefix", "PREFIX", "@rule", ":A[?x],", ":C[?x]", "@rule", ":A[?x]"
    ]  # fmt: skip
    places = [(span.line, span.column) for span in spans(TEXT)]
    assert places == [(1, 1), (2, 1), (3, 3), (4, 1), (5, 67), (6, 1), (7, 1)]


def test_statements_know_what_is_declared_before_them():
    read = statements(TEXT)
    assert [statement.error for statement in read] == [None] * 7
    assert [len(statement.rules) for statement in read] == [0, 0, 0, 2, 1, 0, 1]
    assert [statement.name for statement in read] == ["", "", *["prp.x"] * 3, "", ""]
    assert read[3].meaning == "a. b"
    assert read[3].rules[1].head.object == "<urn:q.x:B.c>"
    assert "q" not in read[0].prefixes
    assert read[1].prefixes["q"] == "urn:q.x:"


def test_together_they_are_the_whole_text():
    each = [rule for statement in statements(TEXT) for rule in statement.rules]
    assert each == safe_rules(TEXT)


FAULTY = """\
@prefix : <http://e.org/> .
:A[?x :- :B[?x] .
:A[?x] :- :B[?y] .
:A[?x] :- :B[?x] .
  [?x, :p, ?y] :- :B[?x], BIND(RAND() AS ?y) .
:A[?x] :- no:B[?x] .
:A[?x] :- [?x, :p, ?y], BIND(1 AS ?y) .
:A[?x] :- :B[?x]"""


def test_every_fault_is_found_at_its_place():
    found = [
        (type(statement.error), statement.error.line, statement.error.column)
        for statement in statements(FAULTY)
        if statement.error
    ]
    assert found == [
        (RuleSyntaxError, 2, 7),
        (UnsafeRuleError, 3, 4),
        (UnsupportedError, 5, 32),
        (RuleSyntaxError, 6, 11),
        (RuleError, 7, 1),
        (RuleSyntaxError, 8, 17),
    ]
    sound = [statement for statement in statements(FAULTY) if statement.rules]
    assert [statement.span.line for statement in sound] == [4]


def test_the_line_is_that_of_the_whole_text():
    (error,) = (s.error for s in statements(FAULTY) if s.error and s.error.line == 2)
    assert str(error).splitlines()[1] == "    :A[?x :- :B[?x] ."


@pytest.mark.parametrize("text", ["", "  \n", "# nothing. at all\n"])
def test_a_text_without_statements(text):
    assert statements(text) == []


def test_safe_rules_raise_the_first_fault():
    with pytest.raises(UnsafeRuleError, match="line 3, column 4"):
        safe_rules(FAULTY[: FAULTY.index(":A[?x :-")] + "\n" + FAULTY.splitlines()[2])
