"""`kb.changes(since=n, derived=True)`: what came and went since among all that is stated or
follows, to whoever asks, in whichever process. Oracle: the closures that were there at each number.
"""

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
from msgspec.structs import replace
from rdflib import RDFS, URIRef

import rdfinc
from rdfinc import ForgottenError, KnowledgeBase, UnstratifiableError
from rdfinc.durable import read_only
from rdfinc.durable.directory_files import Directory
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.streams import closure_changes
from rdfinc.knowledge_base.versions.change import Change
from thresholds import put

A, B, C, P, Q = (URIRef(EX + name) for name in "abcpq")
SUB = RDFS.subPropertyOf
SEEDS, STEPS = 6, 8
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
            kb._log.let_go()  # as if it had died
            kb = rdfinc.open(place)
        with suppress(UnstratifiableError):
            if what < 0.35:
                kb.dataset().update(chance.choice(REQUESTS))
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
    now = kb._log._journal.number
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


Fault = Callable[[pytest.MonkeyPatch], None]


def rules_are_not_undone(patch: pytest.MonkeyPatch) -> None:
    def undone(changes: list[Change]) -> list[Change]:
        return [replace(change, rules_added={}, rules_removed={}) for change in real(changes)]

    real = closure_changes.undone
    patch.setattr(closure_changes, "undone", undone)


def named_graphs_are_not_undone(patch: pytest.MonkeyPatch) -> None:
    def undone(changes: list[Change]) -> list[Change]:
        def default(side: Any) -> Any:
            return {graph: batch for graph, batch in side.items() if not graph}

        return [
            replace(change, delete=default(change.delete), insert=default(change.insert))
            for change in real(changes)
        ]

    real = closure_changes.undone
    patch.setattr(closure_changes, "undone", undone)


FAULTS: tuple[Fault, ...] = (rules_are_not_undone, named_graphs_are_not_undone)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_is_found(tmp_path: Path, fault: Fault, monkeypatch: pytest.MonkeyPatch) -> None:
    fault(monkeypatch)
    with pytest.raises(AssertionError):
        for seed in range(SEEDS):
            play(tmp_path / str(seed), seed)


def test_a_reader_tells_what_it_shows_and_no_more(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path)
    kb.add_rules(f"[?x, <{Q}>, ?y] :- [?x, <{P}>, ?y] .")
    kb.update(insert=[(A, P, B)])
    reader = rdfinc.open(tmp_path, read_only=True)
    kb.update(insert=[(A, P, C)], delete=[(A, P, B)])
    kb.remove_rules(kb.program)
    delta = reader.changes(since=0, derived=True)
    assert (delta.number, {*delta.added}) == (2, {(A, P, B), (A, Q, B)})
    number = reader.refresh()
    delta = reader.changes(since=2, derived=True)
    assert delta.number == number == kb.refresh()
    assert ({*delta.added}, {*delta.removed}) == ({(A, P, C)}, {(A, P, B), (A, Q, B)})
    assert "was deleted" in str(delta.why_removed((A, Q, B)))
    assert not reader.changes(since=number, derived=True)
    kb.close()


def test_a_reader_that_undoes_what_it_has_not_taken_in_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = read_only.changes_since
    monkeypatch.setattr(
        read_only,
        "changes_since",
        lambda place, files, manifest, since, number: real(
            place, files, manifest, since, number + 1
        ),
    )
    with pytest.raises(AssertionError):
        test_a_reader_tells_what_it_shows_and_no_more(tmp_path)


def test_a_reader_needs_to_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with rdfinc.open(tmp_path) as kb:
        kb.checkpoint()
        number = kb.refresh()
        kb.update(insert=[(A, P, B)])
        kb._log.let_go()
        with suppress(OSError):
            kb.close()
    for change in ("create", "extend", "replace", "remove", "sync_names"):
        monkeypatch.setattr(Directory, change, None)
    with rdfinc.open(tmp_path, read_only=True) as reader:
        before = reader.dictionary.position
        assert {*reader.changes(since=number, derived=True).added} == {(A, P, B)}
        assert reader.dictionary.position == before  # it can go on reading where it is


