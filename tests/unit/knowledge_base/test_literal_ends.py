"""What a closure gains is enumerated only where users do not see all of it."""

from __future__ import annotations

import pytest
from small_bases import loaded

CHAIN = " ".join(f":n{i} :p :n{i + 1} ." for i in range(300))
PAIRS = 300 * 301 // 2


@pytest.mark.parametrize("literal", ["", ":b :p 5 ."])
def test_a_closure_with_literal_objects_is_not_enumerated(literal: str) -> None:
    kb = loaded(f":p a owl:TransitiveProperty . :a :p :b . {literal}")
    before = len(kb)
    report = kb.load(f"@prefix : <http://e/> . {CHAIN}".encode(), format="turtle")
    assert len(kb) - before == PAIRS
    assert report.delta.report.counters["enumerated"] == 0


def test_a_closure_that_had_literal_subjects_is() -> None:
    kb = loaded(":p a owl:SymmetricProperty . :a :p :b . :b :p 5 .")
    kb.load(f"@prefix : <http://e/> . {CHAIN}".encode(), format="turtle")
    symmetric = [t for t in kb.explicit if str(t[2]).endswith("SymmetricProperty")]
    transitive = [(s, p, str(o).replace("Symmetric", "Transitive")) for s, p, o in symmetric]
    insert = [(s, p, f"<{o}>") for s, p, o in transitive]
    delta = kb.update(insert=insert, delete=symmetric)
    assert not [t for t in delta.removed if str(t[0]) == "5"]
    kb._engine._check()
    assert len(kb) == len(set(kb))
