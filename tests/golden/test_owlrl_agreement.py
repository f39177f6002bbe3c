"""The closure agrees with owlrl's, up to differences declared one by one in owlrl_differences/.

A folder holds given.ttl, a graph that shows the difference, and says what it is in general:
always.ttl are triples that owlrl has in every graph, rules.dlog are rules that owlrl has and we
have not; a folder with neither is a pattern in DROPPED, or an error of owlrl's in NOT_TRIED.
only_owlrl.ttl or only_rdfinc.ttl are triples of the one closure that the other lacks.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import owlrl
import pytest
import rdflib
from golden.closures import Triple, contents, read

from rdfinc import KnowledgeBase

HERE = Path(__file__).parent
FOLDERS = sorted((HERE / "owlrl_differences").iterdir())
ONTOLOGIES = sorted((HERE.parents[1] / "ontologies").glob("*.ttl"))

SKOLEM = "urn:blank:"
OWL, XSD = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2001/XMLSchema#"
OWL_SAME_AS = f"<{OWL}sameAs>"
HIERARCHY = ("subClassOf>", "subPropertyOf>", "equivalentClass>", "equivalentProperty>")

DROPPED: dict[str, Callable[[Triple], bool]] = {
    "eq-ref": lambda t: t[1] == OWL_SAME_AS and t[0] == t[2],
    "datatype-disjointness": lambda t: (
        t[1] == f"<{OWL}disjointWith>" and t[0].startswith(f"<{XSD}") and t[2].startswith(f"<{XSD}")
    ),
    "literal-subjects": lambda t: t[0].startswith('"'),
    "error-messages": lambda t: t[0].startswith("_:"),  # nodes made up, see `skolemised`
    "reflexive-schema": lambda t: t[0] == t[2] and t[1].endswith(HIERARCHY),
}

NOT_TRIED = {
    "dt-eq",  # which owlrl leaves out "on purpose at the moment"
    "prp-key",  # owlrl does not compare the last property of a key
    "torn-lists",  # owlrl reads what is there of a list
}


def skolemised(triples: set[Triple]) -> set[Triple]:
    """Blank nodes as IRIs, so that they can be compared, and are not left out."""
    return {tuple(f"<{SKOLEM}{t[2:]}>" if t.startswith("_:") else t for t in x) for x in triples}


def unskolemised(triples: set[Triple]) -> set[Triple]:
    mark = f"<{SKOLEM}"
    return {
        tuple(f"_:{t[len(mark) : -1]}" if t.startswith(mark) else t for t in x) for x in triples
    }


@pytest.fixture(autouse=True)
def lexical_forms_are_kept(monkeypatch):
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


def owlrl_closure(triples: set[Triple]) -> set[Triple]:
    """Of triples without blank nodes."""
    graph = rdflib.Graph()
    graph.parse(data="".join(f"{s} {p} {o} .\n" for s, p, o in triples), format="nt")
    semantics = owlrl.DeductiveClosure(owlrl.OWLRL_Semantics)
    semantics.expand(graph)
    return {tuple(term.n3() for term in triple) for triple in graph}


def our_closure(triples: set[Triple], rules: str = "") -> set[Triple]:
    kb = KnowledgeBase()
    if rules:
        kb.add_rules(rules)
    kb.update(insert=triples)
    return contents(kb).facts


def with_declared_differences(triples: set[Triple]) -> set[Triple]:
    """Our closure together with what owlrl adds to every graph."""
    always = set().union(*(read(path) for path in HERE.glob("owlrl_differences/*/always.ttl")))
    rules = "".join(path.read_text() for path in HERE.glob("owlrl_differences/*/rules.dlog"))
    return our_closure(triples | always, rules)


def kept(triples: set[Triple]) -> set[Triple]:
    return {t for t in triples if not any(pattern(t) for pattern in DROPPED.values())}


def assert_agreement(triples: set[Triple]) -> None:
    triples = skolemised(triples)
    ours, theirs = kept(with_declared_differences(triples)), kept(owlrl_closure(triples))
    assert not theirs - ours
    assert not ours - theirs


@pytest.mark.parametrize("ontology", ONTOLOGIES, ids=lambda path: path.stem)
def test_shipped_ontologies(ontology):
    assert_agreement(read(ontology))


def named(folders):
    return pytest.mark.parametrize("folder", folders, ids=lambda folder: folder.name)


@named([folder for folder in FOLDERS if list(folder.glob("only_*.ttl"))])
def test_each_difference_is_one(folder):
    given = read(folder / "given.ttl")
    ours, theirs = our_closure(given), unskolemised(owlrl_closure(skolemised(given)))
    (path,) = folder.glob("only_*.ttl")
    only = read(path)
    ours, theirs = (ours, theirs) if path.stem == "only_owlrl" else (theirs, ours)
    assert only <= theirs and not only & ours


@named([folder for folder in FOLDERS if folder.name in ("literal-subjects", "error-messages")])
def test_each_dropped_pattern_is_a_difference(folder):
    given, pattern = read(folder / "given.ttl"), DROPPED[folder.name]
    assert any(map(pattern, owlrl_closure(given)))
    assert not any(map(pattern, our_closure(given)))


@named([folder for folder in FOLDERS if folder.name not in NOT_TRIED])
def test_each_declaration_covers_its_case(folder):
    assert_agreement(read(folder / "given.ttl"))


def test_every_pattern_has_a_folder():
    assert set(DROPPED) <= {folder.name for folder in FOLDERS}


# Random ontologies: axioms of every kind over few names, so that they meet.

AXIOMS = """
{C} rdfs:subClassOf {C}
{C} owl:equivalentClass {C}
{C} owl:disjointWith {C}
{C} owl:complementOf {C}
{C} owl:intersectionOf ( {C} {C} )
{C} owl:intersectionOf ( {C} {C} {C} )
{C} owl:unionOf ( {C} {C} )
{C} owl:oneOf ( {i} {i} )
{R} owl:onProperty {p} ; owl:someValuesFrom {C}
{R} owl:onProperty {p} ; owl:someValuesFrom owl:Thing
{R} owl:onProperty {p} ; owl:allValuesFrom {C}
{R} owl:onProperty {p} ; owl:hasValue {i}
{R} owl:onProperty {p} ; owl:maxCardinality "1"^^xsd:nonNegativeInteger
{R} owl:onProperty {p} ; owl:maxQualifiedCardinality "1"^^xsd:nonNegativeInteger ; owl:onClass {C}
{p} rdfs:subPropertyOf {p}
{p} owl:equivalentProperty {p}
{p} owl:inverseOf {p}
{p} rdfs:domain {C}
{p} rdfs:range {C}
{p} owl:propertyChainAxiom ( {p} {p} )
{p} owl:propertyChainAxiom ( {p} {p} {p} )
{p} a owl:FunctionalProperty
{p} a owl:InverseFunctionalProperty
{p} a owl:SymmetricProperty
{p} a owl:TransitiveProperty
{i} owl:sameAs {i}
[] a owl:AllDisjointClasses ; owl:members ( {C} {C} )
[] a owl:AllDifferent ; owl:members ( {i} {i} )
""".strip().splitlines()
DATA = ["{i} a {C}", "{i} {p} {i}"]
NAMES = {
    "C": ["ex:A", "ex:B", "ex:C", "ex:R", "ex:S"],
    "R": ["ex:R", "ex:S"],
    "p": ["ex:p", "ex:q", "ex:r"],
    "i": ["ex:a", "ex:b", "ex:c", "ex:d"],
}
PREFIXES = """
@prefix ex: <http://example.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""


def some_ontology(seed: int) -> str:
    chance = random.Random(seed)
    statements = [chance.choice(AXIOMS) for _ in range(6)] + [chance.choice(DATA) for _ in range(6)]
    return PREFIXES + "".join(f"{filled(each, chance)} .\n" for each in statements)


def filled(template: str, chance: random.Random) -> str:
    for kind, names in NAMES.items():
        while f"{{{kind}}}" in template:
            template = template.replace(f"{{{kind}}}", chance.choice(names), 1)
    return template


@pytest.mark.parametrize("seed", range(20))
def test_random_ontologies(seed, tmp_path):
    path = tmp_path / "random.ttl"
    path.write_text(some_ontology(seed))
    assert_agreement(read(path))
