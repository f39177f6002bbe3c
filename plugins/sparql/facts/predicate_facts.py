"""The facts of one predicate that a graph shows, as a relation between columns of ids.

`PredicateTable` is what a reader keeps of them, `PredicateFacts` the same as one query reads it.
What is shown is decided by `knowledge_base.versions.visibility`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np

from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.plugins.sparql.columns.query_terms import LOCAL
from rdfinc.plugins.sparql.columns.solutions import Ids
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.tables import kernels
from rdfinc.tables.facts import FactSet
from rdfinc.tables.kernels import Indices, KeyArray, extent
from rdfinc.tables.views import EMPTY
from rdfinc.terms.builtins.value_arrays import ValueArrays
from rdfinc.terms.builtins.value_order import ValueOrder

Links = tuple[Indices, Ids]


class Relation(Protocol):
    """A multiset of pairs (s, o): a predicate's facts, or what a property path connects.

    Columns may hold ids that are in no pair, those of a query's own terms among them.
    """

    def by_subjects(self, subjects: Ids) -> Links:
        """(index into `subjects`, object) for every pair."""

    def by_objects(self, objects: Ids) -> Links:
        """(index into `objects`, subject) for every pair."""

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        """Each row as often as there are such pairs."""

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        """All pairs, in blocks, of which the first ones may be small."""

    def count(self, s: int | None, o: int | None) -> int:
        """About how many pairs match; None matches all."""


class ShownFacts(Protocol):
    """The facts shown by one graph: `shown` without `excepted`, as a reader has them."""

    reader: Reader
    shown: FactSet
    excepted: FactSet
    stated_only: bool


class PredicateTable:
    """The facts of one predicate shown by a graph: those of `table`, without those of `excepted`
    and those that are never shown (`Visibility`), of which none is explicit. `size` is about how
    many facts the table has."""

    __slots__ = ("excepted", "explicit", "is_closed", "predicate", "shows_all", "size")
    __slots__ += ("stated_only", "table", "version", "visibility")

    def __init__(self, facts: ShownFacts, predicate: int) -> None:
        version = facts.reader.version
        self.predicate, self.version = predicate, version
        self.visibility, self.explicit = facts.reader.visibility, version.explicit.get
        self.excepted = facts.excepted.get(predicate)
        self.table = facts.shown.get(predicate)
        stated = self.explicit(predicate)
        self.size = self.table.at_most()
        self.stated_only = facts.stated_only or self.size == len(stated)
        self.shows_all = self.stated_only and self.excepted is EMPTY
        self.is_closed = facts.shown is version.closure and not facts.excepted

    @property
    def is_transitive(self) -> bool:
        """Whether it is known to be its own transitive closure: rules say so, and nothing of it is
        left out."""
        predicate, version, visibility = self.predicate, self.version, self.visibility
        module = version.modules.of.get(predicate)
        if module is None or not self.is_closed:
            return False
        kind = version.closure_kinds.get(module.external)
        closes = kind is not None and kind.transitive and kind.diagonal
        return (
            closes and not visibility.never_shows(predicate) and not visibility.chooses(predicate)
        )

    def shows_all_about(self, subjects: Ids) -> bool:
        """Whether the table's facts about some subjects are known to be shown."""
        if self.shows_all or self.excepted is not EMPTY:
            return self.shows_all
        may_leave_out = self.visibility.may_leave_out
        return self.stated_only or (
            len(subjects) == 1 and not may_leave_out(self.predicate, int(subjects[0]))
        )

    def kept(self, keys: KeyArray) -> Indices | slice:
        """Which of the table's keys are shown."""
        if self.shows_all:
            return slice(None)
        shown = np.ones(len(keys), np.bool_)
        if not self.stated_only:
            shown = self.visibility.are_shown(self.predicate, keys, self.explicit)
        if self.excepted is not EMPTY:
            shown &= ~self.excepted.contains(keys)
        return slice(None) if shown.all() else np.flatnonzero(shown)

    def shown_objects(self, subject: int, objects: list[int]) -> list[int]:
        """The objects of facts that are shown, among those of a subject."""
        if self.shows_all or not objects:
            return objects
        if not self.stated_only and self.visibility.may_leave_out(self.predicate, subject):
            objects = self.visibility.shown_objects(self.predicate, subject, objects, self.explicit)
        if self.excepted is not EMPTY:
            head, is_excepted = subject << 32, self.excepted.has
            objects = [o for o in objects if not is_excepted(head | o)]
        return objects

    def shows(self, key: int) -> bool:
        """Whether a fact of the table is shown."""
        if self.shows_all:
            return True
        if self.excepted is not EMPTY and self.excepted.has(key):
            return False
        explicit = self.version.explicit
        return self.stated_only or self.visibility.shows(self.predicate, key, explicit)


