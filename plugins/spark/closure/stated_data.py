"""What folders state, of bulk loads and of closures, in the driver: by the ids of a dictionary."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.knowledge_base.loading import CLOSURE
from rdfinc.plugins.spark.load.layout import (
    LoadManifest,
    columns_of,
    fact_tables,
    number_terms,
    require_few_terms,
    telling_damage,
)
from rdfinc.plugins.spark.storage.folder_places import Folder
from rdfinc.tables import kernels
from rdfinc.terms.dictionary import Dictionary, Ids
from rdfinc.terms.io.quads import Columns

_BLANK = re.compile(rb"_:f([0-9]+)")
_LABEL = re.compile(rb"_:f[0-9]+_(.*)")
_NOTHING: Columns = np.zeros((4, 0), np.uint32)


class Stated(Struct, frozen=True):
    """What some folders state: terms in a dictionary, and statements in blocks of their ids.
    `number_of` are, by id, the numbers that terms have in the first folder, 0 for others."""

    dictionary: Dictionary
    blocks: list[Columns]
    number_of: Ids

    @property
    def terms(self) -> list[bytes]:
        """The terms by id, from 1 on."""
        return list(self.dictionary)

    @property
    def columns(self) -> Columns:
        """All blocks as one."""
        return np.concatenate([_NOTHING, *self.blocks], axis=1)


def read_stated(folder: Folder, manifest: LoadManifest) -> Stated:
    """What is stated in the folder of a bulk load or of a closure. Raises what `contents` does."""
    require_few_terms(folder, manifest)
    dictionary = Dictionary()
    with telling_damage(folder):
        ids = number_terms(folder, manifest.terms, dictionary)
        number_of: Ids = np.zeros(dictionary.bound, np.uint32)
        number_of[ids] = np.arange(ids.size)
        blocks = [ids[columns] for columns in _stated_among(folder, manifest)]
    return Stated(dictionary, blocks, number_of)


def _stated_among(folder: Folder, manifest: LoadManifest) -> Iterator[Columns]:
    """The statements in the files of a folder, in its numbers."""
    names = ["derived"] if folder.has(CLOSURE) else []
    for predicate, table in fact_tables(folder, manifest, *names):
        stated = table.filter(pc.invert(table.column("derived"))) if names else table
        yield columns_of(predicate, stated)


def stated_then(facts: Stated, gone: Stated | None, new: Stated | None, files: int) -> Stated:
    """Some facts without and with others, whose files count on from `files`."""
    if gone is not None:
        facts = without(facts, gone)
    return facts if new is None else together(facts, new, files)


def together(first: Stated, second: Stated, files: int) -> Stated:
    """Both, in the dictionary of the first; the blank nodes of the second are of other files, which
    count on from `files`."""
    return replace(first, blocks=[*first.blocks, *brought_ids(second, first.dictionary, files)])


def brought_ids(stated: Stated, dictionary: Dictionary, files: int) -> list[Columns]:
    """What is stated, in the ids of the dictionary of a closure that it is brought to."""
    names = (brought_name(term, files) for term in stated.terms)
    ids: Ids = np.zeros(stated.dictionary.bound, np.uint32)
    ids[1:] = dictionary.encode_many(names)
    return [ids[columns] for columns in stated.blocks]


def brought_name(term: bytes, files: int) -> bytes:
    """What a term of a batch is called in a closure that it is brought to: a blank node is of a
    file whose number counts on from `files`."""

    def moved(found: re.Match[bytes]) -> bytes:
        return b"_:f%d" % (int(found[1]) + files)

    return _BLANK.sub(moved, term, 1) if term.startswith(b"_") else term


def without(first: Stated, second: Stated) -> Stated:
    """The first without what the second states; a blank node there is the one that has its label
    here."""
    gone = np.concatenate([_NOTHING, *known_ids(second, first.dictionary)], axis=1)
    left = [columns[:, ~_are_among(columns, gone)] for columns in first.blocks]
    return replace(first, blocks=left)


def known_ids(stated: Stated, dictionary: Dictionary) -> list[Columns]:
    """What is stated, in the ids of the dictionary of a closure that it goes from, as far as that
    knows its terms."""
    ids: Ids = np.zeros(stated.dictionary.bound, np.uint32)
    ids[1:] = dictionary.find_many([known_name(term) for term in stated.terms])
    known = (((ids[columns] != 0) == (columns != 0)).all(axis=0) for columns in stated.blocks)
    return [ids[columns[:, mask]] for columns, mask in zip(stated.blocks, known, strict=True)]


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
