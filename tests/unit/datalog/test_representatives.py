"""Clauses over what stands for equal terms."""

from __future__ import annotations

import numpy as np
import pytest

from rdfinc import KnowledgeBase
from rdfinc.datalog.clause import Clause
from rdfinc.datalog.transform.representatives import Equality, RowKind, row_kinds
from rdfinc.owl.owl_thresholds import LISTS
from thresholds import put


def predicates(clause: Clause) -> list[int]:
    """The variables for predicates, sorted."""
    return sorted({~atom.p for atom in (clause.head, *clause.body) if atom.p < 0})


@pytest.mark.parametrize("length", [3, 64, 100])
def test_kinds_of_rows_are_told_apart_however_many_variables_name_relations(
    length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, LISTS, long_list=length)
    chain = " ".join(f":p{i}" for i in range(length))
    facts = " ".join(f":x{i} :p{i} :x{i + 1} ." for i in range(length))
    kb = KnowledgeBase()
    kb.load(
        f"@prefix : <x:> . @prefix owl: <http://www.w3.org/2002/07/owl#> ."
        f":r owl:propertyChainAxiom ({chain}) . {facts}".encode(),
        format="turtle",
    )
    plain, own = map(kb.dictionary.find, (b"<x:p0>", b"<x:p1>"))
    assert plain and own
    clause = max(kb._engine.rules.compiled.clauses, key=lambda each: len(predicates(each)))
    named = predicates(clause)
    assert len(named) == length + 1
    rows = {variable: np.full(4, plain, np.uint32) for variable in named}
    rows[named[0]][1], rows[named[-1]][2], rows[named[0]][3] = own, own, own
    equality = Equality(0, 0, 0, low=frozenset(), own=frozenset({own}))
    found = row_kinds(clause, rows, equality)
    kinds = frozenset(), frozenset({named[-1]}), frozenset({named[0]})
    assert found == [RowKind(own) for own in kinds]
