"""Expressions compiled to functions of ids."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rdfinc.datalog.model import Filter
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.knowledge_base.rules.term_encoding import TermEncoder
from rdfinc.terms.dictionary import Dictionary

XSD = "http://www.w3.org/2001/XMLSchema#"
TERMS = [
    "<http://example.org/a>", "<http://example.org/b>", "_:x", "_:y", '"1"', '"2"', '"a"@en',
    f'"1"^^<{XSD}integer>', f'"01"^^<{XSD}integer>', f'"1.0"^^<{XSD}decimal>',
    f'"2"^^<{XSD}integer>', f'"z"^^<{XSD}integer>',
]  # fmt: skip


@pytest.mark.parametrize(
    "condition",
    [
        "?x != ?y", "?x = ?y", "?x != :a", "?y = :a", "sameTerm(?x, ?y)",
        "!sameTerm(?x, ?y) || sameTerm(?x, :a)",
    ],
)  # fmt: skip
def test_decisions_by_ids_agree_with_the_expression(condition: str) -> None:
    [rule] = parse_rules(
        f"@prefix : <http://example.org/> . :C[?x] :- [?x, :p, ?y], FILTER({condition}) .", {}
    )
    [expression] = [item.expression for item in rule.body if isinstance(item, Filter)]
    dictionary = Dictionary()
    encoder = TermEncoder(dictionary)
    ids = [encoder.constant(term) for term in TERMS]
    rows = list(product(ids, repeat=len(expression.variables)))
    decide = encoder.decide(expression)
    assert decide is not None
    holds, asked = decide([np.array(column, np.uint32) for column in zip(*rows, strict=True)])
    told = [value is not None for value in encoder.filter(expression)(rows)]
    for row, decided, open_, true in zip(rows, holds, asked, told, strict=True):
        names = [dictionary.decode(id) for id in row]
        assert open_ or decided == true, names
        assert not open_ or all(name.startswith(b'"') for name in names)
    assert not asked.all()


def test_ids_do_not_decide_about_values() -> None:
    [rule] = parse_rules(
        "@prefix : <http://example.org/> . :C[?x] :- [?x, :p, ?y], FILTER(?y < 3) .", {}
    )
    [expression] = [item.expression for item in rule.body if isinstance(item, Filter)]
    assert TermEncoder(Dictionary()).decide(expression) is None
