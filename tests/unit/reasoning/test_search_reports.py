"""Searches without matches are heard of, by every interpreter."""

from __future__ import annotations

import threading

import pytest

from rdfinc import BudgetExceededError, KnowledgeBase
from rdfinc.reasoning.evaluation.search_reports import reported_to
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

VALUES = 8


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


def star(body: str, *names: str) -> str:
    """A rule that goes through every choice of some values, of which none is taken."""
    values = ", ".join(f"STR(?{name})" for name in names)
    return f"[?x, {ex('r')}, ?x] :- [?x, a, {ex('C')}], {body}, FILTER(CONCAT({values}) = 'no') ."


def ends(*names: str, relation: str = ex("p")) -> str:
    return ", ".join(f"[?x, {relation}, ?{name}]" for name in names)


MANY = [f"v{i}" for i in range(REASONING.long_plan)]
RULES = {
    "filter": star(ends(*"stuvw"), *"stuvw"),
    "value": star(f"{ends(*'stuvw')}, BIND(CONCAT(STR(?s), STR(?w)) AS ?all)", *"stuv", "all"),
    "long": star(ends(*MANY), *MANY),
    "relations": star(", ".join(ends(y, relation=f"?of_{y}") for y in "stuvw"), *"stuvw"),
}
MEMBER = [(ex("x"), "a", ex("C")), *((ex("x"), ex("p"), ex(f"v{i}")) for i in range(VALUES))]
LINK = (ex("far"), ex("q"), ex("away"))


class EnoughError(Exception):
    """A search has gone on for long enough."""


@pytest.mark.parametrize("narrow", [0, 10**9], ids=["columns", "rows"])
@pytest.mark.parametrize("interpreted", [0, 10**9], ids=["written", "interpreted"])
@pytest.mark.parametrize("kind", RULES)
def test_a_search_without_matches_can_be_ended(
    kind: str, interpreted: int, narrow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TABLES, narrow_batch=narrow)
    put(monkeypatch, REASONING, interpreted_searches=interpreted)
    kb = KnowledgeBase(profile="none")
    kb.add_rules(RULES[kind])
    kb.update(insert=[LINK])
    before, steps = set(kb.triples((None, None, None))), 0

    def hear(some: int) -> None:
        nonlocal steps
        steps += some
        if steps > VALUES**4:
            raise EnoughError

    with reported_to(hear), pytest.raises(EnoughError):
        kb.update(insert=MEMBER)
    assert set(kb.triples((None, None, None))) == before


def test_an_update_ends_in_time_where_nothing_matches() -> None:
    kb = KnowledgeBase(profile="none")
    kb.add_rules(RULES["long"])
    with pytest.raises(BudgetExceededError, match=r"timeout=0\.1 is exceeded"):
        kb.update(insert=MEMBER, timeout=0.1)
    assert not len(kb)


class Asked(threading.Event):
    """Asked whether it is set, it looks into another knowledge base, as code of users may."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = self.deepest = self.times = 0

    def is_set(self) -> bool:
        self.depth, self.times = self.depth + 1, self.times + 1
        self.deepest = max(self.deepest, self.depth)
        other = KnowledgeBase(profile="none")
        other.add_rules(star(ends(*"stuv"), *"stuv"))
        other.update(insert=MEMBER)
        self.depth -= 1
        return self.times > 2


def test_searches_of_another_knowledge_base_are_no_steps_of_the_first() -> None:
    asked, kb = Asked(), KnowledgeBase(profile="none")
    kb.add_rules(RULES["filter"])
    with pytest.raises(BudgetExceededError, match="cancelled"):
        kb.update(insert=MEMBER, cancel=asked)
    assert asked.deepest == 1


def test_who_heard_before_hears_again() -> None:
    outer: list[int] = []
    kb = KnowledgeBase(profile="none")
    kb.add_rules(RULES["filter"])
    with reported_to(outer.append):
        kb.update(insert=MEMBER, timeout=60)
        inside = len(outer)
        kb.update(delete=MEMBER[:1])
        kb.update(insert=MEMBER[:1])
    assert not inside and outer
    heard = len(outer)
    kb.update(delete=MEMBER[:1])
    kb.update(insert=MEMBER[:1])
    assert len(outer) == heard
