"""LUBM's own data, ontology, queries and reference answers, where they are at hand.

The folder is `data/lubm` in a `shared` directory beside the project; nothing here needs it.
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from rdflib import Graph

FOLDER = Path(__file__).parents[3] / "shared" / "data" / "lubm"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="LUBM's reference data are not here")


@pytest.fixture(scope="module")
def graph() -> Graph:
    graph = Graph(store="rdfinc")
    graph.store.kb.load(FOLDER / "univ-bench.ttl", FOLDER / "lubm1.nt.gz")
    return graph


def reference() -> dict[str, dict]:
    with gzip.open(FOLDER / "answers-lubm1.json.gz", "rt") as file:
        return json.load(file)


def check_answers(graph: Graph) -> None:
    expected = reference()
    for number in range(1, 15):
        name = f"q{number}"
        rows = list(graph.query((FOLDER / f"{name}.rq").read_text()))
        assert len(rows) == expected["counts"][name], name
        assert sorted(str(row[0]) for row in rows) == expected["first_column_sorted"][name], name


def test_the_queries_give_the_reference_answers(graph: Graph) -> None:
    check_answers(graph)


def test_so_they_do_after_deleting_and_inserting_again(graph: Graph) -> None:
    kb = graph.store.kb
    size, explicit = len(kb), sorted(kb.explicit)
    chosen = random.Random(18).sample(explicit, 1000)
    for fact in chosen[:500]:
        kb.update(delete=[fact])
    kb.update(delete=chosen[500:])
    assert len(kb) < size and len(kb.explicit) == len(explicit) - 1000
    for fact in chosen[:500]:
        graph.add(fact)
    kb.update(insert=chosen[500:])
    assert len(graph) == size and len(kb) == size
    kb._check()
    check_answers(graph)
