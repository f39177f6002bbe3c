"""A proof for every fact: from what is stated, by instances of the rules, and a short one."""

from __future__ import annotations

import random
from collections.abc import Set

import pytest
from naive import derivations

from laws.checking import CONFIGURATIONS, Configuration
from laws.names import TYPE, Fact, ex
from laws.oracle import Expected
from laws.performing import perform
from laws.scenarios import scenario
from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.proofs import Proof

Instances = dict[Fact, set[tuple[Fact, ...]]]


@pytest.mark.parametrize("seed", range(40))
def test_proofs_are_right_and_short(seed: int) -> None:
    case, rnd = scenario(seed), random.Random(seed)
    configuration: Configuration = rnd.choice(CONFIGURATIONS)
    with configuration.in_force():
        kb = KnowledgeBase(
            profile=case.profile, maintenance=configuration.strategy, table=configuration.table
        )
        for step, expected in zip(case.steps, case.expected, strict=True):
            perform(kb, step)
            check_proofs(kb, expected, rnd)


def test_the_first_proof_found_need_not_be_the_lowest() -> None:
    """F by the chain from E down to B is found as soon as all of it has been met, F by the chain
    from Z, which is shorter, one level later."""
    chains = "".join(kinds(head, body) for head, body in ("ED", "DC", "CB", "FX", "XY", "YZ"))
    kb = KnowledgeBase(profile="none")
    kb.add_rules(chains + kinds("F", "EDCB"))
    kb.update(insert=[(ex("x"), TYPE, ex("B")), (ex("x"), TYPE, ex("Z"))])
    proof = kb.explain((ex("x"), TYPE, ex("F")))
    assert proof is not None and (proof.height, steps(proof)) == (3, 4)


def kinds(head: str, body: str) -> str:
    """What is of all the classes in `body` is of the class `head`."""
    atoms = [f"[?x, a, {ex(name)}]" for name in (head, *body)]
    return f"{atoms[0]} :- {', '.join(atoms[1:])} .\n"


def check_proofs(kb: KnowledgeBase, expected: Expected, rnd: random.Random) -> None:
    instances = instances_by_head(expected)
    shown = sorted(expected.shown)
    for fact in rnd.sample(shown, min(8, len(shown))):
        proof = kb.explain(fact)
        assert proof is not None and key(proof) == fact
        check_proof(proof, instances, expected)
        assert steps(proof) <= fewest_steps(fact, instances, expected.explicit), fact
    for fact in sorted(expected.removed):
        assert kb.explain(fact) is None or fact in expected.shown


def check_proof(proof: Proof, instances: Instances, expected: Expected) -> None:
    waiting = [proof]
    while waiting:
        step = waiting.pop()
        if step.explicit:
            assert key(step) in expected.explicit
        else:
            assert tuple(sorted(map(key, step.premises))) in instances[key(step)]
        waiting.extend(step.premises)


def key(proof: Proof) -> Fact:
    s, p, o = (term.n3() for term in proof.fact)
    return s, p, o


def instances_by_head(expected: Expected) -> Instances:
    found: Instances = {}
    for _, head, body in derivations(expected.rules, expected.closure):
        found.setdefault(head, set()).add(tuple(sorted(body)))
    return found


def steps(proof: Proof) -> int:
    return 1 + sum(map(steps, proof.premises))


def fewest_steps(fact: Fact, instances: Instances, explicit: Set[Fact]) -> int:
    """The steps of the smallest among the proofs of least height, height by height."""
    fewest = dict.fromkeys(explicit, 1)
    while fact not in fewest:
        lower = dict(fewest)
        for head, bodies in instances.items():
            ready = (body for body in bodies if all(premise in lower for premise in body))
            totals = [1 + sum(lower[premise] for premise in body) for body in ready]
            if totals:
                fewest[head] = min(*totals, fewest.get(head, totals[0]))
    return fewest[fact]
