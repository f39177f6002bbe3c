"""Random programs, ontologies and update sequences, the same for the same seed.

Each step is made knowing what the oracle expects of those before, so that it can state what is
derived, withdraw what others prove, and bring back what has gone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache

from msgspec.structs import replace
from naive import Bindings, ByPredicate, by_predicate, ground, matching

from laws import random_closures, random_equality, random_facts
from laws.demands import demands
from laws.names import GRAPHS, NEW, PROPERTIES, TYPE, Fact, Quad, rdfs
from laws.oracle import Expected, Oracle
from laws.performing import perform
from laws.random_bodies import assuming
from laws.random_rules import (
    META,
    META_WITHOUT,
    SCHEMA,
    computes_finitely,
    random_rule,
    renamed,
    reversed_not,
)
from laws.steps import Step, is_axiom
from laws.stratification import is_stratified, read, relation
from rdfinc import KnowledgeBase, UnstratifiableError
from rdfinc.datalog.model import Aggregate, Atom, BodyItem, Literal, NotExists, Rule
from rdfinc.datalog.variables import local_variables

KEPT = lru_cache(32)
"""A scenario is made once for the tests that play it one after the other."""

LARGE = 350
"""Facts of a closure at which a scenario ends: the oracle becomes slow."""


@dataclass
class Scenario:
    """The steps, and what is to be seen after each; those at places in `refused` are refused as
    the program would not be stratified."""

    seed: int
    profile: str
    steps: list[Step] = field(default_factory=list)
    expected: list[Expected] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)


@KEPT
def scenario(seed: int) -> Scenario:
    rnd = random.Random(seed)
    profile = rnd.choice(["none"] * 6 + ["owl2rl"] * 3 + ["rdfs"])
    return _made(seed, _Maker(rnd, profile))


@KEPT
def scenario_of_closures(seed: int) -> Scenario:
    """One about transitive and symmetric relations."""
    rnd = random.Random(seed)
    return _made(seed, _MakerOfClosures(rnd, rnd.choice(["none", "none", "owl2rl"])))


def scenario_of_streams(seed: int) -> Scenario:
    """One of many updates, which often take back what the one before has brought, or bring back
    what has gone."""
    rnd = random.Random(seed)
    if rnd.random() < 0.3:
        return _made(seed, _StreamOfClosures(rnd, rnd.choice(["none", "none", "owl2rl"])))
    return _made(seed, _Stream(rnd, rnd.choice(["none"] * 4 + ["owl2rl"] * 3 + ["rdfs"])))


def scenario_of_equality(seed: int) -> Scenario:
    """One about things with several names."""
    rnd = random.Random(seed)
    return _made(seed, _MakerOfEquality(rnd, "owl2rl"))


def _made(seed: int, maker: _Maker) -> Scenario:
    rnd, case = maker.rnd, Scenario(seed, maker.profile)
    for number in range(rnd.randint(5, 8)):
        step = maker.next() if number else maker.first()
        if maker.is_refused(step):
            case.refused.add(len(case.steps))
            expected = replace(maker.oracle.last, added=frozenset(), removed=frozenset())
        else:
            expected = maker.perform(step)
        if len(expected.closure) > LARGE:
            break
        case.steps.append(step)
        case.expected.append(expected)
    return case


class _Maker:
    def __init__(self, rnd: random.Random, profile: str) -> None:
        self.rnd, self.profile, self.oracle = rnd, profile, Oracle(profile)
        self.with_rules = profile == "none" or rnd.random() < 0.5
        self.assumes = rnd.choice([0, 0.5, 0.6, 0.7, 0.7, 0.7])
        self.themes = _themes(rnd, profile)
        if self.assumes and self.with_rules:
            self.themes += [random_facts.numbers, random_facts.above]
        self.predicates = PROPERTIES if profile == "none" else SCHEMA
        self.judge = KnowledgeBase(profile=profile)
        self.stated: set[Quad] = set()
        self.gone: list[Quad] = []
        self.derived: list[Fact] = []

    def perform(self, step: Step) -> Expected:
        expected = self.oracle.step(step)
        self.stated = set(expected.stated)
        self.gone = sorted(step.delete - self.stated, key=repr)
        self.derived = sorted(filter(_can_be_stated, expected.closure - expected.explicit))
        return expected

    def is_refused(self, step: Step) -> bool:
        """Whether an engine refuses the step; never if it leaves a program that is stratified."""
        try:
            perform(self.judge, step)
        except UnstratifiableError:
            rules = self.oracle.after(step)
            assert self.profile != "none" or not is_stratified(rules.values()), f"refused: {step}"
            return True
        return False

    # -- steps

    def first(self) -> Step:
        rnd = self.rnd
        rules = [*META] if random_facts.meta in self.themes else []
        if random_facts.meta_without in self.themes:
            rules += META_WITHOUT
        many = rnd.randint(20, 30) if self.assumes else rnd.randint(14, 24)
        facts = [fact for _ in range(many) for fact in self.some_facts()]
        most = 0 if not self.with_rules else 9 if self.profile == "none" else 4
        for _ in range(rnd.randint(min(5 if self.assumes else 2, most), most)):
            rules.append(self.new_rule(rules, by_predicate(facts)))
        return Step(insert=self.quads(facts), rules_added=tuple(rules))

    def next(self) -> Step:
        """A random step, rather one that changes something through a NOT or an AGGREGATE, or casts
        doubt on what stays."""
        step = self.some_step()
        for _ in range(4 if self.assumes and self.rnd.random() < 0.8 else 0):
            if self.is_telling(step):
                break
            step = self.some_step()
        return step

    def is_telling(self, step: Step) -> bool:
        trial = copy(self.oracle)
        try:
            met = demands(step, trial.last, trial.step(step))
        except AssertionError:  # not stratified
            return False
        return bool(
            met["negation"] or met["aggregate"] or (met["kept"] and self.rnd.random() < 0.6)
        )

    def some_step(self) -> Step:
        rnd, kind = self.rnd, self.rnd.random()
        if not self.with_rules:
            kind = 1.0
        if kind < 0.12:
            return Step(rules_added=self.new_rules())
        if kind < 0.22 and self.rules:
            return Step(rules_removed=(renamed(rnd.choice(self.rules)),))
        if kind < 0.27 and (swapped := self.swapped()):
            return Step(self.deletions(), self.insertions(), *swapped)
        delete, insert = self.deletions(), self.insertions()
        if rnd.random() < 0.15:
            delete = set()
        elif rnd.random() < 0.3:
            insert = set()
        if rnd.random() < 0.15:  # what is deleted and inserted in one update stays
            insert |= {quad for quad in sorted(delete, key=repr) if rnd.random() < 0.6}
        if self.profile != "none" and rnd.random() < 0.3:
            insert |= self.anew(delete)
        if kind < 0.33 and self.rules:
            some = (rnd.choice(self.rules),)
            return Step(delete, insert, some, () if rnd.random() < 0.5 else self.new_rules())
        return Step(delete, insert)

    @property
    def rules(self) -> list[Rule]:
        return list(self.oracle.rules.values())

    def new_rules(self) -> tuple[Rule, ...]:
        if self.rules and self.rnd.random() < 0.15:
            return (renamed(self.rnd.choice(self.rules)),)
        return (self.new_rule(self.rules, by_predicate(self.oracle.last.closure)),)

    def new_rule(self, others: list[Rule], facts: ByPredicate) -> Rule:
        """One of a few random rules, rather one that looks at some of the facts."""
        make = assuming if self.rnd.random() < self.assumes else None
        for _ in range(10):
            rule = random_rule(self.rnd, others, self.predicates, make)
            if not make or any(looked_at(rule, facts)):
                break
        return rule

    def swapped(self) -> tuple[tuple[Rule], tuple[Rule]] | None:
        """(a rule to remove, one to add), in which a NOT has another direction."""
        rules = self.rules
        for rule in self.rnd.sample(rules, len(rules)):
            other = reversed_not(rule)
            rest = [each for each in rules if each != rule]
            if other and computes_finitely([*rest, other]) and is_stratified([*rest, other]):
                return (rule,), (other,)
        return None

    # -- facts

    def some_facts(self) -> list[Fact]:
        return self.rnd.choice(self.themes)(self.rnd)

    def quads(self, facts: Iterable[Fact]) -> set[Quad]:
        return {(*fact, self.rnd.choice(GRAPHS)) for fact in facts}

    def insertions(self) -> set[Quad]:
        kinds = [0, 0, 1, 1, 1, 2, 3, 4] + [5] * 6 * bool(self.assumes)
        return {quad for _ in range(self.rnd.choice([0, 1, 1, 2])) for quad in self.one(kinds)}

    def one(self, kinds: list[int]) -> set[Quad]:
        rnd, kind = self.rnd, self.rnd.choice(kinds)
        if kind == 2 and self.derived:
            return self.quads([rnd.choice(self.derived)])
        if kind == 3 and self.stated:  # perhaps in another graph
            return self.quads([rnd.choice(sorted(self.stated, key=repr))[:3]])
        if kind == 4:
            return set(self.gone)
        if kind == 5 and (denied := sorted(filter(_can_be_stated, self.denied()))):
            return self.quads([rnd.choice(denied)])
        return self.quads(self.some_facts())

    def deletions(self) -> set[Quad]:
        rnd, stated = self.rnd, sorted(self.stated, key=repr)
        kind = rnd.random()
        if kind < 0.06:
            return set(rnd.sample(stated, len(stated) // 2))
        if kind < 0.12 and self.derived:  # not stated: nothing happens
            return self.quads([rnd.choice(self.derived)])
        if kind < 0.3 and self.profile != "none":
            stated = [quad for quad in stated if is_axiom(quad[:3])] or stated
        elif kind < 0.85:
            looked_at = self.looked_at()
            stated = [quad for quad in stated if quad[:3] in looked_at] or stated
        else:
            stated = [quad for quad in stated if self.is_read(quad)] or stated
        return set(rnd.sample(stated, min(len(stated), rnd.choice([1, 1, 2, 2, 3]))))

    def anew(self, delete: set[Quad]) -> set[Quad]:
        """What has the members that classes lose be members of a new class below these."""
        lost = [quad for quad in sorted(delete, key=repr) if quad[1] == TYPE]
        facts = [[(s, TYPE, NEW), (NEW, rdfs("subClassOf"), class_)] for s, _, class_, _ in lost]
        return {quad for some in facts for quad in self.quads(some)}

    def is_read(self, quad: Quad) -> bool:
        """Whether some rule reads the fact's relation."""
        return relation(Atom(*quad[:3])) in {
            one for rule in self.rules for one, _ in read(rule.body)
        }

    def denied(self) -> set[Fact]:
        """What must not be there for some instance of a rule."""
        facts = by_predicate(self.oracle.last.closure)
        return {
            ground(item.atom, i)
            for rule in self.rules
            for item in rule.body
            if _is_not(item)
            for i in matching(rule.body, facts, facts)
        }

    def looked_at(self) -> set[Fact]:
        """What a NOT or an AGGREGATE meets for an instance of the rest of its rule."""
        facts = by_predicate(self.oracle.last.closure)
        return {fact for rule in self.rules for fact in looked_at(rule, facts)}


