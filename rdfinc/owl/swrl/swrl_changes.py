"""SWRL rules among explicit triples, kept in step with them.

A rule is there while it is well-formed and supported: one that is being edited triple by triple
comes and goes as its parts fit together. Its name is the label it has at that time. What is not
there, and why, is in the load report (`rdfinc.owl.coverage.report`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from msgspec import Struct

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.functions import FACETS
from rdfinc.datalog.model import Rule
from rdfinc.errors import RuleError
from rdfinc.owl.list_axioms import Fact, TripleReader
from rdfinc.owl.swrl.swrl_triples import ATOMS, EXPRESSIONS, SWRL, swrl_rules
from rdfinc.owl.vocabulary import OWL, RDF, RDFS

_LINKS = (
    f"{RDF}first", f"{RDF}rest", f"{OWL}onProperty", f"{OWL}inverseOf",
    f"{OWL}equivalentClass", f"{OWL}onDatatype", f"{OWL}withRestrictions",
    *(f"{OWL}{name}" for name in EXPRESSIONS),
    *(f"{SWRL}{name}" for name in (
        "body", "head", "arguments", "classPredicate", "propertyPredicate", "dataRange",
        "argument1", "argument2",
    )),
)  # fmt: skip
"""The predicates by which a rule leads to its parts."""

_LEAVES = (
    f"{SWRL}builtin", f"{OWL}datatypeComplementOf", *(facet[1:-1] for facet in FACETS),
)  # fmt: skip


class TermTranslator(Protocol):
    """The look-ups that SWRL rules need from a dictionary."""

    def encode(self, term: bytes, /) -> int: ...

    def find(self, term: bytes, /) -> int | None: ...

    def decode(self, id: int, /) -> bytes: ...


class SwrlVocabulary(Struct, frozen=True):
    """The ids of the terms of SWRL's vocabulary in one dictionary.

    `read` are the predicates of rules, `links` those of them that lead to further nodes, `classes`
    the classes that count under `type`.
    """

    type: int
    rule: int
    links: frozenset[int]
    read: frozenset[int]
    classes: frozenset[int]

    @staticmethod
    def of(terms: TermTranslator) -> SwrlVocabulary:
        """Looks the terms up; those not in the dictionary yet get ids."""

        def ids(iris: Iterable[str]) -> frozenset[int]:
            return frozenset(terms.encode(f"<{iri}>".encode()) for iri in iris)

        (type_,), (rule,) = ids([f"{RDF}type"]), ids([f"{SWRL}Imp"])
        links = ids(_LINKS)
        classes = ids(f"{SWRL}{name}" for name in ("Imp", "Variable", *ATOMS))
        classes |= ids([f"{RDFS}Datatype"])
        return SwrlVocabulary(type_, rule, links, links | ids(_LEAVES) | {type_}, classes)


class SwrlChanges(Struct, frozen=True):
    """Rules that end and begin, as (canonical form, rule); a form may occur more than once."""

    removed: tuple[tuple[Rule, Rule], ...] = ()
    added: tuple[tuple[Rule, Rule], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)


NO_CHANGES = SwrlChanges()


def swrl_changes(
    before: TripleReader,
    after: TripleReader,
    changed: Iterable[Fact],
    terms: TermTranslator,
    vocabulary: SwrlVocabulary,
    *,
    unique_names: bool = False,
) -> SwrlChanges:
    """The SWRL rules that end and begin with a change of explicit triples from `before` to `after`.

    `changed` holds the differing triples (s, p, o), and may hold others. The cost is that of the
    nodes with a way along `links` to a changed triple, and of the rules among them; or of all
    rules, if that is less.
    """
    removed: list[tuple[Rule, Rule]] = []
    added: list[tuple[Rule, Rule]] = []
    for node in _touched((before, after), changed, vocabulary):
        old, new = (
            _rules(facts, terms, node, vocabulary, unique_names=unique_names)
            for facts in (before, after)
        )
        if old != new:
            removed += old
            added += new
    return SwrlChanges(tuple(removed), tuple(added))


def _rules(
    facts: TripleReader,
    terms: TermTranslator,
    node: int,
    vocabulary: SwrlVocabulary,
    *,
    unique_names: bool,
) -> list[tuple[Rule, Rule]]:
    """The rules at a node; none if there is no SWRL rule, or none that can be used."""
    if vocabulary.rule not in facts.objects(vocabulary.type, node):
        return []
    try:
        rules = swrl_rules(facts, terms, node, unique_names=unique_names)
        return [(canonical(rule), rule) for rule in rules]
    except RuleError:
        return []


_NODES_A_RULE = 16
"""A rule is read in the time in which so many nodes are looked at, about."""


def _touched(
    states: tuple[TripleReader, TripleReader], changed: Iterable[Fact], vocabulary: SwrlVocabulary
) -> list[int]:
    """Every node that is a SWRL rule in either state and leads to a changed triple; all such rules
    where to read them costs less than to follow the changes."""
    rules = {node for facts in states for node in facts.subjects(vocabulary.type, vocabulary.rule)}
    if not rules:
        return []
    found = set(_changed_nodes(changed, vocabulary))
    if len(found) > _NODES_A_RULE * len(rules):
        return sorted(rules)
    frontier = list(found)
    while frontier:
        node = frontier.pop()
        before = {
            subject
            for facts in states
            for link in vocabulary.links
            for subject in facts.subjects(link, node)
        }
        frontier += before - found
        found |= before
    return sorted(found & rules)


def _changed_nodes(changed: Iterable[Fact], vocabulary: SwrlVocabulary) -> Iterator[int]:
    for s, p, o in changed:
        if p in vocabulary.read and (p != vocabulary.type or o in vocabulary.classes):
            yield s
