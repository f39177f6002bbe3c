"""What notebooks and `str` show, and the short ways to ask."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest
from rdflib import RDF, Dataset, Graph, URIRef
from small_bases import loaded

from rdfinc import KnowledgeBase, TermError

DATA = """
:locatedIn a owl:TransitiveProperty .
:louvre :locatedIn :paris . :paris :locatedIn :france ; :size 105 ; rdfs:label "<b>&\\n" .
"""


@pytest.fixture
def kb() -> KnowledgeBase:
    return loaded(DATA)


def text_of(html: str) -> str:
    """The text of what is well-formed."""
    return " ".join(ET.fromstring(f"<div>{html}</div>").itertext())


def test_a_knowledge_base(kb: KnowledgeBase) -> None:
    shown = text_of(kb._repr_html_())
    assert "KnowledgeBase owl2rl: 6 facts, 5 stated, 1 derived" in shown
    assert ":louvre :locatedIn :france" in shown and '"<b>&\\n"' in shown
    assert '<a href="http://e/louvre"' in kb._repr_html_()
    kb.update(insert=[(f"<http://e/{i}>", "<http://e/p>", f'"{"x" * 500}"') for i in range(50)])
    assert "… and 36 more" in text_of(kb._repr_html_())
    assert "x" * 200 not in text_of(kb._repr_html_())


def test_a_link_is_of_the_web_only() -> None:
    kb = KnowledgeBase("none")
    kb.update(insert=[("<javascript:alert(1)>", "<a:p>", "<a:b>")])
    assert "href" not in kb._repr_html_()


def test_a_delta(kb: KnowledgeBase) -> None:
    delta = kb.update(
        delete=[("<http://e/paris>", "<http://e/locatedIn>", "<http://e/france>")],
        insert=[("<http://e/louvre>", f"<{RDF.type}>", "<http://e/Museum>")],
    )
    assert str(delta).splitlines() == [
        "+ :louvre rdf:type :Museum",
        "- :louvre :locatedIn :france",
        "- :paris :locatedIn :france",
        "1 came, 2 went",
    ]
    assert "2 went" in text_of(delta._repr_html_())
    assert str(delta.added) == ":louvre rdf:type :Museum"
    many = kb.update(insert=[(f"<http://e/{i}>", "<a:p>", "<a:b>") for i in range(30)])
    assert "+ … and 10 more" in str(many)


def test_a_proof_contradictions_and_rows(kb: KnowledgeBase) -> None:
    proof = kb.explain((":louvre", ":locatedIn", ":france"))
    assert "by prp-trp (two steps of a transitive property" in text_of(proof._repr_html_())
    kb.update(insert=[("<http://e/x>", f"<{RDF.type}>", "<http://www.w3.org/2002/07/owl#Nothing>")])
    assert "1 by cls-nothing2" in text_of(kb.violations()._repr_html_())
    rows = kb.query("SELECT ?x ?y WHERE { ?x :locatedIn ?y OPTIONAL { ?x :none ?z } } ORDER BY ?x")
    assert "?x ?y :louvre" in text_of(rows._repr_html_())


def test_terms_by_prefix_and_numbers(kb: KnowledgeBase) -> None:
    assert kb.explain((":louvre", ":locatedIn", ":france")).rule == "prp-trp"
    assert kb.explain((":paris", ":size", 105)).explicit
    assert kb.explain((":locatedIn", "a", "owl:TransitiveProperty")).explicit
    assert kb.explain((URIRef("http://e/louvre"), ":locatedIn", ":paris")).explicit
    assert ":paris :locatedIn :asia   is not stated" in str(
        kb.why_not((":paris", ":locatedIn", ":asia"))
    )
    with pytest.raises(TermError, match=r"'louvre' is no term; write prefix:name"):
        kb.explain(("louvre", ":locatedIn", ":france"))


def test_whether_it_is_consistent_and_graphs_over_it(kb: KnowledgeBase) -> None:
    assert kb.is_consistent
    graph, dataset = kb.graph(), kb.dataset()
    assert isinstance(graph, Graph) and isinstance(dataset, Dataset)
    assert graph.kb is graph.store.kb is dataset.kb is dataset.store.kb is kb
    graph.add((URIRef("http://e/x"), RDF.type, URIRef("http://www.w3.org/2002/07/owl#Nothing")))
    with pytest.warns(UserWarning, match="contradicts itself"):
        assert not kb.is_consistent
    assert len(dataset) == len(graph) == len(kb) == 7


def test_rows_and_load_reports_as_text(kb: KnowledgeBase) -> None:
    rows = kb.query("SELECT ?x ?y { ?x :locatedIn :france OPTIONAL { ?x :none ?y } } ORDER BY ?x")
    assert str(rows) == "?x ?y\n:louvre \n:paris "
    many = KnowledgeBase("none")
    told = many.load(b"".join(b"<urn:%d> a <urn:c> .\n" % n for n in range(25)), format="turtle")
    assert str(many.query("SELECT ?x { ?x a <urn:c> }")).endswith("\n… and 5 more")
    assert str(told).startswith("<data>: 25 triples, 25 of them new, in ")
