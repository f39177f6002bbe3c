"""A second look at RDF/XML: is the document whole, and which prefixes does it declare?"""

from __future__ import annotations

from typing import BinaryIO
from xml.parsers import expat

from rdfinc.terms.io.xml.xml_care import ill_formed

_BLOCK = 1 << 16


class XmlWitness:
    """A stream that lets expat read along, since pyoxigraph (up to 0.5) takes the end of input
    within an element for the end of the document, so a truncated file would be loaded in part, and
    has forgotten the prefixes when it is done.

    `problem`: line (1-based) and reason why what was read so far is no XML, or None. `prefixes`:
    prefix -> IRI as first declared. About 10 ns a byte.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartNamespaceDeclHandler = self._declare
        self.problem: tuple[int, str] | None = None
        self.prefixes: dict[str, str] = {}

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        if self.problem is None and size != 0:
            self._follow(data)
        return data

    def read_on(self) -> XmlWitness:
        """Reads to the end, or to the first problem."""
        while self.problem is None and self.read(_BLOCK):
            pass
        return self

    def _follow(self, data: bytes) -> None:
        try:
            self._parser.Parse(data, not data)
        except expat.ExpatError as error:
            self.problem = error.lineno, ill_formed(error)

    def _declare(self, prefix: str | None, iri: str) -> None:
        self.prefixes.setdefault(prefix or "", iri)
