"""Equality by representatives: a program over terms as one over representatives (Motik, Nenov,
Piro, Horrocks, *Combining rewriting and incremental materialisation maintenance for datalog
programs with equality*, 2015).

An equality E is recognised by its rules: E(y,x) ← E(x,y) and E(x,z) ← E(x,y), E(y,z), and for every
relation the rules that put equals in the place of subjects and objects (and perhaps of predicates).
If E is known before all relations that these rules are about, every relation is closed under them,
and its pairs of representatives are enough. A rule that only joins holds of representatives as it
is. Other rules may tell equals apart, by computations, by auxiliary relations, or by E itself,
which are not closed. In such a rule a variable gets two names: r in atoms of closed relations, and
x elsewhere, tied by `aliases(r, x)`:

    H(x, y) ← R(x, y), FILTER(f(x))     H(r, y) ← R(r, y), aliases(r, x), FILTER(f(x))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from rdfinc.datalog.analysis.modules import ClosureKind, Module, Rows
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.clause import Clause, Computation, Pattern
from rdfinc.datalog.model import Atom, Expression, Filter, Literal, Rule, Term, Var
from rdfinc.terms.builtins import MAY_EQUAL, NAME_AMONG

CLOSURE = ClosureKind(transitive=True, symmetric=True, diagonal=False)
"""The kind of closure that an equality is of its external facts."""


class Equality(Struct, frozen=True):
    """An equality: `relation`, the closure of `external`, is known before all relations but those
    in `low`; `aliases` names the relation between representatives and the terms they stand for.

    Rules of `low` relations may read other data, the `own` predicates and the members of `classes`.
    These are held for all terms; the equality depends on itself then, and is its own external
    facts. Other relations of `low` mention no term with equals.
    """

    relation: int
    external: int
    aliases: int
    own: frozenset[int] = frozenset()
    classes: frozenset[int] = frozenset()
    low: frozenset[int] = frozenset()

    @property
    def module(self) -> Module:
        return Module(self.external, ((self.relation, True),))

    @property
    def is_closed(self) -> bool:
        """Whether the relation is a function of its external facts."""
        return self.external != self.relation

    @property
    def held(self) -> tuple[int, frozenset[int], frozenset[int]]:
        """A key that is equal for equalities with facts held over the same terms."""
        return self.external, self.own, self.classes

    def is_own(self, predicate: int) -> bool:
        """Whether a visible relation, not rdf:type, is kept over its own terms."""
        return predicate in self.own or predicate in (self.relation, self.external, self.aliases)


def equality_of(clauses: Sequence[Clause]) -> tuple[int, tuple[int, ...]] | None:
    """The relation that the clauses make an equality, and the positions of these clauses:
    symmetry, transitivity, and the replacement of equals as subject, as object and as predicate."""
    forms = {
        _form(clause.rule): i
        for i, clause in enumerate(clauses)
        if _has_relations_of_equality(clause)
    }
    for i in forms.values():
        head = clauses[i].rule.head
        if head is not None and isinstance(head.predicate, str):
            *needed, allowed = map(_form, _rules(head.predicate))
            if all(form in forms for form in needed):
                found = [forms[form] for form in (*needed, allowed) if form in forms]
                return clauses[i].head.p, tuple(found)
    return None


_form = lru_cache(64)(canonical)


def _has_relations_of_equality(clause: Clause) -> bool:
    """Whether a clause has the relations of a rule of an equality."""
    if clause.negative or clause.fold or len(clause.body) > 2:
        return False
    bodies = [atom.p for atom in clause.body]
    if clause.head.p > 0:
        return set(bodies) == {clause.head.p} and clause.head.p != clause.type
    return len(bodies) == 2 and sum(p > 0 for p in bodies) == 1


def _rules(e: str) -> Iterator[Rule]:
    """The rules of an equality, in this order."""
    s, p, o, x = map(Var, "spox")

    def rule(head: tuple[Term, Term, Term], *body: tuple[Term, Term, Term], test: str = "") -> Rule:
        literals = [Literal(Atom(*atom)) for atom in body]
        return Rule(Atom(*head), (*literals, *map(_filter, filter(None, test.split("; ")))))

    def not_of_equals(one: str, other: str) -> str:
        return f"!(sameTerm(?p, {e}) && sameTerm(?{one}, ?{other}))"

    yield rule((o, e, s), (s, e, o))
    yield rule((s, e, o), (s, e, x), (x, e, o), test=f"!sameTerm(?s, ?o); {MAY_EQUAL}(?s, ?o)")
    yield rule((x, p, o), (s, e, x), (s, p, o), test=not_of_equals("x", "o"))
    yield rule((s, p, x), (o, e, x), (s, p, o), test=not_of_equals("s", "x"))
    yield rule((s, x, o), (p, e, x), (s, p, o))


def _filter(text: str) -> Filter:
    names = dict.fromkeys(re.findall(r"\?(\w)", text))
    return Filter(Expression(text, tuple(map(Var, names))))


def for_own(clauses: Sequence[Clause], equality: Equality) -> Iterator[Clause]:
    """The clauses of an equality, with the replacement of subjects and objects only in relations
    held over all terms."""
    symmetric, transitive, subject, object_, *_ = clauses
    if equality.is_closed:
        return
    yield from (symmetric, transitive)
    for predicate in sorted(equality.own - {equality.relation}):
        yield _about(subject, {subject.head.p: predicate})
        yield _about(object_, {object_.head.p: predicate})
    for class_ in sorted(equality.classes):
        yield _about(subject, {subject.head.p: subject.type, subject.head.o: class_})


def _about(clause: Clause, known: Mapping[int, int]) -> Clause:
    """A clause without its filter, for some values of variables."""

    def grounded(atom: Pattern) -> Pattern:
        return Pattern(*(known.get(term, term) for term in (atom.s, atom.p, atom.o)))

    body = tuple(map(grounded, clause.body))
    return replace(clause, head=grounded(clause.head), body=body, computations=())


class RowKind(NamedTuple):
    """What variables of a parameter table stand for in a row: `own` are those for a relation or
    class held over its own terms, `types` those for rdf:type where some classes are."""

    own: frozenset[int] = frozenset()
    types: frozenset[int] = frozenset()


OVER_REPRESENTATIVES = RowKind()
"""Nothing in the row is held over its own terms."""


def rewritten_clause(
    clause: Clause, equality: Equality, kind: RowKind = OVER_REPRESENTATIVES
) -> Clause:
    """The clause over representatives, for rows of a kind. A clause that derives the equality, or a
    relation it depends on, stays as it is: its facts are about terms without equals, or are held
    for all terms. Of the members of any class only representatives are read."""
    if clause.head.p in equality.low:
        return clause

    def keeps(atom: Pattern) -> bool:
        """Whether an atom is about terms as they are."""
        if atom.p < 0:
            return ~atom.p in kind.own
        if atom.p == clause.type:
            return ~atom.o in kind.own if atom.o < 0 else atom.o in equality.classes
        return equality.is_own(atom.p) or clause.is_auxiliary(atom.p)

    atoms = (clause.head, *clause.body, *clause.negative)
    closed, kept = (_ends(a for a in atoms if keeps(a) is way) for way in (False, True))
    shared = sorted((closed & (kept | _computed(clause))) - naming(clause))
    of_any_class = (a for a in clause.body if ~a.p in kind.types)
    members = {~a.s for a in of_any_class if a.s < 0}
    untied = sorted(members.difference(shared) - naming(clause))
    if not (shared or untied):
        return clause
    twins = {variable: len(clause.variables) + i for i, variable in enumerate(shared)}

    def renamed(atom: Pattern) -> Pattern:
        if keeps(atom):
            return atom
        s, o = (~twins.get(~term, ~term) if term < 0 else term for term in (atom.s, atom.o))
        return Pattern(s, atom.p, o)

    body = tuple(map(renamed, clause.body))
    ties = [Pattern(~twin, equality.aliases, ~variable) for variable, twin in twins.items()]
    ties += [Pattern(~variable, equality.aliases, ~variable) for variable in untied]
    names = [Var(f" {clause.variables[variable].name}") for variable in shared]
    return replace(
        clause,
        head=renamed(clause.head),
        body=(*body, *ties),
        negative=tuple(map(renamed, clause.negative)),
        variables=(*clause.variables, *names),
        ties=frozenset(range(len(body), len(body) + len(ties))),
    )


def naming(clause: Clause) -> set[int]:
    """The variables that must stand for terms without equals: predicates, classes given by a
    parameter table, joins between its literals, and the ends given by it to a literal of any
    relation (that may be the equality itself)."""
    atoms = (clause.head, *clause.body, *clause.negative)
    predicates = {~atom.p for atom in atoms if atom.p < 0}
    classes = {~atom.o for atom in atoms if atom.o < 0 and atom.p == clause.type}
    named = (classes | _ends(_free(clause))) & _of_tables(clause)
    return predicates | named | _joining(clause)


def _joining(clause: Clause) -> set[int]:
    """The variables that several literals of the parameter table share."""
    tables = (clause.body[i] for i in clause.parameters)
    shared = Counter(variable for literal in tables for variable in set(literal.variables()))
    return {variable for variable, literals in shared.items() if literals > 1}


def _of_tables(clause: Clause) -> set[int]:
    """The variables that a parameter table binds."""
    return {v for i in clause.parameters for v in clause.body[i].variables()}


def _free(clause: Clause) -> list[Pattern]:
    """The literals of any relation."""
    tables = _of_tables(clause)
    free = [atom for atom in (*clause.body, *clause.negative) if atom.p < 0]
    return [atom for atom in free if ~atom.p not in tables]


def _ends(atoms: Iterable[Pattern]) -> set[int]:
    return {~term for atom in atoms for term in (atom.s, atom.o) if term < 0}


def _computed(clause: Clause) -> set[int]:
    """The variables that computations read and give; of a fold all, as it is over solutions."""
    found = _ends(clause.body) if clause.fold else set[int]()
    for computation in clause.computations:
        found.update(computation.inputs)
        found.update(() if computation.output is None else (computation.output,))
    return found


_CLOSED, *_TOLD = _CLOSED, _OWN, _TYPE = 0, 1, 2
"""What a variable of a parameter table stands for: a relation or class held over representatives,
one held over its own terms, or rdf:type where some classes are."""


def row_kinds(clause: Clause, rows: Rows, equality: Equality) -> list[RowKind]:
    """The kinds of rows in the clause's parameter table, none without rows."""
    named = _naming_own(clause, equality)
    if not named:
        return [OVER_REPRESENTATIVES]
    columns = []
    for variable, told in named.items():
        ids, places = np.unique(rows[variable], return_inverse=True)
        columns.append(np.array([told(id) for id in ids.tolist()], np.int8)[places])
    found = sorted(set(zip(*(column.tolist() for column in columns), strict=True)))
    return [
        RowKind(*(frozenset(compress(named, (told == each for told in row))) for each in _TOLD))
        for row in found
    ]


