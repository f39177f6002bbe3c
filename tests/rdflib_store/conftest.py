"""What the tests of the rdflib plugin share."""

from __future__ import annotations

import pytest
from rdflib import Dataset, Graph

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
