"""Files in pieces that can be read independently of each other.

All pieces together state what the file states, with the same blank nodes: N-Triples and N-Quads are
cut at ends of the blocks in which they are read (`rdfinc.terms.io.lines`), Turtle and TriG at ends
of statements that end a line (`rdfinc.terms.io.turtle_cuts`). A compressed file is one piece, and
so is a file of another syntax.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import PurePath
from typing import BinaryIO

import pyoxigraph as ox
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.errors import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.blanks import GENERATED, PieceScope
from rdfinc.terms.io.compression import is_compressed
from rdfinc.terms.io.formats import LINE_FORMATS, format_named
from rdfinc.terms.io.parsing import Reading
from rdfinc.terms.io.problems import Problem, Problems
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.reading import contents
from rdfinc.terms.io.sniffing import syntax_told
from rdfinc.terms.io.sources import Source, StoredFile
from rdfinc.terms.io.turtle_cuts import cuts
from rdfinc.terms.term_thresholds import TERMS

_CUTTABLE = (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG)
_LOOKS_GENERATED = re.compile(GENERATED)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_cut(syntax: ox.RdfFormat, *, lenient: bool) -> bool:
    """Whether text in a syntax can be cut. TriG that is read leniently is one piece, because its
    reading ends at the first problem."""
    return syntax in LINE_FORMATS or (
        syntax in _CUTTABLE and not (lenient and syntax == ox.RdfFormat.TRIG)
    )


class Piece(Struct, frozen=True):
    """The bytes of a file from `start` to `end` (None: all the rest), between `opening` and
    `closing`. `opening` brings a parser into the state in which the text before the piece would
    leave it.

    `media_type` is that of the syntax; `base` is the file's own.
    """

    file: StoredFile
    media_type: str
    base: str
    start: int = 0
    end: int | None = None
    opening: bytes = b""
    closing: bytes = b""

    @property
    def whole(self) -> bool:
        return self.start == 0 and self.end is None

    @property
    def source(self) -> Source:
        """Its text, to be read."""
        whole = self.file.source
        return whole if self.whole else replace(whole, open=lambda: _opened(self))

    @property
    def lines_before(self) -> int:
        """How many ends of lines come before it; O(start)."""
        return lines_between(self.file, 0, self.start)


def lines_between(stored: StoredFile, start: int, end: int) -> int:
    """How many ends of lines (`\\n`, `\\r\\n`, `\\r`) are between two beginnings of lines."""
    count, last = 0, b""
    with stored.open() as file:
        file.seek(start)
        while block := file.read(min(end - file.tell(), 1 << 20)):
            count += line_ends(last + block) - line_ends(last)
            last = block[-1:]
    return count


def line_ends(text: bytes) -> int:
    """How many ends of lines a text has."""
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


def pieces(
    file: StoredFile,
    size: int,
    *,
    format: str | None = None,
    base: str | None = None,
    lenient: bool = False,
) -> Iterator[Piece]:
    """The pieces of a file, of about `size` bytes each, in order.

    `format` and `base` are as in `read`. Turtle and TriG are read through, in constant memory; of
    the others only where they are cut.
    """
    syntax = syntax_told(file.source) if format is None else format_named(format)
    whole = Piece(file, syntax.media_type, base or file.uri)
    if is_compressed(PurePath(file.name)) or not is_cut(syntax, lenient=lenient):
        yield whole
    elif syntax in LINE_FORMATS:
        yield from _by_lines(whole, size)
    else:
        yield from _by_statements(whole, size, lenient)


def _by_lines(whole: Piece, size: int) -> Iterator[Piece]:
    start = 0
    with whole.file.open() as file:
        length = file.seek(0, os.SEEK_END)
        file.seek(0)
        end = _behind_mark(file)
        while end < length:
            file.seek(end + TERMS.line_block_bytes)
            file.readline()
            end = file.tell()
            if start + size <= end < length:
                yield replace(whole, start=start, end=end)
                start = end
    yield replace(whole, start=start)


def _behind_mark(file: BinaryIO) -> int:
    """The place behind a byte order mark at the beginning of a file, which is gone to."""
    return file.seek(0 if file.read(3) != _BYTE_ORDER_MARK else 3)


def _by_statements(whole: Piece, size: int, lenient: bool) -> Iterator[Piece]:
    last = whole
    trig = whole.media_type == ox.RdfFormat.TRIG.media_type
    with whole.file.open() as file:
        for cut in cuts(file, size, trig=trig, base=whole.base, lenient=lenient):
            yield replace(last, end=cut.offset, closing=cut.closing)
            last = replace(whole, start=cut.offset, opening=cut.opening)
    yield last


def read_piece(
    piece: Piece,
    dictionary: Dictionary,
    scope: bytes,
    problems: Problems,
    prefixes: dict[str, str] | None = None,
) -> Iterator[Columns]:
    """The ids of all statements of a piece, a block at a time; `scope` is the name of the file's
    blank nodes. Raises what `read` raises; places are those in the file. When all is read,
    `prefixes` has the prefixes known at the piece's end."""
    syntax = ox.RdfFormat.from_media_type(piece.media_type)
    assert syntax is not None
    source = piece.source
    names = PieceScope(scope, b"%d" % piece.start, lambda: _chosen(source))
    known = {} if prefixes is None else prefixes
    reading = Reading(source, syntax, piece.base, dictionary, names, problems, known)
    try:
        yield from contents(reading)
    except (DataSyntaxError, UnsupportedError) as error:
        raise placed(error, piece) from None


def placed(problem: Problem, piece: Piece) -> Problem:
    """The problem with its line in the file instead of the piece."""
    if not problem.line or piece.whole:
        return problem
    return moved(problem, piece.lines_before - piece.opening.count(b"\n"))


def moved(problem: Problem, lines: int) -> Problem:
    """The problem, so many lines further down."""
    if not problem.line:
        return problem
    line = problem.line + lines
    if isinstance(problem, UnsupportedError):
        return UnsupportedError(problem.construct).at(problem.text, line, 0).within(problem.file)
    return DataSyntaxError(problem.file, line, problem.text, problem.reason)


def _chosen(source: Source) -> set[bytes]:
    with source.open() as stream:
        return set(_LOOKS_GENERATED.findall(stream.read()))


def _opened(piece: Piece) -> AbstractContextManager[BinaryIO]:
    return io.BufferedReader(_Range(piece), 1 << 17)


class _Range(io.RawIOBase):
    """The bytes of a piece."""

    def __init__(self, piece: Piece) -> None:
        self._file = piece.file.open()
        self._file.seek(piece.start or _behind_mark(self._file))
        self._end = piece.end
        self._before, self._after = piece.opening, piece.closing

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = len(buffer)
        data, self._before = self._before[:size], self._before[size:]
        if not data:
            data = self._file.read(size if self._end is None else self._left(size))
        if not data:
            data, self._after = self._after[:size], self._after[size:]
        buffer[: len(data)] = data
        return len(data)

    def _left(self, size: int) -> int:
        assert self._end is not None
        return min(size, self._end - self._file.tell())

    def close(self) -> None:
        self._file.close()
        super().close()
