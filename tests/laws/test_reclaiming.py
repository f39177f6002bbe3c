"""Whoever holds something keeps its terms, while all other terms make way for new ones.

Every update looks for terms that nothing mentions, and between what is held and how it is read
there are many with terms of every kind, so that an id which someone still holds would stand for
another term by then.
"""

from __future__ import annotations

import pickle

import pytest
from rdflib import OWL, RDF, XSD, Literal

from laws.passing import FACTS, NS, changed, node, pass_by
from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.storage.term_reclaiming import Reclaiming


@pytest.fixture(autouse=True)
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reclaiming, "is_due", lambda self, terms: True)


def test_terms_make_way() -> None:
    kb = changed()
    kb.update(insert=FACTS)
    terms, bound = len(kb.dictionary), kb.dictionary.bound
    pass_by(kb, 30)
    assert len(kb.dictionary) == terms
    assert kb.dictionary.bound < bound + 60


def test_decoded_terms_are_forgotten_with_their_ids() -> None:
    kb = changed()
    for number in range(20):
        assert len(set(kb.update(insert=[(node(f"x{number}"), node("has"), node("y"))]).added)) > 2
        kb.update(delete=[(node(f"x{number}"), node("has"), node("y"))])
    assert len(kb._telling.decoder) < 60


@pytest.mark.parametrize("profile", ["none", "owl2rl"])
def test_deltas(profile: str) -> None:
    kb = changed(profile)
    came = kb.update(insert=FACTS)
    listed = set(came.added)
    went = kb.update(delete=FACTS)
    assert set(went.removed) == listed > set(FACTS)
    both, begun = came.then(kb.update(insert=FACTS[:1])), iter(went.removed)
    first, text = next(begun), str(went.why_removed(FACTS[0]))
    unread = went.removed
    kb.update(delete=FACTS)
    pass_by(kb)
    assert set(came.added) == set(went.removed) == set(unread) == listed
    assert {first, *begun} == listed
    assert set(both.added) == listed
    assert all(fact in came.added and fact in went.removed for fact in FACTS)
    assert str(went.why_removed(FACTS[0])) == text


def test_one_delta_for_ever() -> None:
    kb = changed()
    held = kb.update(insert=FACTS)
    kb.update(delete=FACTS)
    bound = kb.dictionary.bound
    pass_by(kb, 40)
    assert kb.dictionary.bound < bound + 60
    assert set(FACTS) < set(held.added)


def test_readers_views_and_iterators() -> None:
    kb = changed()
    kb.update(insert=FACTS)
    listed, explicit, iterator = set(kb), kb.explicit, kb.triples()
    first, reader = next(iterator), kb.reader()
    kb.update(delete=FACTS)
    pass_by(kb)
    assert {first, *iterator} == listed
    assert set(explicit) == set(FACTS)
    assert all(fact in explicit for fact in FACTS)
    assert list(explicit.triples((node("a"), None, None))) == FACTS[:1]
    assert {tuple(map(kb._telling.term, fact)) for fact in reader.closure} == listed


@pytest.mark.parametrize("copied", [KnowledgeBase.copy, lambda kb: pickle.loads(pickle.dumps(kb))])
def test_copies(copied) -> None:
    kb = changed("owl2rl")
    kb.update(insert=FACTS)
    listed, twin = set(kb), copied(kb)
    kb.update(delete=FACTS)
    pass_by(kb)
    assert set(twin) == listed
    pass_by(twin)
    assert set(twin) == listed
    kb.update(insert=FACTS)
    assert set(kb) == set(twin) == listed


def test_arguments_of_skolem_terms_stay_while_the_term_does() -> None:
    kb = changed()
    kb.update(insert=FACTS)
    boxes = set(kb.triples((None, node("about"), None)))
    kb.update(delete=FACTS)
    kb.update(insert=[(box, RDF.type, node("Box")) for box, _, _ in boxes])
    pass_by(kb)
    kb.update(delete=[(box, RDF.type, node("Box")) for box, _, _ in boxes], insert=FACTS)
    pass_by(kb)
    assert set(kb.triples((None, node("about"), None))) == boxes
    kb.update(delete=FACTS)
    assert not set(kb.triples((None, node("about"), None)))


def test_a_skolem_term_stated_by_name_is_not_of_other_things() -> None:
    kb = changed()
    kb.update(insert=FACTS)
    boxes = [box for box, _, _ in kb.triples((None, node("about"), None))]
    kb.update(delete=FACTS)
    pass_by(kb)
    for number in range(10):
        facts = [(node(f"n{number}"), node("has"), Literal(number))]
        kb.update(insert=[(box, node("about"), node("a")) for box in boxes])
        kb.update(insert=facts)
        found = {box for box, _, _ in kb.triples((None, node("about"), node(f"n{number}")))}
        assert len(found) == 1 and found.isdisjoint(boxes)
        kb.update(delete=facts)
        kb.update(delete=[(box, node("about"), node("a")) for box in boxes])


def test_literals_that_are_equal() -> None:
    kb = KnowledgeBase()
    p = node("p")
    kb.update(insert=[(p, RDF.type, OWL.FunctionalProperty)])
    for number in range(6):
        one = (node("x"), p, Literal(f"{number}.0", datatype=XSD.decimal, normalize=False))
        other = (node("x"), p, Literal(f"0{number}", datatype=XSD.integer, normalize=False))
        third = (node("x"), p, Literal(f"{number + 1}", datatype=XSD.integer, normalize=False))
        kb.update(insert=[one])
        pass_by(kb, 2)
        kb.update(insert=[other])
        assert not kb.violations()
        pass_by(kb, 2)
        kb.update(insert=[third], delete=[one])
        assert kb.violations()
        pass_by(kb, 1)
        kb.update(insert=[one], delete=[third])
        assert not kb.violations()
        pass_by(kb, 1)
        kb.update(delete=[one, other])


