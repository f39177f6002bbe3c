"""When statements are maintained, commit and rollback, refused updates, the directory."""

from __future__ import annotations

import pickle
from contextlib import nullcontext
from pathlib import Path

import pytest
from rdflib import OWL, RDF, BNode, Dataset, Graph, Literal
from rdflib.store import CORRUPTED_STORE, NO_STORE, VALID_STORE
from rdflib_store.names import (
    ANIMAL,
    ANN,
    CAT,
    CLOSURE,
    EX,
    G1,
    KNOWS,
    STATED,
    SUB,
    TOM,
    TYPE,
    default_graph,
)

from rdfinc import ViolationError
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.rdflib.closure_events import ClosureChangedEvent

DOG = EX.Dog


@pytest.fixture
def deltas(graph: Graph) -> list[tuple[int, int]]:
    """The sizes of all deltas of `graph`, as they happen."""
    seen: list[tuple[int, int]] = []
    graph.store.dispatcher.subscribe(
        ClosureChangedEvent, lambda e: seen.append((len(e.delta.added), len(e.delta.removed)))
    )
    return seen


def test_single_changes_are_one_update(graph: Graph, deltas: list[tuple[int, int]]) -> None:
    for triple in STATED:
        graph.add(triple)
    graph.add((ANN, TYPE, CAT)).remove((ANN, TYPE, CAT))
    assert deltas == []
    assert len(graph) == 3
    assert deltas == [(3, 0)]
    graph.remove((CAT, SUB, ANIMAL)).add((ANN, TYPE, CAT))
    graph.commit()
    assert deltas == [(3, 0), (1, 2)]
    graph.remove((ANN, TYPE, ANIMAL))
    graph.commit()
    assert deltas == [(3, 0), (1, 2)]


def test_rollback_covers_the_inferred_graph(graph: Graph) -> None:
    graph += STATED
    graph.commit()
    graph.remove((CAT, SUB, ANIMAL)).add((ANN, TYPE, CAT)).add((ANN, KNOWS, TOM))
    assert set(graph) == {(TOM, TYPE, CAT), (ANN, TYPE, CAT), (ANN, KNOWS, TOM)}
    graph.add((TOM, KNOWS, ANN))
    graph.rollback()
    assert set(graph) == CLOSURE
    graph.rollback()
    assert set(graph) == CLOSURE


def test_rollback_of_what_was_never_read(graph: Graph) -> None:
    graph += STATED
    graph.rollback()
    assert len(graph) == 0


def test_rollback_covers_graphs_formulas_and_loads(dataset: Dataset) -> None:
    dataset.add((CAT, SUB, ANIMAL))
    dataset.add((Literal("odd"), KNOWS, TOM))
    dataset.commit()
    dataset.graph(G1).add((TOM, TYPE, CAT))
    dataset.remove((Literal("odd"), None, None))
    dataset.store.kb.update(insert=[(ANN, TYPE, CAT)])
    dataset.parse(data="<x:s> <x:p> <x:o> <x:g> .", format="nquads")
    dataset.rollback()
    assert set(default_graph(dataset)) == {(CAT, SUB, ANIMAL), (Literal("odd"), KNOWS, TOM)}
    assert [g.identifier for g in dataset.graphs()] == [default_graph(dataset).identifier]


FORMULA = "@prefix : <http://e/> . { :a :b :c } => { :c :b :a } ."


