"""Facts of many relations: batches that travel and sets that grow.

A batch is `{predicate: keys}` with each group non-empty and without repetition. A group of at
most narrow_batch facts is a list (handled fact by fact), a larger one a sorted array (handled by
columns); which form a group has never changes what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, TypeAlias

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import KeptTable, Keys, MutableTable, Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.term_relations import TermRelations
from rdfinc.tables.views import EMPTY

Batch: TypeAlias = "dict[int, Keys]"
MakeTable = Callable[[], MutableTable]


def shaped(keys: Keys) -> Keys:
    """The keys in the form that suits their number."""
    if isinstance(keys, list):
        return keys if len(keys) <= TABLES.narrow_batch else np.sort(np.array(keys, np.uint64))
    return keys.tolist() if keys.size <= TABLES.narrow_batch else keys


def gather(parts: Mapping[int, list[Keys]]) -> Batch:
    """One batch of the facts in all parts, whatever their form, order and repetitions."""
    batch: Batch = {}
    for predicate, groups in parts.items():
        alone = len(groups) == 1 and len(groups[0]) == 1
        keys = shaped(groups[0]) if alone else _gathered(groups)
        if len(keys):
            batch[predicate] = keys
    return batch


def _gathered(groups: list[Keys]) -> Keys:
    if all(isinstance(group, list) for group in groups):
        return shaped(list(dict.fromkeys(key for group in groups for key in group)))
    if len(groups) == 1:
        return shaped(kernels.unique(np.asarray(groups[0], np.uint64)))
    together = np.concatenate([np.asarray(group, np.uint64) for group in groups])
    kernels.sort_in_place(together)
    return shaped(kernels.each_once(together))


def size(batch: Batch) -> int:
    return sum(map(len, batch.values())) if batch else 0


def as_list(keys: Keys) -> list[int]:
    return keys if isinstance(keys, list) else keys.tolist()


def swapped(keys: Keys) -> Keys:
    """The facts with subject and object exchanged."""
    if isinstance(keys, list):
        return [(key & 0xFFFFFFFF) << 32 | key >> 32 for key in keys]
    return kernels.transposed(keys)


def of_classes(keys: Keys, classes: AbstractSet[int], *, inside: bool) -> Keys:
    """The facts of `rdf:type` whose class is, or is not, one of some."""
    if isinstance(keys, list):
        return [key for key in keys if ((key & 0xFFFFFFFF) in classes) == inside]
    chosen = np.empty(keys.size, np.bool_)
    for start in range(0, keys.size, TABLES.grouped_keys_block):
        some = slice(start, start + TABLES.grouped_keys_block)
        chosen[some] = kernels.members(kernels.low(keys[some]), classes) == inside
    return shaped(keys[chosen])


def triples(batch: Batch) -> Iterator[tuple[int, int, int]]:
    """The facts as (s, p, o)."""
    for predicate, keys in batch.items():
        for key in as_list(keys):
            yield key >> 32, predicate, key & 0xFFFFFFFF


def batch_of(facts: Iterable[tuple[int, int, int]]) -> Batch:
    """A batch of the given (s, p, o)."""
    groups: dict[int, list[int]] = {}
    for s, p, o in facts:
        groups.setdefault(p, []).append(s << 32 | o)
    return gather({p: [keys] for p, keys in groups.items()})


def joined(first: Batch, second: Batch) -> Batch:
    """The facts of both; those of a relation that one of them has alone are not copied."""
    if not first or not second:
        return first or second
    both = gather({p: [first[p], second[p]] for p in first.keys() & second.keys()})
    return {**first, **second, **both}


class Queue:
    """Facts that wait: a few are taken one at a time and last first, many a relation at a time."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, list[Keys]]] = []

    def put(self, batch: Batch) -> None:
        few = all(
            isinstance(keys, list) and len(keys) <= TABLES.facts_taken_alone
            for keys in batch.values()
        )
        for predicate, keys in batch.items():
            self._waiting.append((predicate, [[key] for key in keys] if few else [keys]))

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def take(self) -> tuple[int, Keys]:
        """(predicate, keys)."""
        predicate, groups = self._waiting[-1]
        keys = groups.pop()
        if not groups:
            self._waiting.pop()
        return predicate, keys


