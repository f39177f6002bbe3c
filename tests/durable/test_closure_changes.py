"""`kb.changes(since=n, derived=True)`: what came and went since among all that is stated or follows,
to whoever asks, in whichever process. Oracle: the closures that were there at each number."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, steps
from durable.test_processes import WRITER
from rdflib import URIRef

import rdfinc
from rdfinc import ForgottenError, KnowledgeBase, UnstratifiableError
from rdfinc.durable import durability
from rdfinc.durable.files import Directory
from rdfinc.knowledge_base import facade
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.streams import closure_changes
from rdfinc.knowledge_base.versions.change import Change
from thresholds import put

A, B, C, P, Q, R = (URIRef(EX + name) for name in "abcpqr")
SEEDS, STEPS = 12, 10
OPTIONS: tuple[dict[str, Any], ...] = (
    {"profile": "none"},
    {"profile": "owl2rl"},
    {"profile": "rdfs"},
    {"profile": "owl2rl", "axiomatic": True, "maintenance": "dred"},
    {"profile": "owl2rl", "storage": "plain", "maintenance": "rematerialise"},
    {"profile": "owl2rl", "unique_names": True},
)
REQUESTS = (
    f"DELETE {{ ?x <{EX}p0> ?y }} INSERT {{ GRAPH <{EX}g0> {{ ?y <{EX}p1> ?x }} }}"
    f" WHERE {{ ?x <{EX}p0> ?y }}",
    f"INSERT {{ ?x <{EX}p2> [ <{EX}p0> ?y ] }} WHERE {{ GRAPH ?g {{ ?x <{EX}p0> ?y }} }}",
    f"MOVE SILENT <{EX}g0> TO <{EX}g1>",
    "DROP SILENT DEFAULT",
)


def play(place: Path, seed: int) -> None:
    """A random history, during which writer and reader are asked what has changed since each
    number that can be told."""
    chance = random.Random(seed)
    kb = rdfinc.open(place, **OPTIONS[seed % len(OPTIONS)])
    first, known = 0, {0: frozenset(kb)}
    reader = rdfinc.open(place, read_only=True)
    for step in steps(chance, STEPS):
        what = chance.random()
        if what < 0.1:
            kb.checkpoint()
            first = kb.refresh()
        elif what < 0.2:
            kb._lasting.let_go()  # as if it had died
            kb = rdfinc.open(place)
        elif what < 0.35:
            kb.dataset().update(chance.choice(REQUESTS))
        with suppress(UnstratifiableError):
            step(kb)
        if what > 0.6:
            reader.refresh()
        known[kb.refresh()] = frozenset(kb)
        asker = kb if what < 0.7 else reader
        check(asker, chance.choice(list(known)), first, known)
    for since in known:
        check(kb, since, first, known)
    kb.close()


def check(kb: KnowledgeBase, since: int, first: int, known: dict[int, frozenset[Any]]) -> None:
    now = kb._lasting._journal.number
    if not first <= since <= now:
        with pytest.raises(ForgottenError if since < first else ValueError):
            kb.changes(since, derived=True)
        return
    delta, before, after = kb.changes(since, derived=True), known[since], frozenset(kb)
    assert (delta.since, delta.number, after) == (since, now, known[now])
    for side, facts in ((delta.added, after - before), (delta.removed, before - after)):
        assert len(side) == len(facts) and {*side} == facts
    assert bool(delta) == (before != after)
    for fact in sorted(delta.removed)[:1]:
        assert delta.why_removed(fact) is not None
        assert {*delta.added} == after - before  # also when the changes were made once more
    kb._check()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_they_are_the_difference_of_two_closures(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=4)
    play(tmp_path, seed)
