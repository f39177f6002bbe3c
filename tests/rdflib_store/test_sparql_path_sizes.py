"""Sequences of paths, followed from the side that has fewer pairs, and paths of no step: the pairs
are those of Oxigraph."""

from __future__ import annotations

from collections import Counter

import pyoxigraph as ox
import pytest

from rdfinc import KnowledgeBase
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.predicate_facts import PredicateFacts
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from thresholds import put

SIZE = 60
"""The members, each in one of five classes, of which two have superclasses."""
DATA = "".join(
    f"<x:{i}> <x:in> <x:c{i % 5}> ; <x:near> <x:{(i + 1) % SIZE}> .\n" for i in range(SIZE)
)
DATA += "<x:c0> <x:sub> <x:d> , <x:e> . <x:c1> <x:sub> <x:d> . <x:d> <x:sub> <x:e> ."
DATA += "<x:lone> <x:to> 5 ."
PATHS = """
:in/:sub
:near/:in/:sub
:in/:sub/:sub
^:sub/^:in
(:in|:near)/:sub
:in/(:sub|:to)
:in/:sub?
:in/:sub+
:in/^(:sub+)
:sub+/:sub
:near*/:sub
:in?/:sub
:in/!:near
:none/:sub
:in/:none
(:in/:sub)+
(:in/:sub)?
(:near/:in)*
:in/^:in
""".strip().split("\n")


def pairs(kb: KnowledgeBase, path: str) -> Counter[tuple[str, str]]:
    found = kb.query(f"PREFIX : <x:> SELECT ?x ?y {{ ?x {path} ?y }}")
    return Counter((str(row.x), str(row.y)) for row in found)


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    kb = KnowledgeBase(profile="none")
    kb.load(DATA.encode(), format="turtle")
    return kb


@pytest.mark.parametrize("path", PATHS)
def test_pairs(kb: KnowledgeBase, path: str) -> None:
    store = ox.Store()
    store.load(DATA.encode(), format=ox.RdfFormat.TURTLE)
    expected = store.query(f"PREFIX : <x:> SELECT ?x ?y {{ ?x {path} ?y }}")
    assert pairs(kb, path) == Counter((row["x"].value, row["y"].value) for row in expected)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (":near/:in", SIZE),
        (":in/^:in", SIZE * SIZE // 5),
        ("^:in/:near", SIZE),
        (":in/:sub", 3 * SIZE // 5),
        ("^:sub/^:in", 3 * SIZE // 5),
        (":near/:sub", 1),
        (":near/:none", 0),
    ],
)
def test_the_first_pairs_tell_how_many_there_are(
    kb: KnowledgeBase, path: str, expected: int
) -> None:
    """Some where they find none: others may."""
    plan = kb.query(f"PREFIX : <x:> SELECT * {{ ?x {path} ?y . ?a :to ?b }}", explain=True)
    (line,) = (line for line in plan.splitlines() if "?x" in line and "expected" in line)
    assert f" {expected:,} expected" in line


def test_all_pairs_begin_with_the_fewer_facts(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[int] = []
    by_subjects = PredicateFacts.by_subjects

    def noted(facts: PredicateFacts, ids):
        looked_up.append(len(ids))
        return by_subjects(facts, ids)

    monkeypatch.setattr(PredicateFacts, "by_subjects", noted)
    assert sum(pairs(kb, ":near/:in").values()) == SIZE
    assert max(looked_up) == SIZE
    looked_up.clear()
    assert sum(pairs(kb, ":in/:sub").values()) == 3 * SIZE // 5
    assert not looked_up


def test_nodes_are_worked_out_once_many_were_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    kb = KnowledgeBase(profile="none")
    kb.load(DATA.encode(), format="turtle")
    put(monkeypatch, QUERIES, facts_of_node=24)  # so that five look-ups cost as much
    all_nodes: list[bool] = []
    nodes = GraphFacts.nodes.fget
    monkeypatch.setattr(
        GraphFacts, "nodes", property(lambda facts: all_nodes.append(True) or nodes(facts))
    )
    names = [":1", ":c0", ":e", ":nowhere", ":5"]
    for name, there in zip(names, [1, 1, 1, 0, 1], strict=True):
        text = f"PREFIX : <x:> SELECT ?y {{ VALUES ?x {{ {name} }} ?x :to? ?y }}"
        assert (len(kb.query(text)), bool(all_nodes)) == (there, False), name
    assert len(kb.query("PREFIX : <x:> SELECT ?y { VALUES ?x { :7 } ?x :to? ?y }")) == 1
    assert all_nodes
