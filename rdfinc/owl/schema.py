"""The OWL axioms among explicit triples, read for people: by name instead of by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from rdfinc.owl.lists import read_list
from rdfinc.owl.vocabulary import OWL, RDF, RDFS, XSD, Terms, Vocabulary

NAMESPACES = {
    "rdf": RDF,
    "rdfs": RDFS,
    "owl": OWL,
    "xsd": XSD,
    "swrl": "http://www.w3.org/2003/11/swrl#",
}
_LISTS = ("intersectionOf", "unionOf", "oneOf")
_CARDINALITIES = (
    "maxCardinality", "maxQualifiedCardinality", "minCardinality", "minQualifiedCardinality",
    "cardinality", "qualifiedCardinality",
)  # fmt: skip
RESTRICTIONS = ("someValuesFrom", "allValuesFrom", "hasValue", "hasSelf", *_CARDINALITIES)
CONSTRUCTORS = (
    *_LISTS, "complementOf", *RESTRICTIONS, "onDatatype", "datatypeComplementOf",
)  # fmt: skip
_QUANTIFIED = {
    "someValuesFrom": "∃{}.{}",
    "allValuesFrom": "∀{}.{}",
    "hasValue": "∃{}.{{{}}}",
    "hasSelf": "∃{}.Self",
}
_SIGNS = {"max": "≤", "min": "≥"}
_SHOWN_ITEMS, _SHOWN_DEPTH = 8, 4


class Triples(Protocol):
    """Explicit triples by ids; None matches anything."""

    def match(
        self, s: int | None = None, p: int | None = None, o: int | None = None
    ) -> Iterator[tuple[int, int, int]]: ...

    def predicates(self) -> list[int]: ...


class NamedTerms(Terms, Protocol):
    """What is asked of a dictionary."""

    def find(self, term: bytes, /) -> int | None: ...

    def decode(self, id: int, /) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Constructor:
    """One class expression or data range: the OWL predicate's local name and its parts.

    `value` is the predicate's object, `operands` its items if it is a list (none if the list is
    broken) and the facets of a restricted datatype, `property` and `qualifier` a restriction's
    (None where there are none).
    """

    kind: str
    value: int
    operands: tuple[int, ...]
    property: int | None
    qualifier: int | None


class Schema:
    """Explicit triples with names: `"owl:unionOf"` where the facts want an id.

    A name that the dictionary does not have stands in no triple. Texts are cut off at a few
    items and levels, so each costs O(1); `constructors` is linear in the class expressions.
    """

    def __init__(
        self, triples: Triples, terms: NamedTerms, namespaces: Mapping[str, str] = NAMESPACES
    ) -> None:
        self._triples, self.terms = triples, terms
        self._vocabulary = Vocabulary.of(terms)
        self._namespaces = sorted(namespaces.values(), key=len, reverse=True)

    def find(self, name: str) -> int | None:
        prefix, _, local = name.partition(":")
        return self.terms.find(f"<{NAMESPACES[prefix]}{local}>".encode())

    def pairs(self, name: str) -> list[tuple[int, int]]:
        """(subject, object) for each triple with this predicate."""
        p = self.find(name)
        return [] if p is None else sorted((s, o) for s, _, o in self._triples.match(None, p))

    def objects(self, p: int, s: int) -> list[int]:
        return [o for _, _, o in self._triples.match(s, p)]

    def subjects(self, p: int, o: int) -> list[int]:
        return [s for s, _, _ in self._triples.match(None, p, o)]

    def values(self, name: str, s: int) -> list[int]:
        """The objects of the triples with this predicate and subject."""
        p = self.find(name)
        return [] if p is None else sorted(self.objects(p, s))

    def members(self, class_: int) -> list[int]:
        """What is explicitly of this type."""
        type_ = self.find("rdf:type")
        return [] if type_ is None else sorted(self.subjects(type_, class_))

    def instances(self, name: str) -> list[int]:
        """What is explicitly of the named type."""
        class_ = self.find(name)
        return [] if class_ is None else self.members(class_)

    def predicates(self) -> list[int]:
        return sorted(self._triples.predicates())

    def items(self, head: int) -> tuple[int, ...] | None:
        return read_list(self, head, self._vocabulary)

    def is_blank(self, node: int) -> bool:
        return self.terms.decode(node).startswith(b"_")

    def text(self, id: int) -> str:
        """The term itself, canonical."""
        return self.terms.decode(id).decode()

    @cached_property
    def constructors(self) -> dict[int, tuple[Constructor, ...]]:
        """The class expressions that stand on each node."""
        found: dict[int, tuple[Constructor, ...]] = {}
        for kind in CONSTRUCTORS:
            for node, value in self.pairs(f"owl:{kind}"):
                found[node] = (*found.get(node, ()), self._constructor(kind, node, value))
        return found

    def _constructor(self, kind: str, node: int, value: int) -> Constructor:
        operands = self.items(value) if kind in _LISTS else None
        if kind == "onDatatype":
            heads = self.values("owl:withRestrictions", node)
            operands = tuple(facet for head in heads for facet in self.items(head) or ())
        restricts = kind in RESTRICTIONS
        return Constructor(
            kind,
            value,
            operands or (),
            self._part(node, "owl:onProperty") if restricts else None,
            self._part(node, "owl:onClass", "owl:onDataRange") if "ualified" in kind else None,
        )

    def _part(self, node: int, *names: str) -> int | None:
        found = (each for name in names for each in self.values(name, node))
        return next(found, None)

    @cached_property
    def datatypes(self) -> frozenset[int]:
        """The nodes stated to be data ranges."""
        kinds = ("rdfs:Datatype", "owl:DataRange")
        return frozenset(node for kind in kinds for node in self.instances(kind))

    def is_data_range(self, node: int) -> bool:
        """Whether the node is a datatype, built in or stated."""
        text = self.text(node)
        built_in = text.startswith(f"<{XSD}") or text[1:-1] in _DATATYPES
        return built_in or node in self.datatypes

    def name(self, node: int, depth: int = 0) -> str:
        """Readable: a local name, a literal, or the class expression that a blank node is."""
        text = self.text(node)
        if text.startswith("<"):
            return self._short(text[1:-1])
        if text.startswith('"'):
            lexical, _, datatype = text.rpartition("^^")
            return f"{lexical}^^{self._short(datatype[1:-1])}" if lexical else text
        return self._blank_name(node, depth)

    def _blank_name(self, node: int, depth: int) -> str:
        if depth >= _SHOWN_DEPTH:
            return "…"
        inverse = self.values("owl:inverseOf", node)
        if inverse:
            return f"{self.name(inverse[0], depth + 1)}⁻"
        parts = [self.expression(each, depth + 1) for each in self.constructors.get(node, ())]
        if not parts:
            return "(a data range)" if node in self.datatypes else self.text(node)
        return parts[0] if len(parts) == 1 else "(" + " ⊓ ".join(parts) + ")"

    def expression(self, part: Constructor, depth: int = 0) -> str:
        """A class expression in description logic's notation."""
        if part.kind in _LISTS:
            return self._list(part, depth)
        value = self.name(part.value, depth)
        if part.kind in ("complementOf", "datatypeComplementOf"):
            return f"¬{value}"
        if part.kind == "onDatatype":
            facets = (facet for node in part.operands for facet in self._facets(node))
            return f"{value}[{', '.join(facets)}]"
        on = "?" if part.property is None else self.name(part.property, depth)
        if part.kind in _QUANTIFIED:
            return _QUANTIFIED[part.kind].format(on, value)
        number = self.text(part.value).split('"')[1] if value.startswith('"') else value
        qualifier = "" if part.qualifier is None else f".{self.name(part.qualifier, depth)}"
        return f"{_SIGNS.get(part.kind[:3], '=')}{number} {on}{qualifier}"

    def _facets(self, node: int) -> Iterator[str]:
        for facet, value in self.about(node).items():
            yield f"{self._short(facet[1:-1]).removeprefix('xsd:')} {self.name(value)}"

    def about(self, node: int) -> dict[str, int]:
        """What is said of a node: texts of predicates, and an object of each."""
        found = sorted((p, o) for _, p, o in self._triples.match(node))
        return {self.text(p): o for p, o in found}

    def occurs(self, name: str) -> bool:
        """Whether some triple has this predicate."""
        p = self.find(name)
        return p is not None and any(True for _ in self._triples.match(None, p))

    def is_defined(self, node: int) -> bool:
        """Whether a data range with a name is equivalent to something."""
        return any(node in pair for pair in self.pairs("owl:equivalentClass"))

    def _list(self, part: Constructor, depth: int) -> str:
        shown = [self.name(item, depth) for item in part.operands[:_SHOWN_ITEMS]]
        shown += ["…"] if len(part.operands) > _SHOWN_ITEMS else []
        if part.kind == "oneOf":
            return "{" + ", ".join(shown) + "}"
        sign = " ⊓ " if part.kind == "intersectionOf" else " ⊔ "
        return "(" + sign.join(shown) + ")"

    def _short(self, iri: str) -> str:
        """A local name; for the W3C's own vocabularies with its prefix."""
        for prefix, namespace in NAMESPACES.items():
            if iri.startswith(namespace):
                return f"{prefix}:{iri[len(namespace) :]}"
        cut = next((n for n in self._namespaces if iri.startswith(n)), "")
        if len(cut) == len(iri) or not cut:
            cut = iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
        return iri[len(cut) :] or iri

    def listed(self, items: Sequence[int]) -> Iterator[str]:
        """The names of a list's first items."""
        yield from map(self.name, items[:_SHOWN_ITEMS])
        yield from ["…"] if len(items) > _SHOWN_ITEMS else []


_DATATYPES = {f"{RDFS}Literal", f"{OWL}real", f"{OWL}rational"} | {
    f"{RDF}{name}" for name in ("langString", "PlainLiteral", "XMLLiteral", "HTML", "JSON")
}
