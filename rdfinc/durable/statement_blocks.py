"""The statements of graphs as blocks: those of large relations alone, all others in one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from rdfinc.durable.damage import Damage
from rdfinc.durable.durable_thresholds import DURABLE
from rdfinc.knowledge_base.versions.change import Statements
from rdfinc.knowledge_base.versions.fact_views import Reader
from rdfinc.tables.facts import shaped
from rdfinc.tables.kernels import KeyArray

Put = Callable[[memoryview], int]


def put_statements(reader: Reader, put: Put) -> dict[str, Any]:
    """Puts what each graph states in blocks, and says which they are."""
    large, places, few = [], [], []
    for graph, predicate, keys in _relations(reader):
        if keys.size > DURABLE.few_statements:
            large.append([graph, predicate, put(_bytes(keys))])
        else:
            places.append((graph, predicate, keys.size))
            few.append(keys)
    index = np.array(places, np.uint32).reshape(-1, 3)
    rest = np.concatenate(few) if few else np.zeros(0, np.uint64)
    return {"large": large, "places": put(_bytes(index)), "few": put(_bytes(rest))}


def _relations(reader: Reader) -> Iterator[tuple[int, int, KeyArray]]:
    for graph in (0, *reader.graphs()):
        view = reader.stated(graph)
        for predicate in view.predicates():
            yield graph, predicate, np.asarray(view.keys(predicate, None, None), np.uint64)


def _bytes(array: Any) -> memoryview:
    return np.ascontiguousarray(array).data.cast("B") if array.size else memoryview(b"")


def statements_in(told: dict[str, Any], get: Callable[[int], memoryview]) -> Statements:
    """The statements by graph. Raises Damage."""
    try:
        found: Statements = {}
        for graph, predicate, block in told["large"]:
            found.setdefault(graph, {})[predicate] = shaped(np.frombuffer(get(block), np.uint64))
        rest = np.frombuffer(get(told["few"]), np.uint64)
        places = np.frombuffer(get(told["places"]), np.uint32).reshape(-1, 3).tolist()
        start = 0
        for graph, predicate, size in places:
            found.setdefault(graph, {})[predicate] = shaped(rest[start : start + size])
            start += size
    except (KeyError, ValueError, TypeError) as error:
        raise Damage("the statements cannot be read") from error
    return found
