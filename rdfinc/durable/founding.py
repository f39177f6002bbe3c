"""The first files of a directory: a checkpoint, and a journal without records."""

from __future__ import annotations

import os
import uuid
from dataclasses import replace
from pathlib import Path

from rdfinc.durable import old_format
from rdfinc.durable.checkpoint import Pinned, write_checkpoint
from rdfinc.durable.files import Files
from rdfinc.durable.generations import is_ours, next_generation
from rdfinc.durable.journal import Journal
from rdfinc.durable.locks import NAME as LOCK
from rdfinc.durable.manifest import CURRENT, Manifest, publish


def found(files: Files, pinned: Pinned) -> None:
    """Writes what was pinned, without the records that led to it. Raises OSError."""
    identity = uuid.uuid4().hex
    empty = Manifest(identity, 0, 0, pinned.settings, {}, {}, "", {}, {}, [], "", [])
    generation = next_generation(files)
    Journal.begun(files, generation, identity, 0).close()
    publish(files, write_checkpoint(files, generation, empty, replace(pinned, through=0)))


def holds_ours(place: Path) -> bool:
    """Whether a directory holds a knowledge base, or the beginning or the rest of one, and not just
    files whose names are like ours: other stores have a CURRENT or a LOCK as well."""
    names = {*os.listdir(place)}
    if old_format.FILE in names:
        return True
    numbered = [name for name in names if is_ours(name) and "-" in name]
    return bool(numbered) and not names.isdisjoint((CURRENT, LOCK))
