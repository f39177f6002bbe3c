"""One update in the making: what all of its passes share. Nothing changes until it commits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rdfinc.reasoning.run import Parts, States, run
from rdfinc.reasoning.states import State
from rdfinc.reasoning.strata import Stratum
from rdfinc.tables.facts import Batch, FactSet, MakeTable, gather
from rdfinc.tables.table import Table


@dataclass
class Counters:
    """How much was done: facts checked, rule instances considered in each pass."""

    checked: int = 0
    backward: int = 0
    saturate: int = 0
    propagate: int = 0
    insertions: int = 0
    dr2: int = 0
    dr4: int = 0
    dr5: int = 0
    marks_explicit: int = 0
    marks_implicit: int = 0
    kept: int = 0

    def as_dict(self) -> dict[str, int]:
        return dict(vars(self))


class CoarserStrata(Exception):  # noqa: N818  a signal between two layers, never seen by users
    """A stratum derived a fact of a lower one: the strata in use were too fine."""


@dataclass
class Update:
    """`before`, the explicit facts after it, and the net change of the strata done so far."""

    before: Mapping[int, Table]
    explicit: State
    make: MakeTable
    removed: FactSet = field(init=False)
    added: FactSet = field(init=False)
    counters: Counters = field(default_factory=Counters)

    def __post_init__(self) -> None:
        self.removed, self.added = FactSet(self.make), FactSet(self.make)

    def facts(self, batch: Batch | None = None) -> FactSet:
        return FactSet.of(batch or {}, self.make)

    def state(self, *minus: FactSet) -> State:
        """The facts before the update, without some."""
        return State(self.before, minus)

    def kept(self, *minus: FactSet) -> State:
        """The facts before the update that finished strata keep, without some."""
        return State(self.before, (*((self.removed,) if self.removed else ()), *minus))

    def after(self, *minus: FactSet) -> State:
        """What is known of the facts after the update: complete for finished strata."""
        return State(self.before, (self.removed, *minus), self.added)

    def finished(self, *minus: FactSet) -> State:
        """As `after`, while neither `removed` nor `added` changes: then an empty one is no cost."""
        removed = (self.removed,) if self.removed else ()
        return State(self.before, (*removed, *minus), self.added if self.added else None)


def consequences(stratum: Stratum, batch: Batch, states: States) -> tuple[Batch, int]:
    """The heads of the stratum's rule instances that the batch drives, and their number.

    Raises CoarserStrata where a rule that may derive any relation derives one of a lower stratum.
    """
    parts: Parts = {}
    free: Parts = {}
    instances = 0
    for plan, predicate, keys in stratum.readers(batch):
        target = free if plan.clause in stratum.strata.free else parts
        for block in run(plan, predicate, keys, states):
            instances += len(block)
            block.emit(plan.head, target)
    if free:
        if stratum.strata.below(gather(free), stratum.level):
            raise CoarserStrata
        for predicate, groups in free.items():
            parts.setdefault(predicate, []).extend(groups)
    return gather(parts), instances
