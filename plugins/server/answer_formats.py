"""Answers to queries as bytes, in the formats of the W3C."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import islice
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from rdflib.query import Result

from rdfinc import TermError
from rdfinc.plugins.server.refusals import RefusalError
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.results.query_results import Selected, Triples
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.io.writing import write
from rdfinc.terms.io.xml.xml_terms import beyond_xml

Pieces = Iterator[str]

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
            return _together(SOLUTIONS[media_type](result), budget)
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


def _together(pieces: Pieces, budget: Budget) -> bytes:
    parts: list[bytes] = []
    while some := "".join(islice(pieces, ROWS)):
        parts.append(some.encode())
        budget.hold(len(parts[-1]))
        budget.check()
    return b"".join(parts)


# -- JSON


def _json_rows(result: Selected) -> Pieces:
    names = [str(variable) for variable in result.vars or ()]
    labels = [f"{json.dumps(name)}:" for name in names]
    yield f'{{"head":{{"vars":{json.dumps(names)}}},"results":{{"bindings":['
    comma = ""
    for row in result.written(_json_term, ""):
        cells = (label + text for label, text in zip(labels, row, strict=True) if text)
        yield f"{comma}\n{{{','.join(cells)}}}"
        comma = ","
    yield "\n]}}\n"


_json_text = json.JSONEncoder(ensure_ascii=False).encode
"""A text in quotes. `json.dumps` makes an encoder for each, which takes four times as long."""


def _json_term(key: bytes) -> str:
    if key.startswith(b"<"):
        return f'{{"type": "uri", "value": {_json_text(key[1:-1].decode())}}}'
    if key.startswith(b"_"):
        return f'{{"type": "bnode", "value": {_json_text(key[2:].decode())}}}'
    lexical, language, datatype = literal_parts(key)
    kind = f', "xml:lang": {_json_text(language)}' if language else ""
    kind += f', "datatype": {_json_text(datatype)}' if datatype else ""
    return f'{{"type": "literal", "value": {_json_text(lexical)}{kind}}}'


def _json_boolean(answer: bool) -> str:
    return json.dumps({"head": {}, "boolean": answer}) + "\n"


# -- XML

_SPARQL = '<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n'


def _xml_rows(result: Selected) -> Pieces:
    names = [quoteattr(str(variable)) for variable in result.vars or ()]
    head = "".join(f"<variable name={name}/>" for name in names)
    yield f"{_SPARQL}<head>{head}</head>\n<results>\n"
    for row in result.written(_xml_term, ""):
        cells = zip(names, row, strict=True)
        shown = "".join(f"<binding name={name}>{text}</binding>" for name, text in cells if text)
        yield f"<result>{shown}</result>\n"
    yield "</results>\n</sparql>\n"


def _xml_term(key: bytes) -> str:
    if key.startswith(b"<"):
        return f"<uri>{_xml_text(key[1:-1].decode())}</uri>"
    if key.startswith(b"_"):
        return f"<bnode>{_xml_text(key[2:].decode())}</bnode>"
    lexical, language, datatype = literal_parts(key)
    kind = f" xml:lang={quoteattr(language)}" if language else ""
    kind += f" datatype={quoteattr(_checked(datatype))}" if datatype else ""
    return f"<literal{kind}>{_xml_text(lexical)}</literal>"


def _xml_text(text: str) -> str:
    return escape(_checked(text), {"\r": "&#13;"})


def _checked(text: str) -> str:
    if reason := beyond_xml(text):
        raise TermError(f"{reason}; JSON has")
    return text


def _xml_boolean(answer: bool) -> str:
    return f"{_SPARQL}<head/>\n<boolean>{str(answer).lower()}</boolean>\n</sparql>\n"


# -- CSV and TSV


def _csv_rows(result: Selected) -> Pieces:
    yield ",".join(map(str, result.vars or ())) + "\r\n"
    yield from (",".join(row) + "\r\n" for row in result.written(_csv_term, ""))


def _csv_term(key: bytes) -> str:
    if key.startswith(b"_"):
        return key.decode()
    text = key[1:-1].decode() if key.startswith(b"<") else literal_parts(key)[0]
    if any(each in text for each in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _tsv_rows(result: Selected) -> Pieces:
    yield "\t".join(f"?{variable}" for variable in result.vars or ()) + "\n"
    yield from ("\t".join(row) + "\n" for row in result.written(_tsv_term, ""))


def _tsv_term(key: bytes) -> str:
    return key.decode().replace("\t", "\\t")


SOLUTIONS: Mapping[str, Callable[[Selected], Pieces]] = {
    "application/sparql-results+json": _json_rows,
    "application/sparql-results+xml": _xml_rows,
    "text/csv": _csv_rows,
    "text/tab-separated-values": _tsv_rows,
    "application/json": _json_rows,
    "application/xml": _xml_rows,
    "text/xml": _xml_rows,
}
BOOLEANS: Mapping[str, Callable[[bool], Any]] = {
    "application/sparql-results+json": _json_boolean,
    "application/sparql-results+xml": _xml_boolean,
    "application/json": _json_boolean,
    "application/xml": _xml_boolean,
    "text/xml": _xml_boolean,
}
