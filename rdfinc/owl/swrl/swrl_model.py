"""SWRL rules as they are written, before anything is translated.

Terms are those of `rdfinc.datalog.model`. `place` is where an atom stands, a node or a place in a
text; it is shown in error messages and plays no part in equality.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rdfinc.datalog.model import Term


class Spot(NamedTuple):
    """A place in a text, counted from 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


Place = str | Spot


class Misplaced(Exception):  # noqa: N818  a signal to the reader, which knows the source
    """An error about the node at `place`, with its `reason`."""

    def __init__(self, place: Place, reason: str) -> None:
        super().__init__(place, reason)
        self.place, self.reason = place, reason


@dataclass(frozen=True, slots=True)
class Property:
    """A named property, or its inverse."""

    iri: str
    inverse: bool = False


@dataclass(frozen=True, slots=True)
class _OfClasses:
    parts: tuple[ClassExpression, ...]


class ClassIntersection(_OfClasses):
    """owl:intersectionOf."""

    __slots__ = ()


class ClassUnion(_OfClasses):
    """owl:unionOf."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Some:
    """owl:someValuesFrom; a datatype of the standard stands there as a named class does."""

    property: Property
    filler: ClassExpression | DataRange


@dataclass(frozen=True, slots=True)
class Only:
    """owl:allValuesFrom."""

    property: Property
    filler: ClassExpression


@dataclass(frozen=True, slots=True)
class HasValue:
    """owl:hasValue."""

    property: Property
    value: str


@dataclass(frozen=True, slots=True)
class Self:
    """owl:hasSelf true."""

    property: Property


@dataclass(frozen=True, slots=True)
class Not:
    """owl:complementOf."""

    part: ClassExpression


ClassExpression = str | ClassIntersection | ClassUnion | Some | Only | HasValue | Self | Not


@dataclass(frozen=True, slots=True)
class Facet:
    """The literals that a constraining facet leaves, `facet` in angle brackets."""

    facet: str
    limit: str


@dataclass(frozen=True, slots=True)
class _OfRanges:
    parts: tuple[DataRange, ...]


class DataBoth(_OfRanges):
    """owl:intersectionOf of data ranges; a datatype restriction is one of a range and facets."""

    __slots__ = ()


class DataEither(_OfRanges):
    """owl:unionOf of data ranges."""

    __slots__ = ()


DataRange = str | tuple[str, ...] | Facet | DataBoth | DataEither
"""A datatype by its IRI, the literals of an enumeration, or what is made of such."""


@dataclass(frozen=True, slots=True)
class ClassAtom:
    """C(i)"""

    expression: ClassExpression
    argument: Term
    place: Place = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class PropertyAtom:
    """P(i, j), P(i, value)"""

    property: Property
    subject: Term
    object: Term
    place: Place = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class _OfTwo:
    left: Term
    right: Term
    place: Place = field(default="", compare=False)


class SameAtom(_OfTwo):
    """sameAs(i, j)"""

    __slots__ = ()


class DifferentAtom(_OfTwo):
    """differentFrom(i, j)"""

    __slots__ = ()


class ApartAtom(_OfTwo):
    """differentFrom(i, j) of individuals whose names are unique: two names are different unless
    they are said to be the same."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class DataAtom:
    """D(v)"""

    range: DataRange
    argument: Term
    place: Place = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class BuiltinAtom:
    """builtin(v, …): `iri` in angle brackets."""

    iri: str
    arguments: tuple[Term, ...]
    place: Place = field(default="", compare=False)


SwrlAtom = ClassAtom | PropertyAtom | SameAtom | DifferentAtom | ApartAtom | DataAtom | BuiltinAtom


@dataclass(frozen=True, slots=True)
class SwrlRule:
    """body → head; no head is a contradiction."""

    body: tuple[SwrlAtom, ...]
    head: tuple[SwrlAtom, ...]
    name: str = ""
    place: Place = field(default="", compare=False)

    def with_unique_names(self) -> SwrlRule:
        """The rule where names are unique."""
        body = (
            ApartAtom(atom.left, atom.right, atom.place)
            if isinstance(atom, DifferentAtom)
            else atom
            for atom in self.body
        )
        return replace(self, body=tuple(body))
