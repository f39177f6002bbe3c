"""What is written reads back, in every syntax."""

from __future__ import annotations

import gzip
import io
import stat
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from unit.terms.term_strategies import key, quads

from rdfinc.errors import TermError
from rdfinc.terms.formats import format_named
from rdfinc.terms.rdflib_terms import from_rdflib
from rdfinc.terms.writing import Quad, write

A, B = b"<http://e.org/a>", b"<http://e.org/b>"
SAMPLE: list[Quad] = [(A, B, b'"x y"@en', None), (A, B, A, B), (B, B, b"_:n", None)]


def keys(quad: ox.Quad) -> Quad:
    s, p, o, g = quad
    return key(s), key(p), key(o), None if isinstance(g, ox.DefaultGraph) else key(g)


def written(content: list[Quad], format: str) -> bytes:
    stream = io.BytesIO()
    write(stream, content, format)
    return stream.getvalue()


@given(st.lists(quads.map(keys), max_size=8))
def test_nquads_come_back(content: list[Quad]) -> None:
    text = written(content, "nq")
    assert [keys(quad) for quad in ox.parse(text, format=ox.RdfFormat.N_QUADS)] == content


@given(st.lists(quads.map(keys), max_size=8))
def test_ntriples_hold_the_statements_of_all_graphs(content: list[Quad]) -> None:
    found = ox.parse(written(content, "nt"), format=ox.RdfFormat.N_TRIPLES)
    assert [keys(quad)[:3] for quad in found] == [quad[:3] for quad in content]


@given(st.lists(quads.map(keys), max_size=8))
def test_trig_comes_back(content: list[Quad]) -> None:
    found = ox.parse(written(content, "trig"), format=ox.RdfFormat.TRIG)
    assert {keys(quad) for quad in found} == set(content)


@given(st.lists(quads.map(keys), max_size=8))
def test_turtle_comes_back(content: list[Quad]) -> None:
    parsed = ox.parse(written(content, "ttl"), format=ox.RdfFormat.TURTLE)
    found = [keys(quad)[:3] for quad in parsed]
    assert sorted(found) == sorted({quad[:3] for quad in content})


@pytest.mark.parametrize("format", ["xml", "json-ld"])
def test_other_syntaxes_come_back(format: str) -> None:
    text = written(SAMPLE, format)
    found = ox.parse(text, format=format_named(format))
    assert sorted(map(str, (keys(quad)[:2] for quad in found))) == sorted(
        str(quad[:2]) for quad in SAMPLE
    )
    assert len(list(rdflib.Dataset().parse(data=text, format=format).quads())) == 3


def test_the_order_of_lines_is_kept() -> None:
    lines = written(SAMPLE, "nq").decode().splitlines()
    assert lines == [
        '<http://e.org/a> <http://e.org/b> "x y"@en .',
        "<http://e.org/a> <http://e.org/b> <http://e.org/a> <http://e.org/b> .",
        "<http://e.org/b> <http://e.org/b> _:n .",
    ]


def test_prefixes_are_used_and_odd_ones_left_out() -> None:
    stream = io.BytesIO()
    write(stream, SAMPLE, "ttl", {"e": "http://e.org/", "odd": "no iri"})
    text = stream.getvalue().decode()
    assert "@prefix e: <http://e.org/>" in text
    assert "e:a e:b" in text
    assert "odd" not in text


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (rdflib.URIRef("a b>\n"), rb"<a\u0020b\u003E\u000A>"),
        (rdflib.URIRef("back\\slash"), rb"<back\u005Cslash>"),
        (rdflib.BNode("a b"), b"_:odd-612062"),
        (rdflib.Literal('"^^<x>'), rb'"\"^^<x>"'),
        (rdflib.Literal("x", datatype=rdflib.URIRef("a b")), rb'"x"^^<a\u0020b>'),
        (rdflib.BNode("é.x"), b"_:odd-c3a92e78"),
    ],
)
def test_what_only_rdflib_tolerates(term: rdflib.term.Node, expected: bytes) -> None:
    assert written([(A, B, from_rdflib(term), None)], "nt") == b"%b %b %b .\n" % (A, B, expected)


def test_odd_iris_are_refused_elsewhere() -> None:
    with pytest.raises(TermError, match=r"\.nt"):
        written([(b"<a b>", B, A, None)], "ttl")


def test_compressed_files_are_reproducible(tmp_path: Path) -> None:
    first, second = tmp_path / "a.nq.gz", tmp_path / "b.nq.gz"
    write(first, SAMPLE)
    write(second, SAMPLE)
    data = first.read_bytes()
    assert data == second.read_bytes()
    assert data[4:8] == bytes(4), "no time stamp"
    assert gzip.decompress(data) == written(SAMPLE, "nq")


def test_a_failing_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "d.nt"
    path.write_text("old")

    def failing():
        yield SAMPLE[0]
        raise RuntimeError("the source of the quads broke")

    with pytest.raises(RuntimeError):
        write(path, failing())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions(tmp_path: Path) -> None:
    new, old, plain = tmp_path / "new.nt", tmp_path / "old.nt", tmp_path / "plain"
    plain.touch()
    old.touch()
    old.chmod(0o640)
    write(new, SAMPLE)
    write(old, SAMPLE)
    assert stat.S_IMODE(new.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_the_format_has_to_be_known(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="format="):
        write(io.BytesIO(), SAMPLE)
    with pytest.raises(ValueError, match="format="):
        write(tmp_path / "plain", SAMPLE)
    assert list(tmp_path.iterdir()) == []
