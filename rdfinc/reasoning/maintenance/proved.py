"""The facts that are proved in a stratum, as plans read them there."""

from __future__ import annotations

from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.facts import FactSet
from rdfinc.tables.table import Table
from rdfinc.tables.views import OnlyObjects, With


class Proved(State):
    """`facts` for the relations of a stratum, `after` for those below it."""

    def __init__(self, stratum: Stratum, after: State, facts: FactSet) -> None:
        super().__init__({}, (), facts)
        self._stratum, self._after = stratum, after

    def _view(self, predicate: int) -> Table:
        stratum, mine = self._stratum, super()._view(predicate)
        if not stratum.level:
            return mine
        if predicate != stratum.strata.type:
            below = stratum.strata.levels.of(predicate, None) < stratum.level
            return self._after.table(predicate) if below else mine
        classes = stratum.strata.classes_below(stratum.level)
        return With(OnlyObjects(self._after.table(predicate), classes), mine) if classes else mine

    def negated(self, predicate: int) -> Table:
        return self._after.table(predicate)

    def predicates(self) -> list[int]:
        return self._after.predicates()
