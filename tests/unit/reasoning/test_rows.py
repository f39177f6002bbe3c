"""The row and step interpreters give the matches that the column interpreter gives."""

from __future__ import annotations

import pytest

from rdfinc import KnowledgeBase
from rdfinc.reasoning.evaluation.plan_codegen import MOST
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


def chain(length: int) -> str:
    """A rule with one literal for each step of a path."""
    body = ", ".join(f"[?x{i}, {ex('next')}, ?x{i + 1}]" for i in range(length))
    return f"[?x0, {ex('far')}, ?x{length}] :- {body} ."


def far(kb: KnowledgeBase) -> set[tuple[str, str]]:
    return {(s.n3(), o.n3()) for s, _, o in kb.triples((None, ex("far"), None))}


@pytest.fixture(params=[0, REASONING.interpreted_searches])
def interpreted(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Plans are written out at once, or later."""
    put(monkeypatch, REASONING, interpreted_searches=request.param)


@pytest.mark.parametrize("narrow", [0, 10**9])
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(
    "length", [MOST - 1, MOST, MOST + 1, REASONING.long_plan, 2 * REASONING.long_plan]
)
def test_a_rule_may_have_more_steps_than_python_nests_loops(
    length: int, narrow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, narrow_batch=narrow)
    kb = KnowledgeBase(profile="none")
    kb.add_rules(chain(length))
    path = [(ex(f"n{i}"), ex("next"), ex(f"n{i + 1}")) for i in range(length + 1)]
    kb.update(insert=path)
    assert far(kb) == {(ex("n0"), ex(f"n{length}")), (ex("n1"), ex(f"n{length + 1}"))}
    kb.update(delete=[path[-1]])
    assert far(kb) == {(ex("n0"), ex(f"n{length}"))}


@pytest.mark.usefixtures("interpreted")
def test_many_classes_below_one() -> None:
    """The classes of an individual are listed once where many would have to be tried."""
    kb = KnowledgeBase()
    below = range(2 * REASONING.few_classes + 3)
    sub_class = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    type_ = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    kb.update(insert=[(ex(f"C{i}"), sub_class, ex("D")) for i in below])
    kb.update(insert=[(ex("ann"), type_, ex(f"C{i}")) for i in (1, 4)])
    kb.update(delete=[(ex("ann"), type_, ex("C1"))])
    assert (ex("ann"), type_, ex("D")) in kb
    kb.update(delete=[(ex("ann"), type_, ex("C4"))])
    assert (ex("ann"), type_, ex("D")) not in kb
