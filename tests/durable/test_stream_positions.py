"""Streams with a name keep how far they have come, in the record of each update."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from durable.histories import EX, state

import rdfinc
from rdfinc import KnowledgeBase, ViolationError

TYPE, DISJOINT = (
    "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
    "<http://www.w3.org/2002/07/owl#disjointWith>",
)


def fact(number: int) -> tuple[str, str, str]:
    return f"<{EX}n{number}>", f"<{EX}p>", f'"{number}"'


def test_positions_are_those_of_the_source_or_counted() -> None:
    kb = KnowledgeBase()
    assert kb.position("sensor") is None
    list(kb.stream([([], [fact(1)]), ([], [fact(2)])], name="sensor"))
    assert kb.position("sensor") == 2
    list(kb.stream([([], [fact(3)], {"offset": 17})], name="log"))
    list(kb.stream([([], [fact(4)])]))
    assert (kb.position("sensor"), kb.position("log")) == (2, {"offset": 17})
    assert kb.copy().position("log") == {"offset": 17}


def test_an_asynchronous_stream_has_positions_too() -> None:
    async def updates():
        yield [], [fact(1)], "a"
        yield None
        yield [], [fact(2)], "b"

    async def run(kb: KnowledgeBase) -> None:
        async for _ in kb.stream_async(updates(), name="feed"):
            pass

    kb = KnowledgeBase()
    asyncio.run(run(kb))
    assert kb.position("feed") == "b"


def test_a_refused_update_moves_nothing(tmp_path: Path) -> None:
    kb = rdfinc.open(tmp_path, on_violation="raise")
    clash = [(fact(1)[0], TYPE, f"<{EX}{name}>") for name in "CD"]
    updates = [([], [(f"<{EX}C>", DISJOINT, f"<{EX}D>")]), ([], clash), ([], [fact(2)], 9)]
    stream = kb.stream(updates, name="s")
    next(stream)
    with pytest.raises(ViolationError):
        next(stream)
    assert kb.position("s") == 1
    next(stream)
    assert kb.position("s") == 9
    kb.close()


@pytest.mark.parametrize("effect", [True, False])
def test_a_process_that_died_goes_on_where_it_was(tmp_path: Path, effect: bool) -> None:
    numbers = range(1, 8) if effect else [1] * 7
    updates = [([], [fact(n)], place) for place, n in enumerate(numbers, 1)]
    kb, made = rdfinc.open(tmp_path), 0
    while made < len(updates):
        for _ in zip(range(2), kb.stream(updates[kb.position("s") or 0 :], name="s"), strict=False):
            made += 1
        before = state(kb)
        kb._log.let_go()  # as if it had died
        kb = rdfinc.open(tmp_path)
        assert kb.position("s") == made
        assert state(kb) == before
    assert made == len(updates)


@pytest.mark.parametrize(("name", "position"), [("s", b"x"), ("s", {1, 2}), (("s",), 3)])
def test_what_cannot_be_kept_is_told_before_anything_changes(
    tmp_path: Path, name: str, position: object
) -> None:
    with rdfinc.open(tmp_path) as kb:
        with pytest.raises(TypeError, match=r"JSON serializable|named by a text"):
            list(kb.stream([([], [fact(1)], position)], name=name))
        assert len(kb) == 0
        list(kb.stream([([], [fact(1)], [1, 2])], name="s"))
    with rdfinc.open(tmp_path) as kb:
        assert (len(kb), kb.position("s")) == (1, [1, 2])
