"""What a long change has left free is given back, what a short one has is kept."""

from __future__ import annotations

import sys
import time

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.process import memory
from thresholds import put

DATA = b"<urn:a> <urn:p> <urn:b> ."


@pytest.mark.parametrize(("long", "times"), [(0.0, 2), (1e9, 0)])
def test_long_changes_give_memory_back(monkeypatch, long, times):
    given: list[int] = []
    grown = memory.Heap(lambda: 1000 + 500 * len(given), given.append)
    put(monkeypatch, KNOWLEDGE, long_change=long)
    monkeypatch.setattr(memory, "_heap", lambda: grown)
    monkeypatch.setattr(memory, "_heap_meanwhile", lambda: memory.Heap(int, given.append))
    kb = KnowledgeBase(profile="none")
    kb.load(DATA, format="nt")
    grown.kept = 0
    kb.add_rules("[?x, <urn:q>, ?y] :- [?x, <urn:p>, ?y] .")
    assert len(given) == times
    assert len(kb) == 2


def test_free_memory_is_looked_for_when_the_process_has_grown_by_an_eighth():
    """It may have shrunk by itself before."""
    pages, given = [800], list[int]()
    heap = memory.Heap(lambda: pages[0], given.append)
    seen = ((800, 1), (800, 1), (900, 1), (901, 2), (1013, 2), (500, 2), (562, 2), (563, 3))
    for size, times in seen:
        pages[0] = size
        heap.give_back()
        assert len(given) == times, size


def test_what_was_given_back_meanwhile_is_a_sign_of_more(monkeypatch):
    pages, given = [800], list[str]()
    ended = memory.Heap(lambda: pages[0], lambda _: given.append("in the end"))
    meanwhile = memory.Heap(lambda: pages[0], lambda _: given.append("meanwhile"))
    put(monkeypatch, KNOWLEDGE, long_change=0.0)
    monkeypatch.setattr(memory, "_heap", lambda: ended)
    monkeypatch.setattr(memory, "_heap_meanwhile", lambda: meanwhile)
    memory.give_back(0.0)
    start = time.perf_counter()
    memory.give_back(start)
    assert given == ["in the end"]
    memory.give_back_meanwhile()
    memory.give_back(start)
    assert given == ["in the end", "meanwhile", "in the end"]
    memory.give_back(time.perf_counter())
    assert len(given) == 3


def test_the_platform_is_asked_for_it():
    heap = memory._heap()
    heap.kept = 0
    heap.give_back()
    assert heap.kept > 0 or sys.platform != "linux"
