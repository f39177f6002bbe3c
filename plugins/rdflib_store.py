"""A knowledge base as a store of rdflib that answers SPARQL itself: `Graph(store="rdfinc")`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rdflib import Dataset, Graph
from rdflib.query import Result
from rdflib.term import Identifier

from rdfinc import KnowledgeBase, UnsupportedError
from rdfinc.plugins.rdflib.callers import asking_graph, is_for_another_processor
from rdfinc.plugins.rdflib.statement_store import StatementStore
from rdfinc.terms.whole_imports import WHOLE

if TYPE_CHECKING:
    from rdfinc.plugins.sparql.budget import Budget


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

        Raises ParseException; TypeError for what is no text; NotImplementedError where another
        processor was asked for: rdflib then turns to that one. It has no limits: UnsupportedError,
        if some were given.
        """
        with WHOLE:
            from rdfinc.plugins.sparql import requests  # it loads all of rdflib's SPARQL

        graph, budget = asking_graph(), _budget(kwargs)
        if graph is None:
            raise NotImplementedError("a question for another processor")
        with _without_limits_elsewhere(kwargs):
            return requests.query(self, query, initNs, initBindings, graph, base, budget)

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

        Raises ParseException; TypeError for what is no text; NotImplementedError where another
        processor was asked for: rdflib then turns to that one.
        """
        with WHOLE:
            from rdfinc.plugins.sparql import requests  # it loads all of rdflib's SPARQL

        budget = _budget(kwargs)
        if is_for_another_processor():
            raise NotImplementedError("a request to another processor")
        with _without_limits_elsewhere(kwargs):
            requests.update(self, update, initNs, initBindings, queryGraph, budget)


def graph(kb: KnowledgeBase) -> Graph:
    """A graph over a knowledge base."""
    return Graph(RdfincStore(kb))


def dataset(kb: KnowledgeBase) -> Dataset:
    """The graphs of a knowledge base, and their union."""
    return Dataset(RdfincStore(kb), default_union=True)


def _budget(options: Mapping[str, Any]) -> Budget:
    """Raises NotImplementedError for options of which SPARQL here knows nothing."""
    with WHOLE:
        from rdfinc.plugins.sparql.budget import LIMITS, Budget  # it loads all of rdflib's SPARQL

    if not options.keys() <= set(LIMITS):
        raise NotImplementedError("a question for another processor")
    return Budget(**options)


@contextmanager
def _without_limits_elsewhere(limits: Mapping[str, Any]) -> Iterator[None]:
    try:
        yield
    except NotImplementedError as error:
        if not limits:
            raise
        refused = UnsupportedError(f"{', '.join(limits)} for what rdflib evaluates: {error}")
        raise error.__cause__ or refused from None
