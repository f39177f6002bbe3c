"""Axioms with long lists: consequences, proofs and what they cost."""

from __future__ import annotations

import pytest

from rdfinc import KnowledgeBase
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.vocabulary import OWL, RDF
from thresholds import put

LENGTH = 40
INTEGER = '"%d"^^<http://www.w3.org/2001/XMLSchema#integer>'
PREFIXES = "@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
PREFIXES += "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
PREFIXES += "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"


def loaded(*statements: str) -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.load((PREFIXES + " .\n".join(statements) + " .").encode(), format="turtle")
    return kb


def listed(prefix: str) -> str:
    return " ".join(f":{prefix}{number}" for number in range(LENGTH))


def fact(s: str, p: str, o: str) -> tuple[str, ...]:
    """A fact in full."""
    own = {"a": f"<{RDF}type>", "same": f"<{OWL}sameAs>"}
    return tuple(
        own.get(t) or (f"<http://example.org/{t[1:]}>" if t[0] == ":" else t) for t in (s, p, o)
    )


def proved(kb: KnowledgeBase, s: str, p: str, o: str) -> list[str]:
    """The rules of a proof, and its stated premises."""
    proof = kb.explain((s, p, o))
    return [proof.rule, *(premise.text for premise in proof.premises if not premise.rule)]


def test_a_chain_is_proved_by_all_its_steps() -> None:
    steps = [f":i{number} :p{number} :i{number + 1}" for number in range(LENGTH)]
    kb = loaded(f":q owl:propertyChainAxiom ({listed('p')})", *steps)
    entailed = ":i0", ":q", f":i{LENGTH}"
    rule, axiom, *told = proved(kb, *entailed)
    assert (rule, told) == ("prp-spo2", steps) and "propertyChainAxiom" in axiom
    kb.update(delete=[fact(":i7", ":p7", ":i8")])
    assert fact(*entailed) not in kb
    kb.update(insert=[fact(":i7", ":p7", ":i8")])
    assert fact(*entailed) in kb
    kb._check()


def test_an_intersection_is_proved_by_all_operands() -> None:
    types = [f":x a :C{number}" for number in range(LENGTH)]
    kb = loaded(f":All owl:intersectionOf ({listed('C')})", *types, ":y a :C0 , :C39")
    rule, axiom, *told = proved(kb, ":x", "a", ":All")
    assert rule == "cls-int1" and "intersectionOf" in axiom
    assert told == [each.replace(" a ", " rdf:type ") for each in types]
    assert fact(":y", "a", ":All") not in kb
    kb.update(delete=[fact(":x", "a", ":C20")])
    assert fact(":x", "a", ":All") not in kb


def test_a_key_needs_all_its_properties() -> None:
    values = [f":{who} :p{number} {number}" for who in "xyz" for number in range(LENGTH)]
    kb = loaded(f":Person owl:hasKey ({listed('p')})", ":x a :Person", ":y a :Person", *values)
    assert fact(":x", "same", ":y") in kb and fact(":x", "same", ":z") not in kb
    kb.update(insert=[fact(":z", "a", ":Person")], delete=[fact(":x", ":p5", INTEGER % 5)])
    assert fact(":x", "same", ":y") not in kb and fact(":z", "same", ":y") in kb


@pytest.mark.parametrize("bearer", ["intersectionOf", "propertyChainAxiom", "hasKey"])
def test_plans_are_few(bearer: str) -> None:
    """The clauses for a long list are those for a longer one."""
    kb = loaded(f":q owl:{bearer} ({listed('p')})")
    clauses = len(kb._engine.rules.compiled.clauses)
    kb.load((PREFIXES + f":r owl:{bearer} ({listed('p')} {listed('n')}) .").encode(), format="ttl")
    assert len(kb._engine.rules.compiled.clauses) == clauses


