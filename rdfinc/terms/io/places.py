"""Where in its file a triple is stated."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, BinaryIO

import pyoxigraph as ox

from rdfinc.terms.io.quads import oxigraph_key
from rdfinc.terms.io.sniffing import syntax_told
from rdfinc.terms.io.sources import source_of

Keys = tuple[bytes, bytes, bytes]


class _CountedLines:
    """A stream that gives a line whenever it is read; `count` are the lines given so far."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self.count = stream, 0

    def read(self, _: int = -1) -> bytes:
        line = self._stream.readline()
        self.count += bool(line)
        return line


def lines_of(path: Path, wanted: Collection[Keys]) -> dict[Keys, int]:
    """The line in which each of some triples without blank nodes first ends in a file, as far as it
    states them before anything that is malformed. Reads the file once, up to the last of them."""
    source = source_of(path)
    found: dict[Keys, int] = {}
    with source.open() as stream:
        lines: Any = _CountedLines(stream)
        base = path.absolute().as_uri()
        try:
            for quad in ox.parse(lines, format=syntax_told(source), base_iri=base):
                keys = (
                    oxigraph_key(quad.subject),
                    oxigraph_key(quad.predicate),
                    oxigraph_key(quad.object),
                )
                if keys in wanted:
                    found.setdefault(keys, lines.count)
                if len(found) == len(wanted):
                    break
        except SyntaxError:
            pass
    return found
