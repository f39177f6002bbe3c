"""Modules: relations that a table can keep as a function of other facts, told by their rules
(Hu et al. 2019 §4; Zhang et al. 2024 §4).

The relations of a module are its *members*. Some rules are the module's *own*: rows of parameter
tables about members alone, in one of three forms:

    h(x, y) ← p(x, y)      h(y, x) ← p(x, y)      h(x, z) ← p(x, y), q(y, z)

the last also with FILTER(?x != ?z). A member's *external facts* are its explicit facts, and those
that follow by other rules than the module's own. The first two forms tie members together. So each
member, read straight or transposed, is the same closure of the external facts of all members.

In a row of the last form one of p and q may be another relation. What it derives is external then,
and it need not be asked about more than the external facts of the member (see `chain_rules`).

Relations to which such closures are copied make a module as well, their *union*: its own rules are
then, besides those that tie its members, the first two where p is a *part*, a member of another
module. A member is all external facts of the module and all facts of its parts.

Where external facts depend on the closure itself, no table can be a function of them. Then the
members are closed by linear rules instead (`datalog.compile.linear_rules`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, auto
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from rdfinc.datalog.analysis.strong_components import components
from rdfinc.datalog.clause import Clause
from rdfinc.datalog.rule_thresholds import RULES

Rows = Mapping[int, NDArray[np.uint32]]
"""The columns of a parameter table, by variable."""

_UNEQUAL = re.compile(r"\?(\w+) != \?(\w+)")


Member = tuple[int, bool]
"""A relation, and whether it is read straight: (x, y) and not (y, x)."""


class ClauseRole(Enum):
    """The role of a clause in a module."""

    COPY = auto()
    INVERSE = auto()
    CHAIN = auto()


class Shape(Struct, frozen=True):
    """The shape of a clause that may be a module's own: the variables for the relations of head
    and body, whether equal ends are excluded, and the relations of its parameter table."""

    form: ClauseRole
    relations: tuple[int, ...]
    guarded: bool
    tables: tuple[tuple[int, int | None], ...]

    def columns(self, rows: Rows) -> tuple[NDArray[np.uint32], ...]:
        return tuple(rows[variable] for variable in self.relations)


class ClosureKind(Struct, frozen=True):
    """Which closure: transitive, symmetric, both, or neither (then the external facts and those of
    `parts` are all). Without `diagonal` no pair of equals follows by transitivity."""

    transitive: bool
    symmetric: bool
    diagonal: bool
    parts: tuple[Member, ...] = ()


class Linear(Struct, frozen=True):
    """The closure of a module by linear rules: its kind, and the auxiliary `names` under which the
    rules derive the members, in order. No fact is of these names."""

    kind: ClosureKind
    names: tuple[int, ...]


class Module(Struct, frozen=True):
    """Relations that are one closure, or the union of `parts`; `external` is the auxiliary relation
    of their external facts. These, and the parts, are written as the first member reads them.

    If they are in chains with other relations, they are a module only as long as they are the
    closure that `chained` says; likewise if they depend on themselves, and are closed by `linear`
    rules.
    """

    external: int
    members: tuple[Member, ...]
    parts: tuple[Member, ...] = ()
    chained: ClosureKind | None = None
    linear: Linear | None = None

    def allows(self, kind: ClosureKind) -> bool:
        """Whether the members may be this closure."""
        linear = self.linear.kind if self.linear else kind
        return kind == linear and self.chained in (None, kind)


class Modules:
    """The modules of a program, at most one for each relation; a union comes after its parts."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        self.all = tuple(modules)
        self.of = {relation: module for module in self.all for relation, _ in module.members}
        self.tabled = {relation for relation, module in self.of.items() if not module.linear}
        """The members that a table keeps."""
        self.by_external = {module.external: module for module in self.all}
        self._named = {
            relation: name
            for module in self.all
            if module.linear
            for (relation, _), name in zip(module.members, module.linear.names, strict=True)
        }
        self.renamed = {relation: module.external for relation, module in self.of.items()}
        """For a member the relation that facts derived for it are of: the external one of its
        module; for what linear rules derive the member."""
        self.renamed |= {name: relation for relation, name in self._named.items()}

    def __bool__(self) -> bool:
        return bool(self.all)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Modules) and self.all == other.all

    __hash__ = None  # type: ignore[assignment]

    def derived(self, relation: int) -> int:
        """The relation that facts derived for one are of."""
        return self.renamed.get(relation, relation)

    def members(self, relation: int) -> tuple[Member, ...]:
        """The members whose facts are derived as facts of a relation: those that it is external
        to; for a member closed by linear rules, the names of these."""
        module = self.by_external.get(relation)
        if module is None:
            return ((self._named.get(relation, relation), True),)
        return module.members

    def internal(self, relations: Sequence[int]) -> bool:
        """Whether a row with these relations is a module's own, or one of its chains."""
        module = self.of.get(relations[0])
        if module is None:
            return False
        within = [self.of.get(relation) is module for relation in relations[1:]]
        if all(within) or (module.chained and any(within)):
            return True
        return len(relations) == 2 and any(relations[1] == part for part, _ in module.parts)

    def internal_rows(self, columns: Sequence[NDArray[np.uint32]]) -> NDArray[np.bool_]:
        """As `internal`, for each row."""
        return self.owners(columns) >= 0

    def owners(self, columns: Sequence[NDArray[np.uint32]]) -> NDArray[np.int32]:
        """For each row the number in `all` of the module whose own it is, or whose chain; -1 if
        there is none."""
        head, *bodies = map(self.numbers, columns)
        found = np.logical_and.reduce([body == head for body in bodies])
        if len(bodies) == 2:
            found |= self.chain_owners(columns) >= 0
        elif self._parts.size:
            found |= np.isin(_packed(head, columns[1]), self._parts)
        return np.where(found, head, -1)

    def chain_owners(self, columns: Sequence[NDArray[np.uint32]]) -> NDArray[np.int32]:
        """For each row the number of the module that it is a chain of with another relation; -1 if
        there is none."""
        head, first, second = map(self.numbers, columns)
        chained = np.array([*(module.chained is not None for module in self.all), False])
        return np.where(chained[head] & ((first == head) ^ (second == head)), head, -1)

    def numbers(self, relations: NDArray[Any]) -> NDArray[np.int32]:
        """For each relation the number in `all` of its module; -1 if it is a member of none."""
        ids, numbers = self._numbered
        found = np.full(relations.size, -1, np.int32)
        mine = _among(relations, self.of)
        found[mine] = numbers[np.searchsorted(ids, relations[mine])]
        return found

    @cached_property
    def _numbered(self) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
        """The members, sorted, and the number of each one's module."""
        pairs = sorted(
            (relation, number)
            for number, module in enumerate(self.all)
            for relation, _ in module.members
        )
        table = np.array(pairs, np.int64).reshape(len(pairs), 2)
        return table[:, 0].astype(np.uint32), table[:, 1].astype(np.int32)

    @cached_property
    def _parts(self) -> NDArray[np.int64]:
        """Each module's number with each of its parts."""
        pairs = [
            (number, part) for number, module in enumerate(self.all) for part, _ in module.parts
        ]
        numbers, parts = np.array(pairs, np.int64).reshape(len(pairs), 2).T
        return _packed(numbers, parts)

    def rows_apart(self, shaped: Shaped) -> list[Shaped]:
        """For each module the rows whose head is a member. Cost: all rows, and those that are
        handed out, once more."""
        found: list[list[tuple[Shape, Rows]]] = [[] for _ in self.all]
        for shape, rows in shaped:
            numbers = self.numbers(shape.columns(rows)[0])
            mine = np.flatnonzero(numbers >= 0)
            mine = mine[np.argsort(numbers[mine], kind="stable")]
            numbers = numbers[mine]
            ends = [*(np.flatnonzero(numbers[1:] != numbers[:-1]) + 1).tolist(), mine.size]
            for start, end in pairwise([0, *ends] if mine.size else []):
                chosen = mine[start:end]
                some = {variable: column[chosen] for variable, column in rows.items()}
                found[numbers[start]].append((shape, some))
        return list(found)


