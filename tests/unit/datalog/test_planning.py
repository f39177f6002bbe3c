"""Plans of one clause."""

from __future__ import annotations

import pytest

from rdfinc.datalog.clause import Clause, compile_rule
from rdfinc.datalog.compile import planning
from rdfinc.datalog.compile.planning import Match, backward, forward
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.datalog.transform.representatives import Equality, rewritten_clause
from rdfinc.knowledge_base.rules.term_encoding import TermEncoder
from rdfinc.terms.dictionary import Dictionary


def compiled(text: str) -> Clause:
    [rule] = parse_rules(f"@prefix : <http://example.org/> . {text}", {})
    return compile_rule(rule, TermEncoder(Dictionary()))


def test_whichever_literal_drives_a_negated_one_is_asked() -> None:
    text = "[?x, :r, ?z] :- [?x, :p, ?y], [?y, :q, ?z], NOT [?x, :s, ?z], NOT [?z, :s, ?x] ."
    plans = list(forward(compiled(text)))
    assert len(plans) == 2
    for plan in plans:
        asked = [step for step in plan.steps if isinstance(step, Match) and step.negated]
        assert len(asked) == 2


def test_the_alias_table_is_looked_up_by_one_of_its_ends() -> None:
    """Of every relation that tells this is the one that must never be listed: every term is there;
    even before what is asked of any relation."""
    clause = compiled(
        "[?p, :r, ?x] :- [?s, <urn:rdfinc:aux:t>, ?y], [?x, ?p, ?s], FILTER(?x > 1) ."
    )
    equality = Equality(relation=1001, external=1002, aliases=1003)
    clause = rewritten_clause(clause, equality)
    assert clause.ties and clause.parameters
    for plan in (*forward(clause), backward(clause)):
        told = [s for s in plan.steps if isinstance(s, Match) and plan.blank[s.at.p] == 1003]
        assert all(step.s or step.o for step in told)


PATH = [f"[?x{i}, :p, ?x{i + 1}]" for i in range(200)]
STAR = [f"[?x0, :p, ?x{i + 1}]" for i in range(200)]


@pytest.mark.parametrize("atoms", [PATH, STAR])
def test_the_literals_of_a_plan_are_put_in_order_in_linear_many_looks(
    atoms: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    cost = planning._Planner.cost

    def counted(planner: planning._Planner, literal: int) -> tuple[int, int]:
        looks.append(literal)
        return cost(planner, literal)

    monkeypatch.setattr(planning._Planner, "cost", counted)
    plans = list(forward(compiled(f"[?x0, :q, ?x200] :- {', '.join(atoms)} .")))
    assert not looks, "nothing is planned before it is asked for"
    assert len(plans[100].steps) == 199
    assert len(looks) < 4 * 200


def test_a_path_keeps_in_mind_where_it_has_got_to() -> None:
    plans = list(forward(compiled(f"[?x0, :q, ?x200] :- {', '.join(PATH)} .")))
    assert all(len(step.live) <= 4 for step in plans[100].steps if isinstance(step, Match))


def test_what_two_may_have_in_common_is_asked_of_one_and_found_of_both() -> None:
    """The values of several properties are not multiplied, and who lacks one is told before others
    are looked at."""
    properties = "pqrs"
    agree = ", ".join(f"[?x, :{p}, ?{p}], [?y, :{p}, ?{p}]" for p in properties)
    clause = compiled(f"[?x, :same, ?y] :- [?x, a, :C], [?y, a, :C], {agree} .")
    member = [plan for plan in forward(clause) if plan.constant(plan.driver.o) is not None]
    assert len(member) == 2
    for plan in member:
        before = plan.steps[: len(properties) + 2]
        asked = [step.at.p for step in before if isinstance(step, Match) and step.asks]
        found = [step for step in before if isinstance(step, Match) and not step.asks]
        assert len(set(asked)) == len(properties) - 2
        assert all(step.live.isdisjoint({step.at.o}) for step in before if step.at.p in asked)
        ends = [(step.s, step.o) for step in found]
        assert ends == [(True, False), (True, False), (False, True), (True, True)]
        assert not any(step.asks for step in plan.steps[len(before) :])
