"""What rdflib's versions from 7.1 on call by different names, or have only in some of them."""

from __future__ import annotations

from rdflib.graph import DATASET_DEFAULT_GRAPH_ID, ConjunctiveGraph, Dataset, Graph


def default_of(dataset: ConjunctiveGraph) -> Graph:
    """The default graph, which 7.1 has as `default_context` and 8 as `default_graph` only."""
    if isinstance(dataset, Dataset):
        return Graph(dataset.store, DATASET_DEFAULT_GRAPH_ID, base=dataset.base)
    return dataset.default_context
