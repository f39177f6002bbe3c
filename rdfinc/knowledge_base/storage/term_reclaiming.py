"""Unmentioned terms are forgotten, and new terms get their ids.

Invariant: an id keeps its term while it is mentioned. The facts of the latest version mention ids,
and so do rules, rows and Skolem terms in use, and leases from a time when the id could be looked up
(see `rdfinc.terms.leases`): those of readers, deltas, queries and waiting statements. Whatever else
the engine remembers of ids is marked as well, forgets freed ids, or is right for numbers whatever
they stand for, as tables are.

Terms are looked for when two conditions hold: there are twice as many as were left the last time,
and so many statements have gone that half of the new terms may have gone with them, four for each.
So at most about half of the terms are of no use, and between two looks at all facts the number of
statements gone is an eighth of the terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.versions.version import Version
from rdfinc.tables.facts import Batch, size
from rdfinc.tables.kernels import Mask, high, low
from rdfinc.tables.table import Table
from rdfinc.terms.dictionary import AUXILIARY, Dictionary, Ids

IN_STATEMENT = 4
"""Terms that a statement may be the last to mention."""


class Holder(Protocol):
    """A part of the engine that keeps ids."""

    def mention(self, mentioned: Mask) -> None:
        """Adds, by id, those that must stay."""

    def forget(self, freed: Ids) -> None:
        """Forgets ids that stand for no term any more."""


class Reclaiming:
    """When to look for terms that nothing mentions. Those there are to begin with are names that
    stay for ever. `_left` is how many were left the last time, `_gone` how many statements went
    since.
    """

    def __init__(self, dictionary: Dictionary) -> None:
        self._names = self._left = dictionary.bound
        self._gone = 0

    def note(self, *gone: Batch) -> None:
        """Counts facts, and statements of named graphs, that went or never came about."""
        self._gone += sum(map(size, gone))

    def is_due(self, terms: int) -> bool:
        """Whether it is time, with so many terms."""
        new = terms - self._left
        return (
            new >= KNOWLEDGE.reclaimable_terms
            and new >= self._left
            and 2 * IN_STATEMENT * self._gone >= new
        )

    def sweep(self, dictionary: Dictionary, version: Version, holders: Sequence[Holder]) -> Ids:
        """Frees the ids that nothing mentions and no one knows; returns them, for the holders to
        forget."""
        mentioned = np.zeros(dictionary.bound, np.bool_)
        mentioned[: self._names] = True
        _mark_facts(version, mentioned)
        for holder in holders:
            holder.mention(mentioned)
        _mark_parts(dictionary, mentioned)
        self._left, self._gone = int(np.count_nonzero(mentioned)), 0
        return dictionary.sweep(mentioned)


def _mark_facts(version: Version, mentioned: Mask) -> None:
    """Marks the terms of a version: of all facts held, with external facts for modules, and of
    equal terms."""
    modules, equality = version.modules, version.equality
    implied = {*modules.of, *([equality.aliases] if equality else [])}
    for predicate, table in version.held.tables.items():
        mentioned[predicate] = True
        if predicate not in implied:
            _mark(table, mentioned)
    mentioned[[*modules.of, *modules.by_external, *version.graphs]] = True
    if equality is not None:
        mentioned[[equality.relation, equality.external, equality.aliases]] = True
        mentioned[version.aliases.with_equals()] = True


def _mark(table: Table, mentioned: Mask) -> None:
    for keys in table.blocks():
        for start in range(0, keys.size, KNOWLEDGE.marked_facts_block):
            block = keys[start : start + KNOWLEDGE.marked_facts_block]
            mentioned[high(block)] = True
            mentioned[low(block)] = True


def _mark_parts(dictionary: Dictionary, mentioned: Mask) -> None:
    """Marks the parts of mentioned rows."""
    auxiliary = np.flatnonzero(dictionary.kinds == AUXILIARY).astype(np.uint32)
    while (found := mentioned[auxiliary]).any():
        mentioned[dictionary.parts_of(auxiliary[found])] = True
        auxiliary = auxiliary[~found]