def names_own(clause: Clause, equality: Equality) -> bool:
    """Whether rows of the clause's parameter table may differ in their kind."""
    return bool(_naming_own(clause, equality))


def _naming_own(clause: Clause, equality: Equality) -> dict[int, Callable[[int], int]]:
    """The variables of a clause's parameter table for predicates and, where it matters, for
    classes, each with the kind of its values."""

    def kind_of(predicate: int) -> int:
        if predicate == clause.type:
            return _TYPE if equality.classes else _CLOSED
        return int(equality.is_own(predicate) or clause.is_auxiliary(predicate))

    atoms = (clause.head, *clause.body, *clause.negative)
    classes = {~atom.o for atom in atoms if equality.classes and _names_class(atom, clause)}
    predicates = {~atom.p for atom in atoms if atom.p < 0}
    return {
        variable: kind_of if variable in predicates else equality.classes.__contains__
        for variable in sorted((classes | predicates) & _of_tables(clause))
    }


def _names_class(atom: Pattern, clause: Clause) -> bool:
    return atom.p == clause.type and atom.o < 0


def only_kind(clause: Clause, equality: Equality, kind: RowKind) -> Clause:
    """The clause for the rows of one kind."""
    tests = _naming_own(clause, equality)
    wanted = [_OWN * (v in kind.own) or _TYPE * (v in kind.types) for v in tests]

    def values(rows: Sequence[tuple[int, ...]]) -> list[int | None]:
        asked = tests.values()
        return [
            1 if [kind_of(id) for kind_of, id in zip(asked, row, strict=True)] == wanted else None
            for row in rows
        ]

    test = Computation(tuple(tests), None, values)
    return replace(clause, computations=(*clause.computations, test))


