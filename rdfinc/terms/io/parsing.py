"""Documents of all syntaxes -> ids by pyoxigraph's parsers: Turtle, TriG, N3, RDF/XML, JSON-LD.

Problems get their place in the source. Strictly read, a document is written as lines into memory
by pyoxigraph, for `StatementEncoder` to number: faster than touching each term from Python, and
safe because strict parsing has validated every term. Leniently parsed terms may hold anything (line
ends, brackets), so they are encoded one at a time, and reading goes on behind a problem.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from itertools import islice
from typing import BinaryIO

import pyoxigraph as ox
from msgspec import Struct, field

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.canonical_terms import reason
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.blanks import LabelScope
from rdfinc.terms.io.compression import is_compressed
from rdfinc.terms.io.ntriples import StatementEncoder
from rdfinc.terms.io.problems import Problems
from rdfinc.terms.io.quads import Columns, QuadEncoder, oxigraph_key
from rdfinc.terms.io.sources import Source
from rdfinc.terms.term_thresholds import TERMS

_HINTS = {
    "No scheme found": "; relative IRIs need base=, and a syntax that has them",
    "Invalid IRI": "; to keep IRIs that are none by the standard, load with strict=False",
    "LoadDocumentCallback": "; remote contexts are not fetched: write the context into the file",
}


class TextPosition:
    """How far a plain file has been read; of another source it is not known."""

    __slots__ = ("_stream", "_told")

    def __init__(self) -> None:
        self._stream: BinaryIO | None = None
        self._told = 0

    def begin(self, source: Source, stream: BinaryIO) -> None:
        if source.path is not None and not is_compressed(source.path):
            self._stream = stream

    def advanced(self) -> int:
        """By how many bytes, since this was last asked."""
        if self._stream is None:
            return 0
        before, self._told = self._told, self._stream.tell()
        return self._told - before


class Reading(Struct, frozen=True):
    """All that the steps of reading one source need to know of each other.

    `prefixes`: prefix -> IRI, complete when everything has been read.
    `position` is how far it has been read.
    """

    source: Source
    syntax: ox.RdfFormat
    base: str | None
    dictionary: Dictionary
    scope: LabelScope
    problems: Problems
    prefixes: dict[str, str] = field(default_factory=dict)
    position: TextPosition = field(default_factory=TextPosition)

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


_WITH_GRAPHS = (ox.RdfFormat.TRIG, ox.RdfFormat.JSON_LD, ox.RdfFormat.N3)
_ENDS_AT_ERROR = (ox.RdfFormat.TRIG, ox.RdfFormat.N3)


def parser_of(reading: Reading, stream: BinaryIO) -> ox.QuadParser:
    """The parser that will read `stream`; a file's relative IRIs are relative to its own URL."""
    base = reading.source.base if reading.base is None else reading.base
    lenient = reading.problems.lenient
    return ox.parse(stream, format=reading.syntax, base_iri=base, lenient=lenient)


def encode_document(reading: Reading, parser: ox.QuadParser) -> Iterator[Columns]:
    """The ids of all statements, a block at a time; the first problem is raised."""
    quads = reading.syntax in _WITH_GRAPHS
    lines = ox.RdfFormat.N_QUADS if quads else ox.RdfFormat.N_TRIPLES
    fast = StatementEncoder(reading.dictionary, reading.scope.parsed, quads=quads)
    careful = QuadEncoder(reading.dictionary, reading.scope.parsed)
    for text in _as_lines(reading, parser, lines):
        columns = fast.encode(text)
        yield _parsed_again(reading, careful, text, lines) if columns is None else columns


def _parsed_again(
    reading: Reading, encoder: QuadEncoder, text: bytes, lines: ox.RdfFormat
) -> Columns:
    try:
        return encoder.encode(ox.parse(text, format=lines))
    except UnsupportedError as error:
        raise reading.unsupported(error) from error
    except SyntaxError as error:  # a name that the document's parser lets pass
        line = text.split(b"\n")[(error.lineno or 1) - 1]
        raise reading.malformed(error, None, line.decode(errors="replace")) from None


def _as_lines(reading: Reading, parser: ox.QuadParser, lines: ox.RdfFormat) -> Iterator[bytes]:
    """The statements as blocks of lines, the last of which ends before the first problem."""
    problem = None
    while problem is None:
        block = io.BytesIO()
        try:
            ox.serialize(islice(parser, TERMS.document_block), block, format=lines)
        except SyntaxError as error:
            problem = error
        if text := block.getvalue():
            yield text
        elif problem is None:
            return
    _report(reading, problem)


def _report(reading: Reading, error: SyntaxError) -> None:
    line = error.lineno
    reading.problems.report(reading.malformed(error, line, reading.source.line(line)))


def encode_leniently(reading: Reading, parser: ox.QuadParser) -> Iterator[Columns]:
    """The ids of all statements that can be had, a block at a time.

    In TriG and N3 nothing behind the first problem is read: the parser would go on outside of the
    graph or formula that it was in.
    """
    encoder = QuadEncoder(reading.dictionary, reading.scope.parsed)
    if reading.syntax in _ENDS_AT_ERROR:
        quads = _until_problem(reading, parser)
    else:
        quads = recovering(parser, lambda error: _report(reading, error))
    quads = supported(reading, quads)
    while (columns := encoder.encode(islice(quads, TERMS.document_block))).size:
        yield columns


def _until_problem(reading: Reading, parser: ox.QuadParser) -> Iterator[ox.Quad]:
    try:
        yield from parser
    except SyntaxError as error:
        note = f"; the rest of this {reading.syntax.name} file was not read"
        error.args = (f"{error.args[0]}{note}", *error.args[1:])
        _report(reading, error)
