"""The interval storage scheme of transitive relations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rdfinc.tables import kernels
from rdfinc.tables.closed import ClosedTable
from rdfinc.tables.closure.intervals.changed_edges import relabelled
from rdfinc.tables.closure.intervals.changed_pairs import beyond
from rdfinc.tables.closure.intervals.labelling import Labelling, label
from rdfinc.tables.closure.intervals.oriented import Oriented, oriented
from rdfinc.tables.closure.intervals.reach_rows import slices
from rdfinc.tables.kernels import NO_IDS, NO_KEYS, IdArray, Indices, KeyArray, Mask
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.table_thresholds import TABLES


class Interval(ClosedTable):
    """The transitive closure X⁺ of the external facts X; a pair (a, a) is there if X has it or,
    with `diagonal`, if a is on a cycle of X.

    Nodes are grouped into the strongly connected components of X, and for each component is kept
    which components it reaches (`Labelling`). If more nodes have a subject than an object they are
    `flipped`: rows then go from object to subject. Nothing of X is kept but its loops.
    """

    __slots__ = ("_diagonal", "_flipped", "_labelling", "_loops", "_size")

    def __init__(
        self, labelling: Labelling, loops: IdArray, *, flipped: bool, diagonal: bool
    ) -> None:
        """`loops` are all a with (a, a) in X, sorted."""
        self._labelling = labelling
        self._loops = loops
        self._flipped, self._diagonal = flipped, diagonal
        self._size = labelling.pairs() - self._unpaired()

    @classmethod
    def of(cls, external: Table, *, diagonal: bool) -> Interval:
        keys = external.scan()
        loops = kernels.low(keys[_loops(keys)])
        labelling, flipped = label(keys)
        return cls(labelling, loops, flipped=flipped, diagonal=diagonal)

    def after_edges(self, external: Table, gone: Keys, new: Keys) -> Interval:
        lost, won = (oriented(keys, self._flipped) for keys in (gone, new))
        if (lost.size + won.size) * TABLES.rebuild_share > len(external):
            return Interval.of(external, diagonal=self._diagonal)
        labelling = relabelled(self._labelling, Oriented(external, self._flipped), lost, won)
        if labelling is None:
            return Interval.of(external, diagonal=self._diagonal)
        loops = np.setdiff1d(self._loops, kernels.low(lost[_loops(lost)]))
        loops = np.union1d(loops, kernels.low(won[_loops(won)]))
        return Interval(labelling, loops, flipped=self._flipped, diagonal=self._diagonal)

    @property
    def _shape(self) -> tuple[bool, bool]:
        return self._flipped, self._diagonal

    # -- pairs of a node with itself

    def _paired(self, nodes: IdArray, numbers: Indices) -> Mask:
        """For each node, of these components, whether it is paired with itself."""
        paired = kernels.contains(self._loops, nodes)
        if self._diagonal:
            paired |= self._labelling.nodes.sizes(numbers) > 1
        return paired

    def _unpaired(self) -> int:
        """How many nodes are not paired with themselves."""
        sizes = np.diff(self._labelling.nodes.bounds)
        sizes[self._labelling.reach == 0] = 0
        numbers = self._labelling.nodes.numbers(self._loops)
        if not self._diagonal:
            return int(sizes.sum(dtype=np.intp)) - self._loops.size
        single = sizes == 1
        return int(np.count_nonzero(single)) - int(np.count_nonzero(single[numbers]))

    # -- a fact at a time

    def __len__(self) -> int:
        return self._size

    def has(self, key: int) -> bool:
        upper, lower = key >> 32, key & 0xFFFFFFFF
        if upper == lower:
            return self._is_paired(upper)
        if self._flipped:
            upper, lower = lower, upper
        number = self._labelling.nodes.number(upper)
        reached = self._labelling.nodes.number(lower)
        if number < 0 or reached < 0:
            return False
        return number == reached or self._labelling.rows.has(number, reached)

    def _is_paired(self, node: int) -> bool:
        number = self._labelling.nodes.number(node)
        if self._diagonal and number >= 0 and self._labelling.nodes.size(number) > 1:
            return True
        loops = self._loops
        at = int(loops.searchsorted(np.uint32(node))) if loops.size else 0
        return at < loops.size and loops.item(at) == node

    def objects(self, subject: int) -> list[int]:
        return self._row(subject, self._one_above if self._flipped else self._one_below)

    def subjects(self, object_: int) -> list[int]:
        return self._row(object_, self._one_below if self._flipped else self._one_above)

    def _row(self, node: int, read: Callable[[int], IdArray]) -> list[int]:
        """The nodes reached by a node, or reaching it."""
        number = self._labelling.nodes.number(node)
        if number < 0:
            return []
        found: list[int] = read(number).tolist()
        if not self._is_paired(node):
            found.remove(node)
        return found

    def _one_below(self, number: int) -> IdArray:
        """The nodes that those of a component reach, itself included."""
        return self._labelling.rows.row(number, self._labelling.nodes)

    def _one_above(self, number: int) -> IdArray:
        """The nodes that reach those of a component, itself included."""
        return self._labelling.rows.above(number, self._labelling.nodes)

    # -- a column at a time

    def contains(self, keys: KeyArray) -> Mask:
        upper, lower = kernels.high(keys), kernels.low(keys)
        if self._flipped:
            upper, lower = lower, upper
        numbers = self._labelling.nodes.numbers(upper).astype(np.intp)
        reached = self._labelling.nodes.numbers(lower).astype(np.intp)
        found = (numbers >= 0) & (reached >= 0)
        found[found] = self._labelling.rows.contains(numbers[found], reached[found])
        same = np.flatnonzero(found & (upper == lower))
        found[same] = self._paired(upper[same], numbers[same])
        return found

    def by_subjects(self, subjects: IdArray) -> tuple[Indices, IdArray]:
        return self._above(subjects) if self._flipped else self._below(subjects)

    def by_objects(self, objects: IdArray) -> tuple[Indices, IdArray]:
        return self._below(objects) if self._flipped else self._above(objects)

    def _below(self, nodes: IdArray) -> tuple[Indices, IdArray]:
        """(index into `nodes`, node that it reaches), row by row."""
        if nodes.size == 1:
            return self._alone(nodes, self._one_below)
        labelling = self._labelling
        numbers = labelling.nodes.numbers(nodes).astype(np.intp)
        known = np.flatnonzero(numbers >= 0)
        index, found = labelling.rows.rows(numbers[known], labelling.nodes)
        return self._without_unpaired(nodes, numbers, known[index], found)

    def _above(self, nodes: IdArray) -> tuple[Indices, IdArray]:
        """(index into `nodes`, node that reaches it), row by row."""
        if nodes.size == 1:
            return self._alone(nodes, self._one_above)
        labelling = self._labelling
        numbers = labelling.nodes.numbers(nodes).astype(np.intp)
        known = np.flatnonzero(numbers >= 0)
        index, holders = labelling.rows.holders(numbers[known])
        index, found = labelling.nodes.each(index, holders)
        return self._without_unpaired(nodes, numbers, known[index], found)

    def _alone(self, nodes: IdArray, read: Callable[[int], IdArray]) -> tuple[Indices, IdArray]:
        """The row of a single node, far cheaper than rows of several."""
        node = nodes.item()
        number = self._labelling.nodes.number(node)
        found = read(number) if number >= 0 else NO_IDS
        if number >= 0 and not self._is_paired(node):
            found = found[found != node]
        return np.zeros(found.size, np.intp), found

    def _without_unpaired(
        self, nodes: IdArray, numbers: Indices, index: Indices, found: IdArray
    ) -> tuple[Indices, IdArray]:
        same = np.flatnonzero(nodes[index] == found)
        gone = same[~self._paired(found[same], numbers[index[same]])]
        if not gone.size:
            return index, found
        kept = np.ones(found.size, np.bool_)
        kept[gone] = False
        return index[kept], found[kept]

    def scan(self) -> KeyArray:
        parts = list(self.blocks())
        keys = np.concatenate([NO_KEYS, *parts])
        return np.sort(keys) if self._flipped and len(parts) > 1 else keys

    def blocks(self) -> Iterator[KeyArray]:
        """The pairs of some subjects at a time, or of some objects if rows go that way."""
        nodes, numbers = self._numbered()
        for piece in slices(
            self._labelling.reach[numbers].astype(np.intp),
            TABLES.interval_pairs_block,
        ):
            yield self._block(nodes[piece], numbers[piece])

    def _block(self, nodes: IdArray, numbers: Indices) -> KeyArray:
        """The sorted pairs of nodes, of these components, with what they reach."""
        index, found = self._labelling.rows.rows(numbers, self._labelling.nodes)
        one = nodes[index]
        same = np.flatnonzero(one == found)
        gone = same[~self._paired(found[same], numbers[index[same]])]
        upper, lower = (found, one) if self._flipped else (one, found)
        keys: KeyArray = upper.astype(np.uint64)
        keys <<= kernels.SHIFT
        keys |= lower
        keys = np.delete(keys, gone)
        keys.sort()
        return keys

    def is_subject(self, id: int) -> bool:
        return self._is_reached(id) if self._flipped else self._reaches(id)

    def is_object(self, id: int) -> bool:
        return self._reaches(id) if self._flipped else self._is_reached(id)

    def _reaches(self, node: int) -> bool:
        """Whether a component reaches another."""
        number = self._labelling.nodes.number(node)
        return number >= 0 and (self._labelling.reach.item(number) > 1 or self._is_paired(node))

    def _is_reached(self, node: int) -> bool:
        """Whether one reaches it."""
        labelling = self._labelling
        number = labelling.nodes.number(node)
        if number < 0:
            return False
        together = labelling.nodes.size(number) > 1
        return together or self._is_paired(node) or labelling.rows.is_reached(number)

    def are_subjects(self, ids: IdArray) -> Mask:
        return self._each(ids, self.is_subject, self.all_subjects)

    def are_objects(self, ids: IdArray) -> Mask:
        return self._each(ids, self.is_object, self.all_objects)

    def _each(self, ids: IdArray, one: Callable[[int], bool], every: Callable[[], IdArray]) -> Mask:
        """For each id what is to be asked of one, or known of every node."""
        if ids.size * TABLES.components_an_id > self._labelling.reach.size:
            return kernels.contains_ids(every(), ids)
        return np.array([one(id) for id in ids.tolist()], np.bool_)

    def _numbered(self) -> tuple[IdArray, Indices]:
        """All nodes, sorted, and their components."""
        nodes = self._labelling.nodes.nodes()
        return nodes, self._labelling.nodes.numbers(nodes).astype(np.intp)

    def all_subjects(self) -> IdArray:
        return self._reached() if self._flipped else self._reaching()

    def all_objects(self) -> IdArray:
        return self._reaching() if self._flipped else self._reached()

    def _reaching(self) -> IdArray:
        """The nodes that reach one. O(nodes)."""
        nodes, numbers = self._numbered()
        return nodes[(self._labelling.reach[numbers] > 1) | self._paired(nodes, numbers)]

    def _reached(self) -> IdArray:
        """The nodes that one reaches. Linear in what the rows take."""
        nodes, numbers = self._numbered()
        live = np.flatnonzero(self._labelling.nodes.live())
        reached = np.diff(self._labelling.nodes.bounds) > 1
        reached[live] |= self._labelling.rows.reached(live)
        return nodes[reached[numbers] | self._paired(nodes, numbers)]

    def mutual(self) -> int:
        nodes, numbers = self._numbered()
        others = self._labelling.nodes.sizes(numbers) - 1
        return int(others.sum()) + int(np.count_nonzero(self._paired(nodes, numbers)))

    def count(self, subject: int | None, object_: int | None) -> int:
        if subject is not None and object_ is not None:
            return int(self.has(subject << 32 | object_))
        if subject is None and object_ is None:
            return len(self)
        node = object_ if subject is None else subject
        assert node is not None
        number = self._labelling.nodes.number(node)
        if number < 0:
            return 0
        if (subject is None) == self._flipped:
            found = int(self._labelling.reach[number])
        else:
            found = self._labelling.rows.count_above(number, self._labelling.nodes)
        return found - (not self._is_paired(node))

    # -- versions

    def beyond(self, other: Table) -> KeyArray:
        """The difference of two closed tables; linear in the nodes and the differing pairs, if
        the two are versions of one relation without a new labelling of all nodes between them."""
        if isinstance(other, Interval) and other._shape == self._shape:
            found = beyond(self._labelling, other._labelling)
            if found is not None:
                alone = kernels.unique(np.concatenate((found.moved, self._loops)))
                alone = self._not_in(other, kernels.pack(alone, alone))
                keys = kernels.pack(found.upper, found.lower)
                return kernels.sort(np.concatenate((oriented(keys, self._flipped), alone)))
        return self._all_beyond(other)

    def _not_in(self, other: Table, keys: KeyArray) -> KeyArray:
        """The keys that are here and not there."""
        keys = keys[self.contains(keys)]
        return keys[~other.contains(keys)]

    def _all_beyond(self, other: Table) -> KeyArray:
        """The difference by enumerating all pairs, some at a time."""
        parts = [keys[~other.contains(keys)] for keys in self.blocks()]
        return kernels.sort(np.concatenate([NO_KEYS, *parts]))

    def arrays(self) -> list[NDArray[Any]]:
        return [*self._labelling.arrays(), self._loops]

    def overlay_bytes(self) -> int:
        return 0

    def _check(self) -> None:
        self._labelling._check()
        assert (self._loops[1:] > self._loops[:-1]).all()


def _loops(keys: KeyArray) -> Mask:
    loops: Mask = kernels.high(keys) == kernels.low(keys)
    return loops
