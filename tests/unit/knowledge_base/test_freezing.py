"""Terms that are frozen in memory by a large load: nothing but memory and time tells."""

from __future__ import annotations

import pickle
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rdfinc
from rdfinc import DataSyntaxError, KnowledgeBase, RdfincError
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.terms.frozen_numbering import FrozenNumbering
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

Triple = tuple[str, str, str]
SLICE = 0, 10


def often(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, KNOWLEDGE, many_inserted=4, text_thawed=60)
    put(monkeypatch, TERMS, many_thawed=6, terms_in_block=8, kept_frozen_terms=5, kept_if_often=1)


def triple(chance: random.Random) -> Triple:
    numbers = [chance.randrange(60) for _ in range(3)]
    object_ = chance.choice(("<e:{}>", '"{}"', '"the {}"@en', "_:b{}")).format(numbers[2])
    return f"<e:{numbers[0]}>", f"<e:p{numbers[1] % 4}>", object_


def lines(triples: list[Triple]) -> bytes:
    return "".join(f"{s} {p} {o} .\n" for s, p, o in triples).encode()


class Play:
    """A random sequence of changes; `told` is what a user sees after each."""

    def __init__(self, seed: int, workers: int = 1) -> None:
        self._chance, self._workers = random.Random(seed), workers
        self.kb = KnowledgeBase(profile="none", max_facts=400)
        self.told: list[Any] = []
        self.frozen = 0
        self._model: set[Triple] = set()

    def run(self, steps: int) -> list[Any]:
        for _ in range(steps):
            reader, delta = self.kb.reader(), self.kb.update(insert=[triple(self._chance)])
            before = set(map(self._decoded, reader.closure.match())), list(delta.added)
            steps_ = self._loaded, self._updated, self._failed, self._too_much, self._undone
            self._chance.choice(steps_)()
            assert set(map(self._decoded, reader.closure.match())) == before[0]
            assert list(delta.added) == before[1]
            self._copied()
            self.kb._check()
            terms = list(self.kb.dictionary)
            assert self.kb.dictionary.find_many(terms).all()
            self.told.append((sorted(self.kb.explicit), terms))
            self.frozen += self.kb.dictionary.is_frozen
        return self.told

    def _decoded(self, ids: tuple[int, int, int]) -> Triple:
        s, p, o = (term.decode() for term in self.kb.dictionary.decode_many(ids))
        return s, p, o

    def _some(self) -> list[Triple]:
        return [triple(self._chance) for _ in range(self._chance.randrange(1, 25))]

    def _loaded(self) -> None:
        format = self._chance.choice(("nt", "turtle"))
        self.kb.load(lines(self._some()), format=format, workers=self._workers)

    def _updated(self) -> None:
        there = sorted(self.kb.explicit)
        gone = self._chance.sample(there, min(len(there), 9))
        self.kb.update(delete=gone, insert=self._some())

    def _failed(self) -> None:
        self._without_effect(
            DataSyntaxError, lambda: self.kb.load(lines(self._some()) + b"oh\n", format="nt")
        )

    def _too_much(self) -> None:
        """Refused after the terms were frozen."""
        more = [(f"<e:more{n}>", "<e:p>", f'"{n}"') for n in range(400)]
        self._without_effect(
            rdfinc.BudgetExceededError, lambda: self.kb.load(lines(more), format="nt")
        )

    def _undone(self) -> None:
        def change() -> None:
            with self.kb.transaction():
                self._loaded()
                self._updated()
                raise DataSyntaxError("here", None, "", "")

        self._without_effect(DataSyntaxError, change)

    def _without_effect(self, error: type[RdfincError], change: Callable[[], object]) -> None:
        before = set(self.kb.explicit)
        with pytest.raises(error):
            change()
        assert set(self.kb.explicit) == before

    def _copied(self) -> None:
        """Goes on with a copy now and then; what becomes of the original is not seen in it."""
        if self._chance.random() < 0.3:
            original, before = self.kb, sorted(self.kb.explicit)
            self.kb = original.copy() if self._chance.random() < 0.7 else _pickled(original)
            original.load(lines(self._some()), format="nt")
            assert sorted(self.kb.explicit) == before


def _pickled(kb: KnowledgeBase) -> KnowledgeBase:
    twin: KnowledgeBase = pickle.loads(pickle.dumps(kb))
    return twin


def test_random_changes_show_the_same_terms_ids_and_facts(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    start, count = request.config.getoption("--long") or SLICE
    frozen = 0
    for seed in range(start, start + count):
        expected = Play(seed).run(12)
        with monkeypatch.context() as patch:
            often(patch)
            play = Play(seed)
            assert play.run(12) == expected, seed
            frozen += play.frozen
    assert frozen > 6 * count


def test_terms_are_reclaimed_as_well(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """Ids may differ then: those of terms that wait are given again later."""
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=4)
    start, count = request.config.getoption("--long") or SLICE
    for seed in range(start, start + count):
        expected = [facts for facts, _ in Play(seed).run(12)]
        with monkeypatch.context() as patch:
            often(patch)
            assert [facts for facts, _ in Play(seed).run(12)] == expected, seed


def test_workers_and_frozen_terms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TERMS, bytes_a_worker=100, line_block_bytes=500, line_share_bytes=900)
    put(monkeypatch, TERMS, document_share_bytes=400)
    chance, files = random.Random(1), []
    for number in range(4):
        files.append(tmp_path / f"{number}.{('nt', 'ttl')[number % 2]}")
        files[-1].write_bytes(lines([triple(chance) for _ in range(60 + 20 * number)]))
    told = []
    for workers, freeze in ((1, False), (1, True), (2, True)):
        with monkeypatch.context() as patch:
            if freeze:
                often(patch)
            kb = KnowledgeBase()
            for file in files:
                kb.load(file, workers=workers)
            told.append((list(kb.dictionary), set(kb)))
            assert kb.dictionary.is_frozen == freeze
    assert told[0] == told[1] == told[2]


