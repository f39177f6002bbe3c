"""`rdfinc.open`: from a directory to a knowledge base that keeps its changes there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct

from rdfinc.durable import old_format
from rdfinc.durable.checkpoint import Pinned, read_knowledge_base
from rdfinc.durable.closure_folders import holds_closure, taken_in
from rdfinc.durable.damage import Damage, telling_damage
from rdfinc.durable.directory_files import Directory, Files
from rdfinc.durable.disk_errors import telling_refusals, with_advice
from rdfinc.durable.durability import Durability
from rdfinc.durable.founding import EMPTY, FILLED, are_ours, begin_directory, is_cut_short
from rdfinc.durable.generations import is_ours, remove_old
from rdfinc.durable.journal import Journal, ReadJournal, journal_name, read_journals
from rdfinc.durable.locks import NAME as LOCK
from rdfinc.durable.locks import WriterLock
from rdfinc.durable.manifest import CURRENT, Manifest, current_generation, read_manifest
from rdfinc.durable.record import Record
from rdfinc.durable.segments import SegmentReader
from rdfinc.durable.term_blocks import dictionary_of
from rdfinc.errors import CorruptedError, VersionError, ViolationError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.loading import CLOSURE, MANIFEST
from rdfinc.knowledge_base.process.collector import without_collector
from rdfinc.knowledge_base.process.memory import give_back_all
from rdfinc.terms.dictionary import Dictionary, Ids, Position

DURABILITIES = ("commit", "interval")


class Opened(Struct):
    """What a directory holds: its checkpoint, its journals, and the knowledge base of both. The
    ids since `position` were given while it was opened; no file has them."""

    manifest: Manifest
    journals: list[ReadJournal]
    kb: KnowledgeBase
    position: Position


def open_to_write(
    path: str | os.PathLike[str],
    create: bool,
    durability: str,
    options: Mapping[str, Any],
    into: KnowledgeBase | None = None,
) -> KnowledgeBase:
    """The knowledge base of a directory, the only one that changes it; `into` becomes it, if
    given."""
    if durability not in DURABILITIES:
        there = ", ".join(map(repr, DURABILITIES))
        raise ValueError(f"durability={durability!r} is not available; there are {there}")
    _refuse_uri(path)
    place = Path(path).absolute()
    with telling_refusals("open it with read_only=True"):
        _prepare(place, create=create)
        lock = WriterLock(place)
        try:
            return begin(str(place), Directory(place), lock, durability, options, place, into)
        except BaseException:
            lock.release()
            raise


def begin(
    place: str,
    files: Files,
    lock: WriterLock,
    durability: str,
    options: Mapping[str, Any],
    old: Path | None = None,
    into: KnowledgeBase | None = None,
) -> KnowledgeBase:
    """The knowledge base of some files, which are made if there are none, perhaps of a zip of
    `old`."""
    if CURRENT not in files.names():
        _begun(place, files, options, old)
    opened = read(place, files, options)
    journal = _resumed(place, files, opened.journals[-1])
    remove_old(files, opened.manifest)
    kb, in_groups = opened.kb, durability == "interval"
    if into is not None:
        into.become(kb)
        kb = into
    log = Durability(
        place, files, lock, kb, opened.manifest, journal, opened.position, in_groups=in_groups
    )
    kb.last(log)
    kb.plan()
    if kb.settings != opened.manifest.settings:
        _keep_settings(log)
    return kb


def _resumed(place: str, files: Files, read: ReadJournal) -> Journal:
    """The journal, to be written on. Raises OSError."""
    try:
        journal = Journal.resumed(files, read)
        files.sync_names()  # a process that was killed may not have come to that
    except OSError as error:
        what, then = f"{place}: the journal cannot be written", "open it again, or read_only=True"
        raise with_advice(error, what, "but nothing is lost", then) from error
    return journal


def _keep_settings(log: Durability) -> None:
    """Other settings are in force before the first change that is made under them."""
    try:
        log.checkpoint()
    except BaseException:
        log.let_go()
        raise


def read(place: str, files: Files, options: Mapping[str, Any]) -> Opened:
    """What some files hold. Raises CorruptedError, VersionError, FileNotFoundError."""
    try:
        with telling_damage(place), without_collector():
            return _read(place, files, options)
    except VersionError as error:
        raise VersionError(f"{place}: {error}") from error


def _read(place: str, files: Files, options: Mapping[str, Any]) -> Opened:
    manifest = read_manifest(files, current_generation(files))
    blocks = SegmentReader(files, manifest.blocks)
    journals = read_journals(files, manifest.generation, manifest.identity, manifest.through)
    if not journals or journals[0].generation != manifest.generation:
        raise Damage(f"{journal_name(manifest.generation)} is missing")
    records = [Record.from_bytes(content) for one in journals for content in one.records]
    dictionary = dictionary_of(manifest.dictionary, blocks.get, place)
    lost = restore_terms(dictionary, records)
    position = dictionary.position
    settings = {**manifest.settings, **options}
    kb = read_knowledge_base(manifest, blocks, dictionary, settings)
    if lost.size:
        kb.forget(lost)
    replay(kb, records)
    if kb.on_violation == "raise" != manifest.settings["on_violation"]:
        _refuse_violations(kb)
    return Opened(manifest, journals, kb, position)


def _refuse_violations(kb: KnowledgeBase) -> None:
    if found := kb.violations():
        raise ViolationError(found)


def restore_terms(dictionary: Dictionary, records: list[Record]) -> Ids:
    """Gives the terms of records their ids; returns those that terms of no use have lost."""
    if not records:
        return np.zeros(0, np.uint32)
    ids = [id for record in records for id in record.ids.tolist()]
    terms = [term for record in records for term in record.terms]
    return dictionary.restore(ids, terms, records[-1].scopes, records[-1].blanks)


def replay(kb: KnowledgeBase, records: list[Record]) -> None:
    """Makes the changes of records, whose terms are known, as one.

    Violations are not refused, and no term is forgotten: later records know it by its id.
    """
    changes = [change for record in records for change in record.changes]
    if changes:
        with kb._turns, kb._lock:
            kb._made(changes)
            kb._turns.compare()
    for record in records:
        if record.prefixes is not None:
            kb.namespaces.clear()
            kb.namespaces.update(record.prefixes)
        if record.notes is not None:
            kb.notes = record.notes


def _begun(place: str, files: Files, options: Mapping[str, Any], old: Path | None) -> None:
    """Makes the files of a new knowledge base, which has what a zip or a closure of old held."""
    is_old = old is not None and (old / old_format.FILE).exists()
    if not is_old and not is_cut_short(files):
        raise CorruptedError(
            f"{place}: {CURRENT} is missing, where other files of a knowledge base are; nothing was"
            " changed. Restore a backup, or `rdfinc.durable.destroy` what is left"
        )
    files.sync_names()  # the lock's name tells later on that what is there is ours
    for name in filter(is_ours, files.names()):
        files.remove(name)
    pinned = Pinned.of(_first(options, old), 0)
    try:
        begin_directory(files, pinned, FILLED if is_old else EMPTY)
    except OSError as error:
        what = f"{place}: no knowledge base could be begun"
        raise with_advice(error, what, "and nothing is kept", "try again") from error
    if old is not None and is_old:
        old_format.remove(old)
    if old is not None and holds_closure(old):
        del pinned
        give_back_all()


def _first(options: Mapping[str, Any], old: Path | None) -> KnowledgeBase:
    """A new knowledge base, of what a directory holds that none of ours has made."""
    if old is not None and holds_closure(old):
        return taken_in(old, options)
    kb = KnowledgeBase(**options)
    if old is not None and (old / old_format.FILE).exists():
        try:
            old_format.take_in(kb, old)
        except Damage as damage:
            raise CorruptedError(f"{old}: {damage}; nothing was changed") from damage
    return kb


def _prepare(path: Path, *, create: bool) -> None:
    """Makes sure that a directory is ours, or makes one. Raises OSError with advice."""
    _refuse_file(path)
    if not path.exists():
        if not create:
            raise FileNotFoundError(
                f"{path}: nothing is there; create=True begins a knowledge base"
            )
        _make(path)
    names = {*os.listdir(path)}  # once: another process may begin one there in this moment
    if not (are_ours(names) or holds_closure(path)):
        _refuse_others(path, names - {LOCK, old_format.LOCK})
    known = (CURRENT, old_format.FILE, CLOSURE)
    if not create and not any((path / name).exists() for name in known):
        raise FileNotFoundError(f"{path}: no knowledge base is there; create=True begins one")


def _refuse_others(path: Path, foreign: set[str]) -> None:
    if MANIFEST in foreign:
        raise FileExistsError(
            f"{path} holds a bulk load without its closure; have Spark make that (`rdfinc"
            " materialise`), or load it into a knowledge base in another directory"
        )
    if foreign:
        raise FileExistsError(f"{path} holds other files ({min(foreign)}); name an empty directory")


def _refuse_uri(path: str | os.PathLike[str]) -> None:
    if not os.fspath(path):
        raise ValueError("the empty path names no directory; '.' is the one that this runs in")
    if "://" in os.fspath(path):
        raise ValueError(
            f"{path} names no directory of this machine, where a knowledge base is kept;"
            " rdfinc.plugins.spark.copy_folder copies a closure to one"
        )


def _refuse_file(path: Path) -> None:
    if path.exists() and not path.is_dir():
        raise NotADirectoryError(
            f"{path} is a file; a knowledge base is kept in a directory: name another"
        )


def _make(path: Path) -> None:
    """Makes a directory whose name is on disk when this returns."""
    _refuse_file(path.parent)
    if not path.parent.exists():
        _make(path.parent)
    path.mkdir(exist_ok=True)
    Directory(path.parent).sync_names()
