"""RDF/XML with rare features -> RDF/XML without, for a parser that misreads them.

expat reads the document: entities are replaced, texts are in one piece, attributes are normalised,
and an XML literal becomes a text of datatype rdf:XMLLiteral in its canonical form. Attributes of
RDF/XML get its namespace, and the type of a property's object stands in an element. Harmful
documents are refused: entities made of entities, parameter entities, external ones, more than
`DEEPEST` elements within each other, and growth to more than `GROWTH` times the bytes and
`ALLOWANCE`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO
from xml.parsers import expat

from rdfinc.terms.io.xml.rdf_elements import (
    RDF,
    XML,
    Attribute,
    GrammarError,
    OpenElements,
    is_typed,
    is_unqualified,
    require_encoding,
)
from rdfinc.terms.io.xml.xml_care import ill_formed
from rdfinc.terms.io.xml.xml_literals import CanonicalXml, Name, escaped, qualified, quoted

DEEPEST = 1000
GROWTH = 16
ALLOWANCE = 1 << 23

_BLOCK = 1 << 16
_SEPARATOR = "\x0c"
_REFERENCE = re.compile("&(?!#|(?:amp|lt|gt|apos|quot);)[^;]+;|%")
_NAMED = re.compile("&([^#;][^;]*);")
_START = re.compile(rb"""<(?:[^>"']|"[^"]*"|'[^']*')*>""")

Refuse = Callable[[int, str], None]
"""Is told the line (1-based) and why a document cannot be read; may raise."""


class HarmError(Exception):
    """The reason why a document is refused, as `str`."""


class PlainXml:
    """The blocks of a plain document with the statements of a given one.

    `prefixes`: prefix -> IRI as first declared. About 1 µs an element.
    """

    def __init__(self, stream: BinaryIO, refuse: Refuse) -> None:
        self._stream, self._refuse = stream, refuse
        self.prefixes: dict[str, str] = {}
        self._read = self._written = self._depth = 0
        self._parts: list[str] = []
        self._new: list[tuple[str, str]] = []
        self._elements, self._closings = OpenElements(), [""]
        self._literal: CanonicalXml | None = None
        self._entities, self._has_dtd_outside = {"amp", "lt", "gt", "apos", "quot"}, False
        self._parser = self._told(expat.ParserCreate(namespace_separator=_SEPARATOR))

    def _told(self, parser: expat.XMLParserType) -> expat.XMLParserType:
        parser.namespace_prefixes = parser.ordered_attributes = parser.buffer_text = True
        parser.XmlDeclHandler = self._declaration
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction
        parser.EntityDeclHandler = self._entity
        parser.ExternalEntityRefHandler = self._external
        parser.SkippedEntityHandler = self._skipped
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
        return parser

    def blocks(self) -> Iterator[bytes]:
        """Ends at the first problem, after that was told."""
        block = b"-"
        while block:  # what expat reads again, because a token has no end yet, doubles each time
            behind = self._read - max(self._parser.CurrentByteIndex, 0)
            block = self._stream.read(max(_BLOCK, behind))
            self._read += len(block)
            try:
                self._parser.Parse(block, not block)
            except expat.ExpatError as error:
                return self._refuse(error.lineno, ill_formed(error))
            except (HarmError, GrammarError) as error:
                return self._refuse(self._parser.CurrentLineNumber, str(error))
            yield "".join(self._parts).encode()
            self._parts.clear()
        return None

    def _write(self, text: str) -> None:
        self._count(text)
        self._parts.append(text)

    def _count(self, text: str) -> None:
        self._written += len(text)
        if self._written > GROWTH * self._read + ALLOWANCE:
            raise HarmError(
                f"its entities stand for too much: {self._read:,} bytes have become more than"
                f" {self._written - 1:,}; write out what the entities stand for"
            )

    # -- what expat tells

    def _declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        if encoding is not None:
            require_encoding(encoding)

    def _declare(self, prefix: str | None, iri: str | None) -> None:
        self.prefixes.setdefault(prefix or "", iri or "")
        if self._literal is None:
            self._new.append((prefix or "", iri or ""))

    def _start(self, text: str, given: list[str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise HarmError(f"more than {DEEPEST:,} elements within each other")
        if self._has_dtd_outside:
            self._require_declared(_START.match(self._parser.GetInputContext() or b""))
        name = _name(text)
        attributes = [(_name(a), value) for a, value in zip(given[::2], given[1::2], strict=True)]
        if self._literal is not None:
            self._literal.start(name, attributes)
        else:
            self._open(name, attributes)

    def _open(self, name: Name, attributes: list[Attribute]) -> None:
        attributes = self._qualified(attributes)
        typed = self._elements.hold_properties and is_typed(attributes)
        self._elements.start(name, attributes)
        attributes = [each for each in attributes if (each[0][:2], each[1]) != ((XML, "lang"), "")]
        types = [each for each in attributes if typed and each[0][:2] == (RDF, "type")]
        literal = next((each for each in attributes if _makes_literal(*each)), None)
        if literal is not None:
            attributes.remove(literal)
            attributes.append(((RDF, "datatype", literal[0][2]), f"{RDF}XMLLiteral"))
            self._literal = CanonicalXml()
        self._write_tag(qualified(name), [each for each in attributes if each not in types])
        self._closings.append("")
        if types:
            description = qualified((RDF, "Description", types[0][0][2]))
            self._write_tag(description, types)
            self._closings[-1] = f"</{description}>"

    def _write_tag(self, name: str, attributes: list[Attribute]) -> None:
        declared = [(f"xmlns{':' * bool(prefix)}{prefix}", iri) for prefix, iri in self._new]
        self._new.clear()
        shown = declared + [(qualified(known), value) for known, value in attributes]
        said = "".join(f" {known}={quoted(value)}" for known, value in shown)
        self._write(f"<{name}{said}>")

    def _qualified(self, attributes: list[Attribute]) -> list[Attribute]:
        """The attributes, those of RDF/XML in its namespace by a prefix that nothing else has."""
        if not any(map(is_unqualified, attributes)):
            return attributes
        prefix = "rdf_"
        while prefix in self.prefixes:
            prefix += "_"
        self._new.append((prefix, RDF))
        return [
            ((RDF, each[0][1], prefix), each[1]) if is_unqualified(each) else each
            for each in attributes
        ]

    def _end(self, text: str) -> None:
        self._depth -= 1
        if self._literal is not None and self._literal.depth:
            self._literal.end()
            return
        if self._literal is not None:
            self._parts.append(escaped(str(self._literal)))
            self._literal = None
        self._elements.end()
        self._write(f"{self._closings.pop()}</{qualified(_name(text))}>")

    def _text(self, text: str) -> None:
        if self._literal is None:
            self._write(escaped(text))
        else:
            self._count(text)
            self._literal.text(text)

    def _comment(self, text: str) -> None:
        if self._literal is not None:
            self._literal.comment(text)

    def _instruction(self, target: str, data: str) -> None:
        if self._literal is not None:
            self._literal.instruction(target, data)

    def _entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if is_parameter:
            raise HarmError(
                f"the parameter entity %{name}; is not read; write out what it stands for"
            )
        if value is not None and _REFERENCE.search(value):
            raise HarmError(f"the entity &{name}; stands for other entities; write them out")
        self._entities.add(name)

    def _skipped(self, name: str, _: object) -> None:
        raise HarmError(f"nothing here says what the entity &{name}; stands for; write it out")

    def _require_declared(self, tag: re.Match[bytes] | None) -> None:
        """Refuses entities in attributes of a document with an external DTD: expat passes over
        them."""
        for name in _NAMED.findall(tag[0].decode(errors="replace") if tag else ""):
            if name not in self._entities:
                self._skipped(name, False)

    def _external(self, context: str | None, base: object, system: str | None, _: object) -> int:
        """Nothing is fetched: only entities declared in the document are known."""
        self._has_dtd_outside = True
        if context is not None:
            raise HarmError(
                f"the entity at {system!r} is not fetched; write out what it stands for"
            )
        return 1


def _name(text: str) -> Name:
    parts = text.split(_SEPARATOR)
    if len(parts) == 1:
        return "", text, ""
    return parts[0], parts[1], parts[2] if len(parts) == 3 else ""


def _makes_literal(name: Name, value: str) -> bool:
    return name[:2] == (RDF, "parseType") and value not in ("Resource", "Collection")
