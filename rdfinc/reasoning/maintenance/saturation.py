"""Saturation: proved facts of a deletion, and what follows (Motik et al. 2015, algorithm 3).

A search *awaits* the unproved body facts that it has met (`backward_forward`); such a fact is
*late* if it is proved after that. Forward steps look at instances of late facts: a search has seen
all other instances already. In *eager* mode they look at instances of all proved facts, which costs
less than the searches it spares.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from functools import cached_property

from rdfinc.reasoning.evaluation.run import Parts
from rdfinc.reasoning.evaluation.states import Hiding, State
from rdfinc.reasoning.maintenance.update import Spend, Update, consequences
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.facts import Batch, FactSet, gather
from rdfinc.tables.marks import AllMarked, Marks
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import OnlyObjects, With


class Proved(State):
    """`facts` for the relations of a stratum, `after` for those below it and those relied on."""

    def __init__(
        self,
        stratum: Stratum,
        after: State,
        facts: FactSet,
        relied: AbstractSet[int] = frozenset(),
    ) -> None:
        super().__init__({}, (), facts, related=after.related)
        self._stratum, self._after, self._relied = stratum, after, relied

    def _view(self, predicate: int) -> Table:
        if predicate in self._relied:
            return self._after.table(predicate)
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


class Saturation:
    """The sets of proved (P), delayed (Y: derived before being checked) and awaited facts.

    A consequence of proved facts is proved if it is in `checked` (C), else delayed. Forward steps
    match in *fired* facts (V ⊆ P); a step first fires the facts in `_unknown`.
    """

    def __init__(self, update: Update, stratum: Stratum, spend: Spend, checked: Marks) -> None:
        self._update, self._stratum, self._spend = update, stratum, spend
        self._checked = checked
        self.proved, self.delayed, self.awaited = Marks(), Marks(), Marks()
        self.eager = False
        self._late = Parts()
        self._unknown: list[tuple[int, Keys]] = []
        self._fired = update.facts()

    def rely(self, relations: AbstractSet[int]) -> None:
        """Has all facts of some relations count as proved and fired. No search of other facts waits
        for one of them: they rest on each other alone, so a search of one ends with its proof."""
        self.proved.update({predicate: AllMarked() for predicate in relations})
        self._known = Proved(self._stratum, self._update.finished(), self._fired, relations)

    def prove(self, predicate: int, keys: Keys) -> bool:
        """Notes that facts are proved; returns whether any was not."""
        newly = self.proved[predicate].add(keys)
        if not len(newly):
            return False
        self._unknown.append((predicate, newly))
        late = newly if self.eager else self.awaited.present(predicate, newly)
        if len(late):
            self._late.setdefault(predicate, []).append(late)
        return True

    def recall(self, predicate: int, keys: Keys) -> None:
        """Proves the delayed ones of some facts, when these are checked."""
        if predicate in self.delayed:
            self.prove(predicate, self.delayed[predicate].present(keys))

    def wait_for(self, facts: Batch) -> None:
        """Notes the unproved ones of the facts that a search needs as awaited."""
        self.awaited.add(self.proved.missing(facts))

    def forward(self) -> None:
        """Proves the consequences of late facts until there are no more."""
        while self._late:
            late = gather(self._late)
            self._late.clear()
            for head, some in self._follow(late).items():
                asked, unasked = self._checked[head].split(some)
                if len(unasked):
                    self.delayed[head].add(unasked)
                if len(asked):
                    self.prove(head, asked)

    @cached_property
    def _known(self) -> State:
        """The fired facts, the lower strata and the relations relied on: the rest of an instance of
        a late fact is among them."""
        return Proved(self._stratum, self._update.finished(), self._fired)

    def _follow(self, late: Batch) -> Batch:
        """The heads of all instances with late facts that were not considered before."""
        for predicate, keys in self._unknown:
            self._fired.extend({predicate: keys})
        self._unknown.clear()
        left = Hiding(self._known, late)
        heads, instances = consequences(
            self._update,
            self._stratum,
            self._stratum.drivers.readers(late, self._update),
            (left, self._known),
            self._spend,
            self._update.marking,
        )
        self._update.counters.saturate += instances
        return self._stratum.select(heads)
