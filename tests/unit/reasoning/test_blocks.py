"""Matches as rows and as columns are asked alike and tell the same."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from rdfinc import KnowledgeBase
from rdfinc.datalog.compile.planning import Match, Slots
from rdfinc.reasoning.evaluation import run
from rdfinc.reasoning.evaluation.run import Block, Columns, Rows
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.marks import Marks
from rdfinc.tables.table import Table
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

ATOM = Slots(0, 1, 2)


@pytest.mark.parametrize("size", [0, 1, 7, 300])
@pytest.mark.parametrize("constants", [(), (0,), (1,), (2,), (0, 1), (1, 2)])
def test_marked_rows_are_kept(size: int, constants: tuple[int, ...]) -> None:
    some = np.random.default_rng(size)
    columns = Columns([some.integers(1, 6, size).astype(np.uint32) for _ in range(3)], size)
    for slot in constants:
        columns = columns.assign(slot, int(some.integers(1, 6)))
    rows, marks = Rows(columns.values((0, 1, 2))), Marks()
    for predicate in range(1, 5):
        few = {s << 32 | o for s, o in some.integers(1, 6, (12, 2)).tolist()}
        marks[predicate].add(sorted(few) if predicate % 2 else np.array(sorted(few), np.uint64))
    by_columns, by_rows = columns.marked(ATOM, marks), rows.marked(ATOM, marks)
    assert list(by_columns) == by_rows
    chosen = columns.keep(by_columns), rows.keep(by_rows), columns.keep(by_rows)
    assert len({tuple(block.values((0, 1, 2))) for block in chosen}) == 1
    assert all(all(block.marked(ATOM, marks)) for block in chosen)
    assert all(block.keep(block.marked(ATOM, marks)) is block for block in chosen)


def matches(blocks: list[Block]) -> Iterator[tuple[int, ...]]:
    return (row for block in blocks for row in block.values((0, 1, 2)))


@pytest.mark.parametrize("most", [1, 5, 100])
def test_blocks_about_many_relations_are_united(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those with one relation, and rows, stay as they are; no match comes twice or is lost."""
    put(monkeypatch, REASONING, united_rows=most)
    ids = np.arange(1, 4, dtype=np.uint32)
    blocks: list[Block] = [Columns([ids, ids + 10 * i, 7 + i], 3) for i in range(4)]
    blocks += [Columns([ids, 5, ids], 3), Rows([(1, 2, 3)]), Columns([4, ids, 0], 3)]
    united = list(run.united(blocks, 1))
    matches = [
        sorted(row for each in some for row in each.values((0, 1, 2))) for some in (blocks, united)
    ]
    assert matches[0] == matches[1]
    assert len(united) == {1: 7, 5: 5, 100: 3}[most]


@pytest.mark.parametrize("facts", [3, 40])
def test_products_are_made_in_pieces(facts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, REASONING, crossed_rows=100)
    largest, crossed = 0, run._crossed

    def noted(live: Columns, found: dict[int, np.ndarray]) -> Columns:
        nonlocal largest
        made = crossed(live, found)
        largest = max(largest, made.size)
        return made

    monkeypatch.setattr(run, "_crossed", noted)
    kb = KnowledgeBase("none")
    kb.update(insert=[(f"<x:s{i}>", "<x:p>", f"<x:o{i}>") for i in range(facts)])
    kb.add_rules("[?x, <x:r>, ?z] :- [?x, <x:p>, ?y], [?v, <x:p>, ?w], [?u, <x:p>, ?z] .")
    assert len(kb.derived) == facts**2
    assert largest <= 100


@pytest.mark.parametrize("hub", [False, True])
@pytest.mark.parametrize("few_ids", [1, 1 << 12])
def test_joins_are_made_in_pieces(few_ids: int, monkeypatch: pytest.MonkeyPatch, hub: bool) -> None:
    put(monkeypatch, REASONING, crossed_rows=100)
    put(monkeypatch, TABLES, many_ids=few_ids, narrow_batch=4)
    largest, join = 0, run._join

    def noted(step: Match, block: Columns, table: Table) -> Columns | Iterator[Columns]:
        found = join(step, block, table)
        return note(found) if isinstance(found, Columns) else map(note, found)

    def note(made: Columns) -> Columns:
        nonlocal largest
        largest = max(largest, made.size)
        return made

    monkeypatch.setattr(run, "_join", noted)
    kb = KnowledgeBase("none")
    kb.update(
        insert=[(f"<x:s{i}>", "<x:p>", f"<x:o{0 if hub else i % 3}>") for i in range(60)]
        + [(f"<x:s{i}>", "<x:q>", f"<x:v{i % 7}>") for i in range(60)]
    )
    kb.add_rules(
        "[?x, <x:r>, ?z] :- [?x, <x:p>, ?y], [?z, <x:p>, ?y], [?x, <x:q>, ?v], [?z, <x:q>, ?w], "
        "FILTER(STR(?v) < STR(?w)) ."
    )
    same = 1 if hub else 3
    expected = sum(i % same == j % same and i % 7 < j % 7 for i in range(60) for j in range(60))
    assert len(kb.derived) == expected
    assert 50 < largest <= 100