class _MakerOfClosures(_Maker):
    def __init__(self, rnd: random.Random, profile: str) -> None:
        super().__init__(rnd, profile)
        self.with_rules, self.assumes = True, 0.7
        data = [random_closures.edges] * 4 + [random_closures.path] * 2 + [random_closures.fed] * 2
        self.themes = [*data, *[random_closures.axioms] * 4 * (profile == "owl2rl")]

    def new_rule(self, others: list[Rule], facts: ByPredicate) -> Rule:
        while True:
            rule = random_closures.random_rule(self.rnd)
            if is_stratified([*others, rule]):
                return rule

    def first(self) -> Step:
        rules = random_closures.cycle(self.rnd) if self.rnd.random() < 0.5 else []
        for _ in range(self.rnd.randint(2, 6) if self.profile == "none" else 2):
            rules.append(self.new_rule(rules, {}))
        facts = [fact for _ in range(self.rnd.randint(8, 16)) for fact in self.some_facts()]
        return Step(insert=self.quads(facts), rules_added=tuple(rules))


class _Stream(_Maker):
    def __init__(self, rnd: random.Random, profile: str) -> None:
        super().__init__(rnd, profile)
        self.new: list[Quad] = []

    def next(self) -> Step:
        step = self.some_step()
        while step.about_rules and self.rnd.random() < 0.6:
            step = self.some_step()
        return step

    def perform(self, step: Step) -> Expected:
        before = self.stated
        expected = super().perform(step)
        self.new = sorted(self.stated - before, key=repr)
        return expected

    def deletions(self) -> set[Quad]:
        fleeting = [quad for quad in self.new if self.rnd.random() < 0.6]
        return super().deletions() | set(fleeting[:8])

    def insertions(self) -> set[Quad]:
        again = [quad for quad in self.gone if self.rnd.random() < 0.3]
        return super().insertions() | super().insertions() | set(again)


