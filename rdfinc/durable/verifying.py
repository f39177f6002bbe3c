"""Whether the directory of a knowledge base is whole, and its copies."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from rdfinc.durable.copy_places import refuse_inside
from rdfinc.durable.damage import Damage
from rdfinc.durable.directory_files import Directory
from rdfinc.durable.disk_errors import telling_refusals
from rdfinc.durable.generations import is_ours
from rdfinc.durable.journal import read_journals
from rdfinc.durable.manifest import CURRENT, current_generation, read_manifest
from rdfinc.durable.opening import read
from rdfinc.durable.read_only import TRIES
from rdfinc.durable.record import Record
from rdfinc.durable.segments import SegmentReader
from rdfinc.errors import CorruptedError, RdfincError
from rdfinc.knowledge_base import KnowledgeBase


def verify(path: str | os.PathLike[str], *, deep: bool = False) -> list[str]:
    """What is wrong with a directory, a line each; nothing if all is well.

    Checksums of all files, records of the journal, order and invariants of all tables; with `deep`
    the closure is derived again from statements and rules, and compared. Changes nothing. Beside a
    writer a checkpoint may be replaced meanwhile; then the next one is looked at. Raises
    FileNotFoundError where no knowledge base is.
    """
    place = Path(path)
    with telling_refusals("run as who may read it"):
        if not (place / CURRENT).exists():
            raise FileNotFoundError(f"{place}: no knowledge base is there")
        files, found = Directory(place), list[str]()
        for _ in range(TRIES):
            current = files.read(CURRENT)
            found = _problems(str(place), files, deep=deep)
            if not found or files.read(CURRENT) == current:
                break
        return found


def _problems(place: str, files: Directory, *, deep: bool) -> list[str]:
    try:
        found = list(_file_problems(files))
        return found or list(_fact_problems(read(place, files, {}).kb, deep=deep))
    except (Damage, RdfincError, FileNotFoundError) as damage:
        return [str(damage)]


def _file_problems(files: Directory) -> Iterator[str]:
    manifest = read_manifest(files, current_generation(files))
    blocks = SegmentReader(files, manifest.blocks)
    for index in range(len(manifest.blocks)):
        try:
            blocks.get(index)
        except Damage as damage:
            yield str(damage)
    for journal in read_journals(files, manifest.generation, manifest.identity, manifest.through):
        for record in journal.records:
            Record.from_bytes(record)


def _fact_problems(kb: KnowledgeBase, *, deep: bool) -> Iterator[str]:
    try:
        kb._check()
    except AssertionError as broken:
        yield f"the tables contradict each other: {broken}"
    if not deep:
        return
    anew = derived_again(kb)
    for name, one, other in (("wrong", kb, anew), ("missing", anew, kb)):
        facts = [fact for fact in one.triples() if fact not in other]
        if facts:
            shown = " ".join(term.n3() for term in facts[0])
            yield f"{len(facts)} facts of the closure are {name}, {shown} among them"


def derived_again(kb: KnowledgeBase) -> KnowledgeBase:
    """A knowledge base in memory with the same statements and rules, whose closure is derived from
    these."""
    anew = KnowledgeBase(**kb.settings)
    with anew.transaction():
        anew.add_rules(kb.program)
        anew.update(insert=(quad for quad in _quads(kb)))
    return anew


def _quads(kb: KnowledgeBase) -> Iterator[tuple[str, ...]]:
    reader, decode = kb.reader(), kb.dictionary.decode
    for graph in (0, *reader.graphs()):
        name = (decode(graph).decode(),) if graph else ()
        for fact in reader.stated(graph).match():
            s, p, o = (decode(id).decode() for id in fact)
            yield (s, p, o, *name)


def restore(backup: str | os.PathLike[str], path: str | os.PathLike[str]) -> None:
    """Copies a directory that is whole to a place elsewhere, where nothing is yet. Raises
    CorruptedError, FileExistsError, and OSError for a place inside of it."""
    source, place = Path(backup), Path(path)
    if problems := verify(source):
        raise CorruptedError(f"{source} is not whole: {problems[0]}")
    refuse_inside(source, place)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileExistsError(f"{place} is not empty; move it away, or name another directory")
    place.mkdir(parents=True, exist_ok=True)
    for name in sorted(filter(is_ours, os.listdir(source)), key=lambda name: name == CURRENT):
        shutil.copyfile(source / name, place / name)
        _synced(place / name)
    Directory(place).sync_names()
    if problems := verify(place):
        raise CorruptedError(f"{source} was written to while it was copied: {problems[0]}")


def _synced(path: Path) -> None:
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())
