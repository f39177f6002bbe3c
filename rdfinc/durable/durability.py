"""Durability: what makes the changes of one knowledge base last.

A change is maintained, written to the journal, and then published. `Durability` is what the
knowledge base calls at these moments; see `rdfinc.knowledge_base.updates.change_log`. Checkpoints
are written beside changes: what there is is pinned under the lock of the knowledge base, the
journal goes on in another file, and the lock is taken again when the checkpoint holds."""

from __future__ import annotations

import os
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NoReturn

from rdfinc.durable.checkpoint import Pinned, write_checkpoint
from rdfinc.durable.copy_places import refuse_inside
from rdfinc.durable.damage import telling_damage
from rdfinc.durable.directory_files import Directory, Files
from rdfinc.durable.disk_errors import with_advice
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.founding import FILLED, begin_directory
from rdfinc.durable.generations import next_generation, remove_old
from rdfinc.durable.group_sync import GroupSync
from rdfinc.durable.history import changes_since
from rdfinc.durable.journal import Journal
from rdfinc.durable.locks import WriterLock
from rdfinc.durable.manifest import Manifest, publish
from rdfinc.durable.record import Record
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.process.interrupts import Uninterrupted
from rdfinc.knowledge_base.updates.change_log import StepStart
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.terms.dictionary import Position


