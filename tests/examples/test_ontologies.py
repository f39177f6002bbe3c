"""The shipped ontologies and rule sets hold what their comments promise."""

from __future__ import annotations

import re
from importlib.resources import files

import chains
import pytest
import wind_farm
from naive import naive
from rdflib import OWL, RDF, SKOS, Graph, Namespace

import rdfinc
from rdfinc.cli.check import checked
from rdfinc.datalog.analysis.safety import check, check_program
from rdfinc.datalog.model import Program, Rule
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.reasoning.maintenance.maintain import STRATEGIES
from rdfinc.tables.closure.intervals.interval_table import Interval

ONTOLOGIES = files("rdfinc.ontologies")
FAMILY = Namespace("http://example.org/family#")


@pytest.fixture(scope="module")
def family() -> rdfinc.KnowledgeBase:
    kb = rdfinc.KnowledgeBase()
    kb.load(ONTOLOGIES / "family.ttl")
    return kb


@pytest.mark.parametrize("name", ["university", "family", "contradictions", "skos"])
def test_every_axiom_is_supported(name: str) -> None:
    report = rdfinc.KnowledgeBase().load(ONTOLOGIES / f"{name}.ttl")
    assert report.triples == len(Graph().parse(ONTOLOGIES / f"{name}.ttl"))
    assert report.axioms == ()


def test_contradictions_has_one_for_each_rule_named_in_it() -> None:
    kb = rdfinc.KnowledgeBase()
    kb.load(ONTOLOGIES / "contradictions.ttl")
    text = (ONTOLOGIES / "contradictions.ttl").read_text("utf-8")
    named = re.findall(r"^# ([a-z]+-[a-z0-9]+):", text, re.MULTILINE)
    assert len(named) == len(set(named)) == 16
    assert {violation.rule for violation in kb.violations()} == set(named)


@pytest.mark.parametrize("name", sorted(path.name for path in ONTOLOGIES.glob("*.ttl")))
def test_check_finds_exactly_what_is_planted(name: str) -> None:
    """A planted contradiction has a comment that begins with its rule; nothing else is wrong."""
    text = (ONTOLOGIES / name).read_text("utf-8")
    planted = re.findall(r"^# ([a-z]+-[a-z0-9]+):", text, re.MULTILINE)
    kb = rdfinc.KnowledgeBase()
    kb.load(ONTOLOGIES / name)
    found = checked(kb, 100, [])
    assert {violation.rule for violation in found.violations} == set(planted)
    assert found.gaps == [] and found.counts()["used"] > 10
    proved = found.record()["violations"]
    assert len(proved) == len(found.violations) and all(each["proofs"] for each in proved)


def test_family_is_consistent(family: rdfinc.KnowledgeBase) -> None:
    assert family.violations() == []


@pytest.mark.parametrize(
    ("construct", "subject", "predicate", "value"),
    [
        ("subClassOf", "minka", RDF.type, "Being"),
        ("equivalentClass", "adam", RDF.type, "Human"),
        ("someValuesFrom a class", "adam", RDF.type, "Parent"),
        ("someValuesFrom owl:Thing", "carl", RDF.type, "PetOwner"),
        ("intersectionOf", "berta", RDF.type, "Mother"),
        ("unionOf", "minka", RDF.type, "Pet"),
        ("oneOf", "emil", RDF.type, "Twin"),
        ("hasValue, value to class", "the_hermit", RDF.type, "Villager"),
        ("hasValue, class to value", "dora", "livesIn", "ulmen"),
        ("allValuesFrom", "rex", RDF.type, "Dog"),
        ("maxCardinality 1", "clara", OWL.sameAs, "mrs_c"),
        ("maxQualifiedCardinality 1", "rex", OWL.sameAs, "the_brown_one"),
        ("hasKey", "anna", OWL.sameAs, "nana"),
        ("FunctionalProperty", "berta", OWL.sameAs, "mrs_k"),
        ("InverseFunctionalProperty", "carl", OWL.sameAs, "the_neighbour"),
        ("SymmetricProperty", "berta", "marriedTo", "adam"),
        ("TransitiveProperty", "august", "olderThan", "adam"),
        ("subPropertyOf", "frida", "hasParent", "erna"),
        ("equivalentProperty", "adam", "spouseOf", "berta"),
        ("inverseOf", "adam", "hasChild", "emil"),
        ("domain", "emil", RDF.type, "Person"),
        ("range", "erna", RDF.type, "Woman"),
        ("a chain of two", "emil", "hasUncle", "bruno"),
        ("a chain of three", "frida", "hasGreatUncle", "bruno"),
        ("sameAs", "hugo", "livesIn", "ulmen"),
    ],
)
def test_family_derives_by(
    family: rdfinc.KnowledgeBase, construct: str, subject: str, predicate: str, value: str
) -> None:
    fact = (FAMILY[subject], predicate if ":" in predicate else FAMILY[predicate], FAMILY[value])
    assert fact in family.derived, construct


