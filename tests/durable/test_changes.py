"""`kb.changes(since=n)`: what came and went since, to whoever asks, in whichever process."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from durable.histories import EX, steps
from durable.test_processes import WRITER
from rdflib import URIRef

import rdfinc
from rdfinc import ForgottenError, KnowledgeBase
from rdfinc.durable import read_only
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from thresholds import put

A, B, C, P, G = (URIRef(EX + name) for name in "abcpg")
SEEDS, STEPS = 8, 12


def stated(kb: KnowledgeBase) -> tuple[frozenset[Any], frozenset[str]]:
    """Statements and rules."""
    reader, term = kb.reader(), kb._telling.term
    statements = {
        (*map(term, fact), *((term(graph),) if graph else ()))
        for graph in (0, *reader.graphs())
        for fact in reader.stated(graph)
    }
    return frozenset(statements), frozenset(map(str, kb.program))


def check(kb: KnowledgeBase, since: int, before: Any) -> None:
    """What has changed leads from there to here, and nothing of it was in vain."""
    changes, after = kb.changes(since=since), stated(kb)
    sides = (changes.added, changes.removed), (changes.rules_added, changes.rules_removed)
    for old, new, (added, removed) in zip(before, after, sides, strict=True):
        came, went = (
            {*map(str, side)} if new is after[1] else {*side} for side in (added, removed)
        )
        assert len(added) == len(came) and len(removed) == len(went)
        assert (came, went) == (new - old, old - new)
    assert bool(changes) == (before != after)
    assert changes.number == kb.refresh()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_changes_are_those_between_any_two_numbers(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=4)
    put(monkeypatch, DURABLE, least_replay_seconds=1e6)
    chance = random.Random(seed)
    kb = rdfinc.open(tmp_path, profile=chance.choice(("none", "owl2rl")))
    first, known = 0, {0: stated(kb)}
    reader = rdfinc.open(tmp_path, read_only=True)
    for step in steps(chance, STEPS):
        step(kb)
        known[kb.refresh()] = stated(kb)
        what = chance.random()
        if what < 0.1:
            kb.checkpoint()
            first = kb.refresh()
        elif what < 0.2:
            kb._log.let_go()  # as if it had died
            kb = rdfinc.open(tmp_path)
        elif what < 0.5:
            reader.refresh()
        for since, before in known.items():
            if since >= first:
                check(kb, since, before)
                if since <= reader.refresh():
                    check(reader, since, before)
            else:
                with pytest.raises(ForgottenError) as told:
                    kb.changes(since)
                assert told.value.first == first
    kb.close()


def test_changes_can_be_made_elsewhere(tmp_path: Path) -> None:
    kb, twin = rdfinc.open(tmp_path), KnowledgeBase()
    kb.update(insert=[(A, P, B), (A, P, B, G)])
    kb.update(insert=[(A, P, C)], delete=[(A, P, B), (C, P, B)])
    changes = kb.changes(since=0)
    assert (len(changes.added), len(changes.removed)) == (2, 0)
    twin.update(insert=changes.added, delete=changes.removed)
    assert stated(twin) == stated(kb)
    kb.close()


def test_what_cannot_be_told_is_refused_with_advice(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    for node in (A, B):
        kb.update(insert=[(A, P, node)])
    reader = rdfinc.open(tmp_path, read_only=True)
    kb.update(insert=[(A, P, C)])
    kb.checkpoint()
    assert not kb.changes(since=3)
    for asked in (kb, reader):
        with pytest.raises(ForgottenError, match=f"{tmp_path}.*up to 3.*since 3") as told:
            asked.changes(since=1)
        assert told.value.first == 3
        with pytest.raises(ValueError, match="changes so far"):
            asked.changes(since=4)
        with pytest.raises(ValueError, match="changes so far"):
            asked.changes(since=-1)
    lagging = reader.changes(since=2)
    assert (lagging.number, bool(lagging)) == (2, False)
    assert not reader.changes(since=2, derived=True)
    assert reader.refresh() == 3
    assert not reader.changes(since=3)
    with pytest.raises(ValueError, match=r"rdfinc\.open"):
        KnowledgeBase().changes(since=0)
    kb.close()


def test_a_checkpoint_that_comes_between_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])
    reader, real, looks = rdfinc.open(tmp_path, read_only=True), read_only.read_manifest, []

    def late(*where: Any) -> Any:
        looks.append(where)
        if len(looks) == 1:
            kb.checkpoint()
        return real(*where)

    monkeypatch.setattr(read_only, "read_manifest", late)
    assert not reader.changes(since=1)
    assert len(looks) == 2
    kb.close()


def test_a_record_has_nothing_that_was_in_vain(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path) as kb:
        kb.update(insert=[(A, P, B)])
        number = kb.refresh()
        kb.update(insert=[(A, P, B), (A, P, C)], delete=[(B, P, B)])
        _, (change,) = kb._log.changes(number)
        assert sum(len(keys) for keys in change.insert[0].values()) == 1
        assert not change.delete


@pytest.mark.skipif(os.name != "posix", reason="kills processes")
def test_another_process_hears_of_all_changes(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path, profile="none"):
        pass
    reader, heard = rdfinc.open(tmp_path, read_only=True), set()
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path), "interval"], stdout=subprocess.PIPE
    ) as writer:
        number = told = 0
        while told < 30:
            reader.refresh()
            try:
                changes = reader.changes(since=number)
            except ForgottenError:
                number = reader.refresh()
                heard = set(stated(reader)[0])
            else:
                assert heard.issuperset(changes.removed) and heard.isdisjoint(changes.added)
                heard = heard.difference(changes.removed).union(changes.added)
                number, told = changes.number, told + bool(changes)
                assert heard == stated(reader)[0]
        writer.kill()
    assert heard
