"""Random SPARQL queries over random graphs give the same multisets as rdflib's evaluator over its
memory store and as Oxigraph, but for the differences that `asking` names.

`--long START:COUNT` runs others than the slice for CI; a failure names its seed.
"""

from __future__ import annotations

import pytest

from laws.asking import check_graphs, check_queries

SLICE = 0, 40

pytestmark = pytest.mark.filterwarnings("ignore")


def test_queries_agree_with_rdflib_and_oxigraph(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    met = check_queries(range(start, start + count))
    assert met["rows"] > met["asked"] / 4
    assert met["rdflib"] > met["asked"] / 6


def test_all_graphs_are_asked_as_each_of_them(pytestconfig: pytest.Config) -> None:
    start, count = pytestconfig.getoption("--long") or SLICE
    met = check_graphs(range(start, start + count))
    assert met["rows"] > met["asked"] / 4
