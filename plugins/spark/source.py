"""RDF as a format of PySpark, by its Python data source API."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import pyarrow as pa
from msgspec import field
from pyspark.sql.datasource import (
    DataSource,
    DataSourceArrowWriter,
    DataSourceReader,
    InputPartition,
)
from pyspark.sql.types import StructType

from rdfinc.plugins.spark.arrow_columns import DDL, batches
from rdfinc.plugins.spark.options import Options
from rdfinc.plugins.spark.sink import RdfWriter
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.pieces import Piece, pieces, placed, read_piece
from rdfinc.terms.io.problems import Problem, Problems, Skipped, told
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.sources import StoredFile


class RdfSource(DataSource):
    """`spark.read.format("rdf").load("data/*.ttl")`: a row for each statement, columns s, p, o, g.

    N-Triples, N-Quads, Turtle and TriG are read in pieces by as many tasks, also if it is one file;
    RDF/XML, N3, JSON-LD and what is compressed (`.gz`) by one task a file. g is null in the default
    graph. The blank nodes of a file have the same names in all pieces and whenever it is read.
    Files, folders and glob patterns are URIs (`s3://bucket/data/*.ttl`), or those of every
    machine's own file system.

    Options: `terms` is "ntriples" (a term is a string in N-Triples) or "struct" (kind, value,
    datatype, language); `syntax`, `base`, `graph` and `strict` are the format, base, graph and
    strict of `KnowledgeBase.load`; `rejects` "true" gives instead of the statements those that
    `strict` "false" leaves out (file, line, text, reason); `splitBytes` is the size of a piece (16
    MB, or more in all of 64 GB). Turtle that is not read strictly is read on at the next piece.

    `df.write.format("rdf").mode("append").save("data.nt.gz")` writes one file in N-Triples,
    N-Quads, Turtle or TriG, by its extension or the option `syntax`; `mode("overwrite")` replaces
    one. Columns are s, p, o and perhaps g, in either form.
    """

    @classmethod
    def name(cls) -> str:
        return "rdf"

    def schema(self) -> str:
        options = Options.read(self.options)
        if options.rejects:
            return "file STRING, line BIGINT, text STRING, reason STRING"
        return ", ".join(f"{name} {DDL[options.terms]}" for name in "spog")

    def reader(self, schema: StructType) -> DataSourceReader:
        options = Options.read(self.options)
        return Rejects(options) if options.rejects else StatementReader(options)

    def writer(self, schema: StructType, overwrite: bool) -> DataSourceArrowWriter:
        return RdfWriter(self.options, schema, overwrite)


@dataclass
class Part(InputPartition):
    """A piece of a file, and what its blank nodes are called."""

    piece: Piece
    scope: bytes


class _FileReader(DataSourceReader):
    def __init__(self, options: Options) -> None:
        self.options = options

    def partitions(self) -> list[InputPartition]:
        files = self.options.files()
        size = self.options.size(files)
        return [part for file in files for part in self._parts(file, size)]

    def _parts(self, file: StoredFile, size: int) -> Iterator[Part]:
        options = self.options
        scope = hashlib.blake2b(file.uri.encode(), digest_size=8).hexdigest()
        lenient = not options.strict or options.rejects
        found = pieces(file, size, format=options.syntax, base=options.base, lenient=lenient)
        return (Part(piece, scope.encode()) for piece in found)


class StatementReader(_FileReader):
    """What the files state."""

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        dictionary = Dictionary()
        problems = Problems() if self.options.strict else Skipped()
        blocks = read_piece(partition.piece, dictionary, partition.scope, problems)
        if self.options.graph is not None:
            blocks = _stated_in(dictionary.encode(self.options.graph), blocks)
        return batches(blocks, dictionary, self.options.terms)


class Rejects(_FileReader):
    """What is left out of the files if they are not read strictly."""

    def read(self, partition: InputPartition) -> Iterator[tuple[str, int | None, str, str]]:
        rejected = Rejected()
        deque(read_piece(partition.piece, Dictionary(), partition.scope, rejected), maxlen=0)
        for problem in rejected.found:
            yield told(placed(problem, partition.piece))


class Rejected(Problems):
    """Lenient reading that keeps all problems."""

    found: list[Problem] = field(default_factory=list)

    lenient: ClassVar[bool] = True

    def report(self, problem: Problem) -> None:
        self.found.append(problem)


def _stated_in(graph: int, blocks: Iterable[Columns]) -> Iterator[Columns]:
    """The statements, of which those in no graph are put into this one."""
    for columns in blocks:
        columns[3][columns[3] == 0] = graph
        yield columns
