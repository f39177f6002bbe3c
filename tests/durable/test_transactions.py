"""`kb.transaction()`: all of it or nothing, of facts, rules and prefixes, and one record."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from durable.histories import EX, state
from rdflib import Graph, URIRef

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.plugins import RdfincStore
from thresholds import put

A, B, P = (URIRef(EX + name) for name in "abp")
RULE = f"[?y, <{P}>, ?x] :- [?x, <{P}>, ?y] ."


class StopError(Exception):
    pass


def test_an_exception_leaves_nothing() -> None:
    kb = KnowledgeBase()
    kb.add_rules(f"[?x, <{EX}old>, ?y] :- [?x, <{P}>, ?y] .")
    kb.update(insert=[(A, P, B)])
    before, heard = state(kb), []
    kb.watch(f"SELECT ?x {{ ?x <{P}> ?y }}", lambda *news: heard.append(news))
    with pytest.raises(StopError), kb.transaction():
        kb.update(delete=[(A, P, B)])
        kb.add_rules(RULE)
        kb.remove_rules(f"[?x, <{EX}old>, ?y] :- [?x, <{P}>, ?y] .")
        kb.bind("zoo", EX)
        kb.update(insert=[(B, P, B)])
        assert (B, P, B) in kb
        raise StopError
    assert state(kb) == before
    assert heard == []
    kb._check()


def test_one_inside_another_undoes_only_itself() -> None:
    kb = KnowledgeBase()
    with kb.transaction():
        kb.update(insert=[(A, P, B)])
        with pytest.raises(StopError), kb.transaction():
            kb.add_rules(RULE)
            kb.update(delete=[(A, P, B)])
            raise StopError
        assert set(kb) == {(A, P, B)}
        with kb.transaction():
            kb.add_rules(RULE)
    assert set(kb) == {(A, P, B), (B, P, A)}
    with pytest.raises(StopError), kb.transaction():
        with kb.transaction():
            kb.remove_rules(RULE)
        raise StopError
    assert set(kb) == {(A, P, B), (B, P, A)}


def test_sparql_and_graphs_take_part() -> None:
    graph = Graph(store="rdfinc")
    kb = graph.store.kb
    graph.add((A, P, A))
    with pytest.raises(StopError), kb.transaction():
        graph.update(f"INSERT DATA {{ <{A}> <{P}> <{B}> }}")
        graph.add((B, P, B))
        raise StopError
    assert set(graph) == {(A, P, A)}
    with kb.transaction():
        graph.add((B, P, B))
    assert set(graph) == {(A, P, A), (B, P, B)}


def test_a_transaction_is_one_step_to_those_who_watch() -> None:
    kb, heard = KnowledgeBase(), []
    kb.watch(f"SELECT ?y {{ <{A}> <{P}> ?y }}", lambda new, gone: heard.append(len(list(new))))
    with kb.transaction():
        kb.update(insert=[(A, P, A)])
        kb.update(insert=[(A, P, B)])
        with kb.transaction():
            kb.update(insert=[(A, P, P)])
    assert heard == [3]


def test_a_transaction_is_one_record(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path, profile="none")
    first = kb.refresh()
    with kb.transaction():
        kb.update(insert=[(A, P, B)])
        kb.add_rules(RULE)
        kb.bind("zoo", EX)
    assert kb.refresh() == first + 1
    with pytest.raises(StopError), kb.transaction():
        kb.update(insert=[(A, P, A)])
        raise StopError
    assert kb.refresh() == first + 1
    expected = state(kb)
    kb._log.let_go()
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


def test_checkpoints_come_where_all_changes_are_transactions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, DURABLE, least_replay_seconds=0.0)
    kb = rdfinc.open(tmp_path)
    (first,) = tmp_path.glob("manifest-*")
    for node in (A, B, P):
        with kb.transaction():
            kb.update(insert=[(A, P, node)])
    while first.exists():  # until one is written in another thread
        time.sleep(0.001)
    kb.close()


def test_a_sparql_update_of_many_operations_is_one_record(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    graph, first = Graph(RdfincStore(kb)), kb.refresh()
    more = f"INSERT {{ ?y <{P}> ?x }} WHERE {{ ?x <{P}> ?y }}"
    graph.update(f"INSERT DATA {{ <{A}> <{P}> <{B}> }} ; {more}")
    assert len(kb.explicit) == 2
    assert kb.refresh() == first + 1
    kb.close()
