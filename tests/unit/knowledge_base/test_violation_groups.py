"""Contradictions are told by what has to be mended."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from small_bases import loaded

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.explanations import violation_groups

QUDT = Path(__file__).parents[4] / "shared" / "data" / "ontologies" / "qudt.nt.gz"


DATA = """
:length a owl:FunctionalProperty ; rdfs:range xsd:decimal .
:metres rdfs:subPropertyOf :length .
:a :length 1.5, 2.5 .
:b :length 1.5 ; :metres 2.5 .
:c :length "long" .
"""
TOLD = """\
2 by dt-diff (a functional property has two values), by
    :length rdf:type owl:FunctionalProperty
  such as
    :a :length 1.5
    :a :length 2.5
1 by dt-not-type (a literal is of a datatype that does not have its value), by
    :length rdfs:range xsd:decimal
  from
    :c :length "long\""""


def test_where_proofs_take_long_only_the_first_of_a_rule_is_proved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of what is equal to many literals there are many contradictions, with many ways to each."""
    kb = loaded(" ".join(f':s owl:sameAs "{n}" .' for n in range(8)))
    found = kb.violations()
    monkeypatch.setattr(violation_groups, "LOOKED_AT", 0)
    groups = found.groups()
    proved = [group for group in groups if group.examples]
    rules = [group.rule for group in proved]
    assert sorted(rules) == sorted({each.rule for each in found}) and len(found) > 20 * len(rules)
    assert {len(group.examples) for group in proved} == {1}
    assert sum(group.count for group in groups) == len(found)
    assert all(str(each).endswith(", not proved") for each in groups if each not in proved)
    monkeypatch.setattr(violation_groups, "LOOKED_AT", 1 << 40)
    assert sum(group.count for group in found.groups()) == len(found)
    assert all(group.examples for group in found.groups())


def test_a_group_has_its_axioms_and_what_is_stated_of_an_example() -> None:
    found = loaded(DATA).violations()
    assert str(found) == TOLD
    assert [group.examples[0][0].rule for group in found.groups()] == ["dt-diff", "dt-not-type"]


def test_what_is_not_proved_is_counted() -> None:
    kb = loaded(":A owl:disjointWith :B . :x a :A, :B . :y a :A, :B . :z a :A, :B .")
    one, rest = sorted(kb.violations().groups(most=1), key=lambda group: group.count)
    assert (one.count, len(one.examples), rest.count, rest.examples) == (1, 1, 2, [])
    assert str(rest) == "2 by cax-dw (something belongs to two disjoint classes), not proved"
    assert sum(group.count for group in kb.violations().groups(0)) == 3


def test_it_is_a_list() -> None:
    kb = loaded(":A owl:disjointWith :B . :x a :A, :B .")
    found = kb.violations()
    assert found == list(found) and pickle.loads(pickle.dumps(found)) == found
    assert KnowledgeBase().violations() == [] and str(KnowledgeBase().violations()) == ""


@pytest.mark.skipif(not QUDT.exists(), reason="QUDT is not at hand")
def test_of_qudt_few_kinds_are_most() -> None:
    kb = KnowledgeBase()
    kb.load(QUDT)
    found = kb.violations()
    groups = found.groups()
    assert sum(group.count for group in groups) == len(found) > 1000
    assert len(groups) == 7
    assert all(group.axioms and group.examples[0][1] for group in groups)
