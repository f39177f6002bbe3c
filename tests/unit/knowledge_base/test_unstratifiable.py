"""What is told of rules that cannot be put in order."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rdfinc import KnowledgeBase, UnstratifiableError

PREFIX = "@prefix : <urn:> . "
HARMLESS = ":D[?x] :- :E[?x], NOT :A[?x] ."
DENYING = ":B[?x] :- :C[?x], NOT :A[?x] ."
CLOSING = ":A[?x] :- :B[?x] ."
DENIAL = "[?x, a, <urn:B>] :- [?x, a, <urn:C>], NOT [?x, a, <urn:A>] ."


def told(error: UnstratifiableError) -> list[str]:
    """The rules of the message."""
    return [line.strip() for line in str(error).split("\n")[1:]]


def test_the_rule_that_negates_is_named() -> None:
    kb = KnowledgeBase()
    with pytest.raises(UnstratifiableError) as failed:
        kb.add_rules(f"{PREFIX}{HARMLESS} {DENYING} {CLOSING}")
    assert told(failed.value) == [DENIAL]
    assert failed.value.rules == (DENIAL,)
    assert str(pickle.loads(pickle.dumps(failed.value))) == str(failed.value)


def test_it_may_have_been_in_force_before() -> None:
    kb = KnowledgeBase()
    kb.add_rules(f"{PREFIX}{HARMLESS} {DENYING}")
    with pytest.raises(UnstratifiableError) as failed:
        kb.add_rules(PREFIX + CLOSING)
    assert told(failed.value) == [DENIAL]


def test_an_axiom_may_close_the_cycle() -> None:
    kb = KnowledgeBase()
    kb.add_rules(PREFIX + DENYING)
    below = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    with pytest.raises(UnstratifiableError) as failed:
        kb.update(insert=[("<urn:B>", below, "<urn:A>")])
    assert told(failed.value) == [DENIAL]


def test_rules_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "rules.dlog"
    path.write_text(f"{PREFIX}\n{DENYING}\n{CLOSING}\n")
    with pytest.raises(UnstratifiableError) as failed:
        KnowledgeBase().load(path)
    assert told(failed.value) == [DENIAL]


def test_what_an_aggregate_reads() -> None:
    rule = "[?x, :n, ?n] :- AGGREGATE([?x, :n, ?y] ON ?x BIND COUNT(?y) AS ?n) ."
    with pytest.raises(UnstratifiableError) as failed:
        KnowledgeBase().add_rules(PREFIX + rule)
    assert told(failed.value) == [
        "[?x, <urn:n>, ?n] :- AGGREGATE([?x, <urn:n>, ?y] ON ?x BIND COUNT(?y) AS ?n) ."
    ]