def test_terms_are_frozen_before_more_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TERMS, line_block_bytes=500)
    put(monkeypatch, KNOWLEDGE, text_thawed=2000)
    data = lines([(f"<e:{n}>", "<e:p>", f'"{n} {"long " * 40}"') for n in range(100)])
    kb = KnowledgeBase(profile="none")
    kb.load(data[: len(data) // 8].rpartition(b"\n")[0], format="nt")
    assert kb.dictionary.is_frozen
    kb = KnowledgeBase(profile="none")
    kb.load(data, format="nt")
    assert kb.dictionary.is_frozen
    assert 0 < kb.dictionary.thawed < len(kb.dictionary) // 2
    assert len(kb) == 100
    kb._check()


def test_a_failed_load_leaves_no_terms(monkeypatch: pytest.MonkeyPatch) -> None:
    often(monkeypatch)
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=4)
    kb = KnowledgeBase(profile="none", max_facts=300)
    kb.load(lines([(f"<e:{n}>", "<e:p>", f'"{n}"') for n in range(100)]), format="nt")
    before = set(kb.dictionary)
    more = lines([(f"<e:more{n}>", "<e:p>", f'"{n}"') for n in range(400)])
    for _ in range(3):
        with pytest.raises(rdfinc.BudgetExceededError):
            kb.load(more, format="nt")
        kb.update(insert=[("<e:1>", "<e:p>", "<e:2>")])
        kb.update(delete=[("<e:1>", "<e:p>", "<e:2>")])
    for _ in range(3):
        kb._engine._reclaiming._gone = 10**6
        kb._engine._reclaiming._left = 0
        kb.update(delete=[("<e:1>", "<e:p>", '"1"')])
    assert set(kb.dictionary) - {b'"1"'} <= before
    kb._check()


def test_small_changes_do_not_freeze(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TERMS, many_thawed=100)
    put(monkeypatch, KNOWLEDGE, many_inserted=10)
    kb = KnowledgeBase(profile="none")
    for n in range(200):
        kb.update(insert=[(f"<e:{n}>", "<e:p>", f'"{n}"')])
    assert not kb.dictionary.is_frozen
    kb.load(lines([(f"<e:{n}>", "<e:p>", f'"{n}"') for n in range(300)]), format="nt")
    assert kb.dictionary.is_frozen
    assert kb.dictionary.thawed == 0
    kb.update(insert=[("<e:new>", "<e:p>", "<e:newer>")])
    assert kb.dictionary.thawed == 2


def test_facts_whose_making_freezes_terms_are_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    often(monkeypatch)
    kb = KnowledgeBase(profile="none")
    others = [(f"<e:{n}>", "<e:p>", f'"{n}"') for n in range(20)]
    new = [(f"<e:new{n}>", "<e:p>", "<e:there>") for n in range(9)]

    def facts() -> Iterator[Triple]:
        yield "<e:there>", "<e:p>", "<e:there>"
        kb.update(insert=others)
        yield from new

    kb.update(insert=facts())
    assert kb.dictionary.is_frozen
    assert len(kb) == 30
    assert all(fact in kb for fact in new)
    kb._check()


def test_others_read_while_terms_are_frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads look terms up and ask, while loads freeze terms and old ones are forgotten."""
    often(monkeypatch)
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=4)
    kb = KnowledgeBase(profile="none")
    kb.load(lines([(f"<e:{n}>", "<e:stays>", f'"{n}"') for n in range(20)]), format="nt")
    names = {str(n) for n in range(20)}
    done, failed = threading.Event(), []

    def read() -> None:
        try:
            while not done.is_set():
                assert {str(o) for _, _, o in kb.triples((None, "<e:stays>", None))} == names
                assert len(kb.query("SELECT ?s WHERE { ?s <e:stays> ?o }")) == 20
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for round in range(40):
            passing = [(f"<e:{round}-{n}>", "<e:p>", f'"{round}-{n}"') for n in range(15)]
            kb.load(lines(passing), format="nt")
            kb.update(delete=passing)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not failed
    kb._check()


def test_a_dictionary_is_checked_while_a_checkpoint_retires_terms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    often(monkeypatch)
    kb = KnowledgeBase(profile="none")
    kb.load(lines([(f"<e:{i}>", "<e:p>", f"<e:o{i}>") for i in range(20)]), format="nt")
    known = FrozenNumbering.known

    def known_before(numbering: FrozenNumbering) -> dict[bytes, int]:
        found = known(numbering)
        numbering.retire([found[b"<e:3>"], found[b"<e:o7>"]])
        return found

    monkeypatch.setattr(FrozenNumbering, "known", known_before)
    assert kb.dictionary.is_frozen
    kb.dictionary._check()
