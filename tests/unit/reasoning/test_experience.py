"""What "auto" learns: how often it tries a deletion that has turned out not to be worth while."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from rdfinc import KnowledgeBase
from rdfinc.datalog.compile.planning import Plan
from rdfinc.reasoning.maintenance import dred, maintain
from rdfinc.reasoning.maintenance.maintain import Delete
from rdfinc.reasoning.maintenance.update import Abandoned, Spend, Update
from rdfinc.reasoning.program import clock
from rdfinc.reasoning.program.cost_model import WAYS, Experience, Habit
from rdfinc.reasoning.program.plan_index import PlanIndex
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, size
from thresholds import put

ANEW = 1000.0


def deletion(habit: Habit, costs: dict[str, float]) -> tuple[float, list[str]]:
    """What one costs, and the ways gone, each until it takes longer than the rest."""
    spent, gone = 0.0, []
    for way in habit.others()[:1]:
        rest = min(habit.mean, ANEW)
        gone.append(way)
        spent = min(costs[way], rest)
        habit.try_out(way, costs[way], rest)
        if costs[way] <= rest:
            return spent, gone
    if habit.way is None:
        return spent + ANEW, gone
    gone.append(habit.way)
    cost = costs[habit.way]
    if cost <= habit.patience:
        habit.learn(cost)
    else:
        habit.exceed(habit.way if cost <= ANEW else None, cost, cost)
    return spent + min(cost, 2 * ANEW), gone


def ways(costs: list[dict[str, float]]) -> list[str]:
    """The ways that deletions go, one after the other."""
    habit = Habit()
    return [way for each in costs for way in deletion(habit, each)[1]]


def test_a_way_that_is_never_worth_while_is_tried_ever_more_seldom() -> None:
    gone = ways([dict.fromkeys(WAYS, 2 * ANEW)] * 100)
    assert [gone.count(way) for way in WAYS] == [5, 5]
    assert len(ways([dict.fromkeys(WAYS, 2 * ANEW)] * 1000)) < 50


def test_a_way_that_costs_much_less_becomes_usual() -> None:
    for cheap, dear in (WAYS, WAYS[::-1]):
        gone = ways([{cheap: 10.0, dear: 20.0}] * 50)
        assert gone.count(cheap) >= 45 and gone.count(dear) <= 6


def test_a_way_that_fails_now_and_then_stays_usual() -> None:
    often = [{"bf": 10.0, "dred": 3 * ANEW}] * 9
    assert ways([*often, dict.fromkeys(WAYS, 3 * ANEW)] * 10).count("bf") == 100


def test_a_way_that_becomes_worth_while_is_tried_again() -> None:
    gone = ways([dict.fromkeys(WAYS, 2 * ANEW)] * 20 + [{"bf": 10.0, "dred": 2 * ANEW}] * 80)
    assert gone.count("bf") > 70


def test_a_usual_way_that_takes_longer_than_a_new_start_is_given_up() -> None:
    gone = ways([{"bf": 10.0, "dred": 2 * ANEW}] * 20 + [dict.fromkeys(WAYS, 2 * ANEW)] * 80)
    assert 20 < gone.count("bf") < 30


def test_a_way_that_costs_little_less_does_not_take_over() -> None:
    gone = ways([{WAYS[0]: 12.0, WAYS[1]: 10.0}] * 100)
    assert gone.count(WAYS[0]) >= 95


def test_a_way_is_usual_again_only_where_its_deletions_took_less_in_all() -> None:
    habit = Habit()
    habit.try_out("bf", 2.0, ANEW)
    for _ in range(100):
        habit.learn(2.0)
    for _ in range(REASONING.rare_in_a_row):
        habit.exceed("dred", 5.0, 12.0)
    assert habit.way == "dred", "nothing is known of it"
    habit.exceed("bf", 10.0, 40.0)
    assert habit.way == "bf", "whose toll is known to be lower"
    for _ in range(2 * REASONING.rare_in_a_row):
        habit.exceed("dred", 5.0, 12.0)
    assert habit.way == "bf"
    for _ in range(200):
        habit.exceed("dred", 5.0, 100.0)
    assert habit.way == "dred"


def test_sizes_are_told_apart() -> None:
    experience = Experience()
    experience.of(1000).try_out("bf", 1.0, ANEW)
    assert experience.of(700).way == "bf" and experience.of(3).way is None


def test_relations_are_told_apart_as_long_as_they_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, REASONING, kept_habits=2)
    experience = Experience()
    experience.of(1, 7).try_out("bf", 1.0, ANEW)
    experience.of(1, 8).try_out("dred", 1.0, ANEW)
    experience.of(1, 9).try_out("dred", 1.0, ANEW)
    assert [experience.of(1, n).way for n in (7, 8)] == ["bf", "dred"]
    assert experience.of(1, 9) is experience.of(1, 10) is experience.of(1)


def test_a_new_start_takes_at_least_as_long_as_a_part_of_it() -> None:
    experience = Experience()
    experience.learn_anew(100, 0, 1.0)
    experience.learn_part(200, 1.0)
    assert experience.anew(100) == 1.0
    experience.learn_part(200, 4.0)
    assert experience.anew(100) == 2.0


def test_what_a_new_start_reads_is_read_again_however_few_facts_come_of_it() -> None:
    experience = Experience()
    experience.learn_anew(10, 990, 1.0)
    assert experience.anew(10) == 1.0
    assert experience.anew(1010) == 2.0
    experience.learn_part(10, 2.0)
    assert experience.anew(10) == 2.0


def learned(kb: KnowledgeBase) -> list[Experience]:
    """What is known of the strata in use."""
    assert kb._engine._stratifier.in_use
    return [stratum.experience for stratum in kb._engine._stratifier.in_use.list]


def each(experience: list[Experience]) -> list[float]:
    return [known.anew(1) for known in experience]


def test_insertions_teach_what_a_new_start_costs_and_strata_drawn_anew_go_on_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = count()
    monkeypatch.setattr(clock, "now", lambda: float(next(ticks)))
    kb = KnowledgeBase()
    kb.update(
        insert=[(f"<x:{i}>", "<x:p>", f"<x:{i % 7}>") for i in range(REASONING.telling_instances)]
    )
    subproperty = "<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>"
    kb.update(insert=[("<x:p>", subproperty, "<x:q>")])
    known = learned(kb)
    assert max(each(known)) > 99 * REASONING.seconds_a_fact
    kb.update(insert=[("<x:p>", subproperty, "<x:r>")])
    assert all(one is other for one, other in zip(learned(kb), known, strict=True))
    for twin in (kb.copy(), pickle.loads(pickle.dumps(kb))):
        twin.update(delete=[("<x:1>", "<x:p>", "<x:1>")])
        assert each(learned(twin)) == each(known)
        assert all(one is not other for one, other in zip(learned(twin), known, strict=True))


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
        considered.append(sum(counters[c] for c in ("backward", "propagate", "saturate", "dr2")))
        assert len(kb) == (40 - len(considered)) ** 2
    assert considered[0] and considered.count(0) > 5


def test_searches_in_vain_become_ever_more_seldom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ticks = count()
    monkeypatch.setattr(clock, "now", lambda: float(next(ticks)))
    kb = KnowledgeBase("none", storage="plain")
    kb.add_rules("""@prefix : <http://e.org/> .
        [?x, :path, ?y] :- [?x, :edge, ?y] .
        [?x, :path, ?z] :- [?x, :edge, ?y], [?y, :path, ?z] .""")
    nodes = [f"<x:{i}>" for i in range(16)]
    edges = [(a, "<http://e.org/edge>", b) for a in nodes for b in nodes]
    kb.update(insert=edges)
    seeks: list[int] = []
    seeds = maintain._seeds

    def seen(update: Update, stratum: Stratum, lost: Batch, *more: Any) -> Batch:
        seeks.append(size(lost) if stratum.level == 1 else 0)
        return seeds(update, stratum, lost, *more)

    monkeypatch.setattr(maintain, "_seeds", seen)
    sought = []
    for i in range(10):
        gone = edges[5 * i : 5 * i + 5]
        seeks.clear()
        report = kb.update(delete=gone).report
        sought.append(5 in seeks)
        assert report.strategy == "rematerialise" and len(kb) == 2 * 256 - 5
        kb.update(insert=gone)
    assert sought == [True, False, True, *[False] * 4, True, False, False]


def test_searches_go_on_once_one_was_not_in_vain() -> None:
    pause = Experience().search(20)
    for _ in range(3):
        pause.fail()
    assert [pause.is_over() for _ in range(17)] == [False] * 16 + [True]
    pause.succeed()
    pause.fail()
    assert [pause.is_over() for _ in range(2)] == [False, True]


@pytest.mark.parametrize("number, usual", [(REASONING.several_doubts, "dred"), (1, "bf")])
def test_deletions_of_few_instances_are_timed_where_several_facts_are_in_doubt(
    number: int, usual: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0

    def taking(seconds: float, delete: Delete) -> Delete:
        def timed(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
            nonlocal now
            now += seconds
            delete(update, stratum, doubts, spend)

        return timed

    for way, seconds in (("bf", 2e-4), ("dred", 1e-4)):
        monkeypatch.setitem(maintain._WAYS, way, taking(seconds, maintain._WAYS[way]))
    monkeypatch.setattr(clock, "now", lambda: now)
    kb = KnowledgeBase("none", storage="plain")
    kb.add_rules("@prefix : <http://e.org/> . [?x, :q, ?y] :- [?x, :p, ?y] .")
    facts = [("<x:0>", "<http://e.org/p>", f"<x:{i}>") for i in range(number)]
    gone = []
    for _ in range(20):
        kb.update(insert=facts)
        gone.append(kb.update(delete=facts).report.strategy)
    assert gone.count(usual) >= 15


def test_rederivation_is_given_up_that_would_take_longer_than_a_new_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Overdeletion took little, so it does not tell that."""
    now, asked, original = 0.0, [], dred.run

    def timed(body: Any, relation: int, keys: Any, states: Any) -> Any:
        nonlocal now
        asked.append(len(keys))
        now += 1e-3 * len(keys)
        return original(body, relation, keys, states)

    def never(*_: Any) -> None:
        raise Abandoned

    monkeypatch.setitem(maintain._WAYS, "bf", never)
    monkeypatch.setattr(dred, "run", timed)
    monkeypatch.setattr(clock, "now", lambda: now)
    put(monkeypatch, REASONING, telling_facts=16)
    kb = KnowledgeBase("none", storage="plain")
    kb.add_rules("""@prefix : <http://e.org/> .
        [?x, :q, ?y] :- [?x, :p, ?y] . [?x, :q, ?y] :- [?x, :r, ?y] .
        [?x, :s, ?y] :- [?x, :q, ?y] . [?x, :q, ?y] :- [?x, :s, ?y] .""")
    facts = [(f"<x:{i}>", "<http://e.org/p>", "<x:o>") for i in range(1000)]
    kb.update(insert=[*facts, *((s, "<http://e.org/r>", o) for s, _, o in facts)])
    for _ in range(2):
        for stratum in kb._engine.prepared_strata().list:
            stratum.experience.learn_anew(1, 0, 1e-4)
        assert kb.update(delete=facts).report.strategy == "rematerialise" and len(kb) == 3000
        kb.update(insert=facts)
    assert asked and sum(asked) < 1000


