"""A knowledge base saved in a directory: what `Graph.open`, `commit` and `destroy` work on.

The directory holds one zip file with the explicit statements (N-Quads), the user's rules (.dlog)
and the prefixes (one `prefix IRI` a line). The closure is not saved: it is derived again.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pyoxigraph as ox
from rdflib.store import CORRUPTED_STORE, NO_STORE, VALID_STORE

from rdfinc import KnowledgeBase, RdfincError
from rdfinc.datalog.model import Rule
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.knowledge_base.streams.input_facts import Statements, statements
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.plugins.rdflib.file_lock import locked
from rdfinc.terms.grammar import unescape
from rdfinc.terms.io.statement_lines import escaped_iri

FILE, LOCK = "knowledge-base.zip", "knowledge-base.lock"
_STATEMENTS, _RULES, _PREFIXES = "statements.nq", "rules.dlog", "prefixes.txt"
_NAMED = 32
"""The last bytes of the file tell each save from all others: the zip's comment, made by chance."""


class DamagedError(Exception):
    """A file that is not what was saved."""


class _Saved(NamedTuple):
    prefixes: dict[str, str]
    rules: list[Rule]
    statements: Statements


class Directory:
    """One place on disk. A save is all or nothing, whenever the process ends; it takes the place of
    nothing but what this object has read or saved itself, whose name is `_known`."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._file, self._lock = self._path / FILE, self._path / LOCK
        self._aside = self._file.with_suffix(".new")
        self._known: bytes | None = None

    def open(self, kb: KnowledgeBase, create: bool) -> int:
        """Adds what is saved to `kb`: VALID_STORE, or why not: NO_STORE, CORRUPTED_STORE.

        With `create`, a directory that is missing or holds nothing of ours is as good as an empty
        knowledge base. Raises NotADirectoryError, and what `kb` raises if it refuses what is saved;
        then nothing is added.
        """
        if not self._file.exists():
            if create:
                self._make()
            return VALID_STORE if create else NO_STORE
        content = self._file.read_bytes()
        with kb._turns, kb._lock:
            try:
                saved = _read(content, kb)
            except DamagedError:
                return CORRUPTED_STORE
            new = kb._engine.rules.new(saved.rules)
            kb._apply(Change(insert=saved.statements, rules_added=new))
            kb.namespaces.update(saved.prefixes)
        self._known = content[-_NAMED:]
        return VALID_STORE

    def _make(self) -> None:
        if self._path.exists() and not self._path.is_dir():
            raise NotADirectoryError(
                f"{self._path} is a file; a knowledge base is saved in a directory: name another"
            )
        self._path.mkdir(parents=True, exist_ok=True)

    def save(self, kb: KnowledgeBase) -> None:
        """Returns when the explicit statements, rules and prefixes of `kb` are on disk.

        Raises OSError if something else was saved here since this was opened or last saved; then
        that stays.
        """
        with locked(self._lock):
            if self._latest() not in (self._known, None):
                raise OSError(
                    f"{self._path}: someone else has saved there since it was opened, and that"
                    " stays; open it with a new Graph, make your changes again and commit"
                    " (serialize or KnowledgeBase.dump keep what this one holds)"
                )
            name = os.urandom(_NAMED // 2).hex().encode()
            try:
                self._write(_packed(kb, name))
            except BaseException:
                self._aside.unlink(missing_ok=True)
                raise
            self._known = name

    def _latest(self) -> bytes | None:
        """The name of the latest save; None where there is none."""
        try:
            with self._file.open("rb") as stream:
                stream.seek(max(0, stream.seek(0, os.SEEK_END) - _NAMED))
                return stream.read()
        except FileNotFoundError:
            return None

    def _write(self, content: bytes) -> None:
        with self._aside.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        self._aside.replace(self._file)
        _sync(self._path)

    def destroy(self) -> None:
        """Removes what is saved, and the directory if nothing else is in it."""
        if not self._path.is_dir():
            return
        with locked(self._lock):
            self._file.unlink(missing_ok=True)
            self._aside.unlink(missing_ok=True)
            if os.name == "posix":
                self._lock.unlink()
        if os.name != "posix":  # what is open stays there
            self._lock.unlink(missing_ok=True)
        if not any(self._path.iterdir()):
            self._path.rmdir()


def _sync(directory: Path) -> None:
    """Returns when the names in a directory are on disk, where directories can be opened."""
    if os.name != "posix":
        return
    handle = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _packed(kb: KnowledgeBase, name: bytes) -> bytes:
    """The zip file for what a knowledge base states."""
    quads = io.BytesIO()
    content = io.BytesIO()
    kb.dump(quads, what="explicit", format="nq")
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(_STATEMENTS, quads.getvalue())
        packed.writestr(_RULES, str(kb.program))
        packed.writestr(_PREFIXES, _prefix_lines(kb.namespaces))
        packed.comment = name
    return content.getvalue()


def _prefix_lines(prefixes: Mapping[str, str]) -> bytes:
    return b"".join(
        b"%b %b\n" % (prefix.encode(), escaped_iri(b"<%b>" % iri.encode())[1:-1])
        for prefix, iri in dict(prefixes).items()
    )


def _read(content: bytes, kb: KnowledgeBase) -> _Saved:
    """What was saved, its terms known to `kb`. Raises DamagedError."""
    texts = _unpacked(content)
    try:
        quads = ox.parse(texts[_STATEMENTS], format=ox.RdfFormat.N_QUADS, lenient=True)
        prefixes: dict[str, str] = {}
        for line in texts[_PREFIXES].decode().split("\n")[:-1]:
            prefix, _, namespace = line.partition(" ")
            prefixes[prefix] = unescape(namespace)
        rules = rules_of(texts[_RULES].decode(), {})
        facts = ((q.subject, q.predicate, q.object, q.graph_name) for q in quads)
        return _Saved(prefixes, rules, statements(facts, kb.dictionary.encode)[0])
    except (ValueError, SyntaxError, RdfincError) as error:
        raise DamagedError from error


def _unpacked(content: bytes) -> dict[str, bytes]:
    """The files of a zip, by name."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            if any(file.compress_type != zipfile.ZIP_DEFLATED for file in packed.infolist()):
                raise DamagedError
            return {name: packed.read(name) for name in (_STATEMENTS, _RULES, _PREFIXES)}
    except MemoryError:
        raise
    except Exception as error:  # of a damaged file zipfile raises almost anything
        raise DamagedError from error
