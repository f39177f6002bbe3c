"""What subscribers hear."""

from __future__ import annotations

from rdflib import Graph
from rdflib.store import TripleAddedEvent, TripleRemovedEvent
from rdflib_store.names import ANIMAL, ANN, CAT, KNOWS, STATED, SUB, TOM, TYPE

from rdfinc.plugins.rdflib.closure_events import ClosureChangedEvent


def test_the_closure_changed(graph: Graph) -> None:
    deltas = []
    graph.store.dispatcher.subscribe(ClosureChangedEvent, lambda event: deltas.append(event.delta))
    graph += STATED
    graph.commit()
    graph.remove((CAT, SUB, ANIMAL))
    graph.commit()
    first, second = deltas
    assert (TOM, TYPE, ANIMAL) in set(first.added)
    assert set(second.removed) == {(CAT, SUB, ANIMAL), (TOM, TYPE, ANIMAL)}
    assert not set(second.added)


def test_rollback_is_told(graph: Graph) -> None:
    graph.add((TOM, KNOWS, ANN))
    assert len(graph) == 1
    deltas = []
    graph.store.dispatcher.subscribe(ClosureChangedEvent, lambda event: deltas.append(event.delta))
    graph.rollback()
    assert [set(delta.removed) for delta in deltas] == [{(TOM, KNOWS, ANN)}]


def test_rdflibs_events_tell_what_was_asked(graph: Graph) -> None:
    heard = []
    for event in (TripleAddedEvent, TripleRemovedEvent):
        graph.store.dispatcher.subscribe(event, heard.append)
    graph.add((TOM, KNOWS, ANN)).remove((TOM, None, None))
    graph.parse(data="<x:s> <x:p> <x:o> .", format="turtle")
    assert [type(event) for event in heard] == [
        TripleAddedEvent,
        TripleRemovedEvent,
        TripleAddedEvent,
    ]
    assert heard[1].triple == (TOM, None, None)
    assert heard[0].context is graph


def test_subscribing_to_one_event_leaves_the_others_alone(graph: Graph) -> None:
    graph.store.dispatcher.subscribe(TripleAddedEvent, lambda event: None)
    graph.add((TOM, KNOWS, ANN)).remove((None, None, None))
    assert len(graph) == 0
