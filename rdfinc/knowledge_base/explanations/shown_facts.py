"""The first of some facts, as text and as a table: blank nodes are the class expressions and lists
that they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from rdfinc.knowledge_base.explanations.notebook import PARTS, ROWS, further, linked, table
from rdfinc.knowledge_base.explanations.wording import Wording

Ids = tuple[int, int, int]


def fact_lines(facts: Iterable[Ids], count: int, wording: Wording) -> Iterator[str]:
    """A line for each of the first facts, and how many more there are."""
    for fact in islice(facts, ROWS):
        yield " ".join(map(wording.of, fact))
    yield from further(count)


def fact_table(facts: Iterable[Ids], count: int, wording: Wording) -> str:
    """The same in HTML."""
    first = islice(facts, ROWS)
    cells = [[linked(wording.whole(id), wording.of(id)) for id in fact] for fact in first]
    return table(PARTS, cells, count)
