"""An interrupt from the keyboard at every call of a function: nothing is lost or half done."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rdfinc import KnowledgeBase

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
RULE = '[?x, a, <urn:B>] :- [?x, a, <urn:A>], [?x, <urn:p>, ?y], FILTER(?y != "b" && ?y > "a") .'


@pytest.fixture(autouse=True)
def listening() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


class At:
    """Sends one interrupt when so many calls have been made."""

    def __init__(self, call: int) -> None:
        self.left = call

    def __call__(self, frame: Any, event: str, argument: Any) -> None:
        if frame.f_code.co_name == "hear":
            sys.setprofile(None)
        elif event == "call":
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)


def interrupted(act: Callable[[], object], call: int) -> tuple[bool, bool]:
    """Whether there were so many calls, and whether the interrupt was raised."""
    at, raised = At(call), False
    sys.setprofile(at)
    try:
        act()
    except KeyboardInterrupt:
        raised = True
    finally:
        sys.setprofile(None)
    return at.left <= 0, raised


def told(kb: KnowledgeBase) -> list[tuple[list[str], list[str]]]:
    heard: list[tuple[list[str], list[str]]] = []

    def hear(added: Any, removed: Any) -> None:
        heard.append(([str(row.x) for row in added], [str(row.x) for row in removed]))

    kb.watch("SELECT ?x { ?x a <urn:B> }", hear)
    return heard


def test_a_watch_hears_of_every_change_that_was_made() -> None:
    kb = KnowledgeBase(profile="none")
    heard = told(kb)
    call, there = 0, True
    while there:
        call += 2
        facts = [("<urn:a>", TYPE, "<urn:B>")]
        at, change = call, {"delete" if facts[0] in kb else "insert": facts}
        there, _ = interrupted(lambda change=change: kb.update(**change), at)
        kb.update(insert=[(f"<urn:{call}>", TYPE, "<urn:B>")])
        added = [name for news, _ in heard for name in news]
        removed = [name for _, news in heard for name in news]
        shown = sorted({str(s) for s, _, _ in kb})
        assert sorted(set(added)) == sorted({*shown, *removed}), call
        assert added.count("urn:a") - removed.count("urn:a") == (facts[0] in kb), call
    assert call > 100


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_rules_are_added_as_they_are_written_or_not_at_all() -> None:
    whole = KnowledgeBase(profile="none")
    whole.add_rules(RULE)
    expected = set(whole._engine.rules.program)
    call, there = 0, True
    while there:
        call += 8
        kb = KnowledgeBase(profile="none")
        there, raised = interrupted(lambda kb=kb: kb.add_rules(RULE), call)
        if not raised:  # Python drops what is raised where a generator is taken down
            assert set(kb._engine.rules.program) == expected, call
        kb.add_rules(RULE)
        assert set(kb._engine.rules.program) == expected, call
    assert call > 100
