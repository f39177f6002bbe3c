"""What happened while a query was evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rdflib.plugins.sparql.parserutils import CompValue


@dataclass
class Step:
    """How many solutions a part had so far, and whether rdflib's evaluator found them."""

    part: CompValue
    falls_back: bool
    rows: int = 0


class Trace:
    """A step for each part of a query that was evaluated."""

    def __init__(self) -> None:
        self._steps: dict[int, Step] = {}

    def step(self, part: CompValue, *, falls_back: bool) -> Step:
        return self._steps.setdefault(id(part), Step(part, falls_back))

    def lines(self, part: Any, depth: int = 0) -> Iterator[str]:
        """The part and all below it, one a line."""
        step = self._steps.get(id(part))
        if step is not None:
            note = " (rdflib)" if step.falls_back else ""
            yield f"{'  ' * depth}{_title(part)}: {step.rows:,} rows{note}"
            depth += 1
        for child in dict.values(part):
            if isinstance(child, CompValue):
                yield from self.lines(child, depth)


def _title(part: CompValue) -> str:
    if part.name == "BGP":
        shown = (" ".join(_term(term) for term in triple) for triple in part.triples)
        return f"BGP {{ {' . '.join(shown)} }}"
    if part.name == "Project":
        return f"Project {' '.join(variable.n3() for variable in part.PV)}"
    return str(part.name)


def _term(term: Any) -> str:
    return str(term.n3())
