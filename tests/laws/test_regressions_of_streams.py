"""Named cases of streams: what was noted for the next update must be right when its turn comes."""

from __future__ import annotations

import pytest

from laws.checking import compare, same, texts
from laws.oracle import Oracle
from laws.performing import perform
from laws.steps import Step
from laws.streaming import STREAMS, update
from laws.test_named_regressions import quads, rules

CONFIGURATIONS = pytest.mark.parametrize("configuration", STREAMS, ids=str)


def states(*texts: str) -> Step:
    return Step(insert=quads(texts, None))


def withdraws(*texts: str) -> Step:
    return Step(delete=quads(texts, None))


def check(
    configuration, profile: str, program: str, steps: list[Step], elsewhere: set[int]
) -> None:
    """A stream of the steps, but for those at places made `elsewhere`."""
    with configuration.in_force():
        kb, oracle = configuration.knowledge_base(profile), Oracle(profile)
        if program:
            perform(kb, Step(rules_added=rules(program)))
            oracle.step(Step(rules_added=rules(program)))
        stream = kb.stream([update(s) for i, s in enumerate(steps) if i not in elsewhere])
        for number, step in enumerate(steps):
            expected = oracle.step(step)
            delta = perform(kb, step) if number in elsewhere else next(stream)
            same(texts(delta.added), expected.added, f"step {number}: added")
            same(texts(delta.removed), expected.removed, f"step {number}: removed")
            compare(kb, expected, f"step {number}")


@CONFIGURATIONS
def test_noted_heads_are_gone_by_then(configuration) -> None:
    """Another change takes away what the next one was to doubt."""
    program = "[?x, :q, ?y] :- [?x, :p, ?y] . [?x, :r, ?z] :- [?x, :q, ?y], [?y, :p, ?z] ."
    steps = [states("a p b", "b p c", "x p y"), withdraws("a p b"), withdraws("a p b", "x p y")]
    check(configuration, "none", program, steps, elsewhere={1})


@CONFIGURATIONS
def test_a_fact_has_new_instances_by_then(configuration) -> None:
    """Another change gives a fact, all of whose instances were seen, more of them."""
    program = "[?x, :r, ?z] :- [?x, :p, ?y], [?y, :q, ?z] ."
    steps = [states("a p b", "b q c"), states("b q d"), withdraws("a p b")]
    check(configuration, "none", program, steps, elsewhere={1})


@CONFIGURATIONS
def test_a_relation_becomes_a_closure_with_the_next_update(configuration) -> None:
    """What was noted of the relation itself is then of its external facts."""
    axiom, edge = "p a owl:TransitiveProperty", "a q b"
    steps = [
        states("q rdfs:subPropertyOf p", "c p d"),
        states(edge),
        Step(quads([edge], None), quads([axiom], None)),
        states(edge),
        Step(quads([edge, axiom], None), quads(["b p c"], None)),
    ]
    check(configuration, "owl2rl", "", steps, elsewhere=set())


@CONFIGURATIONS
def test_a_stated_fact_that_also_follows_is_marked(configuration) -> None:
    """It stays, and so does what rests on it."""
    program = "[?x, :q, ?y] :- [?x, :p, ?y] . [?x, :r, ?y] :- [?x, :q, ?y] ."
    steps = [states("a p b"), states("a q b", "c q d"), withdraws("a q b", "c q d")]
    check(configuration, "none", program, steps, elsewhere=set())


@CONFIGURATIONS
def test_a_fact_comes_back_and_goes_again(configuration) -> None:
    program = "[?x, :q, ?y] :- [?x, :p, ?y] . [?x, :r, ?z] :- [?x, :q, ?y], [?y, :q, ?z] ."
    steps = [states("a p b", "b p a"), *(f("a p b", "b p b") for f in [withdraws, states] * 3)]
    check(configuration, "none", program, steps, elsewhere=set())


@CONFIGURATIONS
def test_marked_facts_under_a_negation(configuration) -> None:
    program = "[?x, a, :A] :- [?x, :p, ?y], NOT [?x, a, :B] . [?x, a, :B] :- [?x, :q, ?y] ."
    steps = [
        states("a p b", "c p d"),
        Step(quads(["c p d"], None), quads(["a q a", "e p f"], None)),
        Step(quads(["a q a", "e p f"], None), quads(["e q e"], None)),
        Step(quads(["e q e", "a p b"], None), quads(["e p f", "a q b"], None)),
        states("g p h"),
        Step(quads(["a q b"], None), quads(["g p i", "j q j"], None)),
        withdraws("g p i", "j q j"),
        withdraws("g p h"),
    ]
    check(configuration, "none", program, steps, elsewhere=set())


@CONFIGURATIONS
def test_a_marked_fact_of_which_only_one_end_is_asked(configuration) -> None:
    """That there is a `p` was enough to derive what goes with it."""
    program = "[?x, a, :B] :- [?x, a, :A], [?x, :p, ?y] ."
    steps = [
        states("b a A"),
        states("a p b", "a a A", "b p a"),
        withdraws("a p b"),
        states("a p b", "a p c"),
        withdraws("a p b", "b p a"),
    ]
    check(configuration, "none", program, steps, elsewhere=set())
