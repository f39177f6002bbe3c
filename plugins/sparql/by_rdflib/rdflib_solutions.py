"""The solutions of parts that rdflib's evaluator finds."""

from __future__ import annotations

from typing import Any

from rdflib.plugins.sparql.evaluate import evalPart
from rdflib.plugins.sparql.sparql import FrozenBindings
from rdflib.plugins.sparql.sparql import QueryContext as RdflibContext

from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.by_rdflib.rdflib_algebra import rdflibs
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Solutions
from rdfinc.plugins.sparql.syntax.nodes import Node


class SolutionRow(FrozenBindings):
    """A solution mapping that is quick to make and to read."""

    def __init__(self, ctx: RdflibContext, values: dict[Any, Any]) -> None:
        self.ctx, self._d, self._hash = ctx, values, None

    def get(self, key: Any, default: Any = None) -> Any:
        found = self._d.get(key)
        return super().get(key, default) if found is None else found


def rdflibs_context(ctx: QueryContext) -> RdflibContext:
    """What rdflib's evaluator is asked in, made once for a request."""
    if ctx.given is None:
        graph = ctx.graph if ctx.dataset is None else ctx.dataset
        ctx.given = RdflibContext(graph, initBindings=dict(ctx.bindings))  # type: ignore[arg-type]
        ctx.given.graph, ctx.given.prologue = ctx.graph, ctx.prologue
        ctx.given._now = ctx.now
    found: RdflibContext = ctx.given
    return found


def solutions(terms: Terms, ctx: QueryContext, part: Node) -> Solutions:
    """The solutions of a part that nothing here covers."""
    rows = list(evalPart(rdflibs_context(ctx), rdflibs(part)))
    variables = dict.fromkeys(v for row in rows for v in row)
    numbers = {v: terms.numbers(row.get(v) for row in rows) for v in variables}
    return Solutions(len(rows), numbers)
