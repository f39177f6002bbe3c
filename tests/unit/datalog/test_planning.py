"""Plans of one clause."""

from __future__ import annotations

from rdfinc.datalog.clause import compile_rule
from rdfinc.datalog.planning import Match, forward
from rdfinc.datalog.syntax import parse_rules
from rdfinc.knowledge_base.encoder import TermEncoder
from rdfinc.terms.dictionary import Dictionary


def test_whichever_literal_drives_a_negated_one_is_asked() -> None:
    [rule] = parse_rules(
        "@prefix : <http://example.org/> .\n"
        "[?x, :r, ?z] :- [?x, :p, ?y], [?y, :q, ?z], NOT [?x, :s, ?z], NOT [?z, :s, ?x] .",
        {},
    )
    plans = list(forward(compile_rule(rule, TermEncoder(Dictionary()))))
    assert len(plans) == 2
    for plan in plans:
        asked = [step for step in plan.steps if isinstance(step, Match) and step.negated]
        assert len(asked) == 2
