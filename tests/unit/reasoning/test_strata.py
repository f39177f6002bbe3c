"""Which relations are worked on before which, and what happens when that was wrong."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from rdfinc import KnowledgeBase, UnstratifiableError
from rdfinc.datalog.compile.relation_hypergraph import CLASS, Levels
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.signature import Signature
from rdfinc.tables.facts import batch_of, triples

RDF_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
SUB_CLASS = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
SUB_PROPERTY = "<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>"
DOMAIN = "<http://www.w3.org/2000/01/rdf-schema#domain>"
SAME = "<http://www.w3.org/2002/07/owl#sameAs>"


def ex(name: str) -> str:
    return f"<http://example.org/{name}>"


def level(kb: KnowledgeBase, s: str, p: str, o: str) -> int:
    _, predicate, object_ = (kb.dictionary.encode(term.encode()) for term in (s, p, o))
    return kb._engine.prepared_strata().strata.level(predicate, object_)


def university() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.update(
        insert=[
            (ex("Student"), SUB_CLASS, ex("Person")),
            (ex("takes"), DOMAIN, ex("Student")),
            (ex("ann"), ex("takes"), ex("maths")),
        ]
    )
    return kb


def test_the_schema_is_below_the_data() -> None:
    kb = university()
    schema = level(kb, ex("Student"), SUB_CLASS, ex("Person"))
    data = level(kb, ex("ann"), RDF_TYPE, ex("Student"))
    assert schema < data == level(kb, ex("ann"), ex("takes"), ex("maths"))


def test_only_changes_of_what_is_ordered_make_strata_anew() -> None:
    kb = university()
    before = kb._engine.prepared_strata().strata
    kb.update(insert=[(ex("bob"), ex("takes"), ex("maths"))])
    assert kb._engine.prepared_strata().strata is before
    kb.update(insert=[(ex("Person"), SUB_CLASS, ex("Agent"))])
    assert kb._engine.prepared_strata().strata is before
    kb.update(insert=[(ex("kindOf"), SUB_PROPERTY, SUB_CLASS)])
    assert kb._engine.prepared_strata().strata is not before


def test_a_property_below_sub_class_of_joins_the_schema() -> None:
    kb = university()
    kb.update(
        insert=[
            (ex("kindOf"), SUB_PROPERTY, SUB_CLASS),
            (ex("Person"), ex("kindOf"), ex("Agent")),
        ]
    )
    assert (ex("ann"), RDF_TYPE, ex("Agent")) in kb
    above = level(kb, ex("ann"), ex("takes"), ex("maths"))
    assert level(kb, ex("Person"), ex("kindOf"), ex("Agent")) < above
    kb.update(delete=[(ex("Person"), ex("kindOf"), ex("Agent"))])
    assert (ex("ann"), RDF_TYPE, ex("Agent")) not in kb


@pytest.mark.parametrize("maintenance", ["bf", "dred"])
def test_equality_of_schema_terms_makes_one_stratum(maintenance: str) -> None:
    kb = KnowledgeBase(maintenance=maintenance)
    facts = [
        (ex("Student"), SUB_CLASS, ex("Person")),
        (ex("Person"), SAME, ex("Human")),
        (ex("ann"), RDF_TYPE, ex("Student")),
    ]
    kb.update(insert=facts)
    assert kb._engine.prepared_strata().strata.levels.top == 0
    assert (ex("Student"), SUB_CLASS, ex("Human")) in kb
    assert (ex("ann"), RDF_TYPE, ex("Human")) in kb
    kb.update(delete=[facts[1]])
    assert (ex("ann"), RDF_TYPE, ex("Human")) not in kb
    assert (ex("ann"), RDF_TYPE, ex("Person")) in kb


def test_a_rule_over_all_predicates_reads_no_hidden_relation() -> None:
    kb = university()
    kb.add_rules("[?x, <http://example.org/linked>, ?y] :- [?x, ?p, ?y] .")
    linked = list(kb.triples((None, f"{ex('linked')}", None)))
    assert {term.n3() for triple in linked for term in (triple[0], triple[2])} <= {
        term.n3() for triple in kb.explicit for term in triple
    } | {ex("Person"), ex("Student")}


SEVERAL = {3: 0, CLASS + 4: 0, 5: 1, CLASS + 6: 1, CLASS + 7: 1}


@pytest.mark.parametrize("of_node", [{}, SEVERAL], ids=["one level", "several"])
@pytest.mark.parametrize("size", [10, 200])  # lists, arrays
def test_a_fact_is_below_a_level_at_it_or_above(of_node: dict[int, int], size: int) -> None:
    single = Compiled((), Signature(9, lambda _: False, abs, lambda ids: ids < 0)).single()
    strata = replace(single, levels=Levels(2 if of_node else 0, of_node))
    facts = [(s, p, o) for s in range(size) for p in (3, 5, 8, 9) for o in (4, 6, 7, 8)]
    batch = batch_of(facts)
    for level in range(strata.levels.top + 1):
        parts = strata.below(batch, level), strata.at(level)(batch), strata.above(level)(batch)
        levels = [[strata.level(p, o) for _, p, o in triples(part)] for part in parts]
        assert sum(map(len, levels)) == len(facts)
        assert all(found < level for found in levels[0])
        assert all(found == level for found in levels[1])
        assert all(found > level for found in levels[2])


def test_plans_of_one_stratum_wait_for_the_rows_that_it_derives_itself() -> None:
    """A property is transitive for as long as it links something; rules wake up at the first."""
    kb = KnowledgeBase(storage="plain")
    kb.update(
        insert=[
            (ex("Student"), SUB_CLASS, ex("Person")),
            (ex("Person"), SAME, ex("Human")),
            (ex("Link"), SUB_CLASS, f"<{OWL}TransitiveProperty>"),
            (ex("links"), DOMAIN, ex("Link")),
        ]
    )
    for name in ("knows", "likes"):
        kb.update(insert=[(ex(x), ex(name), ex(y)) for x, y in ("ab", "bc")])
        assert kb._engine.prepared_strata().strata.levels.top == 0
        link, further = (ex(name), ex("links"), ex("all")), (ex("c"), ex(name), ex("d"))
        start = len(kb)
        kb.update(insert=[link])
        assert (ex("a"), ex(name), ex("c")) in kb and len(kb) == start + 4
        kb.update(insert=[further])
        assert (ex("a"), ex(name), ex("d")) in kb and len(kb) == start + 7
        kb.update(delete=[link, further])
        assert len(kb) == start


@pytest.mark.parametrize("storage", ["auto", "plain", "compact"])
def test_a_row_about_every_relation_says_nothing_of_other_rows(storage: str) -> None:
    """What is below rdf:type may be said of all; what other properties are above stays known."""
    kb = KnowledgeBase(storage=storage)
    kb.add_rules(f"[?x, {ex('odd')}, ?x] :- [?x, a, {ex('N')}], NOT [?x, {ex('p')}, ?x] .")
    kb.update(
        insert=[
            (RDF_TYPE, SUB_PROPERTY, ex("kind")),
            (ex("q"), SUB_PROPERTY, ex("p")),
            (ex("a"), RDF_TYPE, ex("N")),
            (ex("b"), RDF_TYPE, ex("N")),
            (ex("b"), ex("q"), ex("b")),
        ]
    )
    assert (ex("a"), ex("odd"), ex("a")) in kb
    assert (ex("a"), ex("kind"), ex("N")) in kb
    assert (ex("b"), ex("odd"), ex("b")) not in kb
    with pytest.raises(UnstratifiableError):
        kb.update(insert=[(RDF_TYPE, SUB_PROPERTY, ex("p"))])


@pytest.mark.parametrize("storage", ["auto", "plain", "compact"])
def test_a_row_that_derives_every_relation_says_nothing_of_other_rows(storage: str) -> None:
    """What is above rdf:type may give any class; what else depends on all is as forbidden."""
    kb = KnowledgeBase(storage=storage)
    kb.add_rules(f"[?x, {ex('odd')}, ?x] :- [?x, a, {ex('N')}], NOT [?x, {ex('p')}, ?x] .")
    kb.update(insert=[(ex("kind"), SUB_PROPERTY, RDF_TYPE), (ex("a"), ex("kind"), ex("N"))])
    assert (ex("a"), ex("odd"), ex("a")) in kb
    with pytest.raises(UnstratifiableError):
        kb.update(insert=[(RDF_TYPE, SUB_PROPERTY, ex("p"))])
    kb.update(insert=[(ex("q"), SUB_PROPERTY, ex("p")), (ex("a"), ex("q"), ex("a"))])
    assert (ex("a"), ex("odd"), ex("a")) not in kb


def test_rows_about_rdf_type_that_are_known_already_let_no_cycle_pass() -> None:
    """It is refused at once, and so it is when equal names have had the rows derived before."""
    axioms = """@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
        rdf:type a owl:TransitiveProperty ; owl:equivalentProperty :kind ; owl:sameAs :is ."""
    rules = f"""[rdf:type, rdfs:subPropertyOf, ?q] :- [?q, {ex("table")}, ?x] .
        [?x, ?q, ?y] :- [?x, {ex("r")}, ?y], [?p, {ex("named")}, ?q], NOT [?x, {ex("r")}, ?y] .
        [?x, a, {ex("Odd")}] :- [?x, {ex("p")}, ?y], NOT [?y, a, {ex("C")}] ."""
    fact = ex("a"), ex("kind"), ex("C")
    later, anew = KnowledgeBase(), KnowledgeBase()
    for kb in (later, anew):
        kb.add_rules(rules)
    later.load(axioms.encode(), format="turtle")
    with pytest.raises(UnstratifiableError):
        later.update(insert=[fact])
    anew.update(insert=[fact])
    with pytest.raises(UnstratifiableError):
        anew.load(axioms.encode(), format="turtle")


def test_what_an_update_makes_depend_on_every_relation_is_put_above_all() -> None:
    """Datatypes are asked for in the update that brings equality and a transitive property."""
    kb = KnowledgeBase()
    kb.load(
        b"""@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        :c owl:sameAs :c . :p a owl:TransitiveProperty .
        rdfs:Literal owl:hasKey (:p) . xsd:double owl:intersectionOf :l .
        xsd:integer owl:disjointWith :D . :q rdfs:range :D . :x :q 5 .""",
        format="turtle",
    )
    assert [violation.rule for violation in kb.violations()] == ["cax-dw"]
