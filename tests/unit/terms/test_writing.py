"""What is written reads back, in every syntax."""

from __future__ import annotations

import errno
import gzip
import io
import os
import stat
import tempfile
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st
from rdflib.compare import isomorphic
from unit.terms.term_strategies import key, quads

from rdfinc.errors import DataSyntaxError, TermError
from rdfinc.terms.dictionary import Dictionary
from rdfinc.terms.io.formats import format_named
from rdfinc.terms.io.reading import read
from rdfinc.terms.io.writing import Quad, write
from rdfinc.terms.rdflib_terms import from_rdflib

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
    dataset = rdflib.Dataset()
    dataset.parse(data=text, format=format)
    assert len(list(dataset.quads())) == 3


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


@pytest.mark.parametrize("format", ["ttl", "trig", "rdf"])
def test_only_prefixes_of_use_are_declared(format: str) -> None:
    number = b'"7"^^<http://t.org/n>'
    prefixes = {"e": "http://e.org/", "p": "http://p.org/", "t": "http://t.org/", "": "http://p.o"}
    others = {"none": "http://e.com/", "more": "http://e.org/a/"}
    stream = io.BytesIO()
    fact = b"<http://e.org/a>", b"<http://p.org/b>", number, None
    write(stream, [fact], format, {**prefixes, **others})
    loaded = read(stream.getvalue(), Dictionary(), format=format)
    assert len(loaded) == 1
    assert prefixes.items() <= loaded.prefixes.items() and not others.keys() & loaded.prefixes


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
def test_terms_that_only_rdflib_tolerates_are_written(
    term: rdflib.term.Node, expected: bytes
) -> None:
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


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    there, link, other = tmp_path / "there", tmp_path / "link.nt", tmp_path / "other.nt"
    there.mkdir()
    target = there / "data.nt"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to("there/data.nt")
    other.symlink_to(link)
    for path in (link, other):
        with pytest.raises(ZeroDivisionError):
            write(path, (SAMPLE[1 // 0] for _ in range(1)))
        assert target.read_text() == "old"
    write(other, SAMPLE)
    assert link.is_symlink() and other.is_symlink()
    assert target.read_bytes() == written(SAMPLE, "nt")
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert list(there.iterdir()) == [target]
    target.unlink()
    write(link, SAMPLE[:1])
    assert link.is_symlink() and target.read_bytes() == written(SAMPLE[:1], "nt")


def test_the_format_has_to_be_known(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="format="):
        write(io.BytesIO(), SAMPLE)
    with pytest.raises(ValueError, match="format="):
        write(tmp_path / "plain", SAMPLE)
    assert list(tmp_path.iterdir()) == []


def read_back(content: list[Quad], format: str, *, strict: bool = True) -> list[Quad]:
    """What loading makes of what was written, with the names that blank nodes get."""
    dictionary = Dictionary()
    loaded = read(written(content, format), dictionary, format=format, strict=strict)
    columns = [dictionary.decode_many(column) for column in loaded.columns()[:3]]
    return [(s, p, o, None) for s, p, o in zip(*columns, strict=True)]


ODD_IRIS = ["rel", "", "http://a b", "http://e.org/<x>", "a\n", "back\\slash", "a:%zz", "\ufffe"]


@pytest.mark.parametrize("iri", ODD_IRIS)
def test_invalid_iris_come_back_if_reading_is_not_strict(iri: str) -> None:
    odd = [(A, B, from_rdflib(rdflib.URIRef(iri)), None)]
    for format in ("nt", "nq"):
        assert read_back(odd, format, strict=False) == odd
    with pytest.raises(TermError, match=r"\.nt.*strict=False"):
        written(odd, "ttl")


def test_the_reader_tells_how_to_keep_what_is_no_iri() -> None:
    with pytest.raises(DataSyntaxError, match="strict=False"):
        read_back([(A, B, b"<http://a b>", None)], "nt")


NO_ELEMENTS = ["123", "", "a%20", "a/", "a#", "q?x=1", "p'", "😀", "a😀", "·"]


@pytest.mark.parametrize("name", NO_ELEMENTS)
def test_predicates_that_no_element_is_called_after(name: str) -> None:
    unnamed = [(A, f"<http://e.org/{name}>".encode(), A, None)]
    with pytest.raises(TermError, match=r"e\.org/.*XML name.*\.nt"):
        written(unnamed, "xml")
    assert read_back(unnamed, "nt") == unnamed


@pytest.mark.parametrize("name", ["li", "Description", "RDF", "about", "ID", "aboutEach", "bagID"])
def test_predicates_that_mean_something_in_rdf_xml(name: str) -> None:
    with pytest.raises(TermError, match="itself uses"):
        written([(A, f"<{rdflib.RDF}{name}>".encode(), A, None)], "xml")


@pytest.mark.parametrize("name", ["1a", "a1", "-a", "é", "x.", "x/y", "a:b", "_", "q=x", "%41b"])
def test_predicates_in_xml_come_back(name: str) -> None:
    content = [(A, f"<http://e.org/{name}>".encode(), A, None)]
    assert read_back(content, "xml") == content


ENDINGS = [*NO_ELEMENTS, "a1", "é", "1a", "type", "x.", "a:b", "&amp;"]
RDF_NAMES = ["li", "Description", "RDF", "bagID", "aboutEach", "aboutEachPrefix", "type", "_1"]
TYPES = [f"http://e.org/{ending}" for ending in ENDINGS]
TYPES += [f"{rdflib.RDF}{name}" for name in RDF_NAMES]
TYPES += ["http://www.w3.org/2000/xmlns/foo", "urn:rdfinc:typing:T", "http://snomed.info/id/37"]
NODES = [A, b"<http://e.org/12>", b"_:a", b"_:b", *(f"<{iri}>".encode() for iri in TYPES)]
TYPE = f"<{rdflib.RDF.type}>".encode()
PREDICATES = [TYPE, TYPE, TYPE, B, b"<http://e.org/x/1y>", b"<http://e.org/type>"]


def graph_of(content: list[Quad]) -> rdflib.Graph:
    return rdflib.Graph().parse(data=written(content, "nt"), format="nt")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(NODES),
            st.sampled_from(PREDICATES),
            st.sampled_from([*NODES, b'"v"']),
            st.none(),
        ),
        max_size=8,
    )
)
def test_any_iri_may_be_a_type_in_xml(content: list[Quad]) -> None:
    stream = io.BytesIO()
    prefixes = {"e": "http://e.org/", "rdf": "http://e.org/x/1", "rdf_": "http://e.org/"}
    write(stream, content, "xml", prefixes)
    dictionary = Dictionary()
    loaded = read(stream.getvalue(), dictionary, format="xml")
    columns = [dictionary.decode_many(column) for column in loaded.columns()[:3]]
    ours: list[Quad] = [(s, p, o, None) for s, p, o in zip(*columns, strict=True)]
    assert isomorphic(graph_of(ours), graph_of(content))
    theirs = rdflib.Graph().parse(data=stream.getvalue(), format="xml")
    assert isomorphic(theirs, graph_of(content))


