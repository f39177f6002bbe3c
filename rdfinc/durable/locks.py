"""The lock of whoever writes a directory: the operating system's, gone with its process."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rdfinc.errors import LockedError

if sys.platform != "win32":
    import fcntl

NAME = "LOCK"


class WriterLock:
    """A directory's lock, held until `release`, or until nothing refers to this any more. A child
    process lets go of it at once, and the parent keeps it."""

    def __init__(self, directory: Path) -> None:
        if sys.platform == "win32":
            raise OSError("durable knowledge bases need POSIX file locks; Windows is not supported")
        self._process, self._directory = os.getpid(), directory
        self._handle: int | None = os.open(directory / NAME, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._handle, 20).decode(errors="replace").strip() or "unknown"
            self.release()
            raise LockedError(
                f"{directory} is open for writing (process {holder}); close it there, or open it"
                " with read_only=True (`rdfinc serve` without --update and files)"
            ) from None
        except OSError as error:
            self.release()
            raise LockedError(
                f"{directory}: its file system has no locks ({error.strerror}), so that two could"
                " write at once; keep it on a local disk, or open it with read_only=True"
            ) from error
        if not _is_at(directory / NAME, self._handle):
            self.release()
            raise LockedError(f"{directory} was removed by another process just now; try again")
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, b"%d" % os.getpid(), 0)

    def require_there(self) -> None:
        """Raises OSError for a directory that was removed meanwhile: what is written to its files
        is gone when they are closed. Cost: a microsecond."""
        if self._handle is not None and not os.fstat(self._handle).st_nlink:
            raise OSError(
                f"{self._directory} was removed while it was open, and what it held with it; what"
                " there is in memory can be written to a file (kb.dump)"
            )

    @property
    def is_elsewhere(self) -> bool:
        """Whether the directory is not at its path any more: what is there now is another's."""
        return self._handle is not None and not _is_at(self._directory / NAME, self._handle)

    def require_at_its_place(self) -> None:
        """Raises OSError for a directory that was removed or moved meanwhile."""
        self.require_there()
        if self.is_elsewhere:
            raise OSError(
                f"{self._directory} was moved while it was open; close it, and open it where it is"
            )

    def release(self) -> None:
        handle, self._handle = self._handle, None
        if handle is not None:
            if os.getpid() == self._process:  # a child that was forked just now may have it still
                fcntl.flock(handle, fcntl.LOCK_UN)
            os.close(handle)

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self.release()


def _is_at(path: Path, handle: int) -> bool:
    """Whether a path names the file of a handle: who held the lock may have removed that."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle))
    except (FileNotFoundError, NotADirectoryError):
        return False