class Timed:
    """Deletions of one fact, each way of which takes some seconds of a clock of its own."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **seconds: float) -> None:
        self.seconds, self.gone, self._now = seconds, list[str](), 0.0
        for way in WAYS:
            monkeypatch.setitem(maintain._WAYS, way, self._timed(way, maintain._WAYS[way]))
        monkeypatch.setattr(clock, "now", lambda: self._now)
        self.kb = KnowledgeBase("none", storage="plain")
        self.kb.add_rules("""@prefix : <http://e.org/> .
            [?y, :p, ?x] :- [?x, :p, ?y] . [?y, :q, ?x] :- [?x, :q, ?y] .""")

    def _timed(self, way: str, delete: Delete) -> Delete:
        def step(update: Update, stratum: Stratum, doubts: Batch, spend: Spend) -> None:
            self.gone.append(way)
            for _ in range(1000 if self.seconds[way] else 0):
                self._now += self.seconds[way] / 1000
                spend(REASONING.instances_a_look)
            delete(update, stratum, doubts, spend)

        return step

    def deleted(self, relation: str = "p") -> tuple[float, str, list[str]]:
        """What one takes, the strategy, and the ways gone; a new start takes 10 s."""
        fact = ("<x:0>", f"<http://e.org/{relation}>", "<x:1>")
        self.kb.update(insert=[fact])
        for stratum in self.kb._engine.prepared_strata().list:
            stratum.experience.learn_anew(2, 0, 10.0)
        self.gone.clear()
        start, report = self._now, self.kb.update(delete=[fact]).report
        assert len(self.kb) == 0
        return self._now - start, report.strategy, self.gone[:]


def test_a_deletion_that_takes_much_longer_than_usual_is_tried_in_other_ways_by_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timed = Timed(monkeypatch, bf=1e-3, dred=1.0)
    for _ in range(20):
        timed.deleted()
    assert timed.deleted()[1:] == ("bf", ["bf"])
    timed.seconds.update(bf=1.0, dred=1e-3)
    for _ in range(2):
        cost, strategy, ways = timed.deleted()
        assert strategy == "dred" and ways == ["bf", "dred"]
        assert cost < 0.01 + 10 * REASONING.usual_share
    assert timed.deleted()[1:] == ("dred", ["dred"]), "which is usual after two in a row"
    timed.seconds.update(bf=1.0, dred=20.0)
    cost, strategy, ways = timed.deleted()
    assert strategy == "bf" and cost < 6.0 and ways[-4:] == ["dred", "bf", "dred", "bf"]
    timed.seconds.update(bf=20.0)
    assert any(timed.deleted()[1] == "rematerialise" for _ in range(3))


def test_a_way_that_is_quick_but_now_and_then_stays_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor is the other way tried where it was better than what took so long."""
    timed = Timed(monkeypatch, bf=1e-3, dred=0.1)
    for _ in range(10):
        timed.deleted()
    for other, strategy in ((0.1, "dred"), (20.0, "rematerialise")):
        timed.seconds.update(bf=20.0, dred=other)
        assert timed.deleted()[1] == strategy
        timed.seconds.update(bf=1e-3, dred=0.1)
        quick = [timed.deleted() for _ in range(5)]
        assert {way for _, way, _ in quick} == {"bf"}
        assert max(cost for cost, *_ in quick) < 3e-3


