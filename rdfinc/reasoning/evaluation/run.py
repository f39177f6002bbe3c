"""Running a plan over a batch of facts: `run(plan, predicate, keys, states)`.

Two interpreters give the same matches. *Rows* (see `row_interpreter`) go fact by fact with Python
integers, *columns* a literal at a time with arrays. Only they and the tables know how facts are
held. A few facts go by rows, many by columns; if a row meets many candidates, the rest of its plan
goes on by columns. Matches come in blocks, made as they are asked for, so that a search stops early
once it has what it wants. The first blocks of the row interpreter are small.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from rdfinc.datalog.clause import Computation
from rdfinc.datalog.compile.planning import LEFT, Compute, Match, Plan, Slots, Step, Use
from rdfinc.reasoning.evaluation.plan_codegen import relations
from rdfinc.reasoning.evaluation.related import Related
from rdfinc.reasoning.evaluation.row_interpreter import routine
from rdfinc.reasoning.evaluation.search_reports import report
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.evaluation.step_interpreter import Search
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.kernels import IdArray, Indices, Mask
from rdfinc.tables.marks import Marked, Marks
from rdfinc.tables.matches import Matches
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.views import Members

States = Sequence[State]
Column = int | IdArray
Number = TypeVar("Number", np.uint32, np.uint64)
"""One id for all rows of a block, or an id for each."""


class Parts(dict[int, "list[Keys]"]):
    """Facts that come in groups of keys, by predicate, repetitions allowed."""

    def members(self, predicate: int, subjects: IdArray, object_: int) -> None:
        """Adds many subjects that have one object."""
        keys = kernels.pack(kernels.unique_ids(subjects), object_)
        self.setdefault(predicate, []).append(keys)


class Block(ABC):
    """Some matches of a plan, each a value for every slot."""

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def bands(self, atom: Slots, done: Members) -> Iterable[Block]:
        """The matches in parts, some for each instance of the atom while it is not `done`."""

    @abstractmethod
    def among(self, atom: Slots, predicate: int, marked: Marked) -> Block | None:
        """A mask of the matches whose instance of the atom is among some facts of a relation;
        None if the matches do not hold the atom's variables any more."""

    @abstractmethod
    def marked(self, atom: Slots, marks: Marks) -> Sequence[bool] | Mask:
        """For every match whether the atom's instance is marked."""

    @abstractmethod
    def emit(self, atom: Slots, parts: Parts) -> None:
        """Adds the atom's instance under every match (repetitions allowed)."""

    @abstractmethod
    def keep(self, mask: Sequence[bool] | Mask) -> Block:
        """The matches that the mask chooses; the same block if it chooses all."""

    @abstractmethod
    def values(self, slots: Sequence[int]) -> list[tuple[int, ...]]:
        """The values of some slots for every match."""

    @abstractmethod
    def columns_of(self, slots: Sequence[int]) -> list[IdArray]:
        """The values of slots in each match, a column for each slot."""


class Rows(Block):
    """Matches as tuples of slot values."""

    def __init__(self, rows: list[tuple[int, ...]]) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def emit(self, atom: Slots, parts: Parts) -> None:
        s, p, o = atom.s, atom.p, atom.o
        for row in self.rows:
            group = parts.get(row[p])
            if group is None:
                parts[row[p]] = [[row[s] << 32 | row[o]]]
            elif isinstance(last := group[-1], list):
                last.append(row[s] << 32 | row[o])
            else:
                group.append([row[s] << 32 | row[o]])

    def bands(self, atom: Slots, done: Members) -> tuple[Rows]:
        return (self,)

    def among(self, atom: Slots, predicate: int, marked: Marked) -> Rows | None:
        s, p, o, has = atom.s, atom.p, atom.o, marked.has
        if not all(row[s] and row[p] and row[o] for row in self.rows[:1]):
            return None
        return Rows(
            [row for row in self.rows if row[p] == predicate and has(row[s] << 32 | row[o])]
        )

    def marked(self, atom: Slots, marks: Marks) -> list[bool]:
        s, p, o = atom.s, atom.p, atom.o
        return [marks[row[p]].has(row[s] << 32 | row[o]) for row in self.rows]

    def keep(self, mask: Sequence[bool] | Mask) -> Rows:
        return self if all(mask) else Rows(list(compress(self.rows, mask)))

    def values(self, slots: Sequence[int]) -> list[tuple[int, ...]]:
        return [tuple(row[slot] for slot in slots) for row in self.rows]

    def columns_of(self, slots: Sequence[int]) -> list[IdArray]:
        table = np.array(self.rows, np.uint32).reshape(len(self.rows), -1)
        return [table[:, slot] for slot in slots]


