"""A directory that a graph opens: what is kept there, and what is not opened."""

from __future__ import annotations

import os
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import pytest
from rdflib import OWL, BNode, Dataset, Graph
from rdflib.store import CORRUPTED_STORE, NO_STORE, VALID_STORE
from rdflib_store.names import ANN, CAT, EX, G1, KNOWS, TOM, TYPE

from rdfinc import KnowledgeBase, LockedError, ViolationError
from rdfinc.durable.old_format import FILE
from rdfinc.plugins import RdfincStore

DOG = EX.Dog


def opened(place: Path, **options: str) -> Graph:
    graph = Graph(RdfincStore(**options))
    assert graph.open(str(place), create=True) == VALID_STORE
    return graph


def test_one_graph_at_a_time_has_a_directory_open(tmp_path: Path) -> None:
    first = opened(tmp_path)
    first.add((TOM, KNOWS, ANN))
    with pytest.raises(LockedError, match=rf"{tmp_path}.*process {os.getpid()}.*read_only"):
        opened(tmp_path)
    with pytest.raises(LockedError):
        Graph(store="rdfinc").store.destroy(str(tmp_path))
    first.close()
    second = opened(tmp_path)
    assert set(second) == {(TOM, KNOWS, ANN)}
    second.close()


def test_a_graph_may_be_opened_again(tmp_path: Path) -> None:
    graph = opened(tmp_path / "a")
    graph.add((TOM, KNOWS, ANN))
    graph.close()
    with pytest.raises(ValueError, match="closed"):
        graph.add((ANN, KNOWS, TOM))
    assert graph.open(str(tmp_path / "b"), create=True) == VALID_STORE
    assert not len(graph)
    graph.close()
    assert graph.open(str(tmp_path / "a")) == VALID_STORE
    assert set(graph) == {(TOM, KNOWS, ANN)}


def test_many_one_after_the_other_lose_nothing(tmp_path: Path) -> None:
    def add(number: int) -> None:
        while True:
            try:
                graph = opened(tmp_path)
            except LockedError:
                sleep(0.02)  # or the one that has it waits for those that ask
                continue
            graph.add((TOM, KNOWS, EX[f"n{number}"]))
            graph.close()
            return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(24)))
    assert set(opened(tmp_path)) == {(TOM, KNOWS, EX[f"n{n}"]) for n in range(24)}


def test_empty_graphs_are_remembered(tmp_path: Path) -> None:
    dataset = Dataset(RdfincStore())
    dataset.open(str(tmp_path), create=True)
    dataset.graph(G1)
    dataset.graph(BNode("g"))
    dataset.add((TOM, KNOWS, ANN, EX.full))
    dataset.close()
    again = Dataset(RdfincStore())
    again.open(str(tmp_path))
    names = {graph.identifier for graph in again.graphs()}
    assert {G1, BNode("g"), EX.full} <= names
    assert len(again.graph(EX.full)) == 1


def test_rollback_is_kept_as_well(tmp_path: Path) -> None:
    graph = opened(tmp_path)
    graph.add((TOM, KNOWS, ANN)).commit()
    graph.add((ANN, KNOWS, TOM))
    assert len(graph) == 2
    graph.rollback()
    graph.close()
    assert set(opened(tmp_path)) == {(TOM, KNOWS, ANN)}


def test_odd_prefixes_come_back(tmp_path: Path) -> None:
    graph = opened(tmp_path)
    odd = {"": "http://e.org/", "ex": "http://e.org/a b\n\\x", "é.x": "http://e.org/é\u2028"}
    graph.store.kb.namespaces.update(odd)
    graph.close()
    again = opened(tmp_path).store.kb.namespaces
    assert {prefix: again[prefix] for prefix in odd} == odd


def test_a_plain_file_is_no_directory(tmp_path: Path) -> None:
    file = tmp_path / "kb"
    file.write_text("mine")
    with pytest.raises(NotADirectoryError, match=r"kb is a file.*directory"):
        Graph(store="rdfinc").open(str(file), create=True)


def test_contradictions_are_no_damage(tmp_path: Path) -> None:
    graph = opened(tmp_path)
    graph.bind("zoo", EX)
    graph.add((CAT, OWL.disjointWith, DOG)).add((TOM, TYPE, CAT)).add((TOM, TYPE, DOG))
    graph.store.kb.add_rules(f"[?y, <{KNOWS}>, ?x] :- [?x, <{KNOWS}>, ?y] .")
    graph.close()
    strict = KnowledgeBase(on_violation="raise")
    with pytest.raises(ViolationError):
        Graph(RdfincStore(strict)).open(str(tmp_path))
    assert not len(strict)
    assert not len(strict.program)
    assert "zoo" not in strict.namespaces


# -- what is not saved


def in_vain(place: Path, found: int) -> Graph:
    """A graph after an `open` that opened nothing."""
    if found == CORRUPTED_STORE:
        (place / FILE).write_bytes(b"PK not a zip")
    graph = Graph(store="rdfinc")
    assert graph.open(str(place)) == found
    return graph


USES = {
    "len": len,
    "in": lambda graph: (TOM, KNOWS, ANN) in graph,
    "triples": list,
    "value": lambda graph: graph.value(TOM, KNOWS),
    "query": lambda graph: graph.query("ASK {}"),
    "contexts": lambda graph: list(Dataset(store=graph.store).graphs()),
    "serialize": lambda graph: graph.serialize(format="nt"),
    "rollback": lambda graph: graph.rollback(),
    "add": lambda graph: graph.add((TOM, KNOWS, ANN)),
    "remove": lambda graph: graph.remove((None, None, None)),
    "addN": lambda graph: graph.addN([(TOM, KNOWS, ANN, graph)]),
    "parse": lambda graph: graph.parse(data="<x:s> <x:p> <x:o> .", format="turtle"),
    "update": lambda graph: graph.update("INSERT DATA { <x:s> <x:p> <x:o> }"),
    "commit": lambda graph: graph.commit(),
}


