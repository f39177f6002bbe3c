"""How much a query may take: time, rows, memory; and stopping it."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Iterator

import pytest
from pyparsing import ParseException
from rdflib import Dataset, Graph, Literal
from rdflib_store.names import ANN, EX, KNOWS, TOM

from rdfinc import (
    BudgetExceededError,
    DataSyntaxError,
    KnowledgeBase,
    RemoteAccessError,
    UnsupportedError,
)
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.sparql.algebra.translate import query_of
from rdfinc.plugins.sparql.columns.budget import Budget
from rdfinc.plugins.sparql.facts.predicate_facts import PredicateFacts
from rdfinc.plugins.sparql.query_thresholds import QUERIES


def test_a_limit_looks_for_few_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first row of one pattern, and those that the others have for some of these."""
    kb = KnowledgeBase(profile="none")
    kb.load(
        "".join(f"<x:s{i}> <x:{p}> <x:o{i}> .\n" for i in range(9000) for p in "pqr").encode(),
        format="nt",
    )
    looked_up: list[int] = []
    found, pairs = PredicateFacts.by_subjects, PredicateFacts._shown
    note = looked_up.append
    monkeypatch.setattr(
        PredicateFacts, "by_subjects", lambda self, s: note(len(s)) or found(self, s)
    )
    monkeypatch.setattr(
        PredicateFacts, "_shown", lambda self, keys: note(len(keys)) or pairs(self, keys)
    )
    assert len(list(kb.query("SELECT * { ?s <x:p> ?a ; <x:q> ?b ; <x:r> ?c } LIMIT 50"))) == 50
    assert looked_up == [
        QUERIES.first_solutions,
        QUERIES.fewest_solutions,
        QUERIES.fewest_solutions,
    ]
    for more in (
        "MINUS { ?s <x:r> <x:o9> }",
        "OPTIONAL { ?a <x:r> ?d }",
        "FILTER(BOUND(?a) || ?c)",
    ):
        looked_up.clear()
        text = f"SELECT * {{ ?s <x:p> ?a ; <x:q> ?b {more} }} LIMIT 50"
        assert len(list(kb.query(text))) == 50
        assert looked_up.count(QUERIES.first_solutions) == 1 and sum(looked_up) < 9000, more
    looked_up.clear()
    assert not list(kb.query("SELECT * { ?s <x:p> ?a ; <x:q> ?b } LIMIT 0")) and not looked_up


ENDLESS = {
    "product": "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f }",
    "nothing found": "SELECT * { ?a :knows ?b . ?c :knows ?d . ?e :knows ?f FILTER(?a = ?d+?f) }",
    "path": "SELECT (COUNT(*) AS ?n) { ?a (:knows|^:knows)+ ?b . ?c (:knows|!:knows)* ?d }",
    "expression": "SELECT * { ?a :n ?b . ?c :n ?d FILTER(REGEX(STR(?b + ?d), 'x')) }",
}


@pytest.fixture(scope="module")
def many() -> KnowledgeBase:
    kb = KnowledgeBase(profile="none")
    kb.bind("", EX)
    kb.update(insert=[(EX[f"s{i}"], KNOWS, EX[f"s{i + 1}"]) for i in range(1200)])
    kb.update(insert=[(EX[f"s{i}"], EX.n, Literal(i)) for i in range(1200)])
    return kb


@pytest.mark.parametrize("query", ENDLESS.values(), ids=ENDLESS)
def test_time(many: KnowledgeBase, query: str) -> None:
    with pytest.raises(
        BudgetExceededError, match=r"timeout=0\.1 is exceeded, .* s so far"
    ) as caught:
        list(many.query(query, timeout=0.1))
    assert (caught.value.budget, caught.value.limit) == ("timeout", 0.1)
    assert caught.value.reached > 0.1


@pytest.mark.parametrize("query", ENDLESS.values(), ids=ENDLESS)
def test_another_thread_stops_a_query(many: KnowledgeBase, query: str) -> None:
    stop = threading.Event()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    with pytest.raises(BudgetExceededError, match="it was cancelled after"):
        list(many.query(query, cancel=stop))
    timer.join()


