"""Ontologies of others, changed in random batches, equal what is derived anew.

Axioms and facts go and come together, beside lists of their classes and properties that nobody has
written: intersections that have many operands in common, unions, keys, chains, disjoint classes.
The statements that go are often about the same terms. `--long START:COUNT` runs COUNT sequences of
each ontology from seed START. What is compared with is the same engine, in a new knowledge base.
"""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path

import pytest

from laws.names import FIRST, NIL, REST, TYPE, Fact, owl, rdfs
from rdfinc import KnowledgeBase

SHARED = Path(__file__).parents[3] / "shared" / "data" / "ontologies"
FILES = {"ro": ("ro.owl.gz",), "brick": ("brick-1.1.ttl.gz", "building-sdh.ttl.gz")}
BATCHES = 5
ALL = None, None, None
LISTS = ("intersectionOf", "intersectionOf", "unionOf", "propertyChainAxiom", "hasKey", "members")


class Editing:
    """Someone who edits an ontology at random; `out` are statements that were withdrawn, `more` are
    those that were added."""

    def __init__(self, ontology: str, seed: int) -> None:
        self.chance, self.kb, self.made = random.Random(seed), KnowledgeBase(), 0
        for name in FILES[ontology]:
            self.kb.load(SHARED / name)
        decode = self.kb.dictionary.decode_many
        stated = self.kb.reader().stated_in_default.match()
        self.stated = sorted(tuple(text.decode() for text in decode(fact)) for fact in stated)
        self.about: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.stated:
            self.about[fact[0]].append(fact)
            self.about[fact[2]].append(fact)
        below = {end for s, p, o in self.stated if p == rdfs("subClassOf") for end in (s, o)}
        self.classes = self.chance.sample(sorted(c for c in below if c.startswith("<")), 12)
        self.properties = sorted({p for _, p, _ in self.stated if "w3.org" not in p})
        self.out: set[Fact] = set()
        self.more: set[Fact] = set()

    def some(self) -> set[Fact]:
        """Statements, most of them about one term."""
        found = set(self.chance.sample(self.stated, self.chance.choice([1, 2, 5])))
        for fact in sorted(found):
            near = self.about[self.chance.choice((fact[0], fact[2]))]
            found.update(self.chance.sample(near, min(len(near), self.chance.randrange(4))))
        return found

    def axiom(self) -> set[Fact]:
        """An axiom with a list, or one between two classes."""
        if self.chance.random() < 0.2:
            below, above = self.chance.choices(self.classes, k=2)
            return {(below, rdfs("subClassOf"), above)}
        kind, self.made = self.chance.choice(LISTS), self.made + 1
        of_classes = kind in ("intersectionOf", "unionOf", "members")
        pool, most = (self.classes, 10) if of_classes else (self.properties, 4)
        items = self.chance.sample(pool, min(len(pool), self.chance.randint(2, most)))
        nodes = [*(f"_:list{self.made}x{i}" for i in range(len(items))), NIL]
        found = {(node, FIRST, item) for node, item in zip(nodes, items, strict=False)}
        found |= {(node, REST, nodes[i + 1]) for i, node in enumerate(nodes[:-1])}
        bearer = f"_:all{self.made}" if kind == "members" else f"<u:{kind}{self.made}>"
        if kind == "members":
            found.add((bearer, TYPE, owl("AllDisjointClasses")))
        elif kind == "propertyChainAxiom":
            bearer = self.chance.choice(self.properties)
        return {*found, (bearer, owl(kind), nodes[0])}

    def members(self) -> set[Fact]:
        things = self.chance.sample([s for s, _, _ in self.stated if s.startswith("<")], 2)
        return {(thing, TYPE, class_) for thing in things for class_ in self.classes[:9]}

    def step(self) -> None:
        new = set().union(*(self.axiom() for _ in range(self.chance.choice([1, 3, 12]))))
        new |= self.members() if self.chance.random() < 0.5 else set()
        gone = self.some() - self.out
        kept = self.chance.random()
        old = {fact for fact in sorted(self.more) if self.chance.random() > kept}
        back = {fact for fact in sorted(self.out) if self.chance.random() > kept}
        new -= {*self.stated, *self.more}
        self.kb.update(insert=sorted(back | new), delete=sorted(gone | old))
        self.out, self.more = (self.out - back) | gone, (self.more - old) | new

    def anew(self) -> KnowledgeBase:
        kb = KnowledgeBase()
        kb.update(insert=sorted({*self.stated, *self.more} - self.out))
        return kb


@pytest.mark.parametrize("ontology", FILES)
def test_ontologies_of_others_equal_what_is_derived_anew(
    ontology: str, request: pytest.FixtureRequest
) -> None:
    if not all((SHARED / name).exists() for name in FILES[ontology]):
        pytest.skip("needs the ontologies beside the project")
    first, count = request.config.getoption("--long") or (29, 1)
    for seed in range(first, first + count):
        editing = Editing(ontology, seed)
        for number in range(BATCHES):
            editing.step()
            found, wanted = (set(kb.triples(ALL)) for kb in (editing.kb, editing.anew()))
            assert found == wanted, f"{ontology}, seed {seed}, batch {number}"
