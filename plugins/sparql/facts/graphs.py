"""The graphs that a query reads, as facts of one version of the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec import Struct
from rdflib.graph import ConjunctiveGraph, Graph

from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.plugins.rdflib.graph_names import DEFAULT, EXPLICIT, VIRTUAL
from rdfinc.plugins.rdflib.rdflib_versions import default_of
from rdfinc.plugins.rdflib.statement_store import StatementStore
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.named_facts import NamedFacts


class Graphs(Struct, frozen=True, dict=True):
    """The graphs of a query: the facts read outside of GRAPH; the names over which GRAPH ranges;
    the facts of a graph by name, None if there is no such graph; and what gives all statements of
    the graphs over which GRAPH ranges, or None if one of these shows other facts."""

    default: GraphFacts
    names: Callable[[], Sequence[Any]]
    named: Callable[[Any], GraphFacts | None]
    all_stated: Callable[[], NamedFacts | None] = lambda: None

    @cached_property
    def stated(self) -> NamedFacts | None:
        """Those statements, found when they are first asked for."""
        return self.all_stated()


def graphs_of(store: StatementStore, ctx: QueryContext) -> Graphs | None:
    """The graphs that rdflib would read for this context, or None if ids do not tell all."""
    graph, dataset = ctx.graph, ctx.dataset
    if not _shows_its_store(graph) or not store.is_rdf_only():
        return None
    if dataset is not None and dataset.store is not store:
        return None
    reader = store.reader()
    default = facts_of(store, reader, store.name_of(graph))
    if dataset is None:
        return Graphs(default, no_dataset, lambda name: _virtual(store, reader, name))

    others = _Others(dataset, store, reader)
    return Graphs(default, others.names, others.named, others.stated)


class _Others:
    """The graphs of a dataset beside its default one, each looked up once."""

    def __init__(self, dataset: ConjunctiveGraph, store: StatementStore, reader: Reader) -> None:
        self._dataset, self._store, self._reader = dataset, store, reader
        self._facts: dict[Any, GraphFacts | None] = {}

    def stated(self) -> NamedFacts:
        return NamedFacts(self._reader, self._reader.version.graphs, self.remembered)

    def names(self) -> list[Any]:
        return self._but_default(self._store.named_graphs(self._reader))

    def named(self, name: Any) -> GraphFacts | None:
        if name not in self._facts:
            self._facts[name] = self._facts_of(name)
        return self._facts[name]

    def _facts_of(self, name: Any) -> GraphFacts | None:
        if not self._store.has_graph(name):
            return None
        own = self._store.name_of(self._dataset.get_context(name))
        return facts_of(self._store, self._reader, own)

    def remembered(self) -> list[Any]:
        return self._but_default(self._store.remembered_graphs())

    def _but_default(self, names: Iterable[Any]) -> list[Any]:
        own = default_of(self._dataset).identifier
        return [name for name in names if name != own]


def chosen(store: StatementStore, default: Sequence[Any], named: Sequence[Any]) -> Graphs | None:
    """The graphs chosen by FROM and FROM NAMED clauses, all of them graphs of the store."""
    if not store.is_rdf_only():
        return None
    reader = store.reader()
    facts = {name: facts_of(store, reader, name) for name in (*default, *named)}
    parts = [facts[name] for name in dict.fromkeys(default)]
    together = parts[0] if len(parts) == 1 else GraphFacts.merged(parts, reader)
    names = list(dict.fromkeys(named))
    stated = partial(_stated, store, reader, names)
    return Graphs(together, lambda: names, lambda n: facts[n] if n in names else None, stated)


def _stated(store: StatementStore, reader: Reader, names: list[Any]) -> NamedFacts | None:
    """The statements of the graphs with these names; None if one shows other facts."""
    if {DEFAULT, *VIRTUAL} & set(names):
        return None
    graphs, ids = reader.version.graphs, map(store.find, names)
    stated = {id: graphs[id] for id in ids if id in graphs}
    return NamedFacts(reader, stated, lambda: names)


def facts_of(store: StatementStore, reader: Reader, name: Any) -> GraphFacts:
    """The facts shown by the graph of that name; None is the union of all."""
    if name is None:
        return GraphFacts.closure(reader)
    if name == DEFAULT:
        return GraphFacts.default_graph(reader)
    if name in VIRTUAL:
        return GraphFacts.explicit(reader) if name == EXPLICIT else GraphFacts.derived(reader)
    return GraphFacts.graph(reader, store.find(name))


def _virtual(store: StatementStore, reader: Reader, name: Any) -> GraphFacts:
    return facts_of(store, reader, name) if name in VIRTUAL else no_dataset()


def no_dataset(*names: Any) -> Any:
    raise ValueError(
        "only a Dataset or ConjunctiveGraph knows about graphs; ask one, or leave GRAPH out"
    )


def _shows_its_store(graph: Any) -> bool:
    """Whether reading `graph` is reading its store: an aggregate, say, reads several graphs."""
    return type(graph).triples in (Graph.triples, ConjunctiveGraph.triples)
