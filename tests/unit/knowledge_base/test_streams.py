"""Streams: from where updates are taken, when, and what is raised."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from rdfinc import KnowledgeBase, TermError, ViolationError
from rdfinc.knowledge_base.streams.delta import Delta

RULES = """@prefix : <http://e.org/> .
[?x, :q, ?y] :- [?x, :p, ?y] .
[?x, :r, ?z] :- [?x, :q, ?y], [?y, :p, ?z] .
"""
Fact = tuple[str, str, str]


def fact(text: str) -> Fact:
    s, p, o = (f"<http://e.org/{name}>" for name in text.split())
    return s, p, o


AB, BC, CD = fact("a p b"), fact("b p c"), fact("c p d")
FLEETING = [([], [AB, BC]), ([BC], [CD]), ([CD], [BC]), ([AB, BC], [])]
"""What comes with one update goes with the next."""


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase("none", maintenance="bf")
    kb.add_rules(RULES)
    return kb


def marked(deltas: list[Delta]) -> int:
    return sum(delta.report.counters["marks_explicit"] for delta in deltas)


def considered(deltas: list[Delta]) -> int:
    return sum(delta.report.counters["propagate"] for delta in deltas)


def test_facts_of_one_update_withdrawn_by_the_next_are_not_searched_again(kb) -> None:
    twin = kb.copy()
    ahead, alone = list(kb.stream(FLEETING)), list(twin.stream(FLEETING, lookahead=False))
    assert [set(d.removed) for d in ahead] == [set(d.removed) for d in alone]
    assert marked(ahead) and not marked(alone)
    assert considered(ahead) < considered(alone)


def test_auto_marks_nothing() -> None:
    kb = KnowledgeBase("none")
    kb.add_rules(RULES)
    assert not marked(list(kb.stream(FLEETING))) and len(kb) == 0


def test_an_unchanged_and_a_disturbed_stream(kb) -> None:
    stream = kb.stream(FLEETING)
    next(stream)
    assert next(stream).report.counters["propagate"] == 0
    kb.update(insert=[fact("x p y")])
    assert next(stream).report.counters["propagate"] > 0, "marks are dropped"
    next(stream)
    assert set(kb.explicit) == set(kb.copy().explicit)
    assert len(kb.explicit) == 1


def test_a_change_of_rules_drops_marks(kb) -> None:
    stream = kb.stream(FLEETING)
    next(stream)
    kb.add_rules("@prefix : <http://e.org/> . [?x, :s, ?y] :- [?y, :q, ?x] .")
    delta = next(stream)
    assert {t[1].rpartition("/")[2] for t in delta.removed} == {"p", "q", "r", "s"}


def test_a_plain_generator_may_use_the_last_delta(kb) -> None:
    deltas: list[Delta] = []

    def updates() -> Iterator[Any]:
        yield [], [AB]
        for _ in range(3):
            yield list(deltas[-1].added)[:1], [BC if len(deltas) % 2 else AB]

    for delta in kb.stream(updates()):
        deltas.append(delta)
    assert len(deltas) == 4 and not marked(deltas)


def test_a_live_generator_is_looked_ahead_of_and_never_waited_for(kb) -> None:
    asked: list[int] = []

    def updates() -> Iterator[Any]:
        yield None
        for number, update in enumerate(FLEETING):
            asked.append(number)
            yield update
            yield from [None] * (number == 1)

    stream = kb.stream(updates())
    first = next(stream)
    assert asked == [0, 1] and marked([first])
    assert not marked([next(stream)]), "there was nothing yet"
    assert marked(list(stream))


def test_a_queue_is_looked_into_and_waited_for(kb) -> None:
    updates: queue.Queue[Any] = queue.Queue()
    for update in (None, *FLEETING[:2]):
        updates.put(update)
    stream = kb.stream(updates)
    assert marked([next(stream)])
    assert not marked([next(stream)])
    updates.put(FLEETING[2])
    assert set(next(stream).removed) >= {tuple(kb._telling.term(kb.dictionary.find(t.encode()))
                                               for t in CD)}  # fmt: skip


def test_a_list_may_grow_while_it_is_worked_off(kb) -> None:
    updates: list[Any] = [([], [AB])]
    for number, _ in enumerate(kb.stream(updates)):
        updates += FLEETING[number : number + 1]
    assert len(updates) == 5


@pytest.mark.parametrize("wrong", [3, (1, 2, 3, 4), "ab", [[]]])
def test_an_invalid_update_is_refused_at_its_turn_and_the_stream_goes_on(kb, wrong) -> None:
    stream = kb.stream([([], [AB]), wrong, ([AB], [])])
    next(stream)
    with pytest.raises(TypeError, match=r"\(delete, insert\) or None"):
        next(stream)
    assert len(next(stream).removed) == 2


def test_a_wrong_term_is_told_at_its_turn(kb) -> None:
    stream = kb.stream(iter([([], [AB]), ([("no term", "", "")], []), ([AB], [])]))
    next(stream)
    with pytest.raises(TermError):
        next(stream)
    assert len(next(stream).removed) == 2


def test_an_error_of_the_source_is_raised_at_its_turn(kb) -> None:
    def updates() -> Iterator[Any]:
        yield None
        yield [], [AB]
        raise KeyError("gone")

    stream = kb.stream(updates())
    assert len(next(stream).added) == 2
    with pytest.raises(KeyError):
        next(stream)


def test_a_refused_update_changes_nothing_and_the_stream_goes_on() -> None:
    kb = KnowledgeBase(on_violation="raise")
    owl, rdf = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    kb.update(insert=[("<http://e.org/p>", f"<{rdf}type>", f"<{owl}IrreflexiveProperty>")])
    stream = kb.stream([([], [AB, BC]), ([BC], [fact("x p x")]), ([BC], [])])
    next(stream)
    with pytest.raises(ViolationError):
        next(stream)
    assert len(kb) == 3
    assert len(next(stream).removed) == 1


def test_sides_that_can_be_read_once(kb) -> None:
    updates = [(iter(delete), iter(insert)) for delete, insert in FLEETING]
    deltas = list(kb.stream(updates))
    assert len(deltas) == 4 and not marked(deltas) and len(kb) == 0


def test_streams_are_made_of_iterables_and_queues_only(kb) -> None:
    with pytest.raises(TypeError, match="iterable of updates or a queue"):
        kb.stream(3)
    with pytest.raises(TypeError, match=r"kb\.stream takes others"):
        kb.stream_async([])


def test_a_term_that_is_new_in_between(kb) -> None:
    """What the next update deletes may be unknown when it is looked at, and known at its turn."""
    stream = kb.stream([([], [AB]), ([fact("new p newer"), AB], [])])
    next(stream)
    kb.update(insert=[fact("new p newer")])
    next(stream)
    assert len(kb) == 0


# -- asynchronous streams


async def all_of(stream: AsyncIterator[Delta]) -> list[Delta]:
    return [delta async for delta in stream]


def test_an_asynchronous_generator(kb) -> None:
    async def updates() -> AsyncIterator[Any]:
        for update in FLEETING:
            await asyncio.sleep(0)
            yield update

    deltas = asyncio.run(all_of(kb.stream_async(updates())))
    assert len(deltas) == 4 and len(kb) == 0 and not marked(deltas)


def test_a_live_asynchronous_generator_is_looked_ahead_of(kb) -> None:
    async def updates() -> AsyncIterator[Any]:
        yield None
        for number, update in enumerate(FLEETING):
            yield update
            if number == 1:
                await asyncio.sleep(0.01)

    deltas = asyncio.run(all_of(kb.stream_async(updates())))
    assert len(deltas) == 4 and len(kb) == 0 and marked(deltas)


def test_an_asynchronous_queue(kb) -> None:
    async def run() -> list[Delta]:
        updates: asyncio.Queue[Any] = asyncio.Queue()
        for update in (None, *FLEETING):
            updates.put_nowait(update)
        stream = kb.stream_async(updates)
        return [await anext(stream) for _ in FLEETING]

    assert marked(asyncio.run(run())) and len(kb) == 0
