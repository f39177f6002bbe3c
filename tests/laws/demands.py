"""How demanding the deletions of a sequence are, told from the definition alone."""

from __future__ import annotations

from collections import Counter

from naive import derivations

from laws.names import TYPE, Fact
from laws.oracle import Expected
from laws.steps import Step, is_axiom

Relation = tuple[str, str]


def demands(step: Step, before: Expected, after: Expected) -> Counter[str]:
    """What a step asks for, if it is a deletion: something is no longer stated.

    A fact is in doubt if it was stated or some instance that derived it has lost a premise or its
    rule. A deletion is recursive if a fact in doubt lost a premise that depends on its relation.
    """
    withdrawn = before.explicit - after.explicit
    rules_gone = set(before.rules) - set(after.rules)
    if not withdrawn and not step.rules_removed:
        return Counter()
    gone = before.closure - after.closure
    derived = [(rule, head, body) for rule, head, body in derivations(before.rules, before.closure)]
    lost = [(head, set(body) & gone) for _, head, body in derived if gone.intersection(body)]
    doubted = withdrawn | {head for head, _ in lost}
    doubted |= {head for rule, head, _ in derived if rule in rules_gone}
    feeds: dict[Relation, set[Relation]] = {}
    for _, head, body in derived:
        for fact in body:
            feeds.setdefault(relation(fact), set()).add(relation(head))
    return Counter(
        deletions=1,
        kept=bool((doubted & after.closure) - after.explicit),
        recursive=any(
            relation(premise) in reached(relation(head), feeds)
            for head, premises in lost
            for premise in premises
        ),
        axioms=bool(step.rules_removed or any(map(is_axiom, withdrawn))),
        stated_and_derived=bool(withdrawn & after.closure),
    )


def relation(fact: Fact) -> Relation:
    return fact[1], fact[2] if fact[1] == TYPE else ""


def reached(start: Relation, feeds: dict[Relation, set[Relation]]) -> set[Relation]:
    """`start` and the relations that depend on it."""
    found, waiting = {start}, [start]
    while waiting:
        new = feeds.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found
