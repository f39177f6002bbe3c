"""Where RDF comes from: a file, bytes, or an open stream; opened as one kind of thing."""

from __future__ import annotations

import glob
import io
import os
import reprlib
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import chain, islice
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO, Protocol, cast

from msgspec import Struct

from rdfinc.errors import DataSyntaxError
from rdfinc.terms.io.compression import DAMAGE, is_compressed, mark_of, unpacked

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Source(Struct, frozen=True):
    """Something to read: its `name` for messages, its `path` if it is a file of this machine, its
    `uri` if it is one of another.

    `repeatable`: `open` gives the contents again each time.
    """

    name: str
    path: Path | None
    open: Callable[[], AbstractContextManager[BinaryIO]]
    repeatable: bool = True
    uri: str | None = None

    @property
    def base(self) -> str | None:
        """What a file's relative IRIs are relative to."""
        return self.uri if self.path is None else self.path.resolve().as_uri()

    def line(self, number: int | None) -> str:
        """Line `number` (1-based), for messages; empty where it cannot be had again."""
        if number is None or not self.repeatable:
            return ""
        try:
            with self.open() as stream:
                lines = chain.from_iterable(map(bytes.splitlines, stream))
                return next(islice(lines, number - 1, number), b"").decode(errors="replace")
        except DAMAGE:
            return ""


Readable = str | os.PathLike[str] | bytes | IO[Any] | Source
"""A path (also as `str`), the data themselves (`bytes`), an open stream, or a source."""


def source_of(readable: Readable) -> Source:
    """The source that `readable` denotes. A stream that a caller opened stays open."""
    if isinstance(readable, Source):
        return readable
    if isinstance(readable, bytes | bytearray):
        data = bytes(readable).removeprefix(_BYTE_ORDER_MARK)
        return Source("<data>", None, lambda: io.BytesIO(data))
    if isinstance(readable, str | os.PathLike):
        path = Path(readable)
        return Source(str(path), path, lambda: _opened(path))
    name = getattr(readable, "name", None)
    shown = name if isinstance(name, str) else "<stream>"
    return Source(shown, None, lambda: nullcontext(_binary(readable, shown)), repeatable=False)


class StoredFile(Protocol):
    """A file of this machine or another, whose bytes can be read from any place on, `size` in all.
    `name` is what messages call it; relative IRIs in it are relative to its `uri`."""

    @property
    def name(self) -> str: ...

    @property
    def uri(self) -> str: ...

    @property
    def size(self) -> int: ...

    @property
    def source(self) -> Source:
        """Its contents, to be read from their beginning."""

    def open(self) -> BinaryIO:
        """Its bytes as they are stored."""


class LocalFile(Struct, frozen=True):
    """A file of this machine."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def uri(self) -> str:
        return self.path.resolve().as_uri()

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @property
    def source(self) -> Source:
        return source_of(self.path)

    def open(self) -> BinaryIO:
        """Its bytes. Raises DataSyntaxError for what is no file."""
        require_file(self.path)
        return self.path.open("rb")


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """The contents of a file. Raises DataSyntaxError for what is no file."""
    with LocalFile(path).open() as file:
        yield plain(file, path)


def plain(file: BinaryIO, path: PurePath) -> BinaryIO:
    """The contents of an open file that is called so, decompressed, without a byte order mark."""
    stream = unpacked(file, path) if is_compressed(path) else file
    if cast(Any, stream).peek(3)[:3] == _BYTE_ORDER_MARK:
        stream.read(3)
    return stream


def require_file(path: Path) -> None:
    """Raises DataSyntaxError for a device, a pipe or a socket: what it holds may never end."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        why = "is no file but a device, pipe or socket, which may have no end; if you mean it, "
        raise DataSyntaxError(str(path), None, "", f"{why}open it and load the open stream")


def _binary(stream: IO[Any], name: str) -> BinaryIO:
    """`stream` if it has binary `read` and `readline`, otherwise its contents in memory. A
    compressed file that was opened as a plain one is unpacked."""
    path = Path(name)
    if is_compressed(path) and _starts(stream, mark_of(path)):
        return unpacked(cast(BinaryIO, stream), path)
    start = stream.read(0)
    if isinstance(start, bytes) and hasattr(stream, "readline"):
        return cast(BinaryIO, stream)
    content = stream.read()
    return io.BytesIO(content.encode() if isinstance(content, str) else content)


def _starts(stream: IO[Any], mark: bytes) -> bool:
    """Whether a stream that can be looked ahead in goes on with some bytes."""
    peek = getattr(stream, "peek", None)
    return peek is not None and bytes(peek(len(mark))).startswith(mark)


def expand(patterns: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The files that paths and glob patterns (`data/**/*.nt.gz`) name, each pattern's sorted.

    An existing path is taken as it is, whatever its characters; a file named twice is read once.
    Raises FileNotFoundError naming the pattern that matches no file.
    """
    found: dict[Path, None] = {}
    for pattern in patterns:
        found.update(dict.fromkeys(_matches(os.fspath(pattern))))
    return list(found)


_OF_TEXT = "\n", "> ", " ."
"""What a document has, and no name of a file that anybody would give."""


_LONGEST_PATTERN = 1 << 12
"""Characters of a pattern, as many as Linux takes for a path. To glob takes a level of recursion
and a copy for each `/` in it: a large document would take all memory."""


def _matches(pattern: str) -> list[Path]:
    if os.path.exists(pattern):
        return [Path(pattern)]
    is_name = len(pattern) <= _LONGEST_PATTERN
    matches = [*map(Path, sorted(glob.glob(pattern, recursive=True)))] if is_name else []
    if not matches:
        if any(mark in pattern for mark in _OF_TEXT):
            raise FileNotFoundError(
                f"no file is called {reprlib.repr(pattern)}; text is read from bytes:"
                " text.encode(), with its format"
            )
        kind = "no file matches" if glob.has_magic(pattern) else "there is no file"
        raise FileNotFoundError(f"{kind} {pattern!r} (looked from {os.getcwd()})")
    return [match for match in matches if match.is_file()]