class _StreamOfClosures(_Stream, _MakerOfClosures):
    pass


class _MakerOfEquality(_Maker):
    def __init__(self, rnd: random.Random, profile: str) -> None:
        super().__init__(rnd, profile)
        self.with_rules, self.assumes = rnd.random() < 0.6, 0
        most = rnd.choice([0, 1, 3])
        self.themes = [*[random_equality.links] * 3, *[random_equality.data] * 5]
        self.themes += [random_equality.axioms] * most

    def new_rule(self, others: list[Rule], facts: ByPredicate) -> Rule:
        while True:
            rule = random_equality.random_rule(self.rnd)
            if computes_finitely([*others, rule]):
                return rule

    def first(self) -> Step:
        rules = [self.new_rule([], {}) for _ in range(self.rnd.randint(0, 2) * self.with_rules)]
        facts = [fact for _ in range(self.rnd.randint(3, 9)) for fact in self.some_facts()]
        return Step(insert=self.quads(facts), rules_added=tuple(rules[:1]))


def looked_at(rule: Rule, facts: ByPredicate) -> Iterator[Fact]:
    """The facts that decide about a NOT or an AGGREGATE for an instance of the rest of the rule."""
    for i in matching(positive(rule).body, facts, facts):
        for item in rule.body:
            yield from met(item, facts, i)


