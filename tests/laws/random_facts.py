"""Random facts by theme; a scenario takes a few themes, so that its facts meet."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

from laws.names import (
    ABOVE,
    CELLS,
    CLASSES,
    FIRST,
    INDIVIDUALS,
    LISTS,
    LITERALS,
    NAMED_CLASSES,
    NIL,
    NOUGHT,
    NUMERALS,
    ONES,
    PROPERTIES,
    REST,
    TYPE,
    VALUE,
    Fact,
    ex,
    owl,
    rdf,
    rdfs,
)  # fmt: skip

Theme = Callable[[random.Random], "list[Fact]"]


def data(rnd: random.Random) -> list[Fact]:
    if rnd.random() < 0.45:
        return [(rnd.choice(INDIVIDUALS), TYPE, rnd.choice(NAMED_CLASSES))]
    return [(rnd.choice(INDIVIDUALS), rnd.choice(PROPERTIES), rnd.choice(INDIVIDUALS))]


def literals(rnd: random.Random) -> list[Fact]:
    return [(rnd.choice(INDIVIDUALS), rnd.choice(PROPERTIES), rnd.choice(LITERALS))]


def numbers(rnd: random.Random) -> list[Fact]:
    relation = VALUE if rnd.random() < 0.8 else rnd.choice(PROPERTIES)
    return [(rnd.choice(INDIVIDUALS), relation, rnd.choice(NUMERALS))]


def above(rnd: random.Random) -> list[Fact]:
    return [(rnd.choice(INDIVIDUALS), rnd.choice(ABOVE), rnd.choice(INDIVIDUALS))]


# -- for the rules of `random_rules.META`


def meta(rnd: random.Random) -> list[Fact]:
    kind = rnd.random()
    one, two = rnd.choice(NAMED_CLASSES), rnd.choice(NAMED_CLASSES)
    p = rnd.choice(PROPERTIES)
    if kind < 0.4:
        return [(one, ex("sub"), two)]
    if kind < 0.55:
        return [(p, ex("super"), rnd.choice(PROPERTIES))]
    if kind < 0.7:
        return [(p, ex("domain"), one)]
    if kind < 0.8:
        return [(p, TYPE, ex("Functional" if rnd.random() < 0.2 else "Transitive"))]
    if kind < 0.9:
        return [(one, ex("on"), p)]
    return [(one, ex("some"), two)]


def meta_above(rnd: random.Random) -> list[Fact]:
    """Data that derives schema facts, and equality of schema terms."""
    if rnd.random() < 0.5:
        return [(rnd.choice(PROPERTIES), ex("super"), ex(rnd.choice(["sub", "domain", "on"])))]
    same = [*INDIVIDUALS, *NAMED_CLASSES, *PROPERTIES]
    return [(rnd.choice(same), ex("same"), rnd.choice(same))]


def meta_without(rnd: random.Random) -> list[Fact]:
    """What the rules that negate relations named by the data read."""
    if rnd.random() < 0.5:
        return [(rnd.choice(NAMED_CLASSES), ex("without"), rnd.choice(NAMED_CLASSES))]
    return [(rnd.choice(PROPERTIES), ex("unless"), rnd.choice(PROPERTIES))]


# -- OWL


def hierarchy(rnd: random.Random) -> list[Fact]:
    relation = rnd.choice([rdfs("subClassOf")] * 5 + [owl("equivalentClass")])
    return [(rnd.choice(CLASSES), relation, rnd.choice(CLASSES))]


def class_chain(rnd: random.Random) -> list[Fact]:
    order = rnd.sample(NAMED_CLASSES, len(NAMED_CLASSES))
    return [(a, rdfs("subClassOf"), b) for a, b in pairwise(order)]


def properties(rnd: random.Random) -> list[Fact]:
    p, q = rnd.choice(PROPERTIES), rnd.choice(PROPERTIES)
    if rnd.random() < 0.4:
        kind = rnd.choice(["TransitiveProperty", "TransitiveProperty", "SymmetricProperty"])
        return [(p, TYPE, owl(kind))]
    relations = [rdfs("subPropertyOf"), owl("inverseOf"), owl("equivalentProperty")]
    return [(p, rnd.choice(relations), q)]


def typing(rnd: random.Random) -> list[Fact]:
    relation = rnd.choice([rdfs("domain"), rdfs("range")])
    return [(rnd.choice(PROPERTIES), relation, rnd.choice(CLASSES))]


def restrictions(rnd: random.Random) -> list[Fact]:
    class_, other = rnd.choice(CLASSES), rnd.choice(CLASSES)
    what = rnd.choice(
        [(owl("onProperty"), rnd.choice(PROPERTIES))] * 3
        + [(owl("someValuesFrom"), other), (owl("someValuesFrom"), owl("Thing"))]
        + [(owl("allValuesFrom"), other), (owl("hasValue"), rnd.choice(INDIVIDUALS))]
        + [(owl("maxCardinality"), rnd.choice([NOUGHT, *ONES]))]
    )
    return [(class_, *what)]


def lists(rnd: random.Random) -> list[Fact]:
    """An axiom with a list of one or two, sometimes with a triple missing."""
    members = {"oneOf": INDIVIDUALS, "propertyChainAxiom": PROPERTIES, "hasKey": PROPERTIES}
    kind = rnd.choice(["intersectionOf", "unionOf", *members])
    bearer = rnd.choice(PROPERTIES if kind == "propertyChainAxiom" else CLASSES)
    head, facts = _list(rnd, members.get(kind, CLASSES))
    return [(bearer, owl(kind), head), *facts]


def list_cells(rnd: random.Random) -> list[Fact]:
    """A triple of a list, alone."""
    if rnd.random() < 0.5:
        return [(rnd.choice([*LISTS, *CELLS]), FIRST, rnd.choice([*NAMED_CLASSES, *PROPERTIES]))]
    return [(rnd.choice(LISTS), REST, rnd.choice([*CELLS, NIL, rnd.choice(LISTS)]))]


def _list(rnd: random.Random, items: list[str]) -> tuple[str, list[Fact]]:
    """A list's head, and its triples."""
    head, cell = rnd.choice(LISTS), rnd.choice(CELLS)
    first, last = (head, FIRST, rnd.choice(items)), (cell, FIRST, rnd.choice(items))
    kind = rnd.random()
    if kind < 0.2:
        return head, [first, (head, REST, NIL)]
    facts = [first, (head, REST, cell), last, (cell, REST, NIL)]
    return head, facts if kind < 0.8 else rnd.sample(facts, 3)


