"""Conditions on values are looked up in their order, and leave what testing each of them leaves."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from rdfinc import KnowledgeBase
from rdfinc.knowledge_base.knowledge_thresholds import KNOWLEDGE
from rdfinc.plugins.sparql.columns.term_values import rank
from rdfinc.plugins.sparql.query_thresholds import QUERIES
from rdfinc.terms.builtins.value_order import ValueOrder
from rdfinc.terms.io.convert import key_of
from thresholds import put

XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIX = f"PREFIX : <http://example.org/> PREFIX xsd: <{XSD}> "


@pytest.fixture(autouse=True)
def _always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Orders are made and used at once, however few values they leave out."""
    put(monkeypatch, QUERIES, ordered_facts=0, chosen_share=0)
    put(monkeypatch, KNOWLEDGE, asked_before_order=0)


def literal(chance: random.Random) -> str:
    number, day = chance.randint(-4, 9), f"20{chance.randint(10, 14)}-0{chance.randint(1, 9)}-01"
    zone = chance.choice(["", "Z", "+13:00"])
    return chance.choice([
        f'"{number}"^^<{XSD}integer>', f'"0{abs(number)}"^^<{XSD}byte>',
        f'"{number}.50"^^<{XSD}decimal>',
        f'"{number}.1"^^<{XSD}float>', f'"{number}.1"^^<{XSD}double>', f'"NaN"^^<{XSD}float>',
        f'"{number}00000000000000000000"^^<{XSD}integer>', f'"{day}{zone}"^^<{XSD}date>',
        f'"{day}T12:00:00{zone}"^^<{XSD}dateTime>', f'"{number}"', f'"true"^^<{XSD}boolean>',
        f'"{number}"^^<{XSD}date>', "<http://example.org/n1>", f'"2010"^^<{XSD}gYear>',
    ])  # fmt: skip


def condition(chance: random.Random) -> str:
    sign, value = chance.choice(["<", "<=", ">", ">=", "=", "!="]), literal(chance)
    return chance.choice([f"?v {sign} {value}", f"{value} {sign} ?v", f"!(?v {sign} {value})"])


def where(chance: random.Random) -> str:
    """A pattern of ?v and what has to hold of it."""
    test = chance.choice([" && ", " && ", " || "]).join(condition(chance) for _ in range(2))
    return chance.choice([
        f"?s :v ?v FILTER({test})", f"?s :v ?v ; :w ?v FILTER({test})",
        f"?s :w ?w OPTIONAL {{ ?s :v ?v FILTER({test}) }}", f"?s :v ?v . ?t :w ?w FILTER({test})",
        f"GRAPH :g {{ ?s :v ?v }} FILTER({test})", f"GRAPH ?g {{ ?s :v ?v FILTER({test}) }}",
        f"VALUES ?v {{ 1 2.5 }} ?s :w ?v FILTER({test})",
        f"?s :w ?w FILTER EXISTS {{ ?s :v ?v FILTER({test}) }}",
        f"?s :v ?v MINUS {{ ?s :w ?v FILTER({test}) }}",
        f"{{ ?s :v ?v }} UNION {{ ?v :v ?s }} FILTER({test})",
    ])  # fmt: skip


def answers(kb: KnowledgeBase, text: str) -> list[list[tuple[str, str]]]:
    found = kb.query(text).bindings
    return sorted(sorted((str(v), t.n3()) for v, t in row.items()) for row in found)


