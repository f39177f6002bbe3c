"""A knowledge base keeps what DESIGN promises of it, beyond the laws."""

from __future__ import annotations

import copy
import gzip
import pickle
import re
from pathlib import Path

import pytest
from rdflib import RDF, RDFS, XSD, BNode, Graph, Literal, Namespace, URIRef

import rdfinc
from rdfinc import KnowledgeBase
from rdfinc.reasoning.program import cost_model

EX = Namespace("http://example.org/")
OWL = Namespace("http://www.w3.org/2002/07/owl#")
AXIOM = (EX.Dog, RDFS.subClassOf, EX.Animal)
FACT = (EX.rex, RDF.type, EX.Dog)
DERIVED = (EX.rex, RDF.type, EX.Animal)


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.update(insert=[AXIOM, FACT])
    return kb


def test_terms_come_in_three_forms_and_out_as_rdflib_terms(kb: KnowledgeBase) -> None:
    pyoxigraph = pytest.importorskip("pyoxigraph")
    rex = pyoxigraph.NamedNode(str(EX.rex))
    assert (rex, RDF.type, f"<{EX.Animal}>") in kb
    assert list(kb.triples((EX.rex, None, EX.Animal))) == [DERIVED]
    (one,), (two,) = kb.triples((None, RDF.type, EX.Dog)), kb.triples((EX.rex, None, EX.Dog))
    assert one[0] is two[0]


@pytest.mark.parametrize("literal", [Literal("01", datatype=XSD.integer, normalize=False)])
def test_lexical_forms_are_kept(kb: KnowledgeBase, literal: Literal) -> None:
    kb.update(insert=[(EX.rex, EX.age, literal), (EX.rex, EX.age, Literal(1))])
    assert {str(o) for _, _, o in kb.triples((EX.rex, EX.age, None))} == {"01", "1"}


def test_facts_inserted_and_deleted_end_up_explicit_and_nothing_is_counted_twice(
    kb: KnowledgeBase,
) -> None:
    delta = kb.update(insert=[FACT, (EX.a, EX.b, EX.c)], delete=[FACT, (EX.x, EX.y, EX.z)])
    assert FACT in kb.explicit
    assert list(delta.added) == [(EX.a, EX.b, EX.c)] and not len(delta.removed)
    assert delta.report.ignored == 3  # one there, kept by the insertion; one not there


def test_deleting_what_also_follows_makes_it_derived(kb: KnowledgeBase) -> None:
    kb.update(insert=[DERIVED])
    delta = kb.update(delete=[DERIVED])
    assert not delta
    assert DERIVED in kb.derived and DERIVED not in kb.explicit and DERIVED in kb


def test_readers_stay_with_their_version(kb: KnowledgeBase) -> None:
    seen, explicit, delta = kb.triples(), kb.explicit, kb.update(insert=[(EX.a, EX.b, EX.c)])
    kb.update(delete=[FACT])
    assert len(list(seen)) == 3 and len(explicit) == 2
    assert list(delta.added) == [(EX.a, EX.b, EX.c)]
    assert len(kb) == 2


def test_changing_while_iterating(kb: KnowledgeBase) -> None:
    for triple in kb:
        kb.update(delete=[triple])
    assert len(kb) == 0


@pytest.mark.parametrize(
    "twin", [lambda kb: kb.copy(), copy.deepcopy, lambda kb: pickle.loads(pickle.dumps(kb))]
)
def test_copies_are_equal_and_independent(kb: KnowledgeBase, twin) -> None:
    kb.bind("", str(EX))
    kb.add_rules("[?x, :is, ?c] :- [?x, a, ?c] .")
    reader = kb.triples()
    other = twin(kb)
    assert set(other) == set(kb) and other.program == kb.program
    other.update(delete=[FACT])
    kb.update(insert=[(EX.tom, RDF.type, EX.Dog)])
    assert (EX.tom, EX["is"], EX.Animal) in kb and (EX.tom, EX["is"], EX.Animal) not in other
    assert FACT in kb and FACT not in other
    assert len(list(reader)) == 5
    other.remove_rules("[?y, :is, ?d] :- [?y, a, ?d] .")
    assert len(other.program) == 0 and len(kb.program) == 1
    other._check()
    kb._check()


