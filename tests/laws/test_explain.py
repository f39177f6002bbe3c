"""A proof for every fact: from what is stated, by instances of the rules, and a short one."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import islice, permutations, product

import pytest
from naive import (
    AUX,
    Bindings,
    ByPredicate,
    assumes,
    by_predicate,
    derivations,
    ground,
    matching,
    naive,
)

from laws.checking import CLOSURES, CONFIGURATIONS, Configuration
from laws.names import FIRST, LITERALS, NIL, REST, TYPE, VALUE, Fact, ex, owl, rdfs, xsd
from laws.oracle import NOTHING, Expected, Oracle
from laws.performing import perform
from laws.scenarios import Scenario, scenario, scenario_of_closures, scenario_of_equality
from laws.steps import Step
from rdfinc import KnowledgeBase
from rdfinc.datalog.canonical_rules import canonical
from rdfinc.datalog.model import Aggregate, Literal, Rule
from rdfinc.knowledge_base.explanations.proofs import Proof
from rdfinc.knowledge_base.streams.delta import Delta

pytestmark = pytest.mark.xdist_group("explanations")  # they play the same scenarios

SUB_CLASS = rdfs("subClassOf")

Instances = dict[Fact, set[tuple[Fact, ...]]]


@pytest.mark.parametrize("seed", range(6))
def test_proofs_are_right_and_short(seed: int) -> None:
    check_scenario(scenario(seed), random.Random(seed).choice(CONFIGURATIONS))


@pytest.mark.parametrize("seed", range(4))
def test_proofs_through_closures(seed: int) -> None:
    check_scenario(scenario_of_closures(seed), CLOSURES[seed % len(CLOSURES)])


@pytest.mark.parametrize("seed", range(4))
def test_proofs_about_what_has_several_names(seed: int) -> None:
    check_scenario(scenario_of_equality(seed), CLOSURES[seed % len(CLOSURES)])


def check_scenario(case: Scenario, configuration: Configuration) -> None:
    rnd = random.Random(case.seed)
    with configuration.in_force():
        kb = configuration.knowledge_base(case.profile)
        before, told = NOTHING, dict[Fact, str]()
        delta = kb.update()
        for number, (step, expected) in enumerate(zip(case.steps, case.expected, strict=True)):
            if number not in case.refused:
                earlier, delta = delta, perform(kb, step)
                assert {fact: str(earlier.why_removed(fact)) for fact in told} == told
                told = check_removals(delta, before, expected, rnd)
                check_proofs(kb, expected, rnd)
                before = expected


def test_the_first_proof_found_need_not_be_the_lowest() -> None:
    """F by the chain from E down to B is found as soon as all of it has been met, F by the chain
    from Z, which is shorter, one level later."""
    chains = "".join(kinds(head, body) for head, body in ("ED", "DC", "CB", "FX", "XY", "YZ"))
    kb = KnowledgeBase(profile="none")
    kb.add_rules(chains + kinds("F", "EDCB"))
    kb.update(insert=[(ex("x"), TYPE, ex("B")), (ex("x"), TYPE, ex("Z"))])
    proof = kb.explain((ex("x"), TYPE, ex("F")))
    assert proof is not None and (proof.height, steps(proof)) == (3, 4)


@pytest.mark.parametrize("order", permutations(range(3)))
def test_a_proof_has_its_steps_in_axioms_where_it_can(order: Sequence[int]) -> None:
    """Of as many steps are: x is a B, as it is an A; A is below C, as B is."""
    kb = KnowledgeBase()
    facts = [(ex("x"), TYPE, ex("A")), (ex("A"), SUB_CLASS, ex("B")), (ex("B"), SUB_CLASS, ex("C"))]
    for i in order:
        kb.update(insert=[facts[i]])
    proof = kb.explain((ex("x"), TYPE, ex("C")))
    assert proof is not None and steps(proof) == 5
    assert {str(premise.fact[1]) for premise in proof.premises if premise.premises} == {
        "http://www.w3.org/2000/01/rdf-schema#subClassOf"
    }


def test_an_absent_fact_of_a_proof_may_be_computed() -> None:
    kb = KnowledgeBase(profile="none")
    value = ex("value")
    kb.add_rules(
        f"[?x, {ex('odd')}, ?n] :- [?x, {value}, ?n], BIND(?n + 1 AS ?m), BIND(?m * 2 AS ?k),"
        f" NOT [?x, {value}, ?k] ."
    )
    kb.update(insert=[(ex("x"), value, '"1"^^<http://www.w3.org/2001/XMLSchema#integer>')])
    (proof,) = filter(None, map(kb.explain, kb.derived))
    assert proof.absent == (f"{ex('x')} {value} 4",)


ONE, ALSO_ONE = LITERALS[1:3]


def test_a_literal_is_of_a_datatype_by_one_of_its_names() -> None:
    """Each of its names is asked for because of any of them, which is no reason."""
    stated = [(ex(name), owl("sameAs"), ONE) for name in ("i0", "i1")]
    assert len(right_proofs((ex("i0"), TYPE, xsd("integer")), stated)) == 2


def test_literals_differ_by_one_name_of_each() -> None:
    stated = [(ex(f"i{n}"), owl("sameAs"), (ONE, '"a"')[n % 2]) for n in range(3)]
    assert right_proofs((ex("i0"), owl("differentFrom"), '"a"'), stated)


def test_a_name_of_a_literal_is_one_of_those_with_its_value() -> None:
    stated = [(ex("i0"), owl("sameAs"), ONE), (ex("i1"), VALUE, ALSO_ONE)]
    assert len(right_proofs((ex("i0"), owl("sameAs"), ALSO_ONE), stated)) == 1


def right_proofs(fact: Fact, stated: list[Fact]) -> list[Proof]:
    """All proofs of a fact, held to the oracle."""
    kb = KnowledgeBase()
    kb.update(insert=stated)
    expected = Oracle("owl2rl").step(Step(insert={(*each, None) for each in stated}))
    proofs, instances = list(kb.explain(fact, all=True)), instances_by_head(expected)
    for proof in proofs:
        check_proof(proof, instances, expected)
    return proofs


def test_a_datatype_is_asked_for_on_its_own_ground() -> None:
    """Literals are asked of which datatypes they are, because of any datatype."""
    q, above, other = map(ex, "qCD")
    needed = [(q, owl("inverseOf"), TYPE), (ex("i0"), VALUE, ONE)]
    kb = KnowledgeBase()
    kb.update(
        insert=[
            *needed,
            (xsd("string"), rdfs("subClassOf"), above),
            (above, owl("disjointWith"), other),
        ]
    )
    (proof,) = kb.explain((xsd("integer"), q, ONE), all=True)
    assert leaves(proof) == set(needed)


def restriction(node: str, kind: str, value: str) -> list[Fact]:
    """A restriction of the property p."""
    return [(ex(node), owl("onProperty"), ex("p")), (ex(node), owl(kind), value)]


def alike(kind: str, one: str, other: str) -> list[Fact]:
    return [*restriction("r", kind, one), *restriction("s", kind, other)]


ALIKE = [
    (
        [(ex("p"), TYPE, owl("ObjectProperty")), *alike("hasValue", ex("v"), ex("v"))],
        (ex("r"), SUB_CLASS, ex("s")),
    ),
    (
        [(ex("p"), TYPE, owl("DatatypeProperty")), *alike("hasValue", ONE, ALSO_ONE)],
        (ex("s"), SUB_CLASS, ex("r")),
    ),
    (
        [
            (ex("i"), TYPE, ex("A")),
            (ex("A"), SUB_CLASS, ex("r")),
            *alike("someValuesFrom", ex("D"), ex("D")),
            (ex("D"), TYPE, owl("Class")),
            (ex("s"), SUB_CLASS, ex("B")),
        ],
        (ex("i"), TYPE, ex("B")),
    ),
]


@pytest.mark.parametrize(("needed", "fact"), ALIKE)
def test_why_restrictions_are_alike_is_told(needed: list[Fact], fact: Fact) -> None:
    """A proof rests on all that makes them alike, and on nothing else that is said of them."""
    beside = [(ex("r"), owl("hasValue"), ex("w")), (ex("s"), owl("onProperty"), ex("q"))]
    kb = KnowledgeBase()
    kb.update(insert=[*needed, *beside])
    assert leaves(kb.explain(fact)) == set(needed)
    gone = next(each for each in needed if each[1] in map(owl, ("hasValue", "someValuesFrom")))
    removal = kb.update(delete=[gone]).why_removed(fact)
    assert leaves(removal.proof) == set(needed)
    assert [tuple(term.n3() for term in each) for each in removal.deleted] == [gone]


@pytest.mark.parametrize("every", [False, True])
def test_no_fact_is_told_by_itself(every: bool) -> None:
    """By `x = x` each fact about x follows from itself, and that from each of these facts."""
    kb = KnowledgeBase(axiomatic=True)
    chain = [(ex(f"C{n}"), SUB_CLASS, ex(f"C{n + 1}")) for n in range(12)]
    kb.update(insert=chain)
    goal = (ex("C0"), SUB_CLASS, ex("C12"))
    proof = next(iter(kb.explain(goal, all=True))) if every else kb.explain(goal)
    assert leaves(proof) == set(chain)
    assert kb._engine.support().looked_at <= 2 * len(chain)


def test_what_is_gone_is_named_by_what_was_stated_before() -> None:
    """A list that went with it, and another one at the same node."""
    kb = KnowledgeBase()
    axiom, *cells = (
        (ex("K"), owl("oneOf"), "_:l1"),
        ("_:l1", FIRST, ex("i3")),
        ("_:l1", REST, NIL),
    )
    kb.update(insert=[axiom, *cells])
    delta = kb.update(delete=[axiom, *cells])
    text = str(delta.why_removed(axiom))
    assert f"{ex('K')} owl:oneOf ({ex('i3')})   was deleted" in text
    assert f"- {ex('K')} owl:oneOf ({ex('i3')})" in str(delta)
    kb.update(insert=[("_:l1", FIRST, ex("i2")), ("_:l1", REST, NIL)])
    assert str(delta.why_removed(axiom)) == text


@pytest.mark.parametrize("seed", range(12))
def test_all_proofs_are_all_that_there_are(seed: int) -> None:
    """Of what an individual is, by random rules that go in circles."""
    rnd = random.Random(seed)
    rules = {
        (rnd.choice("ABCDE"), "".join(rnd.sample("ABCDEF", rnd.randint(1, 2)))) for _ in "R" * 9
    }
    stated = {"F", *rnd.sample("ABCDE", rnd.randint(0, 2))}
    kb = KnowledgeBase(profile="none")
    kb.add_rules("".join(kinds(*rule) for rule in sorted(rules)))
    kb.update(insert=[(ex("x"), TYPE, ex(name)) for name in stated])
    for name in "ABCDE":
        proofs = list(kb.explain((ex("x"), TYPE, ex(name)), all=True))
        found = [ways(proof) for proof in proofs]
        assert len(found) == len(set(found)) and set(found) == set(all_ways(name, rules, stated))
        assert [steps(proof) for proof in proofs] == sorted(map(steps, proofs))


@pytest.mark.parametrize("seed", range(4))
def test_a_way_up_a_hierarchy_is_a_shortest_one(seed: int) -> None:
    """In a relation that no table closes. A way of several edges is told as one step from these."""
    rnd = random.Random(seed)
    edges = {(one, rnd.randint(one + 1, min(one + 4, 24))) for one in [*range(24), *range(24)]}
    kb = KnowledgeBase()
    kb.update(insert=[(ex(one), SUB_CLASS, ex(other)) for one, other in edges])
    ways = dict.fromkeys(edges, 1)
    for length in range(1, 24):
        for (start, end), (one, other) in product([w for w in ways if ways[w] == length], edges):
            if end == one:
                ways.setdefault((start, other), length + 1)
    for (start, end), length in ways.items():
        proof = kb.explain((ex(start), SUB_CLASS, ex(end)))
        assert proof is not None and steps(proof) == length + (length > 1)


def test_the_way_up_a_deep_hierarchy() -> None:
    depth = 400
    kb = KnowledgeBase()
    kb.update(insert=[(ex(n), SUB_CLASS, ex(n + 1)) for n in range(depth)])
    proof = kb.explain((ex(0), SUB_CLASS, ex(depth)))
    assert proof is not None and steps(proof) == 1 + depth


@pytest.mark.parametrize("relation", [SUB_CLASS, owl("equivalentClass")])
def test_the_way_in_a_ring(relation: str) -> None:
    """All lie below each other, because they are equivalent, because they lie below each other:
    such a pair is no edge, and few instances are looked at."""
    length = 30
    kb = KnowledgeBase()
    kb.update(insert=[(ex(n), relation, ex((n + 1) % length)) for n in range(length)])
    proof = kb.explain((ex(0), relation, ex(length // 2)))
    assert proof is not None and {key(step) for step in proof.nodes() if step.explicit} <= {
        (ex(n), relation, ex((n + 1) % length)) for n in range(length)
    }
    assert kb._engine.instances_looked_at < 6 * length**2


Choices = frozenset[tuple[str, str]]
"""For each kind in a proof those that it follows from, or that it is stated: ""."""


def ways(proof: Proof) -> Choices:
    kind, *premises = (key(each)[2][-2] for each in (proof, *proof.premises))
    here = frozenset({(kind, "".join(sorted(premises)))})
    return here.union(*map(ways, proof.premises))


def all_ways(goal: str, rules: Set[tuple[str, str]], stated: Set[str]) -> Iterator[Choices]:
    """Every choice of a way for the goal and all it needs, unless it goes in a circle."""
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        chosen = waiting.pop()
        needed = {goal, *"".join(chosen.values())} - chosen.keys()
        if not needed:
            grounded: set[str] = set()
            while new := {k for k, v in chosen.items() if set(v) <= grounded} - grounded:
                grounded |= new
            if goal in grounded:
                yield frozenset(chosen.items())
            continue
        kind = min(needed)
        bodies = {"".join(sorted(body)) for head, body in rules if head == kind}
        bodies |= {""} if kind in stated else set()
        waiting += [{**chosen, kind: body} for body in bodies]


@pytest.mark.parametrize("storage", ["plain", "compact"])
def test_a_pair_of_equals_by_a_chain_of_two_members(storage: str) -> None:
    """A relation whose own chain excludes equal ends, and its inverse, whose chain has both."""
    p, q, a, b = (ex(name) for name in "pqab")
    kb = KnowledgeBase(storage=storage)
    kb.add_rules(
        f"[?x, {p}, ?y] :- [?x, {p}, ?z], [?z, {p}, ?y], FILTER(?x != ?y) ."
        f"[?x, {q}, ?y] :- [?x, {q}, ?z], [?z, {p}, ?y] ."
    )
    kb.update(insert=[(q, owl("inverseOf"), p), (q, owl("inverseOf"), q), (a, q, b)])
    for fact in ((x, r, x) for r in (p, q) for x in (a, b)):
        proof = kb.explain(fact)
        assert proof is not None and key(proof) == fact
        assert all(key(step) != fact for step in proof.nodes() if step is not proof)
        assert {key(step) for step in proof.nodes() if step.explicit} >= {(a, q, b)}


def kinds(head: str, body: str) -> str:
    """What is of all the classes in `body` is of the class `head`."""
    atoms = [f"[?x, a, {ex(name)}]" for name in (head, *body)]
    return f"{atoms[0]} :- {', '.join(atoms[1:])} .\n"


def check_proofs(kb: KnowledgeBase, expected: Expected, rnd: random.Random) -> None:
    instances = instances_by_head(expected)
    shown = sorted(expected.shown)
    for fact in rnd.sample(shown, min(8, len(shown))):
        proof = kb.explain(fact)
        assert proof is not None and key(proof) == fact
        check_proof(proof, instances, expected)
        if not any(map(list, map(aggregates_of, expected.rules))) and not has_closures(kb):
            assert steps(proof) <= fewest_steps(fact, instances, expected.explicit), fact
    if shown:
        check_all_proofs(kb, rnd.choice(shown), instances, expected)
    violations = kb.violations()
    for violation in rnd.sample(violations, min(2, len(violations))):
        proofs = kb.explain_violation(violation)
        assert proofs is not None and {p.fact for p in proofs} >= set(violation.facts)
        for proof in proofs:
            check_proof(proof, instances, expected)
    for fact in sorted(expected.removed):
        assert kb.explain(fact) is None or fact in expected.shown


def check_proof(proof: Proof, instances: Instances, expected: Expected) -> None:
    """Every step is an instance of a rule, or a path by one rule; leaves are explicit; nothing is
    proved from itself."""
    groups = groups_by_head(expected)
    waiting: list[tuple[Proof, frozenset[Fact]]] = [(proof, frozenset())]
    while waiting:
        step, below = waiting.pop()
        fact, premises = key(step), tuple(map(key, step.premises))
        assert fact not in below
        if step.explicit:
            assert fact in expected.explicit
        else:
            assert (
                tuple(sorted(premises)) in instances[fact]
                or any(set(body) <= set(premises) <= {*body, *of} for body, of in groups[fact])
                or is_path(fact, premises, expected.rules)
            ), (fact, premises)
        waiting.extend((premise, below | {fact}) for premise in step.premises)


def has_closures(kb: KnowledgeBase) -> bool:
    """Whether proofs go along edges: those are right, but steps are counted in another way."""
    support = kb._engine.support()
    return bool(support.modules) or support._equals is not None


def check_removals(
    delta: Delta, before: Expected, after: Expected, rnd: random.Random
) -> dict[Fact, str]:
    """What is told about some removed facts: each had a proof, whose statements are withdrawn, and
    some are, unless a rule went or something is assumed."""
    removed = sorted(after.removed)
    chosen = rnd.sample(removed, min(3, len(removed)))
    instances = instances_by_head(before) if chosen else {}
    for fact in chosen:
        removal = delta.why_removed(fact)
        assert removal is not None and key(removal.proof) == fact
        check_proof(removal.proof, instances, before)
        deleted, appeared = ({tuple(t.n3() for t in f) for f in fs}
                             for fs in (removal.deleted, removal.appeared))  # fmt: skip
        assert deleted <= (before.explicit & leaves(removal.proof)) - (after.closure - {fact})
        assert appeared <= after.shown - before.shown
        rules = {canonical(rule) for rule in before.written - after.written}
        assert bool(rules) >= bool(removal.rules)
        withdrawn = before.explicit - after.explicit
        hidden = any(p in (FIRST, REST) or o.startswith('"') for _, p, o in withdrawn)
        if not (rules or hidden or any(map(assumes, before.rules))):
            assert deleted
    for fact in sorted(after.shown)[:1]:
        assert delta.why_removed(fact) is None
    return {fact: str(delta.why_removed(fact)) for fact in chosen}


def leaves(proof: Proof) -> set[Fact]:
    return {key(proof)} if proof.explicit else set[Fact]().union(*map(leaves, proof.premises))


def check_all_proofs(
    kb: KnowledgeBase, fact: Fact, instances: Instances, expected: Expected
) -> None:
    """Right, distinct and in order; the stated fact among them, and as many as there can be."""
    first = kb.explain(fact)
    proofs = list(islice(kb.explain(fact, all=True), 30))
    fewest, of_first = (rule_steps(proof, instances) for proof in (proofs[0], first))
    assert str(proofs[0]) == str(first) or fewest <= of_first
    assert len(set(map(str, proofs))) == len(proofs)
    for proof in proofs:
        assert key(proof) == fact
        check_proof(proof, instances, expected)
    if len(proofs) < 30:
        assert any(proof.explicit for proof in proofs) == (fact in expected.explicit)


def is_path(fact: Fact, premises: Sequence[Fact], rules: Iterable[Rule]) -> bool:
    """Whether the premises end with a path of the fact's relation from its subject to its object,
    which one rule makes of them."""
    at = fact[0]
    for s, p, o in premises:
        at = o if (s, p) == (at, fact[1]) else at
    return at == fact[2] and any(fact in naive([rule], premises) for rule in rules if rule.head)


def key(proof: Proof) -> Fact:
    s, p, o = (term.n3() for term in proof.fact)
    return s, p, o


def instances_by_head(expected: Expected) -> Instances:
    """The bodies of which a fact follows, without what they say of the values of literals."""
    found: Instances = {}
    for _, head, body in derivations(expected.rules, expected.closure | expected.auxiliary):
        visible = (fact for fact in body if not fact[1].startswith(AUX))
        found.setdefault(head, set()).add(tuple(sorted(visible)))
    return found


def groups_by_head(expected: Expected) -> dict[Fact, list[tuple[list[Fact], set[Fact]]]]:
    """(positive body, what the groups of its aggregates are made of) for each instance of a rule
    that aggregates."""
    found: dict[Fact, list[tuple[list[Fact], set[Fact]]]] = defaultdict(list)
    facts = by_predicate(expected.closure)
    for rule in expected.rules:
        aggregates = list(aggregates_of(rule))
        for i in matching(rule.body, facts, facts) if rule.head and aggregates else ():
            body = [ground(each.atom, i) for each in rule.literals() if each.positive]
            members = {fact for item in aggregates for fact in members_of(item, facts, i)}
            found[ground(rule.head, i)].append((body, members))
    return found


def aggregates_of(rule: Rule) -> Iterator[Aggregate]:
    return (item for item in rule.body if isinstance(item, Aggregate))


def members_of(item: Aggregate, facts: ByPredicate, known: Bindings) -> Iterator[Fact]:
    """The positive facts of a group's solutions, and of the groups within them."""
    given = {variable: known[variable] for variable in item.group}
    for i in matching(item.body, facts, facts, given):
        for each in item.body:
            if isinstance(each, Literal) and each.positive:
                yield ground(each.atom, i)
            elif isinstance(each, Aggregate):
                yield from members_of(each, facts, i)


def steps(proof: Proof) -> int:
    return 1 + sum(map(steps, proof.premises))


def rule_steps(proof: Proof, instances: Instances) -> int:
    """The rule instances and statements of a proof: one fewer than edges for a path, which is told
    as one step."""
    premises = [key(premise) for premise in proof.premises]
    edges = sum(p == proof.fact[1].n3() for _, p, _ in premises)
    is_path = not proof.explicit and tuple(sorted(premises)) not in instances[key(proof)]
    below = sum(rule_steps(premise, instances) for premise in proof.premises)
    return below + (edges - 1 if is_path and edges > 1 else 1)


def fewest_steps(fact: Fact, instances: Instances, explicit: Set[Fact]) -> int:
    """The steps of the smallest among the proofs of least height, height by height."""
    fewest = dict.fromkeys(explicit, 1)
    while fact not in fewest:
        lower = dict(fewest)
        for head, bodies in instances.items():
            ready = (body for body in bodies if all(premise in lower for premise in body))
            totals = [1 + sum(lower[premise] for premise in body) for body in ready]
            if totals:
                fewest[head] = min(*totals, fewest.get(head, totals[0]))
    return fewest[fact]
