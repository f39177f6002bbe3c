"""All terms of a dictionary as blocks and a table: to be frozen in memory, or written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from rdfinc.terms.dictionary import Dictionary, DictionaryCounts, Ids, Kinds
from rdfinc.terms.frozen_numbering import FrozenNumbering
from rdfinc.terms.frozen_terms import Block, FrozenTerms, ThawedTerms, block_of, entries_of
from rdfinc.terms.term_table import Entries, TermTable, ids_of
from rdfinc.terms.term_thresholds import TERMS


class PinnedTerms(Struct, frozen=True):
    """The terms of a dictionary up to a moment, while it gives ids to others: those below `size`
    whose kind is not 0. No id is freed meanwhile, so that only free ones get another term.
    `frozen` are those that were frozen then, if there are some, and `changed` the ids of which
    that were no longer what they are there."""

    dictionary: Dictionary
    size: int
    kinds: Kinds
    free: Ids
    counts: DictionaryCounts
    frozen: FrozenTerms | None
    changed: Ids

    @classmethod
    def of(cls, dictionary: Dictionary) -> PinnedTerms:
        """To be called while no one adds terms. Cost: a byte a term is copied."""
        terms, kinds = dictionary.terms, dictionary.kinds.copy()
        frozen, changed = (
            (terms.frozen, list(terms.changed)) if isinstance(terms, ThawedTerms) else (None, [])
        )
        return cls(
            dictionary,
            len(kinds),
            kinds,
            np.array(dictionary.free, np.uint32),
            dictionary.counts,
            frozen,
            np.array(changed, np.uint32),
        )

    def between(self, start: int, end: int) -> list[bytes]:
        """The terms of some ids, those that were free being empty."""
        found = self.dictionary.decode_between(start, end)
        for free in np.flatnonzero(self.kinds[start:end] == 0).tolist():
            found[free] = b""
        return found

    @property
    def unchanged(self) -> npt.NDArray[np.bool_]:
        """For each block of frozen terms, whether it is a block of all terms."""
        assert self.frozen is not None
        size, in_block = self.frozen.size, self.frozen.in_block
        same = np.full(len(self.frozen.blocks), in_block == TERMS.terms_in_block)
        same[self.changed // in_block] = False
        if size < self.size:
            same[size // in_block :] = False
        return same


class Freezing:
    """Pinned terms on their way into blocks. Blocks of frozen terms that have not changed are taken
    as they are."""

    def __init__(self, pinned: PinnedTerms) -> None:
        self._pinned = pinned
        self._fresh: list[Entries] = []

    def blocks(self) -> Iterator[Block]:
        """All blocks, in their order; each is made when it is asked for."""
        frozen, in_block = self._pinned.frozen, TERMS.terms_in_block
        same = self._pinned.unchanged.tolist() if frozen else []
        same += [False] * (1 + self._pinned.size // in_block - len(same))
        for number, start in enumerate(range(0, self._pinned.size, in_block)):
            if frozen and same[number]:
                yield frozen.blocks[number]
            else:
                yield self._made(start, min(start + in_block, self._pinned.size))

    def _made(self, start: int, end: int) -> Block:
        terms = self._pinned.between(start, end)
        self._fresh.append(entries_of(terms, start)[self._pinned.kinds[start:end] > 0])
        return partial(_same, block_of(terms))

    def table(self) -> TermTable:
        """The table of all terms, once the blocks are made."""
        entries = np.concatenate([np.zeros(0, np.uint64), *self._fresh])
        self._fresh.clear()
        entries.sort()
        if self._pinned.frozen is not None:
            entries = np.concatenate((self._kept(self._pinned.frozen), entries))
            entries.sort(kind="stable")  # which merges what is in order
        return TermTable.of(entries)

    def _kept(self, frozen: FrozenTerms) -> Entries:
        """The entries of frozen terms in blocks that are taken as they are."""
        entries = frozen.table.entries
        return entries[self._pinned.unchanged[ids_of(entries) // frozen.in_block]]


def _same(block: bytes) -> bytes:
    return block


def frozen(dictionary: Dictionary) -> FrozenNumbering:
    """A numbering like that of a dictionary, all of whose terms are frozen. To be called while no
    one adds terms. About 0.3 µs a term that is not frozen there, 50 ns for each other one."""
    pinned = PinnedTerms.of(dictionary)
    freezing = Freezing(pinned)
    blocks = list(freezing.blocks())
    terms = FrozenTerms(blocks, TERMS.terms_in_block, pinned.size, freezing.table())
    return FrozenNumbering(terms, pinned.free.tolist())


def should_freeze(dictionary: Dictionary) -> bool:
    """Whether so many terms are not frozen that it is worth to freeze them."""
    thawed = dictionary.thawed
    return thawed >= max(TERMS.many_thawed, dictionary.bound // (1 + TERMS.frozen_to_thawed))
