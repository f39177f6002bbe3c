"""A glance tells whether a fact has a proof by one instance, none at all, or leaves that open."""

from __future__ import annotations

import pytest

from laws.names import TYPE
from rdfinc import KnowledgeBase
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.maintenance.backward_forward import OpenInstance
from rdfinc.reasoning.program.plan_memory import Still
from rdfinc.reasoning.program.single_step_proof import UNKNOWN
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.marks import Marks
from rdfinc.tables.table_thresholds import TABLES
from thresholds import put

Fact = tuple[str, str, str]


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


def fact(text: str) -> Fact:
    s, p, o = map(ex, text.split())
    return s, p, o


class Facts:
    """A knowledge base under one rule, and what a glance at some of its facts finds."""

    def __init__(self, rules: str, *stated: str) -> None:
        self.kb = KnowledgeBase(profile="none", storage="plain")
        self.kb.namespaces[""] = ex("")[1:-1]
        self.kb.add_rules(rules)
        self.kb.update(insert=map(fact, stated))

    def key(self, text: str) -> tuple[int, int]:
        s, p, o = (self.kb.dictionary.find(term.encode()) for term in fact(text))
        assert s and p and o
        return p, s << 32 | o

    def glances(self, text: str, *proved: str) -> list[tuple[int, int]]:
        """What each plan tells of a fact, where others are proved, and how many instances it has
        missed."""
        engine, marks = self.kb._engine, Marks()
        for predicate, key in map(self.key, proved):
            marks[predicate].add([key])
        predicate, key = self.key(text)
        states = State(engine.version.closure.tables), State(engine.version.explicit.tables), marks
        found = []
        for stratum in engine.prepared_strata().list:
            for plans, relation, keys in stratum.derivers(predicate, [key], Still(states[0])):
                for plan in plans:
                    missed: list[OpenInstance] = []
                    glance, is_below = stratum.body(plan).glance, stratum.is_below
                    seen = glance(keys[0], relation, *states, plan.rows, is_below, missed)
                    found.append((seen, len(missed)))
        return found


PATHS = "[?x, :path, ?z] :- [?x, :path, ?y], [?y, :path, ?z] ."


FAR = "[?x, :far, ?z] :- [?x, :near, ?y], [?y, :far, ?z] ."


def test_stated_facts_prove_at_once() -> None:
    assert Facts(PATHS, "a path b", "b path c").glances("a path c") == [(1, 0)]


@pytest.mark.parametrize("steps", [100, 3000])
def test_a_search_without_an_instance_is_not_gone_through(
    steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, REASONING, glance_steps=steps)
    several = ", ".join(f"[?x, :p, ?y{i}]" for i in range(4))
    differs = "FILTER(CONCAT(STR(?y0), STR(?y1), STR(?y2), STR(?y3)) = 'no')"
    rule = f"[?x, :far, ?z] :- [?x, :near, ?z], {several}, {differs} ."
    some = Facts(rule, "a near b", "a p 1", "a p 2", "a far b")
    assert some.glances("a far b") == [(0 if steps == 3000 else UNKNOWN, 0)]


def test_without_an_instance_nothing_is_left_open() -> None:
    assert Facts(PATHS, "a path b", "c path d", "a path d").glances("a path d") == [(0, 0)]


def test_a_proof_from_derived_facts_is_left_open() -> None:
    some = Facts(PATHS, "a path b", "b path c", "c path d", "d path e")
    assert some.glances("a path e") == [(0, 3)]
    for other in ("a path d", "b path e"):
        [(seen, missed)] = some.glances("a path e", other)
        assert seen == missed + 1


def test_all_body_facts_are_to_be_proved() -> None:
    some = Facts(FAR + "[?x, :far, ?y] :- [?x, :at, ?y] .", "a near b", "b at c")
    assert some.glances("b far c") == [(1, 0), (0, 0)]
    assert some.glances("a far c") == [(0, 0), (0, 1)]
    assert some.glances("a far c", "b far c") == [(0, 0), (1, 0)]


@pytest.mark.parametrize(
    "ways",
    [1, REASONING.glance_instances - 1, REASONING.glance_instances, REASONING.glance_instances + 1],
)
def test_a_glance_is_over_after_some_instances(ways: int) -> None:
    between = [f"n{i}" for i in range(ways)]
    some = Facts(FAR, *(f"a near {n}" for n in between), *(f"{n} near b" for n in between))
    some.kb.update(insert=[fact("b far c")])
    assert some.glances("a far c") == [
        (0 if ways < REASONING.glance_instances else UNKNOWN, min(ways, REASONING.glance_instances))
    ]


def test_many_candidates_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    some = Facts(PATHS, "a path b", "b path c")
    put(monkeypatch, TABLES, narrow_batch=0)
    assert some.glances("a path c") == [(UNKNOWN, 0)]


def test_facts_of_lower_strata_are_not_asked_for_again() -> None:
    """What is negated has to be complete first."""
    rules = """
        [?x, :has, ?y] :- [?x, :owns, ?y] .
        [?x, :lacks, ?y] :- [?x, :wants, ?y], NOT [?x, :has, ?y] .
        [?x, :sad, ?y] :- [?x, :lacks, ?y], [?x, :has, ?z] .
        [?x, :lacks, ?y] :- [?x, :sad, ?y] .
    """
    some = Facts(rules, "ann wants tea", "ann owns cup")
    assert some.glances("ann sad tea") == [(0, 1)]  # "lacks" is of the same stratum
    assert some.glances("ann sad tea", "ann lacks tea") == [(1, 0)]  # "has" is not


def test_glance_gives_up_at_a_long_body_after_many_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(monkeypatch, REASONING, few_classes=0)
    classes = ", ".join(f"[?x0, a, :C{i}]" for i in range(10))
    chain = ", ".join(f"[?x{i}, :p{i}, ?x{i + 1}]" for i in range(21))
    facts = Facts(
        f"[?x0, a, :D] :- {classes}, {chain} .", *(f"i{i} p{i} i{i + 1}" for i in range(21))
    )
    derived = ex("i0"), TYPE, ex("D")
    facts.kb.update(insert=[derived, *((ex("i0"), TYPE, ex(f"C{i}")) for i in range(10))])
    facts.kb.update(delete=[derived])
    assert derived in facts.kb


@pytest.mark.parametrize("place", range(REASONING.function_steps - 1, REASONING.function_steps + 3))
def test_glance_gives_up_at_a_long_body_whatever_stands_there(place: int) -> None:
    """Python nests no more than 20 loops."""
    chain = ", ".join(f"[?x{i}, :p, ?x{i + 1}]" for i in range(24))
    path = [f"i{i} p i{i + 1}" for i in range(24)]
    facts = Facts(f"[?x0, :far, ?x24] :- {chain}, FILTER(?x{place} != :no) .", *path)
    far = ex("i0"), ex("far"), ex("i24")
    facts.kb.update(insert=[far])
    facts.kb.update(delete=[far])
    assert far in facts.kb


def test_glance_gives_up_at_more_conditions_than_python_nests() -> None:
    filters = ", ".join(f"FILTER(?x != :no{i})" for i in range(110))
    path = [f"i{i} p i{i + 1}" for i in range(4)]
    facts = Facts(f"[?x, :p, ?y] :- [?x, :p, ?z], [?z, :p, ?y], {filters} .", *path)
    facts.kb.update(delete=[fact(path[1])])
    left = {fact(text) for text in ("i0 p i1", "i2 p i3", "i3 p i4", "i2 p i4")}
    assert {(s.n3(), p.n3(), o.n3()) for s, p, o in facts.kb.triples((None, None, None))} == left
