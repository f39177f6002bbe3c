"""Reading several sources by several processes."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from typing import Any

from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.checks import Check
from rdfinc.terms.io.parallel.assembly import Assembly
from rdfinc.terms.io.parallel.crew import Crew
from rdfinc.terms.io.parallel.numbered_share import NumberedShare
from rdfinc.terms.io.parallel.shares import Share, shares, size_of, uncut
from rdfinc.terms.io.problems import Problems, Skipped
from rdfinc.terms.io.reading import Loaded
from rdfinc.terms.io.sources import Readable, source_of

_ABSENT = "worker processes could not be started; this process has read what they should have read"

Large = tuple[Readable, bool]
"""A source, and whether it is so large that it is unpacked here if it is packed: otherwise others
keep the other workers busy."""


def read_by_workers(
    processes: int,
    readables: Sequence[Large],
    dictionary: Dictionary,
    *,
    graph: bytes | None,
    format: str | None,
    base: str | None,
    lenient: bool,
    check: Check,
    warn: Callable[[str], None],
) -> list[Loaded]:
    """What `read` gives for each source, by so many processes (see `together.read_together`)."""
    found: list[Loaded] = []
    cut = _cut(readables, format, base, lenient=lenient)
    with closing(cut), Crew(processes, lenient=lenient) as crew:
        for number, parts in groupby(crew.read(cut, check), itemgetter(0)):
            source, problems = source_of(readables[number][0]), Skipped() if lenient else Problems()
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
    readables: Sequence[Large],
    format: str | None,
    base: str | None,
    *,
    lenient: bool,
) -> Generator[tuple[int, Share | Exception], None, None]:
    """The shares of all sources with the numbers of the sources; an error ends them."""
    options: Any = {"format": format, "base": base, "lenient": lenient}
    for number, (readable, unpack) in enumerate(readables):
        try:
            for share in shares(readable, unpack=unpack, **options):
                yield number, share
        except Exception as error:
            yield number, error
            return
