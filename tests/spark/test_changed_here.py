"""What the driver works out of a change is what deriving anew gives; Spark is not asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from random import Random

import pyarrow as pa
import pytest

import thresholds
from laws.names import TYPE, Fact
from rdfinc import KnowledgeBase
from rdfinc.datalog.model import Rule
from rdfinc.knowledge_base.rules.rule_intake import rules_of
from rdfinc.plugins.spark.closure.changed_here import ChangeHere
from rdfinc.plugins.spark.closure.driver_engine import DriverEngine, hidden_number
from rdfinc.plugins.spark.closure.facts_around import FactsAround, TooFar
from rdfinc.plugins.spark.spark_thresholds import SPARK

RULES = """
[?x, :in, ?z] :- [?x, :in, ?y], [?y, :in, ?z] .
[?x, a, :Place] :- [?x, :in, ?y] .
[?x, a, ?d] :- [?x, a, ?c], [?c, :under, ?d] .
[?x, ?p, ?z] :- [?x, :same, ?y], [?y, ?p, ?z] .
[?y, :same, ?x] :- [?x, :same, ?y] .
[?x, ?q, ?y] :- [?x, ?p, ?y], [?p, :sub, ?q] .
[?x, :beside, ?y] :- [?z, :in, ?x], [?z, :in, ?y] .
[?x, a, :Both] :- [?x, a, :Place], [?x, a, :Thing] .
[?x, ?x, ?x] :- [?x, :self, ?x] .
[?z, :far, ?x] :- [?x, :in, ?y], [?y, :tied, ?z], [?z, a, ?c], [?c, :under, :Thing] .
[?x, a, :Knot] :- [?x, :tied, ?x] .
[?x, :pair, ?y] :- [?x, a, :Both], [?y, :self, ?y] .
[?x, :tied, ?y] :- [?x, :friend, ?y] .
[?y, :friend, ?x] :- [?x, :tied, ?y], [?y, :in, ?u] .
[?y, ?p, ?y] :- [?x, ?p, ?y], [?x, :likes, ?p] .
"""
PROPERTIES = ["in", "tied", "friend", "likes", "self", "same", "sub", "under"]
CLASSES = ["Place", "Thing", "Both", "Kind"]


def named(name: str) -> str:
    return f"<http://e/{name}>"


def program(rnd: Random) -> tuple[list[Rule], list[Fact]]:
    """Some of the rules, and facts about few nodes."""
    chosen = rnd.sample(RULES.strip().splitlines(), rnd.randint(2, 8))
    nodes = "abcdefgh"[: rnd.randint(3, 8)]
    makers = [
        lambda: (rnd.choice(CLASSES), "under", rnd.choice(CLASSES)),
        lambda: (rnd.choice(PROPERTIES), "sub", rnd.choice(PROPERTIES)),
        lambda: (rnd.choice(nodes), "likes", rnd.choice(PROPERTIES)),
        *[lambda: (rnd.choice(nodes), "a", rnd.choice(CLASSES))] * 4,
        *[lambda: (rnd.choice(nodes), rnd.choice(PROPERTIES), rnd.choice(nodes))] * 13,
    ]
    facts = {rnd.choice(makers)() for _ in range(rnd.randint(8, 45))}
    named_ones = [(named(s), TYPE if p == "a" else named(p), named(o)) for s, p, o in facts]
    rules = rules_of("@prefix : <http://e/> .\n" + "\n".join(chosen), {})
    return list(rules), sorted(named_ones)


def closed(rules: Iterable[Rule], facts: Iterable[Fact]) -> set[Fact]:
    kb = KnowledgeBase(profile="none")
    kb.add_rules(rules)
    kb.load("".join(f"{s} {p} {o} .\n" for s, p, o in facts).encode(), format="nt")
    return {(s.n3(), p.n3(), o.n3()) for s, p, o in kb.triples()}


class Told:
    """A closure whose facts are told as Spark tells them, and the driver that holds its schema."""

    def __init__(self, rules: Iterable[Rule], stated: Set[Fact], closure: Set[Fact]) -> None:
        self.held = DriverEngine("none", rules)
        self.texts = sorted({term for fact in closure for term in fact})
        self.number = {text: number for number, text in enumerate(self.texts, 1)}
        self.facts = [(*map(self.number.__getitem__, f), f in stated) for f in sorted(closure)]
        self.counts: dict[int, int] = {}
        for _, p, _, _ in self.facts:
            self.counts[p] = self.counts.get(p, 0) + 1
        asked: set[int] = set()
        while new := set.union(*self.held.asked()) - asked:
            asked |= new
            self.held.state(self._held(stated))
        self.held.hold(set())
        self.held.feed(filter(self.held.holds, self._held(closure)))
        for fact in closure:
            self._know(fact[1])
        self.learn()

    def _held(self, facts: Iterable[Fact]) -> list[tuple[int, int, int]]:
        """Facts of the relations that the driver asks for, in its ids."""
        predicates, classes = self.held.asked()
        asked = {self.held.terms.decode(p).decode() for p in predicates}
        members = {self.held.terms.decode(c).decode() for c in classes}
        chosen = (f for f in facts if f[1] in asked or (f[1] == TYPE and f[2] in members))
        return [(self._know(s), self._know(p), self._know(o)) for s, p, o in chosen]

    def _know(self, text: str) -> int:
        id = self.held.terms.encode(text.encode())
        self.held.of_data[self.numbered(text)], self.held.number[id] = id, self.numbered(text)
        return id

    def numbered(self, text: str) -> int:
        if text not in self.number:
            self.texts.append(text)
            self.number[text] = len(self.texts)
        return self.number[text]

    def learn(self) -> None:
        terms = self.held.terms
        for id in range(1, len(terms) + 1):
            if self.held.is_auxiliary(id):
                number = hidden_number(terms.decode(id))
                self.held.of_data[number], self.held.number[id] = id, number
            else:
                self._know(terms.decode(id).decode())

    def those(self, facts: pa.Table, room: int) -> pa.Table:
        asked = set(zip(*(column.to_pylist() for column in facts.columns), strict=True))
        return self._table([fact for fact in self.facts if fact[:3] in asked])

    def around(self, ends: Mapping[str, pa.Table], room: int) -> pa.Table:
        asked = {
            end: set(zip(*(column.to_pylist() for column in table.columns), strict=True))
            for end, table in ends.items()
        }
        return self._table(
            [
                (s, p, o, stated)
                for s, p, o, stated in self.facts
                if (p, s) in asked.get("s", ()) or (p, o) in asked.get("o", ())
            ]
        )

    def _table(self, facts: list[tuple[int, int, int, bool]]) -> pa.Table:
        columns = list(zip(*facts, strict=True)) or [()] * 4
        types = [pa.int64()] * 3 + [pa.bool_()]
        arrays = [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)]
        return pa.table(arrays, names=["s", "p", "o", "stated"])

    def table(self, facts: Iterable[Fact]) -> pa.Table:
        rows = [(*map(self.numbered, fact), True) for fact in sorted(facts)]
        return self._table(rows).drop_columns("stated")

    def read(self, table: pa.Table) -> set[Fact]:
        columns = [[self.texts[n - 1] for n in column.to_pylist()] for column in table.columns]
        return set(zip(*columns, strict=True))


def changed(seed: int) -> bool:
    """Whether the driver could tell a random change; it is the right one then."""
    rnd = Random(seed)
    rules, pool = program(rnd)
    known = set(rnd.sample(pool, len(pool) * 4 // 5))
    gone = set(rnd.sample(sorted(known), min(rnd.choice((0, 1, 2, 5)), len(known))))
    come = set(rnd.sample(pool, min(rnd.choice((0, 1, 2, 5)), len(pool))))
    closure = closed(rules, known)
    told = Told(rules, known, closure)
    around = FactsAround(told.held, told.counts, told)
    try:
        tables = told.table(gone - come), told.table(come)
        net = ChangeHere(told.held, around, *tables).net()
    except TooFar:
        return False
    removed, added = told.read(net.removed), told.read(net.added)
    assert removed <= closure and not added & closure, seed
    assert (closure - removed) | added == closed(rules, (known - gone) | come), seed
    return True


def test_random_changes(pytestconfig: pytest.Config) -> None:
    first, count = pytestconfig.getoption("--long") or (0, 80)
    told = sum(map(changed, range(first, first + count)))
    assert told > count / 2, "most changes are told"


def test_too_many_facts_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change that asks for more than there is room for is not worked out here."""
    rules = list(
        rules_of("@prefix : <http://e/> . [?x, :r, ?y] :- [?x, :p, ?z], [?y, :q, ?z] .", {})
    )
    gone = named("a"), named("p"), named("hub")
    stated = {gone, *((named(f"n{i}"), named("q"), named("hub")) for i in range(20))}
    closure = closed(rules, stated)
    assert len(closure) == 41
    for room, is_told in (100, True), (20, False):
        thresholds.put(monkeypatch, SPARK, facts_around=room)
        told = Told(rules, stated, closure)
        around = FactsAround(told.held, told.counts, told)
        change = ChangeHere(told.held, around, told.table([gone]), told.table([]))
        if is_told:
            assert len(told.read(change.net().removed)) == 21
        else:
            with pytest.raises(TooFar):
                change.net()
