"""What waits, is asked and is watched keeps its terms, while all others make way for new ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rdflib import Graph, Literal

from laws.passing import FACTS, NS, changed, node, pass_by
from rdfinc.knowledge_base.storage.term_reclaiming import Reclaiming
from rdfinc.plugins.rdflib_store import RdfincStore


@pytest.fixture(autouse=True)
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reclaiming, "is_due", lambda self, terms: True)


@pytest.fixture
def graph() -> Iterator[Graph]:
    yield Graph(store=RdfincStore(changed()))


def test_statements_that_wait(graph: Graph) -> None:
    kb = graph.store.kb
    for fact in FACTS:
        graph.add(fact)
    pass_by(kb)
    assert set(FACTS) < set(graph)
    graph.remove(FACTS[0])
    pass_by(kb)
    assert FACTS[0] not in graph and FACTS[1] in graph
    graph.remove((None, node("has"), None))
    kb.update(delete=FACTS)
    facts = [(node(f"late{n}"), node("has"), Literal(n)) for n in range(20)]
    for fact in facts:
        pass_by(kb, 1)
        kb.update(insert=[fact])
    assert set(facts) < set(graph)


def test_terms_of_the_state_before_a_rollback_stay(graph: Graph) -> None:
    kb = graph.store.kb
    for fact in FACTS:
        graph.add(fact)
    graph.commit()
    before = set(graph)
    graph.remove((None, None, None))
    assert not set(graph)
    pass_by(kb)
    graph.rollback()
    assert set(graph) == before
    pass_by(kb)
    assert set(graph) == before
    graph.remove((None, None, None))
    graph.commit()


def test_queries_under_way(graph: Graph) -> None:
    kb = graph.store.kb
    kb.update(insert=FACTS)
    text = f"""SELECT ?x ?y ?z WHERE {{ ?x <{NS}has> ?y
        VALUES ?z {{ <{NS}a> "d" <{NS}unknown> }} FILTER(?z != <{NS}z> || ?x = <{NS}a>) }}"""
    rows = set(graph.query(text))
    running = iter(graph.query(text))
    first, asked = next(running), kb.query(text)
    kb.update(delete=FACTS)
    pass_by(kb)
    assert {first, *running} == set(asked) == rows


def test_watches(graph: Graph) -> None:
    kb = graph.store.kb
    told: list[tuple[set, set]] = []
    watch = kb.watch(
        f"SELECT ?x ?y WHERE {{ ?x <{NS}has> ?y FILTER(?x != <{NS}k>) }}",
        lambda added, removed: told.append((set(added), set(removed))),
    )
    later: list = []
    other = kb.watch(f"SELECT ?x ?y {{ ?x <{NS}has> ?y }}", lambda *news: later.append(news))
    rows = {(s, o) for s, _, o in FACTS}
    kb.update(insert=FACTS)
    pass_by(kb, 3)
    kb.update(delete=FACTS)
    pass_by(kb, 3)
    assert told[0] == (rows, set())
    assert told[7] == (set(), rows)
    assert len(told) == 14
    assert set(later[0][0]) == rows == set(later[7][1])
    watch.cancel(), other.cancel()


def test_requests_of_many_operations(graph: Graph) -> None:
    kb = graph.store.kb
    graph.update(
        f"""INSERT DATA {{ <{NS}a> <{NS}has> <{NS}b> . <{NS}fresh> <{NS}has> "1" }} ;
        INSERT {{ ?y <{NS}was> ?x . ?y <{NS}in> _:n }}
        WHERE {{ ?x <{NS}has> ?y FILTER isIRI(?y) }} ;
        DELETE {{ ?x <{NS}has> ?y }} WHERE {{ ?x <{NS}has> ?y }} ;
        INSERT {{ ?x <{NS}has> "2" }} WHERE {{ ?y <{NS}was> ?x }}"""
    )
    pass_by(kb)
    assert (node("b"), node("was"), node("a")) in graph
    assert set(graph.objects(None, node("has"))) == {Literal("2")}
    assert len(set(graph.objects(node("b"), node("in")))) == 1
