"""The naive oracle: the closure read straight off the definition, on sets of string triples.

A fact is (subject, predicate, object), each a term in canonical N-Triples. Rules are safe and
have no negation. `naive` ends when the rules compute finitely many values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rdfinc.datalog.model import Atom, Rule, Var
from rdfinc.terms.expressions import evaluate, holds

Fact = tuple[str, str, str]
Bindings = dict[Var, str]


def naive(rules: Iterable[Rule], facts: Iterable[Fact]) -> set[Fact]:
    """The smallest superset of the facts that holds the head of each instance it has."""
    closure, rules = set(facts), [rule for rule in rules if rule.head]
    while new := {ground(r.head, i) for r in rules for i in instances(r, closure)} - closure:
        closure |= new
    return closure


def contradictions(
    rules: Iterable[Rule], closure: set[Fact]
) -> set[tuple[str, frozenset[tuple[str, str]]]]:
    """(rule name, bindings by variable name) for each instance of a rule with head `false`."""
    return {
        (rule.name, frozenset((variable.name, term) for variable, term in i.items()))
        for rule in rules
        if rule.head is None
        for i in instances(rule, closure)
    }


def instances(rule: Rule, facts: set[Fact]) -> Iterator[Bindings]:
    """Every way to give the rule's variables values so that its whole body holds."""
    assert all(literal.positive for literal in rule.literals())
    found: list[Bindings] = [{}]
    for literal in rule.literals():
        found = [more for i in found for fact in facts for more in matches(literal.atom, fact, i)]
    waiting = list(rule.binds())
    while waiting and found:  # a BIND has its turn when what it reads has values
        item = next(each for each in waiting if set(each.expression.variables) <= set(found[0]))
        waiting.remove(item)
        found = [more for i in found for more in bound(item.variable, value(item.expression, i), i)]
    for item in rule.filters():
        found = [i for i in found if holds(item.expression, [arguments(item.expression, i)])[0]]
    yield from found


def matches(atom: Atom, fact: Fact, known: Bindings) -> list[Bindings]:
    """The bindings extended so that the atom becomes the fact, if that is possible."""
    for term, value in zip(atom.terms(), fact, strict=True):
        if (known.get(term, value) if isinstance(term, Var) else term) != value:
            return []
        known = known | {term: value} if isinstance(term, Var) else known
    return [known]


def bound(variable: Var, value: str | None, known: Bindings) -> list[Bindings]:
    if value is None or known.get(variable, value) != value:
        return []
    return [known | {variable: value}]


def value(expression, known: Bindings) -> str | None:
    (key,) = evaluate(expression, [arguments(expression, known)])
    return None if key is None else key.decode()


def arguments(expression, known: Bindings) -> tuple[bytes, ...]:
    return tuple(known[variable].encode() for variable in expression.variables)


def ground(atom: Atom, known: Bindings) -> Fact:
    return tuple(known[term] if isinstance(term, Var) else term for term in atom.terms())
