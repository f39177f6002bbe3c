"""What those who watch a query are told, beside the difference of two evaluations."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from rdflib import Dataset

from laws.asking import blocks_of, triplet, turtle_key
from laws.random_queries import AGGREGATES, VARIABLES, random_quads
from laws.updating import Updates
from rdfinc import KnowledgeBase, UnsupportedError
from rdfinc.plugins.rdflib_store import RdfincStore
from rdfinc.terms.io.convert import key_of

SCHEMA = """
INSERT DATA {
  <x:p> a <http://www.w3.org/2002/07/owl#TransitiveProperty> .
  <x:q> <http://www.w3.org/2000/01/rdf-schema#subPropertyOf> <x:r> .
  <x:r> <http://www.w3.org/2000/01/rdf-schema#domain> <x:C> .
}"""


class Questions(Updates):
    """Makes queries that can be watched, most of them."""

    def question(self) -> str:
        if self.is_likely(0.3):
            return self._groups()
        shown = " ".join(self.chance.sample(VARIABLES, self.chance.randint(1, 3)))
        order = self.one("", f"ORDER BY {self.one(*VARIABLES)}")
        return f"SELECT {self.one('', 'DISTINCT', 'REDUCED')} {shown} {self._body()} {order}"

    def _body(self) -> str:
        more = self.group(1)[1:-1] if self.is_likely(0.6) else ""
        return f"{{ {self.triples()} {more} }}"

    def _groups(self) -> str:
        keys = " ".join(self.chance.sample(VARIABLES, self.chance.randint(1, 2)))
        names = [name for name in AGGREGATES if name not in ("SAMPLE", "GROUP_CONCAT")]
        value = f"({self.aggregate(self.one(*names))} AS ?n0)"
        having = self.one("", f"HAVING(COUNT({self.one('*', *VARIABLES)}) > 1)")
        return f"SELECT {keys} {value} {self._body()} GROUP BY {keys} {having}"


def check_watches(seeds: range, steps: int = 4) -> Counter[str]:
    """Asserts that what is told is what has changed; returns how many queries were watched, how
    many could not be, and how often answers came or went."""
    met: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        kb = _knowledge_base(chance)
        dataset = Dataset(RdfincStore(kb), default_union=True)
        with blocks_of(chance.choice([1 << 18, 7])):
            watched = [_Watched(kb, Questions(chance).question(), met) for _ in range(6)]
            for _ in range(steps):
                what = _change(chance, dataset, kb)
                for each in watched:
                    each.check(f"seed {seed}: {each.text}\n after {what}")
    return met


def _change(chance: random.Random, dataset: Dataset, kb: KnowledgeBase) -> object:
    if chance.random() < 0.2:
        request = Updates(chance).request([])
        dataset.update(request)
        return request
    facts = sorted(kb.explicit)
    gone = chance.sample(facts, min(len(facts), chance.randint(0, 3)))
    new = random_quads(chance)[-chance.randint(0, 6) :]
    kb.update(
        insert=[tuple(turtle_key(term).decode() for term in triple[:3]) for triple in new],
        delete=gone,
    )
    return gone, new


def _knowledge_base(chance: random.Random) -> KnowledgeBase:
    quads = triplet(chance).ours.store.kb
    profile, storage = chance.choice(["none", "owl2rl"]), chance.choice(["auto", "compact"])
    kb = KnowledgeBase(profile, storage)
    kb.update(insert=list(quads.explicit))
    if chance.random() < 0.7:
        Dataset(RdfincStore(kb)).update(SCHEMA)
    return kb


class _Watched:
    def __init__(self, kb: KnowledgeBase, text: str, met: Counter[str]) -> None:
        self.text, self._kb, self._met = text, kb, met
        self._told: list[tuple[Counter[Any], Counter[Any]]] = []
        try:
            kb.watch(text, lambda *answers: self._told.append(tuple(map(bag, answers))))
        except UnsupportedError:
            met["refused"] += 1
            self.text = ""
        else:
            met["watched"] += 1
            self._answers = bag(kb.query(text))

    def check(self, where: str) -> None:
        if not self.text:
            return
        before, self._answers = self._answers, bag(self._kb.query(self.text))
        expected = (self._answers - before, before - self._answers)
        told, self._told = self._told, []
        assert told == ([expected] if any(expected) else []), f"{where}\n{told}\n{expected}"
        self._met["changed"] += any(expected)


def bag(result: Any) -> Counter[Any]:
    return Counter(tuple(t if t is None else key_of(t) for t in row) for row in result)