@pytest.mark.parametrize("found", [NO_STORE, CORRUPTED_STORE])
@pytest.mark.parametrize("use", USES)
def test_every_use_is_refused_where_open_was_in_vain(tmp_path: Path, found: int, use: str) -> None:
    graph = in_vain(tmp_path, found)
    with pytest.raises(OSError, match=r"not opened.*open.*close\(\)") as refused:
        USES[use](graph)
    assert str(tmp_path) in str(refused.value)
    assert not len(graph.store.kb)


@pytest.mark.parametrize("found", [NO_STORE, CORRUPTED_STORE])
def test_who_closes_goes_on_in_memory(tmp_path: Path, found: int) -> None:
    graph = in_vain(tmp_path, found)
    graph.close()
    graph.add((TOM, KNOWS, ANN)).commit()
    assert set(graph) == {(TOM, KNOWS, ANN)}


def test_what_is_damaged_may_be_destroyed_and_begun_anew(tmp_path: Path) -> None:
    graph = in_vain(tmp_path, CORRUPTED_STORE)
    graph.store.destroy(str(tmp_path))
    assert graph.open(str(tmp_path), create=True) == VALID_STORE
    graph.add((TOM, KNOWS, ANN))
    graph.close()
    assert set(opened(tmp_path)) == {(TOM, KNOWS, ANN)}


RULE = f"[?y, <{KNOWS}>, ?x] :- [?x, <{KNOWS}>, ?y] ."
BY_KB = {
    "update": lambda kb: kb.update(insert=[(ANN, KNOWS, ANN)]),
    "delete": lambda kb: kb.update(delete=[(TOM, KNOWS, ANN)]),
    "move": lambda kb: kb.update(insert=[(TOM, KNOWS, ANN, G1)], delete=[(TOM, KNOWS, ANN)]),
    "rule": lambda kb: kb.add_rules(f"[?x, <{KNOWS}>, ?x] :- [?x, <{KNOWS}>, ?y] ."),
    "no rule": lambda kb: kb.remove_rules(RULE),
}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("change", BY_KB)
@pytest.mark.parametrize("anew", [True, False])
def test_changes_by_the_knowledge_base_are_kept(tmp_path: Path, change: str, anew: bool) -> None:
    graph = opened(tmp_path)
    graph.store.kb.add_rules(RULE)
    graph.add((TOM, KNOWS, ANN)).commit()
    if anew:
        graph.close()
        graph = opened(tmp_path)
    BY_KB[change](graph.store.kb)
    expected, rules = set(graph), str(graph.store.kb.program)
    graph.close()
    again = opened(tmp_path)
    assert (set(again), str(again.store.kb.program)) == (expected, rules)
    assert {g.identifier for g in again.store.contexts()} >= ({G1} if change == "move" else set())


def test_rules_from_before_opening_are_kept(tmp_path: Path) -> None:
    kb = KnowledgeBase()
    kb.add_rules(RULE)
    graph = Graph(RdfincStore(kb))
    graph.open(str(tmp_path), create=True)
    graph.close()
    assert str(opened(tmp_path).store.kb.program).strip().endswith(".")


def test_what_was_opened_is_not_rolled_back(tmp_path: Path) -> None:
    graph = opened(tmp_path)
    graph.add((TOM, KNOWS, ANN)).commit()
    graph.close()
    again = Graph(store="rdfinc")
    again.add((ANN, KNOWS, TOM)).remove((ANN, KNOWS, TOM))
    assert again.open(str(tmp_path)) == VALID_STORE
    again.rollback()
    assert set(again) == {(TOM, KNOWS, ANN)}


# -- what was saved before there were checkpoints


def zipped(place: Path, more: str = "") -> None:
    """A directory as `commit` made them."""
    place.mkdir()
    with zipfile.ZipFile(place / FILE, "w", zipfile.ZIP_DEFLATED) as packed:
        statements = f'<{TOM}> <{KNOWS}> <{ANN}> .\n<{TOM}> <{KNOWS}> "a" <{G1}> .'
        packed.writestr("statements.nq", statements + more)
        packed.writestr("rules.dlog", RULE)
        packed.writestr("prefixes.txt", f"zoo {EX}\n")


def test_a_zip_is_read_once_and_replaced(tmp_path: Path) -> None:
    zipped(tmp_path / "kb")
    graph = Graph(store="rdfinc")
    assert graph.open(str(tmp_path / "kb")) == VALID_STORE
    assert set(graph) == {(TOM, KNOWS, ANN), (ANN, KNOWS, TOM)}
    assert len(graph.store.kb.explicit) == 2
    assert graph.store.kb.namespaces["zoo"] == str(EX)
    graph.close()
    assert not (tmp_path / "kb" / FILE).exists()
    again = Graph(store="rdfinc")
    assert again.open(str(tmp_path / "kb")) == VALID_STORE
    assert len(again.store.kb) == 3


@pytest.mark.parametrize("damage", ["cut", "statement"])
def test_a_damaged_zip_stays(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "kb" / FILE
    if damage == "cut":
        zipped(tmp_path / "kb")
        file.write_bytes(file.read_bytes()[:-30])
    else:
        zipped(tmp_path / "kb", more="\n<x:a> what .")
    before = {path.name for path in file.parent.iterdir()}
    graph = Graph(store="rdfinc")
    assert graph.open(str(file.parent)) == CORRUPTED_STORE
    assert {path.name for path in file.parent.iterdir()} - {"LOCK"} == before
