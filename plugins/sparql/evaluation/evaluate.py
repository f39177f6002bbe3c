"""SPARQL's algebra, evaluated set at a time in id space: the scope of a query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from rdfinc import KnowledgeBase
from rdfinc.plugins.rdflib.statement_store import StatementStore
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.pattern_slots import PatternSlots
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Solutions
from rdfinc.plugins.sparql.evaluation import grouping, joins, modifiers
from rdfinc.plugins.sparql.evaluation.scope import Memory, Scope, standalone
from rdfinc.plugins.sparql.expressions.column_expressions import QueryExpression
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.graphs import Graphs, no_dataset
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.trace import Trace
from rdfinc.terms.whole_imports import WHOLE

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
def _by_rdflib(scope: Scope, part: Node) -> Iterator[Solutions]:
    """A part that nothing here covers."""
    yield by_rdflib(scope.terms, scope.ctx, part)


def by_rdflib(terms: Terms, ctx: QueryContext, part: Node) -> Solutions:
    """The solutions that rdflib's evaluator finds."""
    with WHOLE:
        from rdfinc.plugins.sparql.by_rdflib.rdflib_solutions import (
            solutions,  # it imports a grammar
        )

    return solutions(terms, ctx, part)
