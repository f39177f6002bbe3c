"""What is wrong in a text in SPARQL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rdfinc.terms.whole_imports import WHOLE

if TYPE_CHECKING:
    from pyparsing import ParseException


class SparqlSyntaxError(Exception):
    """A text that is no SPARQL from one `place` on, counted in characters from 0, and why."""

    def __init__(self, text: str, place: int, reason: str) -> None:
        super().__init__(text, place, reason)
        self.text, self.place, self.reason = text, place, reason

    def __str__(self) -> str:
        return self.reason

    def of_rdflib(self) -> ParseException:
        """The exception by which rdflib tells it; it knows line and column, and what stands
        there."""
        with WHOLE:
            from pyparsing import ParseException  # a package that takes longer than most queries

        return ParseException(self.text, self.place, self.reason)
