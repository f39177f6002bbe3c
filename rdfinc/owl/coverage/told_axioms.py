"""The coverage of axioms, kept for the next time: an axiom is told again only when a triple that it
was told from has changed.

An axiom is told from its root and from triples about some nodes, collected on the way by
`NamedTriples.read`: the parts of class expressions, the cells of lists, the atoms of rules. Order
and files of these triples do not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from msgspec import Struct, field

from rdfinc.owl.coverage import axiom_coverage, class_coverage
from rdfinc.owl.coverage.findings import Axiom
from rdfinc.owl.coverage.named_triples import CONSTRUCTORS, NamedTriples
from rdfinc.owl.coverage.surveys import Predicates
from rdfinc.owl.list_axioms import Fact
from rdfinc.owl.swrl.swrl_triples import ATOMS

SURVEYS = (*class_coverage.SURVEYS, *axiom_coverage.SURVEYS)

_ROOTS = frozenset(root for survey in SURVEYS for root in survey.roots)
_PARTS = (
    "rdf:first", "rdf:rest", "owl:inverseOf", "owl:onProperty", "owl:onClass", "owl:onDataRange",
    "owl:withRestrictions",
    *(f"owl:{kind}" for kind in CONSTRUCTORS),
    *(f"swrl:{name}" for name in (
        "body", "head", "arguments", "classPredicate", "propertyPredicate", "dataRange",
        "argument1", "argument2", "builtin",
    )),
)  # fmt: skip
_TYPES = ("rdfs:Datatype", "owl:DataRange", "swrl:Variable", *(f"swrl:{name}" for name in ATOMS))

RELATIONS = frozenset(r for r in (*_ROOTS, *_PARTS) if not r.startswith("a "))
"""The predicates that axioms are told from, rdf:type apart."""

CLASSES = frozenset((*(r[2:] for r in _ROOTS if r.startswith("a ")), *_TYPES))
"""The types that axioms are told from; beside them, the expressions that individuals belong to."""

_SEEN_FROM_BOTH_ENDS = ("rdf:type", "owl:equivalentClass")

Key = tuple[int, int, int]
"""A survey, and the place of an axiom in it."""


class Gaps(NamedTuple):
    """The unused parts of an axiom, and the terms named in it."""

    axioms: tuple[Axiom, ...]
    shown: tuple[int, ...]


class ToldAxioms(Struct, frozen=True):
    """The coverage of axioms in the order of their sorted keys, and the namespaces that shorten its
    terms; `readers` are the axioms told from a node, now or formerly.

    Invariants: nothing of it is ever changed; a key without gaps has none. Memory: O(axioms told
    from blank nodes).
    """

    gaps: Mapping[Key, Gaps] = field(default_factory=dict)
    readers: Mapping[int, tuple[Key, ...]] = field(default_factory=dict)
    namespaces: tuple[str, ...] = ()

    def axioms(self) -> list[Axiom]:
        """The axioms that the rules ignore or use in part, each once."""
        gaps = (self.gaps[key].axioms for key in sorted(self.gaps))
        return list(dict.fromkeys(chain.from_iterable(gaps)))


def told(schema: NamedTriples) -> ToldAxioms:
    """The coverage of all axioms. O(schema)."""
    keys = (
        (number, *place)
        for number, survey in enumerate(SURVEYS)
        if not survey.is_used
        for place in survey.places(schema)
    )
    return _telling(ToldAxioms(), keys, schema)


def told_after(before: ToldAxioms, changed: Iterable[Fact], schema: NamedTriples) -> ToldAxioms:
    """The coverage after a change, made from the one of other triples under the same ids.

    `changed` are the differing triples (s, p, o): all with a predicate of RELATIONS, types in
    CLASSES or of subjects of constructors, and all about facets; there may be others. Only axioms
    that they may be part of are told anew; the rest is copied.
    """
    changed = list(changed)
    keys = {*_rooted(changed, schema), *_renamed(before, schema), *_of_predicates(before, schema)}
    nodes = _ends(changed, schema) & before.readers.keys()
    keys.update(key for node in nodes for key in before.readers[node])
    return _telling(before, sorted(keys), schema)


def _telling(before: ToldAxioms, keys: Iterable[Key], schema: NamedTriples) -> ToldAxioms:
    gaps, readers = dict(before.gaps), dict(before.readers)
    for key in keys:
        schema.read, schema.shown = set(), set()
        found = SURVEYS[key[0]].findings(schema, key[1:])
        unused = tuple(gap for finding in found for gap in finding.gaps)
        gaps.pop(key, None)
        if unused:
            gaps[key] = Gaps(unused, tuple(schema.shown))
        for node in schema.read:
            others = readers.get(node, ())
            if key not in others:
                readers[node] = (*others, key)
    return ToldAxioms(gaps, readers, schema.namespaces)


def _rooted(changed: Iterable[Fact], schema: NamedTriples) -> Iterator[Key]:
    """The axioms whose root is among some triples."""
    surveys: dict[tuple[int | None, int | None], list[int]] = {}
    type_ = schema.find("rdf:type")
    for number, survey in enumerate(SURVEYS):
        for root in () if survey.is_used else survey.roots:
            is_type = root.startswith("a ")
            at = (type_, schema.find(root[2:])) if is_type else (schema.find(root), None)
            surveys.setdefault(at, []).append(number)
    for s, p, o in changed:
        for number in surveys.get((p, o if p == type_ else None), ()):
            yield (number, *SURVEYS[number].place(s, o))


def _ends(changed: Iterable[Fact], schema: NamedTriples) -> set[int]:
    """The nodes of which some triples say something."""
    both = {schema.find(name) for name in _SEEN_FROM_BOTH_ENDS}
    return {node for s, p, o in changed for node in ((s, o) if p in both else (s,))}


def _renamed(before: ToldAxioms, schema: NamedTriples) -> list[Key]:
    """The axioms that name terms by other short names than when they were told."""
    old, new = before.namespaces, schema.namespaces
    if old == new:
        return []
    terms = {term for gaps in before.gaps.values() for term in gaps.shown}
    found = {t for t in terms if schema.short_name(t, old) != schema.short_name(t, new)}
    return [key for key, gaps in before.gaps.items() if not found.isdisjoint(gaps.shown)]


def _of_predicates(before: ToldAxioms, schema: NamedTriples) -> Iterator[Key]:
    """The keys about predicates, former ones among them."""
    for number, survey in enumerate(SURVEYS):
        if isinstance(survey, Predicates) and not survey.is_used:
            yield from ((number, *place) for place in survey.places(schema))
            yield from (key for key in before.gaps if key[0] == number)
