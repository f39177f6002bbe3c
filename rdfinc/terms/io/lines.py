"""Reading N-Triples and N-Quads, block by block.

`StatementEncoder` reads a block. A block that it declines is read by pyoxigraph's parser, and line
by line if there is a problem: the result is the same, only slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
import pyoxigraph as ox

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.io.nesting_depth import TermDepth
from rdfinc.terms.io.ntriples import StatementEncoder
from rdfinc.terms.io.parsing import Reading
from rdfinc.terms.io.quads import Columns, QuadEncoder
from rdfinc.terms.term_thresholds import TERMS


def encode_lines(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    """The ids of all statements of `stream`, a block at a time."""
    quads = reading.syntax.supports_datasets
    fast = StatementEncoder(reading.dictionary, reading.scope.labelled, quads=quads)
    careful = QuadEncoder(reading.dictionary, reading.scope.labelled)
    before = 0
    for text in _blocks(stream, reading.source.name):
        columns = fast.encode(text)
        if columns is None:
            columns = _encode_carefully(reading, careful, text, before)
            before += text.count(b"\n")
        else:
            before += columns.shape[1]
        yield columns


def line_blocks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """A stream, called by a name, in blocks of whole lines. Raises DataSyntaxError for one that is
    longer than `longest_line`."""
    place = 0
    while block := stream.read(TERMS.line_block_bytes):
        rest = stream.readline(TERMS.longest_line)
        if len(rest) == TERMS.longest_line:
            start = block.rfind(b"\n") + 1
            why = (
                f"the line after byte {place + start:,} is longer than {TERMS.longest_line:,} bytes"
            )
            raise DataSyntaxError(
                name, None, block[start : start + 80].decode(errors="replace"), why
            )
        place += len(block) + len(rest)
        yield block + rest


def _blocks(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """The same; every line end becomes `\\n`."""
    for text in line_blocks(stream, name):
        plain = b"\r" not in text
        yield text if plain else text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _encode_carefully(reading: Reading, encoder: QuadEncoder, text: bytes, before: int) -> Columns:
    """A block that the parser has to judge; `before` lines of the source precede it."""
    try:
        return encoder.encode(_parser(reading, text))
    except (SyntaxError, UnsupportedError):
        lines = text.split(b"\n")
        numbered = [_encode_line(reading, encoder, *line) for line in enumerate(lines, before + 1)]
        return np.concatenate(numbered, axis=1)


def _encode_line(reading: Reading, encoder: QuadEncoder, number: int, line: bytes) -> Columns:
    """The statement in a line, if there is one; a problem is reported with its place."""
    problem: DataSyntaxError | UnsupportedError
    try:
        return encoder.encode(_parser(reading, line))
    except SyntaxError as error:
        problem = reading.malformed(error, number, line.decode(errors="replace"))
    except UnsupportedError as error:
        problem = reading.unsupported(error, number)
    reading.problems.report(problem)
    return encoder.encode(())


def _parser(reading: Reading, text: bytes) -> ox.QuadParser:
    TermDepth().follow(text)
    return ox.parse(text, format=reading.syntax, lenient=reading.problems.lenient)
