"""Sources in shares, each read by one process: pieces of files, and texts that are at hand.

Plain files are cut where they lie (`rdfinc.terms.io.pieces`). What comes from memory, from a stream
or packed is read here, and cut at the same places.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import BinaryIO, cast

import pyoxigraph as ox
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.terms.io.compression import DAMAGE, Blocks, is_compressed
from rdfinc.terms.io.formats import LINE_FORMATS
from rdfinc.terms.io.lines import line_blocks
from rdfinc.terms.io.pieces import Piece, is_cut, line_ends, lines_between, pieces
from rdfinc.terms.io.reading import damaged, syntax_of_source
from rdfinc.terms.io.sources import LocalFile, Readable, Source, source_of
from rdfinc.terms.io.turtle_cuts import cuts
from rdfinc.terms.term_thresholds import TERMS


class HeldText(Struct, frozen=True):
    """A part of a source that is at hand, between `opening` and `closing` as in a `Piece`.

    `name`, `base` and `repeatable` are those of the source; `before` is how many lines come before.
    `damage` is raised where the text ends, if it ends too early.
    """

    name: str
    media_type: str
    base: str | None
    repeatable: bool
    text: bytes
    before: int = 0
    opening: bytes = b""
    closing: bytes = b""
    damage: Exception | None = None

    @property
    def source(self) -> Source:
        """Its text, to be read."""
        return Source(self.name, None, self._opened, self.repeatable)

    def _opened(self) -> AbstractContextManager[BinaryIO]:
        whole = self.opening + self.text + self.closing
        if self.damage is None:
            return io.BytesIO(whole)
        return io.BufferedReader(Blocks(_until(whole, self.damage)))


def _until(text: bytes, damage: Exception) -> Iterator[bytes]:
    yield text
    raise damage


Share = Piece | HeldText


def size_of(share: Share | Exception) -> int:
    """The bytes of a piece of a file, as far as they are known without a look at it; 0 for what is
    none."""
    if not isinstance(share, Piece) or share.end is None:
        return 0
    return share.end - share.start


LINE_TYPES = [syntax.media_type for syntax in LINE_FORMATS]
"""The media types of the syntaxes with a statement a line."""


def uncut(share: Share | Exception, later: Iterator[Share | Exception]) -> Share | Exception:
    """A share and all that come `later` in its source, as one; itself if it is the last."""
    if isinstance(share, Piece):
        return share if share.end is None else replace(share, end=None, closing=b"")
    if isinstance(share, HeldText):
        rest = [part for part in later if isinstance(part, HeldText)]
        text = b"".join(part.text for part in (share, *rest))
        last = rest[-1] if rest else share
        return (
            replace(last, text=text, before=share.before, opening=share.opening) if rest else share
        )
    return share


class LinesBefore:
    """How many lines of a source come before its shares, which are asked about in their order."""

    def __init__(self) -> None:
        self._start = self._count = 0

    def before(self, share: Share) -> int:
        """Less the lines of the share's opening, which the source does not have. O(what comes
        between this share and the last one asked about)."""
        if isinstance(share, Piece):
            self._count += lines_between(share.file, self._start, share.start)
            self._start = share.start
            before = self._count
        else:
            before = share.before
        return before - line_ends(share.opening)


def shares(
    readable: Readable, *, format: str | None, base: str | None, lenient: bool, unpack: bool
) -> Iterator[Share]:
    """The shares of a source, in order; a packed file is one unless it is to be unpacked here.

    `format` and `base` are as in `read`, and so is what is raised. Memory: that of a share, or of
    a whole stream in a syntax that is not cut.
    """
    source = source_of(readable)
    syntax = syntax_of_source(source, format)
    size = TERMS.line_share_bytes if syntax in LINE_FORMATS else TERMS.document_share_bytes
    path = source.path
    cut = is_cut(syntax, lenient=lenient)
    if path is None or (cut and unpack and is_compressed(path)):
        base = source.base if base is None else base
        whole = HeldText(source.name, syntax.media_type, base, source.repeatable, b"")
        yield from _held(source, whole, size, cut=cut, lenient=lenient)
    else:
        yield from pieces(
            LocalFile(path), size, format=syntax.media_type, base=base, lenient=lenient
        )


def _held(
    source: Source, whole: HeldText, size: int, *, cut: bool, lenient: bool
) -> Iterator[HeldText]:
    """The shares of a source that is read here; all in one if it is not `cut`."""
    try:
        with source.open() as stream:
            if not cut:
                yield replace(whole, text=stream.read())
            elif whole.media_type in LINE_TYPES:
                yield from _by_lines(whole, stream, size)
            else:
                yield from _by_statements(whole, stream, size, lenient)
    except DAMAGE as error:
        raise damaged(source, error) from error


def _by_lines(whole: HeldText, stream: BinaryIO, size: int) -> Iterator[HeldText]:
    blocks: list[bytes] = []
    before, length, damage = 0, 0, None
    try:
        for block in line_blocks(stream, whole.name):
            blocks.append(block)
            length += len(block)
            if length >= size:
                share = replace(whole, text=b"".join(blocks), before=before)
                yield share
                before += line_ends(share.text)
                blocks, length = [], 0
    except DAMAGE as error:
        damage = error
    yield replace(whole, text=b"".join(blocks), before=before, damage=damage)


def _by_statements(
    whole: HeldText, stream: BinaryIO, size: int, lenient: bool
) -> Iterator[HeldText]:
    kept, last, damage = _Kept(stream), whole, None
    trig = whole.media_type == ox.RdfFormat.TRIG.media_type
    try:
        for cut in cuts(cast(BinaryIO, kept), size, trig=trig, base=whole.base, lenient=lenient):
            share = replace(last, text=kept.take(cut.offset), closing=cut.closing)
            yield share
            before = share.before + line_ends(share.text)
            last = replace(whole, before=before, opening=cut.opening)
        while kept.read(TERMS.cut_block_bytes):
            pass
    except DAMAGE as error:
        damage = error
    yield replace(last, text=bytes(kept.text), damage=damage)


class _Kept:
    """A stream, and the `text` that was read of it from the place `_start` on."""

    def __init__(self, stream: BinaryIO) -> None:
        self._read = getattr(stream, "read1", stream.read)  # which gives all before damage
        self._start, self.text = 0, bytearray()

    def read(self, size: int) -> bytes:
        block: bytes = self._read(size)
        self.text += block
        return block

    def take(self, end: int) -> bytes:
        """The text up to a place, which is not kept any longer."""
        taken = bytes(self.text[: end - self._start])
        del self.text[: end - self._start]
        self._start = end
        return taken
