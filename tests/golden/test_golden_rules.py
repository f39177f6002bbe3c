"""One folder for each OWL 2 RL rule: given.ttl, and what must follow from it and what must not.

entailed.ttl and not_entailed.ttl, or for a rule that ends in `false`: violations.txt, each line a
rule and the number of its violations, and consistent.ttl, a graph much like it without any.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from golden.closures import contents, read

from rdfinc import KnowledgeBase
from rdfinc.owl.rules import fixed_rules, list_constructs, list_rules

FOLDERS = sorted((Path(__file__).parent / "owl2rl").iterdir())
DERIVING = [folder for folder in FOLDERS if (folder / "entailed.ttl").exists()]
FORBIDDING = [folder for folder in FOLDERS if folder not in DERIVING]
STRATEGIES = ("bf", "dred")


def named(folders):
    return pytest.mark.parametrize("folder", folders, ids=lambda folder: folder.name)


def violations(folder: Path) -> Counter[str]:
    lines = (folder / "violations.txt").read_text().splitlines()
    return Counter({name: int(times) for name, times in map(str.split, lines)})


@named(DERIVING)
def test_what_follows_and_what_does_not(folder, closure_of):
    given, entailed = read(folder / "given.ttl"), read(folder / "entailed.ttl")
    closure = closure_of(given)
    assert entailed and not entailed & given
    assert entailed <= closure.facts
    assert not read(folder / "not_entailed.ttl") & closure.facts
    assert not closure.violations


@named(FORBIDDING)
def test_what_contradicts_and_what_does_not(folder, closure_of):
    assert closure_of(read(folder / "given.ttl")).violations == violations(folder)
    assert not closure_of(read(folder / "consistent.ttl")).violations


@pytest.mark.parametrize("strategy", STRATEGIES)
@named(FOLDERS)
def test_after_removing_each_premise_and_putting_it_back(folder, strategy):
    given = read(folder / "given.ttl")
    kb = KnowledgeBase(maintenance=strategy)
    kb.update(insert=given)
    whole = contents(kb)
    for premise in sorted(given):
        kb.update(delete=[premise])
        rest = KnowledgeBase()
        rest.update(insert=given - {premise})
        assert contents(kb) == contents(rest), premise
        kb.update(insert=[premise])
        assert contents(kb) == whole, premise


@named(FOLDERS)
def test_triple_by_triple_equals_all_at_once(folder):
    given = sorted(read(folder / "given.ttl"))
    at_once, by_one = KnowledgeBase(), KnowledgeBase()
    at_once.update(insert=given)
    for triple in given:
        by_one.update(insert=[triple])
    assert contents(by_one) == contents(at_once)


@named(DERIVING)
def test_each_consequence_needs_its_premises(folder):
    """Without the axioms nothing is left, so no folder passes for another rule's sake."""
    given, entailed = read(folder / "given.ttl"), read(folder / "entailed.ttl")
    kb = KnowledgeBase()
    kb.update(insert=given)
    needed = [premise for premise in given if loses(kb, premise, entailed)]
    assert len(needed) >= min(2, len(given)), needed


def loses(kb: KnowledgeBase, premise, entailed) -> bool:
    kb.update(delete=[premise])
    lost = not entailed <= contents(kb).facts
    kb.update(insert=[premise])
    return lost


def test_no_rule_lacks_a_folder():
    rules = {rule.name for rule in fixed_rules("owl2rl")}
    for construct in list_constructs("owl2rl"):
        rules |= {rule.name for rule in list_rules("owl2rl", construct, 2)}
    assert rules == {folder.name for folder in FOLDERS}
