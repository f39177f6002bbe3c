"""`processor="owlrl"` and `"rdfs"`: the form in which rdflib's processors do inference.

    consequences = graph.query(axioms, processor="owlrl").graph
    graph.update(axioms, processor="rdfs")

`axioms` is Turtle text (which may be empty) or a Graph, and is added to the graph in both forms.
The graph may be in any store; in a rdfinc store with these rules live, there is nothing left to
infer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rdflib.graph import ConjunctiveGraph, Graph
from rdflib.query import Processor, UpdateProcessor

from rdfinc import KnowledgeBase
from rdfinc.plugins.rdflib.beyond_rdf import Triple, is_rdf
from rdfinc.plugins.rdflib.graph_names import DERIVED
from rdfinc.plugins.rdflib.statement_store import StatementStore

COVERED = {"owl2rl": ("owl2rl",), "rdfs": ("rdfs", "owl2rl")}
"""Of each profile those that derive, of what people state, all that it derives."""


class OwlrlProcessor(Processor):
    """Answers with what follows from a graph and is not stated in it; it stays as it is."""

    profile = "owl2rl"

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
        for triple in derived(self.graph, self.profile):
            consequences.add(triple)
        return {"type_": "CONSTRUCT", "graph": consequences}


class OwlrlUpdateProcessor(UpdateProcessor):
    """Makes a graph show everything that follows from it."""

    profile = "owl2rl"

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    def update(
        self,
        strOrQuery: Any,  # noqa: N803
        initBindings: Mapping[str, Any] | None = None,  # noqa: N803
        initNs: Mapping[str, Any] | None = None,  # noqa: N803
    ) -> None:
        add_axioms(self.graph, strOrQuery)
        if not is_live(self.graph, self.profile):
            found = list(derived(self.graph, self.profile))
            self.graph.addN((s, p, o, self.graph) for s, p, o in found)


class RdfsProcessor(OwlrlProcessor):
    """The same for RDFS."""

    profile = "rdfs"


class RdfsUpdateProcessor(OwlrlUpdateProcessor):
    """The same for RDFS."""

    profile = "rdfs"


def add_axioms(graph: Graph, axioms: Any) -> None:
    if isinstance(axioms, Graph):
        graph += axioms
    else:
        graph.parse(data=axioms, format="turtle")


def is_live(graph: Graph, profile: str) -> bool:
    """Whether `graph` shows by itself all that follows by a profile."""
    store = graph.store
    live = isinstance(store, StatementStore) and store.kb.profile in COVERED[profile]
    return live and store.shows_derived(graph)


def derived(graph: Graph, profile: str) -> Iterable[Any]:
    """What follows by a profile from the triples of `graph` and is not among them."""
    if is_live(graph, profile):
        return Graph(graph.store, DERIVED)
    kb = KnowledgeBase(profile=profile)
    kb.update(insert=stated(graph))
    return kb.derived


def stated(graph: Graph) -> list[Triple]:
    """The triples of a graph, or of all graphs of a dataset, as far as RDF knows them."""
    if isinstance(graph, ConjunctiveGraph):
        return [quad[:3] for quad in graph.quads() if is_rdf(quad[:3])]
    return [triple for triple in graph.triples((None, None, None)) if is_rdf(triple)]


def derived_together(bases: Sequence[KnowledgeBase]) -> set[Triple]:
    """What follows by the rules of all `bases` together from what they state, all the same.

    Each is told what the others derive, until none derives more. What RDF has no place for, facts
    about literals, is left out.
    """
    found: set[Triple] = set()
    waiting = deque(bases)
    while waiting:
        kb = waiting.popleft()
        kb.update(insert=found)
        new = set(filter(is_rdf, kb.derived))
        if not new <= found:
            found |= new
            waiting = deque(other for other in bases if other is not kb)
    return found
