"""Data for the rule set of biomedical relations: every rule has something to derive from."""

from __future__ import annotations

import relations
from msgspec.structs import replace
from naive import Fact, naive

from rdfinc import KnowledgeBase
from rdfinc.datalog.syntax.rule_text import parse_rules

RULES = parse_rules(relations.rules(), {})


def told(kb: KnowledgeBase) -> set[Fact]:
    return {(s.n3(), p.n3(), o.n3()) for s, p, o in kb}


def test_the_closure_is_what_the_rules_say() -> None:
    facts = list(relations.triples(12))
    kb = KnowledgeBase(profile="none")
    kb.update(insert=facts)
    kb.add_rules(RULES)
    assert told(kb) == naive(RULES, facts)


def test_every_rule_derives_something() -> None:
    """Over the closure as it is, each with a head of its own."""
    kb = KnowledgeBase(profile="none")
    kb.update(insert=relations.triples(300))
    kb.add_rules(RULES)
    all_facts = KnowledgeBase(profile="none")
    all_facts.update(insert=kb)
    for rule in RULES:
        assert rule.head is not None
        alone = replace(rule, head=replace(rule.head, predicate=relations.term("new")))
        assert all_facts.add_rules(alone).added, rule.name
        all_facts.remove_rules(alone)


def test_facts_depend_on_size_and_seed_alone() -> None:
    facts = list(relations.triples(50))
    assert len(set(facts)) == len(facts)
    assert facts == list(relations.triples(50))
    assert facts != list(relations.triples(50, 3))
