"""Components tables against the closure by its definition, through sequences of revisions."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

from contracts.denotation import LARGEST, Pair, assert_denotes, keys_of, pairs_of
from rdfinc.tables import kernels
from rdfinc.tables.closure.components.component_table import Components
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.sorted_pairs import SortedPairs
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.tables.views import DifferenceView, With
from thresholds import put

Pairs = frozenset[Pair]
SLICE = range(45)
STEPS = 12

DENSE = list(range(1, 11))
SPARSE = [1, 2, 3, 7, 1 << 20, 1 << 31, LARGEST - 1, LARGEST]


def closure(external: Pairs, diagonal: bool) -> set[Pair]:
    """Every node's component, by spreading from it until nothing is new."""
    beside: dict[int, set[int]] = {}
    for s, o in external:
        beside.setdefault(s, set()).add(o)
        beside.setdefault(o, set()).add(s)
    return {
        (node, other)
        for node in beside
        for other in spread(node, beside)
        if diagonal or node != other or (node, node) in external
    }


def spread(node: int, beside: dict[int, set[int]]) -> set[int]:
    found, waiting = {node}, [node]
    while waiting:
        fresh = beside[waiting.pop()] - found
        found |= fresh
        waiting += fresh
    return found


def table_of(pairs: Pairs, before: Pairs, chance: random.Random) -> Table:
    """A table of the pairs, one of several kinds."""
    kind = chance.randrange(3)
    if kind == 0:
        return SortedPairs(column(pairs))
    if kind == 1:
        table = Plain(SortedPairs(column(before)))
        table.discard(keys_of(sorted(before - pairs), by_column=False))
        table.add(keys_of(sorted(pairs - before), by_column=False))
        return table
    less = DifferenceView(SortedPairs(column(before)), SortedPairs(column(before - pairs)))
    return With(less, SortedPairs(column(pairs - before)))


def column(pairs: Pairs) -> kernels.KeyArray:
    return np.asarray(keys_of(sorted(pairs), by_column=True), np.uint64)


def step(external: Pairs, ids: list[int], chance: random.Random) -> Pairs:
    """The external facts after some change of them."""
    kind = chance.randrange(8)
    present = sorted(external)
    if kind == 0:  # much at once
        grid = list(product(ids, ids))
        gone = chance.sample(present, len(present) * chance.choice([1, 2, 4]) // 4)
        return external - set(gone) | set(chance.sample(grid, chance.randrange(12)))
    if kind == 1 and external:  # a node goes
        node = chance.choice(present)[0]
        return frozenset(pair for pair in external if node not in pair)
    if kind == 2 and external:  # an edge comes or goes in the other direction
        return external ^ {chance.choice(present)[::-1]}
    if kind == 3:
        return external ^ {(node := chance.choice(ids), node)}
    if kind <= 5 and external:
        return external - set(chance.sample(present, chance.randint(1, min(3, len(present)))))
    return external | {
        (chance.choice(ids), chance.choice(ids)) for _ in range(chance.randint(1, 3))
    }


def run(seed: int) -> None:
    """A sequence of revisions, sometimes of an earlier version than the last one."""
    chance = random.Random(seed)
    ids = chance.choice([DENSE, SPARSE])
    diagonal = chance.random() < 0.5
    grid = list(product(ids, ids))
    external: Pairs = frozenset(chance.sample(grid, chance.randrange(len(ids) * 2)))
    table = Components.of(SortedPairs(column(external)), diagonal=diagonal)
    versions = [(external, table)]
    assert_denotes(table, closure(external, diagonal), ids)
    for _ in range(STEPS):
        before, table = versions[-1] if chance.random() < 0.8 else chance.choice(versions)
        external = step(before, ids, chance)
        by_column = chance.random() < 0.5
        gone, new = (keys_of(sorted(p), by_column) for p in (before - external, external - before))
        table = table.after_edges(table_of(external, before, chance), gone, new)
        table._check()
        assert_denotes(table, closure(external, diagonal), ids)
        versions.append((external, table))
        earlier, other = chance.choice(versions)
        assert_beyond(table, other, closure(external, diagonal), closure(earlier, diagonal))
    for external, table in versions:
        assert_denotes(table, closure(external, diagonal), ids)


def assert_beyond(one: Components, other: Components, mine: set[Pair], yours: set[Pair]) -> None:
    for found, wanted in ((one.beyond(other), mine - yours), (other.beyond(one), yours - mine)):
        assert found.dtype == np.uint64
        assert (found[1:] > found[:-1]).all()
        assert pairs_of(found) == wanted
    plain = SortedPairs(column(frozenset(yours)))
    assert pairs_of(one.beyond(plain)) == mine - yours


BOUNDS = {
    "as they are": {},
    "columns": {
        "few_new_edges": 0,
        "few_components": 0,
        "large_component": 4,
        "many_lost_edges": 0,
        "wide_component": 2,
        "few_ids_of_partition": 0,
        "few_nodes_of_search": 0,
        "edge_block": 3,
    },
    "anew": {
        "many_lost_edges": 2,
        "free_search_cost": 0,
        "component_search_steps": 2,
        "parts_of_component": 2,
    },
    "folding": {
        "partition_overlay": 3,
        "few_ids_of_partition": 0,
        "few_changes_a_value": 0,
        "few_new_edges": 0,
        "few_components": 0,
        "many_lost_edges": 1,
        "component_search_steps": 0,
        "search_step": 1,
    },
}
"""Where other ways are taken, so low that small graphs take them."""


@pytest.mark.parametrize("bounds", BOUNDS)
def test_every_revision_is_the_closure(bounds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, TABLES, **BOUNDS[bounds])
    for seed in SLICE:
        try:
            run(seed)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
