"""A graph and the knowledge base behind it: what is changed through one is seen through the other,
in the order of the changes."""

from __future__ import annotations

import asyncio
import copy
import gc
import io
import pickle
import random
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from types import FrameType
from typing import Any

import pytest
from rdflib import OWL, RDF, RDFS, Dataset, Graph, Literal, URIRef
from rdflib_store.names import default_graph

from rdfinc import KnowledgeBase, ViolationError
from rdfinc.knowledge_base.updates.engine import Engine
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.rdflib.closure_events import ClosureChangedEvent

CAT, ANIMAL, PLANT, TOM, ANN = (URIRef(f"http://e.org/{name}") for name in "CPLTA")
STATED, DERIVED = (TOM, RDF.type, CAT), (TOM, RDF.type, ANIMAL)

Ask = Callable[[KnowledgeBase], object]


def dumped(kb: KnowledgeBase) -> int:
    file = io.BytesIO()
    kb.dump(file, format="nt")
    return len(file.getvalue().splitlines())


QUESTIONS: dict[str, tuple[Ask, object]] = {
    "in": (lambda kb: DERIVED in kb, True),
    "len": (len, 3),
    "iteration": (lambda kb: DERIVED in set(kb), True),
    "triples": (lambda kb: list(kb.triples((None, RDF.type, ANIMAL))), [DERIVED]),
    "explicit": (lambda kb: STATED in kb.explicit, True),
    "derived": (lambda kb: list(kb.derived), [DERIVED]),
    "explain": (lambda kb: kb.explain(DERIVED) is not None, True),
    "all proofs": (lambda kb: len(list(kb.explain(DERIVED, all=True))), 1),
    "why not": (lambda kb: "is not stated" in str(kb.why_not(DERIVED)), False),
    "query": (lambda kb: len(kb.query(f"SELECT ?x {{ ?x a <{ANIMAL}> }}")), 1),
    "stats": (lambda kb: kb.stats()["facts"], 3),
    "repr": (repr, "<KnowledgeBase owl2rl: 3 facts, 2 stated>"),
    "copy": (lambda kb: DERIVED in kb.copy(), True),
    "pickle": (lambda kb: DERIVED in pickle.loads(pickle.dumps(kb)), True),
    "report": (lambda kb: len(kb.report()), 1),
    "dump": (dumped, 3),
    "reader": (lambda kb: len(kb.reader().closure), 3),
}


@pytest.fixture
def kb() -> KnowledgeBase:
    return KnowledgeBase()


@pytest.fixture
def graph(kb: KnowledgeBase) -> Graph:
    return Graph(RdfincStore(kb))


@pytest.mark.parametrize("question", QUESTIONS)
def test_statements_added_by_a_graph_are_seen(
    question: str, kb: KnowledgeBase, graph: Graph
) -> None:
    graph.add((CAT, RDFS.subClassOf, ANIMAL)).add(STATED)
    ask, answer = QUESTIONS[question]
    assert ask(kb) == answer


def test_a_term_that_follows_from_what_a_graph_adds_is_known(
    kb: KnowledgeBase, graph: Graph
) -> None:
    kb.add_rules("[?x, <x:n>, ?n] :- AGGREGATE([?x, <x:p>, ?y] ON ?x BIND COUNT(?y) AS ?n) .")
    graph.add((TOM, URIRef("x:p"), ANN)).add((TOM, URIRef("x:p"), CAT))
    assert kb.explain((TOM, URIRef("x:n"), Literal(2))) is not None


def test_contradictions_that_a_graph_states_are_seen(kb: KnowledgeBase, graph: Graph) -> None:
    graph.add((CAT, OWL.disjointWith, PLANT)).add(STATED).add((TOM, RDF.type, PLANT))
    (violation,) = kb.violations()
    graph.remove((TOM, RDF.type, PLANT))
    assert kb.explain_violation(violation) is None


