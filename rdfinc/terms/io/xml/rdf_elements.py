"""The elements of RDF/XML by its grammar (RDF 1.1 XML Syntax, 7.2), as far as pyoxigraph (up to
0.5) takes others for them, or them for others."""

from __future__ import annotations

import codecs
import warnings
from collections.abc import Sequence

from msgspec import Struct

from rdfinc.terms.io.xml.xml_literals import Name

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
XML = "http://www.w3.org/XML/1998/namespace"

Attribute = tuple[Name, str]

_UNQUALIFIED = {"about", "ID", "resource", "parseType", "type"}
_NODES, _PROPERTIES, _TEXT, _NOTHING = "nodes", "properties", "text", "nothing"
_REFUSED = {
    _TEXT: "an element within a text with rdf:datatype; take one of the two away",
    _NOTHING: "an element within a property with attributes; write rdf:type within it as well",
}
_KNOWN = {"utf-8", "utf-16", "utf-16be", "utf-16le", "iso-8859-1", "us-ascii"}
_BYTES = bytes(set(range(256)) - {ord("\\")}) + rb"\u0041" + b"\x1b$B!!\x1b(B~{VP~}+AGE-"


class GrammarError(Exception):
    """What RDF/XML has no place for, and what to do, as `str`."""


class Element(Struct, frozen=True):
    """An open element: what it may `hold`, and whether texts in it are `in_language`."""

    holds: str
    in_language: bool = False


class OpenElements:
    """The elements that are open, each a node or a property of the one around it."""

    def __init__(self) -> None:
        self._open = [Element(_NODES)]

    @property
    def hold_properties(self) -> bool:
        """Whether the next element is a property."""
        return self._open[-1].holds == _PROPERTIES

    def start(self, name: Name, attributes: Sequence[Attribute]) -> None:
        """Raises GrammarError."""
        around = self._open[-1]
        if around.holds in _REFUSED:
            raise GrammarError(_REFUSED[around.holds])
        languages = [value for known, value in attributes if known[:2] == (XML, "lang")]
        if "" in languages and around.in_language:
            raise GrammarError(
                'xml:lang="" within an element with a language is not read; write'
                ' rdf:datatype="http://www.w3.org/2001/XMLSchema#string" for it'
            )
        self._require_grammar(attributes)
        holds = self._held(name, attributes)
        self._open.append(Element(holds, bool(languages[0]) if languages else around.in_language))

    def end(self) -> None:
        self._open.pop()

    def _require_grammar(self, attributes: Sequence[Attribute]) -> None:
        given = {known[1] for known, _ in attributes if known[0] == RDF}
        if "bagID" in given:
            raise GrammarError("rdf:bagID is no longer part of RDF/XML; leave it out")
        if "parseType" not in given:
            return
        if not self.hold_properties:
            raise GrammarError("rdf:parseType of a node; it belongs to a property")
        if given - {"parseType", "ID"} or any(
            known[0] not in (RDF, XML) for known, _ in attributes
        ):
            raise GrammarError(
                "rdf:parseType beside other attributes than rdf:ID; write them as elements"
            )

    def _held(self, name: Name, attributes: Sequence[Attribute]) -> str:
        if not self.hold_properties:
            outermost = len(self._open) == 1 and name[:2] == (RDF, "RDF")
            return _NODES if outermost else _PROPERTIES
        if is_typed(attributes):
            return _NOTHING
        given = {known[1]: value for known, value in attributes if known[0] == RDF}
        if "datatype" in given:
            return _TEXT
        return _PROPERTIES if given.get("parseType") == "Resource" else _NODES


def is_typed(attributes: Sequence[Attribute]) -> bool:
    """Whether all that a property without contents says of its object is a type (7.2.21)."""
    said = [known[:2] for known, _ in attributes if known[0] != XML and known[:2] != (RDF, "ID")]
    return said == [(RDF, "type")]


def is_unqualified(attribute: Attribute) -> bool:
    """Whether it is one of RDF/XML's without a namespace (6.1.4)."""
    return not attribute[0][0] and attribute[0][1] in _UNQUALIFIED


def require_encoding(name: str) -> None:
    """Raises GrammarError for an encoding of which expat makes other characters, or none: it asks
    Python for one character a byte."""
    if name.lower() not in _KNOWN and not _has_a_byte_a_character(name):
        raise GrammarError(
            f'the encoding {name} is not read; convert the document to UTF-8, with encoding="utf-8"'
            " in its first line"
        )


def _has_a_byte_a_character(name: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            known = codecs.lookup(name).name
            return known != "charmap" and len(_BYTES.decode(name, "replace")) == len(_BYTES)
    except (LookupError, ValueError):
        return False
