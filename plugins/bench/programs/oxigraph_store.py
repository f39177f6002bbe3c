"""pyoxigraph's store in memory."""

from __future__ import annotations

from collections.abc import Sequence

import pyoxigraph

_FORMAT = pyoxigraph.RdfFormat.N_TRIPLES


class InOxigraph:
    """Triples in Oxigraph."""

    def __init__(self, profile: str) -> None:
        self._store = pyoxigraph.Store()

    def load(self, data: str, rules: Sequence[str]) -> float:
        self._store.bulk_load(path=data, format=_FORMAT)
        return 0.0

    def size(self) -> int:
        return len(self._store)

    def write(self, file: str) -> None:
        self._store.dump(file, format=_FORMAT, from_graph=pyoxigraph.DefaultGraph())

    def ask(self, query: str) -> int:
        found = self._store.query(query)
        return 1 if isinstance(found, pyoxigraph.QueryBoolean) else sum(1 for _ in found)

    def withdraw(self, line: str) -> None:
        self._store.remove(_quad(line))

    def state(self, line: str) -> None:
        self._store.add(_quad(line))


def _quad(line: str) -> pyoxigraph.Quad:
    (quad,) = pyoxigraph.parse(line, format=_FORMAT)
    return quad
