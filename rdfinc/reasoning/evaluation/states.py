"""The states of the facts in which literals are read during an update.

Nothing is copied: a state is a set of views, one for each predicate, made when first asked for.
They stay right while the sets that they are made of grow or shrink.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Protocol, cast

from rdfinc.reasoning.evaluation.related import Related
from rdfinc.tables.facts import Batch, FactSet, MakeTable, shaped
from rdfinc.tables.marks import Marked
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import Table
from rdfinc.tables.views import EMPTY, DifferenceView, Members, With


def overlaid(base: Mapping[int, Table], over: dict[int, Table]) -> Mapping[int, Table]:
    """The tables of `base` with others for some relations; follows changes of both."""
    return ChainMap(over, cast("dict[int, Table]", base))


class Removed(Protocol):
    """A set of facts that a state lacks."""

    def table(self, predicate: int) -> Members: ...


class State:
    """(base ∖ all of `minus`) ∪ `plus`; `plus` is disjoint from what is left of the base. Tables
    that do not change fact by fact are taken as they are.

    A negated literal holds where its fact is missing from `negated`: the same set, or `lacking`,
    all facts before and after an update, where the literal is to hold before and after.

    `related` tells of a superset of the relations that terms have facts of.
    """

    __slots__ = ("_base", "_lacking", "_minus", "_plus", "_views", "related")

    def __init__(
        self,
        base: Mapping[int, Table],
        minus: tuple[Removed, ...] = (),
        plus: FactSet | None = None,
        lacking: State | None = None,
        related: Related | None = None,
    ) -> None:
        self._base, self._minus, self._plus, self._lacking = base, minus, plus, lacking
        self.related = related
        self._views: dict[int, Table] = {}

    def table(self, predicate: int) -> Table:
        view = self._views.get(predicate)
        if view is None:
            view = self._views[predicate] = self._view(predicate)
        return view

    def changes_by_fact(self, predicate: int) -> bool:
        """Whether a relation is kept in a table that changes fact by fact, or in none."""
        table = self._base.get(predicate, EMPTY)
        return table is EMPTY or table.changes_by_fact

    def negated(self, predicate: int) -> Table:
        """The table from which a negated literal's fact must be missing; for relations of lower
        strata."""
        return (self._lacking or self).table(predicate)

    def _view(self, predicate: int) -> Table:
        view: Table = self._base.get(predicate, EMPTY)
        if view.changes_by_fact:
            for facts in self._minus:
                gone = facts.table(predicate)
                view = EMPTY if gone is view else DifferenceView(view, gone)
        elif view is not EMPTY:
            return view
        if self._plus is None:
            return view
        more = self._plus.table(predicate)
        return more if view is EMPTY else With(view, more)

    def instead(self, tables: dict[int, Table]) -> State:
        """This state with other tables for some relations."""
        return State(overlaid(self._base, tables), self._minus, self._plus, self._lacking)

    def predicates(self) -> list[int]:
        """The predicates that may have facts."""
        more = self._plus.tables if self._plus is not None else {}
        return list(dict.fromkeys((*self._base, *more)))

    def batch(self) -> Batch:
        """All facts."""
        found = {p: shaped(self.table(p).scan()) for p in self.predicates()}
        return {p: keys for p, keys in found.items() if len(keys)}

    def has(self, s: int, p: int, o: int) -> bool:
        return self.table(p).has(s << 32 | o)

    def present(self, batch: Batch) -> Batch:
        """The facts of the batch that are in this state."""
        kept = {p: self.table(p).present(keys) for p, keys in batch.items()}
        return {p: shaped(keys) for p, keys in kept.items() if len(keys)}

    def missing(self, batch: Batch) -> Batch:
        """The facts of the batch that are not in this state."""
        kept: Batch = {}
        for predicate, keys in batch.items():
            some = self.table(predicate).missing(keys)
            if len(some):
                kept[predicate] = shaped(some)
        return kept


class Changed(State):
    """(base ∖ `gone`) ∪ `come`; `come` is disjoint from base ∖ `gone`."""

    __slots__ = ("_come", "_gone", "_make")

    def __init__(
        self, base: Mapping[int, Table], gone: Batch, come: Batch, make: MakeTable = Plain
    ) -> None:
        super().__init__(base)
        self._gone, self._come, self._make = gone, come, make

    def _view(self, predicate: int) -> Table:
        view: Table = self._base.get(predicate, EMPTY)
        if predicate in self._gone:
            view = DifferenceView(view, Marked(self._gone[predicate]))
        if predicate in self._come:
            more = self._make()
            more.extend(self._come[predicate])
            view = With(view, more)
        return view

    def predicates(self) -> list[int]:
        return list(dict.fromkeys((*self._base, *self._come)))


class Tables(Mapping[int, Table]):
    """The relations that may have facts in a state, with their tables."""

    def __init__(self, state: State) -> None:
        self._state = state

    def __getitem__(self, predicate: int) -> Table:
        table = self._state.table(predicate)
        if table is EMPTY:
            raise KeyError(predicate)
        return table

    def __iter__(self) -> Iterator[int]:
        return iter(self._state.predicates())

    def __len__(self) -> int:
        return len(self._state.predicates())


class Hiding(State):
    """A state without the facts of a batch; negated literals must miss `lost` as well."""

    __slots__ = ("_batch", "_lost", "_state")

    def __init__(self, state: State, batch: Batch, lost: FactSet | None = None) -> None:
        self._views = {}
        self._state, self._batch, self._lost = state, batch, lost
        self.related = state.related

    def negated(self, predicate: int) -> Table:
        present = self._state.negated(predicate)
        return present if self._lost is None else With(present, self._lost.table(predicate))

    def _view(self, predicate: int) -> Table:
        view, keys = self._state.table(predicate), self._batch.get(predicate)
        if keys is None:
            return view
        if view.changes_by_fact and len(view) == len(keys):
            return EMPTY
        return DifferenceView(view, Marked(keys))

    def predicates(self) -> list[int]:
        return self._state.predicates()


class Earlier(Hiding):
    """A state as it was before a batch came in: without the batch's facts if they are few, and
    for relations that gained many with the read copies of their tables in `was`."""

    __slots__ = ("_was",)

    def __init__(self, state: State, batch: Batch, was: State) -> None:
        super().__init__(state, batch)
        self._was = was

    def _view(self, predicate: int) -> Table:
        if isinstance(self._batch.get(predicate, []), list):
            return super()._view(predicate)
        return self._was.table(predicate)
