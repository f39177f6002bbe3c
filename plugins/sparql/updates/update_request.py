"""SPARQL Update over explicit statements, by ids.

What follows from the statements is read by WHERE and is never written: deleting what is only
derived changes nothing, and COPY, MOVE and ADD take what a graph states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from rdflib.graph import Dataset, Graph
from rdflib.term import URIRef, Variable

from rdfinc import DataSyntaxError
from rdfinc.knowledge_base.streams.input_facts import Statements, of_blocks, of_columns
from rdfinc.plugins.rdflib.graph_names import DEFAULT, EXPLICIT, VIRTUAL
from rdfinc.plugins.rdflib.rdflib_versions import default_of
from rdfinc.plugins.sparql.algebra.bindings import initial
from rdfinc.plugins.sparql.algebra.query_context import QueryContext
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Solutions
from rdfinc.plugins.sparql.depth import in_no_long_chain
from rdfinc.plugins.sparql.evaluation.evaluate import by_rdflib, scope_of, terms_of
from rdfinc.plugins.sparql.facts.graphs import Graphs, chosen, graphs_of, no_dataset
from rdfinc.plugins.sparql.results.templates import HERE, Filler, Quads
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.updates.edits import Edits
from rdfinc.plugins.sparql.updates.remote import contents
from rdfinc.tables.facts import Batch, joined
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.io.reading import Loaded, read

if TYPE_CHECKING:
    from rdfinc.plugins.rdflib.statement_store import StatementStore

UNION = "__UNION__"
FAILURES = (ValueError, OSError)
"""What an operation may raise and SILENT passes over."""


class Request:
    """The operations of one request as they are carried out, each seeing what those before did.

    Only a WHERE needs the closure: what operations change waits in `_edits`, to be maintained
    before the next WHERE, or in the end. `graph` names the graph that the request is about, which
    is meant wherever an operation names none; a union adds to the default graph and removes from
    every graph.
    """

    def __init__(
        self, store: StatementStore, graph: Any, bindings: Mapping[Any, Any], budget: Budget
    ) -> None:
        self._store, self._budget = store, budget
        self._dictionary = store.kb.dictionary
        self._is_union = graph == UNION
        self._bindings = initial(bindings)
        self._graph = _graph_of(store, graph)
        self._own = store.name_of(self._graph) or DEFAULT
        self._edits = Edits(store.reader())

    def carry_out(self, operation: Node) -> None:
        """Raises what is wrong with an operation, unless it is to be silent: then it has changed
        nothing."""
        try:
            _OPERATIONS[operation.name](self, operation)
        except FAILURES:
            if not operation.silent:
                raise

    def maintain(self) -> None:
        """Brings the closure up to date. Raises ViolationError, BudgetExceededError."""
        if self._edits:
            change, budget = self._edits.change(), self._budget
            change.bounds = self._store.kb._bounds(budget.left, budget.cancel)
            self._store.change(change)
        self._edits = Edits(self._store.reader())

    # -- DATA and WHERE

    def _insert_data(self, operation: Node) -> None:
        if operation.loaded is None:
            self._edits.put({}, self._data(self._quads(operation), new=True))
        else:
            self._edits.put({}, self._read(operation.loaded, self._here(withdrawn=False)))

    def _delete_data(self, operation: Node) -> None:
        if operation.loaded is None:
            self._edits.put(self._data(self._quads(operation, withdrawn=True), new=False), {})
        else:
            self._edits.put(self._read(operation.loaded, self._here(withdrawn=True)), {})

    def _read(self, loaded: Loaded, here: list[int]) -> Statements:
        """The statements of a block, where those outside of GRAPH are of the graphs `here`."""
        s, p, o, g = loaded.columns()
        named = [graph for graph in np.unique(g).tolist() if graph]
        meant = {0: here, **{g: [self._graph_id(self._store.term(g))] for g in named}}
        places = [np.flatnonzero(g == graph) for graph, to in meant.items() for _ in to]
        targets = [target for targets in meant.values() for target in targets]
        graphs = np.repeat(np.array(targets, np.uint32), [place.size for place in places])
        at = np.concatenate(places)
        return of_columns(s[at], p[at], o[at], graphs, self._dictionary) if at.size else {}

    def _data(self, quads: Quads, *, new: bool) -> Statements:
        filler = Filler(quads, self._terms(), self._budget, new=new)
        filler.fill(Solutions())
        return filler.statements(self._dictionary)

    def _delete_where(self, operation: Node) -> None:
        where = Node("BGP", triples=operation.triples)
        for name, triples in operation.quads.items():
            inside = Node("Graph", term=name, p=Node("BGP", triples=triples))
            where = Node("Join", p1=where, p2=inside)
        self._change(operation, where, delete=operation)

    def _modify(self, operation: Node) -> None:
        change = {"delete": operation.delete, "insert": operation.insert}
        self._change(operation, operation.where, **change)

    def _change(self, operation: Node, where: Node, delete: Any = None, insert: Any = None) -> None:
        self.maintain()
        own = operation.withClause
        terms, blocks = self._solutions(operation, where)
        gone, new = self._quads(delete, own, withdrawn=True), self._quads(insert, own)
        removed = Filler(gone, terms, self._budget, new=False)
        added = Filler(new, terms, self._budget, new=True)
        found = False
        for rows in blocks:
            found |= rows.size > 0
            removed.fill(rows)
            added.fill(rows)
        withdrawn, stated = (each.statements(self._dictionary) for each in (removed, added))
        if found:
            withdrawn |= self._ground(delete, self._meant_by(own, withdrawn=True))
            stated |= self._ground(insert, self._meant_by(own, withdrawn=False))
        self._edits.put(withdrawn, stated)

    def _ground(self, template: Any, here: list[int]) -> Statements:
        """What a template that is read as a document states; it holds nothing else then."""
        is_read = template and template.loaded is not None
        return self._read(template.loaded, here) if is_read else {}

    def _solutions(self, operation: Node, where: Node) -> tuple[Terms, Iterator[Solutions]]:
        context = QueryContext(self._graph, self._bindings, operation.prologue)
        if isinstance(self._graph, Dataset) and not self._is_union:
            context.graph = default_of(self._graph)
        if operation.withClause:
            self._graph_id(operation.withClause)
            dataset = no_dataset() if context.dataset is None else context.dataset
            context.graph = dataset.get_context(operation.withClause)
        graphs = self._using(operation.using) or graphs_of(self._store, context)
        if graphs is None:
            terms = self._terms()
            return terms, iter([by_rdflib(terms, context, where)])
        scope = scope_of(self._store, graphs, context, self._budget)
        return scope.terms, in_no_long_chain(where, scope.alone(where))

    def _using(self, clauses: Any) -> Graphs | None:
        if not clauses:
            return None
        default = [clause.default for clause in clauses if clause.default]
        named = [clause.named for clause in clauses if clause.named]
        return chosen(self._store, default, named)

    def _terms(self) -> Terms:
        return terms_of(self._store.kb)

    # -- templates

    def _quads(self, template: Any, own: Any = None, *, withdrawn: bool = False) -> Quads:
        """A template's triples, each with the id of its graph or the variable that stands for it;
        `own` is the graph of those that stand in none."""
        if not template:
            return []
        graphs = self._meant_by(own, withdrawn=withdrawn)
        quads = [(*triple, graph or HERE) for graph in graphs for triple in template.triples]
        for name, triples in template.quads.items():
            if not triples:
                continue
            graph = name if isinstance(name, Variable) else self._graph_id(name) or HERE
            quads += [(*triple, graph) for triple in triples]
        return quads

    def _meant_by(self, own: Any, *, withdrawn: bool) -> list[int]:
        """The graphs that are meant where none is named but by WITH."""
        return self._here(withdrawn=withdrawn) if own is None else [self._graph_id(own)]

    def _here(self, *, withdrawn: bool) -> list[int]:
        """The graphs that are meant where none is named."""
        if self._is_union and withdrawn:
            return self._edits.graphs()
        return [self._id(self._own)]

    def _graph_id(self, name: Any) -> int:
        """The id of a graph that an operation names."""
        if not isinstance(self._graph, Dataset) and name not in VIRTUAL:
            no_dataset()
        return self._id(name)

    def _id(self, name: Any) -> int:
        self._store.refuse_reserved(name)
        return 0 if name == DEFAULT else self._dictionary.encode(key_of(name))

    # -- whole graphs

    def _load(self, operation: Node) -> None:
        name, into = str(operation.iri), operation.graphiri
        (graph,) = self._here(withdrawn=False) if into is None else [self._graph_id(into)]
        key = self._dictionary.decode(graph) if graph else None
        data, format = contents(name, remote=self._budget.remote, files=self._budget.files)
        try:
            loaded = read(data, self._dictionary, graph=key, format=format, base=name)
        except DataSyntaxError as error:
            raise error.within(name) from None
        blocks = [*loaded.blocks]
        self._edits.put({}, of_blocks(blocks, self._dictionary) if len(loaded) else {})

    def _create(self, operation: Node) -> None:
        name = operation.graphiri
        if self._exists(self._graph_id(name)):
            raise ValueError(f"CREATE: there is a graph {name.n3()} already")
        self._store.add_graph(Graph(self._store, name))

    def _exists(self, graph: int) -> bool:
        """Whether there is a graph; the default graph always is."""
        if not graph:
            return True
        remembered = self._store.term(graph) in self._store.remembered_graphs()
        return remembered or bool(self._edits.stated(graph))

    def _clear(self, operation: Node) -> None:
        for graph in self._meant(operation.graphiri):
            self._empty(graph)

    def _drop(self, operation: Node) -> None:
        self._clear(operation)
        self._store.forget_graphs(self._meant(operation.graphiri))

    def _meant(self, which: Any) -> list[int]:
        """The graphs that DEFAULT, NAMED, ALL or a name means."""
        if _is_name(which):
            return [self._graph_id(which)]
        if which == "DEFAULT":
            return self._here(withdrawn=True)
        if not isinstance(self._graph, Dataset):
            no_dataset()
        known = map(self._id, self._store.remembered_graphs())
        named = [graph for graph in dict.fromkeys([*self._edits.graphs(), *known]) if graph]
        return named if which == "NAMED" else [0, *named]

    def _empty(self, graph: int) -> None:
        self._store.remove_beyond(graph)
        self._edits.put({graph: self._edits.stated(graph)}, {})

    def _add(self, operation: Node) -> None:
        source, target = operation.graph
        self._edits.put({}, {self._target(target): self._content(operation, source)})

    def _copy(self, operation: Node) -> None:
        source, target = operation.graph
        content = self._content(operation, source)
        self._empty(self._target(target))
        self._edits.put({}, {self._target(target): content})

    def _move(self, operation: Node) -> None:
        source, target = operation.graph
        left = [graph for graph in self._meant(source) if graph != self._target(target)]
        self._copy(operation)
        for graph in left:
            self._empty(graph)
        self._store.forget_graphs(left)

    def _target(self, name: Any) -> int:
        (graph,) = [self._graph_id(name)] if _is_name(name) else self._here(withdrawn=False)
        return graph

    def _content(self, operation: Node, name: Any) -> Batch:
        """What a graph states, or a virtual one shows. Raises ValueError if there is none."""
        if name in VIRTUAL:
            self.maintain()
            reader = self._store.reader()
            return reader.explicit.batch() if name == EXPLICIT else reader.derived.batch()
        if _is_name(name) and not self._exists(self._graph_id(name)):
            what = operation.name.upper()
            raise ValueError(f"{what}: there is no graph {name.n3()}; {what} SILENT passes over it")
        return reduce(joined, map(self._edits.stated, self._meant(name)))


def _is_name(name: Any) -> bool:
    """Whether it is a graph's name, and not the word DEFAULT, NAMED or ALL."""
    return isinstance(name, URIRef)


def _graph_of(store: StatementStore, graph: Any) -> Graph:
    if graph in (UNION, DEFAULT):
        return Dataset(store, default_union=graph == UNION)
    return Graph(store, graph)


_OPERATIONS: dict[str, Callable[[Request, Node], None]] = {
    "InsertData": Request._insert_data,
    "DeleteData": Request._delete_data,
    "DeleteWhere": Request._delete_where,
    "Modify": Request._modify,
    "Load": Request._load,
    "Create": Request._create,
    "Clear": Request._clear,
    "Drop": Request._drop,
    "Add": Request._add,
    "Copy": Request._copy,
    "Move": Request._move,
}
