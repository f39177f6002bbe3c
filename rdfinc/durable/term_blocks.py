"""The terms of a dictionary as blocks: so many ids each, the lengths of their terms, the terms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.durable.record import cut


def term_blocks(terms: list[bytes]) -> Iterator[bytes]:
    """The blocks of terms that stand at their ids; free ids have empty terms."""
    for start in range(0, len(terms), DURABLE.terms_in_block):
        block = terms[start : start + DURABLE.terms_in_block]
        lengths = np.fromiter(map(len, block), np.uint32, len(block))
        yield b"".join((np.uint32(len(block)).tobytes(), lengths.tobytes(), *block))


def terms_in(blocks: Iterable[memoryview]) -> list[bytes]:
    """The terms of blocks. Raises Damage for blocks that are none."""
    terms: list[bytes] = []
    for block in blocks:
        if len(block) < 4:
            raise Damage("a block of terms is too short")
        text = 4 + 4 * int(np.frombuffer(block[:4], np.uint32)[0])
        terms += cut(block[4:text], block[text:])
    return terms
