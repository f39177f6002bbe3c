"""A disk in memory that fails at a chosen operation and then keeps what no one has synced by
chance: whole, in part, torn at 512 bytes, or not at all."""

from __future__ import annotations

import random
import threading

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
    """Implements `rdfinc.durable.files.Files`; the power goes at operation `fails_at`."""

    def __init__(self, files: dict[str, File] | None = None, fails_at: int = -1) -> None:
        self.files = files or {}
        self.synced_names = dict(self.files)
        self.unsynced: list[tuple[str, str, File | None]] = []
        self.operations, self.fails_at = 0, fails_at
        self._lock = threading.Lock()

    def _step(self) -> None:
        with self._lock:
            if self.operations == self.fails_at:
                raise PowerLossError
            self.operations += 1

    @property
    def has_failed(self) -> bool:
        return self.operations == self.fails_at

    def after_kill(self) -> UnsureDisk:
        """What is found when the process was killed and the power stayed."""
        disk = UnsureDisk(self.files)
        disk.synced_names, disk.unsynced = self.synced_names, self.unsynced
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
        self._step()
        if name in self.files:
            raise FileExistsError(name)
        file = self.files[name] = File()
        self.unsynced.append(("", name, file))
        return Growing(self, file)

    def extend(self, name: str, size: int) -> Growing:
        self._step()
        file = self.files[name]
        del file.content[size:]
        return Growing(self, file)

    def replace(self, old: str, new: str) -> None:
        self._step()
        file = self.files[new] = self.files.pop(old)
        self.unsynced.append((old, new, file))

    def remove(self, name: str) -> None:
        self._step()
        del self.files[name]
        self.unsynced.append((name, "", None))

    def sync_names(self) -> None:
        self._step()
        self.synced_names, self.unsynced = dict(self.files), []


class Growing:
    """Implements `rdfinc.durable.files.GrowingFile`."""

    def __init__(self, disk: UnsureDisk, file: File) -> None:
        self._disk, self._file = disk, file

    def append(self, content: bytes | memoryview) -> None:
        self._file.content += bytes(content)
        self._disk._step()

    def sync(self) -> None:
        self._disk._step()
        self._file.synced = bytes(self._file.content)

    def close(self) -> None:
        pass


class NoLock:
    """Stands for the lock of a disk that no one else has."""

    def release(self) -> None:
        pass
