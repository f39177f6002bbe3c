"""Facts about fresh terms of every kind that pass by, so that the terms of others make way."""

from __future__ import annotations

from itertools import count

from rdflib import BNode, Literal, URIRef

from rdfinc import KnowledgeBase

NS = "http://e.org/"
RULES = """@prefix : <http://e.org/> .
[?y, :of, ?x] :- [?x, :has, ?y] .
[?x, :seen, ?n] :- [?x, :has, ?y], BIND(CONCAT(STR(?y), "!") AS ?n) .
[?b, :about, ?x] :- [?x, :has, ?y], BIND(SKOLEM("box", ?x, ?y) AS ?b) .
"""


def node(name: object) -> URIRef:
    return URIRef(f"{NS}{name}")


numbers = count()


def pass_by(kb: KnowledgeBase, times: int = 8) -> None:
    """States and withdraws facts about fresh terms of every kind."""
    for number in (next(numbers) for _ in range(times)):
        objects = node(f"passing{number}"), Literal(f"passing {number}"), BNode(f"passing{number}")
        facts = [(node(f"p{number}"), node("has"), object_) for object_ in objects]
        kb.update(insert=facts)
        kb.update(delete=facts)
        kb._check()


def changed(profile: str = "none", **options: str) -> KnowledgeBase:
    kb = KnowledgeBase(profile, **options)
    kb.add_rules(RULES)
    pass_by(kb, 2)
    return kb


FACTS = [(node(s), node("has"), o) for s, o in (("a", node("b")), ("c", Literal("d")))]
