"""The files of one directory: the only place where durable knowledge bases touch the disk.

What is written is on disk after `sync` of its file, what is named or removed after `sync_names`.
Tests put another implementation in its place that loses whatever was not synced.
"""

from __future__ import annotations

import mmap
import os
import sys
from pathlib import Path
from typing import Protocol

if sys.platform == "darwin":
    from fcntl import F_FULLFSYNC, fcntl

    def _sync(handle: int) -> None:
        fcntl(handle, F_FULLFSYNC)
else:
    _sync = os.fsync


class GrowingFile(Protocol):
    """A file that is written at its end."""

    def append(self, content: bytes | memoryview) -> None: ...
    def sync(self) -> None: ...
    def close(self) -> None: ...


class Files(Protocol):
    """The files of a directory, by name. All methods raise OSError."""

    def names(self) -> list[str]: ...
    def read(self, name: str, start: int = 0) -> bytes:
        """The bytes of a file from `start` on. Raises FileNotFoundError."""

    def mapped(self, name: str) -> memoryview:
        """The bytes of a file, which come from disk when they are first looked at. Who writes to
        them changes a copy of his own."""

    def create(self, name: str) -> GrowingFile:
        """A new, empty file. Raises FileExistsError."""

    def extend(self, name: str, size: int) -> GrowingFile:
        """A file, cut to its first `size` bytes, to be written on."""

    def replace(self, old: str, new: str) -> None:
        """Gives a file a new name, and what had that name goes, all at once."""

    def remove(self, name: str) -> None: ...
    def sync_names(self) -> None: ...


class Directory:
    """The files of a directory of the operating system."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def names(self) -> list[str]:
        return sorted(os.listdir(self.path))

    def read(self, name: str, start: int = 0) -> bytes:
        with (self.path / name).open("rb") as stream:
            stream.seek(start)
            return stream.read()

    def mapped(self, name: str) -> memoryview:
        with (self.path / name).open("rb") as stream:
            if not os.fstat(stream.fileno()).st_size:
                return memoryview(b"")
            return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_COPY))

    def create(self, name: str) -> GrowingFile:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        return _Growing(os.open(self.path / name, flags, 0o666))

    def extend(self, name: str, size: int) -> GrowingFile:
        handle = os.open(self.path / name, os.O_WRONLY)
        os.ftruncate(handle, size)
        os.lseek(handle, size, os.SEEK_SET)
        return _Growing(handle)

    def replace(self, old: str, new: str) -> None:
        os.replace(self.path / old, self.path / new)

    def remove(self, name: str) -> None:
        os.remove(self.path / name)

    def sync_names(self) -> None:
        handle = os.open(self.path, os.O_RDONLY)
        try:
            _sync(handle)
        finally:
            os.close(handle)


class _Growing:
    """A file that is written on. Closed again it does nothing: its number may be another's then."""

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def append(self, content: bytes | memoryview) -> None:
        written = os.write(self._handle, content)
        size = len(content) if isinstance(content, bytes) else content.nbytes
        while written < size:
            written += os.write(self._handle, memoryview(content).cast("B")[written:])

    def sync(self) -> None:
        _sync(self._handle)

    def close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
