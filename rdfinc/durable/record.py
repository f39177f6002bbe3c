"""A record: one committed change in terms that outlive the process, and its bytes.

Statements are by ids, with the terms of all ids that are new since the record before, so that
whoever reads all records gives the same terms the same ids. Rules are text.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rdfinc.durable.damage import Damage
from rdfinc.durable.packing import packed, unpacked
from rdfinc.tables.facts import Batch, shaped
from rdfinc.tables.table import Keys
from rdfinc.terms.dictionary import Ids

Statements = dict[int, Batch]


@dataclass(frozen=True)
class Part:
    """One of the changes that a record makes, one after the other: statements by graph, and the
    texts of rules. What is deleted was stated, what is inserted was not."""

    delete: Statements = field(default_factory=dict)
    insert: Statements = field(default_factory=dict)
    rules_removed: str = ""
    rules_added: str = ""

    @property
    def size(self) -> int:
        """The number of statements."""
        sides = (self.delete, self.insert)
        return sum(len(k) for side in sides for b in side.values() for k in b.values())


@dataclass(frozen=True)
class Record:
    """The parts of a change; the terms that are new with their ids; the numbers of scopes and of
    blank nodes given so far. `prefixes` and `notes` are None where they are as they were."""

    parts: Sequence[Part]
    ids: Ids
    terms: Sequence[bytes]
    scopes: int
    blanks: int
    prefixes: dict[str, str] | None = None
    notes: dict[str, Any] | None = None

    def to_bytes(self) -> bytes:
        """The record in one piece; `from_bytes` is the inverse."""
        blocks: list[bytes | memoryview] = [*_term_blocks(self.ids, self.terms)]
        parts = []
        for part in self.parts:
            sides = [_side(side, blocks) for side in (part.delete, part.insert)]
            parts.append([*sides, part.rules_removed, part.rules_added])
        value = [parts, self.scopes, self.blanks, self.prefixes, self.notes]
        return packed(value, blocks)

    @classmethod
    def from_bytes(cls, content: memoryview) -> Record:
        """Raises Damage for what `to_bytes` does not make."""
        value, blocks = unpacked(content)
        try:
            parts, scopes, blanks, prefixes, notes = value
            ids, terms = terms_of(*blocks[:3])
            keys = iter(blocks[3:])
            found = [
                Part(_side_of(gone, keys), _side_of(new, keys), out, into)
                for gone, new, out, into in parts
            ]
        except (ValueError, TypeError, StopIteration) as error:
            raise Damage("a record is not made as records are") from error
        return cls(found, ids, terms, scopes, blanks, prefixes, notes)


def _side(statements: Statements, blocks: list[bytes | memoryview]) -> list[Any]:
    """Graphs and predicates of statements; their keys become blocks."""
    side = []
    for graph, batch in statements.items():
        side.append([graph, list(batch)])
        blocks += map(_bytes, batch.values())
    return side


def _bytes(keys: Keys) -> bytes:
    return array("Q", keys).tobytes() if isinstance(keys, list) else keys.tobytes()


def _side_of(side: Iterable[Any], keys: Any) -> Statements:
    return {
        graph: {p: shaped(np.frombuffer(next(keys), np.uint64)) for p in predicates}
        for graph, predicates in side
    }


def _term_blocks(ids: Ids, terms: Sequence[bytes]) -> tuple[bytes, bytes, bytes]:
    return ids.tobytes(), array("I", map(len, terms)).tobytes(), b"".join(terms)


def terms_of(ids: memoryview, lengths: memoryview, text: memoryview) -> tuple[Ids, list[bytes]]:
    """Ids and their terms, of a block each of ids, of lengths and of texts."""
    return np.frombuffer(ids, np.uint32), cut(lengths, text)


def cut(lengths: memoryview, text: memoryview) -> list[bytes]:
    """Terms one after the other, of given lengths."""
    ends = np.frombuffer(lengths, np.uint32).cumsum(dtype=np.uint64).tolist()
    if (ends[-1] if ends else 0) != len(text):
        raise Damage("terms have other lengths than their block says")
    whole = bytes(text)
    return [whole[start:end] for start, end in zip([0, *ends], ends, strict=False)]
