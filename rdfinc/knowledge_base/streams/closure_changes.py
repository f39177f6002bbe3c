"""What came and went in the closure of a knowledge base in a directory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from rdfinc.knowledge_base.explanations.proofs import Removal
from rdfinc.knowledge_base.streams.delta import Delta, Facts, Report
from rdfinc.knowledge_base.streams.net_change import undone
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.reasoning.maintenance.counters import Counters


@dataclass(frozen=True)
class ClosureChanges(Delta):
    """The net change of the closure after change number `since`, up to `number`: the delta of all
    changes between as one. `report` is the work of finding it."""

    since: int
    number: int


Make = Callable[[Sequence[Change]], Delta]
"""Makes changes, as one, of a knowledge base that nobody else uses."""


def closure_changes(
    since: int, number: int, changes: Sequence[Change], make: Make, make_in_copy: Make
) -> ClosureChanges:
    """The net change of the closure by changes that were made, found by undoing them.

    `make` is about the state after these. They are statements and rules that really came and went,
    so that undoing them leads to the state before, and to the closure of that. There it stays:
    `make_in_copy` is about a copy of it, so whoever is interrupted may ask again. Cost: one update;
    a second one, of a copy, when it is first asked why something was removed. What is returned
    keeps both.
    """
    back = make(undone(changes))
    forth, one_at_a_time = cache(partial(make_in_copy, changes)), threading.Lock()

    def why(triple: Any) -> Removal | None:
        with one_at_a_time:
            delta = forth()
        return delta.why_removed(triple)

    return ClosureChanges(back.removed, back.added, back.report, why, since, number)


def unchanged(since: int, number: int, nothing: Facts, strategy: str) -> ClosureChanges:
    """The net change where no statement or rule came or went."""
    report = Report(Counters().as_dict(), strategy, 0.0, 0)
    return ClosureChanges(nothing, nothing, report, lambda _: None, since, number)
