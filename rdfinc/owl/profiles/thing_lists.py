"""Rules over lists that name owl:Thing, whose members no fact states."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from rdfinc.datalog.clause import AUXILIARY as HIDDEN
from rdfinc.datalog.model import RDF_TYPE, Atom, BodyItem, Literal, Rule, Term
from rdfinc.owl.vocabulary import OWL

THING = f"<{OWL}Thing>"
IS_THING = f"{HIDDEN}thing>"
"""The auxiliary relation from what belongs to owl:Thing to itself."""


def of_thing(rule: Rule) -> Iterator[Rule]:
    """For each class variable whose members a rule asks for, the rule with owl:Thing in its place.

    The literal that names the class comes first.
    """
    classes = {a.object: None for a in _atoms(rule) if a.predicate == RDF_TYPE}
    for place, item in enumerate(rule.body):
        named = item.atom if isinstance(item, Literal) else None
        for class_ in classes:
            if named and named.predicate != RDF_TYPE and class_ in (named.subject, named.object):
                yield _where(rule, class_, place)


def _atoms(rule: Rule) -> Iterator[Atom]:
    return (literal.atom for literal in rule.literals())


def _where(rule: Rule, class_: Term, place: int) -> Rule:
    """The rule where a class is owl:Thing, with the literal at a place first."""
    body = [_of(item, class_) for item in rule.body]
    naming = body.pop(place)
    head = rule.head and rule.head.map(lambda term: THING if term == class_ else term)
    return replace(rule, head=head, body=(naming, *body))


def _of(item: BodyItem, class_: Term) -> BodyItem:
    if not isinstance(item, Literal):
        return item
    atom = item.atom
    if (atom.predicate, atom.object) == (RDF_TYPE, class_):
        return replace(item, atom=Atom(atom.subject, IS_THING, atom.subject))
    return replace(item, atom=atom.map(lambda term: THING if term == class_ else term))
