"""Lifting rules to families and back."""

from hypothesis import given
from hypothesis import strategies as st
from rule_strategies import IRIS, LITERALS, rules

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import RDF_TYPE, Atom, Literal, Rule, Var
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.datalog.transform.rule_families import instantiate, lift

PREFIX = "@prefix : <http://e.org/> . "


def only(text):
    (rule,) = parse_rules(PREFIX + text)
    return rule


@given(rules)
def test_instantiating_gives_the_rule_back(rule):
    assert canonical(instantiate(*lift(rule))) == canonical(rule)


@given(rules, st.data())
def test_rules_that_differ_in_constants_only_share_the_template(rule, data):
    other = with_other_constants(rule, data)
    assert lift(rule)[:2] == lift(other)[:2]
    assert canonical(instantiate(*lift(other))) == canonical(other)


def with_other_constants(rule, data):
    def atom(old):
        subject, predicate, object_ = old.terms()
        return Atom(
            draw(subject, IRIS), predicate if predicate == RDF_TYPE else draw(predicate, IRIS),
            draw(object_, IRIS + LITERALS),
        )  # fmt: skip

    def draw(term, choices):
        return term if isinstance(term, Var) else data.draw(st.sampled_from(choices))

    body = tuple(Literal(atom(i.atom)) if isinstance(i, Literal) else i for i in rule.body)
    return Rule(rule.head and atom(rule.head), body)


@given(rules, st.randoms(use_true_random=False))
def test_body_order_does_not_change_the_row(rule, random):
    body = list(rule.body)
    random.shuffle(body)
    assert lift(Rule(rule.head, tuple(body), "n")) == lift(rule)


def test_encoding_of_parameters():
    template, family, constants = lift(only(":B[?x] :- :A[?x] ."))
    parameters = [item.atom for item in template.body if item.atom.predicate != RDF_TYPE]
    assert parameters == [
        Atom(Var("row"), f"<urn:rdfinc:aux:{family}.{i}>", Var(f"c{i}")) for i in range(2)
    ]
    assert sorted(constants) == ["<http://e.org/A>", "<http://e.org/B>"]


def test_a_rule_without_constants_has_one_parameter_literal():
    template, family, constants = lift(only("[?y, ?p, ?x] :- [?x, ?p, ?y] ."))
    row = Var("row")
    assert constants == ()
    assert template.body[-1] == Literal(Atom(row, f"<urn:rdfinc:aux:{family}.0>", row))


def test_families_are_stable():
    assert lift(only(":B[?x] :- :A[?x] ."))[1] == "f25168f967729"


def test_constants_of_expressions_belong_to_the_shape():
    over = ":B[?x] :- [?x, :age, ?n], FILTER(?n > {}) ."
    assert lift(only(over.format(3)))[1] != lift(only(over.format(4)))[1]


def test_equal_constants_are_separate_parameters():
    assert lift(only(":A[?x] :- [?x, :p, :A] ."))[1] == lift(only(":A[?x] :- [?x, :p, :B] ."))[1]
