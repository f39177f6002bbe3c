"""Safe rules, and programs that compute finitely many values."""

import pytest

from rdfinc.datalog.analysis.safety import check, check_program
from rdfinc.datalog.model import Atom, Literal, Rule, Var
from rdfinc.datalog.rule_thresholds import RULES
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.errors import RuleError, UnsafeRuleError, UnstratifiableError

PREFIX = "@prefix : <http://e.org/> . "


def parsed(text):
    return parse_rules(PREFIX + text)


SAFE = [
    ":B[?x] :- :A[?x] .",
    "false :- :A[?x] .",
    "[?x, :p, ?z] :- [?x, :q, ?y], BIND(?y + 1 AS ?z) .",
    "[?x, :p, ?z] :- BIND(?u * 2 AS ?z), BIND(?y + 1 AS ?u), [?x, :q, ?y] .",
    ":A[?x] :- BIND(:a AS ?x) .",
    ":A[:a] :- FILTER(1 < 2), :B[?x] .",
    ":A[?x] :- FILTER(?x != ?y), [?x, :p, ?y] .",
]
UNSAFE = [
    ("y", "[?x, :p, ?y] :- :A[?x] ."),
    ("c", "[?x, a, ?c] :- :A[?x] ."),
    ("p", "[?x, ?p, ?x] :- :A[?x] ."),
    ("y", ":A[?x] :- :B[?x], FILTER(?x < ?y) ."),
    ("y", "false :- FILTER(?y = 1) ."),
    ("y", ":A[?x] :- :B[?x], BIND(?y + 1 AS ?z) ."),
    ("z", "[?x, :p, ?z] :- :B[?x], BIND(?z + 1 AS ?z) ."),
    ("z", ":A[?x] :- :B[?x], BIND(?z + 1 AS ?u), BIND(?u + 1 AS ?z), FILTER(?u > 1) ."),
]


@pytest.mark.parametrize("text", SAFE)
def test_safe(text):
    for rule in parsed(text):
        check(rule)


@pytest.mark.parametrize(("variable", "text"), UNSAFE)
def test_unsafe(variable, text):
    (rule,) = parsed(text)
    with pytest.raises(UnsafeRuleError) as raised:
        check(rule)
    assert raised.value.variable == variable
    assert str(rule) in str(raised.value)


def test_variables_under_negation_must_be_bound():
    x, y = Var("x"), Var("y")
    positive = Literal(Atom(x, "<p>", x))
    check(Rule(Atom(x, "<q>", x), (Literal(Atom(x, "<r>", x), positive=False), positive)))
    with pytest.raises(UnsafeRuleError) as raised:
        check(Rule(Atom(x, "<q>", x), (Literal(Atom(x, "<r>", y), positive=False), positive)))
    assert raised.value.variable == "y"


@pytest.mark.parametrize(
    "text",
    [
        ":A[?y] :- [?x, :p, ?y], BIND(1 AS ?y) .",
        ":A[?y] :- [?x, :p, ?z], BIND(1 AS ?y), BIND(2 AS ?y) .",
    ],
)
def test_a_bound_variable_has_one_source(text):
    (rule,) = parsed(text)
    with pytest.raises(RuleError, match=r"\?y gets its value from BIND and from"):
        check(rule)


RECURSIVE = [
    ("[?x, :p, ?z] :- [?x, :p, ?y], BIND(?y + 1 AS ?z) .", [":p", ":p"]),
    (
        "[?x, :q, ?z] :- [?x, :p, ?y], BIND(?y + 1 AS ?z) . [?x, :p, ?y] :- [?x, :q, ?y] .",
        [":q", ":p", ":q"],
    ),
    (":A[?z] :- :B[?y], BIND(STR(?y) AS ?z) . [?x, a, :B] :- :A[?x] .", [":A", ":B", ":A"]),
    (":A[?z] :- [?y, a, ?c], BIND(STR(?y) AS ?z) .", [":A", ":A"]),
    ("[?z, a, ?c] :- [?y, :p, ?c], :A[?y], BIND(STR(?y) AS ?z) .", ["?c", "?c"]),
    ("[?x, :p, ?z] :- [?x, ?q, ?y], BIND(STR(?y) AS ?z) .", [":p", ":p"]),
    ("[?x, ?q, ?z] :- [?x, ?q, ?y], BIND(STR(?y) AS ?z) .", ["?q", "?q"]),
    (
        "[?x, :p, ?v] :- [?x, :p, ?y], BIND(?y + 1 AS ?z), BIND(?z AS ?v) .",
        [":p", ":p"],
    ),
]


@pytest.mark.parametrize(("text", "cycle"), RECURSIVE)
def test_recursion_through_a_computed_value(text, cycle):
    with pytest.raises(UnstratifiableError) as raised:
        check_program(parsed(text))
    assert [name.replace("<http://e.org/", ":").rstrip(">") for name in raised.value.cycle] == cycle


@pytest.mark.parametrize(
    "text",
    [
        "[?x, :p, ?z] :- [?x, :q, ?y], BIND(?y + 1 AS ?z) . :A[?x] :- [?x, :p, ?y] .",
        "[?x, :p, ?y] :- [?x, :p, ?y], BIND(?y + 1 AS ?z), FILTER(?z > 3) .",
        "[?x, :p, ?z] :- [?x, :p, ?y], BIND(1 AS ?v), BIND(?v + 1 AS ?z) .",
        ":A[?z] :- :B[?y], BIND(STR(?y) AS ?z) . :C[?x] :- :A[?x] .",
        "false :- [?x, :p, ?y], BIND(?y + 1 AS ?z) .",
    ],
)
def test_programs_without_it(text):
    check_program(parsed(text))


@pytest.mark.parametrize("text", ["{} .", "NOT EXISTS ?y IN ({}), [?x, :q, ?x] ."])
def test_a_long_body_is_refused_before_anything_is_planned(text):
    atoms = ", ".join(f"[?x, :p{i}, ?y]" for i in range(RULES.longest_body + 1))
    (rule,) = parsed(":A[?x] :- " + text.format(atoms))
    with pytest.raises(RuleError, match=f"a body of {RULES.longest_body + 1} items, more than"):
        check(rule)