class FactSet:
    """A set of facts, a table for each predicate that occurs.

    A fork shares its tables with the original. Either side forks a table before changing it, unless
    the table is its `_own`. `_awaited` are empty tables that facts to come go to. `_relations`
    are those of each term, where they were asked for; they go over to the fork.
    """

    __slots__ = ("_awaited", "_own", "_relations", "make", "tables")

    def __init__(self, make: MakeTable = Plain) -> None:
        self.make = make
        self.tables: dict[int, KeptTable] = {}
        self._own: set[int] = set()
        self._awaited: dict[int, MutableTable] = {}
        self._relations: TermRelations | None = None

    @classmethod
    def of(cls, batch: Batch, make: MakeTable = Plain) -> FactSet:
        facts = cls(make)
        facts.extend(batch)
        return facts

    def get(self, predicate: int) -> Table:
        return self.tables.get(predicate, EMPTY)

    def table(self, predicate: int) -> MutableTable:
        """The predicate's table, also if it is empty as yet."""
        table = self.tables.get(predicate)
        if table is None:
            awaited = self._awaited.get(predicate)
            if awaited is None:
                awaited = self._awaited[predicate] = self.make()
            return awaited
        return _mutable(table)

    def expect(self, predicate: int, table: MutableTable) -> None:
        """Has the facts of a relation that has none go to this empty table."""
        self._awaited[predicate] = table

    def __len__(self) -> int:
        return sum(map(len, self.tables.values()))

    def __bool__(self) -> bool:
        return any(map(len, self.tables.values()))

    def has(self, s: int, p: int, o: int) -> bool:
        table = self.tables.get(p)
        return table is not None and table.has(s << 32 | o)

    def add(self, batch: Batch) -> Batch:
        """Adds; returns those that were not there."""
        fresh = self.missing(batch)
        self.extend(fresh)
        return fresh

    def extend(self, batch: Batch) -> None:
        """Adds facts none of which is here."""
        for predicate, keys in batch.items():
            self._changing(predicate).extend(keys)
        if self._relations is not None:
            self._note(batch)

    def discard(self, batch: Batch) -> Batch:
        """Removes; returns those that were there."""
        gone = self.present(batch)
        self.remove(gone)
        return gone

    def remove(self, batch: Batch) -> None:
        """Removes facts all of which are here."""
        for predicate, keys in batch.items():
            if len(keys) == len(self.tables[predicate]):
                self.drop(predicate)
            else:
                self._changing(predicate).remove(keys)

    def _changing(self, predicate: int) -> MutableTable:
        """The predicate's table, to be changed."""
        table = self.tables.get(predicate)
        if predicate in self._own:
            return _mutable(table)
        if table is not None:
            table = _mutable(table).fork()
        else:
            table = self._awaited.pop(predicate) if predicate in self._awaited else self.make()
        self._put(predicate, table)
        return table

    def adopt(self, facts: FactSet, batch: Batch) -> None:
        """Adds `facts`, those of a batch and all new here, taking over their tables for
        predicates without one."""
        for predicate, keys in batch.items():
            if predicate not in self.tables:
                self._put(predicate, facts.tables[predicate])
            elif isinstance(keys, list):
                self._changing(predicate).extend(keys)
            else:
                self._changing(predicate).absorb(facts.table(predicate))
        if self._relations is not None:
            self._note(batch)

    def _put(self, predicate: int, table: KeptTable) -> None:
        self.tables[predicate] = table
        self._own.add(predicate)

    def replace(self, predicate: int, table: KeptTable) -> None:
        """Keeps a relation in another table."""
        self._put(predicate, table)
        if self._relations is not None:
            self._relations.note_other(predicate)

    def keep(self, predicate: int, keys: KeyArray) -> None:
        """Makes the facts of a relation these and no others."""
        table = self.make()
        table.extend(keys)
        self.replace(predicate, table)

    def drop(self, predicate: int) -> None:
        """Removes all facts of a relation."""
        self.tables.pop(predicate, None)
        self._own.discard(predicate)

    def share(self, predicate: int, table: MutableTable) -> None:
        """Takes the facts of a table that others hold, for a predicate without facts here."""
        self.tables[predicate] = table
        if self._relations is not None:
            self._relations.note_other(predicate)

    @property
    def relations(self) -> TermRelations:
        """The relations of each term, if they are noted."""
        if self._relations is None:
            self._relations = TermRelations()
        return self._relations

    def forget_relations(self) -> None:
        """Notes no relations of terms any more: what is noted may name relations without facts."""
        self._relations = None

    def _note(self, batch: Batch) -> None:
        assert self._relations is not None
        for predicate, keys in batch.items():
            self._relations.note(predicate, keys)

    def missing(self, batch: Batch) -> Batch:
        """The facts of the batch that are not here."""
        kept: Batch = {}
        for predicate, keys in batch.items():
            table = self.tables.get(predicate)
            some = keys if table is None else table.missing(keys)
            if len(some):
                kept[predicate] = shaped(some)
        return kept

    def present(self, batch: Batch) -> Batch:
        """The facts of the batch that are here."""
        kept: Batch = {}
        for predicate, keys in batch.items():
            table = self.tables.get(predicate)
            if table is not None and len(some := table.present(keys)):
                kept[predicate] = shaped(some)
        return kept

    def split(self, batch: Batch) -> tuple[Batch, Batch]:
        """The facts of the batch that are here, and those that are not."""
        return self.present(batch), self.missing(batch)

    def batch(self) -> Batch:
        """All facts."""
        if not self.tables:
            return {}
        return {p: shaped(keys) for p, t in self.tables.items() if len(keys := t.all())}

    def fork(self) -> FactSet:
        """An equal set; before either changes a table, it takes one of its own. O(predicates)."""
        twin = FactSet(self.make)
        twin.tables = dict(self.tables)
        twin._relations, self._relations = self._relations, None
        self._own.clear()
        return twin


def _mutable(table: Any) -> MutableTable:
    assert table.changes_by_fact, "of facts that are there one by one"
    mutable: MutableTable = table
    return mutable
