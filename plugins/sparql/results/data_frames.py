"""Solutions as tables of pyarrow, pandas and polars: ids in, columns out, no Python terms between.

Each column is typed by what it holds (see `Selected.to_arrow`). A term is looked at once, however
often it occurs: O(distinct terms) beside O(rows) of NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from importlib import import_module
from typing import Any

import numpy as np

from rdfinc.plugins.sparql.columns.query_terms import Terms
from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions
from rdfinc.terms.builtins.numeric import is_number
from rdfinc.terms.builtins.values import XSD, value_of
from rdfinc.terms.grammar import literal_parts

EXTRA = "rdfinc[dataframes]"

NODES, TEXTS, N_TRIPLES = "nodes", "texts", "N-Triples"
"""What a column of strings holds, in the metadata of its field; or the IRI of a datatype."""

LEAST = -(1 << 63)
FIRST_DAY, LAST_DAY = (
    day.toordinal() - date(1970, 1, 1).toordinal() for day in (date.min, date.max)
)
"""The days that Python, and so a data frame, has, counted from 1970."""


def package(name: str) -> Any:
    """Raises ImportError, which says what to install."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is not installed: pip install '{EXTRA}'") from error


def table(rows: Solutions, variables: Sequence[Any], terms: Terms) -> Any:
    """A pyarrow.Table with a column for each of the variables."""
    arrow = package("pyarrow")
    columns = [_column(arrow, rows.column(variable), terms) for variable in variables]
    fields = [
        arrow.field(str(variable), column.type, metadata={"rdf": kind})
        for variable, (column, kind) in zip(variables, columns, strict=True)
    ]
    return arrow.Table.from_arrays([column for column, _ in columns], schema=arrow.schema(fields))


def _column(arrow: Any, ids: Ids, terms: Terms) -> tuple[Any, str]:
    """The column, and what it holds."""
    distinct, places = np.unique(ids, return_inverse=True)
    unbound = len(distinct) > 0 and distinct[0] == 0
    known = distinct[1:] if unbound else distinct
    places = places - int(unbound)
    values, kind = _values(arrow, terms.keys(known))
    at = arrow.array(places.astype(np.int32), mask=places < 0)
    if arrow.types.is_string(values.type):
        return arrow.DictionaryArray.from_arrays(at, values), kind
    return values.take(at), kind


def _values(arrow: Any, keys: list[bytes]) -> tuple[Any, str]:
    """The Python values of distinct terms, all in one form, and the name of that form."""
    if not any(key.startswith(b'"') for key in keys):
        return _strings(arrow, [_node(key) for key in keys]), NODES
    if not all(key.startswith(b'"') for key in keys):
        return _strings(arrow, [key.decode() for key in keys]), N_TRIPLES
    parts = [literal_parts(key) for key in keys]
    datatypes = {datatype for _, _, datatype in parts}
    texts = _strings(arrow, [text for text, _, _ in parts])
    if datatypes == {None}:
        return texts, TEXTS
    typed = _numbers(arrow, [value_of(key) for key in keys])
    if typed is not None:
        return typed
    if len(datatypes) > 1:
        return _strings(arrow, [key.decode() for key in keys]), N_TRIPLES
    (datatype,) = datatypes
    return _moments(arrow, texts, str(datatype)), str(datatype)


def _numbers(arrow: Any, values: list[Any]) -> tuple[Any, str] | None:
    """Numbers or truth values, if all of them are; decimals become the nearest double."""
    if all(type(value) is bool for value in values):
        return arrow.array(values, arrow.bool_()), f"{XSD}boolean"
    if all(type(value) is int and LEAST <= value <= -LEAST - 1 for value in values):
        return arrow.array(values, arrow.int64()), f"{XSD}integer"
    if all(map(is_number, values)):
        return arrow.array([float(value) for value in values], arrow.float64()), f"{XSD}double"
    return None


def _moments(arrow: Any, texts: Any, datatype: str) -> Any:
    """Dates and times, if arrow can read all of them, and Python has them; otherwise the texts."""
    for name, type_, numbers, of_day in (
        ("dateTime", arrow.timestamp("us", "UTC"), arrow.int64(), 86_400_000_000),
        ("dateTime", arrow.timestamp("us"), arrow.int64(), 86_400_000_000),
        ("date", arrow.date32(), arrow.int32(), 1),
    ):
        if datatype == f"{XSD}{name}":
            try:
                found = texts.cast(type_)
            except arrow.ArrowInvalid:
                continue
            days = found.cast(numbers).to_numpy() // of_day
            return found if days.min() >= FIRST_DAY and days.max() <= LAST_DAY else texts
    return texts


def _strings(arrow: Any, texts: list[str]) -> Any:
    return arrow.array(texts, arrow.string())


def _node(key: bytes) -> str:
    text = key.decode()
    return text[1:-1] if text[0] == "<" else text


def to_pandas(found: Any) -> Any:
    """The pandas.DataFrame of a table; integers and truth values may be missing."""
    pandas = package("pandas")
    arrow = package("pyarrow")
    types = {arrow.int64(): pandas.Int64Dtype(), arrow.bool_(): pandas.BooleanDtype()}
    return found.to_pandas(types_mapper=types.get)


def to_polars(found: Any) -> Any:
    """The polars.DataFrame of a table."""
    return package("polars").from_arrow(found)
