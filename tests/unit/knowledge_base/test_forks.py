"""Child processes that are forked while another thread writes."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from rdfinc import KnowledgeBase

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SUB = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
SCHEMA = [("<urn:A>", SUB, "<urn:B>"), ("<urn:B>", SUB, "<urn:C>")]


def is_whole_in_a_child(kb: KnowledgeBase, sizes: set[int]) -> bool:
    """Whether a child process reads one of the states of `kb`, and can change it."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    code = 1
    try:
        signal.alarm(20)
        before = len(kb)
        kb.update(insert=[("<urn:child>", TYPE, "<urn:A>")])
        kb._check()
        code = 0 if before in sizes and len(kb) == before + 3 else 2
    finally:
        os._exit(code)


class Waiting:
    """In the thread that it is the profiler of, lets another go first at one call."""

    def __init__(self, call: int) -> None:
        self.left = call
        self.reached, self.done = threading.Event(), threading.Event()

    def __call__(self, frame: Any, event: str, argument: Any) -> None:
        if event == "call":
            self.left -= 1
            if self.left == 0:
                self.reached.set()
                self.done.wait(0.05)  # a fork waits for what is being committed


def at_work(act: Callable[[], object], waiting: Waiting) -> threading.Thread:
    def work() -> None:
        sys.setprofile(waiting)
        act()
        sys.setprofile(None)
        waiting.reached.set()

    thread = threading.Thread(target=work)
    thread.start()
    return thread


def steps_of_a_request(kb: KnowledgeBase) -> None:
    with kb._step():
        kb.update(insert=[("<urn:x>", TYPE, "<urn:A>")])
        kb.update(insert=[("<urn:y>", TYPE, "<urn:A>")])


def one_update(kb: KnowledgeBase) -> None:
    kb.update(insert=[("<urn:x>", TYPE, "<urn:A>"), ("<urn:y>", TYPE, "<urn:A>")])


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("act", [one_update, steps_of_a_request])
def test_a_child_has_what_was_committed(act: Callable[[KnowledgeBase], None]) -> None:
    call, there = 0, True
    while there:
        call += 211
        kb = KnowledgeBase()
        kb.update(insert=SCHEMA)
        waiting = Waiting(call)
        before = len(kb)
        thread = at_work(lambda kb=kb: act(kb), waiting)
        waiting.reached.wait()
        there = waiting.left <= 0
        assert is_whole_in_a_child(kb, {before, before + 6}), call
        waiting.done.set()
        thread.join()
        assert len(kb) == before + 6
        kb._check()
    assert call > 1000


def test_a_fork_does_not_wait_for_an_update() -> None:
    kb = KnowledgeBase(profile="none")
    inside, go_on = threading.Event(), threading.Event()

    def facts() -> Any:
        inside.set()
        go_on.wait()
        yield ("<urn:x>", TYPE, "<urn:A>")

    thread = threading.Thread(target=lambda: kb.update(insert=facts()))
    thread.start()
    inside.wait()
    child = os.fork()
    if not child:
        signal.alarm(20)
        os._exit(len(kb))
    assert os.waitpid(child, 0)[1] == 0
    go_on.set()
    thread.join()
    assert len(kb) == 1


def test_a_child_of_the_thread_that_writes_goes_on_with_it() -> None:
    kb = KnowledgeBase(profile="none")
    with kb._step():
        kb.update(insert=[("<urn:x>", TYPE, "<urn:A>")])
        child = os.fork()
        if not child:
            signal.alarm(20)
            kb.update(insert=[("<urn:y>", TYPE, "<urn:A>")])
            os._exit(len(kb))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 2
