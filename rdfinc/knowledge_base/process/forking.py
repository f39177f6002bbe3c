"""A child process that is forked while another thread is at work has whole knowledge bases.

A fork waits for commits, and for whoever numbers terms, never for an update. In the child the
threads that held the locks are gone: their updates are given up there, as if interrupted.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from functools import cached_property
from typing import Any, Protocol
from weakref import WeakSet

COMMITTING = threading.RLock()
"""Held while versions of any knowledge base are replaced."""


class Forked(Protocol):
    """Something with locks that are held for a short time, and may have lost a thread."""

    def short_locks(self) -> list[Any]: ...
    def recover(self) -> None:
        """Gives up, in a child process, what other threads were at."""


_alive: WeakSet[Forked] = WeakSet()
_held: list[Any] = []


def enrol(one: Forked) -> None:
    """From now on a child process has it whole, too."""
    _alive.add(one)


def is_abandoned(lock: Any) -> bool:
    """Whether, in a child process, a thread that is gone holds a reentrant lock."""
    if not lock.acquire(blocking=False):
        return True
    lock.release()
    return False


def _before() -> None:
    COMMITTING.acquire()
    for one in list(_alive):
        for lock in one.short_locks():
            lock.acquire()
            _held.append(lock)


def _release() -> None:
    while _held:
        _held.pop().release()
    COMMITTING.release()


def _in_child() -> None:
    _release()
    _renew_locks_of_properties()
    for one in list(_alive):
        one.recover()


def _renew_locks_of_properties() -> None:
    """Up to Python 3.11, what computes a cached property holds a lock of the class."""
    modules = [module for name, module in sys.modules.items() if name.startswith("rdfinc")]
    for owner in [each for module in modules for each in vars(module).values()]:
        if isinstance(owner, type):
            for kept in vars(owner).values():
                if isinstance(kept, cached_property) and hasattr(kept, "lock"):
                    kept.lock = threading.RLock()


def _register(at_fork: Callable[..., None]) -> None:
    at_fork(before=_before, after_in_parent=_release, after_in_child=_in_child)


if hasattr(os, "register_at_fork"):
    _register(os.register_at_fork)
