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


def test_an_aggregate_that_reads_its_own_relation() -> None:
    rule = "[?x, :n, ?n] :- AGGREGATE([?x, :n, ?y] ON ?x BIND COUNT(?y) AS ?n) ."
    with pytest.raises(UnstratifiableError) as failed:
        KnowledgeBase().add_rules(PREFIX + rule)
    assert told(failed.value) == [
        "[?x, <urn:n>, ?n] :- AGGREGATE([?x, <urn:n>, ?y] ON ?x BIND COUNT(?y) AS ?n) ."
    ]


LINES = f"{PREFIX}\n{HARMLESS}\n\n  {DENYING}\n{CLOSING}\n"


def test_a_text_has_the_place_of_the_rule_to_blame() -> None:
    with pytest.raises(UnstratifiableError) as failed:
        KnowledgeBase().add_rules(LINES)
    assert (failed.value.file, failed.value.line, failed.value.column) == ("", 4, 3)
    assert str(failed.value).startswith("line 4, column 3: the rules cannot be put in order")
    assert told(failed.value) == [DENIAL]
    again = pickle.loads(pickle.dumps(failed.value))
    assert (str(again), again.line) == (str(failed.value), 4)


def test_prefixes_of_the_knowledge_base_are_known_there() -> None:
    kb = KnowledgeBase()
    kb.bind("", "urn:")
    with pytest.raises(UnstratifiableError) as failed:
        kb.add_rules(f"{CLOSING}\n{DENYING}")
    assert failed.value.line == 2


def by_adding(kb: KnowledgeBase, first: Path, second: Path) -> None:
    kb.add_rules(first)
    kb.add_rules(second)


def by_loading(kb: KnowledgeBase, first: Path, second: Path) -> None:
    kb.load(first, second)


def by_folder(kb: KnowledgeBase, first: Path, second: Path) -> None:
    kb.load(first.parent / "*.dlog")


def test_a_file_is_named(tmp_path: Path) -> None:
    first, second = tmp_path / "a.dlog", tmp_path / "b.dlog"
    first.write_text(PREFIX + CLOSING)
    second.write_text(f"{PREFIX}\n{HARMLESS}\n{DENYING}")
    for change in (by_adding, by_loading, by_folder):
        with pytest.raises(UnstratifiableError) as failed:
            change(KnowledgeBase(), first, second)
        assert (failed.value.file, failed.value.line) == (str(second), 3)
        assert str(failed.value).startswith(f"{second}, line 3, column 1: the rules")


def test_a_rule_from_before_has_no_place_in_what_is_new() -> None:
    kb = KnowledgeBase()
    kb.add_rules(PREFIX + DENYING)
    with pytest.raises(UnstratifiableError) as failed:
        kb.add_rules(PREFIX + CLOSING)
    assert (failed.value.line, failed.value.file) == (0, "")
    assert told(failed.value) == [DENIAL]
