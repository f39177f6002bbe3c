"""Chains of turbines: the published shape."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import chains
import pytest


@pytest.mark.parametrize("links", [1, 2, 50, 200])
def test_four_chains_of_equal_length_end_to_end(links: int) -> None:
    facts = list(chains.triples(links))
    assert len(set(facts)) == len(facts) == 4 * links
    assert set(Counter(p for _, p, _ in facts).values()) == {links}
    for one, following in pairwise(facts):
        assert one[2] == following[0]
    assert len({turbine for s, _, o in facts for turbine in (s, o)}) == 4 * links + 1


def test_chains_come_in_the_order_of_their_relations() -> None:
    names = [p for _, p, _ in chains.triples(2)]
    assert names == [chains.term(f"p{i}") for i in (1, 1, 2, 2, 3, 3, 4, 4)]


def test_the_largest_published_size_is_the_default() -> None:
    assert len(list(chains.triples())) == 800


def test_the_negated_fact_is_where_the_first_chain_meets_the_second() -> None:
    subject, predicate, object_ = chains.excluded(5)
    assert predicate == chains.term("p5")
    assert (subject, chains.term("p2"), object_) in set(chains.triples(5))
    assert chains.turbine(5) == subject
