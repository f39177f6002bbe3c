"""The body literals of a plan, as one stratum sees them."""

from __future__ import annotations

from functools import cached_property

from rdfinc.datalog.compile.planning import Plan, Slots
from rdfinc.reasoning.evaluation.run import Block, Parts
from rdfinc.reasoning.program.single_step_proof import Glance, glance
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.facts import Batch, gather
from rdfinc.tables.marks import Marks


class Body:
    """The body literals of a plan, as one stratum sees them. `inside` are the literals that may
    match facts of the stratum; `search` is the plan with matches that hold only the variables of
    these and the head."""

    def __init__(self, plan: Plan, strata: Strata, level: int) -> None:
        self._plan, self._strata, self._level = plan, strata, level
        verdicts = [(self._verdict(at), at) for at in plan.body]
        self._inside = [(at, below) for below, at in verdicts if below is not True]
        self.inside = [at for at, _ in self._inside]
        told = {slot for at in (plan.head, *self.inside) for slot in (at.s, at.p, at.o)}
        unread = not told.issuperset(range(plan.variables))
        self.search = plan.telling(frozenset(told)) if unread else plan

    @cached_property
    def glance(self) -> Glance:
        """A glance at a fact that the plan may derive. A body fact of a higher stratum counts as
        proved if it is stated: an instance with such a fact would have put its head into this
        stratum, had it held before."""
        return glance(self.search, self._inside)

    @cached_property
    def derives(self) -> Plan:
        """The plan with matches that tell of the head alone."""
        head = self._plan.head
        return self._plan.telling(frozenset((head.s, head.p, head.o)))

    def _verdict(self, at: Slots) -> bool | None:
        """Whether the literal's relation is in a lower stratum; None if that depends."""
        if not self._level:
            return False
        predicates = self._values(at.p)
        if predicates is None:
            return None
        objects = self._values(at.o) if self._strata.type in predicates else predicates
        if objects is None:
            return None
        verdicts = {self._is_below(p, o) for p, o in zip(predicates, objects, strict=True)}
        return verdicts.pop() if len(verdicts) == 1 else None

    def _is_below(self, predicate: int, object_: int) -> bool:
        return self._strata.level(predicate, object_) < self._level

    def _values(self, slot: int) -> list[int] | None:
        """The values of a slot in all rows of values given to the plan; None if the slot is no
        input."""
        plan = self._plan
        if slot in plan.given:
            place = plan.given.index(slot)
            return [row[place] for row in plan.rows]
        constant = plan.constant(slot)
        return None if constant is None else [constant] * len(plan.rows)

    def proved(self, block: Block, proved: Marks) -> Block:
        """The matches with all body facts proved or of lower strata."""
        for at, below in self._inside:
            mask = block.marked(at, proved)
            if below is None:
                facts = zip(mask, block.values((at.p, at.o)), strict=True)
                mask = [there or self._is_below(*fact) for there, fact in facts]
            block = block.keep(mask)
        return block

    def facts(self, block: Block) -> Parts:
        """The body facts of matches, as far as they can be of this stratum."""
        parts = Parts()
        for at in self.inside:
            block.emit(at, parts)
        return parts

    def heads(self, block: Block) -> Batch:
        """The heads of matches, as they are derived."""
        if not len(block):
            return {}
        parts = Parts()
        block.emit(self._plan.head, parts)
        return self._strata.derived(gather(parts))
