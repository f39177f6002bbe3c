"""Map data around a vehicle: the rules and the kind of stream of the real test of Illich and Glimm,
*Backward/Forward with Marking for Update Streams*, over a made-up city.

Streets run every 30 m in both directions; each is made of ways of two blocks, and each way of
steps of 10 m from node to node. A vehicle drives along the streets and turns at random. Known are
the steps that lie within 50 m of it: as it moves, some come and some go.

The paper's nextInWay(x, y, z), by which y follows x on way z, is a node here, the step, with
`:from`, `:to` and `:way`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from math import dist

Fact = tuple[str, str, str]
Update = tuple[list[Fact], list[Fact]]
Point = tuple[int, int]

RULES = """@prefix : <http://example.org/> .
:connection[?v, ?w] :- [?s, :from, ?x], [?s, :way, ?v], [?t, :from, ?x], [?t, :way, ?w],
    FILTER(?v != ?w) .
:connection[?v, ?w] :- [?s, :from, ?x], [?s, :way, ?v], [?t, :to, ?x], [?t, :way, ?w],
    FILTER(?v != ?w) .
:connection[?v, ?w] :- [?s, :to, ?x], [?s, :way, ?v], [?t, :from, ?x], [?t, :way, ?w],
    FILTER(?v != ?w) .
:connection[?v, ?w] :- [?s, :to, ?x], [?s, :way, ?v], [?t, :to, ?x], [?t, :way, ?w],
    FILTER(?v != ?w) .
:connection[?v, ?w] :- :connection[?v, ?u], :connection[?u, ?w] .
"""
STEP, BLOCK, LENGTH, SIDE, RADIUS, SPEED = 10, 30, 60, 900, 50, 10  # metres


def node(name: str) -> str:
    return f"<http://example.org/{name}>"


def steps() -> Iterator[tuple[Point, Point, str]]:
    """(from, to, way) of the whole city."""
    for street in range(0, SIDE + 1, BLOCK):
        for across in (True, False):
            places = [(at, street) if across else (street, at) for at in range(0, SIDE + 1, STEP)]
            for number, (start, end) in enumerate(pairwise(places)):
                yield start, end, f"w{'we' if across else 'sn'}{street}-{number * STEP // LENGTH}"


def facts(start: Point, end: Point, way: str) -> list[Fact]:
    step = node("s{}-{}-{}-{}".format(*start, *end))
    ends = [node("n{}-{}".format(*point)) for point in (start, end)]
    values = {"from": ends[0], "to": ends[1], "way": node(way)}
    return [(step, node(name), value) for name, value in values.items()]


def positions(number: int, rnd: random.Random) -> Iterator[tuple[float, float]]:
    """Of the vehicle, one for each update."""
    x, y, across, ahead = SIDE / 2, SIDE / 2, True, 1
    for _ in range(number):
        yield x, y
        at = x if across else y
        nearest = round(at / BLOCK) * BLOCK
        if abs(at - nearest) < SPEED / 2 and rnd.random() < 0.5:
            x, y = (nearest, y) if across else (x, nearest)
            across, ahead = not across, rnd.choice((-1, 1))
        moved = (x if across else y) + ahead * SPEED
        if not 0 <= moved <= SIDE:
            ahead = -ahead
        x, y = (x + ahead * SPEED, y) if across else (x, y + ahead * SPEED)


def updates(number: int, seed: int) -> Iterator[Update]:
    city = [(*step, facts(*step)) for step in steps()]
    known: dict[Fact, None] = {}
    for position in positions(number, random.Random(seed)):
        seen = {
            fact: None
            for start, end, _, some in city
            if dist(start, position) <= RADIUS and dist(end, position) <= RADIUS
            for fact in some
        }
        yield [f for f in known if f not in seen], [f for f in seen if f not in known]
        known = seen
