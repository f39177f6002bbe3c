"""The naive oracle: the closure read straight off the definition, on sets of string triples.

A fact is (subject, predicate, object), each a term in canonical N-Triples. Rules are safe and
stratified, though no strata are computed: what is negated or aggregated is looked up in an assumed
closure, and what follows is the next assumption, until it confirms itself. The lowest stratum is
right after the first round, the next one a round later. `naive` ends when the rules compute
finitely many values. Facts are looked up by predicate and otherwise one by one, rule atoms are
matched in the order in which they stand.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from rdfinc.datalog.model import Aggregate, Atom, BodyItem, Literal, NotExists, Rule, Skolem, Var
from rdfinc.terms.expressions.aggregates import aggregate
from rdfinc.terms.expressions.expression import evaluate, holds

AUX = "<urn:rdfinc:aux:"
Fact = tuple[str, str, str]
Bindings = dict[Var, str]
ByPredicate = dict[str, list[Fact]]


def naive(rules: Iterable[Rule], facts: Iterable[Fact]) -> set[Fact]:
    """The closure of facts under stratified rules."""
    stated, rules = set(facts), [rule for rule in rules if rule.head]
    tried = [stated]
    while True:
        closure = least(rules, stated, tried[-1])
        if closure == tried[-1] or not any(map(assumes, rules)):
            return closure
        if closure in tried:
            raise AssertionError("the rules are not stratified")
        tried.append(closure)


def assumes(rule: Rule) -> bool:
    return any(
        isinstance(item, NotExists | Aggregate) or (isinstance(item, Literal) and not item.positive)
        for item in rule.body
    )


def least(rules: list[Rule], facts: set[Fact], assumed: set[Fact]) -> set[Fact]:
    """The smallest superset of the facts that holds the head of each instance it has."""
    closure, below = set(facts), by_predicate(assumed)
    while new := set(heads(rules, by_predicate(closure), below)) - closure:
        closure |= new
    return closure


def heads(rules: Iterable[Rule], facts: ByPredicate, assumed: ByPredicate) -> Iterator[Fact]:
    """The head of each instance."""
    return (ground(rule.head, i) for rule in rules for i in matching(rule.body, facts, assumed))


def derivations(
    rules: Iterable[Rule], facts: Iterable[Fact], assumed: ByPredicate | None = None
) -> Iterator[tuple[Rule, Fact, tuple[Fact, ...]]]:
    """(rule, head, positive body) for each instance of a rule with a head; equal ones may come
    twice."""
    indexed = by_predicate(facts)
    for rule in rules:
        if rule.head:
            atoms = [literal.atom for literal in rule.literals() if literal.positive]
            for i in matching(rule.body, indexed, indexed if assumed is None else assumed):
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
        for i in matching(rule.body, indexed, indexed)
    }


def instances(rule: Rule, facts: Iterable[Fact]) -> Iterator[Bindings]:
    """Every way to give the rule's variables values so that its whole body holds."""
    indexed = by_predicate(facts)
    return matching(rule.body, indexed, indexed)


def by_predicate(facts: Iterable[Fact]) -> ByPredicate:
    indexed: ByPredicate = {}
    for fact in facts:
        indexed.setdefault(fact[1], []).append(fact)
    return indexed


def matching(
    body: Iterable[BodyItem],
    facts: ByPredicate,
    assumed: ByPredicate,
    given: Bindings | None = None,
) -> Iterator[Bindings]:
    """Every way to extend the given bindings so that the body holds: its positive atoms in the
    facts, what it negates or aggregates in what is assumed."""
    found: list[Bindings] = [given or {}]
    waiting = sorted(body, key=lambda item: not (isinstance(item, Literal) and item.positive))
    while waiting and found:  # an item has its turn when what it reads has values
        item = next(each for each in waiting if reads(each) <= set(found[0]))
        waiting.remove(item)
        found = [more for i in found for more in extended(item, facts, assumed, i)]
    yield from found


