"""The contents of a closure's folder in the ids of a dictionary, for a knowledge base that goes on
from there: an extension of the engine."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import pyarrow as pa

from rdfinc.knowledge_base.process.machine_memory import MACHINE
from rdfinc.knowledge_base.storage.term_freezing import FreezingCheck
from rdfinc.knowledge_base.streams.input_facts import of_columns
from rdfinc.knowledge_base.versions.change import Statements
from rdfinc.plugins.spark.closure.closure_folder import about_closure, rules_version
from rdfinc.plugins.spark.closure.driver_engine import hidden_number
from rdfinc.plugins.spark.load.layout import (
    DICTIONARY,
    FACTS,
    HIDDEN,
    LoadManifest,
    require_few_terms,
    telling_damage,
)
from rdfinc.plugins.spark.storage.folder_places import by_number
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, joined
from rdfinc.tables.kernels import Mask
from rdfinc.terms.dictionary import AUXILIARY, Dictionary, Ids
from rdfinc.terms.io.quads import Columns

_AT_ONCE = 1 << 16
"""Rows that are read at once."""
_WITH_ID = b"!external "
"""How the names of external relations begin, which have the id of another one in them."""


class ClosureContents:
    """What there is in the folder of a closure: first what is `stated`, then what is `derived`.

    Memory: the facts, and a table of ids. Raises DataSyntaxError for a folder that is damaged, of
    another version, or none of a closure; UnsupportedError for one of too many terms.
    """

    def __init__(self, place: Path) -> None:
        self._folder = LocalFolder(place)
        self._manifest = LoadManifest.read(self._folder)
        require_few_terms(self._folder, self._manifest)
        with telling_damage(self._folder):
            about = about_closure(self._folder)
            self.profile, self.rules = about["profile"], about["rules"]
            self._is_by_our_rules = about["version"] == rules_version()
        self.prefixes = self._manifest.prefixes
        self._ids: Ids = np.zeros(1 + self._manifest.terms, np.uint32)
        self._derived: Batch = {}

    def stated(self, dictionary: Dictionary) -> Statements:
        """The statements by graph. Blank nodes are called as in the folder, and those of files that
        are loaded later otherwise."""
        with telling_damage(self._folder):
            for _ in self._manifest.files:
                dictionary.fresh_scope()
            self._number_terms(dictionary)
            return self._told_apart(dictionary)

    def derived(self, dictionary: Dictionary) -> Batch | None:
        """What follows, after what is stated; None if the folder does not tell all of it: that of
        few facts, by rules of another version, or with nodes that stand for tuples."""
        if not self._is_by_our_rules or self._manifest.hidden is None:
            return None
        with telling_damage(self._folder):
            hidden = self._hidden(dictionary)
        return None if hidden is None else joined(self._derived, hidden)

    def _look_at_memory(self) -> None:
        MACHINE.check(f"opening {self._folder}")

    def _number_terms(self, dictionary: Dictionary) -> None:
        """Finds the ids of all terms, which the dictionary gets."""
        freezing = FreezingCheck(dictionary)
        for file in self._folder.files(DICTIONARY):
            for rows in self._folder.parquet(file).iter_batches(_AT_ONCE):
                self._look_at_memory()
                terms = rows.column("term").cast(pa.binary()).to_pylist()
                self._ids[rows.column("id").to_numpy()] = dictionary.encode_many(terms)
                freezing()
        if not self._ids[1:].all():
            raise ValueError("terms are missing")

    def _told_apart(self, dictionary: Dictionary) -> Statements:
        """What is stated; what follows is kept."""
        stated: Statements = {}
        rows = 0
        for number, files in groupby(by_number(self._folder, FACTS), itemgetter(0)):
            self._look_at_memory()
            columns, is_derived = self._columns(number, [file for _, file in files])
            rows += is_derived.size
            if not is_derived.all():
                said = of_columns(*columns[:, ~is_derived], dictionary)
                for graph, batch in said.items():
                    stated.setdefault(graph, {}).update(batch)
            if is_derived.any():
                s, p, o, _ = columns[:, is_derived]
                self._derived |= gather({int(p[0]): [kernels.pack(s, o)]})
        if rows != self._manifest.facts:
            raise ValueError(f"{rows} facts where {self._manifest.facts} should be")
        return stated

    def _columns(self, predicate: int, files: list[str]) -> tuple[Columns, Mask]:
        """The facts of a relation, and which of them are not stated."""
        names = [*"sog", "derived"]
        table = pa.concat_tables(self._folder.parquet(file).read(names) for file in files)
        columns: Columns = np.zeros((4, table.num_rows), np.uint32)
        columns[1] = self._ids[predicate]
        for place, name in ((0, "s"), (2, "o"), (3, "g")):
            columns[place] = self._ids[table.column(name).to_numpy()]
        return columns, table.column("derived").to_numpy()

    def _hidden(self, dictionary: Dictionary) -> Batch | None:
        """The facts that users do not see; None if something in them is not known here."""
        names, told = _names(dictionary), self._manifest.hidden
        columns, rows = np.zeros((4, told or 0), np.uint32), 0
        for file in self._folder.files(HIDDEN):
            table = self._folder.parquet(file).read([*"spo"])
            part = columns[:3, rows : rows + table.num_rows]
            rows += table.num_rows
            if rows <= columns.shape[1]:
                part[:] = [self._known(table.column(name), names) for name in "spo"]
        if rows != told:
            raise ValueError(f"{rows} hidden facts where {told} should be")
        return of_columns(*columns, dictionary)[0] if columns[:3].all() else None

    def _known(self, numbers: pa.ChunkedArray, names: dict[int, int]) -> Ids:
        """The ids of numbers, 0 for those of unknown auxiliary terms."""
        found = numbers.to_numpy()
        are_terms = found > 0
        ids: Ids = np.zeros(found.size, np.uint32)
        ids[are_terms] = self._ids[found[are_terms]]
        ids[~are_terms] = [names.get(number, 0) for number in found[~are_terms].tolist()]
        return ids


def _names(dictionary: Dictionary) -> dict[int, int]:
    """The ids of auxiliary terms by their numbers in folders. Tuples, and names with an id in them,
    mean something else in each dictionary."""
    ids = np.flatnonzero(dictionary.kinds == AUXILIARY).tolist()
    named = zip(ids, dictionary.decode_many(ids), strict=True)
    return {
        hidden_number(term): id
        for id, term in named
        if dictionary.row_values(id) is None and not term.startswith(_WITH_ID)
    }
