"""Closures that the driver makes and changes itself, by a knowledge base of its own (see `alone`).

A round of Spark takes a second however little there is to do, and an ontology takes dozens. The
folder is the one that Spark's evaluation makes, but for `hidden`: where Spark is to go on from it,
everything is derived anew. On this machine it is the directory of a knowledge base as well: that is
mapped by `rdfinc.open`, and by the driver for a change, which costs what it changes and the files
that are written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from itertools import chain
from typing import TypeGuard

import numpy as np
from msgspec.structs import replace

from rdfinc.durable.closure_folders import begin_in, numbers_beside
from rdfinc.durable.directory_files import Directory
from rdfinc.durable.opening import read
from rdfinc.durable.record import rules_in
from rdfinc.knowledge_base import KnowledgeBase
from rdfinc.knowledge_base.loading import CLOSURE
from rdfinc.knowledge_base.streams.input_facts import of_blocks
from rdfinc.knowledge_base.versions.change import Change, Outcome
from rdfinc.knowledge_base.versions.fact_views import Reader, View
from rdfinc.plugins.spark.closure.stated_data import Stated, brought_ids, known_ids
from rdfinc.plugins.spark.load.layout import (
    DICTIONARY,
    FACTS,
    LoadManifest,
    in_order,
    require_new,
    telling_damage,
    write_facts,
    write_json,
    write_terms,
)
from rdfinc.plugins.spark.storage.folder_places import Folder, take
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
from rdfinc.tables import kernels
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.table import Keys
from rdfinc.terms.dictionary import Dictionary, Ids


def close_here(
    facts: Stated, base: Folder, made: Folder, manifest: LoadManifest, about: dict[str, str]
) -> LoadManifest:
    """Makes the folder of a closure, with the dictionary of the folder `base` and what else there
    is of terms. Takes the blocks of facts away. Memory: the closure's."""
    kb = KnowledgeBase(profile=about["profile"], dictionary=facts.dictionary)
    kb.namespaces.update(manifest.prefixes)
    _name_files(kb, manifest.files)
    stated = of_blocks(facts.blocks, kb.dictionary)
    kb._take_over(Change(insert=stated, rules_added=rules_in(about["rules"])), lambda: None)
    return _written(kb, facts.number_of, base, made, manifest, about)


def change_here(
    base: LocalFolder,
    made: Folder,
    manifest: LoadManifest,
    about: dict[str, str],
    gone: Stated | None,
    new: Stated | None,
) -> LoadManifest:
    """Makes the folder of what a closure is without and with other statements, from the knowledge
    base in its folder (see `is_kept`). `manifest` is that of the closure but for its files: behind
    the closure's own are those of what is new. Raises DataSyntaxError for damaged folders."""
    before = LoadManifest.read(base)
    kb, number_of, files = *_kept(base, before), len(before.files)
    change = Change()
    if gone is not None:
        change.delete = of_blocks(known_ids(gone, kb.dictionary), kb.dictionary)
    if new is not None:
        change.insert = of_blocks(brought_ids(new, kb.dictionary, files), kb.dictionary)
        _name_files(kb, manifest.files[files:])
    kb.namespaces.update(manifest.prefixes)
    outcome: Outcome = kb._engine.apply(change, lambda outcome: outcome)
    stated = chain.from_iterable([*change.delete.values(), *change.insert.values()])
    changed = {*stated, *outcome.added, *outcome.removed, *outcome.shifts}
    return _written(kb, number_of, base, made, manifest, about, changed)


def is_kept(base: Folder) -> TypeGuard[LocalFolder]:
    """Whether there is a knowledge base in a closure's folder that `close_here` or `change_here`
    made: by other settings other facts follow, and ids may be those of other terms."""
    numbers = numbers_beside(base.path) if isinstance(base, LocalFolder) else None
    return numbers is not None and base.has(numbers)


