"""Findings about axioms: whether the rules use them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

USED, PARTLY, IGNORED = "used", "partly used", "ignored"


@dataclass(frozen=True, slots=True)
class Axiom:
    """An axiom in readable form, or a part of one: `status` is USED, PARTLY or IGNORED; unless it
    is used, `reason` says why."""

    text: str
    status: str
    reason: str

    def __str__(self) -> str:
        return f"{self.status}: {self.text}" + (f" ({self.reason})" if self.reason else "")


@dataclass(frozen=True, slots=True)
class Finding:
    """An axiom as it `reads`, and those parts of it that are not wholly used."""

    reads: Callable[[], str]
    gaps: Sequence[Axiom] = ()

    def told(self) -> Sequence[Axiom]:
        """The gaps, or that there are none."""
        return self.gaps or [Axiom(self.reads(), USED, "")]

    @staticmethod
    def gap(text: str, status: str, reason: str) -> Finding:
        """The finding of an unused axiom without details."""
        return Finding(lambda: text, [Axiom(text, status, reason)])