class PredicateFacts:
    """The facts of one predicate shown by a graph, as they are read for one query. Of `few`, ids
    and pairs are Python's, one by one."""

    __slots__ = ("_check", "_known")

    def __init__(self, known: PredicateTable, check: Callable[[], object]) -> None:
        self._known, self._check = known, check

    @property
    def is_transitive(self) -> bool:
        """As of the table."""
        return self._known.is_transitive

    def in_order(self, values: ValueArrays) -> ValueOrder | None:
        """The objects, and perhaps other terms, in the order of their values; None where that is
        not known, or where facts are held about representatives."""
        predicate, version = self._known.predicate, self._known.version
        if not version.aliases.trivial:
            return None
        return version.ordered().of(predicate, version.closure.get(predicate), values)

    def by_subjects(self, subjects: Ids) -> Links:
        self._check()
        known, subjects = _known(subjects)
        index, objects = self._known.table.by_subjects(subjects)
        if self._known.shows_all_about(subjects):
            return known[index], objects
        kept = self._known.kept(kernels.pack(subjects[index], objects))
        return known[index[kept]], objects[kept]

    def by_objects(self, objects: Ids) -> Links:
        self._check()
        known, objects = _known(objects)
        index, subjects = self._known.table.by_objects(objects)
        kept = self._known.kept(kernels.pack(subjects, objects[index]))
        return known[index[kept]], subjects[kept]

    def between(self, subjects: Ids, objects: Ids) -> Indices:
        self._check()
        known = np.flatnonzero((subjects < LOCAL) & (objects < LOCAL))
        keys = kernels.pack(subjects[known], objects[known])
        there = np.flatnonzero(self._known.table.contains(keys))
        return known[there[self._known.kept(keys[there])]]

    def few_objects(self, subject: int, most: int) -> list[int] | None:
        """The objects of a subject; None where there may be more than so many."""
        self._check()
        if subject >= LOCAL:
            return []
        objects = self._known.table.few_objects(subject, most)
        return None if objects is None else self._known.shown_objects(subject, objects)

    def few_subjects(self, object_: int, most: int) -> list[int] | None:
        """The subjects of an object; None where there may be more than so many."""
        self._check()
        if object_ >= LOCAL:
            return []
        subjects = self._known.table.few_subjects(object_, most)
        if not subjects or self._known.shows_all:
            return subjects
        shows = self._known.shows
        return [s for s in subjects if shows(s << 32 | object_)]

    def has(self, subject: int, object_: int) -> bool:
        self._check()
        if subject >= LOCAL or object_ >= LOCAL:
            return False
        key = subject << 32 | object_
        return self._known.table.has(key) and self._known.shows(key)

    def pairs(self) -> Iterator[tuple[Ids, Ids]]:
        first, growth = QUERIES.first_solutions, QUERIES.block_growth
        blocks, most = self._known.table.blocks(), QUERIES.solutions_block
        for keys in map(self._shown, kernels.in_growing_parts(blocks, first, growth, most)):
            yield kernels.high(keys), kernels.low(keys)

    def _shown(self, keys: KeyArray) -> KeyArray:
        self._check()
        return keys[self._known.kept(keys)]

    def count(self, s: int | None, o: int | None) -> int:
        known = self._known
        return known.size if s is None and o is None else known.table.count(s, o)


def _known(ids: Ids) -> tuple[Indices | _Same, Ids]:
    """The ids among some that may be the store's, and their places."""
    if extent(ids)[1] < LOCAL:
        return _SAME, ids
    at = np.flatnonzero(ids < LOCAL)
    return at, ids[at]


class _Same:
    """All positions, as they are."""

    def __getitem__(self, index: Indices) -> Indices:
        return index


_SAME = _Same()
