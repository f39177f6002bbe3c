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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
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
from rdfinc.plugins.spark.storage.folder_places import Folder, by_number
from rdfinc.plugins.spark.storage.local_folder import LocalFolder
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
    terms, columns = contents(LocalFolder(folder), manifest)
    scopes = [BlankScope(dictionary) for _ in manifest.files]
    ids: Ids = np.zeros(len(terms) + 1, np.uint32)
    ids[1:] = dictionary.encode_many(_with_fresh_nodes(terms, scopes))
    for column in columns:
        column[:] = ids[column]
    if graph is not None:
        columns[3][columns[3] == 0] = dictionary.encode(graph)
    imports = imports_among([columns], dictionary)
    skipped = Skipped(manifest.skipped, [DataSyntaxError(*each) for each in manifest.problems])
    repeated = manifest.triples - manifest.facts
    return Loaded((str(folder),), [columns], manifest.prefixes, skipped, imports, repeated)


def contents(folder: Folder, manifest: LoadManifest) -> tuple[list[bytes], Columns]:
    """The terms of a folder by id, from 1 on, and its statements in columns of such ids.

    Raises DataSyntaxError for a folder that is damaged, UnsupportedError for one of more terms than
    a knowledge base has ids for.
    """
    require_few_terms(folder, manifest)
    with telling_damage(folder):
        return _terms(folder, manifest.terms), _facts(folder, manifest)


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
    except (OSError, pa.ArrowException, IndexError, KeyError, ValueError) as error:
        raise _damaged(folder, str(error)) from error


def stated_among(folder: Folder) -> npt.NDArray[np.bool_]:
    """Whether each statement of a closure's folder is stated, in the order of `contents`."""
    files = (folder.parquet(file) for _, file in by_number(folder, FACTS))
    marks = [file.read(["derived"]).column(0).to_numpy() for file in files]
    found: npt.NDArray[np.bool_] = ~np.concatenate([np.zeros(0, np.bool_), *marks])
    return found


def write_folder(folder: Folder, loaded: Sequence[Loaded], dictionary: Dictionary) -> LoadManifest:
    """Makes a folder of sources whose terms are those of `dictionary`; it must not be there."""
    columns = np.concatenate([one.columns() for one in loaded], axis=1)
    facts = each_once(columns)
    require_new(folder)
    with folder.making() as made:
        write_terms(made, list(dictionary))
        write_facts(made, facts)
        manifest = LoadManifest(
            files=tuple(name for one in loaded for name in one.sources),
            triples=columns.shape[1],
            facts=facts.shape[1],
            terms=len(dictionary),
            prefixes={prefix: iri for one in loaded for prefix, iri in one.prefixes.items()},
            skipped=sum(one.skipped.count for one in loaded),
            problems=tuple(map(told, (each for one in loaded for each in one.skipped.first))),
        )
        manifest.write(made)
    return manifest


def each_once(columns: Columns) -> Columns:
    """The statements in the order of a folder: by predicate, subject, object, graph."""
    ordered: Columns = columns[:, np.lexsort(columns[[3, 2, 0, 1]])]
    new = np.ones(ordered.shape[1], np.bool_)
    new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    return ordered[:, new]


def write_terms(folder: Folder, terms: Sequence[bytes], first: int = 1) -> None:
    """Adds terms to the dictionary of a folder in the making, with ids from `first` on."""
    ids = pa.array(range(first, first + len(terms)), pa.int64())
    texts = pa.array(terms, pa.binary()).cast(pa.string())
    table = pa.table({"id": ids, "term": texts})
    folder.put(f"{DICTIONARY}/from{first}.parquet", table)


def write_facts(folder: Folder, facts: Columns, **more: npt.NDArray[Any]) -> None:
    """The facts of a folder in the making, which are in its order, and further columns of them."""
    s, p, o, g = facts
    columns = {"s": s.astype(np.int64), "o": o.astype(np.int64), "g": g.astype(np.int64), **more}
    starts = np.flatnonzero(np.diff(p, prepend=0)).tolist()
    for start, stop in pairwise([*starts, p.size]):
        table = {name: column[start:stop] for name, column in columns.items()}
        folder.put(f"{FACTS}/p={p[start]}/facts.parquet", pa.table(table))


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


def _facts(folder: Folder, manifest: LoadManifest) -> Columns:
    columns: Columns = np.zeros((4, manifest.facts), np.uint32)
    rows = 0
    for predicate, file in by_number(folder, FACTS):
        table = folder.parquet(file).read([*"sog"])
        part = columns[:, rows : rows + table.num_rows]
        rows += table.num_rows
        if rows <= manifest.facts:
            s, p, o, g = part
            p[:] = predicate
            for column, name in ((s, "s"), (o, "o"), (g, "g")):
                column[:] = table.column(name).to_numpy()
    if rows != manifest.facts:
        raise ValueError(f"{rows} facts where {manifest.facts} should be")
    if columns.max(initial=0) > manifest.terms:
        raise ValueError(f"facts have other terms than the {manifest.terms} in the dictionary")
    return columns


def _with_fresh_nodes(terms: list[bytes], scopes: list[BlankScope]) -> Iterator[bytes]:
    for term in terms:
        found = _BLANK.match(term) if term.startswith(b"_") else None
        if found is None:
            yield term
            continue
        scope = scopes[int(found[1]) - 1]
        rest = b"_:" + term[found.end() :]
        yield scope.labelled(rest) if found[2] == b"_" else scope.unlabelled(rest)
