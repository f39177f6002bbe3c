"""pyoxigraph's parsers as rdfinc uses them: problems with their place, and going on behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyoxigraph as ox

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.canonical_terms import reason
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.blanks import LabelScope
from rdfinc.terms.io.problems import Problems
from rdfinc.terms.io.quads import oxigraph_key
from rdfinc.terms.io.sources import Source

_HINTS = {
    "No scheme found": "; relative IRIs need base=, and a syntax that has them",
    "Invalid IRI": "; to keep IRIs that are none by the standard, load with strict=False",
    "LoadDocumentCallback": "; remote contexts are not fetched: write the context into the file",
}


@dataclass(frozen=True, slots=True)
class Reading:
    """All that the steps of reading one source need to know of each other.

    `prefixes`: prefix -> IRI, complete when everything has been read.
    """

    source: Source
    syntax: ox.RdfFormat
    base: str | None
    dictionary: Dictionary
    scope: LabelScope
    problems: Problems
    prefixes: dict[str, str] = field(default_factory=dict)

    def malformed(self, error: SyntaxError, line: int | None, text: str) -> DataSyntaxError:
        """`error`, which the parser raised, with its place in the whole source."""
        why = reason(error)
        if error.offset:
            why += f" (column {error.offset})"
        why += next((hint for part, hint in _HINTS.items() if part in why), "")
        return DataSyntaxError(self.source.name, line, text, why)

    def unsupported(self, error: UnsupportedError, line: int = 0) -> UnsupportedError:
        """`error` with its place in the whole source, whose line is 0 if it is not known."""
        return UnsupportedError(error.construct).at(error.node, line, 0).within(self.source.name)


def recovering(parser: ox.QuadParser, report: Callable[[SyntaxError], None]) -> Iterator[ox.Quad]:
    """The parser's statements; what it cannot parse is reported, then it goes on behind it.

    Ends when the parser does, or when it reports the same problem twice running.
    """
    last = None
    while True:
        try:
            yield from parser
            return
        except SyntaxError as error:
            if last == (error.args, error.lineno):
                return
            last = error.args, error.lineno
            report(error)


def supported(reading: Reading, quads: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
    """The statements that RDF 1.1 has; the others are reported."""
    for quad in quads:
        try:
            oxigraph_key(quad.object)
        except UnsupportedError as error:
            reading.problems.report(reading.unsupported(error))
        else:
            yield quad
