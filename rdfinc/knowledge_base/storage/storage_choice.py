"""Which relations are worth a table of their own kind, under storage="auto"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rdfinc.datalog.analysis.modules import Member
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet
from rdfinc.tables.table import Table

LEAST = 64
"""Stated facts from which on a closure can be worth it."""

WORTH = 4
"""Facts of the closure for each stated one from which on it is."""

SAMPLES = 16
"""Nodes from which reachable ones are counted, each time at most `FARTHEST`."""

FARTHEST = 1024


def is_worth(sources: Sequence[Member], stated: Mapping[int, Table], inserted: Batch) -> bool:
    """Whether the closure of some relations' stated and incoming facts, read straight or not, is
    likely to be much larger than these. Cost: a sample of its nodes."""
    new = FactSet.of({p: inserted[p] for p, _ in sources if p in inserted})
    tables = [
        (table, straight)
        for relation, straight in sources
        for table in (stated.get(relation), new.tables.get(relation))
        if table is not None and len(table)
    ]
    edges = sum(len(table) for table, _ in tables)
    if edges < LEAST:
        return False
    starts = {start for table, straight in tables for start in _starts(table, straight)}
    steps = [_step(table, straight) for table, straight in tables]
    reached = [_reached(start, steps) for start in sorted(starts)]
    nodes = sum(len(kernels.unique(_ends(table, straight))) for table, straight in tables)
    return nodes * sum(reached) >= WORTH * edges * len(reached)


def _ends(table: Table, straight: bool) -> kernels.IdArray:
    return (kernels.high if straight else kernels.low)(table.scan())


def _starts(table: Table, straight: bool) -> list[int]:
    """Some nodes, evenly from all that have an edge."""
    ends = kernels.unique(_ends(table, straight))
    some: list[int] = ends[:: max(1, ends.size // SAMPLES)].tolist()
    return some


Step = Callable[[int], Sequence[int]]


def _step(table: Table, straight: bool) -> Step:
    """A function from a node to its successors. A table no larger than the number of questions
    is read at once."""
    if len(table) > SAMPLES * FARTHEST:
        return table.objects if straight else table.subjects
    keys = table.scan()
    ends = kernels.high(keys).tolist(), kernels.low(keys).tolist()
    rows: dict[int, list[int]] = {}
    for node, other in zip(*(ends if straight else ends[::-1]), strict=True):
        rows.setdefault(node, []).append(other)
    return lambda node: rows.get(node, [])


def _reached(start: int, steps: Sequence[Step]) -> int:
    """How many nodes can be reached from one, as far as they are counted."""
    met, queue = {start}, [start]
    while queue and len(met) < FARTHEST:
        node = queue.pop()
        for step in steps:
            fresh = [other for other in step(node) if other not in met]
            met.update(fresh)
            queue += fresh
    return len(met) - 1
