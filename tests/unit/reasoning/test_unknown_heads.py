"""What a round collects are the heads that were not known, each once."""

from random import Random

import numpy as np
import pytest

from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.unknown_heads import MemberMarks, UnknownHeads
from rdfinc.tables import kernels
from rdfinc.tables.facts import FactSet
from rdfinc.tables.kernels import IdArray
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

Fact = tuple[int, int, int]


def column(ids: list[int]) -> IdArray:
    return np.array(ids, np.uint32)


def facts_in(batch: dict[int, object]) -> list[Fact]:
    keys = {p: np.asarray(keys, np.uint64).tolist() for p, keys in batch.items()}
    return [(key >> 32, p, key & 0xFFFFFFFF) for p, of_p in keys.items() for key in of_p]


@pytest.mark.parametrize("many", [0, 3, 1000])
@pytest.mark.parametrize("seed", range(10))
def test_heads_are_unknown_and_different(
    seed: int, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, many_ids=many, narrow_batch=4)
    random = Random(seed)
    held = {(random.randrange(1, 50), 1, random.randrange(60, 80)) for _ in range(60)}
    known = FactSet.of({1: np.array(sorted(s << 32 | o for s, _, o in held), np.uint64)})
    heads, collected = UnknownHeads(State(known.tables)), set[Fact]()
    for _ in range(40):
        predicate, object_ = random.choice([1, 1, 2]), random.randrange(60, 80)
        subjects = [random.randrange(1, 50) for _ in range(random.choice([1, 2, 6, 30]))]
        collected |= {(s, predicate, object_) for s in subjects}
        if random.random() < 0.5:
            heads.members(predicate, column(subjects), object_)
        else:
            keys = kernels.pack(column(subjects), object_)
            heads.setdefault(predicate, []).append(random.choice([keys, keys.tolist()]))
    found = heads.batch()
    assert sorted(facts_in(found)) == sorted(collected - held)
    for keys in found.values():
        assert isinstance(keys, list) == (len(keys) <= 4)
        assert isinstance(keys, list) or (keys[1:] > keys[:-1]).all()


def test_groups_are_marked_apart() -> None:
    """More groups than share an array, and ids that no mark reached yet."""
    marks, members = MemberMarks(), {(1, n): {n, 2 * n, 40 + n} for n in range(20)}
    for group, ids in members.items():
        marks.begin(group, column(sorted(ids)))
    every = column(list(range(100)))
    for group, ids in members.items():
        assert np.flatnonzero(marks.are_marked(group, every)).tolist() == sorted(ids)
        assert marks.take(group, column([90, 41, 90])).tolist() == sorted({90, 41} - ids)
        assert marks.take(group, column([41, 90])).size == 0
    assert marks.objects(1) == set(range(20))
    assert not marks.objects(2)
    assert (2, 3) not in marks
