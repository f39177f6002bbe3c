"""Answers about plans that facts of parameter tables gave, kept until such facts change."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from collections.abc import Set as AbstractSet
from typing import Any, Protocol

import numpy as np
from msgspec import Struct

from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.foundation import Foundation
from rdfinc.reasoning.program.schema_terms import SchemaTerms
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch
from rdfinc.tables.table import Keys

Relation = tuple[int, int | None]
"""A predicate, and under `rdf:type` a class if only its members are meant."""

ANY = 0
"""Stands for any term."""


class Context(Protocol):
    """The facts that plans are found in: those before an update and those that it has added so far.
    `changed` are the terms that changed facts of finished strata's parameter tables are about, ANY
    among them if they may be about any. The first derived fact of `awaited_equality` (0 for none)
    may make strata over representatives better: `ask_for_rewriting` then says whether it does."""

    @property
    def changed(self) -> AbstractSet[int]: ...

    @property
    def awaited_equality(self) -> int: ...

    def met(self) -> State: ...

    def ask_for_rewriting(self) -> bool: ...


class Still(Struct, frozen=True):
    """Facts that no update changes."""

    facts: State
    changed: AbstractSet[int] = frozenset()
    awaited_equality: int = 0

    def met(self) -> State:
        return self.facts

    def ask_for_rewriting(self) -> bool:
        return False


class Remembering(Protocol):
    """Plans by the relation that drives them."""

    def drop(self, relation: Relation) -> None: ...

    def forget(self) -> None: ...


Entry = tuple[Remembering, Relation | None]
"""The plans that a relation drives, as far as an index remembers them; None for all relations."""


class PlanMemory:
    """What was found out about the plans of some strata, right for the facts of their parameter
    tables.

    The plans found for a relation depend on facts about the terms that they were found by, its own
    among them (`depend`), and on which relations are empty (`lacks`). Whatever changed facts are
    about is forgotten, once while an update changes them, and again after it; what is found in
    between holds with and without these facts: it looks among the rows before and after. A row that
    goes may leave a plan without matches behind.
    """

    def __init__(self, strata: Strata) -> None:
        self._type = strata.type
        self.foundation = Foundation(strata)
        self.terms = SchemaTerms(strata.schema.predicates - {strata.type})
        self.seconds = 0.0
        """The processor time of this thread in which plans were found."""
        self.indexes: list[Remembering] = []
        self._rows: dict[int, dict[tuple[int, int | None, int | None], bool]] = {}
        self._by_term: dict[int, set[Entry]] = {}
        self._lacking: dict[int, set[Entry]] = {}
        self._awaited: dict[int, dict[int, set[Entry]]] = {}
        self.answers: list[dict[int, Any]] = []
        """Answers that are forgotten together with any plans."""

    def has_row(self, predicate: int, s: int | None, o: int | None, context: Context) -> bool:
        """Whether a relation of lower strata has a fact with these ends; None is any term. Plans of
        one family ask the same."""
        rows = self._rows.setdefault(o or ANY if s is None else s, {})
        found = rows.get((predicate, s, o))
        if found is None:
            table = context.met().table(predicate)
            if s is None:
                found = len(table) > 0 if o is None else table.is_object(o)
            else:
                found = table.is_subject(s) if o is None else table.has(s << 32 | o)
            rows[predicate, s, o] = found
        return found

    def lacks(self, relations: Iterable[int], context: Context, entry: Entry) -> bool:
        """Whether one of the relations is empty, before the update and so far after it. The entry
        is found anew when that one gains facts."""
        table = context.met().table
        for predicate in relations:
            if not table(predicate).at_most():
                self._lacking.setdefault(predicate, set()).add(entry)
                return True
        return False

    def await_row(self, entry: Entry, predicate: int, term: int) -> None:
        """Has an entry found anew when a relation of its own stratum gains a fact about a term."""
        self._awaited.setdefault(predicate, {}).setdefault(term, set()).add(entry)

    def depend(self, entry: Entry, terms: Iterable[int]) -> None:
        """Notes that an entry depends on facts about some terms."""
        for term in terms:
            self._by_term.setdefault(term, set()).add(entry)

    def appear(self, batch: Batch) -> None:
        """Called with the facts that an update adds."""
        self.terms.note(batch)
        self.foundation.note(batch)
        if self._lacking and not self._lacking.keys().isdisjoint(batch):
            for predicate in self._lacking.keys() & batch.keys():
                self._drop(self._lacking.pop(predicate))
        if self._awaited and not self._awaited.keys().isdisjoint(batch):
            for predicate in self._awaited.keys() & batch.keys():
                awaited = self._awaited[predicate]
                for term in awaited.keys() & {ANY, *_ends_among(batch[predicate], awaited)}:
                    self._rows.pop(term, None)
                    self._drop(awaited.pop(term))

    def shift(self, relation: int) -> None:
        """Called when an update keeps a relation in another table."""
        self.terms.note_other(relation)
        self.appear({relation: [0]})

    def change(self, terms: AbstractSet[int]) -> None:
        """Called with the terms that changed facts of parameter tables are about."""
        if len(terms) > REASONING.changed_terms or not terms.isdisjoint((ANY, self._type)):
            self._forget_plans()
            return
        for term in terms:
            self._rows.pop(term, None)
            if found := self._by_term.pop(term, None):
                self._drop(found)

    def _drop(self, entries: Iterable[Entry]) -> None:
        for index, relation in entries:
            if relation is None:
                index.forget()
            else:
                index.drop(relation)
        for answers in self.answers:
            answers.clear()

    def forget(self) -> None:
        """Forgets all that was found out. Called when relations are kept in other tables."""
        self.terms.forget()
        self._forget_plans()

    def _forget_plans(self) -> None:
        self._rows.clear()
        self._by_term.clear()
        self._lacking.clear()
        self._awaited.clear()
        self._drop((index, None) for index in self.indexes)


def terms_of(batch: Batch) -> set[int]:
    """The terms at the ends of some facts."""
    return {end for keys in batch.values() for end in _ends(keys)}


def _ends_among(keys: Keys, terms: Collection[int]) -> Iterable[int]:
    """The terms at the ends of some facts, at least those among some terms."""
    if isinstance(keys, list):
        return _ends(keys)
    ids = np.array(list(terms), np.uint32)
    ends = kernels.high(keys), kernels.low(keys)
    return [id for column in ends for id in ids[np.isin(ids, column)].tolist()]


def _ends(keys: Keys) -> Iterable[int]:
    if isinstance(keys, list):
        return (end for key in keys for end in (key >> 32, key & 0xFFFFFFFF))
    columns = map(kernels.unique_ids, (kernels.high(keys), kernels.low(keys)))
    return (id for column in columns for id in column.tolist())
