"""`processor="owlrl"`: the form in which rdflib's processors do inference, with rdfinc behind it.

    consequences = graph.query(axioms, processor="owlrl").graph
    graph.update(axioms, processor="owlrl")

`axioms` is Turtle text (which may be empty) or a Graph, and is added to the graph in both forms.
The graph may be in any store; in a rdfinc store with OWL 2 RL live, there is nothing left to infer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rdflib.graph import Graph
from rdflib.query import Processor, UpdateProcessor

from rdfinc import KnowledgeBase
from rdfinc.plugins.rdflib.beyond_rdf import is_rdf
from rdfinc.plugins.rdflib.graph_names import DERIVED
from rdfinc.plugins.rdflib.statement_store import StatementStore

PROFILE = "owl2rl"


class OwlrlProcessor(Processor):
    """Answers with what follows from a graph and is not stated in it; it stays as it is."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def query(
        self,
        strOrQuery: Any,  # noqa: N803
        initBindings: Mapping[str, Any] | None = None,  # noqa: N803
        initNs: Mapping[str, Any] | None = None,  # noqa: N803
        **options: Any,
    ) -> Mapping[str, Any]:
        add_axioms(self.graph, strOrQuery)
        consequences = Graph()
        for triple in derived(self.graph):
            consequences.add(triple)
        return {"type_": "CONSTRUCT", "graph": consequences}


class OwlrlUpdateProcessor(UpdateProcessor):
    """Makes a graph show everything that follows from it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def update(
        self,
        strOrQuery: Any,  # noqa: N803
        initBindings: Mapping[str, Any] | None = None,  # noqa: N803
        initNs: Mapping[str, Any] | None = None,  # noqa: N803
    ) -> None:
        add_axioms(self.graph, strOrQuery)
        if not is_live(self.graph):
            self.graph.addN((s, p, o, self.graph) for s, p, o in list(derived(self.graph)))


def add_axioms(graph: Graph, axioms: Any) -> None:
    if isinstance(axioms, Graph):
        graph += axioms
    else:
        graph.parse(data=axioms, format="turtle")


def is_live(graph: Graph) -> bool:
    """Whether `graph` shows all its consequences by itself."""
    store = graph.store
    live = isinstance(store, StatementStore) and store.kb.profile == PROFILE
    return live and store.shows_derived(graph)


def derived(graph: Graph) -> Iterable[Any]:
    """What follows from the triples of `graph` and is not among them."""
    if is_live(graph):
        return Graph(graph.store, DERIVED)
    kb = KnowledgeBase(profile=PROFILE)
    kb.update(insert=[triple for triple in graph.triples((None, None, None)) if is_rdf(triple)])
    return kb.derived
