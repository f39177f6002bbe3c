"""What rdflib's own evaluator calls for every part of every query of the process (entry-point group
`rdf.plugins.sparqleval`); NotImplementedError leaves the part to rdflib."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import repeat

from rdflib.plugins.sparql import CUSTOM_EVALS
from rdflib.plugins.sparql.evaluate import evalPart
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import FrozenBindings
from rdflib.plugins.sparql.sparql import QueryContext as RdflibContext

from rdfinc.plugins.rdflib.statement_store import StatementStore
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import ours
from rdfinc.plugins.sparql.by_rdflib.rdflib_solutions import SolutionRow
from rdfinc.plugins.sparql.columns.solutions import Solutions
from rdfinc.plugins.sparql.evaluation.evaluate import OPERATORS, scope_of
from rdfinc.plugins.sparql.evaluation.scope import Scope
from rdfinc.plugins.sparql.facts.graphs import graphs_of
from rdfinc.plugins.sparql.rdflib_state import is_alone


def evaluate(ctx: RdflibContext, part: CompValue) -> Iterable[FrozenBindings]:
    """The solutions of `part`, if it reads a rdfinc store and is covered here. Where others want to
    be asked, too, these are basic graph patterns only. If it is rdflib that asks, those that none
    of them answers: who else calls this has been asked."""
    store = getattr(ctx.graph, "store", None)
    if not isinstance(store, StatementStore) or part.name not in OPERATORS:
        raise NotImplementedError
    if not is_alone():
        if part.name != "BGP":
            raise NotImplementedError
        asking = sys._getframe(1).f_globals.get("__name__")
        if asking == evalPart.__module__ and (answer := _by_those_after(ctx, part)) is not None:
            return answer
    own = QueryContext.of_rdflib(ctx)
    graphs = graphs_of(store, own)
    if graphs is None:
        raise NotImplementedError
    scope = scope_of(store, graphs, own)
    return _decoded(scope, scope.alone(ours(part)), ctx)


def _by_those_after(ctx: RdflibContext, part: CompValue) -> Iterable[FrozenBindings] | None:
    """The answer of the evaluators that rdflib would ask later than this one, if they have one."""
    evaluators = list(CUSTOM_EVALS.values())
    own = evaluators.index(evaluate) if evaluate in evaluators else len(evaluators)
    for other in evaluators[own + 1 :]:
        if other is evaluate:
            continue
        with suppress(NotImplementedError):
            found: Iterable[FrozenBindings] = other(ctx, part)
            return found
    return None


def _decoded(
    scope: Scope, blocks: Iterator[Solutions], ctx: RdflibContext
) -> Iterator[FrozenBindings]:
    """The solutions as rdflib's evaluator hands them on."""
    contexts = _contexts(ctx)
    for block in blocks:
        columns = [scope.terms.column(column) for column in block.columns.values()]
        rows = zip(*columns, strict=True) if columns else repeat((), block.size)
        for row, of_row in zip(rows, contexts):  # noqa: B905  contexts do not end
            values = zip(block.columns, row, strict=True)
            yield SolutionRow(of_row, {v: term for v, term in values if term is not None})


def _contexts(ctx: RdflibContext) -> Iterator[RdflibContext]:
    """A context for each row: in a GRAPH clause its own, because rdflib changes those of rows."""
    if ctx._dataset is None or ctx.graph is ctx._dataset:
        return repeat(ctx.push())
    return iter(ctx.push, None)
