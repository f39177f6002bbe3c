"""A record: one committed change in terms that outlive the process, and its bytes.

Statements are by ids, with the terms of all ids that are new since the record before, so that
whoever reads all records gives the same terms the same ids. Rules are text.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Program, Rule
from rdfinc.durable.damage import Damage
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.knowledge_base.versions.change import Change, Statements
from rdfinc.tables.facts import shaped
from rdfinc.terms.dictionary import Ids

_HEAD = struct.Struct("<9Q")
"""The numbers of changes, scopes and blank nodes, and the lengths of six blocks."""


def rules_in(text: str) -> dict[Rule, Rule]:
    """The rules of a text by canonical form. Raises RuleSyntaxError."""
    return {canonical(rule): rule for rule in rules_of(text, {})} if text else {}


def _text(rules: Mapping[Rule, Rule]) -> str:
    return str(Program(tuple(rules.values()))) if rules else ""


class Record(Struct):
    """The changes that are one, made one after the other; the terms that are new with their ids;
    the numbers of scopes and of blank nodes given so far. What a change deletes was stated, what it
    inserts was not. `prefixes` and `notes` are None where they are as they were."""

    changes: Sequence[Change]
    ids: Ids
    terms: Sequence[bytes]
    scopes: int
    blanks: int
    prefixes: dict[str, str] | None = None
    notes: dict[str, Any] | None = None

    def to_bytes(self) -> bytes:
        """The record in one piece; `from_bytes` is the inverse."""
        terms, changes = self.terms, self.changes
        lengths = array("I", map(len, terms))
        places, keys = _statement_blocks(changes)
        texts = self._texts() if self._has_texts() else b""
        head = _HEAD.pack(
            len(changes),
            self.scopes,
            self.blanks,
            4 * len(terms),
            4 * len(terms),
            sum(lengths),
            8 * len(places),
            8 * sum(places[3::4]),
            len(texts),
        )
        return b"".join((head, self.ids.tobytes(), lengths, *terms, places, *keys, texts))

    def _has_texts(self) -> bool:
        for change in self.changes:  # at each commit; `any` over these takes three times as long
            if change.rules_removed or change.rules_added:
                return True
        return self.prefixes is not None or self.notes is not None

    def _texts(self) -> bytes:
        """Rules, prefixes and notes."""
        rules = [(_text(each.rules_removed), _text(each.rules_added)) for each in self.changes]
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
            changes = [
                Change(*statements, rules_in(removed), rules_in(added))
                for statements, (removed, added) in zip(sides, rules, strict=True)
            ]
        except (ValueError, TypeError, IndexError) as error:
            raise Damage("a record is not made as records are") from error
        return cls(changes, *terms_of(ids, lengths, text), scopes, blanks, prefixes, notes)


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


def _statement_blocks(changes: Sequence[Change]) -> tuple[array[int], list[array[int] | bytes]]:
    """The statements of all changes: of each relation its side, graph, predicate and number of
    keys; and its keys. The sides are what the first change deletes, what it inserts, and so on."""
    places, keys, number = array("Q"), [], 0
    for change in changes:
        for side in (change.delete, change.insert):
            for graph, batch in side.items():
                for predicate, some in batch.items():
                    places.extend((number, graph, predicate, len(some)))
                    keys.append(array("Q", some) if isinstance(some, list) else some.tobytes())
            number += 1
    return places, keys


def _sides_of(
    number: int, places: memoryview, keys: memoryview
) -> list[tuple[Statements, Statements]]:
    """What each of a number of changes deletes and inserts."""
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
