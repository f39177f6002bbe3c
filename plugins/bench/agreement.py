"""Whether two libraries derived the same, and in what they differ.

Triples with a blank node are not compared (each library has other names for it), nor those with a
literal as subject (these are no RDF). Facts of every graph, derived by rdfinc and left out, are
counted apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

import pyoxigraph as ox
from msgspec import Struct

SHOWN = 3


class ClosureDifference(Struct, frozen=True):
    """What `other` derived and rdfinc did not, without the `unshown`, and the reverse; some of
    each are examples."""

    other: str
    common: int
    unshown: int
    only_other: int
    only_rdfinc: int
    examples: tuple[str, ...]

    @property
    def is_none(self) -> bool:
        return not (self.only_other or self.only_rdfinc)


class Closures:
    """The facts of rdfinc, read from a file. `axiomatic` makes a second file, with
    nothing left out; None if it could not be made."""

    def __init__(self, ours: Path, axiomatic: Callable[[], Path | None]) -> None:
        self._ours, self._make_axiomatic = facts(ours), axiomatic

    @cached_property
    def _axiomatic(self) -> frozenset[str]:
        file = self._make_axiomatic()
        return facts(file) if file else frozenset()

    def beside(self, other: str, theirs: Path) -> ClosureDifference:
        """In what another library's facts differ."""
        found = facts(theirs)
        more, less = found - self._ours, self._ours - found
        unshown = more & self._axiomatic if more else more
        beyond = more - unshown
        examples = [f"only {other}: {fact}" for fact in sorted(beyond)[:SHOWN]]
        examples += [f"only rdfinc: {fact}" for fact in sorted(less)[:SHOWN]]
        return ClosureDifference(
            other, len(found & self._ours), len(unshown), len(beyond), len(less), tuple(examples)
        )


def facts(file: Path) -> frozenset[str]:
    """The triples of an N-Triples file that can be compared."""
    return frozenset(_comparable(file))


def _comparable(file: Path) -> Iterator[str]:
    with file.open("rb") as lines:
        text = b"".join(line for line in lines if not line.startswith((b'"', b"_:")))
    for quad in ox.parse(text, format=ox.RdfFormat.N_TRIPLES):
        if not isinstance(quad.object, ox.BlankNode):
            yield f"{quad.subject} {quad.predicate} {quad.object}"
