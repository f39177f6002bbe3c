"""A place among the tokens of a text: what stands there, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NoReturn

from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.syntax.hints import Unexpected, hint
from rdfinc.plugins.sparql.syntax.prologue import Declared
from rdfinc.plugins.sparql.syntax.sparql_error import (
    ForbiddenError,
    SparqlSyntaxError,
    UnexpectedTokenError,
)
from rdfinc.plugins.sparql.syntax.tokens import END, Check, Tokens, places
from rdfinc.plugins.sparql.syntax.trees import Pattern

_LONGEST = 40
"""Characters of a token that an error shows."""
_CALLED = {"iri": "an IRI in <…>", "integer": "a whole number", "AS": "AS ?name"}


class Cursor:
    """A place among the tokens of a text.

    `kind` and `written` are the kind of the token there and its text. `known` are the terms of
    names, variables and labels that have been read; `group` reads the group graph pattern that
    begins at the place. `takes_aggregates` tells whether an aggregate may stand there. Where there
    are `parameters`, constants of patterns become such, and the places of their tokens are noted.
    `block` is the number of the basic graph pattern that the place is in, 0 for none.
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
        self.block = self._blocks = 0
        self._block_of: dict[str, int] = {}
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
        """Passes an opening bracket. Raises SparqlSyntaxError, also if it stands in too many
        others."""
        self.expect(bracket)
        self._depth += 1
        if self._depth > QUERIES.deepest_nesting:
            most = QUERIES.deepest_nesting
            why = f"brackets are nested too deeply: at most {most} may stand in each other"
            self.forbid(why, self.at - 1)

    def leave(self, bracket: str) -> None:
        """Passes a closing bracket. Raises SparqlSyntaxError."""
        self.expect(bracket)
        self._depth -= 1

    def group(self) -> Pattern:
        """The group graph pattern that begins here."""
        return self._group(self)

    def forget(self) -> None:
        """Terms of names, and labels, that other declarations or operations may give a meaning."""
        self.known.clear()
        self._block_of.clear()

    def begin_block(self) -> None:
        """Tells that another basic graph pattern begins here."""
        self._blocks += 1
        self.block = self._blocks

    def meet_label(self) -> None:
        """Raises ForbiddenError if the label here stands in another basic graph pattern, too."""
        label = self.written
        if self.block and self._block_of.setdefault(label, self.block) != self.block:
            self.forbid(
                f"{label} stands in two basic graph patterns: name what is meant by a variable"
            )

    def end(self) -> None:
        """Raises SparqlSyntaxError if this is not the end of the text."""
        if self.kind != END:
            self.refuse("the end")

    def written_at(self, at: int) -> str:
        """A token."""
        return self._texts[at]

    def written_from(self, first: int) -> str:
        """The text from a token to the one before this place."""
        return self._text[self._places[first][0] : self._places[self.at - 1][1]]

    def first_variable(self, since: int) -> int | None:
        """The first variable among the tokens from one to this place."""
        return next((at for at in range(since, self.at) if self._kinds[at] == "variable"), None)

    def first_blank(self, since: int) -> int | None:
        """The first blank node among the tokens from one to this place; `()` is none."""
        kinds = self._kinds
        is_blank = (
            kinds[at] in ("label", "[") or (kinds[at] == "(" and kinds[at + 1] != ")")
            for at in range(since, self.at)
        )
        return next((since + n for n, found in enumerate(is_blank) if found), None)

    def first_written(self, token: str, since: int) -> int:
        """The first of some tokens from one on that is written so."""
        return self._texts.index(token, since)

    def refuse(self, expected: str) -> NoReturn:
        """Raises SparqlSyntaxError for what stands here."""
        found = "end of text" if self.kind == END else f"'{_brief(self.written)}'"
        place, _ = self._places[self.at]
        before = self._kinds[self.at - 1] if self.at else ""
        meant = hint(Unexpected(expected, self.kind, self.written, before, self.next_kind))
        raise UnexpectedTokenError(self._text, place, f"Expected {expected}", found, meant)

    def fail(self, reason: str, at: int | None = None) -> NoReturn:
        """Raises SparqlSyntaxError with this place, or that of another token."""
        raise SparqlSyntaxError(self._text, self._places[self.at if at is None else at][0], reason)

    def forbid(self, reason: str, at: int | None = None) -> NoReturn:
        """Raises ForbiddenError with this place, or that of another token."""
        raise ForbiddenError(self._text, self._places[self.at if at is None else at][0], reason)

    @cached_property
    def _places(self) -> list[tuple[int, int]]:
        return places(self._text)


def _brief(written: str) -> str:
    """A token, or how it begins."""
    first, *others = written.split("\n")
    return first if not others and len(first) <= _LONGEST else f"{first[:_LONGEST]}…"
