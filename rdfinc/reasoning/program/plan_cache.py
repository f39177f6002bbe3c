"""The strata at work: all that was found out so far about the plans of each."""

from __future__ import annotations

from rdfinc.datalog.analysis.modules import Module
from rdfinc.reasoning.program.plan_memory import PlanMemory
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.stratum import Stratum


class PlanCache:
    """The plans of some strata, found as they are asked for; `list` has each stratum, bottom
    first."""

    def __init__(self, strata: Strata) -> None:
        self.strata = strata
        self.memory = PlanMemory(strata.type)
        self.list = [Stratum(strata, n, self.memory) for n in range(len(strata.clauses))]

    def deriving(self, module: Module) -> Stratum:
        """Where a module's external facts are derived."""
        return self.list[self.strata.levels.of(module.external, None)]
