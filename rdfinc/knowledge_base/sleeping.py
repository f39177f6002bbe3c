"""Rules that are no part of the program while there is nothing that they could be about.

A rule sleeps until two of its literals have a match, the first of them alone if they share no
variable. A rule that sleeps has no instance: to leave it out changes nothing, and spares others
the dependencies and plans that it would bring. Once woken it stays awake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from rdfinc.datalog.model import RDF_TYPE, Atom, Rule, Term, Var
from rdfinc.knowledge_base.encoder import TermEncoder
from rdfinc.owl.vocabulary import OWL
from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.table import Table

Tables = Mapping[int, Table]

ANY = 0
"""Stands for any term."""

_BY_NAME = (RDF_TYPE, f"<{OWL}sameAs>")
"""Relations that sleeping rules mean only where they name them."""


class Side(NamedTuple):
    """The subjects or objects of a relation, or of any, whose facts have `other` at the other
    end, unless that is any."""

    predicate: int
    other: int
    subject: bool

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


class Cue(NamedTuple):
    """What wakes a rule: a term on both sides, or on the only one."""

    first: Side
    second: Side | None


class Sleeping:
    """The rules that sleep, by their cues; `fresh` are cues that no facts were looked at for.

    To look for those to wake costs a look-up for each relation that has new facts, and for a cue
    about it a look at these facts, or at those of the other relation if they are fewer.
    """

    def __init__(self, encoder: TermEncoder) -> None:
        self._encoder = encoder
        self._by_name = {encoder.constant(name) for name in _BY_NAME}
        self._rules: dict[Cue, list[Rule]] = {}
        self._by_relation: dict[int, list[Cue]] = {}
        self._fresh: set[Cue] = set()

    def copy(self, encoder: TermEncoder) -> Sleeping:
        twin = Sleeping(encoder)
        twin._rules = {cue: list(rules) for cue, rules in self._rules.items()}
        twin._by_relation = {p: list(cues) for p, cues in self._by_relation.items()}
        twin._fresh = set(self._fresh)
        return twin

    def __bool__(self) -> bool:
        return bool(self._rules)

    def __contains__(self, rule: Rule) -> bool:
        return any(rule in rules for rules in self._rules.values())

    def add(self, rule: Rule, first: Atom, second: Atom | None = None) -> None:
        """Puts a rule to sleep until two of its atoms, or the only one, have a match."""
        cue = self._cue(first, second)
        if cue not in self._rules:
            self._fresh.add(cue)
            for side in filter(None, cue):
                self._by_relation.setdefault(side.predicate, []).append(cue)
        self._rules.setdefault(cue, []).append(rule)

    def woken(self, before: Tables, added: Tables, after: Tables) -> list[Rule]:
        """The rules that a change wakes: the facts before it, those that it has added, and those
        after it."""
        touched = {cue: None for p in added for cue in self._by_relation.get(p, ())}
        touched |= {cue: None for cue in self._by_relation.get(ANY, ()) if self._may(cue, after)}
        found = [cue for cue in touched if self._wakes(cue, added, after)]
        found += [c for c in self._fresh.difference(found) if self._wakes(c, before, before)]
        self._fresh.clear()
        return [rule for cue in found for rule in self._woken(cue)]

    def _woken(self, cue: Cue) -> list[Rule]:
        for side in filter(None, cue):
            self._by_relation[side.predicate].remove(cue)
        return self._rules.pop(cue)

    def _may(self, cue: Cue, facts: Tables) -> bool:
        """Whether the relations that a cue names have facts."""
        named = (side.predicate for side in cue if side and side.predicate != ANY)
        return all(predicate in facts for predicate in named)

    def _wakes(self, cue: Cue, added: Tables, after: Tables) -> bool:
        """Whether facts that were added are part of a match."""
        first, second = cue
        if second is None:
            return any(first.of(table).size for table in self._of(first, added))
        return self._meet(first, second, added, after) or self._meet(second, first, added, after)

    def _meet(self, new: Side, known: Side, added: Tables, after: Tables) -> bool:
        fresh = list(self._of(new, added))
        held = list(self._of(known, after)) if fresh else []
        return any(_share(new, one, known, other) for one in fresh for other in held)

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
        others = set(second.variables()) if second else set[Var]()
        shared = [variable for variable in first.variables() if variable in others]
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


def _share(one: Side, table: Table, other: Side, others: Table) -> bool:
    """Whether two tables have a term in common on these sides."""
    if table.at_most() > others.at_most():
        one, table, other, others = other, others, one, table
    ids = one.of(table)
    return bool(ids.size) and other.meets(others, ids)
