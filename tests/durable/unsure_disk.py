"""A disk in memory that fails at a chosen operation and then keeps what no one has synced by
chance: whole, in part, torn at 512 bytes, or not at all.

An operation is one step under a lock, so that a thread of a process that has failed changes nothing
of what the next one finds.
"""

from __future__ import annotations

import copy
import errno
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECTOR = 512


class PowerLossError(Exception):
    """The operation at which the power goes."""


class File:
    """The bytes of a file, and those of them that are on disk for good."""

    def __init__(self, synced: bytes = b"") -> None:
        self.synced, self.content = synced, bytearray(synced)

    def surviving(self, chance: random.Random) -> bytes:
        """What is found after the power has gone."""
        kept, new = bytes(self.content), len(self.content)
        common = min(len(self.synced), new)
        if kept[:common] != self.synced[:common] or new < len(self.synced):
            return chance.choice((self.synced, kept))  # it was cut
        end = chance.randint(common, new)
        torn = bytearray(kept[: chance.choice((common, end, new, end // SECTOR * SECTOR))])
        torn += kept[len(torn) : common]
        for start in range(common, len(torn), SECTOR):
            if chance.random() < 0.2:  # a sector that was allocated and never written
                torn[start : start + SECTOR] = bytes(len(torn[start : start + SECTOR]))
        return bytes(torn)


class UnsureDisk:
    """Implements `rdfinc.durable.directory_files.Files`; the power goes at operation `fails_at`.
    `meanwhile` is called before each: what others do at that moment."""

    def __init__(self, files: dict[str, File] | None = None, fails_at: int = -1) -> None:
        self.files = files or {}
        self.synced_names = dict(self.files)
        self.unsynced: list[tuple[str, str, File | None]] = []
        self.operations, self.fails_at, self.has_failed = 0, fails_at, False
        self.meanwhile: Callable[[], None] = nothing
        self._lock = threading.Lock()

    @contextmanager
    def operation(self) -> Iterator[None]:
        """One operation, of which nothing happens if the power goes at it or is gone."""
        self.meanwhile()
        with self._lock:
            self._count()
            yield

    @contextmanager
    def write(self) -> Iterator[None]:
        """One operation that may have happened when the power goes at it."""
        self.meanwhile()
        with self._lock:
            if not self.has_failed:
                yield
            self._count()

    def nothing(self) -> None:
        """An operation that does nothing."""
        with self.operation():
            pass

    def _count(self) -> None:
        self.has_failed = self.has_failed or self.operations == self.fails_at
        if self.has_failed:
            raise PowerLossError
        self.operations += 1

    def after_kill(self) -> UnsureDisk:
        """What is found when the process was killed and the power stayed."""
        disk = UnsureDisk()
        disk.files, disk.synced_names, disk.unsynced = copy.deepcopy(
            (self.files, self.synced_names, self.unsynced)
        )
        return disk

    def after_power_loss(self, chance: random.Random) -> UnsureDisk:
        names = dict(self.synced_names)
        for old, new, file in self.unsynced:
            if chance.random() < 0.5:
                names.pop(old, None)
                if new and file:
                    names[new] = file
        return UnsureDisk({name: File(file.surviving(chance)) for name, file in names.items()})

    def names(self) -> list[str]:
        return sorted(self.files)

    def read(self, name: str, start: int = 0) -> bytes:
        if name not in self.files:
            raise FileNotFoundError(name)
        return bytes(self.files[name].content[start:])

    def mapped(self, name: str) -> memoryview:
        return memoryview(bytearray(self.read(name)))

    def create(self, name: str) -> Growing:
        with self.operation():
            if name in self.files:
                raise FileExistsError(name)
            file = self.files[name] = File()
            self.unsynced.append(("", name, file))
        return Growing(self, file)

    def extend(self, name: str, size: int) -> Growing:
        file = self.files[name]
        with self.operation():
            del file.content[size:]
        return Growing(self, file)

    def replace(self, old: str, new: str) -> None:
        with self.operation():
            file = self.files[new] = self.files.pop(old)
            self.unsynced.append((old, new, file))

    def remove(self, name: str) -> None:
        with self.operation():
            del self.files[name]
            self.unsynced.append((name, "", None))

    def sync_names(self) -> None:
        with self.operation():
            self.synced_names, self.unsynced = dict(self.files), []


def nothing() -> None:
    pass


class Growing:
    """Implements `rdfinc.durable.directory_files.GrowingFile`."""

    def __init__(self, disk: UnsureDisk, file: File) -> None:
        self._disk, self._file = disk, file

    def append(self, content: bytes | memoryview) -> None:
        with self._disk.write():
            self._file.content += bytes(content)

    def sync(self) -> None:
        with self._disk.operation():
            self._file.synced = bytes(self._file.content)

    def close(self) -> None:
        pass


class FullDisk(UnsureDisk):
    """A disk that is full from an operation on, until there is `room`: what would make it fuller
    raises, a write after a part of it was made."""

    def __init__(self, fails_at: int, chance: random.Random) -> None:
        super().__init__()
        self.full_at, self.room, self.chance = fails_at, False, chance

    @property
    def is_full(self) -> bool:
        return self.operations > self.full_at and not self.room

    def refuse(self) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def create(self, name: str) -> Growing:
        growing = super().create(name)
        if self.is_full:
            self.refuse()
        return _Filling(self, growing._file)

    def extend(self, name: str, size: int) -> Growing:
        return _Filling(self, super().extend(name, size)._file)


class _Filling(Growing):
    def append(self, content: bytes | memoryview) -> None:
        disk = self._disk
        assert isinstance(disk, FullDisk)
        if not disk.is_full:
            super().append(content)
        else:
            super().append(bytes(content)[: disk.chance.randrange(1 + len(bytes(content)))])
        if disk.is_full:
            disk.refuse()

    def sync(self) -> None:
        super().sync()
        if (
            isinstance(self._disk, FullDisk)
            and self._disk.is_full
            and self._disk.chance.random() < 0.2
        ):
            self._disk.refuse()  # some file systems find room only then


class NoLock:
    """Stands for the lock of a disk that no one else has."""

    is_elsewhere = False

    def require_there(self) -> None:
        pass

    def require_at_its_place(self) -> None:
        pass

    def release(self) -> None:
        pass
