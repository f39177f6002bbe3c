"""Reading the syntaxes that only a whole parser can read: Turtle, TriG, N3, RDF/XML, JSON-LD.

pyoxigraph parses them. Strictly read, it also writes the statements as lines into memory, for
`StatementEncoder` to number: faster than touching each term from Python, and safe because strict
parsing has validated every term. Leniently parsed terms may hold anything (line ends, brackets), so
they are encoded one at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

import pyoxigraph as ox

from rdfinc.errors import UnsupportedError
from rdfinc.terms.io.ntriples import StatementEncoder
from rdfinc.terms.io.parsing import Reading, recovering, supported
from rdfinc.terms.io.quads import Columns, QuadEncoder
from rdfinc.terms.term_thresholds import TERMS

_WITH_GRAPHS = (ox.RdfFormat.TRIG, ox.RdfFormat.JSON_LD, ox.RdfFormat.N3)
_ENDS_AT_ERROR = (ox.RdfFormat.TRIG, ox.RdfFormat.N3)


def parser_of(reading: Reading, stream: BinaryIO) -> ox.QuadParser:
    """The parser that will read `stream`; a file's relative IRIs are relative to its own URL."""
    path = reading.source.path
    base = path.resolve().as_uri() if reading.base is None and path else reading.base
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
    try:
        while text := ox.serialize(islice(parser, TERMS.document_block), format=lines):
            yield text
    except SyntaxError as error:
        _report(reading, error)


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