def _kept(base: LocalFolder, manifest: LoadManifest) -> tuple[KnowledgeBase, Ids]:
    """The knowledge base in a closure's folder, and the numbers of its ids there."""
    numbers = numbers_beside(base.path)
    assert numbers is not None, "is_kept"
    with telling_damage(base):
        if base.rows(FACTS) != manifest.facts or base.rows(DICTIONARY) != manifest.terms:
            raise ValueError("facts or terms are missing")
        with base.open(numbers) as file:
            number_of: Ids = np.load(file, allow_pickle=False)
        there = number_of[number_of > 0]
        if number_of.dtype != np.uint32 or not (
            there.size == manifest.terms == there.max(initial=0)
        ):
            raise ValueError(f"{numbers} does not tell the number of each term")
    return read(str(base), Directory(base.path), {}).kb, number_of


def _name_files(kb: KnowledgeBase, files: Sequence[str]) -> None:
    """Has the blank nodes of files that are loaded later called otherwise than those of these."""
    for _ in files:
        kb.dictionary.fresh_scope()


def _written(
    kb: KnowledgeBase,
    number_of: Ids,
    base: Folder,
    made: Folder,
    manifest: LoadManifest,
    about: dict[str, str],
    changed: Collection[int] | None = None,
) -> LoadManifest:
    """Makes the folder of a closure that a knowledge base holds; but for relations that have
    `changed`, if these are given, it is as in the folder `base`."""
    require_new(made)
    with made.making() as place:
        write_json(place, CLOSURE, about)
        take(place, base, DICTIONARY)
        writer = _ClosureWriter(place, kb.dictionary, number_of, manifest.terms)
        writer.write(kb.reader(), base, changed)
        rows, terms = place.rows(FACTS), writer.write_terms()
        found = replace(manifest, triples=rows, facts=rows, terms=terms, hidden=None)
        found.write(place)
        if isinstance(place, LocalFolder):
            begin_in(place.path, kb)
            numbers = numbers_beside(place.path)
            assert numbers is not None, "it was just begun"
            with place.opened(numbers) as file:
                np.save(file, writer.number_of)
    return found


class _ClosureWriter:
    """Writes what a knowledge base holds into a folder in the making, where ids have other numbers:
    `number_of`, 0 for those that have none. Such terms get the numbers above `count`."""

    def __init__(self, place: Folder, dictionary: Dictionary, number_of: Ids, count: int) -> None:
        self._place, self._dictionary, self._count = place, dictionary, count
        self.number_of: Ids = np.zeros(dictionary.bound, np.uint32)
        self.number_of[: number_of.size] = number_of
        self._new: list[int] = []

    def write(self, facts: Reader, base: Folder, changed: Collection[int] | None) -> None:
        """Writes the files of all relations, or takes those that have not changed from a folder."""
        derived = facts.derived
        telling: dict[int, list[tuple[int, View]]] = defaultdict(list)
        for graph, view in (*((g, facts.stated(g)) for g in (0, *facts.graphs())), (0, derived)):
            for predicate in view.predicates():
                telling[predicate].append((self._number(graph), view))
        for predicate in sorted(telling):
            number = self._number(predicate)
            if changed is not None and predicate not in changed:
                take(self._place, base, f"{FACTS}/p={number}")
                continue
            parts = [
                (graph, self._keys(keys), view is derived)
                for graph, view in telling[predicate]
                for keys in view.parts(predicate, None, None)
            ]
            columns, part = in_order(number, [part[:2] for part in parts])
            marks = np.array([is_derived for *_, is_derived in parts])
            write_facts(self._place, columns, derived=marks[part])

    def write_terms(self) -> int:
        """Writes the terms that had no number, and returns how many terms there are."""
        write_terms(self._place, self._dictionary.decode_many(self._new), self._count + 1)
        return self._count + len(self._new)

    def _number(self, id: int) -> int:
        return int(self._numbers(np.array([id], np.uint32))[0])

    def _keys(self, keys: Keys) -> KeyArray:
        found = np.asarray(keys, np.uint64)
        ends = self._numbers(kernels.high(found)), self._numbers(kernels.low(found))
        return kernels.pack(*ends)

    def _numbers(self, ids: Ids) -> Ids:
        found = self.number_of[ids]
        new = np.unique(ids[(found == 0) & (ids != 0)])
        if not new.size:
            return found
        start = self._count + len(self._new) + 1
        self.number_of[new] = np.arange(start, start + new.size)
        self._new += new.tolist()
        return self.number_of[ids]