def test_a_violation_is_kept_and_goes_with_its_facts(kb: KnowledgeBase) -> None:
    kb.update(insert=[(EX.Dog, OWL.disjointWith, EX.Cat), (EX.rex, RDF.type, EX.Cat)])
    (violation,) = kb.violations()
    assert violation.rule == "cax-dw"
    assert set(violation.facts) == {
        (EX.Dog, OWL.disjointWith, EX.Cat),
        FACT,
        (EX.rex, RDF.type, EX.Cat),
    }
    kb.update(delete=[FACT])
    assert not kb.violations()


def test_a_refused_update_changes_nothing() -> None:
    kb = KnowledgeBase(on_violation="raise")
    kb.update(insert=[AXIOM, FACT, (EX.Dog, OWL.disjointWith, EX.Cat)])
    before, explicit = set(kb), set(kb.explicit)
    with pytest.raises(rdfinc.ViolationError) as caught:
        kb.update(insert=[(EX.rex, RDF.type, EX.Cat), (EX.new, EX.p, EX.q)], delete=[AXIOM])
    assert caught.value.violations[0].rule == "cax-dw"
    assert set(kb) == before and set(kb.explicit) == explicit
    kb._check()


def test_a_contradiction_of_a_users_rule_carries_its_name(kb: KnowledgeBase) -> None:
    kb.bind("", str(EX))
    kb.add_rules('@rule tame "no dog barks" .\nfalse :- :Dog[?x], [?x, :barks, true] .')
    kb.update(insert=[(EX.rex, EX.barks, Literal(True))])
    (violation,) = kb.violations()
    assert violation.rule == "tame" and FACT in violation.facts


def test_rules_are_a_set_up_to_names_and_order(kb: KnowledgeBase) -> None:
    kb.bind("", str(EX))
    kb.add_rules("[?x, :p, ?z] :- [?x, :q, ?y], [?y, :r, ?z] .")
    kb.add_rules("[?a, :p, ?c] :- [?b, :r, ?c], [?a, :q, ?b] .")
    assert len(kb.program) == 1
    with pytest.raises(rdfinc.UnknownRuleError):
        kb.remove_rules("[?x, :p, ?z] :- [?x, :q, ?z] .")
    kb.remove_rules("[?a, :p, ?c] :- [?b, :r, ?c], [?a, :q, ?b] .")
    assert len(kb.program) == 0


def test_the_program_parses_back(kb: KnowledgeBase) -> None:
    kb.bind("", str(EX))
    kb.add_rules(
        '[?x, a, :Old] :- [?x, :age, ?n], FILTER(?n > 9) . [?x, :t, "a\\"b"] :- :Old[?x] .'
    )
    other = KnowledgeBase()
    other.add_rules(str(kb.program))
    assert other.program == kb.program


def test_facts_about_class_expressions_and_literals_are_shown_only_as_stated(
    kb: KnowledgeBase,
) -> None:
    node = BNode("r")
    kb.update(
        insert=[
            (node, OWL.onProperty, EX.eats),
            (node, OWL.someValuesFrom, OWL.Thing),
            (EX.eats, RDFS.range, EX.Food),
            (EX.rex, EX.eats, Literal("bone")),
            (EX.rex, OWL.sameAs, EX.rex),
        ]
    )
    assert (EX.rex, RDF.type, node) not in kb  # derived, about a class expression
    assert not [s for s, _, _ in kb if isinstance(s, Literal)]
    assert (EX.rex, OWL.sameAs, EX.rex) in kb  # stated
    kb.update(insert=[(EX.rex, RDF.type, node)])
    assert (EX.rex, RDF.type, node) in kb
    delta = kb.update(delete=[(EX.rex, RDF.type, node)])
    assert list(delta.removed) == [(EX.rex, RDF.type, node)]
    assert len(kb) == len(list(kb))


