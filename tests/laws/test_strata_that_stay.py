"""Strata stay through changes of the schema only where they are as right as strata made anew."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
import pytest

from laws.names import FIRST, NIL, RDFS, REST, TYPE, Fact, ex
from laws.random_owl import Ontologist
from rdfinc import KnowledgeBase
from rdfinc.datalog.analysis.modules import Modules
from rdfinc.datalog.compile.relation_hypergraph import Dependency, Levels
from rdfinc.datalog.model import Rule
from rdfinc.errors import UnstratifiableError
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.knowledge_base.updates.stratifier import Basis, Stratifier
from rdfinc.owl.vocabulary import OWL
from rdfinc.reasoning.evaluation.states import State
from rdfinc.reasoning.program.compiled_program import Compiled
from rdfinc.reasoning.program.plan_index import PlanIndex
from rdfinc.reasoning.program.plan_memory import Still
from rdfinc.reasoning.program.program_graph import Wanted
from rdfinc.reasoning.program.schema_terms import SchemaTerms
from rdfinc.reasoning.program.strata import Strata
from rdfinc.reasoning.program.strata_plans import StrataPlans
from rdfinc.reasoning.program.stratum import Stratum
from rdfinc.tables.facts import FactSet, joined
from thresholds import put


def compared(monkeypatch: pytest.MonkeyPatch) -> Counter[bool]:
    """Has strata that stay held against the graph after the facts that change; counts the
    answers."""
    asked, answers = Stratifier._note_change, Counter[bool]()

    def may_change(self: Stratifier, strata: Strata, basis: Basis) -> bool:
        found = asked(self, strata, basis)
        if self._stays:
            compiled, wanted = self._rules.compiled, self._wanted(basis)
            gone = FactSet.of(joined(basis.deleted, basis.inserted))
            with_, without = basis.facts(compiled.schema), State(basis.before.tables, (gone,))
            were, are = (
                fit(strata, compiled, facts, wanted, basis.version.modules)
                for facts in (with_, without)
            )
            assert are or not were, "strata made anew are others now"
        answers[self._stays] += any(map(strata.watches, (basis.deleted, basis.inserted)))
        return found

    monkeypatch.setattr(Stratifier, "_note_change", may_change)
    return answers


def program_of(strata: Strata) -> Compiled:
    program = strata.program
    assert isinstance(program, Compiled)
    return program


def fit(strata: Strata, compiled: Compiled, facts: State, wanted: Wanted, kept: Modules) -> bool:
    """Whether strata in use are those made anew. In any case they have the modules of these, and
    are settled where these are. Their order may be another one, since rows of derived facts have
    come and gone: no edge descends, and who reads a function of others is above it. (Strata over
    representatives are compared with such strata only.) Others than these they may be where a
    clause with a variable head has an instance by now that crosses them: an update that derives
    something by it tells so then."""
    anew = compiled.make_strata(facts, wanted, kept, wanted)
    if strata.equality != anew.equality:
        return False
    levels = strata.levels
    if strata.modules != anew.modules:
        assert strata.free and program_of(strata)._crosses(strata, facts, kept)
        return True
    assert levels.settled or not anew.levels.settled
    if levels == anew.levels:
        return True
    assert not strata.program.outgrows(strata, facts, None) and levels.folded == anew.levels.folded
    program = program_of(strata)
    drawn = program._graph_of(facts).by_clause(strata.modules)
    for clause, edges in zip(program.clauses, drawn, strict=True):
        if edges.negative or strata.reached[clause] != {levels.top}:
            assert all(low < high for low, high in steps(edges, levels)), clause
    return False


def steps(edges: Dependency, levels: Levels) -> Iterator[tuple[int, int]]:
    """The levels of each relation that must be complete before a clause reads it, and of what the
    clause derives of it."""
    level, top = levels.of_node.get, levels.top
    for i, body in enumerate(edges.bodies):
        if body is not None and edges.head is not None:
            heads, nodes = map(np.ravel, np.broadcast_arrays(edges.head, body))
            for head, node in zip(heads, nodes, strict=True):
                if i in edges.negative or node in levels.folded:
                    yield level(node, top), level(head, top)


def misses_representatives(kb: KnowledgeBase) -> bool:
    """Whether strata are kept over all terms though strata made anew are over representatives."""
    kept = kb._engine._stratifier.in_use
    if kept is None or kept.strata.equality is not None:
        return False
    return kb._engine.copy().prepared_strata().strata.equality is not None


def is_late(kb: KnowledgeBase) -> bool:
    """Whether representatives are missed though something ordered has changed. A single stratum
    was chosen because of instances over any facts, and is not asked for each that goes."""
    kept = kb._engine._stratifier.in_use
    return kept is not None and kept.strata.levels.top > 0 and misses_representatives(kb)


def check_plans(kb: KnowledgeBase) -> None:
    """What is remembered of plans is what is found anew: no plan is missing, and known rows are
    those that there are, beside some about relations that have become empty."""
    plans, facts = kb._engine._stratifier.in_use, State(kb._engine.version.held.tables)
    if plans is None:
        return
    check_noted(plans.memory.terms, facts)
    kept, fresh = (chain(*map(indexes, each.list)) for each in (plans, StrataPlans(plans.strata)))
    for index, other in zip(kept, fresh, strict=True):
        for relation, found in index._of.items():
            known = {(plan.clause, plan.driver): plan for plan in found}
            for plan in other._found(relation, Still(facts)):
                mine = known[plan.clause, plan.driver]
                if mine.given:
                    assert set(mine.rows) >= set(plan.rows) and mine.given == plan.given
                    read = [i for i, slot in enumerate(mine.given) if slot in mine.read_after(0)]
                    more = set(mine.rows) - set(plan.rows)
                    assert all(any(not len(facts.table(row[i])) for i in read) for row in more)


def indexes(stratum: Stratum) -> list[PlanIndex]:
    drivers = stratum.drivers, stratum.losing, *(each.drivers for each in stratum.groupings)
    return [stratum._derivers, *chain(*((each._readers, each._deniers) for each in drivers))]


def check_noted(terms: SchemaTerms, facts: State) -> None:
    """What is noted of terms names each parameter table that they are in."""
    for relation in terms.relations:
        for key in facts.table(relation).scan().tolist():
            for term, side in ((key >> 32, 0), (key & 0xFFFFFFFF, 1)):
                found = terms.of(term, 0, facts)
                assert found is None or relation in found[side]


def random_rule(rnd: random.Random) -> str:
    """A rule that copies a relation, straight or turned round, or chains two."""
    a, b, c = (ex(f"p{rnd.randrange(3)}") for _ in range(3))
    body = (
        f"[?x, {b}, ?y]",
        f"[?y, {b}, ?x]",
        f"[?x, {b}, ?z], [?z, {c}, ?y]",
        f"[?x, {a}, ?z], [?z, {a}, ?y]",
    )
    return f"[?x, {a}, ?y] :- {rnd.choice(body)} ."


def check_strata(seed: int) -> None:
    """Axioms and rules are taken apart and put together again, others come."""
    rnd = random.Random(seed)
    kb, ontologist = KnowledgeBase(storage=rnd.choice(("auto", "compact"))), Ontologist(rnd)
    stated: set[Fact] = set()
    for _ in range(rnd.randrange(3, 9)):
        stated |= ontologist.axiom() if rnd.random() < 0.8 else ontologist.fact()
    kb.update(insert=sorted(stated))
    rules: set[str] = set()
    for _ in range(15):
        if rnd.random() < 0.3:
            rule = random_rule(rnd)
            (kb.remove_rules if rule in rules else kb.add_rules)(rule)
            rules ^= {rule}
            assert not is_late(kb), seed
        gone = rnd.sample(sorted(stated), min(len(stated), rnd.choice((1, 1, 2))))
        new = ontologist.axiom() if rnd.random() < 0.2 else frozenset[Fact]()
        kb.update(delete=gone, insert=new)
        check_plans(kb)
        stated = (stated - set(gone)) | new
        assert not is_late(kb), seed
        if rnd.random() < 0.8:
            kb.update(insert=gone)
            check_plans(kb)
            stated |= set(gone)
            assert not is_late(kb), seed
    fresh = KnowledgeBase()
    fresh.add_rules("\n".join(sorted(rules)))
    fresh.update(insert=sorted(stated))
    assert set(kb) == set(fresh), seed


def test_strata_that_stay_fit(pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = compared(monkeypatch)
    start, count = pytestconfig.getoption("--long") or (0, 3)
    for seed in range(start, start + count):
        check_strata(seed)
    assert answers[True] and answers[False]


def negating_rule(rnd: random.Random) -> str:
    """A rule that negates or counts, or one that negates nothing."""
    a, b, c = (ex(f"p{rnd.randrange(3)}") for _ in range(3))
    k, m = (ex(f"C{rnd.randrange(4)}") for _ in range(2))
    some = (
        f"[?x, {a}, ?y] :- [?x, {b}, ?y], NOT [?y, {c}, ?x] .",
        f"[?x, a, {k}] :- [?x, {a}, ?y], NOT [?x, a, {m}] .",
        f"[?x, a, {k}] :- [?x, a, {m}], NOT EXISTS ?y IN [?x, {a}, ?y] .",
        f"[?x, {ex('n')}, ?n] :- AGGREGATE([?x, {a}, ?y] ON ?x BIND COUNT(?y) AS ?n) .",
        random_rule(rnd),
    )
    return rnd.choice(some)


def check_negation(seed: int, steps: int = 16) -> None:
    """As `check_strata`, with rules that negate and count: what is refused is refused by strata
    made anew, and leaves what was there. It is refused by a new knowledge base as well, if that
    has the same rules awake. (Facts that come and go in one change may be refused together.)"""
    rnd = random.Random(seed)
    kb, ontologist = KnowledgeBase(storage=rnd.choice(("auto", "compact"))), Ontologist(rnd)
    stated, rules, gone = set[Fact](), set[str](), set[Fact]()
    for step in range(steps):
        now, then = stated, rules
        kind = rnd.random() if step > 3 else 1
        if kind < 0.3:
            then = rules ^ {negating_rule(rnd)}
        elif kind < 0.6:
            gone = set(rnd.sample(sorted(stated), min(len(stated), rnd.choice((1, 1, 2)))))
            now = stated - gone
        elif kind < 0.8:
            now = stated | gone
        else:
            now = stated | ontologist.axiom()
        change = then - rules, rules - then, now - stated, stated - now
        anew, fresh = attempt(kb.copy(), *change), KnowledgeBase()
        accepted, at_once = attempt(kb, *change), attempt(fresh, then, (), now, ())
        assert accepted == anew and accepted <= at_once, (seed, step)
        if accepted:
            stated, rules = now, then
            check_plans(kb)
        else:
            assert not at_once or awake(kb) != awake(fresh), (seed, step)
            fresh = KnowledgeBase()
            assert attempt(fresh, rules, (), stated, ()), (seed, step)
        assert set(kb) == set(fresh), (seed, step)


def awake(kb: KnowledgeBase) -> set[Rule]:
    return set(kb._engine.rules._templates)


def attempt(
    kb: KnowledgeBase,
    new: Iterable[str],
    old: Iterable[str],
    insert: Iterable[Fact],
    delete: Iterable[Fact],
) -> bool:
    """Whether changes of rules and of facts are accepted."""
    try:
        for rule in sorted(old):
            kb.remove_rules(rule)
        for rule in sorted(new):
            kb.add_rules(rule)
        kb.update(insert=sorted(insert), delete=sorted(delete))
    except UnstratifiableError:
        return False
    return True


def test_strata_of_rules_that_negate_stay_and_fit(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = compared(monkeypatch)
    start, count = pytestconfig.getoption("--long") or (1, 2)
    for seed in range(start, start + count):
        check_negation(seed)
    assert answers[True] and answers[False]


def test_beside_a_negation_no_strata_stay_that_a_rule_for_any_relation_may_cross(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared(monkeypatch)
    check_negation(2029700118, steps=18)


def test_a_schema_that_is_derived_has_what_is_negated_depend_on_itself() -> None:
    kb = KnowledgeBase()
    kb.add_rules(f"[?p, <{RDFS}subPropertyOf>, ?q] :- [?p, <x:under>, ?q] .")
    kb.add_rules("[?x, <x:a>, ?y] :- [?x, <x:b>, ?y], NOT [?x, <x:c>, ?y] .")
    kb.update(insert=[("<x:d>", "<x:under>", "<x:e>")])
    before = set(kb)
    with pytest.raises(UnstratifiableError):
        kb.update(insert=[("<x:a>", "<x:under>", "<x:c>")])
    assert set(kb) == before
    kb.update(insert=[("<x:a>", "<x:under>", "<x:e>"), ("<x:i>", "<x:b>", "<x:j>")])
    assert ("<x:i>", "<x:e>", "<x:j>") in kb


def test_nothing_is_wrong_where_representatives_come_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large schema it is not asked at once whether they are possible again."""
    put(monkeypatch, KNOWLEDGE, small_schema=0)
    monkeypatch.setattr(f"{__name__}.is_late", lambda kb: False)
    for seed in range(8, 11):
        check_strata(seed)


