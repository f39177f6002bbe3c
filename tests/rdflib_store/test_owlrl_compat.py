"""owlrl's classes with rdfinc behind them: what a program written for owlrl finds."""

from __future__ import annotations

import warnings

import pytest
from rdflib import RDF, RDFS, Dataset, Graph, Literal, URIRef
from rdflib_store.names import ANIMAL, ANN, CAT, EX, G1, SUB, TOM, TYPE

import rdfinc.plugins.owlrl_compat as owlrl
from rdfinc import RdfincWarning, UnsupportedError
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.rdflib.rdflib_versions import default_of

FOLLOWS = {(TOM, TYPE, ANIMAL)}


@pytest.fixture
def graph() -> Graph:
    return Graph().add((TOM, TYPE, CAT)).add((CAT, SUB, ANIMAL))


@pytest.fixture(autouse=True)
def nothing_is_warned_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error", RdfincWarning)
        yield


SEMANTICS = (
    owlrl.OWLRL_Semantics,
    owlrl.RDFS_Semantics,
    owlrl.RDFS_OWLRL_Semantics,
    owlrl.OWLRL_Extension,
    owlrl.OWLRL_Extension_Trimming,
)


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_the_graph_holds_what_follows(semantics: type, graph: Graph) -> None:
    before = set(graph)
    owlrl.DeductiveClosure(semantics).expand(graph)
    assert set(graph) == before | FOLLOWS


def test_the_names_under_which_owlrl_is_imported() -> None:
    assert owlrl.RDFSClosure.RDFS_Semantics is owlrl.RDFS_Semantics
    assert owlrl.OWLRL.OWLRL_Semantics is owlrl.OWLRL_Semantics
    assert owlrl.CombinedClosure.RDFS_OWLRL_Semantics is owlrl.RDFS_OWLRL_Semantics
    assert owlrl.OWLRLExtras.OWLRL_Extension is owlrl.OWLRL_Extension
    assert issubclass(owlrl.RDFS_Semantics, owlrl.Closure.Core)


def test_semantics_by_themselves(graph: Graph) -> None:
    rdfs = owlrl.RDFSClosure.RDFS_Semantics(graph, False, False, False)
    rdfs.closure()
    rdfs.flush_stored_triples()
    assert set(graph) >= FOLLOWS


@pytest.mark.parametrize("wishes", [(o, r, e, t) for o in (0, 1) for r in (0, 1) for e in (0, 1)
                                    for t in (0, 1)])  # fmt: skip
def test_the_class_for_wishes_is_owlrl_s(wishes: tuple[int, ...]) -> None:
    original = pytest.importorskip("owlrl")
    ours, theirs = (m.return_closure_class(*map(bool, wishes)) for m in (owlrl, original))
    assert getattr(ours, "__name__", None) == getattr(theirs, "__name__", None)


def test_no_class_is_no_closure(graph: Graph) -> None:
    owlrl.DeductiveClosure(None).expand(graph)
    assert len(graph) == 2


def test_both_rule_sets_work_together() -> None:
    """What RDFS says of rdf:_1 is read by OWL 2 RL, and the other way about."""
    graph = Graph().add((TOM, RDF._1, ANN))
    graph.add((RDFS.member, URIRef("http://www.w3.org/2002/07/owl#inverseOf"), EX["in"]))
    graph.add((EX["in"], RDFS.range, EX.Container)).add((EX.n, RDFS.subPropertyOf, EX.m))
    for semantics, expected in ((owlrl.OWLRL_Semantics, False), (owlrl.RDFS_OWLRL_Semantics, True)):
        copy = Graph()
        copy += graph
        owlrl.DeductiveClosure(semantics).expand(copy)
        assert ((ANN, EX["in"], TOM) in copy) == ((TOM, TYPE, EX.Container) in copy) == expected
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics, rdfs_closure=True).expand(graph)
    assert set(graph) == set(copy)


def test_self_restrictions_are_an_extension() -> None:
    graph = Graph().parse(
        data="""
        @prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        :Narcissist owl:hasSelf true ; owl:onProperty :likes .
        :tom :likes :tom . :ann a :Narcissist .""",
        format="turtle",
    )
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    assert (ANN, EX.likes, ANN) not in graph
    owlrl.DeductiveClosure(owlrl.OWLRL_Extension).expand(graph)
    assert {(ANN, EX.likes, ANN), (TOM, TYPE, EX.Narcissist)} <= set(graph)


