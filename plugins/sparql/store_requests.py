"""SPARQL requests that the store carries out itself.

Queries are evaluated in id space; updates are carried out there, all operations of a request in one
atomic step. A request that only rdflib can answer is declined with NotImplementedError.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from rdflib.graph import Graph
from rdflib.query import Result
from rdflib.term import Identifier

from rdfinc.plugins.sparql.algebra.bindings import initial
from rdfinc.plugins.sparql.algebra.data_blocks import NotTriGError, loaded, places, taken_out
from rdfinc.plugins.sparql.algebra.forbidden import placed_in, refuse_unkeyed, unkeyed
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra, UpdateAlgebra
from rdfinc.plugins.sparql.algebra.translate import read_as, update_of
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.depth import REFUSED_NESTING
from rdfinc.plugins.sparql.evaluation.evaluate import scope_of
from rdfinc.plugins.sparql.evaluation.scope import Memory, Scope
from rdfinc.plugins.sparql.facts.graphs import Graphs, chosen, graphs_of
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.rdflib_state import is_alone, is_prepared
from rdfinc.plugins.sparql.results.forms import answer
from rdfinc.plugins.sparql.results.plan_text import plan
from rdfinc.plugins.sparql.shapes import SHAPES, Shaped
from rdfinc.plugins.sparql.syntax.escapes import unescaped
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.sparql_error import SparqlSyntaxError
from rdfinc.plugins.sparql.updates.remote import refuse_services
from rdfinc.plugins.sparql.updates.update_request import Request
from rdfinc.terms.whole_imports import WHOLE

if TYPE_CHECKING:
    from rdfinc.plugins.rdflib.statement_store import StatementStore

Bindings = Mapping[Any, Identifier]
Prefixes = Mapping[str, Any]


def update(
    store: StatementStore,
    request: Any,
    prefixes: Prefixes,
    bindings: Bindings,
    graph: Any,
    budget: Budget,
) -> None:
    """Carries out all operations of a request in one step, or none of them.

    Raises SparqlSyntaxError, TypeError for what is no text, RemoteAccessError,
    FileAccessError, ReservedGraphError, ViolationError, BudgetExceededError, OSError and
    DataSyntaxError for what cannot be loaded.
    """
    with store.atomic():
        with REFUSED_NESTING:
            parsed = parsed_update(store, request, prefixes, budget)
        if not budget.remote:
            refuse_services(parsed.algebra)
        _refuse_unkeyed(parsed, initial(bindings))
        carried = Request(store, graph, bindings, budget)
        for operation in parsed.algebra:
            carried.carry_out(operation)
        carried.maintain()


def parsed_update(
    store: StatementStore, text: Any, prefixes: Prefixes, budget: Budget, base: str | None = None
) -> UpdateAlgebra:
    """The algebra of a request, which is to be carried out before anything else is. Raises as
    `update`."""
    if isinstance(text, UpdateAlgebra):
        return text
    if is_prepared(text, "Update"):
        with WHOLE:
            from rdfinc.plugins.sparql.by_rdflib.prepared import own_update

        return own_update(text, budget.check)
    if not isinstance(text, str):
        raise TypeError(f"a request is a text in SPARQL, or a prepared one, not {text!r}")
    if len(text) >= QUERIES.least_block_text:
        with unescaped(text) as plain:
            found = _with_loaded_blocks(store, plain, prefixes, budget, base)
        if found is not None:
            return found
    return read_as(update_of, text, prefixes, base, budget.check)


def _with_loaded_blocks(
    store: StatementStore, text: str, prefixes: Prefixes, budget: Budget, base: str | None
) -> UpdateAlgebra | None:
    """A request whose ground data are read; None where the grammar has to read them, also to tell a
    place."""
    try:
        rest, blocks = taken_out(text)
        parsed = update_of(rest, prefixes, base, budget.check)
        for (operation, place), block in zip(places(parsed.algebra), blocks, strict=True):
            if block is not None:
                place["loaded"] = loaded(block, operation, store.kb.dictionary)
    except (NotTriGError, SparqlSyntaxError, ValueError):
        return None
    return None if any(unkeyed(parsed.algebra)) else parsed


class Question(NamedTuple):
    """A query that is asked: what it is evaluated in, and its algebra."""

    scope: Scope
    algebra: Node

    def answer(self) -> Result:
        """The answer. While rows are read, BudgetExceededError may be raised."""
        return answer(self.scope, self.algebra)

    def plan(self) -> str:
        """The plan of the query, evaluated to its end. Raises BudgetExceededError."""
        len(self.answer())
        return plan(self.scope, self.algebra)


def question(
    store: StatementStore,
    request: Any,
    prefixes: Prefixes,
    bindings: Bindings,
    graph: Graph,
    base: str | None,
    budget: Budget,
    memory: Memory | None = None,
) -> Question:
    """A query, asked of a graph of the store; `memory` is that of the same query before.

    Raises SparqlSyntaxError; TypeError for what is no text; NotImplementedError where ids do not
    tell all that the graph shows, and where others have registered evaluators of their own; and
    RemoteAccessError.
    """
    bound = initial(bindings)
    shaped = parsed_query(request, prefixes, base, budget)
    parsed, compiled = shaped.query, shaped.memory
    if not shaped.is_plain:
        _refuse(parsed, bound, budget)
    if not is_alone():
        raise NotImplementedError("another evaluator that asks to see every part")
    clauses = parsed.algebra.datasetClause
    ctx = QueryContext(graph, bound, parsed.prologue)
    graphs = _chosen(store, clauses) if clauses else graphs_of(store, ctx)
    if graphs is None:
        raise NotImplementedError("statements that only rdflib can read")
    if memory is None and compiled is not None:
        memory = compiled.compiled()
    return Question(scope_of(store, graphs, ctx, budget, memory, shaped.constants), parsed.algebra)


def _refuse(query: QueryAlgebra, bound: Bindings, budget: Budget) -> None:
    """Raises RemoteAccessError, ForbiddenError for what may not be asked."""
    if not budget.remote:
        refuse_services(query.algebra)
    _refuse_unkeyed(query, bound)


def _refuse_unkeyed(request: QueryAlgebra | UpdateAlgebra, bound: Bindings) -> None:
    """Raises ForbiddenError, with the place in the text of this request."""
    with unescaped(request.text) as plain, placed_in(plain):
        refuse_unkeyed(request.algebra, bound)


def parsed_query(text: Any, prefixes: Prefixes, base: str | None, budget: Budget) -> Shaped:
    """A query that is to be asked. Raises SparqlSyntaxError; TypeError for what is none."""
    if isinstance(text, Shaped):
        return text
    with REFUSED_NESTING:
        if isinstance(text, QueryAlgebra):
            return Shaped(text)
        if is_prepared(text, "Query"):
            with WHOLE:
                from rdfinc.plugins.sparql.by_rdflib.prepared import own_query

            return Shaped(own_query(text, budget.check))
        if not isinstance(text, str):
            raise TypeError(f"a query is a text in SPARQL, or a prepared one, not {text!r}")
        return SHAPES.query(text, prefixes, base, budget.check)


def _chosen(store: StatementStore, clauses: Iterable[Any]) -> Graphs | None:
    default = [clause.default for clause in clauses if clause.default]
    named = [clause.named for clause in clauses if clause.named]
    return chosen(store, default, named)
