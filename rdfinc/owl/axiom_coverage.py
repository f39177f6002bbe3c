"""Axioms about properties and individuals, rules, and what is broken or has no rule at all."""

from __future__ import annotations

from collections.abc import Iterator

from rdfinc.errors import RuleError
from rdfinc.owl.findings import IGNORED, PARTLY, Finding
from rdfinc.owl.schema import Schema
from rdfinc.owl.swrl import swrl_rules
from rdfinc.owl.vocabulary import LIST_BEARING, OWL

_BETWEEN = {
    "rdfs:subPropertyOf": "{} ⊑ {}",
    "owl:equivalentProperty": "{} ≡ {}",
    "owl:inverseOf": "{} ≡ {}⁻",
    "owl:propertyDisjointWith": "{} and {} are disjoint",
}
_CHARACTERISTICS = ("Functional", "InverseFunctional", "Irreflexive", "Symmetric", "Asymmetric",
                    "Transitive")  # fmt: skip


def _properties(schema: Schema) -> Iterator[Finding]:
    """What is said of properties other than those that relate everything or nothing, of which
    `_extreme_properties` tells."""
    extremes = _extremes(schema)
    for kind, text in _BETWEEN.items():
        for one, other in schema.pairs(kind):
            if not extremes.intersection((one, other)) and not schema.is_blank(one):
                yield Finding(text.format(schema.name(one), schema.name(other)))
    for kind in _CHARACTERISTICS:
        for p in schema.instances(f"owl:{kind}Property"):
            word = kind.replace("InverseF", "inverse f").lower()
            yield Finding(f"{schema.name(p)} is {word}")
    for p, head in schema.pairs("owl:propertyChainAxiom"):
        items = schema.items(head)
        if items:
            yield Finding(f"{' ∘ '.join(schema.listed(items))} ⊑ {schema.name(p)}")


def _individuals(schema: Schema) -> Iterator[Finding]:
    """Equalities and differences are data: one finding for all of them."""
    for name in ("owl:sameAs", "owl:differentFrom"):
        if schema.occurs(name):
            yield Finding(f"what is stated with {name}")


# Lists and nodes with missing parts


def _lists(schema: Schema) -> Iterator[Finding]:
    for kind in LIST_BEARING:
        for node, head in schema.pairs(f"owl:{kind}"):
            if not schema.items(head):
                text = f"owl:{kind} of {schema.name(node)}"
                yield Finding.gap(text, IGNORED, "its list is empty or broken")


_ALL_PROPERTIES = "owl:AllDisjointProperties"


def _collections(schema: Schema) -> Iterator[Finding]:
    """AllDifferent and the like without members, and members of something untyped."""
    kinds = ("owl:AllDifferent", "owl:AllDisjointClasses", _ALL_PROPERTIES)
    typed = {kind: set(schema.instances(kind)) for kind in kinds}
    yield from _groups(schema, typed)
    members = {s for s, _ in schema.pairs("owl:members")}
    distinct = {s for s, _ in schema.pairs("owl:distinctMembers")}
    for kind, nodes in typed.items():
        listed = members | distinct if kind == "owl:AllDifferent" else members
        for node in sorted(nodes - listed):
            yield Finding.gap(f"{kind} {schema.name(node)}", IGNORED, "owl:members is missing")
    for node in sorted(members.difference(*typed.values())):
        reason = f"its type is none of {', '.join(kinds)}"
        yield Finding.gap(f"owl:members of {schema.name(node)}", IGNORED, reason)
    for node in sorted(distinct - typed["owl:AllDifferent"]):
        reason = "its type is not owl:AllDifferent"
        yield Finding.gap(f"owl:distinctMembers of {schema.name(node)}", IGNORED, reason)


def _groups(schema: Schema, typed: dict[str, set[int]]) -> Iterator[Finding]:
    """The well-formed ones; AllDisjointClasses are class axioms."""
    for predicate in ("owl:members", "owl:distinctMembers"):
        for node, head in schema.pairs(predicate):
            listed = ", ".join(schema.listed(schema.items(head) or ()))
            if listed and node in typed["owl:AllDifferent"]:
                yield Finding(f"all different: {listed}")
            elif listed and predicate == "owl:members" and node in typed[_ALL_PROPERTIES]:
                yield Finding(f"all disjoint: {listed}")


def _negative_assertions(schema: Schema) -> Iterator[Finding]:
    parts = ("sourceIndividual", "assertionProperty", "targetIndividual", "targetValue")
    has = {part: {s for s, _ in schema.pairs(f"owl:{part}")} for part in parts}
    has["targetIndividual"] |= has.pop("targetValue")
    typed = schema.instances("owl:NegativePropertyAssertion")
    for node in sorted(set(typed).union(*has.values())):
        missing = [f"owl:{part}" for part, nodes in has.items() if node not in nodes]
        text = f"negative assertion {schema.text(node)}"
        if missing:
            yield Finding.gap(text, IGNORED, f"{' and '.join(missing)} missing")
        else:
            yield Finding(text)


