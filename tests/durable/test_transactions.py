"""`kb.transaction()`: all of it or nothing, of facts, rules and prefixes, and one record."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

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


# -- others meanwhile

READS: dict[str, Callable[[KnowledgeBase], Any]] = {
    "len": len,
    "in": lambda kb: (A, P, B) in kb,
    "triples": set,
    "explicit": lambda kb: set(kb.explicit),
    "query": lambda kb: {*kb.query(f"SELECT ?y {{ <{A}> <{P}> ?y }}")},
    "graph": lambda kb: set(Graph(RdfincStore(kb))),
    "graph.query": lambda kb: {*Graph(RdfincStore(kb)).query(f"SELECT ?y {{ ?x <{P}> ?y }}")},
}


@pytest.mark.parametrize("name", READS)
def test_other_threads_read_what_was_there_before(name: str) -> None:
    kb, read = KnowledgeBase(), READS[name]
    kb.update(insert=[(A, P, A)])
    before = read(kb)
    with ThreadPoolExecutor(1) as pool:
        with kb.transaction():
            kb.add_rules(RULE)
            with kb.transaction():
                kb.update(insert=[(A, P, B)], delete=[(A, P, A)])
                assert pool.submit(read, kb).result(timeout=10) == before
            assert pool.submit(read, kb).result(timeout=10) == before
            after = read(kb)
        assert pool.submit(read, kb).result(timeout=10) == after != before or name == "len"


def test_what_other_threads_change_waits_and_is_not_taken_back(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path, profile="none")
    changes = lambda: kb.update(insert=[(A, P, A)]), lambda: kb.bind("ark", EX)
    threads = [threading.Thread(target=change) for change in changes]
    with pytest.raises(StopError), kb.transaction():
        kb.update(insert=[(A, P, B)])
        for thread in threads:
            thread.start()
            thread.join(0.02)
        raise StopError
    for thread in threads:
        thread.join()
    expected = state(kb)
    assert set(kb) == {(A, P, A)} and kb.namespaces["ark"] == EX
    kb._log.let_go()
    with rdfinc.open(tmp_path) as again:
        assert state(again) == expected


CHANGES: dict[str, Callable[[KnowledgeBase], Any]] = {
    "update": lambda kb: kb.update(insert=[(B, P, B)]),
    "add_rules": lambda kb: kb.add_rules(RULE),
    "load": lambda kb: kb.load(b"<x:a> <x:b> <x:c> .", format="nt"),
    "bind": lambda kb: kb.bind("ark", EX),
    "note": lambda kb: kb.note("place", 1),
    "transaction": lambda kb: kb.transaction().__enter__(),
    "stream": lambda kb: next(kb.stream([([], [(B, P, B)])], name="s")),
    "SPARQL": lambda kb: kb.dataset().update(f"INSERT DATA {{ <{B}> <{P}> <{B}> }}"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_another_task_neither_sees_nor_joins_it(name: str) -> None:
    kb = KnowledgeBase()

    async def inside() -> None:
        with pytest.raises(StopError), kb.transaction():
            kb.update(insert=[(A, P, B)])
            await asyncio.sleep(0)
            assert set(kb) == {(A, P, B)}
            raise StopError

    async def outside() -> None:
        assert not len(kb) and not set(kb)
        with pytest.raises(ValueError, match=r"another task is open.*when it has ended"):
            CHANGES[name](kb)
        assert not len(kb)

    async def both() -> None:
        await asyncio.gather(inside(), outside())

    asyncio.run(both())
    assert not len(kb) and not kb.namespaces and not kb.notes
    CHANGES[name](kb)