def test_reserved_graphs_are_refused(kb: KnowledgeBase) -> None:
    for name in ("urn:rdfinc:explicit", "urn:rdfinc:derived"):
        with pytest.raises(rdfinc.ReservedGraphError):
            kb.update(insert=[(*FACT, URIRef(name))])


@pytest.mark.parametrize("option", ["profile", "storage", "maintenance", "on_violation"])
def test_an_unknown_option_names_those_there_are(option: str) -> None:
    with pytest.raises(ValueError, match=r"there are '"):
        KnowledgeBase(**{option: "unheard of"})


def test_load_reports_and_a_malformed_file_changes_nothing(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    (tmp_path / "a.nt").write_text(f"<{EX.a}> <{EX.p}> <{EX.b}> .\n" * 2)
    with gzip.open(tmp_path / "b.nt.gz", "wt") as file:
        file.write(f"<{EX.c}> <{RDF.type}> <{EX.Dog}> .\n")
    (tmp_path / "r.dlog").write_text(f"[?y, <{EX.q}>, ?x] :- [?x, <{EX.p}>, ?y] .")
    report = kb.load(tmp_path / "*.nt*", str(tmp_path / "r.dlog"))
    assert (report.triples, report.added, report.skipped, len(report.files)) == (3, 2, 0, 3)
    assert (EX.b, EX.q, EX.a) in kb and (EX.c, RDF.type, EX.Animal) in kb
    before = set(kb)
    (tmp_path / "bad.nt").write_text(f"<{EX.d}> <{EX.p}> <{EX.b}> .\n<{EX.d}> oops .\n")
    with pytest.raises(rdfinc.DataSyntaxError) as caught:
        kb.load(tmp_path / "a.nt", tmp_path / "bad.nt")
    assert caught.value.line == 2 and "bad.nt" in str(caught.value)
    assert set(kb) == before
    report = kb.load(tmp_path / "bad.nt", strict=False)
    assert (report.added, report.skipped) == (1, 1) and "line 2" in report.problems[0]


def test_imports_are_reported_or_resolved(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(f"<{EX.o}> <{OWL.imports}> <{EX.other}> .")
    (tmp_path / "other.ttl").write_text(f"<{EX.Dog}> <{RDFS.subClassOf}> <{EX.Animal}> .")
    kb = KnowledgeBase()
    assert kb.load(tmp_path / "o.ttl").imports == (str(EX.other),)
    report = kb.load(tmp_path / "o.ttl", imports={str(EX.other): tmp_path / "other.ttl"})
    assert report.imports == () and AXIOM in kb


def test_axioms_that_are_not_used_are_listed(tmp_path: Path) -> None:
    (tmp_path / "o.ttl").write_text(
        f"<{EX.Dog}> <{RDFS.subClassOf}> [ <{OWL.onProperty}> <{EX.eats}> ;"
        f" <{OWL.someValuesFrom}> <{EX.Food}> ] ."
    )
    (axiom,) = KnowledgeBase().load(tmp_path / "o.ttl").axioms
    assert "Dog" in axiom and "eats" in axiom


@pytest.mark.parametrize("name", ["out.nt.gz", "out.nq", "out.ttl", "out.trig", "out.rdf"])
@pytest.mark.parametrize("what", ["all", "explicit", "derived"])
def test_dump_and_load_back(kb: KnowledgeBase, tmp_path: Path, name: str, what: str) -> None:
    kb.dump(tmp_path / name, what=what)
    other = KnowledgeBase(profile="none")
    other.load(tmp_path / name)
    view = {"all": kb, "explicit": kb.explicit, "derived": kb.derived}[what]
    assert set(other) == set(view)


def test_a_graph_can_be_handed_in(kb: KnowledgeBase) -> None:
    graph = Graph()
    graph.add((EX.tom, RDF.type, EX.Dog))
    assert len(kb.update(insert=graph).added) == 2


def test_explain(kb: KnowledgeBase) -> None:
    proof = kb.explain(DERIVED)
    assert proof is not None and proof.height == 1 and not proof.explicit
    assert {premise.fact for premise in proof.premises} == {AXIOM, FACT}
    assert "cax-sco" in str(proof) and "cax-sco" in proof.to_dot()
    assert len(Graph().parse(data=proof.to_turtle(), format="turtle")) > 5
    assert kb.explain((EX.rex, RDF.type, EX.Cat)) is None
    stated = kb.explain(FACT)
    assert stated is not None and stated.explicit


def test_stats(kb: KnowledgeBase) -> None:
    stats = kb.stats()
    assert (stats["facts"], stats["explicit"], stats["derived"]) == (3, 2, 1)
    assert stats["bytes"] > 0 and stats["relations"][f"<{RDF.type}>"]["facts"] == 2
    assert stats["terms"] == len({term for fact in kb.explicit for term in fact}) == 5
    assert stats["numbered_terms"] > 100, "those that the rules speak of have ids as well"
    assert (stats["rules"], stats["swrl_rules"]) == (0, 0) and stats["profile_rules"] > 100
    kb.add_rules(f"[?x, a, <{EX.Pet}>] :- <{EX.Animal}>[?x] .")
    assert kb.stats()["rules"] == 1 and rdfinc.KnowledgeBase("none").stats()["profile_rules"] == 0


def test_terms_that_only_derived_facts_have_are_not_counted_as_stated() -> None:
    kb = rdfinc.KnowledgeBase("none")
    kb.add_rules("[?x, <http://e/q>, 7] :- [?x, <http://e/p>, ?y] .")
    kb.update(insert=[("<http://e/a>", "<http://e/p>", "<http://e/b>")])
    assert kb.stats()["terms"] == 3 and len(kb.derived) == 1
    kb.update(delete=[("<http://e/a>", "<http://e/p>", "<http://e/b>")])
    assert kb.stats()["terms"] == 0


def test_a_proof_shows_a_shared_premise_once(kb: KnowledgeBase) -> None:
    kb.bind("", str(EX))
    kb.add_rules("[?x, a, :Pet] :- :Animal[?x] . [?x, :is, ?x] :- :Pet[?x], :Animal[?x] .")
    text = str(kb.explain((EX.rex, EX["is"], EX.rex)))
    assert text.count("as above") == 1 and text.count("cax-sco (") == 1


def test_a_proof_tells_a_rule_in_words_where_it_comes_first(kb: KnowledgeBase) -> None:
    kb.bind("", str(EX))
    kb.add_rules("""
        @rule keeps "\\"pets\\" are kept" . [?x, :kept, ?x] :- :Animal[?x] .
        @rule keeps "pets are kept" . [?x, :liked, ?x] :- [?x, :fed, ?x] .
        [?x, :fed, ?x] :- [?x, :kept, ?x] .
        @rule loved . [?x, :loved, ?x] :- [?x, :liked, ?x], [?x, :kept, ?x] .
    """)
    proof = kb.explain((EX.rex, EX.loved, EX.rex))
    rules = re.findall("   (by .* from)", str(proof))
    assert rules == [
        "by loved from",
        "by keeps (pets are kept) from",
        "by keeps from",
        'by keeps ("pets" are kept) from',
        "by cax-sco (what belongs to a class belongs to those above it) from",
    ]
    assert proof.meaning == "" and proof.premises[0].meaning == "pets are kept"
    assert 'tooltip="\\"pets\\" are kept"' in proof.to_dot()
    assert "&quot;pets&quot; are kept" in proof.to_svg()


def test_why_not_tells_rules_in_words(kb: KnowledgeBase) -> None:
    kb.bind("", str(EX))
    kb.add_rules('@rule keeps "pets are kept" . [?x, :kept, ?x] :- :Pet[?x] .')
    assert "by keeps (pets are kept)" in str(kb.why_not((EX.rex, EX.kept, EX.rex)))


def test_a_pattern_has_three_terms(kb: KnowledgeBase) -> None:
    with pytest.raises(rdfinc.TermError, match="None for anything"):
        kb.triples((EX.rex, None))


@pytest.mark.parametrize("way", ["bf", "dred", "rematerialise"])
def test_a_report_tells_what_auto_has_chosen(
    kb: KnowledgeBase, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = [] if way == "rematerialise" else [way]
    monkeypatch.setattr(cost_model.Habit, "others", lambda _: tried)
    delta = kb.update(delete=[FACT])
    assert DERIVED in delta.removed and delta.report.strategy == way


def test_contradictions_are_told_with_what_their_rule_means():
    kb = KnowledgeBase()
    kb.add_rules(
        '@prefix : <urn:x:> . @rule grown "nobody is both" . false :- :Adult[?x], :Child[?x] .'
        " @rule plain . false :- :A[?x], :Child[?x] ."
    )
    type_ = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    kb.update(insert=[("<urn:x:a>", type_, f"<urn:x:{name}>") for name in ("Adult", "Child", "A")])
    told = sorted(str(violation) for violation in kb.copy().violations())
    assert [each.split(": [")[0] for each in told] == ["grown (nobody is both)", "plain"]
    assert {violation.rule for violation in kb.violations()} == {"grown", "plain"}


@pytest.mark.parametrize(
    ("value", "term"),
    [
        (7, '"7"^^xsd:integer'),
        (True, '"true"^^xsd:boolean'),
        (0.5, '"0.5"^^xsd:double'),
        (float("-inf"), '"-INF"^^xsd:double'),
        (float("nan"), '"NaN"^^xsd:double'),
    ],
)
def test_numbers_are_literals_where_facts_are_expected(value: object, term: str) -> None:
    kb = KnowledgeBase()
    fact = "<urn:s>", "<urn:p>", term.replace("xsd:", "<http://www.w3.org/2001/XMLSchema#") + ">"
    kb.update(insert=[(*fact[:2], value)])
    assert fact in kb and (*fact[:2], value) in kb and len(list(kb.explicit)) == 1
    assert kb.is_consistent
    [delta] = kb.stream([([(*fact[:2], value)], [])])
    assert len(delta.removed) == 1 and not len(kb.explicit)
    with pytest.raises(rdfinc.TermError, match="a subject is an IRI or a blank node"):
        kb.update(insert=[(value, *fact[1:])])


def test_texts_are_short_names_where_facts_are_expected(kb: KnowledgeBase) -> None:
    kb.bind("", str(EX))
    assert (":rex", "rdf:type", ":Animal") in kb and (":rex", "a", ":Animal") in kb.derived
    assert list(kb.triples((":rex", None, ":Animal"))) == [DERIVED]
    delta = kb.update(delete=[(":rex", "a", ":Dog")], insert=((":tom", ":is", '"a:b"'),))
    assert set(delta.added) == {(EX.tom, EX["is"], Literal("a:b"))} and FACT in delta.removed
    with pytest.raises(rdfinc.TermError, match="'no:rex' is no N-Triples term"):
        kb.update(insert=[("no:rex", "rdf:type", ":Dog")])
    [delta] = kb.stream([([(":rex", "a", ":Cat")], [(":rex", "a", ":Dog")])])
    assert FACT in delta.added


def test_a_long_proof_is_compared_copied_and_pickled() -> None:
    number = 2000
    kb = KnowledgeBase("none")
    kb.add_rules("[?y, <x:r>, ?z] :- [?x, <x:r>, ?z], [?x, <x:n>, ?y] .")
    steps = [(f"<x:{at}>", "<x:n>", f"<x:{at + 1}>") for at in range(number)]
    kb.update(insert=[*steps, ("<x:0>", "<x:r>", "<x:z>")])
    fact = f"<x:{number}>", "<x:r>", "<x:z>"
    proof = kb.explain(fact)
    assert proof is not None and proof.height == number
    for again in (pickle.loads(pickle.dumps(proof)), copy.deepcopy(proof), kb.explain(fact)):
        assert again == proof and hash(again) == hash(proof) and str(again) == str(proof)
    other = kb.explain((f"<x:{number - 1}>", "<x:r>", "<x:z>"))
    assert proof not in (other, None, 5)
