"""Keys -> terms and names that RDF/XML can hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from xml.parsers import expat

from rdfinc.terms.grammar import NAME_FURTHER, NAME_START
from rdfinc.terms.io.statement_lines import ODD, odd_label
from rdfinc.terms.io.xml.rdf_elements import RDF
from rdfinc.terms.late_patterns import late
from rdfinc.terms.oxigraph_terms import OxigraphTerms, Quad, to_oxigraph, unwritable

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

_SYNTAX = "RDF Description ID about parseType resource nodeID datatype li aboutEach bagID"
_RESERVED = {RDF + name for name in [*_SYNTAX.split(), "aboutEachPrefix"]}
_XMLNS = "http://www.w3.org/2000/xmlns/"
_TYPE = f"<{RDF}type>".encode()

TYPING = "urn:rdfinc:typing:"
"""The namespace of the predicate of statements `x rdf:type T` that are to be written as they are.
Nothing else in a document has a name in it."""

_TYPING = f"<{TYPING}type>".encode()
_Statement = tuple[bytes, bytes, bytes]


def beyond_xml(text: str) -> str:
    """Why XML has no place for a text; nothing if it has."""
    found = _NO_CHARACTER.search(text)
    return f"XML has no character U+{ord(found[0]):04X}" if found else ""


class XmlTerms(OxigraphTerms):
    """As `OxigraphTerms`. Blank nodes whose labels are no XML names get others, and types after
    which no element can be called are stated by a predicate in the namespace `TYPING`: pyoxigraph
    (up to 0.5) calls an element after the first type of its subject, whatever that is.

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

    def _chosen(self, quads: Iterable[Quad]) -> list[_Statement]:
        found = super()._chosen(quads)
        for predicate in {p for _, p, _ in found}:
            if reason := _no_element(predicate):
                raise unwritable(predicate, reason)
        types = {o for _, p, o in found if p == _TYPE and o.startswith(b"<")}
        odd = {each for each in types if _no_element(each)}
        if not odd:
            return found
        return [(s, _TYPING if p == _TYPE and o in odd else p, o) for s, p, o in found]

    @property
    def has_typing(self) -> bool:
        """Whether some statement is in the namespace `TYPING`."""
        return _TYPING in self


def _is_oddly_labelled(key: bytes) -> bool:
    """Whether it is a blank node whose label is no XML name."""
    if not key.startswith(b"_"):
        return False
    return key.startswith(ODD) or NAME.fullmatch(key[2:].decode()) is None


def _no_element(key: bytes) -> str:
    """Why no element is called after an IRI; nothing if one can be."""
    iri = key[1:-1].decode()
    name = _LOCAL_NAME.search(iri)
    if iri in _RESERVED:
        return "RDF/XML itself uses this name"
    if name is None or not is_xml_name(name[0]) or iri[: name.start()] in (_XMLNS, TYPING):
        return "a predicate has to end in an XML name there"
    return ""
