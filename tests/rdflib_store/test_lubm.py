"""Reference LUBM(1): the 14 queries through a Graph give the reference answers.

`RDFINC_LUBM` names a directory with lubm1.nt.gz, univ-bench.ttl, q1.rq … q14.rq and
answers-lubm1.json.gz; without it these tests are skipped.
"""

from __future__ import annotations

import gzip
import json
import os
import random
from pathlib import Path

import pytest
from rdflib import Graph

PLACE = Path(os.environ.get("RDFINC_LUBM", "/nowhere"))
QUERIES = [f"q{i}" for i in range(1, 15)]

pytestmark = pytest.mark.skipif(not PLACE.is_dir(), reason="RDFINC_LUBM names no directory")


@pytest.fixture(scope="module")
def graph() -> Graph:
    graph = Graph(store="rdfinc")
    graph.store.kb.load(PLACE / "univ-bench.ttl", PLACE / "lubm1.nt.gz")
    return graph


@pytest.fixture(scope="module")
def answers() -> dict:
    with gzip.open(PLACE / "answers-lubm1.json.gz") as file:
        return json.load(file)


def first_columns(graph: Graph) -> dict[str, list[str]]:
    asked = {name: graph.query((PLACE / f"{name}.rq").read_text()) for name in QUERIES}
    return {name: sorted(str(row[0]) for row in result) for name, result in asked.items()}


def test_reference_answers(graph: Graph, answers: dict) -> None:
    found = first_columns(graph)
    assert {name: len(rows) for name, rows in found.items()} == answers["counts"]
    assert found == {name: answers["first_column_sorted"][name] for name in QUERIES}


def test_after_removing_and_adding_triples_one_by_one(graph: Graph, answers: dict) -> None:
    triples = random.Random(5).sample(sorted(graph.store.kb.explicit), 1000)
    for triple in triples:
        graph.remove(triple)
    without = first_columns(graph)
    assert without != answers["first_column_sorted"]
    for triple in triples:
        graph.add(triple)
    assert first_columns(graph) == answers["first_column_sorted"]
