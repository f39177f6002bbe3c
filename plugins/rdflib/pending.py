"""Statements added and removed one by one, waiting to be maintained together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Quad = tuple[int, int, int, int]
QuadPattern = tuple[int | None, int | None, int | None, int | None]


class PendingChanges:
    """The last word on each statement since the last maintenance: stated or not.

    Invariant: with E the explicit statements maintained last, the explicit statements now are
    (E ∖ `removed()`) ∪ `added()`; no statement is in both. All but `matching` is O(1) a statement.
    """

    def __init__(self) -> None:
        self._stated: dict[Quad, bool] = {}

    def __len__(self) -> int:
        return len(self._stated)

    def add(self, quad: Quad) -> None:
        self._stated[quad] = True

    def remove(self, quad: Quad) -> None:
        self._stated[quad] = False

    def added(self) -> list[Quad]:
        return [quad for quad, stated in self._stated.items() if stated]

    def removed(self) -> list[Quad]:
        return [quad for quad, stated in self._stated.items() if not stated]

    def matching(self, pattern: QuadPattern) -> Iterator[Quad]:
        """Those of `added()` that match, None being a wildcard. O(waiting statements)."""
        given = [(i, value) for i, value in enumerate(pattern) if value is not None]
        return (q for q in self.added() if all(q[i] == value for i, value in given))

    def keep(self, removed: Iterable[Quad]) -> None:
        """Forgets everything but these removals."""
        self._stated = dict.fromkeys(removed, False)