def facts(chance: random.Random, count: int) -> list[tuple[str, ...]]:
    """Statements, some of them in a graph."""
    return [
        (
            f"<http://example.org/n{chance.randint(0, 9)}>",
            f"<http://example.org/{chance.choice('vw')}>",
            literal(chance),
            *chance.choice([(), (), ("<http://example.org/g>",)]),
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_answers_are_those_without_an_order(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """While facts come and go, and terms are forgotten."""
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=1)
    chance, kb = random.Random(seed), KnowledgeBase(["none", "owl2rl"][seed % 2])
    stated: list[tuple[str, ...]] = []
    rows = 0
    for _ in range(10):
        gone, new = chance.sample(stated, len(stated) // 2), facts(chance, 20)
        kb.update(insert=new, delete=gone)
        stated = [*dict.fromkeys([fact for fact in stated if fact not in gone] + new)]
        for _ in range(4):
            text = f"{PREFIX}SELECT * {{ {where(chance)} }}"
            found = answers(kb, text)
            with pytest.MonkeyPatch.context() as without:
                put(without, QUERIES, ordered_facts=1 << 30)
                assert found == answers(kb, text), text
            rows += len(found)
    assert rows > 100


NUMBERS = ["integer", "decimal", "float", "double", "byte"]
MOMENTS = ["date", "dateTime"]


def value(chance: random.Random, kinds: list[str]) -> str:
    kind, number = chance.choice(kinds), chance.randint(-30, 30)
    day = f"2000-{chance.randint(1, 9):02}-0{chance.randint(1, 9)}"
    zone = chance.choice(["", "Z", "-10:00"])
    text = {"date": f"{day}{zone}", "dateTime": f"{day}T10:00:00{zone}"}.get(kind, number)
    text = chance.choice(["1e30", "0.1", "INF", text]) if kind in ("float", "double") else text
    return f'"{text}"^^<{XSD}{kind}>'


@pytest.mark.parametrize("seed", range(12))
def test_the_first_rows_are_those_of_all(seed: int) -> None:
    chance, kb = random.Random(seed), KnowledgeBase("none")
    kinds = chance.choice([NUMBERS, NUMBERS[:1], MOMENTS[:1], MOMENTS[1:], MOMENTS])
    stated: list[tuple[str, ...]] = []
    for _ in range(4):
        new = [(f"<x:s{n}>", f"<x:{chance.choice('pq')}>", value(chance, kinds)) for n in range(40)]
        kb.update(insert=new, delete=(gone := chance.sample(stated, len(stated) // 3)))
        stated = [fact for fact in stated if fact not in gone] + new
        for _ in range(4):
            part = chance.choice([
                "?s <x:p> ?v", "?s <x:p> ?v ; <x:q> ?w", "?s <x:p> ?v OPTIONAL { ?s <x:q> ?w }",
                "?s <x:p> ?v FILTER(?s > <x:s3> || ?v = ?v)", "?s <x:p> ?v BIND(STR(?v) AS ?t)",
                "?s <x:p> ?v MINUS { ?s <x:q> ?v }",
            ])  # fmt: skip
            slice_ = f"LIMIT {chance.randint(0, 6)} OFFSET {chance.choice([0, 0, 3])}"
            key = chance.choice(["?v", "DESC(?v)", "?v ?s", "DESC(?v) DESC(?s)"])
            text = f"SELECT * {{ {part} }} ORDER BY {key} {slice_}"
            found = [rank(key_of(row.v)) for row in kb.query(text)]
            with pytest.MonkeyPatch.context() as without:
                put(without, QUERIES, ordered_facts=1 << 30)
                assert found == [rank(key_of(row.v)) for row in kb.query(text)], text


def test_the_plan_tells_that_only_the_first_rows_were_found(kb: KnowledgeBase) -> None:
    plan = kb.query("SELECT ?s { ?s <x:p> ?v } ORDER BY DESC(?v) LIMIT 3", explain=True)
    assert "?s <x:p> ?v: 12 rows" in plan


def test_where_a_pattern_has_few_solutions_no_values_are_tried(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    monkeypatch.setattr(ValueOrder, "least", lambda self, count: tried.append(count))
    s = next(iter(kb.query("SELECT ?s { ?s <x:p> ?v }"))).s
    kb.update(insert=[(s, "<x:of>", "<x:one>")])
    assert len(kb.query("SELECT ?s { ?s <x:p> ?v ; <x:of> <x:one> } ORDER BY ?v LIMIT 3")) == 1
    assert not tried
    assert len(kb.query("SELECT ?s { ?s <x:p> ?v } ORDER BY ?v LIMIT 3")) == 3
    assert tried


def test_what_is_tried_in_vain_counts_for_nothing(kb: KnowledgeBase) -> None:
    text = 'SELECT ?s { ?s <x:p> ?v FILTER(STRENDS(STR(?s), "00")) } ORDER BY ?v LIMIT 3'
    assert "?s <x:p> ?v: 500 rows" in kb.query(text, explain=True)
    assert len(kb.query(text, max_rows=500)) == 3


def test_an_id_that_stands_for_another_value_has_another_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put(monkeypatch, KNOWLEDGE, reclaimable_terms=32)
    kb, gone = KnowledgeBase("none"), []
    ids: set[int | None] = set()
    for start in range(0, 1200, 50):
        numbers = [7 * n % 1201 for n in range(start, start + 50)]
        values = [f'"{number}"^^<{XSD}integer>' for number in numbers]
        new = [(f"<x:s{n}>", "<x:p>", value) for n, value in enumerate(values)]
        kb.update(insert=new, delete=gone)
        gone = new
        ids.update(kb.dictionary.find(value.encode()) for value in values)
        for low in numbers[::10]:
            text = f"SELECT ?s {{ ?s <x:p> ?v FILTER(?v >= {low} && ?v < {low + 30}) }}"
            assert len(kb.query(text)) == sum(low <= number < low + 30 for number in numbers)
    assert len(ids) < 1200, "some ids stood for several values"


@pytest.fixture
def kb() -> Iterator[KnowledgeBase]:
    found = KnowledgeBase("none")
    found.update(insert=[(f"<x:s{n}>", "<x:p>", f'"{n}"^^<{XSD}integer>') for n in range(500)])
    return found


def test_the_plan_begins_with_the_values_that_are_left(kb: KnowledgeBase) -> None:
    plan = kb.query("SELECT ?s { ?s <x:p> ?v FILTER(?v >= 6 && ?v <= 9) }", explain=True)
    lines = plan.split("\n")
    assert [line.strip().partition(",")[0] for line in lines if "?v" in line] == [
        "?v: 4 rows",
        "?s <x:p> ?v: 4 rows",
    ]


def test_no_values_are_looked_up_beside_few_solutions(kb: KnowledgeBase) -> None:
    plan = kb.query("SELECT ?v { <x:s7> <x:p> ?v FILTER(?v > 5) }", explain=True)
    assert "<x:p> ?v: 1 rows" in plan
    assert not any(line.strip().startswith("?v:") for line in plan.split("\n"))


def test_an_order_is_made_when_it_is_asked_for_again(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, KNOWLEDGE, asked_before_order=1)
    plans = [kb.query("SELECT ?s { ?s <x:p> ?v FILTER(?v = 5) }", explain=True) for _ in range(2)]
    assert ["  ?v: 1 rows" in plan for plan in plans] == [False, True]


def test_where_most_values_are_left_all_are_tested(
    kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, QUERIES, chosen_share=4)
    plan = kb.query("SELECT ?s { ?s <x:p> ?v FILTER(?v > 300) }", explain=True)
    assert "  ?v:" not in plan