@pytest.mark.parametrize("iri", TYPES)
def test_what_is_of_one_type_only_is_written_in_xml(iri: str) -> None:
    content: list[Quad] = [(A, TYPE, f"<{iri}>".encode(), None)]
    assert read_back(content, "xml") == content


def test_types_without_a_name_are_written_behind_many_prefixes() -> None:
    """pyoxigraph writes in blocks of 8 kB."""
    iris = [f"http://e.org/{i}/" for i in range(1000)]
    content: list[Quad] = [(A, TYPE, f"<{iri}>".encode(), None) for iri in sorted(iris)]
    stream = io.BytesIO()
    write(stream, content, "xml", {f"p{i}": iri for i, iri in enumerate(iris)})
    assert b"rdfinc" not in stream.getvalue()
    dictionary = Dictionary()
    loaded = read(stream.getvalue(), dictionary, format="xml")
    found = dictionary.decode_many(loaded.columns()[2])
    assert sorted(found) == [o for _, _, o, _ in content]


CODES = [*range(0x20), 0x7F, 0x85, 0x2028, 0xFFFD, 0xFFFE, 0xFFFF, 0x1FFFE]


@pytest.mark.parametrize("code", CODES)
def test_characters_in_xml_come_back_or_are_refused(code: int) -> None:
    content = [(A, B, from_rdflib(rdflib.Literal(f"a{chr(code)}b")), None)]
    if code in (0x9, 0xA, 0xD) or 0x20 <= code < 0xFFFE or code > 0xFFFF:
        assert read_back(content, "xml") == content
        return
    with pytest.raises(TermError, match=rf"U\+{code:04X}.*\.nt"):
        written(content, "xml")


