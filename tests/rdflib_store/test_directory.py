"""A directory that several stores save in, and one that is damaged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from rdflib import OWL, BNode, Graph, Literal
from rdflib.store import CORRUPTED_STORE, NO_STORE, VALID_STORE
from rdflib_store.names import ANN, CAT, EX, G1, KNOWS, TOM, TYPE

from rdfinc import KnowledgeBase, ViolationError
from rdfinc.plugins import RdfincStore
from rdfinc.plugins.rdflib.directory import FILE

DOG = EX.Dog


def opened(place: Path, **options: str) -> Graph:
    graph = Graph(RdfincStore(**options))
    assert graph.open(str(place), create=True) == VALID_STORE
    return graph


def test_a_second_commit_erases_nothing(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    first.add((TOM, KNOWS, ANN))
    second.add((ANN, KNOWS, TOM))
    first.commit()
    with pytest.raises(OSError, match=r"opened.*new Graph") as failed:
        second.commit()
    assert str(tmp_path) in str(failed.value)
    assert set(opened(tmp_path)) == {(TOM, KNOWS, ANN)}
    assert set(second) == {(ANN, KNOWS, TOM)}
    first.add((TOM, TYPE, CAT))
    first.commit()
    assert set(opened(tmp_path)) == {(TOM, KNOWS, ANN), (TOM, TYPE, CAT)}


def test_who_has_read_the_latest_may_save(tmp_path: Path) -> None:
    for number in range(3):
        graph = opened(tmp_path)
        assert len(graph) == number
        graph.add((TOM, KNOWS, EX[f"n{number}"]))
        graph.commit()
        graph.close()


def test_equal_statements_of_another_are_not_overwritten_either(tmp_path: Path) -> None:
    first, second = opened(tmp_path), opened(tmp_path)
    for graph in (first, second):
        graph.add((TOM, KNOWS, ANN))
    first.commit()
    with pytest.raises(OSError, match="someone else"):
        second.commit()


def test_many_at_once_lose_nothing(tmp_path: Path) -> None:
    def add(number: int) -> None:
        while True:
            graph = opened(tmp_path)
            graph.add((TOM, KNOWS, EX[f"n{number}"]))
            try:
                graph.commit()
            except OSError:
                continue
            return

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, range(24)))
    assert set(opened(tmp_path)) == {(TOM, KNOWS, EX[f"n{n}"]) for n in range(24)}


def test_a_failed_save_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = opened(tmp_path)
    graph.add((TOM, KNOWS, ANN))
    graph.commit()
    before = {path.name for path in tmp_path.iterdir()}

    def full(source: Path, target: Path) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", full)
        graph.add((ANN, KNOWS, TOM))
        with pytest.raises(OSError, match="full"):
            graph.commit()
    assert {path.name for path in tmp_path.iterdir()} == before
    assert len(opened(tmp_path)) == 1
    graph.commit()
    assert len(opened(tmp_path)) == 2


def test_odd_prefixes_come_back(tmp_path: Path) -> None:
    graph = opened(tmp_path)
    odd = {"": "http://e.org/", "ex": "http://e.org/a b\n\\x", "é.x": "http://e.org/é\u2028"}
    graph.store.kb.namespaces.update(odd)
    graph.commit()
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
    graph.commit()
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


CHANGES = {
    "add": lambda graph: graph.add((TOM, KNOWS, ANN)),
    "remove": lambda graph: graph.remove((None, None, None)),
    "addN": lambda graph: graph.addN([(TOM, KNOWS, ANN, graph)]),
    "parse": lambda graph: graph.parse(data="<x:s> <x:p> <x:o> .", format="turtle"),
    "update": lambda graph: graph.update("INSERT DATA { <x:s> <x:p> <x:o> }"),
    "commit": lambda graph: graph.commit(),
}


@pytest.mark.parametrize("found", [NO_STORE, CORRUPTED_STORE])
@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_changed_where_open_was_in_vain(tmp_path: Path, found: int, change: str) -> None:
    graph = in_vain(tmp_path, found)
    with pytest.raises(OSError, match=r"not opened.*open.*close\(\)") as refused:
        CHANGES[change](graph)
    assert str(tmp_path) in str(refused.value)
    assert not len(graph)


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
    graph.add((TOM, KNOWS, ANN)).commit()
    assert set(opened(tmp_path)) == {(TOM, KNOWS, ANN)}


RULE = f"[?y, <{KNOWS}>, ?x] :- [?x, <{KNOWS}>, ?y] ."
BY_KB = {
    "update": lambda kb: kb.update(insert=[(ANN, KNOWS, ANN)]),
    "delete": lambda kb: kb.update(delete=[(TOM, KNOWS, ANN)]),
    "move": lambda kb: kb.update(insert=[(TOM, KNOWS, ANN, G1)], delete=[(TOM, KNOWS, ANN)]),
    "rule": lambda kb: kb.add_rules(f"[?x, <{KNOWS}>, ?x] :- [?x, <{KNOWS}>, ?y] ."),
    "no rule": lambda kb: kb.remove_rules(RULE),
}


@pytest.mark.parametrize("change", BY_KB)
@pytest.mark.parametrize("anew", [True, False])
def test_changes_by_the_knowledge_base_do_not_go_without_a_word(
    tmp_path: Path, change: str, anew: bool
) -> None:
    graph = opened(tmp_path)
    graph.store.kb.add_rules(RULE)
    graph.add((TOM, KNOWS, ANN)).commit()
    graph = opened(tmp_path) if anew else graph
    BY_KB[change](graph.store.kb)
    with pytest.warns(UserWarning, match="uncommitted"):
        graph.close()


@pytest.mark.filterwarnings("error")
def test_nothing_is_said_where_all_is_saved(tmp_path: Path) -> None:
    graph = opened(tmp_path)
    graph.close()
    graph = opened(tmp_path)
    graph.store.kb.update(insert=[(TOM, KNOWS, ANN)])
    graph.commit()
    graph.store.kb.update(insert=[(ANN, KNOWS, TOM)])
    graph.store.kb.update(delete=[(ANN, KNOWS, TOM)])
    graph.close()
    graph = opened(tmp_path)
    graph.add((TOM, KNOWS, TOM)).rollback()
    assert set(graph) == {(TOM, KNOWS, ANN)}
    graph.close()


def test_rules_from_before_are_not_saved_by_opening(tmp_path: Path) -> None:
    kb = KnowledgeBase()
    kb.add_rules(RULE)
    graph = Graph(RdfincStore(kb))
    graph.open(str(tmp_path), create=True)
    with pytest.warns(UserWarning, match="uncommitted"):
        graph.close()


def test_what_was_opened_is_not_rolled_back(tmp_path: Path) -> None:
    graph = opened(tmp_path)
    graph.add((TOM, KNOWS, ANN)).commit()
    again = Graph(store="rdfinc")
    again.add((ANN, KNOWS, TOM)).remove((ANN, KNOWS, TOM))
    assert again.open(str(tmp_path)) == VALID_STORE
    again.rollback()
    assert set(again) == {(TOM, KNOWS, ANN)}


# -- damage


def damaged(content: bytes, chance: random.Random) -> bytes:
    """A file with a bit flipped, some bytes overwritten, or a piece cut out of it."""
    place, size = chance.randrange(len(content)), chance.choice([1, 1, 4, 40, 400])
    kind = chance.randrange(4)
    if kind == 0:
        flipped = content[place] ^ 1 << chance.randrange(8)
        return content[:place] + bytes([flipped]) + content[place + 1 :]
    if kind == 1:
        return (content[:place] + chance.randbytes(size) + content[place:])[: len(content)]
    if kind == 2:
        return content[:place] + chance.randbytes(size) + content[place + size :]
    return content[:place] if chance.random() < 0.5 else content[:place] + content[place + size :]


def all_damages(content: bytes, count: int) -> Iterator[bytes]:
    """Also every bit of what zip files say about themselves, at their end."""
    end = content.rindex(b"PK\x01\x02", 0, content.rindex(b"PK\x05\x06"))
    for place in range(end, len(content)):
        for bit in (1, 8, 128):
            yield content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :]
    chance = random.Random(8)
    for _ in range(count):
        yield damaged(content, chance)


def test_whatever_the_damage(tmp_path: Path) -> None:
    graph = opened(tmp_path, profile="none")
    graph.addN((TOM, KNOWS, Literal(f"n {i}"), graph) for i in range(20))
    graph.add((BNode("b"), KNOWS, TOM))
    graph.store.kb.add_rules(f"[?y, <{KNOWS}>, ?x] :- [?x, <{KNOWS}>, ?y] .")
    graph.commit()
    expected, rules = set(graph), str(graph.store.kb.program)
    file = tmp_path / FILE
    corrupted = 0
    for content in all_damages(file.read_bytes(), 1000):
        file.write_bytes(content)
        again = Graph(RdfincStore(profile="none"))
        found = again.open(str(tmp_path))
        corrupted += found == CORRUPTED_STORE
        assert found in (VALID_STORE, CORRUPTED_STORE)
        assert set(again) == (expected if found == VALID_STORE else set())
        assert str(again.store.kb.program) == (rules if found == VALID_STORE else "")
    assert corrupted > 900
