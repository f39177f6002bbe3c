"""Axioms about properties and individuals, rules, and what is broken or has no rule at all."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from rdfinc.errors import RuleError
from rdfinc.owl.coverage.findings import IGNORED, PARTLY, Finding
from rdfinc.owl.coverage.named_triples import NamedTriples
from rdfinc.owl.coverage.surveys import Nodes, Pairs, Predicates, Survey
from rdfinc.owl.swrl.swrl_triples import swrl_rules
from rdfinc.owl.vocabulary import LIST_BEARING

_BETWEEN = {
    "rdfs:subPropertyOf": "{} ⊑ {}",
    "owl:equivalentProperty": "{} ≡ {}",
    "owl:inverseOf": "{} ≡ {}⁻",
    "owl:propertyDisjointWith": "{} and {} are disjoint",
}
_CHARACTERISTICS = ("Functional", "InverseFunctional", "Irreflexive", "Symmetric", "Asymmetric",
                    "Transitive")  # fmt: skip


def _between(text: str, schema: NamedTriples, one: int, other: int) -> Iterator[Finding]:
    """The coverage of an axiom between two properties, neither of which relates everything or
    nothing; those axioms are told by `_extreme_ends`."""
    if not _extremes(schema).intersection((one, other)) and not schema.is_blank(one):
        yield Finding(lambda: text.format(schema.name(one), schema.name(other)))


def _characteristic(kind: str, schema: NamedTriples, p: int) -> Iterator[Finding]:
    word = kind.replace("InverseF", "inverse f").lower()
    yield Finding(lambda: f"{schema.name(p)} is {word}")


def _chains(schema: NamedTriples, p: int, head: int) -> Iterator[Finding]:
    items = schema.items(head)
    if items:
        yield Finding(lambda: f"{' ∘ '.join(schema.listed(items))} ⊑ {schema.name(p)}")


def _individuals(name: str, schema: NamedTriples, p: int) -> Iterator[Finding]:
    """Equalities and differences are data: one finding for all of them."""
    if p == schema.find(name):
        yield Finding(lambda: f"what is stated with {name}")


# Lists and nodes with missing parts


def _lists(kind: str, schema: NamedTriples, node: int, head: int) -> Iterator[Finding]:
    if not schema.items(head):
        text = f"owl:{kind} of {schema.name(node)}"
        yield Finding.gap(text, IGNORED, "its list is empty or broken")


_DIFFERENT, _ALL_PROPERTIES = "owl:AllDifferent", "owl:AllDisjointProperties"
_COLLECTIONS = (_DIFFERENT, "owl:AllDisjointClasses", _ALL_PROPERTIES)


def _groups(predicate: str, schema: NamedTriples, node: int, head: int) -> Iterator[Finding]:
    """The members of well-formed AllDifferent and AllDisjointProperties axioms;
    AllDisjointClasses are class axioms."""
    items = schema.items(head)
    if items and schema.is_a(node, _DIFFERENT):
        yield Finding(lambda: f"all different: {', '.join(schema.listed(items))}")
    elif items and predicate == "owl:members" and schema.is_a(node, _ALL_PROPERTIES):
        yield Finding(lambda: f"all disjoint: {', '.join(schema.listed(items))}")


def _empty_collections(kind: str, schema: NamedTriples, node: int) -> Iterator[Finding]:
    listing = ("owl:members", "owl:distinctMembers")[: 2 if kind == _DIFFERENT else 1]
    if not any(schema.values(name, node) for name in listing):
        yield Finding.gap(f"{kind} {schema.name(node)}", IGNORED, "owl:members is missing")


def _untyped_members(schema: NamedTriples, node: int) -> Iterator[Finding]:
    if not schema.is_a(node, *_COLLECTIONS):
        reason = f"its type is none of {', '.join(_COLLECTIONS)}"
        yield Finding.gap(f"owl:members of {schema.name(node)}", IGNORED, reason)


def _untyped_distinct_members(schema: NamedTriples, node: int) -> Iterator[Finding]:
    if not schema.is_a(node, _DIFFERENT):
        reason = "its type is not owl:AllDifferent"
        yield Finding.gap(f"owl:distinctMembers of {schema.name(node)}", IGNORED, reason)


_PARTS = {
    "owl:sourceIndividual": ("owl:sourceIndividual",),
    "owl:assertionProperty": ("owl:assertionProperty",),
    "owl:targetIndividual": ("owl:targetIndividual", "owl:targetValue"),
}


def _negative_assertions(schema: NamedTriples, node: int) -> Iterator[Finding]:
    missing = [
        part
        for part, names in _PARTS.items()
        if not any(schema.values(name, node) for name in names)
    ]
    text = f"negative assertion {schema.text(node)}"
    if missing:
        yield Finding.gap(text, IGNORED, f"{' and '.join(missing)} missing")
    else:
        yield Finding(lambda: text)


def _restrictions(schema: NamedTriples, node: int, p: int) -> Iterator[Finding]:
    """Restrictions without a restricting part."""
    if not schema.expressions(node):
        text = f"restriction {schema.text(node)} on {schema.name(p)}"
        yield Finding.gap(text, IGNORED, "it does not say what it restricts the values to")


def _n_ary_restrictions(schema: NamedTriples, node: int) -> Iterator[Finding]:
    text = f"restriction {schema.text(node)}"
    yield Finding.gap(text, IGNORED, "restrictions on several properties have no rule")


# Constructs without rules


def _disjoint_unions(schema: NamedTriples, class_: int, head: int) -> Iterator[Finding]:
    parts = ", ".join(schema.listed(schema.items(head) or ()))
    yield Finding.gap(
        f"{schema.name(class_)} is the disjoint union of {parts}", IGNORED,
        "no rule reads owl:disjointUnionOf; state owl:unionOf and owl:AllDisjointClasses",
    )  # fmt: skip


def _reflexive_properties(schema: NamedTriples, p: int) -> Iterator[Finding]:
    yield Finding.gap(f"{schema.name(p)} is reflexive", IGNORED, "reflexivity has no rule")


def _swrl_rules(schema: NamedTriples, node: int) -> Iterator[Finding]:
    """SWRL rules, also those that are malformed or need what there is not."""
    name = f"SWRL rule {schema.text(node)}"
    try:
        swrl_rules(schema, schema.terms, node)
        yield Finding(lambda: name)
    except RuleError as error:
        yield Finding.gap(name, IGNORED, str(error).removeprefix(f"{name}: "))


_OF_PROPERTIES = (
    "rdfs:subPropertyOf", "owl:equivalentProperty", "owl:inverseOf", "owl:onProperty",
)  # fmt: skip
_EXTREMES = ("topObjectProperty", "bottomObjectProperty", "topDataProperty", "bottomDataProperty")
_NO_EXTREME = "that it relates everything, or nothing, has no rule"


def _extremes(schema: NamedTriples) -> set[int | None]:
    return {schema.find(f"owl:{name}") for name in _EXTREMES} - {None}


def _extreme_properties(schema: NamedTriples, p: int) -> Iterator[Finding]:
    """Facts with the properties that relate everything or nothing."""
    if p in _extremes(schema):
        yield Finding.gap(f"facts with {schema.name(p)}", PARTLY, _NO_EXTREME)


def _extreme_ends(kind: str, schema: NamedTriples, s: int, o: int) -> Iterator[Finding]:
    """Statements about those properties."""
    if _extremes(schema).intersection((s, o)):
        yield Finding.gap(f"{schema.name(s)} {kind} {schema.name(o)}", PARTLY, _NO_EXTREME)


SURVEYS: tuple[Survey, ...] = (
    *(Pairs(kind, partial(_between, text), is_used=True) for kind, text in _BETWEEN.items()),
    *(
        Nodes((f"a owl:{kind}Property",), partial(_characteristic, kind), is_used=True)
        for kind in _CHARACTERISTICS
    ),
    Pairs("owl:propertyChainAxiom", _chains, is_used=True),
    *(
        Predicates(partial(_individuals, name), is_used=True)
        for name in ("owl:sameAs", "owl:differentFrom")
    ),
    *(Pairs(f"owl:{kind}", partial(_lists, kind)) for kind in LIST_BEARING),
    *(
        Pairs(name, partial(_groups, name), is_used=True)
        for name in ("owl:members", "owl:distinctMembers")
    ),
    *(Nodes((f"a {kind}",), partial(_empty_collections, kind)) for kind in _COLLECTIONS),
    Nodes(("owl:members",), _untyped_members),
    Nodes(("owl:distinctMembers",), _untyped_distinct_members),
    Nodes(("a owl:NegativePropertyAssertion", *chain(*_PARTS.values())), _negative_assertions),
    Pairs("owl:onProperty", _restrictions),
    Nodes(("owl:onProperties",), _n_ary_restrictions),
    Pairs("owl:disjointUnionOf", _disjoint_unions),
    Nodes(("a owl:ReflexiveProperty",), _reflexive_properties),
    Nodes(("a swrl:Imp",), _swrl_rules),
    Predicates(_extreme_properties),
    *(Pairs(kind, partial(_extreme_ends, kind)) for kind in _OF_PROPERTIES),
)
