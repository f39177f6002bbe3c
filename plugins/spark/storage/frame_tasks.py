"""Data frames in files that Spark itself cannot reach: tasks read and write Parquet by Arrow.

Every attempt of a task writes files of its own and says what they are called. The driver hears of
those of one attempt of each task, and names them: only these count.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from rdfinc.plugins.spark.arrow_columns import mapped
from rdfinc.plugins.spark.storage.remote_paths import RemotePath, telling

_BATCH = 1 << 16
_BYTES = 1 << 25
"""Bytes of files that one task reads, if there are several."""

_PART = re.compile(r"/([^/=]+)=(\d+)/[^/]*$")
"""The column and the number in the name of a file that has one value in a column."""

Written = tuple[str, int, int]
"""A file, its bytes and its rows."""


def write_whole(frame: DataFrame, folder: RemotePath, name: str) -> list[Written]:
    """Writes a data frame, in one file for each of its partitions, and one at least."""
    empty = to_arrow_schema(frame.schema).empty_table()

    def apply(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        tables = (pa.Table.from_batches([batch]) for batch in batches if batch.num_rows)
        first = next(tables, None)
        if first is not None:
            yield _told(_sent(folder, name, _chain(first, tables)))

    return _written(frame, apply) or [_sent(folder, name, iter([empty]))]


def write_parts(frame: DataFrame, folder: RemotePath, name: str, column: str) -> list[Written]:
    """Writes a data frame in files that have one value each in a column, in whose order the rows of
    a partition had better be."""

    def apply(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for value, tables in _runs(batches, column):
            yield _told(_sent(folder, f"{name}/{column}={value}", tables))

    return _written(frame, apply)


def _written(
    frame: DataFrame, task: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]
) -> list[Written]:
    found = mapped(frame, task, "file STRING, bytes BIGINT, rows BIGINT").collect()
    return [(row.file, row.bytes, row.rows) for row in found]


def _chain(first: pa.Table, rest: Iterator[pa.Table]) -> Iterator[pa.Table]:
    yield first
    yield from rest


def _runs(
    batches: Iterator[pa.RecordBatch], column: str
) -> Iterator[tuple[int, Iterator[pa.Table]]]:
    """The rows that follow each other with one value in a column, without that."""
    pieces = _pieces(batches, column)
    waiting = next(pieces, None)

    def run(value: int) -> Iterator[pa.Table]:
        nonlocal waiting
        while waiting is not None and waiting[0] == value:
            yield waiting[1]
            waiting = next(pieces, None)

    while waiting is not None:
        yield waiting[0], run(waiting[0])


def _pieces(batches: Iterator[pa.RecordBatch], column: str) -> Iterator[tuple[int, pa.Table]]:
    for batch in batches:
        values = batch.column(column).to_numpy(zero_copy_only=False)
        table = pa.Table.from_batches([batch]).drop_columns(column)
        cuts = [0, *(np.flatnonzero(np.diff(values)) + 1).tolist(), len(values)]
        for start, stop in pairwise(cuts):
            if stop > start:
                yield int(values[start]), table.slice(start, stop - start)


def _sent(folder: RemotePath, name: str, tables: Iterator[pa.Table]) -> Written:
    """Writes tables as one file."""
    file, rows, first = f"{name}/{uuid4().hex}.parquet", 0, next(tables)
    with tempfile.TemporaryFile() as made:
        with pq.ParquetWriter(made, first.schema) as writer:
            for table in _chain(first, tables):
                writer.write_table(table)
                rows += table.num_rows
        size = made.tell()
        (folder / file).send(made)
    return file, size, rows


def _told(written: Written) -> pa.RecordBatch:
    file, size, rows = written
    return pa.record_batch({"file": [file], "bytes": [size], "rows": [rows]})


def read_frame(
    spark: SparkSession, folder: RemotePath, sizes: Mapping[str, int], schema: str
) -> DataFrame:
    """What files of a folder hold, of so many bytes each. A column in the name of a file is one of
    the schema, too; others that a file lacks are null. Every file is read each time: PySpark 4.3
    mixes up the filters of sources of Python that are read twice in one query."""
    if not sizes:
        return spark.createDataFrame([], schema)
    spark.dataSource.register(FolderFiles)
    options = {"folder": folder.uri, "files": json.dumps(sizes)}
    return spark.read.format(FolderFiles.name()).schema(schema).options(**options).load()


class FolderFiles(DataSource):
    """Files of Parquet, the option `files`, in a `folder` that a URI names."""

    @classmethod
    def name(cls) -> str:
        return "rdfinc-files"

    def schema(self) -> str:
        raise NotImplementedError("the schema is told")

    def reader(self, schema: StructType) -> DataSourceReader:
        folder = RemotePath.of(self.options["folder"])
        return _FilesReader(folder, json.loads(self.options["files"]), to_arrow_schema(schema))


class _FilesReader(DataSourceReader):
    def __init__(self, folder: RemotePath, sizes: dict[str, int], schema: pa.Schema) -> None:
        self.folder, self.sizes, self.schema = folder, sizes, schema

    def partitions(self) -> Sequence[InputPartition]:
        groups, room = list[list[tuple[str, int]]](), 0
        for file, size in self.sizes.items():
            if size > room:
                groups.append([])
                room = _BYTES
            groups[-1].append((file, size))
            room -= size
        return [InputPartition(group) for group in groups] or [InputPartition([])]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        for file, size in partition.value:
            path = self.folder / file
            with telling(path):
                for batch in path.parquet(size).iter_batches(_BATCH):
                    yield self._as_asked(batch, _PART.search(file))

    def _as_asked(self, batch: pa.RecordBatch, part: re.Match[str] | None) -> pa.RecordBatch:
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        if part is not None:
            columns[part[1]] = pa.repeat(int(part[2]), batch.num_rows)
        arrays = [
            columns[each.name].cast(each.type)
            if each.name in columns
            else pa.nulls(batch.num_rows, each.type)
            for each in self.schema
        ]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)