def equality(rnd: random.Random) -> list[Fact]:
    if rnd.random() < 0.5:
        return [(rnd.choice(INDIVIDUALS), owl("sameAs"), rnd.choice(INDIVIDUALS))]
    kind = rnd.choice(["FunctionalProperty", "InverseFunctionalProperty"])
    return [(rnd.choice(PROPERTIES), TYPE, owl(kind))]


def schema_equality(rnd: random.Random) -> list[Fact]:
    some = rnd.choice([NAMED_CLASSES, PROPERTIES])
    return [(rnd.choice(some), owl("sameAs"), rnd.choice([*some, rnd.choice(INDIVIDUALS)]))]


def above_the_schema(rnd: random.Random) -> list[Fact]:
    """Properties below the vocabulary, so that data derives schema triples."""
    above = [rdfs("subClassOf"), rdfs("subPropertyOf"), rdf("type"), owl("equivalentClass"),
             rdfs("domain"), owl("sameAs")]  # fmt: skip
    if rnd.random() < 0.6:
        return [(rnd.choice(PROPERTIES), rdfs("subPropertyOf"), rnd.choice(above))]
    return [(rnd.choice(CLASSES), rnd.choice(PROPERTIES), rnd.choice(CLASSES))]


def contradictions(rnd: random.Random) -> list[Fact]:
    one, two = rnd.choice(CLASSES), rnd.choice(CLASSES)
    p, q = rnd.choice(PROPERTIES), rnd.choice(PROPERTIES)
    return rnd.choice(
        [
            [(one, owl("disjointWith"), two)],
            [(one, owl("complementOf"), two)],
            [(p, owl("propertyDisjointWith"), q)],
            [(p, TYPE, owl(rnd.choice(["IrreflexiveProperty", "AsymmetricProperty"])))],
            [(rnd.choice(INDIVIDUALS), owl("differentFrom"), rnd.choice(INDIVIDUALS))],
            [(one, owl("maxCardinality"), NOUGHT), (one, owl("onProperty"), p)],
            [(rnd.choice(INDIVIDUALS), TYPE, owl("Nothing"))],
            _all(rnd),
        ]
    )


def _all(rnd: random.Random) -> list[Fact]:
    kinds = {"AllDisjointClasses": CLASSES, "AllDifferent": INDIVIDUALS,
             "AllDisjointProperties": PROPERTIES}  # fmt: skip
    kind = rnd.choice(list(kinds))
    head, facts = _list(rnd, kinds[kind])
    return [("_:all", TYPE, owl(kind)), ("_:all", owl("members"), head), *facts]


THEMES: list[Theme] = [
    hierarchy, class_chain, properties, typing, restrictions, lists, list_cells, equality,
    schema_equality, above_the_schema, contradictions, literals,
]  # fmt: skip
