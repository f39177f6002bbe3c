"""What is handed in by mistake is told at once, with what to do instead."""

from __future__ import annotations

import gzip
import io
import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rdflib import Graph, URIRef

from rdfinc import DataSyntaxError, KnowledgeBase, RdfincWarning, RuleError, TermError
from rdfinc.knowledge_base.meant_methods import MEANT

E = "http://e.org/"
FACT = URIRef(E + "s"), URIRef(E + "p"), URIRef(E + "o")
LINE = b"<http://e.org/s> <http://e.org/p> <http://e.org/o> .\n"
TURTLE = b"@prefix : <http://e.org/> .\n:s :p :o .\n"


@pytest.fixture
def kb() -> KnowledgeBase:
    return KnowledgeBase("none")


# -- load


@pytest.mark.parametrize(
    "source", [["a.ttl"], ("a.ttl", "b.ttl"), None, 3, Graph(), (each for each in "ab"), FACT, {}]
)
def test_load_takes_sources_one_by_one(kb: KnowledgeBase, source: Any) -> None:
    with pytest.raises(TypeError, match=r"data/\*.*load\(\*files\).*update\(insert"):
        kb.load(source)


def test_load_says_how_to_read_the_files_of_a_folder(kb: KnowledgeBase, tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_bytes(TURTLE)
    for engine in ("auto", "local", "spark"):
        with pytest.raises(DataSyntaxError, match=r"no bulk load made.*/\*"):
            kb.load(tmp_path, engine=engine)
    kb.load(f"{tmp_path}/*")
    assert list(kb) == [FACT]


def test_imports_are_a_mapping(kb: KnowledgeBase) -> None:
    with pytest.raises(TypeError, match=r"\{iri: path\}"):
        kb.load(imports="x")  # type: ignore[arg-type]


def test_an_open_file_has_an_extension(kb: KnowledgeBase, tmp_path: Path) -> None:
    for name, content in (("a.ttl", TURTLE), ("a.nt", LINE)):
        file = tmp_path / name
        file.write_bytes(content)
        for mode in ("rb", "r"):
            with file.open(mode) as stream:
                assert kb.load(stream).triples == 1
    assert list(kb) == [FACT]


@pytest.mark.parametrize("opened", [open, gzip.open])
def test_an_open_compressed_file(
    kb: KnowledgeBase, tmp_path: Path, opened: Callable[..., Any]
) -> None:
    file = tmp_path / "a.ttl.gz"
    file.write_bytes(gzip.compress(TURTLE))
    with opened(file, "rb") as stream:
        assert kb.load(stream).triples == 1
    assert list(kb) == [FACT]


@pytest.mark.parametrize("name", ["a", "a.csv"])
def test_an_open_file_without_known_extension(kb: KnowledgeBase, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(LINE)
    with file.open("rb") as stream, pytest.raises(ValueError, match="format="):
        kb.load(stream)
    with file.open("rb") as stream:
        kb.load(stream, format="nt")
    assert list(kb) == [FACT]


# -- dump


@pytest.mark.parametrize("destination", [None, 5, b"x.nt", [], Graph()])
def test_dump_takes_a_path_or_a_file(kb: KnowledgeBase, destination: Any) -> None:
    with pytest.raises(TypeError, match="to a path or to a file opened in binary mode"):
        kb.dump(destination, format="nt")


def test_dump_into_a_text_file(kb: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "a.nt"
    with file.open("w") as text, pytest.raises(TypeError, match=r"takes text.*binary mode"):
        kb.dump(text, format="nt")
    with pytest.raises(TypeError, match="binary mode"):
        kb.dump(io.StringIO(), format="nt")


def test_a_failed_write_names_the_file_that_was_asked_for(
    kb: KnowledgeBase, tmp_path: Path
) -> None:
    nowhere, folder = tmp_path / "no" / "a.nt", tmp_path / "b.nt"
    folder.mkdir()
    for path, kind in ((nowhere, FileNotFoundError), (folder, IsADirectoryError)):
        with pytest.raises(kind) as failed:
            kb.dump(path)
        assert failed.value.filename == str(path)
        assert failed.value.filename2 is None
    assert [each.name for each in tmp_path.iterdir()] == ["b.nt"]


def test_a_full_disk_is_told_with_the_file(
    kb: KnowledgeBase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, mode: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "chmod", full)
    with pytest.raises(OSError, match=r"No space left.*/a\.nt'"):
        kb.dump(tmp_path / "a.nt")
    assert not list(tmp_path.iterdir())


# -- rules


@pytest.mark.parametrize("name", ["rules.txt", "rules", "rules.dlog.txt"])
def test_rules_in_a_file_of_another_kind(kb: KnowledgeBase, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("[?x, :p, ?y] :- [?y, :p, ?x] .")
    with pytest.raises(RuleError, match=r"\.dlog.*\.ttl") as refused:
        kb.add_rules(file)
    assert str(file) in str(refused.value)
    assert "format=" not in str(refused.value)


def test_compressed_rules(kb: KnowledgeBase, tmp_path: Path) -> None:
    file = tmp_path / "rules.dlog.gz"
    file.write_bytes(gzip.compress(b"[?x, :p, ?y] :- [?y, :p, ?x] ."))
    for take in (kb.add_rules, kb.load):
        with pytest.raises(RuleError, match=r"rules\.dlog\.gz.*unpack"):
            take(file)


def test_texts_in_a_list(kb: KnowledgeBase) -> None:
    with pytest.raises(TermError, match=r"not str .* in an iterable.*one by one"):
        kb.add_rules(["[?x, <x:p>, ?y] :- [?y, <x:p>, ?x] ."])


# -- asking


def test_a_callback_that_cannot_be_called(kb: KnowledgeBase) -> None:
    with pytest.raises(TypeError, match=r"callback\(added, removed\)"):
        kb.watch("SELECT ?x { ?x ?p ?y }", None)  # type: ignore[arg-type]


def test_an_unknown_prefix(kb: KnowledgeBase) -> None:
    kb.bind("zoo", E)
    for ask in (kb.query, lambda text: kb.watch(text, print)):
        with pytest.raises(DataSyntaxError, match=r"prefix what:.*zoo:.*PREFIX what: <"):
            ask("SELECT ?x { ?x a what:Cat }")


def test_a_query_that_is_no_text(kb: KnowledgeBase) -> None:
    with pytest.raises(TypeError, match="text in SPARQL"):
        kb.query(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", ["timeout", "max_rows", "max_memory"])
def test_a_limit_that_is_no_number(kb: KnowledgeBase, limit: str) -> None:
    with pytest.raises(TypeError, match=f"{limit}='x': give a number"):
        kb.query("SELECT ?x { ?x ?p ?y }", **{limit: "x"})


def test_what_stops_nothing(kb: KnowledgeBase) -> None:
    for ask in (partial(kb.query, "ASK {}"), kb.update, partial(kb.add_rules, "")):
        with pytest.raises(TypeError, match=r"cancel=5: give a threading\.Event"):
            ask(cancel=5)  # type: ignore[operator]


def test_a_contradiction_that_is_none(kb: KnowledgeBase) -> None:
    with pytest.raises(TypeError, match=r"5 is no contradiction; `violations\(\)` gives them"):
        kb.explain_violation(5)  # type: ignore[arg-type]


def test_a_mistake_with_what_is_no_character_can_be_printed(kb: KnowledgeBase) -> None:
    with pytest.raises(RuleError) as caught:
        kb.add_rules("[?x, <x:\ud800>, ?y] :- [?x, <x:p>, ?y] .")
    assert r"<x:\ud800>" in str(caught.value).encode().decode()


def test_a_note_that_is_nested_too_deeply(kb: KnowledgeBase) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="nested too deeply for JSON"):
        kb.note("deep", deep)
    assert "deep" not in kb.notes


@pytest.mark.parametrize("triple", [None, 5, "<x:s> <x:p> <x:o>"])
def test_explanations_refuse_things_that_are_no_fact(kb: KnowledgeBase, triple: Any) -> None:
    for ask in (kb.explain, kb.why_not):
        with pytest.raises(TypeError, match=r"a fact is \(s, p, o\)"):
            ask(triple)


@pytest.mark.parametrize("facts", [None, 5, "<x:s> <x:p> <x:o>"])
def test_updates_refuse_things_that_are_no_facts(kb: KnowledgeBase, facts: Any) -> None:
    for name in ("insert", "delete"):
        with pytest.raises(TypeError, match="iterable of"):
            kb.update(**{name: facts})


def test_sparql_where_facts_are_expected(kb: KnowledgeBase) -> None:
    request = "INSERT DATA { <x:s> <x:p> <x:o> }"
    with pytest.raises(TypeError, match=r"SPARQL Update is for kb\.graph\(\)\.update$"):
        kb.update(request)  # type: ignore[arg-type]
    kb.graph().update(request)
    assert len(kb.explicit) == 1


def test_a_fact_without_a_list(kb: KnowledgeBase) -> None:
    fact = ("<x:s>", "<x:p>", "<x:o>")
    with pytest.raises(TermError, match=r"comes in a list: \[\(s, p, o\)\]$"):
        kb.update(delete=fact)  # type: ignore[arg-type]


@pytest.mark.parametrize("pattern", [None, 5, (None, None)])
def test_triples_refuses_things_that_are_no_pattern(kb: KnowledgeBase, pattern: Any) -> None:
    with pytest.raises(TermError, match="a pattern is"):
        kb.triples(pattern)


# -- names of methods


@pytest.mark.parametrize(
    "name, meant",
    [
        ("save", r"kb\.dump\(path"),
        ("delete", r"kb\.update\(delete"),
        ("why", r"kb\.explain"),
        ("stated", r"kb\.explicit"),
        ("rules", r"kb\.program"),
    ],
)
def test_the_method_that_is_meant_is_told(kb: KnowledgeBase, name: str, meant: str) -> None:
    with pytest.raises(AttributeError, match=f"no attribute '{name}'; for that there is {meant}"):
        getattr(kb, name)


def test_any_other_name_is_no_attribute(kb: KnowledgeBase) -> None:
    with pytest.raises(AttributeError, match=r"no attribute 'nothing'$") as caught:
        _ = kb.nothing
    assert caught.value.name == "nothing" and caught.value.obj is kb
    assert not hasattr(kb, "save")


def test_all_methods_that_are_told_are_there(kb: KnowledgeBase) -> None:
    for told in MEANT.values():
        for name in re.findall(r"kb\.(\w+)", told):
            assert hasattr(kb, name), told
    assert not any(hasattr(kb, name) for name in MEANT)


# -- changes of nothing


def test_a_change_of_nothing_says_why(kb: KnowledgeBase) -> None:
    assert str(kb.update(delete=[FACT])) == (
        "0 came, 0 went; 1 as before (stated already, or not stated)"
    )
    assert str(kb.update(insert=[FACT])).endswith("\n1 came, 0 went")
    assert str(kb.update(insert=[FACT])).endswith("; 1 as before (stated already, or not stated)")
    kb.add_rules(f"[?y, <{E}q>, ?x] :- [?x, <{E}p>, ?y] .")
    with pytest.warns(RdfincWarning, match="follows"):
        delta = kb.update(delete=[(FACT[2], URIRef(E + "q"), FACT[0])])
    assert str(delta) == "0 came, 0 went; 1 not stated, but follows: kb.explain tells why"


@pytest.mark.parametrize(
    "text", ["<a:a> a a:c .\n<a:a> a a:d .\n", "<a:a> <a:b> <a:c>.", "PREFIX : <a:> :a a :b ."]
)
def test_text_in_place_of_a_file(kb, text):
    with pytest.raises(FileNotFoundError, match=r"no file is called '.*text\.encode\(\)"):
        kb.load(text)


def test_a_large_document_in_place_of_a_file(kb):
    """To look for files of such a name would take a level of recursion for each `/`, and more
    memory than there is."""
    text = "".join(f"<{E}{number}> <{E}*> <{E}[{number}]> .\n" for number in range(20_000))
    with pytest.raises(FileNotFoundError, match=r"no file is called '.*text\.encode\(\)"):
        kb.load(text)


def test_a_file_in_place_of_a_profile():
    with pytest.raises(ValueError, match=r"'zoo\.ttl' is not available.*kb\.load"):
        KnowledgeBase("zoo.ttl")
