"""What "auto" learns: how often it tries a deletion that has turned out not to be worth while."""

from __future__ import annotations

from rdfinc import KnowledgeBase
from rdfinc.reasoning.experience import Experience

WORTH = 1000.0


def tries(costs: list[float]) -> int:
    """How many deletions are tried where they cost so much."""
    experience, tried = Experience(), 0
    for cost in costs:
        if experience.expected(5) > WORTH:
            experience.leave(5)
        else:
            tried += 1
            experience.learn(5, cost)
    return tried


def test_what_is_never_worth_while_is_tried_now_and_then() -> None:
    assert 5 < tries([2 * WORTH] * 100) < 25


def test_what_fails_now_and_then_is_tried_always() -> None:
    assert tries(([10.0] * 9 + [2 * WORTH]) * 10) == 100


def test_what_becomes_worth_while_is_tried_again() -> None:
    assert tries([2 * WORTH] * 20 + [10.0] * 80) > 75


def test_sizes_are_told_apart() -> None:
    experience = Experience()
    experience.learn(1000, 9 * WORTH)
    assert not experience.expected(3) and experience.expected(700) > WORTH


def test_auto_gives_up_trying_where_a_clique_shrinks_again_and_again() -> None:
    kb = KnowledgeBase("none", storage="plain")
    kb.add_rules("""@prefix : <http://e.org/> .
        [?y, :r, ?x] :- [?x, :r, ?y] . [?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z] .""")
    ring = [(f"<x:{i}>", "<http://e.org/r>", f"<x:{(i + 1) % 20}>") for i in range(20)]
    loose = [("<x:0>", "<http://e.org/r>", f"<x:l{i}>") for i in range(20)]
    kb.update(insert=[*ring, *loose])
    considered = []
    for edge in loose[:15]:
        counters = kb.update(delete=[edge]).report.counters
        considered.append(counters["backward"] + counters["propagate"] + counters["saturate"])
        assert len(kb) == (40 - len(considered)) ** 2
    assert considered[0] and considered.count(0) > 5
