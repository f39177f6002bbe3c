"""All plans of clauses, and of those that stand for modules."""

from __future__ import annotations

from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import Module, hierarchy, transitive_relation
from rdfinc.datalog.clause import Clause, Pattern
from rdfinc.datalog.compile.chain_rules import external_clauses
from rdfinc.datalog.compile.linear_rules import linear_clauses
from rdfinc.datalog.compile.planning import (
    Plan,
    backward,
    forward,
    negated,
    parameter_join,
    parameter_joins,
)
from rdfinc.datalog.transform.representatives import Equality, RowKind, only_kind, rewritten_clause
from rdfinc.reasoning.reasoning_thresholds import REASONING


class Plans(Struct, frozen=True, dict=True):
    """The plans of a clause: driven by a body literal, and by a negated literal; the plan of its
    parameter table, if it has one; and the plans driven by lost facts, if they are others. The rest
    is made when first asked for."""

    clause: Clause
    forward: tuple[Plan, ...]
    negated: tuple[Plan, ...]
    parameters: Plan | None
    losing: tuple[Plan, ...] | None = None

    @cached_property
    def backward(self) -> Plan:
        """The plan driven by the head."""
        return backward(self.clause)

    @cached_property
    def joins(self) -> tuple[tuple[Pattern, Plan], ...]:
        """Each literal of the parameter table, with the join of all of them that it drives."""
        return tuple(parameter_joins(self.clause))

    @cached_property
    def transitive(self) -> int:
        """The relation that the clause makes transitive, or 0."""
        return transitive_relation(self.clause)

    @cached_property
    def hierarchy(self) -> tuple[int, int] | None:
        """The relation along which the clause copies facts, and which literal's."""
        return hierarchy(self.clause)


def planned(clause: Clause) -> Plans:
    """All plans of a clause."""
    table = parameter_join(clause) if clause.parameters else None
    return Plans(clause, tuple(forward(clause)), tuple(negated(clause)), table)


def rewritten_plans(plans: Plans, equality: Equality, kind: RowKind, several: bool) -> Plans:
    """The plans of a clause over representatives for the rows of one kind, of `several`."""
    clause = rewritten_clause(plans.clause, equality, kind)
    if several:
        clause = only_kind(clause, equality, kind)
    return plans if clause is plans.clause else planned(clause)


class ModulePlans:
    """The plans of the clauses that stand for modules, made when they are first asked for."""

    def __init__(self) -> None:
        self._linear: dict[Module, list[Plans]] = {}
        self._chained: dict[tuple[Module, Clause, tuple[int, ...]], list[Plans]] = {}

    def linear(self, clause: Clause, module: Module) -> list[Plans]:
        """The plans that close a module by linear rules, about terms and relations of the
        clause."""
        found = self._linear.get(module)
        if found is None:
            found = [_linear(*each) for each in linear_clauses(clause, module)]
            self._linear[module] = found
        return found

    def chained(self, clause: Clause, row: dict[int, int], module: Module) -> list[Plans]:
        """The plans that say of a module's external facts what a chain's row says of its
        members."""
        key = module, clause, tuple(row.values())
        found = self._chained.get(key)
        if found is None:
            if len(self._chained) >= REASONING.remembered_chains:
                self._chained.clear()
            found = [planned(each) for each in external_clauses(clause, row, module)]
            self._chained[key] = found
        return found


def _linear(clause: Clause, losing: Clause | None) -> Plans:
    """All plans of a module's linear clause; lost facts drive another one."""
    plans = planned(clause)
    if losing is None:
        return plans
    _, by_rest = plans.forward
    _, by_first, _ = forward(losing)
    return replace(plans, losing=(by_first, by_rest))
