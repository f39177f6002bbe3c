"""The net change that one update made to what users see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rdfinc.tables.facts import Batch, FactSet, size, triples

Decode = Callable[[int], Any]
Encode = Callable[[Any], "tuple[int, int, int] | None"]


class Facts:
    """Some triples: sized and iterable, decoded as they are read, valid while held."""

    def __init__(self, batch: Batch, decode: Decode, find: Encode) -> None:
        self.batch, self._decode, self._find = batch, decode, find
        self._size = size(batch)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        decode = self._decode
        return ((decode(s), decode(p), decode(o)) for s, p, o in triples(self.batch))

    def __contains__(self, triple: object) -> bool:
        found = self._find(triple)
        return found is not None and FactSet.of(self.batch).has(*found)

    def __repr__(self) -> str:
        return f"<{self._size} facts>"


@dataclass(frozen=True)
class Report:
    """What an update did: instances considered per pass, strategy, wall time, requests ignored."""

    counters: dict[str, int]
    strategy: str
    seconds: float
    ignored: int


@dataclass(frozen=True)
class Delta:
    """Facts that came into view and went out of it; a fact is in one of them at most."""

    added: Facts
    removed: Facts
    report: Report = field(repr=False)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)
