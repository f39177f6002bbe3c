"""Rule text that parses, and what it says."""

import subprocess
import sys

import pytest

from rdfinc.datalog.model import RDF_TYPE, Atom, Bind, Expression, Filter, Literal, Rule, Var
from rdfinc.datalog.syntax.rule_text import parse_expression, parse_named, parse_rules

XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIX = "@prefix : <http://e.org/> .\n"
X, Y = Var("x"), Var("y")


def e(name):
    return f"<http://e.org/{name}>"


def only(text, **prefixes):
    (rule,) = parse_rules(PREFIX + text, prefixes)
    return rule


def constant(written):
    """The constant as it is written in object position."""
    return only(f":A[?x] :- [?x, :p, {written}] .").literals()[0].atom.object


def test_a_rule_with_atoms_of_all_forms():
    rule = only("[?x, a, :TA] :- [?x, a, :Person], :tutor[?x, ?y], :Course[?y] .")
    assert rule == Rule(
        Atom(X, RDF_TYPE, e("TA")),
        (
            Literal(Atom(X, RDF_TYPE, e("Person"))),
            Literal(Atom(X, e("tutor"), Y)),
            Literal(Atom(Y, RDF_TYPE, e("Course"))),
        ),
    )


def test_variable_predicates_and_dollar_variables():
    assert only("[$x, ?p, ?x] :- [?x, $p, ?y] .").head == Atom(X, Var("p"), X)


def test_several_heads_are_several_rules():
    text = ":A[?x], [?x, :p, ?x] :- :B[?x] . false :- :A[?x] ."
    first, second, third = parse_rules(PREFIX + text)
    assert first.body == second.body
    assert (first.head, second.head) == (Atom(X, RDF_TYPE, e("A")), Atom(X, e("p"), X))
    assert third == Rule(None, (Literal(Atom(X, RDF_TYPE, e("A"))),))


@pytest.mark.parametrize("text", ["false :- :A[?x].", "false:-:A[?x].", "false\n:-\n:A[?x]  ."])
def test_contradictions(text):
    assert only(text).head is None


def test_false_may_begin_a_prefix():
    assert only("false:A[?x] :- false:B[?x] .", false="urn:f:").head.object == "<urn:f:A>"


def test_filters_and_binds():
    rule = only(":A[?x] :- [?x, :p, ?y], FILTER(?y>3), bind(?y+1 as ?z) .")
    three, one = (f'"{n}"^^<{XSD}integer>' for n in (3, 1))
    assert rule.filters() == (Filter(Expression(f"?y > {three}", (Y,))),)
    assert rule.binds() == (Bind(Expression(f"?y + {one}", (Y,)), Var("z")),)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("5", f'"5"^^<{XSD}integer>'),
        ("-05", f'"-05"^^<{XSD}integer>'),
        ("+1.50", f'"+1.50"^^<{XSD}decimal>'),
        (".5", f'".5"^^<{XSD}decimal>'),
        ("1e6", f'"1e6"^^<{XSD}double>'),
        ("-1.E-3", f'"-1.E-3"^^<{XSD}double>'),
        ("true", f'"true"^^<{XSD}boolean>'),
        ('"a"', '"a"'),
        ('""', '""'),
        ("'it\"s'", '"it\\"s"'),
        ('"a"^^xsd:string', '"a"'),
        ('"01"^^xsd:integer', f'"01"^^<{XSD}integer>'),
        ('"a"@EN-gb', '"a"@en-gb'),
        (r'"\t\b\n\r\f\"\'\\"', r'"\t\b\n\r\f\"' + "'" + r'\\"'),
        (r'"\\n\u00e9\U0001F600"', '"\\\\né😀"'),
        ('"""two\nlines, "quoted" """', '"two\\nlines, \\"quoted\\" "'),
        ("'''it's'''", '"it\'s"'),
        ('"""a"""@en', '"a"@en'),
        ('"# no comment"', '"# no comment"'),
        ("<http://e.org/a#b>", "<http://e.org/a#b>"),
        (r"<http://e.org/\u00e9>", "<http://e.org/é>"),
        (":", "<http://e.org/>"),
        (":a.b-c", "<http://e.org/a.b-c>"),
        (":a:b", "<http://e.org/a:b>"),
        (":1%20x", "<http://e.org/1%20x>"),
        (r":a\,b\-c", "<http://e.org/a,b-c>"),
        ("a", RDF_TYPE),
        ("xsd:integer", f"<{XSD}integer>"),
    ],
)
def test_constants(written, expected):
    assert constant(written) == expected


def test_prefixes_of_the_text_come_before_those_given_before_the_known_ones():
    given = {"p": "urn:given:", "owl": "urn:given-owl:"}
    assert only("@prefix p: <urn:own:> . :A[?x] :- p:B[?x] .", **given).body[0].atom.object == (
        "<urn:own:B>"
    )
    assert only(":A[?x] :- p:B[?x] .", **given).body[0].atom.object == "<urn:given:B>"
    assert only(":A[?x] :- owl:B[?x] .", **given).body[0].atom.object == "<urn:given-owl:B>"
    assert only(":A[?x] :- skos:B[?x] .", **given).body[0].atom.object == (
        "<http://www.w3.org/2004/02/skos/core#B>"
    )


