"""Random rules and facts about equals: rules that join them, tell them apart, count them, deny them
and make them; links, axioms, and facts about what is linked."""

from __future__ import annotations

import random
from functools import cache

from laws.names import (
    FIRST,
    INDIVIDUALS,
    LITERALS,
    NAMED_CLASSES,
    NIL,
    ONES,
    OWL,
    PROPERTIES,
    REST,
    TYPE,
    Fact,
    ex,
    owl,
    rdfs,
)
from rdfinc.datalog.model import Rule
from rdfinc.datalog.syntax.rule_text import parse_rules

RULES = """
[?x, :q, ?y] :- [?x, :p0, ?y], FILTER(?x != ?y) .
[?x, :q, ?y] :- [?x, :p0, ?y], FILTER(?x != :i1) .
[?x, :p1, ?y] :- [?x, :p0, ?z], [?z, :p2, ?y] .
[?x, a, :C3] :- [?x, :p0, ?y], NOT [?x, :p1, ?y] .
[?x, a, :C3] :- [?x, a, :C0], NOT EXISTS ?y IN ([?x, :p1, ?y], [?y, a, :C1]) .
[?x, a, :C3] :- [?x, a, :C0], NOT EXISTS ?y IN ([?x, :p1, ?y], FILTER(?y != :i0)) .
[?x, :n, ?n] :- AGGREGATE([?x, :p2, ?y] ON ?x BIND COUNT(?y) AS ?n) .
[?x, :n, ?n] :- AGGREGATE([?x, :p2, ?y], FILTER(?x != ?y) ON ?x BIND COUNT(?y) AS ?n) .
[?x, :name, ?n] :- [?x, a, :C1], BIND(STR(?x) AS ?n) .
[?x, a, :C2] :- [?x, :p1, ?y], BIND(CONCAT(STR(?y), "1") AS ?z), FILTER(STRLEN(?z) > 3) .
[?x, :p2, :i2] :- [?x, a, :C1] .
[?x, a, :C0] :- [?x, :p1, :i2] .
[?x, :same, ?y] :- [?x, owl:sameAs, ?y], [?y, :p0, ?z] .
[?x, :other, ?y] :- [?x, :p0, ?y], NOT [?x, owl:sameAs, ?y] .
[?x, a, :C2] :- [?x, a, ?c], [?c, :p1, ?x] .
[?x, owl:sameAs, ?y] :- [?x, :key, ?y] .
[?x, owl:sameAs, ?y] :- [?x, :p2, ?y], [?y, a, :C2] .
[?p, a, owl:IrreflexiveProperty] :- [?p, :p1, ?y], NOT [?p, a, :C3] .
[?x, :any, ?y] :- [?x, ?p, ?y], [?p, :p0, :i0] .
[?x, ?p, ?y] :- [?x, :p0, ?y], [?p, :p1, :i1] .
[?x, a, :C3] :- [?x, ?p, :i2] .
[?p, a, :C3] :- [:i1, ?p, ?y], FILTER(?y != :i0) .
[?x, :t, ?z] :- [?x, :t, ?y], [?y, :t, ?z] .
[?y, :t, ?x] :- [?x, :p2, ?y] .
[?x, :t, ?y] :- [?x, :p0, ?y] .
"""


@cache
def _rules() -> tuple[Rule, ...]:
    return tuple(parse_rules(RULES, {"": ex("")[1:-1], "owl": OWL}))


def random_rule(rnd: random.Random) -> Rule:
    return rnd.choice(_rules())


def links(rnd: random.Random) -> list[Fact]:
    """Of individuals; now and then with a literal, or of what stands for a relation."""
    kind = rnd.random()
    some = NAMED_CLASSES if kind < 0.03 else PROPERTIES if kind < 0.06 else INDIVIDUALS
    others = LITERALS if kind > 0.97 else some
    return [(rnd.choice(some), owl("sameAs"), rnd.choice(others))]


def data(rnd: random.Random) -> list[Fact]:
    kind, s = rnd.random(), rnd.choice(INDIVIDUALS)
    if kind < 0.3:
        return [(s, TYPE, rnd.choice(NAMED_CLASSES))]
    if kind < 0.4:
        return [(s, ex("value"), rnd.choice(LITERALS))]
    if kind < 0.45:
        return [(s, ex("key"), rnd.choice(INDIVIDUALS))]
    if kind < 0.5:
        return [(rnd.choice([*PROPERTIES, *NAMED_CLASSES]), ex("p1"), rnd.choice(INDIVIDUALS))]
    return [(s, rnd.choice(PROPERTIES), rnd.choice(INDIVIDUALS))]


def axioms(rnd: random.Random) -> list[Fact]:
    p, q = rnd.choice(PROPERTIES), rnd.choice([*PROPERTIES, ex("value")])
    c, d, k = rnd.choice(NAMED_CLASSES), rnd.choice(NAMED_CLASSES), ex("K")
    kinds = ("Transitive", "Symmetric", "Irreflexive", "Asymmetric", "Functional")
    return rnd.choice(
        [
            [(p, rdfs("subPropertyOf"), rnd.choice([q, owl("sameAs")]))],
            [(q, rdfs("domain"), c)],
            [(p, rdfs("range"), c)],
            [(c, rdfs("subClassOf"), d)],
            [(c, owl("disjointWith"), d)],
            [(p, owl("inverseOf"), q)],
            [(q, TYPE, owl(f"{rnd.choice(kinds)}Property"))],
            [(rnd.choice(INDIVIDUALS), owl("differentFrom"), rnd.choice(INDIVIDUALS))],
            [(k, owl("onProperty"), p), (k, owl("hasValue"), rnd.choice(INDIVIDUALS))],
            [(k, owl("onProperty"), p), (k, owl("someValuesFrom"), c)],
            [(c, owl("onProperty"), p), (c, owl("maxCardinality"), rnd.choice(ONES))],
            [(k, owl("onProperty"), p), (k, owl("onClass"), c)],
            [(k, owl("maxQualifiedCardinality"), rnd.choice(ONES))],
            [(k, owl("oneOf"), "_:l1"), ("_:l1", FIRST, rnd.choice(INDIVIDUALS))],
            [("_:l1", REST, NIL)],
        ]
    )
