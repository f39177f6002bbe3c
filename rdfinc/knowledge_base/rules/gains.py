"""What relations gain by a change, as far as sleeping rules ask for it.

A relation that is kept in another table than before, as a closure is, has new facts without any
being added to it. Its new ends are asked for; where one end is given, all its facts are looked at,
which is harmless: a match of old facts would have woken the rule before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.tables.facts import FactSet
from rdfinc.tables.table import Table

Tables = Mapping[int, Table]


class Gains:
    """The tables that a change adds, and the relations that it keeps in other tables than before.

    `facts` has everything new, and of relations in other tables also what was there. `ends` has
    facts with every new subject and object. Both are those of when they are first asked for.
    """

    def __init__(self, added: Tables, shifts: Mapping[int, Shift] | None = None) -> None:
        self._added, self._shifts = added, shifts or {}

    @classmethod
    def of(cls, update: Update) -> Gains:
        return cls(update.added.tables, update.shifts)

    @cached_property
    def facts(self) -> Tables:
        return {**self._added, **{p: shift.new for p, shift in self._shifts.items()}}

    @cached_property
    def ends(self) -> Tables:
        """Cost: the ends of what closures gain; all ends where one is of another kind than
        before."""
        new = FactSet.of({p: shift.ends.gained for p, shift in self._shifts.items()})
        return {**self._added, **new.tables}
