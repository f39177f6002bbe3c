"""Random SPARQL updates carried out by three: our evaluator, rdflib's over its memory store, and
Oxigraph."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pyoxigraph as ox
from rdflib import Dataset, Graph

from laws.asking import FAULTS_OF_RDFLIB, UNLIKE_IN_RDFLIB, blocks_of, shown, triplet
from laws.random_queries import GRAPHS, NODES, PREDICATES, TRUE_LITERALS, VARIABLES, Maker
from rdfinc.plugins.rdflib.pending_statements import stated
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.rdflib_terms import to_rdflib

Quad = tuple[bytes, bytes, bytes, bytes]

IN_ORDER = "both"
"""rdflib deletes and inserts for one solution after the other."""


NAMED = "named"
"""rdflib cannot add to the default graph of a Dataset: it is asked about a single graph only."""


OBJECTS = [text for text in TRUE_LITERALS if text not in ("1.0", "1e0")]
"""Oxigraph takes other ways of writing a number for the same term."""


class Updates(Maker):
    """Makes requests; blank nodes, whose names nobody can compare, aside."""

    graphs: tuple[str, ...] = ()

    def speak_of(self, graphs: Iterable[str]) -> None:
        self.graphs = tuple(graphs)
        self.features |= {NAMED} if self.graphs else set()

    def object(self) -> str:
        return self.one(*OBJECTS) if self.is_likely(0.1) else self.node()

    def path(self, depth: int) -> str:
        """None of length zero: what that finds in a graph which lost its nodes, Oxigraph leaves
        out."""
        found = super().path(depth)
        return self.path(depth) if "?" in found or "*" in found else found

    def request(self, graphs: Iterable[str]) -> str:
        operations = [self._whole(list(graphs))] if self.is_likely(0.3) else []
        operations += [self._operation() for _ in range(self.chance.choice((1, 1, 2, 3)))]
        return " ;\n".join(operations)

    def _whole(self, graphs: list[str]) -> str:
        """An operation on whole graphs; those that are copied have to be there."""
        if not self.graphs:
            return "CLEAR DEFAULT"
        if self.is_likely(0.5):
            which = self.one("DEFAULT", "NAMED", "ALL", *(f"GRAPH {name}" for name in GRAPHS))
            return f"{self.one('CLEAR', 'DROP')} SILENT {which}"
        source, target = self.one("DEFAULT", *graphs), self.one("DEFAULT", *GRAPHS)
        return f"{self.one('COPY', 'MOVE', 'ADD')} {source} TO {target}"

    def _operation(self) -> str:
        kind = self.one("insert data", "delete data", "delete where", "modify", "modify", "modify")
        if kind == "insert data":
            return f"INSERT DATA {{ {self._data()} }}"
        if kind == "delete data":
            return f"DELETE DATA {{ {self._data()} }}"
        if kind == "delete where":
            return f"DELETE WHERE {{ {self._template()} }}"
        return self._modify()

    def _modify(self) -> str:
        delete = f"DELETE {{ {self._template()} }}"
        insert = f"INSERT {{ {self._template()} }}"
        both = self.one(delete, insert, f"{delete} {insert}")
        self.features |= {IN_ORDER} if both.startswith(delete) and both != delete else set()
        own = using = ""
        if self.graphs and self.is_likely(0.4):
            own, using = f"WITH {self.one(*GRAPHS)} ", f"USING {self.one(*GRAPHS)} "
            own, using = self.chance.choice([(own, ""), ("", using), (own, using)])
        return f"{own}{both} {using}WHERE {self.group(1)}"

    def _data(self) -> str:
        nodes = [node for node in NODES if node[0] == "<"]
        parts = []
        for _ in range(self.chance.randint(1, 3)):
            o = self.one(*nodes, *OBJECTS)
            triple = f"{self.one(*nodes)} {self.one(*PREDICATES)} {o} ."
            parts.append(self._placed(triple))
        return " ".join(parts)

    def _template(self) -> str:
        nodes = [node for node in NODES if node[0] == "<"]
        s, o = self.one(*VARIABLES, *nodes), self.one(*VARIABLES, *OBJECTS, *nodes)
        triple = f"{s} {self.one(*PREDICATES, *VARIABLES[:2])} {o} ."
        return self._placed(triple)

    def _placed(self, triple: str) -> str:
        if not self.graphs or self.is_likely(0.6):
            return triple
        return f"GRAPH {self.one(*self.graphs)} {{ {triple} }}"


def check_updates(seeds: range, each: int = 4) -> Counter[str]:
    """Asserts that all agree after every request; returns how many requests were carried out, how
    many changed something, and how many rdflib was asked, too."""
    met: Counter[str] = Counter()
    for seed in seeds:
        chance = random.Random(seed)
        three = triplet(chance)
        with blocks_of(chance.choice([1 << 18, 7])):
            for _ in range(each):
                before = of_oxigraph(three.oxigraph)
                maker = Updates(chance)
                maker.speak_of(chance.choice([GRAPHS, []]))
                text = maker.request(sorted({g.decode() for *_, g in before if g}))
                where = f"seed {seed}: {text}"
                _carry_out(text, three.ours, three.oxigraph, where)
                after = of_oxigraph(three.oxigraph)
                met["asked"] += 1
                met["changed"] += after != before
                if not {IN_ORDER, NAMED, "graph", *UNLIKE_IN_RDFLIB} & maker.features:
                    met["rdflib"] += _agrees_with_rdflib(
                        text, before, after, f"seed {seed}: {text}"
                    )
    return met


def _carry_out(text: str, ours: Dataset, oxigraph: ox.Store, where: str) -> None:
    oxigraph.update(text)
    ours.update(text)
    mine, theirs = of_ours(ours), of_oxigraph(oxigraph)
    same(mine, theirs, where)
    ours.store.kb._check()


def same(mine: set[Quad], theirs: set[Quad], where: str) -> None:
    """Oxigraph writes numbers in a form of its own: terms are compared by value."""
    mine, theirs = (
        {tuple(shown("", key) if key else key for key in quad) for quad in quads}
        for quads in (mine, theirs)
    )
    assert mine == theirs, f"{where}\n  only ours: {mine - theirs}\n  only theirs: {theirs - mine}"


def _agrees_with_rdflib(text: str, before: set[Quad], after: set[Quad], where: str) -> bool:
    """Whether rdflib can tell."""
    memory = Graph()
    for *triple, graph in before:
        if not graph:
            memory.add(tuple(map(to_rdflib, triple)))
    try:
        memory.update(text)
    except FAULTS_OF_RDFLIB:
        return False
    theirs = {(*map(key_of, triple), b"") for triple in memory}
    mine = {quad for quad in after if not quad[3]}
    same(mine, {quad for quad in theirs if _is_rdf(quad)}, f"rdflib, {where}")
    return True


def of_ours(dataset: Dataset) -> set[Quad]:
    store = dataset.store
    decode = store.kb.dictionary.decode
    quads = stated(store.reader(), (None, None, None, None))
    return {(*map(decode, quad[:3]), decode(quad[3]) if quad[3] else b"") for quad in quads}


def of_oxigraph(store: ox.Store) -> set[Quad]:
    return {tuple(_key(term) for term in quad) for quad in store}


def _key(term: Any) -> bytes:
    return b"" if isinstance(term, ox.DefaultGraph) else str(term).encode()


def _is_rdf(quad: Quad) -> bool:
    """rdflib takes any term anywhere."""
    return not quad[0].startswith(b'"') and quad[1].startswith(b"<")
