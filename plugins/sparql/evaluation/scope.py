"""The scope of an evaluation: the terms, graphs, bindings and memory that the parts of a query
share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter
from typing import Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from rdflib.term import Variable

from rdfinc.plugins.sparql.algebra.part_variables import PartVariables, Variables, read
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.pattern_slots import KnownSlots, PatternSlots
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import (
    NONE,
    Ids,
    Solutions,
    concatenated,
    distinct,
    join,
    numbers_of,
)
from rdfinc.plugins.sparql.expressions.chains import conjuncts
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.expressions.labels import RowLabels
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.graphs import Graphs
from rdfinc.plugins.sparql.facts.named_facts import GraphOf, NamedFacts
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.trace import Trace
from rdfinc.tables.kernels import Mask
from rdfinc.terms.builtins.values import key_of

Operator = Callable[["Scope", Node, Solutions], Iterator[Solutions]]
Alone = Callable[["Scope", Node], Iterator[Solutions]]


class Memory(Struct):
    """What one query has worked out already, its parts compared by identity.

    `expressions` are compiled, `conjuncts` the conditions that one is the conjunction of.
    `results` are solutions of parts that were evaluated by themselves; `tests` the conditions that
    a basic graph pattern, a BIND or a join tests for a FILTER above it; `wanted` is the number of
    solutions after which no more of a part are asked for. `labels` are the blank nodes of labels,
    `variables` those of parts, `slots` the ids of terms in patterns."""

    expressions: dict[int, QueryExpression] = field(default_factory=dict)
    conjuncts: dict[int, list[QueryExpression]] = field(default_factory=dict)
    results: dict[tuple[int, GraphFacts | NamedFacts], Solutions] = field(default_factory=dict)
    tests: dict[int, dict[int, QueryExpression]] = field(default_factory=dict)
    wanted: dict[int, int] = field(default_factory=dict)
    labels: RowLabels = field(default_factory=RowLabels)
    variables: PartVariables = field(default_factory=PartVariables)
    slots: KnownSlots = field(default_factory=KnownSlots)

    def compiled(self) -> Memory:
        """What the next evaluation of the same query may know of this one."""
        return Memory(self.expressions, self.conjuncts, variables=self.variables, slots=self.slots)


class Scope(Struct, frozen=True):
    """A query's terms and graphs, its initial bindings (`unit`), and the active graph (`facts`).

    A part is evaluated with a seed: its solutions are to be joined with those rows. Every seed
    extends `unit`. In the pattern of an EXISTS the `outer` columns of the seed stand for their
    values everywhere, also where they would be out of scope otherwise.

    In all named graphs at once (`NamedFacts`) a solution that leaves their column unbound is one in
    every graph, as long as nothing tells its graphs apart (`placed`).
    """

    operators: Mapping[str, Operator]
    other: Operator
    ctx: QueryContext
    graphs: Graphs
    terms: Terms
    facts: GraphFacts | NamedFacts
    unit: Solutions
    trace: Trace
    slots: PatternSlots
    memory: Memory = field(default_factory=Memory)
    budget: Budget = field(default_factory=Budget)
    outer: frozenset[Any] = frozenset()

    def solve(self, part: Node, seed: Solutions) -> Iterator[Solutions]:
        """The solutions of a part joined with the rows of the seed, in non-empty blocks."""
        operator = self.operators.get(part.name)
        step, start = self.trace.step(part, falls_back=operator is None), perf_counter()
        for block in (operator or self.other)(self, part, seed):
            step.seconds += perf_counter() - start
            if block.size:
                apart = seed is not self.unit and (id(part), self.facts) in self.memory.results
                step.rows += 0 if apart else block.size
                self.budget.count(step.rows)
                yield block
            start = perf_counter()
        step.seconds += perf_counter() - start

    def alone(self, part: Node) -> Iterator[Solutions]:
        return self.solve(part, self.unit)

    def all(self, part: Node) -> Solutions:
        """All solutions of a part by itself, to be kept."""
        blocks = [self.budget.keep(block) for block in self.alone(part)]
        return concatenated(blocks) if blocks else NONE

    def once(self, part: Node) -> Solutions:
        """All solutions of a part by itself, computed once for each graph."""
        key = id(part), self.facts
        if key not in self.memory.results:
            self.memory.results[key] = self.all(part)
        return self.memory.results[key]

    def is_seen(self, variables: Variables, seed: Solutions, bound: Variables) -> bool:
        """Whether to join with the seed first hides nothing from, and shows nothing new to, a part
        that asks for the variables: those of the seed are all `bound` by the part itself."""
        known = (bound, self.unit.columns, self.outer)
        return all(any(v in some for some in known) for v in variables if v in seed.columns)

    def inside(self, facts: GraphFacts | NamedFacts) -> Scope:
        facts.check = self.budget.check
        return replace(self, facts=facts)

    def uncorrelated(self, part: Node, seed: Solutions, *unbound: Variable) -> Iterator[Solutions]:
        """The solutions of a part to which a seed tells no more than the `outer` values, and those
        of some variables not, joined with the rows of the seed."""
        asked = seed.only([v for v in seed.columns if v in self.outer and v not in unbound])
        if seed is self.unit or not asked.columns:
            return join(seed, self.once(part))
        blocks = self.solve(part, distinct(asked))
        return join(seed, concatenated([NONE, *map(self.budget.keep, blocks)]))

    def correlate(self, outer: Solutions) -> Scope:
        return replace(self, outer=frozenset(outer.columns))

    # -- graphs as a column

    @property
    def own(self) -> list[GraphOf]:
        """The key of the column that tells the graph of a solution, if they are of several."""
        return [self.facts.graph] if isinstance(self.facts, NamedFacts) else []

    def placed(self, blocks: Iterable[Solutions]) -> Iterator[Solutions]:
        """The solutions, those in every graph once for each."""
        if not isinstance(self.facts, NamedFacts):
            yield from blocks
            return
        for rows in blocks:
            if rows.column(self.facts.graph).all():
                yield rows
            else:
                yield from join(rows, self.facts.everywhere(self.terms))

    def slot(self, term: Any) -> Any:
        """The id of a term in a pattern; a variable or blank node stays what it is."""
        return self.slots.of(term)

    # -- expressions

    @property
    def variables(self) -> PartVariables:
        return self.memory.variables

    @property
    def labels(self) -> RowLabels:
        return self.memory.labels

    def expression(self, expression: Any) -> QueryExpression:
        key = id(expression)
        if key not in self.memory.expressions:
            self.memory.expressions[key] = QueryExpression(expression)
        return self.memory.expressions[key]

    def conjuncts(self, expression: Any) -> list[QueryExpression]:
        """What has to hold together for a condition to hold."""
        key = id(expression)
        if key not in self.memory.conjuncts:
            self.memory.conjuncts[key] = list(map(QueryExpression, conjuncts(expression)))
        return self.memory.conjuncts[key]

    def values(self, expression: QueryExpression, rows: Solutions) -> Ids:
        """The value of an expression for each row, 0 where it is an error."""
        return expression.values(self._with_existences(expression, rows), self)

    def holds(self, expression: QueryExpression, rows: Solutions) -> Mask:
        """For each row whether the expression holds."""
        return expression.holds(self._with_existences(expression, rows), self)

    def _with_existences(self, expression: QueryExpression, rows: Solutions) -> Solutions:
        """The rows with the value of each EXISTS of the expression in a column."""
        for variable, existence in expression.existences.items():
            found = self._exists(existence.pattern, rows) == existence.positive
            truths = self.terms.numbers_of_keys([key_of(False), key_of(True)])
            values = {variable: truths[found.astype(np.intp)]}
            rows = self.labels.hand_on(rows, rows.with_columns(values))
        return rows

    def _exists(self, pattern: Node, rows: Solutions) -> Mask:
        """For each row whether the pattern has a solution under its values."""
        relevant = rows.only(
            [*(read(pattern) & rows.columns.keys()), *self.unit.columns, *self.own]
        )
        number = object()
        if not relevant.columns:
            found = any(True for _ in self.correlate(relevant).alone(pattern))
            return np.full(rows.size, found)
        numbers, count = numbers_of([[column] for column in relevant.columns.values()])
        places = np.zeros(count, np.intp)
        places[numbers] = np.arange(rows.size)
        seed = relevant.take(places).numbered(number)
        found = np.zeros(count, np.bool_)
        for block in self.correlate(relevant).solve(pattern, seed):
            found[block.columns[number] - 1] = True
        return found[numbers]


def standalone(operator: Alone) -> Operator:
    """The operator of a part that does not look at the seed."""

    def evaluate(scope: Scope, part: Node, seed: Solutions) -> Iterator[Solutions]:
        if seed is scope.unit:
            return operator(scope, part)
        return join(seed, scope.once(part))

    return evaluate
