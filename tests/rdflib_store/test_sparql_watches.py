"""Watching a query: what is told, when, and what cannot be watched."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import pytest
from rdflib import Dataset, Graph, Literal
from rdflib_store.names import ANIMAL, ANN, CAT, EX, G1, KNOWS, LIKES, SUB, TOM, TYPE

from rdfinc import DataSyntaxError, KnowledgeBase, UnsupportedError
from rdfinc.plugins import RdfincStore

Told = list[tuple[list[Any], list[Any]]]


@pytest.fixture
def kb() -> KnowledgeBase:
    kb = KnowledgeBase()
    kb.bind("", EX)
    kb.update(insert=[(CAT, SUB, ANIMAL), (TOM, TYPE, CAT)])
    return kb


def watch(kb: KnowledgeBase, query: str) -> Told:
    told: Told = []
    kb.watch(query, lambda *answers: told.append(tuple(sorted(map(tuple, a)) for a in answers)))
    return told


def taken(told: Told) -> Told:
    found = list(told)
    told.clear()
    return found


def test_every_way_of_changing_is_told_of_once(kb: KnowledgeBase) -> None:
    told = watch(kb, "SELECT ?x { ?x a :Animal }")
    kb.update(insert=[(ANN, TYPE, CAT), (ANN, KNOWS, TOM)])
    assert taken(told) == [([(ANN,)], [])]
    kb.update(insert=[(ANN, LIKES, TOM)])
    assert taken(told) == []
    rule = ":Animal[?x] :- [?y, :likes, ?x] ."
    kb.update(insert=[(ANN, LIKES, EX.fish)])
    kb.add_rules(rule)
    assert taken(told) == [([(EX.fish,)], [])]
    kb.remove_rules(rule)
    assert taken(told) == [([], [(EX.fish,)])]
    kb.load(f"<{EX.eve}> a <{CAT}> .".encode(), format="ttl")
    assert taken(told) == [([(EX.eve,)], [])]
    kb.update(delete=[(CAT, SUB, ANIMAL)])
    assert taken(told) == [([], [(ANN,), (EX.eve,), (TOM,)])]


def test_requests_transactions_and_refused_updates(kb: KnowledgeBase) -> None:
    graph = Graph(RdfincStore(kb))
    graph.bind("", EX)
    graph.commit()
    told = watch(kb, "SELECT ?x { ?x a :Animal }")
    graph.update(
        "INSERT DATA { :ann a :Cat } ; INSERT { :eve a :Cat } WHERE { :ann a :Animal } ;"
        "DELETE { :ann a :Cat } WHERE { :eve a :Animal }"
    )
    assert taken(told) == [([(EX.eve,)], [])]
    with pytest.raises(OSError, match="nowhere"):
        graph.update(
            "DELETE WHERE { ?x a :Cat } ; INSERT {} WHERE {} ; LOAD <file:nowhere.ttl>", files=True
        )
    assert taken(told) == []
    graph.rollback()
    assert taken(told) == [([], [(EX.eve,)])]
    graph.add((ANN, TYPE, CAT))
    assert taken(told) == []
    graph.commit()
    assert taken(told) == [([(ANN,)], [])]


def test_rows_come_as_often_as_they_are_found(kb: KnowledgeBase) -> None:
    told = watch(kb, "SELECT ?x { ?x :knows ?y }")
    once = watch(kb, "SELECT DISTINCT ?x { ?x :knows ?y }")
    kb.update(insert=[(TOM, KNOWS, ANN), (TOM, KNOWS, TOM)])
    assert (taken(told), taken(once)) == ([([(TOM,), (TOM,)], [])], [([(TOM,)], [])])
    kb.update(delete=[(TOM, KNOWS, ANN)])
    assert (taken(told), taken(once)) == ([([], [(TOM,)])], [])
    kb.update(insert=[(TOM, KNOWS, ANN)], delete=[(TOM, KNOWS, TOM)])
    assert (taken(told), taken(once)) == ([], [])


def test_what_rows_look_at_beside_their_patterns(kb: KnowledgeBase) -> None:
    optional = watch(kb, "SELECT ?x ?n { ?x a :Cat OPTIONAL { ?x :age ?n FILTER(?n > 1) } }")
    without = watch(kb, "SELECT ?x { ?x a :Cat FILTER NOT EXISTS { ?x :knows ?y } }")
    minus = watch(kb, "SELECT ?x { ?x a :Cat MINUS { ?x :knows :ann } }")
    groups = watch(
        kb, "SELECT ?y (COUNT(?x) AS ?n) { ?x :knows ?y } GROUP BY ?y HAVING(COUNT(?x) > 0)"
    )
    kb.update(insert=[(TOM, EX.age, Literal(1)), (TOM, EX.age, Literal(7))])
    assert taken(optional) == [([(TOM, Literal(7))], [(TOM, None)])]
    kb.update(insert=[(TOM, KNOWS, ANN), (ANN, TYPE, CAT)])
    assert taken(optional) == [([(ANN, None)], [])]
    assert taken(without) == taken(minus) == [([(ANN,)], [(TOM,)])]
    assert taken(groups) == [([(ANN, Literal(1))], [])]
    kb.update(insert=[(ANN, KNOWS, ANN)])
    assert taken(groups) == [([(ANN, Literal(2))], [(ANN, Literal(1))])]


def test_a_row_that_two_patterns_concern_counts_once(kb: KnowledgeBase) -> None:
    told = watch(
        kb,
        """SELECT ?x ?n { ?x a :Cat
        OPTIONAL { ?x :age ?n FILTER EXISTS { ?x :likes ?y } } }""",
    )
    kb.update(insert=[(TOM, EX.age, Literal(7)), (TOM, LIKES, ANN)])
    assert taken(told) == [([(TOM, Literal(7))], [(TOM, None)])]


def test_paths_that_can_be_taken_apart(kb: KnowledgeBase) -> None:
    told = watch(kb, "SELECT ?x ?z { ?x (:knows|^:likes)/:of ?z }")
    kb.update(insert=[(TOM, KNOWS, ANN), (ANN, LIKES, TOM), (ANN, EX.of, CAT)])
    assert taken(told) == [([(TOM, CAT), (TOM, CAT)], [])]


def test_a_watch_ends(kb: KnowledgeBase) -> None:
    told: list[Any] = []
    handle = kb.watch("SELECT ?x { ?x a :Cat }", lambda *answers: told.append(answers))
    twin, pickled = copy.deepcopy(kb), pickle.loads(pickle.dumps(kb))
    for other in (twin, pickled):
        other.update(insert=[(ANN, TYPE, CAT)])
    assert told == []
    handle.cancel()
    handle.cancel()
    kb.update(insert=[(ANN, TYPE, CAT)])
    assert told == []
    assert not kb._engine.version.pins


def test_callbacks_may_read_change_and_cancel(kb: KnowledgeBase) -> None:
    seen: list[Any] = []

    def follow(added: Any, removed: Any) -> None:
        seen.append((len(kb), len(added)))
        kb.update(insert=[(x, LIKES, EX.fish) for (x,) in added])

    def count(added: Any, removed: Any) -> None:
        seen.append(sorted(x for (x,) in added))
        last.cancel()

    kb.watch("SELECT ?x { ?x a :Cat }", follow)
    last = kb.watch("SELECT ?x { ?x :likes :fish }", count)
    kb.update(insert=[(ANN, TYPE, CAT), (EX.eve, TYPE, CAT)])
    assert seen == [(7, 2), [ANN, EX.eve]]
    kb.update(insert=[(EX.max, TYPE, CAT)])
    assert len(seen) == 3


def test_what_a_callback_raises_comes_out_of_the_update(kb: KnowledgeBase) -> None:
    def fail(added: Any, removed: Any) -> None:
        raise RuntimeError("no more")

    kb.watch("SELECT ?x { ?x a :Cat }", fail)
    told = watch(kb, "SELECT ?x { ?x a :Cat }")
    with pytest.raises(RuntimeError, match="no more"):
        kb.update(insert=[(ANN, TYPE, CAT)])
    assert (ANN, TYPE, ANIMAL) in kb
    assert taken(told) == [([(ANN,)], [])]


def test_callbacks_and_other_threads_do_not_wait_for_each_other(kb: KnowledgeBase) -> None:
    graph = Dataset(RdfincStore(kb), default_union=True)
    asked = []
    kb.watch("SELECT ?x { ?x a :Cat }", lambda *answers: asked.append(len(graph)))

    def change(start: int) -> None:
        for i in range(start, start + 20):
            kb.update(insert=[(EX[f"c{i}"], TYPE, CAT)])
            graph.update(f"INSERT DATA {{ <{EX[f'd{i}']}> a <{CAT}> }}")

    threads = [threading.Thread(target=change, args=(start,)) for start in (0, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert len(asked) == 80


def test_facts_that_come_into_view_and_go_out_of_it(kb: KnowledgeBase) -> None:
    same = "http://www.w3.org/2002/07/owl#sameAs"
    told = watch(kb, f"SELECT ?x {{ ?x <{same}> ?x }}")
    kb.update(insert=[(TOM, LIKES, ANN)])
    kb.update(insert=[f"<{TOM}> <{same}> <{TOM}>".split()])
    assert taken(told) == [([(TOM,)], [])]


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("ASK { ?x a :Cat }", "any form but SELECT"),
        ("SELECT ?x { ?x a :Cat } LIMIT 3", "LIMIT"),
        ("SELECT ?x { ?x a :Cat } OFFSET 3", "OFFSET"),
        ("SELECT ?x { ?x :knows+ ?y }", r"the path .*knows>\+"),
        ("SELECT ?x { ?x !:knows ?y }", "the path !"),
        ("SELECT ?x FROM :g { ?x a :Cat }", "FROM"),
        ("SELECT ?x { GRAPH :g { ?x a :Cat } }", "GRAPH"),
        ("SELECT ?x { SERVICE :g { ?x a :Cat } }", "SERVICE"),
        ("SELECT (COUNT(*) AS ?n) { ?x a :Cat }", "without GROUP BY"),
        ("SELECT (COUNT(*) AS ?n) { ?x a :Cat } GROUP BY (STR(?x))", "GROUP BY something else"),
        ("SELECT ?x (GROUP_CONCAT(?y) AS ?n) { ?x a ?y } GROUP BY ?x", "GROUP_CONCAT"),
        ("SELECT ?x (SAMPLE(?y) AS ?n) { ?x a ?y } GROUP BY ?x", "SAMPLE"),
        ("SELECT DISTINCT ?x (COUNT(*) AS ?n) { ?x a ?y } GROUP BY ?x", "DISTINCT together"),
        ("SELECT DISTINCT ?n { ?x a ?y BIND(STR(?x) AS ?n) }", "DISTINCT without"),
        ("SELECT ?x { ?x a :Cat { SELECT ?x { ?x :knows ?y } } }", "a sub-select"),
        ("SELECT ?x { ?x a :Cat OPTIONAL { ?y :knows ?z } }", "OPTIONAL with a pattern"),
        ("SELECT ?x { ?x a :Cat FILTER EXISTS { ?y :knows ?z } }", "EXISTS with a pattern"),
        ("SELECT ?x { ?x a :Cat MINUS { ?y :knows ?z } }", "MINUS with a pattern"),
        ("SELECT ?x (RAND() AS ?y) { ?x a :Cat }", r"RAND\(\)"),
        ("SELECT ?x { ?x a :Cat FILTER(NOW() > 1) }", r"NOW\(\)"),
    ],
)
def test_what_cannot_be_watched_is_named(kb: KnowledgeBase, query: str, what: str) -> None:
    with pytest.raises(UnsupportedError, match=f"watching .*{what}"):
        kb.watch(query, print)
    kb.update(insert=[(ANN, TYPE, CAT)])
    assert not kb._engine.version.pins


def test_no_sparql_is_an_error(kb: KnowledgeBase) -> None:
    for ask in (kb.query, lambda text: kb.watch(text, print)):
        with pytest.raises(DataSyntaxError, match="SELECT"):
            ask("SELECT")


def test_named_graphs_are_watched_as_one(kb: KnowledgeBase) -> None:
    told = watch(kb, "SELECT ?x { ?x a :Animal }")
    kb.update(insert=[(ANN, TYPE, CAT, G1)])
    assert taken(told) == [([(ANN,)], [])]
    kb.update(insert=[(ANN, TYPE, CAT)], delete=[(ANN, TYPE, CAT, G1)])
    assert taken(told) == []
