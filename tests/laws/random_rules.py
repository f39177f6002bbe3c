"""Random rules: all shapes that the rule language has so far."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import count

from msgspec.structs import replace

from laws.names import ABOVE, INDIVIDUALS, NAMED_CLASSES, PROPERTIES, TYPE, VALUE, ex, rdfs
from laws.stratification import is_stratified
from rdfinc.datalog.analysis.safety import check, check_program
from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    Bind,
    BodyItem,
    Expression,
    Filter,
    Literal,
    NotExists,
    Rule,
    Skolem,
    Var,
)
from rdfinc.datalog.variables import rename_rule
from rdfinc.errors import RuleError, UnstratifiableError

X, Y, Z, P, C, V = map(Var, "xyzpcv")

KINDS = [INDIVIDUALS, NAMED_CLASSES, [*PROPERTIES, *ABOVE]]
"""Constants that may stand in each other's place."""

SCHEMA = [*PROPERTIES * 2, *map(rdfs, ("subClassOf", "subPropertyOf", "domain"))]
"""Predicates for rules beside an ontology: some of which its strata are made."""


Make = Callable[[random.Random, Sequence[str]], Rule]


def random_rule(
    rnd: random.Random,
    others: Sequence[Rule],
    predicates: Sequence[str] = PROPERTIES,
    make: Make | None = None,
) -> Rule:
    """A rule about these predicates that may join the others, nearly always so that they stay
    stratified but for the rules of META; `make` makes the first attempts."""
    for attempt in count():
        lucky = rnd.random() < 0.004
        rule = (make if make and attempt < 20 else _positive)(rnd, predicates)
        if others and rnd.random() < 0.08:
            rule = of_one_shape(rnd, rnd.choice(others))
        elif others and rnd.random() < 0.5:
            rule = for_one_head(rule, rnd.choice(others))
        together = [each for each in (*others, rule) if each not in META]
        if computes_finitely([*others, rule]) and (is_stratified(together) or lucky):
            return rule
    raise AssertionError


def _positive(rnd: random.Random, predicates: Sequence[str]) -> Rule:
    kind = rnd.random()
    if kind < 0.08:
        return _computing(rnd)
    return _closing(rnd, [*predicates, *ABOVE]) if kind < 0.4 else _plain(rnd, predicates)


def _closing(rnd: random.Random, predicates: Sequence[str]) -> Rule:
    """A rule after the manner of OWL's: transitive, symmetric, sub-property, domain, or for a class
    that spreads."""
    p, q, c = rnd.choice(predicates), rnd.choice(predicates), rnd.choice(NAMED_CLASSES)
    head, *body = rnd.choice(
        [
            ((X, p, Z), (X, p, Y), (Y, p, Z)),
            ((Y, p, X), (X, p, Y)),
            ((X, q, Y), (X, p, Y)),
            ((X, TYPE, c), (X, p, Y)),
            ((Y, TYPE, c), (X, p, Y), (X, TYPE, c)),
        ]
    )
    return Rule(Atom(*head), tuple(Literal(Atom(*atom)) for atom in body))


def computes_finitely(rules: Sequence[Rule]) -> bool:
    """Whether no value, nor term of SKOLEM, is computed from itself."""
    try:
        check_program([replace(rule, body=tuple(map(_as_bind, rule.body))) for rule in rules])
    except UnstratifiableError:
        return False
    return True


def _as_bind(item: BodyItem) -> BodyItem:
    if not isinstance(item, Skolem):
        return item
    read = tuple(dict.fromkeys(t for t in item.arguments if isinstance(t, Var)))
    return Bind(Expression(f"CONCAT({', '.join(map(str, read))})", read), item.variable)


def of_one_shape(rnd: random.Random, rule: Rule) -> Rule:
    """The rule with some other constants."""
    places = {term: rnd.choice(kind) for kind in KINDS for term in kind if rnd.random() < 0.5}

    def atom(value: Atom) -> Atom:
        return value.map(lambda term: places.get(term, term))

    def item(value: BodyItem) -> BodyItem:
        if isinstance(value, Literal):
            return replace(value, atom=atom(value.atom))
        if isinstance(value, NotExists | Aggregate):
            return replace(value, body=tuple(map(item, value.body)))
        return value

    head = atom(rule.head) if rule.head else None
    return replace(rule, head=head, body=tuple(map(item, rule.body)))


def for_one_head(rule: Rule, other: Rule) -> Rule:
    """The rule with the head of another, if its body binds that."""
    changed = replace(rule, head=other.head)
    return changed if other.head and is_safe(changed) else rule


def is_safe(rule: Rule) -> bool:
    try:
        check(rule)
    except RuleError:
        return False
    return True


def renamed(rule: Rule) -> Rule:
    """The same rule in other words."""
    other = rename_rule(rule, lambda variable: Var(f"{variable.name}_"))
    return replace(other, body=other.body[::-1])


def reversed_not(rule: Rule) -> Rule | None:
    """The rule with its head and its first negated atom in each other's place."""
    for i, item in enumerate(rule.body):
        if isinstance(item, Literal) and not item.positive and rule.head:
            body = [*rule.body]
            body[i] = Literal(rule.head, positive=False)
            other = Rule(item.atom, tuple(body))
            if is_safe(other):
                return other
    return None


