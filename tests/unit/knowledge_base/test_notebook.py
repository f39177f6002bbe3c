"""What notebooks and `str` show, and the short ways to ask."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as ET
from base64 import b64encode

import pytest
from rdflib import RDF, RDFS, Dataset, Graph, URIRef
from small_bases import loaded

from rdfinc import KnowledgeBase, TermError
from rdfinc.datalog.drawing.svg import LETTER
from rdfinc.knowledge_base.explanations.proof_picture import ENDS, FOLDED

SVG = "{http://www.w3.org/2000/svg}"

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


def test_a_long_text_is_cut_in_a_table_and_told_by_its_length() -> None:
    kb = KnowledgeBase("none")
    kb.update(insert=[("<a:s>", "<a:p>", f'"{"x" * 1_000_000}"@en')])
    found = kb.query("SELECT ?x { ?s ?p ?x }")
    for shown in (found._repr_html_(), kb._repr_html_()):
        assert len(shown) < 5_000
        assert "xxx…" in shown and "xxx&quot;@en (1,000,005 letters)" in shown
    assert "x" * 1_000_000 in str(found)


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
    assert "white-space: pre-wrap" in proof._repr_html_(), "what is stated stands apart"
    kb.update(insert=[("<http://e/x>", f"<{RDF.type}>", "<http://www.w3.org/2002/07/owl#Nothing>")])
    assert (
        repr(proof)
        == "<Proof of :louvre :locatedIn :france: by prp-trp, 4 steps; print() shows it>"
    )
    assert repr(proof.premises[0]).endswith("owl:TransitiveProperty: stated; print() shows it>")
    missing = kb.why_not((":europe", ":locatedIn", ":louvre"))
    assert repr(kb.why_not(proof.fact)).endswith(":france is there; print() shows why>")
    assert ":europe :locatedIn :louvre is not stated, and does not follow;" in repr(missing)
    assert "1 by cls-nothing2" in text_of(kb.violations()._repr_html_())
    rows = kb.query("SELECT ?x ?y WHERE { ?x :locatedIn ?y OPTIONAL { ?x :none ?z } } ORDER BY ?x")
    assert "?x ?y :louvre" in text_of(rows._repr_html_())
    assert repr(rows) == "<SELECT: ?x ?y; print() shows the first rows>"
    assert repr(kb.query("ASK { :louvre :locatedIn :france }")) == "<ASK: true>"


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
    with pytest.raises(TermError, match=r"'owls:sameAs': no prefix owls: is known; .* mean owl:\?"):
        kb.explain((":paris", "owls:sameAs", ":france"))
    with pytest.raises(TermError, match=r"no prefix geography: is known; those of files"):
        kb.explain((":paris", "geography:in", ":france"))


def test_whether_it_is_consistent_and_graphs_over_it(kb: KnowledgeBase) -> None:
    assert kb.is_consistent
    graph, dataset = kb.graph(), kb.dataset()
    assert isinstance(graph, Graph) and isinstance(dataset, Dataset)
    assert graph.kb is graph.store.kb is dataset.kb is dataset.store.kb is kb
    graph.add((URIRef("http://e/x"), RDF.type, URIRef("http://www.w3.org/2002/07/owl#Nothing")))
    told = r"contradicts itself .*\n  1 by cls-nothing2 .*\n    from\n      :x rdf:type owl:Nothing"
    with pytest.warns(UserWarning, match=told):
        assert not kb.is_consistent
    assert len(dataset) == len(graph) == len(kb) == 7


def test_rows_and_load_reports_as_text(kb: KnowledgeBase) -> None:
    rows = kb.query("SELECT ?x ?y { ?x :locatedIn :france OPTIONAL { ?x :none ?y } } ORDER BY ?x")
    assert str(rows) == "?x ?y\n:louvre \n:paris "
    many = KnowledgeBase("none")
    told = many.load(b"".join(b"<urn:%d> a <urn:c> .\n" % n for n in range(25)), format="turtle")
    assert str(many.query("SELECT ?x { ?x a <urn:c> }")).endswith("\n… and 5 more")
    assert str(told).startswith("<data>: 25 triples, 25 of them new, in ")


def test_a_delta_tells_of_contradictions() -> None:
    kb = KnowledgeBase()
    kb.bind("", "http://e/")
    kb.update(insert=[(":Cat", "owl:disjointWith", ":Dog"), (":tom", "a", ":Cat")])
    assert repr(kb) == "<KnowledgeBase owl2rl: 2 facts, 2 stated>"
    fact = (":tom", "a", ":Dog")
    came, went = kb.update(insert=[fact]), kb.update(delete=[fact])
    assert str(came).endswith("\n1 came, 0 went; contradictions came: kb.violations() tells them")
    assert str(went).endswith("\n0 came, 1 went; contradictions went")
    assert text_of(went._repr_html_()).startswith("contradictions went")
    assert str(kb.update(insert=[(":tim", "a", ":Cat")])).endswith("\n1 came, 0 went")
    for delta, counts in ((came, (1, 0)), (went, (0, 1)), (came.then(went), (1, 1))):
        report = delta.report
        assert (report.contradictions_came, report.contradictions_went) == counts
    kb.update(insert=[fact])
    assert repr(kb) == "<KnowledgeBase owl2rl: 4 facts, 4 stated, with contradictions>"


def test_answers_of_all_forms(kb: KnowledgeBase) -> None:
    assert str(kb.query("ASK { :louvre :locatedIn :france }")) == "true"
    assert text_of(kb.query("ASK { :louvre :locatedIn :asia }")._repr_html_()) == "false"
    for text in ("CONSTRUCT WHERE { :louvre :locatedIn :france }", "DESCRIBE :france"):
        assert str(kb.query("CONSTRUCT WHERE { ?x :size ?y }")) == ":paris :size 105"
        assert "subject predicate object" in text_of(kb.query(text)._repr_html_())


def test_views(kb: KnowledgeBase) -> None:
    assert str(kb.derived) == ":louvre :locatedIn :france"
    assert "subject predicate object :louvre :locatedIn :france" in text_of(
        kb.derived._repr_html_()
    )


def test_a_report_sizes_and_what_is_not_there(kb: KnowledgeBase) -> None:
    report = kb.load(b"<http://e/a> <http://e/p> <http://e/b> .", format="nt")
    assert "1 triples, 1 of them new" in text_of(report._repr_html_())
    sizes = kb.stats()
    assert ":locatedIn 3 2" in text_of(sizes._repr_html_()) and "facts 7" in text_of(
        sizes._repr_html_()
    )
    assert pickle.loads(pickle.dumps(sizes)) == sizes == dict(sizes)
    lacking = kb.why_not((":paris", ":locatedIn", ":louvre"))
    assert ":paris :locatedIn :louvre is not stated" in " ".join(
        text_of(lacking._repr_html_()).split()
    )
    plan = kb.query("SELECT * { ?x :locatedIn ?y }", explain=True)
    assert "?x <http://e/locatedIn> ?y" in text_of(plan._repr_html_())


def test_unused_axioms_come_first() -> None:
    kb = loaded(":A rdfs:subClassOf :B ; rdfs:subclassOf :C .")
    found = kb.report()
    assert [axiom.status for axiom in found] == ["used", "ignored"]
    assert str(found).splitlines() == [str(axiom) for axiom in found]
    shown = text_of(found._repr_html_())
    assert shown.index("rdfs:subclassOf") < shown.index("A ⊑ B")


def test_a_proof_and_a_contradiction_have_pictures(kb: KnowledgeBase) -> None:
    proof = kb.explain((":louvre", ":locatedIn", ":france"))
    assert b64encode(proof.to_svg().encode()).decode() in proof._repr_html_()
    kb.update(insert=[(":locatedIn", "a", "owl:AsymmetricProperty")])
    kb.update(insert=[(":paris", ":locatedIn", ":louvre")])
    found = kb.violations()
    for place, violation in enumerate(found):
        texts = [each.text or "" for each in ET.fromstring(found.to_svg(place)).iter()]
        assert "a contradiction" in texts and any(violation.rule in each for each in texts)
    with pytest.raises(IndexError):
        found.to_svg(len(found))
    assert found._repr_svg_() == found.to_svg() and proof._repr_svg_() == proof.to_svg()
    kb.update(delete=[(":paris", ":locatedIn", ":louvre")])
    assert found._repr_svg_() is None and kb.violations()._repr_svg_() is None
    with pytest.raises(ValueError, match="no such contradiction any more"):
        found.to_svg()


def test_a_long_path_is_folded_in_its_picture() -> None:
    steps = " ".join(f":x{i} :in :x{i + 1} ." for i in range(FOLDED))
    kb = loaded(f":in a owl:TransitiveProperty . {steps} :x0 :in :y . :y :in :z .")
    long, short = (kb.explain((":x0", ":in", f":x{end}")) for end in (FOLDED, FOLDED - 1))
    tree = ET.fromstring(long.to_svg())
    boxes = [group[1].tag and group.findtext(f"{SVG}text") for group in tree.iter(f"{SVG}g")]
    between = FOLDED - 2 * ENDS
    assert f"… {between} more steps …" in boxes and len(boxes) == 2 + 2 * ENDS + 1
    (folded,) = (
        group.findtext(f"{SVG}title")
        for group in tree.iter(f"{SVG}g")
        if "more steps" in (group.findtext(f"{SVG}text") or "")
    )
    assert folded.splitlines() == [f":x{i} :in :x{i + 1}" for i in range(ENDS, FOLDED - ENDS)]
    assert "more steps" not in short.to_svg()
    assert str(long).count(":in :x") == 1 + FOLDED, "the text has all of them"


EXPRESSIONS = """
:Mother owl:equivalentClass [ owl:intersectionOf (:Woman [ owl:onProperty :child ;
    owl:someValuesFrom owl:Thing ]) ] ; rdfs:label "mother" .
