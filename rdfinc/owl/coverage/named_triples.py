"""The OWL axioms among explicit triples, read for people: by name instead of by id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from rdfinc.owl.list_axioms import read_list
from rdfinc.owl.vocabulary import OWL, RDF, RDFS, XSD, TermNumberer, Vocabulary

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


class ExplicitTriples(Protocol):
    """Explicit triples by ids."""

    def objects(self, p: int, s: int) -> list[int]: ...

    def subjects(self, p: int, o: int) -> list[int]: ...

    def pairs(self, p: int) -> list[tuple[int, int]]:
        """(subject, object) for each triple with this predicate."""

    def about(self, s: int) -> list[tuple[int, int]]:
        """(predicate, object) for each triple with this subject."""

    def predicates(self) -> list[int]: ...


class NamedTerms(TermNumberer, Protocol):
    """The look-ups that named triples need from a dictionary."""

    def find(self, term: bytes, /) -> int | None: ...

    def decode(self, id: int, /) -> bytes: ...


class Constructor(Struct, frozen=True):
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


class NamedTriples:
    """Explicit triples with names: `"owl:unionOf"` where the facts want an id.

    A name that the dictionary does not have stands in no triple. Texts are cut off at a few
    items and levels, so each costs O(1). `read` are the nodes about which something was asked, of
    a term whose short name was ~id.
    """

    def __init__(
        self,
        triples: ExplicitTriples,
        terms: NamedTerms,
        namespaces: Mapping[str, str] = NAMESPACES,
    ) -> None:
        self._triples, self.terms = triples, terms
        self._vocabulary = Vocabulary.of(terms)
        self.namespaces = tuple(sorted({*namespaces.values()}, key=lambda n: (-len(n), n)))
        self._ids: dict[str, int | None] = {}
        self._names: dict[int, str] = {}
        self._expressions: dict[int, tuple[tuple[Constructor, ...], set[int]]] = {}
        self.read: set[int] = set()
        self.shown: set[int] = set()

    def find(self, name: str) -> int | None:
        if name not in self._ids:
            prefix, _, local = name.partition(":")
            self._ids[name] = self.terms.find(f"<{NAMESPACES[prefix]}{local}>".encode())
        return self._ids[name]

    def pairs(self, name: str) -> list[tuple[int, int]]:
        """(subject, object) for each triple with this predicate."""
        p = self.find(name)
        return [] if p is None else sorted(self._triples.pairs(p))

    def rooted(self, root: str) -> list[tuple[int, int]]:
        """The triples with a predicate or, if a root such as `"a owl:Class"` names that, a type."""
        if not root.startswith("a "):
            return self.pairs(root)
        type_, class_ = self.find("rdf:type"), self.find(root[2:])
        if type_ is None or class_ is None:
            return []
        return [(s, class_) for s in sorted(self._triples.subjects(type_, class_))]

    def is_root(self, root: str, node: int) -> bool:
        """Whether a node is a subject of such triples."""
        if root.startswith("a "):
            class_ = self.find(root[2:])
            return class_ is not None and self.states("rdf:type", node, class_)
        p = self.find(root)
        return p is not None and bool(self._triples.objects(p, node))

    def states(self, name: str, s: int, o: int) -> bool:
        """Whether there is a triple with this predicate."""
        p = self.find(name)
        return p is not None and o in self._triples.objects(p, s)

    def objects(self, p: int, s: int) -> list[int]:
        self.read.add(s)
        return self._triples.objects(p, s)

    def subjects(self, p: int, o: int) -> list[int]:
        self.read.add(o)
        return self._triples.subjects(p, o)

    def values(self, name: str, s: int) -> list[int]:
        """The objects of the triples with this predicate and subject, in the order of their texts:
        names do not depend on which term came first."""
        self.read.add(s)
        p = self.find(name)
        return [] if p is None else sorted(self._triples.objects(p, s), key=self.text)

    def members(self, class_: int) -> list[int]:
        """The explicit members of a type."""
        type_ = self.find("rdf:type")
        return [] if type_ is None else sorted(self.subjects(type_, class_))

    def is_a(self, node: int, *names: str) -> bool:
        """Whether a node is explicitly of one of the named types."""
        types = self.values("rdf:type", node)
        return any(self.find(name) in types for name in names)

    @cached_property
    def predicates(self) -> frozenset[int]:
        """The predicates of the triples."""
        return frozenset(self._triples.predicates())

    def items(self, head: int) -> tuple[int, ...] | None:
        return read_list(self, head, self._vocabulary)

    def is_blank(self, node: int) -> bool:
        return self.terms.decode(node).startswith(b"_")

    def text(self, id: int) -> str:
        """The term itself, canonical."""
        return self.terms.decode(id).decode()

    def expressions(self, node: int) -> tuple[Constructor, ...]:
        """The class expressions that stand on a node, by their kinds."""
        if node not in self._expressions:
            outside, self.read = self.read, {node}
            found = tuple(
                self._constructor(kind, node, value)
                for kind in self._kinds
                for value in self.values(f"owl:{kind}", node)
            )
            self._expressions[node] = found, self.read
            self.read = outside
        found, read = self._expressions[node]
        self.read |= read
        return found

    @cached_property
    def _kinds(self) -> list[str]:
        """The constructors that occur."""
        return [kind for kind in CONSTRUCTORS if self.occurs(f"owl:{kind}")]

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

    def is_stated_data_range(self, node: int) -> bool:
        """Whether a node is stated to be a data range."""
        return self.is_a(node, "rdfs:Datatype", "owl:DataRange")

    def is_data_range(self, node: int) -> bool:
        """Whether the node is a datatype, built in or stated."""
        text = self.text(node)
        built_in = text.startswith(f"<{XSD}") or text[1:-1] in _DATATYPES
        return built_in or self.is_stated_data_range(node)

    def name(self, node: int, depth: int = 0) -> str:
        """Readable: a local name, a literal, or the class expression that a blank node is."""
        if self.is_blank(node):
            return self._blank_name(node, depth)
        self.shown.add(node)
        if node not in self._names:
            self._names[node] = self.short_name(node, self.namespaces)
        return self._names[node]

    def short_name(self, id: int, namespaces: Sequence[str]) -> str:
        """An IRI or a literal, where the namespaces are these."""
        text = self.text(id)
        if text.startswith("<"):
            return _short(text[1:-1], namespaces)
        lexical, _, datatype = text.rpartition("^^")
        return f"{lexical}^^{_short(datatype[1:-1], namespaces)}" if lexical else text

    def _blank_name(self, node: int, depth: int) -> str:
        if depth >= _SHOWN_DEPTH:
            return "…"
        inverse = self.values("owl:inverseOf", node)
        if inverse:
            return f"{self.name(inverse[0], depth + 1)}⁻"
        parts = [self.expression(each, depth + 1) for each in self.expressions(node)]
        if not parts:
            return "(a data range)" if self.is_stated_data_range(node) else self.text(node)
        return parts[0] if len(parts) == 1 else "(" + " ⊓ ".join(parts) + ")"

    def expression(self, part: Constructor, depth: int = 0) -> str:
        """A class expression in description logic's notation."""
        if part.kind in _LISTS:
            return self._list(part, depth)
        value = self.name(part.value, depth)
        if part.kind in ("complementOf", "datatypeComplementOf"):
            return f"¬{value}"
        if part.kind == "onDatatype":
            facets = (facet for node in part.operands for facet in self._facets(node, depth))
            return f"{value}[{', '.join(facets)}]"
        on = "?" if part.property is None else self.name(part.property, depth)
        if part.kind in _QUANTIFIED:
            return _QUANTIFIED[part.kind].format(on, value)
        number = self.text(part.value).split('"')[1] if value.startswith('"') else value
        qualifier = "" if part.qualifier is None else f".{self.name(part.qualifier, depth)}"
        return f"{_SIGNS.get(part.kind[:3], '=')}{number} {on}{qualifier}"

    def _facets(self, node: int, depth: int) -> Iterator[str]:
        for facet, value in self.about(node).items():
            shown = _short(facet[1:-1], self.namespaces).removeprefix("xsd:")
            yield f"{shown} {self.name(value, depth)}"

    def about(self, node: int) -> dict[str, int]:
        """The triples about a node: texts of predicates, with an object of each."""
        found = sorted(self._triples.about(node))
        self.read.add(node)
        self.shown.update(p for p, _ in found)
        return {self.text(p): o for p, o in found}

    def occurs(self, name: str) -> bool:
        """Whether some triple has this predicate."""
        return (self.find(name) or 0) in self.predicates

    def facets(self) -> set[int]:
        """The nodes that restrict datatypes."""
        heads = {head for _, head in self.pairs("owl:withRestrictions")}
        return {item for head in heads for item in self.items(head) or ()}

    def is_defined(self, node: int) -> bool:
        """Whether a data range with a name is equivalent to something."""
        p = self.find("owl:equivalentClass")
        return p is not None and bool(self.objects(p, node) or self.subjects(p, node))

    def _list(self, part: Constructor, depth: int) -> str:
        shown = [self.name(item, depth) for item in part.operands[:_SHOWN_ITEMS]]
        shown += ["…"] if len(part.operands) > _SHOWN_ITEMS else []
        if part.kind == "oneOf":
            return "{" + ", ".join(shown) + "}"
        sign = " ⊓ " if part.kind == "intersectionOf" else " ⊔ "
        return "(" + sign.join(shown) + ")"

    def listed(self, items: Sequence[int]) -> Iterator[str]:
        """The names of a list's first items."""
        yield from map(self.name, items[:_SHOWN_ITEMS])
        yield from ["…"] if len(items) > _SHOWN_ITEMS else []


def _short(iri: str, namespaces: Sequence[str]) -> str:
    """A local name: what follows the first of some namespaces, else the last # or /; for the W3C's
    own vocabularies with its prefix."""
    for prefix, namespace in NAMESPACES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri[len(namespace) :]}"
    cut = next((n for n in namespaces if iri.startswith(n)), "")
    if len(cut) == len(iri) or not cut:
        cut = iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
    return iri[len(cut) :] or iri


_DATATYPES = {f"{RDFS}Literal", f"{OWL}real", f"{OWL}rational"} | {
    f"{RDF}{name}" for name in ("langString", "PlainLiteral", "XMLLiteral", "HTML", "JSON")
}