def _restrictions(schema: Schema) -> Iterator[Finding]:
    """Restrictions without a restricting part."""
    n_ary = {s for s, _ in schema.pairs("owl:onProperties")}
    for node, p in schema.pairs("owl:onProperty"):
        if node not in schema.constructors:
            text = f"restriction {schema.text(node)} on {schema.name(p)}"
            yield Finding.gap(text, IGNORED, "it does not say what it restricts the values to")
    for node in sorted(n_ary):
        text = f"restriction {schema.text(node)}"
        yield Finding.gap(text, IGNORED, "restrictions on several properties have no rule")


# Constructs without rules


def _disjoint_unions(schema: Schema) -> Iterator[Finding]:
    for class_, head in schema.pairs("owl:disjointUnionOf"):
        parts = ", ".join(schema.listed(schema.items(head) or ()))
        yield Finding.gap(
            f"{schema.name(class_)} is the disjoint union of {parts}", IGNORED,
            "no rule reads owl:disjointUnionOf; state owl:unionOf and owl:AllDisjointClasses",
        )  # fmt: skip


def _reflexive_properties(schema: Schema) -> Iterator[Finding]:
    for p in schema.instances("owl:ReflexiveProperty"):
        yield Finding.gap(f"{schema.name(p)} is reflexive", IGNORED, "reflexivity has no rule")


def _swrl_rules(schema: Schema) -> Iterator[Finding]:
    """SWRL rules, also those that are malformed or need what there is not."""
    for node in schema.instances("swrl:Imp"):
        name = f"SWRL rule {schema.text(node)}"
        try:
            swrl_rules(schema, schema.terms, node)
            yield Finding(name)
        except RuleError as error:
            yield Finding.gap(name, IGNORED, str(error).removeprefix(f"{name}: "))


_EXTREMES = ("topObjectProperty", "bottomObjectProperty", "topDataProperty", "bottomDataProperty")


def _extremes(schema: Schema) -> set[int | None]:
    return {schema.find(f"owl:{name}") for name in _EXTREMES} - {None}


def _extreme_properties(schema: Schema) -> Iterator[Finding]:
    """Statements about and with the properties that relate everything or nothing."""
    reason = "that it relates everything, or nothing, has no rule"
    extremes = _extremes(schema)
    for p in (p for p in schema.predicates() if p in extremes):
        yield Finding.gap(f"facts with {schema.name(p)}", PARTLY, reason)
    kinds = ("rdfs:subPropertyOf", "owl:equivalentProperty", "owl:inverseOf", "owl:onProperty")
    for kind in kinds if extremes else ():
        for s, o in schema.pairs(kind):
            if extremes.intersection((s, o)):
                yield Finding.gap(f"{schema.name(s)} {kind} {schema.name(o)}", PARTLY, reason)


def _unknown_predicates(schema: Schema) -> Iterator[Finding]:
    """Predicates in OWL's namespace that OWL 2 does not have, or that no rule here reads."""
    for p in schema.predicates():
        text = schema.text(p)
        if text.startswith(f"<{OWL}") and text[len(OWL) + 1 : -1] not in _KNOWN:
            yield Finding.gap(
                f"triples with {schema.name(p)}", IGNORED, "OWL 2 has no such property"
            )


_KNOWN = {
    "allValuesFrom", "annotatedProperty", "annotatedSource", "annotatedTarget", "assertionProperty",
    "backwardCompatibleWith", "bottomDataProperty", "bottomObjectProperty", "cardinality",
    "complementOf", "datatypeComplementOf", "deprecated", "differentFrom", "disjointUnionOf",
    "disjointWith", "distinctMembers", "equivalentClass", "equivalentProperty", "hasKey", "hasSelf",
    "hasValue", "imports", "incompatibleWith", "intersectionOf", "inverseOf", "maxCardinality",
    "maxQualifiedCardinality", "members", "minCardinality", "minQualifiedCardinality", "onClass",
    "onDataRange", "onDatatype", "onProperties", "onProperty", "oneOf", "priorVersion",
    "propertyChainAxiom", "propertyDisjointWith", "qualifiedCardinality", "sameAs",
    "someValuesFrom", "sourceIndividual", "targetIndividual", "targetValue", "topDataProperty",
    "topObjectProperty", "unionOf", "versionIRI", "versionInfo", "withRestrictions",
}  # fmt: skip

SURVEYS = (
    _properties,
    _individuals,
    _lists,
    _collections,
    _negative_assertions,
    _restrictions,
    _disjoint_unions,
    _reflexive_properties,
    _swrl_rules,
    _extreme_properties,
    _unknown_predicates,
)
