"""The statements of a knowledge base as a store of rdflib, without SPARQL."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from itertools import chain, repeat
from typing import Any

from msgspec import Struct
from rdflib.events import Event
from rdflib.graph import ConjunctiveGraph, Dataset, Graph, QuotedGraph
from rdflib.store import (
    CORRUPTED_STORE,
    NO_STORE,
    UNKNOWN,
    VALID_STORE,
    Store,
    TripleAddedEvent,
    TripleRemovedEvent,
)
from rdflib.term import IdentifiedNode, Identifier, Literal, Node, URIRef
from rdflib.util import from_n3

from rdfinc import (
    CorruptedError,
    Delta,
    KnowledgeBase,
    RdfincError,
    ReservedGraphError,
    TermError,
)
from rdfinc.datalog.model import Program
from rdfinc.knowledge_base.streams.input_facts import of_blocks
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import Reader, View
from rdfinc.plugins.rdflib.beyond_rdf import BeyondRdf, Found, Saved, Triple, is_rdf
from rdfinc.plugins.rdflib.callers import (
    calling_dataset,
    dataset_being_made,
    is_parser_clearing,
)
from rdfinc.plugins.rdflib.closure_events import Announcements, ClosureChangedEvent, publish
from rdfinc.plugins.rdflib.graph_names import DEFAULT, EXPLICIT, VIRTUAL, GraphNames
from rdfinc.plugins.rdflib.pending_statements import PendingStatements, QuadPattern
from rdfinc.plugins.rdflib.store_prefixes import Prefixes, in_order
from rdfinc.tables.facts import Batch
from rdfinc.tables.facts import triples as facts_of
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.io.reading import read
from rdfinc.terms.rdflib_terms import Decoder

Fact = tuple[int, int, int]
Pattern = tuple[int | None, int | None, int | None]
DROPPED_SHOWN = 5
_ASK_AGAIN = (
    "\nthese were waiting in a graph; what was asked for now has not been done, ask for it again"
)
_WHY = {
    NO_STORE: "nothing is saved there, so it was not opened and nothing would be saved;"
    " open(..., create=True) begins there",
    CORRUPTED_STORE: "what is saved there is damaged, so it was not opened and nothing would be"
    " saved; open another directory, or destroy(...) that and open it with create=True",
}


class Savepoint(Struct, frozen=True):
    """What a rollback returns to."""

    reader: Reader
    beyond: Saved
    graphs: dict[IdentifiedNode, Graph]


class StatementStore(Store):
    """rdflib's view of the knowledge base `kb`, which may be used directly as well.

    Statements added and removed wait, and are maintained in one update by whatever next reads the
    store, or reads or changes `kb`, or commits. `rollback` makes the statements what they were
    before the first change through the store since the last `commit`. Prefixes are those of
    `kb.namespaces`; binding one is no part of a transaction. Everything is in memory, unless `open`
    names a directory: there, each change is on disk once it is maintained, a rollback too. Without
    `kb`, a new one is made with `options` (see `KnowledgeBase`).
    """

    formula_aware = True
    transaction_aware = True

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        configuration: str | None = None,
        identifier: Identifier | None = None,
        **options: Any,
    ) -> None:
        if kb is not None and options:
            given = ", ".join(options)
            raise TypeError(f"{given}: options of a new knowledge base, but one was given")
        self.kb = KnowledgeBase(**options) if kb is None else kb
        self._options = options if kb is None else kb.settings
        self.identifier = identifier
        self._statements = PendingStatements(self.kb, self._maintain)
        self._beyond = BeyondRdf()
        self._names = GraphNames(self.has_graph)
        self._prefixes = Prefixes(self.kb.namespaces)
        self._graphs: dict[IdentifiedNode, Graph] = {}
        self._savepoint: Savepoint | None = None
        self._in_vain = ""
        super().__init__(configuration, identifier)
        self.dispatcher = Announcements(self._hear)

    @property
    def context_aware(self) -> bool:
        """True. A ConjunctiveGraph that asks as it is made uses the store from then on."""
        if (dataset := dataset_being_made()) is not None:
            self._names.use(dataset)
        return True

    graph_aware = context_aware

    def _hear(self) -> None:
        """From now on tells its subscribers of every change of the closure."""
        self.kb._turns.hear(self._announce_delta)

    def _announce_delta(self, delta: Delta) -> None:
        if delta:
            publish(self.dispatcher, ClosureChangedEvent, delta=delta)

    # -- changing

    def add(self, triple: Triple, context: Any, quoted: bool = False) -> None:
        """Adds; the closure follows when it is next read. Raises ReservedGraphError, TermError."""
        publish(self.dispatcher, TripleAddedEvent, triple=triple, context=context)
        name = self._writable(context)
        with self.kb._turns.quietly, self.kb._lock:
            self._begin()
            if quoted or not is_rdf(triple):
                self._beyond.add(triple, self._context(name, context), quoted)
            else:
                s, p, o = map(key_of, triple)
                self._statements.add((s, p, o), None if name == DEFAULT else key_of(name))
            if name != DEFAULT and name not in self._graphs:
                self._remember(name, context)

    def addN(self, quads: Iterable[tuple[Node, Node, Node, Any]]) -> None:  # noqa: N802
        """Adds each statement to its graph; reads `quads` once."""
        for s, p, o, context in quads:
            assert context is not None, f"no graph given for {s} {p} {o}"
            self.add((s, p, o), context, quoted=isinstance(context, QuotedGraph))

    def remove(self, triple: Triple, context: Any = None) -> None:
        """Removes the explicit statements that match, from one graph or (None) from all.

        A fact that also follows stays visible. Raises ReservedGraphError.
        """
        publish(self.dispatcher, TripleRemovedEvent, triple=triple, context=context)
        name = None if context is None else self._writable(context)
        with self.kb._turns.quietly, self.kb._lock:
            self._begin()
            self._statements.remove(partial(self._quads, triple, name))
            if self._beyond:
                self._beyond.remove(triple, self._context(name, context))

    def _quads(self, triple: Triple, name: IdentifiedNode | None) -> QuadPattern | None:
        """The pattern by ids, in one graph or (None) in all; None where nothing can match."""
        ids, graph = self._ids(triple), 0 if name in (None, DEFAULT) else self.find(name)
        return None if ids is None or graph is None else (*ids, None if name is None else graph)

    def add_graph(self, graph: Graph) -> None:
        """Remembers a graph, also while it is empty."""
        name = self._names.own(graph)
        if name not in (DEFAULT, *VIRTUAL):
            with self.kb._turns.quietly, self.kb._lock:
                self._begin()
                self._remember(name, graph)

    def _remember(self, name: IdentifiedNode, context: Any) -> None:
        """Keeps a named graph and the object for it, which may have a base IRI."""
        is_ours = isinstance(context, Graph) and context.store is self
        self._graphs[name] = context if is_ours else Graph(self, name)

    def remove_graph(self, graph: Graph) -> None:
        """Removes what a graph states, and forgets it; the default graph is only emptied."""
        name = self._names.own(graph)
        if name == DEFAULT and is_parser_clearing():
            return
        self.remove((None, None, None), Graph(self, name) if name != DEFAULT else name)
        self._graphs.pop(name, None)

    def named_graphs(self, reader: Reader) -> dict[IdentifiedNode, Graph]:
        """The named graphs that are remembered or state something, by name."""
        graphs = dict(self._graphs)
        for name in self.terms(reader.graphs()):
            graphs.setdefault(name, Graph(self, name))
        return graphs

    def remembered_graphs(self) -> list[IdentifiedNode]:
        """The known named graphs, empty ones among them."""
        return list(self._graphs)

    def forget_graphs(self, graphs: Iterable[int]) -> None:
        """Forgets graphs, by ids, that state nothing any more."""
        for name in self.terms(graph for graph in graphs if graph):
            self._graphs.pop(name, None)

    def remove_beyond(self, graph: int) -> None:
        """Removes what a graph, by id, states beyond RDF."""
        if self._beyond:
            name = self.term(graph) if graph else DEFAULT
            self._beyond.remove((None, None, None), Graph(self, name))

    def read(
        self,
        data: bytes,
        graph: Graph,
        *,
        syntax: str,
        base: str,
        scope: Callable[[Dictionary], Any] = lambda dictionary: dictionary,
    ) -> None:
        """Adds what a document states, to `graph` if to no graph of its own; binds its prefixes.

        `scope` makes the dictionary that names its blank nodes; as it is, it names them as
        `KnowledgeBase.load` does. Raises DataSyntaxError, UnsupportedError; then nothing is added.
        """
        name = self._writable(graph)
        with self.kb._turns, self.kb._lock:
            self._begin()
            key = None if name == DEFAULT else key_of(name)
            dictionary = scope(self.kb.dictionary)
            loaded = read(data, dictionary, graph=key, format=syntax, base=base)
            if len(loaded):
                self.change(Change(insert=of_blocks([*loaded.blocks], self.kb.dictionary)))
        for prefix, namespace in in_order(loaded.prefixes, data):
            graph.bind(prefix, namespace)

    def change(self, change: Change) -> None:
        """Changes many statements, by ids, in one update."""
        with self.kb._turns, self.kb._lock:
            self._begin()
            self._announce(TripleRemovedEvent, change.delete)
            self._announce(TripleAddedEvent, change.insert)
            self._statements.apply(change)
            for named in self.terms(graph for graph in change.insert if graph):
                self._graphs.setdefault(named, Graph(self, named))

    def _announce(self, event: type[Event], statements: Mapping[int, Batch]) -> None:
        """Tells of each statement what was asked."""
        if self.is_unobserved():
            return
        for name, batch in statements.items():
            graph = Graph(self, self.term(name) if name else DEFAULT)
            for fact in facts_of(batch):
                publish(self.dispatcher, event, triple=tuple(self.terms(fact)), context=graph)

    def _writable(self, context: Any) -> IdentifiedNode:
        name = self.written(context)
        self.refuse_reserved(name)
        return name

    def written(self, graph: Any) -> IdentifiedNode:
        """The name of the graph that a statement made in `graph` goes to."""
        return self._names.written(graph)

    def refuse_reserved(self, name: Any) -> None:
        """Raises ReservedGraphError for the name of a graph that no one can state facts in."""
        if name in VIRTUAL:
            raise ReservedGraphError(f"{name} is a read-only view; state facts in another graph")

    # -- maintenance and transactions

    def reader(self) -> Reader:
        """The facts as they are now, pinned, after maintaining whatever is waiting.

        Raises what `KnowledgeBase.update` raises. The statements that were to be added are dropped
        then: `dropped` lists them, the message names the first. Raises OSError after an `open` that
        was in vain.
        """
        if self._in_vain:
            self._refuse_unopened()
        return self.kb.reader()

    def _maintain(self) -> None:
        try:
            self._statements.maintain()
        except RdfincError as error:
            self._name_dropped(error)
            raise

    def is_unobserved(self) -> bool:
        """Whether no one has subscribed to the store's events."""
        return not self.dispatcher.get_map()

    def _name_dropped(self, error: Any) -> None:
        quads = [tuple(self.terms(q[:3])) for q in getattr(error, "dropped", ())]
        error.dropped = quads
        shown = [" ".join(term.n3() for term in quad) for quad in quads[:DROPPED_SHOWN]]
        shown += [f"… and {len(quads) - DROPPED_SHOWN} more"] if len(quads) > DROPPED_SHOWN else []
        if quads:
            error.args = ("\n    ".join([f"{error}\nnot added:", *shown]) + _ASK_AGAIN,)

    def _begin(self) -> None:
        """Begins a transaction unless one is open, after what other graphs collected. It is no more
        if a step of the knowledge base that is open is taken back."""
        self._note_step()
        if self._savepoint is None:
            self._refuse_unopened()
            self._statements.begin()
            self._savepoint = Savepoint(self.kb.reader(), self._beyond.saved(), dict(self._graphs))

    def _refuse_unopened(self) -> None:
        """Raises OSError after an `open` that was in vain: nothing is read, nor would be saved."""
        if self._in_vain:
            raise OSError(f"{self._in_vain}; close() the graph to go on in memory")

    def _note_step(self) -> None:
        """Has what is here as it is now once more, if a step that this task has open is taken
        back."""
        step = self.kb._open_step
        if step is not None and self not in step.undo and self.kb._step_of_others() is None:
            kept = self._beyond.saved(), dict(self._graphs), self._savepoint
            step.undo[self] = partial(self._return_to, *kept)

    def _return_to(
        self, beyond: Saved, graphs: dict[IdentifiedNode, Graph], savepoint: Savepoint | None
    ) -> None:
        self._statements.forget()
        self._beyond = BeyondRdf.restored(beyond)
        self._graphs, self._savepoint = dict(graphs), savepoint

    def commit(self) -> None:
        """Maintains what is waiting, which is on disk then if a directory is open, and ends the
        transaction.

        Raises as `reader` does, and NotImplementedError for statements that cannot be saved.
        """
        with self.kb._turns.quietly, self.kb._lock:
            reader = self.reader()
            if self.kb.directory is not None:
                if self._beyond:
                    raise NotImplementedError(
                        "N3 formulas cannot be saved; remove them, then commit"
                    )
                self._note_graphs(reader)
            self._note_step()
            self._savepoint = None

    def _note_graphs(self, reader: Reader) -> None:
        """Keeps the names of remembered graphs that state nothing."""
        stating = {*self.terms(reader.graphs())}
        names = [name.n3() for name in self._graphs if name not in stating]
        self.kb.note("graphs", names)

    def rollback(self) -> None:
        """Takes back all changes of statements since the first one that was made through this store
        after its last commit, those made through `kb` included."""
        self._refuse_unopened()
        with self.kb._turns.quietly, self.kb._lock:
            if (saved := self._savepoint) is not None:
                self._note_step()
                self._return_to(saved.beyond, saved.graphs, None)
                self.kb._return_to(saved.reader)

    @contextmanager
    def atomic(self) -> Iterator[None]:
        """All that is done inside is one step, or, after an exception, nothing of it is done."""
        with self.kb._turns.quietly, self.kb._lock:
            self.reader()
            self._begin()
            with self.kb._step():
                self._note_step()
                yield

    # -- reading

    def triples(self, triple_pattern: Triple, context: Any = None) -> Iterator[Found]:
        """(triple, the graphs that state it) for all matching triples of the moment."""
        asking = calling_dataset() if context is None else None
        if self._in_vain:
            self._refuse_unopened()
        name, reader, ids = self._names.read(context), self.kb.reader(), self._ids(triple_pattern)
        view = reader.default_graph if name is DEFAULT else self._view(reader, name)
        if ids is None or view is None:
            found: Iterator[Found] = _NONE
        elif reader.version.graphs:
            found = self._told_with_graphs(reader, self._facts(view, ids), asking)
        else:
            graphs = self._default if asking is None else _always(self._default_of(asking))
            found = zip(self._told(view, ids, triple_pattern), graphs)  # noqa: B905
        if not self._beyond:
            return found
        return chain(found, self._beyond.triples(triple_pattern, self._context(name, context)))

    def _facts(self, view: View, ids: Pattern) -> Iterable[Fact]:
        """The matching facts of a view."""
        s, p, o = ids
        if s is None or p is None or o is not None:
            return view.match(s, p, o)
        objects = view.few_objects(s, p)
        return ((s, p, o) for o in (view.objects_in_turn(s, p) if objects is None else objects))

    def _told_with_graphs(
        self, reader: Reader, facts: Iterable[Fact], asking: ConjunctiveGraph | None
    ) -> Iterator[Found]:
        term, stating = self.decoder, self._stating
        return (
            ((term[s], term[p], term[o]), stating(reader, (s, p, o), asking)) for s, p, o in facts
        )

    @cached_property
    def _default(self) -> Iterator[Iterator[Graph]]:
        """The default graph, as the only graph of each of some triples."""
        return _always(Graph(self, DEFAULT))

    def _told(self, view: View, ids: Pattern, pattern: Triple) -> Iterable[Triple]:
        """The matching triples of a view; a single one needs no generator."""
        s, p, o = ids
        if p is None and s is not None and o is None:
            return self._told_of(s, view.rows(s))
        if s is None or p is None:
            return self._told_each(view.match(s, p, o))
        if o is not None:
            if ids not in view:
                return ()
            if isinstance(pattern[2], Literal):  # which may be written otherwise here
                pattern = (*pattern[:2], self.kb._telling.decoder[o])
            return (pattern,)
        objects = view.few_objects(s, p)
        if objects is not None and len(objects) == 1:
            (o,), term = objects, self.kb._telling.decoder
            return ((term[s], term[p], term[o]),)
        found = view.objects_in_turn(s, p) if objects is None else objects
        return self._told_of(s, [(p, found)])

    def _told_each(self, facts: Iterable[Fact]) -> Iterator[Triple]:
        term = self.decoder
        return ((term[s], term[p], term[o]) for s, p, o in facts)

    def _told_of(self, s: int, rows: Iterable[tuple[int, Iterable[int]]]) -> Iterator[Triple]:
        """The triples of one subject, by predicate."""
        term = self.decoder
        subject = term[s]
        for p, objects in rows:
            predicate = term[p]
            for o in objects:
                yield subject, predicate, term[o]

    def has(self, triple: Triple, context: Graph) -> bool:
        """Whether a graph shows a triple without holes."""
        asked = self._asked(triple, context)
        if asked is not None and asked[1] in asked[0]:
            return True
        return bool(self._beyond) and any(True for _ in self.triples(triple, context))

    def _asked(self, pattern: Any, context: Graph) -> tuple[View, Pattern] | None:
        """The facts that a graph shows, and a pattern by ids; None where nothing matches."""
        reader = self.reader()
        ids, view = self._ids(pattern), self._view(reader, self._names.read(context))
        return None if ids is None or view is None else (view, ids)

    def objects(self, subject: Node, predicate: Node, context: Graph) -> Iterator[Any]:
        """The objects of the matching triples that a graph shows, in the order of these."""
        pattern = subject, predicate, None
        if self._beyond:
            return (triple[2] for triple, _ in self.triples(pattern, context))
        asked = self._asked(pattern, context)
        if asked is None:
            return _NONE
        view, (s, p, _) = asked
        assert s is not None and p is not None
        return map(self.decoder.__getitem__, view.objects(s, p))

    def value(self, subject: Node, predicate: Node, default: Any, context: Graph) -> Any:
        """The first of `objects`, or else the default."""
        if self._beyond:
            return next(self.objects(subject, predicate, context), default)
        asked = self._asked((subject, predicate, None), context)
        if asked is None:
            return default
        view, (s, p, _) = asked
        assert s is not None and p is not None
        found = view.object(s, p)
        return default if found is None else self.decoder[found]

    def subjects(self, predicate: Node, object: Node, context: Graph) -> Iterator[Any]:
        """The subjects of the matching triples that a graph shows, in the order of these."""
        pattern = None, predicate, object
        if self._beyond:
            return (triple[0] for triple, _ in self.triples(pattern, context))
        asked = self._asked(pattern, context)
        if asked is None:
            return _NONE
        view, (_, p, o) = asked
        assert p is not None and o is not None
        return self.terms(view.subjects(p, o))

    def predicate_objects(self, subject: Node, context: Graph) -> Iterator[tuple[Any, Any]]:
        """The predicates and objects of the matching triples that a graph shows, in the order of
        these."""
        pattern = subject, None, None
        if self._beyond:
            return (triple[1:] for triple, _ in self.triples(pattern, context))
        asked = self._asked(pattern, context)
        if asked is None:
            return _NONE
        view, (s, _, _) = asked
        term = self.decoder
        return ((term[p], term[o]) for _, p, o in view.match(s))

    def __len__(self, context: Any = None) -> int:
        """The number of triples in a graph, or (None) in the closure."""
        name = self._names.read(context)
        view = self._view(self.reader(), name)
        size = 0 if view is None else len(view)
        return size + self._beyond.count(self._context(name, context)) if self._beyond else size

    def contexts(self, triple: Triple | None = None) -> Iterator[Graph]:
        """The named graphs, or the graphs that state `triple`.

        The default graph comes first, but for a Dataset, which adds it by itself, and for a
        ConjunctiveGraph where it is empty.
        """
        asking = calling_dataset()
        reader = self.reader()
        if triple is not None and triple != (None, None, None):
            ids = None if None in triple else self._ids(triple)
            known = ids is not None and ids in reader.closure
            return self._stating(reader, ids, asking) if known else iter(())
        names = self.named_graphs(reader)
        quoted = [c for c in self._beyond.contexts() if c.identifier not in (DEFAULT, *names)]
        listed = asking is None or (not isinstance(asking, Dataset) and len(asking.default_context))
        default = [self._default_of(asking)] if listed else []
        for graph in default:  # its blank node may have been a name before
            names.pop(graph.identifier, None)
        return chain(default, names.values(), quoted)

    def is_rdf_only(self) -> bool:
        """Whether ids tell all that the store holds: there are no statements beyond RDF 1.1."""
        return not self._beyond

    def name_of(self, graph: Graph) -> IdentifiedNode | None:
        """The name of what is read through `graph`; None is the union of all graphs."""
        return self._names.read(graph)

    def shows_derived(self, graph: Graph) -> bool:
        """Whether `graph` shows derived facts, and not only stated ones."""
        return self._names.read(graph) in (None, DEFAULT)

    def _view(self, reader: Reader, name: IdentifiedNode | None) -> View | None:
        if name is DEFAULT or name == DEFAULT:
            return reader.default_graph
        if name is None:
            return reader.closure
        if name in VIRTUAL:
            return reader.explicit if name == EXPLICIT else reader.derived
        graph = self.find(name)
        return None if graph is None else reader.graph(graph)

    def _default_of(self, asking: ConjunctiveGraph | None) -> Graph:
        """The default graph, under its name for the caller."""
        if asking is None or isinstance(asking, Dataset):
            return Graph(self, DEFAULT)
        return asking.default_context

    def _stating(
        self, reader: Reader, fact: Fact, asking: ConjunctiveGraph | None
    ) -> Iterator[Graph]:
        """The graphs that state a fact; a derived one stands in the default graph."""
        if fact in reader.default_graph:
            yield self._default_of(asking)
        for graph in reader.stating(fact):
            yield Graph(self, self.term(graph))

    # -- terms and contexts

    def find(self, term: Any) -> int | None:
        """The id of a term, or None for a term (or anything else) that stands nowhere."""
        try:
            return self.kb.dictionary.find(key_of(term))
        except TermError:
            return None

    @property
    def decoder(self) -> Decoder:
        """The rdflib term of each id, the same object each time."""
        return self.kb._telling.decoder

    def terms(self, ids: Iterable[int]) -> Iterator[Any]:
        """The rdflib terms of ids."""
        return self.decoder.terms(ids)

    def term(self, id: int) -> Any:
        """The rdflib term of an id."""
        return self.kb._telling.term(id)

    def _ids(self, triple: Triple) -> Pattern | None:
        """The pattern by ids; None if a term is unknown: nothing matches."""
        ids, (s, p, o) = self.kb._telling.node_ids, triple
        try:
            if s is not None and not (s := ids[s]):
                return None
            if p is not None and not (p := ids[p]):
                return None
            if o is None:
                return s, p, None
            # a literal's hash takes longer than its key
            o = self.kb.dictionary.find(key_of(o)) if isinstance(o, Literal) else ids[o]
            return (s, p, o) if o else None
        except (TermError, TypeError):  # what has no hash is no term
            return None

    def _context(self, name: IdentifiedNode | None, context: Any) -> Graph | None:
        """The context under which statements beyond RDF are kept: one for each name."""
        if name is None or isinstance(context, QuotedGraph):
            return context
        return Graph(self, name)

    def has_graph(self, name: IdentifiedNode) -> bool:
        """Whether `name` is known as a graph: remembered, stating something, or built in."""
        if name == DEFAULT or name in VIRTUAL or name in self._graphs:
            return True
        return self.find(name) in self.kb._engine.version.graphs

    # -- prefixes

    def bind(self, prefix: str, namespace: URIRef, override: bool = True) -> None:
        self._prefixes.bind(prefix, namespace, override)

    def namespace(self, prefix: str) -> URIRef | None:
        return self._prefixes.namespace(prefix)

    def prefix(self, namespace: URIRef) -> str | None:
        """O(1): writing Turtle asks for each IRI."""
        return self.kb.namespaces.prefix_of(namespace)

    def namespaces(self) -> Iterator[tuple[str, URIRef]]:
        return iter(self._prefixes)

    # -- life

    def open(self, configuration: Any, create: bool = False) -> int | None:
        """Takes in what is kept in a directory, where all changes are kept from now on.

        Returns VALID_STORE, or NO_STORE (nothing there, and not to be created) or CORRUPTED_STORE;
        then nothing is opened, and every use raises OSError until the next `open` or `close`.
        Raises ValueError if the store holds statements already, LockedError while another writes
        there.
        """
        if not configuration:
            return UNKNOWN
        if not self.kb.is_closed and len(self.kb.reader().explicit):
            raise ValueError(f"{configuration}: open a graph before you add statements to it")
        self._savepoint, self._in_vain = None, ""
        try:
            self._open(configuration, create)
        except FileNotFoundError:
            return self._opened_in_vain(configuration, NO_STORE)
        except CorruptedError:
            return self._opened_in_vain(configuration, CORRUPTED_STORE)
        return VALID_STORE

    def _open(self, configuration: Any, create: bool) -> None:
        """Opens a directory; rules and prefixes of a graph in memory join it."""
        kb, rules, prefixes = self.kb, self.kb.program, dict(self.kb.namespaces)
        if kb.is_closed or kb.directory is not None:  # those of another directory stay there
            rules, prefixes = Program(()), {}
        kb.close()
        from rdfinc.durable.opening import open_to_write

        open_to_write(configuration, create, "commit", self._options, into=kb)
        if len(rules):
            kb.add_rules(rules)
        kb.namespaces.update({p: iri for p, iri in prefixes.items() if p not in kb.namespaces})
        for name in map(from_n3, kb.notes.get("graphs", ())):
            assert isinstance(name, IdentifiedNode)
            self._remember(name, None)

    def _opened_in_vain(self, configuration: Any, found: int) -> int:
        self._in_vain = f"{configuration}: {_WHY[found]}"
        return found

    def close(self, commit_pending_transaction: bool = False) -> None:
        """Ends the use of the directory, if one is open; what was added is there. N3 formulas are
        not: a warning. A graph in memory goes on."""
        is_kept = self.kb.directory is not None
        if commit_pending_transaction or (is_kept and not self._beyond):
            self.commit()
        if is_kept and self._beyond:
            warnings.warn("closed without saving N3 formulas", stacklevel=3)
        elif self._in_vain and len(self.kb.reader().explicit):
            warnings.warn("closed without saving anything: it was not opened", stacklevel=3)
        self.kb.close()
        self._savepoint, self._in_vain = None, ""

    def destroy(self, configuration: Any) -> None:
        """Removes what is kept in a directory that nobody else has open, and it too if nothing
        else is in it; one that is open here is closed. Raises LockedError."""
        if not configuration:
            return
        own = self.kb.directory
        if own is not None and os.path.realpath(own) == os.path.realpath(configuration):
            self.kb.close()
        from rdfinc.durable.destroying import destroy

        destroy(configuration)

    def __getstate__(self) -> dict[str, Any]:
        """An equal store of its own: no subscribers, no transaction, no directory."""
        self.reader()
        own = ("kb", "identifier", "_beyond", "_names", "_graphs", "_options")
        return {name: self.__dict__[name] for name in own}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__init__()
        self.__dict__.update(state)
        self.dispatcher = Announcements(self._hear)
        self._statements = PendingStatements(self.kb, self._maintain)
        self._prefixes = Prefixes(self.kb.namespaces)
        self._savepoint, self._in_vain = None, ""


_NONE: Iterator[Any] = iter(())


def _always(graph: Graph) -> Iterator[Iterator[Graph]]:
    """That graph alone, again and again without end, for any number of readers at a time."""
    return map(iter, repeat((graph,)))
