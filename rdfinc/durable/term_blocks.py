"""The terms of a dictionary as blocks, with their kinds and an index, to be mapped again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.errors import CorruptedError
from rdfinc.terms.dictionary import Dictionary, DictionaryCounts, Ids, Kinds, Numbering
from rdfinc.terms.frozen_numbering import FrozenNumbering
from rdfinc.terms.frozen_terms import (
    FrozenTerms,
    ThawedTerms,
    block_of,
    index_of,
    merged_index,
)

Put = Callable[[bytes | memoryview], int]


@dataclass(frozen=True)
class PinnedTerms:
    """The terms of a dictionary up to a moment, while it gives ids to others: those below `size`
    whose kind is not 0. No id is freed meanwhile, so that only free ones get another term.
    `changed` are the frozen terms that are no longer what they were."""

    dictionary: Dictionary
    size: int
    kinds: Kinds
    free: Ids
    counts: DictionaryCounts
    changed: Ids

    @classmethod
    def of(cls, dictionary: Dictionary) -> PinnedTerms:
        """To be called while no one adds terms. Cost: a byte a term is copied."""
        terms, kinds = dictionary.terms, dictionary.kinds.copy()
        changed = list(terms.changed) if isinstance(terms, ThawedTerms) else []
        return cls(
            dictionary,
            len(kinds),
            kinds,
            np.array(dictionary.free, np.uint32),
            dictionary.counts,
            np.array(changed, np.uint32),
        )

    @property
    def frozen(self) -> FrozenTerms | None:
        """The frozen terms among them, if there are some."""
        terms = self.dictionary.terms
        return terms.frozen if isinstance(terms, ThawedTerms) else None

    def between(self, start: int, end: int) -> list[bytes]:
        """The terms of some ids, those that were free being empty."""
        ids = np.arange(start, end, dtype=np.uint32)
        found = self.dictionary.decode_many(ids)
        for free in np.flatnonzero(self.kinds[start:end] == 0).tolist():
            found[free] = b""
        return found


def put_dictionary(pinned: PinnedTerms, put: Put) -> dict[str, Any]:
    """Puts terms in blocks, and says which they are. Blocks of terms that have not changed are put
    as they were."""
    hashes, ids = _index(pinned)
    return {
        "in_block": DURABLE.terms_in_block,
        "size": pinned.size,
        "blocks": [put(block) for block in _blocks(pinned)],
        "hashes": put(hashes.tobytes()),
        "ids": put(ids.tobytes()),
        "kinds": put(pinned.kinds.tobytes()),
        "free": put(pinned.free.tobytes()),
        "counts": pinned.counts._asdict(),
    }


def _blocks(pinned: PinnedTerms) -> Iterator[bytes | memoryview]:
    frozen, in_block = pinned.frozen, DURABLE.terms_in_block
    same = _unchanged_blocks(frozen, pinned) if frozen else frozenset[int]()
    for number, start in enumerate(range(0, pinned.size, in_block)):
        if frozen and number in same:
            yield frozen.block(number)
        else:
            yield block_of(pinned.between(start, min(start + in_block, pinned.size)))


def _unchanged_blocks(frozen: FrozenTerms, pinned: PinnedTerms) -> frozenset[int]:
    """The blocks of frozen terms that are blocks of all terms."""
    if frozen.in_block != DURABLE.terms_in_block:
        return frozenset()
    whole = -(-frozen.size // frozen.in_block) if pinned.size == frozen.size else (
        frozen.size // frozen.in_block
    )  # fmt: skip
    return frozenset(range(whole)).difference((pinned.changed // frozen.in_block).tolist())


def _index(pinned: PinnedTerms) -> tuple[Ids, Ids]:
    frozen = pinned.frozen
    if frozen is None:
        return _index_of(pinned, np.arange(pinned.size, dtype=np.uint32))
    same = ~np.isin(frozen.ids, pinned.changed)
    later = np.arange(frozen.size, pinned.size, dtype=np.uint32)
    fresh = _index_of(pinned, np.concatenate((pinned.changed, later)))
    return merged_index((frozen.hashes[same], frozen.ids[same]), fresh)


def _index_of(pinned: PinnedTerms, ids: Ids) -> tuple[Ids, Ids]:
    used = ids[pinned.kinds[ids] > 0]
    return index_of(pinned.dictionary.decode_many(used), used)


def dictionary_of(told: dict[str, Any], get: Callable[[int], memoryview], place: str) -> Dictionary:
    """The dictionary that `put_dictionary` has told of, in a directory. Its terms are read when
    they are needed, few at once: a block that is not what was written is a CorruptedError then.
    Raises Damage."""
    try:
        hashes, ids, free = (
            np.frombuffer(get(told[name]), np.uint32) for name in ("hashes", "ids", "free")
        )
        blocks = [partial(_checked, get, place, block) for block in told["blocks"]]
        frozen = FrozenTerms(blocks, told["in_block"], told["size"], hashes, ids)
        kinds = np.frombuffer(get(told["kinds"]), np.uint8)
        counts = DictionaryCounts(**told["counts"])
        numbering = _numbering(frozen, free.tolist())
    except (KeyError, TypeError, ValueError) as error:
        raise Damage("the dictionary cannot be read") from error
    return Dictionary.frozen(numbering, kinds, counts)


def _numbering(frozen: FrozenTerms, free: list[int]) -> Numbering:
    """The numbering of terms: few are read, many stay frozen."""
    if frozen.size > DURABLE.terms_read_whole:
        return FrozenNumbering(frozen, free)
    numbering = Numbering(map(frozen.__getitem__, range(frozen.size)))
    numbering.free = free
    return numbering


def _checked(get: Callable[[int], memoryview], place: str, block: int) -> memoryview:
    try:
        return get(block)
    except Damage as damage:
        raise CorruptedError(f"{place}: {damage}; restore a backup") from damage
