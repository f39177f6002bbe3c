"""The rule files: which rules there are, and how templates over lists unfold."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from rdfinc.datalog.syntax.rule_text import parse_named, parse_rules
from rdfinc.owl.profiles import prepared_rules
from rdfinc.owl.profiles.profile_rules import (
    axiomatic_rules,
    fixed_rules,
    list_constructs,
    list_rules,
)
from rdfinc.owl.vocabulary import OWL

CHAIN, KEY, INTERSECTION = (
    f"<{OWL}{name}>" for name in ("propertyChainAxiom", "hasKey", "intersectionOf")
)

TABLES_4_TO_9 = """
    eq-ref eq-sym eq-trans eq-rep-s eq-rep-p eq-rep-o eq-diff1 eq-diff2 eq-diff3
    prp-ap prp-dom prp-rng prp-fp prp-ifp prp-irp prp-symp prp-asyp prp-trp prp-spo1 prp-spo2
    prp-eqp1 prp-eqp2 prp-pdw prp-adp prp-inv1 prp-inv2 prp-key prp-npa1 prp-npa2
    cls-thing cls-nothing1 cls-nothing2 cls-int1 cls-int2 cls-uni cls-com cls-svf1 cls-svf2
    cls-avf cls-hv1 cls-hv2 cls-maxc1 cls-maxc2 cls-maxqc1 cls-maxqc2 cls-maxqc3 cls-maxqc4 cls-oo
    cax-sco cax-eqc1 cax-eqc2 cax-dw cax-adc
    scm-cls scm-sco scm-eqc1 scm-eqc2 scm-op scm-dp scm-spo scm-eqp1 scm-eqp2 scm-dom1 scm-dom2
    dt-type1 dt-type2 dt-eq dt-diff dt-not-type
    scm-rng1 scm-rng2 scm-hv scm-svf1 scm-svf2 scm-avf1 scm-avf2 scm-int scm-uni
