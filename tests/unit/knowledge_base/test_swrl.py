"""SWRL rules in a knowledge base: stated by triples, or handed in."""

from __future__ import annotations

import random

import pyoxigraph as ox
import pytest
from rdflib import Graph

from rdfinc import KnowledgeBase
from rdfinc.errors import RuleError, UnknownRuleError, UnstratifiableError, UnsupportedError
from rdfinc.owl.swrl_text import parse_swrl

PREFIXES = """
@prefix : <http://e.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix swrl: <http://www.w3.org/2003/11/swrl#> .
@prefix swrlb: <http://www.w3.org/2003/11/swrlb#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""
VARIABLES = ":x a swrl:Variable . :y a swrl:Variable .\n"
ADULTS = """
:adults a swrl:Imp ; rdfs:label "of age" ; swrl:body _:b ; swrl:head ( _:h ) .
_:b rdf:first _:age ; rdf:rest ( _:more ) .
_:age a swrl:DatavaluedPropertyAtom ; swrl:propertyPredicate :age ;
  swrl:argument1 :x ; swrl:argument2 :y .
_:more a swrl:BuiltinAtom ; swrl:builtin swrlb:greaterThan ; swrl:arguments ( :y 17 ) .
_:h a swrl:ClassAtom ; swrl:classPredicate :Adult ; swrl:argument1 :x .
"""
FACTS = ":tom :age 20 . :kid :age 3 ."
AS_TEXT = "age(?x, ?y) ^ swrlb:greaterThan(?y, 17) -> Adult(?x)"
(RULE,) = parse_swrl(AS_TEXT, {"": "http://e.org/"})


def triples(turtle: str) -> list[tuple[str, str, str]]:
    return [
        (str(q.subject), str(q.predicate), str(q.object))
        for q in ox.parse(PREFIXES + turtle, format=ox.RdfFormat.TURTLE)
    ]


def adults(kb: KnowledgeBase) -> set[str]:
    type_ = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    return {str(s)[-3:] for s, _, _ in kb.triples((None, type_, "<http://e.org/Adult>"))}


def loaded(turtle: str, **options) -> KnowledgeBase:
    kb = KnowledgeBase(**options)
    kb.update(insert=triples(turtle))
    return kb


def test_rules_among_the_triples_are_live():
    kb = loaded(VARIABLES + ADULTS + FACTS)
    assert adults(kb) == {"tom"}
    kb.update(insert=triples(":eve :age 18 ."), delete=triples(":tom :age 20 ."))
    assert adults(kb) == {"eve"}
    assert len(kb.program) == 0


@pytest.mark.parametrize("profile", ["none", "rdfs"])
def test_elsewhere_triples_are_only_triples(profile):
    assert adults(loaded(VARIABLES + ADULTS + FACTS, profile=profile)) == set()


def test_explained_under_their_label():
    kb = loaded(VARIABLES + ADULTS + FACTS)
    (fact,) = kb.triples(("<http://e.org/tom>", None, "<http://e.org/Adult>"))
    assert "by of age from" in str(kb.explain(fact))


def test_mixed_with_owl():
    kb = loaded(VARIABLES + ADULTS + ":years rdfs:subPropertyOf :age . :tom :years 20 . "
                ":Adult rdfs:subClassOf :Person .")  # fmt: skip
    type_ = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    assert adults(kb) == {"tom"}
    assert ("<http://e.org/tom>", type_, "<http://e.org/Person>") in kb


def test_every_triple_of_a_rule_counts():
    """Taken away and put back one after the other, the rule goes and comes back."""
    stated = triples(VARIABLES + ADULTS)
    kb = KnowledgeBase()
    kb.update(insert=[*stated, *triples(FACTS)])
    for triple in stated:
        kb.update(delete=[triple])
        expected = KnowledgeBase()
        expected.update(insert=[t for t in [*stated, *triples(FACTS)] if t != triple])
        assert set(kb) == set(expected), triple
        kb.update(insert=[triple])
        assert adults(kb) == {"tom"}


EDITS = triples(
    VARIABLES + ADULTS + FACTS + ":adults swrl:body () . _:h swrl:classPredicate :Old ."
    "_:more swrl:builtin swrlb:lessThan . _:age swrl:propertyPredicate :years . :tom :years 1 ."
    "_:b rdf:rest () . :twin a swrl:Imp ; swrl:body _:b ; swrl:head ( _:h ) ."
    "_:c owl:unionOf ( :Adult :Old ) . _:k a swrl:ClassAtom ; swrl:classPredicate _:c ;"
    " swrl:argument1 :x . :third a swrl:Imp ; swrl:body ( _:k ) ; swrl:head ( _:k2 ) ."
    "_:k2 a swrl:IndividualPropertyAtom ; swrl:propertyPredicate [ owl:inverseOf :likes ] ;"
    " swrl:argument1 :x ; swrl:argument2 :tom ."
)  # fmt: skip


@pytest.mark.parametrize("seed", range(3))  # both ways to delete are among them
def test_after_any_edits_as_read_from_scratch(seed):
    rng = random.Random(seed)
    now = set(EDITS[: len(triples(VARIABLES + ADULTS + FACTS))])
    kb = KnowledgeBase(maintenance=rng.choice(["bf", "dred"]))
    kb.update(insert=sorted(now))
    for _ in range(15):
        flipped = set(rng.sample(EDITS, rng.randint(1, 4)))
        kb.update(delete=sorted(flipped & now), insert=sorted(flipped - now))
        now ^= flipped
        expected = KnowledgeBase()
        expected.update(insert=sorted(now))
        assert set(kb) == set(expected)
        kb._check()


BORN = """
born(?x, ?d) ^ swrlb:date(?d, ?y, ?m, ?n) -> bornIn(?x, ?y)
born(?x, ?d) ^ grown(?x, ?y) ^ swrlb:add(?y, ?z, 18) ^ swrlb:date(?d, ?z, ?m, ?n) -> Adult(?x)
"""


@pytest.mark.parametrize("maintenance", ["bf", "dred"])
def test_dates_are_taken_apart_and_put_together_again(maintenance):
    kb = KnowledgeBase(maintenance=maintenance)
    kb.add_rules(parse_swrl(BORN, {"": "http://e.org/"}))
    kb.update(insert=triples(":tom :born '2000-02-29'^^xsd:date ; :grown 2018 ."
                             ":kid :born '2020-01-01'^^xsd:date ; :grown 2030 ."
                             ":utc :born '2000-01-01Z'^^xsd:date ."))  # fmt: skip
    told = triples(":tom :bornIn 2000 . :kid :bornIn 2020 .")
    assert all(triple in kb for triple in told)
    assert not list(kb.triples(("<http://e.org/utc>", "<http://e.org/bornIn>", None)))
    assert adults(kb) == {"tom"}
    kb.update(delete=triples(":tom :born '2000-02-29'^^xsd:date ."),
              insert=triples(":kid :grown 2038 ."))  # fmt: skip
    assert [triple in kb for triple in told] == [False, True]
    assert adults(kb) == {"kid"}
    kb._check()


DEFINITION = triples(
    "_:more a swrl:DataRangeAtom ; swrl:dataRange :Years ; swrl:argument1 :y ."
    ":Years a rdfs:Datatype ; owl:equivalentClass _:r . _:r a rdfs:Datatype ;"
    " owl:onDatatype xsd:integer ; owl:withRestrictions ( _:least _:most ) ."
    "_:least xsd:minInclusive 18 . _:most xsd:maxExclusive 40 ."
)
OTHER_DEFINITIONS = triples(
    ":Years owl:equivalentClass _:either . _:either owl:unionOf ( _:r _:listed ) ."
    "_:listed owl:oneOf ( 7 ) . _:most xsd:maxExclusive 19 . _:r owl:onDatatype :Whole ."
    ":Whole owl:equivalentClass xsd:byte . _:r owl:datatypeComplementOf xsd:int ."
    "_:least xsd:minExclusive 20 ."
)
SOME_OF_A_DATATYPE = triples(
    ":s a swrl:Imp ; swrl:body ( _:c ) ; swrl:head ( _:h ) . _:c a swrl:ClassAtom ;"
    " swrl:classPredicate _:some ; swrl:argument1 :x . _:some owl:onProperty :age ;"
    " owl:someValuesFrom :Years ."
)
AGED = triples(
    VARIABLES + ADULTS.replace("_:more a swrl:BuiltinAtom", "_:unused a swrl:BuiltinAtom")
    + ":tom :age 20 . :kid :age 3 . :ann :age 18.0 . :seven :age 7 . :old :age 50 . :txt :age 'x' ."
)  # fmt: skip


def test_a_class_of_what_has_a_value_of_a_datatype_that_a_user_defines():
    kb = KnowledgeBase()
    aged = triples(VARIABLES + "_:h a swrl:ClassAtom ; swrl:classPredicate :Adult ;"
                   " swrl:argument1 :x . :tom :age 20 . :kid :age 3 .")  # fmt: skip
    kb.update(insert=[*aged, *DEFINITION, *SOME_OF_A_DATATYPE])
    assert adults(kb) == {"tom"}
    kb.update(delete=triples(":Years a rdfs:Datatype ."))
    assert adults(kb) == set()
    kb.update(insert=triples(":Years a rdfs:Datatype ."))
    assert adults(kb) == {"tom"}


def test_datatypes_that_users_define():
    kb = KnowledgeBase()
    kb.update(insert=[*AGED, *DEFINITION])
    assert adults(kb) == {"tom", "ann"}
    kb.update(delete=triples("_:least xsd:minInclusive 18 ."))
    assert adults(kb) == set()
    kb.update(insert=triples("_:least xsd:minInclusive 19 ."))
    assert adults(kb) == {"tom"}
    kb.update(delete=triples(":Years owl:equivalentClass _:r ."))
    assert adults(kb) == set()


@pytest.mark.parametrize("seed", range(3))
def test_after_any_edits_of_a_datatype_as_read_from_scratch(seed):
    rng = random.Random(seed)
    definition = [*DEFINITION, *OTHER_DEFINITIONS]
    now = {*AGED, *DEFINITION, *(SOME_OF_A_DATATYPE if seed % 2 else ())}
    kb = KnowledgeBase(maintenance=rng.choice(["bf", "dred"]))
    kb.update(insert=sorted(now))
    for _ in range(15):
        missing = [triple for triple in DEFINITION if triple not in now]
        again = rng.sample(missing, len(missing) // 2)
        flipped = {*rng.sample(definition, rng.randint(1, 2)), *again}
        kb.update(delete=sorted(flipped & now), insert=sorted(flipped - now))
        now ^= flipped
        expected = KnowledgeBase()
        expected.update(insert=sorted(now))
        assert set(kb) == set(expected)
        kb._check()


def test_a_rule_lives_until_every_source_withdraws_it():
    kb = loaded(VARIABLES + ADULTS + FACTS)
    node = triples(":adults a swrl:Imp .")
    kb.add_rules(RULE)
    kb.update(delete=node)
    assert adults(kb) == {"tom"}
    kb.update(insert=node)
    kb.remove_rules(RULE)
    assert adults(kb) == {"tom"}
    with pytest.raises(UnknownRuleError):
        kb.remove_rules(RULE)
    kb.update(delete=node)
    assert adults(kb) == set()


def test_two_nodes_that_state_one_rule():
    twin = ":twin a swrl:Imp ; swrl:body _:b ; swrl:head ( _:h ) ."
    stated = triples(VARIABLES + ADULTS + FACTS + twin)
    kb = KnowledgeBase()
    kb.update(insert=stated)
    for node, left in (("adults", {"tom"}), ("twin", set())):
        kb.update(delete=triples(f":{node} a swrl:Imp ."))
        assert adults(kb) == left


def test_copies_keep_the_rules():
    kb = loaded(VARIABLES + ADULTS + FACTS)
    twin = kb.copy()
    twin.update(delete=triples(":adults a swrl:Imp ."))
    assert (adults(kb), adults(twin)) == ({"tom"}, set())


@pytest.mark.parametrize("form", ["path", "graph", "triples"])
def test_rules_handed_in_are_not_stated(form, tmp_path):
    source = PREFIXES + VARIABLES + ADULTS
    path = tmp_path / "rules.ttl"
    path.write_text(source)
    given = {
        "path": path,
        "graph": Graph().parse(data=source),
        "triples": triples(VARIABLES + ADULTS),
    }[form]
    for profile in ("none", "owl2rl"):
        kb = loaded(FACTS, profile=profile)
        kb.add_rules(given)
        assert adults(kb) == {"tom"}
        assert len(kb.explicit) == 2
        assert [str(rule) for rule in kb.program] == [str(RULE)]
        kb.remove_rules(given)
        assert adults(kb) == set() and len(kb.program) == 0


BROKEN = [
    (":r a swrl:Imp ; swrl:head () .", RuleError, "swrl:body is missing"),
    (ADULTS.replace(":y 17", ":y"), RuleError, "swrlb:greaterThan takes 2 arguments, not 1"),
    (ADULTS.replace("greaterThan", "nope"), UnsupportedError, "the built-in swrlb:nope"),
    (FACTS, RuleError, "there are no SWRL rules"),
]


@pytest.mark.parametrize(("turtle", "error", "words"), BROKEN)
def test_broken_rules_handed_in_change_nothing(turtle, error, words, tmp_path):
    path = tmp_path / "rules.ttl"
    path.write_text(PREFIXES + VARIABLES + turtle)
    kb = loaded(FACTS)
    before = set(kb)
    for given in (path, triples(VARIABLES + turtle)):
        with pytest.raises(error, match=words):
            kb.add_rules(given)
        assert set(kb) == before and len(kb.program) == 0


def test_broken_rules_among_triples_are_reported_and_not_in_force():
    kb = KnowledgeBase()
    source = PREFIXES + VARIABLES + ADULTS.replace("greaterThan", "nope") + FACTS
    report = kb.load(source.encode(), format="turtle")
    assert adults(kb) == set()
    (line,) = report.axioms
    assert line.startswith("ignored: SWRL rule <http://e.org/adults> (not supported: the built-in")


def test_a_rule_that_feeds_on_its_own_values_is_refused():
    endless = ADULTS.replace("greaterThan", "add").replace("( :y 17 )", "( :z :y 1 )").replace(
        "swrl:ClassAtom ; swrl:classPredicate :Adult",
        "swrl:DatavaluedPropertyAtom ; swrl:argument2 :z ; swrl:propertyPredicate :age",
    )  # fmt: skip
    kb = loaded(FACTS)
    before = set(kb)
    with pytest.raises(UnstratifiableError) as failed:
        kb.update(insert=triples(VARIABLES + ":z a swrl:Variable ." + endless))
    (shown,) = failed.value.rules
    assert shown in str(failed.value) and "swrlb#add>" in shown and "<http://e.org/age>" in shown
    assert set(kb) == before
    kb.update(insert=triples(VARIABLES + ADULTS))
    assert adults(kb) == {"tom"}


def test_a_file_of_each_kind_that_feed_on_each_other_are_refused(tmp_path):
    stated = ADULTS.replace("greaterThan", "add").replace("( :y 17 )", "( :z :y 1 )").replace(
        "swrl:ClassAtom ; swrl:classPredicate :Adult",
        "swrl:DatavaluedPropertyAtom ; swrl:argument2 :z ; swrl:propertyPredicate :next",
    )  # fmt: skip
    (tmp_path / "a.ttl").write_text(PREFIXES + VARIABLES + ":z a swrl:Variable ." + stated)
    (tmp_path / "b.dlog").write_text(
        "@prefix : <http://e.org/> . [?x, :age, ?n] :- [?x, :next, ?n] ."
    )
    kb = loaded(FACTS)
    before = set(kb)
    with pytest.raises(UnstratifiableError):
        kb.load(tmp_path / "a.ttl", tmp_path / "b.dlog")
    assert set(kb) == before and len(kb.program) == 0
