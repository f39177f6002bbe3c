"""Why facts are gone: what an update took away of what they rested on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from rdfinc.datalog.modules import Modules
from rdfinc.knowledge_base.engine import Engine, Outcome
from rdfinc.knowledge_base.proofs import Removal
from rdfinc.knowledge_base.telling import Telling
from rdfinc.knowledge_base.views import Reader
from rdfinc.reasoning.explain import shortest_proof
from rdfinc.reasoning.states import Changed, State, overlaid
from rdfinc.reasoning.support import Fact, Support
from rdfinc.reasoning.update import Shift
from rdfinc.reasoning.ways import Proved
from rdfinc.tables.facts import Batch, FactSet
from rdfinc.tables.table import Table

Prefixes = Mapping[str, str]


class Removals:
    """What an update removed. The facts before it are those after it, in `after`, with its changes
    undone: nothing is copied, and what is asked for later is right while that stays as it is."""

    def __init__(self, engine: Engine, outcome: Outcome, after: Reader) -> None:
        self._engine, self._outcome, self._after = engine, outcome, after

    @cached_property
    def _before(self) -> Support:
        """The rule instances before the update."""
        effect, version = self._outcome.effect, self._after.version
        old = {predicate: shift.old for predicate, shift in effect.shifts.items()}
        closed = overlaid(version.closure.tables, dict[int, Table](old))
        same = effect.modules == version.modules
        return Support(
            self._engine.rules.compiled.apart(),
            _tables(Changed(closed, effect.came, FactSet.of(effect.went))),
            _tables(Changed(version.explicit.tables, effect.inserted, FactSet.of(effect.deleted))),
            version.modules if same else Modules(),
        )

    def why(self, telling: Telling, fact: Fact, prefixes: Prefixes) -> Removal | None:
        """What of a shortest proof is gone; None for a fact that did not go out of view. Cost: to
        find that proof."""
        if not self._took(fact, self._outcome.removed, self._outcome.shifts):
            return None
        proved = shortest_proof(fact, self._before)
        assert proved is not None
        ended = list(self._withdrawn(proved))
        deleted = [f for f in ended if telling.is_visible(f) and (f == fact or self._gone(f))]
        rules = tuple(dict.fromkeys(self._rules(telling, ended, prefixes)))
        ways = (proved.by[each] for each in proved.facts())
        appeared = [each for way in ways for each in telling.absent(way) if self._is_new(each)]
        return Removal(
            telling.told(self._engine, proved.tree(), prefixes),
            tuple(map(telling.triple, deleted)),
            rules,
            tuple(map(telling.triple, appeared)),
            (
                *(f"{telling.text(each, prefixes)}   was deleted" for each in deleted),
                *(f"{rule}   was removed" for rule in rules),
                *(f"{telling.text(each, prefixes)}   came" for each in appeared),
            ),
        )

    def _rules(self, telling: Telling, facts: list[Fact], prefixes: Prefixes) -> Iterator[str]:
        """The rules that some hidden facts stated."""
        for row, _, _ in facts:
            if self._engine.rules.rule_of(row):
                yield telling.written(self._engine, [row], prefixes)

    def _withdrawn(self, proved: Proved) -> Iterator[Fact]:
        """The facts that a proof takes as explicit and that the update withdrew."""
        withdrawn = FactSet.of(self._outcome.effect.deleted)
        return (f for f in proved.facts() if proved.by[f] is None and withdrawn.has(*f))

    def _took(self, fact: Fact, batch: Batch, shifts: Mapping[int, Shift]) -> bool:
        s, p, o = fact
        if (shift := shifts.get(p)) is not None:
            return shift.old.has(s << 32 | o) and not shift.new.has(s << 32 | o)
        return FactSet.of({p: batch.get(p, [])}).has(s, p, o)

    def _gone(self, fact: Fact) -> bool:
        """Whether a fact went out of the closure."""
        effect = self._outcome.effect
        return self._took(fact, effect.went, effect.shifts)

    def _is_new(self, fact: Fact) -> bool:
        """Whether a fact that was not there came into the closure."""
        return self._after.version.closure.has(*fact)


def _tables(state: State) -> Mapping[int, Table]:
    return {predicate: state.table(predicate) for predicate in state.predicates()}
