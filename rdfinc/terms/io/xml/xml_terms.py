"""Keys -> terms and names that RDF/XML can hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.parsers import expat

from rdfinc.terms.grammar import NAME_FURTHER, NAME_START
from rdfinc.terms.io.statement_lines import ODD, odd_label
from rdfinc.terms.late_patterns import late
from rdfinc.terms.oxigraph_terms import OxigraphTerms, to_oxigraph, unwritable

NAME = late(f"[{NAME_START}][{NAME_FURTHER}]*")
"""A name without colon (NCName), by the fifth edition of XML 1.0."""


def is_xml_name(text: str) -> bool:
    """Whether a text is a name for elements and prefixes by the fourth edition too: that is
    expat's, and rdfinc and rdflib read XML with expat."""
    if NAME.fullmatch(text) is None:
        return False
    try:
        expat.ParserCreate().Parse(f"<{text}/>", True)
    except expat.ExpatError:
        return False
    return True


_LOCAL_NAME = late(f"[{NAME_START}][{NAME_FURTHER}]*$")
_NO_CHARACTER = late("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_SYNTAX = "RDF Description ID about parseType resource nodeID datatype li aboutEach bagID"
_RESERVED = {_RDF + name for name in [*_SYNTAX.split(), "aboutEachPrefix"]}
_XMLNS = "http://www.w3.org/2000/xmlns/"


def beyond_xml(text: str) -> str:
    """Why XML has no place for a text; nothing if it has."""
    found = _NO_CHARACTER.search(text)
    return f"XML has no character U+{ord(found[0]):04X}" if found else ""


class XmlTerms(OxigraphTerms):
    """As `OxigraphTerms`. Blank nodes whose labels are no XML names get others.

    Raises TermError also for a predicate without the name of an element, and for a literal with a
    character outside of XML.
    """

    def __missing__(self, key: bytes | None) -> Any:
        assert key is not None
        term = to_oxigraph(odd_label(key) if _is_oddly_labelled(key) else key)
        if key.startswith(b'"') and (reason := beyond_xml(term.value)):
            raise unwritable(key, reason)
        self[key] = term
        return term

    def _make(self, statements: Iterable[tuple[bytes | None, ...]]) -> None:
        super()._make(statements)
        for predicate in {statement[1] for statement in statements}:
            assert predicate is not None
            _require_element(predicate)


def _is_oddly_labelled(key: bytes) -> bool:
    """Whether it is a blank node whose label is no XML name."""
    if not key.startswith(b"_"):
        return False
    return key.startswith(ODD) or NAME.fullmatch(key[2:].decode()) is None


def _require_element(predicate: bytes) -> None:
    iri = predicate[1:-1].decode()
    name = _LOCAL_NAME.search(iri)
    if iri in _RESERVED:
        raise unwritable(predicate, "RDF/XML itself uses this name")
    if name is None or not is_xml_name(name[0]) or iri[: name.start()] == _XMLNS:
        raise unwritable(predicate, "a predicate has to end in an XML name there")
