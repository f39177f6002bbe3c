"""The tasks of a bulk load, one for each piece, as two data sources of Spark: a partition is a
piece, the option `path` the folder of the job. A piece is also a partition of a data frame."""

from __future__ import annotations

import io
import pickle
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq
import pyoxigraph as ox
from msgspec import Struct, field
from pyspark import TaskContext
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from rdfinc.errors import RdfincError
from rdfinc.knowledge_base.streams.input_facts import graphs_of
from rdfinc.plugins.spark.storage.folder_places import Folder, folder_at
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.blanks import PieceScope
from rdfinc.terms.io.compression import Blocks
from rdfinc.terms.io.parsing import Reading
from rdfinc.terms.io.pieces import Piece, placed, read_piece
from rdfinc.terms.io.problems import Problem, Problems, Skipped, told
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.reading import contents
from rdfinc.terms.io.sources import Source

OWN_BITS = 32
"""A place is a piece's number and, in as many bits, one of its own numbers for a term."""

TOLD = "number BIGINT, told BINARY"
"""The columns of what there is to tell of pieces: `PieceFindings`, pickled."""

_ROWS = 1 << 16

Read = Callable[[Dictionary, Problems, dict[str, str]], Iterator[Columns]]
"""The ids of all statements of a piece; see `read_piece`."""


class Job(Struct, frozen=True):
    """The common knowledge of tasks: the pieces of files with names for the files' blank nodes, the
    way in which all are read, the folder for results in between, and the numbers of the pieces
    that have been read."""

    parts: Sequence[tuple[Piece, bytes]]
    graph: bytes | None
    strict: bool
    folder: Folder
    read: Sequence[int] = ()

    def save(self) -> None:
        """Tells tasks, also of the files that count by now."""
        with self.folder.opened("job") as file:
            pickle.dump(self, file)

    def statements(self, number: int) -> str:
        """The file of a piece's statements in its own numbers."""
        return f"statements/{number}.npy"

    def terms(self, number: int) -> str:
        """The file of a piece's terms, with its own numbers."""
        return f"terms/{number}.parquet"

    def ids(self, number: int) -> pa.Table:
        """A piece's own numbers with the ids."""
        files = self.folder.files(f"ids/piece={number}")
        return pa.concat_tables(self.folder.parquet(file).read() for file in files)


class _Task(DataSource, DataSourceReader):
    """Something that is done to each piece of a job, and gives rows."""

    @property
    def job(self) -> Job:
        with folder_at(self.options["path"]).open("job") as file:
            job: Job = pickle.load(file)
        return job

    def reader(self, schema: StructType) -> DataSourceReader:
        return self

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return self.rows(self.job, partition.value)

    @abstractmethod
    def rows(self, job: Job, number: int) -> Iterator[pa.RecordBatch]:
        """The work on a piece."""


class PieceFindings(Struct, frozen=True):
    """The findings about a piece beside its statements, or the error that ended its reading."""

    triples: int = 0
    prefixes: Mapping[str, str] = field(default_factory=dict)
    skipped: int = 0
    problems: tuple[tuple[str, int | None, str, str], ...] = ()
    error: RdfincError | None = None


class ReadPieces(_Task):
    """Writes the statements and terms of a piece, in its own numbers; tells its findings."""

    @classmethod
    def name(cls) -> str:
        return "rdfinc-read"

    def schema(self) -> str:
        return TOLD

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(number) for number in range(len(self.job.parts))]

    def rows(self, job: Job, number: int) -> Iterator[pa.RecordBatch]:
        piece, scope = job.parts[number]

        def read(
            dictionary: Dictionary, problems: Problems, prefixes: dict[str, str]
        ) -> Iterator[Columns]:
            return read_piece(piece, dictionary, scope, problems, prefixes)

        yield _row(number, _written(job, number, read, lambda problem: placed(problem, piece)))


def read_lines(job: Job) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Does the same to the N-Quads in the only column of a partition of a data frame."""

    def apply(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        context = TaskContext.get()
        assert context is not None
        number = context.partitionId()
        stream = io.BufferedReader(Blocks(map(_text, batches)))
        name = f"partition {number} of the data frame"
        source = Source(name, None, lambda: nullcontext(stream), repeatable=False)
        scope = PieceScope(b"1", b"%d" % number, set)

        def read(
            dictionary: Dictionary, problems: Problems, prefixes: dict[str, str]
        ) -> Iterator[Columns]:
            syntax = ox.RdfFormat.N_QUADS
            return contents(Reading(source, syntax, None, dictionary, scope, problems, prefixes))

        yield _row(number, _written(job, number, read, lambda problem: problem))

    return apply


def _text(batch: pa.RecordBatch) -> bytes:
    """The lines of some rows."""
    rows = batch.column(0).drop_null().cast(pa.binary()).to_pylist()
    return b"".join(row if row.endswith(b"\n") else row + b"\n" for row in rows)


def _row(number: int, told: PieceFindings) -> pa.RecordBatch:
    return pa.record_batch({"number": [number], "told": [pickle.dumps(told)]})


def _written(
    job: Job, number: int, read: Read, place: Callable[[Problem], Problem]
) -> PieceFindings:
    dictionary, prefixes = Dictionary(), dict[str, str]()
    problems = Problems() if job.strict else Skipped()
    try:
        blocks = [*read(dictionary, problems, prefixes)]
        columns = np.concatenate([np.zeros((4, 0), np.uint32), *blocks], axis=1)
        columns[3] = graphs_of(columns[3], dictionary)
    except RdfincError as error:
        return PieceFindings(error=error)
    if job.graph is not None:
        columns[3][columns[3] == 0] = dictionary.encode(job.graph)
    with job.folder.opened(job.statements(number)) as file:
        np.save(file, columns)
    terms = pa.array(list(dictionary), pa.binary()).cast(pa.string())
    places = (number << OWN_BITS) + np.arange(1, len(dictionary) + 1)
    with job.folder.opened(job.terms(number)) as file:
        pq.write_table(pa.table({"place": places, "term": terms}), file)
    first = tuple(told(place(problem)) for problem in problems.first)
    return PieceFindings(columns.shape[1], prefixes, problems.count, first)


class RenumberPieces(_Task):
    """The statements of a piece, in ids."""

    @classmethod
    def name(cls) -> str:
        return "rdfinc-renumber"

    def partitions(self) -> list[InputPartition]:
        return [InputPartition(number) for number in self.job.read]

    def schema(self) -> str:
        return "s BIGINT, p BIGINT, o BIGINT, g BIGINT"

    def rows(self, job: Job, number: int) -> Iterator[pa.RecordBatch]:
        columns = _renumbered(job, number)
        for start in range(0, columns.shape[1], _ROWS):
            block = columns[:, start : start + _ROWS]
            yield pa.record_batch([pa.array(row) for row in block], names=list("spog"))


def _renumbered(job: Job, number: int) -> npt.NDArray[np.int64]:
    """A piece's statements in ids."""
    with job.folder.open(job.statements(number)) as file:
        columns = np.load(file)
    if not columns.size:
        return columns.astype(np.int64)
    table = job.ids(number)
    places, ids = (table.column(name).to_numpy() for name in ("place", "id"))
    id_of = np.zeros(len(ids) + 1, np.int64)
    id_of[places - (number << OWN_BITS)] = ids
    return id_of[columns]
