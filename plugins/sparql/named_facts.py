"""GRAPH ?g: what all named graphs state, with the graph of each statement as a column.

Patterns of a part are joined by that column as by a variable of theirs, so that no graph is looked
at by itself. The column has a key of its own: inside of its GRAPH clause ?g is no variable, unless
the part names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from rdflib.paths import Path
from rdflib.plugins.sparql.parserutils import CompValue

from rdfinc.knowledge_base.views import Reader
from rdfinc.plugins.sparql.patterns import Slot, column_of, product
from rdfinc.plugins.sparql.solutions import BLOCK, Solutions
from rdfinc.plugins.sparql.trace import Match
from rdfinc.plugins.sparql.variables import EXISTS, read
from rdfinc.tables.in_graphs import InGraphs
from rdfinc.tables.kernels import NO_IDS, NO_KEYS

_NOTHING = InGraphs(NO_KEYS, NO_IDS)


class NamedFacts:
    """What the named graphs state in one version; `graph` is the key of their column."""

    def __init__(self, reader: Reader) -> None:
        self._reader, self.graph = reader, object()
        self.check: Callable[[], object] = int

    def predicates(self) -> list[int]:
        """Those that may have facts here."""
        hides = self._reader.visibility.hides
        return [p for p in self._reader.version.explicit.tables if not hides(p)]

    def relation(self, predicate: int) -> InGraphs:
        self.check()
        version = self._reader.version
        hidden = predicate not in version.explicit.tables
        return _NOTHING if hidden else version.stating(predicate)


@dataclass(frozen=True, slots=True)
class Statement:
    """A triple pattern over named graphs; see `patterns.Pattern`."""

    subject: Slot
    predicate: Slot
    object: Slot
    facts: NamedFacts
    match: Match = field(default_factory=Match, compare=False)

    def variables(self) -> list[Any]:
        slots = (self.subject, self.predicate, self.object, self.facts.graph)
        return [slot for slot in dict.fromkeys(slots) if not isinstance(slot, int)]

    def count(self) -> int:
        """About how many solutions there are."""
        s, o = (slot if isinstance(slot, int) else None for slot in (self.subject, self.object))
        known = [self.predicate] if isinstance(self.predicate, int) else self.facts.predicates()
        return sum(self.facts.relation(p).count(s, o) for p in known)

    def extended(self, rows: Solutions) -> Iterator[Solutions]:
        """`rows`, which bind each of their variables everywhere, joined with the pattern."""
        variable = self.predicate
        if isinstance(variable, int):
            yield from self._of(variable, rows, {})
            return
        bound = rows.columns.get(variable)
        for predicate in self.facts.predicates() if bound is None else np.unique(bound).tolist():
            some = rows if bound is None else rows.where(bound == predicate)
            yield from self._of(predicate, some, {variable: predicate})

    def _of(self, predicate: int, rows: Solutions, known: dict[Any, int]) -> Iterator[Solutions]:
        """The rows joined with the statements of one predicate."""
        relation = self.facts.relation(predicate)
        slots = [known.get(slot, slot) for slot in (self.subject, self.object)]
        for block in _matched(relation, *slots, self.facts.graph, rows):
            added = {v: np.full(block.size, id, np.uint32) for v, id in known.items()}
            yield block.with_columns(added) if added else block


def _matched(
    relation: InGraphs, s: Slot, o: Slot, graph: Slot, rows: Solutions
) -> Iterator[Solutions]:
    subjects, objects, graphs = (column_of(slot, rows) for slot in (s, o, graph))
    if subjects is None and objects is None and graphs is None:
        yield from _all(relation, s, o, graph, rows)
        return
    if subjects is not None:
        index, *found = relation.by_subjects(subjects)
    elif objects is not None:
        index, *found = relation.by_objects(objects)
    else:
        assert graphs is not None
        index, *found = relation.by_graphs(graphs)
    kept = np.ones(index.size, np.bool_)
    for column, own in zip(found, (subjects, objects, graphs), strict=True):
        if own is not None:
            kept &= column == own[index]
    if s == o:
        kept &= found[0] == found[1]
    bound = dict(zip((s, o, graph), (column[kept] for column in found), strict=True))
    new = {v: column for v, column in bound.items() if not isinstance(v, int)}
    yield rows.take(index[kept]).with_columns(new)


def _all(relation: InGraphs, s: Slot, o: Slot, graph: Slot, rows: Solutions) -> Iterator[Solutions]:
    subjects, objects, graphs = relation.all()
    if s == o:
        same = subjects == objects
        subjects, objects, graphs = subjects[same], objects[same], graphs[same]
    for start in range(0, len(subjects), BLOCK):
        part = slice(start, start + BLOCK)
        yield from product(rows, {s: subjects[part], o: objects[part], graph: graphs[part]})


def has_column(part: CompValue, name: Any) -> bool:
    """Whether a part may be asked of all named graphs at once: each of its patterns tells its
    graph, and nothing in it is about the name, a path, EXISTS, or all rows of one graph."""
    if part.name == "BGP":
        terms = [term for triple in part.triples for term in triple]
        return bool(terms) and name not in terms and not any(isinstance(t, Path) for t in terms)
    parts = [each for each in (part.p, part.p1, part.p2) if isinstance(each, CompValue)]
    if part.name not in _ROW_BY_ROW or not all(has_column(each, name) for each in parts):
        return False
    told = [part.expr, part.var]
    return name not in read(told) and not _asks_what_exists(told)


_ROW_BY_ROW = ("Join", "LeftJoin", "Union", "Minus", "Filter", "Extend")


def _asks_what_exists(expression: Any) -> bool:
    if isinstance(expression, list):
        return any(map(_asks_what_exists, expression))
    if not isinstance(expression, CompValue):
        return False
    return expression.name in EXISTS or any(map(_asks_what_exists, dict.values(expression)))
