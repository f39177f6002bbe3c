"""At which ends the pairs of a closure may have literals, and so whether users see all of them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rdfinc.datalog.analysis.modules import ClosureKind, Module, Modules
from rdfinc.knowledge_base.versions.visibility import Visibility
from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.maintenance.equality_update import AliasShift
from rdfinc.reasoning.maintenance.update import Update
from rdfinc.reasoning.maintenance.verdict import Unfit
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables import kernels
from rdfinc.tables.equality import aliases
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.views import EMPTY
from rdfinc.terms.dictionary import LITERAL, Dictionary

SUBJECT, OBJECT = 1, 2
"""The ends of a pair."""


def _swapped(ends: int) -> int:
    return ends >> 1 | (ends & 1) << 1


class LiteralEnds:
    """The ends at which closures kept as tables may have literals.

    `_ends` tells, by external relation, the ends of a module's first member; an end is never
    forgotten. `_literals` is the number of literals with equals after the last update, by
    `_aliases`. `_has_equals` says whether there are any, or were before it.
    """

    def __init__(self, dictionary: Dictionary, visibility: Visibility) -> None:
        self._dictionary, self._visibility = dictionary, visibility
        self._ends: dict[int, int] = {}
        self._aliases, self._literals = aliases.NONE, 0
        self._has_equals = False

    def copy(self, dictionary: Dictionary, visibility: Visibility) -> LiteralEnds:
        twin = LiteralEnds(dictionary, visibility)
        twin._ends, twin._has_equals = dict(self._ends), self._has_equals
        twin._aliases, twin._literals = self._aliases, self._literals
        return twin

    def check(
        self, update: Update, strata: Strata, former: Mapping[int, ClosureKind]
    ) -> Unfit | None:
        """Notes the ends with literals after an update, for modules of `former` kinds before it. A
        module is unfit if rules compare ends that may be literals: these may be equal as values and
        differ as terms."""
        for module in strata.modules.all:
            kind = update.closure_kinds.get(module.external)
            if kind is None or module.linear or strata.is_equality(module):
                continue
            ends = self._found(update, strata.modules, module, former)
            if ends and kind.symmetric:
                ends = SUBJECT | OBJECT
            elif ends != SUBJECT | OBJECT and kind != former.get(module.external):
                ends |= self._before(update, module)
            self._ends[module.external] = ends
            compared = kind.transitive and not kind.diagonal
            if compared and any(self._of(module, r) & SUBJECT for r, _ in module.members):
                return Unfit(module)
        return None

    def note(self, equal: AliasShift) -> None:
        """Notes the aliases before and after an update. Cost: the difference, and the first time
        all of them."""
        if equal.old is not self._aliases:
            self._literals = self._more(AliasShift(aliases.NONE, equal.old))
        before = self._literals
        self._literals += self._more(equal)
        self._aliases, self._has_equals = equal.new, bool(before or self._literals)

    def _more(self, equal: AliasShift) -> int:
        """How many more literals are equal to something."""
        ids = equal.differing
        ids = ids[self._dictionary.kinds[ids] == LITERAL]
        after, before = (np.count_nonzero(a.have_equals(ids)) for a in (equal.new, equal.old))
        return int(after - before)

    def shows_all(self, modules: Modules, predicate: int, shift: Shift) -> bool:
        """Whether users see all facts of a relation that is kept in another table, or about
        representatives."""
        if predicate in modules.tabled:
            return self.shows_member(modules, predicate)
        both = shift.old, shift.new
        return self._shows(predicate) and not any(self._any(t.all_subjects()) for t in both)

    def shows_member(self, modules: Modules, predicate: int) -> bool:
        """Whether users see all facts of a member of a module."""
        if self._of(modules.of[predicate], predicate) & SUBJECT or self._has_equals:
            return False
        return self._shows(predicate)

    def _shows(self, predicate: int) -> bool:
        return not (self._visibility.never_shows(predicate) or self._visibility.chooses(predicate))

    def _found(
        self, update: Update, modules: Modules, module: Module, former: Mapping[int, ClosureKind]
    ) -> int:
        """The ends at which a module's external facts and parts have literals, or had some."""
        external, ends = module.external, self._ends.get(module.external, 0)
        changes = [update.added.get(external)]
        if external not in former:
            changes.append(update.before.get(external, EMPTY))
        for keys in (table.scan() for table in changes if len(table)):
            ends |= SUBJECT * self._any(kernels.high(keys)) | OBJECT * self._any(kernels.low(keys))
        for part, straight in module.parts:
            at = self._of(modules.of[part], part)
            ends |= at if straight else _swapped(at)
        return ends

    def _before(self, update: Update, module: Module) -> int:
        """At which ends the first member of a module had literals before the update."""
        ends = 0
        for relation, straight in module.members:
            table = update.before.get(relation, EMPTY)
            subjects, objects = table.all_subjects(), table.all_objects()
            at = SUBJECT * self._any(subjects) | OBJECT * self._any(objects)
            ends |= at if straight else _swapped(at)
        return ends

    def _of(self, module: Module, relation: int) -> int:
        """At which ends a member of a module may have literals."""
        ends = self._ends.get(module.external, 0)
        return ends if (relation, True) in module.members else _swapped(ends)

    def _any(self, ids: IdArray) -> bool:
        """Whether some term is a literal."""
        return bool((self._dictionary.kinds[ids] == LITERAL).any())
