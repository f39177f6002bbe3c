"""Rules that join literals as terms -> those that join them as values.

A variable has an occurrence at each end of an atom. Occurrences are joined if they denote one
value. A match of equal terms is found by the rule itself. Each further match is found by one rule:
that of the first variable of which some occurrence differs, as a term, from the first one, and of
the first occurrence that does:

    h(x, z) ← p(x, z), q(y, z)      h(x, z) ← value(z', v), value(z, v), p(x, z), q(y, z')

The auxiliary relation `value` leads from literals to their value, if several have it. Of later
variables, there is a rule for each way in which they may differ or not, as long as these are few;
else their occurrences are compared by FILTER. A head has the literal of the first occurrence.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, count, product, repeat
from math import prod
from typing import NamedTuple

from msgspec.structs import replace

from rdfinc.datalog.clause import AUXILIARY as HIDDEN
from rdfinc.datalog.clause import VALUE
from rdfinc.datalog.functions import ALIKE, LIST_ATOMS, NAME_AMONG
from rdfinc.datalog.model import RDF_TYPE, Atom, Expression, Filter, Literal, Rule, Term, Var
from rdfinc.datalog.variables import rule_variables
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.owl.vocabulary import OWL


class End(NamedTuple):
    """The subject or the object of the literal at a place of a body."""

    place: int
    subject: bool


Occurrences = Mapping[Var, list[End]]

EITHER = -1
"""Says that occurrences of a variable may differ or not."""

_EQUALITY = (f"<{OWL}sameAs>", f"<{OWL}differentFrom>")
_OF_LITERALS = (RDF_TYPE, *_EQUALITY)
"""The named relations with literal subjects, as far as rules derive these."""


def of_objects(rule: Rule) -> tuple[Rule, ...]:
    """The rules of the further matches where several atoms share an object."""
    return _by_value(rule, _occurrences(rule, _is_value))


def _is_value(end: End, atom: Atom) -> bool:
    """Whether data stands at an end of an atom, as far as its relation is about data."""
    about_terms = atom.predicate in _OF_LITERALS or atom.predicate in LIST_ATOMS
    return not (end.subject or about_terms)


def of_terms(rule: Rule) -> tuple[Rule, ...]:
    """The rules of the further matches, for atoms that share a term which may be a literal. As a
    subject it may be one under a variable relation, or under a named relation with literal
    subjects."""
    open_ = _occurrences(rule, lambda _, atom: _may_be_about_literals(atom))
    objects = _occurrences(rule, lambda end, _: not end.subject)
    every = _occurrences(rule, lambda end, _: True)
    return _by_value(rule, {v: every[v] for v in every if v in open_ or objects.get(v) == every[v]})


def _may_be_about_literals(atom: Atom) -> bool:
    return isinstance(atom.predicate, Var) or atom.predicate in _OF_LITERALS


def _occurrences(rule: Rule, counts: Callable[[End, Atom], bool]) -> Occurrences:
    """The ends of visible atoms with a variable, as far as they count. The variable must name no
    relation or class, and be in no auxiliary atom."""
    atoms = {i: each.atom for i, each in enumerate(rule.body) if isinstance(each, Literal)}
    naming = {term for atom in atoms.values() for term in _naming(atom)}
    found: defaultdict[Var, list[End]] = defaultdict(list)
    for place, atom in atoms.items():
        for subject, term in ((True, atom.subject), (False, atom.object)):
            end = End(place, subject)
            if isinstance(term, Var) and term not in naming and counts(end, atom):
                found[term].append(end)
    return found


def _naming(atom: Atom) -> tuple[Term, ...]:
    """The terms of an atom that name a relation or a class, or occur only in auxiliary facts."""
    if str(atom.predicate).startswith(HIDDEN):
        return atom.terms()
    return (atom.predicate, atom.object) if atom.predicate == RDF_TYPE else (atom.predicate,)


def _by_value(rule: Rule, occurrences: Occurrences) -> tuple[Rule, ...]:
    shared = {variable: ends for variable, ends in occurrences.items() if len(ends) > 1}
    names = [set(each.expression.variables) for each in rule.filters() if _is_of_names(each)]
    return tuple(
        _differing(rule, shared, differing)
        for differing in _differences(shared)
        if not any(all(differing.get(v, 0) > 0 for v in pair) for pair in names)
    )


def _is_of_names(test: Filter) -> bool:
    """Whether a filter asks for a name among two terms, of which one is no literal, then."""
    return test.expression.text.startswith(NAME_AMONG)


def _differences(shared: Occurrences) -> Iterator[dict[Var, int]]:
    """The ways in which occurrences of variables may differ from the first ones: for each variable
    the first occurrence that differs, 0 if none does, or EITHER."""
    variables = list(shared)
    for place, variable in enumerate(variables):
        later = variables[place + 1 :]
        few = prod(len(shared[each]) for each in later) <= LISTS.differing_ways
        ways = [range(len(shared[each])) if few else (EITHER,) for each in later]
        for first, *others in product(range(1, len(shared[variable])), *ways):
            numbers = (*repeat(0, place), first, *others)
            yield dict(zip(variables, numbers, strict=True))


def _differing(rule: Rule, shared: Occurrences, differing: Mapping[Var, int]) -> Rule:
    """The rule of the matches in which occurrences of variables differ in one way."""
    fresh = _fresh(rule)
    body, values = list(rule.body), list[Literal]()
    filters = list[Filter]()
    for variable, first in differing.items():
        value, either = next(fresh), first == EITHER
        ends = shared[variable][1 if either else first :] if first else []
        others = [next(fresh) for _ in ends]
        for end, other in zip(ends, others, strict=True):
            body[end.place] = _replaced(body[end.place], end, other)
            if either:
                filters.append(_filter(f"{ALIKE}({variable}, {other})", variable, other))
        if others and not either:
            filters.append(_filter(f"!sameTerm({variable}, {others[0]})", variable, others[0]))
            alike = (others[0], variable, *others[1:])
            values += (Literal(Atom(term, VALUE, value)) for term in alike)
    return replace(rule, body=(*values, *body, *filters))


def _replaced(item: object, end: End, other: Var) -> Literal:
    assert isinstance(item, Literal)
    atom = replace(item.atom, **{"subject" if end.subject else "object": other})
    return replace(item, atom=atom)


def cue(rule: Rule) -> tuple[Atom, Atom] | None:
    """Two atoms of a rule for values that must have a match before the rule has one: a term has
    a value, and is the subject of a fact or equal to something; or it has a type, as many literals
    have; otherwise, other terms have the value."""
    atoms = [literal.atom for literal in rule.literals()]
    first, second, *_ = (*(atom for atom in atoms if atom.predicate == VALUE), None, None)
    if first is None or second is None:
        return None
    telling = (atom for atom in atoms if _tells(atom, first.subject))
    types = (a for a in atoms if a.predicate == RDF_TYPE and a.subject == first.subject)
    return first, next(chain(telling, types), second)


def _tells(atom: Atom, term: Term) -> bool:
    """Whether a term is subject of an atom of any relation, or in one of equality."""
    if isinstance(atom.predicate, Var):
        return atom.subject == term
    return atom.predicate in _EQUALITY and term in (atom.subject, atom.object)


def _filter(text: str, *variables: Var) -> Filter:
    return Filter(Expression(text, variables))


def _fresh(rule: Rule) -> Iterator[Var]:
    """Variables that the rule does not have."""
    used = set(rule_variables(rule))
    return (each for i in count(1) if (each := Var(f"v{i}")) not in used)
