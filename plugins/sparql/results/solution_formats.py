"""Solutions as texts in the formats of the W3C, made of the keys of their terms."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from rdfinc.errors import TermError
from rdfinc.terms.grammar import literal_parts
from rdfinc.terms.io.xml.xml_terms import beyond_xml

Rows = Iterable[Sequence[str]]
"""Texts of terms, "" for what is unbound."""


class SolutionFormat(Struct, frozen=True):
    """A format of solutions: the text of a term by its key, and the pieces of a document by the
    names of variables and rows of such texts. Raises TermError for what it has no place for."""

    term: Callable[[bytes], str]
    pieces: Callable[[Sequence[str], Rows], Iterator[str]]


# -- JSON


def _json_rows(names: Sequence[str], rows: Rows) -> Iterator[str]:
    labels = [f"{json.dumps(name)}:" for name in names]
    yield f'{{"head":{{"vars":{json.dumps(names)}}},"results":{{"bindings":['
    comma = ""
    for row in rows:
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


# -- XML

_SPARQL = '<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">\n'


def _xml_rows(names: Sequence[str], rows: Rows) -> Iterator[str]:
    quoted = [quoteattr(name) for name in names]
    head = "".join(f"<variable name={name}/>" for name in quoted)
    yield f"{_SPARQL}<head>{head}</head>\n<results>\n"
    for row in rows:
        cells = zip(quoted, row, strict=True)
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


def xml_boolean(answer: bool) -> str:
    return f"{_SPARQL}<head/>\n<boolean>{str(answer).lower()}</boolean>\n</sparql>\n"


# -- CSV and TSV


def _csv_rows(names: Sequence[str], rows: Rows) -> Iterator[str]:
    yield from (",".join(row) + "\r\n" for row in chain([names], rows))


def _csv_term(key: bytes) -> str:
    if key.startswith(b"_"):
        return key.decode()
    text = key[1:-1].decode() if key.startswith(b"<") else literal_parts(key)[0]
    if any(each in text for each in ',"\r\n'):
        return '"' + text.replace('"', '""') + '"'
    return text


def _tsv_rows(names: Sequence[str], rows: Rows) -> Iterator[str]:
    head = [f"?{name}" for name in names]
    yield from ("\t".join(row) + "\n" for row in chain([head], rows))


def _tsv_term(key: bytes) -> str:
    return key.decode().replace("\t", "\\t")


JSON = SolutionFormat(_json_term, _json_rows)
XML = SolutionFormat(_xml_term, _xml_rows)
CSV = SolutionFormat(_csv_term, _csv_rows)
TSV = SolutionFormat(_tsv_term, _tsv_rows)
