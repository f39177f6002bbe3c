"""What the OWL 2 RL rules do not use of an ontology, for the load report.

The rules use a class expression on the left of ⊑ to recognise its members, on the right to draw
consequences for them. Which kinds work on which side follows the OWL 2 RL profile (W3C, section
4.2.3). All that is said here costs time linear in the schema, not in the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from rdfinc.errors import RuleError
from rdfinc.owl.schema import NAMESPACES, RESTRICTIONS, Constructor, NamedTerms, Schema, Triples
from rdfinc.owl.swrl import swrl_rules
from rdfinc.owl.vocabulary import LIST_BEARING, OWL, XSD

IGNORED, PARTLY = "ignored", "partly used"


@dataclass(frozen=True, slots=True)
class Axiom:
    """An axiom in readable form that is not wholly used: `status` (IGNORED or PARTLY), and why."""

    text: str
    status: str
    reason: str

    def __str__(self) -> str:
        return f"{self.status}: {self.text} ({self.reason})"


def axioms(
    triples: Triples, terms: NamedTerms, namespaces: Mapping[str, str] = NAMESPACES
) -> list[Axiom]:
    """The axioms among explicit triples that the OWL 2 RL rules ignore or use in part.

    Each once, grouped by kind, otherwise in order of first appearance of their terms. IRIs are
    shown by their local names: what follows the longest of `namespaces`, else the last # or /.
    """
    schema = Schema(triples, terms, namespaces)
    return list(dict.fromkeys(axiom for survey in _SURVEYS for axiom in survey(schema)))


def unsupported(
    triples: Triples, terms: NamedTerms, namespaces: Mapping[str, str] = NAMESPACES
) -> list[str]:
    """`axioms` as lines of text."""
    return [str(axiom) for axiom in axioms(triples, terms, namespaces)]


# Class axioms


@dataclass(frozen=True, slots=True)
class _Gap:
    """`part` of the expression `whole` is of no use on its side of ⊑."""

    whole: Constructor
    part: Constructor
    status: str
    reason: str

    def axiom(self, schema: Schema, before: str = "", after: str = "") -> Axiom:
        """The finding; the axiom reads `before`, the whole expression, `after`."""
        inner = f"the part {schema.expression(self.part)}: " if self.part != self.whole else ""
        text = before + schema.expression(self.whole) + after
        return Axiom(text, self.status, inner + self.reason)


_NO_WITNESS = "existential, not usable left-to-right: no individual is invented as the value"
_ONLY_MAXIMA = "of the cardinalities only maxima of 0 and 1 are used"
_OPEN_WORLD = "not usable left-to-right: under the open world nothing is known to satisfy it"

_NOT_ON_THE_RIGHT = {
    "someValuesFrom": (PARTLY, _NO_WITNESS),
    "unionOf": (PARTLY, "a disjunction: its members are not sorted into one of the operands"),
    "oneOf": (PARTLY, "a disjunction: its members are not equated with one of those listed"),
    "hasSelf": (IGNORED, "self restrictions have no rule"),
    "minCardinality": (IGNORED, _ONLY_MAXIMA),
    "minQualifiedCardinality": (IGNORED, _ONLY_MAXIMA),
    "cardinality": (IGNORED, _ONLY_MAXIMA),
    "qualifiedCardinality": (IGNORED, _ONLY_MAXIMA),
}
_NOT_ON_THE_LEFT = {
    "hasSelf": (IGNORED, "self restrictions have no rule"),
    "allValuesFrom": (IGNORED, _OPEN_WORLD),
    "complementOf": (IGNORED, _OPEN_WORLD),
    "maxCardinality": (IGNORED, _OPEN_WORLD),
    "maxQualifiedCardinality": (IGNORED, _OPEN_WORLD),
    "minCardinality": (IGNORED, "minimum cardinalities have no rule; ∃ (someValuesFrom) has"),
    "minQualifiedCardinality": (IGNORED, "minimum cardinalities have no rule; ∃ has"),
    "cardinality": (IGNORED, _OPEN_WORLD),
    "qualifiedCardinality": (IGNORED, _OPEN_WORLD),
}
_LEFT, _RIGHT = _NOT_ON_THE_LEFT, _NOT_ON_THE_RIGHT
_Side = dict[str, tuple[str, str]]


def _gaps(schema: Schema, node: int, side: _Side) -> Iterator[_Gap]:
    """What the expressions on `node` leave unused on one side; named classes inside are not
    entered, they have axioms of their own. Each part is looked at once on each side."""
    frontier = [(each, each, side, False) for each in schema.constructors.get(node, ())]
    seen = set()
    while frontier:
        whole, part, at, partly = frontier.pop()
        if (part, id(at)) in seen:
            continue
        seen.add((part, id(at)))
        if part.kind in at:
            status, reason = at[part.kind]
            yield _Gap(whole, part, PARTLY if partly else status, reason)
            continue
        reason = _unreadable(schema, part)
        if reason:
            yield _Gap(whole, part, PARTLY if partly else IGNORED, reason)
        split = at is side is _RIGHT and part == whole and part.kind == "intersectionOf"
        partly = partly or part.kind == ("unionOf" if at is _LEFT else "allValuesFrom")
        for operand, there in _inside(part, at):
            inner = schema.constructors.get(operand, ()) if schema.is_blank(operand) else ()
            frontier += [(each if split else whole, each, there, partly) for each in inner]


def _inside(part: Constructor, side: _Side) -> Iterator[tuple[int, _Side]]:
    """The operands of an expression, and on which side they stand."""
    match part.kind:
        case "intersectionOf" | "unionOf":
            yield from ((operand, side) for operand in reversed(part.operands))
        case "someValuesFrom" | "allValuesFrom":
            yield part.value, side
        case "complementOf":
            yield part.value, _LEFT if side is _RIGHT else _RIGHT
        case "maxQualifiedCardinality" if part.qualifier is not None:
            yield part.qualifier, _LEFT


def _unreadable(schema: Schema, part: Constructor) -> str:
    """Why an expression of a kind that has rules is not read; empty if it is."""
    if part.kind in RESTRICTIONS and part.property is None:
        return "owl:onProperty is missing"
    if part.kind.startswith("max"):
        return _unreadable_maximum(schema, part)
    return ""


def _unreadable_maximum(schema: Schema, part: Constructor) -> str:
    text = schema.text(part.value)
    if text not in (f'"{n}"^^<{XSD}nonNegativeInteger>' for n in (0, 1)):
        if text.startswith(('"0"', '"1"')):
            return f"only xsd:nonNegativeInteger is read, this is {schema.name(part.value)}"
        return _ONLY_MAXIMA
    if part.kind == "maxQualifiedCardinality":
        if part.qualifier is None:
            return "owl:onClass is missing"
        if schema.is_data_range(part.qualifier):
            return "values are not checked against data ranges"
    return ""


def _inclusion(schema: Schema, sub: int, sup: int) -> Iterator[Axiom]:
    """What is unused of sub ⊑ sup, where a blank side stands for its expressions."""
    left, right = schema.name(sub), schema.name(sup)
    if schema.is_blank(sub):
        for gap in _gaps(schema, sub, _LEFT):
            yield gap.axiom(schema, after=f" ⊑ {right}")
    if schema.is_blank(sup):
        for gap in _gaps(schema, sup, _RIGHT):
            yield gap.axiom(schema, before=f"{left} ⊑ ")


def _inclusions(schema: Schema) -> Iterator[Axiom]:
    for sub, sup in schema.pairs("rdfs:subClassOf"):
        yield from _inclusion(schema, sub, sup)
    for one, other in schema.pairs("owl:equivalentClass"):
        yield from _inclusion(schema, one, other)
        yield from _inclusion(schema, other, one)


def _definitions(schema: Schema) -> Iterator[Axiom]:
    """Named classes on which an expression stands are equivalent to it."""
    for node in schema.constructors:
        if not schema.is_blank(node):
            name = schema.name(node)
            for gap in _gaps(schema, node, _RIGHT):
                yield gap.axiom(schema, before=f"{name} ⊑ ")
            for gap in _gaps(schema, node, _LEFT):
                yield gap.axiom(schema, after=f" ⊑ {name}")


def _domains_and_ranges(schema: Schema) -> Iterator[Axiom]:
    for kind in ("domain", "range"):
        for p, class_ in schema.pairs(f"rdfs:{kind}"):
            if schema.is_blank(class_):
                start = f"the {kind} of {schema.name(p)} is "
                for gap in _gaps(schema, class_, _RIGHT):
                    yield gap.axiom(schema, start)


def _disjoint_expressions(schema: Schema) -> Iterator[Axiom]:
    for one, other in schema.pairs("owl:disjointWith"):
        text = f"{schema.name(one)} and {schema.name(other)} are disjoint"
        for side in filter(schema.is_blank, (one, other)):
            yield from _operand_gaps(schema, side, text)
    for node in schema.instances("owl:AllDisjointClasses"):
        for head in schema.values("owl:members", node):
            items = schema.items(head) or ()
            text = f"all disjoint: {', '.join(schema.listed(items))}"
            for item in filter(schema.is_blank, items):
                yield from _operand_gaps(schema, item, text)


def _operand_gaps(schema: Schema, node: int, text: str) -> Iterator[Axiom]:
    for gap in _gaps(schema, node, _LEFT):
        yield Axiom(text, PARTLY, f"the part {schema.expression(gap.part)}: {gap.reason}")


def _keys_of_expressions(schema: Schema) -> Iterator[Axiom]:
    for class_, _ in schema.pairs("owl:hasKey"):
        if schema.is_blank(class_):
            for gap in _gaps(schema, class_, _LEFT):
                yield gap.axiom(schema, "a key of ")


def _assertions(schema: Schema) -> Iterator[Axiom]:
    """Individuals stated to belong to an expression that draws no consequence."""
    for node in filter(schema.is_blank, schema.constructors):
        members = schema.members(node)
        if members:
            names = ", ".join(schema.listed(members))
            for gap in _gaps(schema, node, _RIGHT):
                yield gap.axiom(schema, before=f"{names} : ")


# Lists and nodes with missing parts


def _lists(schema: Schema) -> Iterator[Axiom]:
    for kind in LIST_BEARING:
        for node, head in schema.pairs(f"owl:{kind}"):
            if not schema.items(head):
                text = f"owl:{kind} of {schema.name(node)}"
                yield Axiom(text, IGNORED, "its list is empty or broken")


def _collections(schema: Schema) -> Iterator[Axiom]:
    """AllDifferent and the like without members, and members of something untyped."""
    kinds = ("owl:AllDifferent", "owl:AllDisjointClasses", "owl:AllDisjointProperties")
    typed = {kind: set(schema.instances(kind)) for kind in kinds}
    members = {s for s, _ in schema.pairs("owl:members")}
    distinct = {s for s, _ in schema.pairs("owl:distinctMembers")}
    for kind, nodes in typed.items():
        listed = members | distinct if kind == "owl:AllDifferent" else members
        for node in sorted(nodes - listed):
            yield Axiom(f"{kind} {schema.name(node)}", IGNORED, "owl:members is missing")
    for node in sorted(members.difference(*typed.values())):
        reason = f"its type is none of {', '.join(kinds)}"
        yield Axiom(f"owl:members of {schema.name(node)}", IGNORED, reason)
    for node in sorted(distinct - typed["owl:AllDifferent"]):
        reason = "its type is not owl:AllDifferent"
        yield Axiom(f"owl:distinctMembers of {schema.name(node)}", IGNORED, reason)


def _negative_assertions(schema: Schema) -> Iterator[Axiom]:
    parts = ("sourceIndividual", "assertionProperty", "targetIndividual", "targetValue")
    has = {part: {s for s, _ in schema.pairs(f"owl:{part}")} for part in parts}
    has["targetIndividual"] |= has.pop("targetValue")
    typed = schema.instances("owl:NegativePropertyAssertion")
    for node in sorted(set(typed).union(*has.values())):
        missing = [f"owl:{part}" for part, nodes in has.items() if node not in nodes]
        if missing:
            text = f"negative assertion {schema.text(node)}"
            yield Axiom(text, IGNORED, f"{' and '.join(missing)} missing")


def _restrictions(schema: Schema) -> Iterator[Axiom]:
    """Restrictions without a restricting part."""
    n_ary = {s for s, _ in schema.pairs("owl:onProperties")}
    for node, p in schema.pairs("owl:onProperty"):
        if node not in schema.constructors:
            text = f"restriction {schema.text(node)} on {schema.name(p)}"
            yield Axiom(text, IGNORED, "it does not say what it restricts the values to")
    for node in sorted(n_ary):
        text = f"restriction {schema.text(node)}"
        yield Axiom(text, IGNORED, "restrictions on several properties have no rule")


# Constructs without rules


def _disjoint_unions(schema: Schema) -> Iterator[Axiom]:
    for class_, head in schema.pairs("owl:disjointUnionOf"):
        parts = ", ".join(schema.listed(schema.items(head) or ()))
        yield Axiom(
            f"{schema.name(class_)} is the disjoint union of {parts}", IGNORED,
            "no rule reads owl:disjointUnionOf; state owl:unionOf and owl:AllDisjointClasses",
        )  # fmt: skip


def _reflexive_properties(schema: Schema) -> Iterator[Axiom]:
    for p in schema.instances("owl:ReflexiveProperty"):
        yield Axiom(f"{schema.name(p)} is reflexive", IGNORED, "reflexivity has no rule")


def _swrl_rules(schema: Schema) -> Iterator[Axiom]:
    """SWRL rules that are malformed or need what there is not."""
    for node in schema.instances("swrl:Imp"):
        try:
            swrl_rules(schema, schema.terms, node)
        except RuleError as error:
            name = f"SWRL rule {schema.text(node)}"
            yield Axiom(name, IGNORED, str(error).removeprefix(f"{name}: "))


_EXTREMES = ("topObjectProperty", "bottomObjectProperty", "topDataProperty", "bottomDataProperty")


def _extreme_properties(schema: Schema) -> Iterator[Axiom]:
    """Statements about and with the properties that relate everything or nothing."""
    reason = "that it relates everything, or nothing, has no rule"
    extremes = {schema.find(f"owl:{name}") for name in _EXTREMES} - {None}
    for p in (p for p in schema.predicates() if p in extremes):
        yield Axiom(f"facts with {schema.name(p)}", PARTLY, reason)
    kinds = ("rdfs:subPropertyOf", "owl:equivalentProperty", "owl:inverseOf", "owl:onProperty")
    for kind in kinds if extremes else ():
        for s, o in schema.pairs(kind):
            if extremes.intersection((s, o)):
                yield Axiom(f"{schema.name(s)} {kind} {schema.name(o)}", PARTLY, reason)


def _data_ranges(schema: Schema) -> Iterator[Axiom]:
    """One finding for all uses of data ranges: an ontology has one for nearly every property."""
    uses = [schema.name(p) for p, o in schema.pairs("rdfs:range") if schema.is_data_range(o)]
    uses += [
        schema.expression(each)
        for node in schema.constructors
        for each in schema.constructors[node]
        if each.kind in ("someValuesFrom", "allValuesFrom") and schema.is_data_range(each.value)
    ]
    definitions = ("onDatatype", "withRestrictions", "datatypeComplementOf")
    nodes = sorted({s for kind in definitions for s, _ in schema.pairs(f"owl:{kind}")})
    uses += [schema.name(node) for node in nodes]
    if uses:
        shown = ", ".join(dict.fromkeys(uses[:8])) + (", …" if len(uses) > 8 else "")
        reason = "values are not checked against data ranges"
        yield Axiom(f"{len(uses)} data range(s), of {shown}", IGNORED, reason)


def _functional_data_properties(schema: Schema) -> Iterator[Axiom]:
    functional = schema.instances("owl:FunctionalProperty")
    for p in sorted(set(functional).intersection(schema.instances("owl:DatatypeProperty"))):
        reason = "two different literals as its values are not reported as a contradiction"
        yield Axiom(f"data property {schema.name(p)} is functional", PARTLY, reason)


def _unknown_predicates(schema: Schema) -> Iterator[Axiom]:
    """Predicates in OWL's namespace that OWL 2 does not have, or that no rule here reads."""
    for p in schema.predicates():
        text = schema.text(p)
        if text.startswith(f"<{OWL}") and text[len(OWL) + 1 : -1] not in _KNOWN:
            yield Axiom(f"triples with {schema.name(p)}", IGNORED, "OWL 2 has no such property")


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

_SURVEYS: tuple[Callable[[Schema], Iterator[Axiom]], ...] = (
    _inclusions,
    _definitions,
    _domains_and_ranges,
    _disjoint_expressions,
    _keys_of_expressions,
    _assertions,
    _lists,
    _collections,
    _negative_assertions,
    _restrictions,
    _disjoint_unions,
    _reflexive_properties,
    _swrl_rules,
    _extreme_properties,
    _data_ranges,
    _functional_data_properties,
    _unknown_predicates,
)
