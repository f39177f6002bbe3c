"""Of which datatypes literals are is asked wherever it says something, and nowhere else."""

from __future__ import annotations

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from thresholds import put

PREFIXES = """
@prefix : <urn:> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
XSD = "http://www.w3.org/2001/XMLSchema#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
HOLDS_FIVE = ("<urn:x>", "<urn:p>", f'"5"^^<{XSD}integer>')
CHAIN = ":q owl:propertyChainAxiom (:p rdf:type) ."
modes = pytest.mark.parametrize("axiomatic", [False, True])


@pytest.fixture
def loaded(tmp_path):
    def load(text: str, **options) -> KnowledgeBase:
        (tmp_path / "given.ttl").write_text(PREFIXES + text)
        kb = KnowledgeBase(**options)
        kb.load(tmp_path / "given.ttl")
        return kb

    return load


def shown(kb: KnowledgeBase, s: str | None, p: str | None, o: str | None) -> set[str]:
    """The facts of a pattern, the ends in angle brackets left out."""
    pattern = tuple(term and (term if term[0] in '"<' else f"<{term}>") for term in (s, p, o))
    return {" ".join(term.n3() for term in fact) for fact in kb.triples(pattern)}


def is_a(name: str, class_: str) -> str:
    return f"<{name}> {TYPE} <{class_}>"


@modes
def test_a_name_is_of_the_datatypes_of_its_literal(loaded, axiomatic):
    kb = loaded(':w owl:sameAs "5"^^xsd:byte .', axiomatic=axiomatic)
    types = shown(kb, "urn:w", TYPE, None)
    for name in ("byte", "integer", "decimal", "unsignedByte"):
        assert is_a("urn:w", f"{XSD}{name}") in types
    assert is_a("urn:w", f"{XSD}string") not in types
    kb.update(delete=list(kb.explicit))
    assert not shown(kb, "urn:w", None, None)


@modes
def test_a_name_is_of_the_classes_above_the_datatypes_of_its_literal(loaded, axiomatic):
    kb = loaded(":w owl:sameAs 5 . xsd:integer rdfs:subClassOf :N .", axiomatic=axiomatic)
    assert shown(kb, "urn:w", TYPE, "urn:N")
    below = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    kb.update(delete=[(f"<{XSD}integer>", below, "<urn:N>")])
    assert not shown(kb, "urn:w", TYPE, "urn:N")


RANGE = ":p rdfs:range :D ."
CONTRADICTIONS = {
    "xsd:integer owl:disjointWith :D ." + RANGE: "cax-dw",
    ":D owl:disjointWith xsd:integer ." + RANGE: "cax-dw",
    "[] a owl:AllDisjointClasses ; owl:members (:D xsd:integer) ." + RANGE: "cax-adc",
    ":p rdfs:range [ owl:complementOf xsd:integer ] .": "cls-com",
    ":K owl:intersectionOf (:D xsd:integer) ; rdfs:subClassOf owl:Nothing ."
    + RANGE: "cls-nothing2",
    "xsd:integer rdfs:subClassOf xsd:string .": "dt-not-type",
    "xsd:integer owl:sameAs xsd:string .": "dt-not-type",
    ":D owl:sameAs xsd:string, xsd:integer .": "dt-not-type",
    "xsd:integer rdfs:subClassOf [ owl:onDatatype xsd:string ] .": "dt-not-type",
    "xsd:integer rdfs:subClassOf [ owl:onProperty :has ; owl:allValuesFrom owl:Nothing ] ."
    ":p owl:inverseOf :has .": "cls-nothing2",
}


@modes
@pytest.mark.parametrize("axioms", CONTRADICTIONS, ids=CONTRADICTIONS.values())
def test_datatypes_in_class_axioms_contradict(loaded, axioms, axiomatic):
    kb = loaded(axioms, axiomatic=axiomatic)
    assert not kb.violations()
    for _ in range(2):
        kb.update(insert=[HOLDS_FIVE])
        assert [violation.rule for violation in kb.violations()] == [CONTRADICTIONS[axioms]]
        kb.update(delete=[HOLDS_FIVE])
        assert not kb.violations()


@modes
def test_datatypes_that_are_equal_no_longer(loaded, axiomatic):
    kb = loaded("xsd:string owl:sameAs xsd:integer . :x :p 5 .", axiomatic=axiomatic)
    assert [violation.rule for violation in kb.violations()] == ["dt-not-type"]
    kb.update(delete=[(f"<{XSD}string>", SAME, f"<{XSD}integer>")])
    assert not kb.violations()
    kb._check()


INTEGER = f"{XSD}integer"
ABOVE = "rdf:type rdfs:subPropertyOf :t ."
SAID = {
    CHAIN: f"<urn:x> <urn:q> <{INTEGER}>",
    "rdf:type owl:inverseOf :has .": f"<{INTEGER}> <urn:has> {HOLDS_FIVE[2]}",
    "rdf:type a owl:SymmetricProperty .": f"<{INTEGER}> {TYPE} {HOLDS_FIVE[2]}",
    "rdf:type rdfs:range :K .": is_a(INTEGER, "urn:K"),
    "[] owl:onProperty rdf:type ; owl:hasValue xsd:integer ; rdfs:subClassOf :H ."
    ":S owl:onProperty :p ; owl:someValuesFrom :H .": is_a("urn:x", "urn:S"),
    ABOVE + "[] owl:onProperty :t ; owl:hasValue xsd:integer ; rdfs:subClassOf :H ."
    ":S owl:onProperty :p ; owl:someValuesFrom :H .": is_a("urn:x", "urn:S"),
    "rdf:type rdfs:domain :H .:S owl:onProperty :p ; owl:someValuesFrom :H .": is_a(
        "urn:x", "urn:S"
    ),
}
SAYING = ["chain", "inverse", "symmetric", "range", "value", "above", "domain"]


@modes
@pytest.mark.parametrize("axioms", SAID, ids=SAYING)
def test_axioms_about_rdf_type_hold_of_literals(loaded, axioms, axiomatic):
    kb = loaded(axioms, axiomatic=axiomatic)
    for _ in range(2):
        kb.update(insert=[HOLDS_FIVE])
        assert SAID[axioms] in shown(kb, None, None, None)
        kb.update(delete=[HOLDS_FIVE])
        assert SAID[axioms] not in shown(kb, None, None, None)
    kb._check()


RULES = {
    "[?x, a, :Num] :- [?x, :p, ?v], [?v, a, xsd:integer] .": is_a("urn:x", "urn:Num"),
    "[?x, :is, ?c] :- [?x, :p, ?v], [?v, a, ?c] .": f"<urn:x> <urn:is> <{INTEGER}>",
    "[?x, a, :N] :- [?x, :p, ?v], [?v, a, :Above] .": is_a("urn:x", "urn:N"),
    "[?x, :q, ?n] :- [?x, :p, ?v], BIND(?v + 0.5 AS ?n) ."
    "[?x, a, :N] :- [?x, :q, ?n], [?n, a, xsd:decimal], NOT [?n, a, xsd:integer] .": is_a(
        "urn:x", "urn:N"
    ),
    '[?x, :q, "7"^^xsd:byte] :- [?x, :p, ?v] .'
    "[?x, a, :N] :- [?x, :q, ?n], [?n, a, xsd:byte] .": is_a("urn:x", "urn:N"),
}


@pytest.mark.parametrize("rules", RULES, ids=["class", "any class", "above", "computed", "named"])
def test_rules_read_the_datatypes_of_literals(loaded, rules):
    kb = loaded("xsd:integer rdfs:subClassOf :Above . :x :p 5 .")
    text = PREFIXES + rules
    for _ in range(2):
        kb.add_rules(text)
        assert RULES[rules] in shown(kb, "urn:x", None, None)
        kb.update(delete=[HOLDS_FIVE])
        assert not shown(kb, "urn:x", None, None)
        kb.update(insert=[HOLDS_FIVE])
        assert RULES[rules] in shown(kb, "urn:x", None, None)
        kb.remove_rules(text)
        assert shown(kb, "urn:x", None, None) == {" ".join(HOLDS_FIVE)}


@pytest.mark.parametrize(
    "rule",
    [
        "[?x, :q, ?v] :- [?m, :means, ?x], BIND(1 + 6 AS ?v), NOT [?x, :no, ?v] .",
        "[?x, ?m, 7] :- [?m, :means, ?x] .",
        "[?x, a, 7] :- [?m, :means, ?x] .",
        "[?v, :r, ?x] :- [?m, :means, ?x], BIND(1 + 6 AS ?v) . [?x, :q, ?v] :- [?v, :r, ?x] .",
        "[?x, :q, ?v] :- AGGREGATE([?m, :means, ?x] ON ?x BIND SUM(7) AS ?v) .",
    ],
    ids=["not negated", "any property", "type", "subject", "sum"],
)
def test_rules_read_the_datatypes_of_each_literal_of_a_head(loaded, rule):
    kb = loaded(":q :means :x .")
    kb.add_rules(PREFIXES + rule + "[?c, :seen, :yes] :- [?y, a, ?c] .")
    assert shown(kb, INTEGER, "urn:seen", None)
    kb.update(delete=[("<urn:q>", "<urn:means>", "<urn:x>")])
    assert not shown(kb, INTEGER, "urn:seen", None)
    kb._check()


@pytest.mark.parametrize(
    "rule",
    [
        '[?x, :q, ?n] :- AGGREGATE([?m, :means, ?x] ON ?x BIND SUM(7) AS ?v BIND MAX("a") AS ?n) .',
        "[?x, :q, :z] :- [?m, :means, ?x], BIND(1 + 6 AS ?v), FILTER(?v > 2) .",
        "[?x, :q, :z] :- [?m, :means, ?x], NOT EXISTS ?w IN ([?x, :no, ?w], FILTER(?w = 7)) .",
    ],
    ids=["another value of a group", "only compared", "only in a test"],
)
def test_rules_read_no_datatypes_of_a_literal_that_no_fact_has(loaded, rule):
    kb = loaded(":q :means :x .")
    kb.add_rules(PREFIXES + rule + "[?c, :seen, :yes] :- [?y, a, ?c] .")
    assert not shown(kb, INTEGER, "urn:seen", None)


def test_a_rule_that_asks_for_no_datatype_may_count(loaded):
    """Literals are found by what is stated and computed, not by all relations."""
    kb = loaded(":x :p 5 .")
    kb.add_rules(PREFIXES + "[?x, a, :N] :- [?x, :p, ?v], NOT [?v, a, xsd:string] .")
    assert shown(kb, "urn:x", TYPE, "urn:N")


def test_plain_ranges_and_unions_ask_for_nothing(loaded):
    kb = loaded(
        ":p rdfs:range xsd:integer . :q rdfs:range :U . :U owl:unionOf (xsd:integer xsd:string) ."
        "xsd:string rdfs:subClassOf rdfs:Literal . :x :p 5 ; :q 7 ."
    )
    asked = kb.dictionary.auxiliary("literal.asked")
    assert not len(kb._engine.version.held.get(asked))
    kb.update(insert=[("<urn:U>", "<http://www.w3.org/2002/07/owl#disjointWith>", "<urn:E>")])
    assert len(kb._engine.version.held.get(asked)) == 2


def test_copies_go_on(loaded):
    kb = loaded(CHAIN).copy()
    kb.update(insert=[HOLDS_FIVE])
    assert shown(kb, "urn:x", "urn:q", INTEGER)


DIFFERENT = "<http://www.w3.org/2002/07/owl#differentFrom>"
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"


@modes
def test_names_of_different_values_differ(loaded, axiomatic):
    kb = loaded(":w owl:sameAs 5 . :u owl:sameAs 5.0 . :v owl:sameAs 6 .", axiomatic=axiomatic)
    assert shown(kb, "urn:w", DIFFERENT, "urn:v") and shown(kb, "urn:v", DIFFERENT, "urn:w")
    assert shown(kb, "urn:u", DIFFERENT, "urn:v")
    assert shown(kb, "urn:w", DIFFERENT, f'"6"^^<{XSD}integer>')
    assert not shown(kb, "urn:w", DIFFERENT, "urn:u")
    kb.update(delete=[("<urn:v>", SAME, f'"6"^^<{XSD}integer>')])
    assert not shown(kb, None, DIFFERENT, None)


def test_names_that_are_equal_and_differ_are_a_contradiction(loaded):
    kb = loaded(":w owl:sameAs 5 . :v owl:sameAs 6 . :w owl:sameAs :v .")
    assert {"dt-diff", "eq-diff1"} <= {violation.rule for violation in kb.violations()}


def test_many_names_are_not_told_to_differ(monkeypatch):
    put(monkeypatch, KNOWLEDGE, differing_names=3)
    names = [(f"<urn:w{i}>", SAME, f'"{i}"^^<{XSD}integer>') for i in range(4)]
    for first in (1, 3, 4):
        kb = KnowledgeBase()
        for chosen in (names[:first], names[first:]):
            kb.update(insert=chosen)
        assert not shown(kb, None, DIFFERENT, None)
        kb.update(delete=names[:1])
        assert len(shown(kb, None, DIFFERENT, None)) == 12
        kb.update(insert=names[:1])
        assert not shown(kb, None, DIFFERENT, None)
        kb._check()


def test_a_chain_over_types_follows_from_equal_literals(loaded):
    kb = loaded(
        ':t owl:propertyChainAxiom (:d rdf:type) . :e rdfs:range :C . :i :d "a" . '
        ':j :e "a@"^^rdf:PlainLiteral .'
    )
    assert shown(kb, "urn:i", "urn:t", "urn:C")
