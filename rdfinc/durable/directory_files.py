"""The files of one directory: the only place where durable knowledge bases touch the disk.

What is written is on disk after `sync` of its file, what is named or removed after `sync_names`.
Tests put another implementation in its place that loses whatever was not synced.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from rdfinc.durable.durable_thresholds import DURABLE

if sys.platform == "darwin":
    from fcntl import F_FULLFSYNC, fcntl

    def _sync(handle: int) -> None:
        fcntl(handle, F_FULLFSYNC)
else:
    _sync = os.fsync


def _locked_write() -> Callable[[int, bytes, int], int]:
    """The system's `write` with the interpreter locked; -1 for an error, or where it is not found.

    `os.write` unlocks the interpreter for a microsecond. Another thread that waits for it is woken,
    comes too late and waits on, at each write: 7 µs.
    """
    try:
        write = ctypes.PyDLL(None).write
    except (TypeError, AttributeError, OSError):
        return lambda handle, content, size: -1
    write.argtypes, write.restype = (
        (ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t),
        ctypes.c_ssize_t,
    )
    return write


write_locked = _locked_write()


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
        written = 0
        if isinstance(content, bytes) and len(content) <= DURABLE.small_write_bytes:
            written = max(write_locked(self._handle, content, len(content)), 0)
            if written == len(content):
                return
        left = memoryview(content).cast("B")[written:]
        while left:
            left = left[os.write(self._handle, left) :]

    def sync(self) -> None:
        _sync(self._handle)

    def close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)