def positive(rule: Rule) -> Rule:
    """The rule without what it negates."""
    body = (item for item in rule.body if not isinstance(item, NotExists) and not _is_not(item))
    return replace(rule, body=tuple(body))


def _is_not(item: BodyItem) -> bool:
    return isinstance(item, Literal) and not item.positive


def met(item: BodyItem, facts: ByPredicate, known: Bindings) -> Iterator[Fact]:
    """The facts with which a NOT fails or of which an aggregate is made."""
    if isinstance(item, Literal) and not item.positive:
        fact = ground(item.atom, known)
        if fact in facts.get(fact[1], ()):
            yield fact
    if isinstance(item, NotExists | Aggregate):
        local = local_variables(item)
        given = {variable: term for variable, term in known.items() if variable not in local}
        if isinstance(item, Aggregate):
            given = {variable: known[variable] for variable in item.group}
        atoms = [each.atom for each in item.body if isinstance(each, Literal) and each.positive]
        for i in matching(item.body, facts, facts, given):
            yield from (ground(atom, i) for atom in atoms)


def _themes(rnd: random.Random, profile: str) -> list[Callable[[random.Random], list[Fact]]]:
    if profile == "none":
        extra = [random_facts.meta] * 2 if rnd.random() < 0.5 else []
        if extra and rnd.random() < 0.3:
            extra.append(random_facts.meta_above)
        if extra and rnd.random() < 0.1:
            extra.append(random_facts.meta_without)
    else:
        extra = rnd.sample(random_facts.THEMES, rnd.randint(2, 4))
    return [*[random_facts.data] * max(2, len(extra)), *extra]


def _can_be_stated(fact: Fact) -> bool:
    return not fact[0].startswith('"') and fact[1].startswith("<")
