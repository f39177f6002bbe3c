"""SWRL's built-ins over lists as they stand in rules.

`[?list, swrlb:member, ?x]` is an atom, as `swrlb:first` and `swrlb:rest` are; `swrlb:length(?l)`,
`swrlb:listConcat(?l, ?m, …)`, `swrlb:listIntersection(?l, ?m)` and `swrlb:listSubtraction(?l, ?m)`
stand alone in BIND or are compared by `swrlb:equal`; `swrlb:sublist(?l, ?m)` stands alone in
FILTER. Lists are read from rdf:first and rdf:rest, stated or derived (see `lists.dlog`). What BIND
gives is a new list, whose cells are facts where it stands in a head. Lists are equal item by item,
and items are equal as terms.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from rdfinc.datalog.functions import EQUAL, LIST_ATOMS, LIST_FUNCTIONS, SWRLB
from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    Bind,
    BodyItem,
    Expression,
    Filter,
    Literal,
    NotExists,
    Rule,
    Skolem,
    Term,
    Var,
)
from rdfinc.datalog.variables import item_variables
from rdfinc.terms.late_patterns import late

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
NIL, FIRST, REST = f"<{_RDF}nil>", f"<{_RDF}first>", f"<{_RDF}rest>"
LENGTH = f"<{SWRLB}length>"
MADE = {f"<{SWRLB}{name}>" for name in ("listConcat", "listIntersection", "listSubtraction")}
"""The functions whose value is a list."""

_ABOUT_LISTS = (FIRST, REST, *LIST_ATOMS)

_TERM = r'(?:\?\w+|<[^\s<>]*>|"(?:[^"\\]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^<[^\s<>]*>)?)'
_NAME = "|".join(map(re.escape, LIST_FUNCTIONS))
_CALL = rf"({_NAME})\(({_TERM}(?:, {_TERM})*)\)"
_VALUE = late(_CALL, re.DOTALL)
_COMPARED = late(rf"{re.escape(EQUAL)}\(({_TERM}), {_CALL}\)", re.DOTALL)
_MENTIONED = late(rf'"(?:[^"\\]|\\.)*"|({_NAME})', re.DOTALL)


class ListCall(Struct, frozen=True):
    """`result` is what a function gives for some lists, or a relation holds of them (None).

    `binds` tells whether the result gets its value here.
    """

    function: str
    lists: tuple[Term, ...]
    result: Term | None
    binds: bool


def call_in(item: BodyItem) -> ListCall | None:
    """The list built-in that an item of a body consists of.

    Raises ValueError with a sentence for one within a greater expression.
    """
    if not isinstance(item, Bind | Filter) or SWRLB not in item.expression.text:
        return None
    text = item.expression.text
    name = next((found[1] for found in _MENTIONED.finditer(text) if found[1]), None)
    if name is None:
        return None
    gives = LIST_FUNCTIONS[name].gives
    whole, compared = _VALUE.fullmatch(text), _COMPARED.fullmatch(text)
    if isinstance(item, Bind) and whole and gives:
        return ListCall(whole[1], _terms(whole[2]), item.variable, True)
    if isinstance(item, Filter) and whole and not gives:
        return ListCall(whole[1], _terms(whole[2]), None, False)
    if isinstance(item, Filter) and compared and gives:
        return ListCall(compared[2], _terms(compared[3]), _terms(compared[1])[0], False)
    short = _short(name)
    alone = f"BIND({short}(?l) AS ?x)" if gives else f"FILTER({short}(?l, ?m))"
    raise ValueError(f"{short} takes variables and constants, and stands alone: {alone}")


def _short(iri: str) -> str:
    return iri[1:-1].replace(SWRLB, "swrlb:")


def _terms(text: str) -> tuple[Term, ...]:
    texts = (found[0] for found in re.finditer(_TERM, text, re.DOTALL))
    return tuple(Var(each[1:]) if each.startswith("?") else each for each in texts)


def _calls(body: Iterable[BodyItem]) -> Iterator[ListCall]:
    return (call for call in map(call_in, body) if call is not None)


def _within(body: Iterable[BodyItem]) -> Iterator[BodyItem]:
    """The items of a body and of bodies within it."""
    for item in body:
        yield item
        if isinstance(item, NotExists | Aggregate):
            yield from _within(item.body)


# Which lists a rule is about


def unbound_list(rule: Rule) -> Var | None:
    """A list that a rule asks about without binding it.

    Raises ValueError with a sentence for a built-in at a place where it cannot stand. Raises it
    also for a list from which new lists are made, if only atoms about lists bind it: the new lists
    were among them.
    """
    _check_places(rule)
    calls = list(_calls(rule.body))
    bound = bound_by(rule.body, LIST_ATOMS) if calls else set()
    founded = bound_by([*filter(_is_named, rule.body)], _ABOUT_LISTS) if calls else set()
    for call in calls:
        for variable in variables_among(call.lists):
            if variable not in bound:
                return variable
            if call.function in MADE and variable not in founded:
                raise ValueError(
                    f"only atoms about lists say which list {variable} is, and so the lists that "
                    f"are made of it are among those; add an atom about something else with it"
                )
    return None


def _check_places(rule: Rule) -> None:
    if rule.head is not None and rule.head.predicate in LIST_ATOMS:
        raise ValueError(f"{_short(rule.head.predicate)} cannot stand in the head of a rule")
    for item in rule.body:
        if isinstance(item, NotExists | Aggregate) and any(_calls(_within(item.body))):
            kind = "NOT EXISTS" if isinstance(item, NotExists) else "AGGREGATE"
            raise ValueError(f"of the built-ins over lists only atoms stand within {kind}")


def list_makers(rule: Rule) -> tuple[Rule, ...]:
    """The facts that a rule derives for new lists, as far as they can feed other rules."""
    if not any(call.function in MADE for call in _calls(rule.body)):
        return ()
    atoms = [atom for atom in positive_atoms(rule.body) if not _is_about_lists(atom)]
    source = next((variable for atom in atoms for variable in atom.variables()), None)
    if source is None:
        return ()
    new = Var(f"{source.name} list")
    literals: list[BodyItem] = [Literal(atom) for atom in atoms]
    body = (*literals, Bind(Expression(str(source), (source,)), new))
    return tuple(Rule(Atom(new, predicate, new), body) for predicate in (FIRST, REST, *LIST_ATOMS))


def positive_atoms(body: Iterable[BodyItem]) -> list[Atom]:
    return [item.atom for item in body if isinstance(item, Literal) and item.positive]


def _is_named(item: BodyItem) -> bool:
    """Whether an atom names its relation."""
    return not (isinstance(item, Literal) and isinstance(item.atom.predicate, Var))


def _is_about_lists(atom: Atom) -> bool:
    return isinstance(atom.predicate, Var) or atom.predicate in _ABOUT_LISTS


def bound_by(body: Sequence[BodyItem], reading: Collection[str] = ()) -> set[Var]:
    """The variables bound by atoms, and those computed or read from them, lengths apart. Atoms
    with predicates for `reading` bind only an object, by its subject."""
    atoms = positive_atoms(body)
    binding = (atom for atom in atoms if atom.predicate not in reading)
    found = {variable for atom in binding for variable in atom.variables()}
    steps = [*steps_of_lists(atoms, reading), *map(_step, filter(_is_computed, body))]
    while more := {variable for read, variable in steps if found >= read} - found:
        found |= more
    return found


def steps_of_lists(
    atoms: Iterable[Atom], reading: Collection[str] = LIST_ATOMS
) -> list[tuple[set[Var], Var]]:
    """(variables read, variable bound) for each atom that reads lists."""
    return [
        (set(variables_among((atom.subject,))), variable)
        for atom in atoms
        if atom.predicate in reading
        for variable in variables_among((atom.object,))
    ]


def _is_computed(item: BodyItem) -> bool:
    call = call_in(item)
    measures = call is not None and call.function == LENGTH
    return isinstance(item, Bind | Skolem) and not measures


def _step(item: BodyItem) -> tuple[set[Var], Var]:
    *read, variable = item_variables(item)
    return set(read), variable


def variables_among(terms: Iterable[Term]) -> Iterator[Var]:
    return (term for term in terms if isinstance(term, Var))
