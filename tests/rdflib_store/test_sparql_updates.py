"""SPARQL Update: over explicit statements, each request one step or none."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from rdflib import BNode, Dataset, Graph, Literal, URIRef
from rdflib.plugins.sparql import prepareUpdate
from rdflib.store import TripleAddedEvent, TripleRemovedEvent
from rdflib_store.names import (
    ANIMAL,
    ANN,
    CAT,
    DERIVED,
    EX,
    EXPLICIT,
    G1,
    G2,
    KNOWS,
    LIKES,
    SUB,
    TOM,
    TYPE,
    default_graph,
)

from rdfinc import (
    DataSyntaxError,
    Delta,
    FileAccessError,
    RemoteAccessError,
    ReservedGraphError,
    ViolationError,
)
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.rdflib.closure_events import ClosureChangedEvent

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def test_updates_change_explicit_facts(cats: Graph) -> None:
    cats.update("DELETE { ?x a :Animal } INSERT { ?x a :Pet } WHERE { ?x a :Animal }")
    assert (TOM, TYPE, ANIMAL) in cats
    assert (TOM, TYPE, EX.Pet) in cats
    cats.update("DELETE WHERE { ?x a :Cat }")
    assert set(cats.objects(TOM, TYPE)) == {EX.Pet}
    cats.update("INSERT DATA { :ann a :Cat }; DELETE DATA { :tom :knows :ann }")
    assert (ANN, TYPE, ANIMAL) in cats
    assert (TOM, KNOWS, ANN) not in cats


def test_updates_of_datasets(dataset: Dataset) -> None:
    dataset.bind("", EX)
    dataset.update(f"INSERT DATA {{ :Cat <{SUB}> :Animal . GRAPH :g1 {{ :tom a :Cat }} }}")
    assert set(default_graph(dataset)) == {(CAT, SUB, ANIMAL), (TOM, TYPE, ANIMAL)}
    assert set(dataset.graph(G1)) == {(TOM, TYPE, CAT)}
    dataset.update("INSERT { GRAPH :g2 { ?x :knows :ann } } WHERE { ?x a :Animal }")
    assert set(dataset.graph(G2)) == {(TOM, KNOWS, ANN)}
    dataset.update("WITH :g2 DELETE { ?x ?p ?y } INSERT { ?y ?p ?x } WHERE { ?x ?p ?y }")
    assert set(dataset.graph(G2)) == {(ANN, KNOWS, TOM)}
    dataset.update("COPY :g2 TO :g3; MOVE :g2 TO DEFAULT; ADD :g3 TO :g1; DROP GRAPH :g3")
    assert set(dataset.graph(G1)) == {(TOM, TYPE, CAT), (ANN, KNOWS, TOM)}
    assert (CAT, SUB, ANIMAL) not in default_graph(dataset)
    dataset.update("DELETE DATA { :ann :knows :tom }")
    assert set(dataset.graph(G1)) == {(TOM, TYPE, CAT), (ANN, KNOWS, TOM)}
    assert not set(default_graph(dataset))
    dataset.update("CLEAR ALL")
    assert len(dataset) == 0


def test_updates_of_a_union(split: Dataset) -> None:
    union = Dataset(split.store, default_union=True)
    union.bind("", EX)
    union.update(f"INSERT {{ ?x :likes ?c }} WHERE {{ ?x a ?c . ?b <{SUB}> ?c }}")
    assert set(union.triples((None, LIKES, None))) == {(TOM, LIKES, ANIMAL)}
    union.update("INSERT DATA { :ann a :Cat }")
    assert (ANN, TYPE, CAT) in default_graph(split)
    union.update("DELETE DATA { :tom a :Cat }")
    assert not set(split.graph(G2))


def test_prepared_updates(cats: Graph) -> None:
    cats.update(prepareUpdate("INSERT DATA { :tom :likes :ann }", initNs={"": EX}))
    assert (TOM, LIKES, ANN) in cats
    cats.update("INSERT { ?x :likes ?y } WHERE { ?x :knows ?y }", initBindings={"x": ANN})
    assert set(cats.subject_objects(LIKES)) == {(TOM, ANN), (ANN, ANN)}


def test_a_request_is_atomic(cats: Graph) -> None:
    cats.add((ANN, LIKES, TOM))
    before = set(cats)
    with pytest.raises(Exception, match="nowhere"):
        cats.update(
            "INSERT DATA { :x :y :z }; DELETE WHERE { ?x :likes ?y }; LOAD <file:nowhere>",
            files=True,
        )
    assert set(cats) == before
    cats.update("LOAD SILENT <file:nowhere>; INSERT DATA { :x :y :z }")
    cats.update("LOAD SILENT <http://192.0.2.1/not-allowed.ttl>")
    assert set(cats) - before == {(EX.x, EX.y, EX.z)}


def test_a_refused_request_changes_nothing() -> None:
    graph = Graph(RdfincStore(on_violation="raise"))
    graph.bind("", EX)
    graph.update("INSERT DATA { :Cat <http://www.w3.org/2002/07/owl#disjointWith> :Dog }")
    with pytest.raises(ViolationError):
        graph.update("INSERT DATA { :ann a :Cat }; INSERT DATA { :ann a :Dog }")
    assert len(set(graph.triples((ANN, None, None)))) == 0


def test_a_failed_request_keeps_the_transaction(cats: Graph) -> None:
    cats.commit()
    before = set(cats)
    cats.add((ANN, LIKES, TOM))
    with pytest.raises(Exception, match="nowhere"):
        cats.update("INSERT DATA { :x :y :z }; LOAD <file:nowhere>", files=True)
    assert set(cats) == before | {(ANN, LIKES, TOM)}
    cats.rollback()
    assert set(cats) == before


def deltas_of(store: RdfincStore) -> list[Delta]:
    seen: list[Delta] = []
    store.dispatcher.subscribe(ClosureChangedEvent, lambda event: seen.append(event.delta))
    return seen


def test_a_request_is_one_step_and_one_maintenance(
    cats: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    cats.commit()
    kb, seen = cats.store.kb, deltas_of(cats.store)
    maintained = []
    apply = kb._engine.apply
    monkeypatch.setattr(
        kb._engine, "apply", lambda *a, **k: (maintained.append(a), apply(*a, **k))[1]
    )
    cats.update("DELETE { ?x a :Cat } INSERT { ?x a :Dog } WHERE { ?x a :Cat }")
    cats.update("INSERT DATA { :a :likes :b } ; DELETE DATA { :a :likes :b } ; CLEAR DEFAULT")
    assert len(maintained) == len(seen) == 2
    assert [(len(d.added), len(d.removed)) for d in seen] == [(1, 2), (0, 5)]


def test_later_operations_see_the_closure_of_earlier_ones(cats: Graph) -> None:
    cats.commit()
    seen = deltas_of(cats.store)
    cats.update(
        "INSERT DATA { :ann a :Cat } ;"
        "INSERT { ?x :likes :fish } WHERE { ?x a :Animal } ;"
        "DELETE { ?x a :Cat } WHERE { ?x :likes :fish }"
    )
    assert set(cats.subjects(LIKES, EX.fish)) == {TOM, ANN}
    assert not set(cats.subjects(TYPE, ANIMAL))
    (delta,) = seen
    assert set(delta.added) == {(TOM, LIKES, EX.fish), (ANN, LIKES, EX.fish)}
    assert set(delta.removed) == {(TOM, TYPE, CAT), (TOM, TYPE, ANIMAL)}
    assert (ANN, TYPE, CAT) not in delta.added


def test_a_failure_after_maintenance_changes_nothing(cats: Graph) -> None:
    cats.commit()
    seen, before = deltas_of(cats.store), set(cats)
    text = "INSERT DATA { :ann a :Cat } ; DELETE { ?x a :Cat } WHERE { ?x a :Animal } ;"
    with pytest.raises(OSError, match="nowhere"):
        cats.update(text + "INSERT {} WHERE { :ann a :Cat } ; LOAD <file:nowhere.ttl>", files=True)
    assert set(cats) == before
    assert seen == []
    cats.store.kb._check()


def test_a_request_that_is_interrupted_changes_nothing(
    cats: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the interrupt comes right after what has been maintained in between."""
    before, kb = set(cats), cats.store.kb
    apply = kb._engine.apply

    def interrupted(*arguments: object, **options: object) -> None:
        monkeypatch.setattr(kb._engine, "apply", apply)
        apply(*arguments, **options)
        raise KeyboardInterrupt

    monkeypatch.setattr(kb._engine, "apply", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cats.update("DELETE { ?x a :Cat } WHERE { ?x a :Cat } ; INSERT { :a :b :c } WHERE {}")
    assert set(cats) == before


def test_no_one_reads_between_the_operations_of_a_request(cats: Graph) -> None:
    """Others wait while a request is carried out, also while it maintains in between."""
    kb, sizes, done = cats.store.kb, set(), threading.Event()
    cats.commit()

    def read() -> None:
        while not done.is_set():
            sizes.add(len(kb))

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(30):
        cats.update("DELETE { ?x a :Cat } WHERE { ?x a :Cat } ; INSERT { :tom a :Cat } WHERE {}")
    done.set()
    reader.join()
    assert sizes == {6}


def test_what_is_only_derived_is_neither_deleted_nor_copied(split: Dataset) -> None:
    split.update("DELETE DATA { :tom a :Animal } ; DELETE WHERE { ?x a :Animal }")
    assert (TOM, TYPE, ANIMAL) in default_graph(split)
    split.update("INSERT DATA { :ann :knows :tom } ; COPY DEFAULT TO :g1")
    assert set(split.graph(G1)) == {(ANN, KNOWS, TOM)}


def test_what_a_virtual_graph_shows_can_be_copied(split: Dataset) -> None:
    split.update(f"INSERT DATA {{ :ann a :Cat }} ; COPY <{DERIVED}> TO :g3")
    assert set(split.graph(EX.g3)) == {(TOM, TYPE, ANIMAL), (ANN, TYPE, ANIMAL)}


@pytest.mark.parametrize("name", [EXPLICIT, DERIVED])
@pytest.mark.parametrize(
    "request_",
    [
        "INSERT DATA { GRAPH <%s> { :a :b :c } }",
        "DELETE DATA { GRAPH <%s> { :a :b :c } }",
        "INSERT { GRAPH ?g { :a :b :c } } WHERE { BIND(<%s> AS ?g) }",
        "INSERT { GRAPH <%s> { :a :b :c } } WHERE { FILTER(false) }",
        "WITH <%s> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }",
        "CLEAR GRAPH <%s>",
        "CREATE GRAPH <%s>",
        "COPY :g1 TO <%s>",
        "MOVE <%s> TO :g1",
        "LOAD <file:x.ttl> INTO GRAPH <%s>",
    ],
)
def test_virtual_graphs_are_not_written(split: Dataset, request_: str, name: str) -> None:
    before = set(split.quads())
    with pytest.raises(ReservedGraphError):
        split.update("INSERT DATA { :x :y :z } ;" + request_ % name)
    assert set(split.quads()) == before


def test_blank_nodes_of_templates_are_new(cats: Graph) -> None:
    cats.add((BNode("b"), LIKES, TOM))
    cats.update("INSERT DATA { _:b :likes :ann . _:b :likes _:c }")
    assert len(set(cats.subjects(LIKES))) == 2
    cats.update("INSERT { ?x :has _:n . _:n :of ?x } WHERE { ?x :knows ?y }")
    nodes = set(cats.objects(None, EX.has))
    assert len(nodes) == 2
    assert {(s, o) for s, o in cats.subject_objects(EX.of)} == {
        (o, s) for s, o in cats.subject_objects(EX.has)
    }


def test_what_is_no_statement_is_left_out(cats: Graph) -> None:
    before = set(cats)
    cats.update("INSERT { ?n :is ?x . ?x ?n ?y . ?x :is ?z . ?x :was :here } WHERE { ?x :age ?n }")
    assert set(cats) - before == {(ANN, EX.was, EX.here)}


def test_whole_graphs(split: Dataset) -> None:
    split.update("CREATE GRAPH :g3 ; COPY :g3 TO :g1")
    assert not set(split.graph(G1))
    with pytest.raises(ValueError, match=r"is a graph .*g2> already"):
        split.update("CREATE GRAPH :g2")
    for verb in ("COPY", "MOVE", "ADD"):
        with pytest.raises(ValueError, match=rf"{verb}: there is no graph .*nowhere>"):
            split.update(f"{verb} :nowhere TO :g2")
        split.update(f"{verb} SILENT :nowhere TO :g2")
        split.update(f"{verb} :g2 TO :g2")
    assert set(split.graph(G2)) == {(TOM, TYPE, CAT)}
    split.update("INSERT DATA { :ann :knows :tom } ; MOVE DEFAULT TO <urn:x-rdflib:default>")
    union = Dataset(split.store, default_union=True)
    union.update("MOVE DEFAULT TO <http://example.org/g2>")
    assert set(split.graph(G2)) == {(TOM, TYPE, CAT), (ANN, KNOWS, TOM)}
    split.update("DROP NAMED ; DROP GRAPH :nowhere")
    assert not {graph.identifier for graph in split.graphs()} & {G1, G2, EX.g3}


def test_load(split: Dataset, tmp_path: Path) -> None:
    path = tmp_path / "cats.ttl"
    path.write_text(f"<{TOM}> <{LIKES}> [] . <#me> a <{CAT}> .")
    split.update(f"LOAD <{path.as_uri()}> ; LOAD <{path.as_uri()}> INTO GRAPH :g3", files=True)
    nodes = {o for graph in (split, split.graph(EX.g3)) for o in graph.objects(TOM, LIKES)}
    assert len(nodes) == 2, "fresh blank nodes each time"
    assert set(split.subjects(TYPE, CAT)) == {URIRef(f"{path.as_uri()}#me")}
    path.write_text("nonsense")
    with pytest.raises(ValueError, match=r"cats.ttl"):
        split.update(f"LOAD <{path.as_uri()}>", files=True)


@pytest.mark.parametrize(
    "request_",
    [
        "LOAD <http://192.0.2.1/x.ttl>",
        "INSERT { ?s ?p ?o } WHERE { SERVICE <http://192.0.2.1/> { ?s ?p ?o } }",
        "INSERT { ?s ?p 1 } WHERE { ?s ?p ?o { SERVICE SILENT <http://192.0.2.1/> { ?s ?p ?o } } }",
    ],
)
def test_other_servers_are_asked_only_if_that_is_allowed(cats: Graph, request_: str) -> None:
    with pytest.raises(RemoteAccessError, match=r"192.0.2.1.*remote=True"):
        cats.update(request_)
    with pytest.raises(RemoteAccessError, match=r"192.0.2.1"):
        cats.query("SELECT ?s { { SELECT ?s { SERVICE <http://192.0.2.1/> { ?s ?p ?o } } } }")


@pytest.mark.parametrize("options", [{}, {"remote": True}])
@pytest.mark.parametrize("written", ["{}", "file:{}"])
def test_files_are_read_only_if_that_is_allowed(
    cats: Graph, tmp_path: Path, written: str, options: dict[str, bool]
) -> None:
    path = tmp_path / "cats.ttl"
    path.write_text(f"<{TOM}> <{LIKES}> <x:milk> .")
    before = set(cats)
    with pytest.raises(FileAccessError, match=r"cats\.ttl.*files=True"):
        cats.update(f"LOAD <{written.format(path)}>", **options)
    cats.update(f"LOAD SILENT <{written.format(path)}>", **options)
    assert set(cats) == before
    cats.update(f"LOAD <file:{path}>", files=True)
    assert (TOM, LIKES, URIRef("x:milk")) in cats
    with pytest.raises(RemoteAccessError):
        cats.update("LOAD <http://192.0.2.1/x.ttl>", files=True)


def test_subscribers_hear_of_every_statement_asked_for(cats: Graph) -> None:
    cats.commit()
    seen = []
    for event in (TripleAddedEvent, TripleRemovedEvent):
        cats.store.dispatcher.subscribe(event, lambda e: seen.append((type(e), e.triple)))
    cats.update("DELETE { ?x a :Cat } INSERT { ?x a :Dog } WHERE { ?x a :Cat }")
    assert seen == [(TripleRemovedEvent, (TOM, TYPE, CAT)), (TripleAddedEvent, (TOM, TYPE, EX.Dog))]


def test_updates_of_a_graph_of_a_dataset(split: Dataset) -> None:
    split.graph(G1).update("INSERT DATA { <x:a> <x:b> <x:c> } ; DELETE WHERE { <x:a> ?p ?o }")
    assert set(split.graph(G1)) == {(CAT, SUB, ANIMAL)}
    with pytest.raises(ReservedGraphError):
        split.graph(EXPLICIT).update("INSERT DATA { <x:a> <x:b> <x:c> }")
    with pytest.raises(ValueError, match="Dataset"):
        split.graph(G1).update("INSERT DATA { GRAPH <x:g> { <x:a> <x:b> <x:c> } }")


def test_statements_beyond_rdf_are_read_and_cleared(cats: Graph) -> None:
    cats.add((Literal("odd"), KNOWS, TOM))
    cats.update("INSERT { ?y :likes :odd } WHERE { 'odd' :knows ?y }")
    assert (TOM, LIKES, EX.odd) in cats
    cats.update("CLEAR DEFAULT")
    assert not set(cats)


@pytest.mark.parametrize(
    "request_",
    [
        "DELETE { _:b :knows ?o } WHERE { ?s :knows ?o }",
        "DELETE { ?s :knows [] } WHERE { ?s :knows ?o }",
        "DELETE { ?s :knows (1 2) } WHERE { ?s :knows ?o }",
        "DELETE { GRAPH :g1 { _:b :knows ?o } } INSERT { ?s :likes ?o } WHERE { ?s :knows ?o }",
        "DELETE WHERE { _:b :knows ?o }",
        "DELETE WHERE { GRAPH :g1 { ?s :knows [ :likes ?o ] } }",
        "DELETE DATA { _:b :knows :ann }",
        "DELETE DATA { GRAPH :g1 { :tom :knows [] } }",
        "DELETE DATA { :tom :knows (:ann) }",
    ],
)
def test_no_blank_node_stands_in_what_is_deleted(split: Dataset, request_: str) -> None:
    split.add((TOM, KNOWS, ANN))
    before = set(split)
    first = "INSERT DATA { :new :knows :new } ;"
    with pytest.raises(DataSyntaxError, match="use a variable"):
        split.update(f"PREFIX : <{EX}> {first} {request_}")
    assert set(split) == before


def test_blank_nodes_stand_in_what_is_inserted(split: Dataset) -> None:
    split.add((TOM, KNOWS, ANN))
    change = "DELETE { ?s :knows ?o } INSERT { ?s :knows _:b } WHERE { ?s :knows ?o, [] }"
    with pytest.raises(DataSyntaxError):
        split.update(f"PREFIX : <{EX}> DELETE WHERE {{ ?s :knows [] }}")
    split.update(f"PREFIX : <{EX}> {change.replace(', []', '')}")
    assert len(set(split.objects(TOM, KNOWS))) == 1
    assert ANN not in set(split.objects(TOM, KNOWS))


def test_a_graph_without_triples_in_delete_where_is_asked_for(dataset: Dataset) -> None:
    dataset.bind("", EX)
    dataset.update("INSERT DATA { :tom :knows :ann GRAPH :g1 { :ann :knows :tom } GRAPH :g2 { } }")
    dataset.update("DELETE WHERE { ?x :knows ?y GRAPH :g2 { } }")
    assert (TOM, KNOWS, ANN) in default_graph(dataset)
    dataset.update("DELETE WHERE { ?x :knows ?y GRAPH :g1 { } }")
    assert not set(default_graph(dataset))
    assert set(dataset.graph(G1)) == {(ANN, KNOWS, TOM)}


@pytest.mark.parametrize("silent", ["", "SILENT "])
def test_a_graph_that_is_not_there_is_cleared_and_dropped(split: Dataset, silent: str) -> None:
    """Empty graphs are not recorded (SPARQL 1.1 Update, 3.1.3 and 3.2.2)."""
    before = set(split.quads())
    for operation in ("CLEAR", "DROP"):
        split.update(f"{operation} {silent}GRAPH <{EX}none>")
    assert set(split.quads()) == before
    with pytest.raises(ValueError, match="there is no graph"):
        split.update(f"COPY <{EX}none> TO <{EX}other>")
