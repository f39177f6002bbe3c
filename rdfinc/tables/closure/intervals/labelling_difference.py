"""The difference of two closures by their labellings: which pairs an update adds and removes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.labelling import Labelling
from rdfinc.tables.kernels import IdArray, Indices


@dataclass(frozen=True)
class Beyond:
    """Pairs (upper, lower) of different nodes that only the one labelling connects, and the
    nodes in different components."""

    upper: IdArray
    lower: IdArray
    moved: IdArray


def beyond(mine: Labelling, other: Labelling) -> Beyond | None:
    """None if the numbers of the two have too little to do with each other.

    A number below `agreement` that is live in both has the same members in both. Nodes without
    one have moved: they fall into classes that have one number here and one there, and whatever
    may differ about them is looked up, class by class. Everywhere else a pair differs only if it
    is in a row that does.
    """
    known = mine.nodes.agreement(other.nodes)
    moved = _moved(mine.nodes, other.nodes, known)
    if 2 * moved.size > mine.nodes.nodes().size:
        return None
    there = mine.nodes.live()[:known] & other.nodes.live()[:known]
    kept = np.flatnonzero(there)
    differing = mine.rows.differing(other.rows, kept)
    if differing is None:
        return None
    if known < min(len(mine.nodes), len(other.nodes)):  # equal rows may mean different things
        differing[:] = True
    classes = Classes.of(mine.nodes, other.nodes, kept[differing], moved)
    index, first, behind = mine.rows.beyond(classes.here, other.rows, classes.there, known)
    span, number = kernels.expand(first, behind)
    owner = index[span]
    pieces = classes.by_number(number)
    single = np.flatnonzero(pieces[0] == pieces[1])
    at, lower = mine.nodes.expand(number[single], number[single] + 1)
    plain = classes.crossed(owner[single][at], lower)
    entry, below = kernels.expand(*pieces)
    owner = owner[entry]
    lost = _unconnected(other, classes.there[owner], classes.there[below])
    at, member = kernels.expand(classes.bounds[below[lost]], classes.bounds[below[lost] + 1])
    grouped = classes.crossed(owner[lost][at], classes.nodes[member])
    upper, lower = (np.concatenate(column) for column in zip(plain, grouped, strict=True))
    different = upper != lower
    return Beyond(upper[different], lower[different], moved)


def _moved(mine: ComponentPartition, other: ComponentPartition, known: int) -> IdArray:
    """The sorted nodes of one partition with another number in the other, or without one of the
    same meaning."""
    nodes = mine.nodes()
    number = mine.numbers(nodes)
    moved: IdArray = nodes[(number != other.numbers(nodes)) | (number >= known)]
    return moved


def _unconnected(other: Labelling, numbers: Indices, reached: Indices) -> Indices:
    """The places at which the other labelling, to which the numbers belong, has no connection."""
    found = (numbers >= 0) & (reached >= 0)
    found[found] = other.rows.contains(numbers[found], reached[found])
    return np.flatnonzero(~found)


@dataclass(frozen=True)
class Classes:
    """Sets of nodes that have one number `here` and one `there` (-1 for none), class i being
    `nodes[bounds[i]:bounds[i + 1]]`: first those whose rows differ, from `first_moved` on those
    that moved, in the order of their numbers here."""

    here: Indices
    there: Indices
    nodes: IdArray
    bounds: Indices
    first_moved: int

    @classmethod
    def of(
        cls, mine: ComponentPartition, other: ComponentPartition, differing: Indices, moved: IdArray
    ) -> Classes:
        here, there = mine.numbers(moved), other.numbers(moved)
        order = np.lexsort((there, here))
        here, there = here[order].astype(np.intp), there[order].astype(np.intp)
        fresh = np.ones(here.size, np.bool_)
        fresh[1:] = (here[1:] != here[:-1]) | (there[1:] != there[:-1])
        starts = np.flatnonzero(fresh)
        sizes = np.concatenate((mine.sizes(differing), np.diff(starts, append=here.size)))
        return cls(
            np.concatenate((differing, here[starts])),
            np.concatenate((differing, there[starts])),
            np.concatenate((mine.expand(differing, differing + 1)[1], moved[order])),
            np.concatenate(([0], np.cumsum(sizes))),
            differing.size,
        )

    def by_number(self, numbers: Indices) -> tuple[Indices, Indices]:
        """For each number the range of the moved classes that have it here."""
        here = self.here[self.first_moved :]
        start, stop = np.searchsorted(here, numbers), np.searchsorted(here, numbers, side="right")
        return start + self.first_moved, stop + self.first_moved

    def crossed(self, classes: Indices, lower: IdArray) -> tuple[IdArray, IdArray]:
        """(upper, lower): every node of each class with the node beside it."""
        index, at = kernels.expand(self.bounds[classes], self.bounds[classes + 1])
        return self.nodes[at], lower[index]
