"""Surveys: the places of one kind of axioms among explicit triples, and the findings about each.

An axiom has its *root* in a triple: one with a predicate such as `"rdfs:subClassOf"`, or one that
states a type, written as `"a owl:AllDifferent"`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from rdfinc.owl.coverage.findings import Finding
from rdfinc.owl.coverage.named_triples import NamedTriples

Place = tuple[int, int]
"""The ends of an axiom's root, or a node and 0: the identity of an axiom among those of its
kind."""


class Survey(ABC):
    """All axioms of one kind; `is_used` if the rules use them wholly."""

    is_used: bool

    @property
    @abstractmethod
    def roots(self) -> tuple[str, ...]:
        """The triples that axioms of the kind are rooted in."""

    @abstractmethod
    def place(self, s: int, o: int) -> Place:
        """The place of the axiom with this root."""

    def places(self, schema: NamedTriples) -> Iterable[Place]:
        """The places of all, in order of first appearance of their terms."""
        return sorted({self.place(*ends) for root in self.roots for ends in schema.rooted(root)})

    @abstractmethod
    def findings(self, schema: NamedTriples, place: Place) -> Iterator[Finding]:
        """The findings at a place; none if no axiom stands there."""


@dataclass(frozen=True)
class Pairs(Survey):
    """An axiom for each triple with a predicate."""

    root: str
    tell: Callable[[NamedTriples, int, int], Iterator[Finding]]
    is_used: bool = False

    @property
    def roots(self) -> tuple[str, ...]:
        return (self.root,)

    def place(self, s: int, o: int) -> Place:
        return s, o

    def findings(self, schema: NamedTriples, place: Place) -> Iterator[Finding]:
        return self.tell(schema, *place) if schema.states(self.root, *place) else iter(())


@dataclass(frozen=True)
class Nodes(Survey):
    """An axiom for each subject of some triples."""

    names: tuple[str, ...]
    tell: Callable[[NamedTriples, int], Iterator[Finding]]
    is_used: bool = False

    @property
    def roots(self) -> tuple[str, ...]:
        return self.names

    def place(self, s: int, o: int) -> Place:
        return s, 0

    def findings(self, schema: NamedTriples, place: Place) -> Iterator[Finding]:
        node, _ = place
        is_root = any(schema.is_root(root, node) for root in self.roots)
        return self.tell(schema, node) if is_root else iter(())


@dataclass(frozen=True)
class Predicates(Survey):
    """Findings about predicates in use, without a root."""

    tell: Callable[[NamedTriples, int], Iterator[Finding]]
    is_used: bool = False

    @property
    def roots(self) -> tuple[str, ...]:
        return ()

    def place(self, s: int, o: int) -> Place:
        raise NotImplementedError

    def places(self, schema: NamedTriples) -> Iterable[Place]:
        return [(p, 0) for p in sorted(schema.predicates)]

    def findings(self, schema: NamedTriples, place: Place) -> Iterator[Finding]:
        return self.tell(schema, place[0]) if place[0] in schema.predicates else iter(())
