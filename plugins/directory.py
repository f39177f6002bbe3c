"""A knowledge base saved in a directory: what `Graph.open`, `commit` and `destroy` work on.

The directory holds one zip file with the explicit statements (N-Quads), the user's rules (.dlog)
and the prefixes (one `prefix IRI` a line). The closure is not saved: it is derived again.
"""

from __future__ import annotations

import io
import os
import zipfile
import zlib
from pathlib import Path

import pyoxigraph as ox
from rdflib.store import CORRUPTED_STORE, NO_STORE, VALID_STORE

from rdfinc import KnowledgeBase, RdfincError

FILE = "knowledge-base.zip"
_STATEMENTS, _RULES, _PREFIXES = "statements.nq", "rules.dlog", "prefixes.txt"
_DAMAGE = (zipfile.BadZipFile, zlib.error, KeyError, ValueError, SyntaxError, RdfincError)


class Directory:
    """One place on disk. A save is all or nothing, whenever the process ends."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._file = self._path / FILE

    def open(self, kb: KnowledgeBase, create: bool) -> int:
        """Adds what is saved to `kb`: VALID_STORE, or why not: NO_STORE, CORRUPTED_STORE.

        With `create`, a directory that is missing or holds nothing of ours is as good as an empty
        knowledge base.
        """
        if not self._file.exists():
            if create:
                self._path.mkdir(parents=True, exist_ok=True)
            return VALID_STORE if create else NO_STORE
        try:
            self._read(kb)
        except _DAMAGE:
            return CORRUPTED_STORE
        return VALID_STORE

    def _read(self, kb: KnowledgeBase) -> None:
        with zipfile.ZipFile(self._file) as saved:
            texts = {name: saved.read(name) for name in (_STATEMENTS, _RULES, _PREFIXES)}
        quads = ox.parse(texts[_STATEMENTS], format=ox.RdfFormat.N_QUADS, lenient=True)
        statements = [(q.subject, q.predicate, q.object, q.graph_name) for q in quads]
        for line in texts[_PREFIXES].decode().splitlines():
            prefix, _, namespace = line.partition(" ")
            kb.bind(prefix, namespace)
        kb.add_rules(texts[_RULES].decode())
        kb.update(insert=statements)

    def save(self, kb: KnowledgeBase) -> None:
        """Returns when the explicit statements, rules and prefixes of `kb` are on disk."""
        aside = self._file.with_suffix(".new")
        with aside.open("wb") as stream:
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as saved:
                statements = io.BytesIO()
                kb.dump(statements, what="explicit", format="nq")
                saved.writestr(_STATEMENTS, statements.getvalue())
                saved.writestr(_RULES, str(kb.program))
                lines = [f"{prefix} {namespace}\n" for prefix, namespace in kb.namespaces.items()]
                saved.writestr(_PREFIXES, "".join(lines))
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(self._file)

    def destroy(self) -> None:
        """Removes what is saved, and the directory if nothing else is in it."""
        self._file.unlink(missing_ok=True)
        if self._path.is_dir() and not any(self._path.iterdir()):
            self._path.rmdir()
