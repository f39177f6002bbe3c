"""Ids -> Arrow columns of terms, in either of the forms that a data frame may have; functions of
batches of Arrow."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame

from rdfinc.terms.dictionary import Dictionary, Ids
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.io.quads import Columns

_ROWS = 1 << 15
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_LANGUAGE_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"

_TERM = pa.struct([(name, pa.string()) for name in ("kind", "value", "datatype", "language")])
TYPES = {"ntriples": pa.string(), "struct": _TERM}
"""What a term is in a column: its N-Triples text, or its parts."""

DDL = {
    "ntriples": "STRING",
    "struct": "STRUCT<kind: STRING, value: STRING, datatype: STRING, language: STRING>",
}
"""The same for Spark."""


def mapped(
    frame: DataFrame,
    function: Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: str,
) -> DataFrame:
    """What a function makes of the batches of each partition. Spark wants pandas to be there, and
    warns of new ones; it does nothing here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return frame.mapInArrow(function, schema)


def batches(
    blocks: Iterable[Columns], dictionary: Dictionary, terms: str
) -> Iterator[pa.RecordBatch]:
    """The statements as columns s, p, o and g; g is null in the default graph."""
    column = _COLUMNS[terms]
    schema = pa.schema([(name, TYPES[terms]) for name in "spog"])
    for ids in _joined(blocks):
        arrays = [column(row, dictionary) for row in ids]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def _joined(blocks: Iterable[Columns]) -> Iterator[Columns]:
    """Blocks of `_ROWS` statements or some more."""
    waiting: list[Columns] = []
    rows = 0
    for block in blocks:
        waiting.append(block)
        rows += block.shape[1]
        if rows >= _ROWS:
            yield np.concatenate(waiting, axis=1)
            waiting, rows = [], 0
    if rows:
        yield np.concatenate(waiting, axis=1)


def _texts(ids: Ids, dictionary: Dictionary) -> pa.Array:
    if not ids.any():
        return pa.nulls(len(ids), pa.string())
    terms: list[bytes | None] = list(dictionary.decode_many(ids))
    if not ids.all():
        terms = [term or None for term in terms]
    return pa.array(terms, pa.binary()).cast(pa.string())


def _structs(ids: Ids, dictionary: Dictionary) -> pa.Array:
    distinct, places = np.unique(ids, return_inverse=True)
    parts = [_parts(dictionary.decode(id)) if id else None for id in distinct.tolist()]
    return pa.array(parts, _TERM).take(pa.array(places))


def _parts(key: bytes) -> dict[str, str | None]:
    if key[:1] == b"<":
        return {"kind": "iri", "value": key[1:-1].decode()}
    if key[:1] == b"_":
        return {"kind": "blank", "value": key[2:].decode()}
    lexical, language, datatype = literal_parts(key)
    implied = _STRING if language is None else _LANGUAGE_STRING
    return {
        "kind": "literal",
        "value": lexical,
        "datatype": datatype or implied,
        "language": language,
    }


_COLUMNS: dict[str, Callable[[Ids, Dictionary], pa.Array]] = {
    "ntriples": _texts,
    "struct": _structs,
}
