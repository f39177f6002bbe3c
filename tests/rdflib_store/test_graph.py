"""A plain Graph over the store: adding, removing, reading, in any order."""

from __future__ import annotations

import warnings

import pytest
from rdflib import OWL, RDF, RDFS, Graph, Literal, Variable
from rdflib_store.names import (
    ANIMAL,
    ANN,
    CAT,
    CLOSURE,
    EX,
    KNOWS,
    LIKES,
    STATED,
    SUB,
    TOM,
    TYPE,
)

from rdfinc import KnowledgeBase, RdfincWarning, ReservedGraphError, TermError
from rdfinc.plugins import RdfincStore


def test_shows_the_closure(graph: Graph) -> None:
    for triple in STATED:
        graph.add(triple)
    assert set(graph) == CLOSURE
    assert len(graph) == 3
    assert (TOM, TYPE, ANIMAL) in graph
    assert graph.value(ANN, TYPE) is None


def test_removal_takes_the_consequences_along(graph: Graph) -> None:
    graph += STATED
    graph.remove((CAT, SUB, None))
    assert set(graph) == {(TOM, TYPE, CAT)}


def test_removing_a_derived_fact_changes_nothing(graph: Graph) -> None:
    graph += STATED
    graph.remove((TOM, TYPE, ANIMAL))
    assert set(graph) == CLOSURE


def test_removing_a_fact_that_also_follows_leaves_it_derived(graph: Graph) -> None:
    graph += CLOSURE
    graph.remove((TOM, TYPE, ANIMAL))
    assert (TOM, TYPE, ANIMAL) in graph
    graph.remove((TOM, TYPE, CAT))
    assert set(graph) == {(CAT, SUB, ANIMAL)}


def test_the_last_word_on_a_statement_counts(graph: Graph) -> None:
    fact = (TOM, KNOWS, ANN)
    graph.add(fact).remove(fact)
    assert fact not in graph
    graph.remove(fact).add(fact)
    assert fact in graph
    graph.remove(fact).add(fact).remove((None, KNOWS, None))
    assert fact not in graph
    graph.add(fact).remove((TOM, None, None)).add(fact)
    assert set(graph) == {fact}


def test_a_pattern_removes_what_waits_and_what_stands(graph: Graph) -> None:
    graph.add((TOM, KNOWS, ANN))
    assert len(graph) == 1
    graph.add((ANN, KNOWS, TOM)).add((ANN, LIKES, TOM))
    graph.remove((None, KNOWS, None))
    assert set(graph) == {(ANN, LIKES, TOM)}


def test_removing_patterns_among_many_waiting_statements(graph: Graph) -> None:
    for i in range(3000):
        graph.add((EX[f"n{i % 30}"], EX[f"p{i % 7}"], Literal(i)))
    graph.remove((None, EX.p3, None))
    expected = {(i % 30, i % 7, i) for i in range(3000) if i % 7 != 3}
    assert len(graph) == len(expected)


def test_removing_while_iterating(graph: Graph) -> None:
    graph += STATED
    for triple in graph:
        graph.remove(triple)
    assert len(graph) == 0


def test_adding_while_iterating(plain: Graph) -> None:
    plain.add((TOM, KNOWS, ANN))
    for s, p, o in plain:
        plain.add((o, p, s))
        plain.add((s, LIKES, o))
    assert len(plain) == 3


def test_an_iterator_stays_with_its_version(graph: Graph) -> None:
    graph += STATED
    triples = graph.store.triples((None, None, None))
    graph.remove((None, None, None))
    assert len(graph) == 0
    assert {triple for triple, _ in triples} == CLOSURE


def test_set_replaces_the_value(graph: Graph) -> None:
    graph.set((TOM, EX.age, Literal(3)))
    graph.set((TOM, EX.age, Literal(4)))
    assert list(graph.objects(TOM, EX.age)) == [Literal(4)]


def test_addn_reads_a_generator_once(plain: Graph) -> None:
    read = []

    def quads():
        for i in range(5):
            read.append(i)
            yield TOM, KNOWS, EX[f"n{i}"], plain

    plain.addN(quads())
    assert read == [0, 1, 2, 3, 4]
    assert len(plain) == 5


def test_slices_choices_and_paths(graph: Graph) -> None:
    graph += STATED
    graph.add((ANN, KNOWS, TOM))
    assert set(graph[TOM:TYPE]) == {CAT, ANIMAL}
    assert set(graph.triples_choices((None, TYPE, [CAT, ANIMAL]))) == {
        (TOM, TYPE, CAT),
        (TOM, TYPE, ANIMAL),
    }
    choices = graph.triples_choices(([TOM, ANN], None, None))
    assert set(choices) == {(TOM, TYPE, CAT), (TOM, TYPE, ANIMAL), (ANN, KNOWS, TOM)}
    assert set(graph.objects(ANN, KNOWS / TYPE)) == {CAT, ANIMAL}


