"""The trace of an evaluation: solutions and times of each part, told to `results.plan_text`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from rdfinc.plugins.sparql.syntax.nodes import Node
from rdfinc.plugins.sparql.syntax.trees import Parameter

Triple = Sequence[Any]


class PartTrace(Struct):
    """How many solutions a part had so far, in how many seconds, those of the parts in it included,
    and whether rdflib's evaluator found them."""

    part: Node
    falls_back: bool
    rows: int = 0
    seconds: float = 0

    def __str__(self) -> str:
        note = " (rdflib)" if self.falls_back else ""
        return f"{_title(self.part)}: {self.rows:,} rows{note}, {_time(self.seconds)}"


class PatternTrace(Struct):
    """How a triple pattern was matched, in all blocks together: how many rows were expected of it
    and how many came, in how many seconds, and before how many others it had its turn, at most."""

    triple: Triple = ()
    expected: float = 0
    rows: int = 0
    seconds: float = 0
    before: int = -1

    def note(self, expected: float, before: int) -> None:
        self.expected += expected
        self.before = max(self.before, before)

    def told(self, triple: Triple) -> str:
        shown = " ".join(term.n3() for term in triple)
        if self.before < 0:
            return f"{shown}: not asked for"
        expected = f"{round(self.expected):,} expected"
        return f"{shown}: {self.rows:,} rows, {expected}, {_time(self.seconds)}"


class Trace:
    """A step for each part of a query that was evaluated, a match for each triple pattern; of which
    parameters stand for these constants."""

    def __init__(self, constants: Sequence[Any] = ()) -> None:
        self._constants = constants
        self._steps: dict[int, PartTrace] = {}
        self._matches: dict[int, list[PatternTrace]] = {}
        self._ranges: dict[int, dict[Any, PatternTrace]] = {}

    def apart(self) -> Trace:
        """That of what may turn out to be in vain."""
        return Trace(self._constants)

    def adopt(self, other: Trace) -> None:
        """Takes over what happened in parts that were evaluated nowhere else."""
        self._steps |= other._steps
        self._matches |= other._matches
        self._ranges |= other._ranges

    def matches(self, part: Node) -> list[PatternTrace]:
        """Those of a basic graph pattern, in the order of its triples."""
        found = self._matches.get(id(part))
        if found is None:
            found = self._matches[id(part)] = list(map(PatternTrace, part.triples))
        return found

    def triples(self, part: Node) -> Iterable[Triple]:
        """Those of a basic graph pattern, with constants for its parameters."""
        return map(self._given, part.triples)

    def _given(self, triple: Triple) -> Triple:
        known = self._constants
        return [known[term.number] if type(term) is Parameter else term for term in triple]

    def range(self, part: Node, variable: Any) -> PatternTrace:
        """That of the values of a variable in a basic graph pattern that conditions leave."""
        return self._ranges.setdefault(id(part), {}).setdefault(variable, PatternTrace([variable]))

    def step(self, part: Node, *, falls_back: bool) -> PartTrace:
        found = self._steps.get(id(part))
        if found is None:
            found = self._steps[id(part)] = PartTrace(part, falls_back)
        return found

    def is_reached(self, part: Node) -> bool:
        return id(part) in self._steps

    def lines(self, part: Any, depth: int = 0) -> Iterator[str]:
        """The part and all below it, one a line."""
        step = self._steps.get(id(part))
        if step is not None:
            yield f"{'  ' * depth}{step}"
            depth += 1
        matches = [*self._matches.get(id(part), ()), *self._ranges.get(id(part), {}).values()]
        for match in sorted(matches, key=lambda match: -match.before):
            yield f"{'  ' * depth}{match.told(self._given(match.triple))}"
        for child in part.values():
            if isinstance(child, Node):
                yield from self.lines(child, depth)


def _title(part: Node) -> str:
    if part.name == "Project":
        return f"Project {' '.join(variable.n3() for variable in part.PV)}"
    about = part.var if part.name == "Extend" else part.term
    return str(part.name) if about is None else f"{part.name} {about.n3()}"


def _time(seconds: float) -> str:
    return f"{1000 * seconds:,.2f} ms"
