"""Compressed files, by their last extension: .gz, .bz2, .xz and .zst."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import PurePath
from typing import Any, BinaryIO, cast

from rdfinc.errors import UnsupportedError

DAMAGE = (EOFError, zlib.error, lzma.LZMAError, OSError)
"""What reading a damaged or truncated file raises; an OSError with a number is something else."""

_MARKS = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".xz": b"\xfd7zXZ\0", ".zst": b"\x28\xb5\x2f\xfd"}
_BLOCK = 1 << 17

COMPRESSIONS = " ".join(_MARKS)


class Blocks(io.RawIOBase):
    """A stream of what blocks of bytes hold together, each asked for when it is needed."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._left:
            block = next(self._blocks, None)
            if block is None:
                return 0
            self._left = memoryview(block)
        size = min(len(buffer), len(self._left))
        buffer[:size], self._left = self._left[:size], self._left[size:]
        return size


def is_compressed(path: PurePath) -> bool:
    return path.suffix.lower() in _MARKS


def mark_of(path: PurePath) -> bytes:
    """The bytes that such a file begins with."""
    return _MARKS[path.suffix.lower()]


def unpacked(stream: BinaryIO, path: PurePath) -> BinaryIO:
    """The contents of a compressed file that is open; raises one of DAMAGE while it is read."""
    return _READERS[path.suffix.lower()](stream)


def packed(stream: BinaryIO, path: PurePath) -> BinaryIO:
    """A file to write what is compressed into one that is open; equal contents make equal bytes.
    It is complete when it is closed, which leaves the other open."""
    return _WRITERS[path.suffix.lower()](stream)


def _zstandard() -> Any:
    try:
        import zstandard
    except ModuleNotFoundError:
        raise UnsupportedError("'.zst' without zstandard; run `pip install rdfinc[zstd]`") from None
    return zstandard


def _of_zst(stream: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(Blocks(_frames(stream, _zstandard()))))


def _frames(stream: BinaryIO, zstandard: Any) -> Iterator[bytes]:
    """What a sequence of frames holds; EOFError where the last one has no end."""
    frame: Any = None
    for block in iter(partial(stream.read, _BLOCK), b""):
        rest = block
        while rest:
            frame = frame or zstandard.ZstdDecompressor().decompressobj()
            try:
                yield frame.decompress(rest)
            except zstandard.ZstdError as error:
                raise EOFError(str(error)) from None
            rest, frame = frame.unused_data, None if frame.eof else frame
    if frame is not None:
        raise EOFError("the last frame has no end")


def _to_zst(stream: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, _zstandard().ZstdCompressor().stream_writer(stream, closefd=False))


_Open = Callable[[BinaryIO], BinaryIO]
_READERS: dict[str, _Open] = {
    ".gz": lambda file: cast(BinaryIO, gzip.GzipFile(fileobj=file)),
    ".bz2": lambda file: cast(BinaryIO, bz2.BZ2File(file)),
    ".xz": lambda file: cast(BinaryIO, lzma.LZMAFile(file)),  # noqa: SIM115
    ".zst": _of_zst,
}
_WRITERS: dict[str, _Open] = {
    ".gz": lambda file: cast(BinaryIO, gzip.GzipFile("", "wb", 6, file, 0)),
    ".bz2": lambda file: cast(BinaryIO, bz2.BZ2File(file, "wb")),
    ".xz": lambda file: cast(BinaryIO, lzma.LZMAFile(file, "wb")),  # noqa: SIM115
    ".zst": _to_zst,
}
