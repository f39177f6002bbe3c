"""Random rules that ask what is not there, or how many there are, or that make terms."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from laws.names import ABOVE, INDIVIDUALS, NAMED_CLASSES, TYPE, VALUE, XSD, ex
from rdfinc.datalog.analysis.safety import check
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
    Value,
    Var,
)
from rdfinc.errors import RuleError

OUTER = [Var(name) for name in "xyzw"]
LOCAL = [Var(name) for name in "lmno"]
NUMBERS = [Var("n"), Var("k")]
MADE = Var("t")
ABOVE_CLASSES = [ex("D0"), ex("D1")]


def assuming(rnd: random.Random, predicates: Sequence[str]) -> Rule:
    """A safe rule with NOT, NOT EXISTS, AGGREGATE or SKOLEM in its body."""
    while True:
        rule = _Maker(rnd, predicates).rule()
        try:
            check(rule)
        except RuleError:
            continue
        return rule


class _Maker:
    def __init__(self, rnd: random.Random, predicates: Sequence[str]) -> None:
        self.rnd, self.predicates = rnd, predicates

    def rule(self) -> Rule:
        rnd = self.rnd
        kind = rnd.choices(["not", "absence", "aggregate", "skolem", "two"], [4, 4, 3, 0.6, 1])[0]
        kinds = (
            rnd.sample(["not", "absence", "aggregate", "skolem"], 2) if kind == "two" else [kind]
        )
        width = rnd.choice([1, 1, 1, 1, 2, 2, 2, 3, 4])
        body: list[BodyItem] = [*self.binding(OUTER[:width])]
        if kinds == ["aggregate"] and rnd.random() < 0.6:
            body = []
        for kind in kinds:
            body += self.item(kind, bound(body))
        rnd.shuffle(body)
        if rnd.random() < 0.04:
            return Rule(None, tuple(body), "clash")
        return Rule(self.head(bound(body)), tuple(body))

    def item(self, kind: str, given: Sequence[Var]) -> list[BodyItem]:
        make: dict[str, Callable[[], list[BodyItem]]] = {
            "not": lambda: [Literal(self.atom(given), positive=False)],
            "absence": lambda: [self.absence(given)],
            "aggregate": lambda: self.aggregate(given),
            "skolem": lambda: [self.skolem(given)],
        }
        return make[kind]()

    # -- atoms

    def binding(self, variables: Sequence[Var]) -> list[Literal]:
        """Atoms that bind all of some variables."""
        rnd, atoms = self.rnd, []
        waiting = list(variables)
        while waiting:
            one = waiting.pop()
            if waiting and rnd.random() < 0.75:
                two = waiting.pop() if len(waiting) > 1 or rnd.random() < 0.5 else waiting[0]
                atoms.append(self.between(one, two))
            else:
                atoms.append(self.atom([one]))
        if len(variables) > 1 and rnd.random() < 0.3:
            atoms.append(self.atom(variables))
        return [Literal(atom) for atom in atoms]

    def between(self, one: Term, two: Term) -> Atom:
        """A binary atom over two terms, either first."""
        pair = [one, two]
        self.rnd.shuffle(pair)
        return Atom(pair[0], self.predicate(), pair[1])

    def predicate(self) -> str:
        rnd = self.rnd
        if rnd.random() < 0.15:
            return VALUE
        return rnd.choice(ABOVE if rnd.random() < 0.2 else self.predicates)

    def class_(self) -> str:
        return self.rnd.choice(ABOVE_CLASSES if self.rnd.random() < 0.2 else NAMED_CLASSES)

    def atom(self, variables: Sequence[Var]) -> Atom:
        """An atom with one of some variables at least: of a class, with a constant, or twice."""
        rnd = self.rnd
        x = rnd.choice(variables) if variables else rnd.choice(INDIVIDUALS)
        if rnd.random() < (0.4 if len(variables) > 1 else 0.65):
            return Atom(x, TYPE, self.class_())
        return self.between(x, rnd.choice([*variables, rnd.choice(INDIVIDUALS)]))

    def head(self, given: Sequence[Var]) -> Atom:
        rnd = self.rnd
        nodes = [v for v in given if v not in NUMBERS] or list(INDIVIDUALS)
        values = [v for v in given if v in NUMBERS]
        above = rnd.random() < 0.75
        subject = MADE if MADE in nodes and rnd.random() < 0.5 else rnd.choice(nodes)
        if rnd.random() < 0.35 and not values:
            return Atom(subject, TYPE, rnd.choice(ABOVE_CLASSES if above else NAMED_CLASSES))
        object_ = rnd.choice(values if values and rnd.random() < 0.7 else [*nodes, *values])
        predicate = rnd.choice(ABOVE if above else self.predicates)
        return Atom(subject, VALUE if values and rnd.random() < 0.1 else predicate, object_)

    # -- bodies within the body

    def inner(self, shared: Sequence[Var], depth: int) -> list[BodyItem]:
        """One or several items about shared and local variables."""
        rnd = self.rnd
        local = LOCAL[2 * depth : 2 * depth + rnd.choice([0, 1, 1, 2])]
        variables = [*shared, *local]
        body: list[BodyItem] = [*self.binding(variables)] if variables else []
        if not body or rnd.random() < 0.2:
            body.append(Literal(self.atom(variables)))
        if rnd.random() < 0.2 and depth == 0:
            kind = rnd.choice(["not", "absence", "aggregate"])
            body += self.item_within(kind, variables)
        if rnd.random() < 0.15 and len(variables) > 1:
            body.append(self.condition(rnd.sample(variables, 2)))
        return body

    def item_within(self, kind: str, given: Sequence[Var]) -> list[BodyItem]:
        if kind == "not":
            return [Literal(self.atom(given), positive=False)]
        if kind == "absence":
            return [self.absence(given, depth=1)]
        return self.aggregate(given, depth=1)

    def absence(self, given: Sequence[Var], depth: int = 0) -> NotExists:
        rnd = self.rnd
        shared = rnd.sample(given, rnd.randint(0, len(given)))
        body = self.inner(shared, depth)
        if shared and rnd.random() < 0.12:  # a variable that only the surroundings bind
            body = [item for item in body if not _mentions(item, shared[0])]
            other = [v for v in bound(body) if v != shared[0]]
            if other:
                body.append(self.condition([shared[0], rnd.choice(other)]))
        local = [v for v in bound(body) if v not in given]
        if not local:  # the grammar wants one
            local = [LOCAL[2 * depth]]
            body.append(Literal(self.atom(local)))
        return NotExists(tuple(dict.fromkeys(local)), tuple(body))

    def aggregate(self, given: Sequence[Var], depth: int = 0) -> list[BodyItem]:
        rnd = self.rnd
        count = rnd.choice([0, 1, 1, 1, 2, 2, 3])
        group = list(given[:count]) if given and rnd.random() < 0.8 else OUTER[:count]
        body = self.inner(group, 1)
        if depth == 0 and rnd.random() < 0.15:
            kind = rnd.choice(["not", "absence", "aggregate"])
            body += self.item_within(kind, bound(body))
        names = [NUMBERS[depth]] if depth or rnd.random() < 0.8 else NUMBERS
        read = [v for v in bound(body) if v not in names] or group
        values = tuple(self.value(read, name) for name in names)
        group = [v for v in group if v in bound(body)]
        found: list[BodyItem] = [Aggregate(tuple(body), tuple(group), values)]
        if rnd.random() < 0.35:
            found.append(self.compared(values[0]))
        return found

    def value(self, read: Sequence[Var], name: Var) -> Value:
        rnd = self.rnd
        function = rnd.choice(
            ["COUNT", "COUNT", "COUNT", "SUM", "SUM", "MIN", "MAX", "AVG", "MEDIAN"]
        )
        if not read or (function == "COUNT" and rnd.random() < 0.4):
            return Value("COUNT", None, False, name)
        v = rnd.choice(read)
        text = str(v)
        if function in ("SUM", "AVG", "MEDIAN") and rnd.random() < 0.6:
            text = rnd.choice(
                [f"STRLEN(STR({v}))", f"COALESCE({v} + 1, 2)", f"COALESCE({v} * 0.5, 0.1)"]
            )
        elif rnd.random() < 0.15:
            text = f"STRLEN(STR({v}))"
        return Value(function, Expression(text, (v,)), rnd.random() < 0.35, name)

    def compared(self, value: Value) -> Filter:
        operator, bound = self.rnd.choice([">", "=", "<="]), self.rnd.choice([1, 2, 3])
        text = f'{value.variable} {operator} "{bound}"^^<{XSD}integer>'
        return Filter(Expression(text, (value.variable,)))

    def condition(self, two: Sequence[Var]) -> Filter:
        x, y = two
        texts = [f"{x} != {y}", f"STR({x}) <= STR({y})", f"!sameTerm({x}, {y})"]
        return Filter(Expression(self.rnd.choice(texts), tuple(dict.fromkeys((x, y)))))

    def skolem(self, given: Sequence[Var]) -> Skolem:
        rnd = self.rnd
        some: list[Term] = [*rnd.sample(given, rnd.randint(0, min(2, len(given))))]
        if rnd.random() < 0.3:
            some.append(rnd.choice(INDIVIDUALS))
        return Skolem(rnd.choice(["part", "pair"]), tuple(some), MADE)


def bound(body: Sequence[BodyItem]) -> list[Var]:
    """The variables that a body gives values."""
    found: dict[Var, None] = {}
    for item in body:
        if isinstance(item, Literal) and item.positive:
            found |= dict.fromkeys(item.atom.variables())
        elif isinstance(item, Aggregate):
            found |= dict.fromkeys((*item.group, *(value.variable for value in item.values)))
        elif isinstance(item, Bind | Skolem):
            found[item.variable] = None
    return list(found)


def _mentions(item: BodyItem, variable: Var) -> bool:
    return isinstance(item, Literal) and variable in item.atom.variables()
