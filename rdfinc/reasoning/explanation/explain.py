"""One short proof of a fact, searched when asked for and never stored.

Backward from the fact, all rule instances that could derive the facts met so far are collected
level by level, until some of them form a proof from explicit facts no higher than the searched
levels. A proof of height h lies within the first h levels, so no proof is lower. Of the collected
instances the proof with the fewest steps is taken.
"""

from __future__ import annotations

from collections import deque

from rdfinc.reasoning.explanation.proof_search import ShortProof, Ways
from rdfinc.reasoning.explanation.rule_instances import Fact, Instance, Support


def shortest_proof(fact: Fact, support: Support) -> ShortProof | None:
    """A proof with the fewest steps (hidden premises are none) among the rule instances within
    the least height of a proof, or None for a fact that is not there. Cost: those instances.
    """
    if not support.closure.has(*fact):
        return None
    search = _ProofSearch(support)
    frontier, levels = [fact], 0
    while search.heights.get(fact, levels) >= levels:
        assert frontier or fact in search.heights, "every fact of the closure has a proof"
        frontier = search.deepen(frontier)
        levels += 1
    return search.ways.shortest(fact)


class _ProofSearch:
    """Facts met (`seen`), how they may be proved, and the least heights of proofs by what was
    met."""

    def __init__(self, support: Support) -> None:
        self.support = support
        self.seen: set[Fact] = set()
        self.ways = Ways()
        self.heights: dict[Fact, int] = {}

    def deepen(self, frontier: list[Fact]) -> list[Fact]:
        """Meets the facts of one more level; returns those of the next."""
        following: dict[Fact, None] = {}
        for fact in frontier:
            if fact in self.seen:
                continue
            self.seen.add(fact)
            if self.support.explicit.has(*fact):
                self.ways.stated.append(fact)
                self.prove(fact, 0)
                continue
            for instance in self.support.instances(fact):
                self.ways.add(instance)
                following |= dict.fromkeys(instance.body)
                height = self.height(instance)
                if height is not None:
                    self.prove(fact, height)
        return list(following)

    def height(self, instance: Instance) -> int | None:
        """The height of the lowest proof that ends in the instance."""
        found = [self.heights.get(premise) for premise in instance.body]
        known = [height for height in found if height is not None]
        return 1 + max(known, default=0) if len(known) == len(found) else None

    def prove(self, fact: Fact, height: int) -> None:
        """Notes a proof of a fact, and what follows from it by the instances met."""
        waiting = deque([(fact, height)])
        while waiting:
            current, height = waiting.popleft()
            if height >= self.heights.get(current, height + 1):
                continue
            self.heights[current] = height
            for instance in self.ways.readers.get(current, ()):
                above = self.height(instance)
                if above is not None:
                    waiting.append((instance.head, above))
