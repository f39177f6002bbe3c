"""The contents of a closure's folder in the ids of a dictionary, for a knowledge base that goes on
from there: an extension of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import numpy as np
import pyarrow as pa

from rdfinc.knowledge_base.process.machine_memory import MACHINE
from rdfinc.knowledge_base.streams.input_facts import of_columns
from rdfinc.knowledge_base.versions.change import Statements
from rdfinc.plugins.spark.closure.closure_folder import about_closure, rules_version
from rdfinc.plugins.spark.closure.driver_engine import hidden_number
from rdfinc.plugins.spark.load.layout import (
    HIDDEN,
    LoadManifest,
    columns_of,
    fact_tables,
    number_terms,
    require_few_terms,
    telling_damage,
)
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, gather, joined
from rdfinc.tables.kernels import Mask
from rdfinc.terms.dictionary import AUXILIARY, Dictionary, Ids
from rdfinc.terms.io.quads import Columns

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
        self._ids: Ids = np.zeros(1, np.uint32)
        self._derived: Batch = {}

    def stated(self, dictionary: Dictionary) -> Statements:
        """The statements by graph. Blank nodes are called as in the folder, and those of files that
        are loaded later otherwise."""
        with telling_damage(self._folder):
            for _ in self._manifest.files:
                dictionary.fresh_scope()
            self._ids = number_terms(self._folder, self._manifest.terms, dictionary)
            return self._told_apart(dictionary)

    def derived(self, dictionary: Dictionary) -> Batch | None:
        """What follows, after what is stated; None if the folder does not tell all of it: that of
        few facts, by rules of another version, or with nodes that stand for tuples."""
        if not self._is_by_our_rules or self._manifest.hidden is None:
            return None
        with telling_damage(self._folder):
            hidden = self._hidden(dictionary)
        return None if hidden is None else joined(self._derived, hidden)

    def _told_apart(self, dictionary: Dictionary) -> Statements:
        """What is stated; what follows is kept."""
        stated: Statements = {}
        tables = fact_tables(self._folder, self._manifest, "derived")
        for _, files in groupby(tables, itemgetter(0)):
            MACHINE.check(f"opening {self._folder}")
            columns, is_derived = self._columns([*files])
            if not is_derived.all():
                said = of_columns(*columns[:, ~is_derived], dictionary)
                for graph, batch in said.items():
                    stated.setdefault(graph, {}).update(batch)
            if is_derived.any():
                s, p, o, _ = columns[:, is_derived]
                self._derived |= gather({int(p[0]): [kernels.pack(s, o)]})
        return stated

    def _columns(self, files: Sequence[tuple[int, pa.Table]]) -> tuple[Columns, Mask]:
        """The facts of a relation, and which of them are not stated."""
        columns = np.concatenate([columns_of(*each) for each in files], axis=1)
        marks = [table.column("derived").to_numpy() for _, table in files]
        return self._ids[columns], np.concatenate(marks)

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
