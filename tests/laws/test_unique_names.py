"""SWRL rules with differentFrom, where names are unique: after every update the facts are those of
the definition, in which a first closure tells what is the same and a second one what follows."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from rdflib import OWL, RDF, RDFS, BNode, Literal, URIRef

from rdfinc import KnowledgeBase
from rdfinc.owl.swrl_text import parse_swrl
from rdfinc.reasoning.maintenance.maintain import STRATEGIES

Triple = tuple[URIRef | BNode, URIRef, URIRef | BNode | Literal]


def named(name: str) -> URIRef:
    return URIRef(f"urn:x:{name}")


P, F, Q, R = map(named, "pfqr")
C, D = map(named, "CD")
NODES = [*map(named, "abcde"), BNode("n")]
AXIOMS: list[Triple] = [
    (F, RDF.type, OWL.FunctionalProperty), (Q, RDFS.subPropertyOf, R), (C, RDFS.subClassOf, D),
]  # fmt: skip
RULES = """
p(?z, ?x) ^ p(?z, ?y) ^ differentFrom(?x, ?y) -> q(?x, ?y)
p(?x, ?y) ^ differentFrom(?x, :a) -> C(?x)
"""
PREFIXES = {"": "urn:x:"}


def rules(*, unique_names: bool) -> object:
    return parse_swrl(RULES, PREFIXES, unique_names=unique_names)


def by_definition(stated: set[Triple]) -> set[Triple]:
    """All facts that users see."""
    first = KnowledgeBase()
    first.update(insert=stated)
    known = set(first)

    def differ(x: object, y: object) -> bool:
        if (x, OWL.differentFrom, y) in known or (y, OWL.differentFrom, x) in known:
            return True
        same = (x, OWL.sameAs, y) in known or (y, OWL.sameAs, x) in known
        return isinstance(x, URIRef) and isinstance(y, URIRef) and x != y and not same

    pairs = [(s, o) for s, p, o in known if p == P]
    for z, x in pairs:
        others = (y for z2, y in pairs if z2 == z and not isinstance(x, Literal))
        first.update(insert=[(x, Q, y) for y in others if differ(x, y)])
    first.update(insert=[(x, RDF.type, C) for x, _ in pairs if differ(x, named("a"))])
    return set(first)


def one(chance: random.Random) -> Triple:
    s, o = chance.choice(NODES), chance.choice(NODES)
    p = chance.choice([P, P, P, F, OWL.sameAs, OWL.differentFrom])
    if p == P and chance.random() < 0.1:
        return s, p, Literal(chance.randrange(2))
    return s, p, o


def updates(chance: random.Random) -> Iterator[tuple[set[Triple], set[Triple]]]:
    stated: set[Triple] = set()
    while True:
        insert = {one(chance) for _ in range(chance.randint(0, 3))}
        delete = set(chance.sample(sorted(stated), min(len(stated), chance.randint(0, 2))))
        stated = (stated - delete) | insert
        yield delete, insert


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("way_to_delete", STRATEGIES)
def test_names_are_different_unless_they_are_the_same(way_to_delete: str, seed: int) -> None:
    chance = random.Random(f"{way_to_delete} {seed}")
    storage = chance.choice(["auto", "plain", "compact"])
    kb = KnowledgeBase(unique_names=True, maintenance=way_to_delete, storage=storage)
    stated = set(AXIOMS)
    kb.update(insert=stated)
    kb.add_rules(rules(unique_names=True))
    changes = updates(chance)
    for _ in range(15):
        delete, insert = next(changes)
        stated = (stated - delete) | insert
        kb.update(delete=delete, insert=insert)
        assert set(kb) == by_definition(stated)
        kb._engine._check()


def test_names_are_not_unique_unless_it_is_asked_for() -> None:
    kb = KnowledgeBase()
    kb.update(insert=[(named("a"), P, named("b")), (named("a"), P, named("c"))])
    kb.add_rules(rules(unique_names=False))
    assert not list(kb.triples((None, Q, None)))
    kb.update(insert=[(named("b"), OWL.differentFrom, named("c"))])
    assert len(list(kb.triples((None, Q, None)))) == 2