def _packed(numbers: NDArray[Any], relations: NDArray[Any]) -> NDArray[np.int64]:
    return numbers.astype(np.int64) << 32 | relations.astype(np.int64)


def _in_chains(
    columns: Sequence[NDArray[np.uint32]], members: Collection[int]
) -> NDArray[np.bool_]:
    """Which steps of two lead from one of some relations and another one to one of the first."""
    head, first, second = (_among(column, members) for column in columns)
    return head & (first ^ second)


def _among(column: NDArray[Any], relations: Collection[int]) -> NDArray[np.bool_]:
    """For each relation whether it is one of some."""
    if len(relations) > RULES.few_members:
        return np.isin(column, np.array(list(relations), np.uint32))
    found = np.zeros(column.size, np.bool_)
    for relation in relations:
        found |= column == relation
    return found


def shape_of(clause: Clause) -> Shape | None:
    """The shape of a clause, None if it cannot be a module's own. The relations of a chain are in
    the order of its steps."""
    if clause.fold or clause.negative or not clause.parameters:
        return None
    body = [literal for i, literal in enumerate(clause.body) if i not in clause.parameters]
    atoms = (clause.head, *body)
    if any(term > 0 for atom in atoms for term in (atom.s, atom.p, atom.o)):
        return None
    if len(body) == 2 and body[1].s == clause.head.s:
        atoms = (clause.head, *body[::-1])
    relations = tuple(~atom.p for atom in atoms)
    ends = [(~atom.s, ~atom.o) for atom in atoms]
    literals = [clause.body[i] for i in sorted(clause.parameters)]
    bound = {variable for literal in literals for variable in literal.variables()}
    form = _form(ends)
    if form is None or not bound.issuperset(relations) or not bound.isdisjoint(sum(ends, ())):
        return None
    guarded = _is_guarded(clause, ends[0])
    classes = [literal.o if literal.p == clause.type else None for literal in literals]
    if guarded is None or (guarded and form is not ClauseRole.CHAIN):
        return None
    if any(class_ is not None and class_ < 0 for class_ in classes):
        return None
    tables = tuple(zip([literal.p for literal in literals], classes, strict=True))
    return Shape(form, relations, guarded, tables)


