"""reasonable, which derives from Turtle files what follows by OWL 2 RL."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rdflib import Graph, Literal
from reasonable import PyReasoner


class WithReasonable:
    """The triples that it hands back."""

    def __init__(self, profile: str) -> None:
        self._reasoner = PyReasoner()
        self._facts: list[Any] = []

    def load(self, data: str, rules: Sequence[str]) -> float:
        turtle = Path(data).with_suffix(".ttl")  # it reads no other names
        turtle.unlink(missing_ok=True)
        turtle.symlink_to(data)
        self._reasoner.load_file(str(turtle))
        start = time.perf_counter()
        self._facts = self._reasoner.reason()
        return time.perf_counter() - start

    def size(self) -> int:
        return len(self._facts)

    def write(self, file: str) -> None:
        """Without what is said of literals, which is no N-Triples."""
        graph = Graph()
        for fact in self._facts:
            if not isinstance(fact[0], Literal):
                graph.add(fact)
        graph.serialize(file, format="nt", encoding="utf-8")
