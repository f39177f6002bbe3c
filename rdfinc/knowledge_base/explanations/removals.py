"""Reasons why facts are gone: the parts of their proofs that an update took away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from rdfinc.datalog.analysis.modules import Modules
from rdfinc.knowledge_base.explanations.proofs import Removal
from rdfinc.knowledge_base.explanations.rendering import Telling
from rdfinc.knowledge_base.explanations.stated_triples import StatedTriples
from rdfinc.knowledge_base.explanations.wording import Wording
from rdfinc.knowledge_base.updates.engine import Engine
from rdfinc.knowledge_base.versions.change import Outcome
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.reasoning.evaluation.states import Changed, State, overlaid
from rdfinc.reasoning.evaluation.table_deltas import Shift
from rdfinc.reasoning.explanation.explain import ShortProof, shortest_proof
from rdfinc.reasoning.explanation.rule_instances import Fact, Support
from rdfinc.tables.equality.expanded import Expanded
from rdfinc.tables.facts import Batch, FactSet
from rdfinc.tables.table import Table


class Removals:
    """The facts removed by an update. The facts before it are those in `after` with the update's
    changes undone. Nothing is copied, and later answers are right while `after` stays as it is."""

    def __init__(self, engine: Engine, outcome: Outcome, after: Reader) -> None:
        self._engine, self._outcome, self._after = engine, outcome, after

    def stated(self) -> StatedTriples:
        """What was stated before the update."""
        return StatedTriples(self._explicit, self._engine.visibility)

    @cached_property
    def _explicit(self) -> Mapping[int, Table]:
        """The explicit facts before the update."""
        explicit, effect = self._after.version.explicit, self._outcome.effect
        return _tables(Changed(explicit.tables, effect.inserted, effect.deleted))

    @cached_property
    def _before(self) -> Support:
        """The rule instances before the update."""
        effect, version = self._outcome.effect, self._after.version
        old = {predicate: shift.old for predicate, shift in effect.shifts.items()}
        held = _tables(
            Changed(
                overlaid(version.held.tables, dict[int, Table](old)),
                effect.came,
                effect.went,
            )
        )
        kept = version.modules if effect.modules == version.modules else Modules()
        equality, never_shows = version.equality, self._engine.visibility.never_shows
        if equality is not None:
            own = {p for p in held if equality.is_own(p) or never_shows(p)}
            expanded = {p: t if p in own else Expanded(t, effect.aliases) for p, t in held.items()}
            expanded.pop(equality.aliases, None)
            held = expanded
        return Support(
            self._engine.rules.compiled,
            held,
            self._explicit,
            kept if equality is None else None,
            equality,
            self._engine.demands,
        )

    def why(self, telling: Telling, fact: Fact, wording: Wording) -> Removal | None:
        """The parts of a shortest proof that are gone; None for a fact that did not go out of
        view. Cost: finding that proof."""
        if not self._took(fact, self._outcome.removed, self._outcome.shifts):
            return None
        proved = shortest_proof(fact, self._before)
        assert proved is not None
        ended = [*dict.fromkeys(self._withdrawn(proved))]
        deleted = [f for f in ended if telling.is_visible(f) and (f == fact or self._gone(f))]
        rules = tuple(dict.fromkeys(self._rules(telling, ended, wording)))
        ways = (proved.by[each] for each in proved.facts())
        appeared = [each for way in ways for each in telling.absent(way) if self._is_new(each)]
        return Removal(
            telling.told(self._engine, proved.tree(), wording, self._explicit),
            tuple(map(telling.triple, deleted)),
            rules,
            tuple(map(telling.triple, appeared)),
            (
                *(f"{telling.text(each, wording)}   was deleted" for each in deleted),
                *(f"{rule}   was removed" for rule in rules),
                *(f"{telling.text(each, wording)}   came" for each in appeared),
            ),
        )

    def _rules(self, telling: Telling, facts: list[Fact], wording: Wording) -> Iterator[str]:
        """The rules that some auxiliary facts stated."""
        for row, _, _ in facts:
            if self._engine.rules.rule_of(row):
                yield telling.written(self._engine, [row], wording)

    def _withdrawn(self, proved: ShortProof) -> Iterator[Fact]:
        """The facts that are explicit in a proof and were withdrawn by the update, with the
        statements that are shown for auxiliary ones."""
        withdrawn = FactSet.of(self._outcome.effect.deleted)
        for fact in proved.facts():
            if proved.by[fact] is None and withdrawn.has(*fact):
                yield fact
                shown = self._engine.grounds(fact, self._explicit)
                yield from (each for each in shown if withdrawn.has(*each))

    def _took(self, fact: Fact, batch: Batch, shifts: Mapping[int, Shift]) -> bool:
        s, p, o = fact
        if (shift := shifts.get(p)) is not None:
            return shift.took(s << 32 | o)
        return FactSet.of({p: batch.get(p, [])}).has(s, p, o)

    def _gone(self, fact: Fact) -> bool:
        """Whether a fact went out of the closure."""
        return self._before.closure.has(*fact) and not self._is_new(fact)

    def _is_new(self, fact: Fact) -> bool:
        """Whether a fact is in the closure by now."""
        return self._after.version.closure.has(*fact)


def _tables(state: State) -> Mapping[int, Table]:
    return {predicate: state.table(predicate) for predicate in state.predicates()}
