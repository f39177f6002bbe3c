"""The pieces of a file state what the file states, however it is cut."""

from __future__ import annotations

import gzip
import re
import tracemalloc
from pathlib import Path
from random import Random

import pyoxigraph as ox
import pytest
from unit.terms.random_turtle import START, RandomTurtle

from rdfinc import DataSyntaxError, UnsupportedError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.pieces import Piece, pieces, read_piece
from rdfinc.terms.io.problems import Problems, Skipped, told
from rdfinc.terms.io.sources import LocalFile
from rdfinc.terms.term_thresholds import TERMS
from thresholds import put

Statement = tuple[str, ...]
SPOILERS = ('"', "'", '"""', "'''", "<", ">", "#", " . ", "\\", "{", "}", "]", "@prefix", "base ",
            "@base <y> .", "prefix : <x>", "<<", "{|")  # fmt: skip
NQUADS = ox.RdfFormat.N_QUADS
UNLABELLED = re.compile(r"_:f1(?:-\d+)?-\d+")


def decoded(columns: object, dictionary: Dictionary) -> list[Statement]:
    ids = zip(*columns, strict=True)  # type: ignore[call-overload]
    return [tuple(dictionary.decode(id).decode() if id else "" for id in row) for row in ids]


def stated(parts: list[Piece], problems: Problems | None = None) -> list[Statement]:
    """What pieces state, in order; nodes without a label are numbered in order of appearance."""
    found: list[Statement] = []
    for piece in parts:
        dictionary = Dictionary()
        for columns in read_piece(piece, dictionary, b"1", problems or Problems()):
            found += decoded(columns, dictionary)
    return numbered(found)


def numbered(statements: list[Statement]) -> list[Statement]:
    numbers: dict[str, str] = {}

    def name(term: str) -> str:
        if UNLABELLED.fullmatch(term) is None:
            return term
        return numbers.setdefault(term, f"_:f1-{len(numbers)}")

    return [tuple(map(name, statement)) for statement in statements]


def outcome(parts: list[Piece]) -> list[Statement] | str:
    """What they state, or the first error."""
    try:
        return stated(parts)
    except (DataSyntaxError, UnsupportedError) as error:
        return f"line {getattr(error, 'line', None)}"


def whole(path: Path) -> list[Piece]:
    return list(pieces(LocalFile(path), 1 << 40))


def canonical(found: list[Statement] | str) -> list[Statement] | str:
    """What is stated, whatever its order and the names of nodes."""
    if isinstance(found, str):
        return found
    dataset = ox.Dataset(ox.parse("".join(f"{' '.join(s)} .\n" for s in found), format=NQUADS))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return sorted(tuple(map(str, quad)) for quad in dataset)


@pytest.mark.parametrize("suffix", ["ttl", "trig"])
@pytest.mark.parametrize("block", [11, 64, 1 << 22])
def test_cut_anywhere(
    suffix: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TERMS, cut_block_bytes=block)
    path = tmp_path / f"data.{suffix}"
    cut = 0
    for seed in range(block, block + 60):
        text = RandomTurtle(seed, trig=suffix == "trig").document(20)
        path.write_bytes(text.encode())
        expected = outcome(whole(path))
        assert not isinstance(expected, str), (seed, expected)
        for size in (1, 40, 150):
            parts = list(pieces(LocalFile(path), size))
            found = outcome(parts)
            assert found == expected or canonical(found) == canonical(expected), (seed, size)
            cut += len(parts) - 1
    assert cut > 300


