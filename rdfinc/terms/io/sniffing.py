"""The syntax of a source whose name does not tell it for certain, by how it begins."""

from __future__ import annotations

import re
from pathlib import PurePath

from pyoxigraph import RdfFormat

from rdfinc.errors import DataSyntaxError
from rdfinc.terms.io.formats import format_of
from rdfinc.terms.io.sources import Source

HEAD = 1 << 14
"""Bytes that are looked at."""

_BEFORE = re.compile(
    rb"(\s+|#[^\n]*(\n|\Z)|<\?[^>]*\?>|<!--.*?-->|<!DOCTYPE\s[^\[>]*(\[.*?\]\s*)?>)*", re.DOTALL
)
_READ = {
    RdfFormat.RDF_XML: rb"<[\w:.-]+\s[^>]*\bxmlns\b",
    RdfFormat.TURTLE: rb"@(prefix|base)\b|(?i:prefix|base)\s[^<(]*<|"
    rb"<[^<>\s]*>\s|_:|\(|\[\s*[^\[{\"\s]",
    RdfFormat.TRIG: rb"(?i:graph)\s|\{\s*[^\"}\s]",
    RdfFormat.JSON_LD: rb"[\[{]",
}
_NOT_READ = {
    "OWL functional syntax": rb"(Prefix|Ontology)\s*\(",
    "OWL/XML": rb"<(\w+:)?Ontology[\s>]",
    "Manchester syntax": rb"(Prefix|Ontology):",
    "OBO format": rb"format-version:",
    "a page of HTML": rb"(?i:<html\b)",
}
_NAMED = {".ofn": "OWL functional syntax", ".owx": "OWL/XML", ".omn": "Manchester syntax",
          ".obo": "OBO format", ".html": "a page of HTML"}  # fmt: skip
_CONVERT = (
    "save it as Turtle in Protégé, or convert it with ROBOT: robot convert --input FILE"
    " --output FILE.ttl"
)


def syntax_of(head: bytes) -> RdfFormat | None:
    """The RDF syntax of a document that begins so; None where that is typical of none. N-Triples is
    told as Turtle, which it is a part of."""
    start = head[len(_before(head)) :]
    return next((syntax for syntax, mark in _READ.items() if re.match(mark, start)), None)


def refusal(head: bytes, extension: str = "") -> str:
    """What to do about a document that begins so, or is called so, in a syntax that nothing here
    reads; "" for any other."""
    start = head[len(_before(head)) :]
    found = (name for name, mark in _NOT_READ.items() if re.match(mark, start))
    name = next(found, _NAMED.get(extension.lower(), ""))
    advice = "download the data instead" if "HTML" in name else _CONVERT
    return f"this is {name}, which is not read here; {advice}" if name else ""


def _before(head: bytes) -> bytes:
    """Space, comments, and what XML has before its root."""
    found = _BEFORE.match(head)
    return b"" if found is None else found[0]


def syntax_told(source: Source) -> RdfFormat:
    """The syntax that the extension of a source tells, unless it is one of XML's and its contents
    are something else. Raises ValueError for an unknown extension, DataSyntaxError for a syntax
    that nothing here reads."""
    path = source.path or PurePath(source.name)
    try:
        told = format_of(path)
    except ValueError:
        _refuse(source, _head(source), path.suffix)
        raise
    if told != RdfFormat.RDF_XML:
        return told
    head = _head(source)
    _refuse(source, head)
    return syntax_of(head) or told


def _refuse(source: Source, head: bytes, extension: str = "") -> None:
    why = refusal(head, extension)
    if why:
        raise DataSyntaxError(source.name, None, "", why)


def _head(source: Source) -> bytes:
    if not source.repeatable:
        return b""
    with source.open() as stream:
        return stream.read(HEAD)
