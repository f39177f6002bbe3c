"""Streams in every configuration and from every kind of source, each update held to the oracle."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from queue import Queue
from typing import Any

from laws.checking import (
    COLUMNS,
    ROWS,
    Configuration,
    check_unstratifiable,
    compare,
    same,
    taking_turns,
    texts,
)
from laws.oracle import NOTHING
from laws.performing import perform
from laws.scenarios import Scenario, scenario_of_streams
from laws.steps import Step
from rdfinc.tables.hashed_table import Hashed
from rdfinc.tables.plain_table import Plain

STREAMS = [
    Configuration("bf", Plain, ROWS),
    Configuration("dred", Hashed, ROWS),
    Configuration("bf", Plain, COLUMNS, overlay=3, block=4, many=0),
    Configuration("fbf", Plain, 2, 3, 4, 0, 4),
    Configuration("dred-counting", Plain, 2, 3, 4, 0, 4),
    Configuration("bf", Plain, 2, 3, 4, 0, 4, "compact", worth=2),
    Configuration("dred", Plain, 2, 3, 4, 0, 4, "auto", worth=2),
    Configuration("auto", Plain, 2, 3, 4, 0, 4, "auto", worth=2),
]


def check_streams(seeds: range, one_in: int = 1) -> Counter[str]:
    """Checks the scenarios of some seeds, a scenario in one of so many configurations, which take
    turns; returns how much was marked and taken from marks."""
    met: Counter[str] = Counter()
    for case in map(scenario_of_streams, seeds):
        for configuration in taking_turns(STREAMS, case.seed, one_in):
            with configuration.in_force():
                make = SOURCES[(case.seed + STREAMS.index(configuration)) % len(SOURCES)]
                met += check_stream(case, configuration, make, lookahead=True)
        with STREAMS[0].in_force():
            check_stream(case, STREAMS[0], SOURCES[case.seed % len(SOURCES)], lookahead=False)
    return met


def check_stream(
    case: Scenario, configuration: Configuration, make: Callable[[list[Any]], Any], *,
    lookahead: bool,
) -> Counter[str]:  # fmt: skip
    """One stream of most updates; changes of rules, and some others, come from elsewhere."""
    met: Counter[str] = Counter()
    kb = configuration.knowledge_base(case.profile)
    rnd = random.Random(case.seed)
    elsewhere = {
        number
        for number, step in enumerate(case.steps)
        if step.about_rules or number in case.refused or rnd.random() < 0.1
    }
    streamed = [step for number, step in enumerate(case.steps) if number not in elsewhere]
    stream = kb.stream(make([update(step) for step in streamed]), lookahead=lookahead)
    before = NOTHING
    for number, (step, expected) in enumerate(zip(case.steps, case.expected, strict=True)):
        place = f"seed {case.seed}, step {number} of a stream, {configuration}, {make.__name__}"
        if number in case.refused:
            check_unstratifiable(kb, step, before, place)
            continue
        delta = perform(kb, step) if number in elsewhere else next(stream)
        same(texts(delta.added), expected.added, f"{place}: added")
        same(texts(delta.removed), expected.removed, f"{place}: removed")
        compare(kb, expected, place)
        counters = delta.report.counters
        assert lookahead or not counters["marks_explicit"], place
        met["marked"] += counters["marks_explicit"]
        met["noted"] += counters["marks_implicit"]
        before = expected
    return met


def update(step: Step) -> tuple[Any, Any]:
    return sorted(step.delete, key=repr), sorted(step.insert, key=repr)


# -- sources


def a_list(updates: list[Any]) -> Any:
    return updates


def a_list_with_delays(updates: list[Any]) -> Any:
    return [item for update in updates for item in (update, None)]


def an_iterator(updates: list[Any]) -> Any:
    return iter(updates)


def a_queue(updates: list[Any]) -> Any:
    found: Queue[Any] = Queue()
    for each in updates:
        found.put(each)
    return found


def a_generator(updates: list[Any]) -> Iterator[Any]:
    yield from updates


def a_live_generator(updates: list[Any]) -> Iterator[Any]:
    yield None
    for each in updates:
        yield each
        if len(each[0]) % 3 == 0:
            yield None


SOURCES = [a_list, a_queue, a_live_generator, an_iterator, a_list_with_delays, a_generator]