class Columns(Block):
    """`size` matches, a column for every slot."""

    def __init__(self, columns: list[Column], size: int) -> None:
        self.columns, self.size = columns, size

    def __len__(self) -> int:
        return self.size

    def only(self, live: Container[int]) -> Columns:
        """The block without the columns that no one reads any more."""
        kept = [c if isinstance(c, int) or i in live else 0 for i, c in enumerate(self.columns)]
        return Columns(kept, self.size)

    @classmethod
    def united(cls, blocks: Sequence[Columns]) -> Columns:
        """The matches of some blocks in one."""
        if len(blocks) == 1:
            return blocks[0]
        slots = range(len(blocks[0].columns))
        columns = [_united_column(blocks, i) for i in slots]
        return cls(columns, sum(map(len, blocks)))

    def select(self, which: Indices | Mask) -> Columns:
        if which.dtype == np.bool_:
            which = np.flatnonzero(which)
        chosen = [c if isinstance(c, int) else c[which] for c in self.columns]
        return Columns(chosen, which.size)

    def cut(self, most: int) -> Iterator[Columns]:
        """The rows in blocks of at most so many."""
        for start in range(0, self.size, most):
            yield self.select(np.arange(start, min(start + most, self.size)))

    def marked(self, atom: Slots, marks: Marks) -> Mask:
        keys, predicates = kernels.pack(self.full(atom.s), self.full(atom.o)), self.columns[atom.p]
        if isinstance(predicates, int):
            return marks[predicates].contains(keys)
        found = np.zeros(self.size, np.bool_)
        for predicate in np.unique(predicates).tolist():
            those = predicates == predicate
            found[those] = marks[predicate].contains(keys[those])
        return found

    def keep(self, mask: Sequence[bool] | Mask) -> Columns:
        chosen = np.asarray(mask, np.bool_)
        return self if chosen.all() else self.select(chosen)

    def distinct(self, wanted: Container[int]) -> Columns:
        """Rows without repetition in the wanted slots, if these are one column of many."""
        columns = [i for i, column in enumerate(self.columns) if not isinstance(column, int)]
        kept = [i for i in columns if i in wanted]
        if len(kept) != 1 or len(columns) == 1 or self.size <= TABLES.many_ids:
            return self
        ids = kernels.unique_ids(self.full(kept[0]))
        return Columns(self.only(kept).columns, ids.size).assign(kept[0], ids)

    def assign(self, slot: int, column: Column) -> Columns:
        columns = list(self.columns)
        columns[slot] = column
        return Columns(columns, self.size)

    def full(self, slot: int) -> IdArray:
        column = self.columns[slot]
        return np.full(self.size, column, np.uint32) if isinstance(column, int) else column

    def bands(self, atom: Slots, done: Members) -> Iterator[Columns]:
        """The matches in parts: the first for each instance of the atom, then a few more for
        those that are not `done` by then, then more and more."""
        keys = kernels.pack(self.full(atom.s), self.full(atom.o))
        rank = kernels.ranks(keys)
        start, size, most = 0, 1, int(rank.max(initial=0))
        while start <= most:
            chosen = (rank >= start) & (rank < start + size)
            chosen[chosen] = ~done.contains(keys[chosen])
            if chosen.any():
                yield self.select(chosen)
            start, size = start + size, size * 4

    def among(self, atom: Slots, predicate: int, marked: Marked) -> Columns | None:
        slots = [self.columns[slot] for slot in (atom.s, atom.p, atom.o)]
        if any(isinstance(column, int) and not column for column in slots):
            return None
        found = np.flatnonzero(self.full(atom.p) == predicate)
        keys = kernels.pack(self.full(atom.s)[found], self.full(atom.o)[found])
        return self.select(found[marked.contains(keys)])

    def emit(self, atom: Slots, parts: Parts) -> None:
        predicate, s, o = self.columns[atom.p], self.columns[atom.s], self.columns[atom.o]
        if not isinstance(predicate, int):
            keys = kernels.pack(self.full(atom.s), self.full(atom.o))
            for one, some in kernels.grouped(predicate, keys):
                if isinstance(o, int) and some.size > TABLES.many_ids:
                    parts.members(one, kernels.high(some), o)
                else:
                    parts.setdefault(one, []).append(some)
        elif not isinstance(o, int):
            parts.setdefault(predicate, []).append(kernels.pack(s, o))
        elif not isinstance(s, int):
            parts.members(predicate, s, o)
        else:
            parts.setdefault(predicate, []).append([s << 32 | o])

    def split(self, slot: int) -> Iterator[Columns]:
        """A block for every value of the slot, which is one id there."""
        column = self.columns[slot]
        if isinstance(column, int):
            yield self
            return
        order = np.argsort(column, kind="stable")
        ordered = column[order]
        starts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] + np.uint32(1)))
        for start, group in zip(starts, np.split(order, starts[1:]), strict=True):
            yield self.select(group).assign(slot, int(ordered[start]))

    def values(self, slots: Sequence[int]) -> list[tuple[int, ...]]:
        if not slots:
            return [()] * self.size
        return list(zip(*(self.full(slot).tolist() for slot in slots), strict=True))

    def columns_of(self, slots: Sequence[int]) -> list[IdArray]:
        return [self.full(slot) for slot in slots]


