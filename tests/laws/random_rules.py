"""Random rules: all shapes that the rule language has so far."""

from __future__ import annotations

import random
from collections.abc import Sequence

from laws.names import INDIVIDUALS, NAMED_CLASSES, PROPERTIES, TYPE, ex, rdfs
from rdfinc.datalog.model import Atom, Bind, Expression, Filter, Literal, Rule, Var
from rdfinc.datalog.safety import check_program
from rdfinc.errors import UnstratifiableError

X, Y, Z, P, C, V = map(Var, "xyzpcv")


SCHEMA = [*PROPERTIES * 2, *map(rdfs, ("subClassOf", "subPropertyOf", "domain"))]
"""Predicates for rules beside an ontology: some of which its strata are made."""


def random_rule(
    rnd: random.Random, others: Sequence[Rule], predicates: Sequence[str] = PROPERTIES
) -> Rule:
    """A rule about these predicates that may join the others."""
    while True:
        rule = _computing(rnd) if rnd.random() < 0.08 else _plain(rnd, predicates)
        try:
            check_program([*others, rule])
        except UnstratifiableError:  # a value computed from itself
            continue
        return rule


def renamed(rule: Rule) -> Rule:
    """The same rule in other words."""
    if rule.filters() or rule.binds():
        return rule
    names = {variable: Var(f"{variable.name}_") for variable in (X, Y, Z, P, C)}

    def atom(value: Atom) -> Atom:
        return value.map(lambda term: names.get(term, term))

    body = tuple(Literal(atom(literal.atom)) for literal in reversed(rule.literals()))
    return Rule(rule.head and atom(rule.head), body, rule.name)


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
    if rnd.random() < 0.5:
        value = Bind(Expression("CONCAT(STR(?x), STR(?y))", (X, Y)), V)
        return Rule(Atom(X, ex("tag"), V), (body, value))
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
