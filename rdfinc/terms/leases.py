"""Leases: until when an id that nothing mentions any more cannot be given to another term.

Time is cut into epochs. Whoever keeps ids anywhere but in the tables (a reader, a delta, a query
under way) holds the lease of the epoch in which it got them. The holder of epoch e can know an id
only if that was given by then and could still be looked up; so an id is free when no lease from
its birth to its death is held.
"""

from __future__ import annotations

import weakref

import numpy as np
import numpy.typing as npt

Epochs = npt.NDArray[np.uint32]


class Lease:
    """Ids that could be looked up in an epoch keep their terms while its lease is held."""

    __slots__ = ("__weakref__", "epoch")

    def __init__(self, epoch: int) -> None:
        self.epoch = epoch


class Leases:
    """The lease of the current epoch, which anyone may take, and earlier ones that are held."""

    def __init__(self) -> None:
        self.current = Lease(1)
        self._earlier: list[weakref.ref[Lease]] = []

    def begin(self) -> None:
        """Begins the next epoch. Who has not taken the lease of the last one cannot any more."""
        self._earlier.append(weakref.ref(self.current))
        self.current = Lease(self.current.epoch + 1)

    def over(self, born: Epochs, died: Epochs) -> npt.NDArray[np.bool_]:
        """For each of some ids that died before this epoch, by their first and last one, whether
        no lease between is held."""
        held = [(ref, lease.epoch) for ref in self._earlier if (lease := ref()) is not None]
        self._earlier = [ref for ref, _ in held]
        epochs = np.array([*(epoch for _, epoch in held), self.current.epoch], np.uint32)
        over: npt.NDArray[np.bool_] = epochs[np.searchsorted(epochs, born)] > died
        return over
