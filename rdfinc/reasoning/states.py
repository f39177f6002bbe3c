"""The states of the facts in which literals are read during an update.

A state denotes ((base ∖ minus) ∪ plus), a table for each predicate. Nothing is copied: a state
is a set of views, cheap to make anew for every batch. `plus` is disjoint from what is left of
the base.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rdfinc.tables.facts import Batch, FactSet, shaped
from rdfinc.tables.table import MutableTable, Table
from rdfinc.tables.views import EMPTY, With, Without


class State:
    """(base ∖ all of `minus`) ∪ `plus`, without `hidden`."""

    __slots__ = ("_base", "_hidden", "_minus", "_plus", "_views")

    def __init__(
        self,
        base: Mapping[int, Table],
        minus: Iterable[FactSet] = (),
        plus: FactSet | None = None,
        hidden: FactSet | None = None,
    ) -> None:
        self._base = base
        self._minus = tuple(minus)
        self._plus = plus
        self._hidden = hidden
        self._views: dict[int, Table] = {}

    def table(self, predicate: int) -> Table:
        view = self._views.get(predicate)
        if view is None:
            view = self._views[predicate] = self._view(predicate)
        return view

    def _view(self, predicate: int) -> Table:
        view: Table = self._base.get(predicate, EMPTY)
        for facts in self._minus:
            gone = facts.tables.get(predicate)
            if gone is not None and len(gone):
                view = Without(view, gone)
        more = self._plus.tables.get(predicate) if self._plus else None
        if more is not None and len(more):
            view = more if view is EMPTY else With(view, more)
        hidden = self._hidden.tables.get(predicate) if self._hidden else None
        if hidden is not None and len(hidden):
            covers = isinstance(view, MutableTable) and len(hidden) == len(view)
            return EMPTY if covers else Without(view, hidden)
        return view

    def predicates(self) -> list[int]:
        """Those that may have facts."""
        more = self._plus.tables if self._plus else {}
        return list(dict.fromkeys((*self._base, *more)))

    def has(self, s: int, p: int, o: int) -> bool:
        return self.table(p).has(s << 32 | o)

    def present(self, batch: Batch) -> Batch:
        """Those of the batch that are in this state."""
        kept = {p: self.table(p).present(keys) for p, keys in batch.items()}
        return {p: shaped(keys) for p, keys in kept.items() if len(keys)}

    def missing(self, batch: Batch) -> Batch:
        """Those of the batch that are not in this state."""
        kept = {p: self.table(p).missing(keys) for p, keys in batch.items()}
        return {p: shaped(keys) for p, keys in kept.items() if len(keys)}