THESAURUS = b"""
@prefix : <http://example.org/thesaurus#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .

:animals skos:topConceptOf :zoology ; skos:narrower :mammals .
:mammals skos:narrower :cats .
:siamese skos:broader :cats ; skos:related :meowing .
:felidae skos:exactMatch :cats ; skos:broadMatch :carnivora .
:cats skos:exactMatch :katzen ; skos:relatedMatch :purring .
"""
EXAMPLE = Namespace("http://example.org/thesaurus#")


@pytest.fixture(scope="module")
def thesaurus() -> rdfinc.KnowledgeBase:
    kb = rdfinc.KnowledgeBase()
    kb.load(ONTOLOGIES / "skos.ttl")
    kb.load(THESAURUS, format="turtle")
    return kb


@pytest.mark.parametrize(
    ("subject", "predicate", "value"),
    [
        ("siamese", "broaderTransitive", "animals"),  # through both directions
        ("animals", "narrowerTransitive", "siamese"),
        ("cats", "broader", "mammals"),
        ("felidae", "broaderTransitive", "carnivora"),
        ("carnivora", "narrowMatch", "felidae"),
        ("carnivora", "narrower", "felidae"),
        ("katzen", "exactMatch", "felidae"),
        ("katzen", "closeMatch", "cats"),
        ("katzen", "mappingRelation", "felidae"),
        ("meowing", "related", "siamese"),
        ("purring", "relatedMatch", "cats"),
        ("purring", "related", "cats"),
        ("siamese", "semanticRelation", "animals"),
        ("animals", "inScheme", "zoology"),
        ("zoology", "hasTopConcept", "animals"),
    ],
)
def test_skos_derives(
    thesaurus: rdfinc.KnowledgeBase, subject: str, predicate: str, value: str
) -> None:
    assert (EXAMPLE[subject], SKOS[predicate], EXAMPLE[value]) in thesaurus.derived


def test_skos_derives_no_more(thesaurus: rdfinc.KnowledgeBase) -> None:
    """A step upwards is no closure, a close match no chain, and only concepts are related."""
    assert (EXAMPLE.siamese, SKOS.broader, EXAMPLE.mammals) not in thesaurus
    assert (EXAMPLE.siamese, SKOS.broaderTransitive, EXAMPLE.siamese) not in thesaurus
    assert (EXAMPLE.cats, SKOS.broaderTransitive, EXAMPLE.carnivora) not in thesaurus
    concepts = {str(s) for s, _, _ in thesaurus.triples((None, RDF.type, SKOS.Concept))}
    subjects = {str(s) for s, _, _ in thesaurus if str(s).startswith(str(EXAMPLE))}
    assert concepts == subjects - {str(EXAMPLE.zoology)}
    assert len(concepts) == 9
    assert thesaurus.violations() == []