def reads(item: BodyItem) -> set[Var]:
    """The variables that must have values before an item is looked at."""
    if isinstance(item, Literal):
        return set() if item.positive else set(item.atom.variables())
    if isinstance(item, Aggregate):
        return set()
    if isinstance(item, Skolem):
        return {term for term in item.arguments if isinstance(term, Var)}
    if isinstance(item, NotExists):
        return free(item)
    return set(item.expression.variables)


def free(item: NotExists) -> set[Var]:
    inside: set[Var] = set()
    for each in item.body:
        if isinstance(each, Literal):
            inside |= set(each.atom.variables())
        elif isinstance(each, NotExists):
            inside |= free(each)
        elif isinstance(each, Aggregate):
            inside |= {*each.group, *(value.variable for value in each.values)}
        else:
            inside |= reads(each) | {v for v in (getattr(each, "variable", None),) if v}
    return inside - set(item.variables)


def extended(
    item: BodyItem, facts: ByPredicate, assumed: ByPredicate, known: Bindings
) -> list[Bindings]:
    """The bindings with which an item holds."""
    if isinstance(item, Literal):
        sought = item.atom.map(lambda term: known.get(term, term))
        places = candidates(sought, facts if item.positive else assumed)
        found = [m for fact in places for m in matches(sought, fact, known)]
        return found if item.positive else [] if found else [known]
    if isinstance(item, NotExists):
        outer = {
            variable: term for variable, term in known.items() if variable not in item.variables
        }
        return [] if any(matching(item.body, assumed, assumed, outer)) else [known]
    if isinstance(item, Aggregate):
        return [joined for group in groups(item, assumed) for joined in agreeing(known, group)]
    if isinstance(item, Skolem):
        return bound(item.variable, skolem(item, known), known)
    if hasattr(item, "variable"):
        return bound(item.variable, value(item.expression, known), known)
    return [known] if holds(item.expression, [arguments(item.expression, known)])[0] else []


def groups(item: Aggregate, facts: ByPredicate) -> Iterator[Bindings]:
    """The group's variables and values, for each group with all its values."""
    members: dict[tuple[str, ...], list[Bindings]] = {}
    for i in matching(item.body, facts, facts):
        members.setdefault(tuple(i[variable] for variable in item.group), []).append(i)
    for group, solutions in members.items():
        found = dict(zip(item.group, group, strict=True))
        for each in item.values:
            terms = [
                b"" if each.expression is None else result.encode() if result else None
                for result in (each.expression and value(each.expression, i) for i in solutions)
            ]
            total = aggregate(each.function, Counter(terms), distinct=each.distinct)
            if total is None or found.get(each.variable, total.decode()) != total.decode():
                break
            found[each.variable] = total.decode()
        else:
            yield found


def agreeing(known: Bindings, group: Bindings) -> list[Bindings]:
    agree = all(known.get(variable, term) == term for variable, term in group.items())
    return [known | group] if agree else []


def skolem(item: Skolem, known: Bindings) -> str:
    texts = [known[term] if isinstance(term, Var) else term for term in item.arguments]
    hashed = hashlib.sha256("\n".join((item.name, *texts)).encode()).hexdigest()[:32]
    return f"<urn:rdfinc:skolem:{quote(item.name, safe='')}:{hashed}>"


def candidates(atom: Atom, facts: ByPredicate) -> Iterable[Fact]:
    """The facts with the atom's terms; where its predicate is open, all but the auxiliary ones."""
    if isinstance(atom.predicate, Var):
        return (fact for p, some in facts.items() if not p.startswith(AUX) for fact in some)
    some = facts.get(atom.predicate, ())
    if not isinstance(atom.subject, Var):
        some = [fact for fact in some if fact[0] == atom.subject]
    if not isinstance(atom.object, Var):
        some = [fact for fact in some if fact[2] == atom.object]
    return some


def matches(atom: Atom, fact: Fact, known: Bindings) -> list[Bindings]:
    """The bindings extended so that the atom becomes the fact, if that is possible."""
    new: Bindings = {}
    for term, value in zip((atom.subject, atom.predicate, atom.object), fact, strict=True):
        if (new.setdefault(term, value) if isinstance(term, Var) else term) != value:
            return []
    return [known | new]


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
