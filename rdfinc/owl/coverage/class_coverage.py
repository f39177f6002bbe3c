"""Class axioms: which parts of the class expressions in them the OWL 2 RL rules do not use.

The rules use a class expression on the left of ⊑ to recognise its members, on the right to draw
consequences for them. Which kinds work on which side follows the OWL 2 RL profile (W3C, section
4.2.3).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from rdfinc.datalog.functions import DATATYPES, FACETS, value_spelling
from rdfinc.owl.coverage.findings import IGNORED, PARTLY, Axiom, Finding
from rdfinc.owl.coverage.named_triples import CONSTRUCTORS, RESTRICTIONS, Constructor, NamedTriples
from rdfinc.owl.coverage.surveys import Nodes, Pairs, Survey
from rdfinc.owl.vocabulary import XSD


class _Gap(Struct, frozen=True):
    """`part` of the expression `whole` is of no use on its side of ⊑."""

    whole: Constructor
    part: Constructor
    status: str
    reason: str

    def axiom(self, schema: NamedTriples, before: str = "", after: str = "") -> Axiom:
        """The finding; the axiom reads `before`, the whole expression, `after`."""
        inner = f"the part {schema.expression(self.part)}: " if self.part != self.whole else ""
        text = before + schema.expression(self.whole) + after
        return Axiom(text, self.status, inner + self.reason)


_NO_WITNESS = "existential, not usable left-to-right: no individual is invented as the value"
_ONLY_MAXIMA = "of the cardinalities only maxima of 0 and 1 are used"
_NUMBER = re.compile(rf'"(\d+)"\^\^<{re.escape(XSD)}integer>'.encode())
_OPEN_WORLD = "not usable left-to-right: under the open world nothing is known to satisfy it"
_NO_TEST = "literals are checked against it, but not recognised as its members"
_NO_COMPLEMENT = "complements of data ranges have no rule"

_NOT_ON_THE_RIGHT = {
    "someValuesFrom": (PARTLY, _NO_WITNESS),
    "unionOf": (PARTLY, "a disjunction: its members are not sorted into one of the operands"),
    "oneOf": (PARTLY, "a disjunction: its members are not equated with one of those listed"),
    "hasSelf": (IGNORED, "self restrictions have no rule"),
    "minCardinality": (IGNORED, _ONLY_MAXIMA),
    "minQualifiedCardinality": (IGNORED, _ONLY_MAXIMA),
    "cardinality": (IGNORED, _ONLY_MAXIMA),
    "qualifiedCardinality": (IGNORED, _ONLY_MAXIMA),
    "datatypeComplementOf": (IGNORED, _NO_COMPLEMENT),
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
    "onDatatype": (IGNORED, _NO_TEST),
    "datatypeComplementOf": (IGNORED, _NO_COMPLEMENT),
}
_LEFT, _RIGHT = _NOT_ON_THE_LEFT, _NOT_ON_THE_RIGHT
_Side = dict[str, tuple[str, str]]


def _gaps(schema: NamedTriples, node: int, side: _Side) -> Iterator[_Gap]:
    """The unused parts of the expressions on `node`, on one side. Named classes inside are not
    entered, for they have axioms of their own. Each part is looked at once on each side."""
    frontier = [(each, each, side, False) for each in schema.expressions(node)]
    seen = set()
    while frontier:
        whole, part, at, partly = frontier.pop()
        if (part, id(at)) in seen:
            continue
        seen.add((part, id(at)))
        if at is _RIGHT and _says_nothing(schema, part):
            continue
        reason = _unreadable(schema, part)
        if part.kind in at and not reason:
            status, why = at[part.kind]
            yield _Gap(whole, part, PARTLY if partly else status, why)
            continue
        reason = reason or _unknown(schema, part, at)
        if reason:
            yield _Gap(whole, part, PARTLY if partly else IGNORED, reason)
        split = at is side is _RIGHT and part == whole and part.kind == "intersectionOf"
        partly = partly or part.kind == ("unionOf" if at is _LEFT else "allValuesFrom")
        for operand, there in _inside(part, at):
            inner = schema.expressions(operand) if schema.is_blank(operand) else ()
            frontier += [(each if split else whole, each, there, partly) for each in inner]


def _says_nothing(schema: NamedTriples, part: Constructor) -> bool:
    """Whether everything belongs to an expression: at least 0 of whatever."""
    if not part.kind.startswith("min"):
        return False
    number = _NUMBER.fullmatch(value_spelling(schema.text(part.value).encode()))
    return number is not None and int(number[1]) == 0


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


def _unreadable(schema: NamedTriples, part: Constructor) -> str:
    """Why an expression of a kind that has rules is not read; empty if it is."""
    if part.kind in RESTRICTIONS and part.property is None:
        return "owl:onProperty is missing"
    if part.kind.startswith("max"):
        return _unreadable_maximum(schema, part)
    return ""


def _unknown(schema: NamedTriples, part: Constructor, side: _Side) -> str:
    """The parts of a data range that the rules do not know; empty if there are none."""
    if part.kind == "onDatatype":
        facets = {facet for node in part.operands for facet in schema.about(node)} - {*FACETS}
        if schema.text(part.value) not in DATATYPES:
            return f"the datatype {schema.name(part.value)} is not supported"
        return f"the facet {min(facets)} is not supported" if facets else ""
    if part.kind == "someValuesFrom" and side is _LEFT and schema.is_data_range(part.value):
        known = schema.is_blank(part.value) or schema.text(part.value) in DATATYPES
        return "" if known or schema.is_defined(part.value) else _NO_TEST
    return ""


def _unreadable_maximum(schema: NamedTriples, part: Constructor) -> str:
    number = _NUMBER.fullmatch(value_spelling(schema.text(part.value).encode()))
    if number is None:
        return f"only non-negative integers are read, this is {schema.name(part.value)}"
    if number[1] not in (b"0", b"1"):
        return _ONLY_MAXIMA
    if part.kind == "maxQualifiedCardinality":
        if part.qualifier is None:
            return "owl:onClass is missing"
        if schema.is_data_range(part.qualifier):
            return "no rule reads owl:onDataRange"
    return ""


def _inclusion(schema: NamedTriples, sub: int, sup: int) -> Iterator[Axiom]:
    """The unused parts of sub ⊑ sup; a blank side stands for its expressions."""
    if schema.is_blank(sub):
        for gap in _gaps(schema, sub, _LEFT):
            yield gap.axiom(schema, after=f" ⊑ {schema.name(sup)}")
    if schema.is_blank(sup):
        for gap in _gaps(schema, sup, _RIGHT):
            yield gap.axiom(schema, before=f"{schema.name(sub)} ⊑ ")


def _subclasses(schema: NamedTriples, sub: int, sup: int) -> Iterator[Finding]:
    gaps = [*_inclusion(schema, sub, sup)]
    yield Finding(lambda: f"{schema.name(sub)} ⊑ {schema.name(sup)}", gaps)


def _equivalences(schema: NamedTriples, one: int, other: int) -> Iterator[Finding]:
    gaps = [*_inclusion(schema, one, other), *_inclusion(schema, other, one)]
    yield Finding(lambda: f"{schema.name(one)} ≡ {schema.name(other)}", gaps)


def _definition(kind: str, schema: NamedTriples, node: int) -> Iterator[Finding]:
    """A named class on which expressions stand, the first of this kind, is equivalent to them."""
    if schema.is_blank(node) or (parts := schema.expressions(node))[0].kind != kind:
        return

    def reads() -> str:
        return f"{schema.name(node)} ≡ {' ⊓ '.join(map(schema.expression, parts))}"

    gaps = [gap.axiom(schema, f"{schema.name(node)} ⊑ ") for gap in _gaps(schema, node, _RIGHT)]
    gaps += [gap.axiom(schema, "", f" ⊑ {schema.name(node)}") for gap in _gaps(schema, node, _LEFT)]
    yield Finding(reads, gaps)


def _domain_or_range(kind: str, schema: NamedTriples, p: int, class_: int) -> Iterator[Finding]:
    def start() -> str:
        return f"the {kind} of {schema.name(p)} is "

    gaps = _gaps(schema, class_, _RIGHT) if schema.is_blank(class_) else ()
    told = [gap.axiom(schema, start()) for gap in gaps]
    yield Finding(lambda: f"{start()}{schema.name(class_)}", told)


def _disjoint_classes(schema: NamedTriples, one: int, other: int) -> Iterator[Finding]:
    def reads() -> str:
        return f"{schema.name(one)} and {schema.name(other)} are disjoint"

    yield Finding(reads, _operand_gaps(schema, (one, other), reads))


def _all_disjoint_classes(schema: NamedTriples, node: int) -> Iterator[Finding]:
    for head in schema.values("owl:members", node):
        items = schema.items(head)
        if items:
            reads = partial(_all_disjoint, schema, items)
            yield Finding(reads, _operand_gaps(schema, items, reads))


def _all_disjoint(schema: NamedTriples, items: Sequence[int]) -> str:
    return f"all disjoint: {', '.join(schema.listed(items))}"


def _operand_gaps(
    schema: NamedTriples, nodes: Sequence[int], reads: Callable[[], str]
) -> list[Axiom]:
    return [
        Axiom(reads(), PARTLY, f"the part {schema.expression(gap.part)}: {gap.reason}")
        for node in filter(schema.is_blank, nodes)
        for gap in _gaps(schema, node, _LEFT)
    ]


def _keys(schema: NamedTriples, class_: int, head: int) -> Iterator[Finding]:
    items = schema.items(head)
    if not items:
        return

    def reads() -> str:
        return f"a key of {schema.name(class_)}: {', '.join(schema.listed(items))}"

    gaps = _gaps(schema, class_, _LEFT) if schema.is_blank(class_) else ()
    yield Finding(reads, [gap.axiom(schema, "a key of ") for gap in gaps])


def _assertions(kind: str, schema: NamedTriples, node: int) -> Iterator[Finding]:
    """Individuals stated to belong to an expression, the first of this kind on its node."""
    members = schema.members(node) if schema.is_blank(node) else []
    if not members or schema.expressions(node)[0].kind != kind:
        return

    def names() -> str:
        return ", ".join(schema.listed(members))

    gaps = [gap.axiom(schema, f"{names()} : ") for gap in _gaps(schema, node, _RIGHT)]
    yield Finding(lambda: f"{names()} : {schema.name(node)}", gaps)


SURVEYS: tuple[Survey, ...] = (
    Pairs("rdfs:subClassOf", _subclasses),
    Pairs("owl:equivalentClass", _equivalences),
    *(Nodes((f"owl:{kind}",), partial(_definition, kind)) for kind in CONSTRUCTORS),
    *(Pairs(f"rdfs:{kind}", partial(_domain_or_range, kind)) for kind in ("domain", "range")),
    Pairs("owl:disjointWith", _disjoint_classes),
    Nodes(("a owl:AllDisjointClasses",), _all_disjoint_classes),
    Pairs("owl:hasKey", _keys),
    *(Nodes((f"owl:{kind}",), partial(_assertions, kind)) for kind in CONSTRUCTORS),
)