def test_arithmetic_makes_memory_graphs(graph: Graph) -> None:
    graph += STATED
    other = Graph().add((ANN, KNOWS, TOM))
    both, rest = graph + other, graph - Graph().add((TOM, TYPE, CAT))
    assert type(both.store).__name__ == type(rest.store).__name__ == "Memory"
    assert set(both) == CLOSURE | {(ANN, KNOWS, TOM)}
    assert set(rest) == CLOSURE - {(TOM, TYPE, CAT)}
    assert set(graph * both) == CLOSURE
    assert set(graph ^ both) == {(ANN, KNOWS, TOM)}


def test_a_knowledge_base_and_its_graph_are_one() -> None:
    kb = KnowledgeBase()
    graph = Graph(RdfincStore(kb))
    assert graph.store.kb is kb
    kb.update(insert=STATED)
    assert set(graph) == CLOSURE
    graph.add((ANN, TYPE, CAT))
    graph.commit()
    assert (ANN, TYPE, ANIMAL) in kb
    kb.update(delete=[(CAT, SUB, ANIMAL)])
    assert (ANN, TYPE, ANIMAL) not in graph


def test_rules_added_to_the_knowledge_base_show(graph: Graph) -> None:
    graph.bind("ex", EX)
    graph.add((TOM, KNOWS, ANN))
    graph.store.kb.add_rules("[?y, ex:knows, ?x] :- [?x, ex:knows, ?y] .")
    assert set(graph) == {(TOM, KNOWS, ANN), (ANN, KNOWS, TOM)}
    graph.remove((TOM, KNOWS, ANN))
    assert not set(graph)


def test_a_knowledge_base_or_options_but_not_both() -> None:
    assert RdfincStore(profile="none").kb.profile == "none"
    with pytest.raises(TypeError, match="profile"):
        RdfincStore(KnowledgeBase(), profile="none")


def test_the_virtual_graphs_are_read_only() -> None:
    kb = KnowledgeBase()
    kb.update(insert=STATED)
    for name, expected in (("explicit", STATED), ("derived", CLOSURE - STATED)):
        virtual = Graph(RdfincStore(kb), f"urn:rdfinc:{name}")
        assert set(virtual) == expected
        assert len(virtual) == len(expected)
        with pytest.raises(ReservedGraphError, match=name):
            virtual.add((ANN, TYPE, CAT))
        with pytest.raises(ReservedGraphError, match=name):
            virtual.remove((None, None, None))


def test_statements_outside_of_rdf_are_kept_and_not_reasoned_over(graph: Graph) -> None:
    graph += STATED
    odd = {(Literal("tom"), TYPE, CAT), (TOM, Literal("is"), CAT), (TOM, TYPE, Variable("x"))}
    for triple in odd:
        graph.add(triple)
    assert set(graph) == CLOSURE | odd
    assert len(graph) == len(CLOSURE | odd)
    assert set(graph.triples((None, TYPE, CAT))) == {(TOM, TYPE, CAT), (Literal("tom"), TYPE, CAT)}
    graph.remove((None, TYPE, None))
    assert set(graph) == {(CAT, SUB, ANIMAL), (TOM, Literal("is"), CAT)}


def test_a_term_that_cannot_be_written_is_refused(graph: Graph) -> None:
    with pytest.raises(TermError):
        graph.add((TOM, KNOWS, Literal("\ud800")))
    assert len(graph) == 0


def test_contradictions_that_come_through_a_graph_are_warned_of_while_there_were_none() -> None:
    graph = Graph(store="rdfinc")
    graph.add((EX.cat, OWL.disjointWith, EX.dog))
    graph.add((EX.tom, RDF.type, EX.cat))
    assert len(graph) == 2
    graph.add((EX.tom, RDF.type, EX.dog))
    with pytest.warns(RdfincWarning, match="cax-dw"):
        assert len(graph) >= 3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph.update("PREFIX : <http://example.org/> INSERT DATA { :tim a :dog, :cat }")
        graph.remove((None, RDF.type, EX.dog))
        assert graph.store.kb.violations() == []
    with pytest.warns(RdfincWarning, match="and 1 more"):
        graph.update("PREFIX : <http://example.org/> INSERT DATA { :tim a :dog . :tom a :dog }")


def test_to_remove_what_only_follows_is_warned_of() -> None:
    graph = Graph(store="rdfinc")
    graph.add((EX.cat, RDFS.subClassOf, EX.animal))
    graph.add((EX.tom, RDF.type, EX.cat))
    graph.remove((EX.tom, RDF.type, EX.animal))
    with pytest.warns(RdfincWarning, match="cax-sco") as told:
        assert (EX.tom, RDF.type, EX.animal) in graph
    assert told[0].filename == __file__
