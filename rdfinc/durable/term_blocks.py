"""The terms of a dictionary as blocks, with their kinds and a table, to be mapped again."""

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
from rdfinc.terms.term_table import TermTable
from rdfinc.terms.term_thresholds import TERMS

Put = Callable[[bytes | memoryview], int]
Get = Callable[[int], memoryview]


def put_dictionary(pinned: PinnedTerms, put: Put) -> dict[str, Any]:
    """Puts terms in blocks, and says which they are. Blocks of terms that have not changed are put
    as they were."""
    freezing = Freezing(pinned)
    blocks = [put(block()) for block in freezing.blocks()]
    table = freezing.table()
    return {
        "in_block": TERMS.terms_in_block,
        "size": pinned.size,
        "blocks": blocks,
        "table": put(table.slots.tobytes()),
        "capacity": table.capacity,
        "kinds": put(pinned.kinds.tobytes()),
        "free": put(pinned.free.tobytes()),
        "counts": pinned.counts._asdict(),
    }


def dictionary_of(told: dict[str, Any], get: Get, place: str) -> Dictionary:
    """The dictionary that `put_dictionary` has told of, in a directory. Its terms are read when
    they are needed, few at once: a block that is not what was written is a CorruptedError then.
    Raises Damage."""
    try:
        blocks = [partial(_checked, get, place, block) for block in told["blocks"]]
        frozen = FrozenTerms(blocks, told["in_block"], told["size"], _table(told, get))
        free = np.frombuffer(get(told["free"]), np.uint32)
        kinds = np.frombuffer(get(told["kinds"]), np.uint8)
        counts = DictionaryCounts(**told["counts"])
        numbering = _numbering(frozen, free.tolist())
    except (KeyError, TypeError, ValueError) as error:
        raise Damage("the dictionary cannot be read") from error
    return Dictionary.frozen(numbering, kinds, counts)


def _table(told: dict[str, Any], get: Get) -> TermTable:
    """The table of terms; in format 2 there are hashes in order, and the ids that go with them."""
    if "table" not in told:
        hashes, ids = (np.frombuffer(get(told[name]), np.uint32) for name in ("hashes", "ids"))
        return TermTable.of(hashes.astype(np.uint64) << np.uint64(32) | ids)
    table = TermTable(np.frombuffer(get(told["table"]), np.uint64), told["capacity"])
    if not table.is_whole:
        raise Damage("the table of terms does not have its capacity")
    return table


def _numbering(frozen: FrozenTerms, free: list[int]) -> Numbering:
    """The numbering of terms: few are read, many stay frozen."""
    if frozen.size > DURABLE.terms_read_whole:
        return FrozenNumbering(frozen, free)
    numbering = Numbering(map(frozen.__getitem__, range(frozen.size)))
    numbering.free = free
    return numbering


def _checked(get: Get, place: str, block: int) -> memoryview:
    try:
        return get(block)
    except Damage as damage:
        raise CorruptedError(f"{place}: {damage}; restore a backup") from damage