def test_no_pair_of_a_thesaurus_is_read_to_close_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its rules ask of a closure who is in it, and how a few are related; so do counts."""
    steps = [(EXAMPLE[f"n{i}"], SKOS.broader, EXAMPLE[f"n{i + 1}"]) for i in range(300)]
    kb = rdfinc.KnowledgeBase()
    kb.update(insert=steps)

    def refuse(_: Interval) -> None:
        raise AssertionError("all pairs were read")

    monkeypatch.setattr(Interval, "blocks", refuse)
    kb.load(ONTOLOGIES / "skos.ttl")
    size, related = len(kb), SKOS.semanticRelation.n3()
    assert kb.stats()["relations"][related]["facts"] == 301 * 300
    kb.update(delete=[steps[100]])
    assert kb.stats()["relations"][related]["facts"] == 101 * 100 + 200 * 199
    kb.update(delete=[steps[0]])
    assert len(list(kb.triples((None, RDF.type, SKOS.Concept)))) == 300
    kb.update(insert=[steps[100], steps[0]])
    assert len(kb) == size


@pytest.mark.parametrize(
    ("subject", "predicate", "value", "rule"),
    [
        ("siamese", "related", "animals", "prp-pdw"),
        ("cats", "broadMatch", "katzen", "prp-pdw"),
        ("katzen", "relatedMatch", "felidae", "prp-pdw"),
        ("zoology", "broader", "cats", "cax-dw"),
        ("cats", "member", "siamese", "cax-dw"),
    ],
)
def test_skos_refuses(
    thesaurus: rdfinc.KnowledgeBase, subject: str, predicate: str, value: str, rule: str
) -> None:
    kb = thesaurus.copy()
    kb.update(insert=[(EXAMPLE[subject], SKOS[predicate], EXAMPLE[value])])
    assert rule in {violation.rule for violation in kb.violations()}


FROM_PAPERS = ("chains_semipositive", "chains_stratified", "wind_farm")
RULE_SETS = (*FROM_PAPERS, "relations")


def rule_set(name: str) -> tuple[Rule, ...]:
    return tuple(parse_rules((ONTOLOGIES / f"{name}.dlog").read_text("utf-8"), {}))


def test_every_rule_set_is_tested_here() -> None:
    shipped = {path.name for path in ONTOLOGIES.iterdir() if path.name.endswith(".dlog")}
    assert shipped == {f"{name}.dlog" for name in RULE_SETS}


@pytest.mark.parametrize("name", RULE_SETS)
def test_rules_are_safe_and_print_back(name: str) -> None:
    rules = rule_set(name)
    for rule in rules:
        check(rule)
    check_program(rules)
    assert Program(tuple(parse_rules(str(Program(rules)), {}))) == Program(rules)


@pytest.mark.parametrize("name", FROM_PAPERS)
def test_rules_are_numbered_as_in_the_paper(name: str) -> None:
    numbers = [rule.name.removesuffix("new") for rule in rule_set(name)]
    assert numbers == [f"r{i}" for i in range(1, len(numbers) + 1)]


def derived(
    name: str, facts: list[wind_farm.Triple], maintenance: str = "auto"
) -> rdfinc.KnowledgeBase:
    kb = rdfinc.KnowledgeBase(profile="none", maintenance=maintenance)
    kb.update(insert=facts)
    kb.add_rules(rule_set(name))
    return kb


def told(kb: rdfinc.KnowledgeBase) -> set[tuple[str, ...]]:
    return {tuple(term.n3() for term in fact) for fact in kb}


@pytest.mark.parametrize("name", ["chains_semipositive", "chains_stratified"])
@pytest.mark.parametrize("excluded", [False, True])
def test_chains_derive_what_the_rules_say(name: str, excluded: bool) -> None:
    facts = [*chains.triples(4), *([chains.excluded(4)] if excluded else [])]
    assert told(derived(name, facts)) == naive(rule_set(name), facts)


@pytest.mark.parametrize(
    ("name", "published"), [("chains_semipositive", 424_300), ("chains_stratified", 423_101)]
)
def test_chains_derive_as_many_facts_as_published(name: str, published: int) -> None:
    assert len(derived(name, list(chains.triples())).derived) == published


def test_chains_differ_by_what_is_negated() -> None:
    """The pairs that r10new leaves out end where :p13 begins, or go through there."""
    facts = list(chains.triples(4))
    one, other = (told(derived(f"chains_{name}", facts)) for name in ("semipositive", "stratified"))
    assert other < one
    turbine = chains.turbine(8)
    p20 = {fact for fact in one - other if fact[1] == chains.term("p20")}
    assert p20 == {(s, p, o) for s, p, o in one if p == chains.term("p20") and o == turbine
                   and (s, chains.term("p12"), o) in one}  # fmt: skip


@pytest.mark.parametrize("turbines", [1, 2, 3, 4, 9])
def test_the_farm_derives_what_the_rules_say(turbines: int) -> None:
    facts = list(wind_farm.triples(turbines))
    assert told(derived("wind_farm", facts)) == naive(rule_set("wind_farm"), facts)


def test_the_farm_derives_as_many_facts_as_published() -> None:
    """And an anomaly for each broken thermometer, where the published data have none."""
    turbines = 50
    kb = derived("wind_farm", list(wind_farm.triples(turbines)))
    anomaly = wind_farm.term("SensorAnomalyWindTurbine")
    found = {s for s, _, o in told(kb) if o == anomaly}
    assert found == {wind_farm.turbine(i) for i in range(turbines) if wind_farm.is_broken(i)}
    assert len(found) == 2
    measurements = turbines
    assert len(kb) - measurements - len(found) == turbines * (turbines - 1) + 3 * turbines


def test_the_farm_stays_exact_from_hour_to_hour() -> None:
    facts = set(wind_farm.triples(6))
    kb = derived("wind_farm", list(facts))
    for delete, insert in wind_farm.updates(6, 4):
        kb.update(insert=insert, delete=delete)
        facts = facts.difference(delete).union(insert)
        assert told(kb) == naive(rule_set("wind_farm"), facts)


@pytest.mark.parametrize("maintenance", STRATEGIES)
def test_the_farm_stays_exact_when_the_last_turbine_goes(maintenance: str) -> None:
    """The medians that stay the same are not lost with the number of measurements."""
    more, fewer = list(wind_farm.triples(9)), list(wind_farm.triples(8))
    kb = derived("wind_farm", more, maintenance)
    kb.update(delete=set(more) - set(fewer))
    assert told(kb) == naive(rule_set("wind_farm"), fewer)
    kb.update(insert=set(more) - set(fewer))
    assert told(kb) == naive(rule_set("wind_farm"), more)
