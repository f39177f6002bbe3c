"""The naive oracle: the closure read straight off the definition, on sets of string triples.

A fact is (subject, predicate, object), each a term in canonical N-Triples. Rules are safe and
have no negation. `naive` ends when the rules compute finitely many values. Facts are looked up
by predicate and otherwise one by one, rule atoms are matched in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rdfinc.datalog.model import Atom, Rule, Var
from rdfinc.terms.expressions import evaluate, holds

Fact = tuple[str, str, str]
Bindings = dict[Var, str]
ByPredicate = dict[str, list[Fact]]


def naive(rules: Iterable[Rule], facts: Iterable[Fact]) -> set[Fact]:
    """The smallest superset of the facts that holds the head of each instance it has."""
    closure, rules = set(facts), [rule for rule in rules if rule.head]
    while new := {head for _, head, _ in derivations(rules, closure)} - closure:
        closure |= new
    return closure


def derivations(
    rules: Iterable[Rule], facts: Iterable[Fact]
) -> Iterator[tuple[Rule, Fact, tuple[Fact, ...]]]:
    """(rule, head, body) for each instance of a rule with a head; equal ones may come twice."""
    indexed = by_predicate(facts)
    for rule in rules:
        if rule.head:
            atoms = [literal.atom for literal in rule.literals()]
            for i in matching(rule, indexed):
                yield rule, ground(rule.head, i), tuple(ground(atom, i) for atom in atoms)


def contradictions(
    rules: Iterable[Rule], closure: set[Fact]
) -> set[tuple[str, frozenset[tuple[str, str]]]]:
    """(rule name, bindings by variable name) for each instance of a rule with head `false`."""
    indexed = by_predicate(closure)
    return {
        (rule.name, frozenset((variable.name, term) for variable, term in i.items()))
        for rule in rules
        if rule.head is None
        for i in matching(rule, indexed)
    }


def instances(rule: Rule, facts: Iterable[Fact]) -> Iterator[Bindings]:
    """Every way to give the rule's variables values so that its whole body holds."""
    return matching(rule, by_predicate(facts))


def count_instances(rules: Iterable[Rule], facts: Iterable[Fact]) -> int:
    indexed = by_predicate(facts)
    return sum(1 for rule in rules for _ in matching(rule, indexed))


def by_predicate(facts: Iterable[Fact]) -> ByPredicate:
    indexed: ByPredicate = {}
    for fact in facts:
        indexed.setdefault(fact[1], []).append(fact)
    return indexed


def matching(rule: Rule, facts: ByPredicate) -> Iterator[Bindings]:
    assert all(literal.positive for literal in rule.literals())
    found: list[Bindings] = [{}]
    for literal in rule.literals():
        atom = literal.atom
        found = [more for i in found for fact in candidates(atom, facts, i)
                 for more in matches(atom, fact, i)]  # fmt: skip
    waiting = list(rule.binds())
    while waiting and found:  # a BIND has its turn when what it reads has values
        item = next(each for each in waiting if set(each.expression.variables) <= set(found[0]))
        waiting.remove(item)
        found = [more for i in found for more in bound(item.variable, value(item.expression, i), i)]
    for item in rule.filters():
        found = [i for i in found if holds(item.expression, [arguments(item.expression, i)])[0]]
    yield from found


def candidates(atom: Atom, facts: ByPredicate, known: Bindings) -> Iterable[Fact]:
    """The facts with the atom's predicate, or all where that is open."""
    predicate = known.get(atom.predicate, atom.predicate)
    if isinstance(predicate, Var):
        return (fact for some in facts.values() for fact in some)
    return facts.get(predicate, ())


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
