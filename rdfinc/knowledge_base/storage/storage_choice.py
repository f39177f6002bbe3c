"""Which relations are worth a table of their own kind: a closure, or rows that subjects share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import numpy as np

from rdfinc.datalog.analysis.modules import Member
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.tables import kernels
from rdfinc.tables.facts import Batch, FactSet
from rdfinc.tables.table import Keys, MutableTable, Table
from rdfinc.tables.union.union_table import UnionTable


def is_worth(sources: Sequence[Member], stated: Mapping[int, Table], inserted: Batch) -> bool:
    """Whether the closure of some relations' stated and incoming facts, read straight or not, is
    likely to be much larger than these. Cost: a sample of its nodes."""
    relations = dict.fromkeys(relation for relation, _ in sources)
    new = FactSet.of({p: inserted[p] for p in relations if p in inserted}).tables
    given = {
        relation: [table for table in (stated.get(relation), new.get(relation)) if table]
        for relation in relations
    }
    edges = sum(map(len, chain.from_iterable(given.values())))
    if edges < KNOWLEDGE.stated_edges:
        return False
    tables = [(table, straight) for relation, straight in sources for table in given[relation]]
    ends = [kernels.unique(_ends(table, straight)) for table, straight in tables]
    steps = [_step(table, straight) for table, straight in tables]
    reached = [_reached(start, steps) for start in sorted(set().union(*map(_some, ends)))]
    nodes = len(kernels.unique(np.concatenate(ends)))
    return nodes * sum(reached) >= KNOWLEDGE.closure_facts_an_edge * edges * len(reached)


def _ends(table: Table, straight: bool) -> kernels.IdArray:
    return (kernels.high if straight else kernels.low)(table.scan())


def _some(nodes: kernels.IdArray) -> list[int]:
    """Some nodes, evenly from all."""
    some: list[int] = nodes[:: max(1, nodes.size // KNOWLEDGE.sampled_nodes)].tolist()
    return some


Step = Callable[[int], Sequence[int]]


def _step(table: Table, straight: bool) -> Step:
    """A function from a node to its successors. A table no larger than the number of questions
    is read at once."""
    if len(table) > KNOWLEDGE.sampled_nodes * KNOWLEDGE.sampled_reach:
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
    while queue and len(met) < KNOWLEDGE.sampled_reach:
        node = queue.pop()
        for step in steps:
            fresh = [other for other in step(node) if other not in met]
            met.update(fresh)
            queue += fresh
    return len(met) - 1


def share_rows(closure: FactSet, relation: int, *, always: bool) -> None:
    """Keeps a relation as a union, always or where that is worth it. O(n log n)."""
    table = closure.tables.get(relation)
    if not isinstance(table, MutableTable) or isinstance(table, UnionTable):
        return
    if always or len(table) >= KNOWLEDGE.shared_relation:
        union = UnionTable.of(table)
        if always or _is_worth_it(union, table.nbytes()):
            closure.replace(relation, union)


def shares_at_once(closure: FactSet, relation: int, inserted: Keys, *, always: bool) -> bool:
    """Whether what is derived beside very many incoming facts of a relation is to share rows while
    it grows. They tell it themselves, where the closure has none as yet."""
    if len(inserted) < KNOWLEDGE.shared_at_once:
        return False
    if always:
        return True
    if relation in closure.tables:
        return isinstance(closure.tables[relation], UnionTable)
    return _is_worth_it(UnionTable.of(np.asarray(inserted, np.uint64)), 16 * len(inserted))


def _is_worth_it(union: UnionTable, plain: int) -> bool:
    """Whether a union is much smaller than a table of so many bytes."""
    return union.nbytes() <= KNOWLEDGE.shared_bytes * plain