def class_copy(clause: Clause) -> bool:
    """Whether a clause is `type(x, d) ← type(x, c)`, (c, d)."""
    if clause.fold or clause.negative or clause.computations:
        return False
    body = [literal for i, literal in enumerate(clause.body) if i not in clause.parameters]
    head = clause.head
    if len(body) != 1 or body[0].p != clause.type or head.p != clause.type:
        return False
    if head.s >= 0 or head.s != body[0].s or head.o >= 0 or body[0].o >= 0:
        return False
    tables = [clause.body[i] for i in clause.parameters]
    bound = {variable for literal in tables for variable in literal.variables()}
    return bound.issuperset((~body[0].o, ~head.o)) and ~head.s not in bound


def transitive_relation(clause: Clause) -> int:
    """The relation of which a clause says that two steps make one, and nothing else; or 0."""
    if clause.fold or clause.negative or clause.computations or clause.parameters:
        return 0
    atoms = (clause.head, *clause.body)
    ends = [(atom.s, atom.o) for atom in atoms]
    if {atom.p for atom in atoms} != {clause.head.p} or max(map(max, ends)) > 0:
        return 0
    chains = (ends, [ends[0], *ends[:0:-1]])
    return max(clause.head.p, 0) if ClauseRole.CHAIN in map(_form, chains) else 0


def hierarchy(clause: Clause) -> tuple[int, int] | None:
    """The relation along which a clause copies facts from one relation, or class, to those above,
    and the place of the literal whose facts are copied; None for any other clause."""
    if clause.fold or clause.negative or clause.computations or len(clause.body) != 2:
        return None
    if len(clause.parameters) != 1:
        return None
    (table,) = clause.parameters
    above, copied, head = clause.body[table], clause.body[1 - table], clause.head
    if class_copy(clause):
        relations, ends = (copied.o, head.o), {copied.s}
    elif (copied.s, copied.o) == (head.s, head.o):
        relations, ends = (copied.p, head.p), {copied.s, copied.o}
    else:
        return None
    variables = {*relations, *ends}
    is_copy = (above.s, above.o) == relations and max(variables) < 0
    is_copy &= len(variables) == len(relations) + len(ends)
    return (above.p, 1 - table) if is_copy else None


