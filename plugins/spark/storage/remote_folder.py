"""A folder in a file system that a URI names, such as S3, which need not know how to rename: tasks
read and write its data frames through Arrow."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, ClassVar

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from msgspec import Struct, field
from pyspark.sql import DataFrame, SparkSession

from rdfinc.errors import StorageError
from rdfinc.plugins.spark.storage.frame_tasks import Written, read_frame, write_parts, write_whole
from rdfinc.plugins.spark.storage.remote_paths import RemotePath, telling

LISTING = "files.json"
"""The file that names the files of data frames, with their bytes. It is written last."""

UNFINISHED = ".unfinished"
"""The file that is there while others are made."""

_AT_ONCE = 16
"""Files that are asked for at a time: an answer takes long, and little work."""


class RemoteFolder(Struct):
    """A folder of which those files of data frames count that it names in `sizes`: what tasks that
    failed, or were run twice, have left there is named by nobody."""

    path: RemotePath
    sizes: dict[str, int] = field(default_factory=dict)

    is_selective: ClassVar[bool] = False
    """Whether of a data frame only files and columns that are asked for are read."""

    @classmethod
    def at(cls, path: RemotePath) -> RemoteFolder:
        """The folder with what its listing names, if it has one."""
        try:
            return cls(path, json.loads((path / LISTING).read()))
        except FileNotFoundError:
            return cls(path)

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def uri(self) -> str:
        return self.path.uri

    def beside(self, name: str) -> RemoteFolder:
        """A folder in the same one."""
        return RemoteFolder.at(self.path.parent / name)

    def exists(self) -> bool:
        """Whether there is anything but what a run has left that ended too early."""
        if (self.path / LISTING).size() is not None:
            return True
        found = {path for path, _ in self.path.files()}
        return bool(found) and self.path / UNFINISHED not in found

    def has(self, name: str) -> bool:
        """Whether there is a file or a data frame."""
        return bool(self.files(name)) or (self.path / name).size() is not None

    @contextmanager
    def making(self) -> Iterator[RemoteFolder]:
        """This folder, which exists when the block ends well, and is empty if not."""
        made = RemoteFolder(self.path)
        made.clear()
        (self.path / UNFINISHED).write(b"")
        try:
            yield made
            made.settle()
        except BaseException:
            with suppress(StorageError):
                made.clear()
            raise
        (self.path / UNFINISHED).delete()

    def begin(self) -> None:
        """Empties it."""
        self.clear()

    def clear(self) -> None:
        """Removes all files, first the one that makes the others count."""
        last = self.path / UNFINISHED
        found = [path for path, _ in self.path.files() if path != last]
        self.sizes.clear()
        if self.path / LISTING in found:
            (self.path / LISTING).delete()
        _each(RemotePath.delete, found)
        last.delete()

    def settle(self) -> None:
        """Makes what there is count for others, too."""
        (self.path / LISTING).write(json.dumps(self.sizes).encode())

    # -- files

    def open(self, file: str) -> BinaryIO:
        return (self.path / file).open()

    @contextmanager
    def opened(self, file: str) -> Iterator[BinaryIO]:
        """A file to be written, which is sent when it is complete."""
        with tempfile.TemporaryFile() as made:
            yield made
            (self.path / file).send(made)

    def remove(self, name: str) -> None:
        """Removes a file or a data frame, if it is there; its files do not count any more."""
        for file in (name, *self.files(name)):
            self.sizes.pop(file, None)
        inner = [path for path, _ in (self.path / name).files()]
        _each(RemotePath.delete, inner or [self.path / name])

    def take(self, other: RemoteFolder, name: str) -> None:
        """Takes a data frame of another folder over."""
        files = other.files(name)
        _each(lambda file: _copy(other.path / file, self.path / file), files)
        self.sizes.update((file, other.sizes[file]) for file in files)

    # -- data frames in Parquet

    def files(self, name: str) -> list[str]:
        """The files of a data frame, those of its parts as well, in order."""
        return sorted(file for file in self.sizes if file.startswith(f"{name}/"))

    def count_in(self, files: Iterable[str]) -> None:
        """Says which files tasks have written: these count."""
        asked = [*files]
        sizes = _each(lambda file: (self.path / file).size(), asked)
        self.sizes.update((file, size or 0) for file, size in zip(asked, sizes, strict=True))

    def parquet(self, file: str) -> pq.ParquetFile:
        return (self.path / file).parquet(self.sizes[file])

    def put(self, file: str, table: pa.Table) -> None:
        """Adds a file to a data frame."""
        with self.opened(file) as stream:
            pq.write_table(table, stream)
            self.sizes[file] = stream.tell()

    def dataset(self, name: str, schema: pa.Schema, partitioning: Any = None) -> ds.Dataset:
        files = self.files(name)
        if not files:
            return ds.dataset(schema.empty_table())
        return ds.dataset(
            [(self.path / file).place for file in files],
            schema,
            format="parquet",
            filesystem=self.path.system,
            partitioning=partitioning,
            partition_base_dir=(self.path / name).place,
        )

    def frame(self, spark: SparkSession, schema: str, *names: str) -> DataFrame:
        """What some data frames have, together."""
        sizes = {file: self.sizes[file] for name in names for file in self.files(name)}
        return read_frame(spark, self.path, sizes, schema)

    def save(self, name: str, frame: DataFrame) -> int:
        """Adds a data frame; returns how many rows it has."""
        return self._added(write_whole(frame, self.path, name))

    def save_by(self, name: str, frame: DataFrame, column: str) -> int:
        """Adds one in parts, a folder for each value of a column; returns how many rows it has."""
        return self._added(write_parts(frame, self.path, name, column))

    def _added(self, written: list[Written]) -> int:
        self.sizes.update((file, size) for file, size, _ in written)
        return sum(rows for _, _, rows in written)

    def rows(self, name: str) -> int:
        return sum(_each(lambda file: self.parquet(file).metadata.num_rows, self.files(name)))


def _each(function: Any, values: Iterable[Any]) -> list[Any]:
    """What a function that waits gives for each value."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(function, values))


def _copy(source: RemotePath, target: RemotePath) -> None:
    if source.start == target.start and source.query == target.query:
        with telling(target):
            source.system.copy_file(source.place, target.place)
        return
    with source.open() as file:
        target.send(file)