def is_about_any_class(clause: Clause) -> bool:
    """Whether a clause reads the members of any class."""
    tables = _of_tables(clause)
    atoms = (*clause.body, *clause.negative)
    return any(_names_class(atom, clause) and ~atom.o not in tables for atom in atoms)


def derives_any_class(clause: Clause, rows: Rows) -> bool:
    """Whether a row of the clause's parameter table names rdf:type as what the clause derives:
    members of classes held over all terms, and of others."""
    derived = rows.get(~clause.head.p)
    return derived is not None and bool((derived == clause.type).any())


def is_fit(clause: Clause) -> bool:
    """Whether a clause over representatives, once rewritten, derives the same as over all terms.
    A literal of any relation must not be one of the equality itself, which is so if a parameter
    table gives one of its ends, and the clause may derive only what that table names."""
    tables = _of_tables(clause)
    if clause.head.p < 0 and ~clause.head.p not in tables:
        return False
    if clause.head.p == clause.type and clause.head.o < 0 and ~clause.head.o not in tables:
        return False
    return all(_ends([atom]) & tables for atom in _free(clause))


_NAMES = re.compile(rf"{re.escape(NAME_AMONG)}\(\?\w+, \?\w+\)")
_DIFFERENT = re.compile(r"!sameTerm\(\?(\w+), \?(\w+)\)")