def test_the_first_tries_take_less_than_a_new_start(monkeypatch: pytest.MonkeyPatch) -> None:
    timed = Timed(monkeypatch, bf=20.0, dred=20.0)
    costs, gone, _ = zip(*(timed.deleted() for _ in range(10)), strict=True)
    assert 2.0 < max(costs) < 10.0, "all ways together, and their first turns"
    assert set(gone) == {"rematerialise"} and min(costs) < 1.0, "after failures they take little"
    cost, strategy, _ = Timed(monkeypatch, bf=2.5, dred=20.0).deleted()
    assert strategy == "bf" and cost < 10.0 * REASONING.tries_share, "a quarter of a new start"


def test_first_tries_go_by_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one way takes very long for, and the other does not, takes little."""
    cost, strategy, _ = Timed(monkeypatch, bf=10.0, dred=1e-2).deleted()
    assert strategy == "dred" and cost < 0.1


def test_deletions_from_one_relation_say_nothing_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timed = Timed(monkeypatch, bf=20.0, dred=20.0)
    assert [timed.deleted()[1] for _ in range(4)] == ["rematerialise"] * 4
    timed.seconds.update(bf=0.5)
    assert timed.deleted()[1] == "rematerialise", "ways that have failed have a short time"
    cost, strategy, _ = timed.deleted("q")
    assert strategy == "bf" and cost < 1.5, "a twentieth of a new start, and vain tries"


def test_ways_that_have_failed_of_late_have_a_time_beside_a_long_new_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    timed = Timed(monkeypatch, bf=20.0, dred=20.0)
    assert timed.deleted()[1] == "rematerialise"
    timed.seconds.update(dred=0.4)
    cost, strategy, _ = timed.deleted()
    assert strategy == "dred" and cost < 10.0 * REASONING.late_share, "less than half of that"


def test_quick_deletions_say_nothing_of_a_long_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first that is long enough to be timed is tried by turns, for a part of a new start."""
    timed = Timed(monkeypatch, bf=0.0, dred=0.0)
    for _ in range(5):
        assert timed.deleted()[1:] == ("bf", ["bf"])
    timed.seconds.update(bf=20.0, dred=1e-2)
    cost, strategy, ways = timed.deleted()
    assert strategy == "dred" and cost < 0.1 and ways[:3] == ["bf", "bf", "dred"]
    timed.seconds.update(bf=20.0, dred=20.0)
    assert timed.deleted()[0] < 12.0, "both together take as long as a new start"
    assert [timed.deleted()[1] for _ in range(3)] == ["rematerialise"] * 3
    timed.seconds.update(bf=1e-3)
    cost, strategy, _ = timed.deleted()
    assert (cost, strategy) == (pytest.approx(1e-3), "bf"), "which has failed, but is quick"


