"""The terms that OWL's list-bearing axioms and the auxiliary list relations are made of."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
XSD = "http://www.w3.org/2001/XMLSchema#"

AUXILIARY = "urn:rdfinc:aux:"
"""In rule text, `<urn:rdfinc:aux:name>` is the auxiliary predicate `Dictionary.auxiliary(name)`."""

SEQUENCES = ("intersectionOf", "propertyChainAxiom", "hasKey")
COLLECTIONS = (
    "intersectionOf", "unionOf", "oneOf", "withRestrictions", "propertyChainAxiom", "hasKey",
)  # fmt: skip
LONG = -1
"""Stands for the length of every list that is read part by part."""
ALTERNATIVES = ("members", "distinctMembers")
"""The OWL predicates whose lists are read by position, by membership, and pairwise."""

LIST_BEARING = tuple(dict.fromkeys(SEQUENCES + COLLECTIONS + ALTERNATIVES))


class TermNumberer(Protocol):
    """The numbers that the vocabulary needs from a dictionary."""

    def encode(self, term: bytes, /) -> int: ...

    def auxiliary(self, name: str, /) -> int: ...

    def row(self, values: tuple[int, ...], /) -> int: ...


class Vocabulary(Struct, frozen=True):
    """Ids of the terms that list axioms need, from one dictionary.

    `list_bearing` maps the id of each predicate whose object is a list to its canonical text.
    """

    terms: TermNumberer
    first: int
    rest: int
    nil: int
    list_bearing: dict[int, str]
    member: int
    repeated: int
    entry_list: int
    entry_item: int
    entry_position: int
    few_entries: int
    many_entries: int

    @staticmethod
    def of(terms: TermNumberer) -> Vocabulary:
        """Looks the terms up; those not in the dictionary yet get ids."""

        def iri(name: str) -> int:
            return terms.encode(f"<{name}>".encode())

        bearing = {iri(OWL + name): f"<{OWL}{name}>" for name in LIST_BEARING}
        return Vocabulary(
            terms, iri(RDF + "first"), iri(RDF + "rest"), iri(RDF + "nil"), bearing,
            *map(terms.auxiliary, _HIDDEN),
        )  # fmt: skip

    def item(self, position: int, length: int) -> int:
        """The auxiliary predicate from the head of a list of some length to its item at a position
        (from 1)."""
        return self.terms.auxiliary(f"list{length}.item{position}")

    def part(self, bearer: str, name: str) -> int:
        """The auxiliary predicate of this name between the parts of long lists that a predicate,
        `<http://www.w3.org/2002/07/owl#intersectionOf>`, bears."""
        return self.terms.auxiliary(f"{bearer.removeprefix(f'<{OWL}').removesuffix('>')}.{name}")

    def number(self, value: int) -> int:
        """The id of an xsd:integer."""
        return self.terms.encode(f'"{value}"^^<{XSD}integer>'.encode())


_HIDDEN = (
    "list.member", "list.repeated", "entry.list", "entry.item", "entry.position", "entries.few",
    "entries.many",
)  # fmt: skip
