"""The folder that a bulk load makes, and how a knowledge base takes it in.

    manifest.json       Manifest, written last
    dictionary/         Parquet: id, term (N-Triples); ids are 1, 2, 3, … without a gap
    facts/p=<id>/       Parquet: s, o, g (0: default graph), a predicate in each folder, each once

Blank nodes are called after the number of their file: `_:f2_x` is `_:x` in the second one, and
`_:f2-4711-0` the first node without a label in its piece that begins at 4711.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from msgspec import Struct, field
from msgspec.structs import asdict

from rdfinc.durable.closure_folders import has_gone_on
from rdfinc.errors import DataSyntaxError, RdfincError, StorageError, UnsupportedError
from rdfinc.knowledge_base.loading import MANIFEST, no_bulk_folder
from rdfinc.knowledge_base.process.machine_memory import MACHINE
from rdfinc.knowledge_base.storage.term_freezing import FreezingCheck
from rdfinc.knowledge_base.streams.input_facts import StatementColumns, of_blocks
from rdfinc.plugins.spark.storage.folder_places import Folder, by_number
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
from rdfinc.tables import kernels
from rdfinc.tables.table import Keys
from rdfinc.terms.dictionary import Dictionary, Ids
from rdfinc.terms.io.blanks import BlankScope
from rdfinc.terms.io.problems import Skipped, told
from rdfinc.terms.io.quads import Columns
from rdfinc.terms.io.reading import Loaded, imports_among

DICTIONARY, FACTS = "dictionary", "facts"
HIDDEN = "hidden"
"""Where a closure keeps the facts that users do not see."""
_VERSION = "rdfinc bulk load, 1"
_BLANK = re.compile(rb"_:f([0-9]+)(_|-)")

_MOST_TERMS = 2**32 - 1
_READ, _WRITTEN = 1 << 16, 1 << 20
"""Terms that are read at once, and those of a file that the driver writes."""


class LoadManifest(Struct, frozen=True):
    """The outcome of a load: `triples` counts the statements of the files, `facts` each once;
    `problems` are file, line, text and reason of the first `skipped` statements. `hidden` counts
    the facts of a closure that users do not see; None where these are not told."""

    files: tuple[str, ...]
    triples: int
    facts: int
    terms: int
    prefixes: dict[str, str]
    skipped: int
    problems: tuple[tuple[str, int | None, str, str], ...]
    hidden: int | None = None
    version: str = field(default=_VERSION)

    def write(self, folder: Folder) -> None:
        write_json(folder, MANIFEST, asdict(self))

    @classmethod
    def read(cls, folder: Folder) -> LoadManifest:
        """Raises DataSyntaxError for a folder that no bulk load of this version has made, or that
        was changed since."""
        if not folder.exists() or not folder.has(MANIFEST):
            raise no_bulk_folder(str(folder))
        _refuse_changed(folder)
        try:
            found = read_json(folder, MANIFEST)
            if found["version"] != _VERSION:
                raise ValueError(f"made by another version ({found['version']}); load it again")
            for name in ("files", "problems"):
                found[name] = tuple(found[name])
            return cls(**found)
        except StorageError:
            raise
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataSyntaxError(str(folder), None, "", f"no bulk load: {error}") from None


def take_in(folder: Path, dictionary: Dictionary, *, graph: bytes | None = None) -> Loaded:
    """The statements of a bulk load, with terms encoded in `dictionary` and fresh blank nodes.

    `graph` is the key of the graph for statements outside of any graph. O(terms + facts).
    Raises DataSyntaxError for a folder that is damaged, or none of a bulk load.
    """
    manifest = LoadManifest.read(LocalFolder(folder))
    terms, blocks = contents(LocalFolder(folder), manifest)
    scopes = [BlankScope(dictionary) for _ in manifest.files]
    ids: Ids = np.zeros(len(terms) + 1, np.uint32)
    ids[1:] = dictionary.encode_many(_with_fresh_nodes(terms, scopes))
    for i, block in enumerate(blocks):
        blocks[i] = columns = ids[block]
        if graph is not None:
            columns[3][columns[3] == 0] = dictionary.encode(graph)
    imports = imports_among(blocks, dictionary)
    skipped = Skipped(manifest.skipped, [DataSyntaxError(*each) for each in manifest.problems])
    repeated = manifest.triples - manifest.facts
    return Loaded((str(folder),), blocks, manifest.prefixes, skipped, imports, repeated)


def contents(folder: Folder, manifest: LoadManifest) -> tuple[list[bytes], list[Columns]]:
    """The terms of a folder by id, from 1 on, and its statements in blocks of columns of such ids.

    Raises DataSyntaxError for a folder that is damaged, UnsupportedError for one of more terms than
    a knowledge base has ids for.
    """
    require_few_terms(folder, manifest)
    with telling_damage(folder):
        return _terms(folder, manifest.terms), _blocks(folder, manifest)


def require_few_terms(folder: Folder, manifest: LoadManifest) -> None:
    """Raises UnsupportedError for a folder of more terms than a knowledge base has ids for."""
    if manifest.terms > _MOST_TERMS:
        construct = (
            f"a knowledge base of {manifest.terms:,} terms ({folder}): it has ids for"
            f" {_MOST_TERMS:,}; Spark SQL reads it"
        )
        raise UnsupportedError(construct)


@contextmanager
def telling_damage(folder: Folder) -> Iterator[None]:
    """A context in which files that are not what was written are a DataSyntaxError."""
    try:
        yield
    except RdfincError:
        raise
    except (OSError, EOFError, pa.ArrowException, IndexError, KeyError, ValueError) as error:
        raise _damaged(folder, str(error)) from error


def number_terms(folder: Folder, terms: int, dictionary: Dictionary) -> Ids:
    """The id of each term of a folder in a dictionary, which gets them all, by its number there."""
    freezing = FreezingCheck(dictionary)
    ids: Ids = np.zeros(1 + terms, np.uint32)
    for file in folder.files(DICTIONARY):
        for rows in folder.parquet(file).iter_batches(_READ):
            MACHINE.check(f"reading {folder}")
            found = rows.column("term").cast(pa.binary()).to_pylist()
            ids[rows.column("id").to_numpy()] = dictionary.encode_many(found)
            freezing()
    if not ids[1:].all():
        raise ValueError("terms are missing")
    return ids


def fact_tables(
    folder: Folder, manifest: LoadManifest, *more: str
) -> Iterator[tuple[int, pa.Table]]:
    """The files of facts with their predicates, in its order: s, o, g and `more` columns."""
    rows = 0
    for predicate, file in by_number(folder, FACTS):
        table = folder.parquet(file).read([*"sog", *more])
        rows += table.num_rows
        yield predicate, table
    if rows != manifest.facts:
        raise ValueError(f"{rows} facts where {manifest.facts} should be")


def columns_of(predicate: int, table: pa.Table) -> Columns:
    """The statements of a file."""
    columns: Columns = np.empty((4, table.num_rows), np.uint32)
    columns[1] = predicate
    for place, name in ((0, "s"), (2, "o"), (3, "g")):
        columns[place] = table.column(name).to_numpy()
    return columns


def write_folder(folder: Folder, loaded: Sequence[Loaded], dictionary: Dictionary) -> LoadManifest:
    """Makes a folder of sources whose terms are those of `dictionary`; it must not be there. Takes
    the columns of what was loaded away. Raises ReservedGraphError."""
    triples = sum(map(len, loaded))
    blocks = [block for one in loaded for block in one.blocks]
    for one in loaded:
        one.blocks.clear()
    require_new(folder)
    with folder.making() as made:
        manifest = LoadManifest(
            files=tuple(name for one in loaded for name in one.sources),
            triples=triples,
            facts=write_contents(made, blocks, dictionary),
            terms=len(dictionary),
            prefixes={prefix: iri for one in loaded for prefix, iri in one.prefixes.items()},
            skipped=sum(one.skipped.count for one in loaded),
            problems=tuple(map(told, (each for one in loaded for each in one.skipped.first))),
        )
        manifest.write(made)
    return manifest


def write_contents(folder: Folder, blocks: list[Columns], dictionary: Dictionary) -> int:
    """Writes statements, in blocks that are taken away, and the terms of their ids into a folder in
    the making; returns how many facts there are. Raises ReservedGraphError."""
    taken: list[StatementColumns] = [*blocks]
    blocks.clear()
    statements = of_blocks(taken, dictionary)
    write_terms(folder, dictionary)
    parts: dict[int, list[tuple[int, Keys]]] = defaultdict(list)
    for graph, batch in statements.items():
        for predicate, keys in batch.items():
            parts[predicate].append((graph, keys))
    facts = 0
    for predicate in sorted(parts):
        columns, _ = in_order(predicate, parts[predicate])
        write_facts(folder, columns)
        facts += columns.shape[1]
    return facts


def in_order(
    predicate: int, parts: Sequence[tuple[int, Keys]]
) -> tuple[Columns, npt.NDArray[np.intp]]:
    """The facts of a predicate, given as keys by graph, in the order of a folder: by subject,
    object and graph; and the part of each."""
    keys = np.concatenate([np.asarray(part, np.uint64) for _, part in parts])
    numbers = np.repeat(np.arange(len(parts)), [len(part) for _, part in parts])
    graphs = np.array([g for g, _ in parts], np.uint32)[numbers]
    order = np.lexsort((graphs, keys)) if graphs.any() else np.argsort(keys, kind="stable")
    columns: Columns = np.empty((4, keys.size), np.uint32)
    columns[0], columns[2] = kernels.high(keys[order]), kernels.low(keys[order])
    columns[1], columns[3] = predicate, graphs[order]
    return columns, numbers[order]


def write_terms(folder: Folder, terms: Iterable[bytes], first: int = 1) -> None:
    """Adds terms to the dictionary of a folder in the making, with ids from `first` on."""
    left = iter(terms)
    block = list(islice(left, _WRITTEN))
    while block or first == 1:
        ids = pa.array(np.arange(first, first + len(block)), pa.int64())
        texts = pa.array(block, pa.binary()).cast(pa.string())
        folder.put(f"{DICTIONARY}/from{first}.parquet", pa.table({"id": ids, "term": texts}))
        if not block:
            return
        first, block = first + len(block), list(islice(left, _WRITTEN))


def write_facts(folder: Folder, facts: Columns, **more: npt.NDArray[Any]) -> None:
    """The facts of a predicate in a folder in the making, which are in its order, and further
    columns of them."""
    s, p, o, g = facts
    table = {"s": s.astype(np.int64), "o": o.astype(np.int64), "g": g.astype(np.int64), **more}
    folder.put(f"{FACTS}/p={p[0]}/facts.parquet", pa.table(table))


def require_new(folder: Folder) -> None:
    """Raises FileExistsError for a folder that there is."""
    if folder.exists():
        raise FileExistsError(f"{folder} exists; name a new folder")


def read_json(folder: Folder, name: str) -> dict[str, Any]:
    """What a file says. Raises FileNotFoundError."""
    with folder.open(name) as file:
        found: dict[str, Any] = json.load(file)
    return found


def write_json(folder: Folder, name: str, told: Any) -> None:
    """Makes or replaces a file, which appears as a whole."""
    with folder.opened(name) as file:
        file.write(json.dumps(told, indent=2).encode())


def _refuse_changed(folder: Folder) -> None:
    """Raises DataSyntaxError for the folder of a closure that goes on as a knowledge base, and is
    another one by now."""
    if isinstance(folder, LocalFolder) and has_gone_on(folder.path):
        advice = (
            "changed since the closure was made here: rdfinc.open has what there is now; for Spark"
            ' write that to a file, kb.dump("now.nq", "explicit"), and load it'
        )
        raise DataSyntaxError(str(folder), None, "", advice)


def _damaged(folder: Folder, why: str) -> DataSyntaxError:
    return DataSyntaxError(str(folder), None, "", f"the bulk load is damaged: {why}")


def _terms(folder: Folder, count: int) -> list[bytes]:
    """The terms by id, from 1 on."""
    terms: list[bytes] = [b""] * count
    for file in folder.files(DICTIONARY):
        table = folder.parquet(file).read()
        texts = table.column("term").cast(pa.binary()).to_pylist()
        for id, text in zip(table.column("id").to_pylist(), texts, strict=True):
            terms[id - 1] = text
    if not all(terms):
        raise ValueError("terms are missing")
    return terms


def _blocks(folder: Folder, manifest: LoadManifest) -> list[Columns]:
    found = [columns_of(*each) for each in fact_tables(folder, manifest)]
    if any(columns.max(initial=0) > manifest.terms for columns in found):
        raise ValueError(f"facts have other terms than the {manifest.terms} in the dictionary")
    return found


def _with_fresh_nodes(terms: list[bytes], scopes: list[BlankScope]) -> Iterator[bytes]:
    for term in terms:
        found = _BLANK.match(term) if term.startswith(b"_") else None
        if found is None:
            yield term
            continue
        scope = scopes[int(found[1]) - 1]
        rest = b"_:" + term[found.end() :]
        yield scope.labelled(rest) if found[2] == b"_" else scope.unlabelled(rest)
