"""Deep chains, many classes, large classes: no recursion error and nothing worse than linear.

Work is counted, not timed: rule instances and facts that an update looks at, and the facts of
tables that it reads as a whole, for a case and one four times as large. `--long` runs the sizes
that are meant, without it they are smaller.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import pytest

from laws.names import TYPE, Fact, ex, owl, rdfs
from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.streams.delta import Delta
from rdfinc.reasoning.explanation.rule_instances import Instance, Support
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.kernels import KeyArray
from rdfinc.tables.plain_table import Plain
from thresholds import put

STRATEGIES = pytest.mark.parametrize("strategy", ["bf", "dred"])
CHAIN, CLASSES, MEMBERS = 100_000, 100_000, 1_000_000
BELOW_ONE = 10_000
"""Classes right below one. Whether a member of theirs is one of it is asked for each by going
through all of them, which is not counted here and would be too much for 100 000."""


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    return request.config.getoption("--long") is not None


def sizes(whole: int, full: bool) -> tuple[int, int]:
    """A size and four times that."""
    larger = whole if full else min(whole, 4_000)
    return larger // 4, larger


class Scanned(Plain):
    """Counts, over all tables, the facts that are read by reading a table as a whole."""

    __slots__ = ()
    facts = 0

    def scan(self) -> KeyArray:
        keys = super().scan()
        Scanned.facts += keys.size
        return keys


def update(kb: KnowledgeBase, insert: Iterable[Fact] = (), delete: Iterable[Fact] = ()) -> Delta:
    """Updates; adds what was scanned to the counters."""
    before = Scanned.facts
    delta = kb.update(insert=insert, delete=delete)
    delta.report.counters["scanned"] = Scanned.facts - before
    return delta


def work(delta: Delta) -> int:
    return considered(delta) + delta.report.counters["scanned"]


def considered(delta: Delta) -> int:
    """Rule instances and facts in question."""
    counters = delta.report.counters
    return sum(counters[name] for name in counters if name not in ("kept", "scanned"))


def assert_linear(small: list[Delta], large: list[Delta]) -> None:
    """Each update of the larger case works at most four times as much, give or take a little."""
    assert len(small) == len(large)
    for less, more in zip(small, large, strict=True):
        assert work(more) <= 4 * work(less) + 64


def assert_constant(
    small: list[Delta], large: list[Delta], measure: Callable[[Delta], int] = work
) -> None:
    for less, more in zip(small, large, strict=True):
        assert measure(more) <= measure(less) + 64


# -- depth


@STRATEGIES
def test_the_head_of_a_successor_chain(strategy: str, full: bool) -> None:
    assert_linear(*(chain(n, strategy) for n in sizes(CHAIN, full)))


def chain(n: int, strategy: str) -> list[Delta]:
    """Node 0 is reached, and from each node the next; what makes that so goes and comes back."""
    kb = KnowledgeBase(profile="none", maintenance=strategy, table=Scanned)
    kb.add_rules(f"[?y, a, {ex('R')}] :- [?x, a, {ex('R')}], [?x, {ex('s')}, ?y] .")
    start: Fact = (ex("0"), TYPE, ex("R"))
    edges: list[Fact] = [(ex(str(i)), ex("s"), ex(str(i + 1))) for i in range(n)]
    last: Fact = (ex(str(n)), TYPE, ex("R"))
    deltas = [
        update(kb, insert=[start, *edges]),
        update(kb, delete=[start]),
        update(kb, insert=[start]),
        update(kb, delete=[edges[0]]),
        update(kb, insert=[edges[0]]),
        update(kb, insert=[last]),
        update(kb, delete=[last]),  # a proof is looked for all the way back
    ]
    assert [len(delta.removed) for delta in deltas] == [0, n + 1, 0, n + 1, 0, 0, 0]
    assert len(kb) == 2 * n + 1 and len(kb.derived) == n
    proof = kb.explain(last)
    assert proof is not None and proof.height == n
    return deltas


@STRATEGIES
def test_a_ring_that_supports_itself(strategy: str, full: bool) -> None:
    assert_linear(*(ring(n, strategy) for n in sizes(CHAIN, full)))


def ring(n: int, strategy: str) -> list[Delta]:
    """A chain that ends where it begins loses its only support from outside."""
    kb = KnowledgeBase(profile="none", maintenance=strategy, table=Scanned)
    kb.add_rules(f"[?y, a, {ex('R')}] :- [?x, a, {ex('R')}], [?x, {ex('s')}, ?y] .")
    start: Fact = (ex("0"), TYPE, ex("R"))
    edges = [(ex(str(i)), ex("s"), ex(str((i + 1) % n))) for i in range(n)]
    deltas = [update(kb, insert=[start, *edges]), update(kb, delete=[start])]
    assert len(deltas[1].removed) == n
    return deltas


# -- width


@STRATEGIES
def test_a_hierarchy_of_many_classes(strategy: str, full: bool) -> None:
    small, large = (hierarchy(n, strategy) for n in sizes(CLASSES, full))
    assert_constant(small[:2], large[:2], considered)  # the schema is read to draw the strata
    assert_constant(small[2:], large[2:])


def hierarchy(n: int, strategy: str) -> list[Delta]:
    """A tree with ten classes below each, and instances: a leaf's axiom goes and comes back."""
    kb = KnowledgeBase(maintenance=strategy, table=Scanned)
    axioms = [(ex(f"C{i}"), rdfs("subClassOf"), ex(f"C{(i - 1) // 10}")) for i in range(1, n)]
    members = [(ex(f"i{i}"), TYPE, ex(f"C{i}")) for i in range(0, n, 7)]
    update(kb, insert=[*axioms, *members])
    leaf = axioms[-1]
    deltas = []
    for fact in (leaf, members[-1], members[len(members) // 2]):
        deltas += [update(kb, delete=[fact]), update(kb, insert=[fact])]
        assert len(deltas[-2].removed) == len(deltas[-1].added) > 0
    return deltas


@STRATEGIES
def test_an_axiom_above_many_classes(strategy: str, full: bool) -> None:
    assert_linear(*(axiom_above(n, strategy) for n in sizes(BELOW_ONE, full)))


def axiom_above(n: int, strategy: str) -> list[Delta]:
    """A class with n classes right below it is put below another and taken away again."""
    kb = KnowledgeBase(maintenance=strategy, table=Scanned)
    axioms = [(ex(f"C{i}"), rdfs("subClassOf"), ex("M")) for i in range(n)]
    update(kb, insert=[*axioms, *((ex(f"i{i}"), TYPE, ex(f"C{i}")) for i in range(0, n, 7))])
    above = (ex("M"), rdfs("subClassOf"), ex("T"))
    deltas = [update(kb, insert=[above]), update(kb, delete=[above])]
    assert len(deltas[0].added) == len(deltas[1].removed) > n
    return deltas


@STRATEGIES
def test_a_class_with_many_members(strategy: str, full: bool) -> None:
    assert_constant(*(members(n, strategy) for n in sizes(MEMBERS, full)))


def members(n: int, strategy: str) -> list[Delta]:
    """Single members go and come back, one of them known in two ways."""
    kb = KnowledgeBase(maintenance=strategy, table=Scanned)
    axioms = [(ex(f"C{i}"), rdfs("subClassOf"), ex("D")) for i in range(3)]
    axioms += [(ex("C0"), owl("disjointWith"), ex("C1")), (ex("p"), rdfs("domain"), ex("C2"))]
    facts = [(ex(f"i{i}"), TYPE, ex(f"C{i % 3}")) for i in range(n)]
    update(kb, insert=[*axioms, *facts, (ex("i2"), ex("p"), ex("i0"))])
    deltas = []
    for fact in (facts[0], facts[-1], facts[2]):
        deltas += [update(kb, delete=[fact]), update(kb, insert=[fact])]
    assert [len(delta.removed) for delta in deltas] == [2, 0, 2, 0, 0, 0]
    return deltas


@STRATEGIES
def test_a_large_class_changes_its_place(strategy: str, full: bool) -> None:
    assert_linear(*(large_class(n, strategy) for n in sizes(MEMBERS, full)))


def large_class(n: int, strategy: str) -> list[Delta]:
    """All its members gain and lose what they are through one axiom; half are that anyway.

    Plain, so that the smaller case does not stay below the size from which a class is packed.
    """
    kb = KnowledgeBase(maintenance=strategy, table=Scanned, storage="plain")
    facts = [(ex(f"i{i}"), TYPE, ex("C")) for i in range(n)]
    facts += [(ex(f"i{i}"), TYPE, ex("B")) for i in range(0, n, 2)]
    update(kb, insert=[*facts, (ex("B"), rdfs("subClassOf"), ex("D"))])
    axiom = (ex("C"), rdfs("subClassOf"), ex("D"))
    deltas = [update(kb, insert=[axiom]), update(kb, delete=[axiom])]
    assert len(deltas[0].added) == len(deltas[1].removed) == n // 2 + 1
    return deltas


def test_many_paths_of_which_all_stay() -> None:
    """What is proved of many facts in doubt proves others before they are searched for."""
    rnd, nodes = random.Random(0), [ex(f"n{i}") for i in range(120)]
    edges = list(
        dict.fromkeys((rnd.choice(nodes), ex("edge"), rnd.choice(nodes)) for _ in range(1_200))
    )
    kb = KnowledgeBase("none", maintenance="bf", storage="plain")
    kb.add_rules(
        "@prefix : <http://example.org/> . [?x, :path, ?y] :- [?x, :edge, ?y] ."
        "[?x, :path, ?z] :- [?x, :edge, ?y], [?y, :path, ?z] ."
    )
    update(kb, edges)
    delta = update(kb, delete=edges[:40])
    counters = delta.report.counters
    assert not any(p == ex("path") for _, p, _ in delta.removed) and counters["doubted"] > 3_000
    assert counters["backward"] < counters["doubted"]


@pytest.mark.parametrize("strategy", ["bf", "fbf"])
def test_many_members_that_a_later_rule_keeps(strategy: str) -> None:
    """Each is searched for by the rule of domains before any is by all classes below its own."""
    classes, members = [ex(f"C{i}") for i in range(12)], [ex(f"x{i}") for i in range(400)]
    below = [(lower, rdfs("subClassOf"), upper) for upper, lower in pairwise(classes)]
    domains = [(ex("p"), rdfs("domain"), each) for each in classes]
    kb = KnowledgeBase("owl2rl", maintenance=strategy, storage="plain")
    update(kb, [*below, *domains, (ex("q"), rdfs("domain"), classes[0])])
    lost = [(each, ex("q"), ex("y")) for each in members]
    update(kb, [*lost, *((each, ex("p"), ex("y")) for each in members)])
    delta = update(kb, delete=lost)
    assert len(delta.removed) == len(lost)
    assert delta.report.counters["backward"] <= 2 * len(members)


@pytest.mark.parametrize(
    ("body", "middle"),
    [
        ("[?x, :f, ?z], [?y, :g, ?z]", 120),
        ("[?x, :f, ?z], " + ", ".join(f"[?x, :k{i}, ?y]" for i in range(13)), 1),
    ],
)
def test_a_fact_that_a_later_rule_keeps(body: str, middle: int) -> None:
    """Rules with many candidates or literals are looked at before another is followed."""
    kb = KnowledgeBase("none", maintenance="bf", storage="plain")
    kb.add_rules(
        "@prefix : <http://example.org/> . [?x, :p, ?y] :- [?x, :e, ?z], [?z, :p, ?y] ."
        f"[?x, :p, ?y] :- {body} . [?x, :p, ?y] :- [?x, :r, ?y] ."
    )
    chain, y = [ex(f"x{i}") for i in range(300)], ex("y")
    facts = [(one, ex("e"), next_) for one, next_ in pairwise(chain)]
    facts += [(x, ex("f"), ex(f"h{i}")) for x in chain for i in range(middle)]
    facts += [(y, ex("g"), ex(f"h{i}")) for i in range(middle)]
    facts += [(x, ex(f"k{i}"), y) for x in chain for i in range(13)]
    update(kb, [*facts, (chain[0], ex("r"), y)])
    delta = update(kb, delete=[(chain[0], ex("r"), y)])
    assert len(delta.removed) == 1 and delta.report.counters["checked"] <= 2


def test_derivations_that_differ_in_what_nothing_reads_are_not_listed_to_rederive() -> None:
    kb = KnowledgeBase("none", maintenance="dred", storage="plain")
    kb.add_rules(
        "@prefix : <http://example.org/> . [?x, a, :B] :- [?x, a, :A] ."
        "[?x, a, :B] :- [?x, :p, ?y] ."
    )
    stated = (ex("x"), TYPE, ex("A"))
    update(kb, [stated, *((ex("x"), ex("p"), ex(f"y{i}")) for i in range(1_000))])
    delta = update(kb, delete=[stated])
    assert len(delta.removed) == 1 and delta.report.counters["dr4"] == 1


@pytest.mark.parametrize(
    ("doubted", "following", "few", "found"),
    [
        (9, 1, 1, {"dr4": 10, "dr5": 0}),
        (9, 1, 0, {"dr4": 9, "dr5": 1}),
        (1, 9, 9, {"dr4": 1, "dr5": 9}),
    ],
)
def test_the_rest_is_rederived_from_the_smaller_side(
    doubted: int,
    following: int,
    few: int,
    found: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nine facts come back at once, and then one because of them; or one, and then nine."""
    put(monkeypatch, REASONING, few_gone=few)
    kb = KnowledgeBase("none", maintenance="dred", storage="plain")
    kb.add_rules(
        "@prefix : <http://example.org/> . [?x, :r, ?y] :- [?x, :p, ?y] ."
        "[?x, :r, ?y] :- [?x, :q, ?y] . [?x, :r, ?z] :- [?x, :r, ?y], [?y, :e, ?z] ."
    )
    x, first = ex("x"), [ex(f"y{i}") for i in range(doubted)]
    lost = [(x, ex("p"), y) for y in first]
    others = [(x, ex("q"), y) for y in first]
    update(kb, [*lost, *others, *((first[0], ex("e"), ex(f"z{i}")) for i in range(following))])
    delta = update(kb, delete=lost)
    assert len(delta.removed) == doubted
    assert {name: delta.report.counters[name] for name in found} == found


def test_a_proof_by_many_names_looks_at_few_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [ex(f"a{i}") for i in range(40)]
    kb = KnowledgeBase()
    update(kb, [(a, owl("sameAs"), b) for a, b in pairwise(names)])
    update(kb, [(names[0], ex("p"), ex("b"))])
    looked, instances = Counter[str](), Support.instances

    def counted(support: Support, fact: tuple[int, int, int]) -> Iterator[Instance]:
        for found in instances(support, fact):
            looked["at"] += 1
            yield found

    monkeypatch.setattr(Support, "instances", counted)
    proof = kb.explain((names[-1], ex("p"), ex("b")))
    assert proof is not None and str(proof).count("by eq-rep-s") == 39
    assert looked["at"] < 400, "where each fact follows in forty ways"


@pytest.mark.parametrize("classes", range(2, REASONING.function_steps + 3))
def test_intersections_share_classes_while_these_change(classes: int) -> None:
    """The classes that an individual must have are asked for before the steps are taken, for all
    intersections that may be meant, while axioms of one update change which these are."""
    shared = [ex(f"C{i}") for i in range(1, classes)]
    kb = KnowledgeBase()
    lists = [" ".join([ex(f"D{i}"), *shared]) for i in range(40)]
    axioms = (f"{ex(f'I{i}')} owl:intersectionOf ({list_}) ." for i, list_ in enumerate(lists))
    prefix = "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    kb.load((prefix + "\n".join(axioms)).encode(), format="turtle")
    kb.update(insert=[(ex(f"x{k}"), TYPE, class_) for k in range(3) for class_ in shared])
    kb.update(insert=[(ex("x0"), TYPE, ex("D3")), (ex("x1"), TYPE, ex("D4"))])
    for class_ in shared:
        change = [(ex(f"x{k}"), TYPE, class_) for k in range(2)]
        change += [(ex("D7"), rdfs("subClassOf"), ex("E7")), (ex("Z"), rdfs("subClassOf"), class_)]
        kb.update(delete=change)
        assert not any(kb.triples((None, TYPE, ex("I3"))))
        kb.update(insert=change)
        found = {(s.n3(), o.n3()) for s, _, o in kb.triples((None, TYPE, None)) if "/I" in str(o)}
        assert found == {(ex("x0"), ex("I3")), (ex("x1"), ex("I4"))}