def _plain(rnd: random.Random, predicates: Sequence[str]) -> Rule:
    body = [_atom(rnd, predicates) for _ in range(rnd.randint(1, 3))]
    if rnd.random() < 0.2:  # an atom that can match the same fact as another
        body.append(body[0].map(lambda term: rnd.choice((X, Y, Z)) if term in (X, Y, Z) else term))
    used = list(dict.fromkeys(v for atom in body for v in atom.variables()))
    nodes = [v for v in used if v not in (P, C)]
    if not nodes:
        return _plain(rnd, predicates)
    items: list[Literal | Filter] = [Literal(atom) for atom in body]
    if rnd.random() < 0.2:
        items.append(_filter(rnd, nodes))
    if rnd.random() < 0.06:
        return Rule(None, tuple(items), "clash")
    return Rule(_head(rnd, predicates, nodes, used), tuple(items))


def _atom(rnd: random.Random, predicates: Sequence[str]) -> Atom:
    subject = rnd.choice((X, Y, Z)) if rnd.random() < 0.9 else rnd.choice(INDIVIDUALS)
    if rnd.random() < 0.4:
        return Atom(subject, TYPE, C if rnd.random() < 0.1 else rnd.choice(NAMED_CLASSES))
    object_ = rnd.choice((X, Y, Z)) if rnd.random() < 0.9 else rnd.choice(INDIVIDUALS)
    return Atom(subject, P if rnd.random() < 0.07 else rnd.choice(predicates), object_)


def _head(
    rnd: random.Random, predicates: Sequence[str], nodes: Sequence[Var], used: Sequence[Var]
) -> Atom:
    subject, object_ = rnd.choice(nodes), rnd.choice([*nodes, rnd.choice(INDIVIDUALS)])
    if P in used and rnd.random() < 0.5:
        return Atom(subject, P, object_)
    if rnd.random() < 0.04:  # what the data says is a predicate
        return Atom(subject, rnd.choice(nodes), object_)
    if rnd.random() < 0.4:
        return Atom(subject, TYPE, C if C in used else rnd.choice(NAMED_CLASSES))
    return Atom(subject, rnd.choice(predicates), object_)


def _filter(rnd: random.Random, nodes: Sequence[Var]) -> Filter:
    x, y = rnd.choice(nodes), rnd.choice(nodes)
    texts = [f"{x} != {y}", f"sameTerm({x}, {y})", f"STR({x}) < STR({y})"]
    texts += [f"isIRI({x}) || {y} = {x}"]
    return Filter(Expression(rnd.choice(texts), tuple(dict.fromkeys((x, y)))))


def _computing(rnd: random.Random) -> Rule:
    """A rule with a computed value, in the head or only compared."""
    body = Literal(Atom(X, rnd.choice(PROPERTIES), Y))
    where = rnd.random()
    if where < 0.5:
        value = Bind(Expression("CONCAT(STR(?x), STR(?y))", (X, Y)), V)
        return Rule(Atom(X, TYPE if where < 0.05 else ex("tag"), V), (body, value))
    value = Bind(Expression("STRLEN(STR(?x))", (X,)), V)
    longer = Filter(Expression("?v < STRLEN(STR(?y)) || STR(?x) < STR(?y)", (V, Y, X)))
    body = Literal(Atom(Y, PROPERTIES[0], X))
    return Rule(Atom(X, rnd.choice(PROPERTIES), Y), (body, value, longer))


def _meta() -> list[Rule]:
    """Rules whose schema atoms say which relations the others are about."""
    x, y, z, p, q, c, d, e = map(Var, "xyzpqcde")
    sub, sup, on, some = ex("sub"), ex("super"), ex("on"), ex("some")

    def rule(head: tuple, *body: tuple) -> Rule:
        return Rule(Atom(*head), tuple(Literal(Atom(*atom)) for atom in body))

    return [
        rule((x, TYPE, d), (c, sub, d), (x, TYPE, c)),
        rule((c, sub, e), (c, sub, d), (d, sub, e)),
        rule((x, q, y), (p, sup, q), (x, p, y)),
        rule((x, TYPE, c), (p, ex("domain"), c), (x, p, y)),
        rule((x, p, z), (p, TYPE, ex("Transitive")), (x, p, y), (y, p, z)),
        rule((p, ex("domain"), d), (p, ex("domain"), c), (c, sub, d)),
        rule((x, TYPE, c), (c, on, p), (c, some, d), (x, p, y), (y, TYPE, d)),
        rule((x, ex("same"), y), (p, TYPE, ex("Functional")), (z, p, x), (z, p, y)),
        rule((y, p, z), (x, ex("same"), y), (x, p, z)),
        rule((z, p, y), (x, ex("same"), y), (z, p, x)),
    ]


META = _meta()


def _meta_without() -> list[Rule]:
    """Rules that negate relations which the data names."""
    x, y, p, q, c, d = map(Var, "xypqcd")

    def rule(head: tuple, absent: tuple, *body: tuple) -> Rule:
        literals = [Literal(Atom(*atom)) for atom in body]
        return Rule(Atom(*head), (*literals, Literal(Atom(*absent), positive=False)))

    return [
        rule((x, TYPE, d), (x, TYPE, c), (c, ex("without"), d), (x, VALUE, y)),
        rule((x, q, y), (x, p, y), (p, ex("unless"), q), (x, ABOVE[0], y)),
    ]


META_WITHOUT = _meta_without()
