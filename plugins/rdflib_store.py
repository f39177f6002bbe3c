"""A knowledge base as a store of rdflib: `Graph(store="rdfinc")`."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any

from rdflib.graph import Graph
from rdflib.store import Store, TripleAddedEvent, TripleRemovedEvent
from rdflib.term import Identifier, URIRef

from rdfinc.errors import RdfincError, ReservedGraphError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.plugins.beyond_rdf import BeyondRdf, Found, Triple, is_rdf
from rdfinc.plugins.closure_events import ClosureChangedEvent, publish
from rdfinc.plugins.graph_names import DEFAULT, DERIVED, EXPLICIT, VIRTUAL, GraphNames
from rdfinc.plugins.pending import PendingChanges, Quad
from rdfinc.plugins.prefixes import Prefixes

FEW_PENDING = 1000
"""A pattern is removed without maintenance while at most as many statements are waiting."""


class RdfincStore(Store):
    """rdflib's view of `kb`, which may be read and changed directly as well.

    Statements added and removed are kept waiting and maintained, all in one update, by whatever
    next reads the store, or by `commit`. `commit` also begins a transaction: `rollback` makes the
    explicit statements, and with them the closure, what they were at the last commit.
    """

    context_aware = True
    formula_aware = True
    graph_aware = True
    transaction_aware = True

    def __init__(
        self,
        kb: KnowledgeBase | None = None,
        *,
        configuration: str | None = None,
        identifier: Identifier | None = None,
        **options: Any,
    ) -> None:
        super().__init__(None, identifier)
        if kb is not None and options:
            raise TypeError(f"options {sorted(options)} belong to a new knowledge base; give kb or options")
        self.kb = KnowledgeBase(**options) if kb is None else kb
        self.identifier = identifier
        self._names = GraphNames(self)
        self._pending = PendingChanges()
        self._beyond = BeyondRdf()
        self._graphs: dict[Identifier, None] = {}
        self._lock = threading.RLock()
        if configuration:
            self.open(configuration)
