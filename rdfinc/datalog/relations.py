"""Which relations atoms are about: a predicate, or under rdf:type a class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rdfinc.datalog.model import RDF_TYPE, Aggregate, Atom, BodyItem, Literal, NotExists
from rdfinc.datalog.printing import term_text

Relation = tuple[str | None, str | None]
"""(predicate, class under rdf:type); None stands for any."""

ANY: Relation = (None, None)
ANY_CLASS: Relation = (RDF_TYPE, None)
FALSE: Relation = ("false", None)
"""The relation of contradictions."""


def meeting(relation: Relation, known: Iterable[Relation]) -> Iterable[Relation]:
    """The relations, of those known, that may have a fact in common with this one."""
    predicate, class_ = relation
    if predicate is None:
        return known
    if predicate != RDF_TYPE:
        return relation, ANY
    if class_ is not None:
        return relation, ANY_CLASS, ANY
    return [other for other in known if other[0] in (RDF_TYPE, None)]


def relation_of(atom: Atom) -> Relation:
    predicate = atom.predicate if isinstance(atom.predicate, str) else None
    class_ = atom.object if isinstance(atom.object, str) and predicate == RDF_TYPE else None
    return predicate, class_


def atoms_within(body: Iterable[BodyItem]) -> Iterator[Atom]:
    """The atoms of a body and of bodies within it, whatever their polarity."""
    for item in body:
        if isinstance(item, Literal):
            yield item.atom
        elif isinstance(item, NotExists | Aggregate):
            yield from atoms_within(item.body)


def relation_text(relation: Relation, prefixes: Mapping[str, str]) -> str:
    """The relation's name for people."""
    predicate, class_ = relation
    if relation == FALSE:
        return "false"
    if predicate is None:
        return "every relation"
    if relation == ANY_CLASS:
        return "every class"
    return term_text(class_ or predicate, prefixes)
