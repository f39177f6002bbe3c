"""Answers to queries as bytes, in the formats of the W3C."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from typing import Any

from rdflib.query import Result

from rdfinc import TermError
from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.results.query_results import Selected, Triples
from rdfinc.plugins.sparql.results.solution_formats import (
    CSV,
    JSON,
    TSV,
    XML,
    SolutionFormat,
    xml_boolean,
)
from rdfinc.terms.io.writing import write

GRAPHS: Mapping[str, str] = {
    "text/turtle": "turtle",
    "application/n-triples": "nt",
    "application/rdf+xml": "xml",
    "application/ld+json": "json-ld",
}
"""The media types of graphs, and the names of their formats."""

ROWS = 1000
"""Rows that are put together between two looks at the bounds."""


def offers(result: Result) -> Sequence[str]:
    """The media types that an answer has, the usual one first."""
    if result.type == "SELECT":
        return list(SOLUTIONS)
    return list(BOOLEANS if result.type == "ASK" else GRAPHS)


def written(result: Result, media_type: str, prefixes: Mapping[str, str], budget: Budget) -> bytes:
    """An answer in one of its `offers`. Raises BudgetExceededError, and RefusalError for what the
    format has no place for."""
    if isinstance(result, Selected):
        with _fitting(media_type):
            return _together(_pieces(result, SOLUTIONS[media_type]), budget)
    if result.type == "ASK":
        return BOOLEANS[media_type](bool(result.askAnswer)).encode()
    assert isinstance(result, Triples)
    quads = ((*keys, None) for keys in budget.checked(result.term_keys()))
    content = graph_bytes(quads, media_type, prefixes)
    budget.hold(len(content))
    return content


def graph_bytes(
    quads: Iterable[tuple[bytes, bytes, bytes, None]], media_type: str, prefixes: Mapping[str, str]
) -> bytes:
    """Triples in one of the formats of `GRAPHS`. Raises RefusalError for what it has no place
    for."""
    stream = BytesIO()
    with _fitting(media_type):
        write(stream, quads, GRAPHS[media_type], prefixes)
    return stream.getvalue()


@contextmanager
def _fitting(media_type: str) -> Iterator[None]:
    try:
        yield
    except TermError as error:
        raise RefusalError(406, f"the answer is not to be had as {media_type}: {error}") from None


def _pieces(result: Selected, form: SolutionFormat) -> Iterator[str]:
    names = [str(variable) for variable in result.vars or ()]
    return form.pieces(names, result.written(form.term, ""))


def _together(pieces: Iterator[str], budget: Budget) -> bytes:
    parts: list[bytes] = []
    while some := "".join(islice(pieces, ROWS)):
        parts.append(some.encode())
        budget.hold(len(parts[-1]))
        budget.check()
    return b"".join(parts)


def _json_boolean(answer: bool) -> str:
    return json.dumps({"head": {}, "boolean": answer}) + "\n"


SOLUTIONS: Mapping[str, SolutionFormat] = {
    "application/sparql-results+json": JSON,
    "application/sparql-results+xml": XML,
    "text/csv": CSV,
    "text/tab-separated-values": TSV,
    "application/json": JSON,
    "application/xml": XML,
    "text/xml": XML,
}
BOOLEANS: Mapping[str, Callable[[bool], Any]] = {
    "application/sparql-results+json": _json_boolean,
    "application/sparql-results+xml": xml_boolean,
    "application/json": _json_boolean,
    "application/xml": xml_boolean,
    "text/xml": xml_boolean,
}