def test_rows(many: KnowledgeBase) -> None:
    query = "SELECT ?a { ?a :knows ?b }"
    assert len(many.query(query, max_rows=1200)) == 1200
    with pytest.raises(BudgetExceededError, match=r"max_rows=1,199 is exceeded, 1,200 rows so far"):
        list(many.query(query, max_rows=1199))
    with pytest.raises(BudgetExceededError, match="max_rows"):
        list(many.query("SELECT (COUNT(*) AS ?n) { ?a :knows ?b . ?c :knows ?d }", max_rows=9999))
    assert len(list(many.query("SELECT * { ?a ?p ?b . ?c ?q ?d } LIMIT 5", max_rows=99999))) == 5


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?a :knows ?b . ?c :knows ?d }",
        "SELECT * { ?a :knows ?b . ?c :knows ?d } ORDER BY ?d",
        "SELECT DISTINCT ?a ?d { ?a :knows ?b . ?c :knows ?d }",
        "SELECT ?a ?d (COUNT(*) AS ?n) { ?a :knows ?b . ?c :knows ?d } GROUP BY ?a ?d",
        "SELECT ?a { ?a :n ?b MINUS { ?a :knows ?b . ?c :knows ?d } }",
        "ASK { ?x :n 1 OPTIONAL { { SELECT ?a ?d { ?a :knows ?b . ?c :knows ?d } } } }",
        "CONSTRUCT { ?a ?b ?d } { ?a :knows ?b . ?c :knows ?d }",
    ],
)
def test_memory(many: KnowledgeBase, query: str) -> None:
    with pytest.raises(
        BudgetExceededError, match=r"max_memory=1,000,000 .* bytes so far"
    ) as caught:
        list(many.query(query, max_memory=1_000_000))
    assert 1_000_000 < caught.value.reached < 20_000_000


@pytest.mark.parametrize(
    "query",
    [
        "SELECT (COUNT(*) AS ?n) { ?a :knows ?b . ?c :knows ?d }",
        "SELECT ?a (COUNT(*) AS ?n) { ?a :knows ?b . ?c :knows ?d } GROUP BY ?a",
        "SELECT ?a ?d { ?a :knows ?b . ?c :knows ?d } ORDER BY ?d ?a LIMIT 7 OFFSET 2",
    ],
)
def test_what_is_kept_is_no_more_than_is_needed(many: KnowledgeBase, query: str) -> None:
    assert list(many.query(query, max_memory=200_000)) == list(many.query(query))


def test_what_was_cut_off_does_not_look_complete(many: KnowledgeBase) -> None:
    result = many.query("SELECT ?a ?d { ?a :knows ?b . ?c :knows ?d }", max_rows=100_000)
    seen = []
    for _ in range(2):
        with pytest.raises(BudgetExceededError):
            seen += result
    assert len(seen) <= 200_000
    for read in (len, lambda r: r.bindings, lambda r: r.to_arrow(), lambda r: r.plan()):
        with pytest.raises(BudgetExceededError):
            read(result)


def test_every_way_of_asking_has_limits(many: KnowledgeBase) -> None:
    dataset = Dataset(RdfincStore(many), default_union=True)
    dataset.bind("", EX)
    endless = "{ ?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER(?a = ?f + 1) }"
    for query in (
        f"ASK {endless}",
        f"CONSTRUCT {{ ?a ?p ?b }} {endless}",
        f"DESCRIBE ?a {endless}",
    ):
        with pytest.raises(BudgetExceededError, match="timeout"):
            dataset.query(query, timeout=0.05)
    before = len(many)
    with pytest.raises(BudgetExceededError, match="timeout"):
        dataset.update(
            f"INSERT DATA {{ :a :b :c }} ; DELETE {{ ?a ?p ?b }} WHERE {endless}", timeout=0.1
        )
    assert len(many) == before
    start = time.monotonic()
    with pytest.raises(BudgetExceededError):
        list(Graph(dataset.store).query(ENDLESS["product"], timeout=0))
    assert time.monotonic() - start < 60


