"""Terms that nothing mentions any more are forgotten, whatever the statements are that brought
them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from thresholds import put

NS = "http://e.org/"
ROUND = 50


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=32)


def iri(name: object) -> str:
    return f"<{NS}{name}>"


def fresh_subject(n: int) -> tuple[str, ...]:
    return iri(f"s{n}"), iri("p"), iri("o")


def fresh_subject_and_literal(n: int) -> tuple[str, ...]:
    return iri(f"s{n}"), iri("p"), f'"value {n}"'


def fresh_in_its_own_graph(n: int) -> tuple[str, ...]:
    return iri(f"s{n}"), iri("p"), f'"value {n}"', iri(f"g{n}")


def fresh_throughout(n: int) -> tuple[str, ...]:
    return iri(f"s{n}"), iri(f"p{n}"), f'"value {n}"', iri(f"g{n}")


def known_in_a_fresh_graph(n: int) -> tuple[str, ...]:
    return iri("s"), iri("p"), iri("o"), iri(f"g{n}")


STATEMENTS = pytest.mark.parametrize(
    ("statement", "terms"),
    [
        (fresh_subject, 1),
        (fresh_subject_and_literal, 2),
        (fresh_in_its_own_graph, 3),
        (fresh_throughout, 4),
        (known_in_a_fresh_graph, 1),
    ],
)
"""Statements, and how many terms each brings that no other mentions."""


def rounds(statement: Callable[[int], Any]) -> Iterator[list[Any]]:
    """Statements that no two rounds share."""
    for start in range(0, 24 * ROUND, ROUND):
        yield [statement(n) for n in range(start, start + ROUND)]


@pytest.mark.parametrize("profile", ["none", "owl2rl"])
@STATEMENTS
def test_rounds_that_come_and_go(statement: Callable[[int], Any], terms: int, profile: str) -> None:
    kb = KnowledgeBase(profile)
    kb.update(insert=[(iri("s"), iri("p"), iri("o"))])
    begin = most = len(kb.dictionary)
    for batch in rounds(statement):
        kb.update(insert=batch)
        kb.update(delete=batch)
        most = max(most, len(kb.dictionary))
    assert most <= 2 * begin + 3 * terms * ROUND
    assert kb.dictionary.bound <= 4 * begin + 6 * terms * ROUND
    kb._check()


@STATEMENTS
def test_a_window_that_grows_a_little(statement: Callable[[int], Any], terms: int) -> None:
    """In each round one statement fewer goes than comes."""
    kb = KnowledgeBase("none")
    before: list[Any] = []
    begin = most = len(kb.dictionary)
    for batch in rounds(statement):
        kb.update(insert=batch, delete=before[1:])
        before = batch
        most = max(most, len(kb.dictionary))
    assert most <= 2 * begin + 4 * terms * ROUND
    kb._check()
