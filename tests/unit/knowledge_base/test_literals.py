"""Equal and ill-typed literals come and go with the triples that hold them, few or many at once."""

from __future__ import annotations

import pickle

import pytest

from rdfinc import KnowledgeBase, ViolationError
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from thresholds import put

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
P = "<urn:p>"
OWL = "http://www.w3.org/2002/07/owl#"
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def integer(text: object, datatype: str = "integer") -> str:
    return f'"{text}"^^<{XSD}{datatype}>'


def derived(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    return {tuple(term.n3() for term in fact) for fact in kb.derived}


def of_p(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    """The derived facts of P; of subjects that share a value, as P tells who has it."""
    return {fact for fact in derived(kb) if fact[1] == P}


def telling(**options: str) -> KnowledgeBase:
    """A knowledge base in which a value of P tells who has it."""
    kb = KnowledgeBase(**options)
    kb.update(insert=[(P, TYPE, f"<{OWL}InverseFunctionalProperty>")])
    return kb


A = ("<urn:a>", P, integer(1))
B = ("<urn:b>", P, integer("01"))
BOTH = {("<urn:a>", P, integer("01")), ("<urn:b>", P, integer(1))}


def test_one_after_the_other_and_back():
    kb = telling()
    kb.update(insert=[A])
    assert of_p(kb) == set()
    assert len(kb.update(insert=[B]).added) == 5
    assert of_p(kb) == BOTH
    assert len(kb.update(delete=[A]).removed) == 5
    assert of_p(kb) == set()
    kb.update(insert=[A])
    assert of_p(kb) == BOTH
    kb._check()


def test_a_literal_stays_while_another_triple_holds_it():
    kb = telling()
    other = ("<urn:c>", P, integer("01"), "<urn:g>")
    kb.update(insert=[A, B, other])
    kb.update(delete=[B])
    assert of_p(kb) == {("<urn:a>", P, integer("01")), ("<urn:c>", P, integer(1))}
    kb.update(delete=[other])
    assert of_p(kb) == set()


def test_the_numbers_of_cardinalities_do_not_count():
    kb = KnowledgeBase()
    cardinality = "<http://www.w3.org/2002/07/owl#maxCardinality>"
    kb.update(insert=[A, ("<urn:C>", cardinality, integer(1, "nonNegativeInteger"))])
    assert derived(kb) == set()


ONES = [
    integer(1),
    integer("01", "nonNegativeInteger"),
    integer(1, "byte"),
    integer("1.0", "decimal"),
]
UNRELATED = [[], [A, ("<urn:b>", P, integer(1, "nonNegativeInteger"))], [A, B]]


@pytest.mark.parametrize("storage", ["plain", "compact"])
@pytest.mark.parametrize("others", UNRELATED, ids=["none", "the usual one", "others"])
@pytest.mark.parametrize("one", ONES)
def test_a_maximum_counts_however_it_is_written(storage, others, one):
    """Whatever literals there are beside it, and the report says so."""
    kb = KnowledgeBase(storage=storage)
    restriction = [("_:c", f"<{OWL}onProperty>", P), ("_:c", f"<{OWL}maxCardinality>", one)]
    kb.update(insert=[*restriction, ("<urn:x>", TYPE, "_:c"), *others])
    kb.update(insert=[("<urn:x>", P, "<urn:y>"), ("<urn:x>", P, "<urn:z>")])
    assert ("<urn:y>", f"<{OWL}sameAs>", "<urn:z>") in derived(kb)
    assert [axiom.status for axiom in kb.report()] == ["used"]
    kb.update(delete=[restriction[1]])
    assert ("<urn:y>", f"<{OWL}sameAs>", "<urn:z>") not in derived(kb)
    kb._check()


def test_a_maximum_that_is_no_integer_does_not_count():
    kb = KnowledgeBase()
    for text in (integer("1e0", "double"), integer("x"), '"1"', integer(2)):
        kb.update(insert=[("<urn:C>", f"<{OWL}maxCardinality>", text)])
    assert derived(kb) == set()


def test_a_maximum_written_otherwise_does_not_keep_names_apart():
    """What is equal depends on it, and is still known before what is about representatives."""
    kb = KnowledgeBase(storage="compact")
    kb.update(insert=[("<urn:C>", f"<{OWL}maxCardinality>", integer(1)), ("<urn:a>", P, "<urn:b>")])
    kb.update(insert=[("<urn:a>", f"<{OWL}sameAs>", "<urn:c>")])
    assert not kb._engine.version.aliases.trivial
    kb._check()


@pytest.mark.parametrize("many", [1, 10**9])
def test_many_at_once(monkeypatch, many):
    """By going through the triples, and by asking for one literal after another."""
    put(monkeypatch, KNOWLEDGE, many_literals=many)
    kb = telling()
    kb.update(insert=[(f"<urn:a{i}>", P, integer(i)) for i in range(200)])
    kb.update(delete=[(f"<urn:a{i}>", P, integer(i)) for i in range(0, 200, 2)])
    kb.update(insert=[(f"<urn:b{i}>", P, integer(f"0{i}")) for i in range(200)])
    alike = range(1, 200, 2)
    expected = {(f"<urn:a{i}>", P, integer(f"0{i}")) for i in alike}
    assert of_p(kb) == expected | {(f"<urn:b{i}>", P, integer(i)) for i in alike}
    kb.update(delete=[(f"<urn:b{i}>", P, integer(f"0{i}")) for i in range(200)])
    assert of_p(kb) == set()
    kb._check()


def copies():
    return [KnowledgeBase.copy, lambda kb: pickle.loads(pickle.dumps(kb))]


@pytest.mark.parametrize("copy", copies())
def test_copies_go_on(copy):
    kb = telling()
    kb.update(insert=[A])
    twin = copy(kb)
    twin.update(insert=[B])
    assert of_p(twin) == BOTH and of_p(kb) == set()
    kb.update(insert=[B], delete=[A])
    assert of_p(kb) == set()


def test_literals_of_a_refused_update_are_looked_at_again():
    kb = telling(on_violation="raise")
    kb.update(insert=[A])
    with pytest.raises(ViolationError, match="dt-not-type"):
        kb.update(insert=[B, ("<urn:c>", P, integer("x"))])
    assert of_p(kb) == set()
    kb.update(insert=[B])
    assert of_p(kb) == BOTH


def test_ill_typed_literals_are_reported_where_they_stand():
    kb = KnowledgeBase()
    wrong = ("<urn:a>", P, integer("x"))
    kb.update(insert=[wrong, A])
    (violation,) = kb.violations()
    assert violation.rule == "dt-not-type"
    assert [tuple(t.n3() for t in fact) for fact in violation.facts] == [wrong]
    kb.update(delete=[wrong])
    assert kb.violations() == []


def test_no_profile_knows_values():
    kb = KnowledgeBase(profile="none")
    kb.update(insert=[A, B, ("<urn:c>", P, integer("x"))])
    assert derived(kb) == set() and kb.violations() == []


def test_rdfs_knows_those_that_have_no_value():
    kb = KnowledgeBase(profile="rdfs")
    kb.update(insert=[A, B, ("<urn:c>", P, integer("x"))])
    assert derived(kb) == set()
    assert [violation.rule for violation in kb.violations()] == ["dt-not-type"]
    kb.update(delete=[("<urn:c>", P, integer("x"))])
    assert kb.violations() == []


def test_rdfs_knows_those_outside_a_range():
    """Also where the literal is the number of a cardinality, which says nothing there."""
    kb = KnowledgeBase(profile="rdfs")
    ranged = [(P, f"<{RDFS}range>", f"<{XSD}integer>"), ("<urn:c>", P, '"x"@en')]
    cardinality = ("<urn:C>", f"<{OWL}maxCardinality>", integer("x"))
    kb.update(insert=[*ranged, A, B])
    assert [violation.rule for violation in kb.violations()] == ["dt-not-type"]
    kb.update(insert=[cardinality])
    assert len(kb.violations()) == 2
    kb.update(delete=[ranged[1], cardinality])
    assert kb.violations() == []
    with pytest.raises(ViolationError, match="dt-not-type"):
        KnowledgeBase(profile="rdfs", on_violation="raise").update(insert=ranged)


def test_rdf_literals_of_one_value_are_equal():
    kb = telling()
    plain = ("<urn:a>", P, f'"x@EN"^^<{RDF}PlainLiteral>')
    kb.update(insert=[plain, ("<urn:b>", P, '"x"@en')])
    assert ("<urn:a>", P, '"x"@en') in of_p(kb)
    kb.update(insert=[("<urn:c>", P, f'"<a/>"^^<{RDF}XMLLiteral>')])
    kb.update(insert=[("<urn:d>", P, f'"<a></a>"^^<{RDF}XMLLiteral>')])
    assert ("<urn:d>", P, f'"<a/>"^^<{RDF}XMLLiteral>') in of_p(kb)
    kb.update(delete=[plain])
    assert ("<urn:b>", P, '"x"@en') not in of_p(kb) and len(of_p(kb)) == 2
    kb._check()
