"""rdfinc's knowledge base."""

from __future__ import annotations

from collections.abc import Sequence

import rdfinc


class InRdfinc:
    """The closure under a profile and rules, kept while statements change."""

    def __init__(self, profile: str) -> None:
        self._kb = rdfinc.KnowledgeBase(profile)

    def load(self, data: str, rules: Sequence[str]) -> float:
        return self._kb.load(data, *rules).delta.report.seconds

    def size(self) -> int:
        return len(self._kb)

    def write(self, file: str) -> None:
        self._kb.dump(file)

    def ask(self, query: str) -> int:
        return len(list(self._kb.query(query)))

    def withdraw(self, line: str) -> None:
        self._kb.update(delete=[_fact(line)])

    def state(self, line: str) -> None:
        self._kb.update(insert=[_fact(line)])


class WithAxiomaticFacts(InRdfinc):
    """The same with what rdfinc leaves out by default, since it is so in every graph."""

    def __init__(self, profile: str) -> None:
        self._kb = rdfinc.KnowledgeBase(profile, axiomatic=True)


def _fact(line: str) -> tuple[str, ...]:
    return tuple(line.rstrip(" .\n").split(" ", 2))
