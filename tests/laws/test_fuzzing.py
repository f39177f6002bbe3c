"""Spoilt input does no harm; a slice of what `python -m laws.fuzz` goes on with."""

from __future__ import annotations

import os
import signal
from itertools import islice

import pytest

pytest.importorskip("resource", reason="processes have no limits here")

from laws import fuzzing
from laws.fuzzing import Case, cases, few_facts, judged, perform


@pytest.mark.parametrize("seed", range(2))
def test_spoilt_input_does_no_harm(seed: int) -> None:
    perform(Case("query", "SELECT * { ?s ?p ?o }"), few_facts())
    kb = few_facts()
    wrong = {case: told for case in islice(cases(seed), 30) if (told := judged(case, kb))}
    assert not wrong


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (lambda kb, text: os.kill(os.getpid(), signal.SIGSEGV), "ended by SIGSEGV"),
        (lambda kb, text: [].pop(), "IndexError"),
        (lambda kb, text: bytearray(fuzzing.MEMORY * 2), "MemoryError"),
        (lambda kb, text: [0 for _ in iter(int, 1)], "ended by SIG"),
    ],
)
def test_harm_is_seen(act: fuzzing.Act, told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(fuzzing.ACTS, "term", act)
    assert judged(Case("term", ""), few_facts(), seconds=3).startswith(told)