def test_what_cannot_be_told_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"rdfinc\.open"):
        KnowledgeBase().changes(since=0, derived=True)
    kb = rdfinc.open(tmp_path)
    kb.update(insert=[(A, P, B)])
    with kb.transaction():
        kb.update(insert=[(A, P, C)])
        with pytest.raises(ValueError, match="a transaction is open; end it before"):
            kb.changes(since=0, derived=True)
    kb.checkpoint()
    with pytest.raises(ForgottenError, match=f"{tmp_path}.*up to 2.*since 2") as told:
        kb.changes(since=1, derived=True)
    assert told.value.first == 2
    kb.close()


def test_options_that_hold_now_hold_for_both_closures(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path, profile="none") as kb:
        kb.update(insert=[(P, SUB, Q), (A, P, B)])
    with rdfinc.open(tmp_path, profile="rdfs") as kb:
        number = kb.refresh()
        assert not kb.changes(since=number, derived=True)
        kb.update(delete=[(P, SUB, Q)])
        assert (A, Q, B) in kb.changes(since=number, derived=True).removed


def test_rules_that_the_options_of_a_reader_cannot_order_are_told(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path, profile="none") as kb:
        kb.add_rules(f"[?x, <{Q}>, ?y] :- [?x, <{P}>, ?y], NOT [?x, <{C}>, ?y] .")
        kb.update(insert=[(A, P, B), (Q, SUB, C)])
        number = kb.refresh()
        kb.remove_rules(kb.program)
        reader = rdfinc.open(tmp_path, read_only=True, profile="rdfs")
        with pytest.raises(UnstratifiableError):
            reader.changes(since=number, derived=True)
        assert (A, P, B) in reader.changes(since=0, derived=True).added
        reader._check()


def test_whoever_was_interrupted_may_ask_again_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = KnowledgeBase._noted

    def interrupted(*given: Any, **more: Any) -> Any:
        real(*given, **more)
        raise KeyboardInterrupt

    with rdfinc.open(tmp_path, profile="none") as kb:
        kb.update(insert=[(A, P, B)])
        kb.update(delete=[(A, P, B)])
        delta = kb.changes(since=1, derived=True)
        with monkeypatch.context() as patch:
            patch.setattr(KnowledgeBase, "_noted", interrupted)
            with pytest.raises(KeyboardInterrupt):
                delta.why_removed((A, P, B))
        assert "was deleted" in str(delta.why_removed((A, P, B)))
        assert {*delta.removed} == {(A, P, B)}


def test_it_does_not_go_together_with_what_an_update_returned(tmp_path: Path) -> None:
    """Found in a copy, it has ids of its own for terms that come later."""
    with rdfinc.open(tmp_path, profile="none") as kb:
        kb.update(insert=[(A, P, B)])
        found, made = kb.changes(since=0, derived=True), kb.update(insert=[(B, P, C)])
        for first, next in ((found, made), (made, found)):
            with pytest.raises(ValueError, match=r"kb\.changes"):
                first.then(next)
        both = made.then(kb.update(delete=[(B, P, C)], insert=[(C, P, A)]))
        assert ({*both.added}, {*both.removed}) == ({(C, P, A)}, set())


def test_a_change_that_only_restates_changes_no_closure(tmp_path: Path) -> None:
    """What is stated and follows as well goes from one kind to the other."""
    with rdfinc.open(tmp_path, profile="none") as kb:
        kb.add_rules(f"[?x, <{Q}>, ?y] :- [?x, <{P}>, ?y] .")
        kb.update(insert=[(A, P, B), (A, Q, B)])
        number = kb.refresh()
        kb.update(delete=[(A, Q, B)])
        assert kb.changes(since=number) and not kb.changes(since=number, derived=True)


def test_a_mirror_in_another_process_stays_equal(tmp_path: Path) -> None:
    with rdfinc.open(tmp_path, profile="none"):
        pass
    reader = rdfinc.open(tmp_path, read_only=True)
    mirror, number, told = set(reader), reader.refresh(), 0
    program = WRITER.replace("0.01)", "0.1)")  # checkpoints come less often than questions
    assert program != WRITER
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path), "commit"], stdout=subprocess.DEVNULL
    ) as writer:
        while told < 4:
            reader.refresh()
            try:
                delta = reader.changes(since=number, derived=True)
            except ForgottenError:
                mirror, number = set(reader), reader.refresh()
            else:
                assert mirror.issuperset(delta.removed) and mirror.isdisjoint(delta.added)
                mirror = mirror.difference(delta.removed).union(delta.added)
                number, told = delta.number, told + bool(delta)
                assert mirror == set(reader)
        writer.kill()
