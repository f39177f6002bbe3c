"""Graphs of rdflib: in its own store, in oxrdflib's, and closed by owlrl."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import rdflib

rdflib.NORMALIZE_LITERALS = False  # literals stay as they are written


class InRdflib:
    """Triples in rdflib's store."""

    store = "default"

    def __init__(self, profile: str) -> None:
        self._graph = rdflib.Graph(store=self.store)

    def load(self, data: str, rules: Sequence[str]) -> float:
        self._graph.parse(data, format="nt")
        return 0.0

    def size(self) -> int:
        return len(self._graph)

    def write(self, file: str) -> None:
        self._graph.serialize(file, format="nt", encoding="utf-8")

    def ask(self, query: str) -> int:
        return len(list(self._graph.query(query)))

    def withdraw(self, line: str) -> None:
        self._graph.remove(_triple(line))

    def state(self, line: str) -> None:
        self._graph.add(_triple(line))


class InOxrdflib(InRdflib):
    """Triples in Oxigraph, by way of rdflib."""

    store = "Oxigraph"

    def load(self, data: str, rules: Sequence[str]) -> float:
        self._graph.parse(data, format="ox-nt")
        return 0.0


class WithOwlrl(InRdflib):
    """rdflib's store, in which owlrl has added what follows."""

    def __init__(self, profile: str) -> None:
        super().__init__(profile)
        import owlrl

        semantics = {"rdfs": owlrl.RDFS_Semantics, "owl2rl": owlrl.OWLRL_Semantics}
        self._expand = owlrl.DeductiveClosure(semantics[profile]).expand

    def load(self, data: str, rules: Sequence[str]) -> float:
        super().load(data, rules)
        start = time.perf_counter()
        self._expand(self._graph)
        return time.perf_counter() - start

    def write(self, file: str) -> None:
        """Without what is said of literals, which is no N-Triples."""
        for triple in [*self._graph]:
            if isinstance(triple[0], rdflib.Literal):
                self._graph.remove(triple)
        super().write(file)


def _triple(line: str) -> Any:
    (triple,) = rdflib.Graph().parse(data=line, format="nt")
    return triple
