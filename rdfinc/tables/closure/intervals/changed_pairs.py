"""The difference of two closures by their labellings: which pairs an update adds and removes."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from rdfinc.tables import kernels
from rdfinc.tables.closure.intervals.component_partition import ComponentPartition
from rdfinc.tables.closure.intervals.labelling import Labelling
from rdfinc.tables.kernels import IdArray, Indices


class Beyond(Struct, frozen=True):
    """Pairs (upper, lower) of different nodes that only the one labelling connects, and the
    nodes in different components."""

    upper: IdArray
    lower: IdArray
    moved: IdArray


def beyond(mine: Labelling, other: Labelling) -> Beyond | None:
    """The pairs that `mine` connects and `other` does not; None where the two share too few numbers
    for a comparison to pay.

    A number below `agreement` that is live in both stands for the same nodes in both. All other
    nodes have moved: those with one number here and one there are an overlap, and their pairs are
    looked up, overlap by overlap. Any other pair differs only if its row does.
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
    overlaps = Overlaps.of(mine.nodes, other.nodes, kept[differing], moved)
    index, first, behind = mine.rows.beyond(overlaps.here, other.rows, overlaps.there, known)
    span, number = kernels.expand(first, behind)
    owner = index[span]
    pieces = overlaps.by_number(number)
    single = np.flatnonzero(pieces[0] == pieces[1])
    at, lower = mine.nodes.expand(number[single], number[single] + 1)
    plain = overlaps.crossed(owner[single][at], lower)
    entry, below = kernels.expand(*pieces)
    owner = owner[entry]
    lost = _unconnected(other, overlaps.there[owner], overlaps.there[below])
    at, member = kernels.expand(overlaps.bounds[below[lost]], overlaps.bounds[below[lost] + 1])
    grouped = overlaps.crossed(owner[lost][at], overlaps.nodes[member])
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


class Overlaps(Struct, frozen=True):
    """Sets of nodes that have one number `here` and one `there` (-1 for none), overlap i being
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
    ) -> Overlaps:
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
        """For each number the range of the moved overlaps that have it here."""
        here = self.here[self.first_moved :]
        start, stop = np.searchsorted(here, numbers), np.searchsorted(here, numbers, side="right")
        return start + self.first_moved, stop + self.first_moved

    def crossed(self, overlaps: Indices, lower: IdArray) -> tuple[IdArray, IdArray]:
        """(upper, lower): every node of each overlap with the node beside it."""
        index, at = kernels.expand(self.bounds[overlaps], self.bounds[overlaps + 1])
        return self.nodes[at], lower[index]
