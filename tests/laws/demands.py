"""How demanding the deletions of a sequence are, told from the definition alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from naive import assumes, derivations

from laws.names import TYPE, Fact
from laws.oracle import Expected
from laws.steps import Step, is_axiom
from rdfinc.datalog.model import Aggregate, BodyItem, Literal, NotExists

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
        **assumptions(before, after),
    )


def assumptions(before: Expected, after: Expected) -> dict[str, bool]:
    """Whether facts came or went through a negation, or through an aggregate: by instances that
    came or went although their rule and positive body facts were there before and after."""
    rules = [rule for rule in before.rules if rule in after.rules and assumes(rule)]
    then = set(derivations(rules, before.closure))
    now = set(derivations(rules, after.closure))
    stayed, changed = before.closure & after.closure, before.closure ^ after.closure
    kinds = {
        kind
        for rule, head, body in then ^ now
        if head in changed and stayed.issuperset(body)
        for kind in kinds_within(rule.body)
    }
    return {"negation": not kinds.isdisjoint((Literal, NotExists)), "aggregate": Aggregate in kinds}


def kinds_within(body: Iterable[BodyItem]) -> Iterator[type]:
    """What a body assumes: Literal stands for NOT."""
    for item in body:
        if isinstance(item, NotExists | Aggregate):
            yield type(item)
            yield from kinds_within(item.body)
        elif isinstance(item, Literal) and not item.positive:
            yield Literal


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
