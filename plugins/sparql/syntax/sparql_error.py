"""What is wrong in a text in SPARQL, and where."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from rdfinc.errors import DataSyntaxError
from rdfinc.plugins.sparql.syntax.tokens import BYTE_ORDER_MARK
from rdfinc.terms.whole_imports import WHOLE

if TYPE_CHECKING:
    from pyparsing import ParseException

Wrong = TypeVar("Wrong", bound="SparqlSyntaxError")

_NO_TAB = re.compile(r"[^\t]")
_SHOWN = 80
"""Characters of a line that an error shows before and behind its place."""


class SparqlSyntaxError(Exception):
    """A text that is no SPARQL from one `place` on, counted in characters from 0, and why."""

    def __init__(self, text: str, place: int, reason: str) -> None:
        super().__init__(text, place, reason)
        self.text, self.place, self.reason = text, place, reason

    def __str__(self) -> str:
        return self.reason

    @property
    def line(self) -> int:
        """Counted from 1."""
        return self.text.count("\n", 0, self.place) + 1

    @property
    def column(self) -> int:
        """Characters of the line up to the place, which is among them."""
        begin = self.text.rfind("\n", 0, self.place)
        return self.place - begin - (begin < 0 and self.text.startswith(BYTE_ORDER_MARK))

    @property
    def shown(self) -> str:
        """The line, and a caret under the place."""
        lines = self.text.removeprefix(BYTE_ORDER_MARK).split("\n")
        line = lines[self.line - 1].rstrip("\r")
        before = line[: self.column - 1]
        first = max(0, len(before) - _SHOWN)
        part = line[first : self.column + _SHOWN].encode("utf-8", "backslashreplace").decode()
        return f"{part}\n    {_NO_TAB.sub(' ', before[first:])}^"

    def within(self: Wrong, text: str, place: int) -> Wrong:
        """The same error in another text."""
        return type(self)(text, place, *self.args[2:])

    def told(self, what: str, reason: str = "") -> DataSyntaxError:
        """The exception by which rdfinc tells it of a text that is called so."""
        why = reason or f"no SPARQL: {self}"
        return DataSyntaxError(what, self.line, self.shown, why, self.column)

    def of_rdflib(self, what: str) -> Exception:
        """The exception that rdflib's users get; `what` is the text called."""
        return self._parse_exception(self.reason)

    def _parse_exception(self, reason: str) -> ParseException:
        """The exception of rdflib's parser, which shows what stands there by itself."""
        with WHOLE:
            from pyparsing import ParseException  # a package that takes longer than most queries

        return ParseException(self.text, self.place, reason)


class UnexpectedTokenError(SparqlSyntaxError):
    """A text in which something else is expected than what is `found`, and a hint what was meant,
    if there is one."""

    def __init__(self, text: str, place: int, reason: str, found: str, hint: str) -> None:
        super().__init__(text, place, reason)
        self.args = text, place, reason, found, hint
        self.found, self.hint = found, hint

    def __str__(self) -> str:
        return "".join((self.reason, ", found ", self.found, "; " if self.hint else "", self.hint))

    def of_rdflib(self, what: str) -> Exception:
        return self._parse_exception(f"{self.reason}; {self.hint}" if self.hint else self.reason)


class ForbiddenError(SparqlSyntaxError):
    """A text that the grammar of SPARQL lets pass and its notes forbid."""

    def told(self, what: str, reason: str = "") -> DataSyntaxError:
        return super().told(what, self.reason)

    def of_rdflib(self, what: str) -> Exception:
        return self.told(what)