@pytest.mark.parametrize("inside", [False, True])
def test_what_is_taken_back_is_taken_back_in_graphs(dataset: Dataset, inside: bool) -> None:
    """Of a transaction of the knowledge base graphs keep no formula, no name of a graph, and no
    place to roll back to; what was there before is there."""
    store = dataset.store
    kb, graph = store.kb, default_graph(dataset)
    dataset.graph(EX.before)
    dataset.commit()
    for _ in range(2):
        with pytest.raises(KeyError), kb.transaction():
            kb.update(insert=[("<http://e/never>", "<http://e/p>", "<http://e/o>")])
            with kb.transaction() if inside else nullcontext():
                graph.parse(data=FORMULA, format="n3")
                dataset.graph(G1).add((ANN, KNOWS, TOM))
                dataset.graph(EX.empty)
                dataset.remove_graph(dataset.graph(EX.before))
                if inside:
                    graph.update("INSERT DATA { <http://e/x> <http://e/p> <http://e/o> }")
            if not inside:
                dataset.commit()
            raise KeyError
        assert len(graph) == len(kb) == 0 and not list(dataset.quads())
        names = {context.identifier for context in dataset.graphs()}
        assert names - {default_graph(dataset).identifier} == {EX.before}
    graph.add((ANN, KNOWS, TOM))
    dataset.commit()
    dataset.rollback()
    assert set(graph) == {(ANN, KNOWS, TOM)}


def test_the_look_for_a_graph_pins_no_version(graph: Graph) -> None:
    """It takes no lock: a version that it pinned while another thread publishes the next one would
    stay in use, and what comes after it would not be seen, nor taken back."""
    kb = graph.store.kb
    kb.update(insert=[("<http://e/s>", "<http://e/p>", "<http://e/o>", G1)])
    assert kb._engine.in_use is None
    assert graph.store.has_graph(G1) and not graph.store.has_graph(EX.other)
    assert kb._engine.in_use is None


def test_a_rollback_that_is_taken_back(graph: Graph) -> None:
    graph.add((ANN, KNOWS, TOM))
    with pytest.raises(KeyError), graph.store.kb.transaction():
        graph.rollback()
        assert not len(graph)
        raise KeyError
    assert set(graph) == {(ANN, KNOWS, TOM)}
    graph.rollback()
    assert not len(graph)


def test_rollback_keeps_which_graph_states_a_fact(dataset: Dataset) -> None:
    dataset.add((TOM, KNOWS, ANN))
    dataset.commit()
    dataset.graph(G1).add((TOM, KNOWS, ANN))
    default_graph(dataset).remove((TOM, KNOWS, ANN))
    assert len(dataset) == 1
    dataset.rollback()
    assert set(dataset) == {(TOM, KNOWS, ANN, default_graph(dataset).identifier)}


@pytest.fixture
def strict() -> Graph:
    graph = Graph(RdfincStore(on_violation="raise"))
    graph.add((CAT, OWL.disjointWith, DOG)).add((TOM, TYPE, CAT)).add((ANN, TYPE, CAT))
    graph.commit()
    return graph


def test_a_refused_update_surfaces_at_the_read_and_names_what_was_dropped(strict: Graph) -> None:
    before = set(strict)
    strict.add((TOM, TYPE, DOG)).add((TOM, KNOWS, ANN))
    with pytest.raises(ViolationError, match=r"not added:\n.*tom") as caught:
        len(strict)
    assert set(caught.value.dropped) == {(TOM, TYPE, DOG), (TOM, KNOWS, ANN)}
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.dropped, str(again)) == (caught.value.dropped, str(caught.value))
    assert caught.value.violations
    assert set(strict) == before


def test_removals_survive_a_refused_addition(strict: Graph) -> None:
    strict.remove((ANN, TYPE, CAT)).add((TOM, TYPE, DOG))
    with pytest.raises(ViolationError):
        strict.commit()
    assert (ANN, TYPE, CAT) not in strict
    assert (TOM, TYPE, CAT) in strict


def test_after_a_refusal_the_graph_is_usable(strict: Graph) -> None:
    strict.add((TOM, TYPE, DOG))
    with pytest.raises(ViolationError):
        list(strict)
    strict.add((EX.rex, TYPE, DOG))
    strict.commit()
    assert (EX.rex, TYPE, DOG) in strict


