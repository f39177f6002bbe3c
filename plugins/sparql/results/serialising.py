"""Results as bytes in those formats that rdflib writes with a loss, or not at all."""

from __future__ import annotations

import codecs
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlparse
from urllib.request import url2pathname

from rdflib.query import Result

from rdfinc.plugins.sparql.results.solution_formats import TSV, XML, SolutionFormat, xml_boolean
from rdfinc.terms.io.convert import key_of
from rdfinc.terms.io.writing import replacing

FORMATS: Mapping[str, SolutionFormat] = {
    "xml": XML,
    "application/sparql-results+xml": XML,
    "tsv": TSV,
    "text/tab-separated-values": TSV,
}
"""Formats of `Result.serialize` by its names: rdflib's XML has false, 0 and line ends as other
values, and TSV it has not."""


def serialised(result: Result, format: str, encoding: str) -> bytes:
    """The rows of SELECT, or what ASK found, in one of `FORMATS`. Raises TermError for a term, and
    ValueError for an answer, that has no place there."""
    form = FORMATS[format]
    if result.type == "SELECT":
        text = _solutions(result, form)
    elif form is XML:
        text = xml_boolean(bool(result.askAnswer))
    else:
        raise ValueError("TSV has no place for the answer of ASK; XML and JSON have")
    return text.encode(encoding) if form is TSV else _xml(text, encoding)


def _solutions(result: Result, form: SolutionFormat) -> str:
    variables = result.vars or []
    bound = (map(row.get, variables) for row in result.bindings)  # rdflib's rows bind something
    rows = (["" if t is None else form.term(key_of(t)) for t in row] for row in bound)
    return "".join(form.pieces([str(variable) for variable in variables], rows))


def _xml(text: str, encoding: str) -> bytes:
    """A document that names its encoding, unless that is the usual one."""
    if codecs.lookup(encoding).name != "utf-8":
        text = text.replace("?>", f' encoding="{encoding}"?>', 1)
    return text.encode(encoding, "xmlcharrefreplace")


def put(
    content: bytes, destination: str | bytes | os.PathLike[str] | IO[Any], encoding: str
) -> None:
    """Writes to a stream, or to a file by its path or file IRI. Raises OSError, and ValueError for
    a file of another machine."""
    if isinstance(destination, str | bytes | os.PathLike):
        with replacing(_path(os.fsdecode(destination))) as stream:
            stream.write(content)
        return
    try:
        destination.write(content)
    except TypeError:  # it takes text
        destination.write(content.decode(encoding))


def _path(location: str) -> Path:
    iri = urlparse(location)
    if iri.scheme != "file":
        return Path(location)
    if iri.netloc:
        raise ValueError(f"{location} is a file of another machine; name one of this machine")
    return Path(url2pathname(iri.path))
