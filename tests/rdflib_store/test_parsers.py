"""Parsing into the store, with rdflib's format names and with rdfinc's."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rdflib import RDF, XSD, BNode, Dataset, Graph, Literal, URIRef
from rdflib.compare import isomorphic
from rdflib.plugins.parsers.notation3 import BadSyntax
from rdflib_store.names import ANN, EX, G1, KNOWS, TOM, default_graph

from rdfinc import DataSyntaxError
from rdfinc.plugins import RdfincStore

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")

TURTLE = f"""@prefix ex: <http://example.org/> .
ex:tom ex:knows ex:ann, [ ex:name "x"@EN ] ; ex:age 007, 1.50, 1e0, true, "01"^^<{XSD.integer}> .
"""
N_TRIPLES = "<http://example.org/tom> <http://example.org/knows> <http://example.org/ann> .\n"
N_QUADS = N_TRIPLES[:-2] + "<http://example.org/g1> .\n" + N_TRIPLES
TRIG = TURTLE + "ex:g1 { ex:tom ex:knows ex:ann }"
XML = f"""<rdf:RDF xmlns:ex="http://example.org/" xmlns:rdf="{RDF}">
<rdf:Description rdf:about="http://example.org/tom">
<ex:knows rdf:resource="http://example.org/ann"/><ex:age rdf:datatype="{XSD.integer}">007</ex:age>
</rdf:Description></rdf:RDF>"""
DOCUMENTS = {"turtle": TURTLE, "nt": N_TRIPLES, "nq": N_QUADS, "trig": TRIG, "xml": XML}
RDFLIB_NAMES = {"nq": "nquads"}


def quads(dataset: Dataset) -> set:
    """Without the names of blank nodes."""
    return {tuple("_" if isinstance(t, BNode) else t for t in quad) for quad in dataset}


@pytest.mark.parametrize("syntax", DOCUMENTS)
def test_all_ways_of_reading_give_one_graph(syntax: str) -> None:
    text, found = DOCUMENTS[syntax], []
    for format in (RDFLIB_NAMES.get(syntax, syntax), f"rdfinc-{syntax}"):
        found.append(Dataset(RdfincStore(profile="none")))
        found[-1].parse(data=text, format=format)
    found.append(Dataset("default"))
    found[-1].parse(data=text, format=f"rdfinc-{syntax}")
    loaded = Dataset(RdfincStore(profile="none"))
    loaded.store.kb.load(text.encode(), format=syntax)
    for dataset in found:
        assert quads(dataset) == quads(loaded)
        assert (TOM, KNOWS, ANN) in default_graph(dataset)
    assert (syntax in ("nq", "trig")) == ((TOM, KNOWS, ANN) in loaded.graph(G1))


def test_lexical_forms_are_kept(plain: Graph) -> None:
    plain.parse(data=TURTLE, format="turtle")
    forms = {str(age) for age in plain.objects(TOM, EX.age)}
    assert forms == {"007", "1.50", "1e0", "true", "01"}


def test_other_stores_read_as_ever() -> None:
    graph = Graph().parse(data=TURTLE, format="turtle")
    assert Literal(7) in set(graph.objects(TOM, EX.age))


def test_prefixes_are_bound(plain: Graph) -> None:
    plain.parse(data="@prefix mine: <http://example.org/> . mine:tom mine:knows mine:ann .")
    assert dict(plain.namespaces())["mine"] == EX[""]
    assert "mine:tom" in plain.serialize()


@pytest.mark.parametrize("format", ["turtle", "rdfinc-turtle"])
def test_relative_iris(plain: Graph, format: str) -> None:
    plain.parse(data="<#a> <b> <> .", format=format, publicID="http://example.org/doc")
    doc = URIRef("http://example.org/doc")
    assert set(plain) == {(doc + "#a", EX.b, doc)}


def test_every_way_to_hand_a_document_over(tmp_path: Path) -> None:
    path = tmp_path / "tom.ttl"
    path.write_text(TURTLE)
    sources = [
        {"source": str(path)},
        {"source": path},
        {"location": path.as_uri()},
        {"data": TURTLE},
        {"data": TURTLE.encode()},
        {"source": io.BytesIO(TURTLE.encode()), "format": "turtle"},
        {"source": io.StringIO(TURTLE), "format": "turtle"},
        {"file": path.open("rb"), "format": "turtle"},
        {"file": path.open(), "format": "turtle"},
    ]
    for source in sources:
        graph = Graph(RdfincStore(profile="none")).parse(**source)
        assert len(graph) == 8, source


def test_a_file_is_one_update(graph: Graph) -> None:
    graph.add((ANN, KNOWS, TOM))
    graph.parse(data=TURTLE, format="turtle")
    assert len(graph.store.kb.explicit) == len(graph) == 9
    graph.rollback()
    assert len(graph) == 0


def test_documents_do_not_share_blank_nodes() -> None:
    one, two = (Graph(store="rdfinc").parse(data="_:a <x:p> [] .") for _ in range(2))
    assert isomorphic(one, two)
    assert not set(one) & set(two)
    assert len(one + two) == 2
    one.parse(data="_:a <x:p> [] .")
    assert len(one) == 2


def test_a_malformed_document_is_rdflibs_error_and_adds_nothing(plain: Graph) -> None:
    plain.add((ANN, KNOWS, TOM))
    with pytest.raises(BadSyntax):
        plain.parse(data=TURTLE + "ex:tom ex:knows .", format="turtle")
    assert set(plain) == {(ANN, KNOWS, TOM)}


def test_the_rdfinc_formats_tell_the_line() -> None:
    for store in ("rdfinc", "default"):
        graph = Graph(store)
        with pytest.raises(DataSyntaxError, match="line 3"):
            graph.parse(data=TURTLE + "ex:tom ex:knows .", format="rdfinc-turtle")
        assert len(graph) == 0


def test_documents_that_only_rdflib_accepts_are_read(plain: Graph) -> None:
    plain.parse(data=f'<x:s> <x:p with space> "01"^^<{XSD.integer}> .', format="turtle")
    assert [str(o) for o in plain.objects()] == ["01"]


def test_options_of_rdflibs_parsers_work(plain: Graph) -> None:
    shared: dict = {}
    plain.parse(data="_:a <x:p> <x:o> .", format="nt", bnode_context=shared)
    assert list(plain.subjects()) == list(shared.values())


def test_notation3(graph: Graph) -> None:
    graph.parse(
        data="@prefix : <http://example.org/> . { ?x a :Cat } => { ?x a :Animal } . :tom a :Cat .",
        format="n3",
    )
    assert len(graph) == 2
    (formula,) = (s for s in graph.subjects() if not isinstance(s, URIRef))
    assert len(formula) == 1
    assert (TOM, None, EX.Animal) not in graph
    assert "} => {" in graph.serialize(format="n3")
