"""A scenario performed by knowledge bases of every configuration, each step held to the oracle."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count

import pytest
from naive import by_predicate, matching

from laws.demands import demands
from laws.names import GRAPHS
from laws.oracle import NOTHING, Expected
from laws.performing import perform
from laws.scenarios import Scenario, scenario, scenario_of_closures, scenario_of_equality
from laws.steps import Step
from laws.stratification import ANY, is_stratified, negates, relation
from rdfinc import Delta, KnowledgeBase, UnstratifiableError, ViolationError
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Aggregate, BodyItem, NotExists, Rule
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.storage.term_reclaiming import Reclaiming
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.reasoning.program import clock
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables import facts
from rdfinc.tables.closed import MakeClosed
from rdfinc.tables.closure.schemes import closed
from rdfinc.tables.hashed_table import Hashed, HashedClosure
from rdfinc.tables.plain_table import Plain
from rdfinc.tables.table import MutableTable
from rdfinc.tables.table_thresholds import TABLES
from rdfinc.terms.dictionary import AUXILIARY
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put


@dataclass(frozen=True)
class Configuration:
    """A strategy, a table, and where rows end and columns begin; the overlay of `Plain` tables,
    the blocks of the column interpreter, what counts as many, what `auto` checks without looking
    at a clock, which runs by looks then, how far glances and "fbf" look, and when a closure or
    classes are kept in another way may be made so small that all come into play; and plans that
    are not `long` are written out after as many searches as are `interpreted`."""

    strategy: str
    table: type[MutableTable]
    narrow: int
    overlay: int = TABLES.plain_overlay
    block: int = REASONING.rows_block
    many: int = TABLES.many_ids
    least: int = 500
    storage: str = "plain"
    worth: int = KNOWLEDGE.closure_facts_an_edge
    long: int = REASONING.long_plan
    interpreted: int = 0

    @property
    def reclaims(self) -> bool:
        """Whether terms that nothing mentions are looked for after every update, and terms are
        frozen often."""
        return self.overlay < Configuration.overlay

    @property
    def closed(self) -> MakeClosed:
        """What makes closed tables."""
        return HashedClosure if self.table is Hashed else closed

    def knowledge_base(self, profile: str) -> KnowledgeBase:
        """An empty one."""
        return KnowledgeBase(
            profile=profile,
            storage=self.storage,
            maintenance=self.strategy,
            table=self.table,
            closed=self.closed,
        )

    @contextmanager
    def in_force(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            put(
                patch,
                TABLES,
                narrow_batch=self.narrow,
                facts_taken_alone=min(TABLES.facts_taken_alone, self.narrow),
                plain_overlay=self.overlay,
                plain_recent=min(TABLES.plain_recent, self.overlay // 3),
                partition_overlay=self.overlay,
                few_ids_of_partition=min(TABLES.few_ids_of_partition, self.overlay // 3),
                single_expanded_ids=min(TABLES.single_expanded_ids, self.overlay // 3),
                few_image_pairs=min(TABLES.few_image_pairs, self.overlay // 3),
                few_noted=min(TABLES.few_noted, self.overlay),
                many_individuals=min(TABLES.many_individuals, 2 * self.overlay),
                regrouped_pairs=min(TABLES.regrouped_pairs, self.overlay),
                counted_numbers_block=min(TABLES.counted_numbers_block, self.overlay),
                probes_block=min(TABLES.probes_block, self.overlay),
                few_beside_probes=min(TABLES.few_beside_probes, self.narrow + 1),
                grouped_keys_block=min(TABLES.grouped_keys_block, self.overlay),
                look_up_pairs=TABLES.look_up_pairs if self.narrow == ROWS else TABLES.noted_pairs,
            )
            put(
                patch,
                KNOWLEDGE,
                many_alias_pairs=min(KNOWLEDGE.many_alias_pairs, self.narrow),
                pairs_a_term=int(self.narrow == ROWS),
            )
            put(patch, REASONING, rows_block=self.block, long_plan=self.long, long_body=1)
            put(patch, REASONING, united_rows=min(REASONING.united_rows, 2 * self.block))
            put(patch, REASONING, crossed_rows=min(REASONING.crossed_rows, 4 * self.block))
            put(patch, REASONING, waiting_rows=min(REASONING.waiting_rows, self.block))
            put(patch, LISTS, few_entries=LISTS.few_entries if self.narrow == ROWS else 2)
            put(patch, REASONING, interpreted_searches=self.interpreted)
            put(patch, REASONING, function_steps=min(REASONING.function_steps, self.narrow + 1))
            put(patch, REASONING, few_classes=min(REASONING.few_classes, self.narrow))
            put(patch, REASONING, few_relations=min(REASONING.few_relations, self.narrow + 1))
            put(patch, REASONING, scattered_rows=min(REASONING.scattered_rows, self.narrow))
            put(patch, REASONING, closed_one_by_one=min(REASONING.closed_one_by_one, self.narrow))
            put(patch, REASONING, closed_ends=min(REASONING.closed_ends, self.narrow))
            put(patch, REASONING, closed_facts=min(REASONING.closed_facts, self.narrow))
            put(patch, REASONING, equal_pairs=min(REASONING.equal_pairs, self.narrow))
            put(patch, REASONING, equal_rounds=min(REASONING.equal_rounds, self.narrow + 1))
            put(patch, REASONING, equal_share=0 if self.narrow <= 2 else REASONING.equal_share)
            put(patch, REASONING, hierarchy_pairs=min(REASONING.hierarchy_pairs, self.narrow))
            put(patch, REASONING, few_gone=min(REASONING.few_gone, self.narrow))
            put(patch, TABLES, many_ids=self.many)
            put(patch, REASONING, instances_a_look=max(self.least // 10, 1))
            patch.setattr(clock, "now", partial(next, count(0, 5e-4)))
            put(
                patch,
                REASONING,
                search_bound=min(REASONING.search_bound, self.least // 4),
                glance_instances=min(REASONING.glance_instances, self.least // 4),
                unfounded_instances=min(REASONING.unfounded_instances, self.least // 10),
                foundation_rows=min(REASONING.foundation_rows, self.least),
            )
            put(
                patch,
                KNOWLEDGE,
                closure_facts_an_edge=self.worth,
                stated_edges=2 * self.worth,
                shared_relation=2 * self.worth,
                shared_at_once=self.worth,
                shared_bytes=100 / self.worth,
            )
            if self.reclaims:
                patch.setattr(Reclaiming, "is_due", lambda self, terms: True)
                put(patch, KNOWLEDGE, many_inserted=0, text_thawed=50)
                put(
                    patch,
                    TERMS,
                    many_thawed=4,
                    frozen_to_thawed=8,
                    kept_frozen_terms=6,
                    placed_entries=5,
                    kept_if_often=1,
                )
            yield


ROWS, COLUMNS = 10**9, 0
GRID = [
    Configuration(strategy, table, narrow)
    for narrow in (COLUMNS, ROWS)
    for table in (Plain, Hashed)
    for strategy in ("bf", "dred")
]
MIXED = [
    Configuration(
        strategy, Plain, narrow, overlay=3, block=4, many=0, least=4, long=4, interpreted=2
    )
    for narrow, strategies in (
        (COLUMNS, ("bf", "dred")),
        (2, ("bf", "fbf", "dred", "dred-counting", "rematerialise", "auto")),
    )
    for strategy in strategies
]
CONFIGURATIONS = [*GRID, *MIXED]
CLOSURES = [
    Configuration(strategy, table, narrow, 3, 4, 0, 4, storage, worth=2)
    for strategy, table, narrow, storage in (
        ("bf", Plain, COLUMNS, "compact"),
        ("dred", Plain, ROWS, "compact"),
        ("auto", Plain, 2, "compact"),
        ("rematerialise", Hashed, 2, "compact"),
        ("bf", Hashed, 2, "auto"),
        ("dred", Plain, 2, "auto"),
        ("fbf", Plain, 2, "compact"),
        ("dred-counting", Plain, COLUMNS, "compact"),
    )
]
"""For closures: kept apart always, or where that is worth it."""
EQUALITY = [
    *CLOSURES,
    Configuration("bf", Plain, 2, 3, 4, 0, 4, "plain", worth=2),
    Configuration("auto", Hashed, COLUMNS, 3, 4, 0, 4, "plain", worth=2),
]
"""For things with several names: also with all facts about each name."""


ONE_IN = 2
"""A scenario of a slice is played in one of so many configurations."""


def taking_turns(
    configurations: Sequence[Configuration], seed: int, one_in: int
) -> Sequence[Configuration]:
    """Those in which a scenario is played where one of so many is."""
    return configurations[seed // 2 % one_in :: one_in]


def check_seeds(seeds: range, one_in: int = 1) -> Counter[str]:
    """Checks the scenarios of some seeds, a scenario in one of so many configurations, which take
    turns; returns how demanding they were."""
    return _check_all(map(scenario, seeds), CONFIGURATIONS, one_in)


def check_closures(seeds: range, one_in: int = 1) -> Counter[str]:
    """The same for scenarios of closures."""
    return _check_all(map(scenario_of_closures, seeds), CLOSURES, one_in)


def check_equality(seeds: range, one_in: int = 1) -> Counter[str]:
    """The same for scenarios of things with several names."""
    return _check_all(map(scenario_of_equality, seeds), EQUALITY, one_in)


def _check_all(
    cases: Iterable[Scenario], configurations: Sequence[Configuration], one_in: int
) -> Counter[str]:
    met: Counter[str] = Counter()
    for case in cases:
        for configuration in taking_turns(configurations, case.seed, one_in):
            with configuration.in_force():
                met += check(case, configuration)
        met += met_in(case)
    return met


def met_in(case: Scenario) -> Counter[str]:
    met = Counter(sequences=1, steps=len(case.steps), refused=len(case.refused))
    before = NOTHING
    for number, (step, expected) in enumerate(zip(case.steps, case.expected, strict=True)):
        if number not in case.refused:
            met += demands(step, before, expected)
        before = expected
    return met


def check(case: Scenario, configuration: Configuration) -> Counter[str]:
    """Every step, with what surrounds it: copies that go on, readers that stay, refusals. Returns
    after how many of them some relations were kept as closures, were closed by linear rules, and
    were about representatives of several things."""
    met: Counter[str] = Counter()
    held: list[tuple[Delta, Expected]] = []
    kb = configuration.knowledge_base(case.profile)
    before = NOTHING
    for number, (step, expected) in enumerate(zip(case.steps, case.expected, strict=True)):
        place = f"seed {case.seed}, step {number}, {configuration}"
        if number % 3 == 1:
            pinned = kb.reader()
        elif number % 3 == 2 and configuration in (*MIXED, *CLOSURES):
            original, kb = kb, copied(kb, number)
        if number in case.refused:
            check_unstratifiable(kb, step, before, place)
            continue
        if not expected.clashes <= before.clashes:
            check_refusal(kb, step, before, place)
        if configuration.reclaims:
            kb.dictionary.encode_many(passing_terms(number))
        delta = check_step(kb, step, expected, place)
        counters = delta.report.counters
        if number % 3 == case.seed % 3:
            for earlier, then in held:
                check_delta(earlier, then, f"{place}: an earlier delta")
            held = [(delta, expected)] if case.seed % 2 else []
        del delta
        if case.profile == "none" and configuration.storage == "plain":
            # otherwise strata, lists and modules make a difference
            check_counters(configuration, counters, step, before, expected, place)
        if number % 3 == 1:
            stayed = {decoded(kb, t) for t in pinned.closure.match()}
            same(stayed, before.shown, f"{place}: what a reader began with")
            del pinned
        elif number % 3 == 2 and configuration in (*MIXED, *CLOSURES):
            compare(original, before, f"{place}: the original of a copy")
        before = expected
        version = kb._engine.version
        met["closed"] += bool(version.modules.tabled)
        met["linear"] += len(version.modules.tabled) < len(version.modules.of)
        met["rewritten"] += not version.aliases.trivial
    return met


def copied(kb: KnowledgeBase, number: int) -> KnowledgeBase:
    return kb.copy() if number % 2 else pickle.loads(pickle.dumps(kb))


def check_refusal(kb: KnowledgeBase, step: Step, before: Expected, place: str) -> None:
    """A step that brings new contradictions is refused where asked, and nothing has changed."""
    kb.on_violation = "raise"
    try:
        perform(kb, step)
    except ViolationError:
        compare(kb, before, f"{place}: after a refusal")
    else:
        raise AssertionError(f"{place}: not refused")
    kb.on_violation = "keep"


def check_unstratifiable(kb: KnowledgeBase, step: Step, before: Expected, place: str) -> None:
    try:
        perform(kb, step)
    except UnstratifiableError:
        compare(kb, before, f"{place}: after a refusal")
    else:
        raise AssertionError(f"{place}: not refused")


def check_step(kb: KnowledgeBase, step: Step, expected: Expected, place: str) -> Delta:
    delta = perform(kb, step)
    check_delta(delta, expected, place)
    compare(kb, expected, place)
    return delta


def check_delta(delta: Delta, expected: Expected, place: str) -> None:
    for facts_of, found in ((expected.added, delta.added), (expected.removed, delta.removed)):
        same(texts(found), facts_of, f"{place}: a delta")
        assert all(fact in found for fact in facts_of), place


def passing_terms(number: int) -> Iterator[bytes]:
    """Terms of every kind that nothing mentions, to take the place of others and make way again."""
    for form in (b"<urn:passing:%d>", b"_:passing%d", b'"passing %d"'):
        yield form % number


def check_counters(
    configuration: Configuration, counters: dict[str, int], step: Step, before: Expected,
    after: Expected, place: str,
) -> None:  # fmt: skip
    """No rule instance is considered more often than once in a pass (Motik et al. 2015, theorem 1),
    and no group without need. Where even a few are `many`, instances with one head may count as
    one."""
    rules, strategy = (*before.rules, *after.rules), configuration.strategy
    if not configuration.many:
        check_bounds(strategy, counters, step, before, after, place)
        return
    if negates(rules):
        if is_stratified(rules):  # otherwise in two passes
            assert counters["groups"] <= changed_groups(before, after), place
            check_passes(strategy, counters, step, before, after, place)
    else:
        check_growth(strategy, counters, step, before, after, place)


def check_bounds(
    strategy: str, counters: dict[str, int], step: Step, before: Expected, after: Expected,
    place: str,
) -> None:  # fmt: skip
    """Where nothing is negated, and facts only come or only go: the bounds from above."""
    most, fewer = len(before.instances), len(before.instances) - len(after.instances)
    if negates((*before.rules, *after.rules)):
        return
    if before.explicit <= after.explicit and not step.rules_removed:
        insertions = counters["insertions"]
        assert insertions <= -fewer, place
        assert counters == {**dict.fromkeys(counters, 0), "insertions": insertions}, place
    elif after.explicit <= before.explicit and not step.rules_added and strategy in ("bf", "dred"):
        assert counters["insertions"] == 0, place
        assert counters["propagate"] + counters["saturate"] + counters["dr2"] <= most, place
        assert max(counters["backward"], counters["dr4"] + counters["dr5"]) <= most, place


def check_growth(
    strategy: str, counters: dict[str, int], step: Step, before: Expected, after: Expected,
    place: str,
) -> None:  # fmt: skip
    """Where nothing is negated: what only grows considers the new instances, each once, and nothing
    else. What only shrinks doubts by the lost instances, each once; no search considers one twice.
    Instances that differ in nothing but what one more fact shares with no other count as one.
    """
    most, fewer = len(before.instances), len(before.instances) - len(after.instances)
    if before.explicit <= after.explicit and not step.rules_removed:
        insertions = counters["insertions"]
        derived = after.closure - before.closure - after.explicit
        assert len(derived) <= insertions <= -fewer, place
        assert counters == {**dict.fromkeys(counters, 0), "insertions": insertions}, place
    elif after.explicit <= before.explicit and not step.rules_added:
        if strategy == "dred":
            assert counters["insertions"] == 0, place
            left = counters["propagate"] + counters["dr2"]
            gone = before.closure - after.closure - before.explicit
            assert (0 if step.rules_removed else len(gone)) <= left <= most, place
            assert counters["dr4"] + counters["dr5"] <= most, place
        elif strategy == "bf":
            assert counters["insertions"] == 0, place
            assert counters["propagate"] <= fewer, place
            assert counters["propagate"] + counters["saturate"] <= most, place
            assert counters["backward"] <= most, place


def check_passes(
    strategy: str, counters: dict[str, int], step: Step, before: Expected, after: Expected,
    place: str,
) -> None:  # fmt: skip
    """Where atoms are negated, one step may add and take away: for all that went and came instances
    were considered, none twice. (Bodies within bodies have instances of their own, a
    rule for any relation is at work in several strata, and what a relation has lost with its last
    rule is lost without a look at instances.)"""
    if not all(map(is_flat, (*before.rules, *after.rules))):
        return
    lost = before.closure - after.closure - before.explicit
    new = after.closure - before.closure - after.explicit
    inserted, left = counters["insertions"], counters["propagate"] + counters["dr2"]
    assert len(new) <= inserted + counters["dr5"], place
    assert max(inserted, counters["dr4"], counters["dr5"]) <= len(after.instances), place
    if strategy in ("bf", "dred"):
        assert (0 if step.rules_removed else len(lost)) <= left <= len(before.instances), place
    if strategy == "bf":
        either = before.instances | after.instances
        assert left + counters["saturate"] <= len(either), place


def is_flat(rule: Rule) -> bool:
    inner = any(isinstance(item, NotExists | Aggregate) for item in rule.body)
    return not inner and relation(rule.head) != ANY


def changed_groups(before: Expected, after: Expected) -> int:
    """The groups that gained or lost a solution, one for each aggregate of each rule."""
    then, now = groups_of(before), groups_of(after)
    return sum(then.get(group) != now.get(group) for group in then.keys() | now.keys())


def groups_of(expected: Expected) -> dict[tuple, set]:
    """By aggregate and group, the solutions."""
    facts = by_predicate(expected.closure)
    found: dict[tuple, set] = {}
    for rule in dict.fromkeys(map(canonical, expected.rules)):
        for item in aggregates(rule.body):
            for i in matching(item.body, facts, facts):
                group = tuple(i[variable] for variable in item.group)
                for value in item.values:
                    found.setdefault((rule, item, value, group), set()).add(frozenset(i.items()))
    return found


def aggregates(body: tuple[BodyItem, ...]) -> Iterator[Aggregate]:
    for item in body:
        if isinstance(item, Aggregate):
            yield item
        if isinstance(item, NotExists | Aggregate):
            yield from aggregates(item.body)


def compare(kb: KnowledgeBase, expected: Expected, place: str) -> None:
    kb._check()
    written = {canonical(rule) for rule in expected.written}
    assert {canonical(rule) for rule in kb.program} == written, place
    assert len(kb.program) == len(written), place
    same(raw(kb), expected.closure, f"{place}: closure")
    same(texts(kb), expected.shown, f"{place}: what is shown")
    same(texts(kb.explicit), expected.explicit, f"{place}: explicit")
    same(texts(kb.derived), expected.shown - expected.explicit, f"{place}: derived")
    assert len(kb) == len(expected.shown), place
    assert len(kb.violations()) == len(expected.clashes), place
    reader = kb.reader()
    for name in set(GRAPHS) - {None}:
        graph = kb.dictionary.find(name.encode())
        found = {decoded(kb, t) for t in reader.graph(graph or 0).match()}
        same(found, expected.graph(name), f"{place}: {name}")
    found = {decoded(kb, t) for t in reader.stated_in_default.match()}
    same(found, expected.graph(None), f"{place}: the default graph")


def same(found: Set[tuple], expected: Set[tuple], place: str) -> None:
    if found != expected:
        missing, extra = sorted(expected - found), sorted(found - expected)
        raise AssertionError(f"{place}: {missing=}, {extra=}")


def raw(kb: KnowledgeBase) -> set[tuple[str, ...]]:
    """The whole closure but for auxiliary facts, whatever users are shown of it."""
    found = facts.triples(kb._engine.version.closure.batch())
    return {decoded(kb, t) for t in found if kb.dictionary.kind(t[1]) != AUXILIARY}


def decoded(kb: KnowledgeBase, triple: tuple[int, int, int]) -> tuple[str, ...]:
    return tuple(kb.dictionary.decode(id).decode() for id in triple)


def texts(triples) -> set[tuple[str, ...]]:
    listed = [tuple(term.n3() for term in triple) for triple in triples]
    assert len(listed) == len(set(listed)) == len(triples)
    return set(listed)
