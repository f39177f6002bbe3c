"""Which graph of the knowledge base a context of rdflib's stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final
from weakref import ReferenceType, ref

from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, ConjunctiveGraph, Dataset, Graph, QuotedGraph
from rdflib.term import BNode, IdentifiedNode, URIRef

from rdfinc.plugins.rdflib.callers import is_graph_of_document
from rdfinc.plugins.rdflib.rdflib_versions import default_of

EXPLICIT: Final = URIRef("urn:rdfinc:explicit")
DERIVED: Final = URIRef("urn:rdfinc:derived")
VIRTUAL: Final = (EXPLICIT, DERIVED)
DEFAULT: Final = DATASET_DEFAULT_GRAPH_ID


class GraphNames:
    """The names of one store's graphs.

    The default graph is called `urn:x-rdflib:default`, as in every Dataset, and has at most one
    alias: a plain `Graph` has a blank node for a name, and the first such graph that touches the
    store is its default graph. Known graphs named by blank nodes (`is_known`), those of a Dataset,
    and all once a Dataset was made over the store, are graphs of their own, but for the default
    graph of a ConjunctiveGraph. Bare names have an `identifier`, too, in rdflib 8.
    """

    def __init__(self, is_known: Callable[[BNode], bool]) -> None:
        self._is_known = is_known
        self._alias: BNode | None = None
        self._single: set[type[Graph]] = {Graph}
        self._is_of_dataset = False
        self._conjunctive: list[ReferenceType[ConjunctiveGraph]] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_conjunctive": []}

    def use(self, dataset: ConjunctiveGraph) -> None:
        """From now on the store is that of a Dataset, or ConjunctiveGraph."""
        self._is_of_dataset = True
        if not isinstance(dataset, Dataset):
            there = (each for each in self._conjunctive if each() is not None)
            self._conjunctive = [*there, ref(dataset)]

    def _default_names(self) -> Iterator[Any]:
        """The names of the default graphs of the ConjunctiveGraphs that are there."""
        graphs = (each() for each in self._conjunctive)
        return (default_of(graph).identifier for graph in graphs if graph is not None)

    def read(self, context: Any) -> IdentifiedNode | None:
        """The graph that is read through `context`; None is the union of all."""
        if context is None:
            return None
        if type(context) not in self._single:  # which is quicker than isinstance
            if isinstance(context, ConjunctiveGraph):
                return None if context.default_union else DEFAULT
            if not isinstance(context, Graph):
                return self._named(context)
            self._single.add(type(context))
        name: IdentifiedNode = context.identifier
        return DEFAULT if name is self._alias else self._named(context)

    def written(self, context: Any) -> IdentifiedNode:
        """The graph that a statement made in `context` goes to."""
        if context is None or isinstance(context, ConjunctiveGraph):
            return DEFAULT
        return self._named(context)

    def own(self, context: Any) -> IdentifiedNode:
        """The graph of that very name: a blank node, here, never becomes the default graph's."""
        name = context.identifier if isinstance(context, Graph) else context
        return DEFAULT if name == self._alias else name

    def _named(self, context: Any) -> IdentifiedNode:
        name: IdentifiedNode = context.identifier if isinstance(context, Graph) else context
        if not isinstance(name, BNode):
            return name
        if self._alias is None and not self._is_of_its_own(context, name):
            self._alias = name
        return DEFAULT if name is self._alias or name == self._alias else name

    def _is_of_its_own(self, context: Any, name: BNode) -> bool:
        """A formula, a bare name, a known graph, or a graph of a Dataset."""
        if isinstance(context, QuotedGraph) or not isinstance(context, Graph):
            return True
        if self._is_known(name) or is_graph_of_document(context):
            return True
        if self._is_of_dataset:
            return name not in self._default_names()
        return self._is_from_dataset(context)

    def _is_from_dataset(self, context: Graph) -> bool:
        """Whether `context` has its namespace manager from a Dataset, as its named graphs have."""
        owner = context.namespace_manager.graph
        return isinstance(owner, ConjunctiveGraph) and default_of(owner) != context
