"""Changes of the explicit statements of a knowledge base: buffered, maintained, taken back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rdfinc.errors import RdfincError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.plugins.pending import PendingChanges, Quad, QuadPattern

FEW_PENDING = 1000
"""A pattern is removed without maintenance while at most as many statements are waiting."""


class Statements:
    """The explicit statements of `kb` as quads of ids, graph 0 being the default graph.

    Adding and removing costs nothing but memory until `maintain` makes one update of all that is
    waiting. What is read of `kb` itself is the state of the last maintenance.
    """

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb
        self._pending = PendingChanges()

    def add(self, quad: Quad) -> None:
        self._pending.add(quad)

    def remove(self, pattern: QuadPattern) -> None:
        """Removes all that match now; None matches everything, also every graph."""
        if None not in pattern:
            self._pending.remove(pattern)
            return
        if len(self._pending) > FEW_PENDING:
            self.maintain()
        for quad in [*stated(self.kb.reader(), pattern), *self._pending.matching(pattern)]:
            self._pending.remove(quad)

    def maintain(self) -> Any:
        """One update of all that is waiting: its delta, or None if nothing was.

        If it is refused, what was to be added is dropped (and listed as the error's `dropped`);
        removals go on waiting, unless they alone were refused.
        """
        added, removed = self._pending.added(), self._pending.removed()
        if not added and not removed:
            return None
        try:
            delta = self.kb.update_ids(insert=added, delete=removed)
        except RdfincError as error:
            error.dropped = added
            self._pending.clear()
            for quad in removed if added else ():
                self._pending.remove(quad)
            raise
        self._pending.clear()
        return delta
