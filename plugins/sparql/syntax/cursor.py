"""A place among the tokens of a text: what stands there, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from typing import Any, NoReturn

from rdfinc.errors import DataSyntaxError
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.plugins.sparql.syntax.sparql_error import SparqlSyntaxError
from rdfinc.plugins.sparql.syntax.tokens import END, WRONG, Check, Tokens, places
from rdfinc.plugins.sparql.syntax.trees import Pattern

_COMPARED = re.compile(r"[?$&=]")
_CALLED = {"iri": "an IRI in <…>", "integer": "a whole number"}


class Cursor:
    """A place among the tokens of a text.

    `kind` and `written` are the kind of the token there and its text. `known` are the terms of
    names, variables and labels that have been read; `group` reads the group graph pattern that
    begins at the place. `takes_aggregates` tells whether an aggregate may stand there. Where there
    are `parameters`, constants of patterns become such, and the places of their tokens are noted.
    """

    def __init__(
        self,
        text: str,
        tokens: Tokens,
        prologue: Declared,
        check: Check,
        group: Callable[[Cursor], Pattern],
        parameters: list[int] | None = None,
    ) -> None:
        self._text, self.prologue, self.check = text, prologue, check
        self._group = group
        self._kinds, self._texts = tokens
        self.known: dict[str, Any] = {}
        self.parameters = parameters
        self.takes_aggregates = False
        self._depth = 0
        self.at = 0
        self.kind = self._kinds[0]

    @property
    def written(self) -> str:
        return self._texts[self.at]

    @property
    def next_kind(self) -> str:
        return self._kinds[min(self.at + 1, len(self._kinds) - 1)]

    def take(self) -> str:
        """The token here, which is passed; the end never is."""
        written = self._texts[self.at]
        self.at += 1
        self.kind = self._kinds[self.at]
        return written

    def accept(self, kind: str) -> bool:
        """Whether a token of that kind stands here, which is passed then."""
        if self.kind != kind:
            return False
        self.take()
        return True

    def expect(self, kind: str) -> str:
        """A token of that kind, which is passed. Raises SparqlSyntaxError."""
        if self.kind != kind:
            self.refuse(_CALLED.get(kind, kind if kind.isupper() else f"'{kind}'"))
        written = self._texts[self.at]  # as `take` does, and twice as fast
        self.at += 1
        self.kind = self._kinds[self.at]
        return written

    def one_of(self, *kinds: str) -> str:
        """The kind of the token here, which is one of some and passed. Raises SparqlSyntaxError."""
        found = self.kind
        if found not in kinds:
            self.refuse(" or ".join(kinds))
        self.take()
        return found

    def enter(self, bracket: str) -> None:
        """Passes an opening bracket. Raises SparqlSyntaxError; DataSyntaxError if it stands in too
        many others."""
        self.expect(bracket)
        self._depth += 1
        if self._depth > QUERIES.deepest_nesting:
            why = "brackets are nested too deeply; write it with fewer of them"
            raise DataSyntaxError("SPARQL", None, "", why)

    def leave(self, bracket: str) -> None:
        """Passes a closing bracket. Raises SparqlSyntaxError."""
        self.expect(bracket)
        self._depth -= 1

    def group(self) -> Pattern:
        """The group graph pattern that begins here."""
        return self._group(self)

    def end(self) -> None:
        """Raises SparqlSyntaxError if this is not the end of the text."""
        if self.kind != END:
            self.refuse("the end")

    def written_from(self, first: int) -> str:
        """The text from a token to the one before this place."""
        return self._text[self._places[first][0] : self._places[self.at - 1][1]]

    def refuse(self, expected: str) -> NoReturn:
        """Raises SparqlSyntaxError for what stands here, which the exception shows itself."""
        self.fail(f"Expected {expected}{self._hint()}")

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        """Raises SparqlSyntaxError with this place, or that of another token."""
        raise SparqlSyntaxError(self._text, self._places[self.at if at is None else at][0], reason)

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        return places(self._text)

    def _hint(self) -> str:
        """What is easily overlooked here."""
        if self.kind == WRONG and self.written in "\"'":
            return "; a text that begins here has no end, or a wrong escape"
        if self.kind == "iri" and _COMPARED.search(self.written):
            return "; an operator < has a space behind it, as this is an IRI"
        return ""
