"""One stratum: its relations, the plans that derive their facts, and the plans that read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum, auto
from functools import cached_property

from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import Module
from rdfinc.datalog.compile.planning import Plan, ordered
from rdfinc.reasoning.evaluation.guarded_deltas import Guard, Guards, guards_of
from rdfinc.reasoning.evaluation.run import Block, States, run
from rdfinc.reasoning.program import clock
from rdfinc.reasoning.program.body import Body
from rdfinc.reasoning.program.cost_model import Experience
from rdfinc.reasoning.program.plan_index import Driven, PlanIndex, PlanLevel
from rdfinc.reasoning.program.plan_memory import Context, PlanMemory
from rdfinc.reasoning.program.plans import Plans
from rdfinc.reasoning.program.strata import Strata, relations_read
from rdfinc.tables.facts import Batch
from rdfinc.tables.table import Keys


class Reads(Enum):
    """The parts of a relation's facts that rules read."""

    NOTHING = auto()
    ENDS = auto()  # no rule depends on both ends of a pair
    PAIRS = auto()


class Stratum:
    """The relations of one level, with the plans that derive their facts and the plans that read
    others for them, as far as they were found.

    Of a batch `select` takes the facts of this stratum, `above` those of higher ones.
    """

    def __init__(self, strata: Strata, level: int, memory: PlanMemory) -> None:
        self.strata, self.level, self.memory = strata, level, memory
        self.select = strata.at(level)
        self.above = strata.above(level)
        at = PlanLevel(strata, level, memory)
        chosen = strata.clauses[level]
        self.clauses = tuple(each.clause for each in chosen)
        self._rules = rules = [each for each in chosen if each.clause.fold is None]
        self.drivers = Drivers(rules, at)
        self.losing = self.drivers
        self.transitive = strata.transitive.intersection(each.transitive for each in rules)
        self.copying = [
            (each.clause, each.hierarchy)
            for each in rules
            if each.hierarchy and each.hierarchy[0] in strata.transitive
        ]
        self.groupings = [Grouping(each, at) for each in chosen if each.clause.fold is not None]
        self._at = at
        self._reads: dict[int, Reads] = {}
        self._guards: dict[int, Guards | None] = {}
        memory.answers += self._reads, self._guards
        self.experience = Experience()
        self.closing = [m for m in strata.modules.all if not m.linear and self._closes(m)]
        self.cyclic = [m for m in strata.modules.all if m.linear and self._has_member(m)]
        self.made = (*self.closing, *self.cyclic)
        if self.cyclic:
            losing = [replace(p, forward=p.losing or p.forward) for p in rules]
            self.losing = Drivers(losing, at)

    def _closes(self, module: Module) -> bool:
        """Whether a module is complete at the end of this stratum, and not before."""
        levels = self.strata.levels
        return min(levels.of(relation, None) for relation, _ in module.members) == self.level

    def _has_member(self, module: Module) -> bool:
        return any(self.holds(relation) for relation, _ in module.members)

    @cached_property
    def _derivers(self) -> PlanIndex:
        """The plans by their heads. To put them in order plans them all, and a knowledge base that
        loses nothing asks for none."""
        start = clock.now()
        found = PlanIndex(ordered([each.backward for each in self._rules]), self._at)
        self.memory.seconds += clock.now() - start
        return found

    def derivers(self, predicate: int, keys: Keys, context: Context) -> list[Driven]:
        """The plans with heads that some of the facts can be, cheapest first, each with these facts
        as facts of the relation that the plan derives."""
        if not self.strata.modules.all:
            return self._derivers.plans(predicate, keys, context)
        asked, plans = self.strata.asked(predicate, keys), self._derivers.plans
        return [each for relation, some in asked for each in plans(relation, some, context)]

    def reads(self, predicate: int, context: Context) -> Reads:
        """The parts that rules of this stratum read of a predicate's facts (rdf:type excepted)."""
        found = self._reads.get(predicate)
        if found is None:
            alone = self._reads_alone(predicate, context)
            found = self.drivers.reads(predicate, context) if alone else Reads.PAIRS
            self._reads[predicate] = found
        return found

    def _reads_alone(self, predicate: int, context: Context) -> bool:
        """Whether no group is made of a predicate's facts."""
        read = (grouping.drivers.reads(predicate, context) for grouping in self.groupings)
        return {Reads.NOTHING}.issuperset(read)

    def guards(self, predicate: int, context: Context) -> Guards | None:
        """The guards of a predicate's pairs (rdf:type excepted): only pairs that pass one can
        matter. None if all pairs may."""
        if predicate not in self._guards:
            alone = self._reads_alone(predicate, context)
            self._guards[predicate] = self.drivers.guards(predicate, context) if alone else None
        return self._guards[predicate]

    def holds(self, predicate: int) -> bool:
        """Whether facts of the predicate can be of this stratum."""
        strata = self.strata
        return predicate == strata.type or strata.levels.of(predicate, None) == self.level

    def body(self, plan: Plan) -> Body:
        """The body literals of a plan."""
        bodies = self._at.bodies
        found = bodies.get(plan)
        if found is None:
            found = bodies[plan] = Body(plan, self.strata, self.level)
        return found

    def finished(self, plan: Plan, predicate: int, keys: Keys, states: States) -> Iterator[Block]:
        """The matches of a plan driven by some facts.

        A clause with a variable head runs in several strata. Only those of its matches are kept
        whose body facts lie at or below this stratum, and strictly below it for negated and
        aggregated relations.
        """
        strata = self.strata
        if plan.clause not in strata.free or self.level == strata.levels.top:
            return run(plan, predicate, keys, states)
        return self._not_above(plan, run(plan.whole(), predicate, keys, states))

    def _not_above(self, plan: Plan, blocks: Iterator[Block]) -> Iterator[Block]:
        """The matches with all body facts at or below this stratum, and facts of complete relations
        below it."""
        level, folded = self.strata.level, self.strata.levels.folded
        for block in blocks:
            levels = [
                [level(p, o) + (negated or p in folded) for p, o in column]
                for column, negated in relations_read(block, plan, plan.clause)
            ]
            mask = [max(row) <= self.level for row in zip(*levels, strict=True)]
            if any(mask):
                yield block.keep(mask)

    def is_below(self, predicate: int, object_: int) -> bool:
        """Whether a fact is of a lower stratum."""
        return self.strata.level(predicate, object_) < self.level