def _united_column(blocks: Sequence[Columns], slot: int) -> Column:
    first, *others = (block.columns[slot] for block in blocks)
    if isinstance(first, int) and all(isinstance(each, int) and each == first for each in others):
        return first
    return np.concatenate([block.full(slot) for block in blocks])


def united(blocks: Iterable[Block], slot: int) -> Iterator[Block]:
    """The same matches, in fewer blocks where these have many values of a slot: facts of many
    relations cost less to tell apart many at a time."""
    waiting, size = list[Columns](), 0
    for block in blocks:
        if not isinstance(block, Columns) or isinstance(block.columns[slot], int):
            yield block
            continue
        waiting.append(block)
        size += block.size
        if size >= REASONING.united_rows:
            yield Columns.united(waiting)
            waiting, size = [], 0
    if waiting:
        yield Columns.united(waiting)


def run(plan: Plan, predicate: int, keys: Keys, states: States) -> Iterator[Block]:
    """The matches of the plan whose driver is one of the facts `keys` of `predicate`."""
    awaited = plan.order.awaited
    if awaited is not None and _lack(keys, states[LEFT].table(plan.blank[awaited])):
        return iter(())
    if isinstance(keys, list):
        return routine(plan, _MANY, len(keys))(keys, predicate, states, plan.rows, _Met())
    return _by_columns(plan, predicate, keys, states)


def _lack(keys: Keys, awaited: Table) -> bool:
    """Whether the subjects of some facts have none of others."""
    subjects = kernels.high(np.asarray(keys, np.uint64))
    return not awaited.are_subjects(subjects).any()


def _table(step: Match, states: States, predicate: int) -> Table:
    """The table that a literal is matched in; a negated literal's fact must be missing from it."""
    state = states[step.role]
    return state.negated(predicate) if step.negated else state.table(predicate)


