"""A glance at one fact in doubt before it is searched for: a proof by a single rule instance, or
the body facts of the few instances there are.

Most facts that lose one proof have another by one instance of stated facts and facts of lower
strata; most others have no instance at all. A glance tells these cases apart without making a set,
a batch or a block. It is Python source, like the plans of `row_interpreter`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rdfinc.datalog.compile.planning import Compute, Plan, Slots, Step
from rdfinc.reasoning.evaluation.plan_codegen import Writer
from rdfinc.reasoning.reasoning_thresholds import REASONING

Glance = Callable[..., int]
"""(key, predicate, facts, stated, proved, rows, is_below, missed) -> the number of instances up to
the first that proves the fact; 0 if none does; UNKNOWN if there are more than it looked at. The
body facts of instances that do not prove it are added to `missed`."""

UNKNOWN = -1

Inside = tuple[Slots, bool | None]
"""A body literal, and None if it depends on the instance whether it is of a lower stratum."""


def glance(plan: Plan, inside: Sequence[Inside]) -> Glance:
    """A glance by a plan driven by its head. `inside` are the body literals not known to be of
    lower strata."""
    kind = (
        "glance",
        len(plan.order.steps),
        len(plan.rows) > REASONING.few_classes,
        tuple(inside),
    )
    found = plan.routines.get(kind)
    if found is None:
        found = plan.routines[kind] = _Glancing(plan, inside).glance()
    return found


class _Glancing(Writer):
    """Writes the source of a glance, which gives up at many candidates."""

    def __init__(self, plan: Plan, inside: Sequence[Inside]) -> None:
        super().__init__(plan)
        self.inside = inside

    def glance(self) -> Glance:
        arguments = "key, predicate, right, stated, proved, rows, is_below, missed"
        self.under(f"def glance({arguments}):")
        self.write("seen = taken = 0")
        self.driven()
        self.steps(self.given() if self.plan.given else 0)
        self.depth = 1
        self.write("return 0")
        return self.function("glance")

    def steps(self, first: int) -> None:
        steps = self.plan.steps[first:]
        for i, step in enumerate(steps, first):
            if self.is_too_much(step, i - first):
                self.write(f"return {UNKNOWN}")
                return
            if isinstance(step, Compute):
                self.compute(i, step)
            else:
                self.match(i, step)
        self.instance()

    def is_too_much(self, step: Step, before: int) -> bool:
        """Whether a glance ends at a step, after some others: that may go through many facts, or is
        deeper than Python nests loops and conditions."""
        if isinstance(step, Compute):
            return before >= REASONING.long_plan
        return step.broad or before >= REASONING.function_steps or self.is_open(step)

    def instance(self) -> None:
        """Writes the code for one instance: the glance ends if it proves the fact, and otherwise
        goes on up to a number of instances."""
        proofs = [self.proof(at, below) for at, below in self.inside]
        facts = [f"({self.slot(at.p)}, {self.key(at)}), " for at, _ in self.inside]
        self.write("seen += 1")
        self.write(f"if {' and '.join(proofs) or 'True'}: return seen")
        self.write(f"missed.append(({''.join(facts)}))")
        self.write(f"if seen == {REASONING.glance_instances}: return {UNKNOWN}")

    def count(self, steps: int) -> None:
        """Writes that the glance ends after many steps."""
        self.write(f"taken += {steps}")
        self.write(f"if taken > {REASONING.glance_steps}: return {UNKNOWN}")

    def proof(self, at: Slots, below: bool | None) -> str:
        p, o, key = self.slot(at.p), self.slot(at.o), self.key(at)
        proof = f"stated.table({p}).has({key}) or proved[{p}].has({key})"
        return f"(is_below({p}, {o}) or {proof})" if below is None else f"({proof})"

    def key(self, at: Slots) -> str:
        return f"{self.slot(at.s)} << 32 | {self.slot(at.o)}"

    def candidates(self, i: int, slot: int, found: str) -> None:
        self.write(f"found = {found}")
        self.write(f"if len(found) > TABLES.narrow_batch: return {UNKNOWN}")
        self.loop(f"for {self.slot(slot)} in found:")
        self.bound.add(slot)
