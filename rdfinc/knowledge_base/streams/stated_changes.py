"""What came and went among the statements and rules of a knowledge base in a directory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct

from rdfinc.datalog.model import Rule
from rdfinc.knowledge_base.versions.change import Change, Statements
from rdfinc.tables.facts import size, triples
from rdfinc.terms.leases import Lease

Decode = Callable[[int], Any]


class StatementsOfGraphs:
    """Statements, sized and iterable, as `update` takes them: (s, p, o) of the default graph, and
    (s, p, o, graph). They are decoded as they are read, and valid while held."""

    def __init__(self, statements: Statements, decode: Decode, lease: Lease) -> None:
        self._statements, self._decode, self._lease = statements, decode, lease

    def __len__(self) -> int:
        return sum(map(size, self._statements.values()))

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        decode = self._decode
        for graph, batch in self._statements.items():
            name = (decode(graph),) if graph else ()
            for s, p, o in triples(batch):
                yield (decode(s), decode(p), decode(o), *name)

    def __repr__(self) -> str:
        return f"<{len(self)} statements>"


class Changes(Struct, frozen=True):
    """The net change of statements and rules after change number `since`, up to `number`: `update`
    with `added` and `removed` makes it elsewhere. A statement is in one of them at most."""

    since: int
    number: int
    added: StatementsOfGraphs
    removed: StatementsOfGraphs
    rules_added: tuple[Rule, ...]
    rules_removed: tuple[Rule, ...]

    @classmethod
    def of(cls, since: int, number: int, change: Change, decode: Decode, lease: Lease) -> Changes:
        added, removed = (
            StatementsOfGraphs(side, decode, lease) for side in (change.insert, change.delete)
        )
        rules = tuple(change.rules_added.values()), tuple(change.rules_removed.values())
        return cls(since, number, added, removed, *rules)

    def __bool__(self) -> bool:
        rules = self.rules_added or self.rules_removed
        return bool(rules or len(self.added) or len(self.removed))
