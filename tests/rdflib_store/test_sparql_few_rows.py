"""Few rows are joined one by one, with the same solutions as by columns."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
from rdflib import Dataset

from rdfinc import KnowledgeBase
from rdfinc.datalog.syntax.rule_text import PREFIXES as PREFIXES_OF_RULES
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.columns.few_solutions import FewSolutions, as_fits, by_columns
from rdfinc.plugins.sparql.columns.pattern_slots import KnownSlots
from rdfinc.plugins.sparql.columns.solutions import Solutions, first_rows, numbers_of
from rdfinc.plugins.sparql.facts.patterns import FactPattern
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.plugins.sparql.store_requests import parsed_query
from rdfinc.terms.dictionary import Dictionary
from thresholds import put

TRIG = """
@prefix : <x:> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Cat rdfs:subClassOf :Pet ,
  [ a owl:Restriction ; owl:onProperty :eats ; owl:someValuesFrom :Fish ] .
:eats owl:inverseOf :eatenBy . :near a owl:TransitiveProperty , owl:SymmetricProperty .
:tom a :Cat ; :eats :cod , "scraps" ; owl:sameAs :thomas .
:cod :eatenBy :ann . :a :near :b . :b :near :c .
:g { :tom :eats :eel . :bob a :Cat ; :near :a }
"""
PREFIXES = """PREFIX : <x:> PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> """
GROUPS = [
    ":tom :eats ?o",
    "?s :eats :cod",
    "?s :eatenBy ?o . ?o :eats ?s",
    '"scraps" :eatenBy ?o',
    "?s :eats 'scraps' ; a ?c",
    ":Cat rdfs:subClassOf ?c",
    "?c rdfs:subClassOf ?d . ?d rdfs:subClassOf ?d",
    ":tom owl:sameAs ?o",
    "?s owl:sameAs :tom ; ?p ?o",
    ":a :near ?b . ?b :near ?c . ?c :near ?b",
    ":a :near ?x . ?x ?p ?x",
    "?s a :Cat ; ?p :eel",
    ":unknown ?p ?o",
    "?s ?p :cod",
    "?p ?p :cod",
    "?s ?p ?o . ?x ?q ?s FILTER(?o = :eel)",
    "?s ?p 'scraps'",
    "?s ?p :tom . :tom ?q ?s",
    "?s :unknown ?o . ?o :eats :tom",
    ":tom :eats ?o FILTER(isLiteral(?o))",
    ":tom a ?c OPTIONAL { :tom :eats ?o FILTER(?o != :cod) }",
    "{ :tom :eats ?o } UNION { ?o :near :a } :tom a ?c",
    "VALUES (?s ?o) { (:tom UNDEF) (UNDEF :cod) (:tom :eel) } ?s :eats ?o",
]
GRAPHS = ["", "FROM <x:g>", "FROM <urn:rdfinc:derived>", "FROM <urn:x-rdflib:default>"]


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    found = Dataset(RdfincStore(), default_union=True)
    found.parse(data=TRIG, format="trig")
    return found


@pytest.mark.parametrize("graphs", GRAPHS)
@pytest.mark.parametrize("group", GROUPS)
def test_rows_are_those_of_columns(
    dataset: Dataset, monkeypatch: pytest.MonkeyPatch, group: str, graphs: str
) -> None:
    text = f"{PREFIXES} SELECT * {graphs} {{ {group} }}"
    found = list(dataset.query(text))
    for few in (0, 1, 2):
        put(monkeypatch, QUERIES, few_rows=few, few_found=few)
        assert sorted(dataset.query(text)) == sorted(found)
    plain = list(dataset.query(f"{PREFIXES} SELECT DISTINCT * {graphs} {{ {group} }}"))
    monkeypatch.undo()
    again = list(dataset.query(f"{PREFIXES} SELECT DISTINCT * {graphs} {{ {group} }}"))
    assert sorted(again) == sorted(plain)


def test_some_rows_are_joined_one_by_one(dataset: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other test compares two ways."""
    met: list[bool] = []
    each = FactPattern.extended_each

    def noted(pattern: FactPattern, rows: FewSolutions) -> FewSolutions | None:
        found = each(pattern, rows)
        met.append(found is not None)
        return found

    monkeypatch.setattr(FactPattern, "extended_each", noted)
    for group in GROUPS:
        list(dataset.query(f"{PREFIXES} SELECT * {{ {group} }}"))
    assert met.count(True) > 20 and met.count(False) > 0


