"""Insertion into an equality that depends on what it makes equal.

Relations that an equality depends on are held for all terms, the equality as all pairs (`own`).
Semi-naive evaluation meets a pair once for every two names of what makes it: where n terms become
equal by a functional property, one after the other, n³ instances give n² pairs. Here a round makes
all that follows in the stratum from all known facts, by rewriting (Motik et al. 2015, equality):
rules are applied to facts over representatives; where two of these become equal, the facts about
one of them are facts about the other from then on. What is left in the end stands for all names.

Rules hold of representatives as they are if they tell no names apart. So this is for strata whose
rules are the replacement of equals by equals, and positive ones without computations but for tests
that any names of two different things pass, or none. Literals are told from other terms by such
tests, and auxiliary relations are not closed under the equality: where a literal, or a term with
auxiliary facts that are read, has an equal, the rounds go on as others do.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import numpy as np

from rdfinc.datalog.clause import Clause
from rdfinc.datalog.compile.relation_hypergraph import CLASS
from rdfinc.datalog.transform.representatives import Equality, tells_names_apart
from rdfinc.reasoning.evaluation.run import Parts
from rdfinc.reasoning.evaluation.states import State, Tables, overlaid
from rdfinc.reasoning.maintenance.equality_update import aliases_of
from rdfinc.reasoning.maintenance.update import Update, derive
from rdfinc.reasoning.program.plan_index import Driven
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import kernels
from rdfinc.tables.closure.components.component_table import reconnected
from rdfinc.tables.equality.aliases import Aliases
from rdfinc.tables.equality.expanded import about, is_about
from rdfinc.tables.facts import Batch, gather, joined, of_classes, shaped
from rdfinc.tables.kernels import IdArray, KeyArray
from rdfinc.tables.table import Keys, Table
from rdfinc.tables.views import UnionView


class EqualityInsertion:
    """The equality of a stratum in one insertion, round after round; `known` are all facts so far.

    `pays` says when its closure is worth to be made at once: that reads all facts of the stratum.
    """

    def __init__(self, stratum: Stratum, known: State, update: Update) -> None:
        self._stratum, self._known, self._update = stratum, known, update
        self._rounds = self._met = 0
        self._fails = False

    def meet(self, facts: int) -> None:
        """Takes the number of facts, and of rule instances, that rounds have met."""
        self._met += facts

    def pays(self, batch: Batch) -> bool:
        """Whether so many things, or for so many rounds, become equal, and rounds have met so much
        that to read all facts is little beside it. Asked once a round."""
        equality = self._stratum.strata.equality
        if self._fails or equality is None or equality.is_closed or equality.relation not in batch:
            return False
        self._rounds += 1
        many = len(batch[equality.relation]) >= REASONING.equal_pairs
        if not (many or self._rounds >= REASONING.equal_rounds):
            return False
        if self._met < REASONING.equal_share * self._facts(equality):
            return False
        self._fails = not _is_fit(self._stratum, self._update)
        return not self._fails

    def _facts(self, equality: Equality) -> int:
        """About how many facts a closure reads."""
        types = (self._stratum.strata.type,) if equality.classes else ()
        relations = (equality.relation, *equality.own, *types)
        return sum(self._known.table(p).at_most() for p in relations)

    def close(self, batch: Batch) -> Batch | None:
        """All unknown facts of the stratum that follow, of which the batch is new; None if rules
        have to see all names, or if there is no room for so many: it pays no more then."""
        closure = _Rewriting(self._stratum, self._known, self._update)
        found = closure.unknown() if closure.complete(batch) else None
        self._fails = found is None
        return found


def _is_fit(stratum: Stratum, update: Update) -> bool:
    """Whether the rules of a stratum hold of representatives as they are."""
    strata, equality = stratum.strata, stratum.strata.equality
    assert equality is not None
    closed = {equality.relation, *equality.own, *(c + CLASS for c in equality.classes)}
    derived = strata.levels.only(strata.heads, stratum.level)
    if not derived <= closed or not strata.free.isdisjoint(stratum.clauses):
        return False
    reading = _reading(stratum, equality, update)
    others = (clause for clause in stratum.clauses if clause not in reading)
    return all(_replaces(clause, equality) for clause in reading) and not any(
        clause.negative or clause.fold or tells_names_apart(clause, equality.relation)
        for clause in others
    )


def _reading(stratum: Stratum, equality: Equality, update: Update) -> set[Clause]:
    """The clauses that read the equality, by its name or by that in a parameter table."""
    named = {c for c in stratum.clauses if any(a.p == equality.relation for a in c.body)}
    driven = stratum.drivers.readers({equality.relation: [0]}, update)
    return named | {plan.clause for plans, _, _ in driven for plan in plans}


def _replaces(clause: Clause, equality: Equality) -> bool:
    """Whether a clause says what equals have in common: that equality reads both ways, that two
    steps of it make one, and that an equal may stand at an end of a fact."""
    head, relation = clause.head, equality.relation
    if clause.parameters or clause.negative or clause.fold or head.p < 0:
        return False
    if head.p == relation and all(atom.p == relation for atom in clause.body):
        return _is_symmetric(clause) or _is_transitive(clause)
    if len(clause.body) != 2 or clause.computations:
        return False
    equal, other = sorted(clause.body, key=lambda atom: atom.p != relation)
    ends, given = {equal.s, equal.o}, {(head.s, other.s), (head.o, other.o)}
    changed = [pair for pair in given if pair[0] != pair[1]]
    return other.p == head.p and len(changed) == 1 and {*changed[0]} == ends


def _is_symmetric(clause: Clause) -> bool:
    return [(atom.o, atom.s) for atom in clause.body] == [(clause.head.s, clause.head.o)]


def _is_transitive(clause: Clause) -> bool:
    if len(clause.body) != 2:
        return False
    (first, middle), (again, last) = ((atom.s, atom.o) for atom in clause.body)
    ends = {(first, last)} if middle == again else {(again, middle)} if first == last else set()
    return (clause.head.s, clause.head.o) in ends


class _Rewriting:
    """The closure of a stratum over representatives. `_held` are the facts of the relations that
    are closed under the equality (of rdf:type those of its classes), `_facts` these and all others,
    `_pairs` what makes the equality. Rules that say of a term that it equals itself, which the
    equality does not, say so of all its names: `_reflexive`. Ends where names are `_told_apart`."""

    def __init__(self, stratum: Stratum, known: State, update: Update) -> None:
        self._stratum, self._known, self._update = stratum, known, update
        equality = stratum.strata.equality
        assert equality is not None
        self._equality, self._type = equality, stratum.strata.type
        self._classes = equality.classes
        self._pairs = update.facts(
            {equality.relation: shaped(known.table(equality.relation).scan())}
        )
        self._aliases = aliases_of(self._pairs.get(equality.relation))
        self._reflexive = kernels.NO_IDS
        self._held = update.facts(self._over_representatives())
        self._facts = State(overlaid(Tables(known), self._tables()))
        self._told_apart = self._are_told_apart(self._aliases.with_equals())

    def _over_representatives(self) -> Batch:
        """The known facts that are closed under the equality, over representatives."""
        found: dict[int, list[Keys]] = {
            p: [self._normal(p, self._known.table(p).scan())] for p in self._equality.own
        }
        if self._classes:
            types = self._known.table(self._type).scan()
            mine = types[kernels.members(kernels.low(types), self._classes)]
            found[self._type] = [self._normal(self._type, mine)]
        return gather(found)

    def _normal(self, predicate: int, keys: KeyArray) -> KeyArray:
        """Facts as facts about representatives; a class stands for itself."""
        if predicate != self._type:
            return self._aliases.normal(keys)
        return kernels.pack(self._aliases.representatives(kernels.high(keys)), kernels.low(keys))

    def _tables(self) -> dict[int, Table]:
        """The tables of relations that are closed under the equality."""
        tables: dict[int, Table] = {p: self._held.table(p) for p in self._equality.own}
        if self._classes:
            types = self._known.table(self._type).scan()
            others = types[~kernels.members(kernels.low(types), self._classes)]
            rest = self._update.facts({self._type: shaped(others)}).get(self._type)
            tables[self._type] = UnionView((rest, self._held.table(self._type)))
        return tables

    def complete(self, others: Batch) -> bool:
        """Applies the rules to all facts, of other relations to those that are new, until nothing
        is. Whether they hold of representatives as they are."""
        batch = joined(self._held.batch(), self._without_held(others))
        while batch and not self._told_apart:
            self._stratum.memory.appear(batch)
            new = self._heads(batch)
            pairs = np.asarray(new.pop(self._equality.relation, []), np.uint64)
            moved = self._merge(pairs)
            normal = ((p, self._normal(p, np.asarray(new[p], np.uint64))) for p in new)
            batch = joined(moved, self._held.add(gather({p: [keys] for p, keys in normal})))
        return not self._told_apart

    def _without_held(self, batch: Batch) -> Batch:
        """The facts of relations that are not closed under the equality."""
        closed = {*self._equality.own, self._equality.relation, self._type}
        found = {p: keys for p, keys in batch.items() if p not in closed}
        types = of_classes(batch.get(self._type, []), self._classes, inside=False)
        return {**found, self._type: types} if len(types) else found

    def _heads(self, batch: Batch) -> Batch:
        heads, states = Parts(), (self._facts, self._facts)
        driven = list(self._by_facts(self._stratum.drivers.of(batch, None, self._update)))
        derive(self._update, self._stratum, driven, states, heads, self._update.find)
        return gather(heads)

    def _are_told_apart(self, ids: IdArray) -> bool:
        """Whether one of some terms with equals is a literal, or stands in auxiliary facts that are
        read."""
        literals = self._stratum.strata.signature.are_literals(ids)
        return bool(literals.any()) or any(is_about(table, ids) for table in self._auxiliary)

    @cached_property
    def _auxiliary(self) -> list[Table]:
        """The auxiliary relations that are read."""
        bodies = {atom.p for clause in self._stratum.clauses for atom in clause.body}
        is_auxiliary = self._stratum.strata.signature.is_auxiliary
        return [self._facts.table(p) for p in bodies if p > 0 and is_auxiliary(p)]

    def _by_facts(self, driven: list[Driven]) -> Iterator[Driven]:
        """The plans of other rules than those of the equality."""
        for plans, predicate, keys in driven:
            mine = tuple(p for p in plans if not _replaces(p.clause, self._equality))
            if mine:
                yield mine, predicate, keys

    def _merge(self, pairs: KeyArray) -> Batch:
        """Makes the ends of pairs equal; returns the facts that are about others than before."""
        differ = kernels.high(pairs) != kernels.low(pairs)
        self._reflexive = np.union1d(self._reflexive, kernels.low(pairs[~differ]))
        pairs = pairs[differ]
        fresh = self._pairs.add(gather({self._equality.relation: [pairs]}))
        if not fresh:
            return {}
        (new,) = fresh.values()
        before, relation = self._aliases, self._equality.relation
        partition = reconnected(before.partition, self._pairs.get(relation), [], new)
        self._aliases = Aliases(partition)
        ids = self._aliases.differing(before)
        self._told_apart = self._told_apart or self._are_told_apart(ids)
        was = ids[
            (before.representatives(ids) == ids) & (self._aliases.representatives(ids) != ids)
        ]
        moved: Batch = {}
        for predicate in list(self._held.tables):
            keys = self._about(predicate, was)
            if keys.size:
                self._held.remove({predicate: shaped(keys)})
                again = {predicate: shaped(kernels.unique(self._normal(predicate, keys)))}
                moved |= self._held.add(again)
        return moved

    def _about(self, predicate: int, ids: IdArray) -> KeyArray:
        table = self._held.get(predicate)
        if predicate != self._type:
            return about(table, ids)
        at, classes = table.by_subjects(ids)
        return kernels.sort(kernels.pack(ids[at], classes))

    def unknown(self) -> Batch | None:
        """What the facts stand for and is not known; None if there is no room for it."""
        relations, update = (*self._held.tables, self._equality.relation), self._update
        stands_for = sum(map(self._number, relations))
        known = sum(self._known.table(p).at_most() for p in relations)
        if not update.has_room(stands_for - known):
            return None
        update.find(stands_for)
        found = {p: shaped(keys) for p in relations if (keys := self._expanded(p)).size}
        return self._known.missing(found)

    def _number(self, predicate: int) -> int:
        """How many facts those of a relation stand for."""
        sizes = self._aliases.sizes
        if predicate == self._equality.relation:
            own = sizes(self._aliases.with_equals())
            return int(own @ own + sizes(self._reflexive).sum())
        keys = self._held.get(predicate).scan()
        number = sizes(kernels.high(keys))
        return int((number if predicate == self._type else number * sizes(kernels.low(keys))).sum())

    def _expanded(self, predicate: int) -> KeyArray:
        """The facts that those of a relation stand for, sorted."""
        if predicate == self._equality.relation:
            return self._all_pairs()
        keys = self._held.get(predicate).scan()
        if predicate != self._type:
            return self._aliases.expanded(keys)
        at, subjects = self._aliases.by_subjects(kernels.high(keys))
        return kernels.sort(kernels.pack(subjects, kernels.low(keys)[at]))

    def _all_pairs(self) -> KeyArray:
        ids, beside = self._aliases.with_equals(), self._aliases.beside
        at, equal = beside(ids)
        differ = ids[at] != equal
        _, reflexive = beside(self._aliases.representatives(self._reflexive))
        pairs = kernels.pack(ids[at][differ], equal[differ]), kernels.pack(reflexive, reflexive)
        return kernels.unique(np.concatenate(pairs))
