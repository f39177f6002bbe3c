"""The W3C's test cases of OWL 2 that are about triples, on the rules of OWL 2 RL.

A graph is entailed if it holds of the facts, its blank nodes being variables; what contradicts the
premises is a violation. The rules give less than OWL's semantics: `owl2/exceptions.txt` names the
cases that they do not decide. They never give more, so what is consistent has no violation.
"""

from __future__ import annotations

import pytest
from golden.closures import contents
from pyoxigraph import RdfFormat, parse
from w3c.owl2_cases import FOLDER, Case, cases, exceptions

from rdfinc import KnowledgeBase

FILES = sorted(FOLDER.glob("*.ttl"))
Triple = tuple[str, str, str]

each_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def triples(turtle: str) -> list[Triple]:
    read = parse(turtle.encode(), RdfFormat.TURTLE)
    return [(str(quad.subject), str(quad.predicate), str(quad.object)) for quad in read]


def holds(kb: KnowledgeBase, turtle: str) -> bool:
    pattern = " . ".join(" ".join(triple) for triple in triples(turtle))
    return bool(kb.query(f"ASK {{ {pattern} }}"))


def is_decided(kb: KnowledgeBase, case: Case) -> bool:
    """Whether a knowledge base with the premises says of them what the W3C says."""
    if case.kind == "inconsistent":
        return bool(kb.violations())
    assert not kb.violations(), case.name
    return case.kind == "consistent" or holds(kb, case.conclusion) == (case.kind == "entails")


@pytest.mark.parametrize("axiomatic", [False, True], ids=["default", "axiomatic"])
@each_file
def test_what_the_rules_decide(file, axiomatic):
    kb = KnowledgeBase(axiomatic=axiomatic)
    bare, undecided = contents(kb), set()
    for case in cases(file):
        premises = triples(case.premise)
        kb.update(insert=premises)
        if not is_decided(kb, case):
            undecided.add(case.name)
        kb.update(delete=premises)
        assert contents(kb) == bare, case.name
    assert undecided == exceptions(axiomatic=axiomatic) & {case.name for case in cases(file)}


@each_file
def test_after_removing_premises_and_putting_them_back(file, pytestconfig):
    """A third of the premises, one at a time, and in long runs all."""
    in_turn = [KnowledgeBase(maintenance=way) for way in ("bf", "dred")]
    step = 1 if pytestconfig.getoption("--long") else 3
    for number, case in enumerate(cases(file)):
        kb, premises = in_turn[number % 2], triples(case.premise)
        kb.update(insert=premises)
        whole = contents(kb)
        for premise in premises[number % step :: step]:
            kb.update(delete=[premise])
            kb.update(insert=[premise])
            assert contents(kb) == whole, (case.name, premise)
        kb.update(delete=premises)


def test_exceptions_are_cases():
    names = [case.name for file in FILES for case in cases(file)]
    assert len(names) == len(set(names)) == 243
    assert exceptions(axiomatic=False) <= set(names)
