"""The W3C's test cases of RDF 1.1 Semantics, by the rules of RDFS and of OWL 2 RL.

A graph is entailed if it holds of the facts, its blank nodes being variables. Facts keep literals
as they are written, so what follows from equal values is asked where everything is derived and the
literal asked for occurs.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden.closures import contents
from w3c.owl2_cases import cases
from w3c.test_owl2 import holds, triples

from rdfinc import KnowledgeBase

CASES = list(cases(Path(__file__).parent / "rdf_semantics" / "rdf11.ttl"))

BY_VALUE = {
    case.name
    for case in CASES
    if case.kind == "entails" and case.name.startswith(("float", "double"))
} | {case.name for case in CASES if "semantic-equivalence" in case.name}
LITERAL_SUBJECTS = {"literal-type", "xmlsch-02-whitespace-facet-3"}
"""Literals are no subjects of the facts that are shown."""
AXIOM_TRIPLES = {"rdfms-seq-representation-test002"}
"""What everybody knows is derived with axiomatic=True."""
CONTAINERS = {f"rdfms-seq-representation-test00{number}" for number in (2, 3, 4)}
"""OWL 2 RL has no rule about containers."""
STRONGER = {f"rdfs-domain-and-range-intensionality-{axiom}" for axiom in ("range", "domain")}
"""scm-rng1 and scm-dom1 conclude what RDFS leaves open."""


def is_decided(kb, case):
    """Whether a knowledge base with the premises says of them what the W3C says."""
    if case.kind == "inconsistent":
        return bool(kb.violations())
    assert not kb.violations(), case.name
    return case.kind == "consistent" or holds(kb, case.conclusion) == (case.kind == "entails")


def undecided(kb, *, mentioning):
    """The cases that are not decided; each comes and goes, and leaves nothing. Literals of the
    conclusions occur as well if `mentioning`, unless they have no value."""
    bare, names = contents(kb), set()
    for case in CASES:
        asked = [
            o for _, _, o in triples(case.conclusion) if o.startswith('"') and '" 3 "' not in o
        ]
        said = [("<urn:x>", "<urn:mentions>", each) for each in asked if mentioning]
        kb.update(insert=triples(case.premise) + said)
        if not is_decided(kb, case):
            names.add(case.name)
        kb.update(delete=triples(case.premise) + said)
        assert contents(kb) == bare, case.name
    return names


def test_all_are_here():
    assert len(CASES) == len({case.name for case in CASES}) == 43


@pytest.mark.parametrize("axiomatic", [False, True], ids=["default", "axiomatic"])
def test_what_the_rules_of_rdfs_decide(axiomatic):
    kb = KnowledgeBase(profile="rdfs", axiomatic=axiomatic)
    shown_only_there = set() if axiomatic else AXIOM_TRIPLES
    expected = BY_VALUE | LITERAL_SUBJECTS | shown_only_there
    assert undecided(kb, mentioning=False) == expected


def test_what_the_rules_of_owl_decide():
    kb = KnowledgeBase(axiomatic=True)
    assert undecided(kb, mentioning=True) == LITERAL_SUBJECTS | CONTAINERS | STRONGER


def test_what_the_rules_of_owl_show_by_default():
    expected = BY_VALUE | LITERAL_SUBJECTS | CONTAINERS | STRONGER
    assert undecided(KnowledgeBase(), mentioning=False) == expected
