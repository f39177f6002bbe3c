"""What a comparison has found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from rdfinc.plugins.bench.agreement import ClosureDifference


class Closing(Struct, frozen=True):
    """How a library came from a file to the closure: medians of its runs, and the most memory that
    one took. `deriving` is part of `seconds`, None for who only stores. Figures are None where
    `why` says why there are none."""

    library: str
    version: str | None
    why: str
    seconds: float | None = None
    deriving: float | None = None
    processor: float | None = None
    peak_bytes: int | None = None
    facts: int | None = None
    runs: int = 0


class Changing(Struct, frozen=True):
    """Seconds in which single statements went and came back; whether the facts in between were
    those of deriving anew, None if nobody derived them."""

    library: str
    why: str
    gone: tuple[float, ...] = ()
    back: tuple[float, ...] = ()
    exact: bool | None = None


class Answering(Struct, frozen=True):
    """The rows of a query, the seconds when it was first asked, and the median of later times; or
    why there are none."""

    rows: int | None = None
    first: float | None = None
    seconds: float | None = None
    failure: str = ""


class Answers(Struct, frozen=True):
    """What a library answered, by query, and why the others were not asked."""

    library: str
    why: str
    answers: Mapping[str, Answering]


class Findings(Struct, frozen=True):
    """All of it, for one set of data; `place` is the machine."""

    place: str
    what: str
    triples: int
    profile: str
    timeout: float
    closings: Sequence[Closing]
    differences: Sequence[ClosureDifference]
    changes: Sequence[Changing]
    queries: Mapping[str, str]
    answers: Sequence[Answers]

    def record(self) -> dict[str, Any]:
        """All of it, for JSON; times are in seconds."""
        found: dict[str, Any] = to_builtins(self)
        return found
