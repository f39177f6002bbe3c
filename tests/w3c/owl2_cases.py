"""The W3C's test cases of OWL 2: what is given, and what is to come of it, in Turtle of our own.

A file is Turtle in which comments part the cases: `#: NAME KIND` begins one, `#: =>` what it
concludes. What stands before the first, the prefixes, belongs to every graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "owl2"
KINDS = ("entails", "leaves open", "consistent", "inconsistent")


@dataclass(frozen=True)
class Case:
    """A test case: its identifier, one of `KINDS`, its graphs as Turtle."""

    name: str
    kind: str
    premise: str
    conclusion: str


def cases(file: Path) -> Iterator[Case]:
    """The cases of a file, in its order."""
    prefixes, *texts = re.split(r"^#: (?!=>)", file.read_text(encoding="utf-8"), flags=re.M)
    for text in texts:
        heading, _, graphs = text.partition("\n")
        name, _, kind = heading.partition(" ")
        premise, _, conclusion = graphs.partition("#: =>\n")
        assert kind in KINDS and bool(conclusion) == (kind in KINDS[:2]), name
        yield Case(name, kind, prefixes + premise, prefixes + conclusion)


def exceptions(*, axiomatic: bool) -> set[str]:
    """The cases that are not decided; the file gives the reason for each."""
    named: set[str] = set()
    for line in (FOLDER / "exceptions.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("## ") and axiomatic:
            return named
        if line.startswith("    "):
            named |= set(line.split())
    return named