def extended(shaped: Shaped) -> set[int]:
    """The relations with a chain h(x, z) ← h(x, y), k(y, z): subjects have rows of others."""
    found: set[int] = set()
    for shape, rows in shaped:
        if shape.form is ClauseRole.CHAIN:
            head, first, second = shape.columns(rows)
            found.update(head[(head == first) & (head != second)].tolist())
    return found


def _form(ends: Sequence[tuple[int, int]]) -> ClauseRole | None:
    (first, last), *body = ends
    if first == last:
        return None
    if len(body) == 1:
        return {(first, last): ClauseRole.COPY, (last, first): ClauseRole.INVERSE}.get(body[0])
    if len(body) == 2:
        (s, middle), (again, o) = body
        if (s, o) == (first, last) and middle == again and middle not in (first, last):
            return ClauseRole.CHAIN
    return None


def _is_guarded(clause: Clause, ends: tuple[int, int]) -> bool | None:
    """Whether the clause excludes that the head's ends are equal; None if it asks anything else."""
    if not clause.computations:
        return False
    filters = clause.rule.filters()
    if len(clause.computations) != 1 or len(filters) != 1:
        return None
    found = _UNEQUAL.fullmatch(filters[0].expression.text)
    names = {clause.variables[variable].name for variable in ends}
    return True if found and set(found.groups()) == names else None


Shaped = Sequence[tuple[Shape, Rows]]


def modules(shaped: Shaped, external: Callable[[int], int]) -> Iterator[tuple[Module, ClosureKind]]:
    """The modules that some rows make, those with a transitive member, and which closure each is;
    `external` names the auxiliary relation for the first member. Cost: the rows of the clauses that
    have a shape."""
    transitive = sorted(_transitive(shaped))
    if not transitive:
        return
    copies = Copies.of(shaped)
    ties = copies.among(copies.above(transitive) & copies.below(transitive))
    several = Modules(
        Module(external(members[0][0]), members) for members in _groups(ties, transitive)
    )
    for module, mine in zip(several.all, several.rows_apart(shaped), strict=True):
        kind = kind_of(module, mine)
        if kind is not None:
            yield replace(module, chained=kind) if _chains(module, mine) else module, kind


def _groups(ties: Ties, relations: Iterable[int]) -> Iterator[tuple[Member, ...]]:
    """Each of some relations with those that are tied to it, once."""
    back, done = _turned(ties), set[int]()
    for relation in relations:
        if relation not in done:
            members = _tied(ties, back, relation)
            done.update(relation for relation, _ in members)
            yield members


def _chains(module: Module, shaped: Shaped) -> list[tuple[bool, int, int]]:
    """A module's chains with other relations: whether they exclude equal ends, head and member."""
    straight = dict(module.members)
    found = []
    for shape, rows in shaped:
        if shape.form is ClauseRole.CHAIN:
            columns = shape.columns(rows)
            chosen = _in_chains(columns, straight)
            found += [
                (shape.guarded, row[0], row[1] if row[1] in straight else row[2])
                for row in zip(*(column[chosen].tolist() for column in columns), strict=True)
            ]
    return found


def unions(shaped: Shaped, closed: Modules, external: Callable[[int], int]) -> Iterator[Module]:
    """The modules that are unions of members of the `closed` ones."""
    copies = Copies.of(shaped)
    ties = copies.among(copies.above(closed.of))
    copied = (relation for part in closed.of for relation in ties.get(part, ()))
    several = Modules(
        Module(external(members[0][0]), members)
        for members in _groups(ties, (relation for relation in copied if relation not in closed.of))
    )
    for module, mine in zip(several.all, several.rows_apart(shaped), strict=True):
        union = replace(module, parts=_copied(module.members, closed.of, mine))
        if kind_of(union, mine) is not None:
            yield union


def _copied(
    members: Sequence[Member], bodies: Collection[int], shaped: Shaped
) -> tuple[Member, ...]:
    """The relations copied to members, as the first member reads them."""
    straight = dict(members)
    return tuple(
        sorted(
            {
                (body, straight[head] is (shape.form is ClauseRole.COPY))
                for shape, rows in shaped
                if shape.form is not ClauseRole.CHAIN
                for head, body in _rows_within(shape, rows, straight, bodies)
            }
        )
    )