def test_strata_that_are_not_settled_do_not_tell_what_is_ordered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A row that went, and whose head was not known to be ordered, had kept them so."""
    compared(monkeypatch)
    check_strata(9900025)


def test_a_single_stratum_asks_for_representatives_when_its_schema_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{__name__}.is_late", misses_representatives)
    check_strata(2027900311)


def test_a_module_comes_and_goes_though_nothing_ordered_depends_on_it() -> None:
    kb = KnowledgeBase(storage="compact")
    transitive = [(f"<x:{p}>", TYPE, f"<{OWL}TransitiveProperty>") for p in "pq"]
    kb.update(insert=[transitive[0], ("<x:a>", "<x:p>", "<x:b>"), ("<x:a>", "<x:q>", "<x:b>")])

    def modules() -> int:
        return len(kb._engine.prepared_strata().strata.modules.all)

    assert modules() == 1
    kb.update(insert=transitive[1:])
    assert modules() == 2
    kb.update(delete=transitive[1:])
    assert modules() == 1


def test_a_row_far_from_a_closure_had_it_depend_on_itself() -> None:
    """Copies and chains lead from a transitive relation to itself, by way of relations that are
    not copied to it."""
    kb = KnowledgeBase(storage="compact")
    kb.add_rules("[?x, <x:w>, ?z] :- [?x, <x:u>, ?y], [?y, <x:s>, ?z] .")
    kb.add_rules("[?x, <x:p>, ?z] :- [?x, <x:w2>, ?y], [?y, <x:s>, ?z] .")
    kb.update(insert=[transitive("<x:p>"), below("<x:p>", "<x:u>"), below("<x:w>", "<x:w2>")])
    assert linear(kb) == [True]
    for far in ("<x:k>", "<x:l>"):
        kb.update(insert=[below(far, "<x:m>")])
    assert kb._engine._stratifier._stays
    kb.update(delete=[below("<x:w>", "<x:w2>")])
    assert linear(kb) == [False, False]


def test_a_row_about_any_relation_has_a_closure_depend_on_itself() -> None:
    """If it is a row of the closure, or of what is below it, and not one beside."""
    kb = KnowledgeBase(storage="compact")
    kb.update(insert=[transitive("<x:q>"), below("<x:p>", "<x:q>"), below(TYPE, "<x:kind>")])
    for _ in range(2):
        assert linear(kb) == [False]
        kb.update(insert=[below(TYPE, "<x:p>")])
        assert linear(kb) == [True]
        kb.update(insert=[below("<x:k>", "<x:l>")])
        assert linear(kb) == [True]
        kb.update(delete=[below(TYPE, "<x:p>")])


@pytest.mark.parametrize(
    ("axiom", "before", "after"),
    [
        ([("<x:q>", f"<{RDFS}subPropertyOf>", "<x:r>")], 2, 3),
        ([("<x:l>", f"<{RDFS}subPropertyOf>", "<x:l>")], 2, 2),
        ([("<x:q>", f"<{OWL}propertyChainAxiom>", "_:c")], 2, 1),
        ([("<x:l>", f"<{OWL}propertyChainAxiom>", "_:c")], 2, 2),
        ([("<x:l>", f"<{OWL}propertyChainAxiom>", "_:d")], 2, 3),
    ],
)
def test_copies_and_chains_near_a_closure_change_modules(
    axiom: list[Fact], before: int, after: int
) -> None:
    """The closure of p and the union q are modules: so is what q is copied to, or has a chain of
    itself; a chain of q and another relation ends the union."""
    kb = KnowledgeBase(storage="compact")
    kb.update(insert=[transitive("<x:p>"), below("<x:p>", "<x:q>")])
    kb.update(insert=[*cells("_:c", "<x:q>", "<x:k>"), *cells("_:d", "<x:l>", "<x:l>")])
    assert len(linear(kb)) == before
    for _ in range(2):
        kb.update(insert=axiom)
        assert len(linear(kb)) == after
        kb.update(delete=axiom)
        assert len(linear(kb)) == before


def test_a_schema_that_is_derived_has_strata_made_anew_when_it_changes_next() -> None:
    kb = KnowledgeBase(storage="compact")
    kb.add_rules(f"[?p, a, <{OWL}TransitiveProperty>] :- [?p, <x:is>, <x:transitive>] .")
    kb.update(insert=[("<x:p>", "<x:is>", "<x:transitive>")])
    kb.update(insert=[below("<x:k>", "<x:m>")])
    assert linear(kb) == [False]
    kb.update(delete=[("<x:p>", "<x:is>", "<x:transitive>")])
    kb.update(insert=[below("<x:l>", "<x:m>")])
    assert linear(kb) == []


def cells(head: str, first: str, second: str) -> list[Fact]:
    """A list of two."""
    last = f"{head}1"
    rest = (head, REST, last), (last, REST, NIL)
    return [(head, FIRST, first), (last, FIRST, second), *rest]


def linear(kb: KnowledgeBase) -> list[bool]:
    """Whether modules are closed by linear rules, one by one."""
    return [module.linear is not None for module in kb._engine.prepared_strata().strata.modules.all]


def transitive(relation: str) -> Fact:
    return relation, TYPE, f"<{OWL}TransitiveProperty>"


def below(relation: str, other: str) -> Fact:
    return relation, f"<{RDFS}subPropertyOf>", other


def test_rows_by_which_plans_were_left_out_are_looked_for_again() -> None:
    kb, below = KnowledgeBase(), f"<{RDFS}subClassOf>"
    kb.update(insert=[("<x:a>", f"<{OWL}sameAs>", "<x:b>"), ("<x:E>", below, "<x:F>")])
    kb.update(insert=[("<x:b>", TYPE, "<x:C>")])
    strata = kb._engine.prepared_strata().strata
    kb.update(insert=[("<x:C>", below, "<x:D>")])
    assert kb._engine.prepared_strata().strata is strata
    kb.update(insert=[("<x:c>", TYPE, "<x:C>")])
    assert ("<x:c>", TYPE, "<x:D>") in kb


def test_rows_that_change_are_known_beforehand_in_the_next_update() -> None:
    """Also those found by way of others: a plan found while they change goes through them once."""
    kb, on, some = KnowledgeBase(), f"<{OWL}onProperty>", f"<{OWL}someValuesFrom>"
    kb.update(insert=[("<x:R>", on, "<x:p>"), ("<x:a>", "<x:p>", "<x:b>")])
    kb.update(insert=[("<x:b>", TYPE, "<x:A>"), ("<x:c>", "<x:p>", "<x:b>")])
    kb.update(insert=[("<x:R>", some, "<x:A>"), ("<x:d>", "<x:p>", "<x:b>")])
    kb.update(insert=[("<x:e>", "<x:p>", "<x:b>")])
    assert ("<x:e>", TYPE, "<x:R>") in kb
    driven = kb.dictionary.find(b"<x:p>"), None
    plans = kb._engine._stratifier.in_use
    assert plans is not None
    found = [
        p for i in plans.memory.indexes if isinstance(i, PlanIndex) for p in i._of.get(driven, ())
    ]
    assert found and all(plan.given for plan in found if plan.clause.parameters)


def test_the_next_update_finds_its_strata_after_a_large_one() -> None:
    """Also where schema facts went, and strata made anew may have modules that were none."""
    kb, below = KnowledgeBase(), ("<x:p>", f"<{RDFS}subPropertyOf>", "<x:q>")
    kb.update(insert=[below, ("<x:p>", TYPE, f"<{OWL}TransitiveProperty>")])
    facts = [(f"<x:{n}>", "<x:p>", f"<x:{n + 1}>") for n in range(2 * KNOWLEDGE.many_statements)]
    kb.update(delete=[below], insert=facts[1:])
    ready = kb._engine._stratifier.in_use
    assert ready is not None
    kb.update(insert=facts[:1])
    assert kb._engine._stratifier.in_use is ready