def test_the_clock_stands_still_while_plans_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are remembered, so that they say nothing of the next deletion."""
    now, found = 0.0, PlanIndex._found

    def slow(index: PlanIndex, *more: Any) -> Iterator[Plan]:
        nonlocal now
        now += 0.4
        return found(index, *more)

    monkeypatch.setattr(PlanIndex, "_found", slow)
    monkeypatch.setattr(clock, "now", lambda: now)
    put(monkeypatch, REASONING, instances_a_look=1)
    kb = KnowledgeBase("none", storage="plain")
    kb.add_rules("""@prefix : <http://e.org/> .
        [?x, :q, ?y] :- [?x, :p, ?y] . [?x, :p, ?y] :- [?x, :q, ?y] .""")
    number = 2 * REASONING.several_doubts
    facts = [("<x:0>", "<http://e.org/p>", f"<x:{i}>") for i in range(number)]
    kb.update(insert=facts)
    for stratum in kb._engine.prepared_strata().list:
        stratum.experience.learn_anew(2 * number, 0, 0.5)
    start = now
    assert kb.update(delete=facts[: number // 2]).report.strategy == "bf" and now - start > 0.5


def test_a_round_is_not_begun_that_would_take_longer_than_a_new_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, driven = 0.0, []
    overdeleted = dred._overdeleted

    def timed(update: Update, stratum: Stratum, batch: Batch, *more: Any) -> Batch:
        nonlocal now
        driven.append(size(batch))
        now += 1e-3 * size(batch)
        return overdeleted(update, stratum, batch, *more)

    def never(*_: Any) -> None:
        raise Abandoned

    monkeypatch.setitem(maintain._WAYS, "bf", never)
    monkeypatch.setattr(dred, "_overdeleted", timed)
    monkeypatch.setattr(clock, "now", lambda: now)
    put(monkeypatch, REASONING, telling_facts=16, tries_share=0.8)
    kb = KnowledgeBase("none", storage="plain")
    kb.add_rules("""@prefix : <http://e.org/> .
        [?y, :r, ?x] :- [?x, :r, ?y] . [?x, :r, ?z] :- [?x, :r, ?y], [?y, :r, ?z] .""")
    ring = [(f"<x:{i}>", "<http://e.org/r>", f"<x:{(i + 1) % 30}>") for i in range(30)]
    kb.update(insert=ring)
    for edge in ring[:4]:
        for stratum in kb._engine.prepared_strata().list:
            stratum.experience.learn_anew(1, 0, 5e-4)
        assert kb.update(delete=[edge]).report.strategy == "rematerialise"
    assert driven and max(driven) < 300, "of 900 facts"
