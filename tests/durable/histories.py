"""Random histories of knowledge bases: steps that change them, and what they are after each."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from rdfinc import KnowledgeBase

EX = "http://example.org/"
RULES = (
    f"[?x, <{EX}r>, ?z] :- [?x, <{EX}p0>, ?y], [?y, <{EX}p0>, ?z] .",
    f"[?x, <{EX}p1>, ?y] :- [?y, <{EX}p1>, ?x] .",
    f"[?x, <{EX}t>, ?y] :- [?x, <{EX}t>, ?z], [?z, <{EX}t>, ?y] . "
    f"[?x, <{EX}t>, ?y] :- [?x, <{EX}p2>, ?y] .",
    f"[?x, <{EX}n>, ?n] :- AGGREGATE([?x, <{EX}p1>, ?y] ON ?x BIND COUNT(?y) AS ?n) .",
    f"[?x, <{EX}twice>, ?m] :- [?x, <{EX}p2>, ?n], BIND(CONCAT(STR(?n), STR(?n)) AS ?m) .",
    f"[?x, <{EX}lone>, ?y] :- [?x, <{EX}p0>, ?y], NOT [?y, <{EX}p0>, ?x] .",
)
AXIOMS = (
    f"<{EX}p0> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    " <http://www.w3.org/2002/07/owl#TransitiveProperty>",
    f"<{EX}p1> <http://www.w3.org/2000/01/rdf-schema#subPropertyOf> <{EX}p0>",
    f"<{EX}a0> <http://www.w3.org/2002/07/owl#sameAs> <{EX}a1>",
    f"<{EX}p2> <http://www.w3.org/2002/07/owl#inverseOf> <{EX}p1>",
    f"<{EX}p0> <http://www.w3.org/2000/01/rdf-schema#range>"
    " <http://www.w3.org/2001/XMLSchema#string>",
    "<http://www.w3.org/2001/XMLSchema#string>"
    f" <http://www.w3.org/2000/01/rdf-schema#subClassOf> <{EX}Text>",
    f'<{EX}a2> <http://www.w3.org/2002/07/owl#sameAs> "new3"',
    f"<{EX}p1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    " <http://www.w3.org/2002/07/owl#FunctionalProperty>",
)

Step = Callable[[KnowledgeBase], Any]


class UndoneError(Exception):
    """Ends a transaction of which nothing is to be left."""


def steps(chance: random.Random, count: int) -> Iterator[Step]:
    """Changes of a knowledge base, each all or nothing."""
    serial = iter(range(10**6))

    def term() -> str:
        kind = chance.random()
        if kind < 0.2:
            return f"<{EX}new{next(serial)}>"
        return f"<{EX}a{chance.randrange(6)}>" if kind < 0.9 else f"_:b{chance.randrange(3)}"

    def fact() -> tuple[str, ...]:
        if chance.random() < 0.15:
            s, p, o = chance.choice(AXIOMS).split(" ")
            return s, p, o
        p = f"<{EX}p{chance.randrange(3)}>"
        o = f'"new{next(serial)}"' if chance.random() < 0.2 else term()
        return (term(), p, o, f"<{EX}g{chance.randrange(3)}>") if chance.random() < 0.3 else (
            term(), p, o
        )  # fmt: skip

    def update() -> Step:
        insert = [fact() for _ in range(chance.randrange(5))]
        delete = [fact() for _ in range(chance.randrange(5))]
        stated = chance.randrange(4) if chance.random() < 0.4 else 0

        def run(kb: KnowledgeBase) -> None:
            kb.update(insert=insert, delete=[*delete, *sorted(kb.explicit)[:stated]])

        return run

    def rules() -> Step:
        text = chance.choice(RULES)

        def run(kb: KnowledgeBase) -> None:
            try:
                kb.remove_rules(text)
            except ValueError:
                kb.add_rules(text)

        return run

    def bind() -> Step:
        prefix, name = f"x{chance.randrange(3)}", chance.randrange(9)
        return lambda kb: kb.bind(prefix, f"{EX}{name}/")

    def ask() -> Step:
        triple = term(), f"<{EX}p0>", term()
        return lambda kb: kb.why_not(triple)

    def transaction() -> Step:
        inner = [chance.choice((update, rules, bind))() for _ in range(chance.randrange(1, 4))]
        undone, nested = chance.random() < 0.4, chance.random() < 0.3

        def run(kb: KnowledgeBase) -> None:
            with suppress(UndoneError), kb.transaction():
                for step in inner:
                    step(kb)
                if nested:
                    with suppress(UndoneError), kb.transaction():
                        inner[0](kb)
                        raise UndoneError
                if undone:
                    raise UndoneError

        return run

    kinds = (update, rules, bind, ask, transaction)
    for kind in chance.choices(kinds, (8, 2, 1, 1, 3), k=count):
        yield kind()


def state(kb: KnowledgeBase) -> tuple[Any, ...]:
    """All that must come back."""
    reader, decode = kb.reader(), kb.dictionary.decode
    stated = frozenset(
        (g and decode(g), *map(decode, fact))
        for g in (0, *reader.graphs())
        for fact in reader.stated(g)
    )
    closure = frozenset(tuple(map(decode, fact)) for fact in reader.closure)
    return stated, closure, frozenset(map(str, kb.program)), tuple(sorted(kb.namespaces.items()))