ClassIn = tuple[int, Table]
"""A class, and the table that it has its members in."""


def complete(steps: Sequence[Step], slots: list[int], states: States) -> Iterator[Block]:
    """The matches of some steps where the slots have these values, 0 for none."""
    met = _Met()
    yield from Search(steps, slots, states, _MANY).blocks(met)
    yield Rows(met)


def _complete(steps: Sequence[Step], slots: list[Column], states: States) -> Iterator[Columns]:
    """Completes a match by columns."""
    block = Columns(slots, 1)
    return iter(()) if _is_idle(steps[0], block, states) else _columns(steps, 0, block, states)


# -- rows


class _Met(list[tuple[int, ...]]):
    """Matches that wait until there are `enough` for a block: first one, then two, then four, …,
    until that is what a block has at most."""

    enough = 1

    def block(self) -> Rows:
        found = Rows(self[:])
        self.clear()
        self.enough = min(2 * self.enough, REASONING.waiting_rows)
        return found


def _members(*classes: ClassIn) -> list[int] | IdArray:
    """The members of the first class, all that others may have in common with it among them. They
    are read from the smallest class; many are never Python numbers."""
    first = least = classes[0]
    if len(classes) > 1:
        least = min(classes, key=lambda one: one[1].subjects_at_most(one[0]))
    _, found = least[1].by_objects(np.array([least[0]], np.uint32))
    if least is not first:
        found = found[first[1].contains(kernels.pack(found, first[0]))]
    return found.tolist() if found.size <= TABLES.narrow_batch else found


def _spread(
    steps: Sequence[Step],
    slots: list[Column],
    states: States,
    slot: int,
    candidates: list[int] | IdArray,
) -> Iterator[Columns]:
    """Goes on by columns with every candidate for a slot."""
    for some in growing(np.asarray(candidates, np.uint32)):
        block = Columns(slots, some.size).assign(slot, some)
        yield from _columns(steps, 0, block, states)


