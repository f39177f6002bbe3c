"""A knowledge base that is served: what requests ask of it, without HTTP."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import Struct
from rdflib import Dataset, Graph, URIRef
from rdflib.query import Result

from rdfinc import BudgetExceededError, DataSyntaxError, KnowledgeBase
from rdfinc.datalog.syntax.rule_text import PREFIXES
from rdfinc.knowledge_base.streams.input_facts import Statements, of_blocks
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import Reader, View
from rdfinc.plugins.rdflib.graph_names import DEFAULT, DERIVED, EXPLICIT
from rdfinc.plugins.rdflib_store import RdfincStore
from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.server.settings import Settings
from rdfinc.plugins.sparql import store_requests
from rdfinc.plugins.sparql.algebra.request_algebra import QueryAlgebra
from rdfinc.plugins.sparql.algebra.translate import query_of, read_as
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.depth import REFUSED_NESTING
from rdfinc.plugins.sparql.shapes import Shaped
from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.updates.update_request import UNION
from rdfinc.terms.io.reading import Loaded, read

Keys = tuple[bytes, bytes, bytes, None]
FRESH = 0.2
"""Seconds for which what another process wrote is not looked for again."""


class SparqlRequest(Struct, frozen=True):
    """A request in SPARQL: its text, the base of relative IRIs, and the graphs named by the
    protocol, in place of those in the text."""

    text: str
    base: str
    default: Sequence[str] = ()
    named: Sequence[str] = ()

    def clauses(self) -> list[Node]:
        """The graphs as the clauses of a text name them."""
        return [
            Node("DatasetClause", **{which: URIRef(name)})
            for which, names in (("default", self.default), ("named", self.named))
            for name in names
        ]


class Document(NamedTuple):
    """RDF that came with a request."""

    content: bytes
    format: str
    base: str


class Snapshot(RdfincStore):
    """One version of a store, to be read; it has no parts of its own, which would refer to it and
    hold the version until garbage is collected."""

    def __init__(self, store: RdfincStore, reader: Reader) -> None:
        vars(self).update(vars(store))
        self._pinned = reader

    def reader(self) -> Reader:
        return self._pinned


@dataclass
class Served:
    """A knowledge base, the store by which it is changed, and the settings in force."""

    kb: KnowledgeBase
    settings: Settings
    store: RdfincStore = field(init=False)
    _followed: float = field(init=False, default=-math.inf)

    def __post_init__(self) -> None:
        self.store = RdfincStore(self.kb)

    @property
    def prefixes(self) -> dict[str, str]:
        """Those that requests need not declare."""
        return {**PREFIXES, **self.kb.namespaces}

    def budget(self) -> Budget:
        """The bounds of a request that came in now."""
        settings = self.settings
        return Budget(
            timeout=settings.timeout,
            max_memory=settings.max_memory,
            cancel=threading.Event(),
            remote=settings.remote,
        )

    def snapshot(self, budget: Budget) -> Snapshot:
        """The version of now. Raises BudgetExceededError if an update takes too long to wait."""
        with self.turn(budget):
            self._follow()
            return Snapshot(self.store, self.kb.reader())

    def look(self) -> None:
        """Takes in what another process wrote, without a query."""
        self.snapshot(self.budget())

    def _follow(self) -> None:
        """Takes in what another process wrote, if that was not just done."""
        now = time.monotonic()
        if self.settings.follows and now - self._followed > FRESH:
            self.kb.refresh()
            self._followed = now

    @contextmanager
    def turn(self, budget: Budget) -> Iterator[None]:
        """The knowledge base for oneself. Raises BudgetExceededError if that takes too long."""
        assert budget.timeout is not None and budget.left is not None
        with self.kb._turns.quietly:
            if not self.kb._lock.acquire(timeout=budget.left):
                raise BudgetExceededError(
                    f"timeout={budget.timeout:g} is exceeded while an update is made; try again",
                    "timeout",
                    budget.timeout,
                    time.monotonic() - budget.asked,
                )
            try:
                yield
            finally:
                self.kb._lock.release()

    def query(self, asked: SparqlRequest, budget: Budget) -> Result:
        """The answer to a query over the closure of all graphs. Raises SparqlSyntaxError,
        DataSyntaxError, RemoteAccessError, and BudgetExceededError, also while it is read."""
        parsed = self._parsed(asked, budget)
        store = self.snapshot(budget)
        union = Dataset(store, default_union=True)
        return store_requests.question(store, parsed, {}, {}, union, None, budget).answer()

    def _parsed(self, asked: SparqlRequest, budget: Budget) -> QueryAlgebra | Shaped:
        clauses = asked.clauses()
        if not clauses:
            return store_requests.parsed_query(asked.text, self.prefixes, asked.base, budget)
        with REFUSED_NESTING:
            parsed = read_as(query_of, asked.text, self.prefixes, asked.base, budget.check)
        parsed.algebra["datasetClause"] = clauses
        return parsed

    def update(self, asked: SparqlRequest, budget: Budget) -> None:
        """Carries a request out in one step, or nothing of it. Raises as
        `store_requests.update`."""
        with self.turn(budget):
            with REFUSED_NESTING:
                parsed = store_requests.parsed_update(
                    self.store, asked.text, self.prefixes, budget, asked.base
                )
            if clauses := asked.clauses():
                _give_graphs(parsed.algebra, clauses)
            try:
                store_requests.update(self.store, parsed, {}, {}, UNION, budget)
            except ValueError as error:
                raise _as_refused(error) from None
            self.store.commit()

    # -- graphs, None being the default graph

    def graph(self, name: str | None, budget: Budget) -> Iterator[Keys]:
        """What a graph states, by keys; a virtual one shows facts. Raises RefusalError if there is
        none."""
        store = self.snapshot(budget)
        self._require(store, name)
        view = _view(store, name)
        decode, hold = self.kb.dictionary.decode, budget.hold
        for fact in budget.checked(view.match()):
            s, p, o = map(decode, fact)
            hold(len(s) + len(p) + len(o))
            yield s, p, o, None

    def replace(self, name: str | None, documents: Sequence[Document], budget: Budget) -> bool:
        """Makes a graph state what documents do, and nothing else; whether it is a new one."""
        return self._state(name, documents, budget, replacing=True)

    def add(self, name: str | None, documents: Sequence[Document], budget: Budget) -> bool:
        """Adds what documents state to a graph; whether it is a new one."""
        return self._state(name, documents, budget, replacing=False)

    def _state(
        self, name: str | None, documents: Sequence[Document], budget: Budget, *, replacing: bool
    ) -> bool:
        with self.turn(budget), self.store.atomic():
            is_new = name is not None and not self.store.has_graph(URIRef(name))
            reader, graph = self.kb.reader(), self._id(name)
            gone = {graph: reader.stated(graph).batch()} if replacing else {}
            loaded = [self._read(document, name) for document in documents]
            self.store.add_graph(Graph(self.store, DEFAULT if name is None else URIRef(name)))
            self._change(gone, self._statements(loaded), budget)
            for prefix, iri in (pair for each in loaded for pair in each.prefixes.items()):
                self.kb.namespaces.setdefault(prefix, iri)
            self.store.commit()
        return is_new

    def _read(self, document: Document, name: str | None) -> Loaded:
        key = None if name is None else f"<{name}>".encode()
        return read(
            document.content,
            self.kb.dictionary,
            graph=key,
            format=document.format,
            base=document.base,
        )

    def _statements(self, loaded: Sequence[Loaded]) -> Statements:
        blocks = [block for each in loaded for block in each.blocks]
        return of_blocks(blocks, self.kb.dictionary) if any(map(len, loaded)) else {}

    def remove(self, name: str | None, budget: Budget) -> None:
        """Empties the default graph, or removes a named one. Raises RefusalError where there is
        none."""
        with self.turn(budget), self.store.atomic():
            self._require(self.store, name)
            graph = self._id(name)
            self._change({graph: self.kb.reader().stated(graph).batch()}, {}, budget)
            self.store.forget_graphs([graph])
            self.store.commit()

    def _change(self, delete: Statements, insert: Statements, budget: Budget) -> None:
        bounds = self.kb._bounds(budget.left, budget.cancel)
        self.store.change(Change(delete, insert, bounds=bounds))

    def _id(self, name: str | None) -> int:
        """Raises ReservedGraphError."""
        if name is None:
            return 0
        self.store.refuse_reserved(URIRef(name))
        return self.kb.dictionary.encode(f"<{name}>".encode())

    def _require(self, store: RdfincStore, name: str | None) -> None:
        if name is not None and not store.has_graph(URIRef(name)):
            raise RefusalError(404, f"there is no graph <{name}>")


def _view(store: Snapshot, name: str | None) -> View:
    reader = store.reader()
    if name == str(EXPLICIT):
        return reader.explicit
    if name == str(DERIVED):
        return reader.derived
    return reader.stated(0 if name is None else store.find(URIRef(name)) or 0)


def _give_graphs(operations: Sequence[Any], clauses: list[Node]) -> None:
    """Names the graphs that WHERE reads. Raises DataSyntaxError where the text does, too."""
    for operation in operations:
        if operation.name == "Modify":
            if operation.using or operation.withClause:
                raise DataSyntaxError(
                    "request", None, "", "both the text, by USING or WITH, and using-graph-uri or"
                    " using-named-graph-uri name graphs: leave one of them out",
                )  # fmt: skip
            operation["using"] = clauses


def _as_refused(error: ValueError) -> Exception:
    """What cannot be carried out, as an error of the request."""
    if type(error) is not ValueError:
        return error
    return DataSyntaxError("request", None, "", str(error))