def test_changes_are_made_in_the_order_in_which_they_were_asked_for(
    kb: KnowledgeBase, graph: Graph
) -> None:
    graph.add(STATED)
    assert list(kb.update(delete=[STATED]).removed) == [STATED]
    graph.remove(STATED)
    kb.update(insert=[STATED])
    assert STATED in graph
    graph.remove((None, None, None))
    for delta in kb.stream([([], [STATED])]):
        assert list(delta.added) == [STATED]
        graph.remove(STATED)
    assert len(kb) == 0
    graph.add(STATED)
    kb.add_rules(f"[?x, a, <{ANIMAL}>] :- [?x, a, <{CAT}>] .")
    graph.remove(STATED).add((ANN, RDF.type, CAT))
    assert DERIVED not in kb and (ANN, RDF.type, ANIMAL) in kb


def test_a_graph_may_be_named_by_itself(kb: KnowledgeBase, graph: Graph) -> None:
    kb.update(insert=[(*STATED, graph)])
    kb.load(b"<x:s> <x:p> <x:o> .", format="nt", graph=graph)
    assert STATED in graph and len(graph) == 2
    kb.update(delete=[(*STATED, graph)])
    assert STATED not in graph
    dataset = Dataset(graph.store)
    kb.update(insert=[(*STATED, dataset.graph(ANN)), (*DERIVED, dataset)])
    assert STATED in dataset.graph(ANN) and DERIVED in default_graph(dataset)
    assert {g.identifier for g in dataset.graphs()} == {ANN, default_graph(dataset).identifier}


def test_two_graphs_over_one_knowledge_base_change_it_in_turn(kb: KnowledgeBase) -> None:
    one, other = Graph(RdfincStore(kb)), Graph(RdfincStore(kb))
    one.add(STATED)
    other.remove(STATED)
    one.add(STATED)
    assert STATED in other and STATED in one
    other.remove((TOM, None, None))
    one.add((ANN, RDF.type, CAT))
    other.add((ANN, RDF.type, PLANT))
    one.remove((None, None, PLANT))
    assert set(kb) == {(ANN, RDF.type, CAT)}


def test_added_statements_stay_when_the_graph_is_gone(kb: KnowledgeBase) -> None:
    Graph(RdfincStore(kb)).add(STATED)
    gc.collect()
    assert STATED in kb


