"""Reading several sources, by several processes where that is quicker."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.checks import Check, unchecked
from rdfinc.terms.io.compression import is_compressed
from rdfinc.terms.io.formats import LINE_FORMATS, format_named, format_of
from rdfinc.terms.io.parallel.assembly import Assembly
from rdfinc.terms.io.parallel.crew import Crew
from rdfinc.terms.io.parallel.numbered_share import NumberedShare
from rdfinc.terms.io.parallel.shares import Share, shares, size_of, uncut
from rdfinc.terms.io.pieces import is_cut
from rdfinc.terms.io.problems import Problems, Skipped
from rdfinc.terms.io.reading import Loaded, read
from rdfinc.terms.io.sources import Readable, source_of
from rdfinc.terms.term_thresholds import TERMS

_ABSENT = "worker processes could not be started; this process has read what they should have read"


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
    found: list[Loaded] = []
    large = [each.amount * processes > _total(work) / 2 for each in work]
    cut = _cut(readables, large, format, base, lenient=not strict)
    with closing(cut), Crew(processes, lenient=not strict) as crew:
        for number, parts in groupby(crew.read(cut, check), itemgetter(0)):
            source, problems = source_of(readables[number]), Problems() if strict else Skipped()
            assembly = Assembly(source, dictionary, problems)
            _assemble(assembly, parts, crew, check)
            found.append(assembly.loaded(graph))
        if crew.is_reduced:
            warn(_ABSENT)
    return found


def _assemble(
    assembly: Assembly,
    parts: Iterator[tuple[int, Share | Exception, NumberedShare]],
    crew: Crew,
    check: Check,
) -> None:
    """Takes in the shares of a source, up to the first with a problem for which it matters what
    stands behind it: that is read again together with the rest."""
    for _, share, numbered in parts:
        if not numbered.is_certain:
            whole = uncut(share, map(itemgetter(1), parts))
            known = numbered if whole is share else crew.read_alone(whole, check)
            return assembly.take(whole, known)
        assembly.take(share, numbered)
        check(numbered.columns.shape[1], size_of(share))
    return None


def _cut(
    readables: Sequence[Readable],
    large: Sequence[bool],
    format: str | None,
    base: str | None,
    *,
    lenient: bool,
) -> Generator[tuple[int, Share | Exception], None, None]:
    """The shares of all sources with the numbers of the sources; an error ends them. A packed file
    is unpacked here if it is `large`: otherwise others keep the other workers busy."""
    options: Any = {"format": format, "base": base, "lenient": lenient}
    for number, (readable, unpack) in enumerate(zip(readables, large, strict=True)):
        try:
            for share in shares(readable, unpack=unpack, **options):
                yield number, share
        except Exception as error:
            yield number, error
            return


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
