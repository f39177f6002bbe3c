"""The net change that one update made to what users see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rdfinc.knowledge_base.proofs import Removal
from rdfinc.tables.facts import Batch, FactSet, size, triples
from rdfinc.tables.table import Keys

Decode = Callable[[int], Any]
Encode = Callable[[Any], "tuple[int, int, int] | None"]
Enumerate = Callable[[], Keys]


class Facts:
    """Some triples: sized and iterable, decoded as they are read, valid while held.

    `later` gives the facts of further relations, which are enumerated when they are asked for.
    """

    def __init__(
        self, batch: Batch, decode: Decode, find: Encode, later: Mapping[int, Enumerate]
    ) -> None:
        self._known, self._decode, self._find, self._later = batch, decode, find, later

    @cached_property
    def batch(self) -> Batch:
        """All of them, by ids."""
        found = {predicate: enumerate_() for predicate, enumerate_ in self._later.items()}
        return {**self._known, **{p: keys for p, keys in found.items() if len(keys)}}

    def __len__(self) -> int:
        return size(self.batch)

    def __bool__(self) -> bool:
        return bool(self._known) or bool(self.batch)

    def __iter__(self) -> Iterator[tuple[Any, Any, Any]]:
        decode = self._decode
        return ((decode(s), decode(p), decode(o)) for s, p, o in triples(self.batch))

    def __contains__(self, triple: object) -> bool:
        found = self._find(triple)
        return found is not None and FactSet.of(self.batch).has(*found)

    def __repr__(self) -> str:
        return f"<{len(self)} facts>"


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
    _why: Callable[[Any], Removal | None] = field(repr=False, compare=False)

    def why_removed(self, triple: Any) -> Removal | None:
        """What a removed fact rested on that the update took away; None for a fact that is not
        among the `removed`. Found when asked for, in the facts as they were before the update,
        which last as long as the delta is held."""
        return self._why(triple)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed)
