"""Rules that are left out of the program while they can have no instance.

A rule sleeps until two of its literals have a match; if they share no variable, until the first of
them has. A sleeping rule has no instance: leaving it out changes nothing, and spares the program
its dependencies and plans. A rule that has woken stays awake.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from rdfinc.datalog.model import RDF_TYPE, Atom, Rule, Term, Var
from rdfinc.knowledge_base.rules.gains import Gains, Tables
from rdfinc.knowledge_base.rules.term_encoding import TermEncoder
from rdfinc.owl.profiles.profile_rules import Asleep
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.evaluation.states import Tables as TablesOf
from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.table import Table

ANY = 0
"""Stands for any term."""

_BY_NAME = (RDF_TYPE, f"<{OWL}sameAs>")
"""Relations that sleeping rules mean only where they name them."""


class Side(NamedTuple):
    """The subjects or objects of a relation, or of any relation. If `other` is given, only those
    of facts with it at the other end."""

    predicate: int
    other: int
    subject: bool

    def names(self, table: Table) -> bool:
        """Whether a table has facts with the other term."""
        return table.is_object(self.other) if self.subject else table.is_subject(self.other)

    def of(self, table: Table) -> IdArray:
        """The terms on this side of a table."""
        if self.other == ANY:
            return table.all_subjects() if self.subject else table.all_objects()
        known = np.array([self.other], np.uint32)
        return (table.by_objects(known) if self.subject else table.by_subjects(known))[1]

    def meets(self, table: Table, ids: IdArray) -> bool:
        """Whether some of the ids are on this side of a table."""
        if self.other != ANY:
            ends = (ids, self.other) if self.subject else (self.other, ids)
            return bool(table.contains(kernels.pack(*ends)).any())
        return bool((table.are_subjects(ids) if self.subject else table.are_objects(ids)).any())


class _Ends:
    """The terms on a side of a table, found once."""

    def __init__(self, side: Side, table: Table) -> None:
        self._side, self._table, self._size = side, table, table.at_most()

    @cached_property
    def _ids(self) -> IdArray:
        return self._side.of(self._table)

    def meet(self, other: _Ends) -> bool:
        """Whether they have a term in common."""
        if self._size > other._size:
            return other.meet(self)
        return bool(self._ids.size) and other._side.meets(other._table, self._ids)


class Cue(NamedTuple):
    """The condition that wakes a rule: one term on both sides, or any term on its only side."""

    first: Side
    second: Side | None


_NO_SIDES: Mapping[Side, list[Cue]] = {}


class Sleeping:
    """The sleeping rules by their cues, and the cues by their sides; `_fresh` are cues that were
    not compared with the facts yet.

    A look for cues costs a look-up for each relation with new facts, and one for each term named by
    a side of it. A cue about such a term, or about any, costs a look at the new facts, or at the
    facts of its other relation if they are fewer.
    """

    def __init__(self, encoder: TermEncoder) -> None:
        self._encoder = encoder
        self._by_name = {encoder.constant(name) for name in _BY_NAME}
        self._rules: dict[Cue, list[Asleep]] = {}
        self._sides: dict[int, dict[Side, list[Cue]]] = {}
        self._fresh: set[Cue] = set()

    def copy(self, encoder: TermEncoder) -> Sleeping:
        twin = Sleeping(encoder)
        twin._rules = {cue: list(rules) for cue, rules in self._rules.items()}
        twin._sides = {
            p: {side: list(cues) for side, cues in sides.items()}
            for p, sides in self._sides.items()
        }
        twin._fresh = set(self._fresh)
        return twin

    def add(self, rules: Iterable[Asleep]) -> None:
        """Puts rules to sleep."""
        for each in rules:
            cue = self._cue(each.first, each.second)
            if cue not in self._rules:
                self._fresh.add(cue)
                for side in filter(None, cue):
                    self._sides.setdefault(side.predicate, {}).setdefault(side, []).append(cue)
            self._rules.setdefault(cue, []).append(each)

    def woken(self, before: Tables, gains: Gains, after: Callable[[], State]) -> list[Rule]:
        """The rules that a change wakes: the facts before it, what relations gain by it, and the
        facts after it."""
        sides = self._sides
        if sides.keys().isdisjoint(gains.facts) and not (self._fresh or ANY in sides):
            return []
        found: list[Rule] = []
        while woken := [
            each for cue in self._met(before, gains, after) for each in self._take(cue)
        ]:
            found += self._wake(woken)
        return found

    def all(self) -> list[Rule]:
        """Wakes every rule."""
        found: list[Rule] = []
        while self._rules:
            found += self._wake([each for cue in [*self._rules] for each in self._take(cue)])
        return found

    def _check(self, facts: Tables, awake: Container[object]) -> None:
        """Asserts that no rule sleeps on whose cue has a match, but for rules with several cues
        that are `awake` because of another one."""
        known = Gains(facts)
        for cue in self._rules.keys() - self._fresh:
            if self._wakes(cue, known, facts):
                given = chain.from_iterable(each.rules() for each in self._rules[cue])
                assert all(rule in awake for rule in given), cue

    def _wake(self, woken: Iterable[Asleep]) -> Iterable[Rule]:
        """The rules among what some give; puts the others to sleep."""
        given = [each for rules in woken for each in rules.rules()]
        self.add(other for other in given if not isinstance(other, Rule))
        return (rule for rule in given if isinstance(rule, Rule))

    def _met(self, before: Tables, gains: Gains, after: Callable[[], State]) -> list[Cue]:
        """The cues that a change meets; fresh ones also those that were met before it."""
        found: list[Cue] = []
        if touched := self._touched(before, gains.facts):
            facts = TablesOf(after())
            found = [cue for cue in touched if self._wakes(cue, gains, facts)]
        known = Gains(before)
        found += [c for c in self._fresh.difference(found) if self._wakes(c, known, before)]
        self._fresh.clear()
        return found

    def _touched(self, before: Tables, added: Tables) -> dict[Cue, None]:
        """The cues with one side that may have new terms, and facts of the other side's
        relation."""
        sides = [
            cues
            for p in added
            for side, cues in self._sides.get(p, _NO_SIDES).items()
            if side.other == ANY or side.names(added[p])
        ]
        sides += self._sides.get(ANY, _NO_SIDES).values()
        return {
            cue: None
            for cues in sides
            for cue in cues
            if all(
                side.predicate == ANY or side.predicate in before or side.predicate in added
                for side in filter(None, cue)
            )
        }

    def _take(self, cue: Cue) -> list[Asleep]:
        for side in filter(None, cue):
            self._sides[side.predicate][side].remove(cue)
        return self._rules.pop(cue)

    def _wakes(self, cue: Cue, gains: Gains, after: Tables) -> bool:
        """Whether what relations gain is part of a match."""
        first, second = cue
        if second is None:
            return any(first.of(table).size for table in self._new(first, gains))
        return self._meet(first, second, gains, after) or self._meet(second, first, gains, after)

    def _meet(self, new: Side, known: Side, gains: Gains, after: Tables) -> bool:
        fresh = [_Ends(new, table) for table in self._new(new, gains)]
        held = [_Ends(known, table) for table in self._of(known, after)] if fresh else []
        return any(one.meet(other) for one in fresh for other in held)

    def _new(self, side: Side, gains: Gains) -> Iterator[Table]:
        """The tables in which all that is new on a side is to be found."""
        return self._of(side, gains.ends if side.other == ANY else gains.facts)

    def _of(self, side: Side, tables: Tables) -> Iterator[Table]:
        """The tables of the relations that a side is about, but for empty ones."""
        if side.predicate != ANY:
            found = [tables[side.predicate]] if side.predicate in tables else []
        else:
            means = self._means_any
            found = [table for predicate, table in tables.items() if means(predicate)]
        return (table for table in found if table.at_most())

    def _means_any(self, predicate: int) -> bool:
        return predicate not in self._by_name and not self._encoder.is_auxiliary(predicate)

    def _cue(self, first: Atom, second: Atom | None) -> Cue:
        others = set(second.variables()) if second else set()
        shared = [v for v in first.variables() if v in others]
        if second is None or not shared:
            return Cue(self._side(first, next(first.variables())), None)
        return Cue(self._side(first, shared[0]), self._side(second, shared[0]))

    def _side(self, atom: Atom, variable: Var) -> Side:
        """The end of an atom at which a variable stands."""
        subject = atom.subject == variable
        other = atom.object if subject else atom.subject

        def id_of(term: Term) -> int:
            return ANY if isinstance(term, Var) else self._encoder.constant(term)

        return Side(id_of(atom.predicate), id_of(other), subject)
