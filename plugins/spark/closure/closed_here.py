"""Closures of so few facts that the driver makes them itself, by an engine of its own.

A round of Spark takes a second however little there is to do, and an ontology takes dozens. The
folder is the one that Spark's evaluation makes, but for `hidden`: where Spark is to go on from it,
everything is derived anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.model import Rule
from rdfinc.knowledge_base.loading import CLOSURE
from rdfinc.knowledge_base.streams.input_facts import of_columns
from rdfinc.knowledge_base.updates.engine import Engine, unheard
from rdfinc.knowledge_base.versions.change import Change
from rdfinc.knowledge_base.versions.fact_views import View
from rdfinc.plugins.spark.load.layout import (
    DICTIONARY,
    LoadManifest,
    contents,
    each_once,
    require_new,
    stated_among,
    write_facts,
    write_json,
    write_terms,
)
from rdfinc.plugins.spark.storage.folder_places import Folder, take
from rdfinc.tables import kernels
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.plain_table import Plain
from rdfinc.terms.dictionary import Dictionary, Ids
from rdfinc.terms.io.quads import Columns

_BLANK = re.compile(rb"_:f([0-9]+)")
_LABEL = re.compile(rb"_:f[0-9]+_(.*)")


class Stated(Struct, frozen=True):
    """What some folders state: terms by id, from 1 on, and statements in columns of such ids. The
    first `known` terms are those of the first folder, with its ids."""

    terms: list[bytes]
    columns: Columns
    known: int


def read_stated(folder: Folder, manifest: LoadManifest) -> Stated:
    """What is stated in the folder of a bulk load or of a closure."""
    terms, columns = contents(folder, manifest)
    if folder.has(CLOSURE):
        columns = columns[:, stated_among(folder)]
    return Stated(terms, columns, len(terms))


def together(first: Stated, second: Stated, files: int) -> Stated:
    """Both; the blank nodes of the second are of other files, which count on from `files`."""

    ids = {term: id for id, term in enumerate(first.terms, 1)}
    number_of: Ids = np.zeros(len(second.terms) + 1, np.uint32)
    for id, term in enumerate(second.terms, 1):
        number_of[id] = ids.setdefault(brought_name(term, files), len(ids) + 1)
    columns = np.concatenate([first.columns, number_of[second.columns]], axis=1)
    return Stated(list(ids), columns, first.known)


def brought_name(term: bytes, files: int) -> bytes:
    """What a term of a batch is called in a closure that it is brought to: a blank node is of a
    file whose number counts on from `files`."""

    def moved(found: re.Match[bytes]) -> bytes:
        return b"_:f%d" % (int(found[1]) + files)

    return _BLANK.sub(moved, term, 1) if term.startswith(b"_") else term


def without(first: Stated, second: Stated) -> Stated:
    """The first without what the second states; a blank node there is the one that has its label
    here."""
    ids = {term: id for id, term in enumerate(first.terms, 1)}
    number_of: Ids = np.zeros(len(second.terms) + 1, np.uint32)
    for id, term in enumerate(second.terms, 1):
        number_of[id] = ids.get(known_name(term), 0)
    columns = number_of[second.columns]
    known = ((columns != 0) == (second.columns != 0)).all(axis=0)
    gone = _are_among(first.columns, columns[:, known])
    return Stated(first.terms, first.columns[:, ~gone], first.known)


def known_name(term: bytes) -> bytes:
    """What a term of a batch is called in a closure that it goes from; a node without a label is
    called nothing."""
    if not term.startswith(b"_"):
        return term
    label = _LABEL.match(term)
    return b"_:" + label[1] if label else b""


def _are_among(columns: Columns, others: Columns) -> npt.NDArray[np.bool_]:
    """Which statements are among others: of most it is told by their ends. O(n log n)."""
    ends = (kernels.pack(each[0], each[2]) for each in (columns, others))
    near = np.flatnonzero(np.isin(*ends))
    both = np.concatenate([columns[:, near], others], axis=1)
    _, numbers = np.unique(both, axis=1, return_inverse=True)
    number, other = np.split(numbers.ravel(), [near.size])
    found: npt.NDArray[np.bool_] = np.zeros(columns.shape[1], np.bool_)
    found[near] = np.isin(number, other)
    return found


def close_here(
    facts: Stated,
    base: Folder,
    made: Folder,
    manifest: LoadManifest,
    about: dict[str, str],
    rules: Iterable[Rule],
) -> LoadManifest:
    """Makes the folder of a closure, with the dictionary of the folder `base` and what else there
    is of terms. Memory: the closure's."""
    dictionary = Dictionary()
    engine = Engine(dictionary, about["profile"], "auto", "auto", Plain, closed, axiomatic=False)
    ids: Ids = np.zeros(len(facts.terms) + 1, np.uint32)
    ids[1:] = dictionary.encode_many(facts.terms)
    s, p, o, g = ids[facts.columns]
    insert = of_columns(s, p, o, g, dictionary)
    engine.apply(Change(insert=insert, rules_added=engine.rules.new(rules)), unheard)
    derived, terms = _renumbered(_columns(engine.reader().derived), ids, dictionary, facts.terms)
    return _write(facts, derived, terms, base, made, manifest, about)


def _columns(view: View) -> Columns:
    """All facts of a view."""
    parts = [
        (p, np.asarray(keys, np.uint64))
        for p in view.predicates()
        for keys in view.parts(p, None, None)
    ]
    columns: Columns = np.zeros((4, sum(len(keys) for _, keys in parts)), np.uint32)
    at = 0
    for p, keys in parts:
        block = columns[:, at : at + len(keys)]
        block[0], block[1], block[2] = keys >> np.uint64(32), p, keys & np.uint64(0xFFFFFFFF)
        at += len(keys)
    return columns


def _renumbered(
    columns: Columns, ids: Ids, dictionary: Dictionary, terms: Sequence[bytes]
) -> tuple[Columns, list[bytes]]:
    """The columns in the numbers of the data, and all terms: those of the data and new ones."""
    number_of: Ids = np.zeros(dictionary.bound, np.uint32)
    number_of[ids] = np.arange(len(ids))
    used = np.unique(columns[:3])
    new = used[number_of[used] == 0]
    number_of[new] = np.arange(len(ids), len(ids) + len(new))
    return number_of[columns], [*terms, *dictionary.decode_many(new.tolist())]


def _write(
    facts: Stated,
    derived: Columns,
    terms: Sequence[bytes],
    base: Folder,
    made: Folder,
    manifest: LoadManifest,
    about: dict[str, str],
) -> LoadManifest:
    told = each_once(facts.columns)
    everything = np.concatenate([told, derived], axis=1)
    is_derived: npt.NDArray[np.bool_] = np.arange(everything.shape[1]) >= told.shape[1]
    order = np.lexsort(everything[[3, 2, 0, 1]])
    rows = everything.shape[1]
    require_new(made)
    with made.making() as place:
        write_json(place, CLOSURE, about)
        take(place, base, DICTIONARY)
        if new := terms[facts.known :]:
            write_terms(place, new, facts.known + 1)
        write_facts(place, everything[:, order], derived=is_derived[order])
        found = replace(manifest, triples=rows, facts=rows, terms=len(terms), hidden=None)
        found.write(place)
    return found