def test_few_rows_and_columns_are_the_same_mappings() -> None:
    ids = {"a": np.array([7, 0, 7], np.uint32), "b": np.array([1, 2, 1], np.uint32)}
    few = as_fits(Solutions(3, ids))
    assert isinstance(few, FewSolutions)
    assert few.rows == [(7, 1), (0, 2), (7, 1)]
    for solutions in (few.by_columns(), few.only(["b", "a"])):
        assert solutions.size == 3
        assert {v: column.tolist() for v, column in solutions.columns.items()} == {
            "a": [7, 0, 7],
            "b": [1, 2, 1],
        }
    assert few.where(np.array([True, False, True])).rows == [(7, 1), (7, 1)]
    assert few.slice(1, 9).rows == [(0, 2), (7, 1)] and few.slice(0, 3) is few
    wider = few.wider([(7, 1, 5)], "c")
    assert by_columns(wider).columns["c"].tolist() == [5]
    nothing = as_fits(Solutions(2))
    assert isinstance(nothing, FewSolutions)
    assert (nothing.rows, nothing.by_columns().size) == ([(), ()], 2)
    assert by_columns(few.slice(3, 3)).columns.keys() == {"a", "b"}


def test_many_rows_stay_columns() -> None:
    many = Solutions(99, {"a": np.arange(99, dtype=np.uint32)})
    assert as_fits(many) is many
    rows = FewSolutions([(id,) for id in range(99)], {"a": 0})
    assert isinstance(as_fits(rows), Solutions)


def test_numbers_of_few_rows_are_those_of_many(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = np.array([3, 1, 3, 0], np.uint32), np.array([2, 9, 2, 9], np.uint32)
    columns = [[first[:2], first[2:]], [second]]
    numbers, count = numbers_of(columns)
    few = first_rows(Solutions(4, {"a": first, "b": second})).tolist()
    put(monkeypatch, QUERIES, few_rows=0)
    others, many = numbers_of(columns)
    assert numbers.tolist() == others.tolist() == [2, 1, 2, 0]
    assert count == many == 3
    assert few == first_rows(Solutions(4, {"a": first, "b": second})).tolist() == [0, 1, 3]


def test_what_is_known_of_a_reader_does_not_pin_its_version() -> None:
    kb = KnowledgeBase()
    kb.update(insert=[("<x:a>", "<x:p>", "<x:b>")])
    gc.disable()
    try:
        reader = weakref.ref(kb.reader())
        assert len(list(kb.query("SELECT * { <x:a> <x:p> ?o . <x:a> ?p ?o }"))) == 1
        kb.update(insert=[("<x:a>", "<x:p>", "<x:c>")])
        assert reader() is None
        assert len(list(kb.query("SELECT * { <x:a> <x:p> ?o . <x:a> ?p ?o }"))) == 2
    finally:
        gc.enable()


def test_constants_of_a_shape_are_looked_up_in_each_knowledge_base() -> None:
    """The second asking of a shape is the first one that keeps ids."""
    one, other = KnowledgeBase(), KnowledgeBase()
    other.update(insert=[("<x:c>", "<x:q>", "<x:d>"), ("<x:d>", "<x:p>", "<x:q>")])
    one.update(insert=[("<x:a>", "<x:p>", "<x:b>")])
    other.update(insert=[("<x:a>", "<x:p>", "<x:e>")])
    for _ in range(4):
        (row,) = one.query("SELECT ?o { <x:a> <x:p> ?o }")
        assert str(row.o) == "x:b"
        (row,) = other.query("SELECT ?o { <x:a> <x:p> ?o }")
        assert str(row.o) == "x:e"


def test_constants_of_texts_are_not_kept_with_their_shape() -> None:
    kb, kept = KnowledgeBase(profile="none"), []
    kb.update(insert=[(f"<x:a{n}>", "<x:p>", f"<x:b{n}>") for n in range(30)])
    for n in range(30):
        text = f"SELECT ?o {{ {{ <x:a{n}> <x:p> ?o }} {{ ?s <x:p> ?o }} UNION {{ ?o <x:p> ?s }} }}"
        (row,) = kb.query(text)
        assert str(row.o) == f"x:b{n}"
        memory = parsed_query(text, {**PREFIXES_OF_RULES, **kb.namespaces}, None, Budget()).memory
        assert memory is not None
        kept.append(len(memory.slots.under(kb.dictionary.lease)))
    assert kept[-1] == kept[3]


def test_constants_of_a_shape_may_be_forgotten_and_come_again() -> None:
    kb = KnowledgeBase(profile="none")
    for round in range(6):
        kb.update(insert=[(f"<x:a{round}>", f"<x:p{round % 2}>", f"<x:b{round}>")])
        for known in range(2):
            text = f"SELECT * {{ ?s <x:p{known}> ?o }}"
            assert len(list(kb.query(text))) == (known == round % 2)
        kb.update(delete=[(f"<x:a{round}>", f"<x:p{round % 2}>", f"<x:b{round}>")])
        for term in range(50):  # ids that are free are given to these
            kb.update(insert=[("<x:s>", f"<x:t{round}-{term}>", "<x:s>")])


def test_slots_are_known_under_one_lease_only() -> None:
    known, dictionary = KnownSlots(), Dictionary()
    found = known.under(dictionary.lease)
    found[1] = 7
    assert known.under(dictionary.lease) is found
    dictionary._leases.begin()
    assert known.under(dictionary.lease) == {}
    assert known.under(Dictionary().lease) == {}
