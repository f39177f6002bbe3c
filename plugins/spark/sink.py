"""Data frames of statements -> one RDF file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast
from uuid import uuid4

import pyarrow as pa
import pyoxigraph as ox
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from rdfinc.errors import TermError
from rdfinc.plugins.spark.storage.input_files import path_here
from rdfinc.terms.grammar import escape
from rdfinc.terms.io.compression import is_compressed, packed
from rdfinc.terms.io.convert import statement_keys
from rdfinc.terms.io.formats import format_named, format_of
from rdfinc.terms.io.writing import Quad, write

_JOINABLE = (
    ox.RdfFormat.N_TRIPLES, ox.RdfFormat.N_QUADS, ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG,
)  # fmt: skip


@dataclass
class WrittenFile(WriterCommitMessage):
    """The file that a task has written."""

    part: str


class RdfWriter(DataSourceArrowWriter):
    """Every task writes a part, compressed if the whole is to be; then the parts are joined, in
    order, and the file appears. One file, because labels of blank nodes mean nothing beyond it."""

    def __init__(self, options: Mapping[str, str], schema: StructType, overwrite: bool) -> None:
        self.path, self.media_type = _target(options, overwrite)
        self.columns = _columns(schema)
        self.folder = self.path.with_name(f".{self.path.name}.{uuid4().hex}")

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WrittenFile:
        self.folder.mkdir(exist_ok=True)
        part = self.folder / uuid4().hex
        with part.open("wb") as file, self._opened(file) as stream:
            write(stream, self._quads(iterator), format=self.media_type)
        return WrittenFile(str(part))

    def _opened(self, file: BinaryIO) -> BinaryIO:
        return packed(file, self.path) if is_compressed(self.path) else file

    def _quads(self, batches: Iterator[pa.RecordBatch]) -> Iterator[Quad]:
        for batch in batches:
            columns = [batch.column(name).to_pylist() for name in self.columns]
            for row in zip(*columns, strict=True):
                yield statement_keys(tuple(map(text, row, self.columns)))

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        self.folder.mkdir(exist_ok=True)
        joined = self.folder / "joined"
        with joined.open("wb") as whole:
            for message in messages:
                with open(cast(WrittenFile, message).part, "rb") as part:
                    shutil.copyfileobj(part, whole, 1 << 20)
        os.replace(joined, self.path)
        shutil.rmtree(self.folder)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _target(given: Mapping[str, str], overwrite: bool) -> tuple[Path, str]:
    options = {name.lower(): value for name, value in given.items()}
    for name in options.keys() - {"path", "syntax"}:
        raise ValueError(f"there is no option {name!r} for writing; there is syntax")
    if "path" not in options:
        raise ValueError('no file is named; say save("data.nt")')
    path = path_here(options["path"], "RDF is written")
    syntax = format_named(options["syntax"]) if "syntax" in options else format_of(path)
    if syntax not in _JOINABLE:
        known = ", ".join(each.file_extension for each in _JOINABLE)
        raise ValueError(f"{syntax.name} cannot be written in parts; there are {known}")
    if path.exists() and not (overwrite and path.is_file()):
        raise FileExistsError(f'{path} exists; a file is replaced by mode("overwrite")')
    return path, syntax.media_type


def _columns(schema: StructType) -> list[str]:
    """s, p, o, and g if there is one."""
    names = schema.fieldNames()
    if not {"s", "p", "o"} <= set(names) <= {"s", "p", "o", "g"}:
        raise ValueError(f"columns are s, p, o and perhaps g, not {', '.join(names)}")
    return [name for name in "spog" if name in names]


def text(term: Any, column: str) -> str | None:
    """The N-Triples text of a term in either form; the graph may be null."""
    if isinstance(term, str) or (term is None and column == "g"):
        return cast("str | None", term)
    if isinstance(term, dict):
        return _of_parts(**term)
    raise TermError(f"a statement has no {column}: {term!r}")


def _of_parts(kind: str, value: str, datatype: str | None, language: str | None) -> str:
    if kind == "iri":
        return f"<{value}>"
    if kind == "blank":
        return f"_:{value}"
    if kind != "literal":
        raise TermError(f'{kind!r} is no kind of term; there are "iri", "blank" and "literal"')
    if language is not None:
        return f'"{escape(value)}"@{language}'
    return f'"{escape(value)}"' + (f"^^<{datatype}>" if datatype else "")
