"""An interrupt from the keyboard leaves a knowledge base as it was, or as it is to be."""

import signal
import threading

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.knowledge_base.versions.version import Restatement
from rdfinc.tables.facts import FactSet
from rdfinc.terms.dictionary import Dictionary

FACT = ("<http://e.org/a>", "<http://e.org/p>", "<http://e.org/b>")


@pytest.fixture(autouse=True)
def listening():
    """Interrupts are heard, also where whoever runs the tests has them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupting(method):
    """The method, interrupted before it does anything."""

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        return method(*arguments)

    return interrupted


@pytest.mark.parametrize("owner, name", [(Restatement, "commit"), (FactSet, "adopt")])
def test_an_update_being_committed_is_committed_first(monkeypatch, owner, name):
    kb = KnowledgeBase()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(owner, name, interrupting(getattr(owner, name)))
        kb.update(insert=[FACT])
    assert FACT in kb.explicit and len(kb) == 1
    kb._check()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_update_not_yet_committed_is_given_up(monkeypatch):
    kb = KnowledgeBase()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(FactSet, "extend", interrupting(FactSet.extend))
        kb.update(insert=[FACT])
    assert len(kb) == 0
    kb.update(insert=[FACT])
    assert len(kb) == 1


def test_an_error_goes_before_an_interrupt():
    with pytest.raises(KeyboardInterrupt) as raised, Uninterrupted():
        signal.raise_signal(signal.SIGINT)
        raise ValueError
    assert isinstance(raised.value.__context__, ValueError)


def test_another_thread_is_not_interrupted_anyway():
    done = []

    def change():
        with Uninterrupted():
            done.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=change)
    thread.start()
    thread.join()
    assert done == [signal.getsignal(signal.SIGINT)]


def test_a_number_that_no_term_has_got():
    """Where an interrupt came between two steps, later terms still have their own ids."""
    terms = Dictionary()
    terms.encode(b"<a>")
    terms._ids.terms.append(b"<interrupted>")
    ids = [terms.encode(term) for term in (b"<b>", b"<interrupted>", b"<c>")]
    terms.add_many([b"<d>", b"<e>"])
    ids += [terms.encode(b"<d>"), terms.encode(b"<e>")]
    assert terms.decode_many(ids) == [b"<b>", b"<interrupted>", b"<c>", b"<d>", b"<e>"]
