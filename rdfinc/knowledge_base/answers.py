"""What type checkers know of options and of answers to queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import threading

Profile = Literal["none", "rdfs", "owl2rl"]
Storage = Literal["auto", "plain", "compact"]
Maintenance = Literal["auto", "bf", "fbf", "dred", "dred-counting", "rematerialise"]
OnViolation = Literal["keep", "raise"]
DurabilityMode = Literal["commit", "interval"]
LoadEngine = Literal["auto", "local", "spark"]
Part = Literal["all", "explicit", "derived"]
"""The facts that are written."""


class QueryAnswer(Protocol):
    """The answer to a query: rdflib's `Result`, with columns and a plan."""

    type: str
    vars: list[Any] | None
    askAnswer: bool | None  # noqa: N815
    graph: Any

    @property
    def bindings(self) -> Sequence[Mapping[Any, Any]]: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def serialize(
        self, destination: Any = None, encoding: str = "utf-8", format: str = "xml", **args: Any
    ) -> bytes | None: ...
    def to_arrow(self) -> Any: ...
    def to_pandas(self) -> Any: ...
    def to_polars(self) -> Any: ...
    def plan(self) -> str: ...


class Prepared(Protocol):
    """A query that was read once, and is asked of what there is then."""

    def __call__(self, **bindings: Any) -> QueryAnswer: ...
    def query(
        self,
        bindings: Mapping[str, Any] | None = None,
        *,
        timeout: float | None = None,
        max_rows: int | None = None,
        max_memory: int | None = None,
        cancel: threading.Event | None = None,
        remote: bool = False,
    ) -> QueryAnswer: ...
