"""The facts of predicates that have few each: where such predicates are many, their facts are
looked up together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.tables.indexed_rows import IndexedRows

MakeRows = Callable[[Collection[int]], IndexedRows]
"""Gives the facts of some predicates as rows."""


class RareFacts:
    """Which predicates of some relations, given by about how many pairs they have, are rare; and
    the facts of these as rows.

    `predicates` are all that may have facts, `total` is about how many facts there are.
    """

    def __init__(self, sizes: Mapping[int, int], may_be_rare: Callable[[int], bool]) -> None:
        self.predicates, self.total = [p for p, n in sizes.items() if n], sum(sizes.values())
        few = (p for p in self.predicates if sizes[p] <= KNOWLEDGE.rare_pairs)
        self._rare = {p: sizes[p] for p in few if may_be_rare(p)}
        self._size = sum(self._rare.values())
        self._looked_at = 0
        self._rows: IndexedRows | None = None

    def rows(self, predicates: Collection[int], make: MakeRows) -> IndexedRows | None:
        """The facts of all rare predicates, unless those of some are better looked up by predicate:
        where these are few, or all looked up so far took less time than it takes to make rows."""
        if len(predicates) < KNOWLEDGE.few_predicates or not self._rare:
            return None
        if self._rows is None:
            self._looked_at += len(predicates)
            if self._size > self._looked_at * KNOWLEDGE.look_up_pairs:
                return None
            self._rows = make(self._rare)
        return self._rows

    def common(self, predicates: Collection[int]) -> list[int]:
        """Those predicates that are not rare."""
        return [p for p in predicates if p not in self._rare]