def test_many_dropped_statements_are_counted(strict: Graph) -> None:
    strict.addN((TOM, KNOWS, EX[f"n{i}"], strict) for i in range(20))
    strict.add((TOM, TYPE, DOG))
    with pytest.raises(ViolationError, match="and 16 more"):
        strict.commit()


def test_a_directory_is_created_saved_and_opened(tmp_path: Path) -> None:
    place = tmp_path / "kb"
    graph = Graph(store="rdfinc")
    assert graph.open(str(place)) == NO_STORE
    assert graph.open(str(place), create=True) == VALID_STORE
    graph.bind("ex", EX)
    node = BNode("n")
    facts = STATED | {(node, RDF.value, Literal("ü\n", lang="en")), (TOM, KNOWS, EX["odd iri<"])}
    graph += facts
    graph.store.kb.add_rules("[?y, ex:knows, ?x] :- [?x, ex:knows, ?y] .")
    graph.commit()
    expected = set(graph)
    graph.close()
    again = Graph(store="rdfinc")
    assert again.open(str(place)) == VALID_STORE
    assert set(again) == expected
    assert set(Graph(again.store, "urn:rdfinc:explicit")) == facts
    assert dict(again.namespaces())["ex"] == EX[""]
    again.remove((None, KNOWS, None))
    assert not set(again.triples((None, KNOWS, None)))


def test_an_existing_empty_directory_is_accepted(tmp_path: Path) -> None:
    assert Graph(store="rdfinc").open(str(tmp_path)) == NO_STORE
    assert Graph(store="rdfinc").open(str(tmp_path), create=True) == VALID_STORE


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("commit", [True, False])
def test_maintained_statements_are_kept_without_a_commit_too(tmp_path: Path, commit: bool) -> None:
    graph = Graph(store="rdfinc")
    graph.open(str(tmp_path), create=True)
    graph.add((TOM, KNOWS, ANN))
    graph.commit()
    graph.add((ANN, KNOWS, TOM))
    graph.close(commit_pending_transaction=commit)
    again = Graph(store="rdfinc")
    again.open(str(tmp_path))
    assert set(again) == {(TOM, KNOWS, ANN), (ANN, KNOWS, TOM)}


@pytest.mark.parametrize("damage", [b"", b"no manifest", None])
def test_damage_is_told(tmp_path: Path, damage: bytes | None) -> None:
    graph = Graph(store="rdfinc")
    graph.open(str(tmp_path), create=True)
    graph.addN((TOM, KNOWS, EX[f"n{i}"], graph) for i in range(1000))
    graph.close()
    (file,) = tmp_path.glob("manifest-*")
    content = bytearray(file.read_bytes())
    content[100] ^= 0xFF
    file.write_bytes(content if damage is None else damage)
    again = Graph(store="rdfinc")
    assert again.open(str(tmp_path)) == CORRUPTED_STORE
    assert len(again.store.kb) == 0


def test_formulas_are_not_silently_left_out(tmp_path: Path) -> None:
    graph = Graph(store="rdfinc")
    graph.open(str(tmp_path), create=True)
    graph.add((Literal("odd"), KNOWS, TOM))
    with pytest.raises(NotImplementedError, match="formulas"):
        graph.commit()


def test_open_comes_before_adding(tmp_path: Path, graph: Graph) -> None:
    graph.add((TOM, KNOWS, ANN))
    with pytest.raises(ValueError, match="open"):
        graph.open(str(tmp_path), create=True)


def test_destroy_removes_what_is_saved_and_nothing_else(tmp_path: Path) -> None:
    place = tmp_path / "kb"
    graph = Graph(store="rdfinc")
    graph.open(str(place), create=True)
    graph.commit()
    (place / "mine.txt").write_text("mine")
    graph.destroy(str(place))
    assert [path.name for path in place.iterdir()] == ["mine.txt"]
    (place / "mine.txt").unlink()
    graph.open(str(place), create=True)
    graph.close()
    graph.destroy(str(place))
    assert not place.exists()
