"""What is proved in a deletion, and what follows from that (Motik et al. 2015, algorithm 3).

Only instances are looked at that no search has seen: those of facts that were *awaited*, as a
search needed them unproved, and are proved *late*; or, where that costs less than the searches it
spares (*eager*), of all that is proved.
"""

from __future__ import annotations

from functools import cached_property

from rdfinc.reasoning.evaluation.run import Parts
from rdfinc.reasoning.evaluation.states import Hiding
from rdfinc.reasoning.maintenance.proved import Proved
from rdfinc.reasoning.maintenance.update import Spend, Update, consequences
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.facts import Batch, gather
from rdfinc.tables.marks import Marks
from rdfinc.tables.table import Keys


class Saturation:
    """The sets of proved (P), delayed (Y: derived before being checked) and awaited facts.

    What follows from proved facts is proved if it is in `checked` (C), else delayed. Forward steps
    match in *fired* facts (V ⊆ P), which those in `_unknown` are added to when steps are made.
    """

    def __init__(self, update: Update, stratum: Stratum, spend: Spend, checked: Marks) -> None:
        self._update, self._stratum, self._spend = update, stratum, spend
        self._checked = checked
        self.proved, self.delayed, self.awaited = Marks(), Marks(), Marks()
        self.eager = False
        self._late = Parts()
        self._unknown: list[tuple[int, Keys]] = []
        self._fired = update.facts()

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
        """Proves those that were delayed, now that they are checked."""
        if predicate in self.delayed:
            self.prove(predicate, self.delayed[predicate].present(keys))

    def wait_for(self, facts: Batch) -> None:
        """Takes note that a search needed facts, some of which are not proved yet."""
        self.awaited.add(self.proved.missing(facts))

    def forward(self) -> None:
        """Proves what follows from late facts, and so on."""
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
    def _known(self) -> Proved:
        """Fired facts with lower strata, in which late ones find their like."""
        return Proved(self._stratum, self._update.finished(), self._fired)

    def _follow(self, late: Batch) -> Batch:
        """The heads of all instances that use late facts and were not considered."""
        for predicate, keys in self._unknown:
            self._fired.extend({predicate: keys})
        self._unknown.clear()
        left = Hiding(self._known, late)
        heads, instances = consequences(
            self._stratum, late, (left, self._known), None, self._spend, self._update.marking
        )
        self._update.counters.saturate += instances
        return self._stratum.select(heads)
