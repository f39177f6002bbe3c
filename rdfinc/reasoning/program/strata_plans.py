"""The plans of all strata, with what was found out about them so far."""

from __future__ import annotations

from rdfinc.datalog.analysis.modules import Module
from rdfinc.reasoning.program.plan_memory import PlanMemory
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.stratum import Stratum


class StrataPlans:
    """The plans of some strata: `list` has each stratum, bottom first.

    The plans that a relation drives are found when they are first asked for, from facts of
    parameter tables; `memory` keeps them until such facts change.
    """

    def __init__(self, strata: Strata) -> None:
        self.strata = strata
        self.memory = PlanMemory(strata)
        self.list = [Stratum(strata, n, self.memory) for n in range(len(strata.clauses))]

    def deriving(self, module: Module) -> Stratum:
        """Where a module's external facts are derived."""
        return self.list[self.strata.levels.of(module.external, None)]
