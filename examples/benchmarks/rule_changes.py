"""Rules and facts that come and go under a fixed closure, beside deriving everything again.

    python examples/benchmarks/rule_changes.py
    python examples/benchmarks/rule_changes.py --only chains --links 50 --rules r3 r17 r18
    python examples/benchmarks/rule_changes.py --only farm --turbines 50 400

Reproduces the experiments of paper "ZodiacEdge: a Datalog Engine With Incremental Rule Set
Maintenance" (Xu and Curé, 2023) with the same rule sets, over data of the same shape and size:

* table 1: how large the rule sets and their closures are;
* figures 7 and 8, tables 2 and 3: each rule of the two rule sets over chains, and the two groups
  of rules that the paper names, added to the rest and removed from the whole;
* figure 9: two rules that make all turbines of a farm neighbours, and changes of both;
* figure 10: the same, with many turbines at a time;
* beyond the paper: changes of turbines, measurements and rules under the whole rule set of the
  farm, and how many groups of its aggregates were computed again.

Each repetition derives everything from scratch before a change and makes the change, then derives
everything from scratch after it and takes it back. "faster" is what the change would have cost
from scratch, divided by what it cost. Rules are parsed beforehand. After every change the size of
the closure is compared with the one from scratch.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace

import chains
import wind_farm
from measure import REPETITIONS, Timing, duration

import rdfinc
from rdfinc.datalog.analysis.strong_components import components
from rdfinc.datalog.model import RDF_TYPE, Atom, Rule, Term
from rdfinc.datalog.relations import atoms_within
from rdfinc.datalog.syntax.rule_text import parse_rules
from rdfinc.knowledge_base.streams.delta import Delta

Triple = tuple[str, str, str]
Action = Callable[[rdfinc.KnowledgeBase], Delta]

GROUPS = (("r10", "r15", "r17"), ("r10", "r15", "r18"))
NO_SLOWER = 1.1


@dataclass(frozen=True)
class Setting:
    """What is stated, the rules in force, and how the closure is stored."""

    facts: tuple[Triple, ...]
    rules: tuple[Rule, ...]
    storage: str = "auto"

    def loaded(self) -> rdfinc.KnowledgeBase:
        """The facts without the rules."""
        kb = rdfinc.KnowledgeBase(profile="none", storage=self.storage)
        kb.update(insert=self.facts)
        return kb

    def derive(self, kb: rdfinc.KnowledgeBase) -> Delta:
        """Everything, from scratch."""
        return kb.add_rules(self.rules)

    def without(self, names: Container[str]) -> Setting:
        return replace(self, rules=tuple(rule for rule in self.rules if short(rule) not in names))

    def only(self, names: Container[str]) -> Setting:
        return replace(self, rules=tuple(rule for rule in self.rules if rule.name in names))

    def stating(self, *facts: Triple, no_more: Container[Triple] = ()) -> Setting:
        kept = (fact for fact in self.facts if fact not in no_more)
        return replace(self, facts=(*kept, *facts))

    def change_to(self, other: Setting) -> Action:
        """The one update that leads to another setting: of its rules or of its facts."""
        gained = [rule for rule in other.rules if rule not in self.rules]
        lost = [rule for rule in self.rules if rule not in other.rules]
        if gained:
            return lambda kb: kb.add_rules(gained)
        if lost:
            return lambda kb: kb.remove_rules(lost)
        insert, delete = set(other.facts) - set(self.facts), set(self.facts) - set(other.facts)
        return lambda kb: kb.update(insert=insert, delete=delete)


def short(rule: Rule) -> str:
    """`r10` also for the rule `r10new` that stands in its place."""
    return rule.name.removesuffix("new")


@dataclass
class Way:
    """One direction of a change: its costs, and those of deriving its result from scratch.

    `facts` came or went, `groups` of aggregates were computed again.
    """

    change: Timing
    scratch: Timing
    facts: int = 0
    groups: int = 0

    @property
    def faster(self) -> float:
        return self.scratch.median / self.change.median


def there_and_back(name: str, before: Setting, after: Setting, repetitions: int) -> list[Way]:
    """A change and its reversal, each time in a fresh knowledge base."""
    there, back = (Way(Timing(name), Timing(name)) for _ in range(2))
    change, reversal = before.change_to(after), after.change_to(before)
    for _ in range(1 + repetitions):
        one, other = before.loaded(), after.loaded()
        timed(before.derive, one, back.scratch)
        size = len(one)
        made(change, one, there)
        timed(after.derive, other, there.scratch)
        expect(len(other), one, name)
        made(reversal, other, back)
        expect(size, other, name)
    return [there, back]


def made(change: Action, kb: rdfinc.KnowledgeBase, way: Way) -> None:
    delta = timed(change, kb, way.change)
    way.facts = len(delta.added) + len(delta.removed)
    way.groups = delta.report.counters.get("groups", 0)


def timed(action: Action, kb: rdfinc.KnowledgeBase, timing: Timing) -> Delta:
    gc.collect()
    start = time.perf_counter()
    delta = action(kb)
    timing.seconds.append(time.perf_counter() - start)
    return delta


def expect(size: int, kb: rdfinc.KnowledgeBase, name: str) -> None:
    if len(kb) != size:
        raise SystemExit(f"{name}: {len(kb)} facts by the change, {size} from scratch")


def show(titles: Sequence[str], pairs: Sequence[Sequence[Way]]) -> None:
    """A table for each direction."""
    for title, ways in zip(titles, zip(*pairs, strict=True), strict=True):
        width = max(len(title), *(len(way.change.name) for way in ways))
        columns = ("facts", "groups", "first", "median", "quartiles", "", "scratch", "faster")
        print(f"  {title:{width}}" + "".join(f"{column:>10}" for column in columns))
        for way in ways:
            low, high = way.change.quartiles
            seconds = (way.change.first, way.change.median, low, high, way.scratch.median)
            cells = [f"{way.facts:,}", f"{way.groups:,}", *map(duration, seconds)]
            shown = "".join(f"{cell:>10}" for cell in cells)
            print(f"  {way.change.name:{width}}{shown}{way.faster:>9,.2f}x", flush=True)


# -- chains


def chain_rules(name: str, links: int, only: Sequence[str], repetitions: int) -> None:
    """Figures 7 and 8, tables 2 and 3."""
    whole = Setting(tuple(chains.triples(links)), tuple(parse_rules(chains.rules(name), {})))
    print(f"rule set {name!r} over chains of {links} links")
    summary(whole)
    single = [(short(rule),) for rule in whole.rules]
    pairs = [
        there_and_back(" ".join(names), whole.without(names), whole, repetitions)
        for names in (*single, *GROUPS)
        if not only or set(names) <= set(only)
    ]
    show(("added", "removed"), pairs)
    slow = [way.change.name for ways in pairs for way in ways if way.faster < 1 / NO_SLOWER]
    print(f"  over {NO_SLOWER} times the cost from scratch: {', '.join(slow) or 'none'}")


def summary(setting: Setting) -> None:
    """Table 1."""
    kb = setting.loaded()
    setting.derive(kb)
    names = {relation for rule in setting.rules for relation in (*reads(rule), derives(rule))}
    print(
        f"  {len(hyper_nodes(setting.rules))} hyper-nodes, {len(setting.rules)} rules,"
        f" {len(names)} predicates, {len(kb.explicit):,} facts stated, {len(kb.derived):,} derived"
    )


def hyper_nodes(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules that depend on each other, together."""
    edges = {rule: [other for other in rules if derives(other) in reads(rule)] for rule in rules}
    return list(components(edges))


