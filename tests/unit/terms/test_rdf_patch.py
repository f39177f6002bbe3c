"""RDF Patch is read as its specification has it; what is no patch is told with its line."""

from __future__ import annotations

import pytest

from rdfinc import DataSyntaxError, KnowledgeBase
from rdfinc.terms.io.rdf_patch import is_patch, read_patch

X, Y, Z, G = (f"<http://e/{name}>" for name in "xyzg")


def test_the_last_row_about_a_fact_counts() -> None:
    rows = [f"A {X} {Y} {Z} .", f"D {X} {Y} {Z} {G} .", f"D {X} {Y} {Z} .", f"A {X} {Y} {Z} {G} ."]
    patch = read_patch("\n".join(rows), "p")
    assert (patch.delete, patch.insert) == ([(X, Y, Z)], [(X, Y, Z, G)])
    patch = read_patch(f'A {X} {Y} "a"@EN .\nD {X} {Y} "a"@en .', "p")
    assert not patch.insert and patch.delete == [(X, Y, '"a"@en')]


def test_transactions_count_once_they_are_committed() -> None:
    text = (
        f"TX .\nA {X} {Y} {Z} .\nTC .\nTX .\nD {X} {Y} {Z} .\nPA n: <n:> .\nTA .\nA {Z} {Y} {X} ."
    )
    patch = read_patch(text, "p")
    assert (patch.delete, patch.insert) == ([], [(X, Y, Z), (Z, Y, X)])
    assert not patch.prefixes


@pytest.mark.parametrize("row", ['PA "n" "http://n/" .', "PA n: <http://n/> .", "PA n <http://n/>"])
def test_prefixes_come_and_go(row: str) -> None:
    assert read_patch(row, "p").prefixes == {"n": "http://n/"}
    assert read_patch(f'# none\r\n{row}\r\nPD "n" .', "p").prefixes == {"n": None}


def test_blank_nodes_have_their_labels_and_texts_stay() -> None:
    [fact] = read_patch(f'A <_:b1> {Y} "is <_:b2>" .', "p").insert
    assert fact == ("_:b1", Y, '"is <_:b2>"')
    kb = KnowledgeBase("none")
    kb.update(insert=[fact])
    assert len(kb) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A <x> <y> <z> .", "p, line 1: No scheme found"),
        (f"H id <uuid:1> .\nA {X} {Y} {Z} {G} {G} .", "p, line 2: "),
        (f"A {X} {Y} .", "p, line 1: "),
        (
            f"A {X} {Y} {Z} . {X} {Y} {Z} .",
            "p, line 1: ",
        ),
        (f"D _:b {Y} {Z} .", "a blank node of a file has no name"),
        ("TX .\nTX .", "p, line 2: the transaction of line 1 has no end"),
        ("\nTX .", "p, line 2: this transaction has no end"),
        ("TC .", "TC ends no transaction"),
        ("PA n .", 'write PA "ex"'),
        ('PD "n" <http://n/> .', 'write PA "ex"'),
        ("ADD <x> .", "a row of RDF Patch begins with"),
    ],
)
def test_what_is_no_patch_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(DataSyntaxError) as told:
        read_patch(text, "p")
    assert message in str(told.value)


def test_a_patch_is_known_by_its_first_row() -> None:
    assert is_patch(f"\n# a comment\n A {X} {Y} {Z} .") and is_patch("TX .")
    for text in ("", "ADD DEFAULT TO <g>", "DELETE WHERE { ?s ?p ?o }", "PREFIX a: <b> CLEAR ALL"):
        assert not is_patch(text)


@pytest.mark.parametrize("text", ["x" + " " * 200_000 + "y", '\\"' * 200_000])
def test_long_texts_are_read_once(text: str) -> None:
    patch = read_patch(f'A {X} {Y} "{text}" .', "p")
    assert len(str(patch)) > 0
