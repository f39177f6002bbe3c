"""What a request that cannot be answered gets: a status of the protocol and one sentence."""

from __future__ import annotations

from collections.abc import Mapping

from rdfinc import (
    BudgetExceededError,
    DataSyntaxError,
    FileAccessError,
    LockedError,
    RdfincError,
    RemoteAccessError,
    ReservedGraphError,
    RuleError,
    TermError,
    ViolationError,
)
from rdfinc.datalog.printing import cut
from rdfinc.plugins.server.settings import Settings
from rdfinc.plugins.sparql.syntax.sparql_error import SparqlSyntaxError

LONGEST = 400
"""Characters of a sentence."""


class RefusalError(Exception):
    """An answer other than the one that was asked for; `place` is the line and the column of a
    text where it is wrong."""

    def __init__(
        self,
        status: int,
        sentence: str,
        headers: Mapping[str, str] | None = None,
        place: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status, self.headers, self.place = status, dict(headers or {}), place

    @property
    def sentence(self) -> str:
        """One line, without its end if it is long."""
        return cut(" ".join(str(self).split()), LONGEST)


def require_update(settings: Settings) -> None:
    """Raises RefusalError where nothing may be changed."""
    if not settings.update:
        raise RefusalError(403, "this server is read-only: start it with --update to change data")


def refusal(error: Exception) -> RefusalError | None:
    """The refusal that an error of the engine stands for; None for what nobody foresaw."""
    if isinstance(error, RefusalError):
        return error
    if isinstance(error, SparqlSyntaxError):
        place = error.line, error.column
        told = f"line {error.line}, column {error.column}: {error}"
        return RefusalError(400, told, place=place)
    for kinds, status in _STATUS:
        if isinstance(error, kinds):
            return RefusalError(status, _sentence(error))
    return None


_STATUS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], int], ...] = (
    ((BudgetExceededError, MemoryError), 503),
    ((RemoteAccessError, FileAccessError, ReservedGraphError, LockedError), 403),
    (ViolationError, 409),
    ((DataSyntaxError, RuleError, TermError), 400),
    (NotImplementedError, 501),
    ((RdfincError, OSError), 500),
)


def _sentence(error: Exception) -> str:
    if isinstance(error, DataSyntaxError):
        return error.reason if error.line is None else f"line {error.line}: {error.reason}"
    if isinstance(error, RemoteAccessError | FileAccessError):
        return f"{error.shown} is closed here: this server reads its own data only"
    if isinstance(error, ViolationError):
        return f"it would contradict the ontology, so nothing was changed: {error.violations[0]}"
    if isinstance(error, MemoryError):
        return "there is not enough memory for it; nothing was changed"
    return str(error)
