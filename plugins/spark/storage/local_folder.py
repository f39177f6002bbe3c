"""A folder of this machine, or one that all machines see under one path: Spark itself reads and
writes its data frames."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, ClassVar
from urllib.parse import unquote
from uuid import uuid4

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from msgspec import Struct
from pyspark.sql import DataFrame, SparkSession

_GLOB = re.compile(r"[][{}*?\\]")
"""Characters that mean others in paths that Hadoop reads."""


class LocalFolder(Struct, frozen=True):
    """All files in it count. A file appears when it is complete, and so does the folder if it is
    made by `making`."""

    path: Path

    is_selective: ClassVar[bool] = True
    """Whether of a data frame only files and columns that are asked for are read."""

    def __str__(self) -> str:
        return str(self.path)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def uri(self) -> str:
        return self.path.resolve().as_uri()

    def beside(self, name: str) -> LocalFolder:
        """A folder in the same one."""
        return LocalFolder(self.path.absolute().with_name(name))

    def exists(self) -> bool:
        return self.path.exists()

    def has(self, name: str) -> bool:
        """Whether there is a file or a data frame."""
        return (self.path / name).exists()

    @contextmanager
    def making(self) -> Iterator[LocalFolder]:
        """What gets the name of this folder when the block ends well, and vanishes if not."""
        made = self.beside(f".{self.name}.{uuid4().hex}")
        made.path.mkdir(parents=True)
        try:
            yield made
            made.path.rename(self.path)
        finally:
            shutil.rmtree(made.path, ignore_errors=True)

    def begin(self) -> None:
        """Makes it, empty."""
        self.clear()
        self.path.mkdir(parents=True)

    def clear(self) -> None:
        """Removes it."""
        shutil.rmtree(self.path, ignore_errors=True)

    def settle(self) -> None:
        """What there is counts, as it always does here."""

    # -- files

    def open(self, file: str) -> BinaryIO:
        return (self.path / file).open("rb")

    @contextmanager
    def opened(self, file: str) -> Iterator[BinaryIO]:
        """A file to be written, which gets its name when it is complete: Spark may run a task
        twice at once."""
        place = self.path / file
        place.parent.mkdir(parents=True, exist_ok=True)
        made = place.with_name(f".{uuid4().hex}")
        with made.open("wb") as stream:
            yield stream
        os.replace(made, place)

    def remove(self, name: str) -> None:
        """Removes a file or a data frame, if it is there."""
        place = self.path / name
        if place.is_dir():
            shutil.rmtree(place, ignore_errors=True)
        else:
            place.unlink(missing_ok=True)

    def take(self, other: LocalFolder, name: str) -> None:
        """Takes a data frame of another folder over."""
        if other.has(name):
            shutil.copytree(other.path / name, self.path / name, copy_function=_linked)

    # -- data frames in Parquet

    def files(self, name: str) -> list[str]:
        """The files of a data frame, those of its parts as well, in order."""
        found = (self.path / name).rglob("*.parquet")
        return sorted(file.relative_to(self.path).as_posix() for file in found)

    def count_in(self, files: Iterable[str]) -> None:
        """Says which files tasks have written: all files count."""

    def parquet(self, file: str) -> pq.ParquetFile:
        return pq.ParquetFile(self.path / file)

    def put(self, file: str, table: pa.Table) -> None:
        """Adds a file to a data frame."""
        with self.opened(file) as stream:
            pq.write_table(table, stream)

    def dataset(self, name: str, schema: pa.Schema, partitioning: Any = None) -> ds.Dataset:
        place = self.path / name
        there = place if place.exists() else []
        return ds.dataset(there, schema, format="parquet", partitioning=partitioning)

    def frame(self, spark: SparkSession, schema: str, *names: str) -> DataFrame:
        """What some data frames have, together."""
        there = filter(self.has, names)
        urls = [_GLOB.sub(r"\\\g<0>", self._url(name)) for name in there]
        if not urls:
            return spark.createDataFrame([], schema)
        return spark.read.schema(schema).parquet(*urls)

    def save(self, name: str, frame: DataFrame) -> int:
        """Adds a data frame; returns how many rows the whole has."""
        frame.write.mode("append").parquet(self._url(name))
        return self.rows(name)

    def save_by(self, name: str, frame: DataFrame, column: str) -> int:
        """Adds one in parts, a folder for each value of a column; the rest is as in `save`."""
        frame.write.mode("append").partitionBy(column).parquet(self._url(name))
        return self.rows(name)

    def _url(self, name: str) -> str:
        """What Hadoop calls a data frame: no characters of the path are encoded."""
        return unquote((self.path.absolute() / name).as_uri())

    def rows(self, name: str) -> int:
        return sum(self.parquet(file).metadata.num_rows for file in self.files(name))


def _linked(source: str, target: str) -> None:
    """Links files that never change, or copies them where links are impossible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
