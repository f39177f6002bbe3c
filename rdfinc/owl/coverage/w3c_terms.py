"""The terms of RDF, RDFS, OWL 2 and XML Schema; whatever else stands in their namespaces is no term
of anybody's, and most likely a slip of the pen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from rdfinc.owl.vocabulary import OWL, RDF, RDFS, XSD

PREFIXES = {"rdf": RDF, "rdfs": RDFS, "owl": OWL, "xsd": XSD}
_NAMES = {
    "rdf": """
        Alt Bag CompoundLiteral HTML JSON List PlainLiteral Property Seq Statement XMLLiteral
        dirLangString direction first langRange langString language nil object predicate reifies
        rest subject type value""",
    "rdfs": """
        Class Container ContainerMembershipProperty Datatype Literal Resource comment domain
        isDefinedBy label member range seeAlso subClassOf subPropertyOf""",
    "owl": """
        AllDifferent AllDisjointClasses AllDisjointProperties Annotation AnnotationProperty
        AsymmetricProperty Axiom Class DataRange DatatypeProperty DeprecatedClass DeprecatedProperty
        FunctionalProperty InverseFunctionalProperty IrreflexiveProperty NamedIndividual
        NegativePropertyAssertion Nothing ObjectProperty Ontology OntologyProperty
        ReflexiveProperty Restriction SymmetricProperty Thing TransitiveProperty allValuesFrom
        annotatedProperty annotatedSource annotatedTarget assertionProperty backwardCompatibleWith
        bottomDataProperty bottomObjectProperty cardinality complementOf datatypeComplementOf
        deprecated differentFrom disjointUnionOf disjointWith distinctMembers equivalentClass
        equivalentProperty hasKey hasSelf hasValue imports incompatibleWith intersectionOf inverseOf
        maxCardinality maxQualifiedCardinality members minCardinality minQualifiedCardinality
        onClass onDataRange onDatatype onProperties onProperty oneOf priorVersion propertyChainAxiom
        propertyDisjointWith qualifiedCardinality rational real sameAs someValuesFrom
        sourceIndividual targetIndividual targetValue topDataProperty topObjectProperty unionOf
        versionIRI versionInfo withRestrictions""",
    "xsd": """
        ENTITIES ENTITY ID IDREF IDREFS NCName NMTOKEN NMTOKENS NOTATION Name QName anyAtomicType
        anySimpleType anyType anyURI base64Binary boolean byte date dateTime dateTimeStamp
        dayTimeDuration decimal double duration float gDay gMonth gMonthDay gYear gYearMonth
        hexBinary int integer language long negativeInteger nonNegativeInteger nonPositiveInteger
        normalizedString positiveInteger precisionDecimal short string time token unsignedByte
        unsignedInt unsignedLong unsignedShort untypedAtomic yearMonthDuration assertions
        enumeration explicitTimezone fractionDigits length maxExclusive maxInclusive maxLength
        minExclusive minInclusive minLength pattern totalDigits whiteSpace""",
}
_KNOWN = {prefix: frozenset(names.split()) for prefix, names in _NAMES.items()}
_TERMS = frozenset(
    f"<{PREFIXES[p]}{name}>".encode() for p, names in _KNOWN.items() for name in names
)
_NAMESPACES = tuple(f"<{iri}".encode() for iri in PREFIXES.values())
_UNNAMED = re.compile(rf"<({re.escape(RDF)}(_[1-9]\d*)?|{RDFS}|{OWL}|{XSD})>".encode())


def unknown_name(term: bytes) -> bytes | None:
    """The IRI that a term is or, of a literal, has as its datatype, if it stands in one of the
    namespaces but is none of their terms. O(1)."""
    if term.endswith(b">") and term.startswith(b'"'):
        term = term[term.rindex(b"^^") + 2 :]
    if not term.startswith(_NAMESPACES) or term in _TERMS or _UNNAMED.fullmatch(term):
        return None
    return term


def advice(iri: bytes) -> str:
    """What to do about such a name."""
    text = iri.decode()[1:-1]
    prefix = next(prefix for prefix, namespace in PREFIXES.items() if text.startswith(namespace))
    name = text.removeprefix(PREFIXES[prefix])
    meant = next(_alike(prefix, name), "")
    return f"there is no {prefix}:{name}" + (f"; did you mean {meant}?" if meant else "")


def _alike(prefix: str, name: str) -> Iterator[str]:
    """Terms that may be meant: the same name elsewhere, then names that are nearly the same."""
    orders = (prefix, *(other for other in _KNOWN if other != prefix))
    for each in orders:
        yield from (f"{each}:{known}" for known in _KNOWN[each] if known.lower() == name.lower())
    for each in orders:
        yield from (f"{each}:{known}" for known in get_close_matches(name, sorted(_KNOWN[each]), 1))