def test_contradictions_are_error_messages(graph: Graph) -> None:
    graph.parse(
        data="@prefix owl: <http://www.w3.org/2002/07/owl#> ."
        f"<{CAT}> owl:disjointWith <{ANIMAL}> .",
        format="turtle",
    )
    owlrl.DeductiveClosure(owlrl.RDFS_OWLRL_Semantics).expand(graph)
    (node,) = graph.subjects(RDF.type, owlrl.Namespaces.ERRNS.ErrorMessage)
    assert "cax-dw" in graph.value(node, owlrl.ERRNS.error)


def test_axiomatic_triples(graph: Graph) -> None:
    graph.add((TOM, RDFS.label, Literal("Tom")))
    same = URIRef("http://www.w3.org/2002/07/owl#sameAs")
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics, axiomatic_triples=True).expand(graph)
    assert {(TOM, same, TOM), (RDFS.label, same, RDFS.label)} <= set(graph)
    assert not any(isinstance(s, Literal) for s in graph.subjects())


def test_options_without_effect_are_warned_of(graph: Graph) -> None:
    with pytest.warns(RdfincWarning, match="datatype_axioms has no effect") as told:
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics, datatype_axioms=True).expand(graph)
    assert len(told) == 1 and told[0].filename == __file__
    with pytest.warns(RdfincWarning, match="improved_datatypes=False has no effect"):
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics, improved_datatypes=False)


def test_a_dataset_is_read_whole_and_its_default_graph_holds_what_follows() -> None:
    data = Dataset()
    data.graph(G1).add((TOM, TYPE, CAT))
    data.add((CAT, SUB, ANIMAL))
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(data)
    assert set(default_of(data)) >= FOLLOWS
    assert len(data.graph(G1)) == 1


def test_another_destination(graph: Graph) -> None:
    other = Graph(graph.store, EX.other)
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph, destination=other)
    assert set(other) == FOLLOWS and len(graph) == 2
    with pytest.raises(ValueError, match="a plain Graph has no named graphs"):
        owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph, destination=EX.other)
    data = Dataset()
    data.add((TOM, TYPE, CAT))
    data.add((CAT, SUB, ANIMAL))
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(data, destination=str(EX.other))
    assert set(data.graph(EX.other)) == FOLLOWS


@pytest.mark.parametrize("semantics", SEMANTICS[:3])
def test_a_graph_that_derives_by_itself_stays_as_it_is(semantics: type) -> None:
    graph = Graph(store="rdfinc").add((TOM, TYPE, CAT)).add((CAT, SUB, ANIMAL))
    with pytest.warns(RdfincWarning, match="nothing was added") as told:
        owlrl.DeductiveClosure(semantics).expand(graph)
    assert len(told) == 1 and told[0].filename == __file__
    assert set(graph.store.kb.derived) == FOLLOWS
    graph.remove((CAT, SUB, ANIMAL))
    assert set(graph) == {(TOM, TYPE, CAT)}


def test_a_store_without_live_rules_is_a_store() -> None:
    graph = Graph(RdfincStore(profile="none")).add((TOM, TYPE, CAT)).add((CAT, SUB, ANIMAL))
    owlrl.DeductiveClosure(owlrl.OWLRL_Semantics).expand(graph)
    assert set(graph.store.kb.explicit) >= FOLLOWS


def test_rules_of_ones_own_are_text(graph: Graph) -> None:
    class Mine(owlrl.OWLRL_Semantics):
        datalog = f"[?x, <{EX.eats}>, <{EX.fish}>] :- [?x, a, <{ANIMAL}>] ."

    owlrl.DeductiveClosure(Mine).expand(graph)
    assert (TOM, EX.eats, EX.fish) in graph
    with pytest.raises(UnsupportedError, match=r"Old\.rules: rdfinc calls no methods"):

        class Old(owlrl.OWLRL_Semantics):
            def rules(self, t: object, cycle_num: int) -> None:
                pass


def test_what_is_none_of_the_classes_is_refused() -> None:
    original = pytest.importorskip("owlrl")
    with pytest.raises(ValueError, match="give OWLRL_Semantics of that module"):
        owlrl.DeductiveClosure(original.OWLRL_Semantics)
    with pytest.raises(ValueError, match="'owlrl' is none of"):
        owlrl.DeductiveClosure("owlrl")


def test_what_is_elsewhere_is_told() -> None:
    with pytest.raises(ImportError, match="rdfinc materialise"):
        from rdfinc.plugins.owlrl_compat import convert_graph  # noqa: F401
