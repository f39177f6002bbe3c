"""Reading N-Triples and N-Quads, block by block.

A block goes through `StatementEncoder`; what that declines, pyoxigraph's parser judges: the result
is the same, only slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import pyoxigraph as ox

from rdfinc.terms.ntriples import StatementEncoder
from rdfinc.terms.parsing import Reading, recovering, supported
from rdfinc.terms.quads import Columns, QuadEncoder

_BLOCK_BYTES = 1 << 17


def encode_lines(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    """The ids of all statements of `stream`, a block at a time."""
    quads = reading.syntax.supports_datasets
    fast = StatementEncoder(reading.dictionary, reading.scope.labelled, quads=quads)
    careful = QuadEncoder(reading.dictionary, reading.scope.labelled)
    before = 0
    for text in _blocks(stream):
        columns = fast.encode(text)
        yield careful.encode(_parsed(reading, text, before)) if columns is None else columns
        before += text.count(b"\n")


def _blocks(stream: BinaryIO) -> Iterator[bytes]:
    """The stream in pieces that end where lines end; every line end becomes `\\n`."""
    while block := stream.read(_BLOCK_BYTES):
        text = block + stream.readline()
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield text


def _parsed(reading: Reading, text: bytes, before: int) -> Iterator[ox.Quad]:
    """The block's statements by the parser; `before` lines of the source precede the block."""

    def report(error: SyntaxError) -> None:
        line = error.lineno or 1
        shown = text.split(b"\n")[line - 1].decode(errors="replace")
        reading.problems.report(reading.problem(error, before + line, shown))

    lenient = reading.problems.lenient
    parser = ox.parse(text, format=reading.syntax, lenient=lenient)
    quads = recovering(parser, report)
    return supported(reading, quads) if lenient else quads