class Durability:
    """The journal and the checkpoints of a knowledge base in one directory.

    In an open step, which may be inside another, changes are collected; the end of the outermost
    makes them one record. An error of the operating system while the journal is written ends the
    use of the knowledge base: whether the change is on disk is then unknown.

    One checkpoint is written at a time, by whoever holds `alone`; that is never waited for under
    the lock of the knowledge base. Who has given the directory up replaces nothing there any more:
    `_replacing` is held for either.
    """

    def __init__(
        self,
        place: str,
        files: Files,
        lock: WriterLock,
        kb: KnowledgeBase,
        manifest: Manifest,
        journal: Journal,
        position: Position,
        *,
        in_groups: bool,
    ) -> None:
        self.place = place
        self._files, self._lock, self._kb = files, lock, kb
        self._manifest, self._journal = manifest, journal
        self._sync = GroupSync(DURABLE.sync_interval_seconds, self._fail) if in_groups else None
        self._changes: list[Change] = []
        self._depth = 0
        self._position, self._has_failed, self._has_ended = position, False, False
        self._prefixes, self._noted = dict(kb.namespaces), kb.notes
        self._spent = self._written_in = 0.0
        self.alone, self._replacing = threading.Lock(), threading.RLock()

    # -- records

    def record(self, change: Change) -> None:
        """Puts a change into the journal, or beside the others of an open step. Raises OSError."""
        self._lock.require_there()
        self._changes.append(change)
        if not self._depth:
            self._write()

    @property
    def step_start(self) -> StepStart:
        """Where the next step begins."""
        return self._depth, len(self._changes)

    def begin(self) -> None:
        """Begins a step."""
        self._depth += 1

    def end(self) -> None:
        """Ends a step. Raises OSError."""
        if self._depth == 1 and (self._changes or self._has_new_texts()):
            self._write()
        self._depth -= 1

    def abandon(self, step_start: StepStart) -> None:
        """Ends a step of which nothing is left."""
        self._depth, changes = step_start
        del self._changes[changes:]

    def catch_up(self) -> None:
        """Puts prefixes, notes and terms into the journal that are not there yet."""
        if not self._depth and (self._has_new_texts() or self._has_new_ids()):
            self._write()

    def _write(self) -> None:
        """Puts the collected changes into the journal as one record, on disk when this returns, or
        soon."""
        start = time.perf_counter()
        try:
            record, position = self._record()
            payload = record.to_bytes()
            self._refuse_when_over()
            self._lock.require_there()
            self._journal.append(payload)
            if self._sync is None:
                self._journal.sync()
            else:
                self._sync.later(self._journal)
            self._position, self._changes = position, []
            if record.prefixes is not None and record.notes is not None:
                self._prefixes, self._noted = record.prefixes, record.notes
        except OSError as error:
            raise self._fail(error) from error
        except BaseException as error:
            self._fail(error)
            raise
        self._spent -= time.perf_counter() - start

    def _record(self) -> tuple[Record, Position]:
        """The record of all that is not in the journal, and the position after its ids."""
        dictionary = self._kb.dictionary
        ids, terms, position = dictionary.news(self._position)
        record = Record(self._changes, ids, terms, *dictionary.given)
        if self._has_new_texts():
            record.prefixes, record.notes = dict(self._kb.namespaces), self._kb.notes
        return record, position

    def _has_new_ids(self) -> bool:
        return self._kb.dictionary.position != self._position

    def _has_new_texts(self) -> bool:
        return self._kb.namespaces != self._prefixes or self._kb.notes != self._noted

    def fail(self, error: BaseException) -> None:
        """Ends the use after a change that may be in the journal, and not in memory."""
        self._end(OSError(f"{self.place}: a change was cut short ({error!r}); open it again"))

    def _fail(self, error: BaseException) -> OSError:
        """Ends the use because the journal could not be written; returns what to tell."""
        told = with_advice(
            error,
            f"{self.place}: the journal could not be written",
            "so whether the last change is on disk is unknown",
            "open it again to see",
        )
        told.__cause__ = error
        self._end(told)
        return told

    def _end(self, told: OSError) -> None:
        def refuse() -> NoReturn:
            raise OSError(*told.args) from told.__cause__

        self._has_failed = True
        if self._sync is not None:
            self._sync.end()
        self._kb.fail(refuse)
        with self._kb._lock, self._replacing:  # whoever is at work has seen that it is over
            self._lock.release()

    def _refuse_when_over(self) -> None:
        if self._has_failed or self._has_ended:
            raise OSError(f"{self.place}: the journal could not be written")

    # -- checkpoints

    def committed(self, seconds: float) -> None:
        """A change was published whose maintenance took so long; a checkpoint is begun if it is
        due, in a thread of its own."""
        self._spent += seconds
        if self._spent < max(DURABLE.least_replay_seconds, self._written_in) or self._depth:
            return
        if not self.alone.locked():
            self._spent = 0.0
            with suppress(RuntimeError):  # no thread begins when Python ends
                threading.Thread(
                    target=self._checkpoint_when_due, name="rdfinc-checkpoint", daemon=True
                ).start()

    def _checkpoint_when_due(self) -> None:
        """Writes a checkpoint that no one waits for. One that cannot be written is a warning: the
        journal has it all."""
        with self.alone:
            if self._has_failed or self._has_ended:
                return
            try:
                self._checkpoint()
            except OSError as error:
                if not (self._has_failed or self._has_ended):
                    warnings.warn(str(error), stacklevel=2)

    def checkpoint(self) -> None:
        """Writes all that there is in a form that opens at once, while changes go on. Raises
        OSError; then the journal still has what the last checkpoint has not."""
        self._refuse_in_step()
        with self.alone:
            with self._kb._turns:  # refuses one that was closed meanwhile
                pass
            self._checkpoint()

    def _checkpoint(self) -> None:
        try:
            self._write_checkpoint()
        except OSError as error:
            if self._has_failed:
                with self._kb._turns:  # refuses, and says why
                    raise
            self._lock.require_at_its_place()
            what = f"{self.place}: no checkpoint could be written"
            outcome = "but nothing is lost, as the journal has it all"
            raise with_advice(error, what, outcome, "try again") from error

    def _write_checkpoint(self) -> None:
        """Pins what there is, writes that, and then forgets what it had a use for before."""
        self._lock.require_at_its_place()
        start, kb, generation = time.perf_counter(), self._kb, next_generation(self._files)
        with kb._turns.quietly, kb._lock:
            self._refuse_when_over()
            self.catch_up()
            self._rotate(generation)
            pinned = Pinned.of(kb, self._journal.number)
            self._spent = 0.0
        manifest = write_checkpoint(self._files, generation, self._manifest, pinned)
        with self._replacing:
            self._refuse_when_over()
            self._lock.require_at_its_place()
            publish(self._files, manifest)
        with kb._turns.quietly, kb._lock:
            self._manifest = manifest
            self._forget_terms()
        with self._replacing:
            self._refuse_when_over()
            self._lock.require_at_its_place()
            remove_old(self._files, manifest)
        self._written_in = time.perf_counter() - start

    def _refuse_in_step(self) -> None:
        with self._kb._turns, self._kb._lock:
            if self._depth:
                raise ValueError(f"{self.place}: a transaction is open; end it before")

    def _forget_terms(self) -> None:
        """Frees ids that nothing mentions, and nothing has mentioned since this was last done. So
        the last checkpoint does not: were they given again while something there mentions them, its
        facts would be of other terms at the next opening."""
        self._refuse_when_over()
        with Uninterrupted():
            self.catch_up()  # ids are told by their position, which is another afterwards
            self._kb.reclaim()
            self._position = self._kb.dictionary.position

    def _rotate(self, generation: int) -> None:
        """Begins the journal of the next generation; the last one is on disk."""
        last, identity = self._journal, self._manifest.identity
        if self._sync is not None:
            self._sure(last.sync)
        self._journal = Journal.begun(self._files, generation, identity, last.number)
        if self._sync is None:
            last.close()
        else:
            self._sure(partial(self._sync.finish, last))

    def _sure(self, sync: Callable[[], None]) -> None:
        """Puts records on disk; an error leaves it unknown which are."""
        try:
            sync()
        except OSError as error:
            raise self._fail(error) from error
        except BaseException as error:
            self._fail(error)
            raise

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Writes what there is now to another directory, which is not inside of this one, while
        changes go on. Raises OSError."""
        self._refuse_in_step()
        place, kb = Path(path), self._kb
        refuse_inside(Path(self.place), place)
        with self.alone:
            with kb._turns, kb._lock:
                pinned = Pinned.of(kb, self._journal.number)
            if place.exists() and (not place.is_dir() or any(place.iterdir())):
                raise FileExistsError(
                    f"{place} is not empty; name another directory for the backup"
                )
            place.mkdir(parents=True, exist_ok=True)
            begin_directory(Directory(place), pinned, FILLED)

    # -- life

    def refresh(self) -> int:
        """The number of the last change; no one else makes any."""
        return self._journal.number

    def changes(self, since: int) -> tuple[int, list[Change]]:
        """The number of the last change, and the changes after number `since`."""
        number = self._journal.number
        with telling_damage(self.place):
            return number, changes_since(self.place, self._files, self._manifest, since, number)

    def close(self) -> None:
        """Writes a checkpoint if there is anything new, and lets others write. Of a directory that
        was moved the journal has it all, which is a warning. Raises OSError."""
        try:
            self.catch_up()
            if self._journal.number > self._manifest.through:
                self._close_with_checkpoint()
        finally:
            self.let_go()

    def _close_with_checkpoint(self) -> None:
        self._lock.require_there()
        if self._lock.is_elsewhere:
            told = f"{self.place} was moved while it was open; its journal went with it"
            warnings.warn(told, stacklevel=2)
        else:
            self._checkpoint()

    def let_go(self) -> None:
        """Ends the use of the files. Raises OSError."""
        with self._replacing:
            self._has_ended = True
        try:
            if self._sync is None:
                self._journal.close()
            else:
                self._sync.end()
                self._sure(partial(self._sync.finish, self._journal))
        finally:
            self._lock.release()

    def disown(self) -> None:
        """Ends the use of the files in a child process, which has no other threads and writes
        nothing."""
        self._journal.close()
        self._lock.release()