def test_a_prefix_holds_for_what_follows():
    first, second = parse_rules(
        "@prefix p: <urn:1:> . p:A[?x] :- p:B[?x] . PREFIX p: <urn:2:> p:A[?x] :- p:B[?x] ."
    )
    assert (first.head.object, second.head.object) == ("<urn:1:A>", "<urn:2:A>")


def test_base():
    rule = only("@base <http://b.org/x/y> . <z>[?x] :- <../w>[?x], <#f>[?x] . ")
    assert rule.head.object == "<http://b.org/x/z>"
    assert [item.atom.object for item in rule.literals()] == [
        "<http://b.org/w>",
        "<http://b.org/x/y#f>",
    ]
    assert (
        only("BASE <http://b.org/> :A[?x] :- <z>[?x] .").body[0].atom.object == "<http://b.org/z>"
    )


def test_comments_stand_anywhere():
    text = "# first\n:A[?x] # head\n:- # body\n:B[?x] . # last"
    assert only(text) == only(":A[?x] :- :B[?x] .")


def test_names_hold_up_to_the_next_rule_declaration():
    text = (
        PREFIX
        + """
        :A[?x] :- :B[?x] .
        @rule prp-trp "moves on" .
        :A[?x], :C[?x] :- :D[?x] .
        @rule "two words" .
        :A[?x] :- :E[?x] .
        @rule .
        :A[?x] :- :F[?x] .
    """
    )
    named = [(name, meaning, rule.head.object) for name, meaning, rule in parse_named(text)]
    assert named == [
        ("", "", e("A")),
        ("prp-trp", "moves on", e("A")),
        ("prp-trp", "moves on", e("C")),
        ("two words", "", e("A")),
        ("", "", e("A")),
    ]
    assert [rule.name for rule in parse_rules(text)] == [name for name, _, _ in named]


def test_a_program_has_no_rule_twice():
    program = parse_rules(
        PREFIX
        + "@rule first . :A[?x] :- :B[?x], :C[?x] . @rule second . :A[?y] :- :C[?y], :B[?y] ."
    )
    assert [rule.name for rule in program] == ["first"]


def test_empty_texts_are_empty_programs():
    assert len(parse_rules("")) == len(parse_rules(" # nothing\n")) == 0


@pytest.mark.parametrize(
    ("written", "normal", "variables"),
    [
        ("?x", "?x", "x"),
        ("?x<?y&&?y>?x", "?x < ?y && ?y > ?x", "xy"),
        ("((?x))", "?x", "x"),
        ("(?x && ?y) || ?z", "?x && ?y || ?z", "xyz"),
        ("?x || (?y || ?z)", "?x || (?y || ?z)", "xyz"),
        ("?x / ?y * ?z / (?x * ?y)", "?x / ?y * ?z / (?x * ?y)", "xyz"),
        ("?x - ?y + ?z - 'a'", '?x - ?y + ?z - "a"', "xyz"),
        ("?x && (?y || ?z)", "?x && (?y || ?z)", "xyz"),
        ("?x - (?y - ?z)", "?x - (?y - ?z)", "xyz"),
        ("(?x - ?y) - ?z", "?x - ?y - ?z", "xyz"),
        ("?x-?y", "?x - ?y", "xy"),
        ("(?x * ?y) + -(?z)", "?x * ?y + -?z", "xyz"),
        ("?x * (?y + ?z)", "?x * (?y + ?z)", "xyz"),
        ("-(?x + ?y)", "-(?x + ?y)", "xy"),
        ("!(!?x)", "!(!?x)", "x"),
        ("!(?x = ?y)", "!(?x = ?y)", "xy"),
        ("(?x = ?y) = ?z", "(?x = ?y) = ?z", "xyz"),
        ("?z in (?x,?y)", "?z IN (?x, ?y)", "zxy"),
        ("?x not in ()", "?x NOT IN ()", "x"),
        ("isuri( ?x )", "isURI(?x)", "x"),
        ("SAMETERM(?y,?x)", "sameTerm(?y, ?x)", "yx"),
        ("coalesce(?x, if(?y,?x,'?z'))", 'COALESCE(?x, IF(?y, ?x, "?z"))', "xy"),
        ("bound(?x)", "BOUND(?x)", "x"),
        ("concat()", "CONCAT()", ""),
        ("xsd:integer( ?x )", f"<{XSD}integer>(?x)", "x"),
        ("?x = owl:Thing", "?x = <http://www.w3.org/2002/07/owl#Thing>", "x"),
        ("?x<<http://e.org/?y>", "?x < <http://e.org/?y>", "x"),
    ],
)
def test_expressions_are_normalised(written, normal, variables):
    assert parse_expression(written) == Expression(normal, tuple(map(Var, variables)))


def test_normalised_expressions_stay_as_they_are():
    texts = [
        "?x - -?y",
        "(?x = ?y) != (?x < ?y)",
        "!(?x IN (?y)) || -?x * ?y / ?x = ?y - (?x + ?y)",
    ]
    assert [parse_expression(text).text for text in texts] == texts


def test_long_chains_of_operators_are_no_deep_nesting():
    text = " || ".join(f"?x + ?y + {i} = {i} * ?x" for i in range(2000))
    assert len(parse_expression(text).variables) == 2


def test_importing_the_syntax_does_not_import_lark():
    code = "import sys, rdfinc, rdfinc.datalog.syntax.rule_text; sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
