"""Statements that cannot be read: the first is an error, or all are skipped and listed."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct, field

from rdfinc.errors import DataSyntaxError, UnsupportedError

Problem = DataSyntaxError | UnsupportedError


def told(problem: Problem) -> tuple[str, int | None, str, str]:
    """File, line, text and reason, as far as they are known."""
    return problem.file, problem.line or None, problem.text, problem.reason


class Problems(Struct):
    """Strict reading: the first problem is raised, so `count` stays 0 and `first` empty."""

    count: int = 0
    first: list[Problem] = field(default_factory=list)

    lenient: ClassVar[bool] = False

    def report(self, problem: Problem) -> None:
        raise problem


class Skipped(Problems):
    """Lenient reading: `count` statements were skipped; the first `KEPT` problems are listed."""

    lenient: ClassVar[bool] = True
    KEPT: ClassVar[int] = 100

    def report(self, problem: Problem) -> None:
        self.count += 1
        if len(self.first) < self.KEPT:
            self.first.append(problem)
