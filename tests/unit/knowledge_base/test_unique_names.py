"""SWRL's differentFrom where names are unique; see `laws/test_unique_names.py` for its meaning."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rdfinc import KnowledgeBase, UnstratifiableError
from rdfinc.owl.swrl_text import parse_swrl

DATA = """\
@prefix : <urn:x:> . @prefix swrl: <http://www.w3.org/2003/11/swrl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . :f a owl:FunctionalProperty .
:x a swrl:Variable . :y a swrl:Variable . :z a swrl:Variable . :a :p :b, :c .
"""
RULE = """\
@prefix : <urn:x:> . @prefix swrl: <http://www.w3.org/2003/11/swrl#> .
:rule a swrl:Imp ; swrl:body (
  [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :p ;
    swrl:argument1 :z ; swrl:argument2 :x ]
  [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :p ;
    swrl:argument1 :z ; swrl:argument2 :y ]
  [ a swrl:DifferentIndividualsAtom ; swrl:argument1 :x ; swrl:argument2 :y ] ) ;
 swrl:head ( [ a swrl:IndividualPropertyAtom ; swrl:propertyPredicate :q ;
    swrl:argument1 :x ; swrl:argument2 :y ] ) .
"""
CYCLIC = RULE.replace(":q", ":f")
B, C, Q = "<urn:x:b>", "<urn:x:c>", "<urn:x:q>"
SAME = (B, "<http://www.w3.org/2002/07/owl#sameAs>", C)


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase(unique_names=True)
    kb.load(DATA.encode(), format="turtle")
    return kb


def paired(kb: KnowledgeBase) -> int:
    return len(list(kb.triples((None, Q, None))))


def test_rules_among_the_triples_read_names_as_unique(kb: KnowledgeBase) -> None:
    kb.load(RULE.encode(), format="turtle")
    assert paired(kb) == 2
    told = str(kb.explain((B, Q, C)))
    assert "owl:sameAs" in told and "is not there" in told
    assert len(kb.update(insert=[SAME]).removed) == 2
    assert paired(kb) == 0
    kb.update(delete=[SAME])
    assert paired(kb) == 2


def test_copies_and_pickles_keep_names_unique(kb: KnowledgeBase) -> None:
    for twin in (kb.copy(), pickle.loads(pickle.dumps(kb))):
        twin.load(RULE.encode(), format="turtle")
        assert paired(twin) == 2
    assert paired(kb) == 0


def test_rules_of_files_and_triples_are_removed_as_they_were_added(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    file = tmp_path / "rule.ttl"
    file.write_text(RULE + DATA)
    other = KnowledgeBase(profile="none")
    other.load(file)
    for rules in (file, list(other), parse_swrl(
        "p(?z, ?x) ^ p(?z, ?y) ^ differentFrom(?x, ?y) -> q(?x, ?y)",
        {"": "urn:x:"}, unique_names=True,
    )):  # fmt: skip
        kb.add_rules(rules)
        assert paired(kb) == 2
        kb.remove_rules(rules)
        assert paired(kb) == 0


def test_equalities_of_names_must_not_depend_on_their_difference(kb: KnowledgeBase) -> None:
    before = set(kb)
    for add in (lambda: kb.load(CYCLIC.encode(), format="turtle"), lambda: kb.add_rules(
        parse_swrl("p(?x, ?y) ^ differentFrom(?x, ?y) -> f(?x, ?y)", {"": "urn:x:"},
                   unique_names=True))):  # fmt: skip
        with pytest.raises(UnstratifiableError, match="because of unique_names") as failed:
            add()
        assert len(failed.value.rules) == 1 and "<urn:x:f>" in failed.value.rules[0]
        assert set(kb) == before


def test_a_cycle_is_told_of_unique_names_where_a_rule_reads_them() -> None:
    closing = parse_swrl("q(?x, ?y) -> sameAs(?x, ?y)", {"": "urn:x:"})
    text = "p(?x, ?y) ^ differentFrom(?x, ?y) -> q(?x, ?y)"
    reading = parse_swrl(text, {"": "urn:x:"}, unique_names=True)
    kb = KnowledgeBase()
    kb.add_rules(reading)
    with pytest.raises(UnstratifiableError, match="because of unique_names"):
        kb.add_rules(closing)


def test_a_cycle_of_a_users_own_negation_is_not_laid_to_unique_names(kb: KnowledgeBase) -> None:
    kb.add_rules("[?x, <urn:x:q>, ?y] :- [?x, <urn:x:p>, ?y], NOT [?x, owl:sameAs, ?y] .")
    with pytest.raises(UnstratifiableError, match="negated") as failed:
        kb.add_rules("[?x, owl:sameAs, ?y] :- [?x, <urn:x:q>, ?y] .")
    assert "unique_names" not in str(failed.value)


def test_variables_that_nothing_else_binds_are_of_what_is_stated() -> None:
    for body in ("differentFrom(?x, ?y)", "p(?z, ?x) ^ differentFrom(?x, ?y)"):
        text = f"{body} -> q(?x, ?y)"
        told = parse_swrl(text, {"": "urn:x:"}, unique_names=True)
        assert list(told) == list(parse_swrl(text, {"": "urn:x:"}))


def test_one_term_is_not_different_from_itself() -> None:
    text = "p(?x, ?z) ^ sameAs(?x, ?y) ^ differentFrom(?x, ?y) -> C(?x)"
    with_names = parse_swrl(text, {"": "urn:x:"}, unique_names=True)
    assert len(with_names) == len(parse_swrl(text, {"": "urn:x:"})) + 1


def test_axiomatic_facts_and_unique_names_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="give unique_names or axiomatic"):
        KnowledgeBase(axiomatic=True, unique_names=True)
    with pytest.raises(ValueError, match="unique_names"):
        KnowledgeBase(unique_names="yes")  # type: ignore[arg-type]
