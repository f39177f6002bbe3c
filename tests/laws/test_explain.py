"""A proof for every fact: from what is stated, by instances of the rules, and none is shorter."""

from __future__ import annotations

import random

import pytest
from naive import derivations

from laws.checking import CONFIGURATIONS, Configuration, perform
from laws.names import Fact
from laws.oracle import Expected
from laws.scenarios import scenario
from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.proofs import Proof

Instances = dict[Fact, list[frozenset[Fact]]]


@pytest.mark.parametrize("seed", range(40))
def test_proofs_are_right_and_shortest(seed: int) -> None:
    case, rnd = scenario(seed), random.Random(seed)
    configuration: Configuration = rnd.choice(CONFIGURATIONS)
    with configuration.in_force():
        kb = KnowledgeBase(
            profile=case.profile, maintenance=configuration.strategy, table=configuration.table
        )
        for step, expected in zip(case.steps, case.expected, strict=True):
            perform(kb, step)
            check_proofs(kb, expected, rnd)


def check_proofs(kb: KnowledgeBase, expected: Expected, rnd: random.Random) -> None:
    instances = instances_by_head(expected)
    heights = least_heights(instances, expected)
    shown = sorted(expected.shown)
    for fact in rnd.sample(shown, min(8, len(shown))):
        proof = kb.explain(fact)
        assert proof is not None and key(proof) == fact
        check_proof(proof, instances, expected)
        assert proof.height == heights[fact], fact
    for fact in sorted(expected.removed):
        assert kb.explain(fact) is None or fact in expected.shown


def check_proof(proof: Proof, instances: Instances, expected: Expected) -> None:
    waiting = [proof]
    while waiting:
        step = waiting.pop()
        if step.explicit:
            assert key(step) in expected.explicit
        else:
            assert frozenset(map(key, step.premises)) in instances[key(step)]
        waiting.extend(step.premises)


def key(proof: Proof) -> Fact:
    s, p, o = (term.n3() for term in proof.fact)
    return s, p, o


def instances_by_head(expected: Expected) -> Instances:
    found: Instances = {}
    for _, head, body in derivations(expected.rules, expected.closure):
        found.setdefault(head, []).append(frozenset(body))
    return found


def least_heights(instances: Instances, expected: Expected) -> dict[Fact, int]:
    """Round by round: 0 if stated, else one more than the highest premise of the lowest body."""
    heights = dict.fromkeys(expected.explicit, 0)
    height = 0
    while len(heights) < len(expected.closure):
        height += 1
        lower = set(heights)
        for head, bodies in instances.items():
            if head not in lower and any(body <= lower for body in bodies):
                heights[head] = height
    return heights
