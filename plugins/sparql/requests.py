"""SPARQL requests that the store carries out itself.

Queries are evaluated in id space. Updates are carried out by rdflib, all operations of a request in
one atomic step. Whatever is no SPARQL is declined with NotImplementedError.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyparsing import ParseException
from rdflib.graph import Dataset, Graph
from rdflib.plugins.sparql import update as operations
from rdflib.plugins.sparql.algebra import translateQuery, translateUpdate
from rdflib.plugins.sparql.parser import parseQuery, parseUpdate
from rdflib.plugins.sparql.sparql import Query, QueryContext, Update
from rdflib.query import Result
from rdflib.term import Identifier, Variable

from rdfinc.plugins.graph_names import DEFAULT
from rdfinc.plugins.sparql.evaluation import is_alone, scope_of
from rdfinc.plugins.sparql.forms import answer
from rdfinc.plugins.sparql.graphs import Graphs, chosen, graphs_of

if TYPE_CHECKING:
    from rdfinc.plugins.rdflib_store import RdfincStore

UNION = "__UNION__"
Bindings = Mapping[Any, Identifier]
Prefixes = Mapping[str, Any]


def update(
    store: RdfincStore, request: Any, prefixes: Prefixes, bindings: Bindings, graph: Any
) -> None:
    """Carries out all operations of a request, or none of them."""
    parsed = request if isinstance(request, Update) else _parsed_update(request, prefixes)
    with store.atomic():
        for operation in parsed.algebra:
            ctx = _update_context(store, graph, bindings)
            ctx.prologue = operation.prologue
            _carry_out(ctx, operation)


def _parsed_update(text: Any, prefixes: Prefixes) -> Update:
    if not isinstance(text, str):
        raise NotImplementedError("no text of SPARQL Update")
    try:
        tree = parseUpdate(text)
    except ParseException as error:
        raise NotImplementedError("no SPARQL Update") from error
    parsed = translateUpdate(tree, initNs=prefixes)
    if not isinstance(parsed, Update):
        raise NotImplementedError("a request without an operation")
    return parsed


def _carry_out(ctx: QueryContext, operation: Any) -> None:
    try:
        getattr(operations, f"eval{operation.name}")(ctx, operation)
    except Exception:
        if not operation.silent:
            raise


def _update_context(store: RdfincStore, graph: Any, bindings: Bindings) -> QueryContext:
    if graph == UNION:
        return _context(_Union(store, default_union=True), bindings)
    if graph == DEFAULT:
        dataset = Dataset(store)
        return _context(dataset, bindings, dataset.default_graph)
    return _context(Graph(store, graph), bindings)


def _context(graph: Graph, bindings: Bindings, default: Graph | None = None) -> QueryContext:
    ctx = QueryContext(graph, initBindings={Variable(k): v for k, v in bindings.items()})
    if default is not None:
        ctx.graph = default
    return ctx


class _Union(Dataset):
    """All graphs as one: it adds to the default graph and removes from every graph."""

    identifier = DEFAULT

    def __iter__(self) -> Iterator[Any]:
        return Graph.__iter__(self)

    def __iadd__(self, other: Iterable[Any]) -> _Union:
        self.addN((s, p, o, self.default_graph) for s, p, o in other)
        return self


def query(
    store: RdfincStore,
    request: Any,
    prefixes: Prefixes,
    bindings: Bindings,
    graph: Graph,
    base: str | None,
) -> Result:
    """The answer to a query that is asked of a graph of the store.

    Raises NotImplementedError for what is no query, where ids do not tell all that the graph shows,
    where others have registered evaluators of their own, and for FROM clauses that name something
    else than graphs of the store.
    """
    if not is_alone():
        raise NotImplementedError("another evaluator that asks to see every part")
    parsed = request if isinstance(request, Query) else _parsed_query(request, prefixes, base)
    clauses = parsed.algebra.datasetClause
    ctx = _context(graph, bindings)
    ctx.prologue = parsed.prologue
    graphs = _chosen(store, clauses) if clauses else graphs_of(store, ctx)
    if graphs is None:
        raise NotImplementedError("statements that only rdflib can read")
    return answer(scope_of(store, graphs, ctx), parsed.algebra)


def _parsed_query(text: Any, prefixes: Prefixes, base: str | None) -> Query:
    if not isinstance(text, str):
        raise NotImplementedError("no text of a SPARQL query")
    try:
        tree = parseQuery(text)
    except ParseException as error:
        raise NotImplementedError("no SPARQL query") from error
    return translateQuery(tree, base, prefixes)


def _chosen(store: RdfincStore, clauses: Iterable[Any]) -> Graphs | None:
    default = [clause.default for clause in clauses if clause.default]
    named = [clause.named for clause in clauses if clause.named]
    if not all(map(store.has_graph, default + named)):
        raise NotImplementedError("a graph that is not in the store")
    return chosen(store, default, named)