"""
OFF = {
    "eq-ref", "prp-ap", "cls-thing", "cls-nothing1", "dt-type1", "scm-cls", "scm-op", "scm-dp",
}  # fmt: skip


def owl2rl_rules():
    unfolded = [rule for construct in list_constructs("owl2rl")
                for rule in list_rules("owl2rl", construct, 2)]  # fmt: skip
    return [*fixed_rules("owl2rl"), *unfolded]


def test_owl2rl_has_the_rules_of_the_tables_but_those_that_are_off():
    names = {rule.name for rule in owl2rl_rules()}
    assert names == set(TABLES_4_TO_9.split()) - OFF
    assert {rule.name for rule in axiomatic_rules("owl2rl")} == OFF | {"dt-eq"}


def test_rdfs_has_the_rules_of_the_recommendation():
    on = [rule.name for rule in fixed_rules("rdfs")]
    assert on == ["rdfs2", "rdfs3", "rdfs5", "rdfs7", "rdfs9", "rdfs11", "rdfs12", "rdfs13",
                  "container", "dt-not-type", "dt-not-type"]  # fmt: skip
    off = {rule.name for rule in axiomatic_rules("rdfs")}
    assert off - {"container"} == {
        "rdfs1",
        "rdfD2",
        "rdfs4a",
        "rdfs4b",
        "rdfs6",
        "rdfs8",
        "rdfs10",
        "axiomatic",
    }
    assert not list_constructs("rdfs") and not list_rules("rdfs", INTERSECTION, 2)


def test_no_profile_has_no_rules():
    assert fixed_rules("none") == axiomatic_rules("none") == ()


def test_an_unknown_profile_is_a_key_error():
    with pytest.raises(KeyError):
        fixed_rules("owl3")


@pytest.mark.parametrize(
    "file",
    [
        "owl2rl.dlog",
        "owl2rl_axiomatic.dlog",
        "owl2rl_long.dlog",
        "rdfs.dlog",
        "rdfs_axiomatic.dlog",
    ],
)
def test_every_rule_has_a_meaning_of_its_own(file):
    text = files("rdfinc.owl.profiles").joinpath(file).read_text(encoding="utf-8")
    plain = text.replace("#n+1", "2").replace("#n", "1").replace("#i+1", "2").replace("#i", "1")
    meanings = [meaning for _, meaning, _ in parse_named(plain.replace("{", "").replace("}", ""))]
    assert all(meanings) and len(set(meanings)) == len(meanings)


def test_a_chain_of_three():
    (rule,) = list_rules("owl2rl", CHAIN, 3)
    (expected,) = parse_rules(
        """
        @prefix aux: <urn:rdfinc:aux:> .
        [?u1, ?p, ?u4] :- [?p, owl:propertyChainAxiom, ?l],
            [?l, aux:list3.item1, ?p1], [?l, aux:list3.item2, ?p2], [?l, aux:list3.item3, ?p3],
            [?u1, ?p1, ?u2], [?u2, ?p2, ?u3], [?u3, ?p3, ?u4] .
        """
    )
    assert rule.unnamed() == expected and rule.name == "prp-spo2"


def test_a_key_of_one():
    rule, _ = list_rules("owl2rl", KEY, 1)
    (expected,) = parse_rules(
        """
        @prefix aux: <urn:rdfinc:aux:> .
        @prefix test: <urn:rdfinc:> .
        [?x, owl:sameAs, ?y] :- [?c, owl:hasKey, ?l], [?l, aux:list1.item1, ?p1],
            [?x, a, ?c], [?x, ?p1, ?z1], [?y, ?p1, ?z1], [?y, a, ?c],
            FILTER(!sameTerm(?x, ?y)), FILTER(test:nameAmong(?x, ?y)) .
        """
    )
    assert rule.unnamed() == expected and rule.name == "prp-key"


def test_numbers_of_two_digits_unfold():
    (rule,) = list_rules("owl2rl", INTERSECTION, 12)
    items = [str(literal.atom.predicate) for literal in rule.literals()][1:13]
    assert items == [f"<urn:rdfinc:aux:list12.item{i}>" for i in range(1, 13)]


def test_empty_lists_and_other_constructs_have_no_rules():
    assert list_rules("owl2rl", INTERSECTION, 0) == ()
    assert list_rules("owl2rl", f"<{OWL}unionOf>", 2) == ()


def test_prepared_rules_are_those_that_the_texts_give():
    """After a change of a file: `python tests/unit/owl/prepare_rules.py`."""
    script = Path(__file__).with_name("prepare_rules.py")
    made = subprocess.check_output([sys.executable, str(script), "-"], encoding="utf-8")
    kept = files(prepared_rules.__package__).joinpath(prepared_rules.FILE)
    assert kept.read_text(encoding="utf-8") == made


def test_prepared_rules_are_equal_to_parsed_ones_and_others_are_parsed():
    text = files("rdfinc.owl.profiles").joinpath("owl2rl_restrictions.dlog").read_text("utf-8")
    assert prepared_rules.digest(text) in prepared_rules._prepared()
    assert prepared_rules.rules_of(text) == tuple(parse_rules(text))
    changed = text.replace("aux:like", "aux:likely")
    assert prepared_rules.digest(changed) not in prepared_rules._prepared()
    assert prepared_rules.rules_of(changed) == tuple(parse_rules(changed))


def test_small_data_needs_no_grammar():
    program = (
        "import sys, rdfinc\n"
        "kb = rdfinc.KnowledgeBase()\n"
        "kb.update(insert=[('<a:a>', '<a:p>', '<a:b>'), ('<a:p>', '<http://www.w3.org/2000/01/"
        "rdf-schema#domain>', '<a:C>')])\n"
        "assert len(kb) == 3 and not {'lark', 'asyncio'} & {*sys.modules}\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
