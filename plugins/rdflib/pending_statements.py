"""The explicit statements of a knowledge base, as quads of ids, changed one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from textwrap import indent
from typing import TypeVar

from rdfinc import Delta, KnowledgeBase, RdfincError
from rdfinc.knowledge_base.explanations.violation_groups import Violations
from rdfinc.knowledge_base.process.exclusive_access import Maintain
from rdfinc.knowledge_base.process.warn import warn
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.tables.facts import Batch, batch_of
from rdfinc.terms.leases import Lease

Quad = tuple[int, int, int, int]
QuadPattern = tuple[int | None, int | None, int | None, int | None]


class PendingChanges:
    """The last word on each statement since the last maintenance: stated or not.

    Invariant: with E the explicit statements maintained last, the explicit statements now are
    (E ∖ `removed()`) ∪ `added()`; no statement is in both. All but `matching` is O(1) a statement.
    """

    def __init__(self) -> None:
        self._stated: dict[Quad, bool] = {}

    def __len__(self) -> int:
        return len(self._stated)

    def add(self, quad: Quad) -> None:
        self._stated[quad] = True

    def remove(self, quad: Quad) -> None:
        self._stated[quad] = False

    def added(self) -> list[Quad]:
        return [quad for quad, stated in self._stated.items() if stated]

    def removed(self) -> list[Quad]:
        return [quad for quad, stated in self._stated.items() if not stated]

    def matching(self, pattern: QuadPattern) -> Iterator[Quad]:
        """Those of `added()` that match, None being a wildcard. O(waiting statements)."""
        given = [(i, value) for i, value in enumerate(pattern) if value is not None]
        return (q for q in self.added() if all(q[i] == value for i, value in given))

    def keep(self, removed: Iterable[Quad]) -> None:
        """Forgets everything but these removals."""
        self._stated = dict.fromkeys(removed, False)


T = TypeVar("T")

FEW_PENDING = 1000
"""A pattern is removed without maintenance while at most as many statements are waiting."""


class Statements:
    """The explicit statements of `kb`; graph 0 is the default graph.

    Adding and removing costs nothing but memory until whatever next reads or changes `kb` calls
    `maintain`: one update of all that is waiting. The ids of what is waiting are
    under `_leases`.
    """

    def __init__(self, kb: KnowledgeBase, maintain: Maintain) -> None:
        self.kb, self._maintain = kb, maintain
        self._pending = PendingChanges()
        self._leases: set[Lease] = set()

    def add(self, triple: tuple[bytes, bytes, bytes], graph: bytes | None) -> None:
        """Adds a triple to a graph; None is the default graph."""

        def encoded() -> Quad:
            encode = self.kb.dictionary.encode
            s, p, o = map(encode, triple)
            return s, p, o, 0 if graph is None else encode(graph)

        self._pending.add(self._leased(encoded))

    def begin(self) -> None:
        """Maintains what is waiting elsewhere; raises as that does."""
        self.kb._turns.collect(self._maintain, lambda: None)

    def _leased(self, look_up: Callable[[], T]) -> T:
        def leased() -> T:
            self._leases.add(self.kb.dictionary.lease)
            return look_up()

        return self.kb._turns.collect(self._maintain, leased)

    def remove(self, pattern: Callable[[], QuadPattern | None]) -> None:
        """Removes all statements that match the pattern found by a function, if there is one; in it
        None matches everything, also every graph."""
        found = self._leased(pattern)
        if found is not None:
            self._remove(found)

    def _remove(self, pattern: QuadPattern) -> None:
        s, p, o, g = pattern
        if s is not None and p is not None and o is not None and g is not None:
            self._pending.remove((s, p, o, g))
            return
        if len(self._pending) > FEW_PENDING:
            self._maintain()
        for quad in self._leased(lambda: [*stated(self.kb._reader(), pattern)]):
            self._pending.remove(quad)
        for quad in list(self._pending.matching(pattern)):
            self._pending.remove(quad)

    def maintain(self) -> Delta | None:
        """One update of all that is waiting; None if nothing was.

        Raises what `KnowledgeBase.update` raises. Then the additions are dropped: the error's
        `dropped` lists them. Removals go on waiting, unless they alone were refused.
        """
        if not self._pending:
            return None
        added, removed = self._pending.added(), self._pending.removed()
        try:
            delta = self.apply(Change(delete=by_graph(removed), insert=by_graph(added)))
        except RdfincError as error:
            self._pending.keep(removed if added else [])
            error.dropped = added  # type: ignore[attr-defined]
            raise
        self.forget()
        return delta

    def apply(self, change: Change) -> Delta:
        """One update; warns of the contradictions that it brings where there were none."""
        with self.kb._turns.quietly, self.kb._lock:
            before = contradictions(self.kb)
            delta = self.kb._apply(change)
            if not before and contradictions(self.kb):
                self.kb._turns.later(self._warn)
            return delta

    def _warn(self) -> None:
        """Tells the first contradiction by what has to be mended; all of them may take seconds."""
        found = self.kb.violations()
        if found:
            first = indent(str(Violations(found[:1], self.kb.explain_violation)), "  ")
            more = f"\n  and {len(found) - 1:,} more" if len(found) > 1 else ""
            warn(
                "the graph contradicts itself (kb.violations() has all of it; further"
                f" contradictions are not warned of while there are some):\n{first}{more}"
            )

    def forget(self) -> None:
        """Forgets all waiting statements."""
        self._pending.keep([])
        self._leases.clear()


def contradictions(kb: KnowledgeBase) -> int:
    """How many contradictions there are."""
    return len(kb._engine.version.closure.get(kb._engine.violation))


def stated(reader: Reader, pattern: QuadPattern) -> Iterator[Quad]:
    """The statements that match, None being a wildcard."""
    *triple, graph = pattern
    for g in [0, *reader.graphs()] if graph is None else [graph]:
        for s, p, o in reader.stated(g).match(*triple):
            yield s, p, o, g


def by_graph(quads: Iterable[Quad]) -> dict[int, Batch]:
    groups: dict[int, list[tuple[int, int, int]]] = {}
    for s, p, o, g in quads:
        groups.setdefault(g, []).append((s, p, o))
    return {g: batch_of(facts) for g, facts in groups.items()}