def test_malformed_as_a_whole_is_malformed_in_pieces(tmp_path: Path) -> None:
    random = Random(5)
    errors = 0
    for seed in range(150):
        path = tmp_path / ("data.trig" if seed % 2 else "data.ttl")
        text = RandomTurtle(seed, trig=bool(seed % 2)).document(10)
        place = random.randint(len(START), len(text))
        text = text[:place] + random.choice(SPOILERS) + text[place:]
        path.write_bytes(text.encode())
        expected = outcome(whole(path))
        for size in (1, 60):
            found = outcome(list(pieces(LocalFile(path), size)))
            assert isinstance(found, str) == isinstance(expected, str), (seed, size)
            assert canonical(found) == canonical(expected) or isinstance(found, str), (seed, size)
        errors += isinstance(expected, str)
    assert 30 < errors < 120


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("suffix", ["nt", "nq"])
def test_lines_are_cut_where_they_end(
    suffix: str, end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TERMS, line_block_bytes=1)
    path = tmp_path / f"data.{suffix}"
    graph = " <g:g>" if suffix == "nq" else ""
    lines = [f'<a:{i}> <a:p> "é . {i}"@en{graph} .' for i in range(50)]
    lines[7:9] = ["# a comment", "", "_:b <a:p> _:b ."]
    path.write_bytes(end.join(["\ufeff" + lines[0], *lines[1:]]).encode())
    expected = stated(whole(path))
    assert len(expected) == 49
    for size in (1, 30, 200, 1 << 20):
        parts = list(pieces(LocalFile(path), size))
        assert stated(parts) == expected
        assert size > 200 or len(parts) > 5
        assert [part.start for part in parts[1:]] == [part.end for part in parts[:-1]]


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_an_error_tells_the_line_in_the_file(
    end: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TERMS, line_block_bytes=1)
    for suffix, bad in (
        ("ttl", "<a:x> <a:p> oh ."),
        ("nt", "<a:x> <a:p> oh ."),
        ("trig", "<a> { ]"),
    ):
        path = tmp_path / f"data.{suffix}"
        text = "<a:a> <a:p> <a:o> .\n" * 40 + bad + "\n" + "<a:a> <a:p> <a:o> .\n" * 9
        path.write_bytes(text.encode().replace(b"\n", end))
        with pytest.raises(DataSyntaxError) as expected:
            stated(whole(path))
        with pytest.raises(DataSyntaxError) as found:
            stated(list(pieces(LocalFile(path), 100)))
        assert (found.value.line, str(found.value)) == (41, str(expected.value))
        if suffix == "nt":
            path.write_bytes(path.read_bytes().replace(b"oh", b'"x"@en--ltr'))
            with pytest.raises(
                UnsupportedError, match=r"data\.nt, line 41: not supported: .*\n"
            ) as u:
                stated(list(pieces(LocalFile(path), 100)))
            assert (told(u.value)[:3]) == (str(path), 41, '"x"@en--ltr')


def test_a_long_graph_is_cut_whatever_stands_before_it(tmp_path: Path) -> None:
    path = tmp_path / "data.trig"
    inside = "<a:a> <a:p> <a:o> .\n" * 30
    for before in ("", "<a:a> <a:p> 'prefix ',\n<a:o>\n.\n", "{ }", "# {\n", "<a:a> a <a:b> ."):
        for name in ("<g:g>", "GRAPH <g:g>\n", "_:g # {\n", ""):
            path.write_text(f"{before}{name}{{ {inside} }}")
            assert len(list(pieces(LocalFile(path), 100))) > 5, (before, name)


def test_lenient_reading_goes_on_in_each_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TERMS, line_block_bytes=1)
    good = "".join(f"<a:{i}> <a:p> <a:o> .\n" for i in range(30))
    for suffix, count in (("ttl", 15), ("nt", 15), ("trig", 1)):
        path = tmp_path / f"data.{suffix}"
        path.write_text("<a:p> <a:p> oh .\n".join(good.splitlines(keepends=True)[::2]))
        expected, skipped = Skipped(), Skipped()
        alone = stated(list(pieces(LocalFile(path), 1 << 40, lenient=True)), expected)
        parts = list(pieces(LocalFile(path), 1, lenient=True))
        assert stated(parts, skipped) == alone
        assert (len(alone), skipped.count) == (count, expected.count)
        assert len(parts) > 10 or suffix == "trig"


def test_a_file_that_cannot_be_cut_is_one_piece(tmp_path: Path) -> None:
    text = b"<a:a> <a:p> <a:o> .\n" * 50
    for name in ("data.nt.gz", "data.ttl.gz"):
        (tmp_path / name).write_bytes(gzip.compress(text))
        (only,) = pieces(LocalFile(tmp_path / name), 10)
        assert only.whole and len(stated([only])) == 50
        (tmp_path / name).write_bytes(gzip.compress(text)[:-12])
        with pytest.raises(DataSyntaxError, match="damaged or end too early"):
            stated(list(pieces(LocalFile(tmp_path / name), 10)))
    (tmp_path / "empty.ttl").write_bytes(b"")
    assert stated(list(pieces(LocalFile(tmp_path / "empty.ttl"), 1))) == []


def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(monkeypatch, TERMS, cut_block_bytes=1 << 14)
    path = tmp_path / "data.ttl"
    block = '@prefix : <http://e/> .\n:a :base "x prefix base " , """long\n. """ .\n' * 4000
    path.write_text(block)
    tracemalloc.start()
    try:
        count = sum(1 for _ in pieces(LocalFile(path), 1 << 12))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == pytest.approx(path.stat().st_size / (1 << 12), abs=2)
    assert peak < 130_000 < path.stat().st_size / 2
