"""Changes of closed relations that are looked at by way of the ends of their pairs only: the facts
are those of plain tables, after every update."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from rdfinc import KnowledgeBase
from rdfinc.reasoning.evaluation import guarded_deltas
from rdfinc.reasoning.maintenance import rematerialise
from rdfinc.reasoning.maintenance.maintain import STRATEGIES

SLICE = 0, 2

CLOSED = """
[?x, :t, ?z] :- [?x, :t, ?y], [?y, :t, ?z] .
[?x, :s, ?z] :- [?x, :s, ?y], [?y, :s, ?z] .
[?y, :s, ?x] :- [?x, :s, ?y] .
"""
READERS = [
    ":C[?x] :- [?x, :t, ?y], :D[?y] .",
    ":E[?y] :- [?x, :t, ?y], :D[?x] .",
    "[?x, :r, ?w] :- [?x, :t, ?y], [?y, :q, ?w] .",
    "[?x, :r, ?w] :- [?w, :q, ?x], [?x, :t, ?y] .",
    "[?w, :r, ?y] :- [?x, :s, ?y], [?w, :q, ?x] .",
    ":D[?x] :- [?x, :t, ?y], :D[?y], :F[?x] .",
    ":D[?x] :- [?x, :q, ?y] .",
    ":G[?x] :- [?x, :t, ?y] .",
    ":G[?x] :- [?x, :s, ?y], :C[?y], NOT :F[?y] .",
    "[?x, :both, ?y] :- [?x, :t, ?y], [?y, :q, ?x] .",
    ":H[?x] :- [?x, :t, :a] .",
    ":H[?x] :- [?x, :s, ?y], [?y, :q, :b] .",
    ":F[?x] :- [?x, :t, ?x] .",
    "[?x, :n, ?c] :- AGGREGATE([?x, :q, ?y] ON ?x BIND COUNT(?y) AS ?c) .",
]
AXIOMS = """
@prefix : <urn:x:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:t a owl:TransitiveProperty . :s a owl:TransitiveProperty, owl:SymmetricProperty .
:C owl:equivalentClass [ a owl:Restriction ; owl:onProperty :t ; owl:someValuesFrom :D ] .
:E owl:equivalentClass [ a owl:Restriction ; owl:onProperty :s ; owl:someValuesFrom :C ] .
:F rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :t ; owl:allValuesFrom :G ] .
:r owl:propertyChainAxiom ( :t :q ) . :q rdfs:domain :D .
"""
NODES = [f"<urn:x:{name}>" for name in "abcdefg"]
CLASSES = [f"<urn:x:{name}>" for name in "DF"]
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
Fact = tuple[str, str, str]


OWL, RDFS = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/2000/01/rdf-schema#"
SCHEMA = [
    ("<urn:x:R>", f"<{OWL}onProperty>", "<urn:x:t>"),
    ("<urn:x:R>", f"<{OWL}onProperty>", "<urn:x:s>"),
    *(("<urn:x:R>", f"<{OWL}someValuesFrom>", class_) for class_ in CLASSES),
    ("<urn:x:R>", f"<{RDFS}subClassOf>", "<urn:x:H>"),
    ("<urn:x:R2>", f"<{OWL}equivalentClass>", "<urn:x:R>"),
    ("<urn:x:t2>", f"<{OWL}inverseOf>", "<urn:x:t>"),
    ("<urn:x:R>", f"<{OWL}onProperty>", "<urn:x:t2>"),
    ("<urn:x:q>", f"<{RDFS}subPropertyOf>", "<urn:x:t>"),
]
"""What may be said of classes and properties; no more than data without OWL."""


def one(chance: random.Random) -> Fact:
    if chance.random() < 0.1:
        return chance.choice(SCHEMA)
    if chance.random() < 0.25:
        return chance.choice(NODES), TYPE, chance.choice(CLASSES)
    predicate = chance.choice(["t", "t", "s", "q"])
    return chance.choice(NODES), f"<urn:x:{predicate}>", chance.choice(NODES)


def updates(chance: random.Random) -> Iterator[tuple[list[Fact], list[Fact]]]:
    stated: list[Fact] = []
    while True:
        insert = [one(chance) for _ in range(chance.choice((0, 1, 1, 2, 8)))]
        delete = chance.sample(stated, min(len(stated), chance.choice((0, 1, 1, 3))))
        stated = sorted({*stated, *insert}.difference(delete) | set(insert))
        yield delete, insert


def made(chance: random.Random, maintenance: str, storage: str, rules: str) -> KnowledgeBase:
    profile = "none" if rules else "owl2rl"
    kb = KnowledgeBase(profile=profile, storage=storage, maintenance=maintenance)
    if rules:
        kb.add_rules(f"@prefix : <urn:x:> . {CLOSED} {rules}")
    else:
        kb.load(AXIOMS.encode(), format="turtle")
    return kb


def check(seed: int, maintenance: str) -> None:
    chance = random.Random(f"{maintenance} {seed}")
    number = chance.choice((0, 2, 5, 9))
    rules = "\n".join(chance.sample(READERS, number))
    little, plain = (made(chance, maintenance, storage, rules) for storage in ("compact", "plain"))
    changes = updates(chance)
    for step in range(12):
        delete, insert = next(changes)
        if rules and step == 6:
            more = f"@prefix : <urn:x:> . {chance.choice(READERS)}"
            for kb in (little, plain):
                kb.add_rules(more)
        for kb in (little, plain):
            kb.update(delete=delete, insert=insert)
        assert set(little) == set(plain), f"seed {seed}, {maintenance}, step {step}"
        little._engine._check()


@pytest.mark.parametrize("maintenance", STRATEGIES)
def test_facts_that_guards_let_pass_are_enough(
    maintenance: str, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: Counter[str] = Counter()
    among = guarded_deltas.among

    def counted(*arguments: object) -> object:
        found = among(*arguments)
        met["asked"] += 1
        met["pairs"] += 0 if found is None else found.size
        return found

    monkeypatch.setattr(guarded_deltas, "bound", lambda one, other: 1 << 40)
    monkeypatch.setattr(guarded_deltas, "among", counted)
    monkeypatch.setattr(rematerialise, "among", counted)
    start, count = pytestconfig.getoption("--long") or SLICE
    for seed in range(start, start + count):
        check(seed, maintenance)
    assert met["asked"] > met["pairs"] / 100 > 0