def sources(shaped: Shaped) -> Callable[[Module], tuple[Member, ...]]:
    """A function from modules with a transitive member to the relations that are copied, perhaps by
    way of others, to their members, as the first member reads them; the members among them. What is
    symmetric is read both ways."""
    back: dict[int, set[Member]] = {}
    copies = Copies.of(shaped)
    for head, body, straight in copies.rows(copies.below(_transitive(shaped))):
        back.setdefault(head, set()).add((body, straight))
    return lambda module: tuple(sorted(_ways(back, module.members[0])))


def kind_of(module: Module, shaped: Shaped) -> ClosureKind | None:
    """The closure that the rows make of a module's members; None if it is not one closure of all.

    A chain with another relation must read the member in the direction in which it derives it,
    unless both directions are members, and have no other condition. If pairs of equals are in the
    closure only as external facts, the chain may find more of them: then there must be no such
    chain.
    """
    straight = dict(module.members)
    transitive = diagonal = crooked = False
    ties: dict[int, set[Member]] = {relation: set() for relation in straight}
    for shape, rows in shaped:
        for row in _rows_within(shape, rows, straight, straight):
            if shape.form is ClauseRole.CHAIN:
                transitive, diagonal = True, diagonal or not shape.guarded
                crooked = crooked or len({straight[relation] for relation in row}) > 1
            else:
                ties[row[1]].add((row[0], shape.form is ClauseRole.COPY))
    if len(next(components({r: [head for head, _ in ties[r]] for r in ties}))) < len(straight):
        return None
    symmetric = len(ways := _ways(ties, module.members[0])) > len(straight)
    if not symmetric and (crooked or ways != set(module.members)):
        return None
    for guarded, head, member in _chains(module, shaped):
        turned = not symmetric and straight[head] is not straight[member]
        if guarded or turned or module.parts or not (transitive and diagonal):
            return None
    if not module.parts:
        return ClosureKind(transitive, symmetric, diagonal)
    parts = _copied(module.members, dict(module.parts), shaped)
    return None if transitive else ClosureKind(transitive, symmetric, diagonal, parts)


def _ways(ties: Mapping[int, Iterable[Member]], start: Member) -> set[Member]:
    """How relations can be read as one is, along ties; each both ways if they are symmetric."""
    ways, queue = {start}, [start]
    while queue:
        current, way = queue.pop()
        following = {(other, way is straight) for other, straight in ties.get(current, ())} - ways
        ways |= following
        queue += following
    return ways


def _rows_within(
    shape: Shape, rows: Rows, heads: Collection[int], bodies: Collection[int]
) -> Iterator[tuple[int, ...]]:
    """The rows with one of some relations as head and of others in the body."""
    columns = shape.columns(rows)
    chosen = _among(columns[0], heads)
    for column in columns[1:]:
        chosen &= _among(column, bodies)
    return zip(*(column[chosen].tolist() for column in columns), strict=True)


class Surroundings(Struct, frozen=True):
    """The surroundings of transitive relations: the relations `above`, to which these are copied,
    perhaps by way of others, and the relations `below`, copied to one of those. `feeding` are the
    dependencies of relations that are no modules only because they depend on themselves; None
    stands for any."""

    above: frozenset[int]
    below: frozenset[int]
    feeding: AbstractSet[int] | None

    def meet(self, shape: Shape, rows: Rows) -> bool:
        """Whether some rows may change modules, or which relations are copied to them: a copy of
        a relation above, a copy to one below, a chain with any of these or of one relation."""
        head, *bodies = shape.columns(rows)
        if shape.form is not ClauseRole.CHAIN:
            copied: NDArray[np.bool_] = _among(bodies[0], self.above) | _among(head, self.below)
            return bool(copied.any())
        near = self.above | self.below
        if any(_among(column, near).any() for column in (head, *bodies)):
            return True
        return bool(((head == bodies[0]) & (head == bodies[1])).any())


def surroundings(shaped: Shaped, feeding: AbstractSet[int] | None) -> Surroundings:
    """The surroundings of all transitive relations. Cost: the rows of the clauses that have a
    shape."""
    transitive, copies = _transitive(shaped), Copies.of(shaped)
    above, below = copies.above(transitive), copies.below(transitive)
    return Surroundings(frozenset(above), frozenset(below), feeding)


