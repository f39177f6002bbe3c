"""What goes beyond a bound is refused, and then nothing has changed, in memory and on disk."""

from __future__ import annotations

import random
import threading
from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, Step, state, steps

import rdfinc
from rdfinc import BudgetExceededError, KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.versions.bounds import Bounds
from thresholds import put

A, B, P = (f"<{EX}{name}>" for name in ("a", "b", "p0"))
ENDLESS = "".join(
    f'[?x, {P}, ?m] :- [?x, {P}, ?n], BIND(SKOLEM("{kind}", ?n) AS ?m) .' for kind in "abc"
)
"""Makes three terms of each, up to the depth at which Skolem terms end."""
CROSS = f"[?x, <{EX}r>, ?z] :- [?x, {P}, ?y], [?v, {P}, ?w], [?u, {P}, ?z] ."
HISTORIES, STEPS = 12, 14


class CancelledAt(threading.Event):
    """Is set from a look at it on."""

    def __init__(self, look: int) -> None:
        super().__init__()
        self.looks = look

    def is_set(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def chosen_bounds(chance: random.Random, kb: KnowledgeBase) -> dict[str, Any]:
    """Bounds that a change of the knowledge base may or may not meet."""
    kind = chance.choice(("max_facts", "max_memory", "timeout", "cancel"))
    if kind == "max_facts":
        return {kind: max(0, len(kb) + chance.randrange(-3, 6))}
    if kind == "max_memory":
        return {kind: kb.stats()["bytes"] + chance.randrange(-10_000, 10_000)}
    return {kind: 0.0} if kind == "timeout" else {kind: CancelledAt(chance.randrange(12))}


def bounded(kb: KnowledgeBase, step: Step, bounds: dict[str, Any], patch: Any) -> bool:
    """Whether a step was made within bounds."""
    given = {"max_facts": None, "max_memory": None, "timeout": None, "cancel": None, **bounds}
    with patch.context() as inner:
        inner.setattr(kb, "_bounds", lambda *_: Bounds(**given))
        try:
            step(kb)
        except BudgetExceededError as refused:
            (name,) = bounds
            assert refused.budget == name
            assert name in str(refused) or "cancelled" in str(refused)
            return False
    return True


def test_after_a_refusal_nothing_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A history of which steps are refused, beside one without them."""
    put(monkeypatch, KNOWLEDGE, instances_a_check=1)
    start, count = request.config.getoption("--long") or (0, HISTORIES)
    refused = made = 0
    for seed in range(start, start + count):
        chance, place = random.Random(seed), tmp_path / str(seed)
        options = {"profile": chance.choice(("none", "owl2rl"))}
        kb, twin = rdfinc.open(place, **options), KnowledgeBase(**options)
        for step in steps(chance, STEPS):
            before, number = state(kb), kb.refresh()
            bounds = chosen_bounds(chance, kb)
            if bounded(kb, step, bounds, monkeypatch):
                step(twin)
                made += 1
                assert len(kb) <= max(bounds.get("max_facts", len(kb)), len(before[1]))
            else:
                refused += 1
                assert state(kb) == before
                assert kb.refresh() == number
            assert state(kb) == state(twin)
            kb._check()
            if chance.random() < 0.2:
                kb._log.let_go()  # as if it had died
                kb = rdfinc.open(place)
                assert state(kb) == state(twin)
        kb.close()
    assert min(refused, made) > 2 * count


@pytest.mark.parametrize("bound", [{"max_facts": 50_000}, {"max_memory": 20_000_000}])
def test_rules_without_end_meet_a_bound(bound: dict[str, int]) -> None:
    kb = KnowledgeBase("none", **bound)
    kb.update(insert=[(A, P, B)])
    before = state(kb)
    with pytest.raises(BudgetExceededError, match="do the rules end"):
        kb.add_rules(ENDLESS)
    assert state(kb) == before
    kb.update(insert=[(A, P, A)])


@pytest.mark.parametrize(
    "bound", [{"timeout": 0.05}, {"cancel": CancelledAt(3)}, {"max_memory": 4_000_000}]
)
def test_a_join_that_is_too_large_is_stopped_while_it_is_made(
    bound: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = {name: bound.pop(name) for name in ("max_memory",) if name in bound}
    kb = KnowledgeBase("none", **limit)
    kb.update(insert=[(f"<{EX}s{i}>", P, f"<{EX}o{i}>") for i in range(1500)])
    before = state(kb)
    with pytest.raises(BudgetExceededError) as told:
        kb.add_rules(CROSS, **bound)
    assert told.value.budget in {**bound, **limit}
    assert state(kb) == before


def test_files_are_read_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    kb = KnowledgeBase("none", max_facts=2)
    text = "".join(f"<{EX}s> {P} <{EX}o{i}> .\n" for i in range(3)).encode()
    text = f"@prefix new: <{EX}> .\n".encode() + text
    for bound in ({}, {"timeout": 0}, {"cancel": CancelledAt(0)}, {"cancel": CancelledAt(1)}):
        with pytest.raises(BudgetExceededError):
            kb.load(text, format="turtle", **bound)
        assert not len(kb) and "new" not in kb.namespaces


def test_what_makes_it_less_is_within_bounds() -> None:
    kb = KnowledgeBase("none")
    kb.update(insert=[(A, P, f'"{i}"') for i in range(9)])
    kb.max_facts = 3
    kb.update(delete=[(A, P, '"1"')])
    with pytest.raises(BudgetExceededError, match="max_facts=3 is exceeded, 9 facts"):
        kb.update(insert=[(A, P, B)])


def test_bounds_of_a_directory_are_kept_and_changed_without_deriving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with rdfinc.open(tmp_path, max_facts=2) as kb:
        kb.update(insert=[(A, P, B), (B, P, A)])
        with pytest.raises(BudgetExceededError):
            kb.update(insert=[(A, P, A)])
    with monkeypatch.context() as patch:
        patch.setattr("rdfinc.knowledge_base.updates.engine.Engine.apply", None)
        with rdfinc.open(tmp_path, max_facts=1) as kb:
            assert kb.settings["max_facts"] == 1 and len(kb) == 2
    with rdfinc.open(tmp_path, max_facts=None) as kb:
        kb.update(insert=[(A, P, A)])


@pytest.mark.parametrize("wrong", [-1, "many", True, float("nan")])
def test_a_bound_is_a_number(wrong: Any) -> None:
    for name in ("max_facts", "max_memory"):
        with pytest.raises((TypeError, ValueError), match=f"{name}=.*None for no limit"):
            KnowledgeBase(**{name: wrong})
    with pytest.raises((TypeError, ValueError), match="timeout="):
        KnowledgeBase().update(timeout=wrong)


@pytest.mark.parametrize("wrong", [-1, "many", True, float("nan")])
def test_a_bound_of_a_directory_is_a_number_too(wrong: Any, tmp_path: Path) -> None:
    with rdfinc.open(tmp_path) as kb:
        kb.update(insert=[(A, P, A)])
    with pytest.raises((TypeError, ValueError), match=r"max_facts=.*None for no limit"):
        rdfinc.open(tmp_path, max_facts=wrong)
    with rdfinc.open(tmp_path) as kb:
        assert len(kb) == 1