@pytest.mark.parametrize("gaps", [(5,), (0, 39), (3, 4, 20)])
def test_what_a_long_list_lacks_is_told_item_by_item(gaps: tuple[int, ...]) -> None:
    types = [f":x a :C{number}" for number in range(LENGTH) if number not in gaps]
    kb = loaded(f":All owl:intersectionOf ({listed('C')})", *types)
    near = kb.why_not((":x", "a", ":All")).instances[0]
    assert [o.n3() for _, _, o in near.missing] == [f"<http://example.org/C{gap}>" for gap in gaps]
    assert len(near.present) == 1 + LENGTH - len(gaps) and not near.failing
    assert near.text.count("is missing") == len(gaps)


def test_the_step_that_a_long_chain_lacks_is_told() -> None:
    steps = [f":i{number} :p{number} :i{number + 1}" for number in range(LENGTH) if number != 7]
    kb = loaded(f":q owl:propertyChainAxiom ({listed('p')})", *steps)
    told = str(kb.why_not((":i0", ":q", f":i{LENGTH}")))
    assert ":i7 :p7 :i8   is missing" in told and told.count("is there") == LENGTH


def test_disjoint_classes_need_no_pairs() -> None:
    """Facts are in proportion to the members and to what belongs to them."""
    number = 500
    members = " ".join(f":C{each}" for each in range(number))
    types = [f":x{each} a :C{each}" for each in range(number)]
    kb = loaded(f"[] a owl:AllDisjointClasses ; owl:members ({members})", *types)
    held = kb._engine.version.held
    assert sum(len(held.get(p)) for p in held.tables) < 20 * number
    assert kb.is_consistent
    kb.update(insert=[fact(":x7", "a", ":C490")])
    (found,) = kb.violations()
    assert str(found) == "cax-adc: [:x7 rdf:type :C7], [:x7 rdf:type :C490]"
    assert [each in kb for each in found.facts] == [True, True]
    (axiom, *told) = kb.explain_violation(found)
    assert "AllDisjointClasses" in axiom.text and len(told) == 3
    kb.update(delete=[fact(":x7", "a", ":C7")])
    assert kb.is_consistent and not [*kb.violations()]
    kb._check()


@pytest.mark.parametrize("few", [1, 50])
@pytest.mark.parametrize("thing", [False, True])
@pytest.mark.parametrize(
    ("one", "other"),
    [("1", "1.0"), ("1", '"01"^^xsd:integer'), ("true", '"1"^^xsd:boolean'), ("1", "1")],
)
def test_literals_of_one_value_are_in_disjoint_classes(
    one: str, other: str, thing: bool, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, LISTS, few_entries=few)
    first = "owl:Thing" if thing else ":C"
    kb = loaded(
        f"[] a owl:AllDisjointClasses ; owl:members ({first} :D)",
        f":p rdfs:range {first} . :q rdfs:range :D . :D a owl:Class",
        f":x :p {one} . :y :q {other}",
    )
    assert {violation.rule for violation in kb.violations()} == {"cax-adc"}
    kb.update(delete=[*kb.explicit.triples((None, fact(":x", ":q", ":y")[1], None))])
    assert kb.is_consistent


@pytest.mark.parametrize(("few", "told"), [(1, 2), (50, 1)])
def test_two_lists_of_the_same_classes(
    few: int, told: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pair of a short list is told once, a position in a long one with each list."""
    put(monkeypatch, LISTS, few_entries=few)
    lists = ["[] a owl:AllDisjointClasses ; owl:members (:A :B :C)"] * 2
    kb = loaded(*lists, ":x a :A , :C , :C2", ":C2 rdfs:subClassOf :C")
    messages = [str(violation) for violation in kb.violations()]
    assert messages == ["cax-adc: [:x rdf:type :A], [:x rdf:type :C]"] * told
    kb.update(delete=[fact(":x", "a", ":C")])
    assert len([*kb.violations()]) == told
    kb.update(delete=[fact(":x", "a", ":C2")])
    assert kb.is_consistent
