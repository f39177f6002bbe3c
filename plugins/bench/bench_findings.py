"""What a comparison has found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rdfinc.plugins.bench.agreement import ClosureDifference


@dataclass(frozen=True)
class Closing:
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


@dataclass(frozen=True)
class Changing:
    """Seconds in which single statements went and came back; whether the facts in between were
    those of deriving anew, None if nobody derived them."""

    library: str
    why: str
    gone: tuple[float, ...] = ()
    back: tuple[float, ...] = ()
    exact: bool | None = None


@dataclass(frozen=True)
class Answering:
    """The rows of a query, the seconds when it was first asked, and the median of later times; or
    why there are none."""

    rows: int | None = None
    first: float | None = None
    seconds: float | None = None
    failure: str = ""


@dataclass(frozen=True)
class Answers:
    """What a library answered, by query, and why the others were not asked."""

    library: str
    why: str
    answers: Mapping[str, Answering]


@dataclass(frozen=True)
class Findings:
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
        return asdict(self)
