"""SWRL rules as they are written, before anything is translated.

Terms are those of `rdfinc.datalog.model`. `place` is where an atom stands, a node or a place in a
text; it is shown in error messages and plays no part in equality.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple, replace

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


class Property(Struct, frozen=True):
    """A named property, or its inverse."""

    iri: str
    inverse: bool = False


class _OfClasses(Struct, frozen=True):
    parts: tuple[ClassExpression, ...]


class ClassIntersection(_OfClasses, frozen=True):
    """owl:intersectionOf."""


class ClassUnion(_OfClasses, frozen=True):
    """owl:unionOf."""


class Some(Struct, frozen=True):
    """owl:someValuesFrom; a datatype of the standard stands there as a named class does."""

    property: Property
    filler: ClassExpression | DataRange


class Only(Struct, frozen=True):
    """owl:allValuesFrom."""

    property: Property
    filler: ClassExpression


class HasValue(Struct, frozen=True):
    """owl:hasValue."""

    property: Property
    value: str


class Self(Struct, frozen=True):
    """owl:hasSelf true."""

    property: Property


class Not(Struct, frozen=True):
    """owl:complementOf."""

    part: ClassExpression


ClassExpression = str | ClassIntersection | ClassUnion | Some | Only | HasValue | Self | Not


class Facet(Struct, frozen=True):
    """The literals that a constraining facet leaves, `facet` in angle brackets."""

    facet: str
    limit: str


class _OfRanges(Struct, frozen=True):
    parts: tuple[DataRange, ...]


class DataBoth(_OfRanges, frozen=True):
    """owl:intersectionOf of data ranges; a datatype restriction is one of a range and facets."""


class DataEither(_OfRanges, frozen=True):
    """owl:unionOf of data ranges."""


DataRange = str | tuple[str, ...] | Facet | DataBoth | DataEither
"""A datatype by its IRI, the literals of an enumeration, or what is made of such."""


class _Placed(Struct, frozen=True, eq=False):
    """What a text says at its last field, `place`, which plays no part in equality of meaning."""

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _meaning(self) == _meaning(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(_meaning(self))


def _meaning(of: Struct) -> tuple[Any, ...]:
    return astuple(of)[:-1]


class ClassAtom(_Placed, frozen=True):
    """C(i)"""

    expression: ClassExpression
    argument: Term
    place: Place = ""


class PropertyAtom(_Placed, frozen=True):
    """P(i, j), P(i, value)"""

    property: Property
    subject: Term
    object: Term
    place: Place = ""


class _OfTwo(_Placed, frozen=True):
    left: Term
    right: Term
    place: Place = ""


class SameAtom(_OfTwo, frozen=True):
    """sameAs(i, j)"""


class DifferentAtom(_OfTwo, frozen=True):
    """differentFrom(i, j)"""


class ApartAtom(_OfTwo, frozen=True):
    """differentFrom(i, j) of individuals whose names are unique: two names are different unless
    they are said to be the same."""


class DataAtom(_Placed, frozen=True):
    """D(v)"""

    range: DataRange
    argument: Term
    place: Place = ""


class BuiltinAtom(_Placed, frozen=True):
    """builtin(v, …): `iri` in angle brackets."""

    iri: str
    arguments: tuple[Term, ...]
    place: Place = ""


SwrlAtom = ClassAtom | PropertyAtom | SameAtom | DifferentAtom | ApartAtom | DataAtom | BuiltinAtom


class SwrlRule(_Placed, frozen=True):
    """body → head; no head is a contradiction."""

    body: tuple[SwrlAtom, ...]
    head: tuple[SwrlAtom, ...]
    name: str = ""
    place: Place = ""

    def with_unique_names(self) -> SwrlRule:
        """The rule where names are unique."""
        body = (
            ApartAtom(atom.left, atom.right, atom.place)
            if isinstance(atom, DifferentAtom)
            else atom
            for atom in self.body
        )
        return replace(self, body=tuple(body))