@pytest.mark.parametrize("text", ["é", "\u202e", "🙂 and more"])
def test_texts_in_xml_may_begin_with_any_character(text: str) -> None:
    content = [(A, B, from_rdflib(rdflib.Literal(text)), None)]
    assert read_back(content, "xml") == content


LABELS = ["1", "1.2", "a.b", "·x", "a b", "-", "é", "n1", "odd-31", "odd-6f64642d3331"]


@pytest.mark.parametrize("format", ["xml", "nt"])
def test_blank_nodes_stay_as_many_as_they_are(format: str) -> None:
    keys = [from_rdflib(rdflib.BNode(label)) for label in LABELS]
    content: list[Quad] = [(key, B, b'"%d"' % i, None) for i, key in enumerate(keys)]
    content += [(A, B, key, None) for key in keys]
    found = read_back(content, format)
    nodes = {o: s for s, _, o, _ in found if o.startswith(b'"')}
    assert len(set(nodes.values())) == len(nodes) == len(LABELS)
    assert {o for s, _, o, _ in found if s == A} == set(nodes.values())


@pytest.mark.parametrize("format", ["xml", "ttl", "trig", "json-ld"])
def test_nothing_is_written_before_all_terms_are_known_to_fit(format: str) -> None:
    stream = io.BytesIO()
    content: list[Quad] = [(A, B, b'"%d"' % i, None) for i in range(20_000)]
    with pytest.raises(TermError):
        write(stream, [*content, (b"<http://z.org/>", B, b"<no iri>", None)], format)
    assert stream.getvalue() == b""


def test_carriage_returns_survive_xml() -> None:
    """Readers make line feeds of those that are written as they are (XML 1.0, 2.11)."""
    quad = (b"<x:s>", b"<x:p>", b'"a\\rb\\r\\nc\\n"', None)
    stream = io.BytesIO()
    write(stream, [quad], "xml")
    (found,) = rdflib.Graph().parse(data=stream.getvalue(), format="xml").objects()
    assert str(found) == "a\rb\r\nc\n"


def test_a_file_beside_which_none_can_be_made_is_written_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, quad = tmp_path / "a.nt", (b"<a:s>", b"<a:p>", b'"o"', None)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(tmp_path))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    with pytest.raises(PermissionError):
        write(path, [quad])
    assert not path.exists()
    path.write_bytes(b"old")
    write(path, [quad])
    assert path.read_bytes() == b'<a:s> <a:p> "o" .\n'


def test_a_file_that_is_mounted_by_itself_gets_the_contents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, quad = tmp_path / "a.nt", (b"<a:s>", b"<a:p>", b'"o"', None)
    path.write_bytes(b"old")
    kept = path.stat().st_ino

    def refuse(*_: object) -> None:
        raise OSError(errno.EBUSY, "Device or resource busy", str(path))

    monkeypatch.setattr(os, "replace", refuse)
    write(path, [quad])
    assert path.read_bytes() == b'<a:s> <a:p> "o" .\n' and path.stat().st_ino == kept
    assert [each.name for each in tmp_path.iterdir()] == ["a.nt"]
