"""How deeply computed terms are nested: a rule may compute values from values it has computed."""

from __future__ import annotations

from array import array
from collections.abc import Iterable

from rdfinc.errors import BudgetExceededError
from rdfinc.terms.dictionary import Ids

DEEPEST = 16
"""Depths beyond count as this one."""

LIMIT = 1 << 20
"""Bytes of text that terms of the greatest depth may have in one update."""


class Nesting:
    """The depth of every term: 0 where it was not computed, else one more than what it was first
    made of.

    A term of depth n spends its bytes times 2^n, once. An update that spends more than `LIMIT`
    bytes of depth `DEEPEST` is refused, and has marked no term. So all computation ends: an update
    computes finitely many terms of each lesser depth, and few beyond. Values of stated ones may
    have 32 GiB; some 20 000 numbers may be counted one from the other; where every value makes
    two new ones, 15 generations are. A byte a term.
    """

    def __init__(self) -> None:
        self._depths = bytearray(1)
        self._spent = 0
        self._marked = array("I")

    def start(self) -> None:
        """An update begins."""
        if self._spent:
            self._spent = 0
            self._marked = array("I")

    def note(self, id: int, made_of: Iterable[int], term: bytes, what: str) -> None:
        """Notes the depth of a term computed by `what`. Raises BudgetExceededError."""
        depths = self._depths
        if id < len(depths) and depths[id]:
            return
        size = len(depths)
        depth = max((depths[each] for each in made_of if each < size), default=0) + 1
        depth = min(depth, DEEPEST)
        if id >= size:
            depths.extend(bytes(id))
        depths[id] = depth
        self._marked.append(id)
        self._spent += len(term) << depth
        if self._spent > LIMIT << DEEPEST:
            self._refuse(what)

    def _refuse(self, what: str) -> None:
        reached = self._spent >> DEEPEST
        self.forget(self._marked)
        self.start()
        raise BudgetExceededError(
            f"update rolled back: what {what} makes of computed values, one from the other, went "
            f"beyond {LIMIT} bytes; do the rules end? Add a FILTER or an atom that stops them",
            f"the text that {what} makes of computed values",
            LIMIT,
            reached,
        )

    def forget(self, freed: Iterable[int] | Ids) -> None:
        """Forgets ids that stand for no term any more."""
        depths = self._depths
        for id in freed:
            if id < len(depths):
                depths[id] = 0

    def copy(self) -> Nesting:
        """A copy of the depths."""
        twin = Nesting()
        twin._depths = bytearray(self._depths)
        return twin
