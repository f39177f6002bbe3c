"""Reading several sources, by several processes where that is quicker."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.checks import Check, unchecked
from rdfinc.terms.io.compression import is_compressed
from rdfinc.terms.io.formats import LINE_FORMATS, format_named, format_of
from rdfinc.terms.io.pieces import is_cut
from rdfinc.terms.io.reading import Loaded, read
from rdfinc.terms.io.sources import Readable, source_of
from rdfinc.terms.term_thresholds import TERMS


def read_together(
    readables: Sequence[Readable],
    dictionary: Dictionary,
    *,
    workers: int,
    graph: bytes | None = None,
    format: str | None = None,
    base: str | None = None,
    strict: bool = True,
    check: Check = unchecked,
    warn: Callable[[str], None] = lambda text: None,
) -> list[Loaded]:
    """What `read` gives for each of some sources, one after the other, and raises, whatever the
    number of `workers`; also WorkerError.

    At most so many processes are started, and none for what this process reads as quickly. `warn`
    is told where they cannot be started. Memory beside the result: a few shares for each worker.
    """
    work = [_work(each, format, lenient=not strict) for each in readables]
    processes = min(workers, _processes(work))
    if processes < 2:
        return [
            read(
                each, dictionary, graph=graph, format=format, base=base, strict=strict, check=check
            )
            for each in readables
        ]
    from rdfinc.terms.io.parallel.by_workers import read_by_workers  # not for a small file

    large = [each.amount * processes > _total(work) / 2 for each in work]
    return read_by_workers(
        processes, list(zip(readables, large, strict=True)), dictionary, graph=graph,
        format=format, base=base, lenient=not strict, check=check, warn=warn,
    )  # fmt: skip


class _Work(NamedTuple):
    """The bytes of N-Triples that are read in the time of a source, an estimate; 0 where its size
    or syntax is not known. It `is_divisible` if several processes can read it at once."""

    amount: int
    is_divisible: bool


def _total(work: Sequence[_Work]) -> int:
    return sum(each.amount for each in work)


def _processes(work: Sequence[_Work]) -> int:
    """How many processes pay; 1 if others would only wait for one that reads a large source."""
    total = _total(work)
    longest = max((each.amount for each in work if not each.is_divisible), default=0)
    return total // TERMS.bytes_a_worker if total - longest >= TERMS.bytes_a_worker else 1


def _work(readable: Readable, format: str | None, *, lenient: bool) -> _Work:
    source = source_of(readable)
    path = source.path or PurePath(source.name)
    try:
        syntax = format_of(path) if format is None else format_named(format)
        size = _size(readable if source.path is None else source.path)
    except (ValueError, OSError):
        return _Work(0, False)
    size *= TERMS.packed_bytes if is_compressed(path) else 1
    size *= 1 if syntax in LINE_FORMATS else TERMS.document_bytes
    return _Work(size, is_cut(syntax, lenient=lenient))


def _size(data: Any) -> int:
    """The bytes of a file, of data or of an open file; 0 for any other stream."""
    if isinstance(data, bytes | bytearray):
        return len(data)
    if isinstance(data, io.BytesIO):
        return data.getbuffer().nbytes
    if isinstance(data, Path):
        return data.stat().st_size
    number = data.fileno() if isinstance(data, io.BufferedReader) else None
    return 0 if number is None else os.fstat(number).st_size
