"""Writing RDF in any syntax: quads of keys -> a file or a stream."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, BinaryIO, cast

import pyoxigraph as ox

from rdfinc.terms.io.compression import is_compressed, packed
from rdfinc.terms.io.formats import LINE_FORMATS, format_named, format_of
from rdfinc.terms.io.prefixes import declared
from rdfinc.terms.io.statement_lines import nquads_lines, ntriples_lines
from rdfinc.terms.io.xml.rdf_elements import RDF
from rdfinc.terms.io.xml.xml_terms import TYPING, XmlTerms
from rdfinc.terms.oxigraph_terms import OxigraphTerms

_NOTHING_BESIDE = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)
"""Errors of a directory where a file may be written, and none be made beside it."""

_TYPED = "rdf_"
"""The prefix of `TYPING` in a document."""

Quad = tuple[bytes, bytes, bytes, bytes | None]
"""Keys of subject, predicate, object and graph; None is the default graph."""


def write(
    destination: str | os.PathLike[str] | IO[bytes],
    quads: Iterable[Quad],
    format: str | None = None,
    prefixes: Mapping[str, str] | None = None,
) -> None:
    """Writes all `quads` to a path or an open binary stream.

    `format` is a name, an extension or a media type, and is told by a path's extension otherwise;
    `.gz`, `.bz2`, `.xz` and `.zst` compress, equal contents to equal bytes. Only prefixes in use
    are declared. A file appears when it is complete: until then the old one stays. A syntax without
    graphs gets the statements of all graphs. Only N-Triples and N-Quads can hold all terms, also
    IRIs that are invalid by the standard and can be read by lenient reading only; the other
    syntaxes raise TermError before anything is written. N-Triples and N-Quads also keep the order
    of `quads` and need no memory; the others are sorted first.
    """
    if isinstance(destination, str | os.PathLike):
        path = Path(destination)
        syntax = format_of(path) if format is None else format_named(format)
        with replacing(path) as stream:
            _write(stream, quads, syntax, prefixes or {})
        return
    _require_binary(destination)
    if format is None:
        raise ValueError("a stream has no extension that tells the RDF format; give format=")
    _write(cast(BinaryIO, destination), quads, format_named(format), prefixes or {})


def _require_binary(stream: object) -> None:
    write = getattr(stream, "write", None)
    if not callable(write):
        raise TypeError(
            "facts are written to a path or to a file opened in binary mode ('wb'), not"
            f" {type(stream).__name__} {stream!r}"
        )
    try:
        write(b"")
    except TypeError:
        raise TypeError(f"{stream!r} takes text; open it in binary mode ('wb')") from None


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file; it takes the place of `path` when the block ends well, and vanishes if not. A
    symbolic link stays: what it leads to is replaced. A pipe or a device is written to.

    An OSError names `path`, not the new file.
    """
    target = Path(os.path.realpath(path))
    try:
        with (
            path.open("wb") if _is_no_file(path) else _beside(target) as file,
            packed(file, path) if is_compressed(path) else nullcontext(file) as stream,
        ):
            yield stream
    except OSError as error:
        name = error.filename
        temporary = name is None or Path(name).name.startswith(f".{target.name}.")
        if error.errno is None or not temporary:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from error


def _is_no_file(path: Path) -> bool:
    """Whether it is a pipe or a device: nothing can take its place."""
    return path.is_fifo() or path.is_char_device()


@contextmanager
def _beside(path: Path) -> Iterator[BinaryIO]:
    from tempfile import mkstemp

    try:
        handle, name = mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        if error.errno not in _NOTHING_BESIDE or not os.access(path, os.W_OK):
            raise
        with path.open("wb") as file:
            yield file
        return
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(name, _permissions(path))
        _replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _replace(name: str, path: Path) -> None:
    """Gives a file the name of another one, or its contents where that is mounted by itself."""
    try:
        os.replace(name, path)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        shutil.copyfile(name, path)
        os.unlink(name)


def _permissions(path: Path) -> int:
    """The permissions of the replaced file, or those of new files."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _write(
    stream: BinaryIO, quads: Iterable[Quad], syntax: ox.RdfFormat, prefixes: Mapping[str, str]
) -> None:
    if syntax in LINE_FORMATS:
        lines = nquads_lines if syntax.supports_datasets else ntriples_lines
        stream.writelines(lines(quads))
        return
    if syntax == ox.RdfFormat.RDF_XML:
        _write_xml(stream, quads, prefixes)
        return
    terms = OxigraphTerms()
    statements = terms.quads(quads) if syntax.supports_datasets else terms.triples(quads)
    ox.serialize(statements, stream, syntax, prefixes=declared(prefixes, syntax, terms))


def _write_xml(stream: BinaryIO, quads: Iterable[Quad], prefixes: Mapping[str, str]) -> None:
    terms, syntax = XmlTerms(), ox.RdfFormat.RDF_XML
    statements = terms.triples(quads)
    shown = declared(prefixes, syntax, terms)
    target = _WithReturns(stream)
    if terms.has_typing:
        shown, target = {**shown, _TYPED: TYPING}, _WithTyping(stream)
    ox.serialize(statements, cast(BinaryIO, target), syntax, prefixes=shown)


class _WithReturns:
    """A stream of XML in which carriage returns are written so that readers keep them."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        self._stream.write(bytes(data).replace(b"\r", b"&#13;"))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


class _WithTyping(_WithReturns):
    """A stream of XML in which the namespace `TYPING` is declared to be that of RDF.

    Nothing is passed on before that: it is declared ahead of all statements.
    """

    def __init__(self, stream: BinaryIO) -> None:
        super().__init__(stream)
        self._head: bytes | None = b""

    def write(self, data: bytes) -> int:
        if self._head is None:
            return super().write(data)
        self._head += data
        before, mark, rest = self._head.partition(f'"{TYPING}"'.encode())
        if mark:
            self._head = None
            super().write(before + f'"{RDF}"'.encode() + rest)
        return len(data)
