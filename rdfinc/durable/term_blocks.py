"""The terms of a dictionary as blocks, with their kinds and an index, to be mapped again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.errors import CorruptedError
from rdfinc.terms.dictionary import Dictionary, DictionaryCounts, Numbering
from rdfinc.terms.freezing import Freezing, PinnedTerms
from rdfinc.terms.frozen_numbering import FrozenNumbering
from rdfinc.terms.frozen_terms import FrozenTerms
from rdfinc.terms.term_thresholds import TERMS

Put = Callable[[bytes | memoryview], int]


def put_dictionary(pinned: PinnedTerms, put: Put) -> dict[str, Any]:
    """Puts terms in blocks, and says which they are. Blocks of terms that have not changed are put
    as they were."""
    freezing = Freezing(pinned)
    blocks = [put(block()) for block in freezing.blocks()]
    hashes, ids = freezing.index()
    return {
        "in_block": TERMS.terms_in_block,
        "size": pinned.size,
        "blocks": blocks,
        "hashes": put(hashes.tobytes()),
        "ids": put(ids.tobytes()),
        "kinds": put(pinned.kinds.tobytes()),
        "free": put(pinned.free.tobytes()),
        "counts": pinned.counts._asdict(),
    }


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