class Drivers:
    """The plans of some clauses by what drives them."""

    def __init__(self, clauses: Sequence[Plans], at: PlanLevel) -> None:
        self._readers = PlanIndex((plan for each in clauses for plan in each.forward), at)
        self._deniers = PlanIndex((plan for each in clauses for plan in each.negated), at)

    def reads(self, predicate: int, context: Context) -> Reads:
        """The parts that the plans read of a predicate's facts (rdf:type excepted)."""
        if any(True for _ in self._deniers.driven(predicate, context)):
            return Reads.PAIRS
        plans = list(self._readers.driven(predicate, context))
        if all(plan.reads_one_end() for plan in plans):
            return Reads.ENDS if plans else Reads.NOTHING
        return Reads.PAIRS

    def guards(self, predicate: int, context: Context) -> Guards | None:
        """The guards that the plans have for a predicate's pairs (rdf:type excepted); None if some
        plan has none."""
        if any(True for _ in self._deniers.driven(predicate, context)):
            return None
        found: set[Guard] = set()
        ends = False
        for plan in self._readers.driven(predicate, context):
            if plan.reads_one_end():
                ends = True
            elif (guards := guards_of(plan)) is None:
                return None
            else:
                found.update(guards)
        return Guards(frozenset(found), ends)

    def of(self, batch: Batch, negated: Batch | None, context: Context) -> list[Driven]:
        """The plans driven by facts of a batch, and those driven by `negated` facts that match a
        negated literal."""
        driven = self.readers(batch, context)
        return driven + self.deniers(negated, context) if negated else driven

    def readers(self, batch: Batch, context: Context) -> list[Driven]:
        """Plans with a body literal that the facts can be."""
        return self._readers.of_batch(batch, context)

    def deniers(self, batch: Batch, context: Context) -> list[Driven]:
        """Plans with a negated literal that the facts can be."""
        return self._deniers.of_batch(batch, context)


class Grouping:
    """A clause with a fold: the plans from facts to groups, and from a group to its solutions."""

    def __init__(self, plans: Plans, at: PlanLevel) -> None:
        assert plans.clause.fold is not None
        self.fold = plans.clause.fold
        self.drivers = Drivers([plans], at)
        self.backward = plans.backward
