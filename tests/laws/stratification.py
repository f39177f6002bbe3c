"""Programs that are stratified whatever the data says: the engine must never refuse one.

A relation is a predicate, or a class under rdf:type; a variable in its place stands for all
relations. A rule's head depends on the relations of its body, *strictly* on those that
stand within a NOT or an AGGREGATE; no relation may depend strictly on itself. A program that fails
this test may still be stratified, as data may tell what a variable stands for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from laws.names import TYPE
from rdfinc.datalog.analysis.safety import is_safe_alone
from rdfinc.datalog.model import Aggregate, Atom, BodyItem, Literal, NotExists, Rule, Var
from rdfinc.datalog.variables import free_variables

Relation = tuple[str, str]
Read = tuple[Relation, bool]

ANY = "", ""
CLASH = "", "false"


def is_stratified(rules: Iterable[Rule]) -> bool:
    reads = [(relation(rule.head), list(read(rule.body))) for rule in rules]
    named = {each for head, body in reads for each in (head, *(r for r, _ in body))} - {ANY}
    uses: dict[Relation, set[Relation]] = {each: set() for each in named}
    strict: set[tuple[Relation, Relation]] = set()
    for head, body in reads:
        for one in meant(head, named):
            for other, complete in body:
                found = meant(other, named)
                uses[one] |= found
                strict |= {(one, each) for each in found if complete}
    return not any(head in reached(body, uses) for head, body in strict)


def negates(rules: Iterable[Rule]) -> bool:
    """Whether there is anything to stratify."""
    return any(complete for rule in rules for _, complete in read(rule.body))


def relation(atom: Atom | None) -> Relation:
    if atom is None:
        return CLASH
    if isinstance(atom.predicate, Var):
        return ANY
    if atom.predicate != TYPE:
        return atom.predicate, ""
    return ANY if isinstance(atom.object, Var) else (TYPE, atom.object)


def meant(one: Relation, named: set[Relation]) -> set[Relation]:
    """The relations that are meant: a variable stands for all."""
    return named if one == ANY else {one}


def read(body: tuple[BodyItem, ...], *, strictly: bool = False) -> Iterator[Read]:
    """The relations that a body reads, and whether they must be complete before."""
    for item in body:
        if isinstance(item, Literal):
            yield relation(item.atom), strictly or not item.positive
        elif isinstance(item, NotExists | Aggregate):
            yield from read(item.body, strictly=True)
        if isinstance(item, NotExists) and not is_safe_alone(item.body, free_variables(item)):
            yield from read(tuple(each for each in body if each is not item), strictly=True)


def reached(start: Relation, uses: dict[Relation, set[Relation]]) -> set[Relation]:
    found, waiting = {start}, [start]
    while waiting:
        new = uses[waiting.pop()] - found
        found |= new
        waiting += new
    return found