def test_patterns_are_removed_without_an_update_each(
    kb: KnowledgeBase, graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    updates = counted(monkeypatch)
    for i in range(20):
        graph.add((URIRef(f"x:{i}"), RDF.type, CAT))
        graph.remove((URIRef(f"x:{i - 1}"), None, None))
    assert not updates
    assert len(kb) == 1 and len(updates) == 1


def counted(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Grows by one with each update."""
    updates: list[object] = []
    apply = Engine.apply

    def counting(self: Engine, change: Any, *more: Any, **options: Any) -> Any:
        updates.append(change)
        return apply(self, change, *more, **options)

    monkeypatch.setattr(Engine, "apply", counting)
    return updates


def test_a_refusal_comes_from_whatever_asks_next_and_leaves_the_lock_open() -> None:
    kb = KnowledgeBase(on_violation="raise")
    graph = Graph(RdfincStore(kb))
    graph.add((CAT, OWL.disjointWith, PLANT)).add(STATED)
    for ask in (len, lambda kb: kb.explain(STATED), lambda kb: kb.update(insert=[DERIVED])):
        assert len(kb) == 2
        graph.add((TOM, RDF.type, PLANT))
        with pytest.raises(ViolationError, match=r"not added:\n.*http://e.org/L") as refused:
            ask(kb)
        assert refused.value.dropped == [(TOM, RDF.type, PLANT)]
        assert size_in_another_thread(kb) == 2


@pytest.fixture
def refused() -> Iterator[KnowledgeBase]:
    """A knowledge base for which a graph waits with a statement that is going to be refused."""
    kb = KnowledgeBase(on_violation="raise")
    graph = Graph(RdfincStore(kb))
    graph.add((CAT, OWL.disjointWith, PLANT)).add(STATED).commit()
    graph.add((TOM, RDF.type, PLANT))
    yield kb
    assert set(kb.explicit) >= {STATED, (CAT, OWL.disjointWith, PLANT)}
    assert (TOM, RDF.type, PLANT) not in kb


def test_the_next_caller_is_told_that_nothing_of_its_call_is_done(refused: KnowledgeBase) -> None:
    with pytest.raises(
        ViolationError, match=r"(?s)not added:\n.*has not been done, ask for it again"
    ):
        refused.update(insert=[(ANN, RDF.type, PLANT)])
    assert (ANN, RDF.type, PLANT) not in refused
    refused.update(insert=[(ANN, RDF.type, PLANT)])
    assert (ANN, RDF.type, PLANT) in refused


def test_a_change_that_meets_a_refusal_is_not_half_made(refused: KnowledgeBase) -> None:
    other = Dataset(RdfincStore(refused))
    named = Graph(other.store, URIRef("http://e.org/g"))
    changes: list[Callable[[], object]] = [
        lambda: named.add((ANN, RDF.type, CAT)),
        lambda: named.remove((ANN, None, None)),
        lambda: other.graph(named.identifier),
        lambda: other.update(f"INSERT DATA {{ <{ANN}> a <{CAT}> }}"),
        lambda: other.parse(data=f"@prefix new: <urn:new:> . <{ANN}> a <{CAT}> .", format="turtle"),
    ]
    with pytest.raises(ViolationError):
        len(refused)
    for change in changes:
        before, prefixes = set(refused.explicit), set(other.namespaces())
        Graph(RdfincStore(refused)).add((TOM, RDF.type, PLANT))
        with pytest.raises(ViolationError):
            change()
        assert set(refused.explicit) == before and set(other.namespaces()) == prefixes
        assert other.store._savepoint is None and not other.store.remembered_graphs()
        change()
        other.commit()
        other.store._graphs.clear()


def test_no_update_of_a_stream_is_lost_to_a_refusal(refused: KnowledgeBase) -> None:
    names = [URIRef(f"http://e.org/{i}") for i in range(3)]
    deltas = refused.stream([([], [(name, RDF.type, PLANT)]) for name in names])
    with pytest.raises(ViolationError, match="not added"):
        next(deltas)
    assert [set(delta.added) for delta in deltas] == [{(n, RDF.type, PLANT)} for n in names]


def test_no_update_of_an_asynchronous_stream_is_lost_to_a_refusal(refused: KnowledgeBase) -> None:
    names = [URIRef(f"http://e.org/{i}") for i in range(3)]

    async def updates() -> AsyncIterator[Any]:
        for name in names:
            yield [], [(name, RDF.type, PLANT)]

    async def run() -> list[set[Any]]:
        deltas = refused.stream_async(updates())
        with pytest.raises(ViolationError, match="not added"):
            await anext(deltas)
        return [set(delta.added) async for delta in deltas]

    assert asyncio.run(run()) == [{(name, RDF.type, PLANT)} for name in names]


def test_an_update_of_a_stream_that_is_refused_itself_is_passed_over(
    refused: KnowledgeBase,
) -> None:
    wrong, right = (TOM, RDF.type, PLANT), (ANN, RDF.type, PLANT)
    deltas = refused.stream([([], [wrong]), ([], [right])])
    for _ in range(2):  # that of the graph, then its own
        with pytest.raises(ViolationError):
            next(deltas)
    assert [set(delta.added) for delta in deltas] == [{right}]


def size_in_another_thread(kb: KnowledgeBase) -> int | None:
    """None if that has to wait for this one."""
    sizes: list[int] = []
    other = threading.Thread(target=lambda: sizes.append(len(kb)), daemon=True)
    other.start()
    other.join(60)
    return sizes[0] if sizes else None


def test_removals_beside_refused_additions_go_on_waiting() -> None:
    kb = KnowledgeBase(on_violation="raise")
    graph = Graph(RdfincStore(kb))
    graph.add((CAT, OWL.disjointWith, PLANT)).add(STATED).add((ANN, RDF.type, CAT)).commit()
    graph.remove((ANN, RDF.type, CAT)).add((TOM, RDF.type, PLANT))
    with pytest.raises(ViolationError):
        len(kb)
    assert (ANN, RDF.type, CAT) not in kb


def test_a_callback_may_change_the_graph(kb: KnowledgeBase, graph: Graph) -> None:
    def answer(added: Any, removed: Any) -> None:
        for row in added:
            graph.add((row.x, RDF.type, PLANT))

    kb.watch(f"SELECT ?x {{ ?x a <{CAT}> }}", answer)
    graph.add(STATED)
    assert STATED in kb
    assert (TOM, RDF.type, PLANT) in kb


def test_rolling_back_maintains_nothing() -> None:
    kb = KnowledgeBase(on_violation="raise")
    graph = Graph(RdfincStore(kb))
    graph.add((CAT, OWL.disjointWith, PLANT)).add(STATED).commit()
    graph.add((TOM, RDF.type, PLANT)).rollback()
    assert set(kb.explicit) == {(CAT, OWL.disjointWith, PLANT), STATED}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
def test_copies_collect_for_themselves(copied: Callable[[Graph], Graph], graph: Graph) -> None:
    graph.add(STATED)
    twin = copied(graph)
    twin.add((ANN, RDF.type, CAT))
    graph.add((ANN, RDF.type, PLANT))
    assert set(twin.store.kb) == {STATED, (ANN, RDF.type, CAT)}
    assert set(graph.store.kb) == {STATED, (ANN, RDF.type, PLANT)}


def test_threads_may_use_both() -> None:
    kb = KnowledgeBase()
    graph, other = Graph(RdfincStore(kb)), Graph(RdfincStore(kb))
    kb.update(insert=[(CAT, RDFS.subClassOf, ANIMAL)])

    def add(graph: Graph, name: str) -> None:
        for i in range(300):
            graph.add((URIRef(f"x:{name}{i}"), RDF.type, CAT))

    def change() -> None:
        for i in range(300):
            kb.update(insert=[(URIRef(f"x:k{i}"), RDF.type, CAT)])
            assert len(list(kb.derived)) > i

    work = [(add, graph, "a"), (add, other, "b"), (change,)]
    threads = [threading.Thread(target=f, args=args, daemon=True) for f, *args in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert len(kb) == 1 + 2 * 900


def test_subscribers_hear_of_every_change_of_the_closure(kb: KnowledgeBase, graph: Graph) -> None:
    heard: list[set[Any]] = []
    graph.store.dispatcher.subscribe(
        ClosureChangedEvent, lambda event: heard.append(set(event.delta.added))
    )
    other = Graph(RdfincStore(kb))
    kb.update(insert=[STATED])
    other.add((ANN, RDF.type, CAT)).commit()
    other.update(f"INSERT DATA {{ <{ANN}> a <{PLANT}> . <{TOM}> a <{PLANT}> }}")
    kb.add_rules(f"[?x, a, <{ANIMAL}>] :- [?x, a, <{CAT}>] .")
    assert heard == [
        {STATED},
        {(ANN, RDF.type, CAT)},
        {(ANN, RDF.type, PLANT), (TOM, RDF.type, PLANT)},
        {DERIVED, (ANN, RDF.type, ANIMAL)},
    ]


def test_subscribers_may_change_either_graph_and_fail(kb: KnowledgeBase) -> None:
    one, other = Graph(RdfincStore(kb)), Graph(RdfincStore(kb))
    answers = [(one, "y"), (other, "z")]

    def answer(event: ClosureChangedEvent) -> None:
        if answers:
            graph, name = answers.pop()
            graph.add((URIRef(f"x:{name}"), RDF.type, CAT))
            raise RuntimeError(name)

    one.store.dispatcher.subscribe(ClosureChangedEvent, answer)
    one.add(STATED)
    with pytest.raises(RuntimeError, match="z"):
        other.add((ANN, RDF.type, CAT))
    other.add((ANN, RDF.type, PLANT))
    with pytest.raises(RuntimeError, match="y"):
        one.commit()
    names = {str(s) for s, _, _ in kb}
    assert names == {str(TOM), str(ANN), "x:z", "x:y"}


def test_subscribers_are_called_when_the_lock_is_free(kb: KnowledgeBase, graph: Graph) -> None:
    sizes = []
    graph.store.dispatcher.subscribe(
        ClosureChangedEvent, lambda event: sizes.append(size_in_another_thread(kb))
    )
    graph.add(STATED)
    assert len(graph) == 1
    graph.add((ANN, RDF.type, CAT)).commit()
    kb.update(insert=[(ANN, RDF.type, PLANT)])
    assert sizes == [1, 2, 3]


def test_to_cancel_a_watch_and_to_roll_back_maintain_nothing() -> None:
    kb = KnowledgeBase(on_violation="raise")
    one, other = Graph(RdfincStore(kb)), Graph(RdfincStore(kb))
    kb.update(insert=[(CAT, OWL.disjointWith, PLANT), STATED])
    calls: list[object] = []
    watch = kb.watch(f"SELECT ?x {{ ?x a <{ANIMAL}> }}", lambda *rows: calls.append(rows))
    other.add((ANN, RDF.type, ANIMAL))
    one.add((TOM, RDF.type, PLANT))
    watch.cancel()
    other.rollback()
    with pytest.raises(ViolationError):
        len(kb)
    assert (ANN, RDF.type, ANIMAL) not in kb and len(calls) == 1


def test_a_pickle_made_while_others_change_is_whole(kb: KnowledgeBase) -> None:
    done = threading.Event()

    def change() -> None:
        for i in count():
            kb.update(insert=[(URIRef(f"x:{i}"), RDF.type, CAT)])
            if done.is_set():
                return

    thread = threading.Thread(target=change, daemon=True)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        thread.start()
        for _ in range(10):
            twin = pickle.loads(pickle.dumps(kb))
            assert all(o == CAT for _, _, o in twin)
            twin._check()
    finally:
        sys.setswitchinterval(interval)
        done.set()
        thread.join(60)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_point_leaves_the_lock_free_and_loses_nothing() -> None:
    points = 0
    while True:
        kb = KnowledgeBase("none")
        graph, other = Graph(RdfincStore(kb)), Graph(RdfincStore(kb))
        other.add(STATED)
        with interrupted(points) as left:
            graph.add((ANN, RDF.type, CAT))
            len(kb)
        if not left:
            break
        assert size_in_another_thread(kb) in (1, 2), points
        assert STATED in kb
        points += 1
    assert points > 100


@contextmanager
def interrupted(calls: int) -> Iterator[list[object]]:
    """A KeyboardInterrupt when so many functions of rdfinc have been called; then the list has an
    element."""
    left, arrived = calls, []

    def trace(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal left
        if event == "call" and "rdfinc" in frame.f_globals.get("__name__", "") and not arrived:
            if not left:
                arrived.append(frame)
                signal.raise_signal(signal.SIGINT)
            left -= 1

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.settrace(trace)
    try:
        yield arrived
    except KeyboardInterrupt:
        pass
    finally:
        sys.settrace(None)
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("seed", range(20))
def test_any_order_of_changes(seed: int) -> None:
    rnd = random.Random(seed)
    kb = KnowledgeBase("none")
    graphs = [Graph(RdfincStore(kb)) for _ in range(2)]
    stated: set[Any] = set()
    nodes = [URIRef(f"x:{i}") for i in range(4)]

    def fact() -> tuple[URIRef, URIRef, URIRef]:
        return rnd.choice(nodes), RDF.type, rnd.choice(nodes)

    for _ in range(150):
        graph, what = rnd.choice(graphs), rnd.randrange(6)
        if what < 2:
            graph.add(new := fact())
            stated |= {new}
        elif what == 2:
            graph.remove(old := fact())
            stated -= {old}
        elif what == 3:
            subject = rnd.choice(nodes)
            graph.remove((subject, None, None))
            stated = {each for each in stated if each[0] != subject}
        elif what == 4:
            old, new = fact(), fact()
            kb.update(delete=[old], insert=[new])
            stated = stated - {old} | {new}
        elif rnd.random() < 0.5:
            assert set(rnd.choice([kb, *graphs])) == stated
    assert set(kb) == stated
