"""What a long change has left free is given back, what a short one has is kept."""

from __future__ import annotations

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base import memory

DATA = b"<urn:a> <urn:p> <urn:b> ."


@pytest.mark.parametrize(("long", "times"), [(0.0, 3), (1e9, 0)])
def test_long_changes_give_memory_back(monkeypatch, long, times):
    given: list[int] = []
    monkeypatch.setattr(memory, "LONG", long)
    monkeypatch.setattr(memory, "_trim", lambda: given.append)
    kb = KnowledgeBase(profile="none")
    kb.load(DATA, format="nt")  # the change of facts, and the whole
    kb.add_rules("[?x, <urn:q>, ?y] :- [?x, <urn:p>, ?y] .")
    assert len(given) == times
    assert len(kb) == 2


def test_the_platform_is_asked_for_it():
    assert memory._trim()(0) in (0, 1)
