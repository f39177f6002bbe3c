"""RDF Patch: changes of a dataset, a row each (https://afs.github.io/rdf-delta/rdf-patch)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NoReturn

import pyoxigraph as ox
from msgspec import Struct, field

from rdfinc.errors import DataSyntaxError, TermError
from rdfinc.terms.io.convert import statement_keys

PATCH = ".rdfp"
"""The extension of its files."""

Fact = tuple[str, ...]
"""Subject, predicate and object in N-Triples, and the graph where it is not the default one."""

_ROW = re.compile(r"\s*(H|TX|TC|TA|PA|PD|A|D)(?=\s|$)\s*(.*)")
_PREFIX = re.compile(r'"?([^\s":]*):?"?(?:\s+["<]([^"<>]*)[">])?\s*\.?')
_LABEL = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z))|<_:([^>]*)>')


class Patch(Struct):
    """The facts that a patch inserts (True) or deletes, each by the last row about it; and the
    prefixes that it adds, or takes away (None)."""

    facts: dict[Fact, bool] = field(default_factory=dict)
    prefixes: dict[str, str | None] = field(default_factory=dict)

    @property
    def delete(self) -> list[Fact]:
        return [fact for fact, comes in self.facts.items() if not comes]

    @property
    def insert(self) -> list[Fact]:
        return [fact for fact, comes in self.facts.items() if comes]

    def follow(self, later: Patch) -> None:
        """Takes in what a later one does."""
        self.facts |= later.facts
        self.prefixes |= later.prefixes


def is_patch(text: str) -> bool:
    """Whether the first row of a text is one of a patch."""
    return next((_ROW.match(row) is not None for _, row in _rows(text)), False)


def read_patch(text: str, name: str) -> Patch:
    """What the transactions of a patch, and its rows outside of any, change together; those that
    are aborted change nothing. Raises DataSyntaxError with the line."""
    whole, begun, since = Patch(), Patch(), 0
    for number, text_of_row in _rows(text):
        row = _Row.read(name, number, text_of_row)
        if row.code == "TX":
            if since:
                row.refuse(f"the transaction of line {since} has no end: TC commits it")
            begun, since = Patch(), number
        elif row.code in ("TC", "TA"):
            if not since:
                row.refuse(f"{row.code} ends no transaction: TX begins one")
            if row.code == "TC":
                whole.follow(begun)
            since = 0
        elif row.code != "H":
            row.add_to(begun if since else whole)
    if since:
        raise DataSyntaxError(name, since, "", "this transaction has no end: TC commits it")
    return whole


def _rows(text: str) -> Iterator[tuple[int, str]]:
    for number, row in enumerate(text.split("\n"), 1):
        if row.strip() and not row.lstrip().startswith("#"):
            yield number, row


class _Row(Struct, frozen=True):
    """A row: its operation, and what stands after that."""

    name: str
    number: int
    text: str
    code: str
    rest: str

    @classmethod
    def read(cls, name: str, number: int, text: str) -> _Row:
        found = _ROW.fullmatch(text.rstrip())
        row = cls(name, number, text.strip(), *(found.groups() if found else ("", "")))
        if found is None:
            row.refuse("a row of RDF Patch begins with H, TX, TC, TA, PA, PD, A or D")
        return row

    def add_to(self, patch: Patch) -> None:
        if self.code in ("A", "D"):
            patch.facts[self._fact()] = self.code == "A"
        else:
            prefix, iri = self._prefix()
            patch.prefixes[prefix] = iri

    def _prefix(self) -> tuple[str, str | None]:
        found = _PREFIX.fullmatch(self.rest)
        if found is None or (self.code == "PA") != (found[2] is not None):
            self.refuse('write PA "ex" <http://…> . or PD "ex" .')
        return found[1], found[2]

    def _fact(self) -> Fact:
        """Blank nodes may be written as `<_:label>`."""
        plain = _LABEL.sub(lambda found: found[1] or f"_:{found[2]}", self.rest)
        line = plain if plain.endswith(".") else f"{plain} ."
        try:
            (quad,) = ox.parse(line, format=ox.RdfFormat.N_QUADS)
            keys = statement_keys(tuple(quad))
        except SyntaxError as error:
            why = str(error.msg).partition(": ")[2]
            self.refuse(f"{why}; terms are written whole, as in N-Quads, without prefixes")
        except (ValueError, TermError):
            self.refuse("a row has one triple, or one with its graph")
        if self.code == "D" and any(key and key.startswith(b"_") for key in keys):
            self.refuse("a blank node of a file has no name by which to delete something about it")
        return tuple(key.decode() for key in keys if key is not None)

    def refuse(self, reason: str) -> NoReturn:
        raise DataSyntaxError(self.name, self.number, self.text, reason)
