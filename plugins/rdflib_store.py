"""A knowledge base as a store of rdflib that answers SPARQL itself: `Graph(store="rdfinc")`."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import rdflib
from rdflib.namespace import RDF
from rdflib.query import Result
from rdflib.term import BNode, IdentifiedNode, Identifier, Literal, URIRef

from rdfinc import KnowledgeBase, UnsupportedError
from rdfinc.plugins.rdflib.callers import asking_graph, is_for_another_processor
from rdfinc.plugins.rdflib.statement_store import StatementStore
from rdfinc.plugins.sparql.syntax.sparql_error import SparqlSyntaxError
from rdfinc.terms.whole_imports import WHOLE

if TYPE_CHECKING:
    from rdfinc.plugins.sparql.columns.budget import Budget


class RdfincStore(StatementStore):
    """rdflib's view of the knowledge base `kb`, with SPARQL answered in id space; see
    `StatementStore` for statements, transactions, directories and options."""

    def query(
        self,
        query: Any,
        initNs: Mapping[str, Any],  # noqa: N803
        initBindings: Mapping[str, Identifier],  # noqa: N803
        queryGraph: Any,  # noqa: N803
        base: str | None = None,
        **kwargs: Any,
    ) -> Result:
        """The answer to a query; `kwargs` are limits, as those of `KnowledgeBase.query`.

        Raises ParseException, DataSyntaxError; TypeError for what is no text; NotImplementedError
        where another processor was asked for: rdflib then turns to that one. It has no limits:
        UnsupportedError, if some were given.
        """
        with WHOLE:
            from rdfinc.plugins.sparql import store_requests

        graph, budget = asking_graph(), _budget(kwargs)
        if graph is None:
            raise NotImplementedError("a question for another processor")
        with _as_rdflib_tells("query", kwargs):
            asked = store_requests.question(self, query, initNs, initBindings, graph, base, budget)
            return asked.answer()

    def update(
        self,
        update: Any,
        initNs: Mapping[str, Any],  # noqa: N803
        initBindings: Mapping[str, Identifier],  # noqa: N803
        queryGraph: Any,  # noqa: N803
        **kwargs: Any,
    ) -> None:
        """Carries a SPARQL Update request out, all of it or nothing; `kwargs` are limits of each
        WHERE, as those of `KnowledgeBase.query`; its time is that of maintenance, too.

        Raises ParseException, DataSyntaxError; TypeError for what is no text; NotImplementedError
        where another processor was asked for: rdflib then turns to that one.
        """
        with WHOLE:
            from rdfinc.plugins.sparql import store_requests

        budget = _budget(kwargs)
        if is_for_another_processor():
            raise NotImplementedError("a request to another processor")
        with _as_rdflib_tells("request", kwargs):
            store_requests.update(self, update, initNs, initBindings, queryGraph, budget)


_NODES = (URIRef, BNode)
_TERMS = (URIRef, BNode, Literal)


class Graph(rdflib.Graph):
    """An rdflib Graph over a knowledge base or its store, by default a new one with these
    `options`: `Graph(profile="rdfs")`. What changes one of the two is seen by the other. Sums,
    differences and intersections are graphs in memory."""

    def __init__(
        self,
        kb: KnowledgeBase | RdfincStore | None = None,
        identifier: IdentifiedNode | str | None = None,
        *,
        base: str | None = None,
        **options: Any,
    ) -> None:
        self._facts = _store(kb, options)
        super().__init__(self._facts, identifier, base=base)

    @property
    def kb(self) -> KnowledgeBase:
        return _kb(self)

    # What is looked up most, without the generators on the way; all else is as it was.

    def __contains__(self, triple: Any) -> bool:
        s, p, o = triple
        if type(p) is URIRef and s is not None and o is not None:
            return self._facts.has((s, p, o), self)
        return super().__contains__(triple)

    def value(
        self,
        subject: Any = None,
        predicate: Any = RDF.value,
        object: Any = None,
        default: Any = None,
        any: bool = True,
    ) -> Any:
        if any and object is None and type(predicate) is URIRef and type(subject) in _NODES:
            return self._facts.value(subject, predicate, default, self)
        return super().value(subject, predicate, object, default, any)

    def objects(
        self, subject: Any = None, predicate: Any = None, unique: bool = False
    ) -> Generator[Any, None, None]:
        if not unique and type(predicate) is URIRef and type(subject) in _NODES:
            yield from self._facts.objects(subject, predicate, self)
        else:
            yield from super().objects(subject, predicate, unique)

    def subjects(
        self, predicate: Any = None, object: Any = None, unique: bool = False
    ) -> Generator[Any, None, None]:
        if not unique and type(predicate) is URIRef and type(object) in _TERMS:
            yield from self._facts.subjects(predicate, object, self)
        else:
            yield from super().subjects(predicate, object, unique)

    def predicate_objects(
        self, subject: Any = None, unique: bool = False
    ) -> Generator[tuple[Any, Any], None, None]:
        if not unique and type(subject) in _NODES:
            yield from self._facts.predicate_objects(subject, self)
        else:
            yield from super().predicate_objects(subject, unique)

    def __add__(self, other: rdflib.Graph) -> rdflib.Graph:
        return self._plain() + other

    def __sub__(self, other: rdflib.Graph) -> rdflib.Graph:
        return self._plain() - other

    def __mul__(self, other: rdflib.Graph) -> rdflib.Graph:
        return self._plain() * other

    def _plain(self) -> rdflib.Graph:
        return rdflib.Graph(self.store, self.identifier, self.namespace_manager)

    def __reduce__(self) -> tuple[type[Graph], tuple[Any, ...]]:
        return Graph, (self.store, self.identifier)


class Dataset(rdflib.Dataset):
    """The named graphs of a knowledge base, and their union; otherwise as `Graph`."""

    def __init__(self, kb: KnowledgeBase | RdfincStore | None = None, **options: Any) -> None:
        super().__init__(_store(kb, options), default_union=True)

    @property
    def kb(self) -> KnowledgeBase:
        return _kb(self)

    def __reduce__(self) -> tuple[type[Dataset], tuple[Any, ...]]:
        return Dataset, (self.store,)


def graph(kb: KnowledgeBase) -> Graph:
    """The extension of this name."""
    return Graph(kb)


def dataset(kb: KnowledgeBase) -> Dataset:
    """The extension of this name."""
    return Dataset(kb)


def _store(kb: Any, options: Mapping[str, Any]) -> RdfincStore:
    if isinstance(kb, RdfincStore) and not options:
        return kb
    if kb is not None and not isinstance(kb, KnowledgeBase):
        raise TypeError(
            f"the first argument is a KnowledgeBase, not {kb!r}; for another store there is"
            " rdflib.Graph(store=…)"
        )
    return RdfincStore(kb, **options)


def _kb(graph: rdflib.Graph) -> KnowledgeBase:
    store = graph.store
    assert isinstance(store, RdfincStore)
    return store.kb


def _budget(options: Mapping[str, Any]) -> Budget:
    """Raises NotImplementedError for options of which SPARQL here knows nothing."""
    with WHOLE:
        from rdfinc.plugins.sparql.columns.budget import LIMITS, Budget

    if not options.keys() <= set(LIMITS):
        raise NotImplementedError("a question for another processor")
    return Budget(**options)


@contextmanager
def _as_rdflib_tells(what: str, limits: Mapping[str, Any]) -> Iterator[None]:
    """Raises ParseException for what is no SPARQL, DataSyntaxError for what SPARQL forbids, and
    UnsupportedError for limits of what rdflib evaluates; `what` is the text called."""
    try:
        yield
    except SparqlSyntaxError as error:
        raise error.of_rdflib(what) from None
    except NotImplementedError as error:
        if not limits:
            raise
        refused = UnsupportedError(f"{', '.join(limits)} for what rdflib evaluates: {error}")
        raise error.__cause__ or refused from None
