"""What an insertion makes equal at once is what rounds make equal one after the other."""

from __future__ import annotations

import pytest

from rdfinc import BudgetExceededError, KnowledgeBase
from rdfinc.owl.owl_thresholds import LISTS
from rdfinc.reasoning.maintenance.equality_insertion import EqualityInsertion
from rdfinc.reasoning.reasoning_thresholds import REASONING
from rdfinc.tables.facts import Batch, size
from thresholds import put

PREFIXES = """@prefix : <http://example.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
RING = ":f a owl:FunctionalProperty . :a0 :f :a2 ." + "".join(
    f":a{i} :f :a{i + 1} ." for i in range(12)
)
CASES = {
    "below the equality": f"{RING} :b owl:sameAs :c . owl:sameAs rdfs:subPropertyOf :f .",
    "a ring": RING,
    "beside others": f"{RING} :x :f :y . :a3 owl:sameAs :b . :b :knows :c . :c :f :d, :e .",
    "what its classes say": f"""{RING} :A owl:hasKey (:k) . :f rdfs:domain :A ; rdfs:range :A .
        :a3 :k :key . :b a :A ; :k :key . :b :f :c . [] a :A ; :k :key .""",
    "inverses": f"{RING} :f owl:inverseOf :g . :g a owl:SymmetricProperty . :b :g :c .",
    "other names": """:f a owl:FunctionalProperty . :b owl:sameAs :c . :b :g :c . :c :f :d .
        :x owl:sameAs :y . :x :g :y .""",
    "maxima": """:R owl:maxCardinality 1 ; owl:onProperty :f . :f rdfs:domain :R .
        :a :f :b, :c . :b :f :a, :d . :c :f :e . :d :f :a .""",
    "a literal": f'{RING} :a3 owl:sameAs "a" . :m a owl:InverseFunctionalProperty . :x :f "a" .',
    "literals": f'{RING} :a3 :f 1, 2 . :d a owl:FunctionalProperty . :a5 :d 1 . :a7 :d 1.0, 3 .',
    "long keys": """:A owl:hasKey (:f :g :h) . :a a :A ; :f :x ; :g :y ; :h :z .
        :b a :A ; :f :x ; :g :y ; :h :z . :x a :A ; :f :a ; :g :a ; :h :a .
        :y a :A ; :f :b ; :g :b ; :h :b .""",
}  # fmt: skip
RULES = {
    "": "",
    "with a rule": "[?x, owl:sameAs, ?y] :- [?x, :f, ?z], [?z, :f, ?y], [?y, a, :B] . "
    "[?x, a, :B] :- [?x, :f, ?y] .",
    "of itself": "[?y, owl:sameAs, ?z] :- [?x, :f, ?y], [?x, :f, ?z] .",
    "from the equality": "[?x, :f, ?y] :- [?x, owl:sameAs, ?y] .",
    "from much of it": "[?x, owl:sameAs, ?y] :- [?x, owl:sameAs, ?z], [?v, owl:sameAs, ?y], "
    "[?z, :g, ?v] .",
    "of different terms": "[?x, :f, ?y] :- [?x, :g, ?y], FILTER(!sameTerm(?x, ?y)) .",
    "of two different terms": "[?x, owl:sameAs, ?y] :- [?x, :g, ?v], [?x, :g, ?w], [?v, :f, ?y], "
    "FILTER(!sameTerm(?v, ?w)) .",
    "about the equality": "[?x, :f, ?y] :- [?x, owl:sameAs, ?y], [?x, :knows, ?z] .",
}


def known(data: str, rules: str, storage: str) -> tuple[set[object], set[object]]:
    kb = KnowledgeBase(storage=storage)
    if rules:
        kb.add_rules(f"@prefix : <http://example.org/> . {rules}")
    kb.load((PREFIXES + data).encode(), format="turtle")
    kb._check()
    return {tuple(map(str, triple)) for triple in kb}, set(kb.violations())


@pytest.mark.parametrize("rules", RULES.values(), ids=list(RULES))
@pytest.mark.parametrize("data", CASES.values(), ids=list(CASES))
def test_at_once_is_round_by_round(data: str, rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, LISTS, long_list=2)
    put(monkeypatch, REASONING, equal_rounds=10**9)
    expected = known(data, rules, "plain")
    put(monkeypatch, REASONING, equal_rounds=1)
    assert known(data, rules, "auto") == expected


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many facts each closing has found."""
    found: list[int] = []
    close = EqualityInsertion.close

    def noted(self: EqualityInsertion, batch: Batch) -> Batch | None:
        closed = close(self, batch)
        found.append(-1 if closed is None else size(closed))
        return closed

    monkeypatch.setattr(EqualityInsertion, "close", noted)
    return found


def test_many_rounds_are_cut_short(closed: list[int]) -> None:
    kb = KnowledgeBase()
    ring = RING + "".join(f":a{i} :f :a{i + 1} ." for i in range(12, 80))
    kb.load((PREFIXES + ring).encode(), format="turtle")
    assert min(closed) > 80 * 40
    assert len(kb.query("SELECT ?x { <http://example.org/a1> owl:sameAs ?x }")) == 79
    kb.update(delete=[tuple(f"<http://example.org/{name}>" for name in ("a0", "f", "a2"))])
    assert len(kb) == 81


@pytest.mark.parametrize("case", ["a literal", "long keys"])
def test_where_names_are_told_apart_rounds_go_on(
    case: str, closed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, LISTS, long_list=2)
    put(monkeypatch, REASONING, equal_rounds=1)
    KnowledgeBase().load((PREFIXES + CASES[case]).encode(), format="turtle")
    assert {-1}.issuperset(closed)


def test_where_it_fails_it_is_not_tried_again(
    closed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, REASONING, equal_rounds=1)
    kb = KnowledgeBase()
    kb.load((PREFIXES + ":f a owl:FunctionalProperty . :a :f :b .").encode(), format="turtle")
    kb.load((PREFIXES + ":a owl:sameAs :c .").encode(), format="turtle")
    closed.clear()
    more = ":b :f :d, :e . :e owl:sameAs 1 . :d :f :x . :e :f :y . :x :f :v . :y :f :w ."
    kb.load((PREFIXES + more).encode(), format="turtle")
    assert closed == [-1]


def test_few_equals_among_many_facts_go_by_rounds(
    closed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, REASONING, equal_rounds=1)
    kb = KnowledgeBase()
    many = "".join(f":x{i} :f :y{i} ." for i in range(1000))
    kb.load((PREFIXES + RING + many).encode(), format="turtle")
    closed.clear()
    kb.load((PREFIXES + ":x1 :f :z . :y1 :f :y2 . :z :f :z2 .").encode(), format="turtle")
    assert closed == []
    more = "".join(f":x{i} :f :z{i} ." for i in range(1000))
    kb.load((PREFIXES + more).encode(), format="turtle")
    assert len(closed) == 1


def test_there_is_room_for_what_it_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    put(monkeypatch, REASONING, equal_rounds=1)
    kb = KnowledgeBase(max_facts=200)
    with pytest.raises(BudgetExceededError):
        kb.load((PREFIXES + RING).encode(), format="turtle")
    assert len(kb) == 0
