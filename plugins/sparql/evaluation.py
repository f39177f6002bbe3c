"""rdflib's SPARQL evaluator with basic graph patterns answered from the indexes, by ids.

rdflib calls `evaluate` for every part of every query of the process (entry-point group
`rdf.plugins.sparqleval`); NotImplementedError leaves the part to rdflib.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import repeat
from typing import Any

from rdflib.graph import ConjunctiveGraph, Graph
from rdflib.paths import Path
from rdflib.plugins.sparql.evaluate import evalBGP, evalPart
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.plugins.sparql.sparql import FrozenBindings, QueryContext

from rdfinc.knowledge_base.views import Reader
from rdfinc.plugins.graph_names import VIRTUAL
from rdfinc.plugins.rdflib_store import RdfincStore
from rdfinc.plugins.sparql.patterns import TriplePattern, solve
from rdfinc.plugins.sparql.solutions import Solutions


def evaluate(ctx: QueryContext, part: CompValue) -> Iterator[FrozenBindings]:
    """The solutions of `part` if it reads a rdfinc store and is a kind of part listed here."""
    store = getattr(ctx.graph, "store", None)
    if not isinstance(store, RdfincStore):
        raise NotImplementedError
    if part.name == "BGP":
        return _basic_graph_pattern(ctx, store, part.triples, None)
    if part.name == "Project" and part.p.name == "BGP":
        return _basic_graph_pattern(ctx, store, part.p.triples, part.PV)
    if part.name == "Graph" and ctx._dataset is None and ctx[part.term] in VIRTUAL:
        return evalPart(ctx.pushGraph(Graph(store, ctx[part.term])), part.p)
    raise NotImplementedError


def _basic_graph_pattern(
    ctx: QueryContext, store: RdfincStore, triples: Sequence[Any], wanted: Any
) -> Iterator[FrozenBindings]:
    """The solutions, of which only the `wanted` variables are kept (None: all)."""
    paths = [triple for triple in triples if isinstance(triple[1], Path)]
    plain = [triple for triple in triples if triple not in paths]
    reading = store.reading(ctx.graph) if _shows_its_store(ctx.graph) else None
    if reading is None or (paths and (wanted is not None or not plain)):
        raise NotImplementedError
    patterns = _by_ids(ctx, store, plain)
    reader, view = reading
    blocks = iter(()) if patterns is None else solve(view, patterns, partial(_estimate, reader))
    rows = _decoded(ctx, store, blocks, wanted)
    return _followed(ctx, rows, paths) if paths else rows


def _estimate(reader: Reader, s: int | None, p: int | None, o: int | None) -> int:
    """How many facts of the closure match, hidden ones included: no less than any view has."""
    tables = reader.version.closure
    if p is not None:
        return tables.get(p).count(s, o)
    return sum(table.count(s, o) for table in tables.tables.values())


def _shows_its_store(graph: Any) -> bool:
    """Whether reading `graph` is reading its store: an aggregate, say, reads several graphs."""
    return type(graph).triples in (Graph.triples, ConjunctiveGraph.triples)


def _by_ids(
    ctx: QueryContext, store: RdfincStore, triples: Sequence[Any]
) -> list[TriplePattern] | None:
    """The patterns, a blank node being a variable; None if a term is unknown: nothing matches."""
    patterns = []
    for triple in triples:
        values = [ctx[term] for term in triple]
        slots = [t if v is None else store.find(v) for t, v in zip(triple, values, strict=True)]
        if None in slots:
            return None
        patterns.append((slots[0], slots[1], slots[2]))
    return patterns


def _decoded(
    ctx: QueryContext, store: RdfincStore, blocks: Iterator[Solutions], wanted: Any
) -> Iterator[FrozenBindings]:
    bound = {v: t for v, t in ctx.bindings.items() if wanted is None or v in wanted}
    contexts = _contexts(ctx)
    for block in blocks:
        columns = {v: c for v, c in block.columns.items() if wanted is None or v in wanted}
        terms = [store.terms(column.tolist()) for column in columns.values()]
        rows = zip(*terms, strict=True) if terms else repeat((), block.size)
        for row, context in zip(rows, contexts):  # noqa: B905  contexts do not end
            yield Row(context, {**bound, **dict(zip(columns, row, strict=True))})


def _contexts(ctx: QueryContext) -> Iterator[QueryContext]:
    """A context for each row: in a GRAPH clause its own, because rdflib changes those of rows."""
    if ctx._dataset is None or ctx.graph is ctx._dataset:
        return repeat(ctx.push())
    return iter(ctx.push, None)


class Row(FrozenBindings):
    """A solution mapping that is quick to make and to read."""

    def __init__(self, ctx: QueryContext, values: dict[Any, Any]) -> None:
        self.ctx, self._d, self._hash = ctx, values, None

    def get(self, key: Any, default: Any = None) -> Any:
        found = self._d.get(key)
        return super().get(key, default) if found is None else found


def _followed(
    ctx: QueryContext, rows: Iterator[FrozenBindings], paths: Sequence[Any]
) -> Iterator[FrozenBindings]:
    """The rows joined with property paths, which rdflib evaluates."""
    for row in rows:
        bound = ctx.thaw(row)
        yield from evalBGP(bound, sorted(paths, key=lambda t: sum(bound[n] is None for n in t)))