def tells_names_apart(clause: Clause, relation: int) -> bool:
    """Whether a clause may hold of some names of things, none of them a literal, and not of
    others. Where it makes two terms equal in `relation` it may ask for different ones: names of
    one thing are equal already."""
    head = clause.rule.head
    ends = {head.subject, head.object} if head and clause.head.p == relation else set()

    def passes(test: str) -> bool:
        different = _DIFFERENT.fullmatch(test)
        asked = different and ends == {*map(Var, different.groups())}
        return bool(asked or _NAMES.fullmatch(test))

    values = any(computation.output is not None for computation in clause.computations)
    return values or not all(passes(test.expression.text) for test in clause.rule.filters())


SUBJECT, OBJECT = 1, 2


class Naming:
    """The terms of a program that must have no equals (`naming`): the `constants` named by its
    clauses, and for each relation of parameter tables, with its class if there is one, the
    `ends` of its facts."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self.constants: set[int] = set()
        self.ends: dict[tuple[int, int | None], int] = {}
        for clause in clauses:
            for atom in (clause.head, *clause.body, *clause.negative):
                self.constants.update(term for term in (atom.s, atom.p, atom.o) if term > 0)
            named = naming(clause)
            for i in clause.parameters:
                atom = clause.body[i]
                ends = SUBJECT * (~atom.s in named) | OBJECT * (~atom.o in named)
                key = atom.p, atom.o if atom.p == clause.type and atom.o > 0 else None
                self.ends[key] = self.ends.get(key, 0) | ends
