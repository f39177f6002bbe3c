"""Random rules and facts about closures: transitive and symmetric relations that feed each other,
are copied to others, that other rules read, deny and count, and that are fed by what they have
derived."""

from __future__ import annotations

import random
from itertools import pairwise

from laws.names import (
    FIRST,
    INDIVIDUALS,
    NAMED_CLASSES,
    NIL,
    PROPERTIES,
    REST,
    TYPE,
    XSD,
    Fact,
    ex,
    owl,
    rdfs,
)
from rdfinc.datalog.model import (
    Aggregate,
    Atom,
    BodyItem,
    Expression,
    Filter,
    Literal,
    Rule,
    Value,
    Var,
)

X, Y, Z, W, N = map(Var, "xyzwn")
CLOSED = PROPERTIES[:3]
FED = [ex("fed0"), ex("fed1")]
UNIONS = [ex("all0"), ex("all1")]
NODES = [*INDIVIDUALS, ex("n0"), ex("n1"), ex("n2")]
ENDS = [*NODES, *NODES, '"1"', f'"1"^^<{XSD}integer>', f'"01"^^<{XSD}integer>']
UNEQUAL = Filter(Expression("?x != ?z", (X, Z)))


def _rule(head: tuple, *body: tuple | BodyItem) -> Rule:
    items = [Literal(Atom(*item)) if isinstance(item, tuple) else item for item in body]
    return Rule(Atom(*head), tuple(items))


def closing(rnd: random.Random) -> Rule:
    """A rule that a module may be made of."""
    p, q = rnd.choice(CLOSED), rnd.choice(CLOSED)
    if rnd.random() < 0.25:
        return combining(rnd)
    if rnd.random() < 0.25:
        return chaining(rnd)
    return rnd.choice(
        [
            _rule((X, p, Z), (X, p, Y), (Y, p, Z)),
            _rule((X, p, Z), (X, p, Y), (Y, p, Z)),
            _rule((X, p, Z), (Y, p, Z), (X, p, Y), UNEQUAL),
            _rule((Y, p, X), (X, p, Y)),
            _rule((Y, q, X), (X, p, Y)),
            _rule((X, q, Y), (X, p, Y)),
            _rule((X, p, Z), (X, p, Y), (Y, q, Z)),
            _rule((X, p, Z), (X, q, Y), (Y, p, Z)),
        ]
    )


def chaining(rnd: random.Random) -> Rule:
    """A rule that a module may have beside its own."""
    p, q, other = rnd.choice(CLOSED), rnd.choice(CLOSED), rnd.choice([*FED, rnd.choice(CLOSED)])
    return rnd.choice(
        [
            _rule((X, p, Z), (X, p, Y), (Y, other, Z)),
            _rule((X, p, Z), (X, other, Y), (Y, p, Z)),
            _rule((X, p, Z), (X, p, Y), (Y, other, Z)),
            _rule((X, p, Z), (X, other, Y), (Y, p, Z)),
            _rule((X, p, Z), (X, q, Y), (Y, other, Z)),
            _rule((X, p, Z), (X, p, Y), (Y, other, Z), UNEQUAL),
        ]
    )


def combining(rnd: random.Random) -> Rule:
    """A rule that a union may be made of."""
    p, u, v = rnd.choice(CLOSED), rnd.choice(UNIONS), rnd.choice(UNIONS)
    return rnd.choice(
        [
            _rule((X, u, Y), (X, p, Y)),
            _rule((Y, u, X), (X, p, Y)),
            _rule((X, u, Y), (X, v, Y)),
            _rule((Y, u, X), (X, v, Y)),
        ]
    )


def around(rnd: random.Random) -> Rule:
    """A rule that feeds a closure or a union, or reads it."""
    p, q = rnd.choice([*CLOSED, *UNIONS]), rnd.choice(CLOSED)
    fed = rnd.choice(FED)
    c, d = rnd.choice(NAMED_CLASSES), rnd.choice(NAMED_CLASSES)
    count = Value("COUNT", Expression("?y", (Y,)), True, N)
    return rnd.choice(
        [
            _rule((X, p, Y), (X, fed, Y)),
            _rule((X, p, Y), (X, fed, Y), (Y, TYPE, c)),
            _rule((X, p, Y), (Y, fed, X)),
            _rule((X, p, Z), (X, fed, Y), (Y, fed, Z)),
            _rule((X, fed, Y), (X, q, Y), (X, TYPE, c)),
            _rule((X, TYPE, c), (X, p, Y)),
            _rule((Y, TYPE, d), (X, p, Y), (X, TYPE, c)),
            _rule((X, ex("both"), Y), (X, p, Y), (Y, q, X)),
            _rule((X, ex("only"), Y), (X, p, Y), Literal(Atom(Y, q, X), positive=False)),
            _rule((X, ex("none"), Y), (X, fed, Y), Literal(Atom(X, p, Y), positive=False)),
            _rule((X, ex("number"), N), Aggregate((Literal(Atom(X, p, Y)),), (X,), (count,))),
            _rule((X, ex("round"), X), (X, p, X)),
        ]
    )


