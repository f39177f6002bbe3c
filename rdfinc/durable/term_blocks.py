"""The terms of a dictionary as blocks, with their kinds and an index, to be mapped again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.errors import CorruptedError
from rdfinc.terms.dictionary import Dictionary, DictionaryCounts, Ids
from rdfinc.terms.frozen_numbering import FrozenNumbering
from rdfinc.terms.frozen_terms import (
    FrozenTerms,
    ThawedTerms,
    block_of,
    index_of,
    merged_index,
)

Put = Callable[[bytes | memoryview], int]


def put_dictionary(dictionary: Dictionary, put: Put) -> dict[str, Any]:
    """Puts a dictionary in blocks, and says which they are. Blocks of terms that have not changed
    are put as they were."""
    hashes, ids = _index(dictionary)
    return {
        "in_block": DURABLE.terms_in_block,
        "size": dictionary.bound,
        "blocks": [put(block) for block in _blocks(dictionary)],
        "hashes": put(hashes.tobytes()),
        "ids": put(ids.tobytes()),
        "kinds": put(dictionary.kinds.tobytes()),
        "free": put(np.array(dictionary.free, np.uint32).tobytes()),
        "counts": dictionary.counts._asdict(),
    }


def _blocks(dictionary: Dictionary) -> Iterator[bytes | memoryview]:
    terms, in_block = dictionary.terms, DURABLE.terms_in_block
    same = _unchanged_blocks(terms) if isinstance(terms, ThawedTerms) else frozenset[int]()
    for number, start in enumerate(range(0, len(terms), in_block)):
        if number in same and isinstance(terms, ThawedTerms):
            yield terms.frozen.block(number)
        else:
            end = min(start + in_block, len(terms))
            yield block_of([terms[id] for id in range(start, end)])


def _unchanged_blocks(terms: ThawedTerms) -> frozenset[int]:
    """The blocks of frozen terms that are blocks of all terms."""
    frozen = terms.frozen
    if frozen.in_block != DURABLE.terms_in_block:
        return frozenset()
    whole = -(-frozen.size // frozen.in_block) if not terms.later else (
        frozen.size // frozen.in_block
    )  # fmt: skip
    return frozenset(range(whole)).difference(id // frozen.in_block for id in terms.changed)


def _index(dictionary: Dictionary) -> tuple[Ids, Ids]:
    terms = dictionary.terms
    if not isinstance(terms, ThawedTerms):
        return _index_of(dictionary, np.arange(dictionary.bound, dtype=np.uint32))
    frozen, changed = terms.frozen, np.array(list(terms.changed), np.uint32)
    same = ~np.isin(frozen.ids, changed)
    later = np.arange(frozen.size, dictionary.bound, dtype=np.uint32)
    fresh = _index_of(dictionary, np.concatenate((changed, later)))
    return merged_index((frozen.hashes[same], frozen.ids[same]), fresh)


def _index_of(dictionary: Dictionary, ids: Ids) -> tuple[Ids, Ids]:
    used = ids[dictionary.kinds[ids] > 0]
    return index_of(dictionary.decode_many(used), used)


def dictionary_of(told: dict[str, Any], get: Callable[[int], memoryview], place: str) -> Dictionary:
    """The dictionary that `put_dictionary` has told of, in a directory. Its terms are read when
    they are needed: a block that is not what was written is a CorruptedError then. Raises Damage.
    """
    try:
        hashes, ids, free = (
            np.frombuffer(get(told[name]), np.uint32) for name in ("hashes", "ids", "free")
        )
        blocks = [partial(_checked, get, place, block) for block in told["blocks"]]
        frozen = FrozenTerms(blocks, told["in_block"], told["size"], hashes, ids)
        kinds = np.frombuffer(get(told["kinds"]), np.uint8)
        counts = DictionaryCounts(**told["counts"])
    except (KeyError, TypeError, ValueError) as error:
        raise Damage("the dictionary cannot be read") from error
    return Dictionary.frozen(FrozenNumbering(frozen, free.tolist()), kinds, counts)


def _checked(get: Callable[[int], memoryview], place: str, block: int) -> memoryview:
    try:
        return get(block)
    except Damage as damage:
        raise CorruptedError(f"{place}: {damage}; restore a backup") from damage
