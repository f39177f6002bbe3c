"""Rules with built-ins over lists -> rules over relations that `lists.dlog` defines.

The lists a rule asks about are derived by a rule from its other positive atoms (*magic sets*:
Bancilhon, Maier, Sagiv, Ullman, PODS 1986). So a built-in costs only those lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import count
from pathlib import Path

from msgspec import Struct, field

from rdfinc.datalog.functions import EQUAL, FIRST_OF, LIST_ATOMS, MEMBER_OF, SWRLB
from rdfinc.datalog.list_builtins import (
    LENGTH,
    MADE,
    NIL,
    ListCall,
    bound_by,
    call_in,
    variables_among,
)
from rdfinc.datalog.model import (
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
from rdfinc.datalog.variables import item_variables, variables_in

_MAKING = {
    f"<{SWRLB}listConcat>": ("listConcat", "joined"),
    f"<{SWRLB}listIntersection>": ("listIntersection", "common"),
    f"<{SWRLB}listSubtraction>": ("listSubtraction", "without"),
}
"""By function, the rules that make a list of two, and the relation in which it is asked for."""


def without_lists(rule: Rule) -> tuple[tuple[BodyItem, ...], tuple[Rule, ...]]:
    """The body of a safe rule over plain relations, and the rules that these need; the same for
    equal rules whose variables are named alike."""
    plain = _Plain([], {})
    waiting: list[ListCall | Literal] = []
    for item in rule.body:
        call = call_in(item)
        if call is not None:
            waiting.append(call)
        elif isinstance(item, Literal) and item.atom.predicate in LIST_ATOMS:
            waiting.append(item)
        else:
            plain.body.append(item)
    calls = [each for each in waiting if isinstance(each, ListCall)]
    made = {call.result for call in calls if call.binds and call.function in MADE}
    while waiting:
        bound = bound_by(plain.asking())
        each = next(e for e in waiting if bound.issuperset(variables_among(_inputs(e))))
        waiting.remove(each)
        plain.read(each)
    head = rule.head.variables() if rule.head else ()
    for variable in dict.fromkeys(term for term in head if term in made):
        plain.give(variable)
    return tuple(plain.body), tuple(plain.rules)


def _inputs(each: ListCall | Literal) -> tuple[Term, ...]:
    """The terms that must be known before something is read of lists."""
    if isinstance(each, Literal):
        return (each.atom.subject,)
    if each.binds or each.result is None:
        return each.lists
    return (*each.lists, each.result) if each.function in MADE else each.lists


def _r(name: str) -> str:
    return f"<urn:rdfinc:aux:swrlb.{name}>"


_ITEM, _NEXT, _ENDS, _BEGINS, _MADE, _ITEMS = map(
    _r, ("item", "next", "ends", "begins", "made", "items")
)


class _Plain(Struct):
    """A body under construction and the rules that it needs."""

    body: list[BodyItem]
    rules: dict[Rule, None]
    fresh: Iterator[Var] = field(default_factory=lambda: (Var(f"list{i}") for i in count(1)))

    def asking(self) -> list[BodyItem]:
        """The body that derives the lists a rule asks about. Lengths are no part of it, for they
        must be complete before they are read."""
        read = [
            item
            for item in self.body
            if isinstance(item, Literal) and item.positive and item.atom.predicate != _ITEMS
        ]
        computed = [item for item in self.body if isinstance(item, Bind | Skolem)]
        bound = bound_by([*read, *computed])
        return [*read, *(item for item in computed if bound.issuperset(item_variables(item)))]

    def define(self, *sections: str) -> None:
        for section in ("cells", *sections):
            self.rules |= dict.fromkeys(_sections()[section])

    def ask(self, left: Term, name: str, right: Term, *conditions: Atom) -> None:
        """Adds the rule that derives the lists asked about, in a relation."""
        self.rules[Rule(Atom(left, _r(name), right), (*self.asking(), *_all(conditions)))] = None

    def say(self, *atoms: Atom) -> None:
        self.body += _all(atoms)

    def read(self, each: ListCall | Literal) -> None:
        if isinstance(each, Literal):
            self.atom(each)
        elif each.function in MADE:
            self.made(each)
        elif each.function == LENGTH:
            self.length(each)
        else:
            self.sublist(*each.lists)

    def atom(self, literal: Literal) -> None:
        list_, item = literal.atom.subject, literal.atom.object
        if literal.atom.predicate == MEMBER_OF:
            self.define("member")
            self.ask(list_, "opened", list_)
            self.body.append(Literal(Atom(list_, _r("member"), item), literal.positive))
            return
        self.define()
        first = [Atom(list_, _ITEM, item), Atom(list_, _ENDS, NIL)]
        rest = [Atom(list_, _NEXT, item), Atom(item, _ENDS, NIL)]
        atoms = _all(first if literal.atom.predicate == FIRST_OF else rest)
        self.body += atoms if literal.positive else [NotExists((), tuple(atoms))]

    def length(self, call: ListCall) -> None:
        (list_,) = call.lists
        self.define("length")
        self.ask(list_, "measured", list_)
        self.say(Atom(list_, _ITEMS, self.result(call)))

    def result(self, call: ListCall) -> Term:
        """The term for the value of a built-in; a new variable, or one that is then compared
        with the value."""
        assert call.result is not None
        if call.binds:
            return call.result
        value = next(self.fresh)
        text = f"{EQUAL}({call.result}, {value})"
        self.body.append(Filter(Expression(text, variables_in(text))))
        return value

    def sublist(self, whole: Term, part: Term) -> None:
        self.define("comparison", "sublist")
        self.ask(whole, "searched", part)
        self.say(Atom(whole, _r("contains"), part))

    def made(self, call: ListCall) -> None:
        """Several lists are joined from the last on."""
        assert call.result is not None
        first, *others, made = call.lists
        for list_ in reversed(others):
            made = self.pair(call.function, list_, made, next(self.fresh))
        value = call.result if call.binds else next(self.fresh)
        made = self.pair(call.function, first, made, value)
        if not call.binds:
            self.equal(made, call.result)

    def pair(self, function: str, left: Term, right: Term, value: Term) -> Term:
        """The list that is made of two, and gets a name."""
        name, asked = _MAKING[function]
        self.define("search", name)
        self.ask(right, asked, left, Atom(left, _ENDS, NIL), Atom(right, _ENDS, NIL))
        pair = next(self.fresh)
        self.body.append(Skolem(f"swrlb.{name}", (left, right), pair))
        self.say(Atom(pair, _MADE, value))
        return value

    def give(self, made: Var) -> None:
        """Adds the rules that make the cells of a list facts, where the complete body holds."""
        self.define("facts")
        self.rules[Rule(Atom(made, _r("given"), made), tuple(self.body))] = None

    def equal(self, one: Term, other: Term) -> None:
        """Two lists begin with each other."""
        self.define("comparison")
        self.ask(one, "compared", other)
        self.ask(other, "compared", one)
        self.say(Atom(one, _BEGINS, other), Atom(other, _BEGINS, one))


def _all(atoms: Iterable[Atom]) -> list[BodyItem]:
    return [Literal(atom) for atom in atoms]


@cache
def _sections() -> dict[str, tuple[Rule, ...]]:
    """The rules of `lists.dlog` by the name they stand under, which they lose."""
    from rdfinc.datalog.syntax.rule_text import parse_rules

    text = Path(__file__).with_name("lists.dlog").read_text(encoding="utf-8")
    found: dict[str, tuple[Rule, ...]] = {}
    for rule in parse_rules(text):
        found[rule.name] = (*found.get(rule.name, ()), rule.unnamed())
    return found
