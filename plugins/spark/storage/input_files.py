"""Files that are read: paths, URIs and patterns -> files of this machine and of others."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

from msgspec import Struct
from msgspec.structs import replace

from rdfinc.errors import StorageError
from rdfinc.plugins.spark.storage.remote_paths import RemotePath, is_uri
from rdfinc.terms.io.sources import LocalFile, Source, StoredFile, expand, plain


class RemoteFile(Struct, frozen=True):
    """A file in a file system that a URI names, so many bytes long."""

    path: RemotePath
    size: int

    @property
    def name(self) -> str:
        return str(self.path)

    @property
    def uri(self) -> str:
        return str(self.path)

    @property
    def source(self) -> Source:
        return Source(self.name, None, self._contents, uri=self.uri)

    def open(self) -> BinaryIO:
        return self.path.open()

    @contextmanager
    def _contents(self) -> Iterator[BinaryIO]:
        with self.open() as file:
            yield plain(file, PurePosixPath(self.path.name))


def files_named(patterns: Iterable[str | os.PathLike[str]]) -> list[StoredFile]:
    """The files that paths, URIs, and glob patterns in either name, each pattern's sorted; a file
    named twice is read once.

    Raises FileNotFoundError naming what matches no file, StorageError.
    """
    found: dict[StoredFile, None] = {}
    for pattern in patterns:
        named = path_or_uri(pattern)
        if isinstance(named, RemotePath):
            found.update(dict.fromkeys(_matching(named)))
        else:
            found.update((LocalFile(path), None) for path in expand([named]))
    return [*found]


def files_within(patterns: Iterable[str | os.PathLike[str]]) -> list[StoredFile]:
    """The files named, and those in folders named, but for such as `_SUCCESS` and `.part`. Raises
    as `files_named`."""
    found: dict[StoredFile, None] = {}
    for pattern in patterns:
        named = path_or_uri(pattern)
        if isinstance(named, RemotePath):
            inner = [RemoteFile(*each) for each in named.files() if _is_data(named, each[0])]
            found.update(dict.fromkeys(inner or _matching(named)))
        else:
            inside = (file for path in expand([named]) for file in _within(path))
            found.update((LocalFile(path), None) for path in inside)
    return [*found]


def _is_data(folder: RemotePath, file: RemotePath) -> bool:
    names = file.names.removeprefix(folder.names).split("/")
    return not any(name.startswith(("_", ".")) for name in names)


def _within(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    for inner in sorted(path.rglob("*")):
        names = inner.relative_to(path).parts
        if inner.is_file() and not any(name.startswith(("_", ".")) for name in names):
            yield inner


def path_or_uri(text: str | os.PathLike[str]) -> Path | RemotePath:
    """The place that a text names; `file://` is one on this machine. Raises StorageError."""
    named = os.fspath(text)
    if not is_uri(named):
        return Path(text)
    if named[:7].lower() == "file://":
        return Path(unquote(urlsplit(named).path))
    return RemotePath.of(named)


def path_here(text: str | os.PathLike[str], what: str) -> Path:
    """The path that a text names. Raises StorageError, which says what is made here only, for other
    URIs."""
    place = path_or_uri(text)
    if isinstance(place, RemotePath):
        raise StorageError(str(place), f"{what} by paths only; name one, and copy it")
    return place


def _matching(pattern: RemotePath) -> list[RemoteFile]:
    size = pattern.size()
    if size is not None:
        return [RemoteFile(pattern, size)]
    if not glob.has_magic(pattern.names):
        raise FileNotFoundError(f"there is no file {str(pattern)!r}")
    names = pattern.names.split("/")
    first = next(place for place, name in enumerate(names) if glob.has_magic(name))
    folder = replace(pattern, names="/".join(names[:first]))
    found = [
        RemoteFile(path, size)
        for path, size in folder.files()
        if _is_named(path.names.split("/"), names)
    ]
    if not found:
        raise FileNotFoundError(f"no file matches '{pattern.start}/{pattern.names}'")
    return found


def _is_named(names: list[str], pattern: list[str]) -> bool:
    """Whether the names of folders and of a file are those of a pattern; as in `glob`, `*` is no
    hidden one, and `**` any number of folders."""
    if not pattern or not names:
        return not pattern and not names
    first, *rest = pattern
    if first != "**":
        same = fnmatchcase(names[0], first) and _is_shown(names[0], first)
        return same and _is_named(names[1:], rest)
    if _is_named(names, rest):
        return True
    return _is_shown(names[0], first) and (
        (not rest and len(names) == 1) or _is_named(names[1:], pattern)
    )


def _is_shown(name: str, pattern: str) -> bool:
    return not name.startswith(".") or pattern.startswith(".")