:uncle owl:propertyChainAxiom (:parent :brother) ; rdfs:label "has as uncle" .
:child a owl:ObjectProperty . :ann a :Woman ; :child :bob .
:bob :parent :ann . :ann :brother :carl .
:carl <http://www.w3.org/2004/02/skos/core#prefLabel> "C" .
"""


def test_class_expressions_and_lists_are_written_out() -> None:
    kb = loaded(EXPRESSIONS)
    proof = str(kb.explain((":ann", "a", ":Mother")))
    assert "owl:equivalentClass (:Woman ⊓ ∃:child.owl:Thing)   stated" in proof
    assert ":ann rdf:type (:Woman ⊓ ∃:child.owl:Thing)   by cls-int1" in proof
    assert "_:" not in proof
    chain = str(kb.explain((":bob", ":uncle", ":carl")))
    assert ":uncle owl:propertyChainAxiom (:parent :brother)   stated" in chain
    assert "(:Woman ⊓ ∃:child.owl:Thing)" in str(kb.why_not((":bob", "a", ":Mother")))


def test_deltas_and_views_write_class_expressions_out() -> None:
    kb = loaded(EXPRESSIONS)
    axiom = ":Mother owl:equivalentClass (:Woman ⊓ ∃:child.owl:Thing)"
    assert axiom in str(kb.explicit).splitlines() and axiom in text_of(kb._repr_html_())
    more = b"@prefix : <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
    delta = kb.load(
        more + b":Male owl:complementOf [ owl:complementOf :Male ] .", format="ttl"
    ).delta
    assert "+ :Male owl:complementOf ¬:Male" in str(delta).splitlines()
    assert ":Male owl:complementOf ¬:Male" in text_of(delta._repr_html_())


def test_labels_where_they_are_asked_for() -> None:
    kb = loaded(EXPRESSIONS)
    chain = kb.explain((":bob", ":uncle", ":carl"), labels=True)
    assert chain.text == ":bob 'has as uncle' C"
    assert [each.text for each in kb.explain((":bob", ":uncle", ":carl"), all=True, labels=True)]
    assert str(kb.why_not((":bob", "a", ":Mother"), labels=True)).startswith(":bob rdf:type mother")
    assert "uncle" not in chain.text.replace("has as uncle", "")


LONG, TURNED = "x" * 20_000, r"\u202Egnp\u2028\u0001\nmore"
HOSTILE = [
    ("<http://e/a>", "<http://e/note>", f'"{LONG}"'),
    ("<http://e/b>", f"<{RDFS.label}>", f'"{TURNED}"'),
    ("<http://e/B>", f"<{RDFS.label}>", f'"{LONG}"'),
    ("<http://e/B>", f"<{RDFS.subClassOf}>", "<http://e/C>"),
    ("<http://e/b>", f"<{RDF.type}>", "<http://e/B>"),
]  # fmt: skip


@pytest.fixture
def hostile() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.update(insert=HOSTILE)
    kb.add_rules("[?x, <http://e/copy>, ?y] :- [?x, <http://e/note>, ?y] .")
    return kb


def test_pictures_have_room_for_no_long_terms(hostile: KnowledgeBase) -> None:
    proof = hostile.explain(("<http://e/a>", "<http://e/copy>", f'"{LONG}"'))
    tree = hostile.class_tree(labels=True)
    for drawn in map(ET.fromstring, (proof.to_svg(), tree.to_svg())):
        assert float(drawn.get("width")) < 1000
        assert any(LONG in title.text for title in drawn.iter(f"{SVG}title"))
    assert LONG not in text_of(proof._repr_html_()) and LONG in str(proof)


def test_what_turns_or_ends_a_line_is_shown_as_a_code(hostile: KnowledgeBase) -> None:
    proof = hostile.explain(("<http://e/b>", "a", "<http://e/C>"), labels=True)
    assert str(proof).count("\n") == 2
    for shown in (proof._repr_html_(), proof.to_svg(), hostile._repr_html_()):
        text = text_of(shown)
        assert r"\u202Egnp\u2028" in text and not {*"\u202e\u2028\x01"} & {*text}
    assert r"\u202Egnp\u2028\u0001\nmore" in text_of(proof.to_svg())


def test_a_picture_without_classes_says_so() -> None:
    assert "no classes" in text_of(KnowledgeBase().class_tree().to_svg())


def test_a_picture_of_no_contradiction(kb: KnowledgeBase) -> None:
    with pytest.raises(IndexError, match="no contradiction has the number 0: there is none"):
        kb.violations().to_svg()


def test_letters_of_east_asia_have_room_in_their_box() -> None:
    def widest(word: str) -> float:
        kb = loaded(f':p rdfs:subPropertyOf :q . :a :p "{word * 20}" .')
        (fact,) = kb.triples((None, ":q", None))
        boxes = ET.fromstring(kb.explain(fact).to_svg()).findall(f"{SVG}g/{SVG}rect")
        return max(float(box.get("width") or "") for box in boxes)

    assert widest("日") - widest("e\u0301") == pytest.approx(20 * LETTER, abs=0.3)


def test_a_wide_picture_is_moved_along_and_not_made_small(kb: KnowledgeBase) -> None:
    shown = kb.explain((":louvre", ":locatedIn", ":france"))._repr_html_()
    assert "overflow-x: auto" in shown and "max-width: 100%" not in shown


def test_no_rows(kb: KnowledgeBase) -> None:
    shown = text_of(kb.query("SELECT ?x { ?x :none ?y }")._repr_html_())
    assert shown == "?x no rows"
