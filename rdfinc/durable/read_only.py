"""Knowledge bases that are only read here, while another process may write them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from rdfinc.durable.closure_folders import holds_closure
from rdfinc.durable.damage import Damage, telling_damage
from rdfinc.durable.directory_files import Directory
from rdfinc.durable.disk_errors import telling_refusals
from rdfinc.durable.history import changes_since
from rdfinc.durable.journal import ReadJournal, read_journals
from rdfinc.durable.manifest import CURRENT, current_generation, read_manifest
from rdfinc.durable.opening import Opened, read, replay, restore_terms
from rdfinc.durable.record import Record
from rdfinc.errors import LockedError
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.updates.change_log import StepStart
from rdfinc.knowledge_base.versions.change import Change

T = TypeVar("T")
TRIES = 20
"""How often a checkpoint is looked for that is not replaced while it is read."""


def open_to_read(path: str | os.PathLike[str], options: Mapping[str, Any]) -> KnowledgeBase:
    """The knowledge base of a directory as it is now; it locks nothing and writes nothing."""
    place = Path(path).absolute()
    with telling_refusals("run as who may read it"):
        if not (place / CURRENT).exists():
            raise FileNotFoundError(f"{place}: no knowledge base is there to be read{_yet(place)}")
        reading = ReadOnly(place, options)
    reading.kb.last(reading)
    return reading.kb


def _yet(place: Path) -> str:
    """What is to be done where a closure waits for somebody who writes there."""
    return "; open the closure there once without read_only" if holds_closure(place) else ""


class ReadOnly:
    """A knowledge base that takes in what another process has written, when `refresh` is called.

    Terms that are looked up or computed here get ids of their own, which the writer may give to
    others: then all is read again, from the checkpoint on.
    """

    def __init__(self, place: Path, options: Mapping[str, Any]) -> None:
        self.place, self._files, self._options = str(place), Directory(place), options
        self.alone = threading.Lock()
        opened = self._steadily(self._read)
        self.kb = opened.kb
        self._follow(opened)

    def _read(self) -> Opened:
        return read(self.place, self._files, self._options)

    def _steadily(self, look: Callable[[], T]) -> T:
        """What is found in files that are not replaced meanwhile."""
        for _ in range(TRIES):
            current = self._files.read(CURRENT)
            try:
                return look()
            except OSError:
                if self._files.read(CURRENT) == current:
                    raise
        raise LockedError(f"{self.place} is replaced faster than it can be read; try again")

    def _follow(self, opened: Opened) -> None:
        self._identity = opened.manifest.identity
        self._journal = opened.journals[-1]
        self._position = opened.position

    def refresh(self) -> int:
        """Takes in what was written since; returns the number of the last change."""
        later = self._later()
        if later is None or self.kb.dictionary.position != self._position:
            opened = self._steadily(self._read)
            self.kb.become(opened.kb)
            self._follow(opened)
        elif any(one.records for one in later):
            self._take_in(later)
        return self._journal.number

    def _later(self) -> list[ReadJournal] | None:
        """The journals from the one that was read last on, with what came since; None if they are
        gone."""
        last = self._journal
        try:
            journals = read_journals(self._files, last.generation, self._identity, last.first)
        except (FileNotFoundError, Damage):
            return None
        if not journals or journals[0].generation != last.generation:
            return None
        journals[0].records = journals[0].records[last.number - last.first :]
        return journals

    def _take_in(self, journals: list[ReadJournal]) -> None:
        records = [Record.from_bytes(content) for one in journals for content in one.records]
        lost = restore_terms(self.kb.dictionary, records)
        position = self.kb.dictionary.position
        if lost.size:
            self.kb.forget(lost)
        with self.kb.unrecorded():
            replay(self.kb, records)
        self._journal = journals[-1]
        self._position = position

    def changes(self, since: int) -> tuple[int, list[Change]]:
        """The number of the last change taken in, and the changes after number `since`."""
        number = self._journal.number
        return number, self._steadily(partial(self._changes, since, number))

    def _changes(self, since: int, number: int) -> list[Change]:
        with telling_damage(self.place):
            manifest = read_manifest(self._files, current_generation(self._files))
            return changes_since(self.place, self._files, manifest, since, number)

    # -- what would change it

    def record(self, change: Change) -> NoReturn:
        raise LockedError(
            f"{self.place} was opened with read_only=True; open it without to change it"
        )

    @property
    def step_start(self) -> StepStart:
        return 0, 0

    def begin(self) -> None: ...
    def end(self) -> None: ...
    def abandon(self, step_start: StepStart) -> None: ...
    def fail(self, error: BaseException) -> None: ...
    def catch_up(self) -> None: ...
    def committed(self, seconds: float) -> None: ...
    def disown(self) -> None: ...
    def close(self) -> None: ...
    def backup(self, path: str | os.PathLike[str]) -> None:
        raise LockedError(
            f"{self.place} was opened with read_only=True; rdfinc.durable.restore copies it"
        )

    def checkpoint(self) -> None:
        self.record(Change())
