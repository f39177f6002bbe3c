"""Random triples of OWL's vocabulary about a few nodes: axioms that are whole, or in parts."""

from __future__ import annotations

import random

_NAMESPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "swrl": "http://www.w3.org/2003/11/swrl#",
    "": "http://example.org/",
}


def names(text: str) -> list[str]:
    return text.split()


_OFTEN = names(
    """rdfs:subClassOf owl:equivalentClass owl:onProperty rdf:first rdf:rest rdf:type rdf:type
    owl:intersectionOf owl:someValuesFrom owl:unionOf"""
)
_PREDICATES = names(
    """owl:oneOf owl:complementOf owl:allValuesFrom owl:hasValue owl:hasSelf owl:maxCardinality
    owl:maxQualifiedCardinality owl:minCardinality owl:cardinality owl:qualifiedCardinality
    owl:onDatatype owl:datatypeComplementOf owl:onClass owl:onDataRange owl:withRestrictions
    owl:inverseOf owl:members owl:distinctMembers owl:hasKey owl:propertyChainAxiom
    owl:disjointWith owl:propertyDisjointWith owl:equivalentProperty owl:sourceIndividual
    owl:assertionProperty owl:targetIndividual owl:targetValue owl:disjointUnionOf
    owl:onProperties owl:sameAs owl:unheard owl:topObjectProperty rdfs:domain rdfs:range
    rdfs:subPropertyOf xsd:minInclusive :facet :p :q swrl:body swrl:head swrl:arguments
    swrl:argument1 swrl:argument2 swrl:classPredicate swrl:propertyPredicate swrl:builtin"""
)
_CLASSES = names(
    """owl:AllDifferent owl:AllDisjointClasses owl:AllDisjointProperties
    owl:NegativePropertyAssertion owl:ReflexiveProperty owl:FunctionalProperty owl:DataRange
    owl:Class rdfs:Datatype swrl:Imp swrl:ClassAtom swrl:IndividualPropertyAtom swrl:Variable
    swrl:BuiltinAtom"""
)
_NODES = [f"_:b{i}" for i in range(10)]
_NAMES = names(
    """:A :B :C :p :q :a/D :a#E xsd:integer xsd:unheard owl:Thing owl:topObjectProperty rdf:nil"""
)
_LITERALS = ['"0"^^xsd:integer', '"1"^^xsd:integer', '"2"^^xsd:integer', '"x"', '"y"^^:a/type']

NAMESPACES = ("http://example.org/", "http://example.org/a/", "http://example.org/a#")
"""By some of which the names are cut."""

Triple = tuple[str, str, str]


def iri(name: str) -> str:
    if name.startswith("_"):
        return name
    if name.startswith('"'):
        text, typed, datatype = name.rpartition("^^")
        return f"{text}^^{iri(datatype)}" if typed else name
    prefix, _, local = name.partition(":")
    return f"<{_NAMESPACES[prefix]}{local}>"


def triple(r: random.Random) -> Triple:
    predicate = r.choice(_OFTEN if r.random() < 0.6 else _PREDICATES)
    return iri(r.choice(_NODES + _NAMES)), iri(predicate), iri(_object(r, predicate))


def _object(r: random.Random, predicate: str) -> str:
    if predicate == "rdf:type":
        return r.choice(_CLASSES if r.random() < 0.8 else _NODES)
    if "ardinality" in predicate or predicate.startswith("xsd:"):
        return r.choice(_LITERALS)
    if predicate == "rdf:rest" and r.random() < 0.4:
        return "rdf:nil"
    return r.choice(_NODES + _NODES + _NAMES + _LITERALS)


_AXIOMS = [
    ":A rdfs:subClassOf {0} ; {0} owl:onProperty :p ; {0} owl:maxQualifiedCardinality {n} ; "
    "{0} owl:onClass {1} ; {1} owl:complementOf {2} ; {2} owl:hasSelf :true",
    ":B owl:equivalentClass {0} ; {0} owl:intersectionOf {1} ; {1} rdf:first {2} ; "
    "{1} rdf:rest {3} ; {3} rdf:first :C ; {3} rdf:rest rdf:nil ; {2} owl:onProperty {4} ; "
    "{4} owl:inverseOf :q ; {2} owl:someValuesFrom {name}",
    "{0} rdfs:subClassOf :C ; {0} owl:onProperty :p ; {0} owl:someValuesFrom :a/D ; "
    ":a/D rdf:type rdfs:Datatype ; :a/D owl:equivalentClass {1} ; {1} owl:onDatatype xsd:integer ; "
    "{1} owl:withRestrictions {2} ; {2} rdf:first {3} ; {2} rdf:rest rdf:nil ; {3} :facet {n}",
    "{0} rdfs:subClassOf :C ; {0} owl:onProperty :p ; {0} owl:someValuesFrom xsd:unheard ; "
    "{1} owl:equivalentClass xsd:unheard",
    ":A rdfs:subClassOf {0} ; {0} owl:onProperty :p ; {0} owl:someValuesFrom {1} ; "
    "{1} rdf:type owl:DataRange ; {0} rdfs:subClassOf :B ; :C rdf:type {0}",
    "{0} rdf:type swrl:Imp ; {0} swrl:body {1} ; {0} swrl:head {1} ; {1} rdf:first {2} ; "
    "{1} rdf:rest rdf:nil ; {2} rdf:type swrl:ClassAtom ; {2} swrl:classPredicate {name} ; "
    "{2} swrl:argument1 {3} ; {3} rdf:type swrl:Variable",
    "{0} rdf:type owl:AllDisjointClasses ; {0} owl:members {1} ; {1} rdf:first {2} ; "
    "{1} rdf:rest rdf:nil ; {2} owl:onProperty :p ; {2} owl:maxCardinality {n}",
    "{0} rdf:type owl:NegativePropertyAssertion ; {0} owl:sourceIndividual :A ; "
    "{0} owl:assertionProperty :p ; {0} owl:targetValue {n}",
]


def axiom(r: random.Random) -> list[Triple]:
    """An axiom, or a rule, with all its parts."""
    fill = {"n": r.choice(_LITERALS), "name": r.choice(_NAMES)}
    text = r.choice(_AXIOMS).format(*r.sample(_NODES, 5), **fill)
    s, p, o = zip(*(part.split() for part in text.split(" ; ")), strict=True)
    return list(zip(map(iri, s), map(iri, p), map(iri, o), strict=True))
