"""What a request is asked in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from functools import cached_property
from typing import Any

from rdflib.graph import ConjunctiveGraph, Graph
from rdflib.term import Identifier, Variable

from rdfinc.plugins.rdflib.rdflib_versions import default_of
from rdfinc.plugins.sparql.rdflib_state import default_is_union
from rdfinc.plugins.sparql.syntax.prologue import Declared


class QueryContext:
    """The graph that patterns read, and the dataset over whose graphs GRAPH ranges, if there is
    one; initial `bindings`; declarations; and the time that NOW() tells.

    `given` is what rdflib's evaluator knows of the same request, once it was asked.
    """

    def __init__(
        self, graph: Graph, bindings: Mapping[Variable, Identifier], prologue: Declared
    ) -> None:
        self.dataset = graph if isinstance(graph, ConjunctiveGraph) else None
        self.graph = graph
        if self.dataset is not None and not default_is_union():
            self.graph = default_of(self.dataset)
        self.bindings, self.prologue = bindings, prologue
        self.given: Any = None

    @classmethod
    def of_rdflib(cls, given: Any) -> QueryContext:
        """What rdflib's evaluator asks in."""
        found = cls(given.graph, given.bindings, given.prologue)
        found.graph, found.dataset, found.given = given.graph, given._dataset, given
        return found

    @cached_property
    def now(self) -> datetime:
        return datetime.now(timezone.utc)
