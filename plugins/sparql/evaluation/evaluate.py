"""SPARQL's algebra, evaluated set at a time in id space.

`evaluate` is also what rdflib's own evaluator calls for every part of every query of the process
(entry-point group `rdf.plugins.sparqleval`); NotImplementedError leaves the part to rdflib.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any

import numpy as np
from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib.plugins.sparql.evaluate import evalPart
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import FrozenBindings, QueryContext

from rdfinc import KnowledgeBase
from rdfinc.plugins.rdflib.statement_store import StatementStore
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.pattern_slots import PatternSlots
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Solutions
from rdfinc.plugins.sparql.evaluation import grouping, joins, modifiers
from rdfinc.plugins.sparql.evaluation.scope import Memory, Scope, standalone
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.expressions.rdflib_functions import SolutionRow
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.graphs import Graphs, graphs_of, no_dataset
from rdfinc.plugins.sparql.trace import Trace

OPERATORS = {**joins.OPERATORS, **modifiers.OPERATORS, **grouping.OPERATORS}


def scope_of(
    store: StatementStore,
    graphs: Graphs,
    ctx: QueryContext,
    budget: Budget | None = None,
    memory: Memory | None = None,
    constants: Sequence[Any] = (),
) -> Scope:
    """The scope of a query with `constants` for its parameters; the bindings of `ctx` are its
    initial ones."""
    terms = terms_of(store.kb)
    given = {v: terms.number_or_none(term) for v, term in ctx.bindings.items()}
    unit = Solutions(1, {v: np.array([id], np.uint32) for v, id in given.items() if id})
    facts, memory, budget = graphs.default, memory or Memory(), budget or Budget()
    facts.check = budget.check
    trace, slots = Trace(constants), PatternSlots(terms, constants, memory.slots)
    return Scope(
        OPERATORS, _by_rdflib, ctx, graphs, terms, facts, unit, trace, slots, memory, budget
    )


def scope_over(
    facts: GraphFacts, terms: Terms, ctx: QueryContext, expressions: dict[int, QueryExpression]
) -> Scope:
    """The scope of a query without graphs, over some facts; `expressions` are kept."""
    graphs = Graphs(facts, no_dataset, no_dataset)
    memory = Memory(expressions)
    trace, slots = Trace(), PatternSlots(terms, (), memory.slots)
    return Scope(
        OPERATORS, _by_rdflib, ctx, graphs, terms, facts, Solutions(), trace, slots, memory
    )


def terms_of(kb: KnowledgeBase) -> Terms:
    return Terms(kb.dictionary, kb._telling.decoder, kb._telling.values)


@standalone
def _by_rdflib(scope: Scope, part: CompValue) -> Iterator[Solutions]:
    """A part that nothing here covers."""
    yield by_rdflib(scope.terms, scope.ctx, part)


def by_rdflib(terms: Terms, ctx: QueryContext, part: CompValue) -> Solutions:
    """The solutions that rdflib's evaluator finds."""
    rows = list(evalPart(ctx, part))
    variables = dict.fromkeys(v for row in rows for v in row)
    numbers = {v: terms.numbers(row.get(v) for row in rows) for v in variables}
    return Solutions(len(rows), numbers)


def evaluate(ctx: QueryContext, part: CompValue) -> Iterator[FrozenBindings]:
    """The solutions of `part`, if it reads a rdfinc store and is covered here."""
    store = getattr(ctx.graph, "store", None)
    if not isinstance(store, StatementStore) or part.name not in OPERATORS:
        raise NotImplementedError
    if part.name != "BGP" and not is_alone():
        raise NotImplementedError
    graphs = graphs_of(store, ctx)
    if graphs is None:
        raise NotImplementedError
    scope = scope_of(store, graphs, ctx)
    return _decoded(scope, scope.alone(part))


def is_alone() -> bool:
    """Whether no one else wants to be asked for every part of a query."""
    return list(CUSTOM_EVALS.values()) in ([], [evaluate])


def _decoded(scope: Scope, blocks: Iterator[Solutions]) -> Iterator[FrozenBindings]:
    """The solutions as rdflib's evaluator hands them on."""
    contexts = _contexts(scope.ctx)
    for block in blocks:
        columns = [scope.terms.column(column) for column in block.columns.values()]
        rows = zip(*columns, strict=True) if columns else repeat((), block.size)
        for row, ctx in zip(rows, contexts):  # noqa: B905  contexts do not end
            values = zip(block.columns, row, strict=True)
            yield SolutionRow(ctx, {v: term for v, term in values if term is not None})


def _contexts(ctx: QueryContext) -> Iterator[QueryContext]:
    """A context for each row: in a GRAPH clause its own, because rdflib changes those of rows."""
    if ctx._dataset is None or ctx.graph is ctx._dataset:
        return repeat(ctx.push())
    return iter(ctx.push, None)
