"""The first files of a directory: a checkpoint, and a journal without records."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

from msgspec.structs import replace

from rdfinc.durable import old_format
from rdfinc.durable.checkpoint import Pinned, write_checkpoint
from rdfinc.durable.damage import Damage
from rdfinc.durable.directory_files import Files
from rdfinc.durable.frames import read_frames
from rdfinc.durable.generations import is_ours, numbered
from rdfinc.durable.journal import Journal, journal_name
from rdfinc.durable.locks import NAME as LOCK
from rdfinc.durable.manifest import CURRENT, Manifest, publish

EMPTY, FILLED = 1, 2
"""The first generations of what holds nothing that is not elsewhere, and of what does: so a
beginning that was cut short is told from a knowledge base of which a file is missing."""


def begin_directory(files: Files, pinned: Pinned, generation: int) -> None:
    """Writes what was pinned, without the records that led to it. Raises OSError."""
    identity = uuid.uuid4().hex
    empty = Manifest(identity, 0, 0, pinned.settings, {}, {}, "", {}, {}, [], "", [])
    Journal.begun(files, generation, identity, 0).close()
    publish(files, write_checkpoint(files, generation, empty, replace(pinned, through=0)))


def is_cut_short(files: Files) -> bool:
    """Whether files without a CURRENT are at most the beginning of one that holds nothing yet, or
    nothing but what stands beside them."""
    if any(number != EMPTY for _, number in numbered(files)):
        return False
    name = journal_name(EMPTY)
    content = files.read(name) if name in files.names() else b""
    try:
        return len(list(read_frames(memoryview(content), 0))) < 2  # the first is no record
    except Damage:
        return False


def holds_ours(place: Path) -> bool:
    """Whether a directory holds a knowledge base, or the beginning or the rest of one."""
    return are_ours({*os.listdir(place)})


def are_ours(names: set[str]) -> bool:
    """Whether the names in a directory are those of a knowledge base, and not just like ours: other
    stores have a CURRENT or a LOCK as well."""
    if old_format.FILE in names:
        return True
    numbered = [name for name in names if is_ours(name) and "-" in name]
    return bool(numbered) and not names.isdisjoint((CURRENT, LOCK))
