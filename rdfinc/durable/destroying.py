"""Removing a durable knowledge base."""

from __future__ import annotations

import os
from pathlib import Path

from rdfinc.durable import old_format
from rdfinc.durable.directory_files import Directory
from rdfinc.durable.disk_errors import telling_refusals
from rdfinc.durable.founding import holds_ours
from rdfinc.durable.generations import is_ours
from rdfinc.durable.locks import NAME as LOCK
from rdfinc.durable.locks import WriterLock
from rdfinc.durable.manifest import CURRENT


def destroy(path: str | os.PathLike[str]) -> None:
    """Removes what is kept in a directory, and the directory if nothing else is in it; what is not
    ours stays. A symbolic link goes with the directory that it leads to. Raises LockedError while
    it is open somewhere."""
    place = Path(path)
    with telling_refusals("run as its owner"):
        if place.is_dir() and holds_ours(place):
            _destroy(place.resolve())
            if place.is_symlink() and not place.exists():
                place.unlink()


def _destroy(place: Path) -> None:
    lock = WriterLock(place)
    try:
        (place / CURRENT).unlink(missing_ok=True)
        Directory(place).sync_names()  # from here on there is nothing to open
        for name in filter(is_ours, os.listdir(place)):
            (place / name).unlink()
        old_format.remove(place)
        Directory(place).sync_names()
        (place / LOCK).unlink()
    finally:
        lock.release()
    if not any(place.iterdir()):
        place.rmdir()
