"""Triple patterns over ids, and the rows that they are joined with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import repeat
from typing import Any, Protocol

import numpy as np
from msgspec import Struct, field

from rdfinc.plugins.sparql.columns.few_solutions import FewSolutions, Row
from rdfinc.plugins.sparql.columns.solutions import Ids, Solutions, Variable, concatenated, in_heaps
from rdfinc.plugins.sparql.facts.fact_relations import GraphFacts
from rdfinc.plugins.sparql.facts.predicate_facts import PredicateFacts, Relation
from rdfinc.plugins.sparql.facts.predicate_index import PredicateIndex
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.trace import PatternTrace
from rdfinc.tables.indexed_rows import IndexedRows

Slot = int | Variable
"""An id, or a variable: whatever is no int."""


class FactPattern(Struct, eq=False):
    """A triple pattern. Its predicate is a relation, or a variable for any of the relations in
    `facts`. `match` notes what happens."""

    subject: Slot
    predicate: Relation | Variable
    object: Slot
    facts: GraphFacts | None = None
    match: PatternTrace = field(default_factory=PatternTrace)

    def slots(self) -> tuple[Slot, ...]:
        """Those of a fact."""
        return self.subject, self.object, self.predicate

    def variables(self) -> list[Variable]:
        asked = self.facts is not None
        slots = (self.subject, self.predicate if asked else 0, self.object)
        return [slot for slot in dict.fromkeys(slots) if not isinstance(slot, int)]

    def count(self) -> int:
        """About how many solutions there are."""
        s, o = self.ends()
        if self.facts is None:
            return self.predicate.count(s, o)  # type: ignore[attr-defined, no-any-return]
        return self.facts.count(s, o)

    def ends(self) -> tuple[int | None, int | None]:
        """Subject and object, None for variables."""
        s, o = self.subject, self.object
        return s if isinstance(s, int) else None, o if isinstance(o, int) else None

    def extended(self, rows: Solutions) -> Iterable[Solutions]:
        """`rows`, which bind each of their variables everywhere, joined with the pattern."""
        if self.facts is None:
            return _joined(self.predicate, self.subject, self.object, rows)  # type: ignore[arg-type]
        return _with_predicates(self, self.facts, rows)

    def extended_each(self, rows: FewSolutions) -> FewSolutions | None:
        """As `extended`, row by row; None where some row is joined with many, or something else is
        asked for than what stands at the other end of a predicate, or both."""
        if self.facts is not None:
            return _about(self, self.facts, rows)
        if isinstance(self.predicate, PredicateFacts):
            return _each(self.predicate, self.subject, self.object, rows)
        return None

    def with_predicate(self, predicate: int, relation: Relation) -> FactPattern:
        """The pattern for one value of its predicate variable."""
        s, o = (
            predicate if slot == self.predicate else slot for slot in (self.subject, self.object)
        )
        return FactPattern(s, relation, o)


class Among(Struct, frozen=True, eq=False):
    """A variable that has one of some values: a superset of those that it has in solutions of the
    patterns beside."""

    variable: Variable
    ids: Ids
    match: PatternTrace = field(default_factory=PatternTrace)

    def variables(self) -> list[Variable]:
        return [self.variable]

    def count(self) -> int:
        return len(self.ids)

    def extended(self, rows: Solutions) -> Iterable[Solutions]:
        """`rows`, which do not bind the variable, with each of the values."""
        return product(rows, {self.variable: self.ids})


class TriplePattern(Protocol):
    """What has a subject, a predicate and an object."""

    @property
    def subject(self) -> Slot: ...
    @property
    def predicate(self) -> Any: ...
    @property
    def object(self) -> Slot: ...


def _with_predicates(
    pattern: FactPattern, facts: GraphFacts, rows: Solutions
) -> Iterator[Solutions]:
    """The rows joined with a pattern that asks for predicates."""
    if _is_alone(pattern, rows):
        found = _alone(pattern, facts)
        for blocks in in_heaps(found, QUERIES.first_solutions, QUERIES.fewest_solutions):
            yield from product(rows, concatenated(blocks).columns)
        return
    found = _by_predicate(pattern, facts, rows)
    for blocks in in_heaps(found, QUERIES.first_solutions, QUERIES.fewest_solutions):
        yield concatenated(blocks)


def _is_alone(pattern: FactPattern, rows: Solutions) -> bool:
    """Whether predicates are asked for, and what is at an end of them or at both, whatever the
    rows are."""
    ends = [end for end in (pattern.subject, pattern.object) if not isinstance(end, int)]
    free = {pattern.predicate, *ends}
    return bool(ends) and len(free) == 1 + len(ends) and rows.columns.keys().isdisjoint(free)


def _alone(pattern: FactPattern, facts: GraphFacts) -> Iterator[Solutions]:
    """The solutions of such a pattern, one predicate after the other."""
    s, o = pattern.ends()
    rare, predicates = facts.rows(facts.predicates.of(s, o))
    for predicate in predicates:
        for found in _of_ends(pattern, facts.relation(predicate)):
            size = len(next(iter(found.values())))
            yield Solutions(size, {pattern.predicate: np.full(size, predicate, np.uint32), **found})
    if rare is not None:
        yield from matched(rare, pattern.slots(), Solutions())


def _about(pattern: FactPattern, facts: GraphFacts, rows: FewSolutions) -> FewSolutions | None:
    """The rows with all facts about the subject, or with the object, that each of them has."""
    s, p, o = pattern.subject, pattern.predicate, pattern.object
    known = rows.columns
    begins, ends = (isinstance(slot, int) or slot in known for slot in (s, o))
    end, other = (s, o) if begins else (o, s)
    if begins == ends or p in known or p == other:
        return None
    look_up = facts.about if begins else facts.towards
    found: list[Row] = []
    for row, id in zip(rows.rows, _ids(end, rows), strict=True):
        about = look_up(id)
        if about is None:
            return None
        found += [(*row, predicate, each) for predicate, others in about for each in others]
    return rows.wider(found, p, other)


def _each(relation: PredicateFacts, s: Slot, o: Slot, rows: FewSolutions) -> FewSolutions | None:
    """The rows, each joined with the pairs of a relation by a look-up of its own."""
    begins = isinstance(s, int) or s in rows.columns
    if isinstance(o, int) or o in rows.columns:
        if begins:
            ends = zip(rows.rows, _ids(s, rows), _ids(o, rows), strict=True)
            return FewSolutions([r for r, a, b in ends if relation.has(a, b)], rows.columns)
        return _each_with(relation.few_subjects, o, s, rows)
    return _each_with(relation.few_objects, s, o, rows) if begins else None


def _each_with(
    look_up: Callable[[int, int], list[int] | None], known: Slot, new: Slot, rows: FewSolutions
) -> FewSolutions | None:
    """The rows, each with every value of a new variable that is found for a known one."""
    most = QUERIES.few_found
    if isinstance(known, int):
        values = look_up(known, most)
        if values is None:
            return None
        return rows.wider([(*row, value) for row in rows.rows for value in values], new)
    found: list[Row] = []
    place = rows.columns[known]
    for row in rows.rows:
        values = look_up(row[place], most)
        if values is None:
            return None
        for value in values:
            found.append((*row, value))
    return rows.wider(found, new)


def _ids(slot: Slot, rows: FewSolutions) -> Iterable[int]:
    """The id of a slot in each row."""
    if isinstance(slot, int):
        return repeat(slot, rows.size)
    place = rows.columns[slot]
    return [row[place] for row in rows.rows]


def _of_ends(pattern: FactPattern, relation: Relation) -> Iterator[dict[Variable, Ids]]:
    """Columns of what a relation has at the ends that are not known."""
    s, o = pattern.ends()
    if s is not None:
        yield {pattern.object: relation.by_subjects(_one(s))[1]}
    elif o is not None:
        yield {pattern.subject: relation.by_objects(_one(o))[1]}
    else:
        for subjects, objects in relation.pairs():
            yield {pattern.subject: subjects, pattern.object: objects}


def _by_predicate(pattern: FactPattern, facts: GraphFacts, rows: Solutions) -> Iterator[Solutions]:
    """The blocks that have rows, one predicate after the other."""
    variable = pattern.predicate
    bound = rows.columns.get(variable)
    rare, predicates = facts.rows(asked(facts.predicates, pattern, rows))
    for predicate in predicates:
        some = rows if bound is None else rows.where(bound == predicate)
        one = pattern.with_predicate(predicate, facts.relation(predicate))
        for block in one.extended(some):
            if block.size:
                column = np.full(block.size, predicate, np.uint32)
                yield block.with_columns({variable: column})
    if rare is not None:
        yield from matched(rare, pattern.slots(), rows)


def matched(facts: IndexedRows, slots: Sequence[Slot], rows: Solutions) -> Iterator[Solutions]:
    """The rows joined with facts, of which each column has a slot of its own."""
    known = {at: ids for at, slot in enumerate(slots) if (ids := column_of(slot, rows)) is not None}
    new = {slot: at for at, slot in enumerate(slots) if at not in known}
    again = [(new[slots[at]], at) for at in range(len(slots)) if new.get(slots[at], at) != at]
    if known:
        index, places = facts.find(known)
        for at, other in again:
            same = facts.columns[at][places] == facts.columns[other][places]
            index, places = index[same], places[same]
        columns = {slot: facts.columns[at][places] for slot, at in new.items()}
        yield rows.take(index).with_columns(columns)
        return
    for start in range(0, len(facts), QUERIES.solutions_block):
        part = [column[start : start + QUERIES.solutions_block] for column in facts.columns]
        some = np.ones(len(part[0]), np.bool_)
        for at, other in again:
            some &= part[at] == part[other]
        yield from product(rows, {slot: part[at][some] for slot, at in new.items()})


def asked(known: PredicateIndex, pattern: TriplePattern, rows: Solutions) -> list[int]:
    """The predicates of which a pattern may have facts where it is joined with some rows."""
    bound = rows.columns.get(pattern.predicate)
    if bound is None:
        return known.among(column_of(pattern.subject, rows), column_of(pattern.object, rows))
    distinct: list[int] = np.unique(bound).tolist()
    return distinct


def _joined(relation: Relation, s: Slot, o: Slot, rows: Solutions) -> Iterable[Solutions]:
    if s == o and not isinstance(s, int) and s not in rows.columns:
        return (
            block
            for subjects, objects in relation.pairs()
            for block in product(rows, {s: subjects[subjects == objects]})
        )
    if isinstance(s, int) and isinstance(o, int):
        times = len(relation.between(_one(s), _one(o)))
        return () if not times else (rows.take(np.repeat(np.arange(rows.size), times)),)
    return _looked_up(relation, s, o, rows)


def _looked_up(relation: Relation, s: Slot, o: Slot, rows: Solutions) -> Iterable[Solutions]:
    begins = isinstance(s, int) or s in rows.columns
    if isinstance(o, int) or o in rows.columns:
        if begins:
            ends = (column_of(s, rows), column_of(o, rows))
            return (rows.take(relation.between(*ends)),)  # type: ignore[arg-type]
        if isinstance(o, int):
            return product(rows, {s: relation.by_objects(_one(o))[1]})
        index, found = relation.by_objects(rows.columns[o])
        return (rows.take(index).with_columns({s: found}),)
    if not begins:
        return (
            block
            for subjects, objects in relation.pairs()
            for block in product(rows, {s: subjects, o: objects})
        )
    if isinstance(s, int):
        return product(rows, {o: relation.by_subjects(_one(s))[1]})
    index, found = relation.by_subjects(rows.columns[s])
    return (rows.take(index).with_columns({o: found}),)


def column_of(slot: Slot, rows: Solutions) -> Ids | None:
    """The ids of a slot in each row; None for a variable that is not bound yet."""
    if isinstance(slot, int):
        return np.full(rows.size, slot, np.uint32)
    return rows.columns.get(slot)


def _one(id: int) -> Ids:
    return np.array([id], np.uint32)


def product(rows: Solutions, found: dict[Variable, Ids]) -> Iterable[Solutions]:
    """Every row with every one of some rows of new columns."""
    size = len(next(iter(found.values())))
    if rows.size != 1:
        return _products(rows, found, size)
    own = {v: np.full(size, column[0]) for v, column in rows.columns.items()}
    return (Solutions(size, {**own, **found}),)


def _products(rows: Solutions, found: dict[Variable, Ids], size: int) -> Iterator[Solutions]:
    for start in range(0, rows.size, step := max(1, QUERIES.solutions_block // max(1, size))):
        part = rows.slice(start, start + step)
        of_row = np.repeat(np.arange(part.size), size)
        columns = {v: np.tile(column, part.size) for v, column in found.items()}
        yield part.take(of_row).with_columns(columns)