def _transitive(shaped: Shaped) -> set[int]:
    """The relations with a chain of themselves."""
    found: set[int] = set()
    for shape, rows in shaped:
        if shape.form is ClauseRole.CHAIN:
            head, first, second = shape.columns(rows)
            found.update(head[(head == first) & (head == second)].tolist())
    return found


Ties = dict[int, dict[int, bool]]
"""For each relation those that it is copied to, and whether straight (or, also, transposed)."""


class Copies(Struct, frozen=True):
    """All rows that copy a relation, the body, to another, the head, and whether they do so
    straight. Of a hierarchy that is closed there are as many as it has pairs; so only rows about
    some relations are handed on one by one."""

    heads: NDArray[np.uint32]
    bodies: NDArray[np.uint32]
    straight: NDArray[np.bool_]

    @classmethod
    def of(cls, shaped: Shaped) -> Copies:
        found = [each for each in shaped if each[0].form is not ClauseRole.CHAIN]
        columns = [shape.columns(rows) for shape, rows in found]
        heads, bodies = (
            np.concatenate([_NO_RELATIONS, *(each[place] for each in columns)]) for place in (0, 1)
        )
        straight = np.array([shape.form is ClauseRole.COPY for shape, _ in found], np.bool_)
        return cls(heads, bodies, np.repeat(straight, [each[0].size for each in columns]))

    def above(self, relations: Iterable[int]) -> set[int]:
        """Some relations and all that they are copied to, perhaps by way of others."""
        return _reached_rows(self.bodies, self.heads, relations)

    def below(self, relations: Iterable[int]) -> set[int]:
        """Some relations and all that are copied to them, perhaps by way of others."""
        return _reached_rows(self.heads, self.bodies, relations)

    def rows(self, heads: Collection[int]) -> Iterator[tuple[int, int, bool]]:
        """Head, body and straightness of each row with one of these heads."""
        return self._chosen(_among(self.heads, heads))

    def among(self, relations: Collection[int]) -> Ties:
        """The ties between some relations."""
        ties: Ties = {}
        within = _among(self.bodies, relations) & _among(self.heads, relations)
        for head, body, straight in self._chosen(within):
            ties.setdefault(body, {}).setdefault(head, straight)
        return ties

    def _chosen(self, rows: NDArray[np.bool_]) -> Iterator[tuple[int, int, bool]]:
        columns = self.heads, self.bodies, self.straight
        return zip(*(column[rows].tolist() for column in columns), strict=True)


_NO_RELATIONS = np.empty(0, np.uint32)


def _reached_rows(
    here: NDArray[np.uint32], there: NDArray[np.uint32], start: Iterable[int]
) -> set[int]:
    """What is reached from some relations by rows from here to there. Cost: the rows, for each
    step of the longest of the shortest ways."""
    found = set(start)
    fresh = found if here.size else set[int]()
    while fresh:
        fresh = set(np.unique(there[_among(here, fresh)]).tolist()) - found
        found |= fresh
    return found


def _turned(ties: Ties) -> Ties:
    """For each relation those that are copied to it."""
    back: Ties = {}
    for body, heads in ties.items():
        for head, straight in heads.items():
            back.setdefault(head, {})[body] = straight
    return back


def _tied(ties: Ties, back: Ties, relation: int) -> tuple[Member, ...]:
    """The relation and all that it is copied to and from, as it reads them; the least id first.
    `back` are the ties turned round."""
    both = _reached(ties, relation).keys() & _reached(back, relation).keys()
    first = min(both)
    within = {r: {h: w for h, w in ties.get(r, {}).items() if h in both} for r in both}
    ways = _reached(within, first)
    return tuple((relation, ways[relation]) for relation in sorted(both))


def _reached(ties: Ties, *starts: int) -> dict[int, bool]:
    """The relations on the way along ties, and whether the way to each of them is straight."""
    ways = dict.fromkeys(starts, True)
    queue = list(ways)
    while queue:
        current = queue.pop()
        for following, straight in ties.get(current, {}).items():
            if following not in ways:
                ways[following] = ways[current] is straight
                queue.append(following)
    return ways
