"""What the tests of the rdflib plugin share."""

from __future__ import annotations

import pytest
from rdflib import Dataset, Graph, Literal
from rdflib_store.names import ANIMAL, ANN, CAT, EX, G1, G2, KNOWS, STATED, SUB, TOM, TYPE

from rdfinc.plugins import RdfincStore


@pytest.fixture
def graph() -> Graph:
    """An empty graph that reasons."""
    return Graph(store="rdfinc")


@pytest.fixture
def plain() -> Graph:
    """An empty graph that only stores."""
    return Graph(RdfincStore(profile="none"))


@pytest.fixture
def dataset() -> Dataset:
    """An empty dataset that reasons."""
    return Dataset("rdfinc")


@pytest.fixture
def cats(graph: Graph) -> Graph:
    """A graph that reasons, with some cats and who knows whom."""
    graph.bind("", EX)
    graph += STATED
    graph.add((TOM, KNOWS, ANN)).add((ANN, KNOWS, ANN)).add((ANN, EX.age, Literal(7)))
    return graph


@pytest.fixture
def split(dataset: Dataset) -> Dataset:
    """The schema in one graph, the data in another."""
    dataset.bind("", EX)
    dataset.graph(G1).add((CAT, SUB, ANIMAL))
    dataset.graph(G2).add((TOM, TYPE, CAT))
    return dataset