CANCELLED = threading.Event()
CANCELLED.set()
TEXTS = {
    "patterns": "SELECT * { " + "?s ?p ?o . " * 40 + "nonsense }",
    "lists": "SELECT * { ?s ?p " + ", ".join(map(str, range(40))) + " nonsense }",
    "conditions": "SELECT * { FILTER(" + " || ".join(["?x = 1"] * 40) + " nonsense) }",
    "brackets": "SELECT * { FILTER(" + "(" * 10 + "1" + ")" * 10 + " nonsense) }",
    "values": "SELECT * { VALUES ?x { " + "'a' " * 40 + "nonsense } }",
    "paths": "SELECT * { ?s " + "/".join(["<urn:p>"] * 40) + " ?o nonsense }",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_query_is_stopped_while_it_is_read(many: KnowledgeBase, text: str) -> None:
    """Every text has a mistake at its end, which is not come to."""
    graph = Graph(RdfincStore(many))
    for ask in (many.query, graph.query):
        with pytest.raises(BudgetExceededError, match="timeout=0 is exceeded"):
            ask(text, timeout=0)
        with pytest.raises(BudgetExceededError, match="cancelled"):
            ask(text, cancel=CANCELLED)
        with pytest.raises((DataSyntaxError, ParseException)):
            ask(text)
    update = f"DELETE {{ ?a ?b ?c }} WHERE {text.removeprefix('SELECT *')}"
    with pytest.raises(BudgetExceededError, match="timeout=0 is exceeded"):
        graph.update(update, timeout=0)
    with pytest.raises(ParseException):
        graph.update(update)


def test_the_text_is_looked_at_while_it_is_read() -> None:
    """At each of its parts, and after a refusal another text is read as ever."""
    asked: list[None] = []
    query_of(TEXTS["patterns"].replace("nonsense", ""), {}, check=lambda: asked.append(None))
    assert len(asked) > 40
    with pytest.raises(ZeroDivisionError):
        query_of("SELECT * { ?s ?p ?o }", {}, check=lambda: 1 / 0)
    query_of("SELECT * { ?s ?p ?o }", {})


def test_the_variable_of_a_service_is_told_as_it_is_written(many: KnowledgeBase) -> None:
    with pytest.raises(RemoteAccessError, match=r"SERVICE \?where asks another server") as refused:
        many.query("SELECT * { ?a ?b ?where SERVICE ?where { ?s ?p ?o } }")
    assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


def test_every_row_of_an_expression_is_looked_at() -> None:
    computed: list[int] = []
    cancel = threading.Event()

    def rows() -> Iterator[int]:
        for row in range(10):
            yield row
            computed.append(row)
            cancel.set()

    with pytest.raises(BudgetExceededError, match="cancelled"):
        list(Budget(cancel=cancel).checked(rows()))
    assert computed == [0]
    assert list(Budget().checked(rows())) == list(range(10))


def test_limits_are_checked(many: KnowledgeBase, cats: Graph) -> None:
    for limits in ({"timeout": -1}, {"max_rows": -5}, {"max_memory": float("nan")}):
        with pytest.raises(ValueError, match="give a number from 0 up"):
            many.query("ASK {}", **limits)
    with pytest.raises(RemoteAccessError):
        many.query("ASK { SERVICE <http://192.0.2.1/> { ?s ?p ?o } }", timeout=1)
    cats.add((Literal("beyond"), KNOWS, TOM))
    with pytest.raises(UnsupportedError, match=r"timeout for what rdflib evaluates"):
        cats.query("ASK { ?s ?p ?o }", timeout=1)
    with pytest.raises(Exception, match="Expected"):
        cats.query("ASK nonsense", timeout=1)


@pytest.fixture
def cats(graph: Graph) -> Graph:
    return graph.add((TOM, KNOWS, ANN))


def test_the_error_can_be_sent_on() -> None:
    error = BudgetExceededError("query stopped", "max_rows", 5, 6)
    twin = pickle.loads(pickle.dumps(error))
    assert (str(twin), twin.budget, twin.limit, twin.reached) == ("query stopped", "max_rows", 5, 6)


UNENDED = {
    "a long text": "SELECT * { ?x ?p " + "'''\\" * 100_000,
    "a text": 'SELECT * { ?x ?p "' + '\\"' * 400_000,
}


@pytest.mark.parametrize("text", UNENDED.values(), ids=UNENDED)
def test_texts_without_an_end_are_read_once(text: str) -> None:
    """Each quote in them could be looked at as the begin of another one."""
    with pytest.raises(DataSyntaxError, match="a text that begins here has no end"):
        KnowledgeBase(profile="none").query(text)


def test_data_without_an_end_are_read_once() -> None:
    graph = KnowledgeBase(profile="none").graph()
    with pytest.raises(Exception, match="a text that begins here has no end"):
        graph.update('INSERT DATA { <u:a> <u:b> "' + '\\"' * 400_000)


def test_wide_rows_are_made_a_few_at_a_time() -> None:
    """A join of n patterns holds n blocks of up to n columns."""
    kb = KnowledgeBase(profile="none")
    kb.update(insert=[("<u:a>", "<u:p>", f"<u:b{number}>") for number in range(3)])
    patterns = " ".join(f"?x <u:p> ?x{number} ." for number in range(100))
    with pytest.raises(BudgetExceededError):
        list(kb.query(f"SELECT * {{ {patterns} }}", max_memory=10_000_000))
    (row,) = kb.query(f"SELECT * {{ {patterns} }} LIMIT 1")
    assert len(row) == 101
