"""Marking: hints about the deletions of a stream's next update, noted during this one (Illich and
Glimm, *Backward/Forward with Marking for Update Streams*).

If the next update is known before this one is made, each fact it will delete is *marked*. The head
of every rule instance with a marked fact that this update meets is noted, and the next update
doubts these heads from the start. They are hints: without them the same heads come into doubt when
their instances are found again. But all instances of a fact added by this update were met on the
way, and the next update need not look for them a second time.

Only stated facts are marked, for it is not known whether a derived one will go.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from rdfinc.datalog.compile.planning import Plan, Slots
from rdfinc.reasoning.evaluation.run import Block, Parts
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.counters import Counters
from rdfinc.reasoning.program.strata import Strata
from rdfinc.tables.facts import Batch, FactSet, gather, size
from rdfinc.tables.marks import Marked, Marks


class Hints(Struct, frozen=True):
    """Facts that the next update will put in doubt, and deleted facts whose instances all have
    heads among these. Right for the facts and strata of the update that noted them."""

    heads: Batch = field(default_factory=dict)
    seen: Marks = field(default_factory=Marks)

    def unseen(self, batch: Batch) -> Batch:
        """The facts whose instances are still to be looked for."""
        return self.seen.missing(batch) if self.seen else batch


NO_HINTS = Hints()


class Marking:
    """The marked facts, and the heads noted so far. `note` costs a lookup for each match of a
    literal that may be a marked fact, and nothing for other plans."""

    def __init__(self, marked: Batch) -> None:
        self._marked = Marks()
        self._marked.add(marked)
        self._noted = Parts()
        self._missed: set[int] = set()
        self._literals: dict[Plan, list[tuple[Slots, int, Marked]]] = {}

    def note(self, plan: Plan, block: Block) -> None:
        """Notes the heads of the matches that use a marked fact."""
        literals = self._literals.get(plan)
        if literals is None:
            literals = self._literals[plan] = list(self._of_interest(plan))
        for at, predicate, marked in literals:
            found = block.among(at, predicate, marked)
            if found is None:
                self._missed.add(predicate)
            elif len(found):
                found.emit(plan.head, self._noted)

    def _of_interest(self, plan: Plan) -> Iterator[tuple[Slots, int, Marked]]:
        """The body literals that may be marked facts, each with those facts by relation."""
        for at in plan.body:
            for predicate, marked in self._marked.items():
                if plan.blank[at.p] in (0, predicate):
                    yield at, predicate, marked

    def hints(self, strata: Strata, after: State, added: FactSet, counters: Counters) -> Hints:
        """The hints of a complete update: `after` are the facts after it, `added` the facts it
        adds."""
        heads = after.present(strata.derived(gather(self._noted)))
        marked = self._marked.batch()
        counters.marks_explicit += size(marked)
        counters.marks_implicit += size(heads)
        fresh = {p: added.get(p).present(keys) for p, keys in marked.items()}
        seen = Marks()
        seen.add({p: keys for p, keys in fresh.items() if p not in self._missed})
        return Hints(heads, seen)
