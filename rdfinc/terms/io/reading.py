"""Reading RDF in any syntax: one source -> ids.

`rdfinc.terms.io.lines` reads the line-based syntaxes, `rdfinc.terms.io.parsing` the others.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, cast

import numpy as np
import pyoxigraph as ox
from msgspec import Struct

from rdfinc.errors import DataSyntaxError, StorageError, UnsupportedError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.blanks import BlankScope
from rdfinc.terms.io.checks import Check, unchecked
from rdfinc.terms.io.compression import DAMAGE, Blocks
from rdfinc.terms.io.formats import LINE_FORMATS, format_named
from rdfinc.terms.io.lines import encode_lines
from rdfinc.terms.io.nesting_depth import ShallowJson, ShallowTerms, TooDeepError
from rdfinc.terms.io.parsing import Reading, encode_document, encode_leniently, parser_of
from rdfinc.terms.io.problems import Problems, Skipped
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.sniffing import syntax_told
from rdfinc.terms.io.sources import Readable, Source, expand, source_of
from rdfinc.terms.io.xml.plain_xml import PlainXml
from rdfinc.terms.io.xml.xml_care import XmlWitness, needs_care

__all__ = ["Loaded", "expand", "read"]

_WITH_TRIPLE_TERMS = (ox.RdfFormat.TURTLE, ox.RdfFormat.TRIG)
_TOO_LONG = "Reached the buffer maximal size"
_IMPORTS = b"<http://www.w3.org/2002/07/owl#imports>"


class Loaded(Struct, frozen=True):
    """What sources state: `blocks` of four uint32 rows (subject, predicate, object, graph), one
    column a statement.

    The graph is 0 in the default graph. The same statement may occur more than once; `repeated`
    ones were left out.
    """

    sources: tuple[str, ...]
    blocks: list[Columns]
    prefixes: dict[str, str]
    skipped: Problems
    imports: tuple[str, ...]
    repeated: int = 0

    def __len__(self) -> int:
        return sum(block.shape[1] for block in self.blocks)

    def columns(self) -> Columns:
        """All blocks as one."""
        return np.concatenate([np.zeros((4, 0), np.uint32), *self.blocks], axis=1)


def read(
    readable: Readable,
    dictionary: Dictionary,
    *,
    graph: bytes | None = None,
    format: str | None = None,
    base: str | None = None,
    strict: bool = True,
    check: Check = unchecked,
) -> Loaded:
    """Everything that `readable` states, its terms encoded in `dictionary`.

    A `str` is a path; data are `bytes` or an open stream. `format` is a name, an extension or a
    media type, and is told by the extension of a path, or of an open file's name, otherwise, and by
    the contents of files whose extension is one of XML's (`.owl`); `.gz`, `.bz2`, `.xz` and `.zst`
    are transparent. `base` resolves relative IRIs (a file's own URL otherwise). `graph` is the key
    of the graph for statements outside of any graph. Blank nodes are fresh (see `BlankScope`).

    Strict: the first malformed statement is DataSyntaxError, and the caller gets nothing (terms may
    stay behind in the dictionary). Not strict: IRIs and language tags are not validated; malformed
    statements are skipped, counted and listed, and reading goes on behind them. In TriG and N3 it
    ends at the first one, as the statements behind it could land in a wrong graph. Strict, RDF 1.2
    terms raise UnsupportedError. Always raised: UnsupportedError for N3 formulas, DataSyntaxError
    for damaged compression; and what `check` raises, which is called after each block.
    """
    source, scope = source_of(readable), BlankScope(dictionary)
    syntax = syntax_of_source(source, format)
    problems = Problems() if strict else Skipped()
    reading = Reading(source, syntax, base, dictionary, scope, problems)
    blocks = []
    for block in contents(reading):
        check(block.shape[1], reading.position.advanced())
        blocks.append(block)
    return loaded(source.name, blocks, dictionary, graph, reading.prefixes, problems)


def loaded(
    name: str,
    blocks: list[Columns],
    dictionary: Dictionary,
    graph: bytes | None,
    prefixes: dict[str, str],
    problems: Problems,
) -> Loaded:
    """All that a source states, when it has been read to its end."""
    if graph is not None:
        id = dictionary.encode(graph)
        for block in blocks:
            block[3][block[3] == 0] = id
    imports = imports_among(blocks, dictionary)
    return Loaded((name,), blocks, prefixes, problems, imports)


def syntax_of_source(source: Source, name: str | None) -> ox.RdfFormat:
    """The syntax that has a name, or that the source tells. Raises as `read`."""
    try:
        return syntax_told(source) if name is None else format_named(name)
    except DAMAGE as error:
        raise damaged(source, error) from error


def imports_among(blocks: Iterable[Columns], dictionary: Dictionary) -> tuple[str, ...]:
    """The ontologies that statements import."""
    predicate = dictionary.find(_IMPORTS)
    if predicate is None:
        return ()
    found = (block[2][block[1] == predicate].tolist() for block in blocks)
    objects = dict.fromkeys(chain.from_iterable(found))
    keys = dictionary.decode_many(objects)
    return tuple(key[1:-1].decode() for key in keys if key.startswith(b"<"))


def contents(reading: Reading) -> Iterator[Columns]:
    """The ids of all statements of a source, a block at a time; see `read` for what is raised."""
    try:
        with reading.source.open() as stream:
            reading.position.begin(reading.source, stream)
            yield from _blocks(reading, stream)
    except DAMAGE as error:
        raise damaged(reading.source, error) from error
    except MemoryError as error:
        if _TOO_LONG not in str(error):
            raise
        why = "a text or name has more than 16 MB; N-Triples and RDF/XML can have such"
        raise DataSyntaxError(reading.source.name, None, "", why) from None


def damaged(source: Source, error: Exception) -> Exception:
    """The error for compressed data that cannot be unpacked; any other error of the system."""
    if isinstance(error, StorageError | FileNotFoundError):
        return error
    if isinstance(error, OSError) and error.errno is not None:
        return error
    why = f"the compressed data are damaged or end too early ({error})"
    return DataSyntaxError(source.name, None, "", why)


def _blocks(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    if reading.syntax in LINE_FORMATS:
        return encode_lines(reading, stream)
    if reading.syntax == ox.RdfFormat.RDF_XML:
        return _xml(reading, stream)
    if reading.syntax == ox.RdfFormat.JSON_LD:
        return _json(reading, stream)
    return _document(reading, stream)


def _document(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    if reading.syntax in _WITH_TRIPLE_TERMS:
        stream = cast(BinaryIO, ShallowTerms(stream, reading.source.name))
    parser = parser_of(reading, stream)
    for columns in _parsed(reading, parser):
        if reading.syntax == ox.RdfFormat.N3 and columns[3].any():
            raise UnsupportedError("N3 formulas and rules", reading.source.name)
        yield columns
    reading.prefixes.update(parser.prefixes)


def _json(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    try:
        yield from _document(reading, cast(BinaryIO, ShallowJson(stream)))
    except TooDeepError as error:
        raise _placed(reading, error.line, str(error)) from None


def _xml(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    """The statements of RDF/XML by the fast parser, of a rewritten document where it needs care."""
    if not reading.source.repeatable:
        stream = io.BytesIO(stream.read())
    careful = _needs_care(reading, stream)
    return (_careful_xml if careful else _fast_xml)(reading, stream)


def _needs_care(reading: Reading, stream: BinaryIO) -> bool:
    if isinstance(stream, io.BytesIO):
        start = stream.tell()
        careful = needs_care(stream)
        stream.seek(start)
        return careful
    with reading.source.open() as ahead:
        return needs_care(ahead)


def _careful_xml(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    def refuse(line: int, why: str) -> None:
        reading.problems.report(_placed(reading, line, why))

    plain = PlainXml(stream, refuse)
    yield from _parsed(reading, parser_of(reading, cast(BinaryIO, Blocks(plain.blocks()))))
    reading.prefixes.update(plain.prefixes)


def _fast_xml(reading: Reading, stream: BinaryIO) -> Iterator[Columns]:
    witness = XmlWitness(stream)
    try:
        yield from _parsed(reading, parser_of(reading, cast(BinaryIO, witness)))
    except DataSyntaxError as error:
        raise _ill_formed(reading, witness.read_on()) or error from None
    ill_formed = _ill_formed(reading, witness)
    if ill_formed is not None and reading.problems.count == 0:
        reading.problems.report(ill_formed)
    reading.prefixes.update(witness.prefixes)


def _ill_formed(reading: Reading, witness: XmlWitness) -> DataSyntaxError | None:
    """The problem seen by the witness, with its line. The parser does not know the line."""
    if witness.problem is None:
        return None
    return _placed(reading, *witness.problem)


def _placed(reading: Reading, line: int, why: str) -> DataSyntaxError:
    return DataSyntaxError(reading.source.name, line, reading.source.line(line), why)


def _parsed(reading: Reading, parser: ox.QuadParser) -> Iterator[Columns]:
    encode = encode_leniently if reading.problems.lenient else encode_document
    return encode(reading, parser)
