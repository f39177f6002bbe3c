"""SPARQL requests that the store carries out itself, with rdflib's evaluator.

These are updates, because a request is atomic, and queries with FROM clauses, for which rdflib
would copy every graph triple by triple and fetch empty ones from the network. Everything else, and
whatever is no SPARQL, is declined with NotImplementedError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyparsing import ParseException
from rdflib.graph import Dataset, Graph
from rdflib.plugins.sparql import update as operations
from rdflib.plugins.sparql.algebra import translateQuery, translateUpdate
from rdflib.plugins.sparql.evaluate import evalPart
from rdflib.plugins.sparql.parser import parseQuery, parseUpdate
from rdflib.plugins.sparql.processor import SPARQLResult
from rdflib.plugins.sparql.sparql import Query, QueryContext, Update
from rdflib.term import IdentifiedNode, Identifier, Variable

from rdfinc.plugins.graph_names import DEFAULT

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


def query(store: RdfincStore, request: Any, prefixes: Prefixes, bindings: Bindings) -> SPARQLResult:
    """The result of a query with FROM clauses, all of which name graphs of the store."""
    parsed = request if isinstance(request, Query) else _parsed_query(request, prefixes)
    clauses = parsed.algebra.datasetClause
    if not clauses:
        raise NotImplementedError("no FROM clause")
    default = [clause.default for clause in clauses if clause.default]
    named = [clause.named for clause in clauses if clause.named]
    if not all(map(store.has_graph, default + named)):
        raise NotImplementedError("a graph that is not in the store")
    ctx = _context(_Chosen(store, named), bindings, _merged(store, default))
    ctx.prologue = parsed.prologue
    return SPARQLResult(evalPart(ctx, parsed.algebra))


def _parsed_query(text: Any, prefixes: Prefixes) -> Query:
    if not isinstance(text, str) or not re.search(r"\bFROM\b", text, re.IGNORECASE):
        raise NotImplementedError("no query with a FROM clause")
    try:
        tree = parseQuery(text)
    except ParseException as error:
        raise NotImplementedError("no SPARQL query") from error
    return translateQuery(tree, None, prefixes)


def _merged(store: RdfincStore, names: list[IdentifiedNode]) -> Graph:
    """The default graph that FROM clauses make."""
    if len(names) == 1:
        return Graph(store, names[0])
    merged = Graph()
    for name in names:
        merged += Graph(store, name)
    return merged


class _Chosen(Dataset):
    """Some of the store's graphs, as the named graphs that GRAPH ranges over."""

    def __init__(self, store: RdfincStore, names: list[IdentifiedNode]) -> None:
        super().__init__(store)
        self._chosen = dict.fromkeys(names)

    def contexts(self, triple: Any = None) -> Iterator[Graph]:
        return (Graph(self.store, name) for name in self._chosen)

    def get_context(self, identifier: Any, quoted: bool = False, base: Any = None) -> Graph:
        return Graph(self.store, identifier) if identifier in self._chosen else Graph()
