"""Rules that sleep are no part of the program until they may have an instance."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from small_bases import OWL, PREFIXES, XSD, derived, loaded

from rdfinc import KnowledgeBase
from rdfinc.datalog.model import Atom, Rule, Var
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.rules.gains import Gains
from rdfinc.knowledge_base.rules.sleeping import Sleeping
from rdfinc.knowledge_base.rules.term_encoding import TermEncoder
from rdfinc.owl.profiles.profile_rules import (
    Asleep,
    fixed_rules,
    sleeping_list_rules,
    sleeping_rules,
)
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.evaluation.table_deltas import KnownDelta, Shift
from rdfinc.reasoning.maintenance import maintain
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.facts import FactSet, batch_of
from rdfinc.terms.dictionary import Dictionary

THING = f"<{OWL}Thing>"
SUB_CLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
FIVES = [f'"5"^^<{XSD}integer>', f'"5.0"^^<{XSD}decimal>']
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def awake(kb: KnowledgeBase) -> int:
    return len(kb._engine.rules.compiled.clauses)


def test_plain_data_wake_nothing():
    kb = loaded(":C rdfs:subClassOf :D . :x a :C; :age 5; :name 'x' . :y :age 6 .")
    before = awake(kb)
    kb.update(insert=[("<http://e/z>", "<http://e/age>", '"7"'), ("<http://e/z>", TYPE, "<urn:D>")])
    assert awake(kb) == before <= len(fixed_rules("owl2rl")) + 1


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_rule_wakes_once_both_of_its_first_literals_have_a_match(order):
    facts = [(THING, SUB_CLASS, "<urn:e>"), ("<urn:c>", TYPE, f"<{OWL}Class>")]
    kb = KnowledgeBase()
    before = awake(kb)
    kb.update(insert=[facts[order[0]]])
    kb.update(insert=[facts[order[1]]])
    assert awake(kb) > before
    assert ("urn:c", "urn:e") in {(str(s), str(o)) for s, _, o in kb.derived}


def test_a_rule_that_derived_facts_wake_is_part_of_the_same_update():
    kb = loaded(":E rdfs:subClassOf :D . :p rdfs:subPropertyOf rdfs:subClassOf . :C a owl:Class .")
    delta = kb.update(insert=[(THING, "<http://e/p>", "<http://e/E>")])
    assert (f"{OWL}Thing", "http://e/D") in {(str(s), str(o)) for s, _, o in delta.added}
    assert {":C rdfs:subClassOf :E", ":C rdfs:subClassOf :D"} <= derived(kb)


def test_lists_that_come_back_wake_their_rules_once():
    kb = loaded(":K owl:intersectionOf (:A :B) .")
    axiom = [t for t in kb.explicit if str(t[1]).endswith("intersectionOf")]
    for _ in range(3):
        before = awake(kb)
        kb.update(delete=axiom)
        kb.update(insert=axiom)
        assert awake(kb) == before


def every(sleeping) -> list[Asleep]:
    found = list(sleeping)
    inner = [each for some in found for each in some.rules() if isinstance(each, Asleep)]
    return found + (every(inner) if inner else [])


def test_the_cue_of_a_rule_is_part_of_it():
    """A rule whose cue has no match has no instance."""
    lists = sleeping_list_rules("owl2rl", f"<{OWL}intersectionOf>", 2)
    for asleep in every((*sleeping_rules("owl2rl"), *lists)):
        for rule in asleep.rules():
            if isinstance(rule, Rule) and asleep.second is not None:
                atoms = [literal.atom for literal in rule.literals()]
                asked = asleep.second in atoms or asleep.second.predicate == f"<{OWL}sameAs>"
                assert asleep.first in atoms and asked


MOST_ONE = (
    ":R owl:maxQualifiedCardinality 1 ; owl:onProperty :p ; owl:onClass :C . "
    ":x a :R ; :p :y . :y a :C . :z :q 1, 01 . "
)


@pytest.mark.parametrize("storage", ["auto", "compact"])
@pytest.mark.parametrize(
    "typed",
    [
        ":q rdfs:range :C .",
        ":q rdfs:range :E . :E owl:sameAs :C .",
        ":w owl:sameAs 01 ; a :C .",
        ":w a :C . :f a owl:FunctionalProperty . :z :f :w, 01 .",
        ":has owl:inverseOf rdf:type . :C :has 1 .",
        ":has owl:inverseOf :kind . rdf:type owl:sameAs :kind . :C :has 1 .",
    ],
)
def test_members_are_compared_by_value_once_a_literal_of_two_spellings_has_a_type(
    typed: str, storage: str
) -> None:
    """All pairs of members would be looked at for nothing."""
    kb = loaded(MOST_ONE, storage=storage)
    rules = [str(clause.rule) for clause in kb._engine.rules.compiled.clauses]
    assert not any("literal.value" in rule and "onClass" in rule for rule in rules)
    values = ":x :p 1 ."
    kb.load((PREFIXES + typed + values).encode(), format="turtle")
    whole = loaded(MOST_ONE + typed + values, axiomatic=True)
    found, expected = ({v.rule for v in each.violations()} for each in (kb, whole))
    assert found == expected


SYMMETRIC = ":p a owl:SymmetricProperty ."
BELOW, INVERSE = ":r rdfs:subPropertyOf :p .", ":p owl:inverseOf :r ."


@pytest.mark.parametrize(
    ("first", "last"), [(SYMMETRIC, INVERSE), (SYMMETRIC, BELOW), (BELOW, SYMMETRIC)]
)
def test_literals_that_a_closure_gains_wake_rules(first: str, last: str) -> None:
    """The facts of a closure are added to no relation; turned round they are about literals."""
    literals = ':x :q "a"^^xsd:token . :y :r "a@"^^rdf:PlainLiteral .'
    chain = ":p a owl:TransitiveProperty ; owl:propertyChainAxiom (:q :p) ."
    bases = [loaded(f"{literals} {chain} {first}", storage=each) for each in ("compact", "plain")]
    for kb in bases:
        kb.load(f"{PREFIXES} {last}".encode(), format="turtle")
        kb._check()
    compact, plain = map(derived, bases)
    assert compact == plain and ":x :p :y" in plain


def test_a_cue_about_one_end_is_met_where_two_classes_merge() -> None:
    """:a is related to :c now, though neither is an end of a pair for the first time."""
    dictionary = Dictionary()
    encoder = TermEncoder(dictionary)
    a, b, c, d, same, kind = (encoder.constant(f"<http://e/{name}>") for name in "abcdpq")
    old, new = (
        FactSet.of(batch_of((s, same, o) for group in groups for s in group for o in group))
        for groups in ([(a, b), (c, d)], [(a, b, c, d)])
    )
    known = FactSet.of(batch_of([(a, kind, d)])).tables
    shift = Shift(old.get(same), new.table(same))
    shift.ends = KnownDelta([], [])
    sleeping = Sleeping(encoder)
    cue = Atom(Var("x"), "<http://e/p>", "<http://e/c>"), Atom(Var("x"), "<http://e/q>", Var("y"))
    rule = fixed_rules("owl2rl")[0]
    sleeping.add([Asleep(*cue, lambda: (rule,))])
    before, after = ({**facts.tables, **known} for facts in (old, new))
    assert not sleeping.woken({}, Gains(before), lambda: State(before))
    woken = sleeping.woken(before, Gains({}, {same: shift}), lambda: State(after))
    assert woken == [rule]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_literals_that_facts_are_stored_of_by_another_name_wake_rules(order):
    parts = ":a owl:sameAs 5 .", ":b owl:sameAs 5.0 .", ":p owl:propertyDisjointWith :q ."
    kb = loaded(":a :p :x . :b :q :x .")
    for i in order:
        kb.load(f"{PREFIXES} {parts[i]}".encode(), format="turtle")
    kb._check()
    names = {"<http://e/a>", "<http://e/b>", *FIVES}
    told = {tuple(f[0].n3() for f in v.facts[1:]) for v in kb.violations()}
    assert told == {(name, name) for name in names}
    found = kb._engine.version.closure.get(kb._engine.violation)
    assert len(found) == len(told) + len(set(permutations(FIVES)))


def test_strata_that_are_too_fine_are_noticed_before_the_last_is_worked_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    worked: list[tuple[Strata, Stratum]] = []
    original = maintain._maintain

    def noted(update: Update, stratum: Stratum, *more: Any) -> None:
        worked.append((stratum.strata, stratum))
        original(update, stratum, *more)

    monkeypatch.setattr(maintain, "_maintain", noted)
    data = "".join(f":i{i} :q :j{i} . " for i in range(KNOWLEDGE.many_statements))
    kb = KnowledgeBase()
    kb.load(
        f"""@prefix : <http://e.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . {data}
        :C rdfs:subClassOf [ owl:onProperty :p ; owl:maxCardinality 1 ] . :x a :C ; :p :y, :z .
        """.encode(),
        format="turtle",
    )
    assert ("<http://e.org/y>", "<http://www.w3.org/2002/07/owl#sameAs>", "<http://e.org/z>") in kb
    first = worked[0][0]
    assert len(first.clauses) > 1 and worked[-1][0] is not first
    assert all(made is not first or at.level < first.levels.top for made, at in worked)
