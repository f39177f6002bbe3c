"""Places in file systems that URIs name: `s3`, `gs`, `abfs` and `hdfs`, by Arrow.

The options of a file system stand in the query (`s3://bucket/data?region=eu-west-1`), credentials
in the environment, where the libraries of its maker look for them.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import BinaryIO, cast
from urllib.parse import quote, unquote

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Struct
from msgspec.structs import replace
from pyarrow import fs

from rdfinc.errors import StorageError

SCHEMES = "file", "s3", "gs", "abfs", "abfss", "hdfs"

_URI = re.compile(r"([A-Za-z][\w+.-]+)://([^/?]*)/?([^?]*)(\?.*)?", re.DOTALL)
_AHEAD = 1 << 22
"""Bytes that are asked for at a time: an answer takes as long as a few megabytes."""

_ADVICE = {
    "NO_SUCH_BUCKET": "there is no such bucket; make it, or is the endpoint another one "
    "(`?endpoint_override=…`, AWS_ENDPOINT_URL)?",
    "ACCESS_DENIED": "access is denied; are the credentials in the environment (AWS_ACCESS_KEY_ID, "
    "AWS_SECRET_ACCESS_KEY), of the driver and of all workers, and may they do this?",
    "NETWORK_CONNECTION": "no server answers; is the endpoint right (`?endpoint_override=…`, "
    "AWS_ENDPOINT_URL), and the region (`?region=…`)?",
}
_ADVICE |= dict.fromkeys(
    ("INVALID_ACCESS_KEY", "SIGNATURE_DOES_NOT_MATCH", "No credentials"), _ADVICE["ACCESS_DENIED"]
)


class RemotePath(Struct, frozen=True):
    """A file or folder: the `start` of its URI (`s3://bucket`), the `names` below, the `query`."""

    start: str
    names: str
    query: str = ""

    @classmethod
    def of(cls, uri: str) -> RemotePath:
        """Raises StorageError for a scheme that is not known."""
        found = _URI.fullmatch(uri)
        assert found is not None, uri
        scheme, authority, names, query = found.groups(default="")
        if scheme.lower() not in SCHEMES:
            known = ", ".join(SCHEMES)
            raise StorageError(
                uri, f"{scheme!r} is no file system that is known; there are {known}"
            )
        return cls(f"{scheme.lower()}://{authority}", unquote(names).rstrip("/"), query)

    def __str__(self) -> str:
        return f"{self.start}/{quote(self.names)}".rstrip("/")

    def __truediv__(self, name: str) -> RemotePath:
        return replace(self, names=f"{self.names}/{name}" if self.names else name)

    @property
    def uri(self) -> str:
        """All that tells it from others."""
        return f"{self}{self.query}"

    @property
    def name(self) -> str:
        return self.names.rpartition("/")[2]

    @property
    def parent(self) -> RemotePath:
        return replace(self, names=self.names.rpartition("/")[0])

    @property
    def system(self) -> fs.FileSystem:
        return self._system[0]

    @property
    def place(self) -> str:
        """What its file system calls it."""
        return f"{self._system[1].rstrip('/')}/{self.names}"

    @property
    def _system(self) -> tuple[fs.FileSystem, str]:
        return _system(self.start, self.query)

    def size(self) -> int | None:
        """The bytes of a file; None for what is none."""
        with telling(self):
            found = self.system.get_file_info(self.place)
        return found.size if found.type == fs.FileType.File else None

    def files(self) -> Iterator[tuple[RemotePath, int]]:
        """The files in a folder and in those below, with their sizes, in the order of names."""
        found = list[fs.FileInfo]()
        with suppress(FileNotFoundError), telling(self):
            found = self.system.get_file_info(fs.FileSelector(self.place, recursive=True))
        start = self._system[1].rstrip("/") + "/"
        for each in sorted(found, key=lambda info: cast(str, info.path)):
            if each.type == fs.FileType.File:
                yield replace(self, names=each.path.removeprefix(start)), each.size

    def delete(self) -> None:
        """Removes a file, if it is there."""
        with suppress(FileNotFoundError), telling(self):
            self.system.delete_file(self.place)

    def open(self) -> BinaryIO:
        with telling(self):
            return io.BufferedReader(_Bytes(self), _AHEAD)

    def parquet(self, size: int) -> pq.ParquetFile:
        """A file of so many bytes, all of which are asked for at once if they are few."""
        with telling(self):
            file = self.system.open_input_file(self.place)
            if size <= _AHEAD:
                return pq.ParquetFile(pa.BufferReader(file.read_at(size, 0)))
            return pq.ParquetFile(file, pre_buffer=True)

    def read(self) -> bytes:
        """Raises FileNotFoundError."""
        with telling(self), self.system.open_input_stream(self.place, compression=None) as file:
            return cast(bytes, file.read())

    def write(self, data: bytes | pa.Buffer) -> None:
        """Makes or replaces a file, which appears as a whole."""
        with telling(self), self.system.open_output_stream(self.place, compression=None) as file:
            file.write(data)

    def send(self, file: BinaryIO) -> None:
        """Makes or replaces a file, which appears as a whole, of all that another one holds."""
        file.seek(0)
        with telling(self):
            stream = self.system.open_output_stream(self.place, compression=None)
            while block := file.read(_AHEAD):
                stream.write(block)
            stream.close()


class _Bytes(io.RawIOBase):
    """The bytes of a file; one may go beyond its end, as in a file of this machine."""

    def __init__(self, path: RemotePath) -> None:
        self._path, self._at = path, 0
        self._file = path.system.open_input_file(path.place)
        self._size: int = self._file.size()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        start = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._size}[whence]
        self._at = start + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = max(0, min(len(buffer), self._size - self._at))
        with telling(self._path):
            data = self._file.read_at(count, self._at) if count else b""
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def is_uri(text: str) -> bool:
    return _URI.fullmatch(text) is not None


@lru_cache
def _system(start: str, query: str) -> tuple[fs.FileSystem, str]:
    try:
        system, place = fs.FileSystem.from_uri(f"{start}/{query}")
    except (OSError, pa.ArrowException) as error:
        raise StorageError(start, f"this file system cannot be used: {error}") from error
    return system, place


@contextmanager
def telling(path: RemotePath) -> Iterator[None]:
    """What a file system raises is a StorageError that names the URI; a file that is not there is a
    FileNotFoundError still."""
    try:
        yield
    except (FileNotFoundError, StorageError):
        raise
    except (OSError, pa.ArrowException) as error:
        told = str(error)
        advice = next((advice for mark, advice in _ADVICE.items() if mark in told), "")
        raise StorageError(str(path), f"{advice} ({told})" if advice else told) from error