def derives(rule: Rule) -> Term:
    assert rule.head is not None
    return relation(rule.head)


def reads(rule: Rule) -> set[Term]:
    return {relation(atom) for atom in atoms_within(rule.body)}


def relation(atom: Atom) -> Term:
    return atom.object if atom.predicate == RDF_TYPE else atom.predicate


# -- the farm


def farm(turbines: int) -> Setting:
    return Setting(tuple(wind_farm.triples(turbines)), tuple(parse_rules(wind_farm.rules(), {})))


def neighbours(turbines: int, repetitions: int) -> None:
    """Figure 9."""
    whole = farm(turbines).only(("r1", "r2"))
    print(f"symmetric and transitive: {turbines} turbines")
    changes = [
        ("a link", whole, whole.stating(wind_farm.link(turbines - 1, turbines))),
        ("symmetric rule", whole.without(("r1",)), whole),
        ("transitive rule", whole.without(("r2",)), whole),
    ]
    show(("added", "removed"), [there_and_back(*change, repetitions) for change in changes])


def growth(turbines: int, repetitions: int) -> None:
    """Figure 10."""
    print(f"symmetric and transitive: {turbines} turbines and some more")
    names = ("r1", "r2")
    pairs = [
        there_and_back(
            f"{percent} %",
            farm(turbines).only(names),
            farm(turbines + turbines * percent // 100).only(names),
            repetitions,
        )
        for percent in (10, 20, 30, 40, 50)
    ]
    show(("added", "removed"), pairs)


def whole_farm(turbines: int, repetitions: int) -> None:
    """Changes under the whole rule set."""
    whole, middle = farm(turbines), turbines // 2
    print(f"the farm's rule set: {turbines} turbines")
    summary(whole)
    later = whole.stating(
        wind_farm.measurement(middle, 1), no_more=(wind_farm.measurement(middle),)
    )
    changes = [
        *turbine_changes(whole, turbines),
        ("a measurement", whole, later),
        ("all measurements", whole, replace(whole, facts=tuple(wind_farm.triples(turbines, 1)))),
        *((rule.name, whole.without((rule.name,)), whole) for rule in whole.rules),
    ]
    show(("there", "back"), [there_and_back(*change, repetitions) for change in changes])


def turbine_changes(whole: Setting, turbines: int) -> list[tuple[str, Setting, Setting]]:
    """A turbine more, beyond the last one and between two others: name, before, after."""
    middle = turbines // 2
    new = wind_farm.measurement(turbines)
    end = whole.stating(wind_farm.link(turbines - 1, turbines), new)
    between = whole.stating(
        wind_farm.link(middle - 1, turbines),
        wind_farm.link(turbines, middle),
        new,
        no_more=(wind_farm.link(middle - 1, middle),),
    )
    return [("turbine at the end", whole, end), ("turbine in the middle", whole, between)]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=("chains", "neighbours", "growth", "farm"))
    parser.add_argument("--links", type=int, default=chains.LINKS, help="in a chain (%(default)s)")
    parser.add_argument(
        "--turbines", type=int, nargs="+", default=[50, 100, 200, 400], help="(50 100 200 400)"
    )
    parser.add_argument(
        "--growing", type=int, default=200, help="turbines that get more (%(default)s)"
    )
    parser.add_argument("--rules", nargs="+", default=[], help="of those over chains (all)")
    parser.add_argument("--repetitions", type=int, default=REPETITIONS, help="(%(default)s)")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    if options.only in (None, "chains"):
        for name in ("semipositive", "stratified"):
            chain_rules(name, options.links, options.rules, options.repetitions)
    if options.only in (None, "neighbours"):
        for turbines in options.turbines:
            neighbours(turbines, options.repetitions)
    if options.only in (None, "growth"):
        growth(options.growing, options.repetitions)
    for turbines in options.turbines:
        if options.only in (None, "farm"):
            whole_farm(turbines, options.repetitions)


if __name__ == "__main__":
    main()
