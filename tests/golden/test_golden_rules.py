"""One folder for each rule of OWL 2 RL and of RDFS: what is given, what follows and what does not.

entailed.ttl and not_entailed.ttl, or for a rule that ends in `false`: violations.txt, each line a
rule and the number of its violations, and consistent.ttl, a graph much like it without any.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from golden.closures import Profile, contents, read

from rdfinc import KnowledgeBase
from rdfinc.owl.profiles.profile_rules import (
    axiomatic_rules,
    fixed_rules,
    list_constructs,
    list_rules,
)

PROFILES = ("owl2rl", "rdfs")
FOLDERS = [
    each for profile in PROFILES for each in sorted((Path(__file__).parent / profile).iterdir())
]
DERIVING = [folder for folder in FOLDERS if (folder / "entailed.ttl").exists()]
FORBIDDING = [folder for folder in FOLDERS if folder not in DERIVING]
STRATEGIES = ("bf", "dred")
WITHOUT_PREMISES = {
    "prp-ap", "cls-thing", "cls-nothing1", "dt-type1", "rdfs1", "axiomatic",
}  # fmt: skip


def named(folders):
    return pytest.mark.parametrize("folder", folders, ids=lambda folder: folder.name)


def under(folder: Path) -> Profile:
    """The profile with the rule in force."""
    off = {rule.name for rule in axiomatic_rules(folder.parent.name)}
    return Profile(folder.parent.name, folder.name in off)


def empty(folder: Path, **options) -> KnowledgeBase:
    profile, axiomatic = under(folder)
    return KnowledgeBase(profile, axiomatic=axiomatic, **options)


def violations(folder: Path) -> Counter[str]:
    lines = (folder / "violations.txt").read_text().splitlines()
    return Counter({name: int(times) for name, times in map(str.split, lines)})


@named(DERIVING)
def test_entailed_facts_follow_and_others_do_not(folder, closure_of):
    given, entailed = read(folder / "given.ttl"), read(folder / "entailed.ttl")
    closure = closure_of(given, under(folder))
    assert entailed and not entailed & given
    assert entailed <= closure.facts
    assert not read(folder / "not_entailed.ttl") & closure.facts
    assert not closure.violations


@named(FORBIDDING)
def test_contradictions_are_found_and_no_others(folder, closure_of):
    assert closure_of(read(folder / "given.ttl"), under(folder)).violations == violations(folder)
    assert not closure_of(read(folder / "consistent.ttl"), under(folder)).violations


@pytest.mark.parametrize("way_to_delete", STRATEGIES)
@named(FOLDERS)
def test_after_removing_each_premise_and_putting_it_back(folder, way_to_delete):
    given = read(folder / "given.ttl")
    kb = empty(folder, maintenance=way_to_delete)
    kb.update(insert=given)
    whole = contents(kb)
    for premise in sorted(given):
        kb.update(delete=[premise])
        rest = empty(folder)
        rest.update(insert=given - {premise})
        assert contents(kb) == contents(rest), premise
        kb.update(insert=[premise])
        assert contents(kb) == whole, premise


@named(FOLDERS)
def test_triple_by_triple_equals_all_at_once(folder):
    given = sorted(read(folder / "given.ttl"))
    at_once, by_one = empty(folder), empty(folder)
    at_once.update(insert=given)
    for triple in given:
        by_one.update(insert=[triple])
    assert contents(by_one) == contents(at_once)


@named([folder for folder in DERIVING if folder.name not in WITHOUT_PREMISES])
def test_each_consequence_needs_its_premises(folder):
    """Without the axioms nothing is left, so no folder passes for another rule's sake."""
    given, entailed = read(folder / "given.ttl"), read(folder / "entailed.ttl")
    kb = empty(folder)
    kb.update(insert=given)
    needed = [premise for premise in given if loses(kb, premise, entailed)]
    assert len(needed) >= min(2, len(given)), needed


def loses(kb: KnowledgeBase, premise, entailed) -> bool:
    kb.update(delete=[premise])
    lost = not entailed <= contents(kb).facts
    kb.update(insert=[premise])
    return lost


@pytest.mark.parametrize("profile", PROFILES)
def test_no_rule_lacks_a_folder(profile):
    rules = {rule.name for rule in (*fixed_rules(profile), *axiomatic_rules(profile))}
    for construct in list_constructs(profile):
        rules |= {rule.name for rule in list_rules(profile, construct, 2)}
    assert rules == {folder.name for folder in FOLDERS if folder.parent.name == profile}
