"""What users say after `.option(…)`, read and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping

from msgspec import Struct

from rdfinc.plugins.spark.storage.input_files import files_within
from rdfinc.terms.io.convert import graph_key
from rdfinc.terms.io.sources import StoredFile

TERMS = ("ntriples", "struct")
_KNOWN = ("base", "graph", "rejects", "splitBytes", "strict", "syntax", "terms")
_PATHS = ("path", "paths")
_BOOLEANS = {"true": True, "false": False}
SPLIT_BYTES = 1 << 24
_MOST_SPLITS = 1 << 12


class Options(Struct, frozen=True):
    """The options of a read; `split_bytes` None stands for a size that suits the files."""

    patterns: tuple[str, ...]
    syntax: str | None
    base: str | None
    graph: bytes | None
    strict: bool
    rejects: bool
    terms: str
    split_bytes: int | None

    @classmethod
    def read(cls, given: Mapping[str, str]) -> Options:
        """Raises ValueError for an option or a value that there is not, TermError for `graph`."""
        options = {name.lower(): value for name, value in given.items()}
        known = {name.lower() for name in (*_KNOWN, *_PATHS)}
        for name in options.keys() - known:
            raise ValueError(f"there is no option {name!r}; there are {', '.join(_KNOWN)}")
        paths = json.loads(options.get("paths", "[]"))
        patterns = (*([options["path"]] if "path" in options else []), *paths)
        if not patterns:
            raise ValueError('no files are named; say load("data/*.nt")')
        graph, split = options.get("graph"), options.get("splitbytes")
        if split is not None and not (split.isdecimal() and int(split) > 0):
            raise ValueError(f"splitBytes is a number of bytes, not {split!r}")
        return cls(
            patterns,
            options.get("syntax"),
            options.get("base"),
            None if graph is None else graph_key(graph),
            _one_of("strict", options.get("strict", "true"), _BOOLEANS),
            _one_of("rejects", options.get("rejects", "false"), _BOOLEANS),
            _one_of("terms", options.get("terms", TERMS[0]), dict(zip(TERMS, TERMS, strict=True))),
            None if split is None else int(split),
        )

    def files(self) -> list[StoredFile]:
        """The files named, those in folders as well, but for `_SUCCESS`, `.part` and the like.

        Raises FileNotFoundError naming what matches nothing, StorageError.
        """
        return files_within(self.patterns)

    def size(self, files: list[StoredFile]) -> int:
        """Of how many bytes a piece should be."""
        if self.split_bytes is not None:
            return self.split_bytes
        return max(SPLIT_BYTES, sum(file.size for file in files) // _MOST_SPLITS)


def _one_of(name: str, value: str, allowed: Mapping[str, object]) -> object:
    found = allowed.get(value.lower())
    if found is None:
        raise ValueError(f"{name}={value!r} is not available; there are {', '.join(allowed)}")
    return found