def growing(values: NDArray[Number]) -> Iterator[NDArray[Number]]:
    """All values in parts, each four times the one before: a search may stop after the first."""
    start, size = 0, max(1, TABLES.narrow_batch // 2)
    while start < values.size:
        yield values[start : start + size]
        start, size = start + size, size * 4


_MANY = {"spread": _spread, "columns": _complete, "members": _members, "Rows": Rows}


# -- columns


def _by_columns(
    plan: Plan, predicate: int, keys: kernels.KeyArray, states: States
) -> Iterator[Block]:
    for start in range(0, keys.size, REASONING.rows_block):
        driven = _driven_block(plan, predicate, keys[start : start + REASONING.rows_block])
        for block in _given(plan, driven):
            if not any(_is_idle(step, block, states) for step in plan.steps):
                yield from _columns(plan.steps, 0, block, states)


def _is_idle(step: Step, block: Columns, states: States) -> bool:
    """Whether a step surely has no match, because its relation is empty."""
    if isinstance(step, Compute) or step.negated:
        return False
    predicate = block.columns[step.at.p]
    if not isinstance(predicate, int) or not predicate:
        return False
    return not _table(step, states, predicate).at_most()


def _driven_block(plan: Plan, predicate: int, keys: kernels.KeyArray) -> Columns:
    """The block after matching the driver with many facts."""
    block = Columns(list(plan.blank), keys.size)
    at = plan.driver
    unbound = set(range(plan.variables))
    o = _one_if_all_equal(kernels.low(keys))
    for slot, column in ((at.p, predicate), (at.s, kernels.high(keys)), (at.o, o)):
        if slot in unbound:
            block = block.assign(slot, column)
            unbound.discard(slot)
        elif not np.all(same := np.equal(block.columns[slot], column)):
            keep = np.broadcast_to(same, (keys.size,))
            return _narrowed(plan, predicate, keys[keep])
    return block


def _one_if_all_equal(ids: IdArray) -> Column:
    """The members of one class, above all: what is one id is handled as one."""
    return int(ids[0]) if ids[0] == ids[-1] and (ids == ids[0]).all() else ids


def _given(plan: Plan, block: Columns) -> Iterator[Columns]:
    """The block with each row of the values that the plan is given."""
    for row in plan.rows:
        given = block
        for slot, value in zip(plan.given, row, strict=True):
            given = given.assign(slot, value)
        yield given


def _narrowed(plan: Plan, predicate: int, keys: kernels.KeyArray) -> Columns:
    if not keys.size:
        return Columns(list(plan.blank), 0)
    return _driven_block(plan, predicate, keys)


def _columns(steps: Sequence[Step], i: int, block: Columns, states: States) -> Iterator[Columns]:
    """The remaining steps, a step at a time; splits where a predicate is not one for all, or where
    there would be too many rows."""
    while i < len(steps):
        if not block.size:
            return
        report(block.size)
        steps = _smaller_first(steps, i, block, states)
        step = steps[i]
        i += 1
        if isinstance(step, Compute):
            block = _compute_columns(step, block)
        elif not step.p:
            rest = (step.with_predicate(), *steps[i:])
            s, o = _single_ends(step, block)
            every = relations(step.is_auxiliary, states[step.role], s or o, as_subject=s > 0)
            for predicate in every:
                yield from _columns(rest, 0, block.assign(step.at.p, predicate), states)
            return
        elif (table := _table_at_once(step, block, states)) is not None:
            joined = _joined(step, block, table)
            if not isinstance(joined, Columns):
                for part in joined:
                    yield from _columns(steps, i, part, states)
                return
            block = joined
        elif (matched := _of_many_relations(step, block, states)) is not None:
            block = matched
        else:
            for part in _parts(step, block, states):
                yield from _columns((step, *steps[i:]), 0, part, states)
            return
    if block.size:
        yield block


def _table_at_once(step: Match, block: Columns, states: States) -> Table | None:
    """The table that the whole block is matched in; None where there are several, or where every
    row goes with every fact and that are too many rows for one block."""
    relation = block.columns[step.at.p]
    if not isinstance(relation, int):
        return None
    table = _table(step, states, relation)
    is_product = not (step.s or step.o or block.size == 1)
    return None if is_product and block.size * table.at_most() > REASONING.crossed_rows else table


def _parts(step: Match, block: Columns, states: States) -> Iterator[Columns]:
    """The block in parts that are matched in a table at once."""
    relation = block.columns[step.at.p]
    if not isinstance(relation, int):
        related = _related(step, block, states)
        if related.size:
            yield from related.split(step.at.p)
        return
    yield from block.cut(max(1, REASONING.crossed_rows // _table(step, states, relation).at_most()))


def _of_many_relations(step: Match, block: Columns, states: States) -> Columns | None:
    """The rows with what they meet, where this is found without a look into each relation for all
    of its rows; otherwise None."""
    if _asks_relations(step, block):
        return _related(step, block, states).only(step.live)
    return _matched_by_rows(step, block, states)


def _matched_by_rows(step: Match, block: Columns, states: States) -> Columns | None:
    """The rows with what they meet in the tables of their relations, looked up for each. None where
    they are many of one relation, or meet many."""
    at, relation = step.at, block.columns[step.at.p]
    if isinstance(relation, int) or not (step.s or step.o):
        return None
    if block.size > REASONING.scattered_rows * kernels.unique_ids(relation).size:
        return None
    block = _related(step, block, states)
    live, tables = block.only(step.live), [_table(step, states, p) for p in _ids(block, at.p)]
    known, free = (at.s, at.o) if step.s else (at.o, at.s)
    if step.s and step.o:
        keys = kernels.pack(block.full(at.s), block.full(at.o)).tolist()
        found = [table.has(key) for table, key in zip(tables, keys, strict=True)]
        return live.select(np.array(found, np.bool_) ^ step.negated)
    asked = zip(tables, _ids(block, known), strict=True)
    if free not in step.live:
        found = [t.is_subject(id) if step.s else t.is_object(id) for t, id in asked]
        return live.select(np.array(found, np.bool_))
    owners: list[int] = []
    ids: list[int] = []
    for row, (table, id) in enumerate(asked):
        few = (table.few_objects if step.s else table.few_subjects)(id, TABLES.narrow_batch)
        if few is None:
            return None
        owners += [row] * len(few)
        ids += few
    return live.select(np.array(owners, np.intp)).assign(free, np.array(ids, np.uint32))


def _ids(block: Columns, slot: int) -> list[int]:
    found: list[int] = block.full(slot).tolist()
    return found


def _asks_relations(step: Match, block: Columns) -> bool:
    """Whether a match asks nothing but which of many relations have facts with ends that are one id
    for all rows."""
    at, (s, o) = step.at, _single_ends(step, block)
    if step.negated or isinstance(block.columns[at.p], int) or not (s or o):
        return False
    return all(
        id or not (bound or slot in step.live)
        for id, bound, slot in ((s, step.s, at.s), (o, step.o, at.o))
    )


def _single_ends(step: Match, block: Columns) -> tuple[int, int]:
    """The subject and the object, as far as they are one id for all rows; else 0."""
    s, o = block.columns[step.at.s], block.columns[step.at.o]
    return s if step.s and isinstance(s, int) else 0, o if step.o and isinstance(o, int) else 0


def _related(step: Match, block: Columns, states: States) -> Columns:
    """The rows whose relation may have facts: with the known ends, and surely where these are one
    id for all rows; any facts if no end is known."""
    if step.negated:
        return block
    state, column = states[step.role], block.full(step.at.p)
    s, o = _single_ends(step, block)
    if s or o or not (step.s or step.o):
        relations, places = kernels.numbered(column)
        return block.select(_with_ends(state, relations, s, o)[places])
    related = _noted(state, column)
    if related is None:
        return block
    ends = block.full(step.at.s if step.s else step.at.o)
    return block.select(related.mask(column, ends, as_subject=step.s))


def _noted(state: State, relations: IdArray) -> Related | None:
    """What tells the relations of terms, where many are to be looked at."""
    related = state.related
    if related is None or relations.size <= REASONING.few_relations:
        return None
    number = kernels.unique_ids(relations).size
    return related if number > REASONING.few_relations and related.ask(number) else None


def _with_ends(state: State, relations: IdArray, s: int, o: int) -> Mask:
    """For each relation whether it has facts with ends, of which one may be 0; if both are, whether
    it may have any."""
    related = _noted(state, relations) if s or o else None
    if related is None:
        found = np.ones(relations.size, np.bool_)
    else:
        found = related.mask(relations, s or o, as_subject=s > 0)
    for place, relation in zip(np.flatnonzero(found), relations[found].tolist(), strict=True):
        table = state.table(relation)
        if s and o:
            found[place] = table.has(s << 32 | o)
        elif s or o:
            found[place] = table.is_subject(s) if s else table.is_object(o)
        else:
            found[place] = table.at_most() > 0
    return found


def _smaller_first(steps: Sequence[Step], i: int, block: Columns, states: States) -> Sequence[Step]:
    """The steps, where two relations are to have the same pairs the smaller one first."""
    if i + 1 >= len(steps):
        return steps
    first, second = steps[i], steps[i + 1]
    if not isinstance(first, Match) or not isinstance(second, Match) or second.negated:
        return steps
    if first.s or first.o or {first.at.s, first.at.o} != {second.at.s, second.at.o}:
        return steps
    p, q = block.columns[first.at.p], block.columns[second.at.p]
    if not (isinstance(p, int) and p and isinstance(q, int) and q):
        return steps
    if _table(first, states, p).at_most() <= _table(second, states, q).at_most():
        return steps
    swapped = (
        replace(second, s=False, o=False, live=first.live),
        replace(first, s=True, o=True, live=second.live),
    )
    return (*steps[:i], *swapped, *steps[i + 2 :])


def _few(step: Match, block: Columns, table: Table) -> tuple[int, list[int] | None]:
    """An unbound slot that is read further on and its values, if a large block has the same few for
    all rows, as the row of a parameter table gives. For each of the values, more columns are a
    single id."""
    at = step.at
    known, free = (at.s, at.o) if step.s else (at.o, at.s)
    value = block.columns[known]
    if block.size < TABLES.many_ids or step.s == step.o or not isinstance(value, int):
        return free, None
    if free not in step.live:
        return free, None
    lookup = table.by_subjects if step.s else table.by_objects
    _, found = lookup(np.array([value], np.uint32))
    return free, found.tolist() if found.size <= TABLES.narrow_batch else None


def _joined(step: Match, block: Columns, table: Table) -> Columns | Iterator[Columns]:
    """The rows that match; in several blocks where a slot is one id in each, or where there are too
    many rows for one."""
    block = block.distinct(step.live.union((step.at.s, step.at.o)))
    slot, values = _few(step, block, table)
    if values is None:
        return _join(step, block, table)
    live = block.only(step.live)
    return (live.assign(slot, value) for value in values)


def _join(step: Match, block: Columns, table: Table) -> Columns | Iterator[Columns]:
    if step.s and step.o:
        return _semijoin(step, block, table)
    if step.s or step.o:
        free = step.at.o if step.s else step.at.s
        return (_followed if free in step.live else _met)(step, block, table)
    return _all(step, block, table)


def _all(step: Match, block: Columns, table: Table) -> Columns:
    """Every row with every fact, or with every end of one where nobody reads the other."""
    at, live = step.at, block.only(step.live)
    if at.s != at.o and table.at_most() > TABLES.many_ids:
        if at.o not in step.live:
            return _crossed(live, {at.s: table.all_subjects()})
        if at.s not in step.live:
            return _crossed(live, {at.o: table.all_objects()})
    keys = table.scan()
    s, o = kernels.high(keys), kernels.low(keys)
    if at.s == at.o:
        s = o = s[s == o]
    return _crossed(live, {at.s: s, at.o: o})


def _crossed(live: Columns, found: Mapping[int, IdArray]) -> Columns:
    """Every row with every row of what was found."""
    size = next(iter(found.values())).size
    joined = live.select(np.repeat(np.arange(live.size), size))
    for slot, ids in found.items():
        joined = joined.assign(slot, np.tile(ids, live.size))
    return joined


def _semijoin(step: Match, block: Columns, table: Table) -> Columns:
    """The rows whose fact is there; for a negated literal those whose fact is missing."""
    live, s, o = block.only(step.live), block.columns[step.at.s], block.columns[step.at.o]
    if isinstance(s, int) and isinstance(o, int):
        there = table.has(s << 32 | o)
        return live if there is not step.negated else Columns(live.columns, 0)
    found = _found_column(table, s, o, block.size)
    return live.select(~found if step.negated else found)


def _found_column(table: Table, s: Column, o: Column, size: int) -> Mask:
    """For each pair whether it is there."""
    if size > TABLES.many_ids and isinstance(o, int) and not isinstance(s, int):
        _, members = table.by_objects(np.array([o], np.uint32))
        if members.size < 32 * size:
            return kernels.contains_ids(members, s)
    return table.contains(kernels.pack(s, o))


def _met(step: Match, block: Columns, table: Table) -> Columns:
    """The rows that meet any id, if no step reads the ids."""
    live, column = block.only(step.live), block.columns[step.at.s if step.s else step.at.o]
    if isinstance(column, int):
        is_end = table.is_subject if step.s else table.is_object
        return live if is_end(column) else Columns(live.columns, 0)
    ids, places = kernels.numbered(column)
    are_ends = table.are_subjects if step.s else table.are_objects
    return live.select(are_ends(ids)[places])


def _followed(step: Match, block: Columns, table: Table) -> Columns | Iterator[Columns]:
    """The rows with each of the ids that they meet. If no step reads the column by which they
    were met, only as many rows as there are different results."""
    at, lookup = step.at, table.by_subjects if step.s else table.by_objects
    known, free = (at.s, at.o) if step.s else (at.o, at.s)
    live, column, most = block.only(step.live), block.columns[known], REASONING.crossed_rows
    if isinstance(column, int):
        _, found = lookup(np.array([column], np.uint32))
        if live.size * found.size <= most:
            return _crossed(live, {free: found})
        return (_crossed(part, {free: found}) for part in live.cut(max(1, most // found.size)))
    if block.size <= TABLES.many_ids and not _may_be_many(column, table):
        owner, found = lookup(column)
        return live.select(owner).assign(free, found)
    matches = Matches(column, lookup)
    others = [slot for slot, column in enumerate(live.columns) if not isinstance(column, int)]
    if len(others) == 1 and others[0] != known:
        pairs = matches.pairs(live.full(others[0]))
        if pairs is not None:
            heads, found = pairs
            return Columns(live.columns, found.size).assign(others[0], heads).assign(free, found)
    parts = (live.select(owner).assign(free, ids) for owner, ids in matches.parts(most))
    return next(parts) if matches.number <= most else parts


def _may_be_many(column: IdArray, table: Table) -> bool:
    """Whether ids that stand more than once may meet more than a block has rows."""
    facts = table.at_most()
    if column.size * facts <= REASONING.crossed_rows:
        return False
    ordered, times = np.sort(column), max(1, REASONING.crossed_rows // facts)
    return bool((ordered[times:] == ordered[:-times]).any())


def _compute_columns(step: Compute, block: Columns) -> Columns:
    computation = step.computation
    if step.use is Use.INVERT:
        return _invert_columns(step, block)
    if step.use is Use.FILTER:
        return block.select(_holding(computation, block))
    values = _values(computation, block)
    keep = values != 0
    if step.use is Use.TEST:
        keep &= values == block.columns[computation.output or 0]
    kept = block.select(keep)
    return kept.assign(computation.output or 0, values[keep]) if step.use is Use.ASSIGN else kept


def _values(computation: Computation, block: Columns) -> IdArray:
    """The value for every row, 0 where there is none; equal rows are computed once."""
    inputs, value_of = computation.inputs, dict[tuple[int, ...], int | None]()
    found: list[int] = []
    for part in block.only(inputs).cut(REASONING.computed_rows):
        rows = part.values(inputs)
        new = [row for row in dict.fromkeys(rows) if row not in value_of]
        report(part.size + REASONING.steps_a_computation * len(new))
        value_of.update(zip(new, computation.values(new), strict=True))
        found += [value_of[row] or 0 for row in rows]
    return np.array(found, np.uint32)


def _holding(computation: Computation, block: Columns) -> Mask:
    """The rows for which a filter holds."""
    if computation.decide is None:
        return np.not_equal(_values(computation, block), 0)
    holds, asked = computation.decide([block.full(slot) for slot in computation.inputs])
    if asked.any():
        holds[asked] = _values(computation, block.select(asked)) != 0
    return holds


def _invert_columns(step: Compute, block: Columns) -> Columns:
    computation = step.computation
    assert computation.invert is not None and computation.output is not None
    found = [computation.invert(row) for row in block.full(computation.output).tolist()]
    kept = block.select(np.array([values is not None for values in found], np.bool_))
    if not kept.size:
        return kept
    columns = np.array([values for values in found if values is not None], np.uint32)
    agree = np.ones(kept.size, np.bool_)
    for slot, column in zip(computation.inputs, columns.T, strict=True):
        if slot in step.known:
            agree &= column == kept.columns[slot]
        else:
            kept = kept.assign(slot, column)
    return kept.select(agree)
