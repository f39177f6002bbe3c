"""A record: one committed change in terms that outlive the process, and its bytes.

Statements are by ids, with the terms of all ids that are new since the record before, so that
whoever reads all records gives the same terms the same ids. Rules are text.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Rule
from rdfinc.durable.damage import Damage
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.knowledge_base.versions.change import Change, Statements
from rdfinc.tables.facts import shaped
from rdfinc.terms.dictionary import Ids

_HEAD = struct.Struct("<9Q")
"""The numbers of parts, scopes and blank nodes, and the lengths of six blocks."""


@dataclass(slots=True)
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

    def to_change(self) -> Change:
        """The part as a change to be made."""
        removed, added = (_rules(text) for text in (self.rules_removed, self.rules_added))
        return Change(self.delete, self.insert, removed, added)


def _rules(text: str) -> dict[Rule, Rule]:
    return {canonical(rule): rule for rule in rules_of(text, {})} if text else {}


@dataclass(slots=True)
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
        ids, lengths = self.ids.tobytes(), array("I", map(len, self.terms)).tobytes()
        places, keys = _statement_blocks(self.parts)
        blocks = ids, lengths, b"".join(self.terms), places, keys, self._texts()
        head = _HEAD.pack(len(self.parts), self.scopes, self.blanks, *map(len, blocks))
        return b"".join((head, *blocks))

    def _texts(self) -> bytes:
        """Rules, prefixes and notes; empty where there are none, as in most records."""
        has_rules = any(part.rules_removed or part.rules_added for part in self.parts)
        if self.prefixes is self.notes is None and not has_rules:
            return b""
        rules = [(part.rules_removed, part.rules_added) for part in self.parts]
        return json.dumps([rules, self.prefixes, self.notes]).encode()

    @classmethod
    def from_bytes(cls, content: memoryview) -> Record:
        """Raises Damage for what `to_bytes` does not make."""
        (number, scopes, blanks), blocks = _unpacked(content)
        ids, lengths, text, places, keys, texts = blocks
        try:
            rules, prefixes, notes = (
                json.loads(bytes(texts)) if texts else ([("", "")] * number, None, None)
            )
            sides = _sides_of(number, places, keys)
            parts = [Part(*pair, *told) for pair, told in zip(sides, rules, strict=True)]
        except (ValueError, TypeError, IndexError) as error:
            raise Damage("a record is not made as records are") from error
        return cls(parts, *terms_of(ids, lengths, text), scopes, blanks, prefixes, notes)


def _unpacked(content: memoryview) -> tuple[Sequence[int], list[memoryview]]:
    """The numbers and the blocks of a record. Raises Damage."""
    if len(content) < _HEAD.size:
        raise Damage("the head of a record cannot be read")
    counts, place, blocks = _HEAD.unpack_from(content), _HEAD.size, []
    for length in counts[3:]:
        blocks.append(content[place : place + length])
        place += length
    if place != len(content) or counts[0] > place:
        raise Damage("a record has another length than it says")
    return counts[:3], blocks


def _statement_blocks(parts: Sequence[Part]) -> tuple[bytes, bytes]:
    """The statements of all parts: of each relation its side, graph, predicate and number of keys;
    and all keys. The sides are what the first part deletes, what it inserts, and so on."""
    places, keys = array("Q"), []
    sides = (side for part in parts for side in (part.delete, part.insert))
    for number, side in enumerate(sides):
        for graph, batch in side.items():
            for predicate, some in batch.items():
                places.extend((number, graph, predicate, len(some)))
                keys.append(
                    array("Q", some).tobytes() if isinstance(some, list) else some.tobytes()
                )
    return places.tobytes(), b"".join(keys)


def _sides_of(
    number: int, places: memoryview, keys: memoryview
) -> list[tuple[Statements, Statements]]:
    """What each of a number of parts deletes and inserts."""
    found: list[tuple[Statements, Statements]] = [({}, {}) for _ in range(number)]
    rows, start = np.frombuffer(places, np.uint64), 0
    whole = np.frombuffer(keys, np.uint64).copy()  # a record begins at any byte, arrays do not
    for side, graph, predicate, size in rows.reshape(-1, 4).tolist():
        batch = found[side // 2][side % 2].setdefault(graph, {})
        batch[predicate] = shaped(whole[start : start + size])
        start += size
    if start != whole.size:
        raise ValueError("other keys than places")
    return found


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