def test_contradictions_and_their_proofs() -> None:
    kb = changed("owl2rl")
    kb.update(insert=[(node("has"), OWL.propertyDisjointWith, node("lacks"))])
    clash = [*FACTS, (node("a"), node("lacks"), node("b"))]
    kb.update(insert=clash)
    (violation,) = kb.violations()
    text = str(kb.explain_violation(violation))
    kb.update(delete=clash)
    pass_by(kb)
    assert kb.explain_violation(violation) is None
    kb.update(insert=clash)
    assert str(kb.explain_violation(violation)) == text


def test_proofs_that_are_still_to_be_told() -> None:
    kb = changed()
    kb.add_rules("@prefix : <http://e.org/> . [?y, :of, ?x] :- [?x, :owns, ?y] .")
    kb.update(insert=[*FACTS, (node("a"), node("owns"), node("b"))])
    told = [str(proof) for proof in kb.explain((node("b"), node("of"), node("a")), all=True)]
    assert len(told) == 2
    proofs = kb.explain((node("b"), node("of"), node("a")), all=True)
    kb.update(delete=list(kb.explicit))
    pass_by(kb)
    assert [str(proof) for proof in proofs] == told


def test_rules_with_constants_of_their_own() -> None:
    kb = changed()
    bound = kb.dictionary.bound
    for number in range(30):
        rule = f"[?x, <{NS}r{number}>, <{NS}v{number}>] :- [?x, <{NS}has>, <{NS}k{number}>] ."
        kb.add_rules(rule)
        pass_by(kb, 1)
        kb.update(insert=[(node("s"), node("has"), node(f"k{number}"))])
        assert (node("s"), node(f"r{number}"), node(f"v{number}")) in kb
        kb.remove_rules(rule)
        kb.update(delete=[(node("s"), node("has"), node(f"k{number}"))])
    assert kb.dictionary.bound < bound + 120


def test_graphs_and_predicates() -> None:
    kb = changed()
    quads = [(node("a"), node(f"p{n}"), node("b"), node(f"g{n % 3}")) for n in range(5)]
    kb.update(insert=quads)
    pass_by(kb)
    reader = kb.reader()
    named = {kb._telling.term(graph) for graph in reader.graphs()}
    assert named == {node("g0"), node("g1"), node("g2")}
    assert {kb._telling.term(p) for p in reader.explicit.predicates()} == {q[1] for q in quads}
    del reader
    kb.update(delete=quads)
    pass_by(kb)
    assert not kb.reader().graphs()
    assert not len(kb)


def test_facts_about_each_name_of_a_thing_stay() -> None:
    """Several names of a thing of which facts are held about one of them."""
    kb = KnowledgeBase(storage="compact")
    names = [(node("a"), OWL.sameAs, node(f"a{n}")) for n in range(4)]
    kb.update(insert=names)
    kb.update(insert=[(node("a3"), node("has"), node("b"))])
    shown = set(kb)
    pass_by(kb)
    assert set(kb) == shown
    assert len(set(kb.triples((None, node("has"), node("b"))))) == 5


def test_streams_with_marks() -> None:
    kb = changed()
    stream = kb.stream([(FACTS * (n % 2), [] if n % 2 else FACTS) for n in range(10)])
    for number, delta in enumerate(stream):
        assert set(FACTS) <= set(delta.removed if number % 2 else delta.added)
        pass_by(kb, 1)
        assert len(kb) == (0 if number % 2 else 7)


def test_blank_nodes_of_files(tmp_path) -> None:
    kb = changed()
    file = tmp_path / "some.nt"
    file.write_text("".join(f'_:b{n % 7} <{NS}has> "{n}" .\n' for n in range(20)))
    other = tmp_path / "some.ttl"
    other.write_text("".join(f'_:b{n % 7} <{NS}has> "{n}" .\n' for n in range(20)))
    for _ in range(4):
        for path in (file, other):
            kb.load(path)
            assert len({s for s, _, _ in kb.explicit}) == 7
            assert len(kb.explicit) == 20
            kb.update(delete=list(kb.explicit))
            pass_by(kb, 2)


def test_a_literal_that_a_rule_makes_may_be_the_second_one_of_its_value() -> None:
    kb = KnowledgeBase()
    kb.add_rules(
        f"[?x, <{NS}number>, ?n] :- AGGREGATE([?x, <{NS}has>, ?y] ON ?x BIND COUNT(?y) AS ?n) ."
    )
    two = Literal("02", datatype=XSD.integer, normalize=False)
    passing = [(node(f"p{i}"), node("is"), node(f"q{i}")) for i in range(20)]
    kb.update(insert=[(node("a"), node("age"), two), *passing])
    for change in (passing, [], []):
        kb.update(delete=change)
    found = (node("a"), node("number"), Literal(2))
    both = [(node("a"), node("has"), node("b")), (node("a"), node("has"), node("c"))]
    assert found in set(kb.update(insert=both).added)
    assert found in set(kb.update(delete=both).removed)
