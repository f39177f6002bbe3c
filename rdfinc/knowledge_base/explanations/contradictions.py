"""The contradictions of a knowledge base, each once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rdfinc.datalog.clause import LITERAL_VALUE, Clause, Pattern
from rdfinc.knowledge_base.updates.engine import Engine
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.tables.facts import triples
from rdfinc.tables.table import Table
from rdfinc.terms.dictionary import Dictionary

Fact = tuple[int, int, int]


def contradictions(engine: Engine, version: Version) -> Iterator[Fact]:
    """The auxiliary facts (instance, violation, rule) of a version's contradictions.

    A rule that compares literals by value repeats itself where these are told to be equal: facts
    about one of them hold of the other as well, and the rule tells these already. Such instances
    are left out, and none is that says something of its own. Cost: O(instances).
    """
    dictionary, closure = engine.dictionary, version.closure
    value, same = dictionary.auxiliary(LITERAL_VALUE), closure.get(engine.visibility.same_as)
    clauses = engine.rules.contradictions()
    compared = {rule: pairs for rule in clauses if (pairs := _compared(clauses[rule], value))}
    for fact in triples({engine.violation: closure.get(engine.violation).scan()}):
        instance, _, rule = fact
        if rule in compared:
            of = values_of(dictionary, clauses[rule], instance)
            if any(_is_told(same, of[first], of[other]) for first, other in compared[rule]):
                continue
        yield fact


def values_of(dictionary: Dictionary, clause: Clause, instance: int) -> dict[int, int]:
    """The ids of a contradiction's variables."""
    inputs = next(c.inputs for c in clause.computations if c.output == ~clause.head.s)
    values = dictionary.row_values(instance)
    assert values is not None
    return dict(zip(inputs, values, strict=True))


def clash_of(dictionary: Dictionary, clause: Clause) -> list[Pattern]:
    """The body of a contradiction, with the memberships that are meant by positions in a list: with
    [e, aux:entry.item, c], [x, aux:disjoint.at, e] means [x, rdf:type, c]."""
    at, item = map(dictionary.auxiliary, ("disjoint.at", "entry.item"))
    items = {pattern.s: pattern.o for pattern in clause.body if pattern.p == item}
    places = (pattern for pattern in clause.body if pattern.p == at)
    return [*clause.body, *(Pattern(each.s, clause.type, items[each.o]) for each in places)]


def _compared(clause: Clause, value: int) -> list[tuple[int, int]]:
    """The pairs of variables for literals that a clause compares by value."""
    of: dict[int, list[int]] = {}
    for pattern in clause.body:
        if pattern.p == value:
            of.setdefault(pattern.o, []).append(~pattern.s)
    return [pair for variables in of.values() for pair in combinations(variables, 2)]


def _is_told(same: Table, first: int, other: int) -> bool:
    """Whether two different literals are told to be equal."""
    return first != other and same.has(first << 32 | other)