def cycle(rnd: random.Random) -> list[Rule]:
    """Rules by which a closure depends on itself, and perhaps is also that of other relations."""
    p, q = rnd.sample(CLOSED, 2)
    fed, c = rnd.choice(FED), rnd.choice(NAMED_CLASSES)
    transitive = _rule((X, p, Z), (X, p, Y), (Y, p, Z))
    marked = _rule((X, fed, Y), (X, p, Y), (X, TYPE, c))
    ways = [
        [_rule((X, p, W), (X, FED[0], Y), (Y, p, Z), (Z, FED[1], W))],
        [_rule((X, p, W), (X, fed, Y), (Y, p, Z), (Z, q, W)), _rule((X, fed, Y), (X, p, Y))],
        [marked, _rule((X, p, Y), (X, fed, Y))],
        [marked, _rule((X, p, Z), (X, p, Y), (Y, fed, Z))],
        [marked, _rule((Y, p, X), (X, fed, Y)), _rule((Y, TYPE, c), (X, p, Y), (X, TYPE, c))],
        [_rule((X, p, Y), (X, fed, Y), (X, TYPE, c)), _rule((Y, TYPE, c), (X, p, Y))],
    ]
    ties = [
        [_rule((Y, p, X), (X, p, Y))],
        [_rule((X, q, Y), (X, p, Y)), _rule((X, p, Y), (X, q, Y))],
        [_rule((Y, q, X), (X, p, Y)), _rule((Y, p, X), (X, q, Y))],
    ]
    return [transitive, *rnd.choice(ways), *rnd.choice([[], [], *ties])]


def random_rule(rnd: random.Random) -> Rule:
    return closing(rnd) if rnd.random() < 0.6 else around(rnd)


def edges(rnd: random.Random) -> list[Fact]:
    relation = rnd.choice(UNIONS if rnd.random() < 0.15 else CLOSED)
    return [(rnd.choice(NODES), relation, rnd.choice(ENDS))]


def path(rnd: random.Random) -> list[Fact]:
    p = rnd.choice(CLOSED)
    nodes = rnd.sample(NODES, 4)
    return [(one, p, other) for one, other in pairwise(nodes)]


def fed(rnd: random.Random) -> list[Fact]:
    if rnd.random() < 0.3:
        return [(rnd.choice(NODES), TYPE, rnd.choice(NAMED_CLASSES))]
    return [(rnd.choice(NODES), rnd.choice(FED), rnd.choice(NODES))]


def axioms(rnd: random.Random) -> list[Fact]:
    p, q = rnd.choice(CLOSED), rnd.choice([*CLOSED, *FED])
    if rnd.random() < 0.15:
        return chain(p, *rnd.sample([p, q], 2))
    return [
        rnd.choice(
            [
                (p, TYPE, owl("TransitiveProperty")),
                (p, TYPE, owl("TransitiveProperty")),
                (p, TYPE, owl("SymmetricProperty")),
                (p, owl("inverseOf"), q),
                (p, owl("equivalentProperty"), q),
                (q, rdfs("subPropertyOf"), p),
                (p, rdfs("subPropertyOf"), rnd.choice(UNIONS)),
                (rnd.choice(UNIONS), owl("inverseOf"), p),
                (p, rdfs("domain"), rnd.choice(NAMED_CLASSES)),
            ]
        )
    ]


def chain(p: str, *steps: str) -> list[Fact]:
    """An axiom that a path along some properties is one step of another."""
    cells = [ex("-".join(["chain", *(s[-2] for s in (p, *steps)), str(i)])) for i in range(2)]
    cells.append(NIL)
    items = [(cell, FIRST, step) for cell, step in zip(cells, steps, strict=False)]
    return [
        (p, owl("propertyChainAxiom"), cells[0]),
        *items,
        *((c, REST, d) for c, d in pairwise(cells)),
    ]
